"""A record a play has set, if it has: told at its end. Only counted, never from few plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.words import Text, count, say
from companion.results.evenings import FEW, Evening, figures

MANY_WINS = 3
"""From so many wins in a row on, they are told."""


def record(this: Evening, every: Sequence[Evening]) -> Text | None:
    """The first that holds: wins in a row, most points ever, a first win, an own best, the closest result.

    Compared with the earlier plays of the same game; points only with those of as many seats.
    """
    return next(_records(this, every), None)


def record_of(play: int, every: Sequence[Evening]) -> Text | None:
    """The record that the play with this number has set."""
    return next((record(one, every) for one in every if one.id == play), None)


def _records(this: Evening, every: Sequence[Evening]) -> Iterator[Text]:
    if len(this.winners) != 1 or len(this.seats) < 2:
        return
    (winner,) = this.winners
    same = [one for one in every if one.over and one.game == this.game and one.id != this.id]
    before = [one for one in same if (one.at, one.id) < (this.at, this.id)]
    mine = {p.name: p for p in figures((*before, this)).people}[winner.name]
    if mine.run.current >= MANY_WINS:
        yield count("score.record-run", mine.run.current, name=winner.name)
    alike = [one for one in before if len(one.seats) == len(this.seats)]
    points = [seat.points for one in alike for seat in one.seats if seat.points is not None]
    if winner.points is not None and len(alike) >= FEW and points and winner.points > max(points):
        yield count("score.record-points", len(this.seats), points=winner.points)
    if mine.wins == 1 and mine.plays >= MANY_WINS:
        yield count("score.record-first", mine.plays, name=winner.name)
    own = [s.points for one in alike for s in one.seats if s.name == winner.name and s.points is not None]
    if winner.points is not None and len(own) >= FEW and winner.points > max(own):
        yield say("score.record-own", name=winner.name, points=winner.points)
    margins = [one.margin for one in alike if one.margin is not None]
    if this.margin is not None and len(margins) >= FEW and this.margin < min(margins):
        yield count("score.record-closest", len(margins))
