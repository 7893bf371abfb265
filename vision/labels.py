"""The grammar of our labels: ten characters that name a game, a component and its copy, and check themselves.

    TC R 00H 2 QEF      ours, the game, the component's number, the copy, the check characters

A QR symbol of version 1 at its strongest level holds exactly ten upper-case alphanumerics: 21 modules a side, so the
largest modules a label of a given size can have. What is not of this grammar is *not ours*; that is never an error.
docs/labels.md tells the whole story.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = DIGITS[10:]
PREFIX = "TC"
LENGTH = 10
MODULES = 21
"""Modules along each side of a symbol."""

HIGHEST_NUMBER = len(DIGITS) ** 3 - 1
HIGHEST_COPY = len(DIGITS) - 1

TEST_GAME = "Z"
"""A letter of no game: its labels are on test strips, and their number is their size in millimetres."""

_VALUE = {digit: value for value, digit in enumerate(DIGITS)}
_PRIME = 46649
"""The largest prime below 36**3: three base-36 characters can represent it."""
_BASE = 545
"""Chosen by search: no two wrong characters cancel each other out, and as few triples as possible."""


class Label(Struct, frozen=True):
    """What a label says: the game's letter, the component's number (from 1), which copy of it (0: the only one)."""

    game: str
    number: int
    copy: int = 0


def text(label: Label) -> str:
    """The ten characters of a label; raises `ValueError` if its values do not fit."""
    if len(label.game) != 1 or label.game not in LETTERS:
        raise ValueError(f"a game's letter is one of A-Z, not {label.game!r}")
    if not 1 <= label.number <= HIGHEST_NUMBER:
        raise ValueError(f"a component's number is 1 to {HIGHEST_NUMBER}, not {label.number}")
    if not 0 <= label.copy <= HIGHEST_COPY:
        raise ValueError(f"a copy is 0 to {HIGHEST_COPY}, not {label.copy}")
    body = PREFIX + label.game + _base36(label.number) + DIGITS[label.copy]
    return body + _check(body)


def parse(text: str | bytes) -> Label | None:
    """The label with this text, or None if it is not ours. Never raises."""
    if isinstance(text, bytes):
        try:
            text = text.decode("ascii")
        except UnicodeDecodeError:
            return None
    if len(text) != LENGTH or not text.startswith(PREFIX) or not all(c in _VALUE for c in text):
        return None
    game, number, copy = text[2], _number(text[3:6]), _VALUE[text[6]]
    if game not in LETTERS or number == 0 or text[7:] != _check(text[:7]):
        return None
    return Label(game, number, copy)


def _base36(n: int) -> str:
    return DIGITS[n // 1296] + DIGITS[n // 36 % 36] + DIGITS[n % 36]


def _number(digits: str) -> int:
    n = 0
    for digit in digits:
        n = n * 36 + _VALUE[digit]
    return n


def _check(body: str) -> str:
    """Three check characters: the body's characters weighted with powers of a base, modulo a prime."""
    n = 0
    for character in body:
        n = (n + _VALUE[character]) * _BASE % _PRIME
    return _base36(n)


@functools.lru_cache(maxsize=4096)  # drawn once for the codebook and once for bending
def matrix(text: str) -> NDArray[np.bool_]:
    """The symbol of a label's text, 21 by 21, True where it is dark; without quiet zone. Read-only."""
    import numpy as np
    import segno

    symbol = segno.make(text, version=1, error="h", mode="alphanumeric", boost_error=False, micro=False)
    dark = np.array([[bool(module) for module in row] for row in symbol.matrix], dtype=np.bool_)
    dark.setflags(write=False)
    return dark
