"""The state of a table of New Frontiers; everything is public except a goal kept face down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.components import Catalogue, Component, lookup
from companion.core.facts import AskFact, ask_fact
from companion.core.words import Text, say
from companion.games.frontiers.component_types import (
    CUBES,
    NAMED_PAIRS,
    Development,
    Tile,
    World,
    everything,
    ids,
    stacks,
)
from companion.games.frontiers.powers import AnyPower, P
from scoring.frontiers import Kind, Phase

PER_SEAT = 12
"""Points in the pool and colonists in the supply for each seat (p. 2)."""
SPACES = 10
"""Development spaces of a mat; covering more ends the play (p. 4)."""
MOST_WORLDS = 9
"""Colonies and explored worlds together (p. 5)."""
COLONIES_END = 8
COLONISTS_END = 5
"""If the supply has fewer colonists than this after a Settle action, the play ends (p. 7)."""

InOrder = Literal["end", "copies", "short"]
"""Why seats resolve an action one after another (p. 10)."""

PowerId = tuple[str, int]
"""A tile and the index of the power in its list."""


def worth_key(seat: int, tile: str) -> str:
    """The key of a seat's '?' in `FrontiersState.worth`."""
    return f"{seat}:{tile}"


class Colony(Struct, frozen=True, omit_defaults=True):
    """A settled world: the cube on it, if any, and its colonists."""

    tile: str
    good: Kind | None = None
    colonists: int = 1


class Seat(Struct, frozen=True, omit_defaults=True):
    """One empire; the fields of the current action are reset when the action is over."""

    name: str
    credits: int = 0
    chips: int = 0
    colonists: int = 0
    """On the mat, free to use."""
    colonies: tuple[Colony, ...] = ()
    explored: tuple[str, ...] = ()
    developments: tuple[str, ...] = ()
    stored_worlds: tuple[str, ...] = ()
    stored_goods: tuple[Kind, ...] = ()
    stored_credits: int = 0

    # Fields of the current action
    fresh: tuple[str, ...] = ()
    """Tiles gained in this action; their powers do not work in it (p. 4)."""
    produced: tuple[str, ...] = ()
    """Colonies that got a good in this Produce action."""
    consumed: int = 0
    sold: int = 0
    """Credits from the sale of this action."""
    bonus_military: int = 0
    """Military from goods removed in this action."""
    used: tuple[PowerId, ...] = ()
    """Once-per-action powers used in this action."""
    named: Kind | None = None
    """The kind of the Oort Cloud Refinery in this action."""
    told_discounts: tuple[tuple[str, int], ...] = ()
    """How much untaught powers make things cheaper in this action, by tile, as the players told."""

    @property
    def home(self) -> str | None:
        """The home colony, unless it was replaced."""
        homes = (colony.tile for colony in self.colonies if colony.tile in ids("homes"))
        return next(homes, None)

    @property
    def goods(self) -> int:
        """Cubes on its colonies."""
        return sum(colony.good is not None for colony in self.colonies)

    def colony(self, tile: str) -> Colony | None:
        """The colony on this tile."""
        return next((colony for colony in self.colonies if colony.tile == tile), None)

    def with_colony(self, colony: Colony) -> Seat:
        """The same empire with this colony changed."""
        changed = (colony if c.tile == colony.tile else c for c in self.colonies)
        return replace(self, colonies=tuple(changed))

    def after_action(self) -> Seat:
        """The same empire once the action is over."""
        return replace(
            self,
            fresh=(),
            produced=(),
            consumed=0,
            sold=0,
            bonus_military=0,
            used=(),
            named=None,
            told_discounts=(),
        )


class Selection(Struct, frozen=True):
    """An action tile taken in this round, and with which disc."""

    action: str
    disc: int


