"""Questions of the app itself that may stand before any screen; each is put anew in another language or size."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.core.parting import Parting
from companion.core.questions import Answer, Option
from companion.core.scans import Offer
from companion.core.understand import Choose
from companion.core.words import Text
from companion.table.desk import Desk, option_words
from companion.table.proposals import Confirmed
from companion.ui.toolkit.screen import Asked


def take_back(desk: Desk, last: Text) -> Asked:
    """Whether this is to be taken back."""
    choices = [(desk.say("ui.take-back"), lambda: desk.undo()), (desk.say("ui.cancel"), lambda: None)]
    return Asked(desk.say("ui.undo-this"), choices, desk.words(last), "undo")


def which_one(desk: Desk, choice: Choose) -> Asked:
    """A card that could mean several things: people say which."""
    choices: list[tuple[str, Callable[[], object]]] = [
        (_named(desk, answer, option, set()), partial(desk.propose, answer))
        for answer, option in choice.answers
    ]
    choices.append((desk.say("ui.cancel"), lambda: None))
    return Asked(desk.words(choice.trouble.text), choices)


def offered(desk: Desk, offer: Offer) -> Asked:
    """What cards before the camera could answer, for somebody to confirm; a secret stays one."""
    secret = {(q.seat, q.slug) for q in desk.questions() if q.secret}
    named = [_named(desk, answer, option, secret) for answer, option in offer.answers]

    choices: list[tuple[str, Callable[[], object]]]
    if offer.together and len(named) > 1:
        confirmed = Confirmed(tuple(answer for answer, _ in offer.answers))
        choices = [(desk.say("ui.offer-confirm-all"), partial(desk.propose, confirmed))]
        return Asked(desk.say("ui.offer"), choices, " · ".join(named), "offer")
    choices = [
        (words, partial(desk.propose, answer))
        for words, (answer, _) in zip(named, offer.answers, strict=True)
    ]
    return Asked(desk.say("ui.offer"), choices, "", "offer", equal=len(choices) > 1)


def _named(desk: Desk, answer: Answer, option: Option, secret: set[tuple[int | None, str]]) -> str:
    """Whose answer this is, and which."""
    hidden = (answer.seat, answer.slug) in secret
    words = desk.say("ui.a-card") if hidden else option_words(desk, option)[0]
    if answer.seat is None:
        return words
    return f"{desk.marks()[answer.seat].letter} {desk.session.setup.seats[answer.seat]}: {words}"


def go_on_from_there(desk: Desk, id: int, parting: Parting) -> Asked:
    """Whether a play from which today's rules part is to go on where both agree."""
    choices = [
        (desk.say("ui.parted-go-on"), lambda: desk.resume(id, agreed=True)),
        (desk.say("ui.parted-leave"), lambda: None),
    ]
    return Asked(desk.words(parting.text), choices, desk.say("ui.parted-detail"), "parted")
