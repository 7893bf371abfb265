"""Strict checks of a screen: is all of it readable, reachable and in its place?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
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
from companion.core.questions import Option
from companion.texts import LANGUAGES, word_files
from companion.ui.screens.score.screen import Score
from companion.ui.screens.score.sheet_view import ColumnName, WinnersCrown
from companion.ui.screens.table.band import LEAST_NAME, Prompt, SeatName
from companion.ui.screens.table.options import IN_SIGHT
from companion.ui.screens.table.pages import page_for
from companion.ui.screens.table.seat_heads import HeadName
from companion.ui.screens.table.seats import Points, SeatFace
from companion.ui.screens.table.top import Pool
from companion.ui.toolkit.draw import Badge, PictureView
from companion.ui.toolkit.geometry import SLACK, Placed, Rect, placed, visible, walk
from companion.ui.toolkit.kit import Icon, Plate, Scroll, Tap, Words, readable
from companion.ui.toolkit.lettering import TextureText
from companion.ui.toolkit.overlays import Overlay
from companion.ui.toolkit.place_map import PlaceMap
from companion.ui.toolkit.symbols import GROWS, Drawn
from companion.ui.toolkit.theme import SMALLEST_WORDS, TARGET, Theme, contrast
from workshop.screens.letters import PaintedLetters, letters_of, overlap

CONTRAST = 4.5

ROOMS = ("ui", "core", "cli", "see", "settings", "storage", *boxes())
PATH = re.compile(r"/\w[^ ]*/")
"""File paths are wrapped anywhere, and may look like anything."""
SLUG = re.compile(rf"\b({'|'.join(ROOMS)})\.[a-z]+(-[a-z]+)*\b")

LEAST = ((HeadName, LEAST_NAME), (SeatName, 30), (Points, 30), (Prompt, 24))
"""Minimum sizes of what must be readable from a metre away; a long name is shown whole in small letters instead."""

SMALLEST_LETTERS, SMALLEST_MARKS = 15, 13
"""Minimum sizes for words on a face, a map or beside a symbol; and for the single letter of a mark or a cube,
which also has a colour."""

NAMED = re.compile(r"(?!III\b)[^\W\d_]{3}")
"""A name, or a part of one, on a face: a larger text size makes it larger, too. A level III is a figure."""

SHORTENED = re.compile(r"\w…")

ROOM = 0.33
"""The minimum share of the window's height for a scrolling part."""


