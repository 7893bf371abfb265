"""Seats are recognised by their marks: in the colour of their pieces, and wherever a player is chosen."""

import pytest

from companion.core.game import games
from companion.core.questions import Answer
from companion.games.eclipse.component_types import species
from companion.table.marks import PIECES
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.geometry import visible, walk

pytestmark = pytest.mark.every_game

NAMES = ("Ania", "Bartek", "Celina")
FIRST = {
    "beyond": "beyond.first",
    "eclipse": "eclipse.first",
    "frontiers": "frontiers.order",
    "transgalactica": "transgalactica.first",
}


@pytest.mark.parametrize("game", FIRST)
def test_who_is_first_is_asked_with_the_marks_of_seats(rehearsal, layout, game):
    rehearsal.change(language="pl")
    rehearsal.play(game, NAMES)
    asked = rehearsal.screen.shown_question()
    assert asked.slug == FIRST[game]
    for seat, mark in enumerate(rehearsal.app.desk.marks()):
        tile = rehearsal.taps()[f"option-{seat}"]
        assert [part.mark for part in walk(tile) if isinstance(part, Badge) and visible(part)] == [mark]


def test_every_game_that_asks_who_is_first_is_tried():
    asking = {
        slug.split(".")[0]
        for game in games().values()
        for step in game.steps
        if (slug := getattr(step, "slug", "")).endswith((".first", ".order"))
    }
    assert asking == set(FIRST)


def test_a_seat_of_eclipse_has_the_colour_of_its_pieces(rehearsal):
    rehearsal.play("eclipse", NAMES)
    before = rehearsal.app.desk.marks()
    rehearsal.tap("option-0")
    wanted = ["black", "red", "green"]
    for colour in wanted:
        (asked,) = rehearsal.app.desk.questions()
        chosen = next(o.id for o in asked.options if species()[o.id].colour == colour)
        rehearsal.app.desk.propose(Answer(asked.seat, asked.slug, chosen))
        rehearsal.settle()
        marks = rehearsal.app.desk.marks()
        assert marks[asked.seat].colour == PIECES[colour]
        assert len({mark.colour for mark in marks}) == len(NAMES)
    assert [(mark.shape, mark.letter) for mark in marks] == [(mark.shape, mark.letter) for mark in before]
