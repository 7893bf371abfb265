"""What somebody is about to teach: who teaches, and what was told of tiles that were not finished. No Kivy in here.

It is one small file beside the journal, written anew with every tap, so that a power cut in the middle of a form takes
nothing away; what is finished goes into the binder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import files
from companion.core.words import say
from companion.errors import DataTrouble, StorageTrouble

FILE = "teaching.json"

Told = dict[str, Any]
"""What was told of a component, by field."""


class Unfinished(Struct, frozen=True):
    """Who taught last, the latest first, and what was begun: by game, then by component."""

    teachers: tuple[str, ...] = ()
    begun: dict[str, dict[str, Told]] = {}

    def of(self, game: str, component: str) -> Told:
        """What was told of a component so far."""
        return self.begun.get(game, {}).get(component, {})

    def told(self, game: str, component: str, told: Told) -> Unfinished:
        """The same with this told of a component; nothing told: it is finished, or was never begun."""
        others = {id: of for id, of in self.begun.get(game, {}).items() if id != component}
        return replace(self, begun={**self.begun, game: {**others, component: told} if told else others})

    def taught_by(self, name: str) -> Unfinished:
        """The same with this one teaching."""
        return replace(self, teachers=(name, *(other for other in self.teachers if other != name)))


def load(folder: Path) -> Unfinished:
    """What is unfinished in this folder; nothing, if nobody can read it."""
    try:
        return msgspec.json.decode(files.read(folder / FILE), type=Unfinished)
    except (OSError, DataTrouble, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Unfinished()


def save(folder: Path, unfinished: Unfinished) -> None:
    """Keep it; the old file is whole until the new one is."""
    try:
        files.make_folder(folder)
        files.write(folder / FILE, msgspec.json.encode(unfinished))
    except OSError as e:
        raise StorageTrouble(say("binder.cannot-keep", file=str(folder / FILE), why=files.why(e))) from e
