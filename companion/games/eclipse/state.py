"""The state of a table of Eclipse: the map, the boards and the supply."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.components import with_names
from companion.core.words import Text, say
from companion.games.eclipse import component_types
from companion.games.eclipse.component_types import (
    CIRCLES,
    CUBES_OF_A_TRACK,
    LIMITLESS,
    PRODUCTION,
    RESOURCES,
    SHIPS_OF_A_SEAT,
    SQUARES_OF_A_TRACK,
    STORAGE,
    UPKEEP,
    Category,
    Resource,
    SectorHex,
    Ship,
    Species,
    Square,
    Stock,
)
from companion.games.eclipse.geometry import CENTRE_PLACE, around, direction_to, joined, opens

GENERATOR = "tech-wormhole-generator"
EMPTY_TRACKS = Stock(CUBES_OF_A_TRACK, CUBES_OF_A_TRACK, CUBES_OF_A_TRACK)


class Fleet(Struct, frozen=True, omit_defaults=True):
    """One seat's ships in a sector; a sector keeps its fleets in order of arrival."""

    seat: int
    ships: dict[Ship, int]

    @property
    def size(self) -> int:
        """How many ships there are."""
        return sum(self.ships.values())


class Sector(Struct, frozen=True, omit_defaults=True):
    """A hex on the map; `cubes` says for each printed square, and then the orbital, whether a cube lies there."""

    hex: str
    rotation: int = 0
    owner: int | None = None
    cubes: tuple[bool, ...] = ()
    fleets: tuple[Fleet, ...] = ()
    ancients: int = 0
    gcds: bool = False
    discovery: bool = False
    orbital: bool = False
    monolith: bool = False

    @property
    def facts(self) -> SectorHex:
        """What is printed on the hex."""
        return component_types.sectors()[self.hex]

    @property
    def squares(self) -> tuple[tuple[Square | str, bool], ...]:
        """Every population square and whether it is taken; an orbital adds one."""
        kinds: tuple[str, ...] = (*self.facts.squares, *(("orbital",) if self.orbital else ()))
        return tuple(zip(kinds, self.cubes, strict=True))

    @property
    def population(self) -> int:
        """How many cubes lie here."""
        return sum(self.cubes)

    def fleet(self, seat: int) -> Fleet | None:
        """This seat's ships here, if any."""
        return next((fleet for fleet in self.fleets if fleet.seat == seat), None)

    def ships(self, seat: int) -> int:
        """How many ships this seat has here."""
        fleet = self.fleet(seat)
        return 0 if fleet is None else fleet.size


