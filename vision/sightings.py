"""What reading a picture gives: a label's text, where it is, which reader read it, and the confidence."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Corners = tuple[tuple[float, float], ...]
"""The four outer corners of a symbol, or of a card known by its face, in pixels, clockwise from its own
top-left."""
ReadBy = Literal["zxing", "zbar", "codebook", "face"]
FACE_SIDES = 4.0
"""A card without a label counts as if it had one of which so many side by side are as wide as the card."""


class Sighting(Struct, frozen=True):
    """A label seen in one picture, or a card known by its face; `module` is the width of one of the label's
    squares in pixels."""

    text: str
    corners: Corners
    how: ReadBy
    sure: float
    module: float
    certain: bool = True
    """Whether it may answer by itself when it is shown; otherwise it is only offered."""
