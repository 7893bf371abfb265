"""A picture of every symbol and of some faces of every game: `python -m companion.drawing.overview FILE`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from companion.core.components import Component
from companion.core.faces import Face, Sign, Tints
from companion.core.game import Game, every_game
from companion.drawing.colours import Backing
from companion.drawing.faces import face
from companion.drawing.lines import fitted
from companion.drawing.signs import StrokeGroup, sign
from companion.drawing.strokes import Inscription, Stroke
from companion.drawing.svg import measured, png, svg
from companion.drawing.symbols import called, drawing, names
from companion.texts import render

WIDE, SYMBOL, CELL = 1200, 36, (100, 74)
FACES = {"card": (180, 100), "tile": (100, 100), "hex": (120, 104), "ship": (180, 130)}
ALIKE = 11
"""Number of faces shown per kind."""
LETTERS_ONLY = "{}"
"""The text form of a symbol that consists only of its letters."""
GROUND = Backing("#0E131C", "#F1F4F9", "#B4C0D4")


def overview(language: str = "en") -> StrokeGroup:
    """Every symbol and some faces of every game, below each other."""
    strokes: list[Stroke] = []
    high = 0.0
    for title, game, tints in (("", "", {}), *((g.box.name, g.id, g.tints) for g in every_game().values())):
        blocks = [_symbols(game, tints, language)]
        if game:
            blocks.append(_faces(every_game()[game], language))
        strokes.append(Inscription(16, high + 24, title or "Companion", 24, GROUND.text))
        high += 48
        for block in blocks:
            strokes += block.at(0, high)
            high += block.high + 16
    return StrokeGroup(tuple(strokes), WIDE, high)


def _symbols(game: str, tints: Tints, language: str) -> StrokeGroup:
    return _flowed(
        StrokeGroup(tuple(_named(game, tints, symbol, render(called(game, symbol), language))), *CELL)
        for symbol in names(game)
        if drawing(game, symbol).glyph != LETTERS_ONLY
    )


def _named(game: str, tints: Tints, symbol: str, name: str) -> Iterator[Stroke]:
    wide = CELL[0]
    yield from sign(game, tints, Sign(symbol), SYMBOL, measured, GROUND).at((wide - SYMBOL) / 2, 2)
    words = fitted((name,), 13, wide - 8, 2, measured, 8, bold=False)
    yield from words.strokes(4, SYMBOL + 6, GROUND.dim, measured, wide - 8)


def _faces(game: Game, language: str) -> StrokeGroup:
    shown: dict[type[Component], list[Face]] = {}
    for component in game.usual_box():
        shown.setdefault(type(component), []).append(game.face(component))
    some = [one for alike in shown.values() for one in alike[:: max(1, len(alike) // ALIKE)][:ALIKE]]
    return _flowed(face(game.id, game.tints, one, *FACES[one.shape], measured, language) for one in some)


def _flowed(drawings: Iterator[StrokeGroup]) -> StrokeGroup:
    """Drawings in lines, as many side by side as fit."""
    strokes: list[Stroke] = []
    x, y, deep = 8.0, 0.0, 0.0
    for one in drawings:
        if x + one.wide > WIDE - 8:
            x, y, deep = 8.0, y + deep + 8, 0.0
        strokes += one.at(x, y)
        x, deep = x + one.wide + 8, max(deep, one.high)
    return StrokeGroup(tuple(strokes), WIDE, y + deep)


if __name__ == "__main__":
    whole = overview()
    Path(sys.argv[1]).write_bytes(png(svg(whole, GROUND.ground), WIDE, round(whole.high)))
