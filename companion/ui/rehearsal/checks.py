"""Looks at a screen as a strict designer would: is all of it readable, reachable and in its place?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from kivy.core.text import LabelBase
from kivy.core.window import Window
from kivy.uix.widget import Widget
from kivy.utils import get_hex_from_color

from companion.app import CompanionApp
from companion.core.game import boxes
from companion.drawing.strokes import Inscription
from companion.drawing.symbols import NAME
from companion.ui.screens.table.band import LEAST_NAME, Prompt, SeatName
from companion.ui.screens.table.options import IN_SIGHT
from companion.ui.screens.table.pages import page_for
from companion.ui.screens.table.seat_heads import HeadName
from companion.ui.screens.table.seats import Points
from companion.ui.screens.table.top import Pool
from companion.ui.toolkit.draw import Badge, Picture
from companion.ui.toolkit.geometry import SLACK, Rect, rect, visible, walk
from companion.ui.toolkit.kit import Icon, Plate, Scroll, Tap, Words, readable
from companion.ui.toolkit.look import SMALLEST_WORDS, TARGET, contrast
from companion.ui.toolkit.overlays import Overlay
from companion.ui.toolkit.symbols import GROWS, Drawn

CONTRAST = 4.5

ROOMS = ("ui", "core", "cli", "see", "settings", "storage", *boxes())
SLUG = re.compile(rf"\b({'|'.join(ROOMS)})\.[a-z]+(-[a-z]+)*\b")

LEAST = ((HeadName, LEAST_NAME), (SeatName, 30), (Points, 30), (Prompt, 24))
"""How large what must be read from a metre away is at least; a long name stands whole in small letters instead."""

A_NAME = re.compile(r"[^\W\d_]{3}")
"""What is a name, or a part of one: letters in a symbol are fewer."""

ROOM = 0.33
"""The share of the window's height that is left at least for what people must scroll."""


def problems(app: CompanionApp, picture: Path) -> list[str]:
    """Everything wrong with the screen that is shown, of which `picture` is a screenshot."""
    layers = list(app.stage.children)  # the topmost first
    front = layers[:1] if isinstance(layers[0], Overlay) else layers
    found: list[str] = []
    for layer in layers:
        found += _cut(layer, app)
        found += _unknown_letters(layer)
        found += _small(layer, app)
        found += _squeezed(layer)
        found += _overlapping(layer)
    for layer in front:
        found += _faint(layer, picture)
    if app.screen.name == "table" and app.desk.play is not None and not isinstance(layers[0], Overlay):
        found += _table(layers[-1], app)
    return found


def _table(layer: Widget, app: CompanionApp) -> Iterator[str]:
    """What must be in sight at the table, however many sit there, and how large it must be at 100 %."""
    session = app.desk.session
    view = session.view
    parts = [
        part
        for part in walk(layer)
        if visible(part) is not None and _inside(rect(part), (0, 0, *Window.size))
    ]
    taps = {part.name for part in parts if isinstance(part, Tap)}
    if "close" in taps:  # the list of what hands must do
        return
    asked = app.screen.shown_question()
    page = None if asked is None else page_for(asked)
    for seat in view.seats:
        shown = page is None or (page.seats and not page.whole)
        if shown and not {f"seat-{seat.seat}", f"ask-{seat.seat}"} & taps:
            yield f"a seat is out of sight: {seat.name}"
    pools = {part.id for part in parts if isinstance(part, Pool)}
    wanted = {pool.id for pool in view.pools} | {meter.id for meter in view.meters} - {"round"}
    yield from (f"a pool is out of sight: {id}" for id in sorted(wanted - pools))
    if asked is not None and page is None and len(asked.options) <= IN_SIGHT:
        for option in asked.options:
            if f"option-{option.id}" not in taps:
                yield f"an option is out of sight: {option.id}"
    if not {"undo", "menu"} <= taps:
        yield "undo or the menu is out of sight"
    if app.look.text == 1:
        for part in parts:
            least = next((size for kind, size in LEAST if isinstance(part, kind)), None)
            if isinstance(part, SeatName) and not part.text.isupper():
                least = LEAST_NAME
            if least is not None and part.font_size < least * app.look.unit - SLACK:
                yield f"too small for a metre: {part.text!r} at {part.font_size:.0f}"


