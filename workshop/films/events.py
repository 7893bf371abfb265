"""Events of an evening at a table that are not meant for the camera."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from workshop.films.cues import Actor, CameraView, Cue, Stance
from workshop.films.evening import CARD, Stage, TablePoint

FilmEvent = Callable[[Stage], bool]
"""Writes an event onto a stage and advances its time; false if it cannot happen there."""


def _seat(s: Stage) -> int:
    return int(s.rng.integers(s.seats))


def _somewhere(s: Stage) -> TablePoint:
    return float(s.rng.uniform(-0.42, 0.42) * s.wide), float(s.rng.uniform(-0.42, 0.42) * s.high)


def _at(s: Stage, text: str) -> TablePoint:
    spot = s.lying[text]
    return spot.x, spot.y


def _over(s: Stage, low: float, high: float) -> bool:
    seat, a, b = _seat(s), _somewhere(s), _somewhere(s)
    long = float(s.rng.uniform(low, high))
    s.reach(seat, [(s.now + long, a), (s.now + 1.6 * long, b)], long, long, "flat")
    s.now += 2.7 * long
    return True


def passes_fast(s: Stage) -> bool:
    """An arm is over the table for a moment."""
    return _over(s, 0.15, 0.3)


def passes_slowly(s: Stage) -> bool:
    """An arm moves slowly over the table."""
    return _over(s, 0.6, 2.0)


def rests(s: Stage) -> bool:
    """A hand rests on a card and its neighbours."""
    if not s.face_up:
        return False
    at = _at(s, s.one(s.face_up))
    long = float(np.exp(s.rng.uniform(0, np.log(60))))
    t = s.now + 0.6
    near = (at[0] + float(s.rng.normal(0, 2)), at[1] + float(s.rng.normal(0, 2)))
    s.reach(_seat(s), [(t, at), (t + long, near)], 0.6, float(s.rng.uniform(0.2, 1.0)), "flat")
    s.now = t + long + 1
    return True


def withdraws(s: Stage) -> bool:
    """An arm lies over two cards and is withdrawn within a fifth of a second."""
    if len(s.face_up) < 2:
        return False
    a, b = (_at(s, t) for t in s.rng.choice(s.face_up, 2, replace=False))
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    long, t = float(s.rng.uniform(1.5, 8)), s.now + 0.5
    s.reach(_seat(s), [(t, middle), (t + long, middle)], 0.5, 0.2, "flat")
    s.now = t + long + 0.5
    return True


def reaches_across(s: Stage) -> bool:
    """Somebody reaches for something on the other side and comes back."""
    seat = _seat(s)
    _, y = s.shoulder(seat)
    far = (float(s.rng.uniform(-0.4, 0.4) * s.wide), -float(np.sign(y)) * s.high * 0.38)
    t = s.now + float(s.rng.uniform(0.5, 1.2))
    s.reach(seat, [(t, far), (t + float(s.rng.uniform(0.3, 2.0)), far)], t - s.now, 0.7)
    s.now = t + 3
    return True


def _absent(s: Stage, cards: list[str]) -> list[str]:
    return [str(t) for t in s.rng.permutation([t for t in cards if t not in s.lying])]


def deals(cards: list[str], *, up: float) -> FilmEvent:
    """Cards are dealt quickly, this share of them face up; later they are taken away."""

    def event(s: Stage) -> bool:
        texts = _absent(s, cards)
        seat = _seat(s)
        dealt: list[str] = []
        t, where = s.now + 0.7, s.free()
        if len(texts) < 2 or where is None:
            return False
        for text in texts[: int(s.rng.integers(2, 7))]:
            beside = s.free() if s.rng.random() < 0.6 else None
            where = beside or where
            spot = Stance(
                where[0] + float(s.rng.normal(0, 3)),
                where[1] + float(s.rng.normal(0, 3)),
                float(s.rng.normal(0, 8)),
            )
            s.carry(text, seat, [(t, spot)], 0.25, 0.2, up=bool(s.rng.random() < up))
            dealt.append(text)
            t += float(s.rng.uniform(0.18, 0.3))
        t += float(s.rng.uniform(3, 12))
        s.now = t
        return _carry_off(s, seat, dealt)

    return event


def _carry_off(s: Stage, seat: int, texts: list[str]) -> bool:
    """Cards are gathered into a pile at the last one's place, and the pile is taken away."""
    target = s.lying[texts[-1]]
    t = s.now + 0.6
    hand = [(t, s.gripped(seat, target))]
    for text in texts[:-1]:
        spot = s.lying[text]
        hand.append((t, s.gripped(seat, spot)))
        s.move(text, t, spot)
        s.move(text, t + 0.35, target)
        hand.append((t + 0.35, s.gripped(seat, target)))
        t += 0.5
    gone = s.outside(seat, (target.x, target.y))
    off = Stance(gone[0], gone[1] + float(np.sign(gone[1])) * 45, target.angle)
    for n, text in enumerate((texts[-1], *texts[:-1])):
        s.move(text, t + 0.1, target, CARD + n)
        s.move(text, t + 0.9, off, CARD + n)
        s.move(text, t + 0.95, None)
    s.reach(seat, [*hand, (t + 0.1, s.gripped(seat, target))], 0.6, 0.8)
    s.now = t + 1.2
    return True


