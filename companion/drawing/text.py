"""Faces and signs in a line of text, for terminals: a letter or shape represents each symbol."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.faces import ARROW, Face, Sign, Signs
from companion.core.words import Text
from companion.drawing.symbols import called, drawn_as

WordsOf = Callable[[Text], str]
"""Renders a sentence in the reader's language."""

MORE = "+"
"""Follows a square that takes more than the others."""


def face_line(game: str, face: Face, words: WordsOf) -> str:
    """Everything on a face except its name: corners, squares, then each row."""
    rows = [sign_line(game, row, words) for row in (face.corners, *face.rows) if row]
    spots = [sign_text(game, spot.sign, words) + MORE * spot.starred for spot in face.spots]
    return "  ".join([*rows[:1], *([" ".join(spots)] if spots else []), *rows[1:]])


def in_words(game: str, signs: Signs, words: WordsOf) -> str:
    """Signs in a row by their names: for lists, whose readers need not know the letters and shapes."""
    return " ".join(
        f"{words(called(game, _meant(sign)))} {sign.value}".rstrip() if sign != ARROW else "→"
        for sign in signs
    )


def _meant(sign: Sign) -> str:
    """The symbol whose name a sign has: cards print Military as defence with a signed number."""
    return (
        "military" if sign.symbol == "defence" and sign.value[:1] in ("+", "\N{MINUS SIGN}") else sign.symbol
    )


def face_in_words(game: str, face: Face, words: WordsOf) -> tuple[str, ...]:
    """What is known of a face, by the names of its signs: cost, then effects; empty if unknown."""
    spots = tuple(spot.sign for spot in face.spots)
    corners, *rows = map(_known, (face.corners, spots, *face.rows))
    if not any(rows) and not any(sign.value for sign in corners):
        return ()  # only its kind is known, which is obvious
    return tuple(in_words(game, row, words) for row in (corners, *rows) if row)


def _known(signs: Signs) -> Signs:
    """The known signs of a row; empty if it only says what is unknown."""
    known = tuple(sign for sign in signs if sign.symbol != "unknown")
    return known if known == signs or any(sign.value for sign in known) else ()


def sign_line(game: str, signs: Signs, words: WordsOf) -> str:
    """Signs in a row."""
    return " ".join(sign_text(game, sign, words) for sign in signs)


def sign_text(game: str, sign: Sign, words: WordsOf) -> str:
    """A sign as text: its glyph with its value, or its name."""
    drawn = drawn_as(game, sign)
    if drawn.glyph is None:
        return f"{words(called(game, sign.symbol))} {sign.value}".rstrip()
    if "{}" in drawn.glyph:
        return drawn.glyph.replace("{}", sign.value)
    return f"{drawn.glyph}{sign.value}"
