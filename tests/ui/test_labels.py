"""Printing labels from the screen."""

import threading
from pathlib import Path

import pytest

from companion.core.progress import step
from companion.recognition.label_sheets import Written
from companion.table.backups import Stick
from companion.ui.toolkit.geometry import visible


@pytest.fixture
def labels(rehearsal):
    rehearsal.tap("labels")
    finish(rehearsal)
    return rehearsal


def finish(rehearsal):
    rehearsal.app.thread_pool.settle()
    rehearsal.settle()


def test_a_pdf_is_made_and_its_place_told(labels):
    labels.tap("size-15")
    labels.tap("make")
    finish(labels)
    written = labels.app.screen.written
    file = labels.app.folder / "labels" / "race-15mm-plain.pdf"
    assert Path(written.file) == file
    assert file.read_bytes().startswith(b"%PDF-")
    assert (written.size, written.labels) == (15, 150)
    assert file.name in labels.words()
    assert any("150 labels" in words for words in labels.words())


def test_labels_have_the_names_people_told(labels, monkeypatch):
    wanted = []
    monkeypatch.setattr("companion.recognition.label_sheets.write", lambda one, go_on: wanted.append(one))
    labels.app.desk.clerk.do(
        lambda journal, binder: binder.learn("race", {"gem-world.name": "Klejnot"}, 0), lambda _: None, print
    )
    labels.tap("make")
    finish(labels)
    assert [one.facts for one in wanted] == [{"gem-world.name": "Klejnot"}]


@pytest.mark.every_game
@pytest.mark.parametrize("text", [100, 150])
def test_what_is_chosen_meanwhile_is_neither_made_nor_moved(rehearsal, text, monkeypatch):
    """The labels of the first game become ready while a finger chooses the second."""
    rehearsal.change(language="pl", text_size=text)
    rehearsal.app.go("labels")
    finish(rehearsal)
    may_write, wanted = threading.Event(), []

    def write(one, go_on):
        may_write.wait()
        wanted.append(one)
        return Written(one.game, 1, one.size, 1, one.out)

    monkeypatch.setattr("companion.recognition.label_sheets.write", write)
    rehearsal.tap("make")
    rehearsal.tap("game-eclipse")
    places = {name: visible(tap) for name, tap in rehearsal.taps().items()}
    may_write.set()
    finish(rehearsal)
    assert [(one.game, Path(one.out).name) for one in wanted] == [("beyond", "beyond-18mm-plain.pdf")]
    assert {name: visible(tap) for name, tap in rehearsal.taps().items()} == places
    assert "make" in places, "nothing was made of what is chosen now"


def test_making_labels_shows_how_far_it_is_and_can_be_stopped(labels, monkeypatch):
    reached, may_go_on = threading.Event(), threading.Event()

    def write(one, go_on):
        step(go_on, 3, 7)
        reached.set()
        may_go_on.wait()
        step(go_on, 4, 7)
        raise AssertionError("it was stopped")

    monkeypatch.setattr("companion.recognition.label_sheets.write", write)
    labels.tap("make")
    reached.wait()
    labels.frames(2)
    assert (labels.screen.work.done, labels.screen.work.total) == (3, 7)
    labels.tap("stop-work")
    may_go_on.set()
    finish(labels)
    assert "make" in labels.taps()
    assert labels.app.desk.say("core.stopped") in "\n".join(labels.words())


def test_a_stick_gets_a_copy(labels, tmp_path, monkeypatch):
    sticks = (Stick(tmp_path / "full", 0, False), Stick(tmp_path / "blue", 10**9, True))
    sticks[1].path.mkdir()
    monkeypatch.setattr("companion.table.backups.sticks", lambda: sticks)
    labels.tap("make")
    finish(labels)
    assert "copy-1" not in labels.taps()
    labels.tap("copy-0")
    finish(labels)
    assert (sticks[1].path / "race-18mm-plain.pdf").read_bytes().startswith(b"%PDF-")
    assert any("race-18mm-plain.pdf is on blue" in words for words in labels.words())


def test_what_does_not_fit_on_a_sticker_cannot_be_chosen(labels):
    labels.tap("sheet-L4732")
    assert labels.app.screen.size == 12
    labels.tap("size-18")
    assert labels.app.screen.size == 12
    assert any("the largest is 14.2 mm" in words for words in labels.words())


def test_a_folder_that_cannot_be_is_told(labels):
    (labels.app.folder / "labels").write_text("in the way")
    labels.tap("make")
    finish(labels)
    assert labels.app.screen.written is None
    assert any("no folder" in words or "could not be written" in words for words in labels.words())
    assert "make" in labels.taps()
