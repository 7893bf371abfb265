"""Whatever bots hold up to a virtual camera carries a label of that component, however often it comes back."""

import pytest

from companion.core import autoplay
from companion.core.agenda import question_of
from companion.core.game import Setup, games
from companion.recognition import reading
from companion.recognition.virtual_cards import Cards
from tests import budgets
from vision.virtual import PRESETS, VirtualTable


class Filmed(VirtualTable):
    """A virtual table that remembers what is held up."""

    held: str | None = None

    def hold_up(self, text: str | None, distance: float = 300.0, size: float = 18.0) -> None:
        self.held = text


@pytest.mark.parametrize("seed", range(6 if budgets.campaign else 2))
@pytest.mark.parametrize("game", [rules for rules in games().values() if rules.box.label is not None])
def test_every_card_of_a_play_can_be_held_up(game, seed):
    seats = game.box.seats[-1 - seed % len(game.box.seats)]
    table = Filmed(PRESETS["good-lamp"], seed)
    cards, book = Cards(game, table), reading.book(game)
    before = None
    for state, answer in autoplay.play(game, Setup(game.id, tuple("ABCDEF"[:seats])), seed):
        question = None if answer is None else question_of(before, answer)
        option = None if answer is None or question is None else question.option(answer.option)
        before = state
        if answer is None or option is None or option.component is None:
            continue
        cards.hold_up(option.component, answer.seat)
        assert table.held is not None
        assert book.piece(table.held).component == option.component
        assert table.held not in {it.text for it in table.lying}, "one label is at one place"
        cards.put_down(option.component, answer.seat)
        assert table.held is None


def test_a_card_that_comes_back_is_taken_up_from_where_it_lay():
    table = Filmed(PRESETS["good-lamp"], 1)
    cards = Cards(games()["race"], table)
    for _ in range(3):
        cards.hold_up("old-earth", 0)
        assert table.held is not None
        assert not table.lying
        cards.put_down("old-earth", 0)
        assert len(table.lying) == 1
