"""Race for the Galaxy: chips, printed points, and what the six-cost developments count."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from scoring.sheet import Line, Sheet


class Match(Struct, frozen=True):
    """Which cards of a tableau a term counts: all that is said must hold."""

    card: str | None = None
    kind: Literal["world", "development"] | None = None
    cost: int | None = None
    good: str | None = None
    world: Literal["windfall", "production"] | None = None
    military: bool | None = None
    keyword: str | None = None
    power_in: str | None = None


class Term(Struct, frozen=True):
    """Points for each matching card, or once per so many chips, Military or goods."""

    points: int
    each: Match | None = None
    per: Literal["chips", "military", "goods"] | None = None
    divisor: int = 1


class Card(Struct, frozen=True, kw_only=True):
    """What counts about a card in a tableau."""

    id: str
    kind: Literal["world", "development"]
    cost: int | None = None
    points: int | None = None
    good: str | None = None
    world: Literal["windfall", "production"] | None = None
    military: bool = False
    keywords: frozenset[str] = frozenset()
    power_in: frozenset[str] = frozenset()
    strength: int = 0
    terms: tuple[Term, ...] = ()


class Seat(Struct, frozen=True):
    """One seat's table at the moment of counting."""

    name: str
    tableau: tuple[Card, ...]
    goods: int
    chips: int
    hand: int


def score(seats: tuple[Seat, ...]) -> Sheet:
    """The sheet of these seats."""
    raise NotImplementedError
