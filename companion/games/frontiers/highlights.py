"""Highlights of a play that are worth a picture."""

from __future__ import annotations

from companion.core.parts import Highlight

SEATS = ("Ania", "Bartek", "Celina")
FIVE = (*SEATS, "Darek", "Ewa")

HIGHLIGHTS = (
    Highlight(
        scenes=("table-tiles",),
        seats=SEATS,
        seed=2,
        answers=60,
        asks=lambda question: question.slug == "frontiers.action",
    ),
    Highlight(
        scenes=("table-slots",),
        seats=FIVE,
        seed=3,
        answers=60,
        asks=lambda question: question.slug == "frontiers.take-world",
    ),
    Highlight(
        scenes=("name-tile",),
        seats=SEATS,
        seed=3,
        asks=lambda question: question.slug == "frontiers.take-world",
    ),
    Highlight(
        scenes=("table-number",),
        seats=SEATS,
        seed=3,
        asks=lambda question: question.slug == "frontiers.worth",
    ),
)
