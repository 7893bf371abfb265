"""How the points of a play grew: after every deed, and at the end of every round."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from companion.core.session import Session


class GrowthStep(Struct, frozen=True):
    """The points of all seats after a deed, whose last moment is number `moment`; and in which round."""

    moment: int
    round: int
    points: tuple[int, ...]


class Growth(Struct, frozen=True):
    """Every seat's points at the end of each round; the last round may be incomplete."""

    rounds: tuple[int, ...] = ()
    points: tuple[tuple[int, ...], ...] = ()
    steps: tuple[GrowthStep, ...] = ()

    def of(self, seat: int) -> tuple[int, ...]:
        """One seat's points, round by round."""
        return tuple(points[seat] for points in self.points)


def growth(session: Session, go_on: Callable[[int], bool] = lambda deeds: True) -> Growth:
    """The growth of a play so far; empty for games without points before the end.

    `go_on` is told after each deed how many were looked at; if it says no, the rest is left out.
    """
    last: dict[int, tuple[int, ...]] = {}
    steps: list[GrowthStep] = []
    for n, (_, end) in enumerate(((0, 0), *session.deeds())):
        view = session.game_at(end).view(session.moments[end].state)
        points = tuple(seat.points for seat in view.seats if seat.points is not None)
        if view.round and len(points) == len(view.seats):  # before the first round the table is only set up
            last[view.round] = points
            steps.append(GrowthStep(end, view.round, points))
        if not go_on(n):
            break
    return Growth(tuple(last), tuple(last.values()), tuple(steps))
