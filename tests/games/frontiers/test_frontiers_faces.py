"""Which sides of the two-sided developments are up (p. 2): entered once, by taps or by camera, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.core import autoplay
from companion.core.binder import Binder
from companion.core.entries import Undone
from companion.core.game import Setup
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.scans import CardInSight, LiesInSight, Offer, offer_of
from companion.core.session import begin
from companion.core.store import Store
from companion.core.understand import Sighted
from companion.games.frontiers import GAME
from companion.games.frontiers.component_types import ids, stacks
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.steps.develop import ResolveDevelop
from companion.games.frontiers.steps.display import TellFaces
from companion.table.signal_intake import SignalIntake
from companion.table.signals import Confirmed
from tests.games.frontiers.tables import NAMES, answer, asked, at, options, question, seat, table

UP = tuple(pair[0] for pair in stacks().values())
DOWN = tuple(pair[1] for pair in stacks().values())


def setting_up(faces: str) -> FrontiersState:
    """A table about to be set up."""
    state = GAME.start(Setup("frontiers", NAMES[:3], {"faces": faces}))
    assert isinstance(state, FrontiersState)
    return state


def developing(*faces: str, **seats: object) -> FrontiersState:
    """A Develop action of somebody who could pay for everything, with these faces told."""
    state = table(2, action="develop", ania=seat(credits=9), **seats)  # type: ignore[arg-type]
    return at(replace(state, faces=faces), ResolveDevelop())


def tiles(state: FrontiersState) -> set[str]:
    """The developments offered to Ania."""
    return set(options(state, 0)) & set(ids("developments"))


def test_a_box_has_sixteen_pairs_of_faces() -> None:
    """Rule 3."""
    assert len(stacks()) == 16
    assert all(len(pair) == 2 for pair in stacks().values())


def test_develop_offers_24_tiles_once_all_faces_are_told_and_40_before() -> None:
    """Rules 3 and 24."""
    assert len(tiles(developing())) == 40
    told = tiles(developing(*UP))
    assert len(told) == 24
    assert told.isdisjoint(DOWN)


def test_sixteen_taps_tell_all_faces_at_set_up_and_then_the_order_is_asked() -> None:
    """Rules 23 and 24."""
    state = setting_up("told")
    for taps, face in enumerate(UP):
        told = question(state, None)
        assert told.tally is not None
        assert (told.slug, told.tally.done, told.tally.total) == ("frontiers.faces", taps, 16)
        state = answer(state, None, face)
    assert state.faces == UP
    assert question(state, None).slug == "frontiers.order"


def test_both_faces_of_a_pair_stand_one_above_the_other_on_one_board() -> None:
    cells = {option.id: option.cell for option in question(setting_up("told"), None).options}
    assert cells["later"] is None
    assert len({cell for cell in cells.values() if cell is not None}) == 32
    for upper, lower in stacks().values():
        (row, column), below = cells[upper] or (0, 0), cells[lower]
        assert below == (row + 1, column)
        assert column < 8


def test_what_is_told_is_not_asked_again_and_the_rest_may_wait() -> None:
    """Rule 24: with part of the faces told the other stacks are as if nobody had told anything."""
    state = answer(setting_up("told"), None, "survey-team")
    assert not {"survey-team", "expeditionary-force"} & set(options(state, None))
    state = answer(state, None, "later")
    assert question(state, None).slug == "frontiers.order"
    some = tiles(developing("survey-team"))
    assert "expeditionary-force" not in some
    assert len(some) == 39


def test_a_play_that_speaks_of_no_faces_begins_as_ever() -> None:
    """Journals written before faces could be told."""
    state = GAME.start(Setup("frontiers", NAMES[:3], {"goals": "goals"}))
    assert question(state, None).slug == "frontiers.order"
    assert (state.faces, state.first) == ((), False)


def test_labels_in_sight_are_confirmed_at_once() -> None:
    """One sweep over the board tells all of them."""
    session = begin(GAME, Setup("frontiers", NAMES[:3], {"faces": "told"}), 0.0)
    offer = offer_of(session, [Sighted(face) for face in UP], session.questions())
    assert offer.together
    assert [given.option for given, _ in offer.answers] == list(UP)
    one_each = offer_of(session, [Sighted(UP[0])], session.questions())
    assert len(one_each.answers) == 1


def test_one_look_at_the_board_and_one_tap_tell_all_faces(tmp_path: Path) -> None:
    """Labels that lie in sight are offered together; confirmed, they are one deed, which undo takes back whole."""
    with Store(tmp_path / "journal.db") as store:
        setup = Setup("frontiers", NAMES[:3], {"faces": "told"})
        play = Play.start(GAME, setup, Journal(store), Binder(store), 0.0)
        door = SignalIntake()
        door.enter(play)
        for n, face in enumerate(UP):
            for outcome in door.see(LiesInSight(CardInSight(f"label {n}", Sighted(face))), 1.0):
                offer = outcome.meaning
        assert isinstance(offer, Offer)
        assert offer.together
        list(door.propose(Confirmed(tuple(given for given, _ in offer.answers)), 2.0))
        assert set(play.session.state.faces) == set(UP)
        assert question(play.session.state, None).slug == "frontiers.order"
        list(door.propose(Undone(play.session.last_deed), 3.0))
        assert play.session.state.faces == ()


def test_the_other_face_of_one_told_is_refused_with_the_reason() -> None:
    """Rule 24."""
    state = developing("terraforming-robots")
    ask = asked(state, 0)
    assert ask is not None
    why = ask.why_not(state, "improved-logistics")
    assert why.key == "frontiers.why.other-face"
    assert str(why.args["up"]) != ""


@pytest.mark.parametrize(
    ("owned", "other"), [("galactic-salon", "drop-ships"), ("drop-ships", "galactic-salon")]
)
def test_the_salon_is_in_play_instead_of_drop_ships(owned: str, other: str) -> None:
    """P. 8: the one pair that the rulebook itself names; the other face of other pairs stays offered."""
    state = developing(ola=seat(developments=(owned, "survey-team")))
    assert other not in options(state, 0)
    assert "expeditionary-force" in options(state, 0)
    assert owned not in options(state, 0)  # with two players there is one of each


def test_a_first_game_uses_drop_ships_and_the_homes_with_a_white_square() -> None:
    """Rules 23 and 31."""
    state = setting_up("first")
    assert state.faces == ("drop-ships",)
    assert not {"drop-ships", "galactic-salon"} & set(options(state, None))
    state = answer(state, None, "later", "0", "1")
    assert options(state, 0) == [f"home-{mat}a" for mat in range(1, 9)]
    ask = asked(state, 0)
    assert ask is not None
    assert ask.why_not(state, "home-1b").key == "frontiers.why.first-game"


def test_faces_may_be_told_while_developing() -> None:
    """A player who said "later" finds it below the list; then the purchase is asked again."""
    state = developing()
    assert options(state, 0)[-1] == "faces"
    state = answer(state, 0, "faces")
    assert isinstance(asked(state, 0), TellFaces)
    state = answer(state, 0, *UP)
    assert question(state, 0).slug == "frontiers.develop"
    assert len(tiles(state)) == 24
    assert "faces" not in options(state, 0)


def test_nobody_is_asked_about_faces_who_can_buy_nothing() -> None:
    state = at(table(action="develop", selector=1), ResolveDevelop())
    assert options(state, 0) == ["pass"]


def test_only_two_faced_developments_are_told() -> None:
    ask = asked(setting_up("told"), None)
    assert ask is not None
    state = answer(setting_up("told"), None, "survey-team")
    assert ask.why_not(state, "space-marines").key == "frontiers.why.one-face"
    assert ask.why_not(state, "expeditionary-force").key == "frontiers.why.face-told"


def test_a_face_told_wrong_is_set_right() -> None:
    state = developing("drop-ships", "survey-team")
    counter = {c.id: c for c in GAME.counters(state)}["face:G"]
    assert (counter.value, counter.values) == (1, [0, 1, 2])
    right = GAME.correct(state, "face:G", 2)
    assert set(right.faces) == {"survey-team", "galactic-salon"}
    assert "drop-ships" not in options(right, 0)
    open_again = GAME.correct(right, "face:G", 0)
    assert open_again.faces == ("survey-team",)
    assert {"drop-ships", "galactic-salon"} <= set(options(open_again, 0))


@pytest.mark.parametrize("faces", ["told", "first"])
def test_bots_tell_the_faces_that_lie_on_their_table(faces: str) -> None:
    for state, _ in autoplay.play(GAME, Setup("frontiers", NAMES[:2], {"faces": faces}), 1):
        assert GAME.check(state) == ()
    assert isinstance(state, FrontiersState)
    assert len(state.faces) == 16
    assert ("drop-ships" in state.faces) or faces == "told"
    bought = {id for who in state.seats for id in who.developments}
    assert bought.isdisjoint({id for pair in stacks().values() for id in pair} - set(state.faces))


def test_the_board_of_faces_has_no_empty_row() -> None:
    cells = [option.cell for option in question(setting_up("told"), None).options]
    assert {cell[0] for cell in cells if cell is not None} == set(range(4))
