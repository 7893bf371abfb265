"""Whether fault injection notices mistakes: for every family of faults a mistake in the program, and the
fault that finds it."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core import journal, session, sqlite_errors, sqlite_file, store
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.recognition import reading
from companion.table.camera_feed import CameraFeed
from companion.table.signal_intake import SignalIntake
from devices import gestures, pins
from devices.speech import Speech
from tests.whole.mutations import put_in
from vision.camera_health import Live
from workshop.fault_injection import all_faults, environment, kills, services, updates, versions
from workshop.fault_injection.child_processes import ForkServer
from workshop.fault_injection.faults import inject

Patch = pytest.MonkeyPatch
MISTAKES: dict[str, Callable[[Patch], None]] = {}
FAULTS = {fault.name: fault for fault in all_faults.FAULTS}


def noticed_by(*names: str) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    def keep(mistake: Callable[[Patch], None]) -> Callable[[Patch], None]:
        MISTAKES.update(dict.fromkeys(names, mistake))
        return mistake

    return keep


@noticed_by("power-cut")
def writes_in_pieces(patch: Patch) -> None:
    put_in(patch, Store, "writing", 'with transaction(db, "BEGIN IMMEDIATE", self._commit):', "if True:")


@noticed_by("disk-full")
def shows_before_it_is_written(patch: Patch) -> None:
    ours = "self.session, (self._known, self._kept, self._synced) = before, heard"
    put_in(patch, Play, "_keep", ours, "pass")
    put_in(
        patch, Play, "_write", "self._journal.append(", "self.session = session\n    self._journal.append("
    )


@noticed_by("disk-failing")
def passes_over_what_cannot_be_written(patch: Patch) -> None:
    passing = "with suppress(StorageTrouble), self._journal.together():"
    put_in(patch, Play, "_keep", "with self._journal.together():", passing)


@noticed_by("disk-read-only")
def reads_nothing_where_it_cannot_write(patch: Patch) -> None:
    put_in(
        patch, store, "open_to_read", "_open_where_nothing_can_be_written(path, shown)", "_in_memory(None)"
    )


@noticed_by("disk-slow")
def takes_back_as_often_as_somebody_taps(patch: Patch) -> None:
    put_in(patch, SignalIntake, "_is_late", "return not seen.is_whole(now)", "return False")


@noticed_by("damaged")
def believes_every_byte(patch: Patch) -> None:
    put_in(patch, journal, "_good_rows", " or found != _link(link, row)", "")


@noticed_by("journal-moved")
def writes_into_a_file_without_a_name(patch: Patch) -> None:
    put_in(patch, Store, "_ready", "if _identity(self.path) != self._file:", "if False:")


@noticed_by("journal-locked")
def says_something_else(patch: Patch) -> None:
    patch.setitem(sqlite_errors.COMPLAINTS, sqlite3.SQLITE_BUSY, "storage.full")


@noticed_by("journal-log-gone")
def trusts_the_log(patch: Patch) -> None:
    put_in(patch, Store, "writing", "self._rescue()", "pass")


@noticed_by("clock")
def lets_people_think_for_a_year(patch: Patch) -> None:
    patch.setattr(session, "LONGEST_THOUGHT", float("inf"))


@noticed_by("speaker")
def lets_everybody_talk(patch: Patch) -> None:
    patch.setattr(environment, "QUIET", 0.5)
    put_in(patch, Speech, "hush", "talking.kill()", "pass")


@noticed_by("same-play")
def writes_over_others(patch: Patch) -> None:
    put_in(patch, Journal, "append", "if seq != entries:", "if False:")


@noticed_by("other-play")
def gives_every_play_the_same_number(patch: Patch) -> None:
    put_in(patch, Journal, "create", "(last or 0) + 1", "1")


@noticed_by("camera-frozen")
def takes_what_lies_there_for_shown(patch: Patch) -> None:
    put_in(patch, reading, "camera_news", "[LiesInSight(lying)]", "[Gesture((lying,))]")


@noticed_by("camera-vanishes", "camera-silent")
def keeps_quiet_about_the_camera(patch: Patch) -> None:
    put_in(patch, CameraFeed, "trouble", "if vitals.camera.ok and not vitals.disturbed:", "if True:")


@noticed_by("camera-floods")
def gives_the_same_picture_again(patch: Patch) -> None:
    put_in(patch, Live, "read", "frame, self._newest = self._newest, None", "frame = self._newest")


@noticed_by("pins-chatter")
def believes_every_flip(patch: Patch) -> None:
    patch.setattr(gestures, "STABLE", 0.0)


@noticed_by("pins-stuck")
def believes_a_finger_never_tires(patch: Patch) -> None:
    patch.setattr(gestures, "STUCK", 1e9)


@noticed_by("pins-unplugged")
def never_tries_again(patch: Patch) -> None:
    patch.setattr(pins, "AGAIN", 1e9)


@noticed_by("earlier-schema")
def adds_up_otherwise(patch: Patch) -> None:
    patch.setattr(journal, "checksum", lambda *values: store.checksum(*values, 2))


@noticed_by("newer-file")
def opens_what_it_does_not_know(patch: Patch) -> None:
    put_in(patch, sqlite_file, "_trusted", "if version > VERSION:", "if False:")


@noticed_by("update")
def refuses_plays_of_another_version(patch: Patch) -> None:
    put_in(
        patch,
        versions,
        "_another_number",
        "games()[id], boxes()[id] = changed, changed.box",
        "games().pop(id), boxes().pop(id)",
    )


def other_updater(patch: Patch, right: str, wrong: str) -> None:
    """The updater with a mistake in it."""
    said = updates.UPDATER.read_text()
    assert right in said
    folder = Path(tempfile.mkdtemp(dir=FOLDER[0]))
    (folder / "companion_update.py").write_text(said.replace(right, wrong))
    patch.setattr(updates, "UPDATER", folder / "companion_update.py")


FOLDER: list[Path] = []
"""Where the test that runs may write."""


@noticed_by("update-real")
def stays_with_what_falls(patch: Patch) -> None:
    other_updater(patch, "    else:\n        go_back(before)\n", "    else:\n        finish(before)\n")


@noticed_by("update-file")
def copies_before_it_stops(patch: Patch) -> None:
    other_updater(patch, '        systemctl("stop", SERVICE)  # what is answered', "        pass  #")


@noticed_by("update-cut")
def settles_nothing(patch: Patch) -> None:
    other_updater(patch, '        go_back(good, start, marked.get("journal", True))\n', "        pass\n")


TRIES = 40


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_noticed(name: str, tmp_path: Path, monkeypatch: Patch) -> None:
    FOLDER[:] = [tmp_path]
    MISTAKES[name](monkeypatch)
    for seed in range(TRIES):
        (result,) = inject([FAULTS[name]], tmp_path, 0, seed)
        if result.wrong:
            return
    pytest.fail(f"{MISTAKES[name].__name__}: {name} did not notice")


@pytest.mark.parametrize(
    ("fault", "kind", "mistake"),
    [
        ("kill-play", "plain", "writes_with_the_next_one"),
        ("kill-service", "window", "forgets_where_it_was"),
    ],
)
def test_a_mistake_of_a_child_is_noticed(
    fault: str, kind: str, mistake: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setenv("FAULT_IN_CHILD", mistake)
    careless = ForkServer("tests.whole.faulty_child", kind)
    try:
        for module in (kills, services):
            monkeypatch.setattr(module, "fork_server", lambda kind: careless)
        for seed in range(TRIES):
            (result,) = inject([FAULTS[fault]], tmp_path, 0, seed)
            if result.wrong:
                assert "Traceback" not in result.wrong[0]
                return
    finally:
        careless.close()
    pytest.fail(f"{mistake}: {fault} did not notice")
