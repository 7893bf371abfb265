"""Colours of drawings: a game's tints, and the background they are on."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from companion.core.faces import Sign, Tints

INK = "#10151F"
"""Letters on a bright background."""


class Backing(Struct, frozen=True):
    """A background: its colour, and the colours of words and of dimmed things on it."""

    ground: str
    text: str
    dim: str


CARD = Backing("#243146", "#F1F4F9", "#B4C0D4")
"""The background of faces, independent of their surroundings."""

SEEN = 3.0
"""Minimum contrast of a visible shape (WCAG 2)."""


def luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1 (WCAG 2)."""
    channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@lru_cache(maxsize=1000)
def contrast(one: str, other: str) -> float:
    """How well one colour stands out on another, from 1 to 21 (WCAG 2)."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def tint_of(tints: Tints, sign: Sign, paper: Backing) -> tuple[str, str, str]:
    """The three colours of a sign. A tint may itself be a colour; without a known tint the sign has the
    colour of words."""
    if sign.tint.startswith("#"):
        return sign.tint, sign.tint, sign.tint
    return tints.get(sign.tint or sign.symbol, (paper.text, paper.text, paper.dim))


def seen_on(tint: tuple[str, str, str], paper: Backing) -> str:
    """The colour of a tint that is visible here: its front, else its dark side, else the colour of words."""
    front, _, dark = tint
    return next((c for c in (front, dark) if contrast(c, paper.ground) >= SEEN), paper.text)
