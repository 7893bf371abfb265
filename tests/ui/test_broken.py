"""A crash in one screen affects nothing else."""

import pytest

from companion.table import open_play
from companion.table.open_play import OpenPlay
from companion.ui.screens import SCREENS
from companion.ui.screens.table.menu import Menu
from companion.ui.screens.table.screen import TableScreen


@pytest.fixture
def playing(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), answers=12, seed=2)
    rehearsal.forgiving = True
    return rehearsal


def broken(*_):
    raise RuntimeError("the screen is broken")


def assert_it_says_so(rehearsal):
    assert rehearsal.app.screen.name == "broken"
    log = rehearsal.app.folder / "errors.log"
    assert "the screen is broken" in log.read_text()
    assert any(log.name in words for words in rehearsal.words())


def test_a_screen_that_cannot_be_built(playing, monkeypatch):
    before = playing.app.desk.session.state
    monkeypatch.setattr(TableScreen, "build", broken)
    playing.app.post(playing.app.refresh)
    playing.frames(2)
    assert_it_says_so(playing)
    monkeypatch.undo()
    playing.tap("resume")
    assert playing.app.screen.name == "table"
    assert playing.app.desk.session.state == before


def test_a_tap_that_breaks(playing, monkeypatch):
    monkeypatch.setattr(Menu, "_menu", broken)
    playing.app.refresh()
    playing.tap("menu")
    assert_it_says_so(playing)
    playing.tap("home")
    assert playing.app.screen.name == "home"


def test_a_deed_that_breaks_in_the_clerks_thread(playing, monkeypatch):
    monkeypatch.setattr("companion.core.play.Play.pause", broken)
    playing.app.desk.pause()
    playing.settle()
    assert_it_says_so(playing)


def test_a_screen_that_cannot_be_shown_from_home(rehearsal, monkeypatch):
    rehearsal.forgiving = True
    monkeypatch.setattr(SCREENS["settings"], "build", broken)
    rehearsal.tap("settings")
    assert_it_says_so(rehearsal)
    assert "resume" not in rehearsal.taps()
    rehearsal.tap("home")
    assert rehearsal.app.screen.name == "home"


def test_a_full_disk_does_not_keep_anybody_from_going_on(playing, monkeypatch):
    monkeypatch.setattr(TableScreen, "build", broken)
    playing.app.folder = playing.app.folder / "no such folder"  # nothing can be written there
    playing.app.post(playing.app.refresh)
    playing.frames(2)
    assert playing.app.screen.name == "broken"
    monkeypatch.undo()
    playing.tap("resume")
    assert playing.app.screen.name == "table"


def test_the_log_keeps_only_the_newest_errors(playing, monkeypatch):
    log = playing.app.folder / "errors.log"
    log.write_bytes(b"oldest\n" + b"an older error\n" * 200_000)
    for n in range(3):
        playing.app.on_crash(RuntimeError(f"error {n}"))
    kept = log.read_text()
    assert len(kept) < 1_000_000
    assert "oldest" not in kept
    assert kept.startswith("an older error\n")
    assert [f"error {n}" in kept for n in range(3)] == [True] * 3
    assert [file.name for file in playing.app.folder.glob("errors.log*")] == ["errors.log"]


def test_an_error_longer_than_the_log_does_not_make_it_longer(playing):
    playing.app.on_crash(RuntimeError("x" * 3_000_000))
    assert (playing.app.folder / "errors.log").stat().st_size <= 1_000_001


def test_a_window_that_came_back_after_a_fall_and_lives_has_survived_it(playing, monkeypatch):
    folder = playing.app.folder
    monkeypatch.setattr(open_play, "SOON", 0.0)
    playing.app.home()
    playing.app.reopen_after_crash()
    assert open_play.read(folder).again is not None
    playing.settle()
    assert playing.app.screen.name == "table"
    assert open_play.read(folder) == OpenPlay(playing.app.desk.play.id)
