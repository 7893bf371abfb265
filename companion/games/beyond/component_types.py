"""The cards and boards as typed values, read from `components.toml`; the owner is asked for unknown facts."""

from __future__ import annotations

import importlib.resources
import re
from functools import cache
from typing import Annotated, Literal

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
from companion.games.beyond.operations import Action, AnyAbility, AnyCondition, LaySystem, Operations, Type
from scoring.beyond import Formula

Edition = Literal["revised", "original"]

Printed = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "?"]
"""Points as a card prints them."""

Specialisation = Literal["food", "ore"]
SPECIALISATIONS: tuple[Specialisation, ...] = ("food", "ore")
Disc = Literal["food", "ore", "marker"]

Space = Literal[
    "i-1",
    "i-2",
    "i-3",
    "i-4",
    "ii-a",
    "ii-b",
    "ii-c",
    "ii-d",
    "ii-e",
    "ii-f",
    "iii-a",
    "iii-b",
    "iii-c",
    "iii-d",
    "iii-e",
    "iii-f",
    "iiii-a",
    "iiii-b",
    "iiii-c",
]
"""The spaces of the tree, column by column from the top (rule 104); those of level IIII from a review."""

SPACES: dict[int, tuple[Space, ...]] = {
    1: ("i-1", "i-2", "i-3", "i-4"),
    2: ("ii-a", "ii-b", "ii-c", "ii-d", "ii-e", "ii-f"),
    3: ("iii-a", "iii-b", "iii-c", "iii-d", "iii-e", "iii-f"),
    4: ("iiii-a", "iiii-b", "iiii-c"),
}
LEVEL: dict[str, int] = {space: level for level, spaces in SPACES.items() for space in spaces}
WITH_EVENTS = (2, 3)
"""The levels whose spaces have events (rule 17)."""

Location = Literal["sol", "deep-space", "a1", "a2", "b1", "b2", "yard-1", "yard-2", "yard-3", "yard-4"]
"""Where ships can be (rule 11); no known board has more than four shipyard systems."""
CARD_PLACES: tuple[Location, ...] = ("a1", "a2", "b1", "b2")
YARDS: tuple[Location, ...] = ("yard-1", "yard-2", "yard-3", "yard-4")
SOL, DEEP_SPACE = "sol", "deep-space"

BasicAction = Literal["research-1", "research-2", "build-jump", "recruit-ore"]
BASIC_ACTIONS: tuple[BasicAction, ...] = ("research-1", "research-2", "build-jump", "recruit-ore")

Letter = Literal["a", "b", "c", "d", "e", "none"]
COLUMNS: tuple[Letter, ...] = ("a", "b", "c", "d", "e")

TRACK = 8
"""Discs on each production track (rule 13)."""
CUBES = 20
AUTOMATION = 7


class Thing(Component, frozen=True, kw_only=True):
    """A component of this box; if its printed name is unknown, it is named after its place."""

    @property
    def working_name(self) -> Text:
        if (slot := SLOT.fullmatch(self.id)) is not None:
            return named_by_place(self.id, "beyond.name.technology", _place(slot))
        return say(f"beyond.name.{self.id}")

    def question_about(self, field: str) -> Text | None:
        asked = field == "extra_setup"
        return say("beyond.ask-print.extra-setup", component=self.called) if asked else None

    @property
    def codes(self) -> tuple[str, ...]:
        """A technology's place, as labels print it: II 7."""
        slot = SLOT.fullmatch(self.id)
        return () if slot is None or self.names else (_place(slot),)


class DeckCard(Thing, frozen=True, kw_only=True):
    """A card of a deck; without its name, nothing we know distinguishes it from other cards of the deck."""

    @property
    def called_when_new(self) -> Text | None:
        return say("core.new-card")


def _place(slot: re.Match[str]) -> str:
    return f"{slot['level'].upper()} {slot['n']}"


SLOT = re.compile("technology-(?P<level>i+)-(?P<n>[0-9]+)")
"""Ids of technologies whose names are unknown: level and a number."""


class Technology(DeckCard, frozen=True, kw_only=True):
    """A technology card (rules 5 to 7)."""

    level: Literal[1, 2, 3, 4]
    types: frozenset[Type] | Untold = UNKNOWN
    """The large triangle at the left: the types this card matches in a search."""
    passes: Type | Untold = UNKNOWN
    """The small triangle at the right: the type it passes on."""
    matches: frozenset[Type] = frozenset()
    """The types this card was found for in plays (rule 94): perhaps only one of a hybrid's two."""
    immediate: Operations | Untold = UNKNOWN
    actions: tuple[Action, ...] | Untold = UNKNOWN
    abilities: tuple[AnyAbility, ...] | Untold = UNKNOWN
    points: Printed | Untold = UNKNOWN
    """Only level IIII prints points."""
    formula: Formula | Untold = UNKNOWN

    def unknown(self) -> tuple[str, ...]:
        """Facts still to ask for: not points below level IIII, nor what a '?' counts if none is printed."""
        return tuple(name for name in super().unknown() if _matters(self, name))


