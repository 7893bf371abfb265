"""Printed components and their facts: the source of each fact, and which values are still unknown."""

from __future__ import annotations

import enum
import re
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources.abc import Traversable
from operator import attrgetter
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from companion.core.words import Text, count, named, renamed, say
from companion.errors import Ambiguous, DataTrouble, Unknown
from companion.texts import LANGUAGES, fold, render

Untold: TypeAlias = UnsetType
"""A printed value we do not know yet: the program asks the owner of the box, once.

Any field may be `int | Untold = UNKNOWN`, with any type before the bar; in a file it is written "unknown".
"""

UNKNOWN: Final = UNSET
UNKNOWN_IN_FILES = "unknown"

Value: TypeAlias = bool | int | str | list[Any] | dict[str, Any]
"""What can be taught about a field: plain JSON."""

Facts: TypeAlias = dict[str, Value]
"""`"component.field"` -> value."""


Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]
"""The name of a component in one language."""


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """Names of a component, such as those printed on it: one per language, as far as known."""

    en: Name | Untold = UNKNOWN
    pl: Name | Untold = UNKNOWN

    @property
    def known(self) -> dict[str, str]:
        """The names we know, by language."""
        return {field: name for field in NAME_LANGUAGES if (name := getattr(self, field)) is not UNKNOWN}


NAME_LANGUAGES = Names.__struct_fields__
NAME = "name"
NAME_FIELDS = (NAME, *(f"{NAME}.{language}" for language in NAME_LANGUAGES))
"""The facts that hold a name: in one language, or, as `name`, in all languages."""


class SaidBy(enum.Enum):
    """Where a fact comes from."""

    RULEBOOK = "rulebook"
    TRANSCRIPTION = "transcription"
    OWNER = "owner"
    PLAY = "play"
    """Derived from the answers of a play; never overrides what a person said."""


class Fact(Struct, frozen=True):
    """One printed value with its source; `note` says what is doubtful about it."""

    value: Any
    said_by: SaidBy
    note: str | None = None


class Component(Struct, frozen=True, kw_only=True):
    """A printed component; each game adds its own facts."""

    id: str
    name: Names = Names()
    working: Names = Names()
    """Our own names, for languages whose printed name is unknown or shared by several components."""
    short: Names = Names()
    """The part of its printed names to show where space is short, if the automatic choice would say too little."""
    copies: int = 1
    own: bool = False
    """Whether every seat has one of its own, rather than sharing `copies` of them."""

    @property
    def names(self) -> dict[str, str]:
        """Its names by language: as printed, otherwise our own."""
        return {**self.working.known, **self.name.known}

    @property
    def called(self) -> Text:
        """Its name for people: as printed, or a working name while no printed one is known."""
        return _named(self.id, self.name, self.working) or self.working_name

    @property
    def working_name(self) -> Text:
        """What it is called until its printed name is known."""
        return named(self.id, {"en": self.id})

    @property
    def codes(self) -> tuple[str, ...]:
        """What its label prints while its name is unknown; may be typed too."""
        return ()

    @property
    def called_when_new(self) -> Text | None:
        """What people call it while nothing about it is known: "a new tile". None if what is known
        distinguishes it from all others, so that people can find it in a list."""
        return None

    @property
    def prints_name(self) -> bool:
        """Whether a name is printed on it, so that people may be asked for it."""
        return True

    @property
    def may_end_row(self) -> bool:
        """Whether a row of components, such as a track, may end with it: only its print tells."""
        return False

    @property
    def ends_row(self) -> bool:
        """Whether it is known to be the last of its row."""
        return False

    def question_about(self, field: str) -> Text | None:
        """The question for one field, where the field's name alone makes no good question; otherwise None."""
        return None

    def unknown(self) -> tuple[str, ...]:
        """The fields that are unknown."""
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) is UNKNOWN)


@lru_cache(4096)
def _named(id: str, name: Names, working: Names) -> Text | None:
    """The names of a component as a text, if it has any; cached: views and corrections name everything there is."""
    names = {**working.known, **name.known}
    return named(id, names) if names else None


