"""Writes drawn films: a stage on which hands pass, rest, deal, shuffle, tidy up, and show cards on purpose.

Nothing here knows how a program judges what it sees. Every event is either a show, with the time at which the
card is still and readable, or is not meant for the camera at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision import virtual_paint as paint
from vision.virtual_geometry import Picture, Size
from workshop.films.cues import (
    RAISED,
    Actor,
    CameraView,
    CardShow,
    Cue,
    Film,
    Scripted,
    Spell,
    SpellKind,
    Stance,
    symbol_spot,
)

CARD, HAND, UNDER = RAISED, RAISED + 60, RAISED - 1
CLEARLY_ELSEWHERE = 105.0
"""Millimetres: a card shown by laying it elsewhere, and its label, move at least this far."""
RIM = 12.0
"""Millimetres at the edge of the picture that a camera hung slightly askew may not see."""
ARM = 45.0
"""Millimetres from the middle of an arm to the edge of its shadow."""
GRIP = 9.0
"""Millimetres of a card that fingers cover."""

TablePoint = tuple[float, float]


class Stage:
    """The film being written: what lies where by now, the time, and everything that happened so far."""

    def __init__(
        self,
        seed: int,
        size: Size,
        scale: float,
        label: float,
        seats: int = 2,
        spot: tuple[float, float, float, float] | None = None,
        card: TablePoint = (44.0, 63.0),
    ) -> None:
        """`spot`: left, top, right and bottom of the spot for showing, in mm, if there is one."""
        self.rng = paint.dice("stage", seed)
        self.seed, self.size, self.scale, self.label, self.card = seed, size, scale, label, card
        self.wide, self.high = size[0] / scale, size[1] / scale
        self.seats, self.spot = seats, spot
        self.now = 1.0
        self.cues: dict[str, list[Cue]] = {}
        self.others: list[Actor] = []
        self.spells: list[Spell] = []
        self.views: list[CameraView] = [CameraView(0.0)]
        self.shows: list[CardShow] = []
        self.events: list[Scripted] = []

    # the current state

    @property
    def lying(self) -> dict[str, Stance]:
        """The cards on the table and where they are."""
        last = {text: cues[-1] for text, cues in self.cues.items()}
        return {text: cue.spot for text, cue in last.items() if cue.spot is not None}

    @property
    def face_up(self) -> list[str]:
        """The cards on the table whose label is visible unless something lies on it."""
        return [text for text in self.lying if self.cues[text][-1].up]

    def inside(self, point: TablePoint, margin: float = 8.0) -> bool:
        """Whether a card there is entirely in the picture."""
        half = max(self.card) / 2 + margin
        return abs(point[0]) < self.wide / 2 - half and abs(point[1]) < self.high / 2 - half

    def in_sight(self, text: str) -> bool:
        """Whether the label of a lying card is well within the picture."""
        x, y = np.abs(self._corners(text, self.lying[text])).max(axis=0)
        return bool(x < self.wide / 2 - RIM and y < self.high / 2 - RIM)

    def label_at(self, text: str, spot: Stance) -> TablePoint:
        """The middle of a card's label if the card is there."""
        x, y = self._corners(text, spot).mean(axis=0)
        return float(x), float(y)

    def _corners(self, text: str, spot: Stance) -> Picture:
        corners = np.column_stack([symbol_spot(text, self.label, self.card), np.ones(4)])
        return np.asarray((corners @ spot.matrix.T)[:, :2])

    def in_spot(self, at: TablePoint, margin: float = 8.0) -> bool | None:
        """Whether a card there is entirely in the spot for showing; None if there is no such spot."""
        if self.spot is None:
            return None
        left, top, right, bottom = self.spot
        half = max(self.card) / 2 + margin
        return left + half < at[0] < right - half and top + half < at[1] < bottom - half

    def beside_spot(self, at: TablePoint) -> bool:
        """Whether a card there keeps clear of the spot for showing."""
        if self.spot is None:
            return True
        left, top, right, bottom = self.spot
        off = max(self.card) / 2 + 12
        return at[0] < left - off or at[0] > right + off or at[1] < top - off or at[1] > bottom + off

    def free(
        self, seat: int | None = None, away_from: TablePoint | None = None, *, shown: bool = False
    ) -> TablePoint | None:
        """A free place in the picture, in this seat's part, clearly away from `away_from`.

        If there is a spot for showing, the place is inside it for a show, and otherwise outside.
        """
        others = [(s.x, s.y) for s in self.lying.values()]
        apart = float(np.hypot(*self.card)) * 0.98
        for _ in range(300):
            at = (
                float(self.rng.uniform(-0.5, 0.5) * self.wide),
                float(self.rng.uniform(-0.5, 0.5) * self.high),
            )
            if not self.inside(at) or not self.belongs(at, seat):
                continue
            if not (self.in_spot(at) in (None, True) if shown else self.beside_spot(at)):
                continue
            if (
                away_from is not None
                and np.hypot(at[0] - away_from[0], at[1] - away_from[1]) < CLEARLY_ELSEWHERE
            ):
                continue
            if all(np.hypot(at[0] - x, at[1] - y) > apart for x, y in others):
                return at
        return None

    def seat_at(self, at: TablePoint) -> int:
        """The seat whose part of the table this is: seats sit side by side."""
        return int(np.clip((at[0] / self.wide + 0.5) * self.seats, 0, self.seats - 1))

    def belongs(self, at: TablePoint, seat: int | None) -> bool:
        """Whether a card there is clearly in this seat's part; with a spot for showing there are no parts."""
        if seat is None or self.spot is not None:
            return True
        return {self.seat_at((at[0] + off, at[1])) for off in (-40, 0, 40)} == {seat}

    def one(self, texts: Sequence[str]) -> str:
        """A random one of these."""
        return str(texts[int(self.rng.integers(len(texts)))])

    # writing

    def wait(self, low: float, high: float) -> None:
        """Let time pass."""
        self.now += float(self.rng.uniform(low, high))

    def place(self, text: str, spot: Stance, up: bool = True) -> None:
        """Put a card there from the beginning."""
        self.cues[text] = [Cue(0.0, spot, up)]

    def move(
        self,
        text: str,
        at: float,
        to: Stance | None,
        layer: int = 0,
        up: bool | None = None,
        jitter: float = 0.0,
    ) -> None:
        """Add a cue of a card: it arrives there at this time."""
        cues = self.cues.setdefault(text, [])
        seen = up if up is not None else (cues[-1].up if cues else True)
        cues.append(Cue(at, to, seen, layer, jitter))

    def shoulder(self, seat: int) -> TablePoint:
        """Where a seat's arm comes from: every other seat sits at the far side."""
        x = (((seat + 0.5) / self.seats) - 0.5) * self.wide * 1.1
        near = 1 if seat % 2 == 0 else -1
        return x, near * (self.high / 2 + 230)

    def arm_passes(self, seat: int, to: TablePoint, card: TablePoint) -> bool:
        """Whether a seat's arm reaching for one place may cover part of a card at another."""
        shoulder, end, at = (np.array(point) for point in (self.shoulder(seat), to, card))
        way = end - shoulder
        t = float(np.clip((at - shoulder) @ way / (way @ way), 0, 1))
        return float(np.linalg.norm(shoulder + t * way - at)) < ARM + float(np.hypot(*self.card)) / 2

    def arm(
        self,
        seat: int,
        path: Sequence[tuple[float, float, float]],
        pose: str = "grip",
        layer: int = HAND,
        jitter: float = 0.6,
    ) -> None:
        """Add a hand that comes in, visits these places (time, x, y), and leaves."""
        sx, sy = self.shoulder(seat)
        cues = []
        for at, x, y in path:
            angle = float(np.rad2deg(np.arctan2(y - sy, x - sx)))
            cues.append(Cue(at, Stance(x, y, angle), True, layer, jitter))
        cues.append(Cue(cues[-1].at + 0.01, None))
        self.others.append(Actor("hand", pose, tuple(cues), seat * 7 + self.seed % 5))

    def outside(self, seat: int, towards: TablePoint) -> TablePoint:
        """The place just outside the picture on the way of a seat's hand to this point."""
        sx, sy = self.shoulder(seat)
        edge = np.sign(sy) * (self.high / 2 + 95)
        t = (edge - sy) / (towards[1] - sy)
        return float(sx + (towards[0] - sx) * t), float(edge)

    def reach(
        self, seat: int, spots: Sequence[tuple[float, TablePoint]], come: float, go: float, pose: str = "grip"
    ) -> None:
        """Move a hand from outside to these places at these times, and back."""
        (first, a), (last, b) = spots[0], spots[-1]
        path = [
            (first - come, *self.outside(seat, a)),
            *((t, *p) for t, p in spots),
            (last + go, *self.outside(seat, b)),
        ]
        self.arm(seat, path, pose)

    def gripped(self, seat: int, spot: Stance) -> TablePoint:
        """Where a hand grips a card that is here: at the edge towards its arm."""
        sx, sy = self.shoulder(seat)
        way = np.array([sx - spot.x, sy - spot.y])
        way /= np.linalg.norm(way)
        turn = np.deg2rad(spot.angle)
        own = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ way
        half = np.array(self.card) / 2 * spot.scale
        reach = float(np.min(half / np.maximum(np.abs(own), 1e-6))) - GRIP
        return spot.x + float(way[0]) * reach, spot.y + float(way[1]) * reach

    def readable(self, text: str, seat: int, at: TablePoint, scale: float = 1.0) -> Stance:
        """How people hold a card so that their own hand does not cover its label."""
        sx, sy = self.shoulder(seat)
        middle = np.mean(np.array(symbol_spot(text, self.label, self.card)), axis=0)
        to_arm = np.array([sx - at[0], sy - at[1]])

        def towards_arm(angle: float) -> float:
            t = np.deg2rad(angle)
            return float(np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) @ middle @ to_arm)

        angle = min((0.0, 90.0, 180.0, 270.0), key=towards_arm)
        return Stance(at[0], at[1], angle + float(self.rng.normal(0, 5)), scale)

    def carry(
        self,
        text: str,
        seat: int,
        stops: Sequence[tuple[float, Stance]],
        come: float,
        go: float,
        *,
        up: bool | None = None,
        left: bool = True,
        held: tuple[int, ...] = (),
    ) -> None:
        """A hand takes a card through these stops and leaves it at the last one, or takes it away.

        At the stops numbered in `held` the hand holds the card until the next one, slightly unsteady.
        """
        path: list[tuple[float, float, float]] = []
        new = text not in self.lying
        first_at, first = stops[0]
        if new:
            start = self.outside(seat, (first.x, first.y))
            begin = Stance(start[0], start[1] + float(np.sign(start[1])) * 45, first.angle, first.scale)
            self.move(text, first_at - come, begin, CARD, up)
            path.append((first_at - come, *self.gripped(seat, begin)))
        else:
            path.append((first_at - come, *self.outside(seat, (first.x, first.y))))
        unsteady = float(self.rng.uniform(0.5, 1.5))
        for n, (at, spot) in enumerate(stops):
            last = n == len(stops) - 1
            if not (n == 0 and not new):
                layer = 0 if last and left else CARD
                self.move(text, at, spot, layer, up, unsteady if n in held else 0.0)
            elif not (last and left):
                self.move(text, at, spot, CARD, up)
            path.append((at, *self.gripped(seat, spot)))
        end_at, end = stops[-1]
        gone = self.outside(seat, (end.x, end.y))
        if left:
            path.append((end_at + go, *gone))
        else:
            away = Stance(gone[0], gone[1] + float(np.sign(gone[1])) * 45, end.angle, end.scale)
            self.move(text, end_at + go, away, CARD, up)
            self.move(text, end_at + go + 0.01, None)
            path.append((end_at + go, *self.gripped(seat, away)))
        self.arm(seat, path, jitter=unsteady if held else 0.4)

    def trouble(self, kind: SpellKind, seconds: float, strength: float = 1.0) -> None:
        """Add a temporary disturbance."""
        self.spells.append(Spell(kind, self.now, self.now + seconds, strength))
        self.now += seconds

    def happen(self, kind: str, event: Callable[[Stage], bool]) -> bool:
        """Write one event; false if it is not possible here."""
        start = self.now
        if not event(self):
            return False
        self.events.append(Scripted(kind, start, self.now))
        return True

    def film(self) -> Film:
        """The film written so far."""
        cards = tuple(Actor("card", text, tuple(cues)) for text, cues in self.cues.items())
        return Film(
            self.seed,
            self.size,
            self.scale,
            self.label,
            self.card,
            self.now + 3.0,
            (*cards, *self.others),
            tuple(self.spells),
            tuple(self.views),
            tuple(self.shows),
            tuple(self.events),
        )
