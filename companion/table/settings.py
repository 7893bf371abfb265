"""The settings of this table: language, text size, colours, sounds, camera, people. One small file beside the
journal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core import files
from companion.core.game import is_name
from companion.core.sqlite_file import default_path
from companion.core.words import Text, say
from companion.errors import DataTrouble, StorageTrouble
from companion.recognition import zones

MOST_PEOPLE = 40
"""How many people are remembered, the latest first; nobody looks through more."""
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
Depth = Literal["everything", "turns", "score"]
"""How much of a play the companion follows: all rules, turns and pools, or only the score at the end."""
SOUNDS = ("accepted", "known", "refused", "turn", "reveal", "end-near", "over")


class Person(Struct, frozen=True):
    """Somebody who played here; `look` is the index of their preferred mark."""

    name: str
    look: int


class Settings(Struct, frozen=True):
    """All settings; every one has a sensible default."""

    language: Literal["en", "pl"] | None = None
    text_size: Annotated[int, Meta(ge=80, le=150)] = 100
    theme: Literal["dark", "light"] = "dark"
    volume: Annotated[int, Meta(ge=0, le=100)] = 60
    silent: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    counter: str = "points"
    scores: bool = True
    clocks: bool = False
    in_secret: bool = False
    moments: bool = True
    daily_backup: bool = True
    phones: bool = False
    hall: bool = False
    home_assistant: bool = False
    camera: str = "usb:0"
    zones: dict[str, tuple[float, float, float, float]] = {}
    spot: tuple[float, float, float, float] | None = None
    people: tuple[Person, ...] = ()
    reminders_off: dict[str, str] = {}
    """Reminders people switched off, with the words they had."""
    depth: dict[str, Depth] = {}
    """The last choice for each game."""


def settings_path() -> Path:
    """The path of the settings."""
    return default_path(os.environ).with_name("settings.json")


def load(path: Path) -> Settings:
    """The settings in this file; the defaults if it is missing or unreadable."""
    try:
        found = _read(path)
    except DataTrouble:
        found = Settings()
    earlier = _earlier_camera(path)
    return replace(found, camera=earlier) if earlier else found


def problem(path: Path) -> Text | None:
    """Why the settings in this file are not used; None if they are, or if there is no file."""
    try:
        _read(path)
    except DataTrouble as trouble:
        return trouble.text
    return None


def _read(path: Path) -> Settings:
    """The usable settings in the file; raises `DataTrouble` if it is unreadable."""
    try:
        return understood(files.read(path))
    except FileNotFoundError:
        return Settings()
    except (OSError, DataTrouble, *UNREADABLE) as e:
        raise DataTrouble(say("settings.cannot-read", file=str(path), why=files.why(e))) from e


def understood(data: bytes) -> Settings:
    """The usable settings in this JSON; raises one of `UNREADABLE`."""
    return _usable(msgspec.json.decode(data, type=Settings))


def _usable(read: Settings) -> Settings:
    """The same without invalid parts of the picture and invalid names."""
    people = tuple(person for person in read.people if is_name(person.name))
    parts = {name: part for name, part in read.zones.items() if zones.is_part(part)}
    spot = read.spot if read.spot is not None and zones.is_part(read.spot) else None
    return replace(read, people=people[:MOST_PEOPLE], zones=parts, spot=spot)


def _earlier_camera(path: Path) -> str:
    """The camera from the separate file of an earlier version; the next `save` takes it over."""
    try:
        return files.read(path.with_name("camera")).decode().strip()
    except (OSError, DataTrouble, UnicodeDecodeError):
        return ""


def save(path: Path, settings: Settings) -> None:
    """Save the settings atomically; an unreadable old file is kept under another name."""
    try:
        files.make_folder(path.parent)
        if problem(path) is not None:
            files.set_aside(path)
        files.write(path, msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
        path.with_name("camera").unlink(missing_ok=True)
    except OSError as e:
        raise StorageTrouble(say("settings.cannot-save", file=str(path), why=files.why(e))) from e


def chosen_camera() -> str:
    """The chosen camera, from the command line or the touchscreen; by default the first USB camera."""
    return load(settings_path()).camera


def choose_camera(source: str) -> None:
    """Save which camera to use."""
    path = settings_path()
    try:
        save(path, replace(load(path), camera=source))
    except StorageTrouble as trouble:
        why = trouble.text.args["why"]
        raise StorageTrouble(say("see.cannot-choose", file=str(path), why=why)) from trouble


def mark_spot(spot: zones.Zone | None) -> None:
    """Save where in the picture cards are shown; None: anywhere."""
    path = settings_path()
    save(path, replace(load(path), spot=spot))


def switch_reminders_off(off: dict[str, str]) -> None:
    """Save which reminders are off."""
    path = settings_path()
    save(path, replace(load(path), reminders_off=off))


def zone_of(seat: str) -> zones.Zone | None:
    """The part of the picture that belongs to this seat, if set."""
    return load(settings_path()).zones.get(seat.casefold())


def remember_zone(seat: str, zone: zones.Zone | None) -> None:
    """Save the part of the picture that belongs to this seat; None removes it."""
    path = settings_path()
    kept = load(path)
    save(path, replace(kept, zones=zones.changed(kept.zones, seat, zone)))