def _cut(layer: Widget, app: CompanionApp) -> Iterator[str]:
    """Words wider or higher than their room, words broken apart, parts that stick out of what they are in."""
    for part in walk(layer):
        if isinstance(part, Words) and part.text:
            wide, high = part.texture_size
            if wide > part.width + SLACK or high > part.height + SLACK:
                yield f"cut off: {part.text!r}"
            if part.widest_word() > part.width + SLACK:
                yield f"a word is broken in {part.text!r}"
            if app.look.text >= 1 and part.font_size < SMALLEST_WORDS * app.look.unit - 1:
                yield f"too small to read: {part.text!r}"
        if isinstance(part, Drawn) and app.look.text >= 1:
            yield from _small_names(part, app)
        if isinstance(part, Words | Icon | Badge | Drawn | Picture | Plate | Scroll):
            what, room = _room(part)
            if not _inside(rect(part), room):
                yield f"sticks out of {what}: {_name(part)}"


def _small_names(part: Drawn, app: CompanionApp) -> Iterator[str]:
    """Names on a face whose letters are too small; larger words make them larger, too."""
    least = NAME * app.look.unit * min(GROWS, app.look.text) - SLACK
    for written in part.laid.strokes:
        if isinstance(written, Inscription) and A_NAME.search(written.words) and written.size < least:
            yield f"a name too small to read: {written.words!r} at {written.size:.0f}"


def _unknown_letters(layer: Widget) -> Iterator[str]:
    """Letters our font does not have, which people would see as empty boxes; and words nobody wrote."""
    for part in walk(layer):
        if isinstance(part, Words):
            words, font = readable(part.text, part.font)
            strange = {letter for letter in words if letter not in "\n" and ord(letter) not in _letters(font)}
            if SLUG.search(part.text):
                yield f"a slug instead of a sentence: {part.text!r}"
            if strange:
                yield f"no such letters: {''.join(sorted(strange))!r} in {part.text!r}"


@cache
def _letters(font: str) -> frozenset[int]:
    from reportlab.pdfbase.ttfonts import TTFontFile

    return frozenset(TTFontFile(LabelBase._fonts[font][0]).charToGlyph)


def _small(layer: Widget, app: CompanionApp) -> Iterator[str]:
    """Things to touch that a finger would miss."""
    least = TARGET * app.look.unit - SLACK
    for part in walk(layer):
        if isinstance(part, Tap) and (part.width < least or part.height < least):
            yield f"too small to touch: {part.name!r} is {part.width:.0f} x {part.height:.0f}"


def _squeezed(layer: Widget) -> Iterator[str]:
    """Something to scroll through a slit."""
    for part in walk(layer):
        if (
            isinstance(part, Scroll)
            and part.part.height > part.height + SLACK
            and part.height < ROOM * Window.height
        ):
            yield f"too little room to scroll: {part.height:.0f} of {Window.height} for {part.key!r}"


def _overlapping(layer: Widget) -> Iterator[str]:
    """Things that lie on each other."""
    seen = [(part, at) for part in walk(layer) if (at := visible(part)) is not None]
    for kinds in (Words | Icon | Badge | Drawn | Picture, Tap):
        group = [(part, at) for part, at in seen if isinstance(part, kinds)]
        for n, (one, a) in enumerate(group):
            for other, b in group[n + 1 :]:
                wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
                if wide > SLACK and high > SLACK and not _related(one, other):
                    yield f"{_name(one)} lies on {_name(other)}"


def _faint(layer: Widget, picture: Path) -> Iterator[str]:
    """Words that hardly stand out from what is really behind them in the picture."""
    pixels: Any = cv2.imread(str(picture))
    for part in walk(layer):
        seen = visible(part) if isinstance(part, Words | Icon) and part.text.strip() else None
        if seen is None:
            continue
        left, low, right, high = (round(v) for v in seen)
        rows = pixels[max(0, pixels.shape[0] - high) : pixels.shape[0] - low, max(0, left) : right]
        if rows.size == 0:
            continue
        own = get_hex_from_color(part.color)[:7].lower()
        ratio = contrast(own, _commonest(rows, but=own))
        if ratio < CONTRAST:
            yield f"too faint ({ratio:.1f}): {_name(part)}"


def _commonest(pixels: np.ndarray, but: str) -> str:
    """The colour most of these pixels have, apart from one; that one if there is no other."""
    b, g, r = (pixels[..., n].astype(np.int32) for n in range(3))
    colours, counts = np.unique((r << 16) + (g << 8) + b, return_counts=True)
    counts[colours == int(but[1:], 16)] = 0
    return f"#{colours[counts.argmax()]:06x}" if counts.any() else but


def _room(part: Widget) -> tuple[str, Rect]:
    """What a part must stay within: the ground it lies on, its scrolled content, or the window."""
    above = part.parent
    while above is not None and above is not Window:
        if isinstance(above, Scroll):
            return "what is scrolled", rect(above.part)
        if isinstance(above, Plate):
            return _name(above), rect(above)
        above = above.parent
    return "the window", (0, 0, *Window.size)


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