class LayoutFault(NamedTuple):
    """A fault of a screen: which rule is broken, and by what."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


def problems(app: CompanionApp, picture: Path) -> list[LayoutFault]:
    """All faults of the current screen, of which `picture` is a screenshot."""
    layers = list(app.stage.children)  # the topmost first
    front = layers[:1] if isinstance(layers[0], Overlay) else layers
    return [*layout_faults(app), *(fault for layer in front for fault in _faint(layer, picture))]


def layout_faults(app: CompanionApp, known: Collection[Widget] = ()) -> list[LayoutFault]:
    """All faults of the current screen that can be found without a picture of it.

    Layers that are `known` were checked before: for them only whether the whole table is in sight is checked
    again.
    """
    layers = list(app.stage.children)  # the topmost first
    found: list[LayoutFault] = []
    for layer in layers:
        at_table = layer is layers[-1] and not isinstance(layers[0], Overlay)
        at_table = at_table and app.screen.name == "table" and app.desk.play is not None
        parts = placed(layer) if at_table or layer not in known else []
        if layer not in known:
            found += _cut(parts, app)
            found += _unknown_letters(parts)
            found += _small(parts, app)
            found += _squeezed(parts)
            found += _overlapping(parts)
            painted = list(letters_of(parts))
            found += wrong_letters(painted, app.theme)
            found += _alike(painted, app)
            found += _several_main(parts)
            if layer is layers[-1]:
                found += _sheet(parts, app)
        if at_table:
            found += _table(parts, app)
    return found


def wrong_letters(found: Sequence[PaintedLetters], theme: Theme) -> Iterator[LayoutFault]:
    """All painted words that are too small, cut off, shortened, or overlapping."""
    for one in found:
        part, written, ink = one.part, one.written, one.ink
        name = f"{written.words!r} in {_name(part)}"
        by = theme.unit * (
            min(GROWS, theme.text) if isinstance(part, Drawn) and NAMED.search(written.words) else 1
        )
        small = _too_small(written, by) if theme.text >= 1 and not isinstance(part, Words) else ""
        if small:  # sentences must be larger: see `_cut`
            yield LayoutFault(small, f"{name} at {written.size:.0f}")
        if SHORTENED.search(written.words) and written.words not in _with_dots():
            yield LayoutFault("shortened", name)
        if not isinstance(part, PlaceMap):
            if not _inside(ink, one.placed.room):
                yield LayoutFault("cut off", f"{name} by {_ground(one.placed)}")
        elif part.sight.fitted and not _inside(ink, one.placed.at) and overlap(ink, one.placed.at):
            yield LayoutFault("cut off", f"{name} by the edge of the map")
    for n, one in enumerate(found):
        for other in found[n + 1 :]:
            if isinstance(one.part, Words) and isinstance(other.part, Words):
                continue  # see `_overlapping`
            if overlap(one.seen, other.seen) and (
                one.part is other.part or not _related(one.part, other.part)
            ):
                yield LayoutFault(
                    "overlap", f"{one.written.words!r} lies on {other.written.words!r} in {_name(one.part)}"
                )


def _alike(found: Sequence[PaintedLetters], app: CompanionApp) -> Iterator[LayoutFault]:
    """Options with different names that read the same, because part of each was left out; options with a
    game's own short name are told apart by what is drawn beside it."""
    if app.desk.play is None:
        return
    options = {f"option-{o.id}": o for q in app.desk.questions() for o in q.options}
    lines: dict[Tap, list[TextureText]] = {}
    for one in found:
        tap = one.part
        while tap is not None and tap is not Window and not isinstance(tap, Tap):
            tap = tap.parent
        if isinstance(tap, Tap) and tap.name in options:
            lines.setdefault(tap, []).append(one.written)
    said: dict[tuple[str, str], tuple[str, str]] = {}
    for tap, written in lines.items():
        option = options[tap.name]
        name, sizes = app.desk.words(option.text), {w.size for w in written if NAMED.search(w.words)}
        read = " ".join(word for w in written if w.size in sizes for word in w.words.split())
        short = _short(app, option)
        other, others = said.setdefault((repr(tap.about), read), (name, short))
        if other != name and read and not (short and short == others):
            yield LayoutFault("alike", f"{other!r} and {name!r} both read {read!r}")


def _short(app: CompanionApp, option: Option) -> str:
    session, face = app.desk.session, option.face
    if face is None and option.component is not None:
        face = session.game.face(session.catalogue[option.component])
    return "" if face is None or face.short is None else app.desk.words(face.short)


def _too_small(written: TextureText, unit: float) -> str:
    """What is wrong with the size of these letters, if anything."""
    words = written.words
    least = SMALLEST_MARKS if len(words) == 1 and words.isalpha() else SMALLEST_LETTERS
    if written.size >= least * unit - 0.5:
        return ""
    return "small letters" if any(map(str.isalpha, words)) else "small figures"


@cache
def _with_dots() -> str:
    """Our sentences that contain an ellipsis on purpose."""
    files = (file for language in LANGUAGES for file in word_files(language))
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if "…" in line)


