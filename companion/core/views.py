"""What a table shows, for any screen: values without rules and without a language."""

from __future__ import annotations

import enum
from typing import Literal

from msgspec import Struct

from companion.core.faces import Face, Sign, Signs, Spot
from companion.core.words import Text


class Tense(enum.Enum):
    """Where a phase of the round stands."""

    PAST = "past"
    NOW = "now"
    COMING = "coming"
    SKIPPED = "skipped"


class PhaseView(Struct, frozen=True):
    """One place on the ribbon of phases."""

    id: str
    text: Text
    tense: Tense


class Shown(Struct, frozen=True):
    """A number with its name."""

    id: str
    text: Text
    value: int


class PlacedView(Struct, frozen=True):
    """A component before a seat; `badges` say what lies on it, `signs` show the same."""

    component: str
    name: Text
    badges: tuple[Text, ...] = ()
    signs: Signs = ()
    face: Face | None = None
    """What it looks like now, if there is more to see than what is printed: that needs no badges."""


class SeatView(Struct, frozen=True):
    """One seat's place: what lies there, its numbers, what it may use now."""

    seat: int
    name: str
    waiting: bool
    ready: bool
    numbers: tuple[Shown, ...]
    components: tuple[PlacedView, ...]
    powers: tuple[Text, ...] = ()
    points: int | None = None
    matters: str = ""
    """Which of the numbers matters most in this phase; without one, the points do."""
    sums: tuple[Signs, ...] = ()
    """What all its powers add up to, a row for each phase: its symbol, then what there is."""
    brief: Signs = ()
    """What others ask about most, such as hand, military and goods, where its numbers do not tell it best."""

    @property
    def in_brief(self) -> Signs:
        """What others ask about most: the number that matters now first."""
        ordered = sorted(self.numbers, key=lambda number: number.id != self.matters)
        return self.brief or tuple(Sign(number.id, str(number.value)) for number in ordered)


class Gauge(Struct, frozen=True):
    """A pool: how much is left of how much."""

    id: str
    text: Text
    value: int
    full: int


class Meter(Struct, frozen=True):
    """How near an end condition is; the end comes when `value` reaches `goal`."""

    id: str
    text: Text
    value: int
    goal: int

    @property
    def reached(self) -> bool:
        """Whether this condition ends the play."""
        return self.value >= self.goal


class TokenView(Struct, frozen=True):
    """Something that lies on a place of a map: whose it is (nobody's: `None`), and how many there are."""

    sign: Sign
    count: int = 1
    seat: int | None = None
    mark: bool = False
    """Whether it is only a cube or a disc, so that the mark of its seat stands for it."""


Shape = Literal["hex", "disc", "card"]
"""What a place looks like: a hex with a flat top, a planet or a system, or a card that is wider than high."""


class PlaceView(Struct, frozen=True):
    """A place of a map; `x` and `y` are its middle, measured in radii of a place, upwards is above.

    `label` is what fits into it, `corners` are printed at its sides, `notes` tell in words everything there is to
    see. Of a hex `edges` are the open sides, clockwise from the top; `companion.core.hexes` tells where hexes lie.
    On a board (`MapView.board`) `corners` are what it takes and does, and `kinds` what kind it is."""

    id: str
    x: float
    y: float
    name: Text
    label: Text
    component: str = ""
    """What lies there, if it is something of the box."""
    shape: Shape = "hex"
    seat: int | None = None
    edges: tuple[bool, ...] = ()
    tokens: tuple[TokenView, ...] = ()
    spots: tuple[Spot, ...] = ()
    corners: Signs = ()
    notes: tuple[Text, ...] = ()
    short: Text | None = None
    """A shorter name, for where the label has no room."""
    kinds: Signs = ()
    """What kind of place it is: signs on the strip of a card, or in the middle of a disc."""
    tints: tuple[str, ...] = ()
    """Colours of its kinds, names of the game's palette: parts of the strip, or of the disc."""
    wide: float = 0.0
    high: float = 0.0
    """How large it is on a board; a disc without a size is as large as its neighbours allow, its name beside it."""
    covered: bool = False
    """Whether nobody knows yet what lies there, or nobody may use it."""
    active: bool = False
    """Whether the piece stands there that somebody is about to move."""


class FreePlace(Struct, frozen=True):
    """A place of a map where nothing lies yet, though something may come to lie there; `label` tells what kind."""

    id: str
    x: float
    y: float
    label: str = ""


class LinkView(Struct, frozen=True):
    """A line between two places, with what stands on it; `dim` where it leads nowhere now."""

    one: str
    other: str
    label: str = ""
    signs: Signs = ()
    dim: bool = False


class MapView(Struct, frozen=True):
    """A map: places, lines between them, and `free` places where it may grow, which a question may name too.

    No two maps of a view share the id of a place. `legend` are the signs people may ask about. A `board` of cards and
    discs fills the room it gets: x and y are stretched on their own, and only where things lie is kept."""

    id: str
    text: Text
    places: tuple[PlaceView, ...]
    free: tuple[FreePlace, ...] = ()
    links: tuple[LinkView, ...] = ()
    legend: Signs = ()
    board: bool = False

    def has(self, place: str) -> bool:
        """Whether this place is on it, or may be."""
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
    """What is good to know besides, such as what is on offer."""
