"""Cards in front of a camera: a gesture is an answer only if it is unambiguous; anything else is at most an offer."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.core.questions import Answer, Option
from companion.core.session import Session
from companion.core.understand import Accept, Choose, Questions, Sighted, understand
from companion.core.words import Text

FEW = 3
"""At most this many cards lying in view are offered: nobody looks through more."""


MOMENT = 2.0
"""Seconds during which a shown card counts as the one just tapped on the screen."""


class CardInSight(Struct, frozen=True):
    """A label in view of the camera and its component; two copies of a card have two labels.

    `perhaps_laid`: it appeared among lying cards, so it may only have been laid down with them; or no hand
    was seen. `uncertain`: it was known by its face, and not surely enough to answer.
    """

    label: str
    card: Sighted
    perhaps_laid: bool = False
    uncertain: bool = False


class CardGesture(Struct, frozen=True):
    """The cards somebody brought into view at one time; `follows` if they continue an earlier gesture."""

    cards: tuple[CardInSight, ...]
    follows: bool = False


class LiesInSight(Struct, frozen=True):
    """A card lies in view; nobody was seen to bring it."""

    card: CardInSight


class OutOfSight(Struct, frozen=True):
    """A label has not been seen for a while."""

    label: str


class OfAnotherBox(Struct, frozen=True):
    """Somebody showed a card of another game, which has no effect here; people are told so."""

    label: str
    text: Text


CameraNews = CardGesture | LiesInSight | OutOfSight | OfAnotherBox

Choices = tuple[tuple[Answer, Option], ...]


class Offer(Struct, frozen=True):
    """Answers that the cards in view could mean, to be confirmed; empty if the offer is over."""

    answers: Choices = ()
    any_order: bool = False
    """Whether they are picks of one question, in any order."""

    @property
    def together(self) -> bool:
        """Whether everything can be confirmed at once: every question has one answer, or takes them in any order."""
        return self.any_order or len({(answer.seat, answer.slug) for answer, _ in self.answers}) == len(
            self.answers
        )

    def of(self, seat: int) -> Answer | None:
        """What this seat confirms with its button; None if it would have to choose."""
        theirs = [answer for answer, _ in self.answers if answer.seat in (seat, None)]
        return theirs[0] if len(theirs) == 1 else None


def is_plain(session: Session, gesture: CardGesture) -> bool:
    """Whether this is a single card, clearly brought in order to show it."""
    if gesture.follows or len(gesture.cards) != 1:
        return False
    (only,) = gesture.cards
    lies = only.perhaps_laid and only.card.component in session.game.on_table(session.state)
    return not lies and not only.uncertain


class LastShown(Struct, frozen=True):
    """The card that gave the last answer, by being shown or, if `label` is empty, by being tapped on the
    screen: what it answered, when, and how many entries the play had then."""

    label: str
    answer: Answer
    entries: int
    component: str = ""
    at: float = 0.0

    def again(self, session: Session, label: str, card: Sighted, asked: Questions, at: float = 0.0) -> bool:
        """Whether somebody only shows the same card again: it would answer the same question, and nothing has
        happened in between. A second identical piece has a label of its own. People who tap a card and then
        also show it, because nothing seems to happen, do so within `MOMENT`."""
        touched = card.component == self.component and at - self.at <= MOMENT
        if not (label == self.label if self.label else touched) or session.entries != self.entries:
            return False
        match understand(session, card, asked):
            case Accept(answer):
                return (answer.seat, answer.slug) == (self.answer.seat, self.answer.slug)
        return False


def offer_of(session: Session, cards: Iterable[Sighted], asked: Questions) -> Offer:
    """Everything these cards could answer."""
    options = {(q.seat, q.slug, option.id): option for q in asked for option in q.options}
    answers: dict[Answer, Option] = {}
    for card in cards:
        match understand(session, card, asked):
            case Accept(answer):
                answers[answer] = options[answer.seat, answer.slug, answer.option]
            case Choose(found):
                answers |= dict(found)
    return Offer(tuple(answers.items()), _any_order(asked, answers))


def _any_order(asked: Questions, answers: Iterable[Answer]) -> bool:
    """Whether all of these are picks of one question that takes them one after another."""
    answered = {(answer.seat, answer.slug) for answer in answers}
    return len(answered) == 1 and any(q.any_order and (q.seat, q.slug) in answered for q in asked)


def offer_of_lying(session: Session, cards: Iterable[Sighted], asked: Questions) -> Offer:
    """The answers of cards in view that are not on the table; empty if there are too many."""
    on_table = session.game.on_table(session.state)
    offer = offer_of(session, (card for card in cards if card.component not in on_table), asked)
    return offer if len(offer.answers) <= FEW or offer.together else Offer()
