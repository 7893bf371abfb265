"""Compares what the camera saw at a seat with what the play says, and finds the corrections."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from msgspec import Struct

from companion.core.counters import Correctable
from companion.core.session import Session
from companion.core.views import SeatView


class Difference(Struct, frozen=True):
    """A component of which the table has more (`off` > 0) or fewer than the play says.

    Setting each of `counters` to its value makes the play agree with the table; empty if this cannot be
    corrected. `elsewhere` is the seat where the play has the piece that was seen here.
    """

    component: str
    off: int
    counters: tuple[tuple[Correctable, int], ...] = ()
    elsewhere: int | None = None


class Comparison(Struct, frozen=True):
    """How many components were seen at a seat, how many the play says, and where the two differ."""

    seat: int
    seen: int
    known: int
    differences: tuple[Difference, ...]


def compare(session: Session, seat: int, seen: Iterable[str]) -> Comparison:
    """Compare the pieces seen at a seat with the play; ignores components that can never lie there."""
    counters = _counters(session)
    known = {view.seat: Tally(placed.component for placed in view.components) for view in _seats(session)}
    here = known[seat]
    there = Tally(component for component in seen if component in here or (seat, component) in counters)
    differences = tuple(
        _difference(session, seat, component, there[component] - here[component], counters, known)
        for component in dict.fromkeys((*here, *there))
        if there[component] != here[component]
    )
    return Comparison(seat, there.total(), here.total(), differences)


def _difference(
    session: Session,
    seat: int,
    component: str,
    off: int,
    counters: dict[tuple[int | None, str], Correctable],
    known: dict[int, Tally[str]],
) -> Difference:
    own = counters.get((seat, component))
    copies = session.catalogue[component].copies
    spare = copies - sum(tally[component] for tally in known.values())
    others = [other for other, tally in known.items() if other != seat and tally[component]]
    elsewhere = others[0] if others and off > spare else None
    moves = [] if own is None else [(own, own.value + off)]
    if elsewhere is not None and (from_there := counters.get((elsewhere, component))) is not None:
        moves.insert(0, (from_there, from_there.value - 1))
    return Difference(component, off, tuple(moves), elsewhere)


def _counters(session: Session) -> dict[tuple[int | None, str], Correctable]:
    return {(c.seat, c.component): c for c in session.counters() if c.component is not None}


def _seats(session: Session) -> tuple[SeatView, ...]:
    return session.view.seats
