"""Symbols and faces on the grounds the table has."""

from __future__ import annotations

from companion.core.faces import Face, Sign, Signs
from companion.core.game import Game
from companion.ui.toolkit.kit import Part
from companion.ui.toolkit.look import SMALLEST_WORDS
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import SignRow, Symbol, paper


def symbol(game: Game, sign: Sign, size: float, ground: str = "surface", tone: str = "dim") -> Part:
    """One symbol on this ground, in this tone unless it has a tint."""
    return Symbol(game, sign, size, paper(ground, tone, tone))


def sign_row(game: Game, signs: Signs, size: float, ground: str = "raised", tone: str = "text") -> Part:
    """Symbols beside each other."""
    return SignRow(game, signs, size, paper(ground, tone))


def face_view(game: Game, face: Face, wide: float, high: float) -> Part:
    """A component as it lies there."""
    return Snug(face.name, 20, SMALLEST_WORDS, lines=2)
