"""The tiles as typed values, read from `components.toml`; unknown facts are marked unknown, and the owner is asked.

One printed sign is one fact: a black or red number, a colour with or without halo.
"""

from __future__ import annotations

import importlib.resources
from functools import cache, cached_property
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from companion.core.components import (
    UNKNOWN,
    Catalogue,
    Component,
    Fact,
    SaidBy,
    Untold,
    named_by_place,
    read_toml,
)
from companion.core.words import Text, say
from companion.games.frontiers.powers import AnyPower, Limited, MilitaryPower, P, of_sort
from scoring import frontiers as scoring
from scoring.frontiers import Goal, Keyword, Kind, Match, Phase, Term, within

PRICE: dict[str, int] = {"novelty": 1, "rare": 2, "genes": 3, "alien": 4}
"""Credits for a good sold (p. 8)."""

CUBES: dict[str, int] = {"novelty": 19, "rare": 17, "genes": 13, "alien": 11}
"""Goods in the box, a real limit (p. 1)."""

LARGE_COST = 9

COPIES = {2: 1, 3: 2, 4: 2, 5: 3}
"""How many copies of each small development are used, by the number of players (p. 2)."""

Price = Literal[
    "cost-0",
    "cost-1",
    "cost-2",
    "cost-3",
    "cost-4",
    "cost-5",
    "cost-6",
    "cost-7",
    "defence-1",
    "defence-2",
    "defence-3",
    "defence-4",
    "defence-5",
    "defence-6",
    "defence-7",
    "defence-8",
    "defence-9",
]
"""The black cost or red defence of a world: every value in the census (p. 10)."""

Product = Literal[
    "gray",
    "novelty-windfall",
    "novelty-production",
    "rare-windfall",
    "rare-production",
    "genes-windfall",
    "genes-production",
    "alien-windfall",
    "alien-production",
    "any-windfall",
    "any-production",
]
"""The colour of a world and whether it is a halo; only the Oort Cloud Refinery has "any"."""

HomeProduct = Literal[
    "gray",
    "novelty-windfall",
    "novelty-production",
    "rare-windfall",
    "rare-production",
    "genes-windfall",
    "genes-production",
    "alien-windfall",
    "alien-production",
]
"""The colour of a home; only a world in the bag can be of any kind (p. 10)."""

AS_PRINTED = ("price", "cost", "colonists", "product", "points", "keywords", "powers")
"""The order in which people read a tile."""

Printed = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "?"]
"""Points as a tile prints them."""


