"""When the system runs out of a resource, people are told which one."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion import cli
from companion.core import sqlite_errors
from companion.core.journal import Journal
from companion.core.store import Store
from companion.errors import STORAGE, StorageTrouble


class Disk:
    """A disk with room, but for no file more."""

    f_files, f_favail, f_bavail = 1000, 0, 1000


def refused(path: Path) -> str:
    with pytest.raises(StorageTrouble) as raised, Store(path) as store:
        Journal(store).create(b"{}", "race", "scarce", 0.0)
    return raised.value.text.key


def no_file_more(*_: object, **__: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_with_no_room_for_another_file_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_errors.os, "statvfs", lambda path: Disk)
    monkeypatch.setattr("companion.core.sqlite_file.os.open", no_file_more)
    assert refused(tmp_path / "journal.db") == "storage.no-more-files"


def test_so_is_one_on_which_sqlite_cannot_make_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite only says that it cannot open the file, as if the folder were missing."""
    monkeypatch.setattr(sqlite_errors.os, "statvfs", lambda path: Disk)
    monkeypatch.setattr(sqlite_errors.tempfile, "TemporaryFile", no_file_more)
    with pytest.raises(StorageTrouble) as raised, sqlite_errors.storage_errors(tmp_path / "journal.db"):
        sqlite3.connect(f"file:{tmp_path}/nowhere/journal.db?mode=rw", uri=True)
    assert raised.value.text.key == "storage.no-more-files"


@pytest.mark.parametrize("language", ["en", "pl"])
def test_too_few_file_descriptors_are_told_in_a_sentence(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none_left(*_: object) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), "somewhere")

    monkeypatch.setattr(cli, "_run", none_left)
    assert cli.main(["plays", "--language", language]) == STORAGE
    said = capsys.readouterr().err
    assert "ulimit -n" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("descriptors", [4, 6, 9])
def test_whatever_few_there_are_nobody_sees_a_traceback(tmp_path: Path, descriptors: int) -> None:
    program = (
        "import resource, sys; from companion import cli;"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({descriptors}, {descriptors}));"
        "sys.exit(cli.main(['plays']))"
    )
    environ = {**os.environ, "COMPANION_HOME": str(tmp_path / "home"), "LANG": "C.UTF-8"}
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    ended = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True)
    assert "Traceback" not in ended.stderr
    assert ended.returncode in (0, STORAGE)
