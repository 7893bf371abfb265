"""The table of Transgalactica: all of it is public except for the objectives."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.components import Catalogue, Component, lookup
from companion.core.facts import AskFact, ask_fact
from companion.core.words import Text
from companion.games.transgalactica.component_types import (
    POOL,
    Board,
    ControlPanel,
    CrewSpace,
    Decree,
    Mission,
    MissionRows,
    OutpostSpace,
    Pirate,
    Planet,
    Production,
    RuleChange,
    Technology,
    TechnologyRows,
    Token,
    TrackSpace,
    everything,
    space_id,
    token_ids,
)
from companion.games.transgalactica.effects import Effects, MiningSymbol

RAISED = 2
"""How much a symbol raises trade or military until the end of the round (rule 68)."""

Phase = Literal["setup", "income", "actions", "maintenance", "end"]


class Outpost(Struct, frozen=True, omit_defaults=True):
    """An outpost on the map; `slot` is None on the central planet and on an action planet that was full."""

    planet: str
    slot: int | None = None


class Held(Struct, frozen=True, omit_defaults=True):
    """A bonus token before a seat; a used one lies face down."""

    token: str
    used: bool = False


class Seat(Struct, frozen=True, omit_defaults=True):
    """One fleet; the last fields are reset at the end of each round."""

    name: str
    vp: int = 0
    energy: int = 0
    mineral: int = 0
    alien: int = 0
    credit: int = 0
    technology: int = 0
    """The position of the marker, not the level: see `TransState.level`."""
    military: int = 0
    production: int = 0
    politics: int = 0
    trade: int = 0
    captains: int = 2
    crew: int = 1
    """Mobilised crew on the panel, without crew placed in this round."""
    capsules: int = 5
    gone: int = 0
    """Crew out of the game."""
    lieutenant: bool = False
    ability: str | None = None
    ships: tuple[str, ...] = ()
    """The spaces the ships are on."""
    outposts: tuple[Outpost, ...] = ()
    technologies: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    missions: tuple[str, ...] = ()
    """Completed missions."""
    pirates: tuple[str, ...] = ()
    mining: tuple[str, ...] = ()
    """Tokens on the mining track from the top, also fleet and pirate tokens with the mining symbol (p. 11)."""
    fleet: tuple[str, ...] = ()
    """Fleet tokens in the order of unlocking, on the income track or the mining track."""
    tokens: tuple[Held, ...] = ()
    bank: tuple[Held, ...] = ()
    """The tokens of the token bank."""
    objectives: tuple[str, ...] = ()
    double: bool = False
    """Whether the next income counts twice."""
    drafted: bool = False
    """Whether it has received its wealth cards."""
    paid_fleet: tuple[str, ...] = ()
    """Fleet tokens unlocked in this income phase, which have already paid in it (p. 19)."""
    waiting: Effects = ()
    """Moves and outposts gained before the ships were placed (p. 6)."""

    # The running round
    captains_out: int = 0
    crew_out: int = 0
    lieutenant_out: bool = False
    used: tuple[str, ...] = ()
    """Action planets, once-per-round technologies and abilities used in this round."""
    raised: tuple[Literal["trade", "military"], ...] = ()
    override: bool = False

    @property
    def resources(self) -> int:
        """The sum of energy, minerals and aliens; credits are not resources (rule 10)."""
        return self.energy + self.mineral + self.alien

    @property
    def planets(self) -> tuple[str, ...]:
        """The planets with its outposts, in the order of placing."""
        return tuple(outpost.planet for outpost in self.outposts)

    @property
    def markers(self) -> int:
        """Development markers in the hold (rules 25, 117)."""
        return 2 + (self.trade + 1) // 2 - len(self.technologies)

    @property
    def captains_here(self) -> int:
        """Captains that may still be placed."""
        return self.captains - self.captains_out

    def more(self, track: Literal["trade", "military"]) -> int:
        """How much a level is raised until the end of the round (rule 68)."""
        return RAISED * sum(one == track for one in self.raised)

    @property
    def lieutenant_here(self) -> bool:
        """Whether the lieutenant may still be placed."""
        return self.lieutenant and not self.lieutenant_out


class Used(Struct, frozen=True):
    """A captain on a main space in this round."""

    action: str
    seat: int


class TransState(State, frozen=True, kw_only=True, dict=True):
    """The whole table."""

    choices: dict[str, str] = field(default_factory=dict)
    seats: tuple[Seat, ...]
    order: tuple[int, ...] = ()
    """The seats of the priority markers from left to right."""
    segments: tuple[int, ...] = ()
    """The segment of the track each seat's marker is in."""
    round: int = 0
    phase: Phase = "setup"
    technologies: tuple[str, ...] = ()
    display: tuple[str, ...] = ()
    """The missions laid out, unordered: see `missions_of`."""
    decrees: tuple[str, ...] = ()
    """One for each office."""
    senate: tuple[tuple[int, ...], ...] = ()
    """The seats in each office, in the order of arriving."""
    planets: dict[str, str] = field(default_factory=dict)
    """The planet on each space of the map."""
    pirates: dict[str, str] = field(default_factory=dict)
    """The pirate token of each planet; "" if not known yet."""
    rewards: tuple[str, ...] = ()
    """Action planets that still have their bonus token."""
    emptied: tuple[str, ...] = ()
    """Track spaces whose bonus tokens are gone."""
    mining_token: bool = True
    mining_stack: int = 0
    discarded: tuple[str, ...] = ()
    """Tokens and cards that were returned to the box."""
    empty_decks: tuple[int, ...] = ()
    used: tuple[Used, ...] = ()
    active: int | None = None
    """The seat whose turn it is."""
    passed: int = 0
    """How many seats have passed in a row."""

    # The box

    @cached_property
    def box(self) -> Catalogue[Component]:
        """Everything in the box, with the facts its owner taught."""
        return everything().taught(self.taught)

    planet = lookup(Planet)
    technology = lookup(Technology)
    mission = lookup(Mission)
    decree = lookup(Decree)

    def token(self, id: str) -> Token | Pirate:
        """A token or a wealth card."""
        found = self.box[id]
        assert isinstance(found, Token | Pirate)
        return found

    def shows(self, id: str) -> Effects:
        """The symbols of a token; empty if unknown."""
        return self.token(id).shows or ()

    def is_mined(self, id: str) -> bool:
        """Whether a token has the mining symbol: it lies on the mining track and pays there (p. 11)."""
        return MiningSymbol() in self.shows(id)

    def asked_formerly(self) -> tuple[AskFact, ...]:
        """Planets and missions were asked for as soon as each was laid out."""
        laid = [*map(self.planet, self.planets.values()), *map(self.mission, self.display)]
        unknown = [component for component in laid if component.unknown()]
        return tuple(ask_fact("transgalactica", one, *one.unknown()) for one in unknown[-1:])

    def space(self, track: str, at: int) -> TrackSpace:
        """A space of a main track."""
        return self.box.of(TrackSpace, space_id(track, at))

    def outpost_space(self, n: int) -> OutpostSpace:
        """The space of the n-th outpost, counted from 1."""
        return self.box.of(OutpostSpace, f"outpost-space-{n}")

    def crew_space(self, n: int, captain: bool) -> CrewSpace:
        """The n-th mobilisation space, counted from 1."""
        return self.box.of(CrewSpace, f"{'captain' if captain else 'crew'}-space-{n}")

    @property
    def panel(self) -> ControlPanel:
        """What is printed on control panels."""
        return self.box.of(ControlPanel, "control-panel")

    @property
    def board(self) -> Board:
        """The map for this many players."""
        return self.box.of(Board, f"board-{len(self.seats)}")

    @property
    def technology_rows(self) -> TechnologyRows:
        """The levels at which technologies become accessible."""
        return self.box.of(TechnologyRows, "technology-rows")

    @property
    def mission_rows(self) -> MissionRows:
        """The levels at which missions become accessible."""
        return self.box.of(MissionRows, "mission-rows")

    @property
    def production(self) -> Production:
        """The resources of each planet colour."""
        return self.box.of(Production, "production-colours")

    def name(self, id: str) -> Text:
        """The name of a component: the taught one, or its working name."""
        called: Text = self.box[id].called
        return called

    # Seats

    def with_seat(self, index: int, seat: Seat) -> TransState:
        """The table with one seat changed."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def after(self, seat: int) -> tuple[int, ...]:
        """The other seats in turn order, starting after this seat (rule 38)."""
        at = self.order.index(seat)
        return (*self.order[at + 1 :], *self.order[:at])

    def own_turn(self, seat: int) -> bool:
        """Whether a seat may do free deeds: in its own turn or, if agreed, while following (rule 45)."""
        return self.phase == "actions" and (self.active == seat or self.choices.get("following") == "also")

    def has(self, seat: int, rule: RuleChange) -> bool:
        """Whether a seat has a technology that changes this rule."""
        return any(self.technology(id).rule == rule for id in self.seats[seat].technologies)

    def able(self, seat: int, ability: str) -> bool:
        """Whether a seat has this ability tile."""
        return self.seats[seat].ability == ability

    def level(self, seat: int, track: str) -> int:
        """A seat's level (rules 58, 59) with raises, as for slots, missions, pirates, decrees and gates."""
        who = self.seats[seat]
        if track == "trade":
            return who.trade + who.more("trade")
        printed = self.space(track, getattr(who, track)).level
        if track == "military":
            return printed + who.more("military")
        higher = track in ("technology", "politics") and self.has(seat, "higher-levels")
        return printed + (1 if higher else 0)

    def colonies(self, seat: int, *, coloured: bool = False) -> tuple[Planet, ...]:
        """The planets with a seat's outposts, and its Nightmare if the table agreed so (rule 167).

        An agreement may also let it count only where colours matter (`coloured`), though it is not on the
        map.
        """
        planets = tuple(self.planet(id) for id in self.seats[seat].planets)
        agreed = self.choices.get("nightmare", "aside")
        counts = agreed == "outpost" or (agreed == "colours" and coloured)
        return (*planets, self.planet(NIGHTMARE)) if counts and self.able(seat, NIGHTMARE_TILE) else planets

    def seats_taken(self, seat: int) -> int:
        """How many crew members of a seat sit in the senate."""
        return sum(office.count(seat) for office in self.senate)

    # What is left

    def pool(self, what: str) -> int:
        """Resources of one kind in the pool; negative if substitutes had to be used (rule 6)."""
        return POOL[what] - sum(int(getattr(seat, what)) for seat in self.seats)

    def tokens_left(self, sort: str) -> tuple[str, ...]:
        """The tokens or cards of one sort that no seat has and that were not discarded."""
        out = set(self.discarded)
        for seat in self.seats:
            out.update(seat.mining, seat.fleet, (held.token for held in (*seat.tokens, *seat.bank)))
        return tuple(id for id in token_ids(sort) if id not in out)

    def where(self, planet: str) -> str | None:
        """The space a planet lies on."""
        return next((space for space, id in self.planets.items() if id == planet), None)

    def slots_taken(self, planet: str) -> dict[int, int]:
        """The seat on each taken slot of a planet."""
        return {
            outpost.slot: index
            for index, seat in enumerate(self.seats)
            for outpost in seat.outposts
            if outpost.planet == planet and outpost.slot is not None
        }

    def missions_of(self, level: int) -> tuple[str, ...]:
        """The missions of a level in display order, the lowest number at the bottom (rule 19)."""
        laid = [self.mission(id) for id in self.display if self.mission(id).level == level]
        return tuple(m.id for m in sorted(laid, key=lambda m: (m.number or 0, m.id)))

    def deck(self, level: int) -> tuple[str, ...]:
        """The missions of a level that were not seen yet."""
        out = set(self.display)
        for seat in self.seats:
            out.update(seat.log, seat.missions)
        every = (c for c in self.box if isinstance(c, Mission) and c.level == level)
        return tuple(mission.id for mission in every if mission.id not in out)


NIGHTMARE = "technological-nightmare"
NIGHTMARE_TILE = "technological-nightmare-tile"


def crew_of(seat: Seat, senate: int) -> int:
    """The number of all crew of a seat, wherever it is: always six, including the lieutenant."""
    return seat.crew + seat.crew_out + seat.capsules + seat.gone + senate