class Tile(Component, frozen=True, kw_only=True, dict=True):
    """A tile that can lie in an empire."""

    points: Printed | Untold = UNKNOWN
    keywords: frozenset[Keyword] | Untold = UNKNOWN
    powers: tuple[AnyPower, ...] | Untold = UNKNOWN
    bonus: Annotated[tuple[Term, ...], Meta(min_length=1)] | Untold = UNKNOWN
    """What its '?' counts; meaningless on a tile that prints a number."""

    @property
    def size(self) -> int:
        """How many development spaces it covers."""
        return 0

    @property
    def kind(self) -> Kind | Literal["any"] | None:
        """The kind of its goods; None if it has none, or the kind is unknown."""
        return None

    @property
    def goods(self) -> Literal["windfall", "production"] | None:
        """Whether it is a windfall or a production world; None if it has no goods, or that is unknown."""
        return None

    @property
    def is_military(self) -> bool:
        """Whether it prints a defence."""
        return False

    @property
    def number_told(self) -> int | None:
        """Its printed cost or defence, if it has one and that is known."""
        return None

    @property
    def marked(self) -> frozenset[Keyword]:
        """Its keywords; a tile that makes yellow goods is Alien even without the printed word (census, p. 10)."""
        told = self.keywords or frozenset()
        return told | {"alien"} if self.kind == "alien" else told

    @property
    def open_bonus(self) -> bool:
        """Whether it prints a '?' whose meaning is unknown."""
        return self.points == "?" and self.bonus is UNKNOWN

    @property
    def working_name(self) -> Text:
        """Its number within its group: World 10, Development 7."""
        sort, _, place = self.id.partition("-")
        return named_by_place(self.id, f"frontiers.slot.{sort}", place)

    @property
    def codes(self) -> tuple[str, ...]:
        """Its number as labels print it: W 10, D 7, H 1A."""
        sort, _, place = self.id.partition("-")
        return () if self.names else (f"{sort[0]} {place}".upper(), f"{sort[0]}{place}".upper())

    @property
    def called_when_new(self) -> Text | None:
        return say("core.new-tile")

    def unknown(self) -> tuple[str, ...]:
        """Its unknown facts; the meaning of a '?' only if it prints one."""
        return tuple(name for name in super().unknown() if name != "bonus" or self.points == "?")

    def untold(self) -> tuple[str, ...]:
        """The facts needed once it is part of an empire, in printed order; the meaning of its '?' can wait
        for the end."""
        return tuple(field for field in AS_PRINTED if getattr(self, field, None) is UNKNOWN)

    def having(self, sort: type[P]) -> tuple[P, ...]:
        """Its powers of one sort."""
        return of_sort(self.powers or (), sort)

    def in_phase(self, phase: Phase) -> tuple[AnyPower, ...]:
        """Its powers of one action."""
        return tuple(power for power in self.powers or () if power.phase == phase)

    @cached_property
    def for_scoring(self) -> scoring.Tile:
        """The values of this tile that the score sheet needs."""
        kind = self.kind
        return scoring.Tile(
            id=self.id,
            sort="development" if self.size else "colony",
            large=self.size > 1,
            points=self.points if isinstance(self.points, int) else 0,
            question=self.points == "?",
            bonus=(self.bonus or ()) if self.points == "?" else (),
            kind=None if kind == "any" else kind,
            any_kind=kind == "any",
            goods=self.goods,
            military=self.is_military,
            keywords=self.marked,
            powers=tuple(power.phase for power in self.powers or ()),
            strength=sum(p.n for p in self.having(MilitaryPower) if p.is_general),
            number=self.number_told,
        )


class World(Tile, frozen=True, kw_only=True, dict=True):
    """A round tile from the bag, or a home; it is a colony once it is settled."""

    price: Price | Untold = UNKNOWN
    colonists: Annotated[int, Meta(ge=1, le=2)] | Untold = UNKNOWN
    product: Product | Untold = UNKNOWN

    @property
    def number(self) -> int:
        """The cost or the defence; 0 until it is known."""
        return int(self.price.rpartition("-")[2]) if self.price else 0

    @property
    def number_told(self) -> int | None:
        return self.number if self.price else None

    @property
    def is_military(self) -> bool:
        return self.price is not UNKNOWN and self.price.startswith("defence")

    @property
    def kind(self) -> Kind | Literal["any"] | None:
        if not self.product or self.product == "gray":
            return None
        kind: Kind | Literal["any"] = self.product.partition("-")[0]  # type: ignore[assignment]
        return kind

    @property
    def goods(self) -> Literal["windfall", "production"] | None:
        if not self.product or self.product == "gray":
            return None
        return "windfall" if self.product.endswith("windfall") else "production"


class Home(World, frozen=True, kw_only=True, dict=True):
    """The home colony of one side of a mat; it needs only the colonist it starts with, and rarely a price."""

    mat: Annotated[int, Meta(ge=1, le=8)]
    white: bool
    """Whether it is the side for a first game, whose number is printed in a white square."""
    colonists: Annotated[int, Meta(ge=1, le=2)] | Untold = 1
    product: HomeProduct | Untold = UNKNOWN

    @property
    def working_name(self) -> Text:
        """The number printed on the mat, and whether it is in a white square."""
        side = "white" if self.white else "other"
        return named_by_place(self.id, f"frontiers.slot.home-{side}", str(self.mat))

    @property
    def called_when_new(self) -> Text | None:
        """None: a home needs no new name, since every mat prints its number."""
        return None

    def unknown(self) -> tuple[str, ...]:
        """Unknown facts without the price, since we do not know whether homes print one at all."""
        return tuple(name for name in super().unknown() if name != "price")

    def untold(self) -> tuple[str, ...]:
        """Facts needed without the price: a home is neither paid for nor conquered; its cost matters only if
        it is replaced (p. 7)."""
        return tuple(field for field in super().untold() if field != "price")


