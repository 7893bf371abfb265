"""Looks at a screen as a strict designer would: is all of it readable, reachable and in its place?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from kivy.core.text import LabelBase
from kivy.core.window import Window
from kivy.uix.widget import Widget
from kivy.utils import get_hex_from_color

from companion.app import CompanionApp
from companion.core.game import boxes
from companion.texts import LANGUAGES, word_files
from companion.ui.rehearsal.letters import letters, overlap
from companion.ui.screens.table.band import LEAST_NAME, Prompt, SeatName
from companion.ui.screens.table.options import IN_SIGHT
from companion.ui.screens.table.pages import page_for
from companion.ui.screens.table.seat_heads import HeadName
from companion.ui.screens.table.seats import Points
from companion.ui.screens.table.top import Pool
from companion.ui.toolkit.draw import Badge, Picture
from companion.ui.toolkit.geometry import SLACK, Rect, rect, visible, walk
from companion.ui.toolkit.kit import Icon, Plate, Scroll, Tap, Words, readable
from companion.ui.toolkit.lettering import TextureText
from companion.ui.toolkit.look import SMALLEST_WORDS, TARGET, Look, contrast
from companion.ui.toolkit.overlays import Overlay
from companion.ui.toolkit.place_map import PlaceMap
from companion.ui.toolkit.symbols import GROWS, Drawn

CONTRAST = 4.5

ROOMS = ("ui", "core", "cli", "see", "settings", "storage", *boxes())
PATH = re.compile(r"/\w[^ ]*/")
"""Names of files are broken where they must, and may look like anything."""
SLUG = re.compile(rf"\b({'|'.join(ROOMS)})\.[a-z]+(-[a-z]+)*\b")

LEAST = ((HeadName, LEAST_NAME), (SeatName, 30), (Points, 30), (Prompt, 24))
"""How large what must be read from a metre away is at least; a long name stands whole in small letters instead."""

SMALLEST_LETTERS, SMALLEST_MARKS = 15, 13
"""What is written on a face, a map or beside a symbol; and the one letter of a mark or a cube, which has a colour."""

NAMED = re.compile(r"[^\W\d_]{3}")
"""A name, or a part of one, on a face: larger words make it larger, too."""

SHORTENED = re.compile(r"\w…")

ROOM = 0.33
"""The share of the window's height that is left at least for what people must scroll."""


