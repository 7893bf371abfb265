"""The components as typed values, read from `components.toml`; unknown facts are asked for once.

Tokens, cards and spaces that were not transcribed are named after their slot until their facts are taught.
"""

from __future__ import annotations

import importlib.resources
from functools import cache
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from companion.core.components import UNKNOWN, Catalogue, Component, Fact, SaidBy, Untold, read_toml
from companion.core.words import Text, say
from companion.games.transgalactica.effects import RESOURCES, Effects, Resource, Stuff
from scoring.transgalactica import Counted

Colour = Literal["yellow", "green", "purple", "grey", "multi"]
Hue = Literal["yellow", "green", "purple", "grey"]
HUES: tuple[Hue, ...] = ("yellow", "green", "purple", "grey")
PlanetType = Literal["action", "mining", "wild", "special", "central"]
Demand = Literal["none", "trade-1", "trade-2", "trade-3", "trade-4", "trade-5", "trade-6", "crew"]
MissionType = Literal["commercial", "war", "cultural"]
MainTrack = Literal["technology", "military", "production", "politics"]
MAIN_TRACKS: tuple[MainTrack, ...] = ("technology", "military", "production", "politics")
Level = Annotated[int, Meta(ge=0, le=12)]
Row = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

OUTPOST_PRICE = (0, 1, 1, 2, 2, 2, 2)
"""Minerals for each of the seven outposts, in order (rule 84)."""
OUTPOSTS = len(OUTPOST_PRICE)
CREW, CAPTAINS, MARKERS, PLAYERS = 6, 3, 5, 5
TRADE = 6
"""Spaces of the trade track: markers on 1, 3, 5, fleet tokens on 2, 4, 6 (rule 25)."""
ROUNDS = 5
POOL = {"energy": 20, "mineral": 20, "alien": 20}
"""Resources in the box; the rulebook does not say what happens when they run out (rule 6)."""
LONGEST = 12
"""The most spaces after the start we allow on a main track; its real end is a fact of its last space."""


class Thing(Component, frozen=True, kw_only=True):
    """A component of this box; its printed name is unknown, so it has a working name until one is taught."""

    @property
    def working_name(self) -> Text:
        return say(f"transgalactica.name.{self.id}")

    def question_about(self, field: str) -> Text | None:
        asked = field in ("gives", "income", "number", "routes", "sketch", "tunnel")
        return say(f"transgalactica.ask-print.{field}", component=self.called) if asked else None


class Planet(Thing, frozen=True, kw_only=True):
    """A planet tile, or the central planet that is printed on every map."""

    colours: tuple[Colour, ...] | Untold = UNKNOWN
    """While unknown, the central planet counts for no colour (rule 34)."""
    type: PlanetType
    base: bool = False
    slots: tuple[Demand, ...]
    """The demands printed for outposts."""
    places: Annotated[int, Meta(ge=1, le=5)] | Untold = UNKNOWN
    """How many outposts fit; each printed demand is a slot of its own (rule 89)."""
    tunnel: bool | Untold = UNKNOWN
    effects: Effects = ()
    """What it gives at mining, at income or as an action, depending on its type."""

    @property
    def hues(self) -> frozenset[str]:
        """The colours it counts as: a planet of several colours counts as each (rule 93)."""
        colours = self.colours or ()
        return frozenset(HUES) if "multi" in colours else frozenset(colours)

    @property
    def wants_trade(self) -> bool:
        """Whether a trade level is printed on it (rule 197)."""
        return any(slot.startswith("trade") for slot in self.slots)

    @property
    def demands(self) -> tuple[Demand, ...]:
        """The demand of every slot; a single printed demand applies to all slots."""
        if len(self.slots) != 1 or self.places is UNKNOWN:
            return self.slots
        return self.slots * self.places

    @property
    def room(self) -> int:
        """How many outposts fit; the largest number of players if unknown."""
        return max(len(self.demands), self.places or PLAYERS)

    def asks_trade_at(self, place: int | None) -> bool:
        """Whether a trade level is printed at this place, counted from 0; False without a place."""
        asked = self.slots * PLAYERS if len(self.slots) == 1 else self.slots
        return place is not None and place < len(asked) and asked[place].startswith("trade")


