"""The one door into a play: whatever people touch, show, press, turn or type is understood and written here.

A signal is a value; what came of it is one `Outcome`, made after the write, and that outcome drives sound, lamps,
sentences and screens. A door belongs to one thread, the one that owns the journal: only that thread touches the door
and the play behind it. In go signals and out come outcomes, which are frozen, so any thread may have them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.play import Play
from companion.core.questions import Answer, Question
from companion.core.scans import (
    CameraNews,
    CardInSight,
    Gesture,
    LastShown,
    LiesInSight,
    OfAnotherBox,
    Offer,
    OutOfSight,
    is_plain,
    offer_of,
    offer_of_lying,
)
from companion.core.session import (
    Answered,
    Corrected,
    Paused,
    Redone,
    Resumed,
    Retold,
    Session,
    Undone,
    Went,
)
from companion.core.understand import (
    Accept,
    Choose,
    Known,
    Press,
    Questions,
    Refuse,
    Sighted,
    pressed_for,
    understand,
)
from companion.core.words import News, Text, say
from companion.errors import NotNow, PlayerTrouble, Trouble, Unknown


class TakeBack(Struct, frozen=True):
    """A second press of a seat's button followed at once: the first one meant nothing by itself."""

    seat: int


class Confirmed(Struct, frozen=True):
    """Somebody confirms all of what was offered."""

    answers: tuple[Answer, ...]


Deed = Corrected | Retold | Undone | Redone | Paused | Resumed | Went
"""What people do to a play rather than in it."""

Signal = Answer | Sighted | Press | TakeBack | Confirmed | Deed
"""Everything that can be proposed: an option touched or turned to, a card, a button, a deed."""


class Done(Struct, frozen=True):
    """A deed was done."""


class Failed(Struct, frozen=True):
    """It could not be written down, so it has not happened."""

    trouble: Trouble


Meaning = Accept | Choose | Known | Offer | Refuse | Failed | Done
How = Literal["accepted", "choose", "known", "offer", "refused", "done"]

STALE = 2.0
"""Seconds after which a card that waited answers nothing by itself any more."""
MOST_SUGGESTED = 60
"""Answers in a row that are given for those who left; after that somebody looks."""
OFFERED = 20.0
"""Seconds for which something is offered, and a seat's button confirms it."""


class Outcome(Struct, frozen=True):
    """What came of a signal, with the table after it and its open questions; what it changed is on the disk.

    `text` is what people are told about it: nothing secret, and nothing at all if the table says enough.
    """

    signal: Signal | None
    meaning: Meaning
    before: Session
    session: Session
    questions: Questions
    text: Text | None = None

    @property
    def how(self) -> How:
        """How it went, in one word."""
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
        """Whether the table is another one now."""
        return self.session is not self.before

    @property
    def trouble(self) -> Trouble | None:
        """Why nothing was done, if that is so."""
        return self.meaning.trouble if isinstance(self.meaning, Choose | Refuse | Failed) else None

    @property
    def seat(self) -> int | None:
        """Whose signal it was, if anybody knows."""
        if isinstance(self.meaning, Accept):
            return self.meaning.answer.seat
        return self.signal.seat if isinstance(self.signal, Answer | Sighted | Press | TakeBack) else None

    @property
    def answered(self) -> Question | None:
        """The question that was answered by hand, card or button, if one was."""
        first = len(self.before.moments)
        return self.session.question_before(first) if isinstance(self.meaning, Accept) else None


class PlayNow(Struct, frozen=True):
    """A play that stands open: its number, where it stands, and what is asked."""

    id: int
    session: Session
    questions: Questions


