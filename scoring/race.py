"""Race for the Galaxy: chips, printed points, and the bonuses of six-cost developments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet


class Match(Struct, frozen=True):
    """Which cards of a tableau a term counts: all conditions must hold."""

    card: str | None = None
    kind: Literal["world", "development"] | None = None
    cost: int | None = None
    good: str | None = None
    world: Literal["windfall", "production"] | None = None
    military: bool | None = None
    keyword: str | None = None
    power_in: str | None = None


class Term(Struct, frozen=True):
    """Points for each matching card, or once per this many chips, Military or goods."""

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
    """One seat's table at the time of scoring; `goods` and `hand` are numbers of cards."""

    name: str
    tableau: tuple[Card, ...]
    goods: int
    chips: int
    hand: int


def score(seats: Sequence[Seat]) -> Sheet:
    """The sheet of these seats; ties are broken by cards in hand and goods, added together."""
    tallies = [Tally(seat.name, tuple(_lines(seat)), (seat.hand + seat.goods,)) for seat in seats]
    return sheet_of("race", tallies)


def _lines(seat: Seat) -> Iterator[Line]:
    yield Line("chips", seat.chips, measures={"chips": seat.chips})
    measures = {
        "chips": seat.chips,
        "military": sum(card.strength for card in seat.tableau),
        "goods": seat.goods,
    }
    for card in seat.tableau:
        if card.terms:
            yield _counted(card, seat.tableau, measures)
        else:
            points = card.points or 0
            yield Line(card.id, points, {card.id: points})


def _counted(card: Card, tableau: tuple[Card, ...], measures: dict[str, int]) -> Line:
    """The points of a six-cost development: each card of the tableau, including itself, and its measure once."""
    because = {other.id: points for other in tableau if (points := _first_match(card.terms, other))}
    once = sum(term.points * (measures[term.per] // term.divisor) for term in card.terms if term.per)
    used: dict[str, int] = {term.per: measures[term.per] for term in card.terms if term.per}
    return Line(card.id, sum(because.values()) + once, because, used)


def _first_match(terms: tuple[Term, ...], card: Card) -> int:
    """A card scores the first term it matches, never two: a Rebel world is not also "another military world"."""
    for term in terms:
        if term.each is not None and _fits(term.each, card):
            return term.points
    return 0


def _fits(match: Match, card: Card) -> bool:
    return (
        (match.card is None or match.card == card.id)
        and (match.kind is None or match.kind == card.kind)
        and (match.cost is None or match.cost == card.cost)
        and (match.good is None or match.good == card.good)
        and (match.world is None or match.world == card.world)
        and (match.military is None or match.military == card.military)
        and (match.keyword is None or match.keyword in card.keywords)
        and (match.power_in is None or match.power_in in card.power_in)
    )