class Seat(Struct, frozen=True, omit_defaults=True):
    """One player's board. Ships and discs on the track are not stored: they are those that are nowhere else."""

    name: str
    species: str = ""
    stock: Stock = Stock()
    tracks: Stock = EMPTY_TRACKS
    """Cubes on the population tracks."""
    graveyard: Stock = Stock()
    discs: int = CIRCLES
    """Discs this seat has in play, wherever they lie."""
    acted: dict[str, int] = msgspec.field(default_factory=dict)
    """Discs on actions, and on reactions as "react-..."."""
    technologies: tuple[str, ...] = ()
    upgrades: dict[Ship, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """Tiles on the slots of a blueprint; an empty name means the printed part."""
    spare: tuple[str, ...] = ()
    """Ancient parts kept beside the board."""
    colonised: int = 0
    """Colony ships turned face down."""
    partners: tuple[int, ...] = ()
    """Seats whose ambassador, with a cube on it, lies here; they have this seat's ambassador and cube."""
    reputation: int = 0
    revealed: tuple[int, ...] = ()
    """Values of reputation tiles, revealed at the end."""
    kept: int = 0
    """Discovery tiles kept for two points."""
    passed: bool = False
    out: bool = False
    """Eliminated by collapse: the pieces are back in the box, the points are counted (p. 24)."""


class Stack(Struct, frozen=True, omit_defaults=True):
    """A stack of hexes: which of them may be in it, how many are, and which were discarded."""

    unseen: tuple[str, ...]
    left: int
    discards: tuple[str, ...] = ()


class EclipseState(State, frozen=True, kw_only=True):
    """The whole table."""

    seats: tuple[Seat, ...]
    map: dict[str, Sector] = msgspec.field(default_factory=dict)
    round: int = 0
    phase: str = "setup"
    first: int = 0
    """The seat with the first player marker."""
    passed_first: int | None = None
    """The seat that passed first in this round, and begins the next."""
    offered: dict[str, int] = msgspec.field(default_factory=dict)
    """Technology tiles on the supply board."""
    stacks: dict[str, Stack] = msgspec.field(default_factory=dict)
    used: dict[str, int] = msgspec.field(default_factory=dict)
    """Discovery tiles used for their fronts."""
    traitor: int | None = None
    declined: tuple[int, ...] = ()
    """Seats that refused an ambassador in this turn."""
    odds: bool = True
    """Whether the odds of a battle are shown before it."""
    later: bool = False
    """Whether later rulings apply where they differ from the rulebook."""

    def species(self, seat: int) -> Species:
        """The board of a seat."""
        return component_types.species()[self.seats[seat].species]

    def with_seat(self, index: int, seat: Seat) -> EclipseState:
        """The same table with one seat changed."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def with_sector(self, place: str, sector: Sector) -> EclipseState:
        """The same table with one sector changed."""
        return replace(self, map={**self.map, place: sector})

    def clockwise(self, first: int) -> Iterator[int]:
        """Every seat once, from this one clockwise."""
        for offset in range(len(self.seats)):
            yield (first + offset) % len(self.seats)

    # The map

    def controlled(self, seat: int) -> list[str]:
        """The places with this seat's discs."""
        return [place for place, sector in self.map.items() if sector.owner == seat]

    def has(self, seat: int, technology: str) -> bool:
        """Whether a seat has researched a technology."""
        return technology in self.seats[seat].technologies

    def connected(self, a: str, b: str, generator: bool = False) -> bool:
        """Whether ships can pass between two neighbouring sectors."""
        one, other = self.map[a], self.map[b]
        direction = direction_to(a, b)
        return joined(
            opens(one.facts, one.rotation, direction),
            opens(other.facts, other.rotation, direction + 3),
            generator,
        )

    def reach(self, place: str, seat: int) -> Iterator[str]:
        """The neighbouring sectors this seat can reach through wormholes."""
        generator = self.has(seat, GENERATOR)
        for neighbour in around(place):
            if neighbour in self.map and self.connected(place, neighbour, generator):
                yield neighbour

    def enemies(self, place: str, seat: int) -> int:
        """Ships in a sector that this seat would have to fight; Draco and Ancients do not fight each other
        (p. 27)."""
        sector = self.map[place]
        others = sum(fleet.size for fleet in sector.fleets if fleet.seat != seat)
        ancients = 0 if self.at_peace(seat) else sector.ancients
        return others + ancients + int(sector.gcds)

    def at_peace(self, seat: int) -> bool:
        """Whether Ancients and this seat do not fight each other."""
        return self.seats[seat].species == "descendants-of-draco"

    def artifacts(self, seat: int) -> int:
        """Artifacts on controlled sectors."""
        return sum(self.map[place].facts.artifact for place in self.controlled(seat))

    # A board

    def discs_on_track(self, seat: int) -> int:
        """Discs that are neither on actions nor on sectors."""
        who = self.seats[seat]
        return who.discs - sum(who.acted.values()) - len(self.controlled(seat))

    def upkeep(self, seat: int, extra: int = 0) -> int:
        """The cost of this seat's discs at the end of the round, with `extra` more of them placed."""
        empty = CIRCLES - self.discs_on_track(seat) + extra
        return UPKEEP[min(max(0, empty), CIRCLES)]

    def income(self, seat: int, kind: Resource) -> int:
        """What a population track yields."""
        return self.yields(self.seats[seat].tracks.of(kind))

    def yields(self, cubes: int) -> int:
        """The yield of a population track with so many cubes on it; a track without an empty square yields
        nothing."""
        cubes = min(cubes, self.track_room)
        return PRODUCTION[CUBES_OF_A_TRACK - cubes] if cubes <= CUBES_OF_A_TRACK else 0

    @property
    def track_room(self) -> int:
        """How many cubes a population track holds."""
        return SQUARES_OF_A_TRACK if self.later else CUBES_OF_A_TRACK

    @property
    def storage(self) -> int:
        """How much of a resource can be stored."""
        return LIMITLESS if self.later else STORAGE

    def balance(self, seat: int, extra: int = 0) -> int:
        """The money left after upkeep; negative means bankruptcy (p. 24)."""
        return self.seats[seat].stock.money + self.income(seat, "money") - self.upkeep(seat, extra)

    def in_category(self, seat: int, category: Category) -> int:
        """How many technologies lie on one of a seat's tracks."""
        return sum(
            component_types.technologies()[t].category == category for t in self.seats[seat].technologies
        )

    def ships_on_map(self, seat: int, ship: Ship) -> int:
        """How many ships of a type a seat has on the map."""
        return sum(
            fleet.ships.get(ship, 0) for s in self.map.values() for fleet in s.fleets if fleet.seat == seat
        )

    def ships_left(self, seat: int, ship: Ship) -> int:
        """How many more of a type can be built."""
        return SHIPS_OF_A_SEAT[ship] - self.ships_on_map(seat, ship)

    def colony_ships(self, seat: int) -> int:
        """Colony ships that are face up."""
        return self.species(seat).colony_ships - self.seats[seat].colonised

    # The supply

    def in_bag(self, technology: str) -> int:
        """How many tiles of a technology were not drawn yet; a species' starting technologies are printed on
        its board."""
        owned = sum(
            technology in seat.technologies and technology not in self.species(index).technologies
            for index, seat in enumerate(self.seats)
        )
        return component_types.technologies()[technology].copies - self.offered.get(technology, 0) - owned

    def discoveries_left(self) -> int:
        """Discovery tiles in the supply."""
        lying = sum(sector.discovery for sector in self.map.values())
        taken = sum(seat.kept for seat in self.seats) + sum(self.used.values())
        return sum(tile.copies for tile in component_types.discoveries().values()) - lying - taken

    def reputation_left(self) -> int:
        """Reputation tiles in the bag."""
        return sum(t.copies for t in component_types.reputations().values()) - sum(
            s.reputation for s in self.seats
        )

    def structures_left(self) -> int:
        """Orbital and monolith tiles in the supply."""
        return component_types.STRUCTURES_IN_BOX - sum(s.orbital + s.monolith for s in self.map.values())

    def ancients_left(self) -> int:
        """Ancient ships in the supply."""
        return component_types.ANCIENTS_IN_BOX - sum(s.ancients for s in self.map.values())

    # Words

    def where(self, place: str) -> Text:
        """A sector by its printed number and name."""
        return self.called(self.map[place].hex)

    def called(self, id: str) -> Text:
        """The name of a hex, tile, part or board; an Ancient part has the name taught for its discovery tile."""
        component = component_types.everything()[component_types.scanned(id)]
        told = with_names(component, self.taught)
        ancient = told == component and id in component_types.ancient_parts()
        return (component_types.parts()[id] if ancient else told).called

    def name(self, seat: int) -> str:
        """A player's name."""
        return self.seats[seat].name


def does(state: EclipseState, seat: int, *deeds: Text, usual: bool = False) -> EclipseState:
    """News that tells a seat what to do; `usual` marks what the answering player does anyway."""
    return state.tell(say("eclipse.does", deeds=deeds), seat, kind="hands", usual=usual)


def tell_deed(state: EclipseState, seat: int, deed: Text) -> EclipseState:
    """News about what a seat does, if no piece has to be moved."""
    return state.tell(say("eclipse.does", deeds=(deed,)), seat)


def gain(state: EclipseState, seat: int, kind: Resource, n: int) -> EclipseState:
    """The table with more (or less) of a resource stored, up to the storage limit."""
    who = state.seats[seat]
    n = min(n, state.storage - who.stock.of(kind))
    return state.with_seat(seat, replace(who, stock=who.stock.add(kind, n)))


def kinds_for(square: str) -> tuple[Resource, ...]:
    """Which cubes a population square takes: gray ones any, orbitals money or science (p. 8)."""
    if square == "gray":
        return RESOURCES
    if square == "orbital":
        return ("money", "science")
    found = square.removesuffix("*")
    return tuple(kind for kind in RESOURCES if kind == found)


def put_ships(state: EclipseState, place: str, seat: int, ship: Ship, n: int = 1) -> EclipseState:
    """The table with ships put into a sector, or taken out of it (negative `n`).

    A seat without ships there counts as the last arrival; a seat with none left is removed, and would arrive
    last again.
    """
    sector = state.map[place]
    fleets = []
    for fleet in sector.fleets if sector.fleet(seat) else (*sector.fleets, Fleet(seat, {})):
        if fleet.seat == seat:
            ships = {**fleet.ships, ship: fleet.ships.get(ship, 0) + n}
            fleet = Fleet(seat, {s: k for s, k in ships.items() if k})
        if fleet.ships:
            fleets.append(fleet)
    return state.with_sector(place, replace(sector, fleets=tuple(fleets)))


def centre(state: EclipseState) -> Sector:
    """The Galactic Centre."""
    return state.map[CENTRE_PLACE]
