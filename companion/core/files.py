"""Files: input is read with a size limit, output is written completely or not at all."""

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
"""Size limit in bytes for files from people: a hundred times our largest."""
PRIVATE = 0o600
"""File mode for private data: names, plays, settings."""
SQLITE = b"SQLite format 3\0"
"""The first bytes of every journal."""
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
"""The system's error codes in words, for the end of a sentence."""


def why(error: Exception) -> Text:
    """What is wrong with a file, in the reader's language; errors without a translation use the system's words."""
    if isinstance(error, Trouble):
        return error.text
    if not isinstance(error, OSError):
        return plain(str(error)[:200])
    slug = COMPLAINTS.get(error.errno or 0)
    return say(slug) if slug else plain(error.strerror or str(error))


def in_words(complaint: str) -> Text:
    """The same for an error of which only the system's message is left."""
    slug = next((slug for code, slug in COMPLAINTS.items() if os.strerror(code) == complaint), None)
    return say(slug) if slug else plain(complaint)


def read(path: Path, most: int = MOST, *, links: bool = True) -> bytes:
    """The content of a file somebody named; raises `DataTrouble` if it is not a regular file or too large,
    else `OSError`."""
    with open_file(path, links=links) as file:
        return read_stream(file, str(path), most)


def open_file(path: Path, *, links: bool = True) -> BinaryIO:
    """Open a file somebody named for reading; raises `DataTrouble` if it is not a regular file, else
    `OSError`.

    Without `links`, symbolic links are refused: a link on a USB stick could lead to files its owner may not
    read.
    """
    # Non-blocking: opening a pipe without a writer would wait for ever.
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
    """Everything in a stream; raises `DataTrouble` if it is more than `most` bytes."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise too_large(name, most)
    return data


def too_large(name: str, most: int = MOST) -> DataTrouble:
    """The error for a file above the size limit."""
    return DataTrouble(say("file.too-large", file=name, most=str(most // 1_000_000)))


def is_there(path: Path) -> bool:
    """Whether anything has this name, even if unreadable or a broken link: reading it then says what is wrong."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def create(path: Path, mode: int = PRIVATE) -> BinaryIO:
    """A new file for writing; raises `FileExistsError` if anything has its name, even a broken link."""
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return open(os.open(path, how, mode), "wb")


def write(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Write a file atomically; it is on disk when this returns.

    Replaces anything with this name; a link is replaced, never followed. No temporary file is left behind.
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
    """Write where a person asked: follows their links, keeps the mode of an existing file, refuses to
    overwrite a read-only file or a journal, and writes directly into a device or a pipe."""
    real = Path(os.path.realpath(path))
    try:
        mode = path.stat().st_mode  # not of `real`: /dev/stdout may lead to a pipe, which has no name
    except FileNotFoundError:
        write(real, data, 0o666)
        return
    if not stat.S_ISREG(mode):
        _write_to_device(path, data)
        return
    if not os.access(real, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(real))
    if _is_a_journal(real):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(real))
    write(real, data, 0o600)
    with suppress(OSError):  # a stick mounted by another user may not support modes
        os.chmod(real, stat.S_IMODE(mode))


def _is_a_journal(path: Path) -> bool:
    """Whether it is a SQLite file, which may hold answers: a typo after `--out` must not destroy them."""
    with open_file(path) as file:
        return file.read(len(SQLITE)) == SQLITE


def _write_to_device(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe nobody reads is refused
    os.set_blocking(descriptor, True)
    with open(descriptor, "wb") as file:
        file.write(data)


def set_aside(path: Path) -> Path:
    """Rename a file to a free name beside it, so that a new one can take its place; nothing is overwritten."""
    aside = damaged_name(path)
    os.rename(path, aside)
    return aside


def damaged_name(path: Path) -> Path:
    """The next free name beside a file for its damaged version."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")):
        number += 1
    return aside


def unfinished(folder: Path) -> Path:
    """A name in this folder for a temporary file: unique per thread on this machine, and free now."""
    path = folder / f".companion-{get_native_id()}.part"
    # Anything with this name was left by a power cut, or put there to trip us.
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    return path


def sync(file: BinaryIO) -> None:
    """Make what was written to this file survive a power cut."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make new and changed names in this folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Create the folder and its parents so that they survive a power cut; new ones are private."""
    for missing in reversed([f for f in (folder, *folder.parents) if not f.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
        sync_folder(missing.parent)


def keep_private(path: Path) -> None:
    """Remove everybody else's rights to this file, if it exists and is ours; a read-only file keeps its rights."""
    with suppress(OSError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o200 and mode & 0o077:
            path.chmod(mode & 0o700)