class FrontiersState(State, frozen=True, kw_only=True, dict=True):
    """The whole table."""

    goals: bool = False
    """Whether galactic goals are used instead of Isolation."""
    seats: tuple[Seat, ...]
    track: tuple[int, ...] = ()
    """The discs on the priority track from the left; a disc's seat is its number modulo the seats."""
    round: int = 0
    selected: tuple[Selection, ...] = ()
    action: str | None = None
    """The action tile being resolved: the last one selected."""
    produce_credits: int = 0
    """Credits on the Produce tile."""
    aside: tuple[str, ...] = ()
    """Worlds replaced in this Settle action; they go into the bag when it is over (p. 7)."""
    goals_up: tuple[str, ...] = ()
    hidden_goal: int | None = None
    """The seat that keeps a goal face down."""
    ending: tuple[str, ...] = ()
    """The conditions that have ended the play, which goes on to the end of the round (p. 9)."""
    worth: dict[str, int] = field(default_factory=dict)
    """The points the players counted for untaught '?', by seat and tile: see `counted`."""
    faces: tuple[str, ...] = ()
    """The faces of two-faced developments that are up, as far as known."""
    first: bool = False
    """Whether it is a first game: the sides with a white square are used (p. 2)."""
    in_order: InOrder | None = None
    """Why seats resolve this action one after another, if they do."""

    @cached_property
    def box(self) -> Catalogue[Component]:
        """Everything in the box, with the facts the owner of the box taught."""
        return everything().taught(self.taught)

    tile = lookup(Tile)
    world = lookup(World)
    development = lookup(Development)

    def asked_formerly(self) -> tuple[AskFact, ...]:
        """Each home was asked for as soon as it was chosen; with the answer came the good of a home with a halo."""
        homes = {} if self.round else {seat: who.home for seat, who in enumerate(self.seats) if who.home}
        return tuple(
            ask_fact("frontiers", self.tile(home), *(self.tile(home).untold() or ("product",)), seat=seat)
            for seat, home in homes.items()
            if self.tile(home).untold() or self.lacks_good(seat, home)
        )

    def lacks_good(self, seat: int, home: str) -> bool:
        """Whether a home with a halo has no good."""
        colony = self.seats[seat].colony(home)
        return self.world(home).goods == "windfall" and colony is not None and colony.good is None

    def name(self, id: str) -> Text:
        """The printed name of a component."""
        return self.box[id].called

    def with_seat(self, index: int, seat: Seat) -> FrontiersState:
        """The same table with one seat changed."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    # The track

    def seat_of(self, disc: int) -> int:
        """Whose disc this is."""
        return disc % len(self.seats)

    @property
    def next_disc(self) -> int | None:
        """The leftmost disc that has not yet selected in this round (p. 3)."""
        done = {selection.disc for selection in self.selected}
        return next((disc for disc in self.track if disc not in done), None)

    @property
    def selector(self) -> int | None:
        """The seat whose action is being resolved."""
        return self.seat_of(self.selected[-1].disc) if self.action and self.selected else None

    def order(self) -> tuple[int, ...]:
        """The seats as they resolve the action: from the selecting disc to the right and round (p. 3)."""
        if not self.selected:
            return tuple(dict.fromkeys(map(self.seat_of, self.track))) or tuple(range(len(self.seats)))
        at = self.track.index(self.selected[-1].disc)
        return tuple(dict.fromkeys(map(self.seat_of, (*self.track[at:], *self.track[:at]))))

    @property
    def order_notes(self) -> tuple[Text, ...]:
        """One line on the questions of an action resolved in order: why the others wait."""
        return () if self.in_order is None else (say(f"frontiers.in-order.{self.in_order}"),)

    # The supply

    @property
    def pool_start(self) -> int:
        """Points in the pool before the first chip was taken."""
        return PER_SEAT * len(self.seats)

    @property
    def pool(self) -> int:
        """Points left in the pool; negative by the number of points taken in ten-point chips."""
        return self.pool_start - sum(seat.chips for seat in self.seats)

    @property
    def supply(self) -> int:
        """Colonists left in the common supply."""
        used = (seat.colonists + sum(c.colonists for c in seat.colonies) for seat in self.seats)
        return PER_SEAT * len(self.seats) - sum(used)

    def cubes(self) -> dict[str, int]:
        """Goods left in the box, by kind."""
        lying: Counter[str] = Counter()
        for seat in self.seats:
            lying.update(colony.good for colony in seat.colonies if colony.good is not None)
            lying.update(seat.stored_goods)
        return {kind: n - lying[kind] for kind, n in CUBES.items()}

    def bag(self) -> tuple[str, ...]:
        """The worlds in the bag."""
        out = set(self.aside)
        for seat in self.seats:
            out.update(seat.explored, seat.stored_worlds, (colony.tile for colony in seat.colonies))
        return tuple(id for id in ids("worlds") if id not in out)

    def copies(self, development: str) -> int:
        """How many copies of a development are used with this number of players (p. 2)."""
        return self.development(development).put_out(len(self.seats))

    def left(self, development: str) -> int:
        """How many of a development are still on display."""
        return self.copies(development) - sum(development in seat.developments for seat in self.seats)

    def face_up(self, stack: str) -> str | None:
        """The face of a two-faced stack that is certainly in play: the players told it, or a seat owns it and
        the rulebook itself says that it replaces the other (p. 8)."""
        pair = stacks().get(stack, ())
        owned = (id for seat in self.seats for id in seat.developments if stack in NAMED_PAIRS)
        return next((id for id in (*self.faces, *owned) if id in pair), None)

    @property
    def goals_left(self) -> int:
        """Goals in the face-down stack."""
        return len(ids("goals")) - len(self.goals_up) - (self.hidden_goal is not None)

    # Empires

    def tiles(self, seat: int) -> tuple[Tile, ...]:
        """The colonies and developments of an empire."""
        who = self.seats[seat]
        return tuple(self.tile(id) for id in (*(c.tile for c in who.colonies), *who.developments))

    def active(self, seat: int) -> Iterator[Tile]:
        """The tiles whose powers work in this action: not those gained in it."""
        fresh = self.seats[seat].fresh
        return (tile for tile in self.tiles(seat) if tile.id not in fresh)

    def powers(self, seat: int, phase: Phase) -> Iterator[tuple[PowerId, AnyPower]]:
        """The powers of a seat that work in an action, with their ids."""
        for tile in self.active(seat):
            for n, power in enumerate(tile.powers or ()):
                if power.phase == phase:
                    yield (tile.id, n), power

    def having(self, seat: int, sort: type[P]) -> Iterator[tuple[Tile, P]]:
        """The working powers of one sort, with their tiles."""
        for tile in self.active(seat):
            for power in tile.having(sort):
                yield tile, power

    def counted(self, seat: int, tile: str) -> int | None:
        """The points the players counted for the '?' of a tile at this seat: a small development may lie in
        two empires."""
        return self.worth.get(worth_key(seat, tile))

    def covered(self, seat: int) -> int:
        """Development spaces an empire covers."""
        return sum(self.development(id).size for id in self.seats[seat].developments)
