"""Drawn films of an evening: what a camera above a table sees while people play, with the ground truth for
every frame.

A film is a value (`workshop.films.cues`), written by `workshop.films.evening` or by hand. The resting table
is drawn once; only what moves is drawn in every frame. The frame rate is high while something moves and low
otherwise, so hours of evening can be watched in minutes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision import virtual_paint as paint
from vision.virtual_geometry import Picture, SeenLabel
from workshop.films import sprites as sprites
from workshop.films.cues import (
    COVERED,
    NO_PICTURES,
    RAISED,
    Actor,
    Cue,
    Film,
    Spell,
    Stance,
    between,
    symbol_spot,
)

QUICK, SLOW, SLUGGISH = 1 / 11, 0.9, 0.5
"""Seconds between two frames while something moves, while nothing does, and from a temporarily slow camera."""
AFTERWARDS = 1.6
"""Seconds the frame rate stays high after the last movement."""
BEYOND = 0.2
"""How far the painted table extends beyond the picture, in picture widths: a bumped camera sees it."""
SHUTTER = 1 / 50
HIGHEST_GAIN = 3.0


class FilmFrame(Struct, frozen=True):
    """One picture: when it was taken, whether somebody waits for a scan, which labels are visible, and
    whether something may move."""

    picture: Picture
    at: float
    waiting: bool
    truth: tuple[SeenLabel, ...]
    moving: bool = True


def frames(
    film: Film, busy_until: Callable[[], float] = lambda: 0.0, quick: float = QUICK
) -> Iterator[FilmFrame]:
    """The frames of a film from its beginning; drawn again each time. Frames taken before `busy_until()` are
    dropped; while something moves, a frame is taken about every `quick` seconds."""
    return _Drawing(film).frames(busy_until, quick)


def save(film: Film, folder: Path, kind: str = "jpg") -> None:
    """Write a film as a folder of pictures with `times.txt`: a line "NAME SECONDS" for each."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "times.txt").open("w", encoding="utf-8") as times:
        for n, frame in enumerate(frames(film)):
            name = f"{n:06}.{kind}"
            cv2.imwrite(str(folder / name), frame.picture)
            times.write(f"{name} {frame.at:.3f}\n")


