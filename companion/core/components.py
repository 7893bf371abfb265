"""Printed things and their facts: who said a fact, and what nobody knows yet."""

from __future__ import annotations

import enum
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from companion.core.words import count, plain, say
from companion.errors import Ambiguous, DataTrouble, Unknown


class Untold(enum.Enum):
    """A printed value that nobody has told us: the program asks the owner of the box, once."""

    UNKNOWN = "unknown"


UNKNOWN = Untold.UNKNOWN


class SaidBy(enum.Enum):
    """Where a fact comes from."""

    RULEBOOK = "rulebook"
    TRANSCRIPTION = "transcription"
    OWNER = "owner"


class Fact(Struct, frozen=True):
    """One printed value with its source; `note` says what is doubtful about it."""

    value: Any
    said_by: SaidBy
    note: str | None = None


class Component(Struct, frozen=True, kw_only=True):
    """A printed thing; each game adds its own facts."""

    id: str
    name: str
    copies: int = 1
    own: bool = False
    """Whether every seat has one of its own, rather than there being so many copies for all."""


C = TypeVar("C", bound=Component)


class Catalogue(Generic[C]):
    """The components of one box, in the order of the box."""

    def __init__(self, components: Iterable[C], sources: Mapping[str, Fact] | None = None) -> None:
        self.by_id: dict[str, C] = {c.id: c for c in components}
        self._sources = dict(sources or {})

    def __iter__(self) -> Iterator[C]:
        return iter(self.by_id.values())

    def __contains__(self, id: str) -> bool:
        return id in self.by_id

    def __getitem__(self, id: str) -> C:
        try:
            return self.by_id[id]
        except KeyError:
            raise Unknown(say("core.unknown-component", id=id)) from None

    @cached_property
    def pieces(self) -> int:
        """How many physical things there are, copies and all."""
        return sum(c.copies for c in self)

    def find(self, words: str) -> C:
        """The component whose id or name these words are, or begin, or are part of."""
        wanted = words.strip().casefold()
        exact = [c for c in self if wanted in (c.id, c.name.casefold())]
        begins = [c for c in self if c.name.casefold().startswith(wanted)]
        inside = [c for c in self if wanted in c.name.casefold()]
        for found in (exact, begins, inside):
            if len(found) == 1:
                return found[0]
            if found and wanted:
                names = tuple(plain(c.name) for c in found[:8])
                raise Ambiguous(
                    count("core.several-components", len(found), words=words, names=names),
                    tuple(c.id for c in found),
                )
        raise Unknown(say("core.unknown-component", id=words))

    def fact(self, id: str, name: str) -> Fact:
        """One printed value, and who said so."""
        value = getattr(self[id], name)
        told = self._sources.get(f"{id}.{name}") or self._sources.get("*")
        if told is None:
            raise LookupError(f"no source for {id}.{name}")
        return Fact(value, told.said_by, told.note)

    def unknown(self) -> list[tuple[str, str]]:
        """Every (component, field) that nobody has told us."""
        return [(c.id, name) for c in self for name in c.__struct_fields__ if getattr(c, name) is UNKNOWN]

    def taught(self, facts: Mapping[str, int | str]) -> Catalogue[C]:
        """The same box with what its owner told us (`"component.field"` -> value)."""
        by_id = dict(self.by_id)
        sources = dict(self._sources)
        for key, value in facts.items():
            id, _, name = key.rpartition(".")
            component = self[id]
            raw = msgspec.to_builtins(component) | {name: value}
            try:
                by_id[id] = msgspec.convert(raw, type(component))
            except msgspec.ValidationError as e:
                raise DataTrouble(say("core.bad-fact", fact=key, value=str(value), why=str(e))) from e
            sources[key] = Fact(value, SaidBy.OWNER)
        return Catalogue(by_id.values(), sources)


def read_toml(file: Traversable, type_: type[Any]) -> Any:
    """A TOML file as a value of `type_`; what is wrong is said with its path in the file."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), type_)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as e:
        raise DataTrouble(say("core.bad-file", file=file.name, why=str(e))) from e
