"""Users' files: read with a size limit and without blocking, written completely and never through a link."""

from __future__ import annotations

import errno
import io
import os
import socket
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from threading import get_native_id

import pytest

from companion.core import files
from companion.errors import BAD_INPUT, DataTrouble
from companion.texts import LANGUAGES, render


def refused(trouble: pytest.ExceptionInfo[DataTrouble]) -> str:
    """The slug; in every language there are words for it, and the exit code is the one for bad input."""
    assert trouble.value.exit_code == BAD_INPUT
    assert trouble.value.text.key not in [render(trouble.value.text, language) for language in LANGUAGES]
    return trouble.value.text.key


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert files.read(tmp_path / "file", most=5) == b"12345"
    with pytest.raises(DataTrouble) as trouble:
        files.read(tmp_path / "file", most=4)
    assert refused(trouble) == "file.too-large"


@pytest.mark.parametrize("endless", ["/dev/zero", "/dev/urandom", "/dev/null", "/dev/full"])
def test_a_device_is_no_file(endless: str) -> None:
    with pytest.raises(DataTrouble) as trouble:
        files.read(Path(endless))
    assert refused(trouble) == "file.no-file"


def test_nobody_waits_for_a_pipe_or_a_socket(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "socket"))
        for name in ("pipe", "socket"):
            with pytest.raises(DataTrouble) as trouble:
                files.read(tmp_path / name)
            assert refused(trouble) == "file.no-file"


def test_a_folder_and_nothing_at_all(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        files.read(tmp_path)
    with pytest.raises(FileNotFoundError):
        files.read(tmp_path / "gone")


def test_a_stream_without_end_is_left_when_it_is_too_much() -> None:
    class Endless(io.RawIOBase):
        def readinto(self, into: object) -> int:
            return len(memoryview(into))  # type: ignore[arg-type]

        def readable(self) -> bool:
            return True

    with pytest.raises(DataTrouble) as trouble:
        files.read_stream(io.BufferedReader(Endless()), "-")
    assert refused(trouble) == "file.too-large"


def test_links_are_read_only_where_they_may_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"secret")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert files.read(tmp_path / "link") == b"secret"
    with pytest.raises(DataTrouble) as trouble:
        files.read(tmp_path / "link", links=False)
    assert refused(trouble) == "file.link"


def test_a_new_file_is_nobody_elses_business_and_leaves_no_litter(tmp_path: Path) -> None:
    files.write(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert mode(tmp_path / "file") == 0o600
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_a_link_is_replaced_and_what_it_led_to_is_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"old")
    (tmp_path / "file").symlink_to(tmp_path / "victim")
    files.write(tmp_path / "file", b"new")
    assert (tmp_path / "victim").read_bytes() == b"old"
    assert not (tmp_path / "file").is_symlink()


@pytest.mark.parametrize("there", ["link", "link to nowhere", "file", "folder"])
def test_nothing_written_beside_goes_through_what_lies_there(tmp_path: Path, there: str) -> None:
    victim, beside = tmp_path / "victim", tmp_path / f".companion-{get_native_id()}.part"
    if there == "link":
        victim.write_bytes(b"old")
    if there == "folder":
        (beside / "deeper").mkdir(parents=True)
    elif there == "file":
        beside.write_bytes(b"left by a power cut, and longer than the new one")
    else:
        beside.symlink_to(victim)
    files.write(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert (victim.read_bytes() if victim.exists() else None) == (b"old" if there == "link" else None)
    assert not os.path.lexists(beside)


def test_nothing_is_created_in_the_place_of_anything(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        files.create(tmp_path / "link")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_disk_that_fails_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    (tmp_path / "file").write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, fails, fail)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        files.write(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_what_people_ask_for_goes_through_their_own_links_and_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    files.put(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert ((tmp_path / "real").read_bytes(), mode(tmp_path / "real")) == (b"new", 0o640)
    files.put(Path("/dev/null"), b"new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_pipe_nobody_reads_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=os.strerror(errno.ENXIO)):
        files.put(tmp_path / "pipe", b"new")


def test_folders_we_make_are_ours_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    files.make_folder(tmp_path / "a" / "b")
    assert [mode(tmp_path / place) for place in ("a", "a/b", ".")] == [0o700, 0o700, 0o755]


def test_only_the_rights_of_others_are_taken(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for before, after in ((0o644, 0o600), (0o666, 0o600), (0o444, 0o444), (0o600, 0o600)):
        (tmp_path / "file").chmod(before)
        files.keep_private(tmp_path / "file")
        assert mode(tmp_path / "file") == after
    files.keep_private(tmp_path / "gone")


def test_what_a_person_sends_on_through_a_pipe_goes_there() -> None:
    """`--out /dev/stdout | ...`: the link leads to something that has no name."""
    out, into = os.pipe()
    with os.fdopen(out, "rb") as heard:
        files.put(Path(f"/dev/fd/{into}"), b"ours")
        os.close(into)
        assert heard.read() == b"ours"


def test_what_a_person_asked_for_never_replaces_a_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with closing(sqlite3.connect(journal)) as db:
        db.execute("CREATE TABLE play (id)")
    before = journal.read_bytes()
    with pytest.raises(PermissionError):
        files.put(journal, b"a sheet of labels")
    assert journal.read_bytes() == before


def test_a_stick_somebody_else_mounted_knows_no_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    sheet = tmp_path / "labels.pdf"
    sheet.write_bytes(b"old")
    monkeypatch.setattr(os, "chmod", refuse)
    files.put(sheet, b"new")
    assert sheet.read_bytes() == b"new"
