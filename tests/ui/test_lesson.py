"""Teaching a box through the screen: tile after tile, in turns, with a camera or without, and across a power cut."""

import json
import signal
import subprocess
import sys

import cv2
import numpy as np
import pytest

from companion.core.game import games
from companion.games.lantern import GAME as LANTERN
from companion.recognition import reading
from companion.table.settings import Person
from companion.ui.screens.home import MUCH
from companion.ui.toolkit.draw import PictureView
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.icons import ICONS
from companion.ui.toolkit.kit import Icon
from vision.camera import Frame
from vision.sightings import Sighting
from vision.worker import Glance
from workshop.screens.checks import problems


def begin(rehearsal):
    games().clear()
    games()["lantern"] = LANTERN
    rehearsal.tap("binder")
    rehearsal.tap("teach-box")
    return rehearsal


@pytest.fixture
def lesson(rehearsal):
    return begin(rehearsal)


def history(rehearsal):
    found = []
    rehearsal.app.desk.clerk.do(lambda _, binder: binder.history("lantern"), found.append, found.append)
    rehearsal.settle()
    return found[0]


def kept(rehearsal):
    latest = {taught.key: taught.value for taught in history(rehearsal)}
    return {key: value for key, value in latest.items() if value is not None}


def here(rehearsal):
    return rehearsal.screen.lesson.pad.component.id


def says(rehearsal, words):
    return any(words in said for said in rehearsal.words())


def ticks(rehearsal):
    """The ticks on the tile that tells how much was told."""
    return [p for p in walk(rehearsal.taps()["census"]) if isinstance(p, Icon) and p.text == ICONS["check"]]


def test_only_what_was_told_whole_has_a_tick(lesson):
    assert ticks(lesson) == []
    lesson.tap("value.light-1")
    lesson.tap("next-tile")
    assert says(lesson, "3 of 4")
    assert ticks(lesson) == []
    lesson.tap("value.colour-warm")
    lesson.tap("next-tile")
    lesson.tap("open-moth")
    assert says(lesson, "4 of 4")
    assert len(ticks(lesson)) == 1


@pytest.mark.every_game
def test_teach_opens_a_page_that_names_the_box(rehearsal):
    for game in [game for game in games().values() if len(game.usual_box().unknown()) > MUCH]:
        rehearsal.app.home()
        rehearsal.settle()
        rehearsal.screen.untold = game
        rehearsal.app.refresh()
        rehearsal.tap("teach")
        rehearsal.settle_beside()
        assert says(rehearsal, game.box.called)
        assert here(rehearsal) in {component for component, _ in game.usual_box().unknown()}


def test_the_first_untold_tile_is_shown_and_the_next_comes_by_itself(lesson):
    assert here(lesson) == "moth"
    assert "next-tile" not in lesson.taps()
    assert says(lesson, "Still to tell: how bright")
    lesson.tap("value.light-1")
    lesson.tap("next-tile")
    assert kept(lesson) == {"moth.light": 1}
    assert here(lesson) == "firefly"
    assert says(lesson, "3 of 4")
    lesson.tap("value.colour-warm")
    lesson.tap("next-tile")
    assert kept(lesson) == {"moth.light": 1, "firefly.colour": "warm", "firefly.effects": []}
    assert says(lesson, "Everything is known.")


def test_the_last_tile_that_was_saved_is_taken_back_with_one_tap(lesson):
    assert "undo" not in lesson.taps()
    lesson.tap("value.light-1")
    lesson.tap("next-tile")
    lesson.tap("undo")
    assert kept(lesson) == {}
    assert here(lesson) == "moth"
    lesson.tap("next-tile")  # what was told is still there, to be mended or kept
    assert kept(lesson) == {"moth.light": 1}


def test_what_was_taught_before_is_mended_and_that_is_taken_back_too(lesson):
    lesson.tap("value.light-1")
    lesson.tap("next-tile")
    lesson.tap("pick")
    lesson.tap("open-moth")
    lesson.tap("value.light-3")
    lesson.tap("next-tile")
    assert kept(lesson) == {"moth.light": 3}
    lesson.tap("undo")
    assert kept(lesson) == {"moth.light": 1}