class _Drawing:
    """Draws a film frame by frame; holds the camera's adjustments and the table as last drawn."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.rng = paint.dice("film", film.seed)
        self.top, self.onto_top = sprites.ground(film.seed, film.size, film.scale, BEYOND)
        self.times = [tuple(key.at for key in actor.cues) for actor in film.actors]
        self.noise = self.rng.integers(0, 9, (film.size[1] + 64, film.size[0] + 64, 3)).astype(np.uint8)
        self.phase = self.rng.uniform(0, 2 * np.pi, (len(film.actors) + 1, 4))
        self.gain, self.last, self.usual = 1.0, 0.0, 0.0
        self.lying: tuple[tuple[int, Stance, bool], ...] | None = None
        self.table = self.top
        self.looked: tuple[object, bytes] | None = None
        self.still = self.top
        self.seen_lying: tuple[SeenLabel, ...] = ()
        self.hung: tuple[Spell, Picture] | None = None

    def frames(self, busy_until: Callable[[], float], quick: float) -> Iterator[FilmFrame]:
        moving, at = _busy(self.film), 0.0
        starts = [start for start, _ in moving]
        while at < self.film.length:
            k = bisect_right(starts, at + 1e-6)
            moves = k > 0 and at < moving[k - 1][1]
            if at >= busy_until() and self.film.spell(at, *NO_PICTURES) is None:
                yield replace(self.frame(at), moving=moves)
            if moves:
                step = quick if self.film.spell(at, "slow") is None else SLUGGISH
                at += step * float(self.rng.uniform(0.8, 1.2))
            else:
                at = min(at + SLOW, *([starts[k]] if k < len(starts) else [at + SLOW]))

    # one frame

    def frame(self, at: float) -> FilmFrame:
        film = self.film
        dt, self.last = max(0.0, at - self.last), at
        waiting = film.spell(at, "away") is None
        covered = film.spell(at, *COVERED)
        if covered is not None:
            return FilmFrame(self._exposed(self._covered(covered), at, dt), at, waiting, ())
        matrix, smear = self._look(at)
        resting, raised = self._where(at)
        self._lay_table(resting, matrix)
        picture = self.still.copy()
        above = []
        for actor, spot, key, speed in raised:
            thing, place = self._cut_out(actor, key.up, key.layer >= RAISED), matrix @ spot.matrix
            sprites.lay(picture, thing, place, self._smeared(speed))
            above.append((actor, thing, place, key.up, speed))
        if smear > 1:
            picture = cv2.blur(picture, (round(smear), round(smear)))
        truth = () if self._dark(at) else self._truth(above, smear)
        if (finger := film.spell(at, "finger")) is not None:
            picture, truth = self._half_covered(picture, truth, finger)
        return FilmFrame(self._exposed(picture, at, dt), at, waiting, truth)

    def _where(
        self, at: float
    ) -> tuple[list[tuple[float, int, Stance, bool]], list[tuple[Actor, Stance, Cue, Picture]]]:
        """What rests on the table, the last laid last; and what is moving or held, in drawing order."""
        resting, raised = [], []
        for n, actor in enumerate(self.film.actors):
            k = bisect_right(self.times[n], at) - 1
            if k < 0 or (key := actor.cues[k]).spot is None:
                continue
            after = actor.cues[k + 1] if k + 1 < len(actor.cues) else None
            moves = after is not None and after.spot is not None and after.spot != key.spot
            if not moves and not key.jitter and key.layer < RAISED:
                resting.append((key.at, n, key.spot, key.up))
                continue
            spot, speed = between(key, after, at) if moves and after is not None else (key.spot, np.zeros(2))
            raised.append((actor, self._unsteady(spot, key.jitter, n, at), key, speed))
        return sorted(resting, key=lambda r: (r[0], r[1])), sorted(raised, key=lambda r: r[2].layer)

    def _unsteady(self, spot: Stance, jitter: float, n: int, at: float) -> Stance:
        if not jitter:
            return spot
        a, b, c, d = self.phase[n]
        x = 0.6 * np.sin(7.9 * at + a) + 0.4 * np.sin(21 * at + b)
        y = 0.6 * np.sin(6.7 * at + c) + 0.4 * np.sin(18 * at + d)
        return Stance(spot.x + jitter * x, spot.y + jitter * y, spot.angle + jitter * x * 0.5, spot.scale)

    def _look(self, at: float) -> tuple[Picture, float]:
        """The (3, 3) matrix from millimetres to pixels, and the blur of the whole picture."""
        view = next(v for v in reversed(self.film.views) if v.at <= at)
        shaken = self.film.spell(at, "shake")
        x, y, smear = view.x, view.y, 0.0
        if shaken is not None:
            a, b, c, _ = self.phase[-1]
            x += 3 * shaken.strength * np.sin(38 * at + a)
            y += 3 * shaken.strength * np.sin(45 * at + b + np.sin(9 * at + c))
            smear = 3 * shaken.strength * 40 * SHUTTER * self.film.scale
        return _camera(self.film, Stance(x, y, view.turn, view.near)), smear

    def _lay_table(self, resting: list[tuple[float, int, Stance, bool]], matrix: Picture) -> None:
        """Draw the table with everything that rests on it as the camera sees it, if anything has changed."""
        lying = tuple((n, spot, up) for _, n, spot, up in resting)
        key = (lying, matrix.tobytes())
        if key == self.looked:
            return
        if lying != self.lying:
            self.lying, self.table = lying, self.top.copy()
            for n, spot, up in lying:
                thing = self._cut_out(self.film.actors[n], up, False)
                sprites.lay(self.table, thing, self.onto_top @ spot.matrix)
        self.looked = key
        self.still = cv2.warpPerspective(
            self.table, matrix @ np.linalg.inv(self.onto_top), self.film.size, borderMode=cv2.BORDER_REPLICATE
        )
        self.seen_lying = self._seen(
            [
                (self.film.actors[n], self._cut_out(self.film.actors[n], up, False), matrix @ spot.matrix, up)
                for n, spot, up in lying
            ]
        )

    def _cut_out(self, actor: Actor, up: bool, raised: bool) -> sprites.CutOut:
        film = self.film
        match actor.kind:
            case "card":
                face, art = film.faces.get(actor.name), film.art
                if face is not None:
                    return sprites.card(face, 0.0, film.card, film.scale, up, raised, art)
                return sprites.card(actor.name, film.label, film.card, film.scale, up, raised)
            case "hand":
                return sprites.hand(actor.name, actor.number, film.scale)
            case "cup":
                return sprites.cup(actor.number, film.scale)

    def _smeared(self, speed: Picture) -> tuple[float, float]:
        x, y = speed * self.film.scale * SHUTTER
        return float(x), float(y)

    # light

    def _covered(self, spell: Spell) -> Picture:
        w, h = self.film.size
        if spell.kind in ("wall", "scarf"):
            return self._hung_before(spell)
        tone = (6, 7, 9) if spell.kind == "black" else (62, 84, 148)
        flat = np.full((9, 16, 3), tone, np.float32) * self.rng.uniform(0.8, 1.1, (9, 16, 1))
        return cv2.resize(np.clip(flat, 0, 255).astype(np.uint8), (w, h), interpolation=cv2.INTER_CUBIC)

    def _hung_before(self, spell: Spell) -> Picture:
        """A wall in lamplight, or a scarf: out of focus, with folds in places."""
        if self.hung is None or self.hung[0] != spell:
            self.hung = spell, self._drape(spell)
        return self.hung[1]

    def _drape(self, spell: Spell) -> Picture:
        w, h = self.film.size
        rng = paint.dice("cover", self.film.seed, round(spell.start * 1000))
        across, down = np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h))
        light = 1 + rng.uniform(-0.25, 0.25) * across + rng.uniform(-0.25, 0.25) * down
        if spell.kind == "scarf":
            folds = cv2.resize(
                rng.normal(size=(24, 42)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
            )
            light += 0.16 * folds * (across * rng.choice([-1, 1]) > rng.uniform(-0.6, 0.9))
        tone = rng.uniform(60, 190, 3)
        return np.clip(tone * light[:, :, None], 0, 255).astype(np.uint8)

    def _half_covered(
        self, picture: Picture, truth: tuple[SeenLabel, ...], spell: Spell
    ) -> tuple[Picture, tuple[SeenLabel, ...]]:
        """A finger in front of part of the lens, from one side, with a blurred edge."""
        w, h = self.film.size
        way = paint.dice("finger", self.film.seed, round(spell.start * 1000)).uniform(0, 2 * np.pi)
        x, y = np.meshgrid(
            np.linspace(-0.5, 0.5, w, dtype=np.float32), np.linspace(-0.5, 0.5, h, dtype=np.float32)
        )
        along = np.cos(way) * x + np.sin(way) * y
        edge = np.float32(np.quantile(along, 1 - spell.strength))
        cover = np.clip((along - edge) / np.float32(0.08) + np.float32(0.5), 0, 1)
        flat = self._covered(Spell("skin", 0.0, 0.0)).astype(np.float32)
        mixed = picture * (1 - cover[:, :, None]) + flat * cover[:, :, None]

        def hidden(label: SeenLabel) -> bool:
            return any(
                cover[min(h - 1, max(0, int(y)))][min(w - 1, max(0, int(x)))] > 0.05 for x, y in label.corners
            )

        seen = (SeenLabel(s.text, s.corners, s.module, False, "covered") if hidden(s) else s for s in truth)
        return mixed.astype(np.uint8), tuple(seen)

    def _dark(self, at: float) -> bool:
        return self.film.spell(at, "dark") is not None

    def _exposed(self, picture: Picture, at: float, dt: float) -> Picture:
        """The picture after the camera: slow changes of light, automatic exposure that follows, noise."""
        light = 1 + 0.07 * np.sin(at / 97 + self.phase[-1, 3]) + 0.04 * np.sin(at / 23)
        if self._dark(at):
            light *= 0.006
        if (lamp := self.film.spell(at, "lamp")) is not None:
            light *= lamp.strength
        if (flicker := self.film.spell(at, "flicker")) is not None:
            light *= 1 + 0.45 * flicker.strength * np.sin(at * 31) * np.sin(at * 2.3)
        mean = float(cv2.mean(cv2.resize(picture, (32, 18), interpolation=cv2.INTER_NEAREST))[1]) * light
        self.usual = self.usual or mean
        want = min(HIGHEST_GAIN, (self.usual / max(mean, 0.5)) ** 0.7)
        self.gain += (want - self.gain) * (1 - np.exp(-dt / 0.7))
        out = cv2.convertScaleAbs(picture, alpha=float(light * self.gain))
        y, x = self.rng.integers(0, 64, 2)
        h, w = out.shape[:2]
        noise = self.noise[y : y + h, x : x + w]
        return cv2.subtract(cv2.add(out, noise), self.noise[63 - y : 63 - y + h, 63 - x : 63 - x + w])

    # truth

    def _truth(
        self, above: list[tuple[Actor, sprites.CutOut, Picture, bool, Picture]], smear: float
    ) -> tuple[SeenLabel, ...]:
        seen = list(self.seen_lying)
        for actor, thing, place, up, speed in above:
            seen = _hidden(seen, thing, place)
            blur = np.hypot(*self._smeared(speed))
            if actor.kind == "card" and up:
                seen.append(_label(self.film, actor.name, place, blur))
        if smear > 1:
            return tuple(SeenLabel(s.text, s.corners, s.module, False, "moving") for s in seen)
        return tuple(seen)

    def _seen(self, lying: list[tuple[Actor, sprites.CutOut, Picture, bool]]) -> tuple[SeenLabel, ...]:
        seen: list[SeenLabel] = []
        for actor, thing, place, up in lying:
            seen = _hidden(seen, thing, place)
            if actor.kind == "card" and up:
                seen.append(_label(self.film, actor.name, place, 0.0))
        return tuple(seen)


def _camera(film: Film, look: Stance) -> Picture:
    """The (3, 3) matrix from millimetres to pixels, for a camera that hangs slightly askew."""
    rng = paint.dice("camera", film.seed)
    roll, tilt = rng.normal(0, 1.5), rng.normal(0, 0.00008, 2)
    lean = np.array([[1, 0, 0], [0, 1, 0], [tilt[0], tilt[1], 1]])
    middle = np.array([[1, 0, film.size[0] / 2], [0, 1, film.size[1] / 2], [0, 0, 1]])
    seen = Stance(look.x, look.y, look.angle + float(roll), look.scale).matrix
    return np.asarray(middle @ np.diag([film.scale, film.scale, 1]) @ lean @ seen)


def _label(film: Film, text: str, place: Picture, blur: float) -> SeenLabel:
    mm = np.array(symbol_spot(text, film.label, film.card))
    there = np.column_stack([mm, np.ones(4)]) @ place.T
    there = there[:, :2] / there[:, 2:]
    w, h = film.size
    inside = bool((there > 0).all() and (there < (w, h)).all())
    module = float(np.mean(np.linalg.norm(there - np.roll(there, 1, axis=0), axis=1))) / 21
    why = "outside" if not inside else "moving" if blur > module else ""
    return SeenLabel(text, tuple((float(x), float(y)) for x, y in there), module, not why, why)


def _hidden(seen: list[SeenLabel], thing: sprites.CutOut, place: Picture) -> list[SeenLabel]:
    """The labels; those this thing is drawn over are marked as covered."""
    if not seen:
        return seen
    steps = np.linspace(-0.02, 1.02, 7)
    u, v = (grid.ravel()[:, None] for grid in np.meshgrid(steps, steps))
    corners = np.array([s.corners for s in seen])  # (n, 4, 2)
    a, b, d = corners[:, None, 0], corners[:, None, 1], corners[:, None, 3]
    points = a + (b - a) * u + (d - a) * v
    hits = sprites.hides(thing, place, points.reshape(-1, 2)).reshape(len(seen), -1).any(axis=1)
    covered: list[bool] = np.asarray(hits).tolist()
    return [
        SeenLabel(s.text, s.corners, s.module, False, "covered") if hit and s.visible else s
        for s, hit in zip(seen, covered, strict=True)
    ]


def _busy(film: Film) -> list[tuple[float, float]]:
    """The time spans with a high frame rate, in order and without overlap."""
    spans = [(v.at - 0.2, v.at + AFTERWARDS) for v in film.views[1:]]
    spans += [(s.start - 0.2, s.end + AFTERWARDS) for s in film.spells if s.kind in ("shake", "flicker")]
    for s in film.spells:
        if s.kind in (*COVERED, "dark", "finger", "lamp", "unplugged", "pause", "away"):
            spans += [(s.start - 0.2, s.start + 1.5), (s.end - 0.1, s.end + AFTERWARDS)]
    for actor in film.actors:
        for key, after in zip(actor.cues, actor.cues[1:], strict=False):
            if key.spot != after.spot or (key.jitter and key.layer < RAISED + 50):
                spans.append((key.at, after.at + AFTERWARDS))
    merged: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
