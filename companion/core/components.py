"""Printed things and their facts: who said a fact, and what nobody knows yet."""

from __future__ import annotations

import enum
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from companion.core.words import Text, count, plain, say
from companion.errors import Ambiguous, DataTrouble, Unknown

Untold: TypeAlias = UnsetType
"""A printed value that nobody has told us: the program asks the owner of the box, once.

Any field may be `int | Untold = UNKNOWN`, whatever stands before the bar; in a file it says "unknown".
"""

UNKNOWN: Final = UNSET
UNKNOWN_IN_FILES = "unknown"

Value: TypeAlias = bool | int | str | list[Any] | dict[str, Any]
"""What can be told about a field: plain JSON."""

Facts: TypeAlias = dict[str, Value]
"""`"component.field"` -> value."""


Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
"""How a printed thing is called. Where a game's `printed` says it can be taught, the name told replaces the one it has:
a tile nobody knows the name of is called after its slot until then."""


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
    name: Name
    copies: int = 1
    own: bool = False
    """Whether every seat has one of its own, rather than there being so many copies for all."""

    @property
    def called(self) -> Text:
        """How people call it: as it is printed, or by a working name in their language."""
        return plain(self.name)

    def unknown(self) -> tuple[str, ...]:
        """The fields nobody has told us."""
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) is UNKNOWN)


C = TypeVar("C", bound=Component)


class Catalogue(Generic[C]):
    """The components of one box, in the order of the box."""

    def __init__(self, components: Iterable[C], sources: Mapping[str, Fact] | None = None) -> None:
        self.by_id: dict[str, C] = {c.id: c for c in components}
        self._sources = dict(sources or {})
        self._last_taught: tuple[dict[str, Value], Catalogue[C]] | None = None

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
        """The component whose id or name these words are, or begin, or whose name has a word that begins like them.

        An id may be said with blanks: a slot is still found as "World 10" when its name was taught.
        """
        wanted = words.strip().casefold()
        exact = [c for c in self if wanted in (c.id, c.name.casefold()) or wanted.replace(" ", "-") == c.id]
        begins = [c for c in self if c.name.casefold().startswith(wanted)]
        inside = [c for c in self if re.search(rf"\b{re.escape(wanted)}", c.name.casefold())]
        for found in (exact, begins, inside):
            if len(found) == 1:
                return found[0]
            if found and wanted:
                names = tuple(c.called for c in found[:8])
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
        return [(c.id, name) for c in self for name in c.unknown()]

    def taught(self, facts: Mapping[str, Value]) -> Catalogue[C]:
        """The same box with what its owner told us; told the same as the last time it is the very same box."""
        if not facts:
            return self
        last = self._last_taught
        if last is None or last[0] != facts:
            last = self._last_taught = (dict(facts), self._with(facts))
        return last[1]

    def _with(self, facts: Mapping[str, Value]) -> Catalogue[C]:
        by_id = dict(self.by_id)
        sources = dict(self._sources)
        for key, value in facts.items():
            id, _, name = key.rpartition(".")
            component = self[id] if id not in by_id else by_id[id]
            try:
                by_id[id] = with_told(component, name, value)
            except (msgspec.ValidationError, KeyError) as e:
                raise DataTrouble(say("core.bad-fact", fact=key, value=str(value), why=str(e))) from e
            sources[key] = Fact(value, SaidBy.OWNER)
        return Catalogue(by_id.values(), sources)


def taught_names(facts: Mapping[str, Value]) -> dict[str, str]:
    """How components are called whose name was told, by id."""
    named = ((key.rpartition("."), value) for key, value in facts.items())
    return {id: str(value) for (id, _, field), value in named if field == "name"}


def with_told(component: C, field: str, value: Value) -> C:
    """The component with what somebody told of a field; raises `msgspec.ValidationError` or `KeyError`."""
    return replace(component, **{field: msgspec.convert(value, _types(type(component))[field])})


@cache
def _types(component: type[Component]) -> dict[str, Any]:
    return get_type_hints(component, include_extras=True)


def read_toml(file: Traversable, type_: type[Any]) -> Any:
    """A TOML file as a value of `type_`; what is wrong is said with its path in the file."""
    try:
        return convert(tomllib.loads(file.read_text(encoding="utf-8")), type_)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as e:
        raise DataTrouble(say("core.bad-file", file=file.name, why=str(e))) from e


def convert(raw: Any, type_: type[Any]) -> Any:
    """Plain values as a value of `type_`, where "unknown" stands for whatever may be unknown.

    Raises `msgspec.ValidationError`, also where something says it is unknown that must be known.
    """
    unknown: list[tuple[str | int, ...]] = []
    value = msgspec.convert(_without_unknown(raw, (), unknown), type_)
    for path in unknown:
        if _at(value, path) is not UNKNOWN:
            where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
            raise msgspec.ValidationError(f"Must be known - at `${where}`")
    return value


def _without_unknown(raw: Any, path: tuple[str | int, ...], unknown: list[tuple[str | int, ...]]) -> Any:
    """The same without what says that it is unknown, whose paths are added to `unknown`.

    A name may well be ambiguous to msgspec (any text, or the word "unknown"?); what is not there never is.
    """
    if isinstance(raw, list):
        return [_without_unknown(inner, (*path, n), unknown) for n, inner in enumerate(raw)]
    if not isinstance(raw, dict):
        return raw
    known = {key: inner for key, inner in raw.items() if inner != UNKNOWN_IN_FILES}
    unknown += [(*path, key) for key in raw.keys() - known.keys()]
    return {key: _without_unknown(inner, (*path, key), unknown) for key, inner in known.items()}


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        if isinstance(value, Struct):
            value = getattr(value, str(part), None)
        else:
            value = value.get(part) if isinstance(value, dict) else value[part]
    return value
