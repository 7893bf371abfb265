"""Rarer events: what children, cats, draughts and loose plugs do in front of a camera, none of it meant for
it.

Cards laid or taken while the camera cannot see are *found* afterwards; a card that is waved about, or shown
to an unplugged camera, is not held still in front of it.
"""

from __future__ import annotations

import numpy as np

from workshop.films.cues import COVERED, CameraView, CardShow, Spell, SpellKind, Stance
from workshop.films.evening import Stage
from workshop.films.events import FilmEvent, passes_fast, passes_slowly, rests


def _seat(s: Stage) -> int:
    return int(s.rng.integers(s.seats))


def _long(s: Stage, low: float, high: float) -> float:
    return float(np.exp(s.rng.uniform(np.log(low), np.log(high))))


def half_covered(s: Stage) -> bool:
    """A finger or a leaf covers part of the lens."""
    s.trouble("finger", _long(s, 2, 90), float(s.rng.uniform(0.15, 0.8)))
    s.now += 1
    return True


def draped(s: Stage) -> bool:
    """A scarf or a hand covers the lens for a long time."""
    kinds: list[SpellKind] = ["scarf", "skin", "black"]
    s.trouble(kinds[int(s.rng.integers(3))], _long(s, 5, 240))
    s.now += 1
    return True


def turned_to_the_wall(s: Stage) -> bool:
    """The camera faces a wall for a while, and then nearly its old direction."""
    old = s.views[-1]
    s.trouble("wall", _long(s, 3, 60))
    x, y = s.rng.normal(0, 0.02, 2) * s.wide
    turn = float(s.rng.normal(0, 1.5))
    s.views.append(CameraView(s.now - 0.05, old.x + float(x), old.y + float(y), old.turn + turn, old.near))
    s.now += 1
    return True


def lamp_on_and_off(s: Stage) -> bool:
    """One of two lamps is switched off and on, again and again."""
    for _ in range(int(s.rng.integers(2, 7))):
        s.trouble("lamp", float(s.rng.uniform(0.3, 5)), float(s.rng.uniform(0.25, 0.7)))
        s.wait(0.3, 4)
    return True


def slow_camera(s: Stage) -> bool:
    """The camera gives two pictures a second for a while, and arms pass."""
    start = s.now
    for event in (passes_fast, rests, passes_slowly):
        event(s)
    s.spells.append(Spell("slow", start, s.now))
    return True


def sweeps(s: Stage) -> bool:
    """An arm in its sleeve passes over the whole table, from one side to the other."""
    seat, t = _seat(s), s.now + 0.6
    y = float(np.sign(-s.shoulder(seat)[1])) * s.high * 0.4
    step = float(s.rng.uniform(0.15, 0.9))
    path = [
        (t + n * step, (x * s.wide, y))
        for n, x in enumerate(s.rng.choice([-1, 1]) * np.linspace(-0.45, 0.45, 6))
    ]
    s.reach(seat, path, 0.6, 0.5, "flat")
    s.now = path[-1][0] + 1.5
    return True


def lifts_a_little(s: Stage) -> bool:
    """A card is lifted a little, looked under, and put back."""
    if not s.face_up:
        return False
    text = s.one(s.face_up)
    old, seat, t = s.lying[text], _seat(s), s.now + 0.7
    up = Stance(
        old.x + float(s.rng.normal(0, 8)),
        old.y + float(s.rng.normal(0, 8)),
        old.angle + float(s.rng.normal(0, 4)),
        1.08,
    )
    long = float(s.rng.uniform(0.4, 3))
    s.carry(
        text,
        seat,
        [(t, old), (t + 0.4, up), (t + 0.4 + long, up), (t + 0.9 + long, old)],
        0.6,
        0.5,
        held=(1,),
    )
    s.now = t + long + 2.5
    return True


def unseen(cards: list[str]) -> FilmEvent:
    """While the lens is covered, or in the dark, one card is laid on the table and another is taken away."""

    def event(s: Stage) -> bool:
        texts = [str(t) for t in s.rng.permutation([t for t in cards if t not in s.lying])]
        where = s.free()
        if not texts or where is None:
            return False
        long = _long(s, 4, 60)
        kinds: list[SpellKind] = [*COVERED, "dark", "dark", "unplugged"]
        middle = s.now + long / 2
        if s.face_up and s.rng.random() < 0.4:
            s.move(s.one(s.face_up), middle, None)
        s.move(texts[0], middle, Stance(*where, float(s.rng.normal(0, 6))), up=True)
        s.trouble(kinds[int(s.rng.integers(len(kinds)))], long)
        s.now += float(s.rng.uniform(4, 12))
        seat = _seat(s)
        spot = s.lying[texts[0]]
        s.carry(texts[0], seat, [(s.now + 0.6, spot)], 0.6, 0.5, left=False)
        s.now += 2
        return True

    return event


def waved(cards: list[str]) -> FilmEvent:
    """A child holds a card into the picture and takes it away at once, several times."""

    def event(s: Stage) -> bool:
        texts = [str(t) for t in s.rng.permutation([t for t in cards if t not in s.lying])]
        where = s.free(shown=True)
        if not texts or where is None:
            return False
        seat, text = _seat(s), texts[0]
        for _ in range(int(s.rng.integers(1, 5))):
            spot = s.readable(text, seat, where, float(s.rng.uniform(1.0, 1.6)))
            t = s.now + 0.4
            stops = [(t, spot), (t + float(s.rng.uniform(0.02, 0.2)), spot)]
            s.carry(text, seat, stops, 0.3, 0.3, up=True, left=False, held=(0,))
            s.now = stops[-1][0] + float(s.rng.uniform(0.5, 3))
        s.now += 1
        return True

    return event


def replugged(label: str, seat: int) -> FilmEvent:
    """A card is shown to a camera that is unplugged just then and comes back while the card is held, or later."""

    def event(s: Stage) -> bool:
        where = s.free(seat, shown=True)
        if where is None or label in s.lying:
            return False
        spot, t = s.readable(label, seat, where, 1.45), s.now + 0.8
        long = float(s.rng.uniform(2, 6))
        s.carry(label, seat, [(t, spot), (t + long, spot)], 0.7, 0.5, up=True, left=False, held=(0,))
        s.shows.append(CardShow(label, seat, t, t + long, "replugged"))
        s.now = t + float(s.rng.uniform(-0.3, 0.25))
        s.trouble("unplugged", float(s.rng.uniform(1.3, long)))
        s.now = max(s.now, t + long) + 2
        return True

    return event


RARE_EVENTS: dict[str, FilmEvent] = {
    "half covered": half_covered,
    "draped": draped,
    "turned away": turned_to_the_wall,
    "lamp": lamp_on_and_off,
    "slow camera": slow_camera,
    "sweep": sweeps,
    "lifted a little": lifts_a_little,
}
"""Events that need no cards of their own; `unseen`, `waved` and `replugged` do."""
