"""Ships and parts in words: what a ship can do, before and after a part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.words import Text, count, say
from companion.games.eclipse.species import Design
from companion.games.eclipse.things import Die, parts

NUMBERS = ("energy", "movement", "initiative", "computer", "shield", "hull")
ALWAYS = ("energy", "movement")
"""A ship stands or falls by these, so they are told even if there is none."""


def describe(design: Design) -> Text:
    """A ship in numbers; what it has none of is left out."""
    return say("eclipse.design", values=tuple(_values(design, design)))


def before_after(before: Design, after: Design) -> Text:
    """A ship in numbers, what a part changes first."""
    changed, same = _values(before, after, changed=True), _values(before, after, changed=False)
    return say("eclipse.design", values=(*changed, *same))


def _values(before: Design, after: Design, changed: bool | None = None) -> Iterator[Text]:
    for name in NUMBERS:
        old, new = getattr(before, name), getattr(after, name)
        if changed in (None, old != new) and (old or new or name in ALWAYS):
            told = str(new) if old == new else f"{old} → {new}"
            yield say(f"eclipse.value.{name}", n=told.replace("-", "−"))
    for name in ("cannons", "missiles"):
        old, new = getattr(before, name), getattr(after, name)
        if changed in (None, old != new) and (old or new):
            if old == new:
                yield say(f"eclipse.value.{name}", dice=dice(new))
            else:
                yield say(f"eclipse.value.{name}-changed", before=dice(old), after=dice(new))


def dice(dice: tuple[Die, ...]) -> Text:
    """Dice by colour: "2 yellow dice, 1 red die"."""
    told = tuple(count(f"eclipse.dice.{colour}", n) for colour, n in Counter(dice).items())
    return say("eclipse.dice", dice=told) if told else say("eclipse.die.none")


def describe_part(id: str) -> Text:
    """A part in numbers: what it adds to a ship."""
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
