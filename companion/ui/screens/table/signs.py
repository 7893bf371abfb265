"""Symbols and faces on the table's backgrounds."""

from __future__ import annotations

from companion.core.faces import Face, Sign, Signs
from companion.core.game import Game
from companion.drawing.symbols import has
from companion.ui.toolkit.kit import Part, Words, theme
from companion.ui.toolkit.symbols import FaceView, SignRow, Symbol, paper


def symbol(game: Game, sign: Sign, size: float, ground: str = "surface", tone: str = "dim") -> Part:
    """One symbol on this background, in this tone unless it has a tint."""
    return Symbol(game, sign, size, paper(ground, tone, tone))


LETTERS = 7
"""A word without a symbol is cut to this many letters and a point where room is short."""


def symbol_or_word(
    game: Game, sign: Sign, words: str, size: float, ground: str = "surface", tone: str = "dim"
) -> Part:
    """The game's symbol; if it has none, the first letters of the word."""
    if has(game.id, sign.symbol):
        return symbol(game, sign, size, ground, tone)
    first = words.split()[0] if words else ""
    return Words(first if len(first) <= LETTERS + 1 else f"{first[:LETTERS]}.", "detail", tone)


def sign_row(game: Game, signs: Signs, size: float, ground: str = "raised", tone: str = "text") -> Part:
    """Symbols side by side."""
    return SignRow(game, signs, size, paper(ground, tone))


class FaceIn(Part):
    """A component as it lies, as large as its room."""

    def __init__(self, game: Game, face: Face, lying: Signs = (), high: float = 0) -> None:
        super().__init__()
        self.game, self.face, self.lying, self._high = game, face, lying, high or theme().px(48)

    def fit(self, width: float) -> float:
        return self._high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        scale = theme().unit * theme().text
        drawn = FaceView(self.game, self.face, width / scale, height / scale, self.lying)
        self.add_widget(drawn)
        drawn.place(x, y, width, height)