class Event(DeckCard, frozen=True, kw_only=True):
    """An event card (rule 8)."""

    event_level: Literal[2, 3] | Untold = UNKNOWN
    light: bool = False
    """Whether its border is light: such events are in every play and uncover a guild."""
    effects: Operations | Untold = UNKNOWN
    lies: Literal["discarded", "before-you", "beside-the-board"] | Untold = UNKNOWN
    """Where the card goes after it was carried out (rule 111)."""
    actions: tuple[Action, ...] | Untold = UNKNOWN
    """Action spaces printed on the event itself, as on the Dyson Sphere."""
    points: Printed | Untold = UNKNOWN
    formula: Formula | Untold = UNKNOWN

    def unknown(self) -> tuple[str, ...]:
        """Facts still to ask for: what a '?' counts only if one is printed."""
        return tuple(name for name in super().unknown() if _matters(self, name))


class Slot(Struct, frozen=True, kw_only=True):
    """A place for a disc on an achievement."""

    slot_points: Annotated[int, Meta(ge=0, le=12)]
    four: bool = False
    """Whether it may only be used with four players (rule 171)."""


class Achievement(DeckCard, frozen=True, kw_only=True):
    """An achievement card (rule 9)."""

    pile: Literal["core", "A", "B"] | Untold = UNKNOWN
    condition: AnyCondition | Untold = UNKNOWN
    slots: Annotated[tuple[Slot, ...], Meta(min_length=1)] | Untold = UNKNOWN
    """From the left."""


class System(DeckCard, frozen=True, kw_only=True):
    """A system card (rules 10 and 12)."""

    deck: Literal["A", "B"] | Untold = UNKNOWN
    start: bool | Untold = UNKNOWN
    strength: Annotated[int, Meta(ge=1, le=12)] | Untold = UNKNOWN
    specialisations: frozenset[Specialisation] | Untold = UNKNOWN
    control_bonus: Operations | Untold = UNKNOWN
    abilities: tuple[AnyAbility, ...] | Untold = UNKNOWN
    colony_bonus: Operations | Untold = UNKNOWN
    points: Printed | Untold = UNKNOWN
    formula: Formula | Untold = UNKNOWN

    def unknown(self) -> tuple[str, ...]:
        """Facts still to ask for: what a '?' counts only if one is printed."""
        return tuple(name for name in super().unknown() if _matters(self, name))


class Guild(Thing, frozen=True, kw_only=True):
    """A guild below Basic Spacefaring, covered by its tile (rule 23)."""

    guild_level: Literal[1, 2] | Untold = UNKNOWN
    actions: tuple[Action, ...]


class Basic(Thing, frozen=True, kw_only=True):
    """The Basic Spacefaring section, or the tile laid over it with fewer players (rule 24)."""

    players: Literal[2, 3, 4]
    research_1: Annotated[int, Meta(ge=1, le=4)] | Untold = UNKNOWN
    research_2: Annotated[int, Meta(ge=1, le=4)] | Untold = UNKNOWN
    build_jump: Annotated[int, Meta(ge=1, le=4)] | Untold = UNKNOWN
    recruit_ore: Annotated[int, Meta(ge=1, le=4)] | Untold = UNKNOWN
    """How many spaces each action has."""
    surcharge: tuple[BasicAction, ...] | Untold = UNKNOWN
    """The actions with a space that costs 1 ore more, one for each such space (rule 46)."""
    shared: bool | Untold = UNKNOWN
    """Whether several pawns may share the last space (rule 41)."""


class Columns(Struct, frozen=True):
    """How many cubes fit into each supply column."""

    a: Annotated[int, Meta(ge=0, le=8)]
    b: Annotated[int, Meta(ge=0, le=8)]
    c: Annotated[int, Meta(ge=0, le=8)]
    d: Annotated[int, Meta(ge=0, le=8)]
    e: Annotated[int, Meta(ge=0, le=8)]

    @property
    def sizes(self) -> tuple[int, ...]:
        """From A on the left."""
        return self.a, self.b, self.c, self.d, self.e


class Levels(Struct, frozen=True):
    """The points printed on the automation track."""

    first: Annotated[int, Meta(ge=0, le=5)]
    second: Annotated[int, Meta(ge=0, le=5)]
    third: Annotated[int, Meta(ge=0, le=5)]
    fourth: Annotated[int, Meta(ge=0, le=5)]
    fifth: Annotated[int, Meta(ge=0, le=5)]
    sixth: Annotated[int, Meta(ge=0, le=5)]
    seventh: Annotated[int, Meta(ge=0, le=5)]

    @property
    def points(self) -> tuple[int, ...]:
        """From the left."""
        return self.first, self.second, self.third, self.fourth, self.fifth, self.sixth, self.seventh


class Tracks(Thing, frozen=True, kw_only=True):
    """The tracks: one printed set for all basic boards (rule 178), or those of one advanced board."""

    growth: tuple[Letter, ...] | Untold = UNKNOWN
    """The column letter at each place of the growth track: first the symbol that is always visible, then one
    for each disc from the left; most discs cover none."""
    ore_track: tuple[Literal[0, 1, 2], ...] | Untold = UNKNOWN
    """The ore symbols at each place of the ore track, in the same order."""
    columns: Columns | Untold = UNKNOWN
    automation: Levels | Untold = UNKNOWN


