"""What each seat's lamp and counter show now, for any game: pure functions of the session."""

from __future__ import annotations

import enum

from companion.core.agenda import waited_for
from companion.core.entries import Answered
from companion.core.session import Session


class Lamp(enum.Enum):
    """What a lamp can signal, the same in every game."""

    OFF = "off"
    WAITED = "waited"
    """The table waits for you."""
    LATE = "late"
    """The table waits for you longer than the soft limit; never returned by `lamps`, which has no clock."""
    MAY = "may"
    """You may answer: the whole table is asked."""
    REVEAL = "reveal"
    """Everybody has chosen: turn it over now."""
    WINNER = "winner"


def lamps(session: Session) -> tuple[Lamp, ...]:
    """The lamp of each seat; never `REVEAL`, which the caller shows for as long as it likes."""
    seats = range(len(session.setup.seats))
    if session.over:
        winners = session.game.sheet(session.state).winners
        return tuple(Lamp.WINNER if session.setup.seats[n] in winners else Lamp.OFF for n in seats)
    if session.paused:
        return tuple(Lamp.OFF for _ in seats)
    waited = waited_for(session.state)
    others = Lamp.MAY if None in waited else Lamp.OFF
    return tuple(Lamp.WAITED if n in waited else others for n in seats)


def reveals(session: Session) -> bool:
    """Whether the last answer completed several secret ones, so that everybody now reveals their choice."""
    if session.last is None or not isinstance(session.last.deed, Answered):
        return False
    return any(item.kind == "reveal" for item in session.news)


POINTS, PHASE = "points", "phase"
"""What a counter may show besides a game's own numbers: the points, or what matters in this phase."""


def numbers(session: Session, wish: str = POINTS) -> tuple[int | None, ...]:
    """The number on each seat's counter."""
    found: list[int | None] = []
    for seat in session.view.seats:
        shown = {number.id: number.value for number in seat.numbers}
        named = seat.matters if wish == PHASE else wish
        found.append(shown.get(named, seat.points))
    return tuple(found)
