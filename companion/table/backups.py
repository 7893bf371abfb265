"""Looking after the data: copies on a USB stick, and a bundle for whoever is asked for help. No Kivy in here."""

from __future__ import annotations

import errno
import importlib.metadata
import io
import os
import platform
import shutil
import sqlite3
import sys
import time
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

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
from companion.core.journal import Journal, PlayRow
from companion.core.repair import SIDES, Report, take_the_place, verify
from companion.core.sqlite_errors import is_damage, told
from companion.core.store import Store, beside, connect, journal_file, open_to_read, real
from companion.core.words import Text, plain, say
from companion.errors import DataTrouble, StorageTrouble, Trouble
from companion.table import settings as settings_file
from companion.table.error_log import FALLS, LOG, newest
from companion.texts import LANGUAGES, render, shown

PLACES = ("/media/*/*", "/run/media/*/*", "/mnt/*")
"""Where sticks are put by the usual desktops, and by hand."""

BACKUP, JOURNAL, SETTINGS = "companion-backup-", "journal.db", "settings.json"
STAMP = "%Y-%m-%d-%H%M"

TAIL = 100_000
"""So many of the last characters of the error log are enough."""

DEVICES = ("usb", "pi", "virtual", "none")
"""Cameras that are at this machine, or nowhere."""
SMALLEST = 512
"""Bytes of the smallest page SQLite knows."""
CHUNK = 1_000_000

FULL = (errno.ENOSPC, errno.EDQUOT)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)


class Stick(Struct, frozen=True):
    """A drive somebody plugged in: where it is, the bytes free on it, and whether it can be written."""

    path: Path
    free: int
    writable: bool

    @property
    def name(self) -> str:
        """What people call it; somebody else may have called it anything."""
        return shown(self.path.name)


def sticks(roots: Iterable[Path] | None = None) -> tuple[Stick, ...]:
    """Every stick there is; those that cannot be written are listed too, so that people are told why."""
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


def back_up(journal: Path, folder: Path, at: float) -> Path:
    """A folder on the stick with the whole journal as it is at this moment, and the settings.

    It is checked before it gets its name: what is called a backup is whole, and nothing else is left behind.
    """
    if not is_there(journal):
        raise StorageTrouble(say("backup.no-journal"))
    with told(journal):
        size = journal.stat().st_size
    with _told(folder):
        _need(folder, size)
        fresh = unfinished(folder)
        fresh.mkdir(mode=0o700)
        try:
            _copy_journal(journal, fresh / journal.name)
            settings = journal.with_name(SETTINGS)
            if settings.exists():
                write(fresh / settings.name, read(settings))
            sync_folder(fresh)
            final = _named(fresh, folder, f"{BACKUP}{_stamp(at)}")
            sync_folder(folder)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
    return final


def _named(fresh: Path, folder: Path, name: str) -> Path:
    """Give a backup its name, or the next free one: another may have been made meanwhile, by another program."""
    while True:
        final = _free_name(folder, name)
        try:
            return fresh.rename(final)
        except OSError as e:
            if e.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise


def made(folders: Iterable[Path]) -> tuple[Path, ...]:
    """The backups right in these folders, the newest first, those last whose names do not tell when they were made;
    links are passed over."""
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
    """When a backup was made, as its name tells; 0 if it does not."""
    try:
        return time.mktime(time.strptime(backup.name.removeprefix(BACKUP)[:15], STAMP))
    except ValueError:
        return 0.0


class Restored(Struct, frozen=True):
    """A backup that is here now: where our journal is kept, if there was one, and why our settings are still those."""

    aside: Path | None
    settings: Text | None = None


def restore(backup: Path, journal: Path) -> Restored:
    """Put the journal and the settings of a backup in the place of ours.

    Nobody may have ours open. The copy is checked before anything of ours is touched, and nothing is deleted. Settings
    nobody can read are left on the stick: plays are worth more.
    """
    ours = real(journal)
    theirs = _settings_of(backup, settings_file.load(journal.with_name(SETTINGS)).camera)
    with told(journal):
        make_folder(journal.parent)  # not where a link leads to: the disk that is meant may not be plugged in
        fresh = unfinished(journal_file(journal).parent)
        try:
            _fetch(backup / JOURNAL, fresh)
            if problems := verify(fresh, backup / JOURNAL).problems:
                raise StorageTrouble(say("backup.not-whole", why=problems[0]))
            aside = _name_aside(ours)
            kept = take_the_place(ours, fresh, aside)
        except BaseException:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise
    return Restored(aside if kept else None, _take_settings(theirs, journal.with_name(SETTINGS)))


def _fetch(backup: Path, fresh: Path) -> None:
    """Copy a journal from a stick; what the stick complains of is told of the stick, all else of our disk."""
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
    """What is in the settings of a backup, or why nobody can read them; nothing if it has none.

    A camera that is an address or a file stays the one we have: no stick tells us whom to call, or what to open."""
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
    """Put settings in the place of ours, which are kept beside; why not, if they are not."""
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
    """The next free name for a journal that is replaced, and for what belongs to it."""
    number, aside = 1, journal.with_name("journal.replaced.db")
    while any(os.path.lexists(beside(aside, ending)) for ending in ("", *SIDES)):
        number += 1
        aside = journal.with_name(f"journal.replaced-{number}.db")
    return aside


