"""The table of Transgalactica: all of it is public but for the objectives."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.components import Catalogue, Component
from companion.core.words import Text
from companion.games.transgalactica.effects import Effects, MiningSymbol
from companion.games.transgalactica.things import (
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

RAISED = 2
"""By so much a symbol raises trade or military until the end of the round (rule 68)."""

Phase = Literal["setup", "income", "actions", "maintenance", "end"]


class Outpost(Struct, frozen=True, omit_defaults=True):
    """An outpost on the map; it has no slot on the central planet, nor on an action planet that was full."""

    planet: str
    slot: int | None = None


class Held(Struct, frozen=True, omit_defaults=True):
    """A bonus token before a seat; a used one lies face down."""

    token: str
    used: bool = False


class Seat(Struct, frozen=True, omit_defaults=True):
    """One fleet; the last fields are forgotten at the end of each round."""

    name: str
    vp: int = 0
    energy: int = 0
    mineral: int = 0
    alien: int = 0
    credit: int = 0
    technology: int = 0
    """Where the marker stands, not the level: see `TransState.level`."""
    military: int = 0
    production: int = 0
    politics: int = 0
    trade: int = 0
    captains: int = 2
    crew: int = 1
    """Mobilised crew on the panel, without those placed in this round."""
    capsules: int = 5
    gone: int = 0
    """Crew out of the game."""
    lieutenant: bool = False
    ability: str | None = None
    ships: tuple[str, ...] = ()
    """The spaces where they are."""
    outposts: tuple[Outpost, ...] = ()
    technologies: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    missions: tuple[str, ...] = ()
    """Those completed."""
    pirates: tuple[str, ...] = ()
    mining: tuple[str, ...] = ()
    """Tokens on the mining track, from the top: also fleet and pirate tokens with the mining symbol (p. 11)."""
    fleet: tuple[str, ...] = ()
    """Fleet tokens in the order of unlocking: on the income track, or on the mining track."""
    tokens: tuple[Held, ...] = ()
    bank: tuple[Held, ...] = ()
    """The tokens of the token bank."""
    objectives: tuple[str, ...] = ()
    double: bool = False
    """Whether the next income counts twice."""
    drafted: bool = False
    """Whether it has had its wealth cards."""
    paid_fleet: tuple[str, ...] = ()
    """Fleet tokens unlocked in this income phase: they have paid in it already (p. 19)."""
    waiting: Effects = ()
    """Moves and outposts gained before the ships were placed (p. 6)."""

    # What belongs to the round
    captains_out: int = 0
    crew_out: int = 0
    lieutenant_out: bool = False
    used: tuple[str, ...] = ()
    """Action planets, once-per-round technologies and abilities used in this round."""
    raised: tuple[Literal["trade", "military"], ...] = ()
    override: bool = False

    @property
    def resources(self) -> int:
        """Energy, minerals and aliens together; credits are none (rule 10)."""
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
        """By how much a level is raised until the end of the round (rule 68)."""
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
    """The priority markers from left to right."""
    segments: tuple[int, ...] = ()
    """In which segment of the track each seat's marker stands."""
    round: int = 0
    phase: Phase = "setup"
    technologies: tuple[str, ...] = ()
    display: tuple[str, ...] = ()
    """The missions laid out, in any order: see `missions_of`."""
    decrees: tuple[str, ...] = ()
    """One for each office."""
    senate: tuple[tuple[int, ...], ...] = ()
    """Who sits in each office, in the order of arriving."""
    planets: dict[str, str] = field(default_factory=dict)
    """What lies on each space of the map."""
    pirates: dict[str, str] = field(default_factory=dict)
    """The pirates of each planet, as far as anybody told which they are ("" if not)."""
    rewards: tuple[str, ...] = ()
    """Action planets that still have their bonus token."""
    emptied: tuple[str, ...] = ()
    """Track spaces whose bonus tokens are gone."""
    mining_token: bool = True
    mining_stack: int = 0
    discarded: tuple[str, ...] = ()
    """Tokens and cards that went to the box."""
    empty_decks: tuple[int, ...] = ()
    used: tuple[Used, ...] = ()
    active: int | None = None
    """Whose turn it is."""
    passed: int = 0
    """How many passed one after the other."""

    # The box

    @cached_property
    def box(self) -> Catalogue[Component]:
        """Everything in the box, with what its owner said about it."""
        return everything().taught(self.taught)

    def planet(self, id: str) -> Planet:
        """A planet."""
        found = self.box[id]
        assert isinstance(found, Planet)
        return found

    def technology(self, id: str) -> Technology:
        """A technology card."""
        found = self.box[id]
        assert isinstance(found, Technology)
        return found

    def mission(self, id: str) -> Mission:
        """A mission card."""
        found = self.box[id]
        assert isinstance(found, Mission)
        return found

    def decree(self, id: str) -> Decree:
        """A decree."""
        found = self.box[id]
        assert isinstance(found, Decree)
        return found

    def token(self, id: str) -> Token | Pirate:
        """A token or a wealth card."""
        found = self.box[id]
        assert isinstance(found, Token | Pirate)
        return found

    def shows(self, id: str) -> Effects:
        """What a token shows; nothing as long as nobody told."""
        return self.token(id).shows or ()

    def is_mined(self, id: str) -> bool:
        """Whether a token has the mining symbol: it lies on the mining track and pays there (p. 11)."""
        return MiningSymbol() in self.shows(id)

    def space(self, track: str, at: int) -> TrackSpace:
        """A space of a main track."""
        found = self.box[space_id(track, at)]
        assert isinstance(found, TrackSpace)
        return found

    def outpost_space(self, n: int) -> OutpostSpace:
        """The space of the n-th outpost, counted from 1."""
        found = self.box[f"outpost-space-{n}"]
        assert isinstance(found, OutpostSpace)
        return found

    def crew_space(self, n: int, captain: bool) -> CrewSpace:
        """The n-th mobilisation space, counted from 1."""
        found = self.box[f"{'captain' if captain else 'crew'}-space-{n}"]
        assert isinstance(found, CrewSpace)
        return found

    @property
    def panel(self) -> ControlPanel:
        """What is printed on control panels."""
        found = self.box["control-panel"]
        assert isinstance(found, ControlPanel)
        return found

    @property
    def board(self) -> Board:
        """The map for this many players."""
        found = self.box[f"board-{len(self.seats)}"]
        assert isinstance(found, Board)
        return found

    @property
    def technology_rows(self) -> TechnologyRows:
        """Where technologies become accessible."""
        found = self.box["technology-rows"]
        assert isinstance(found, TechnologyRows)
        return found

    @property
    def mission_rows(self) -> MissionRows:
        """Where missions become accessible."""
        found = self.box["mission-rows"]
        assert isinstance(found, MissionRows)
        return found

    @property
    def production(self) -> Production:
        """What planets of each colour give."""
        found = self.box["production-colours"]
        assert isinstance(found, Production)
        return found

    def name(self, id: str) -> Text:
        """How a component is called: as its owner told, or by its working name."""
        called: Text = self.box[id].called
        return called

    # Seats

    def with_seat(self, index: int, seat: Seat) -> TransState:
        """The same table with one seat changed."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def after(self, seat: int) -> tuple[int, ...]:
        """The other seats in turn order, from the one behind this seat on and round (rule 38)."""
        at = self.order.index(seat)
        return (*self.order[at + 1 :], *self.order[:at])

    def own_turn(self, seat: int) -> bool:
        """Whether it is a seat's own turn, for free deeds; or, if the table agreed so, it is following (rule 45)."""
        return self.phase == "actions" and (self.active == seat or self.choices.get("following") == "also")

    def has(self, seat: int, rule: RuleChange) -> bool:
        """Whether a seat has a technology that changes this rule."""
        return any(self.technology(id).rule == rule for id in self.seats[seat].technologies)

    def able(self, seat: int, ability: str) -> bool:
        """Whether a seat has this ability tile."""
        return self.seats[seat].ability == ability

    def level(self, seat: int, track: str) -> int:
        """A seat's level (rules 58, 59), with what raises it for slots, missions, pirates, decrees and gates."""
        who = self.seats[seat]
        if track == "trade":
            return who.trade + who.more("trade")
        printed = self.space(track, getattr(who, track)).level
        if track == "military":
            return printed + who.more("military")
        higher = track in ("technology", "politics") and self.has(seat, "higher-levels")
        return printed + (1 if higher else 0)

    def colonies(self, seat: int, *, coloured: bool = False) -> tuple[Planet, ...]:
        """The planets with a seat's outposts; with the table's consent its Nightmare, too (rule 167).

        Where a colour is asked for (`coloured`) it may count although it is no outpost on the map.
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
        """Resources of one kind in the box; below zero by as much as had to be made up (rule 6)."""
        return POOL[what] - sum(int(getattr(seat, what)) for seat in self.seats)

    def tokens_left(self, sort: str) -> tuple[str, ...]:
        """The tokens or cards of one sort that nobody was told to have."""
        out = set(self.discarded)
        for seat in self.seats:
            out.update(seat.mining, seat.fleet, (held.token for held in (*seat.tokens, *seat.bank)))
        return tuple(id for id in token_ids(sort) if id not in out)

    def where(self, planet: str) -> str | None:
        """The space a planet lies on."""
        return next((space for space, id in self.planets.items() if id == planet), None)

    def slots_taken(self, planet: str) -> dict[int, int]:
        """Who has which slot of a planet."""
        return {
            outpost.slot: index
            for index, seat in enumerate(self.seats)
            for outpost in seat.outposts
            if outpost.planet == planet and outpost.slot is not None
        }

    def missions_of(self, level: int) -> tuple[str, ...]:
        """The missions of a level as they lie, the lowest number at the bottom (rule 19)."""
        laid = [self.mission(id) for id in self.display if self.mission(id).level == level]
        return tuple(m.id for m in sorted(laid, key=lambda m: (m.number or 0, m.id)))

    def deck(self, level: int) -> tuple[str, ...]:
        """The missions of a level nobody has seen."""
        out = set(self.display)
        for seat in self.seats:
            out.update(seat.log, seat.missions)
        every = (c for c in self.box if isinstance(c, Mission) and c.level == level)
        return tuple(mission.id for mission in every if mission.id not in out)


NIGHTMARE = "technological-nightmare"
NIGHTMARE_TILE = "technological-nightmare-tile"


def crew_of(seat: Seat, senate: int) -> int:
    """All crew of a seat, wherever it is: always six, the lieutenant in place of one."""
    return seat.crew + seat.crew_out + seat.capsules + seat.gone + senate
