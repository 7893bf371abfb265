"""What a table shows, for any screen: values without rules and without a language."""

from __future__ import annotations

import enum
from typing import Literal

from msgspec import Struct

from companion.core.faces import Face, Sign, Signs, Spot
from companion.core.words import Text


class Tense(enum.Enum):
    """The progress of a phase within the round."""

    PAST = "past"
    NOW = "now"
    COMING = "coming"
    SKIPPED = "skipped"


class PhaseView(Struct, frozen=True):
    """One phase in the phase bar."""

    id: str
    text: Text
    tense: Tense


class Shown(Struct, frozen=True):
    """A number with its name."""

    id: str
    text: Text
    value: int


class PlacedView(Struct, frozen=True):
    """A component at a seat; `badges` say what lies on it, `signs` show the same as symbols."""

    component: str
    name: Text
    badges: tuple[Text, ...] = ()
    signs: Signs = ()
    face: Face | None = None
    """What it looks like now, if that differs from what is printed; then no badges are needed."""


class SeatView(Struct, frozen=True):
    """One seat: what lies there, its numbers, the powers it may use now."""

    seat: int
    name: str
    waiting: bool
    ready: bool
    numbers: tuple[Shown, ...]
    components: tuple[PlacedView, ...]
    powers: tuple[Text, ...] = ()
    points: int | None = None
    matters: str = ""
    """The id of the number that matters most in this phase; if empty, the points do."""
    sums: tuple[Signs, ...] = ()
    """The totals of all its powers, one row per phase: its symbol, then the totals."""
    brief: Signs = ()
    """What others ask about most, such as hand, military and goods, where `numbers` are not the best summary."""
    passed: bool = False
    """Whether it has passed in this phase."""
    colour: str = ""
    """The colour of its pieces, such as "red", where the game has colours and this seat has chosen."""

    @property
    def in_brief(self) -> Signs:
        """What others ask about most: the number that matters now comes first."""
        ordered = sorted(self.numbers, key=lambda number: number.id != self.matters)
        return self.brief or tuple(Sign(number.id, str(number.value)) for number in ordered)


class Gauge(Struct, frozen=True):
    """A pool: how much is left of how much."""

    id: str
    text: Text
    value: int
    full: int


class Meter(Struct, frozen=True):
    """How close an end condition is; the play ends when `value` reaches `goal`."""

    id: str
    text: Text
    value: int
    goal: int

    @property
    def reached(self) -> bool:
        """Whether this condition ends the play."""
        return self.value >= self.goal


class TokenView(Struct, frozen=True):
    """Something that lies on a place of a map: its owner (`None` for nobody), and how many there are."""

    sign: Sign
    count: int = 1
    seat: int | None = None
    mark: bool = False
    """Whether it is only a cube or a disc, so that the mark of its seat is drawn instead."""


PlaceShape = Literal["hex", "disc", "card"]
"""The shape of a place: a hex with a flat top, a disc (planet or system), or a card in landscape format."""


class PlaceView(Struct, frozen=True):
    """A place of a map; `x` and `y` are its centre, in radii of a place, y grows upwards.

    `label` fits into it, `corners` are printed at its sides, `notes` describe in words everything visible.
    For a hex, `edges` are the open sides, clockwise from the top; `companion.core.hexes` computes where hexes
    lie. On a board (`MapView.board`) `corners` are its costs and effects, and `kinds` its kind.
    """

    id: str
    x: float
    y: float
    name: Text
    label: Text
    component: str = ""
    """The component that lies there, if it is one."""
    shape: PlaceShape = "hex"
    seat: int | None = None
    edges: tuple[bool, ...] = ()
    tokens: tuple[TokenView, ...] = ()
    spots: tuple[Spot, ...] = ()
    corners: Signs = ()
    notes: tuple[Text, ...] = ()
    short: Text | None = None
    """A shorter name, for where the label does not fit."""
    kinds: Signs = ()
    """Its kind: signs on the strip of a card, or in the middle of a disc."""
    tints: tuple[str, ...] = ()
    """The colours of its kinds, from the game's palette: parts of the strip, or of the disc."""
    wide: float = 0.0
    high: float = 0.0
    """Its size on a board; a disc without a size is as large as its neighbours allow, with its name beside it."""
    covered: bool = False
    """Whether its content is still unknown, or may not be used."""
    active: bool = False
    """Whether the piece about to be moved is there."""


class FreePlace(Struct, frozen=True):
    """An empty place of a map where something may be laid; `label` says what kind."""

    id: str
    x: float
    y: float
    label: str = ""


class LinkView(Struct, frozen=True):
    """A line between two places, with what is printed on it; `dim` if it leads nowhere now."""

    one: str
    other: str
    label: str = ""
    signs: Signs = ()
    dim: bool = False


class MapView(Struct, frozen=True):
    """A map: places, lines between them, and `free` places where it may grow, which a question may name too.

    Place ids are unique across all maps of a view. `legend` are the signs people may ask about. A `board` of
    cards and discs fills the available space: x and y are scaled independently, and only relative positions
    are kept.
    """

    id: str
    text: Text
    places: tuple[PlaceView, ...]
    free: tuple[FreePlace, ...] = ()
    links: tuple[LinkView, ...] = ()
    legend: Signs = ()
    board: bool = False

    def has(self, place: str) -> bool:
        """Whether this place is on it, or is one of its free places."""
        return place in {known.id for known in self.places} | {known.id for known in self.free}


class View(Struct, frozen=True):
    """Everything public about a table at one moment."""

    round: int
    phases: tuple[PhaseView, ...]
    seats: tuple[SeatView, ...]
    pools: tuple[Gauge, ...]
    meters: tuple[Meter, ...]
    alerts: tuple[Text, ...] = ()
    over: bool = False
    maps: tuple[MapView, ...] = ()
    notes: tuple[Text, ...] = ()
    """Other useful information, such as what is on offer."""
    numbers: tuple[Shown, ...] = ()
    """Numbers of the table, which belong to no seat."""
    coming: tuple[int, ...] = ()
    """The seats whose turns follow, in order, where that is certain."""
