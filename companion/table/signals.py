"""Signals and their outcomes: everything people can propose at a table, and what came of it, as frozen values."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.entries import (
    Corrected,
    FactCorrected,
    Lightened,
    Paused,
    Redone,
    Resumed,
    SeatLeft,
    Undone,
)
from companion.core.questions import Answer, Question
from companion.core.scans import Offer
from companion.core.session import Session
from companion.core.understand import Accept, Choose, Known, Press, Questions, Refuse, Sighted
from companion.core.words import Text
from companion.errors import Trouble


class TakeBack(Struct, frozen=True):
    """A seat's button was pressed twice quickly: the first press is to be taken back."""

    seat: int


class Confirmed(Struct, frozen=True):
    """Somebody confirms everything that was offered."""

    answers: tuple[Answer, ...]


PlayDeed = Corrected | FactCorrected | Undone | Redone | Paused | Resumed | SeatLeft | Lightened
"""Deeds that are not answers."""

Proposal = Answer | Sighted | Press | TakeBack | Confirmed | PlayDeed
"""Everything that can be proposed: an option, a card, a button, a deed."""


class Done(Struct, frozen=True):
    """A deed was done."""


class Failed(Struct, frozen=True):
    """It could not be written, so it has not happened."""

    trouble: Trouble


ProposalMeaning = Accept | Choose | Known | Offer | Refuse | Failed | Done
OutcomeKind = Literal["accepted", "choose", "known", "offer", "refused", "done"]


class Outcome(Struct, frozen=True):
    """The result of a signal, with the table after it and its open questions; every change is already on
    disk.

    `text` is the message for people: nothing secret, and None if the table says enough.
    """

    signal: Proposal | None
    meaning: ProposalMeaning
    before: Session
    session: Session
    questions: Questions
    text: Text | None = None

    @property
    def how(self) -> OutcomeKind:
        """The kind of outcome, in one word."""
        match self.meaning:
            case Accept():
                return "accepted"
            case Choose():
                return "choose"
            case Known():
                return "known"
            case Offer():
                return "offer"
            case Refuse() | Failed():
                return "refused"
            case Done():
                return "done"

    @property
    def changed(self) -> bool:
        """Whether the table has changed."""
        return self.session is not self.before

    @property
    def trouble(self) -> Trouble | None:
        """Why nothing was done, if so."""
        return self.meaning.trouble if isinstance(self.meaning, Choose | Refuse | Failed) else None

    @property
    def seat(self) -> int | None:
        """Whose signal it was, if known."""
        if isinstance(self.meaning, Accept):
            return self.meaning.answer.seat
        return self.signal.seat if isinstance(self.signal, Answer | Sighted | Press | TakeBack) else None

    @property
    def answered(self) -> Question | None:
        """The question that was answered by tap, card or button, if any."""
        first = len(self.before.moments)
        return self.session.question_before(first) if isinstance(self.meaning, Accept) else None


class PlayNow(Struct, frozen=True):
    """An open play: its number, its session and its open questions."""

    id: int
    session: Session
    questions: Questions


class SeenState(Struct, frozen=True):
    """What somebody saw when they acted: the table, the offer, and the questions."""

    session: Session
    offer: Offer = Offer()
    asked: Questions = ()

    def question(self, answer: Answer) -> Question | None:
        """The question this answers, as it was shown."""
        return next((q for q in self.asked if (q.seat, q.slug) == (answer.seat, answer.slug)), None)

    def answers(self, now: Session, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """Those whose question is still open; if a seat's first answer is too late, its later ones are
        dropped too."""
        first = {answer.seat: answer for answer in reversed(answers)}
        late = {
            seat
            for seat, answer in first.items()
            if not now.asks_still(self.session, answer.seat, answer.slug)
        }
        return tuple(answer for answer in answers if answer.seat not in late)

    def corrects(self, now: Session, deed: Corrected) -> bool:
        """Whether the counter still has the value the person saw, or already the one they want."""
        if now.state is self.session.state:
            return True
        was, is_ = (
            {counter.id: counter.value for counter in session.counters()} for session in (self.session, now)
        )
        return deed.counter not in was or is_.get(deed.counter) in (was[deed.counter], deed.value)

    def is_whole(self, now: Session) -> bool:
        """Whether nothing was done or undone since."""
        return now.follows(self.session) and len(now.moments) == len(self.session.moments)


class Picking(Struct, frozen=True):
    """A seat, or the table, taps one option after another of a question that is asked several times in a row."""

    slug: str
    since: Session
    """The table as it was seen at the first tap; only taps have answered the question since."""


class ScanMode(Struct, frozen=True):
    """How to treat cards in view of the camera: understand them now, keep them for later, or ignore them
    (they are in view for another reason). `seat` is the seat that shows them, as long as it is asked."""

    when: Literal["now", "later", "never"] = "now"
    seat: int | None = None

    def placed(self, card: Sighted, asked: Questions) -> Sighted:
        """The card as shown by the seat of this scan mode, unless the card already has a seat."""
        if card.seat is not None or not any(question.seat == self.seat for question in asked):
            return card
        return replace(card, seat=self.seat)