def _table(layer: Sequence[Placed], app: CompanionApp) -> Iterator[LayoutFault]:
    """What must be in sight at the table, for any number of players, and how large it must be at 100 %."""
    session = app.desk.session
    view = session.view
    parts = [one.part for one in layer if one.seen is not None and _inside(one.at, (0, 0, *Window.size))]
    taps = {part.name for part in parts if isinstance(part, Tap)}
    if "close" in taps:  # the list of moves to do on the table
        return
    asked = app.screen.shown_question()
    page = None if asked is None else page_for(asked)
    for seat in view.seats:
        shown = page is None or (page.seats and not page.whole)
        if shown and not {f"seat-{seat.seat}", f"ask-{seat.seat}"} & taps:
            yield LayoutFault("out of sight", f"seat {seat.name}")
    for seat in view.seats if app.desk.settings.scores else ():
        names = (f"seat-{seat.seat}", f"ask-{seat.seat}")
        heads = [part for part in parts if isinstance(part, Tap) and part.name in names]
        told = [[part for part in walk(head) if isinstance(part, Words)] for head in heads]
        banded = page is not None and any(isinstance(part, SeatName) for one in told for part in one)
        points = {part.text for one in told for part in one}
        message = any(
            isinstance(part, SeatFace) and part.told is not None for one in heads for part in walk(one)
        )
        if told and not banded and not message and seat.points is not None and str(seat.points) not in points:
            yield LayoutFault("out of sight", f"points of {seat.name}")
    pools = {part.id for part in parts if isinstance(part, Pool)}
    wanted = {pool.id for pool in view.pools} | {meter.id for meter in view.meters} - {"round"}
    yield from (LayoutFault("out of sight", f"pool {id}") for id in sorted(wanted - pools))
    if asked is not None and page is None and len(asked.options) <= IN_SIGHT:
        for option in asked.options:
            if f"option-{option.id}" not in taps:
                yield LayoutFault("out of sight", f"option {option.id}")
    if not {"menu", *(("undo",) if app.guide is None else ())} <= taps:
        yield LayoutFault("out of sight", "undo or the menu")
    if app.theme.text == 1:
        for part in parts:
            least = next((size for kind, size in LEAST if isinstance(part, kind)), None)
            if isinstance(part, SeatName) and not part.text.isupper():
                least = LEAST_NAME
            if least is not None and part.font_size < least * app.theme.unit - SLACK:
                yield LayoutFault("too small for a metre", f"{part.text!r} at {part.font_size:.0f}")


def _sheet(parts: Sequence[Placed], app: CompanionApp) -> Iterator[LayoutFault]:
    """Whether every column of a score sheet has its seat's name, told apart from the others, and the winners
    a crown."""
    screen = app.screen
    if not isinstance(screen, Score) or screen.tab != "sheet":
        return
    seen = [one.part for one in parts if one.seen is not None]
    named = {part.name: part.text for part in seen if isinstance(part, ColumnName)}
    seats = screen.sheet.seats
    yield from (LayoutFault("out of sight", f"name {s.name}") for s in seats if not named.get(s.name))
    if len(set(named.values())) < len(named):
        yield LayoutFault("alike", ", ".join(sorted(named.values())))
    crowns = sum(isinstance(part, WinnersCrown) for part in seen)
    if crowns < sum(seat.rank == 1 for seat in seats):
        yield LayoutFault("out of sight", "the winner's crown")


def _cut(parts: Sequence[Placed], app: CompanionApp) -> Iterator[LayoutFault]:
    """Words wider or higher than their room, broken words, widgets that extend beyond their container."""
    for one in parts:
        part = one.part
        if isinstance(part, Words) and part.text:
            wide, high = part.texture_size
            if wide > part.width + SLACK or high > part.height + SLACK:
                yield LayoutFault("cut off", repr(part.text))
            if part.widest_word() > part.width + SLACK and not PATH.search(part.text):
                yield LayoutFault("broken word", repr(part.text))
            if app.theme.text >= 1 and part.font_size < SMALLEST_WORDS * app.theme.unit - 1:
                yield LayoutFault("small letters", f"{part.text!r} at {part.font_size:.0f}")
        if isinstance(part, Words | Icon | Badge | Drawn | PictureView | Plate | Scroll):
            if isinstance(part, Drawn) and part.laid.wide > part.width + SLACK:
                yield LayoutFault(
                    "cut off", f"{_name(part)} is {part.laid.wide:.0f} wide in {part.width:.0f}"
                )
            if not _inside(one.at, one.room):
                yield LayoutFault("sticks out", f"{_name(part)} of {_ground(one)}")


