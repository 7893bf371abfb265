"""The single way into a play: everything people tap, show, press, turn or type is checked and written here.

A signal is a value; its result is one `Outcome`, made after the write, and that outcome drives sound, lamps,
messages and screens. An intake belongs to the thread that owns the journal: only that thread touches it and
the play behind it. Outcomes are frozen, so any thread may have them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.entries import (
    Answered,
    Corrected,
    FactCorrected,
    Lightened,
    Paused,
    Redone,
    Resumed,
    SeatLeft,
    Undone,
)
from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.scans import (
    CameraNews,
    CardGesture,
    CardInSight,
    LastShown,
    LiesInSight,
    OfAnotherBox,
    Offer,
    OutOfSight,
    is_plain,
    offer_of,
    offer_of_lying,
)
from companion.core.session import Session
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
from companion.table.signals import (
    Confirmed,
    Done,
    Failed,
    Outcome,
    Picking,
    PlayDeed,
    PlayNow,
    Proposal,
    ProposalMeaning,
    ScanMode,
    SeenState,
    TakeBack,
)

STALE = 2.0
"""Seconds after which a waiting card is only offered, no longer taken as an answer."""
MOST_SUGGESTED = 60
"""The most default answers in a row for players who left; after that people must look."""
OFFERED = 20.0
"""Seconds for which an offer is open and a seat's button confirms it."""


def act(
    play: Play,
    signal: Answer | Sighted | Press | PlayDeed,
    at: float,
    asked: Questions,
    same_deed: bool = False,
) -> Outcome:
    """Understand a signal, do it, and return the outcome, which is made after the write.

    `asked` are the open questions of the play; those after it are built here, once, if the table has changed.
    Forced moves are answered automatically. `same_deed`: it belongs to the deed before it.
    """
    before = play.session
    meaning: ProposalMeaning = (
        understand(before, signal, asked) if isinstance(signal, Answer | Sighted | Press) else Done()
    )
    try:
        if isinstance(meaning, Accept):
            play.answer(meaning.answer, at, same_deed)
        elif not isinstance(signal, Answer | Sighted | Press):
            _do(play, signal, at)
    except PlayerTrouble as trouble:
        meaning = Refuse(trouble.bare())
    except Trouble as trouble:
        meaning = Failed(trouble)
    questions = asked if play.session is before else play.session.questions()
    if play.session is not before and not isinstance(signal, Undone | Redone | Paused | Resumed):
        questions = answer_forced(play, questions, at, same_deed=not isinstance(signal, SeatLeft))
    return Outcome(signal, meaning, before, play.session, questions, _told(before, asked, signal, meaning))


def answer_forced(play: Play, asked: Questions, at: float, same_deed: bool = True) -> Questions:
    """Answer forced questions, and give the default for players who left; returns the questions open then.

    These answers belong to the previous deed, unless that is one that cannot be undone.
    """
    suggested = 0
    while (answer := _forced(asked) or _suggested(play.session, asked, suggested)) is not None:
        suggested += _forced(asked) is None
        try:
            play.answer(answer, at, same_deed)
        except Trouble:  # a full disk: people are asked, and told when they answer
            break
        asked, same_deed = play.session.questions(), True
    return asked


def _forced(asked: Questions) -> Answer | None:
    return next((Answer(q.seat, q.slug, q.only.id) for q in asked if q.only is not None), None)


def _suggested(session: Session, asked: Questions, already: int) -> Answer | None:
    """The default answer for a player who left; those present roll the dice and read the cards."""
    if already >= MOST_SUGGESTED:
        return None
    for question in asked:
        told_by_people = question.dice is not None or question.form is not None
        if question.seat in session.away and question.default is not None and not told_by_people:
            return Answer(question.seat, question.slug, question.absent or question.default.id)
    return None


def _do(play: Play, deed: PlayDeed, at: float) -> None:
    match deed:
        case Corrected(counter, value, by):
            play.correct(counter, value, at, by)
        case FactCorrected(fact, told, by):
            play.correct_fact(fact, told, at, by)
        case Undone(steps):
            play.undo(steps, at)
        case Redone(steps):
            play.redo(steps, at)
        case Paused():
            play.pause(at)
        case Resumed():
            play.unpause(at)
        case SeatLeft(seat, away):
            play.set_away(seat, away, at)
        case Lightened(flow):
            play.lighten(flow, at)


def _told(before: Session, asked: Questions, signal: Proposal, meaning: ProposalMeaning) -> Text | None:
    """The message for people; a secret card must not be named."""
    match meaning:
        case Accept(answer) if isinstance(signal, Sighted):
            secret = any(q.secret for q in asked if (q.seat, q.slug) == (answer.seat, answer.slug))
            return say("ui.got-it") if secret else say("ui.read", name=name_of(before, signal.component))
        case Done() if isinstance(signal, SeatLeft):
            return say("ui.went" if signal.away else "ui.came-back", seat=before.setup.seats[signal.seat])
        case Done() if isinstance(signal, Lightened):
            return say("ui.lightened")
        case Known(component):
            return say("ui.lies-there", name=name_of(before, component))
        case Refuse(trouble) | Failed(trouble):
            return trouble.text
    return None


