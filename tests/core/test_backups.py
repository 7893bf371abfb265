"""Copies of the data, and the bundle for support: either complete or not there at all."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import stat
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from threading import get_native_id
from typing import Any

import pytest

from companion.core.binder import Binder
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.repair import verify
from companion.core.store import Store
from companion.errors import DataTrouble, StorageTrouble
from companion.table import backups, settings
from companion.table.backups import Stick, back_up, files, read_file, sticks, write_file
from companion.table.diagnostics import TAIL, diagnostics
from companion.texts import LANGUAGES, render

AT = time.mktime((2027, 1, 15, 8, 30, 0, 0, 0, -1))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The data of a table where one play was begun."""
    home = tmp_path / "home"
    with Store(home / "journal.db") as store:
        Play.start(game("race"), Setup("race", ("Ania", "Bartek")), Journal(store), Binder(store), AT)
        Binder(store).teach("race", "gem-world", "cost", 5, AT)
    people = (settings.Person("Ania", 0), settings.Person("Bartek", 1))
    settings.save(home / "settings.json", settings.Settings(text_size=120, people=people))
    return home


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    stick = tmp_path / "stick"
    stick.mkdir()
    return stick


def told(trouble: pytest.ExceptionInfo[StorageTrouble]) -> str:
    """What people are told; in every language there are words for it."""
    words = [render(trouble.value.text, language) for language in LANGUAGES]
    assert trouble.value.text.key not in words
    return trouble.value.text.key


def test_a_backup_is_a_journal_one_can_go_on_with(home: Path, stick: Path) -> None:
    made = back_up(home / "journal.db", stick, AT)
    assert made == stick / "companion-backup-2027-01-15-0830"
    assert sorted(path.name for path in made.iterdir()) == ["journal.db", "settings.json"]
    assert settings.load(made / "settings.json").text_size == 120
    with Store(made / "journal.db") as store:
        (row,) = Journal(store).plays()
        assert row.title == "Ania, Bartek"
        Play.resume(row.id, Journal(store), Binder(store)).reopen(AT + 60)
        assert Binder(store).facts("race") == {"gem-world.cost": 5}


def test_a_second_backup_in_the_same_minute_does_not_touch_the_first(home: Path, stick: Path) -> None:
    first, second = back_up(home / "journal.db", stick, AT), back_up(home / "journal.db", stick, AT)
    assert first != second
    assert verify(first / "journal.db").problems == verify(second / "journal.db").problems == ()


