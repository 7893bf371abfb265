"""What a table shows, for any screen: values without rules and without a language."""

from __future__ import annotations

import enum

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
    name: str
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


class PlaceView(Struct, frozen=True):
    """A hex of a map with a flat top, at axial coordinates; `edges` are its open sides, clockwise from the top.

    `label` is what fits into it, `corners` are printed at its sides, `notes` tell in words everything there is to
    see."""

    id: str
    q: int
    r: int
    component: str
    name: str
    label: str
    seat: int | None = None
    edges: tuple[bool, ...] = ()
    tokens: tuple[TokenView, ...] = ()
    spots: tuple[Spot, ...] = ()
    corners: Signs = ()
    notes: tuple[Text, ...] = ()


class FreePlace(Struct, frozen=True):
    """A hex of a map where nothing lies yet, though something may come to lie there; `label` tells what kind."""

    id: str
    q: int
    r: int
    label: str = ""


class View(Struct, frozen=True):
    """Everything public about a table at one moment."""

    round: int
    phases: tuple[PhaseView, ...]
    seats: tuple[SeatView, ...]
    pools: tuple[Gauge, ...]
    meters: tuple[Meter, ...]
    alerts: tuple[Text, ...] = ()
    over: bool = False
    map: tuple[PlaceView, ...] = ()
    free: tuple[FreePlace, ...] = ()
    """Where the map may grow: a question may name these places too."""
    legend: Signs = ()
    """The signs on the map that people may ask about."""
    notes: tuple[Text, ...] = ()
    """What is good to know besides, such as what is on offer."""
