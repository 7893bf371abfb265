"""A bundle of diagnostics for support, written to a stick. No Kivy in here."""

from __future__ import annotations

import importlib.metadata
import io
import platform
import sqlite3
import sys
import time
import tomllib
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.journal import Journal, PlayRow
from companion.core.repair import Report, verify
from companion.core.store import Store
from companion.core.words import say
from companion.errors import Trouble
from companion.table import settings as settings_file
from companion.table.backups import stamp, write_file
from companion.table.error_log import CRASHES, LOG, newest
from companion.texts import LANGUAGES, render

TAIL = 100_000
"""How many characters of the error log are kept, from its end."""


def diagnostics(folder: Path, out: Path, at: float, camera: str | None = None) -> Path:
    """A zip that helps to find a bug: versions, settings, the state of the journal, the last errors.

    It contains no names of people; `READ-ME.txt` lists its content.
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
        "crash.txt": _tail(folder / CRASHES),
    }
    if camera is not None:
        parts["camera.txt"] = camera
    hidden = _hiding(names, folder)
    bundle = _zipped({name: hidden(text) for name, text in parts.items()}, at)
    return write_file(out, f"companion-diagnostics-{stamp(at)}.zip", bundle)


def versions() -> dict[str, str]:
    """The versions of Python, the system and our packages."""
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
    """Our version when run from a folder: on a dedicated machine the folder is named after the version."""
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
    """A function that replaces people's names and the home folder's path."""
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
