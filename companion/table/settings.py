"""What this table likes: language, text size, colours, sounds, camera, people. One small file beside the journal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core import files
from companion.core.game import is_name
from companion.core.store import default_path
from companion.core.words import Text, say
from companion.errors import DataTrouble, StorageTrouble
from companion.recognition import zones

MOST_PEOPLE = 40
"""Who played here last; nobody looks through more."""
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
SOUNDS = ("accepted", "known", "refused", "turn", "reveal", "end-near", "over")


class Person(Struct, frozen=True):
    """Somebody who played here; `look` is the colour and shape they like."""

    name: str
    look: int


class Settings(Struct, frozen=True):
    """Every choice has a sensible value nobody needs to make."""

    language: Literal["en", "pl"] | None = None
    text_size: Annotated[int, Meta(ge=80, le=150)] = 100
    theme: Literal["dark", "light"] = "dark"
    volume: Annotated[int, Meta(ge=0, le=100)] = 60
    silent: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    counter: str = "points"
    scores: bool = True
    clocks: bool = True
    in_secret: bool = False
    moments: bool = True
    daily_backup: bool = True
    camera: str = "usb:0"
    zones: dict[str, tuple[float, float, float, float]] = {}
    spot: tuple[float, float, float, float] | None = None
    people: tuple[Person, ...] = ()


def settings_path() -> Path:
    """Where the settings are."""
    return default_path(os.environ).with_name("settings.json")


def load(path: Path) -> Settings:
    """The settings in this file; without one, or with one nobody can read, the usual ones."""
    try:
        found = _read(path)
    except DataTrouble:
        found = Settings()
    earlier = _earlier_camera(path)
    return replace(found, camera=earlier) if earlier else found


def problem(path: Path) -> Text | None:
    """Why the settings in this file are not used; nothing if they are, or if there are none."""
    try:
        _read(path)
    except DataTrouble as trouble:
        return trouble.text
    return None


def _read(path: Path) -> Settings:
    """What the file says, as far as it can be used; raises `DataTrouble` if nobody can read it."""
    try:
        return understood(files.read(path))
    except FileNotFoundError:
        return Settings()
    except (OSError, DataTrouble, *UNREADABLE) as e:
        raise DataTrouble(say("settings.cannot-read", file=str(path), why=files.why(e))) from e


def understood(data: bytes) -> Settings:
    """The settings somebody wrote down, as far as they can be used; raises one of `UNREADABLE`."""
    return _usable(msgspec.json.decode(data, type=Settings))


def _usable(read: Settings) -> Settings:
    """The same without parts of the picture that are none, and without people nobody can be."""
    people = tuple(person for person in read.people if is_name(person.name))
    parts = {name: part for name, part in read.zones.items() if zones.is_part(part)}
    spot = read.spot if read.spot is not None and zones.is_part(read.spot) else None
    return replace(read, people=people[:MOST_PEOPLE], zones=parts, spot=spot)


def _earlier_camera(path: Path) -> str:
    """The camera chosen when that still had a file of its own; the next `save` takes it over."""
    try:
        return files.read(path.with_name("camera")).decode().strip()
    except (OSError, DataTrouble, UnicodeDecodeError):
        return ""


def save(path: Path, settings: Settings) -> None:
    """Keep the settings; the old file is whole until the new one is, and one nobody can read stays beside it."""
    try:
        files.make_folder(path.parent)
        if problem(path) is not None:
            files.set_aside(path)
        files.write(path, msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
        path.with_name("camera").unlink(missing_ok=True)
    except OSError as e:
        raise StorageTrouble(say("settings.cannot-save", file=str(path), why=files.why(e))) from e


def chosen_camera() -> str:
    """The camera somebody chose, here or on the touchscreen; else the first USB camera."""
    return load(settings_path()).camera


def choose_camera(source: str) -> None:
    """Remember which camera to use."""
    path = settings_path()
    try:
        save(path, replace(load(path), camera=source))
    except StorageTrouble as trouble:
        why = trouble.text.args["why"]
        raise StorageTrouble(say("see.cannot-choose", file=str(path), why=why)) from trouble


def mark_spot(spot: zones.Zone | None) -> None:
    """Remember where in the picture cards are shown; nothing: anywhere."""
    path = settings_path()
    save(path, replace(load(path), spot=spot))


def zone_of(seat: str) -> zones.Zone | None:
    """The part of the picture that is this seat's, if anybody told."""
    return load(settings_path()).zones.get(seat.casefold())


def remember_zone(seat: str, zone: zones.Zone | None) -> None:
    """Keep the part of the picture that is this seat's; nothing forgets it."""
    path = settings_path()
    kept = load(path)
    save(path, replace(kept, zones=zones.changed(kept.zones, seat, zone)))