class LayoutFault(NamedTuple):
    """Something wrong with a screen: which rule it breaks, and what breaks it."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


def problems(app: CompanionApp, picture: Path) -> list[LayoutFault]:
    """Everything wrong with the screen that is shown, of which `picture` is a screenshot."""
    layers = list(app.stage.children)  # the topmost first
    front = layers[:1] if isinstance(layers[0], Overlay) else layers
    return [*layout_faults(app), *(fault for layer in front for fault in _faint(layer, picture))]


def layout_faults(app: CompanionApp) -> list[LayoutFault]:
    """Everything wrong with the screen that is shown which can be told without a picture of it."""
    layers = list(app.stage.children)  # the topmost first
    found: list[LayoutFault] = []
    for layer in layers:
        found += _cut(layer, app)
        found += _unknown_letters(layer)
        found += _small(layer, app)
        found += _squeezed(layer)
        found += _overlapping(layer)
        found += wrong_letters(layer, app.look)
        found += _several_main(layer)
    if app.screen.name == "table" and app.desk.play is not None and not isinstance(layers[0], Overlay):
        found += _table(layers[-1], app)
    return found


def wrong_letters(layer: Widget, look: Look) -> Iterator[LayoutFault]:
    """Of all words that are painted, those too small, cut, shortened, or lying on each other."""
    found = list(letters(layer))
    for part, written, ink, _ in found:
        name = f"{written.words!r} in {_name(part)}"
        by = look.unit * (
            min(GROWS, look.text) if isinstance(part, Drawn) and NAMED.search(written.words) else 1
        )
        small = _too_small(written, by) if look.text >= 1 and not isinstance(part, Words) else ""
        if small:  # sentences must be larger: see `_cut`
            yield LayoutFault(small, f"{name} at {written.size:.0f}")
        if SHORTENED.search(written.words) and written.words not in _with_dots():
            yield LayoutFault("shortened", name)
        what, room = _room(part)
        if not isinstance(part, PlaceMap):
            if not _inside(ink, room):
                yield LayoutFault("cut off", f"{name} by {what}")
        elif part.sight.fitted and not _inside(ink, rect(part)) and overlap(ink, rect(part)):
            yield LayoutFault("cut off", f"{name} by the edge of the map")
    for n, one in enumerate(found):
        for other in found[n + 1 :]:
            if isinstance(one.part, Words) and isinstance(other.part, Words):
                continue  # see `_overlapping`
            related = one.part is not other.part and _related(one.part, other.part)
            if overlap(one.seen, other.seen) and not related:
                yield LayoutFault(
                    "overlap", f"{one.written.words!r} lies on {other.written.words!r} in {_name(one.part)}"
                )


def _too_small(written: TextureText, unit: float) -> str:
    """What is wrong with the size of these letters, if anything."""
    words = written.words
    least = SMALLEST_MARKS if len(words) == 1 and words.isalpha() else SMALLEST_LETTERS
    if written.size >= least * unit - 0.5:
        return ""
    return "small letters" if any(map(str.isalpha, words)) else "small figures"


@cache
def _with_dots() -> str:
    """Our sentences that have dots in them, because something goes on."""
    files = (file for language in LANGUAGES for file in word_files(language))
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if "…" in line)


def _table(layer: Widget, app: CompanionApp) -> Iterator[LayoutFault]:
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
            yield LayoutFault("out of sight", f"seat {seat.name}")
    pools = {part.id for part in parts if isinstance(part, Pool)}
    wanted = {pool.id for pool in view.pools} | {meter.id for meter in view.meters} - {"round"}
    yield from (LayoutFault("out of sight", f"pool {id}") for id in sorted(wanted - pools))
    if asked is not None and page is None and len(asked.options) <= IN_SIGHT:
        for option in asked.options:
            if f"option-{option.id}" not in taps:
                yield LayoutFault("out of sight", f"option {option.id}")
    if not {"menu", *(("undo",) if app.guide is None else ())} <= taps:
        yield LayoutFault("out of sight", "undo or the menu")
    if app.look.text == 1:
        for part in parts:
            least = next((size for kind, size in LEAST if isinstance(part, kind)), None)
            if isinstance(part, SeatName) and not part.text.isupper():
                least = LEAST_NAME
            if least is not None and part.font_size < least * app.look.unit - SLACK:
                yield LayoutFault("too small for a metre", f"{part.text!r} at {part.font_size:.0f}")


def _cut(layer: Widget, app: CompanionApp) -> Iterator[LayoutFault]:
    """Words wider or higher than their room, words broken apart, parts that stick out of what they are in."""
    for part in walk(layer):
        if isinstance(part, Words) and part.text:
            wide, high = part.texture_size
            if wide > part.width + SLACK or high > part.height + SLACK:
                yield LayoutFault("cut off", repr(part.text))
            if part.widest_word() > part.width + SLACK and not PATH.search(part.text):
                yield LayoutFault("broken word", repr(part.text))
            if app.look.text >= 1 and part.font_size < SMALLEST_WORDS * app.look.unit - 1:
                yield LayoutFault("small letters", f"{part.text!r} at {part.font_size:.0f}")
        if isinstance(part, Words | Icon | Badge | Drawn | Picture | Plate | Scroll):
            what, room = _room(part)
            if isinstance(part, Drawn) and part.laid.wide > part.width + SLACK:
                yield LayoutFault(
                    "cut off", f"{_name(part)} is {part.laid.wide:.0f} wide in {part.width:.0f}"
                )
            if not _inside(rect(part), room):
                yield LayoutFault("sticks out", f"{_name(part)} of {what}")


def _unknown_letters(layer: Widget) -> Iterator[LayoutFault]:
    """PaintedLetters our font does not have, which people would see as empty boxes; and words nobody wrote."""
    for part in walk(layer):
        if isinstance(part, Words):
            words, font = readable(part.text, part.font)
            strange = {letter for letter in words if letter not in "\n" and ord(letter) not in _letters(font)}
            if SLUG.search(part.text) and not PATH.search(part.text):
                yield LayoutFault("slug", repr(part.text))
            if strange:
                yield LayoutFault("no such letters", f"{''.join(sorted(strange))!r} in {part.text!r}")


@cache
def _letters(font: str) -> frozenset[int]:
    from reportlab.pdfbase.ttfonts import TTFontFile

    return frozenset(TTFontFile(LabelBase._fonts[font][0]).charToGlyph)


def _small(layer: Widget, app: CompanionApp) -> Iterator[LayoutFault]:
    """Things to touch that a finger would miss."""
    least = TARGET * app.look.unit - SLACK
    for part in walk(layer):
        if isinstance(part, Tap) and (part.width < least or part.height < least):
            yield LayoutFault("small to touch", f"{part.name!r} is {part.width:.0f} x {part.height:.0f}")


def _squeezed(layer: Widget) -> Iterator[LayoutFault]:
    """Something to scroll through a slit."""
    for part in walk(layer):
        if (
            isinstance(part, Scroll)
            and part.part.height > part.height + SLACK
            and part.height < ROOM * Window.height
        ):
            yield LayoutFault("slit", f"{part.height:.0f} of {Window.height} to scroll for {part.key!r}")


def _several_main(layer: Widget) -> Iterator[LayoutFault]:
    """More than one filled button: it is for the one thing most people want to do next."""
    taps = [part for part in walk(layer) if isinstance(part, Tap) and part.ground == "main"]
    names = [tap.name for tap in taps if visible(tap) is not None]
    if len(names) > 1:
        yield LayoutFault("several main", ", ".join(names))


def _overlapping(layer: Widget) -> Iterator[LayoutFault]:
    """Things that lie on each other."""
    seen = [(part, at) for part in walk(layer) if (at := visible(part)) is not None]
    for kinds in (Words | Icon | Badge | Drawn | Picture, Tap):
        group = [(part, at) for part, at in seen if isinstance(part, kinds)]
        for n, (one, a) in enumerate(group):
            for other, b in group[n + 1 :]:
                if overlap(a, b) and not _related(one, other):
                    yield LayoutFault("overlap", f"{_name(one)} lies on {_name(other)}")


def _faint(layer: Widget, picture: Path) -> Iterator[LayoutFault]:
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
            yield LayoutFault("faint", f"{_name(part)} at {ratio:.1f}")


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
