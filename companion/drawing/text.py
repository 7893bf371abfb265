"""Faces and signs in a line of text, for terminals: a symbol has a letter or a shape of its own there."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.faces import ARROW, Face, Sign, Signs
from companion.core.words import Text
from companion.drawing.symbols import called, drawn_as

Words = Callable[[Text], str]
"""A sentence in somebody's language."""

MORE = "+"
"""After a square that takes more than the others."""


def face_line(game: str, face: Face, words: Words) -> str:
    """Everything on a face but its name: corners, squares, then each row."""
    rows = [sign_line(game, row, words) for row in (face.corners, *face.rows) if row]
    spots = [sign_text(game, spot.sign, words) + MORE * spot.starred for spot in face.spots]
    return "  ".join([*rows[:1], *([" ".join(spots)] if spots else []), *rows[1:]])


def in_words(game: str, signs: Signs, words: Words) -> str:
    """Signs beside each other by their names: for lists, where nobody need know a letter or a shape."""
    return " ".join(
        f"{words(called(game, sign.symbol))} {sign.value}".rstrip() if sign != ARROW else "→"
        for sign in signs
    )


def face_in_words(game: str, face: Face, words: Words) -> tuple[str, ...]:
    """What is known of a face by the names of its signs: what it costs, then what it does; nothing if nothing is."""
    spots = tuple(spot.sign for spot in face.spots)
    corners, *rows = map(_known, (face.corners, spots, *face.rows))
    if not any(rows) and not any(sign.value for sign in corners):
        return ()  # of what sort it is, people know
    return tuple(in_words(game, row, words) for row in (corners, *rows) if row)


def _known(signs: Signs) -> Signs:
    return tuple(sign for sign in signs if sign.symbol != "unknown")


def sign_line(game: str, signs: Signs, words: Words) -> str:
    """Signs beside each other."""
    return " ".join(sign_text(game, sign, words) for sign in signs)


def sign_text(game: str, sign: Sign, words: Words) -> str:
    """A sign: the letter or shape its drawing has for this, with its value; or its name."""
    drawn = drawn_as(game, sign)
    if drawn.glyph is None:
        return f"{words(called(game, sign.symbol))} {sign.value}".rstrip()
    if "{}" in drawn.glyph:
        return drawn.glyph.replace("{}", sign.value)
    return f"{drawn.glyph}{sign.value}"
