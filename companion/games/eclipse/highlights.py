"""Highlights of a play that are worth a picture."""

from __future__ import annotations

from companion.core.parts import Highlight

SEATS = ("Ania", "Bartek", "Celina")
SIX = (*SEATS, "Darek", "Ewa", "Filip")

HIGHLIGHTS = (
    Highlight(
        scenes=("table-help-reasons",),
        seats=SEATS,
        seed=3,
        asks=lambda question: question.slug == "eclipse.move-to",
    ),
    Highlight(
        scenes=("map",),
        seats=SEATS,
        seed=3,
        answers=150,
        asks=lambda question: question.slug == "eclipse.explore",
    ),
    Highlight(
        scenes=("table-places",),
        seats=SIX,
        seed=5,
        answers=400,
        asks=lambda question: question.slug == "eclipse.explore",
    ),
    Highlight(
        scenes=("table-laying",),
        seats=SEATS,
        seed=3,
        answers=150,
        asks=lambda question: question.slug == "eclipse.place-hex",
    ),
    Highlight(scenes=("map-legend",), seats=SIX, seed=5, answers=700),
    Highlight(
        scenes=("table-groups",),
        seats=SEATS,
        seed=3,
        answers=100,
        asks=lambda question: question.slug == "eclipse.turn" and bool(question.notes),
    ),
    Highlight(
        scenes=("table-many-gauges", "correct-group", "correct-choose"), seats=SEATS, seed=3, answers=150
    ),
    Highlight(
        scenes=("table-six",),
        seats=SIX,
        seed=5,
        answers=200,
        asks=lambda question: question.slug == "eclipse.turn" and len(question.options) > 6,
    ),
    Highlight(
        scenes=("table-leaves",),
        seats=SIX,
        seed=5,
        answers=100,
        asks=lambda question: question.slug == "eclipse.technology",
    ),
    Highlight(
        scenes=("table-dice",), seats=SEATS[:2], seed=17, asks=lambda question: question.dice is not None
    ),
    Highlight(
        scenes=("table-battle",), seats=SEATS, seed=8, asks=lambda question: question.slug == "eclipse.act"
    ),
    Highlight(
        scenes=("table-warning",),
        seats=SIX,
        seed=5,
        answers=150,
        asks=lambda question: question.slug == "eclipse.turn" and question.warning is not None,
    ),
    Highlight(
        scenes=("table-hit",), seats=SIX[:4], seed=4, asks=lambda question: question.slug == "eclipse.hit"
    ),
    Highlight(
        scenes=("table-board",),
        seats=SEATS,
        seed=3,
        asks=lambda question: question.slug == "eclipse.technology",
        more=5,
    ),
    Highlight(
        scenes=("table-numbers",),
        seats=SEATS,
        seed=3,
        asks=lambda question: question.slug == "eclipse.turn-up",
    ),
    Highlight(
        scenes=("table-parts",),
        seats=SEATS,
        seed=3,
        answers=150,
        asks=lambda question: question.slug == "eclipse.upgrade",
    ),
    Highlight(
        scenes=("table-blueprint",),
        seats=SEATS,
        seed=3,
        answers=150,
        asks=lambda question: question.slug == "eclipse.slot",
    ),
    Highlight(
        scenes=("choose-groups",), seats=SEATS, seed=3, asks=lambda question: question.slug == "eclipse.slot"
    ),
)
