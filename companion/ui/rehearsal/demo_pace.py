"""How fast a demonstration goes: a whole game within its time, slowly where something happens, quickly elsewhere.

No Kivy, no clock: whoever has one says how much time has passed.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.core import session as sessions
from companion.core.autoplay import next_answer
from companion.core.game import Game, Setup
from companion.core.questions import Answer, Question
from companion.core.session import Session

WHOLE = 230.0
"""Seconds of a whole demonstration, without its score: a busy machine needs a minute more."""
HIGHLIGHT, USUAL, REPEATED, DRAWN = 4.0, 1.0, 0.45, 0.12
"""How long an answer is looked at, to a usual one: where something is fought for or new, the same question once more,
and what is only drawn from a bag or a deck."""
SHORTEST, LONGEST = 0.06, 2.2
"""Seconds for one answer; a highlight may take half as long again."""
GUESSED = 250 * USUAL
"""What a play weighs as long as nobody knows: a busy machine takes a minute to find out."""
MOMENT = 2.0
"""Seconds for which what was turned over fills the screen."""


class Pace:
    """Knows how much of a play there is still to show, and tells how long the next answer may take."""

    def __init__(self, whole: float = WHOLE) -> None:
        self.whole = whole
        self.total = 0.0
        """What all answers of the play weigh, as a play beforehand showed; 0 as long as nobody knows."""
        self._shown = 0.0
        self._asked: set[str] = set()
        self._last: tuple[object, str] = (None, "")
        self._alerts = 0

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

    def seconds(self, weight: float, spent: float) -> float:
        """How long an answer of this weight takes, if so much time is spent already."""
        left = max((self.total or GUESSED) - self._shown, weight, 20 * USUAL)
        self._shown += weight
        unit = (self.whole - spent) / left
        return min(max(SHORTEST, weight * unit), LONGEST * (1.5 if weight == HIGHLIGHT else 1.0))


def played(game: Game, setup: Setup, seed: int) -> Iterator[tuple[Session, Question]]:
    """Every table of the play a demonstration shows, with what is answered next; the last one again at its end."""
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
    """The same after everything that leaves no choice, as the clerk answers it."""
    while (forced := next((q for q in session.questions() if q.only is not None), None)) is not None:
        assert forced.only is not None
        session = session.answer(Answer(forced.seat, forced.slug, forced.only.id), 0.0, along=True)
    return session


def total(game: Game, setup: Setup, seed: int) -> float:
    """What all answers of this play weigh: bots play it once, out of sight."""
    pace = Pace()
    return sum(pace.weigh(session, question) for session, question in played(game, setup, seed))
