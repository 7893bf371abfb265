"""Ships and parts in words: a ship's values, before and after a part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from companion.core.words import Text, say
from companion.games.eclipse.component_types import Die, parts
from companion.games.eclipse.species import Design

NUMBERS = ("energy", "movement", "initiative", "computer", "shield", "hull")
ALWAYS = ("eclipse.value.energy", "eclipse.value.movement")
"""These decide whether a ship is legal, so they are shown even if they are zero."""


@cache
def describe(design: Design) -> Text:
    """A ship's values; zeros are left out."""
    return say("eclipse.design", values=tuple(_values(design, design)))


def fights(design: Design) -> Text:
    """The values of a ship that matter in a battle."""
    peaceful = ("eclipse.value.energy", "eclipse.value.movement", "eclipse.value.hull")
    return say("eclipse.design", values=tuple(v for v in _values(design, design) if v.key not in peaceful))


def before_after(before: Design, after: Design) -> Text:
    """The values a part changes, and whether energy and drive suffice."""
    changed = tuple(_values(before, after, changed=True))
    vital = (text for text in _values(before, after, changed=False) if text.key in ALWAYS)
    return say("eclipse.design", values=(*changed, *vital))


def _values(before: Design, after: Design, changed: bool | None = None) -> Iterator[Text]:
    for name in NUMBERS:
        key = f"eclipse.value.{name}"
        old, new = getattr(before, name), getattr(after, name)
        if changed in (None, old != new) and (old or new or key in ALWAYS):
            told = str(new) if old == new else f"{old} → {new}"
            yield say(key, n=told.replace("-", "−"))
    for name in ("cannons", "missiles"):
        old, new = getattr(before, name), getattr(after, name)
        if changed in (None, old != new) and (old or new):
            if old == new:
                yield say(f"eclipse.value.{name}", dice=dice(new))
            else:
                yield say(f"eclipse.value.{name}-changed", before=dice(old), after=dice(new))


def dice(dice: tuple[Die, ...]) -> Text:
    """Dice by colour: "2 × yellow, red"."""
    if not dice:
        return say("eclipse.die.none")
    colours = {colour: say(f"eclipse.die.{colour}") for colour in dice}
    return say(
        "eclipse.dice",
        dice=tuple(
            say("eclipse.dice-of", n=n, colour=colours[colour]) if n > 1 else colours[colour]
            for colour, n in Counter(dice).items()
        ),
    )


def describe_part(id: str) -> Text:
    """A part's values: what it adds to a ship."""
    part = parts()[id]
    numbers = {
        "energy": part.energy,
        "initiative": part.initiative,
        "movement": part.movement,
        "computer": part.computer,
        "shield": -part.shield,
        "hull": part.hull,
    }
    values = tuple(say(f"eclipse.part.{name}", n=f"{n:+d}") for name, n in numbers.items() if n)
    return say("eclipse.part", values=(*((dice(part.dice),) if part.dice else ()), *values))