Event = Literal[
    "technology-marked",
    "mission-taken",
    "ship-moved",
    "diplomacy",
    "planet-used",
    "mining",
    "secondary",
    "exploration",
    "military-advance",
    "production-advance",
    "seat-taken",
]
"""The events that trigger a technology."""

RuleChange = Literal[
    "trade-without-alien",
    "extra-step",
    "third-mission",
    "recycling",
    "tunnel-for-resources",
    "missions-cheaper",
    "propaganda",
    "full-planets",
    "visits",
    "higher-levels",
    "override",
    "promotion",
    "assembly",
]
"""The rule a technology changes: something it allows or makes cheaper."""

Count = Literal["trade", "military", "technology", "politics", "production", "markers", "objective"]
"""What an end-of-game technology counts (rule 159)."""


class Technology(Thing, frozen=True, kw_only=True):
    """A technology card."""

    level: Annotated[int, Meta(ge=1, le=3)]
    when: Literal["always", "once-per-round", "one-time", "end"]
    events: tuple[Event, ...] = ()
    """The events that trigger its effects; a one-time card's effects happen when it is marked."""
    effects: Effects = ()
    rule: RuleChange | None = None
    counts: tuple[Count, ...] = ()


class Needs(Struct, frozen=True, omit_defaults=True):
    """The requirement of a mission or decree; requirements are not spent."""

    trade: int = 0
    military: int = 0
    technology: int = 0
    politics: int = 0
    either: bool = False
    """Whether one of the levels is enough."""
    planets: int = 0
    of: Literal["any", "different", "same", "one-colour", "mixed", "action", "mining", "each-type"] = "any"
    colours: tuple[Hue, ...] = ()
    """For `one-colour` all planets have the same of these; for `mixed` each has any of these (rule 133)."""
    pirates: int = 0
    technologies: int = 0
    missions: int = 0
    """How many completed missions of one of these types, or of each of them."""
    types: tuple[MissionType, ...] = ()
    each: bool = False


class Mission(Thing, frozen=True, kw_only=True):
    """A mission card."""

    level: Annotated[int, Meta(ge=1, le=2)]
    types: tuple[MissionType, ...]
    cost: tuple[Stuff, ...]
    needs: Needs = Needs()
    reward: Effects
    number: Annotated[int, Meta(ge=1, le=26)] | Untold = UNKNOWN
    """The rank of its printed number, by which the display is sorted."""


class Decree(Thing, frozen=True, kw_only=True):
    """A galactic decree."""

    needs: Needs
    reward: Effects | Untold = UNKNOWN


class Office(Thing, frozen=True, kw_only=True):
    """One of the three offices of the senate, left to right."""

    golden: Annotated[int, Meta(ge=0, le=9)] | Untold = UNKNOWN
    """The number of its golden chair, counted from the seat taken first; 0 if it has none."""


class Term(Struct, frozen=True, omit_defaults=True):
    """Something an objective counts, with the points for each."""

    per: Counted
    vp: int
    most: int = 0


class Objective(Thing, frozen=True, kw_only=True):
    """A secret objective: the sum of its terms, or the best of them if it says "or"."""

    terms: tuple[Term, ...]
    better: bool = False


class Ability(Thing, frozen=True, kw_only=True):
    """An ability tile; its set-up gains are data, its other rules are code."""

    start: Effects = ()


class Token(Thing, frozen=True, kw_only=True):
    """A bonus, mining or fleet income token, or a wealth card, with its symbols."""

    sort: Literal["basic", "advanced", "mining", "fleet", "wealth"]
    shows: Effects | Untold = UNKNOWN

    def question_about(self, field: str) -> Text | None:
        return say(
            "transgalactica.ask-print.card" if self.sort == "wealth" else "transgalactica.ask-print.token"
        )

    @property
    def called_when_new(self) -> Text | None:
        return say("core.new-card" if self.sort == "wealth" else "core.new-token")

    @property
    def prints_name(self) -> bool:
        """Always False: only symbols are printed, and these are asked for."""
        return False


