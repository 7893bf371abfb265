"""Parts of a camera's picture: one per seat, remembered by name, and the spot where cards are shown."""

from __future__ import annotations

from companion.core.words import say
from companion.errors import DataTrouble

Zone = tuple[float, float, float, float]
"""Left, top, width and height in percent of the picture."""

WHOLE = "whole"
NAMED: dict[str, Zone] = {
    "left": (0, 0, 50, 100),
    "right": (50, 0, 50, 100),
    "top": (0, 0, 100, 50),
    "bottom": (0, 50, 100, 50),
    "middle": (30, 25, 40, 50),
}


def parse(word: str) -> Zone | None:
    """The part of the picture this word describes; None for the whole picture."""
    if word == WHOLE:
        return None
    if word in NAMED:
        return NAMED[word]
    try:
        left, top, width, height = (float(number) for number in word.split(","))
    except ValueError as e:
        raise DataTrouble(say("see.bad-zone", word=word)) from e
    if not is_part((left, top, width, height)):
        raise DataTrouble(say("see.bad-zone", word=word))
    return left, top, width, height


def is_part(zone: Zone) -> bool:
    """Whether these numbers describe a part of a picture."""
    left, top, width, height = zone
    # Written so that NaN is refused too.
    return left >= 0 and top >= 0 and width > 0 and height > 0 and left + width <= 100 and top + height <= 100


def words(part: Zone) -> str:
    """A part of the picture in a form people can type."""
    named = [word for word, known in NAMED.items() if known == part]
    return named[0] if named else ",".join(f"{number:g}" for number in part)


def corners(part: Zone, width: int, height: int) -> tuple[tuple[float, float], ...]:
    """The corners of a part of a picture of this size, in pixels."""
    left, top, wide, high = part
    xs = (left * width / 100, (left + wide) * width / 100)
    ys = (top * height / 100, (top + high) * height / 100)
    return (xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1])


def parts(part: Zone) -> tuple[tuple[float, float], ...]:
    """The corners of a part of a picture, as fractions of its width and height."""
    return corners(part, 1, 1)


def changed(zones: dict[str, Zone], seat: str, part: Zone | None) -> dict[str, Zone]:
    """All seats' parts with this one changed; None removes it."""
    others = {name: known for name, known in zones.items() if name != seat.casefold()}
    return others if part is None else {**others, seat.casefold(): part}
