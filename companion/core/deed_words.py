"""What somebody did, in words: the deed itself, not the question it answered. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.entries import Answered
from companion.core.session import Session
from companion.core.views import Tense
from companion.core.words import Text, say

BARE = ("core.plain", "core.yes", "core.no")
"""Answers that mean nothing without their question: a number, yes, no."""


def did(session: Session, n: int) -> Text:
    """What led to the `n`-th moment: who chose what; if the choice is not a component, also in which phase.
    The question is included only where the choice alone says nothing."""
    entry = session.moments[n].entry
    try:
        question = session.question_before(n)
    except Exception:  # an answer under other rules: show it as journaled
        return session.sentence(n)
    told = session.sentence(n, question)
    if entry is None or not isinstance(entry.deed, Answered) or told.key != "ui.answered":
        return told
    if question is None or question.seat is None or question.form is not None:
        return told
    chosen = [option for option in question.options if option.id == entry.deed.answer.option]
    if len(chosen) != 1 or (chosen[0].component is None and chosen[0].text.key in BARE):
        return told
    seat, what = session.setup.seats[question.seat], chosen[0].text
    if chosen[0].component is not None:
        return say("ui.did", seat=seat, what=what)
    phases = session.view_before(n).phases
    phase = next((phase.text for phase in phases if phase.tense is Tense.NOW), None)
    if phase is None:
        return say("ui.did", seat=seat, what=what)
    return say("ui.did-in", seat=seat, what=what, phase=phase)


def whole_deed(session: Session, first: int, last: int) -> tuple[Text, ...]:
    """What one tap did, between these two moments: the first thing of each seat."""
    seats: dict[int | None, Text] = {}
    for n in range(first, last + 1):
        entry = session.moments[n].entry
        seat = entry.deed.answer.seat if entry is not None and isinstance(entry.deed, Answered) else None
        seats.setdefault(seat, did(session, n))
    return tuple(seats.values())


def rounds_of(session: Session, deeds: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """With which deed each round begins, and its number."""
    found: list[tuple[int, int]] = []
    for n, (_, last) in enumerate(deeds, 1):
        number = session.game_at(last).view(session.moments[last].state).round
        if number and (not found or number > found[-1][1]):
            found.append((n, number))
    return tuple(found)