class Development(Tile, frozen=True, kw_only=True, dict=True):
    """A face of a development tile."""

    cost: Annotated[int, Meta(ge=1, le=9)] | Untold = UNKNOWN
    large: bool = False
    stack: str = ""
    """The letter of a double-sided tile; the two faces of one tile share it, as far as known (rule of p. 2)."""

    @property
    def size(self) -> int:
        return 2 if self.large else 1

    @property
    def number_told(self) -> int | None:
        return self.cost or None

    def put_out(self, seats: int) -> int:
        """How many copies are used with so many players (p. 2)."""
        return 1 if self.large else COPIES.get(seats, self.copies)


class GoalTile(Component, frozen=True, kw_only=True):
    """A galactic goal: a scale of amounts and points."""

    steps: tuple[tuple[int, int], ...]


class ActionTile(Component, frozen=True, kw_only=True):
    """An action to select."""


T = TypeVar("T", bound=Component)


class Source(Struct, frozen=True):
    """Where the data come from, and what is doubtful about them."""

    said_by: SaidBy


class Components(Struct, frozen=True):
    """The whole of `components.toml`."""

    source: Source
    worlds: tuple[World, ...]
    homes: tuple[Home, ...]
    developments: tuple[Development, ...]
    goals: tuple[GoalTile, ...]
    actions: tuple[ActionTile, ...]


@cache
def printed_box() -> Components:
    """Everything in the box, as far as it is known."""
    printed: Components = read_toml(importlib.resources.files(__package__) / "components.toml", Components)
    return printed


@cache
def everything() -> Catalogue[Component]:
    """Everything that can be scanned."""
    box = printed_box()
    said = {"*": Fact(None, box.source.said_by)}
    return Catalogue((*box.worlds, *box.homes, *box.developments, *box.goals, *box.actions), said)


@cache
def ids(sort: Literal["worlds", "homes", "developments", "goals", "actions"]) -> tuple[str, ...]:
    """The components of one sort, in the order of the box."""
    return tuple(component.id for component in getattr(printed_box(), sort))


def actions(goals: bool) -> tuple[str, ...]:
    """The seven action tiles of a play, in layout order (p. 2)."""
    first = "chart-goals" if goals else "isolation"
    return (first, "develop", "explore", "settle", "produce", "trade-consume", "envoys")


def kind(component: Component) -> Text:
    """The kind of tile, in the words people search by."""
    if isinstance(component, Development):
        return say("frontiers.sort.large" if component.large else "frontiers.sort.small")
    sort = {Home: "home", World: "world", GoalTile: "goal", ActionTile: "action"}[type(component)]
    return say(f"frontiers.sort.{sort}")


def fits(match: Match, tile: Tile, named: Kind | None = None) -> bool:
    """Whether a tile matches; `named` is the refinery's kind in this action."""
    if match == "all":
        return True
    if match == "gray":
        return isinstance(tile, World) and tile.product == "gray"
    if match in PRICE:
        return match == (named if tile.kind == "any" else tile.kind)
    keyword = "alien" if match == "alien-keyword" else match
    return keyword in tile.marked


def in_bounds(limits: Limited, tile: Tile) -> bool:
    """Whether the printed cost or defence of a tile lies within these limits (p. 4)."""
    return within(limits.least, limits.most, tile.number_told)


@cache
def stacks() -> dict[str, tuple[str, ...]]:
    """The two faces of every two-faced tile or stack, by its letter."""
    found: dict[str, tuple[str, ...]] = {}
    for tile in printed_box().developments:
        if tile.stack:
            found[tile.stack] = (*found.get(tile.stack, ()), tile.id)
    return found


NAMED_PAIRS = ("G",)
"""Stacks of which the rulebook itself names both faces: the Salon is there instead of Drop Ships (p. 8). The
other pairs come from a public list."""

WHITE: tuple[str, ...] = ("drop-ships",)
"""Faces for a first game, those with a white square (p. 2), as far as known."""

GOALS: tuple[Goal, ...] = (
    "civil-service",
    "skilled-workforce",
    "diversification",
    "faction-tolerance",
    "conscription",
    "exploration",
    "resource-stockpile",
    "sales-tax",
)