def test_going_away_keeps_what_was_begun(lesson):
    lesson.tap("pick")
    lesson.tap("open-firefly")
    lesson.tap("value.colour-cold")
    lesson.tap("back")
    assert lesson.screen.lesson is None
    lesson.app.home("binder")
    lesson.settle()
    lesson.tap("teach-box")
    assert here(lesson) == "firefly"
    assert lesson.screen.lesson.pad.entered["colour"] == "cold"
    assert kept(lesson) == {}


def test_a_page_nobody_touched_is_not_begun(lesson):
    lesson.tap("pick")
    lesson.tap("open-firefly")
    lesson.tap("add-value.effects")
    lesson.tap("add-not")
    assert lesson.screen.lesson.unfinished.begun.get("lantern", {}) == {}


PROGRAM = """
import os, sys
from pathlib import Path
os.environ.update(SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy", LP_NUM_THREADS="0")
from companion.ui.start import prepare
prepare(Path(sys.argv[1]) / "kivy", samples=0)
from companion.core.game import games
from companion.games.lantern import GAME
from workshop.screens.rehearsal import Rehearsal
games().clear()
games()["lantern"] = GAME
(Path(sys.argv[1]) / "own").mkdir()
rehearsal = Rehearsal(Path(sys.argv[1]) / "own")
for name in ("binder", "teach-box", "value.light-1", "next-tile", "add-value.effects", "add-value.effects-glow",
             "value.effects-0.oil-2"):
    rehearsal.tap(name)
print("told", flush=True)
sys.stdin.read()
"""


def test_a_power_cut_in_the_middle_of_a_form_takes_nothing_away(rehearsal, tmp_path):
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        while (line := child.stdout.readline()) and line != "told\n":
            pass
        child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    rehearsal.fresh(tmp_path / "own")
    begin(rehearsal)
    assert kept(rehearsal) == {"moth.light": 1}
    assert here(rehearsal) == "firefly"
    assert rehearsal.screen.lesson.pad.entered == {"effects": [{"does": "glow", "oil": 2}]}


@pytest.mark.parametrize(
    "damaged", [b"", b"{", b'{"begun": {"lantern": {"no-such-tile": {"light": 99}}}}', b"[]"]
)
def test_a_damaged_file_of_what_was_begun_is_no_obstacle(rehearsal, damaged):
    (rehearsal.app.folder / "teaching.json").write_bytes(damaged)
    assert here(begin(rehearsal)) == "moth"


def test_what_was_begun_and_fits_no_more_is_asked_again(rehearsal):
    begun = {"begun": {"lantern": {"moth": {"light": 99, "gone": 1}}}}
    (rehearsal.app.folder / "teaching.json").write_text(json.dumps(begun))
    begin(rehearsal)
    assert here(rehearsal) == "moth"
    assert "next-tile" not in rehearsal.taps()


def test_two_people_teach_by_turns_and_each_fact_knows_who_said_it(rehearsal):
    rehearsal.change(people=(Person("Ania", 0), Person("Bartek", 1)))
    begin(rehearsal)
    rehearsal.tap("who")
    rehearsal.tap("teacher-Ania")
    rehearsal.tap("value.light-1")
    rehearsal.tap("next-tile")
    rehearsal.tap("who")
    rehearsal.tap("teacher-Bartek")
    rehearsal.tap("teacher-Ania")  # back with one tap
    rehearsal.tap("teacher-Bartek")
    rehearsal.tap("value.colour-warm")
    rehearsal.tap("next-tile")
    said = {taught.key: taught.by for taught in history(rehearsal)}
    assert said == {"moth.light": "Ania", "firefly.colour": "Bartek", "firefly.effects": "Bartek"}
    rehearsal.app.home("binder")
    rehearsal.settle()
    rehearsal.screen.teach("moth")
    rehearsal.settle()
    assert rehearsal.screen.lesson.teacher == "Bartek"


def test_somebody_new_types_a_name(lesson):
    lesson.tap("who")
    lesson.tap("teacher-other")
    for key in ("key-o", "key-l", "key-a", "key-done"):
        lesson.tap(key)
    assert lesson.screen.lesson.teacher == "Ola"


