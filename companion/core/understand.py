"""What a scan or a button means now: an answer, a choice to offer, a quiet tick, or a refusal with its
reason.

Nothing here raises or changes anything: the caller still hands the answer to the session.
"""

from __future__ import annotations

from functools import reduce

from msgspec import Struct

from companion.core.agenda import open_asks
from companion.core.questions import Answer, Option, Question
from companion.core.session import Session
from companion.core.words import Text, say
from companion.errors import Ambiguous, NotNow, PlayerTrouble, Unknown

Questions = tuple[Question, ...]


class Sighted(Struct, frozen=True):
    """A component in view of the camera; `seat` if we know at whose place it lies."""

    component: str
    seat: int | None = None


class Press(Struct, frozen=True):
    """A seat's button was pressed."""

    seat: int


Signal = Sighted | Press | Answer
"""What people do at the table: show a card, press a button, tap an option."""


class Accept(Struct, frozen=True):
    """The signal answers exactly one question."""

    answer: Answer


class Choose(Struct, frozen=True):
    """The signal could be several answers: let the person choose."""

    answers: tuple[tuple[Answer, Option], ...]
    trouble: Ambiguous


class Known(Struct, frozen=True):
    """The component is already where it belongs."""

    component: str


class Refuse(Struct, frozen=True):
    """The signal means nothing now; `trouble` says why."""

    trouble: PlayerTrouble


Meaning = Accept | Choose | Known | Refuse


def understand(session: Session, signal: Signal, asked: Questions | None = None) -> Meaning:
    """What this signal means now; pass the open questions as `asked` if they are already built."""
    asked = session.questions() if asked is None else asked
    match signal:
        case Answer():
            return Accept(signal)  # the session checks whether it is offered
        case _ if session.paused:  # the questions are not visible, so this cannot be an answer
            return Refuse(NotNow(say("core.paused-now")))
        case Press(seat):
            return _press(session, asked, seat)
        case Sighted():
            return _sight(session, asked, signal)


def pressed_for(asked: Questions, seat: int) -> Question | None:
    """The question a seat's button answers: the seat's own comes before one to the whole table."""
    return next((q for whose in (seat, None) for q in asked if q.seat == whose), None)


def _press(session: Session, asked: Questions, seat: int) -> Meaning:
    question = pressed_for(asked, seat)
    if question is None:
        return Refuse(NotNow(say("core.not-waiting-for-you")))
    if question.default is None:
        return Refuse(NotNow(say("core.no-default", question=session.asked(question))))
    return Accept(Answer(question.seat, question.slug, question.default.id))


def _sight(session: Session, asked: Questions, signal: Sighted) -> Meaning:
    catalogue = session.catalogue
    if signal.component not in catalogue:
        return Refuse(Unknown(say("core.unknown-component", id=signal.component)))
    name = catalogue[signal.component].called
    found = [
        (Answer(question.seat, question.slug, option.id), option)
        for question in asked
        if signal.seat is None or question.seat in (signal.seat, None)
        for option in question.options
        if option.component == signal.component
    ]
    if len(found) == 1:
        return Accept(found[0][0])
    if found:
        choices = tuple(answer.option for answer, _ in found)
        return Choose(tuple(found), Ambiguous(say("core.which-one", name=name), choices))
    if signal.component in session.game.on_table(session.state):
        return Known(signal.component)
    return Refuse(NotNow(why_not(session, signal)))


def why_not(session: Session, signal: Sighted) -> Text:
    """The rule's reason for refusing; if several seats are asked, all different reasons."""
    reasons: list[Text] = []
    for _, ask in open_asks(session.state):
        if signal.seat is None or ask.seat in (signal.seat, None):
            reason = ask.why_not(session.state, signal.component)
            if reason not in reasons:
                reasons.append(reason)
    if not reasons:
        return say("core.play-is-over" if session.over else "core.not-waiting-for-you")
    return reduce(lambda one, other: say("core.refused", one=one, other=other), reasons)
