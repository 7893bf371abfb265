"""The parts of forms: chips with a symbol and a word, and values with their labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import inf
from typing import Any

from companion.core.faces import Sign
from companion.core.game import Game
from companion.drawing import signs as drawn
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Inscription
from companion.drawing.symbols import NAME, has
from companion.ui.toolkit.kit import Column, Flow, Group, Part, Words, theme
from companion.ui.toolkit.symbols import Drawn, Symbol, measured, paper
from companion.ui.toolkit.tiles import Tile

SIGN = 24
"""The height of a symbol above a word."""

ALONE, LABEL = 34, 26
"""The height of a symbol without a word, and of one that labels a field."""

BETWEEN, CLOSE = 4, 2
"""The gap between the chips of one value, and between chips when there are many."""

TOLD = 100
"""The least width for what was entered of a value that may occur repeatedly."""

MANY = 6
"""More values than this are shown without words if their symbols tell them apart."""


def sign_of(game: Game, field: str, value: int | str) -> Sign | None:
    """The game's symbol for a value of a field; for an empty value, the field's symbol."""
    sign = game.value_sign(field, value)
    named = str(value) or field.replace("_", "-")
    if sign is None and not named.isdecimal() and has(game.id, named):
        sign = Sign(named)
    return sign


class Marked(Drawn):
    """A centred symbol, with its word below it if there is one.

    One part instead of four: a form has about fifty of these and is rebuilt at every tap.
    """

    def __init__(self, game: Game, sign: Sign, words: str, tone: str, bold: bool) -> None:
        unit = theme().px(SIGN if words else ALONE)
        mark = drawn.sign(game.id, game.tints, sign, unit, measured, paper(), NAME * theme().unit)
        if not words:
            super().__init__(mark, sign.value)
            return
        letters = theme().font("detail")
        wide = measured(words, letters, bold)
        room = max(wide, mark.wide)
        line = Inscription(
            (room - wide) / 2, mark.high + letters * 0.65, words, letters, theme().colour(tone), bold
        )
        strokes = (*mark.at((room - mark.wide) / 2, 0), line)
        super().__init__(StrokeGroup(strokes, room, mark.high + letters * 1.2), words)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x + (width - self.laid.wide) / 2, y, self.laid.wide, height)


def signed(game: Game, sign: Sign | None, words: str, tone: str = "text", bold: bool = False) -> Part:
    """A symbol with its word below it, if any; only the word if there is no symbol."""
    if sign is None:
        return Words(words, "tile", tone, bold=bold, align="center")
    return Marked(game, sign, words, tone, bold)


def label_of(game: Game, field: str, words: str) -> Part:
    """The label of a field: its symbol, or else its word."""
    sign = sign_of(game, field, "")
    return Symbol(game, sign, LABEL) if sign is not None else Words(words, "tile", "dim")


class ValueTile(Tile):
    """A value to tap; a chosen one has an edge and bold letters."""

    def __init__(
        self, content: Part, on_tap: Callable[[], Any], name: str, chosen: bool = False, family: str = ""
    ) -> None:
        super().__init__(content, on_tap, name, edge="accent" if chosen else "", pad=4)
        self.family = family
        """The symbol it shares with its neighbours, if any."""

    def natural(self) -> float:
        inner = self.part.natural() + 2 * self.pad
        return max(self.tall, inner + theme().px(4) if inner > self.tall else inner)


class Chips(Flow):
    """Values side by side, in as many lines as they need."""

    def __init__(self, chips: Sequence[Part]) -> None:
        super().__init__(chips, gap=BETWEEN if len(chips) <= 10 else CLOSE)

    def natural(self) -> float:
        return super().natural() + 1


def in_families(chips: Sequence[ValueTile]) -> Part:
    """Values with one line per symbol, if every symbol has at least two values: costs, then defences."""
    families = [list(family) for _, family in groupby(chips, key=lambda chip: chip.family)]
    if len(families) < 2 or min(map(len, families)) < 2:
        return Chips(chips)
    return Column([Chips(family) for family in families], gap=BETWEEN)


class Labelled(Group):
    """A value with its label: beside it if both have room, else above it."""

    def __init__(self, label: Part, value: Part) -> None:
        super().__init__([label, value], gap=4)
        self.label, self.value = label, value
        self.column = label.natural()
        """The width of the label beside the value; a symbol always has room there."""

    def natural(self) -> float:
        return self.column + self.gap + self.value.natural()

    def _beside(self, width: float) -> bool:
        narrow = self.column <= theme().px(LABEL) and self.value.natural() < inf
        return narrow or self.natural() <= width + 1

    def fit(self, width: float) -> float:
        if self._beside(width):
            return max(self.label.fit(self.column), self.value.fit(width - self.column - self.gap))
        return self.label.fit(width) + self.value.fit(width)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        if not self._beside(width):
            high = self.label.fit(width)
            self.label.place(x, y + height - high, min(width, self.label.natural()), high)
            self.value.place(x, y, width, height - high)
            return
        for part, left, wide in (
            (self.label, x, self.column),
            (self.value, x + self.column + self.gap, width - self.column - self.gap),
        ):
            high = part.fit(wide)
            part.place(left, y + (height - high) / 2, wide, high)


class Repeated(Group):
    """Values that may occur repeatedly; below them what was entered, and the button to take the last back.

    Their place is reserved, and only what lies below moves when more is entered.
    """

    def __init__(self, chips: Part, told: Part, back: Part, begun: bool) -> None:
        super().__init__([chips, told, back] if begun else [chips], gap=4)
        self.chips, self.told, self.back = chips, told, back

    def natural(self) -> float:
        return max(self.chips.natural(), theme().px(TOLD) + self.gap + self.back.natural())

    def _room(self, width: float) -> float:
        """The width of what was entered."""
        return width - self.gap - self.back.natural()

    def fit(self, width: float) -> float:
        told = max(self.back.fit(width), self.told.fit(self._room(width)))
        return self.chips.fit(width) + self.gap + told

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        high, room = self.chips.fit(width), self._room(width)
        top = y + height
        self.chips.place(x, top - high, width, high)
        top -= high + self.gap
        least = self.back.fit(width)
        told = max(least, self.told.fit(room))
        self.back.place(x + width - self.back.natural(), top - least, self.back.natural(), least)
        self.told.place(x, top - told, room, told)


class Across(Column):
    """Parts below each other, using the full width."""

    def natural(self) -> float:
        return inf


class Packed(Flow):
    """Parts in lines; a later part may fill the room left in an earlier line. All begin at the top of their line, so
    that a part that grows moves only what lies below."""

    raised = 1.0

    def _lines(self, width: float) -> list[tuple[list[tuple[Part, float]], float]]:
        waiting, lines = list(self.parts), []
        while waiting:
            line: list[tuple[Part, float]] = []
            room = width
            for part in list(waiting):
                wide = min(width, part.natural())
                if not line or wide <= room:
                    line.append((part, wide))
                    waiting.remove(part)
                    room -= wide + self.gap
            lines.append((line, max(part.fit(wide) for part, wide in line)))
        return lines


def in_line(blocks: list[Part]) -> Flow:
    """Values of a form, as many side by side as fit."""
    return Packed(blocks, gap=10, lines=6)
