"""Highlights of a play that are worth a picture."""

from __future__ import annotations

from companion.core.parts import Highlight

SEATS = ("Ania", "Bartek", "Celina")

HIGHLIGHTS = (
    Highlight(
        scenes=("table-pawns",),
        seats=SEATS,
        seed=4,
        answers=60,
        asks=lambda question: question.slug == "beyond.action",
    ),
    Highlight(
        scenes=("table-tree",),
        seats=SEATS,
        seed=4,
        answers=60,
        asks=lambda question: question.slug == "beyond.research",
    ),
    Highlight(
        scenes=("table-stars",),
        seats=SEATS,
        seed=4,
        answers=60,
        asks=lambda question: question.slug == "beyond.jump-to",
    ),
)