class Camera:
    """What the posed camera sees, one glance after another."""

    def __init__(self, rehearsal):
        self.rehearsal, self.at = rehearsal, 0.0
        rehearsal.camera_feed.watch("virtual:good-lamp:1")
        self.picture = np.full((200, 300, 3), 90, np.uint8)

    def shows(self, *components):
        self.at += 0.2
        corners = ((100.0, 80.0), (120.0, 80.0), (120.0, 100.0), (100.0, 100.0))
        seen = tuple(Sighting(c, corners, "test", 1.0, 2.0) for c in components)
        self.rehearsal.camera_feed.look = Glance(Frame(self.picture, self.at), seen)
        self.rehearsal.settle()


@pytest.fixture
def labelled(monkeypatch, rehearsal):
    """Lantern with labels, of which the hidden game has none: each says what it is of."""
    monkeypatch.setattr("companion.ui.screens.binder.screen.BinderScreen.component_of", lambda _, text: text)
    begin(rehearsal)
    return rehearsal, Camera(rehearsal)


def test_a_tile_shown_to_the_camera_opens_its_page_and_saves_what_was_finished(labelled):
    rehearsal, camera = labelled
    camera.shows("moth")
    camera.shows("moth", "firefly")
    assert here(rehearsal) == "firefly"
    camera.shows("firefly")
    rehearsal.tap("value.colour-cold")
    camera.at += 5.0
    camera.shows("moth", "candle")  # of the candle everything is printed
    assert here(rehearsal) == "moth"
    assert kept(rehearsal) == {"firefly.colour": "cold", "firefly.effects": []}


def test_a_label_says_of_which_component_of_this_game_it_is(rehearsal):
    rehearsal.tap("binder")
    label = next(iter(reading.book(games()["race"]).texts.values()))
    assert rehearsal.screen.component_of(label) in games()["race"].usual_box()
    assert rehearsal.screen.component_of("https://example.org") is None
    rehearsal.screen.game = LANTERN
    assert rehearsal.screen.component_of(label) is None


def test_a_tile_that_stays_in_sight_is_not_opened_again(labelled):
    rehearsal, camera = labelled
    camera.shows("firefly")
    rehearsal.screen.lesson.open("moth")
    camera.shows("firefly")
    assert here(rehearsal) == "moth"
    camera.at += 5.0
    camera.shows("firefly")
    assert here(rehearsal) == "firefly"


def test_a_photo_is_kept_beside_what_was_told_and_nowhere_else(labelled, stick):
    rehearsal, camera = labelled
    camera.picture[80:100, 100:120] = 255
    camera.shows("moth")
    rehearsal.tap("photo")
    rehearsal.settle_beside()
    file = rehearsal.app.folder / "photos" / "lantern" / "moth.jpg"
    assert file.stat().st_mode & 0o777 == 0o600
    high, wide = cv2.imread(str(file)).shape[:2]
    assert (high, wide) == (121, 121)  # round its label
    rehearsal.tap("photo")
    assert any(isinstance(part, PictureView) and part.height > 200 for part in walk(rehearsal.app.stage))
    rehearsal.tap("photo-away")
    rehearsal.settle_beside()
    assert not file.exists()


def test_without_a_camera_there_is_no_button_for_a_photo(lesson):
    assert "photo" not in lesson.taps()


@pytest.mark.parametrize(("language", "text"), [("en", 100), ("pl", 150)])
def test_every_page_can_be_read_and_touched(labelled, tmp_path, language, text):
    rehearsal, camera = labelled
    rehearsal.change(language=language, text_size=text, people=(Person("Ania", 0), Person("Bartek", 1)))
    camera.shows("firefly")

    def look(name):
        rehearsal.settle_beside()
        rehearsal.app.dismiss()
        rehearsal.shoot(tmp_path / "screen.png")
        assert problems(rehearsal.app, tmp_path / "screen.png") == [], name

    for taps in (
        ("who",),
        ("teacher-Ania", "who", "teacher-Bartek", "photo"),
        ("photo",),
        ("back", "add-value.effects"),
        ("add-value.effects-dazzle", "value.colour-warm"),
        ("census",),
        ("back", "pick"),
    ):
        for name in taps:
            rehearsal.tap(name)
            rehearsal.settle_beside()
        look(taps)