class Seen(Struct, frozen=True):
    """What somebody had before them when they did something: the table, what was offered, and what was asked."""

    session: Session
    offer: Offer = Offer()
    asked: Questions = ()

    def question(self, answer: Answer) -> Question | None:
        """The question this answers, as it was asked."""
        return next((q for q in self.asked if (q.seat, q.slug) == (answer.seat, answer.slug)), None)

    def answers(self, now: Session, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """Those that still answer what they were meant for; whoever is past that is not asked what follows either."""
        first = {answer.seat: answer for answer in reversed(answers)}
        late = {
            seat
            for seat, answer in first.items()
            if not now.asks_still(self.session, answer.seat, answer.slug)
        }
        return tuple(answer for answer in answers if answer.seat not in late)

    def corrects(self, now: Session, deed: Corrected) -> bool:
        """Whether the counter still stands where somebody saw it, or where they want it."""
        if now.state is self.session.state:
            return True
        was, is_ = (
            {counter.id: counter.value for counter in session.counters()} for session in (self.session, now)
        )
        return deed.counter not in was or is_.get(deed.counter) in (was[deed.counter], deed.value)

    def is_whole(self, now: Session) -> bool:
        """Whether nothing was done or taken back since."""
        return now.follows(self.session) and len(now.moments) == len(self.session.moments)


class Picking(Struct, frozen=True):
    """Somebody touches one option after another of a question that is asked several times in a row."""

    seat: int | None
    slug: str
    since: Session
    """The table before the first touch; nothing but touches has answered the question since."""


class Heed(Struct, frozen=True):
    """What becomes of cards before the camera: understood now, kept for later, or past (somebody looks at them for
    another reason). `seat` is whoever shows them, as long as that seat is asked."""

    when: Literal["now", "later", "never"] = "now"
    seat: int | None = None

    def placed(self, card: Sighted, asked: Questions) -> Sighted:
        """The card as shown by whoever we heed, unless it tells a seat itself."""
        if card.seat is not None or not any(question.seat == self.seat for question in asked):
            return card
        return replace(card, seat=self.seat)


def act(
    play: Play, signal: Answer | Sighted | Press | Deed, at: float, asked: Questions, along: bool = False
) -> Outcome:
    """Understand a signal, do it, and tell what came of it: the last thing that happens is the write.

    `asked` are the open questions of the play; those after it are built here, once, if the table has changed. Whoever
    can only do one thing then is not asked. `along`: it belongs to the deed before it.
    """
    before = play.session
    meaning: Meaning = (
        understand(before, signal, asked) if isinstance(signal, Answer | Sighted | Press) else Done()
    )
    try:
        if isinstance(meaning, Accept):
            play.answer(meaning.answer, at, along)
        elif not isinstance(signal, Answer | Sighted | Press):
            _do(play, signal, at)
    except PlayerTrouble as trouble:
        meaning = Refuse(trouble.bare())
    except Trouble as trouble:
        meaning = Failed(trouble)
    questions = asked if play.session is before else play.session.questions()
    if play.session is not before and not isinstance(signal, Undone | Redone | Paused | Resumed):
        questions = settle(play, questions, at, along=not isinstance(signal, Went))
    return Outcome(signal, meaning, before, play.session, questions, _told(before, asked, signal, meaning))


def settle(play: Play, asked: Questions, at: float, along: bool = True) -> Questions:
    """Answer whatever leaves no choice, and for those who left what is suggested; the questions that are open then.

    All of it goes along with the deed before, unless that is none that can be taken back.
    """
    suggested = 0
    while (answer := _forced(asked) or _suggested(play.session, asked, suggested)) is not None:
        suggested += _forced(asked) is None
        try:
            play.answer(answer, at, along)
        except Trouble:  # a full disk: people are asked, and told when they answer
            break
        asked, along = play.session.questions(), True
    return asked


def _forced(asked: Questions) -> Answer | None:
    return next((Answer(q.seat, q.slug, q.only.id) for q in asked if q.only is not None), None)


def _suggested(session: Session, asked: Questions, already: int) -> Answer | None:
    """What is suggested to somebody who left; dice are thrown and cards are read by those who are there."""
    if already >= MOST_SUGGESTED:
        return None
    for question in asked:
        told_by_people = question.dice is not None or question.form is not None
        if question.seat in session.away and question.default is not None and not told_by_people:
            return Answer(question.seat, question.slug, question.default.id)
    return None


def _do(play: Play, deed: Deed, at: float) -> None:
    match deed:
        case Corrected(counter, value, by):
            play.correct(counter, value, at, by)
        case Retold(fact, told, by):
            play.retell(fact, told, at, by)
        case Undone(steps):
            play.undo(steps, at)
        case Redone(steps):
            play.redo(steps, at)
        case Paused():
            play.pause(at)
        case Resumed():
            play.go_on(at)
        case Went(seat, away):
            play.went(seat, away, at)


def _told(before: Session, asked: Questions, signal: Signal, meaning: Meaning) -> Text | None:
    """What people are told; a secret card must not be named."""
    match meaning:
        case Accept(answer) if isinstance(signal, Sighted):
            secret = any(q.secret for q in asked if (q.seat, q.slug) == (answer.seat, answer.slug))
            return say("ui.got-it") if secret else say("ui.read", name=name_of(before, signal.component))
        case Done() if isinstance(signal, Went):
            return say("ui.went" if signal.away else "ui.came-back", seat=before.setup.seats[signal.seat])
        case Known(component):
            return say("ui.lies-there", name=name_of(before, component))
        case Refuse(trouble) | Failed(trouble):
            return trouble.text
    return None


def name_of(session: Session, component: str) -> Text:
    """How a component is called."""
    called: Text = session.catalogue[component].called
    return called


def news_of(session: Session) -> tuple[News, ...]:
    """What the last deed led to, with all that came along; taking something back or pausing leads to nothing new."""
    last = session.last
    if last is None or isinstance(last.deed, Answered | Corrected | Retold | Redone):
        return session.news
    return ()


class Door:
    """Lets signals in one after another, and cards before the camera when they are heeded.

    A card shown while nobody heeds it waits; after a while it is only offered.
    """

    def __init__(self) -> None:
        self.play: Play | None = None
        self._asked: Questions = ()
        self._heed = Heed()
        self._waiting: deque[tuple[Gesture, float]] = deque()
        self._in_sight: dict[str, CardInSight] = {}  # whatever lies before the camera and answered nothing
        self._offer, self._offered = Offer(), 0.0
        self._by_press: dict[int, int] = {}
        self._shown: LastShown | None = None
        self._picking: Picking | None = None

    def enter(self, play: Play) -> PlayNow:
        """Open this play; what was shown before it is past."""
        self.leave()
        asked = play.session.questions()
        self.play, self._asked = play, asked if play.session.paused else settle(play, asked, play.session.at)
        return PlayNow(play.id, play.session, self._asked)

    def leave(self) -> None:
        """Close the play."""
        self.play, self._asked, self._offer, self._shown = None, (), Offer(), None
        self._picking = None
        self._waiting.clear()
        self._in_sight.clear()
        self._by_press.clear()

    @property
    def asked(self) -> Questions:
        """The open questions."""
        return self._asked

    def propose(self, signal: Signal, at: float, seen: Seen | None = None) -> Iterator[Outcome]:
        """What comes of this signal; nothing without a play. If the table is another one now than its maker has `seen`,
        and it would mean something else, it means nothing."""
        if self.play is None:
            return
        if seen is not None and isinstance(signal, Confirmed):
            signal = Confirmed(seen.answers(self.play.session, signal.answers))
        if seen is not None and self._is_late(self.play.session, seen, signal, at):
            here, text = self.play.session, say("core.meanwhile")
            yield Outcome(signal, Refuse(NotNow(text)), here, here, self._asked, text)
            return
        if isinstance(signal, TakeBack):
            outcome = self._take_back(self.play, signal, at)
            yield outcome
            if outcome.changed:
                yield from self._offers_anew(self.play, at)
            return
        if isinstance(signal, Confirmed):
            yield from self._confirm(self.play, signal.answers, at)
            return
        if isinstance(signal, Sighted):
            signal = self._heed.placed(signal, self._asked)
        confirmed, asked, picking = self._confirmed(signal, at), self._asked, self._picking
        outcome = replace(self._act(self.play, confirmed, at), signal=signal)
        if isinstance(signal, Answer) and outcome.changed:
            self._picking = _picking_on(picking, signal, outcome.before)
        self._told_by_lying(outcome, asked, at)
        if isinstance(signal, Press):
            self._by_press.pop(signal.seat, None)
            if outcome.changed:
                self._by_press[signal.seat] = outcome.session.entries
        yield outcome
        if outcome.changed:
            yield from self._offers_anew(self.play, at)

    def _is_late(self, now: Session, seen: Seen, signal: Signal, at: float) -> bool:
        """Whether this was meant for something that is past."""
        match signal:
            case Confirmed(answers):
                return not answers
            case Answer():
                return not seen.answers(now, (signal,)) and not self._picks_on(now, seen, signal)
            case Corrected():
                return not seen.corrects(now, signal)
            case Undone() | Redone():
                return not seen.is_whole(now)
            case Press(seat):
                confirmed, question = self._confirmed(signal, at), pressed_for(self._asked, seat)
                if isinstance(confirmed, Answer):
                    return seen.offer != self._offer or not seen.answers(now, (confirmed,))
                return question is not None and not now.asks_still(seen.session, question.seat, question.slug)
        return False

    def _picks_on(self, now: Session, seen: Seen, answer: Answer) -> bool:
        """Whether this is one more pick by the hand whose earlier picks were not on the screen yet."""
        picking, was = self._picking, seen.question(answer)
        return (
            picking is not None
            and was is not None
            and (picking.seat, picking.slug) == (answer.seat, answer.slug)
            and now.follows(seen.session)
            and seen.session.follows(picking.since)
            and any(question.picks_on(was, answer.option) for question in self._asked)
        )

    def _confirm(self, play: Play, answers: tuple[Answer, ...], at: float) -> Iterator[Outcome]:
        """One answer after another; what may be offered now is told after the last."""
        changed = False
        for answer in answers:
            asked = self._asked
            outcome = self._act(play, answer, at, along=changed)
            self._told_by_lying(outcome, asked, at)
            changed = changed or outcome.changed
            yield outcome
        if changed:
            yield from self._offers_anew(play, at)

    def _confirmed(
        self, signal: Answer | Sighted | Press | Deed, at: float
    ) -> Answer | Sighted | Press | Deed:
        """What a seat's button means while cards are offered: what its card could answer."""
        if isinstance(signal, Press) and at - self._offered < OFFERED:
            return self._offer.of(signal.seat) or signal
        return signal

    def see(self, news: CameraNews, at: float) -> Iterator[Outcome]:
        """What comes of what a camera saw."""
        if self.play is None:
            return
        match news:
            case Gesture(cards):
                self._in_sight |= {card.label: card for card in cards}
                if self._heed.when != "never":
                    self._wait(news, at)
                    yield from self._let_in(self.play, at)
            case LiesInSight(card):
                self._in_sight[card.label] = card
                yield from self._offer_lying(self.play, at)
            case OutOfSight(label):
                self._in_sight.pop(label, None)
            case OfAnotherBox(_, text) if self._heed.when == "now":
                here = self.play.session
                yield Outcome(None, Refuse(Unknown(text)), here, here, self._asked, text)

    def heed(self, heed: Heed, at: float) -> Iterator[Outcome]:
        """From now on cards are treated like this; what comes of those that waited."""
        self._heed = heed
        if heed.when == "never":
            self._waiting.clear()
        if self.play is not None:
            yield from self._let_in(self.play, at)

    def _wait(self, gesture: Gesture, at: float) -> None:
        """Queue what was shown; a card that waits already and is shown again is meant once."""
        labels = {card.label for card in gesture.cards}
        waiting = [
            (replace(other, cards=tuple(card for card in other.cards if card.label not in labels)), since)
            for other, since in self._waiting
        ]
        self._waiting = deque([*((other, since) for other, since in waiting if other.cards), (gesture, at)])

    def _let_in(self, play: Play, at: float) -> Iterator[Outcome]:
        """One gesture after another: what the next means depends on what came of the one before."""
        while self._waiting and self._heed.when == "now":
            gesture, since = self._waiting.popleft()
            cards = [self._heed.placed(card.card, self._asked) for card in gesture.cards]
            label, shown = gesture.cards[0].label, self._shown
            again = shown is not None and shown.again(play.session, label, cards[0], self._asked, at)
            if at - since <= STALE and is_plain(play.session, gesture) and not again:
                outcome = self._act(play, cards[0], at)
                if outcome.changed and isinstance(outcome.meaning, Accept):
                    self._in_sight.pop(label, None)
                    self._shown = LastShown(label, outcome.meaning.answer, outcome.session.entries)
                yield outcome
                if outcome.changed:
                    yield from self._offers_anew(play, at)
            elif (offer := offer_of(play.session, cards, self._asked)).answers:
                yield self._told_of(play, offer, at)

    def _offers_anew(self, play: Play, at: float) -> Iterator[Outcome]:
        """After the table has changed: what was offered is past, what lies in sight may be an answer now."""
        if self._offer.answers:
            yield self._told_of(play, Offer(), at)
        yield from self._offer_lying(play, at)

    def _offer_lying(self, play: Play, at: float) -> Iterator[Outcome]:
        if self._heed.when == "now":
            waiting = {card.label for gesture, _ in self._waiting for card in gesture.cards}
            lying = (card.card for label, card in self._in_sight.items() if label not in waiting)
            cards = [self._heed.placed(card, self._asked) for card in lying]
            offer = offer_of_lying(play.session, cards, self._asked)
            if offer.answers and offer != self._offer:
                yield self._told_of(play, offer, at)

    def _told_by_lying(self, outcome: Outcome, asked: Questions, at: float) -> None:
        """A card in sight whose answer somebody confirmed or touched has answered: it is not offered once more, nor
        does it answer again if it is shown as well."""
        if not isinstance(outcome.meaning, Accept) or not outcome.changed:
            return
        answer = outcome.meaning.answer
        question = next(q for q in asked if (q.seat, q.slug) == (answer.seat, answer.slug))
        option = question.option(answer.option)
        component = None if option is None else option.component
        if component is not None:
            self._shown = LastShown("", answer, outcome.session.entries, component, at)
        meant = (
            label
            for label, card in self._in_sight.items()
            if card.card.component == component and card.card.seat in (None, answer.seat)
        )
        self._in_sight.pop(next(meant, ""), None)

    def _told_of(self, play: Play, offer: Offer, at: float) -> Outcome:
        self._offer, self._offered = offer, at
        return Outcome(None, offer, play.session, play.session, self._asked)

    def _act(
        self, play: Play, signal: Answer | Sighted | Press | Deed, at: float, along: bool = False
    ) -> Outcome:
        outcome = act(play, signal, at, self._asked, along)
        self._asked = outcome.questions
        if self._picking is not None and isinstance(outcome.meaning, Accept):
            answer, picking = outcome.meaning.answer, self._picking
            if (answer.seat, answer.slug) == (picking.seat, picking.slug):
                self._picking = None  # unless this was a touch too
        if isinstance(outcome.meaning, Choose):  # cards wait until somebody has said which it is
            self._heed = replace(self._heed, when="later")
        return outcome

    def _take_back(self, play: Play, signal: TakeBack, at: float) -> Outcome:
        if self._by_press.pop(signal.seat, None) == play.session.entries:
            return replace(self._act(play, Undone(play.session.last_deed), at), signal=signal)
        return Outcome(signal, Done(), play.session, play.session, self._asked)


def _picking_on(picking: Picking | None, touched: Answer, before: Session) -> Picking:
    """What somebody picks who has just touched this option, before which the table was `before`."""
    same = picking is not None and (picking.seat, picking.slug) == (touched.seat, touched.slug)
    if picking is not None and same and before.follows(picking.since):
        return picking
    return Picking(touched.seat, touched.slug, before)
