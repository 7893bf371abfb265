"""Unfinished teaching: who teaches, and facts of tiles whose form is not complete. No Kivy in here.

It is one small file beside the journal, rewritten with every tap, so that a power cut in the middle of a form
loses nothing; finished facts go into the binder.
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

ToldFields = dict[str, Any]
"""The values entered for a component, by field."""


class Unfinished(Struct, frozen=True):
    """Who taught, the latest first, and what was begun: by game, then by component."""

    teachers: tuple[str, ...] = ()
    begun: dict[str, dict[str, ToldFields]] = {}

    def of(self, game: str, component: str) -> ToldFields:
        """The values entered for a component so far."""
        return self.begun.get(game, {}).get(component, {})

    def with_values(self, game: str, component: str, told: ToldFields) -> Unfinished:
        """The same with these values for a component; empty if it is finished, or was never begun."""
        others = {id: of for id, of in self.begun.get(game, {}).items() if id != component}
        return replace(self, begun={**self.begun, game: {**others, component: told} if told else others})

    def taught_by(self, name: str) -> Unfinished:
        """The same with this person as the latest teacher."""
        return replace(self, teachers=(name, *(other for other in self.teachers if other != name)))


def load(folder: Path) -> Unfinished:
    """The unfinished teaching in this folder; empty if it is unreadable."""
    try:
        return msgspec.json.decode(files.read(folder / FILE), type=Unfinished)
    except (OSError, DataTrouble, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Unfinished()


def save(folder: Path, unfinished: Unfinished) -> None:
    """Save it atomically."""
    try:
        files.make_folder(folder)
        files.write(folder / FILE, msgspec.json.encode(unfinished))
    except OSError as e:
        raise StorageTrouble(say("binder.cannot-keep", file=str(folder / FILE), why=files.why(e))) from e
