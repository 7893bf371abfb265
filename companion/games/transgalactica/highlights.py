"""Highlights of a play that are worth a picture."""

from __future__ import annotations

from companion.core.parts import Highlight

THREE = ("Ania", "Bartek", "Celina")
FIVE = (*THREE, "Darek", "Ewa")

HIGHLIGHTS = (
    Highlight(
        scenes=("table-turn", "table-help-reminders"),
        seats=THREE,
        seed=1,
        answers=240,
        asks=lambda question: question.slug == "transgalactica.turn",
    ),
    Highlight(
        scenes=("table-routes",),
        seats=FIVE,
        seed=2,
        answers=300,
        asks=lambda question: question.slug == "transgalactica.explore",
    ),
    Highlight(
        scenes=("table-draft",),
        seats=THREE,
        seed=1,
        answers=60,
        asks=lambda question: question.slug == "transgalactica.draft",
    ),
    Highlight(
        scenes=("table-token",),
        seats=THREE,
        seed=2,
        asks=lambda question: question.slug == "core.fact",
        answers=80,
    ),
)
