"""What forms are made of: chips with a symbol and a word, and values with what they are called beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import inf
from typing import Any

from companion.core.faces import Sign
from companion.core.game import Game
from companion.drawing.symbols import has
from companion.ui.toolkit.kit import Column, Flow, Group, Part, Words, look
from companion.ui.toolkit.symbols import Symbol
from companion.ui.toolkit.tiles import Centred, Tile

SIGN = 24
"""How high a symbol over a word is."""

ALONE = 34
"""How high a symbol is that says all by itself: a number, a letter."""

BETWEEN, CLOSE, MANY = 4, 2, 10
"""Between chips of one value; and between more than so many."""


def sign_of(game: Game, field: str, value: int | str) -> Sign | None:
    """The symbol a game has for a value of a field."""
    sign = game.value_sign(field, value)
    if sign is None and isinstance(value, str) and has(game.id, value):
        sign = Sign(value)
    return sign


def signed(game: Game, sign: Sign | None, words: str, tone: str = "text", bold: bool = False) -> Part:
    """A symbol with its word below it; alone if letters in it say all, and a word alone where nobody drew any."""
    if sign is None:
        return Words(words, "tile", tone, bold=bold, align="center")
    if sign.value:
        return Symbol(game, sign, ALONE)
    return Column(
        [Centred(Symbol(game, sign, SIGN)), Words(words, "detail", tone, bold=bold, align="center")], gap=0
    )


def label_of(game: Game, field: str, words: str) -> Part:
    """What a field is called: its symbol, or else its word."""
    name = field.replace("_", "-")
    return Symbol(game, Sign(name), ALONE) if has(game.id, name) else Words(words, "tile", "dim")


class Chip(Tile):
    """One value to touch; what is chosen has an edge and bold letters."""

    def __init__(
        self, content: Part, on_tap: Callable[[], Any], name: str, chosen: bool = False, family: str = ""
    ) -> None:
        super().__init__(Centred(content), on_tap, name, edge="accent" if chosen else "", pad=4)
        self.family = family
        """The symbol it shares with its neighbours."""

    def natural(self) -> float:
        inner = self.part.natural() + 2 * self.pad
        return max(self.tall, inner + look().px(8) if inner > self.tall - look().px(8) else inner)


class Chips(Flow):
    """Values beside each other, in as many lines as they need."""

    def __init__(self, chips: Sequence[Part]) -> None:
        super().__init__(chips, gap=BETWEEN if len(chips) <= MANY else CLOSE)

    def natural(self) -> float:
        return super().natural() + 1


def in_families(chips: Sequence[Chip]) -> Part:
    """Values with what shares a symbol on a line of its own, if all of them do: costs, then defences."""
    families = [list(family) for _, family in groupby(chips, key=lambda chip: chip.family)]
    if len(families) < 2 or min(map(len, families)) < 2:
        return Chips(chips)
    return Column([Chips(family) for family in families], gap=BETWEEN)


class Labelled(Group):
    """A value with what it is called: beside it where both have room, else above it."""

    def __init__(self, label: Part, value: Part) -> None:
        super().__init__([label, value], gap=6)
        self.label, self.value = label, value
        self.column = label.natural()
        """How wide what stands beside the value is: the same for all of a form."""

    def natural(self) -> float:
        return self.column + self.gap + self.value.natural()

    def _beside(self, width: float) -> bool:
        if self.natural() > width + 1:  # without the others' column there may be room
            self.column = self.label.natural()
        return self.natural() <= width + 1

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


class Across(Column):
    """Parts below each other, as wide as there is room."""

    def natural(self) -> float:
        return inf


def in_line(blocks: list[Part]) -> Flow:
    """Values of a form, as many beside each other as there is room for; what they are called stands in columns."""
    beside = [block for block in blocks if isinstance(block, Labelled) and block.value.natural() < inf]
    column = max((block.column for block in beside), default=0.0)
    for block in beside:
        block.column = column
    return Flow(blocks, gap=14, lines=6)