def _copy_journal(journal: Path, copy: Path) -> None:
    create(copy).close()
    with told(journal):
        source = open_to_read(journal)
    with closing(source), closing(connect(copy, "mode=rw")) as target:
        source.backup(target)
        try:
            # One file, without the side files a running journal has.
            target.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as e:
            if not is_damage(e):  # else it is ours that is damaged, not the stick: told below
                raise
    _sync(copy)
    problems = verify(copy, journal).problems
    if problems:
        raise StorageTrouble(say("backup.damaged", why=problems[0]))


def write_file(folder: Path, name: str, data: bytes, mode: int = PRIVATE) -> Path:
    """A file on a stick, whole or not at all; an older one of this name is kept beside it."""
    with _told(folder):
        _need(folder, len(data))
        final = _free_name(folder, name)
        write(final, data, mode)
    return final


def files(folders: Iterable[Path], pattern: str) -> tuple[Path, ...]:
    """The files of this name right in these folders, the newest name first; a stick that is gone has none.

    Links are passed over: on a stick they can only lead to something that is not on it.
    """
    found: list[Path] = []
    for folder in folders:
        with suppress(OSError):
            there = (p for p in folder.glob(pattern) if p.is_file() and not p.is_symlink())
            found += sorted(there, reverse=True)
    return tuple(found)


def read_file(path: Path, most: int) -> bytes:
    """What is in a file on a stick."""
    with _told(path.parent, "unread"):
        return read(path, most, links=False)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _need(folder: Path, size: int) -> None:
    """Raises what writing so much there would run into."""
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


def _stamp(at: float) -> str:
    return time.strftime(STAMP, time.localtime(at))


@contextmanager
def _told(folder: Path, failed: str = "failed") -> Iterator[None]:
    """Turns what a stick complains about into a sentence; `failed` is what is told where there is nothing better."""
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


# For whoever is asked for help


def diagnostics(folder: Path, out: Path, at: float, camera: str | None = None) -> Path:
    """A zip with what helps to find a fault: versions, settings, the state of the journal, the last errors.

    Nobody's name is in it; `READ-ME.txt` says what is.
    """
    rows, report = _plays(folder / "journal.db"), _report(folder / "journal.db")
    settings = settings_file.load(folder / "settings.json")
    names = {person.name for person in settings.people}
    names |= {name for row in rows for name in row.title.split(", ")}
    parts = {
        "READ-ME.txt": "\n\n".join(render(say("backup.in-the-bundle"), language) for language in LANGUAGES),
        "versions.json": _json(versions()),
        "settings.json": _json(
            {**msgspec.to_builtins(replace(settings, people=())), "people": len(settings.people)}
        ),
        "journal.json": _json(report),
        "plays.json": _json([_without_names(row) for row in rows]),
        "errors.txt": _tail(folder / LOG),
        "falls.txt": _tail(folder / FALLS),
    }
    if camera is not None:
        parts["camera.txt"] = camera
    hidden = _hiding(names, folder)
    bundle = _zipped({name: hidden(text) for name, text in parts.items()}, at)
    return write_file(out, f"companion-diagnostics-{_stamp(at)}.zip", bundle)


def versions() -> dict[str, str]:
    """What runs here."""
    packages = (
        "tabletop-companion",
        "kivy",
        "msgspec",
        "numpy",
        "opencv-python-headless",
        "pyzbar",
        "zxing-cpp",
    )
    found = {
        "python": sys.version.split()[0],
        "system": platform.platform(),
        "sqlite": sqlite3.sqlite_version,
    }
    return found | {name: _version(name) for name in packages}


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return _own_version() if package == "tabletop-companion" else "-"


def _own_version() -> str:
    """Ours, where the program runs out of its folder: on a machine of its own the folder has the version's name."""
    root = Path(__file__).parents[2]
    if root.parent.name == "versions":
        return root.name
    try:
        return str(tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"])
    except (OSError, ValueError, KeyError):
        return "-"


def _plays(journal: Path) -> Sequence[PlayRow]:
    try:
        with Store(journal) as store:
            return Journal(store).plays()
    except Trouble:
        return ()


def _report(journal: Path) -> dict[str, Any]:
    try:
        report: Report = verify(journal)
    except Trouble as trouble:
        return {"problems": [render(trouble.text, "en")]}
    told = [render(problem, "en") for problem in report.problems]
    return {"problems": told, "plays": report.plays, "entries": report.entries, "facts": report.facts}


def _without_names(row: PlayRow) -> dict[str, Any]:
    seats = len(row.title.split(", "))
    return {**msgspec.to_builtins(replace(row, title="")), "seats": seats}


def _tail(log: Path) -> str:
    try:
        return newest(log, TAIL).decode("utf-8", "replace")
    except OSError:
        return ""


def _hiding(names: Iterable[str], folder: Path) -> Any:
    """Puts something else in the place of people's names, and of the home folder's."""
    longest_first = sorted((name for name in names if name.strip()), key=len, reverse=True)

    def hidden(text: str) -> str:
        text = text.replace(str(folder), "<data>").replace(str(Path.home()), "~")
        for name in longest_first:
            text = text.replace(name, "<name>") if len(name) > 1 else text
        return text

    return hidden


def _json(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _zipped(parts: dict[str, str], at: float) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in parts.items():
            info = zipfile.ZipInfo(name, time.localtime(at)[:6])
            bundle.writestr(info, text, zipfile.ZIP_DEFLATED)
    return written.getvalue()
