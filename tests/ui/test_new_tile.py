"""An unknown tile: one tile to touch, then its name, or no name yet; and a map that can wait."""

from __future__ import annotations

import pytest

from companion.core.questions import LATER
from companion.recognition import face_pictures
from companion.ui.toolkit.face_pictures import PICTURES
from companion.ui.toolkit.symbols import FaceView
from tests.recognition.drawn_box import DrawnSpot
from vision.camera_health import Frame
from vision.worker import Glance

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


def _look(rehearsal, spot, looks=4):
    for _ in range(looks):
        picture, at = spot.frame()
        rehearsal.posed.look = Glance(Frame(picture, at), ())
        rehearsal.screen.tick()
        rehearsal.settle_beside()


@pytest.fixture
def watched(exploring):
    exploring.change(camera="virtual:good-lamp:1")
    exploring.camera_feed.watch("virtual:good-lamp:1")
    return exploring


def test_a_tile_laid_down_is_the_new_one_and_its_picture_is_its_face(watched):
    watched.tap(NEW)
    spot = DrawnSpot()
    _look(watched, spot)
    assert watched.screen.name == "name-tile"
    spot.lay("a tile", 10.0)
    _look(watched, spot)
    assert watched.screen.name == "table"
    assert explored(watched)[-1:] == ["world-9"]
    picture = face_pictures.look_up(watched.app.folder, "frontiers", "world-9")
    assert picture.shape[0] > picture.shape[1] > 100
    game = watched.app.desk.session.game
    face = game.face(watched.app.desk.session.catalogue["world-9"])
    PICTURES.of("frontiers", face)
    watched.settle_beside()
    assert PICTURES.of("frontiers", face) is not None
    other = game.face(watched.app.desk.session.catalogue["world-10"])
    PICTURES.of("frontiers", other)
    watched.settle_beside()
    assert PICTURES.of("frontiers", other) is None
    view = FaceView(game, face)
    view.place(0, 0, 200, 100)
    assert any(
        getattr(one, "texture", None) is PICTURES.of("frontiers", face) for one in view.canvas.children
    )


def test_a_tile_that_lies_there_already_is_photographed_alone(watched):
    spot = DrawnSpot()
    spot.lay("a tile", 10.0)
    watched.tap(NEW)
    _look(watched, spot, 2)
    assert watched.screen.name == "name-tile"
    watched.tap("name-photo")
    watched.settle_beside()
    high, wide = face_pictures.look_up(watched.app.folder, "frontiers", "world-9").shape[:2]
    assert wide / high == pytest.approx(62 / 88, abs=0.08)