UNPRINTED = frozenset(Component.__struct_fields__) - {"copies"}
"""Fields of every component that are not printed values of their own."""

C = TypeVar("C", bound=Component)
D = TypeVar("D", bound=Component)


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

    def of(self, sort: type[D], id: str) -> D:
        """The component with this id, checked to be of this type."""
        found = self[id]
        assert isinstance(found, sort)
        return found

    @cached_property
    def pieces(self) -> int:
        """The number of physical pieces, including copies."""
        return sum(c.copies for c in self)

    @cached_property
    def spoken(self) -> dict[str, tuple[str, ...]]:
        """All names of each component, in every language, folded, by id."""
        return {c.id: spoken_names(c) for c in self}

    @cached_property
    def by_name(self) -> dict[str, str]:
        """Folded name to component id, for names that only one component has."""
        owners: dict[str, set[str]] = {}
        for id, names in self.spoken.items():
            for name in names:
                owners.setdefault(name, set()).add(id)
        return {name: min(ids) for name, ids in owners.items() if len(ids) == 1}

    @cached_property
    def _names(self) -> dict[str, dict[str, str]]:
        return {c.id: c.names for c in self if c.names}

    def in_our_names(self, text: Text) -> Text:
        """The same sentence with every component called as in this box, whatever name the sentence holds."""
        return renamed(text, self._names)

    def words_in(self, line: str) -> list[str]:
        """Split a list at its commas, except at commas inside a name of the box."""
        parts = [part.strip() for part in line.split(",")]
        found: list[str] = []
        while parts:
            names = (", ".join(parts[:n]) for n in range(len(parts), 1, -1))
            word = next((name for name in names if fold(name) in self.by_name), parts[0])
            found.append(word)
            parts = parts[len(word.split(", ")) :]
        return [word for word in found if word]

    def find(self, words: str) -> C:
        """Find a component by id or name: exactly, by its beginning, or by the beginning of a word in it.

        Names count in every language, with or without diacritics. An id may be written with blanks: a slot is
        still found as "World 10" after its name was taught.
        """
        wanted = fold(" ".join(words.split()))
        inner = re.compile(rf"\b{re.escape(wanted)}")
        as_id = wanted.replace(" ", "-")
        exact = [c for c in self if as_id == c.id or wanted in self.spoken[c.id]]
        begins = [c for c in self if any(name.startswith(wanted) for name in self.spoken[c.id])]
        inside = [c for c in self if any(inner.search(name) for name in self.spoken[c.id])]
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
        """One printed value with its source."""
        value = value_of(self[id], name)
        keys = (f"{id}.{name}", f"{id}.{name.partition('.')[0]}", "*")
        told = next((self._sources[key] for key in keys if key in self._sources), None)
        if told is None:
            raise LookupError(f"no source for {id}.{name}")
        return Fact(value, told.said_by, told.note)

    def unknown(self) -> list[tuple[str, str]]:
        """Every (component, field) that is unknown."""
        return [(c.id, name) for c in self for name in c.unknown()]

    def taught(self, facts: Mapping[str, Value]) -> Catalogue[C]:
        """The same box with the owner's facts; returns the same object again while the facts do not change."""
        if not facts:
            return self
        last = self._last_taught
        if last is None or last[0] != facts:
            last = self._last_taught = (dict(facts), self._with(facts))
        return last[1]

    def _with(self, facts: Mapping[str, Value]) -> Catalogue[C]:
        by_id = dict(self.by_id)
        sources = dict(self._sources)
        for key, value in sorted(facts.items(), key=_general_first):
            id, name = fact_of(key)
            component = self[id] if id not in by_id else by_id[id]
            try:
                by_id[id] = with_told(component, name, value)
            except (msgspec.ValidationError, KeyError) as e:
                raise DataTrouble(say("core.bad-fact", fact=key, value=str(value), why=str(e))) from e
            sources[key] = Fact(value, SaidBy.OWNER)
        return Catalogue(by_id.values(), sources)


