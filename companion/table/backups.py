"""Backups on a USB stick. No Kivy in here."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.core.files import (
    PRIVATE,
    create,
    is_there,
    make_folder,
    open_file,
    read,
    sync,
    sync_folder,
    unfinished,
    why,
    write,
)
from companion.core.game import boxes
from companion.core.progress import GoOn, always, step
from companion.core.repair import SIDES, replace_journal, verify
from companion.core.sqlite_errors import is_damage, storage_errors
from companion.core.sqlite_file import connect, journal_file, open_to_read, real, side_file
from companion.core.words import Text, plain, say
from companion.errors import DataTrouble, StorageTrouble, Trouble
from companion.recognition import face_pictures
from companion.table import settings as settings_file
from companion.texts import shown

PLACES = ("/media/*/*", "/run/media/*/*", "/mnt/*")
"""Where the usual desktops, and people, mount sticks."""

BACKUP, JOURNAL, SETTINGS = "companion-backup-", "journal.db", "settings.json"
STAMP = "%Y-%m-%d-%H%M"

DEVICES = ("usb", "pi", "virtual", "none")
"""Kinds of cameras that are attached to this machine, or none."""
SMALLEST = 512
"""Bytes of SQLite's smallest page."""
CHUNK = 1_000_000

FULL = (errno.ENOSPC, errno.EDQUOT)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


class Stick(Struct, frozen=True):
    """A mounted drive: its path, its free bytes, and whether it is writable."""

    path: Path
    free: int
    writable: bool

    @property
    def name(self) -> str:
        """Its name; it comes from outside, so it is made safe to show."""
        return shown(self.path.name)


def sticks(roots: Iterable[Path] | None = None) -> tuple[Stick, ...]:
    """All sticks, including read-only ones, so that people can be told why those are refused."""
    if roots is None:
        roots = [p for place in PLACES for p in sorted(Path("/").glob(place[1:])) if _is_mounted(p)]
    return tuple(stick for root in roots if (stick := _stick(root)) is not None)


def _is_mounted(path: Path) -> bool:
    try:
        return path.is_mount()
    except OSError:
        return False


def _stick(path: Path) -> Stick | None:
    try:
        state = os.statvfs(path)
    except OSError:
        return None
    writable = not state.f_flag & os.ST_RDONLY and os.access(path, os.W_OK | os.X_OK)
    return Stick(path, state.f_bavail * state.f_frsize, writable) if path.is_dir() else None


# Copies

AT_ONCE = 1000
"""How many pages of the journal are copied before progress is told."""


def back_up(journal: Path, folder: Path, at: float, go_on: GoOn = always) -> Path:
    """Make a folder on the stick with a snapshot of the whole journal, the settings, and the pictures of
    components.

    It is checked before it gets its final name: a folder called a backup is complete, and nothing else is
    left behind. `go_on` is told how many pages of the journal are copied.
    """
    if not is_there(journal):
        raise StorageTrouble(say("backup.no-journal"))
    with storage_errors(journal):
        size = journal.stat().st_size
    with _told(folder):
        _need(folder, size)
        fresh = unfinished(folder)
        fresh.mkdir(mode=0o700)
        try:
            _copy_journal(journal, fresh / journal.name, go_on)
            settings = journal.with_name(SETTINGS)
            if settings.exists():
                write(fresh / settings.name, read(settings))
            face_pictures.copy(journal.parent, fresh, boxes())
            sync_folder(fresh)
            final = _named(fresh, folder, f"{BACKUP}{stamp(at)}")
            sync_folder(folder)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
    return final


def _named(fresh: Path, folder: Path, name: str) -> Path:
    """Rename a backup to this name, or the next free one: another program may have taken the name meanwhile."""
    while True:
        final = _free_name(folder, name)
        try:
            return fresh.rename(final)
        except OSError as e:
            if e.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise


def made(folders: Iterable[Path]) -> tuple[Path, ...]:
    """The backups directly in these folders, the newest first, those without a date in their name last; links
    are ignored."""
    found: list[Path] = []
    for folder in folders:
        with suppress(OSError):
            found += [
                path
                for path in folder.glob(f"{BACKUP}*")
                if not path.is_symlink() and (path / JOURNAL).is_file() and not (path / JOURNAL).is_symlink()
            ]
    return tuple(sorted(found, key=lambda path: (made_at(path), path.name), reverse=True))


def made_at(backup: Path) -> float:
    """When a backup was made, according to its name; 0 if its name does not say."""
    try:
        return time.mktime(time.strptime(backup.name.removeprefix(BACKUP)[:15], STAMP))
    except ValueError:
        return 0.0


class Restored(Struct, frozen=True):
    """A restored backup: where our old journal is kept, if there was one, and why our settings were not
    replaced, if so."""

    aside: Path | None
    settings: Text | None = None


def restore(backup: Path, journal: Path) -> Restored:
    """Replace our journal and settings by those of a backup.

    Our journal must be closed. The copy is checked before anything of ours is touched, and nothing is
    deleted. Unreadable settings are skipped: plays are worth more.
    """
    ours = real(journal)
    theirs = _settings_of(backup, settings_file.load(journal.with_name(SETTINGS)).camera)
    with storage_errors(journal):
        make_folder(journal.parent)  # not the target of a link: its disk may not be plugged in
        fresh = unfinished(journal_file(journal).parent)
        try:
            _fetch(backup / JOURNAL, fresh)
            if problems := verify(fresh, backup / JOURNAL).problems:
                raise StorageTrouble(say("backup.not-whole", why=problems[0]))
            aside = _name_aside(ours)
            kept = replace_journal(ours, fresh, aside)
        except BaseException:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise
        face_pictures.copy(backup, journal.parent, boxes())
    return Restored(aside if kept else None, _take_settings(theirs, journal.with_name(SETTINGS)))