class Board(Thing, frozen=True, kw_only=True):
    """A basic faction board; it differs from the others only in its set-up."""

    faction: Literal["nishida", "nations", "tabernacle", "socialists"]
    extra_setup: Operations | Untold = UNKNOWN


class AdvancedBoard(Tracks, frozen=True, kw_only=True):
    """An advanced faction board."""

    faction: Literal["nishida", "nations", "tabernacle", "socialists"]
    extra_setup: Operations | Untold = UNKNOWN
    abilities: tuple[AnyAbility, ...] | Untold = UNKNOWN

    @property
    def working_name(self) -> Text:
        """The faction's name with a plus, because its basic board prints the same name."""
        return say("beyond.name.advanced", board=basic_board(self).called)


class TreeLine(Struct, frozen=True):
    """A line between two technologies."""

    one: Space
    other: Space


class TreeBoard(Thing, frozen=True, kw_only=True):
    """The technology board: which spaces each space is connected to on its left (rule 86)."""

    lines_2: tuple[TreeLine, ...] | Untold = UNKNOWN
    lines_3: tuple[TreeLine, ...] | Untold = UNKNOWN
    lines_4: tuple[TreeLine, ...] | Untold = UNKNOWN
    two_of_three: frozenset[Literal["iiii-a", "iiii-b", "iiii-c"]] | Untold = UNKNOWN
    """The spaces that need only two of their three predecessors (rule 87)."""


class Route(Struct, frozen=True):
    """A connection between two locations."""

    one: Location
    other: Location


class Side(Thing, frozen=True, kw_only=True):
    """A side of the exploration board (rule 11)."""

    players: tuple[int, ...]
    yards: tuple[Literal["food", "ore", "both"], ...] | Untold = UNKNOWN
    """Which discs each shipyard system allows."""
    routes: tuple[Route, ...] | Untold = UNKNOWN


def _matters(component: Technology | Event | System, field: str) -> bool:
    if field == "formula":
        return component.points == "?"
    if isinstance(component, Event) and field in ("actions", "points"):
        # A discarded card prints no spaces and no points, unless a system lies beside it first (rule 113).
        return component.lies != "discarded" or any(isinstance(o, LaySystem) for o in component.effects or ())
    return field != "points" or not isinstance(component, Technology) or component.level == 4


class Source(Struct, frozen=True):
    """Where our data come from, and what is doubtful about them."""

    said_by: SaidBy


class Components(Struct, frozen=True):
    """The contents of `components.toml`."""

    source: Source
    technologies: tuple[Technology, ...]
    revised: tuple[Technology, ...]
    original: tuple[Technology, ...]
    events: tuple[Event, ...]
    achievements: tuple[Achievement, ...]
    systems: tuple[System, ...]
    guilds: tuple[Guild, ...]
    basic: tuple[Basic, ...]
    tracks: tuple[Tracks, ...]
    boards: tuple[Board, ...]
    advanced: tuple[AdvancedBoard, ...]
    tree: tuple[TreeBoard, ...]
    sides: tuple[Side, ...]


@cache
def printed_box() -> Components:
    """Everything in the box, as far as it is known."""
    printed: Components = read_toml(importlib.resources.files(__package__) / "components.toml", Components)
    return printed


def basic_board(board: Board | AdvancedBoard) -> Board:
    """The basic board of the same faction."""
    return next(basic for basic in printed_box().boards if basic.faction == board.faction)


@cache
def everything(edition: Edition = "revised") -> Catalogue[Component]:
    """All scannable components; the four technologies that differ between editions keep their labels."""
    box = printed_box()
    said = {"*": Fact(None, box.source.said_by)}
    cards = (*box.technologies, *(box.revised if edition == "revised" else box.original))
    rest = (box.events, box.achievements, box.systems, box.guilds, box.basic, box.tracks, box.boards)
    boards = (*box.advanced, *box.tree, *box.sides)
    return Catalogue((*cards, *(component for sort in rest for component in sort), *boards), said)


@cache
def technologies(edition: Edition, level: int) -> tuple[str, ...]:
    """The technology cards of one level."""
    return tuple(c.id for c in everything(edition) if isinstance(c, Technology) and c.level == level)


@cache
def ids(
    sort: Literal["events", "achievements", "systems", "guilds", "boards", "advanced"],
) -> tuple[str, ...]:
    """The components of one sort, in the order of the box."""
    return tuple(component.id for component in getattr(printed_box(), sort))


SORTS: dict[type[Component], str] = {
    Event: "event",
    Achievement: "achievement",
    System: "system",
    Guild: "guild",
    Basic: "board",
    Tracks: "board",
    Board: "board",
    AdvancedBoard: "board",
    TreeBoard: "board",
    Side: "board",
}


def kind(component: Component) -> Text:
    """The sort of a component, as shown when people search for one."""
    if isinstance(component, Technology):
        return say(f"beyond.sort.level-{component.level}")
    return say(f"beyond.sort.{SORTS[type(component)]}")