def lookup(sort: type[D]) -> Callable[[Any, str], D]:
    """A method for a state with a `box`: returns the component with an id, checked to be of this type."""

    def found(state: Any, id: str) -> D:
        box: Catalogue[Component] = state.box
        return box.of(sort, id)

    return found


def fact_of(key: str) -> tuple[str, str]:
    """The component and the field named by `"component.field"`; a field may be `name.pl`."""
    id, _, field = key.partition(".")
    return id, field


def _general_first(fact: tuple[str, Value]) -> int:
    """Sort key: a name for one language is applied after, and so overrides, one for all languages."""
    return len(fact[0].split("."))


def spoken_names(component: Component) -> tuple[str, ...]:
    """A component's names as people may type or say them in any language, folded."""
    names = {**component.names, **{one: render(component.called, one) for one in LANGUAGES}}
    return tuple(dict.fromkeys(fold(name) for name in (*names.values(), *component.codes)))


@cache
def named_by_place(id: str, key: str, place: str) -> Text:
    """The working name of a component of which only its number within its kind is known: sentence `key` with `n`."""
    return named(id, {language: render(say(key, n=place), language) for language in LANGUAGES})


def told_names(box: Mapping[str, C], printed: Mapping[str, C]) -> dict[str, dict[str, str] | str]:
    """The names of the components whose name was taught, by id and language."""
    return {id: c.names for id, c in box.items() if id in printed and c.name != printed[id].name}


def names_in(facts: Facts) -> Facts:
    """Those of these facts that hold a name."""
    return {key: value for key, value in facts.items() if fact_of(key)[1] in NAME_FIELDS}


def value_of(component: Component, field: str) -> Any:
    """What is printed in a field; for `name`, the names in all languages."""
    return attrgetter(field)(component)


def with_names(component: C, facts: Mapping[str, Value]) -> C:
    """The component with its taught names."""
    for field in NAME_FIELDS if facts else ():
        if (told := facts.get(f"{component.id}.{field}")) is not None:
            component = with_told(component, field, told)
    return component


def taught_names(box: Mapping[str, C], facts: Mapping[str, Value]) -> dict[str, C]:
    """The same components with their taught names."""
    return {id: with_names(component, facts) for id, component in box.items()}


def with_fields(component: C, told: Facts, only: Container[str] | None = None) -> C:
    """The component with these fields set, or only those in `only`."""
    for field, value in told.items():
        if only is None or field in only:
            component = with_told(component, field, value)
    return component


def with_told(component: C, field: str, value: Value) -> C:
    """The component with one field set; raises `msgspec.ValidationError` or `KeyError`."""
    if field in NAME_FIELDS:
        name = msgspec.convert(value, Name)
        languages = NAME_LANGUAGES if field == NAME else (field.partition(".")[2],)
        return replace(component, name=replace(component.name, **dict.fromkeys(languages, name)))
    return replace(component, **{field: msgspec.convert(value, _types(type(component))[field])})


@cache
def _types(component: type[Component]) -> dict[str, Any]:
    return get_type_hints(component, include_extras=True)


def read_toml(file: Traversable, type_: type[Any]) -> Any:
    """A TOML file as a value of `type_`; errors name the path inside the file."""
    try:
        return convert(tomllib.loads(file.read_text(encoding="utf-8")), type_)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as e:
        raise DataTrouble(say("core.bad-file", file=file.name, why=str(e))) from e


def convert(raw: Any, type_: type[Any]) -> Any:
    """Plain values as a value of `type_`; "unknown" is allowed for any field that may be unknown.

    Raises `msgspec.ValidationError`, also if a field is "unknown" that must be known.
    """
    unknown: list[tuple[str | int, ...]] = []
    value = msgspec.convert(_without_unknown(raw, (), unknown), type_)
    for path in unknown:
        if _at(value, path) is not UNKNOWN:
            where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
            raise msgspec.ValidationError(f"Must be known - at `${where}`")
    return value


def _without_unknown(raw: Any, path: tuple[str | int, ...], unknown: list[tuple[str | int, ...]]) -> Any:
    """A copy without the fields that are "unknown"; their paths are added to `unknown`.

    For msgspec the word "unknown" could also be a name; a missing field is unambiguous.
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
