"""Symbols as the table shows them, until there are drawings."""

from __future__ import annotations

from companion.core.faces import Face, Sign, Signs
from companion.core.game import Game
from companion.ui.toolkit.kit import Part, Row, Words
from companion.ui.toolkit.look import SMALLEST_WORDS
from companion.ui.toolkit.snug import Snug


def symbol(game: Game, sign: Sign, size: float, ground: str = "surface", tone: str = "dim") -> Part:
    """One symbol."""
    return Words(sign.value or sign.symbol[:1].upper(), "detail", tone, bold=True)


def sign_row(game: Game, signs: Signs, size: float, ground: str = "raised", tone: str = "text") -> Part:
    """Symbols beside each other."""
    return Row([symbol(game, sign, size, ground, tone) for sign in signs], gap=4)


def face_view(game: Game, face: Face, wide: float, high: float) -> Part:
    """A component as it lies there."""
    return Snug(face.name, 20, SMALLEST_WORDS, lines=2)
