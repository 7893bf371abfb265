"""Messages shown for a while: the longer the text, the longer the time."""

from __future__ import annotations

from msgspec import Struct

from companion.core.words import Text

SECONDS, A_LETTER = 1.5, 0.06
"""Seconds a message stays, and seconds more per letter; a refusal stays twice as long."""


class Toast(Struct, frozen=True):
    """A message that disappears after a while; `how` is its kind. One about a trouble disappears when that is
    over."""

    text: Text
    how: str
    until: float
    trouble: bool = False
    seat: int | None = None
    """The seat it is for, if any."""


def toast_of(
    text: Text, words: str, how: str, now: float, trouble: bool = False, seat: int | None = None
) -> Toast:
    """This message, shown from `now` on; `words` is its translated text."""
    seconds = SECONDS + A_LETTER * len(words)
    return Toast(text, how, now + seconds * (2 if how == "refused" else 1), trouble, seat)