def _unknown_letters(parts: Sequence[Placed]) -> Iterator[LayoutFault]:
    """Letters that our font lacks, which people would see as empty boxes; and untranslated slugs."""
    for part, *_ in parts:
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


def _small(parts: Sequence[Placed], app: CompanionApp) -> Iterator[LayoutFault]:
    """Touch targets too small for a finger."""
    least = TARGET * app.theme.unit - SLACK
    for part, *_ in parts:
        if isinstance(part, Tap) and (part.width < least or part.height < least):
            yield LayoutFault("small to touch", f"{part.name!r} is {part.width:.0f} x {part.height:.0f}")


def _squeezed(parts: Sequence[Placed]) -> Iterator[LayoutFault]:
    """Scrolling parts that are too low."""
    for part, *_ in parts:
        if (
            isinstance(part, Scroll)
            and part.part.height > part.height + SLACK
            and part.height < ROOM * Window.height
        ):
            yield LayoutFault("slit", f"{part.height:.0f} of {Window.height} to scroll for {part.key!r}")


def _several_main(parts: Sequence[Placed]) -> Iterator[LayoutFault]:
    """More than one filled button: it marks the one thing most people want to do next."""
    taps = [one for one in parts if isinstance(one.part, Tap) and one.part.ground == "main"]
    names = [one.part.name for one in taps if one.seen is not None]
    if len(names) > 1:
        yield LayoutFault("several main", ", ".join(names))


def _overlapping(parts: Sequence[Placed]) -> Iterator[LayoutFault]:
    """Overlapping parts."""
    seen = [(one.part, at) for one in parts if (at := one.seen) is not None]
    for kinds in (Words | Icon | Badge | Drawn | PictureView, Tap):
        group = [(part, at) for part, at in seen if isinstance(part, kinds)]
        for n, (one, a) in enumerate(group):
            for other, b in group[n + 1 :]:
                if overlap(a, b) and not _related(one, other):
                    yield LayoutFault("overlap", f"{_name(one)} lies on {_name(other)}")


def _faint(layer: Widget, picture: Path) -> Iterator[LayoutFault]:
    """Words with too little contrast to what is really behind them in the picture."""
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
    """The most common colour of these pixels other than `but`; `but` if there is no other."""
    b, g, r = (pixels[..., n].astype(np.int32) for n in range(3))
    colours, counts = np.unique((r << 16) + (g << 8) + b, return_counts=True)
    counts[colours == int(but[1:], 16)] = 0
    return f"#{colours[counts.argmax()]:06x}" if counts.any() else but


def _ground(one: Placed) -> str:
    """What a part must stay within, in words."""
    if one.ground is None:
        return "the window"
    return "what is scrolled" if isinstance(one.ground, Scroll) else _name(one.ground)


def _inside(inner: Rect, outer: Rect) -> bool:
    return (
        inner[0] >= outer[0] - SLACK
        and inner[1] >= outer[1] - SLACK
        and inner[2] <= outer[2] + SLACK
        and inner[3] <= outer[3] + SLACK
    )


def _related(one: Widget, other: Widget) -> bool:
    return _within(one, other) or _within(other, one)


def _within(inner: Widget, outer: Widget) -> bool:
    while inner is not None and inner is not Window:
        if inner is outer:
            return True
        inner = inner.parent
    return False


def _name(part: Widget) -> str:
    words = getattr(part, "name", "") or getattr(part, "text", "")
    return f"{type(part).__name__} {words!r}"
