"""An unknown tile: one tile to touch, then its name, or no name yet; and a map that can wait."""

from __future__ import annotations

import pytest

from companion.core.questions import LATER

pytestmark = pytest.mark.every_game

NEW = "option-world-9"


@pytest.fixture
def exploring(rehearsal):
    """A table of an untaught box at which somebody has taken a world."""
    rehearsal.play("frontiers", ("Ania", "Bartek", "Celina"))
    rehearsal.play_until(lambda session: session.questions()[0].slug == "frontiers.take-world")
    rehearsal.app.home("table")
    rehearsal.settle()
    return rehearsal


def explored(rehearsal) -> list[str]:
    return [tile for seat in rehearsal.app.desk.session.state.seats for tile in seat.explored]


def test_one_tile_stands_for_all_that_nobody_told_of(exploring):
    worlds = [name for name in exploring.taps() if name.startswith("option-world-")]
    assert worlds == [NEW]
    assert "+ New tile" in exploring.words()


def test_a_new_tile_is_called_as_it_was_typed_in_every_list(exploring):
    exploring.tap(NEW)
    assert exploring.screen.name == "name-tile"
    for letter in "comet":
        exploring.tap(f"key-{letter}")
    exploring.tap("key-done")
    exploring.settle()
    assert exploring.screen.name == "table"
    assert explored(exploring)[-1:] == ["world-9"]
    assert exploring.app.desk.session.state.taught["world-9.name.en"] == "Comet"


def test_a_name_can_wait(exploring):
    exploring.tap(NEW)
    exploring.tap("name-later")
    assert exploring.screen.name == "table"
    assert explored(exploring)[-1:] == ["world-9"]
    assert "world-9.name.en" not in exploring.app.desk.session.state.taught


def test_people_who_came_by_mistake_go_back_and_nothing_was_answered(exploring):
    before = exploring.app.desk.session
    exploring.tap(NEW)
    exploring.tap("back")
    assert exploring.screen.name == "table"
    assert exploring.app.desk.session is before


def test_the_page_goes_when_somebody_else_answers(exploring):
    exploring.tap(NEW)
    exploring.play_on()
    assert exploring.screen.name == "table"


def test_a_map_can_wait(rehearsal):
    rehearsal.play("transgalactica", ("Ania", "Bartek"), answers=1)
    rehearsal.app.home("table")
    rehearsal.settle()
    assert rehearsal.app.desk.questions()[0].later is not None
    rehearsal.tap("form-later")
    last = rehearsal.app.desk.session.last
    assert last is not None
    assert last.deed.answer.option == LATER
    assert not any(q.facts and "sketch" in q.facts[0] for q in rehearsal.app.desk.questions())
