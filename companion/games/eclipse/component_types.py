"""The printed components as typed values: a closed vocabulary, read from `components.toml`."""

from __future__ import annotations

import importlib.resources
from functools import cache
from typing import Literal, get_args

from msgspec import Struct

from companion.core.components import Catalogue, Component, Fact, SaidBy, read_toml

Resource = Literal["money", "science", "materials"]
RESOURCES: tuple[Resource, ...] = get_args(Resource)
Ring = Literal["centre", "inner", "middle", "outer", "home"]
Square = Literal["money", "science", "materials", "gray", "money*", "science*", "materials*"]
"""A population square; a star means that it needs its advanced technology (p. 8)."""
Category = Literal["military", "grid", "nano"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
Ship = Literal["interceptor", "cruiser", "dreadnought", "starbase"]
SHIPS: tuple[Ship, ...] = get_args(Ship)
Structure = Literal["orbital", "monolith"]
STRUCTURES: tuple[Structure, ...] = get_args(Structure)
Die = Literal["yellow", "orange", "red"]
DAMAGE: dict[Die, int] = {"yellow": 1, "orange": 2, "red": 4}
Action = Literal["explore", "influence", "research", "upgrade", "build", "move"]
ACTIONS: tuple[Action, ...] = get_args(Action)
REACTIONS: tuple[Action, ...] = ("upgrade", "build", "move")

SHIPS_OF_A_SEAT: dict[Ship, int] = {"interceptor": 8, "cruiser": 4, "dreadnought": 2, "starbase": 4}
CUBES_OF_A_TRACK = 11
AMBASSADORS_OF_A_SEAT = 3
ANCIENTS_IN_BOX = 21
STRUCTURES_IN_BOX = 22
"""The publisher's errata; p. 3 prints 27."""
STORAGE = 40

LIMITLESS = 999
"""More than a player ever stores; used where later rulings set no limit."""

PRODUCTION = (2, 3, 4, 6, 8, 10, 12, 15, 18, 21, 24, 28)
"""The yield of a population track, by the number of cubes that left it (p. 6)."""
SQUARES_OF_A_TRACK = len(PRODUCTION)
"""The rightmost square stays empty (p. 4); by later rulings a cube may return to it, and covers the last number."""
UPKEEP = (0, 0, 0, 1, 2, 3, 5, 7, 10, 13, 17, 21, 25, 30)
"""The upkeep, by the number of empty circles on the influence track (p. 6)."""
CIRCLES = 13
DISCOUNT = (0, 1, 2, 3, 4, 6, 8)
"""The discount on a technology, by the number of technologies on its track (p. 12)."""
TRACK_POINTS = (0, 0, 0, 0, 1, 2, 3, 5)
"""Points by the number of technologies on a track (p. 25)."""
TECHNOLOGIES_AT_START = {2: 12, 3: 14, 4: 16, 5: 18, 6: 20}
TECHNOLOGIES_EACH_ROUND = {2: 4, 3: 6, 4: 7, 5: 8, 6: 9}
OUTER_SECTORS = {2: 5, 3: 10, 4: 14, 5: 16, 6: 18}
ROUNDS = 9
DIPLOMACY_FROM = 4
CENTRE = "sector-001"


class SectorHex(Component, frozen=True, kw_only=True):
    """A hex: its squares and, by edge (0 at the top with the number upright, then clockwise), its wormholes."""

    number: int
    ring: Ring
    points: int
    squares: tuple[Square, ...]
    wormholes: frozenset[int]
    ancients: int = 0
    discovery: bool = False
    artifact: bool = False


class Technology(Component, frozen=True, kw_only=True):
    """A technology tile and what it allows; `least` is the lowest price, whatever the discount (p. 12)."""

    category: Category
    cost: int
    least: int
    part: str | None = None
    build: Ship | Structure | None = None
    advanced: Resource | None = None
    discs: int = 0


class ShipPart(Component, frozen=True, kw_only=True):
    """A ship part; positive energy is produced, negative energy is used."""

    kind: Literal["cannon", "missile", "hull", "drive", "computer", "source", "shield"]
    energy: int = 0
    initiative: int = 0
    movement: int = 0
    computer: int = 0
    shield: int = 0
    hull: int = 0
    dice: tuple[Die, ...] = ()
    technology: str | None = None


class Discovery(Component, frozen=True, kw_only=True):
    """A discovery tile: its front is a reward, its back two points (p. 7)."""

    gives: Literal["resources", "technology", "cruiser", "part"]
    resource: Resource | None = None
    amount: int = 0
    part: str | None = None


class Reputation(Component, frozen=True, kw_only=True):
    """A reputation tile."""

    value: int


class Stock(Struct, frozen=True, omit_defaults=True):
    """An amount of each resource, or a number of cubes of each kind."""

    money: int = 0
    science: int = 0
    materials: int = 0

    def of(self, kind: Resource) -> int:
        """How much of one kind."""
        amount: int = getattr(self, kind)
        return amount

    def add(self, kind: Resource, n: int) -> Stock:
        """The same with more (or less) of one kind."""
        amounts = {k: self.of(k) for k in RESOURCES}
        amounts[kind] += n
        return Stock(**amounts)

    @property
    def total(self) -> int:
        """Everything together."""
        return self.money + self.science + self.materials


class ReputationTrack(Struct, frozen=True):
    """Places for ambassadors only, for either kind of tile, and for reputation only (p. 11)."""

    ambassador: int
    either: int
    reputation: int

    def fits(self, ambassadors: int, reputation: int) -> bool:
        """Whether so many tiles of each kind fit on the track."""
        over = max(0, ambassadors - self.ambassador) + max(0, reputation - self.reputation)
        return over <= self.either


class Numbers(Struct, frozen=True):
    """How many times a species may do something in each action."""

    explore: int
    influence: int
    research: int
    upgrade: int
    build: int
    move: int

    def of(self, action: Action) -> int:
        """The number of one action."""
        n: int = getattr(self, action)
        return n


class Costs(Struct, frozen=True):
    """The materials each building costs."""

    interceptor: int = 3
    cruiser: int = 5
    dreadnought: int = 8
    starbase: int = 3
    orbital: int = 5
    monolith: int = 10

    def of(self, what: Ship | Structure) -> int:
        """The price of one ship or structure."""
        price: int = getattr(self, what)
        return price


class Species(Component, frozen=True, kw_only=True):
    """One side of a player board (pp. 26-29)."""

    colour: str
    home: str
    stock: Stock
    technologies: tuple[str, ...]
    ship: Ship = "interceptor"
    discs: int = 13
    reputation: int = 0
    trade: int
    colony_ships: int = 3
    track: ReputationTrack
    actions: Numbers
    draws: int = 1
    blueprints: str
    costs: Costs = Costs()
    bonus: Literal["sectors", "ancients"] | None = None


class Blueprint(Struct, frozen=True):
    """A ship as printed on a board: parts in slots (empty: none), and the values that cannot be replaced."""

    slots: tuple[str, ...]
    initiative: int
    energy: int = 0
    computer: int = 0


class Source(Struct, frozen=True):
    """Where the data come from, and what is doubtful about them."""

    said_by: SaidBy
    note: str | None = None


class Components(Struct, frozen=True):
    """The whole of `components.toml`."""

    sources: dict[str, Source]
    sectors: tuple[SectorHex, ...]
    technologies: tuple[Technology, ...]
    parts: tuple[ShipPart, ...]
    ancient_parts: tuple[ShipPart, ...]
    discoveries: tuple[Discovery, ...]
    reputations: tuple[Reputation, ...]
    species: tuple[Species, ...]
    blueprints: dict[str, dict[Ship, Blueprint]]


@cache
def printed() -> Components:
    """Everything in the box."""
    read: Components = read_toml(importlib.resources.files(__package__) / "components.toml", Components)
    return read


@cache
def sectors() -> dict[str, SectorHex]:
    """All hexes by id; each side of a home sector is one."""
    return {hex.id: hex for hex in printed().sectors}


@cache
def sectors_of(ring: str) -> tuple[str, ...]:
    """The hexes of a ring."""
    return tuple(hex.id for hex in sectors().values() if hex.ring == ring)


@cache
def technologies() -> dict[str, Technology]:
    """The 24 technologies."""
    return {tech.id: tech for tech in printed().technologies}


@cache
def parts() -> dict[str, ShipPart]:
    """All ship parts, those of the Ancients as well."""
    return {part.id: part for part in (*printed().parts, *printed().ancient_parts)}


@cache
def ancient_parts() -> frozenset[str]:
    """The parts that are discovery tiles: there is one of each, and a replaced one leaves the game (p. 7)."""
    return frozenset(part.id for part in printed().ancient_parts)


@cache
def discoveries() -> dict[str, Discovery]:
    """The eleven different discovery tiles."""
    return {tile.id: tile for tile in printed().discoveries}


@cache
def scanned(part: str) -> str:
    """The component to scan for this part: Ancient parts are discovery tiles."""
    return next((tile.id for tile in discoveries().values() if tile.part == part), part)


@cache
def reputations() -> dict[str, Reputation]:
    """The four different reputation tiles."""
    return {tile.id: tile for tile in printed().reputations}


@cache
def species() -> dict[str, Species]:
    """Six Terran factions and six alien species."""
    return {s.id: s for s in printed().species}


@cache
def with_bonus() -> dict[str, str]:
    """The species with bonus points at the end, by the line of the sheet these belong to."""
    return {f"bonus-{s.bonus}": s.id for s in printed().species if s.bonus is not None}


@cache
def everything() -> Catalogue[Component]:
    """Everything that can be scanned; an Ancient part is scanned as its discovery tile."""
    box = printed()
    groups: dict[str, tuple[Component, ...]] = {
        "sectors": box.sectors,
        "technologies": box.technologies,
        "parts": box.parts,
        "discoveries": box.discoveries,
        "reputations": box.reputations,
        "species": box.species,
    }
    facts = {
        f"{component.id}.{name}": Fact(None, box.sources[group].said_by, box.sources[group].note)
        for group, components in groups.items()
        for component in components
        for name in component.__struct_fields__
    }
    return Catalogue([c for components in groups.values() for c in components], facts)