def test_a_backup_another_program_makes_in_the_same_moment_is_beside_ours(
    home: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name was free when we looked for one."""
    other, free = back_up(home / "journal.db", stick, AT), backups._free_name
    names = iter([other])
    monkeypatch.setattr(backups, "_free_name", lambda folder, name: next(names, None) or free(folder, name))
    assert back_up(home / "journal.db", stick, AT) == stick / f"{other.name}-2"
    assert verify(other / "journal.db").plays == 1


def test_what_is_being_written_right_now_is_in_the_backup(home: Path, stick: Path) -> None:
    """The newest answers are in SQLite's side file, which copying the journal alone would leave behind."""
    with Store(home / "journal.db") as store:
        Journal(store).create(b"{}", "race", "Celina", AT)
        made = back_up(home / "journal.db", stick, AT)
    assert verify(made / "journal.db").plays == 2


def test_without_a_journal_there_is_nothing_to_copy(tmp_path: Path, stick: Path) -> None:
    with pytest.raises(StorageTrouble) as trouble:
        back_up(tmp_path / "journal.db", stick, AT)
    assert told(trouble) == "backup.no-journal"


def test_a_damaged_journal_is_not_passed_off_as_a_backup(home: Path, stick: Path) -> None:
    db = sqlite3.connect(home / "journal.db")
    db.execute("UPDATE fact SET sum = x'00'")
    db.commit()
    db.close()
    with pytest.raises(StorageTrouble) as trouble:
        back_up(home / "journal.db", stick, AT)
    assert told(trouble) == "backup.damaged"
    assert list(stick.iterdir()) == []


def _no_room(*args: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _broken(*args: Any) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.parametrize(("fails", "key"), [(_no_room, "backup.full"), (_broken, "backup.failed")])
@pytest.mark.parametrize("where", ["_sync", "sync_folder", "write"])
def test_whatever_fails_no_half_backup_is_left(
    fails: Callable[..., None], key: str, where: str, home: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, where, fails)
    with pytest.raises(StorageTrouble) as trouble:
        back_up(home / "journal.db", stick, AT)
    assert told(trouble) == key
    assert [path.name for path in stick.iterdir() if path.name.startswith(".")] == []


def flags(path: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool = False, free: int = 10**9) -> None:
    """Let a folder look like a stick in this state: root may write anywhere, so nothing else would do."""
    real = os.statvfs

    def seen(wanted: Any) -> Any:
        if Path(wanted) != path:
            return real(wanted)
        flag = os.ST_RDONLY if read_only else 0
        return os.statvfs_result((4096, 4096, free, free // 4096, free // 4096, 9, 9, 9, flag, 255))

    monkeypatch.setattr(os, "statvfs", seen)


def test_a_read_only_stick_is_refused(home: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags(stick, monkeypatch, read_only=True)
    assert sticks([stick]) == (Stick(stick, sticks([stick])[0].free, False),)
    with pytest.raises(StorageTrouble) as trouble:
        back_up(home / "journal.db", stick, AT)
    assert told(trouble) == "backup.read-only"
    assert list(stick.iterdir()) == []


def test_a_full_stick_is_refused_before_anything_is_written(
    home: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags(stick, monkeypatch, free=4096)
    with pytest.raises(StorageTrouble) as trouble:
        back_up(home / "journal.db", stick, AT)
    assert told(trouble) == "backup.full"
    assert list(stick.iterdir()) == []


def test_a_stick_that_was_pulled_out(home: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StorageTrouble) as trouble:
        back_up(home / "journal.db", stick / "gone", AT)
    assert told(trouble) == "backup.vanished"

    def pulled(journal: Path, copy: Path, go_on: object) -> None:
        for path in copy.parent.iterdir():
            path.unlink()
        copy.parent.rmdir()
        stick.rmdir()
        _broken()

    monkeypatch.setattr(backups, "_copy_journal", pulled)
    with pytest.raises(StorageTrouble) as trouble:
        back_up(home / "journal.db", stick, AT)
    assert told(trouble) == "backup.vanished"


def test_only_what_is_mounted_is_a_stick(
    stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    assert [s.name for s in sticks([stick, tmp_path / "gone", tmp_path / "file"])] == ["stick"]
    monkeypatch.setattr(backups, "PLACES", (f"{tmp_path}/*",))
    assert sticks() == ()
    monkeypatch.setattr(Path, "is_mount", lambda path: path == stick)
    assert [s.path for s in sticks()] == [stick]


def test_the_bundle_helps_and_names_nobody(home: Path, stick: Path) -> None:
    (home / "errors.log").write_text(
        "old " * 50_000 + f"File {home}/journal.db\nValueError: Ania is asked twice\n"
    )
    made = diagnostics(home, stick, AT, camera="usb:0: well")
    assert made.name == "companion-diagnostics-2027-01-15-0830.zip"
    with zipfile.ZipFile(made) as bundle:
        parts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    whole = "\n".join(parts.values())
    assert "Ania" not in whole
    assert "Bartek" not in whole
    assert str(home) not in whole
    assert set(parts) >= {"READ-ME.txt", "versions.json", "settings.json", "journal.json", "plays.json"}
    assert all(name in parts["READ-ME.txt"] for name in parts if name != "READ-ME.txt")
    assert "ValueError: <name> is asked twice" in parts["errors.txt"]
    assert len(parts["errors.txt"]) <= TAIL
    assert json.loads(parts["settings.json"])["people"] == 2
    assert json.loads(parts["settings.json"])["text_size"] == 120
    assert json.loads(parts["journal.json"]) == {"problems": [], "plays": 1, "entries": 0, "facts": 1}
    (row,) = json.loads(parts["plays.json"])
    assert (row["game"], row["seats"], row["title"]) == ("race", 2, "")
    assert json.loads(parts["versions.json"])["python"]


def test_the_bundle_is_made_even_where_everything_is_broken(tmp_path: Path, stick: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"not a journal " * 100)
    (tmp_path / "settings.json").write_bytes(b"{")
    with zipfile.ZipFile(diagnostics(tmp_path, stick, AT)) as bundle:
        assert json.loads(bundle.read("journal.json"))["problems"]
        assert json.loads(bundle.read("plays.json")) == []


def test_a_file_never_replaces_another(stick: Path) -> None:
    first, second = (write_file(stick, "facts.json", data) for data in (b"1", b"2"))
    assert (first.read_bytes(), second.read_bytes(), second.name) == (b"1", b"2", "facts-2.json")


def test_a_stick_cannot_make_us_write_anywhere_else(home: Path, stick: Path, tmp_path: Path) -> None:
    """Every name we use on the way is a link to somebody's file: it stays as it was."""
    foreign, folder = tmp_path / "foreign", tmp_path / "foreign-folder"
    foreign.write_bytes(b"foreign")
    folder.mkdir()
    name = "companion-backup-2027-01-15-0830"
    for link in ("facts.json", ".facts.json.part", f".companion-{get_native_id()}.part"):
        (stick / link).symlink_to(foreign)
    for link in (name, f".{name}.part"):
        (stick / link).symlink_to(folder)
    assert write_file(stick, "facts.json", b"ours").name == "facts-2.json"
    assert back_up(home / "journal.db", stick, AT).name == f"{name}-2"
    assert (foreign.read_bytes(), list(folder.iterdir())) == (b"foreign", [])


def test_a_failed_backup_takes_nothing_away_that_was_on_the_stick(home: Path, stick: Path) -> None:
    mine = stick / ".companion-backup-2027-01-15-0830.part"
    mine.mkdir()
    (mine / "holiday.jpg").write_bytes(b"foreign")
    back_up(home / "journal.db", stick, AT)
    assert (mine / "holiday.jpg").read_bytes() == b"foreign"


def test_a_backup_is_nobody_elses_to_read(home: Path, stick: Path) -> None:
    made = back_up(home / "journal.db", stick, AT)
    rights = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (made, *made.iterdir())}
    assert rights == {made.name: 0o700, "journal.db": 0o600, "settings.json": 0o600}


def test_links_on_a_stick_are_neither_found_nor_read(stick: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"{}")
    (stick / "facts-1.json").write_bytes(b"{}")
    (stick / "facts-2.json").symlink_to(tmp_path / "secret")
    assert files([stick], "facts-*.json") == (stick / "facts-1.json",)
    with pytest.raises(DataTrouble) as trouble:
        read_file(stick / "facts-2.json", 100)
    assert trouble.value.text.key == "file.link"
    os.mkfifo(stick / "facts-3.json")
    assert files([stick], "facts-*.json") == (stick / "facts-1.json",)
    with pytest.raises(DataTrouble):
        read_file(stick / "facts-3.json", 100)