def gathers(s: Stage) -> bool:
    """Some neighbouring cards are piled up and carried off; later they are laid out again."""
    if len(s.face_up) < 3:
        return False
    first = _at(s, s.one(s.face_up))
    near = sorted(s.face_up, key=lambda t: np.hypot(*np.subtract(_at(s, t), first)))[
        : int(s.rng.integers(2, 5))
    ]
    old, seat = {t: s.lying[t] for t in near}, _seat(s)
    _carry_off(s, seat, near)
    s.wait(4, 20)
    t = s.now + 0.8
    for text in near:  # the same people lay them where they were, quickly
        s.carry(text, seat, [(t, old[text])], 0.3, 0.25)
        t += float(s.rng.uniform(0.25, 0.4))
    s.now = t + 1
    return True


def straightens(s: Stage) -> bool:
    """The cards of a row are straightened, each shifted by up to a card's width."""
    if not s.face_up:
        return False
    row = _at(s, s.one(s.face_up))[1]
    texts = [t for t in s.face_up if abs(s.lying[t].y - row) < s.card[1] / 2][: int(s.rng.integers(1, 6))]
    seat, t = _seat(s), s.now + 0.7
    hand = []
    shift = float(s.rng.uniform(-1, 1) * s.card[0])
    if any(abs(s.lying[x].x + shift) > s.wide / 2 - s.card[0] * 0.6 for x in texts):
        shift = 0.0
    for text in texts:
        spot = s.lying[text]
        quarter = 90 * round(spot.angle / 90)
        new = Stance(
            spot.x + shift + float(s.rng.normal(0, 2)),
            spot.y + float(s.rng.normal(0, 3)),
            quarter + float(s.rng.normal(0, 1)),
        )
        hand += [(t, s.gripped(seat, spot)), (t + 0.4, s.gripped(seat, new))]
        s.move(text, t, spot)
        s.move(text, t + 0.4, new)
        t += 0.8
    s.reach(seat, hand, 0.7, 0.6)
    s.now = t + 0.8
    return True


def shuffles(s: Stage) -> bool:
    """Cards are shuffled in a heap with both hands, and put back where they were."""
    if len(s.face_up) < 4:
        return False
    first = _at(s, s.one(s.face_up))
    near = sorted(s.face_up, key=lambda t: np.hypot(*np.subtract(_at(s, t), first)))[
        : int(s.rng.integers(3, 7))
    ]
    seat, old = _seat(s), {t: s.lying[t] for t in near}
    t = s.now + 0.6
    for text in near:
        s.move(text, t, old[text])
    hand = [(t, first)]
    for _ in range(int(s.rng.integers(4, 10))):
        t += float(s.rng.uniform(0.25, 0.45))
        for text in near:
            x, y = s.rng.normal(0, 22, 2)
            s.move(text, t, Stance(first[0] + float(x), first[1] + float(y), float(s.rng.uniform(0, 360))))
        hand.append((t, (first[0] + float(s.rng.normal(0, 30)), first[1] + float(s.rng.normal(0, 20)))))
    for text in near:
        t += float(s.rng.uniform(0.25, 0.5))
        spot = s.lying[text]
        s.move(text, t, spot)
        s.move(text, t + 0.25, old[text])
        hand += [(t, (spot.x, spot.y)), (t + 0.25, (old[text].x, old[text].y))]
        t += 0.25
    s.reach(seat, hand, 0.6, 0.5, "flat")
    s.now = t + 1
    return True


def uncovers(below_: list[str], above: list[str]) -> FilmEvent:
    """A pile is brought in face down and turned over; its top card is taken, which shows the next one for the
    first time."""

    def event(s: Stage) -> bool:
        hidden, tops = _absent(s, below_), _absent(s, above)
        where, seat = s.free(), _seat(s)
        if not hidden or not tops or where is None or hidden[0] == tops[0]:
            return False
        below, top = hidden[0], tops[0]
        spot = Stance(*where, float(s.rng.normal(0, 4)))
        t = s.now + 0.9
        s.carry(below, seat, [(t, spot)], 0.8, 0.5, up=False)
        s.cues[below][-1] = Cue(t, spot, True)
        s.move(top, t + 0.001, spot, up=True)  # the pile is one thing: its top hides the rest from the start
        t += float(s.rng.uniform(4, 15))
        s.carry(top, seat, [(t, spot)], 0.7, 0.6, left=False)
        s.now = t + float(s.rng.uniform(3, 8))
        return _carry_off(s, seat, [below])

    return event