def name_of(session: Session, component: str) -> Text:
    """The name of a component."""
    called: Text = session.catalogue[component].called
    return called


def news_of(session: Session) -> tuple[News, ...]:
    """The news of the last deed; undo and pause have none."""
    last = session.last
    if last is None or isinstance(last.deed, Answered | Corrected | FactCorrected | Redone):
        return session.news
    return ()


class SignalIntake:
    """Takes in signals one after another, and cards in view of the camera if the scan mode allows.

    A card shown in scan mode "later" waits; after a while it is only offered.
    """

    def __init__(self) -> None:
        self.play: Play | None = None
        self._asked: Questions = ()
        self._mode = ScanMode()
        self._waiting: deque[tuple[CardGesture, float]] = deque()
        self._in_sight: dict[str, CardInSight] = {}  # in view, and not an answer yet
        self._offer, self._offered = Offer(), 0.0
        self._by_press: dict[int, int] = {}
        self._shown: LastShown | None = None
        self._picking: dict[int | None, Picking] = {}  # by seat: several pick at the same time

    def enter(self, play: Play) -> PlayNow:
        """Open this play; forget what was shown before."""
        self.leave()
        asked = play.session.questions()
        self.play, self._asked = (
            play,
            asked if play.session.paused else answer_forced(play, asked, play.session.at),
        )
        return PlayNow(play.id, play.session, self._asked)

    def leave(self) -> None:
        """Close the play."""
        self.play, self._asked, self._offer, self._shown = None, (), Offer(), None
        self._picking.clear()
        self._waiting.clear()
        self._in_sight.clear()
        self._by_press.clear()

    @property
    def asked(self) -> Questions:
        """The open questions."""
        return self._asked

    def propose(self, signal: Proposal, at: float, seen: SeenState | None = None) -> Iterator[Outcome]:
        """The outcomes of this signal; none without a play. If the table has changed since `seen` so that the
        signal would mean something else, it is refused."""
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
                yield from self._offers_again(self.play, at)
            return
        if isinstance(signal, Confirmed):
            yield from self._confirm(self.play, signal.answers, at)
            return
        if isinstance(signal, Sighted):
            signal = self._mode.placed(signal, self._asked)
        confirmed, asked, picking = self._confirmed(signal, at), self._asked, self._picking.copy()
        outcome = replace(self._act(self.play, confirmed, at), signal=signal)
        if isinstance(signal, Answer) and outcome.changed:
            since = outcome.before if seen is None else seen.session
            self._picking[signal.seat] = _picking_on(picking.get(signal.seat), signal, outcome.before, since)
        self._told_by_lying(outcome, asked, at)
        if isinstance(signal, Press):
            self._by_press.pop(signal.seat, None)
            if outcome.changed:
                self._by_press[signal.seat] = outcome.session.entries
        yield outcome
        if outcome.changed:
            yield from self._offers_again(self.play, at)

    def _is_late(self, now: Session, seen: SeenState, signal: Proposal, at: float) -> bool:
        """Whether this was meant for a state that is past."""
        match signal:
            case Confirmed(answers):
                return not answers
            case Answer():
                return not seen.answers(now, (signal,)) and not self._picks_on(now, seen, signal)
            case Corrected():
                return not seen.corrects(now, signal)
            case Undone() | Redone() | Lightened():
                return not seen.is_whole(now)
            case Press(seat):
                confirmed, question = self._confirmed(signal, at), pressed_for(self._asked, seat)
                if isinstance(confirmed, Answer):
                    return seen.offer != self._offer or not seen.answers(now, (confirmed,))
                return question is not None and not now.asks_still(seen.session, question.seat, question.slug)
        return False

    def _picks_on(self, now: Session, seen: SeenState, answer: Answer) -> bool:
        """Whether this is one more pick by a person whose earlier picks were not on the screen yet."""
        picking, was = self._picking.get(answer.seat), seen.question(answer)
        return (
            picking is not None
            and was is not None
            and picking.slug == answer.slug
            and now.follows(seen.session)
            and seen.session.follows(picking.since)
            and any(question.picks_on(was, answer.option) for question in self._asked)
        )

    def _confirm(self, play: Play, answers: tuple[Answer, ...], at: float) -> Iterator[Outcome]:
        """Give these answers one after another; new offers are reported after the last."""
        changed = False
        for answer in answers:
            asked = self._asked
            outcome = self._act(play, answer, at, same_deed=changed)
            self._told_by_lying(outcome, asked, at)
            changed = changed or outcome.changed
            yield outcome
        if changed:
            yield from self._offers_again(play, at)

    def _confirmed(
        self, signal: Answer | Sighted | Press | PlayDeed, at: float
    ) -> Answer | Sighted | Press | PlayDeed:
        """What a seat's button means while cards are offered: the answer of its card."""
        if isinstance(signal, Press) and at - self._offered < OFFERED:
            return self._offer.of(signal.seat) or signal
        return signal

    def see(self, news: CameraNews, at: float) -> Iterator[Outcome]:
        """The outcomes of camera news."""
        if self.play is None:
            return
        match news:
            case CardGesture(cards):
                self._in_sight |= {card.label: card for card in cards}
                if self._mode.when != "never":
                    self._wait(news, at)
                    yield from self._admit_waiting_cards(self.play, at)
            case LiesInSight(card):
                self._in_sight[card.label] = card
                yield from self._offer_lying(self.play, at)
            case OutOfSight(label):
                self._in_sight.pop(label, None)
            case OfAnotherBox(_, text) if self._mode.when == "now":
                here = self.play.session
                yield Outcome(None, Refuse(Unknown(text)), here, here, self._asked, text)

    def set_scan_mode(self, mode: ScanMode, at: float) -> Iterator[Outcome]:
        """Treat cards like this from now on; returns the outcomes of those that waited."""
        self._mode = mode
        if mode.when == "never":
            self._waiting.clear()
        if self.play is not None:
            yield from self._admit_waiting_cards(self.play, at)

    def _wait(self, gesture: CardGesture, at: float) -> None:
        """Queue a gesture; a card that waits already and is shown again counts once."""
        labels = {card.label for card in gesture.cards}
        waiting = [
            (replace(other, cards=tuple(card for card in other.cards if card.label not in labels)), since)
            for other, since in self._waiting
        ]
        self._waiting = deque([*((other, since) for other, since in waiting if other.cards), (gesture, at)])

    def _admit_waiting_cards(self, play: Play, at: float) -> Iterator[Outcome]:
        """One gesture after another: the meaning of the next depends on the outcome of the one before."""
        while self._waiting and self._mode.when == "now":
            gesture, since = self._waiting.popleft()
            cards = [self._mode.placed(card.card, self._asked) for card in gesture.cards]
            label, shown = gesture.cards[0].label, self._shown
            again = shown is not None and shown.again(play.session, label, cards[0], self._asked, at)
            if at - since <= STALE and is_plain(play.session, gesture) and not again:
                outcome = self._act(play, cards[0], at)
                if outcome.changed and isinstance(outcome.meaning, Accept):
                    self._in_sight.pop(label, None)
                    self._shown = LastShown(label, outcome.meaning.answer, outcome.session.entries)
                yield outcome
                if outcome.changed:
                    yield from self._offers_again(play, at)
            elif (offer := offer_of(play.session, cards, self._asked)).answers:
                yield self._told_of(play, offer, at)

    def _offers_again(self, play: Play, at: float) -> Iterator[Outcome]:
        """After a change: withdraw the old offer, and offer cards in view that may be an answer now."""
        if self._offer.answers:
            yield self._told_of(play, Offer(), at)
        yield from self._offer_lying(play, at)

    def _offer_lying(self, play: Play, at: float) -> Iterator[Outcome]:
        if self._mode.when == "now":
            waiting = {card.label for gesture, _ in self._waiting for card in gesture.cards}
            lying = (card.card for label, card in self._in_sight.items() if label not in waiting)
            cards = [self._mode.placed(card, self._asked) for card in lying]
            offer = offer_of_lying(play.session, cards, self._asked)
            if offer.answers and offer != self._offer:
                yield self._told_of(play, offer, at)

    def _told_by_lying(self, outcome: Outcome, asked: Questions, at: float) -> None:
        """A card in view whose answer somebody confirmed or tapped has answered: it is not offered again, nor
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
        self, play: Play, signal: Answer | Sighted | Press | PlayDeed, at: float, same_deed: bool = False
    ) -> Outcome:
        outcome = act(play, signal, at, self._asked, same_deed)
        self._asked = outcome.questions
        if isinstance(outcome.meaning, Accept):
            answer = outcome.meaning.answer
            picking = self._picking.get(answer.seat)
            if picking is not None and picking.slug == answer.slug:
                del self._picking[answer.seat]  # set again by the caller if this was a tap
        if isinstance(outcome.meaning, Choose):  # cards wait until somebody has chosen
            self._mode = replace(self._mode, when="later")
        return outcome

    def _take_back(self, play: Play, signal: TakeBack, at: float) -> Outcome:
        if self._by_press.pop(signal.seat, None) == play.session.entries:
            return replace(self._act(play, Undone(play.session.last_deed), at), signal=signal)
        return Outcome(signal, Done(), play.session, play.session, self._asked)


def _picking_on(picking: Picking | None, touched: Answer, before: Session, since: Session) -> Picking:
    """The picking after somebody tapped this option; `before` is the table before the tap, `since` as they saw it."""
    if picking is not None and picking.slug == touched.slug and before.follows(picking.since):
        return picking
    return Picking(touched.slug, since)
