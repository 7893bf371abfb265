"""What a table shows, for any screen: values without rules and without a language."""

from __future__ import annotations

import enum

from msgspec import Struct

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
    """A component before a seat; `badges` say what lies on it."""

    component: str
    name: str
    badges: tuple[Text, ...] = ()


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


class HexView(Struct, frozen=True):
    """One hex of a map: where it lies (axial, flat tops), how it is turned, which sides are open, whose it is.

    Sides are counted clockwise from the top. `badges` say what lies on it.
    """

    q: int
    r: int
    component: str
    name: str
    turned: int
    open: tuple[int, ...]
    owner: int | None = None
    badges: tuple[Text, ...] = ()


class View(Struct, frozen=True):
    """Everything public about a table at one moment."""

    round: int
    phases: tuple[PhaseView, ...]
    seats: tuple[SeatView, ...]
    pools: tuple[Gauge, ...]
    meters: tuple[Meter, ...]
    alerts: tuple[Text, ...] = ()
    over: bool = False
    map: tuple[HexView, ...] = ()
