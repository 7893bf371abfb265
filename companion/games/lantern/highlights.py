"""Highlights of a play that are worth a picture."""

from __future__ import annotations

from companion.core.parts import Highlight

HIGHLIGHTS = (
    Highlight(scenes=("table-fact",), seats=("Ania", "Bartek"), seed=1, asks=lambda q: q.slug == "core.fact"),
    Highlight(scenes=("map-night",), seats=("Ania", "Bartek", "Celina"), seed=1, answers=5),
)
