"""Colours of what is drawn: those of a game's tints, and the ground they stand on."""

from __future__ import annotations

from msgspec import Struct

from companion.core.faces import Sign, Tints

INK = "#10151F"
"""Letters on something bright."""


class Backing(Struct, frozen=True):
    """What is drawn on: its colour, and the colours of words and of quieter things on it."""

    ground: str
    text: str
    dim: str


CARD = Backing("#243146", "#F1F4F9", "#B4C0D4")
"""Faces are drawn on this, whatever is round them."""

SEEN = 3.0
"""The contrast a shape must have to be seen (WCAG 2)."""


def luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1 (WCAG 2)."""
    channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """How well one colour stands out on another, from 1 to 21 (WCAG 2)."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def tint_of(tints: Tints, sign: Sign, paper: Backing) -> tuple[str, str, str]:
    """The three colours of a sign; a tint may be a colour itself, without one it is as words are."""
    if sign.tint.startswith("#"):
        return sign.tint, sign.tint, sign.tint
    return tints.get(sign.tint or sign.symbol, (paper.text, paper.text, paper.dim))


def seen_on(tint: tuple[str, str, str], paper: Backing) -> str:
    """The colour of a tint that is seen on this ground: its front, or its dark side on a bright ground."""
    front, _, dark = tint
    return next((c for c in (front, dark) if contrast(c, paper.ground) >= SEEN), paper.text)