class Pirate(Thing, frozen=True, kw_only=True):
    """A pirate token: the military level needed to beat it, and its reward at income."""

    strength: Annotated[int, Meta(ge=0, le=9)] | Untold = UNKNOWN
    shows: Effects | Untold = UNKNOWN

    @property
    def called_when_new(self) -> Text | None:
        return say("core.new-token")

    @property
    def prints_name(self) -> bool:
        """Always False: only symbols are printed, and these are asked for."""
        return False


class TrackSpace(Thing, frozen=True, kw_only=True):
    """A space of a main track, numbered from 0 at the start."""

    track: MainTrack
    at: Level
    level: Level
    """The level in its hexagon: assumed equal to the number of the space unless taught (rules 21, 58)."""
    token: Literal["none", "basic", "advanced"] | Untold = UNKNOWN
    """The colour of the bonus tokens laid out there."""
    reward: Effects | Untold = UNKNOWN
    """The printed reward for reaching it when no token is left."""
    income: Effects | Untold = UNKNOWN
    gate: Level | Untold = UNKNOWN
    """The technology level printed under a military space; 0 on the other tracks."""
    last: bool | Untold = UNKNOWN
    """Whether the track ends here."""

    @property
    def may_end_row(self) -> bool:
        return True

    @property
    def ends_row(self) -> bool:
        return self.last is True


class OutpostSpace(Thing, frozen=True, kw_only=True):
    """One of the seven spaces outposts are taken from, first to last."""

    reward: Effects | Untold = UNKNOWN
    again: bool | Untold = UNKNOWN
    """Whether it has the income symbol."""


class CrewSpace(Thing, frozen=True, kw_only=True):
    """A mobilisation space and its income while it is empty."""

    captain: bool
    income: Effects | Untold = UNKNOWN


class ControlPanel(Thing, frozen=True, kw_only=True):
    """The print of every control panel: politics levels of its spaces from the top, and the crew spaces."""

    mining: tuple[Row, ...] | Untold = UNKNOWN
    pirates: tuple[Row, ...] | Untold = UNKNOWN
    fleet: tuple[Row, ...] | Untold = UNKNOWN
    crew: Annotated[int, Meta(ge=1, le=6)] | Untold = UNKNOWN
    """How many mobilisation spaces there are for crew."""


class TechnologyRows(Thing, frozen=True, kw_only=True):
    """The technology level needed to mark the cards of each level (rule 115)."""

    level_one: Level | Untold = UNKNOWN
    level_two: Level | Untold = UNKNOWN
    level_three: Level | Untold = UNKNOWN


class MissionRows(Thing, frozen=True, kw_only=True):
    """The politics level needed to take the mission at each place, bottom to top (rule 128)."""

    first: Level | Untold = UNKNOWN
    second: Level | Untold = UNKNOWN
    third: Level | Untold = UNKNOWN
    fourth: Level | Untold = UNKNOWN
    fifth: Level | Untold = UNKNOWN
    sixth: Level | Untold = UNKNOWN

    @property
    def levels(self) -> tuple[int | Untold, ...]:
        """From the bottom to the top."""
        return (self.first, self.second, self.third, self.fourth, self.fifth, self.sixth)


class Production(Thing, frozen=True, kw_only=True):
    """The resources of yellow, green and purple planets in production; grey ones give nothing (rule 123).

    One review says energy, aliens and minerals: these are the suggested values, and the owner of the box
    confirms them once.
    """

    gives: (
        Literal[
            "energy-alien-mineral",
            "energy-mineral-alien",
            "alien-energy-mineral",
            "alien-mineral-energy",
            "mineral-energy-alien",
            "mineral-alien-energy",
        ]
        | Untold
    ) = UNKNOWN

    @property
    def by_colour(self) -> dict[str, str]:
        """The resource of each colour that has one."""
        return dict(zip(("yellow", "green", "purple"), (self.gives or "").split("-"), strict=False))

    def of(self, planet: Planet) -> tuple[Resource, ...]:
        """The resources a planet can give, one at a time: any for a multicolour one, else its colours'."""
        if "multi" in (planet.colours or ()):
            return RESOURCES
        given = {self.by_colour.get(colour) for colour in planet.colours or ()}
        return tuple(what for what in RESOURCES if what in given)


Space = Literal[
    "centre", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
    "18", "19",
]  # fmt: skip
"""A place for a planet on a map: the centre, and the others in the owner's numbering."""
SPACES: tuple[str, ...] = get_args(Space)
CENTRE = "centre"


