"""The table of Eclipse: the map, the boards and what is left in the supply."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.components import with_names
from companion.core.words import Text, say
from companion.games.eclipse import things
from companion.games.eclipse.geometry import CENTRE_PLACE, around, direction_to, joined, opens
from companion.games.eclipse.things import (
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

GENERATOR = "tech-wormhole-generator"
EMPTY_TRACKS = Stock(CUBES_OF_A_TRACK, CUBES_OF_A_TRACK, CUBES_OF_A_TRACK)


class Fleet(Struct, frozen=True, omit_defaults=True):
    """One seat's ships in a sector; a sector keeps its fleets in the order in which they came."""

    seat: int
    ships: dict[Ship, int]

    @property
    def size(self) -> int:
        """How many ships there are."""
        return sum(self.ships.values())


class Sector(Struct, frozen=True, omit_defaults=True):
    """A hex on the table; `cubes` says for each printed square, and then the orbital, whether a cube lies there."""

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
        return things.sectors()[self.hex]

    @property
    def squares(self) -> tuple[tuple[Square | str, bool], ...]:
        """Every population square with whether it is taken; an orbital is one more."""
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
    """One player's board. Ships and discs on the track are what is not elsewhere."""

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
    """Tiles on the slots of a blueprint; an empty name leaves what is printed there."""
    spare: tuple[str, ...] = ()
    """Ancient parts kept beside the board."""
    colonised: int = 0
    """Colony ships turned face down."""
    partners: tuple[int, ...] = ()
    """Seats whose ambassador, with a cube on it, lies here; they have ours, with a cube of ours."""
    reputation: int = 0
    revealed: tuple[int, ...] = ()
    """Values of reputation tiles, told at the end."""
    kept: int = 0
    """Discovery tiles kept for two points."""
    passed: bool = False
    out: bool = False
    """Fallen into chaos: the pieces are back in the box, the points are counted (p. 24)."""


class Stack(Struct, frozen=True, omit_defaults=True):
    """A stack of hexes: which of them may lie there, how many do, and what was discarded."""

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
    """Who has the first player marker."""
    passed_first: int | None = None
    """Who passed first in this round, and begins the next."""
    offered: dict[str, int] = msgspec.field(default_factory=dict)
    """Technology tiles on the supply board."""
    stacks: dict[str, Stack] = msgspec.field(default_factory=dict)
    used: dict[str, int] = msgspec.field(default_factory=dict)
    """Discovery tiles that were used for their fronts."""
    traitor: int | None = None
    declined: tuple[int, ...] = ()
    """Who has refused an ambassador in this turn."""
    odds: bool = True
    """Whether the chances of a battle are told before it."""
    later: bool = False
    """Whether later rulings are followed where they differ from the rulebook."""

    def species(self, seat: int) -> Species:
        """The board of a seat."""
        return things.species()[self.seats[seat].species]

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
        """Where this seat has a disc."""
        return [place for place, sector in self.map.items() if sector.owner == seat]

    def has(self, seat: int, technology: str) -> bool:
        """Whether a seat has researched a technology."""
        return technology in self.seats[seat].technologies

    def connected(self, a: str, b: str, generator: bool = False) -> bool:
        """Whether one can go from one neighbouring sector to the other."""
        one, other = self.map[a], self.map[b]
        direction = direction_to(a, b)
        return joined(
            opens(one.facts, one.rotation, direction),
            opens(other.facts, other.rotation, direction + 3),
            generator,
        )

    def reach(self, place: str, seat: int) -> Iterator[str]:
        """The sectors next to this one that this seat's wormholes lead to."""
        generator = self.has(seat, GENERATOR)
        for neighbour in around(place):
            if neighbour in self.map and self.connected(place, neighbour, generator):
                yield neighbour

    def enemies(self, place: str, seat: int) -> int:
        """Ships in a sector that this seat would have to fight; Draco and Ancients leave each other alone (p. 27)."""
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
        """What this seat's discs cost at the end of the round, with so many more of them placed."""
        empty = CIRCLES - self.discs_on_track(seat) + extra
        return UPKEEP[min(max(0, empty), CIRCLES)]

    def income(self, seat: int, kind: Resource) -> int:
        """What a population track yields."""
        return self.yields(self.seats[seat].tracks.of(kind))

    def yields(self, cubes: int) -> int:
        """What a population track yields with so many cubes on it; a track without an empty square yields nothing."""
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
        """The money there would be after upkeep; below zero is bankruptcy (p. 24)."""
        return self.seats[seat].stock.money + self.income(seat, "money") - self.upkeep(seat, extra)

    def in_category(self, seat: int, category: Category) -> int:
        """How many technologies lie on one of a seat's tracks."""
        return sum(things.technologies()[t].category == category for t in self.seats[seat].technologies)

    def ships_on_map(self, seat: int, ship: Ship) -> int:
        """How many ships of a type a seat has built."""
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
        """How many tiles of a technology were not drawn yet; what a species starts with is printed on its board."""
        owned = sum(
            technology in seat.technologies and technology not in self.species(index).technologies
            for index, seat in enumerate(self.seats)
        )
        return things.technologies()[technology].copies - self.offered.get(technology, 0) - owned

    def discoveries_left(self) -> int:
        """Discovery tiles in the supply."""
        lying = sum(sector.discovery for sector in self.map.values())
        taken = sum(seat.kept for seat in self.seats) + sum(self.used.values())
        return sum(tile.copies for tile in things.discoveries().values()) - lying - taken

    def reputation_left(self) -> int:
        """Reputation tiles in the bag."""
        return sum(t.copies for t in things.reputations().values()) - sum(s.reputation for s in self.seats)

    def structures_left(self) -> int:
        """Orbital and monolith tiles in the supply."""
        return things.STRUCTURES_IN_BOX - sum(s.orbital + s.monolith for s in self.map.values())

    def ancients_left(self) -> int:
        """Ancient ships in the supply."""
        return things.ANCIENTS_IN_BOX - sum(s.ancients for s in self.map.values())

    # Words

    def where(self, place: str) -> Text:
        """A sector by its printed number and name."""
        return self.called(self.map[place].hex)

    def called(self, id: str) -> Text:
        """How people call a hex, tile, part or board; an Ancient part as they told of its discovery tile."""
        component = things.everything()[things.scanned(id)]
        told = with_names(component, self.taught)
        return (things.parts()[id] if told == component and id in things.ancient_parts() else told).called

    def name(self, seat: int) -> str:
        """A player's name."""
        return self.seats[seat].name


def does(state: EclipseState, seat: int, *deeds: Text, usual: bool = False) -> EclipseState:
    """Tell a seat what to do with its hands; `usual` is what whoever answered does anyway."""
    return state.tell(say("eclipse.does", deeds=deeds), seat, kind="hands", usual=usual)


def told(state: EclipseState, seat: int, deed: Text) -> EclipseState:
    """Tell the table what a seat does, if nothing has to be moved for it."""
    return state.tell(say("eclipse.does", deeds=(deed,)), seat)


def gain(state: EclipseState, seat: int, kind: Resource, n: int) -> EclipseState:
    """The table with more (or less) of a resource in store, as far as it can be stored."""
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
    """The table with ships put into a sector, or taken out of it (n below zero).

    Whoever has no ships there yet comes last; whoever has none left is forgotten, and would come last again.
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
