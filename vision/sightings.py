"""What reading a picture gives: a label's text, where it is, which reader read it, and the confidence."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Corners = tuple[tuple[float, float], ...]
"""The four outer corners of a symbol in pixels, clockwise from the symbol's own top-left."""


class Sighting(Struct, frozen=True):
    """A label seen in one picture; `module` is the width of one of its squares in pixels."""

    text: str
    corners: Corners
    how: Literal["zxing", "zbar", "codebook"]
    sure: float
    module: float
