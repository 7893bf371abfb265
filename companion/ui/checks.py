"""Looks at a screen as a strict designer would: is all of it readable, reachable and in its place?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
from kivy.core.window import Window
from kivy.uix.widget import Widget
from kivy.utils import get_hex_from_color

from companion.app import CompanionApp, Sheet
from companion.ui.draw import Badge, Picture, Turned
from companion.ui.kit import Icon, Scroll, Tap, Words
from companion.ui.look import FONTS, TARGET, contrast

SLACK = 1.5
"""Pixels by which rounding may be off."""

CONTRAST = 4.5

Rect = tuple[float, float, float, float]


def problems(app: CompanionApp, picture: Path) -> list[str]:
    """Everything wrong with the screen that is shown, of which `picture` is a screenshot."""
    sheets = [part for part in app.stage.children if isinstance(part, Sheet)]
    layers: list[Widget] = sheets[:1] or list(app.stage.children)
    found: list[str] = []
    for layer in layers:
        found += _cut(layer, app)
        found += _small(layer, app)
        found += _overlapping(layer)
        found += _faint(layer, picture)
    return found


def walk(widget: Widget) -> Iterator[Widget]:
    """A widget and everything in it."""
    yield widget
    for child in widget.children:
        yield from walk(child)


def _cut(layer: Widget, app: CompanionApp) -> Iterator[str]:
    """Words wider or higher than their room, words broken apart, parts that stick out of what they are in."""
    for part in walk(layer):
        if isinstance(part, Words) and part.text:
            wide, high = part.texture_size
            if wide > part.width + SLACK or high > part.height + SLACK:
                yield f"cut off: {part.text!r}"
            if part.widest_word() > part.width + SLACK:
                yield f"a word is broken in {part.text!r}"
            if app.look.text >= 1 and part.font_size < FONTS["note"] * app.look.unit - SLACK:
                yield f"too small to read: {part.text!r}"
        if isinstance(part, Words | Icon | Tap | Badge):
            room = _room(part)
            if room is not None and not _inside(_rect(part), room):
                yield f"sticks out: {_name(part)}"


def _small(layer: Widget, app: CompanionApp) -> Iterator[str]:
    """Things to touch that a finger would miss."""
    least = TARGET * app.look.unit - SLACK
    for part in walk(layer):
        if isinstance(part, Tap) and (part.width < least or part.height < least):
            yield f"too small to touch: {part.name!r} is {part.width:.0f} x {part.height:.0f}"


def _overlapping(layer: Widget) -> Iterator[str]:
    """Things that lie on each other."""
    leaves = [
        p for p in walk(layer) if isinstance(p, Words | Icon | Badge | Picture) and _visible(p) is not None
    ]
    taps = [p for p in walk(layer) if isinstance(p, Tap) and _visible(p) is not None]
    for group in (leaves, taps):
        for n, one in enumerate(group):
            for other in group[n + 1 :]:
                if _related(one, other):
                    continue
                a, b = _visible(one), _visible(other)
                assert a is not None
                assert b is not None
                if min(a[2], b[2]) - max(a[0], b[0]) > SLACK and min(a[3], b[3]) - max(a[1], b[1]) > SLACK:
                    yield f"{_name(one)} lies on {_name(other)}"


def _faint(layer: Widget, picture: Path) -> Iterator[str]:
    """Words that hardly stand out from what is really behind them in the picture."""
    pixels = cv2.imread(str(picture))
    for part in walk(layer):
        seen = _visible(part) if isinstance(part, Words | Icon) and part.text.strip() else None
        if seen is None:
            continue
        left, low, right, high = (round(v) for v in seen)
        rows = pixels[max(0, pixels.shape[0] - high) : pixels.shape[0] - low, max(0, left) : right]
        if rows.size == 0:
            continue
        (b, g, r), _ = Counter(map(tuple, rows.reshape(-1, 3).tolist())).most_common(1)[0]
        ratio = contrast(get_hex_from_color(part.color)[:7], f"#{r:02x}{g:02x}{b:02x}")
        if ratio < CONTRAST:
            yield f"too faint ({ratio:.1f}): {_name(part)}"


def _rect(part: Widget) -> Rect:
    """Where a part is in the window."""
    x, y = part.to_window(part.x, part.y)
    return (x, y, x + part.width, y + part.height)


def _room(part: Widget) -> Rect | None:
    """What a part must stay within: its scrolled content, or the window."""
    above = part.parent
    while above is not None and above is not Window and not isinstance(above, Scroll):
        if isinstance(above, Turned):
            return None
        above = above.parent
    if isinstance(above, Scroll):
        return _rect(above.part)
    return (0, 0, *Window.size)


def _visible(part: Widget) -> Rect | None:
    """What can be seen of a part: nothing of what is scrolled away."""
    left, low, right, high = _rect(part)
    above = part.parent
    while above is not None and above is not Window:
        if isinstance(above, Turned):
            return None
        if isinstance(above, Scroll):
            a, b, c, d = _rect(above)
            left, low, right, high = max(left, a), max(low, b), min(right, c), min(high, d)
        above = above.parent
    return (left, low, right, high) if right - left > SLACK and high - low > SLACK else None


def _inside(inner: Rect, outer: Rect) -> bool:
    return (
        inner[0] >= outer[0] - SLACK
        and inner[1] >= outer[1] - SLACK
        and inner[2] <= outer[2] + SLACK
        and inner[3] <= outer[3] + SLACK
    )


def _related(one: Widget, other: Widget) -> bool:
    return other in walk(one) or one in walk(other)


def _name(part: Widget) -> str:
    words = getattr(part, "name", "") or getattr(part, "text", "")
    return f"{type(part).__name__} {words!r}"
