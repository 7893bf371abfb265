"""What one seat may see and do, besides what everybody sees: for a screen that only its player looks at."""

from __future__ import annotations

from msgspec import Struct

from companion.core.entries import Answered
from companion.core.new_components import as_offered
from companion.core.questions import Option, Question
from companion.core.session import Session
from companion.core.tasks import HandTask, hand_tasks
from companion.core.words import Text, plain


class SecretChoice(Struct, frozen=True):
    """An answer that nobody else may know until the reveal: the question, and the options chosen."""

    question: Question
    text: Text
    options: tuple[Option, ...]


class OwnView(Struct, frozen=True):
    """What only this seat sees: its open questions, its secret choices, its powers now, and its tasks.

    The program never knows a hand of cards, so no hand is in here.
    """

    seat: int
    questions: tuple[Question, ...]
    """Its own question first, then the whole table's."""
    secrets: tuple[SecretChoice, ...]
    """In the order in which they were made."""
    powers: tuple[Text, ...]
    tasks: tuple[HandTask, ...]
    """Its own, and those of the whole table."""
    undoes: int
    """How many answers taking back its own last answer would undo; 0 if the last deed is another's."""


def own(
    session: Session,
    seat: int,
    asked: tuple[Question, ...] | None = None,
    ticked: frozenset[tuple[int, str]] = frozenset(),
) -> OwnView:
    """The private view of a seat; pass the open questions as `asked` if they are already built. During a
    pause nobody is asked."""
    asked = session.questions() if asked is None else asked
    mine = [question for whose in (seat, None) for question in asked if question.seat == whose]
    tasks = hand_tasks(session, ticked)
    return OwnView(
        seat,
        () if session.paused else tuple(as_offered(session, question) for question in mine),
        _secret_choices(session, seat),
        session.view.seats[seat].powers,
        tuple(task for task in tasks if seat in task.seats or None in task.seats),
        session.last_deed if _last_author(session) == seat else 0,
    )


def _secret_choices(session: Session, seat: int) -> tuple[SecretChoice, ...]:
    """The seat's last answers, while they are still secret."""
    found: list[SecretChoice] = []
    for n in range(len(session.moments) - 1, 0, -1):
        moment = session.moments[n]
        if moment.state.news:
            break  # a reveal always produces news
        deed = None if moment.entry is None else moment.entry.deed
        if not isinstance(deed, Answered) or deed.answer.seat != seat:
            continue
        question = session.question_before(n)
        if question is None or not question.secret:
            break
        text = question.words(deed.answer.option, session.game.means) or plain(deed.answer.option)
        found[:0] = [SecretChoice(question, text, question.parts(deed.answer.option))]
    return tuple(found)


def _last_author(session: Session) -> int | None:
    """The seat whose answer began the last deed, if it was a seat's answer."""
    if not session.last_deed:
        return None
    entry = session.moments[-session.last_deed].entry
    return entry.deed.answer.seat if entry is not None and isinstance(entry.deed, Answered) else None
