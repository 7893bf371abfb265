"""The pace of a demonstration: a whole game within its time, slow where something happens, fast elsewhere.

No Kivy and no clock: callers pass in the time spent.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.core import session as sessions
from companion.core.autoplay import next_answer
from companion.core.game import Game, Setup
from companion.core.questions import Answer, Question
from companion.core.session import Session

WHOLE = 240.0
"""Seconds of a whole demonstration, without its score."""
LATE, TOO_LATE = 2.0, 8.0
"""Seconds of delay after which usual answers, or all answers, are skipped until the plan is met again."""
UNSEEN = 5.0
"""At any delay, the table is shown again after this many seconds."""
HIGHLIGHT, USUAL, REPEATED, DRAWN = 4.0, 1.0, 0.45, 0.12
"""Weights of an answer, relative to a usual one: contested or new, usual, the same question again, and draws
from a bag or deck."""
SHORTEST, LONGEST = 0.06, 2.2
"""Seconds for one answer; a highlight may take half as long again."""
GUESSED = 250 * USUAL
"""The assumed weight of a play until it is known: computing it takes a busy machine a minute."""
NEARLY = 0.97
"""The planned progress stops at this share: a play longer than the precomputed one gets no extra time."""


class Pace:
    """Knows how much of a play is left to show, and how long the next answer may take."""

    def __init__(self, whole: float = WHOLE) -> None:
        self.whole = whole
        self.total = 0.0
        """The weight of all answers, from a play computed beforehand; 0 until it is known."""
        self._shown = 0.0
        self._asked: set[str] = set()
        self._last: tuple[object, str] = (None, "")
        self._alerts = 0
        self._seen_at = 0.0
        self.catching_up = False
        """Whether answers are being skipped."""

    def weigh(self, session: Session, question: Question) -> float:
        """How much an answer to this question is worth looking at."""
        alerts, before = len(session.view.alerts), self._alerts
        self._alerts = alerts
        again = (question.seat, question.slug) == self._last
        new = question.slug not in self._asked
        self._asked.add(question.slug)
        self._last = (question.seat, question.slug)
        if question.dice is not None or alerts > before or (new and question.seat is not None):
            return HIGHLIGHT
        if question.tally is not None or (question.seat is None and again):
            return DRAWN
        return REPEATED if again else USUAL

    def shows(self, weight: float, spent: float) -> bool:
        """Whether an answer of this weight is shown after this time: a busy machine shows less of a play,
        rather than taking longer."""
        behind = spent - self.whole * min(self._shown / (self.total or GUESSED), NEARLY)
        if behind > LATE or behind <= 0:
            self.catching_up = behind > 0
        shown = not self.catching_up or (weight == HIGHLIGHT and behind < TOO_LATE)
        if shown or spent - self._seen_at > UNSEEN:
            self._seen_at = spent
            return True
        self._shown += weight
        return False

    def seconds(self, weight: float, spent: float) -> float:
        """The seconds for an answer of this weight after this time."""
        left = max((self.total or GUESSED) - self._shown, weight, 20 * USUAL)
        self._shown += weight
        unit = (self.whole - spent) / left
        return min(max(SHORTEST, weight * unit), LONGEST * (1.5 if weight == HIGHLIGHT else 1.0))


def played(game: Game, setup: Setup, seed: int) -> Iterator[tuple[Session, Question]]:
    """Every state of the demonstrated play with the question answered next; the last one again at its end."""
    random = Random(seed)
    session = _forced(sessions.begin(game, setup, 0.0))
    bots = game.bots(session.setup, random)
    bots.careful = True
    bots.follow(session.state, session.news)
    while not session.over:
        answer = next_answer(session.state, bots, random)
        question = next(q for q in session.questions() if (q.seat, q.slug) == (answer.seat, answer.slug))
        yield session, question
        session = _forced(session.answer(answer, 0.0))
        bots.follow(session.state, session.news)
    yield session, question


def _forced(session: Session) -> Session:
    """The session after all forced answers, as the clerk gives them."""
    while (forced := next((q for q in session.questions() if q.only is not None), None)) is not None:
        assert forced.only is not None
        session = session.answer(Answer(forced.seat, forced.slug, forced.only.id), 0.0, same_deed=True)
    return session


def total(game: Game, setup: Setup, seed: int) -> float:
    """The weight of all answers of this play: bots play it once in the background."""
    pace = Pace()
    return sum(pace.weigh(session, question) for session, question in played(game, setup, seed))
