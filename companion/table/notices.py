"""Sentences people are told for a while: how long that is depends on how long they are."""

from __future__ import annotations

from msgspec import Struct

from companion.core.words import Text

SECONDS, A_LETTER = 1.5, 0.06
"""Seconds a sentence stays, and how many more for each of its letters; a refusal stays twice as long."""


class Toast(Struct, frozen=True):
    """A sentence that goes away by itself; `how` says how it went. What told of a trouble goes when that is over."""

    text: Text
    how: str
    until: float
    trouble: bool = False
    seat: int | None = None
    """Whom it is told, if it is somebody's."""


def toast_of(
    text: Text, words: str, how: str, now: float, trouble: bool = False, seat: int | None = None
) -> Toast:
    """This sentence, told now in these words."""
    seconds = SECONDS + A_LETTER * len(words)
    return Toast(text, how, now + seconds * (2 if how == "refused" else 1), trouble, seat)