def _fetch(backup: Path, fresh: Path) -> None:
    """Copy a journal from a stick; read errors are reported for the stick, all others for our disk."""
    with _told(backup.parent, "unread"):
        source = open_file(backup, links=False)
    with source, create(fresh) as target:
        _need(fresh.parent, os.fstat(source.fileno()).st_size)
        while True:
            with _told(backup.parent, "unread"):
                part = source.read(CHUNK)
            if not part:
                break
            target.write(part)
        sync(target)
    if fresh.stat().st_size < SMALLEST:  # SQLite would take it for a new one
        raise StorageTrouble(say("backup.not-whole", why=say("backup.empty", file=str(backup))))


def _settings_of(backup: Path, camera: str) -> bytes | Text | None:
    """The settings of a backup, or why they are unreadable; None if it has none.

    A camera that is an address or a file is replaced by ours: a stick must not make us connect to an address
    or open a file.
    """
    file = backup / SETTINGS
    try:
        data = read(file, links=False)
        if settings_file.understood(data).camera.partition(":")[0] not in DEVICES:
            data = msgspec.json.encode({**msgspec.json.decode(data), "camera": camera})
    except FileNotFoundError:
        return None
    except (OSError, DataTrouble, *settings_file.UNREADABLE) as e:
        return why(e)
    return data


def _take_settings(theirs: bytes | Text | None, ours: Path) -> Text | None:
    """Replace our settings, keeping a copy beside them; returns why not, if that fails."""
    if not isinstance(theirs, bytes):
        return theirs
    aside = _free_name(ours.parent, "settings.replaced.json")
    try:
        with suppress(FileNotFoundError):
            write(aside, read(ours))
        write(ours, theirs)
    except (OSError, DataTrouble) as e:
        return why(e)
    return None


def _name_aside(journal: Path) -> Path:
    """The next free name for a replaced journal and its side files."""
    number, aside = 1, journal.with_name("journal.replaced.db")
    while any(os.path.lexists(side_file(aside, ending)) for ending in ("", *SIDES)):
        number += 1
        aside = journal.with_name(f"journal.replaced-{number}.db")
    return aside


def _copy_journal(journal: Path, copy: Path, go_on: GoOn = always) -> None:
    create(copy).close()
    with storage_errors(journal):
        source = open_to_read(journal)
    with closing(source), closing(connect(copy, "mode=rw")) as target:
        source.backup(target, pages=AT_ONCE, progress=lambda _, left, total: step(go_on, total - left, total))
        try:
            # One file, without the side files of a journal in use.
            target.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as e:
            if not is_damage(e):  # otherwise our file is damaged, not the stick: reported below
                raise
    _sync(copy)
    problems = verify(copy, journal).problems
    if problems:
        raise StorageTrouble(say("backup.damaged", why=problems[0]))


def write_file(folder: Path, name: str, data: bytes, mode: int = PRIVATE) -> Path:
    """Write a file to a stick, completely or not at all; an older file of this name is kept."""
    with _told(folder):
        _need(folder, len(data))
        final = _free_name(folder, name)
        write(final, data, mode)
    return final


def files(folders: Iterable[Path], pattern: str) -> tuple[Path, ...]:
    """The files matching a pattern directly in these folders, the newest name first; none for a stick that is
    gone.

    Links are ignored: on a stick they can only lead outside it.
    """
    found: list[Path] = []
    for folder in folders:
        with suppress(OSError):
            there = (p for p in folder.glob(pattern) if p.is_file() and not p.is_symlink())
            found += sorted(there, reverse=True)
    return tuple(found)


def read_file(path: Path, most: int) -> bytes:
    """The content of a file on a stick."""
    with _told(path.parent, "unread"):
        return read(path, most, links=False)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _need(folder: Path, size: int) -> None:
    """Raises the error that writing this many bytes there would cause."""
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
    stick = _stick(folder)
    if stick is None or not stick.writable:
        raise PermissionError(errno.EROFS, os.strerror(errno.EROFS), str(folder))
    if stick.free < size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def _free_name(folder: Path, name: str) -> Path:
    first = Path(name)
    number, path = 1, folder / name
    while os.path.lexists(path):
        number += 1
        path = folder / f"{first.stem}-{number}{first.suffix}"
    return path


def stamp(at: float) -> str:
    """A moment as it stands in the names of files."""
    return time.strftime(STAMP, time.localtime(at))


@contextmanager
def _told(folder: Path, failed: str = "failed") -> Iterator[None]:
    """Turns errors of a stick into a sentence; `failed` is the slug for all that have none of their own."""
    try:
        yield
    except Trouble:
        raise
    except sqlite3.Error as e:
        code = getattr(e, "sqlite_errorcode", 0) & 0xFF
        name = {sqlite3.SQLITE_FULL: "full", sqlite3.SQLITE_READONLY: "read-only"}.get(code, failed)
        raise _trouble(name if folder.is_dir() else "vanished", folder, plain(str(e))) from e
    except OSError as e:
        if not folder.is_dir() or e.errno in (errno.ENODEV, errno.ENOENT):
            name = "vanished"
        else:
            name = "full" if e.errno in FULL else "read-only" if e.errno in READ_ONLY else failed
        raise _trouble(name, folder, why(e)) from e


def _trouble(name: str, folder: Path, why: Text) -> StorageTrouble:
    return StorageTrouble(say(f"backup.{name}", where=str(folder), why=why))
