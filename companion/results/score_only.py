"""Scores a table played without us, from what lies there, whose it is, and a few entered values."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import Catalogue, Facts
from companion.core.counters import Correctable
from companion.core.game import Game, Setup, Variant, games
from companion.core.parts import Tableaux
from companion.core.words import Text, count
from companion.errors import DataTrouble
from companion.results.sheets import positions
from scoring.sheet import Sheet


class Scored(Struct, frozen=True):
    """The values asked for, as entered so far, and the sheet, or everything that is still wrong."""

    asked: tuple[Correctable, ...]
    sheet: Sheet | None = None
    problems: tuple[Text, ...] = ()
    facts: Facts = msgspec.field(default_factory=dict)
    """Entered values that are printed on components, and so hold for every table."""
    position: dict[str, Any] | None = None
    """The table as plain JSON values, if it has a sheet."""


class Unplayed(Struct, frozen=True):
    """What is known so far: what lies before each seat, what lies between them and whose it is, and the
    entered values."""

    rules: Game
    seats: tuple[str, ...] = ()
    choices: dict[str, str] = msgspec.field(default_factory=dict)
    before: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    owners: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The owners of each component that lies between the players; empty if it has none."""
    told: dict[str, int] = msgspec.field(default_factory=dict)
    facts: Facts = msgspec.field(default_factory=dict)
    """What the owner of the box taught about it."""

    @property
    def catalogue(self) -> Catalogue[Any]:
        """The components of the box that was played."""
        seats = self.seats or tuple(str(n) for n in range(self.rules.box.seats[0]))
        setup = self.rules.complete(Setup(self.rules.id, seats, self.choices))
        return self.rules.catalogue(setup, self.facts)

    @property
    def between(self) -> tuple[str, ...]:
        """The components that can lie between the players of this game."""
        of = positions(self.rules)
        return tuple(id for id in self.catalogue.by_id if of.between(id))

    def mine(self, seat: str) -> tuple[str, ...]:
        """What lies before a seat."""
        return self.before.get(seat, ())

    def owned(self, seat: str) -> tuple[str, ...]:
        """The components between the players that belong to this seat."""
        return tuple(component for component, owners in self.owners.items() if seat in owners)

    @property
    def tableaux(self) -> Tableaux:
        """All components of each seat, wherever they lie."""
        return {seat: (*self.mine(seat), *self.owned(seat)) for seat in self.seats}

    # Entering

    def seen_before(self, seat: str, components: Iterable[str]) -> Unplayed:
        """The same with these seen before a seat; components already known to be there are not counted twice."""
        kept = [c for c in components if c in self.catalogue and c not in self.between]
        here = list(self.mine(seat))
        here += (Tally(kept) - Tally(here)).elements()
        return replace(self, before={**self.before, seat: tuple(here)})

    def added(self, seat: str, component: str) -> Unplayed:
        """The same with one more of this before a seat."""
        return replace(self, before={**self.before, seat: (*self.mine(seat), component)})

    def removed(self, seat: str, component: str) -> Unplayed:
        """The same with one less of this before a seat."""
        here = list(self.mine(seat))
        here.remove(component)
        return replace(self, before={**self.before, seat: tuple(here)})

    def seen_between(self, components: Iterable[str]) -> Unplayed:
        """The same with these seen in the middle of the table, without an owner unless one was given before."""
        found = {c: () for c in components if c in self.between} | self.owners
        return replace(self, owners={c: found[c] for c in self.between if c in found})

    def not_between(self, component: str) -> Unplayed:
        """The same without this component in the middle of the table."""
        return replace(self, owners={c: owners for c, owners in self.owners.items() if c != component})

    def given(self, component: str, seat: str) -> Unplayed:
        """The same with this component given to a seat, or taken back if the seat had it. Other owners keep
        it only if it can have several."""
        there = self.owners.get(component, ())
        if seat in there:
            now = {*there} - {seat}
        else:
            now = {*there, seat} if self.shared(component) else {seat}
        owners = tuple(name for name in self.seats if name in now)
        return replace(self, owners={**self.owners, component: owners})

    def shared(self, component: str) -> bool:
        """Whether this component can belong to several players at once."""
        return positions(self.rules).several(component)

    def seated(self, seats: tuple[str, ...]) -> Unplayed:
        """The same with these players; components of players who left have no owner."""
        owners = {c: tuple(name for name in seats if name in there) for c, there in self.owners.items()}
        kept = self.told if seats[: len(self.seats)] == self.seats else {}
        return replace(self, seats=seats, owners=owners, told=kept)

    def tell(self, counter: str, value: int) -> Unplayed:
        """The same with one more value entered."""
        return replace(self, told={**self.told, counter: value})

    def outcome(self) -> Scored:
        """The sheet, or what is still wrong."""
        return scored(self.rules, self.tableaux, self.choices, self.told, self.facts)


def usable(rules: Game, facts: Facts) -> Facts:
    """The facts that fit the standard box."""
    seats = tuple(str(n) for n in range(rules.box.seats[0]))
    return rules.usable(rules.complete(Setup(rules.id, seats)), facts)


def scored_games() -> tuple[Game, ...]:
    """Every game whose tables can be scored without having been played here."""
    return tuple(rules for rules in games().values() if rules.positions is not None)


def scored(
    rules: Game, tableaux: Tableaux, choices: dict[str, str], told: Mapping[str, int], facts: Facts
) -> Scored:
    """The sheet of these tableaux; values not entered yet have their counter's default."""
    of = positions(rules, lambda _: facts)
    asked: list[Correctable] = []

    def ask(counter: Correctable) -> int:
        value = told.get(counter.id, counter.value)
        if value not in counter.values:  # a value entered later has narrowed the range
            value = counter.value if counter.names else max(counter.low, min(counter.high, value))
        asked.append(replace(counter, value=value))
        return value

    try:
        check_seats(rules, len(tableaux))
        raw = msgspec.to_builtins(of.asked(tableaux, choices, ask))
        return Scored(tuple(asked), of.sheet(of.position_of(raw)), facts=of.told(raw), position=raw)
    except DataTrouble as trouble:
        return Scored(tuple(asked), problems=trouble.problems)


def check_seats(rules: Game, seats: int) -> None:
    """Raises `DataTrouble` if this game cannot be played with so many seats."""
    if seats not in rules.box.seats:
        low, high = str(rules.box.seats[0]), str(rules.box.seats[-1])
        raise DataTrouble(count("core.bad-seats", seats, game=rules.box.name, low=low, high=high))


def variants(rules: Game) -> tuple[Variant, ...]:
    """The variants that matter for a finished table: those its position has a field for."""
    schema = positions(rules).schema()
    whole = schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return tuple(variant for variant in rules.box.variants if variant.id in whole["properties"])
