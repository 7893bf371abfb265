"""Symbols as the table shows them, until there are drawings."""

from __future__ import annotations

from companion.core.faces import Sign, Signs
from companion.core.game import Game
from companion.ui.toolkit.kit import Part, Row, Words


def symbol(game: Game, sign: Sign, size: float) -> Part:
    """One symbol."""
    return Words(sign.value or sign.symbol[:1].upper(), "detail", "dim", bold=True)


def sign_row(game: Game, signs: Signs, size: float) -> Part:
    """Symbols beside each other."""
    return Row([symbol(game, sign, size) for sign in signs], gap=4)