class Route(Struct, frozen=True):
    """A route between two spaces and the energy printed on it."""

    one: Space
    other: Space
    energy: Annotated[int, Meta(ge=0, le=9)] = 1


class At(Struct, frozen=True):
    """Where a space is on a map, in radii of a planet from the centre; y upwards."""

    x: Annotated[int, Meta(ge=-10, le=10)]
    y: Annotated[int, Meta(ge=-6, le=6)]


class Board(Thing, frozen=True, kw_only=True):
    """The map for a number of players: its spaces around the centre as sketched, and their routes."""

    players: Annotated[int, Meta(ge=2, le=5)]
    sketch: tuple[At, ...] | Untold = UNKNOWN
    routes: tuple[Route, ...] | Untold = UNKNOWN

    @property
    def spaces(self) -> tuple[str, ...]:
        """Every space, the centre first."""
        return SPACES[: len(self.sketch or ()) + 1]

    def energy(self, one: str, other: str) -> int | None:
        """The cost of the cheapest route between two spaces, or None without a route."""
        found = [r.energy for r in self.routes or () if {r.one, r.other} == {one, other} and one != other]
        return min(found, default=None)


class Source(Struct, frozen=True):
    """Where our data come from."""

    said_by: SaidBy


class Components(Struct, frozen=True):
    """The contents of `components.toml`, in the order of labels: append, never reorder."""

    source: Source
    planets: tuple[Planet, ...]
    technologies: tuple[Technology, ...]
    missions: tuple[Mission, ...]
    decrees: tuple[Decree, ...]
    objectives: tuple[Objective, ...]
    abilities: tuple[Ability, ...]
    tokens: tuple[Token, ...]
    pirates: tuple[Pirate, ...]
    spaces: tuple[TrackSpace, ...]
    outposts: tuple[OutpostSpace, ...]
    crew: tuple[CrewSpace, ...]
    offices: tuple[Office, ...]
    panels: tuple[ControlPanel, ...]
    technology_rows: tuple[TechnologyRows, ...]
    mission_rows: tuple[MissionRows, ...]
    boards: tuple[Board, ...]
    production: tuple[Production, ...]


Sort = Literal[
    "planets",
    "technologies",
    "missions",
    "decrees",
    "objectives",
    "abilities",
    "tokens",
    "pirates",
    "spaces",
    "outposts",
    "crew",
    "offices",
    "boards",
]


@cache
def printed_box() -> Components:
    """Everything in the box, as far as it is known."""
    printed: Components = read_toml(importlib.resources.files(__package__) / "components.toml", Components)
    return printed


@cache
def everything() -> Catalogue[Component]:
    """All components, in the order of their labels."""
    box = printed_box()
    lists = (getattr(box, name) for name in Components.__struct_fields__ if name != "source")
    return Catalogue(
        (one for components in lists for one in components), {"*": Fact(None, box.source.said_by)}
    )


@cache
def ids(sort: Sort) -> tuple[str, ...]:
    """The components of one sort, in the order of the box."""
    return tuple(component.id for component in getattr(printed_box(), sort))


@cache
def token_ids(sort: str) -> tuple[str, ...]:
    """The tokens or cards of one sort."""
    return tuple(token.id for token in printed_box().tokens if token.sort == sort)


def space_id(track: str, at: int) -> str:
    """The id of a space of a track."""
    return f"{track}-{at}"


def kind(component: Component) -> Text:
    """The sort of a component, as shown when people search for one."""
    sort = component.sort if isinstance(component, Token) else SORTS[type(component)]
    return say(f"transgalactica.sort.{sort}")


SORTS: dict[type[Component], str] = {
    Planet: "planet",
    Technology: "technology",
    Mission: "mission",
    Decree: "decree",
    Objective: "objective",
    Ability: "ability",
    Pirate: "pirate",
    TrackSpace: "space",
    OutpostSpace: "outpost-space",
    CrewSpace: "crew-space",
    Office: "office",
    ControlPanel: "panel",
    TechnologyRows: "technology-rows",
    MissionRows: "mission-rows",
    Board: "board",
    Production: "production",
}
