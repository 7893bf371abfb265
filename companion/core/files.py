"""Files: what people hand us is read with a limit, and what we write is there whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from threading import get_native_id
from typing import BinaryIO

from companion.core.words import Text, plain, say
from companion.errors import DataTrouble, Trouble

MOST = 10_000_000
"""Bytes of the largest file we take from people: a hundred times what any of ours has."""
PRIVATE = 0o600
"""The rights of what is nobody else's business: names, plays, settings."""
SQLITE = b"SQLite format 3\0"
"""How every journal begins."""
COMPLAINTS = {
    errno.EACCES: "file.denied",
    errno.EPERM: "file.not-permitted",
    errno.ENOENT: "file.not-there",
    errno.ENOTDIR: "file.not-a-folder",
    errno.EISDIR: "file.a-folder",
    errno.EEXIST: "file.exists",
    errno.ENAMETOOLONG: "file.long-name",
    errno.ELOOP: "file.round-links",
    errno.ENOSPC: "file.no-space",
    errno.EDQUOT: "file.no-space",
    errno.EMFILE: "file.too-many-open",
    errno.ENFILE: "file.too-many-open",
    errno.EROFS: "file.read-only",
    errno.EIO: "file.failed",
    errno.ENXIO: "file.no-device",
    errno.ENODEV: "file.no-device",
    errno.ECONNREFUSED: "file.refused",
    errno.ECONNRESET: "file.cut-off",
    errno.ETIMEDOUT: "file.timed-out",
    errno.EHOSTUNREACH: "file.no-way",
    errno.ENETUNREACH: "file.no-way",
}
"""What the system's codes mean, for the end of a sentence of ours."""


def why(error: Exception) -> Text:
    """What is wrong with a file, in the reader's language; what we have no words for is told as the system tells it."""
    if isinstance(error, Trouble):
        return error.text
    if not isinstance(error, OSError):
        return plain(str(error)[:200])
    slug = COMPLAINTS.get(error.errno or 0)
    return say(slug) if slug else plain(error.strerror or str(error))


def in_words(complaint: str) -> Text:
    """The same of what only the system's own words are left of."""
    slug = next((slug for code, slug in COMPLAINTS.items() if os.strerror(code) == complaint), None)
    return say(slug) if slug else plain(complaint)


def read(path: Path, most: int = MOST, *, links: bool = True) -> bytes:
    """Everything in a file somebody named; raises `DataTrouble` if it is none or too large, else `OSError`."""
    with open_file(path, links=links) as file:
        return read_stream(file, str(path), most)


def open_file(path: Path, *, links: bool = True) -> BinaryIO:
    """A file somebody named, for reading; raises `DataTrouble` if it is none, else `OSError`.

    Without `links` a link is refused: on a stick it leads to files the stick's owner could not read.
    """
    # Not blocking: a pipe nobody writes into would keep us waiting for ever.
    careful = os.O_NONBLOCK | (0 if links else os.O_NOFOLLOW)
    try:
        file = open(path, "rb", opener=lambda name, how: os.open(name, how | careful))  # noqa: SIM115
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        file.close()
        raise DataTrouble(say("file.no-file", file=str(path)))
    except OSError as e:
        if e.errno == errno.ELOOP and not links:
            raise DataTrouble(say("file.link", file=str(path))) from e
        if e.errno == errno.ENXIO:  # a socket
            raise DataTrouble(say("file.no-file", file=str(path))) from e
        raise


def read_stream(stream: BinaryIO, name: str, most: int = MOST) -> bytes:
    """Everything that comes out of a stream; raises `DataTrouble` if that is too much."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise too_large(name, most)
    return data


def too_large(name: str, most: int = MOST) -> DataTrouble:
    """What to tell of a file with more bytes than we take."""
    return DataTrouble(say("file.too-large", file=name, most=str(most // 1_000_000)))


def is_there(path: Path) -> bool:
    """Whether anything has this name, also what may not be looked at and a link to nowhere: reading tells why not."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def create(path: Path, mode: int = PRIVATE) -> BinaryIO:
    """A new file to write into; raises `FileExistsError` if anything has its name, be it a link to nowhere."""
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return open(os.open(path, how, mode), "wb")


def write(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Put a whole file in this place, in one move; it is on the disk when this returns.

    Whatever has this name is replaced, a link included: nothing is ever written through one. Nothing is left behind.
    """
    fresh = unfinished(path.parent)
    try:
        with create(fresh, mode) as file:
            file.write(data)
            sync(file)
        os.replace(fresh, path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def put(path: Path, data: bytes) -> None:
    """Write what a person asked for to where they asked for it: links of their own are followed, a file that is
    there keeps its rights and stays as it is if it is read-only or a journal, into a device or a pipe it is simply
    written."""
    real = Path(os.path.realpath(path))
    try:
        mode = path.stat().st_mode  # not of `real`: where /dev/stdout leads to, a pipe has no name
    except FileNotFoundError:
        write(real, data, 0o666)
        return
    if not stat.S_ISREG(mode):
        _pour(path, data)
        return
    if not os.access(real, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(real))
    if _is_a_journal(real):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(real))
    write(real, data, 0o600)
    with suppress(OSError):  # a stick that somebody else mounted knows no rights
        os.chmod(real, stat.S_IMODE(mode))


def _is_a_journal(path: Path) -> bool:
    """Whether answers may be in it: a slip of the hand after `--out` must not cost them."""
    with open_file(path) as file:
        return file.read(len(SQLITE)) == SQLITE


def _pour(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe nobody reads is refused
    os.set_blocking(descriptor, True)
    with open(descriptor, "wb") as file:
        file.write(data)


def set_aside(path: Path) -> Path:
    """Give what is there another name beside it, so that something new can take its place; nothing is overwritten."""
    aside = damaged_name(path)
    os.rename(path, aside)
    return aside


def damaged_name(path: Path) -> Path:
    """The next free name beside a file for what is damaged of it."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")):
        number += 1
    return aside


def unfinished(folder: Path) -> Path:
    """A name in this folder for what is not whole yet: no other thread of this machine has it, and nothing now."""
    path = folder / f".companion-{get_native_id()}.part"
    # What is there was left by a power cut, or put there for us to stumble over.
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    return path


def sync(file: BinaryIO) -> None:
    """Make what was written into this file outlast a power cut."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make new and changed names in this folder outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """The folder and those above it, so that they outlast a power cut; nobody else looks into those we make."""
    for missing in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
        sync_folder(missing.parent)


def keep_private(path: Path) -> None:
    """Take the rights of all others at this file away, if it is there and ours; one that was made read-only is left
    to those who may look at it."""
    with suppress(OSError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o200 and mode & 0o077:
            path.chmod(mode & 0o700)
