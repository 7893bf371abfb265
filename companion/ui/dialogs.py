"""Questions of the app itself that may stand before any screen; each is put anew in another language or size."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.core.parting import Parting
from companion.core.questions import Answer, Option
from companion.core.scans import Offer
from companion.core.understand import Choose
from companion.table.desk import Desk, option_words
from companion.table.proposals import Confirmed, Seen
from companion.ui.toolkit.screen import Asked


def which_one(desk: Desk, choice: Choose, seen: Seen) -> Asked:
    """A card that could mean several things: people say which, as long as that is asked."""
    choices: list[tuple[str, Callable[[], object]]] = [
        (_named(desk, answer, option, set()), partial(desk.propose, answer, seen=seen))
        for answer, option in choice.answers
    ]
    choices.append((desk.say("ui.cancel"), lambda: None))
    return Asked(desk.words(choice.trouble.text), choices)


def offered(desk: Desk, offer: Offer) -> Asked:
    """What cards before the camera could answer, for somebody to confirm; a secret stays one."""
    secret = {(q.seat, q.slug) for q in desk.questions() if q.secret}
    seats = {answer.seat for answer, _ in offer.answers}
    whose = seats.pop() if len(seats) == 1 else None
    name = _said if whose is not None else _named
    named = [name(desk, answer, option, secret) for answer, option in offer.answers]
    asking = desk.say("ui.offer")
    if whose is not None:
        asking = f"{desk.session.setup.seats[whose]}: {asking}"

    choices: list[tuple[str, Callable[[], object]]]
    if offer.together and len(named) > 1:
        confirmed = Confirmed(tuple(answer for answer, _ in offer.answers))
        choices = [(desk.say("ui.offer-confirm-all"), partial(desk.propose, confirmed))]
        return Asked(asking, choices, " · ".join(named), "offer")
    choices = [
        (words, partial(desk.propose, answer))
        for words, (answer, _) in zip(named, offer.answers, strict=True)
    ]
    return Asked(asking, choices, "", "offer", equal=len(choices) > 1)


def _said(desk: Desk, answer: Answer, option: Option, secret: set[tuple[int | None, str]]) -> str:
    """Which answer this is."""
    hidden = (answer.seat, answer.slug) in secret
    return desk.say("ui.a-card") if hidden else option_words(desk, option)[0]


def _named(desk: Desk, answer: Answer, option: Option, secret: set[tuple[int | None, str]]) -> str:
    """Whose answer this is, and which."""
    words = _said(desk, answer, option, secret)
    return words if answer.seat is None else f"{desk.session.setup.seats[answer.seat]}: {words}"


def go_on_from_there(desk: Desk, id: int, parting: Parting) -> Asked:
    """Whether a play from which today's rules part is to go on where both agree."""
    choices = [
        (desk.say("ui.parted-go-on"), lambda: desk.resume(id, agreed=True)),
        (desk.say("ui.parted-leave"), lambda: None),
    ]
    return Asked(desk.words(parting.text), choices, desk.say("ui.parted-detail"), "parted")


def restore(desk: Desk, day: str, go_on: Callable[[], object]) -> Asked:
    """Whether to go back to a backup."""
    choices = [(desk.say("ui.restore-do"), go_on), (desk.say("ui.cancel"), lambda: None)]
    return Asked(desk.say("ui.restore-ask", day=day), choices, desk.say("ui.restore-ask-more"), "restore")


def unsigned(desk: Desk, go_on: Callable[[], object]) -> Asked:
    """Whether to install a version that nobody signed."""
    choices = [(desk.say("ui.cancel"), lambda: None), (desk.say("update.update-refused"), go_on)]
    return Asked(desk.say("update.unsigned-ask"), choices, desk.say("update.unsigned-ask-more"), "unsigned")