def points(s: Stage) -> bool:
    """Somebody points at one card after another and talks."""
    if not s.face_up:
        return False
    t, seat, path = s.now + 0.6, _seat(s), []
    for _ in range(int(s.rng.integers(1, 5))):
        x, y = _at(s, s.one(s.face_up))
        path += [(t, (x, y)), (t + float(s.rng.uniform(0.5, 4)), (x + 3, y + 2))]
        t = path[-1][0] + 0.4
    s.reach(seat, path, 0.6, 0.6, "point")
    s.now = t + 1
    return True


def cup_on_card(s: Stage) -> bool:
    """A cup is put on a card and lifted later."""
    if not s.face_up:
        return False
    x, y = _at(s, s.one(s.face_up))
    seat, t = _seat(s), s.now + 0.8
    out, on = s.outside(seat, (x, y)), Stance(x, y, float(s.rng.uniform(0, 360)))
    away = Stance(out[0], out[1] + float(np.sign(out[1])) * 60, on.angle)
    lift = t + float(np.exp(s.rng.uniform(np.log(3), np.log(90))))
    cues = (
        Cue(t - 0.8, away, True, CARD),
        Cue(t, on, True, 50),
        Cue(lift, on, True, CARD),
        Cue(lift + 0.6, away),
        Cue(lift + 0.7, None),
    )
    s.others.append(Actor("cup", "", cues, seat))
    s.reach(seat, [(t, (x + 30, y))], 0.8, 0.5)
    s.reach(seat, [(lift, (x + 30, y))], 0.5, 0.6)
    s.now = lift + 1
    return True


def bumped(s: Stage) -> bool:
    """The camera is pushed: from now on everything is elsewhere in the picture."""
    old, by = s.views[-1], float(np.exp(s.rng.uniform(np.log(0.01), np.log(0.15))))
    way = s.rng.uniform(0, 2 * np.pi)
    x, y = by * s.wide * np.cos(way), by * s.high * np.sin(way)
    if abs(old.x + x) > 0.15 * s.wide or abs(old.y + y) > 0.15 * s.high:
        x, y = -old.x * 0.8, -old.y * 0.8
    turn = float(np.clip(s.rng.normal(0, 60 * by), -12, 12)) - old.turn * 0.5
    near = float(np.clip(old.near * (1 + s.rng.normal(0, by / 3)), 0.93, 1.08))
    s.trouble("shake", 0.25, 2.0)
    s.views.append(CameraView(s.now - 0.12, old.x + float(x), old.y + float(y), turn, near))
    s.now += 1
    return True


def put_right(s: Stage) -> bool:
    """Somebody turns a pushed camera back to its first direction."""
    s.trouble("shake", 0.4, 2.0)
    x, y = s.rng.uniform(-0.01, 0.01, 2) * s.wide
    s.views.append(CameraView(s.now - 0.2, float(x), float(y), float(s.rng.normal(0, 0.5))))
    s.now += 2
    return True


def shaken(s: Stage) -> bool:
    """The table is shaken for a second or two."""
    s.trouble("shake", float(s.rng.uniform(1, 2)), float(s.rng.uniform(0.4, 1.5)))
    return True


def _long(s: Stage, low: float) -> float:
    return float(np.exp(s.rng.uniform(np.log(low), np.log(60))))


def light_off(s: Stage) -> bool:
    """The light goes off and on again."""
    s.trouble("dark", _long(s, 2))
    return True


def lens_covered(s: Stage) -> bool:
    """Somebody's hand, or a lid, is on the lens."""
    s.trouble("black" if s.rng.random() < 0.5 else "skin", _long(s, 1))
    return True


def paused(s: Stage) -> bool:
    """No pictures come for a while."""
    s.trouble("pause", _long(s, 2))
    return True


def unplugged(s: Stage) -> bool:
    """The camera is pulled out and plugged in again."""
    s.trouble("unplugged", _long(s, 2))
    return True


def flickers(s: Stage) -> bool:
    """A lamp flickers."""
    s.trouble("flicker", float(s.rng.uniform(2, 10)), float(s.rng.uniform(0.3, 1)))
    return True


def another_screen(s: Stage) -> bool:
    """People are on another screen of the program."""
    s.trouble("away", 40.0)
    return True


NUISANCES: dict[str, FilmEvent] = {
    "arm, fast": passes_fast,
    "arm, slow": passes_slowly,
    "hand rests": rests,
    "arm withdrawn": withdraws,
    "reaching across": reaches_across,
    "gathering": gathers,
    "straightening": straightens,
    "shuffling": shuffles,
    "pointing": points,
    "cup": cup_on_card,
    "bump": bumped,
    "shake": shaken,
    "light off": light_off,
    "lens covered": lens_covered,
    "pause": paused,
    "unplugged": unplugged,
    "flicker": flickers,
    "another screen": another_screen,
}
"""Events with the cards that lie there, by name; dealing and piles need cards of their own: `deals`, `uncovers`."""
