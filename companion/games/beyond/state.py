"""The table: faction boards, tree, systems with ships and bases, guilds, achievements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.components import Catalogue, Component, lookup
from companion.core.words import Text, say
from companion.games.beyond.component_types import (
    CARD_PLACES,
    COLUMNS,
    DEEP_SPACE,
    SOL,
    TRACK,
    YARDS,
    Achievement,
    AdvancedBoard,
    Basic,
    Board,
    Disc,
    Edition,
    Event,
    Guild,
    Side,
    Specialisation,
    System,
    Technology,
    Tracks,
    TreeBoard,
    everything,
    ids,
    technologies,
)
from companion.games.beyond.operations import Ability, AnyAbility

START_POPULATION, START_SHIPS = 2, 1
GOAL = {2: 3, 3: 3, 4: 4}
"""Discs on achievements that end the play (rule 181)."""
BESIDE = ""
"""The position of a pawn that lies beside the board."""

Phase = Literal["setup", "action", "production", "achievement", "over"]
A = TypeVar("A", bound=Ability)


class Ship(Struct, frozen=True, order=True):
    """A cube in space."""

    at: str
    level: int


class Colony(Struct, frozen=True):
    """A colonised system with its discs, the base first; one taken by an event has no discs (rule 113)."""

    system: str
    discs: tuple[Disc, ...] = ()


class Base(Struct, frozen=True):
    """The disc that shows who controls a location."""

    seat: int
    disc: Disc


class Node(Struct, frozen=True, omit_defaults=True):
    """A space of the tree: the card on it, if it was discovered, and who researched it."""

    card: str = ""
    seats: tuple[int, ...] = ()


class Kept(Struct, frozen=True, omit_defaults=True):
    """An event that stays in play: its owner, or None beside the board, and the system card laid beside it."""

    seat: int | None = None
    system: str = ""


class Seat(Struct, frozen=True, omit_defaults=True):
    """One faction; the discs on its tracks are not stored but derived (`BeyondState.left`)."""

    name: str
    board: str = ""
    ore: int = 0
    population: int = 0
    supply: tuple[int, ...] = (0, 0, 0, 0, 0)
    """Cubes in the columns from A; column A may hold more than it has slots (rule 63)."""
    automation: tuple[Disc, ...] = ()
    ships: tuple[Ship, ...] = ()
    museum: tuple[int, ...] = ()
    """Levels of ships that are out of play in the museum (rule 112)."""
    private: tuple[str, ...] = ()
    colonies: tuple[Colony, ...] = ()
    pawn: str = BESIDE
    used: tuple[str, ...] = ()
    """One-time abilities that were already used."""

    def strength(self, place: str) -> int:
        """The sum of the levels of its ships in a location (rule 122)."""
        return sum(ship.level for ship in self.ships if ship.at == place)

    def with_ships(self, *ships: Ship) -> Seat:
        """The faction with these ships added."""
        return replace(self, ships=tuple(sorted((*self.ships, *ships))))

    def without_ship(self, ship: Ship) -> Seat:
        """The faction with one such ship removed."""
        at = self.ships.index(ship)
        return replace(self, ships=(*self.ships[:at], *self.ships[at + 1 :]))


class BeyondState(State, frozen=True, kw_only=True, dict=True):
    """The whole table."""

    edition: Edition = "revised"
    advanced: bool = False
    """Whether advanced boards may be chosen."""
    seats: tuple[Seat, ...]
    first: int = 0
    round: int = 0
    active: int = 0
    phase: Phase = "setup"
    tree: dict[str, Node] = field(default_factory=dict)
    systems: dict[str, str] = field(default_factory=dict)
    """The system card on each of the four places; an empty place has no key."""
    bases: dict[str, Base] = field(default_factory=dict)
    guilds: tuple[str, ...] = ()
    """The uncovered guilds."""
    achievements: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The seats whose discs lie on each card, from the left."""
    seen_events: tuple[str, ...] = ()
    kept: dict[str, Kept] = field(default_factory=dict)
    decks: dict[str, int] = field(default_factory=lambda: {"A": 12, "B": 12})
    """How many system cards each deck still has."""
    worth: dict[str, int] = field(default_factory=dict)
    """The points players counted for a '?', by seat and component: see `worth_key`."""
    ending: int = 0
    """The round in which the end was triggered; one more is played (rule 183)."""

    # The running turn
    changed: bool = False
    """Whether the running action has changed anything so far (rule 45)."""
    open_places: tuple[str, ...] = ()
    """Systems nobody controlled when the turn began."""
    all_production: bool = False
    exchanges: int = 0
    swapped: bool = False
    """Whether ore replaced a retired cube in this action's cost."""
    announced: tuple[str, ...] = ()
    """Achievements the active seat says it fulfils, if only the players can judge."""
    held_before: dict[str, int | None] = field(default_factory=dict)
    """Who controlled a location before its ships were corrected; kept until the rules next check control."""

    @cached_property
    def box(self) -> Catalogue[Component]:
        """Everything in the box, with the facts its owner taught."""
        return everything(self.edition).taught(self.taught)

    # Components

    technology = lookup(Technology)
    system = lookup(System)
    event = lookup(Event)
    guild = lookup(Guild)
    achievement = lookup(Achievement)

    @property
    def basic(self) -> Basic:
        """The Basic Spacefaring section of this table (rule 24)."""
        return self.box.of(Basic, f"basic-{len(self.seats)}")

    @cached_property
    def side(self) -> Side:
        """The side of the exploration board that is up (rule 18)."""
        return self.box.of(Side, "side-2" if len(self.seats) == 2 else "side-3-4")

    @property
    def tree_board(self) -> TreeBoard:
        """The technology board."""
        return self.box.of(TreeBoard, "technology-board")

    def board(self, seat: int) -> Board | AdvancedBoard | None:
        """The faction board of a seat, or None before it is known."""
        found = self.box[self.seats[seat].board] if self.seats[seat].board else None
        assert found is None or isinstance(found, Board | AdvancedBoard)
        return found

    def tracks(self, seat: int) -> Tracks:
        """The tracks of a seat: all basic boards have the same (rule 178)."""
        board = self.board(seat)
        found = board if isinstance(board, AdvancedBoard) else self.box["basic-boards"]
        assert isinstance(found, Tracks)
        return found

    def name(self, id: str) -> Text:
        """The name of a component."""
        called: Text = self.box[id].called
        return called

    def place(self, place: str) -> Text:
        """The name of a location: that of the card there."""
        card = self.systems.get(place)
        return self.name(card) if card else say(f"beyond.place.{place}")

    def with_seat(self, index: int, seat: Seat) -> BeyondState:
        """The table with one seat changed."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def others(self, seat: int) -> tuple[int, ...]:
        """The other seats, clockwise."""
        n = len(self.seats)
        return tuple((seat + k) % n for k in range(1, n))

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """All seats, beginning with this one."""
        return (seat, *self.others(seat))

    # Faction boards

    def left(self, seat: int, kind: Specialisation) -> int:
        """Discs on a production track: all that are nowhere else (rule 82)."""
        who = self.seats[seat]
        away = who.automation.count(kind) + sum(colony.discs.count(kind) for colony in who.colonies)
        return TRACK - away - sum(base.seat == seat and base.disc == kind for base in self.bases.values())

    def removed(self, seat: int, kind: Specialisation) -> int:
        """Discs gone from a production track."""
        return TRACK - self.left(seat, kind)

    def growth(self, seat: int) -> tuple[str, ...]:
        """The columns of all visible growth symbols (rule 67)."""
        track = self.tracks(seat).growth or ()
        return tuple(letter for letter in track[: 1 + self.removed(seat, "food")] if letter != "none")

    def ore_income(self, seat: int) -> int:
        """The visible ore symbols (rule 69)."""
        return sum((self.tracks(seat).ore_track or ())[: 1 + self.removed(seat, "ore")])

    def sizes(self, seat: int) -> tuple[int, ...]:
        """How many cubes fit into each supply column."""
        columns = self.tracks(seat).columns
        return columns.sizes if columns else (0,) * len(COLUMNS)

    def cubes(self, seat: int) -> int:
        """All cubes of a faction, wherever they are: always 20 (rule 2)."""
        who = self.seats[seat]
        researched = sum(seat in node.seats for node in self.tree.values())
        return who.population + sum(who.supply) + len(who.ships) + len(who.museum) + researched

    # Tree

    def node(self, space: str) -> Node:
        """A space of the tree."""
        return self.tree.get(space, Node())

    def with_node(self, space: str, node: Node) -> BeyondState:
        """The table with one space of the tree changed."""
        return replace(self, tree={**self.tree, space: node})

    def researched(self, seat: int) -> frozenset[str]:
        """The spaces of the tree where a faction's cube lies."""
        return frozenset(space for space, node in self.tree.items() if seat in node.seats)

    def cards(self, seat: int) -> tuple[str, ...]:
        """The technologies of a faction: those of the tree, then private ones."""
        tree = (node.card for space, node in self.tree.items() if seat in node.seats and node.card)
        return (*tree, *self.seats[seat].private)

    def free_technologies(self, level: int) -> tuple[str, ...]:
        """Cards of a level that are still in the deck."""
        out = {node.card for node in self.tree.values()} | {id for who in self.seats for id in who.private}
        return tuple(id for id in technologies(self.edition, level) if id not in out)

    # Space

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """Where ships can be on this side of the board (rule 11)."""
        return (SOL, DEEP_SPACE, *CARD_PLACES, *YARDS[: len(self.side.yards or ())])

    @cached_property
    def routes(self) -> dict[str, tuple[str, ...]]:
        """The neighbours of each location; empty if the routes are unknown."""
        found: dict[str, set[str]] = {place: set() for place in self.locations}
        for route in self.side.routes or ():
            if route.one != route.other and route.one in found and route.other in found:
                found[route.one].add(route.other)
                found[route.other].add(route.one)
        return {place: tuple(p for p in self.locations if p in others) for place, others in found.items()}

    @property
    def controllable(self) -> tuple[str, ...]:
        """Locations that can be controlled: places with a system card, and shipyards (rules 130, 131, 161)."""
        return tuple(p for p in self.locations if p in self.systems or p in YARDS)

    def controller(self, place: str) -> int | None:
        """The seat whose base lies there, or None."""
        base = self.bases.get(place)
        return None if base is None else base.seat

    def held(self, seat: int) -> tuple[str, ...]:
        """The locations a faction controls."""
        return tuple(place for place, base in self.bases.items() if base.seat == seat)

    def specialisations(self, place: str) -> tuple[Specialisation, ...]:
        """Which discs may lie there (rule 12); both kinds if unknown."""
        if place in YARDS:
            yards, n = self.side.yards or (), YARDS.index(place)
            printed = yards[n] if n < len(yards) else "both"
            return ("food", "ore") if printed == "both" else (printed,)
        return self.specialised(self.systems[place]) if place in self.systems else ()

    def specialised(self, system: str) -> tuple[Specialisation, ...]:
        """Which discs may lie on a system card; both kinds if unknown."""
        told = self.system(system).specialisations or ("food", "ore")
        return tuple(kind for kind in ("food", "ore") if kind in told)

    def undrawn_systems(self) -> tuple[str, ...]:
        """System cards that are still in the decks."""
        out = {*self.systems.values(), *(kept.system for kept in self.kept.values())}
        out |= {colony.system for who in self.seats for colony in who.colonies}
        return tuple(id for id in ids("systems") if id not in out)

    # Abilities

    def abilities(self, seat: int) -> Iterator[tuple[str, AnyAbility]]:
        """The lasting abilities of a faction, each with the component that prints it (rule 98)."""
        for card in self.cards(seat):
            for ability in self.technology(card).abilities or ():
                yield card, ability
        for colony in self.seats[seat].colonies:
            for ability in self.system(colony.system).abilities or ():
                yield colony.system, ability
        board = self.board(seat)
        if isinstance(board, AdvancedBoard):
            for ability in board.abilities or ():
                yield board.id, ability

    def has(self, seat: int, sort: type[A]) -> bool:
        """Whether a faction has an ability."""
        return any(isinstance(ability, sort) for _, ability in self.abilities(seat))

    # The end

    @property
    def claimed(self) -> int:
        """Discs on achievement cards (rule 181)."""
        return sum(map(len, self.achievements.values()))

    @property
    def goal(self) -> int:
        """How many discs on achievements end the play."""
        return GOAL[len(self.seats)]


def worth_key(seat: int, component: str) -> str:
    """The key of a seat's '?' in `BeyondState.worth`."""
    return f"{seat}:{component}"
