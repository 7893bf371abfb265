"""Highlights of a play that are worth a picture."""

from __future__ import annotations

from companion.core.parts import Highlight
from companion.core.session import Session

SEATS = ("Ania", "Bartek", "Celina")


def _all_secret(session: Session) -> bool:
    return all(question.secret for question in session.questions())


def _alerted(session: Session) -> bool:
    return bool(session.game.view(session.state).alerts)


HIGHLIGHTS = (
    Highlight(
        scenes=(
            "home",
            "table",
            "table-paused",
            "table-undo",
            "table-menu",
            "table-help",
            "table-no-camera",
            "table-offer",
            "table-told",
            "scan-no-camera",
            "history",
            "history-undo",
            "correct",
            "broken",
        ),
        seats=SEATS,
        seed=3,
        answers=60,
        until=lambda session: not _all_secret(session),
    ),
    Highlight(
        scenes=("table-options",),
        seats=SEATS,
        seed=4,
        answers=40,
        asks=lambda question: not question.secret and len(question.options) > 4,
    ),
    Highlight(scenes=("table-hands",), seats=SEATS, seed=4, answers=40),
    Highlight(scenes=("table-in-secret",), seats=(*SEATS, "Darek"), seed=4, answers=50, until=_all_secret),
    Highlight(
        scenes=("table-reveal", "table-moment"),
        seats=(*SEATS, "Darek"),
        seed=4,
        answers=50,
        asks=lambda question: question.slug == "race.action",
    ),
    Highlight(
        scenes=("table-reveal-cards",),
        seats=(*SEATS, "Darek"),
        seed=4,
        answers=50,
        asks=lambda question: question.secret and len(question.options) > 12,
    ),
    Highlight(
        scenes=("table-reveal-names",),
        seats=("Małgorzata", "Krzysztof", "Aleksandra", "Bartłomiej"),
        seed=4,
        answers=50,
        asks=lambda question: question.secret and len(question.options) > 12,
    ),
    Highlight(
        scenes=("table-several",),
        seats=(*SEATS, "Darek"),
        seed=4,
        answers=50,
        until=lambda session: len(session.questions()) > 2 and not any(q.secret for q in session.questions()),
    ),
    Highlight(scenes=("table-end",), seats=SEATS, seed=3, until=_alerted),
    Highlight(
        scenes=(
            "table-over",
            "score",
            "score-sheet",
            "score-line",
            "score-chart",
            "score-pack",
            "score-share",
            "plays",
        ),
        seats=SEATS,
        seed=3,
        until=lambda session: session.over,
    ),
    Highlight(
        scenes=("choose", "choose-kinds", "choose-typing", "scan-practice"),
        seats=SEATS,
        seed=5,
        answers=20,
        asks=lambda question: len(question.options) > 12,
    ),
    Highlight(
        scenes=("choose-few",),
        seats=SEATS,
        seed=5,
        answers=20,
        asks=lambda question: question.secret and 2 < len(question.options) <= 12,
    ),
    Highlight(scenes=("table-seat", "table-card", "scan"), seats=SEATS, seed=3, answers=90),
)
