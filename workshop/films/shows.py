"""Cards shown to the camera on purpose: brought, lifted, laid clearly elsewhere, or two at once."""

from __future__ import annotations

import numpy as np

from workshop.films.cues import CardShow, Cue, Stance
from workshop.films.evening import CLEARLY_ELSEWHERE, Stage, TablePoint
from workshop.films.events import FilmEvent


def _held(s: Stage, seat: int, near_: float) -> TablePoint | None:
    margin = max(s.card) / 2 * (near_ - 1) + 6
    for _ in range(300):
        at = (float(s.rng.uniform(-0.5, 0.5) * s.wide), float(s.rng.uniform(-0.5, 0.5) * s.high))
        if s.inside(at, margin) and s.belongs(at, seat) and s.in_spot(at, margin) in (None, True):
            return at
    return None


def brings(
    label: str, seat: int, *, held: bool, left: bool, kind: str = "brought", where: TablePoint | None = None
) -> FilmEvent:
    """A card from outside the table is held in front of the camera, or laid in free space (at `where`); then
    it stays or is taken away."""

    def event(s: Stage) -> bool:
        near_ = float(s.rng.uniform(1.35, 1.8)) if held else 1.0
        at = where or (_held(s, seat, near_) if held else s.free(seat, shown=True))
        if at is None or label in s.lying:
            return False
        spot = s.readable(label, seat, at, near_)
        t, long = s.now + 0.8, float(s.rng.uniform(1.2, 4))
        if held:
            down = s.free(seat, shown=True) if left else None
            stops = [(t, spot), (t + long, spot)]
            if left and down is None:
                return False
            if down is not None:
                stops.append((t + long + 0.6, s.readable(label, seat, down)))
            s.carry(label, seat, stops, 0.7, 0.6, up=True, left=left, held=(0,))
        else:
            once = [(t, spot), (t + long, spot)][: 2 if not left else 1]
            s.carry(label, seat, once, 0.7, 0.5, up=True, left=left)
            if not left:
                s.cues[label] = [c if c.at != t else Cue(t, spot, True) for c in s.cues[label]]
        s.shows.append(CardShow(label, seat, t, t + long, kind, where is not None, not held))
        s.now = t + long + 1.5
        return True

    return event


def lifts(label: str, seat: int, *, back: bool) -> FilmEvent:
    """A lying card is picked up, held nearer to the camera, and put back or elsewhere."""

    def event(s: Stage) -> bool:
        old, near_ = s.lying[label], float(s.rng.uniform(1.35, 1.8))
        at = _held(s, seat, near_)
        down = old if back else s.free(seat, (old.x, old.y), shown=True)
        if at is None or down is None:
            return False
        spot = s.readable(label, seat, at, near_)
        if down is not old and isinstance(down, tuple):
            down = s.readable(label, seat, down)
        assert isinstance(down, Stance)
        t, long = s.now + 0.7, float(s.rng.uniform(1.2, 4))
        s.carry(
            label,
            seat,
            [(t, old), (t + 0.8, spot), (t + 0.8 + long, spot), (t + 1.6 + long, down)],
            0.7,
            0.6,
            held=(1,),
        )
        s.shows.append(CardShow(label, seat, t + 0.8, t + 0.8 + long, "lifted"))
        s.now = t + long + 3
        return True

    return event


def _elsewhere(s: Stage, label: str, seat: int) -> Stance | None:
    """A free place clearly away from a card and also from its label: a camera knows a card only by its label,
    and a card may only have been turned around in its place."""
    old = s.lying[label]
    x, y = s.label_at(label, old)
    for _ in range(20):
        at = s.free(seat, (old.x, old.y), shown=True)
        if at is None:
            return None
        spot = s.readable(label, seat, at)
        to = s.label_at(label, spot)
        if np.hypot(to[0] - x, to[1] - y) >= CLEARLY_ELSEWHERE:
            return spot
    return None


def lays_elsewhere(label: str, seat: int) -> FilmEvent:
    """A lying card is laid down clearly elsewhere."""

    def event(s: Stage) -> bool:
        old, t = s.lying[label], s.now + 0.7
        spot = _elsewhere(s, label, seat)
        if spot is None:
            return False
        s.carry(label, seat, [(t, old), (t + 0.7, spot)], 0.7, 0.5)
        s.shows.append(CardShow(label, seat, t + 0.7, t + 4, "elsewhere"))
        s.now = t + 4.5
        return True

    return event


def _beside(s: Stage, seats: tuple[int, int]) -> tuple[TablePoint, TablePoint] | None:
    """Two free places for two seats: a card under the other's arm would not be shown yet."""
    for _ in range(20):
        first = s.free(seats[0], shown=True)
        second = None if first is None else s.free(seats[1], first, shown=True)
        if first is None or second is None:
            return None
        if not s.arm_passes(seats[0], first, second) and not s.arm_passes(seats[1], second, first):
            return first, second
    return None


def two_seats(labels: tuple[str, str], seats: tuple[int, int]) -> FilmEvent:
    """Two people each show a card at the same time, on purpose, side by side."""

    def event(s: Stage) -> bool:
        if {*labels} & {*s.lying}:
            return False
        places = _beside(s, seats)
        if places is None:
            return False
        now, ends = s.now, []
        for label, seat, where in zip(labels, seats, places, strict=True):
            s.now = now + float(s.rng.uniform(0, 0.3))
            brings(label, seat, held=False, left=False, kind="together", where=where)(s)
            ends.append(s.now)
        s.now = max(ends)
        return True

    return event
