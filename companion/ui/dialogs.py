"""Questions of the app itself that can appear over any screen; they are rebuilt if the language or size
changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.core.questions import Answer, Option
from companion.core.replay_divergence import Divergence
from companion.core.scans import Offer
from companion.core.understand import Choose
from companion.table.desk import Desk, option_words
from companion.table.signals import Confirmed, SeenState
from companion.ui.toolkit.screen import AppQuestion


def which_one(desk: Desk, choice: Choose, seen: SeenState) -> AppQuestion:
    """Ask what a card means if it could answer several questions, as long as they are open."""
    choices: list[tuple[str, Callable[[], object]]] = [
        (_named(desk, answer, option, set()), partial(desk.propose, answer, seen=seen))
        for answer, option in choice.answers
    ]
    choices.append((desk.say("ui.cancel"), lambda: None))
    return AppQuestion(desk.words(choice.trouble.text), choices)


def offered(desk: Desk, offer: Offer) -> AppQuestion:
    """Ask for confirmation of what cards shown to the camera could answer; secret answers stay hidden."""
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
        return AppQuestion(asking, choices, " · ".join(named), "offer")
    choices = [
        (words, partial(desk.propose, answer))
        for words, (answer, _) in zip(named, offer.answers, strict=True)
    ]
    return AppQuestion(asking, choices, "", "offer", equal=len(choices) > 1)


def _said(desk: Desk, answer: Answer, option: Option, secret: set[tuple[int | None, str]]) -> str:
    """The answer in words."""
    hidden = (answer.seat, answer.slug) in secret
    return desk.say("ui.a-card") if hidden else option_words(desk, option)[0]


def _named(desk: Desk, answer: Answer, option: Option, secret: set[tuple[int | None, str]]) -> str:
    """The seat and its answer in words."""
    words = _said(desk, answer, option, secret)
    return words if answer.seat is None else f"{desk.session.setup.seats[answer.seat]}: {words}"


def go_on_from_there(desk: Desk, id: int, divergence: Divergence) -> AppQuestion:
    """Ask whether to resume a play whose replay diverges, from the last point where both rules agree."""
    choices = [
        (desk.say("ui.diverged-go-on"), lambda: desk.resume(id, agreed=True)),
        (desk.say("ui.diverged-leave"), lambda: None),
    ]
    return AppQuestion(desk.words(divergence.text), choices, desk.say("ui.diverged-detail"), "diverged")


def restore(desk: Desk, day: str, go_on: Callable[[], object]) -> AppQuestion:
    """Ask whether to restore a backup."""
    choices = [(desk.say("ui.restore-do"), go_on), (desk.say("ui.cancel"), lambda: None)]
    return AppQuestion(
        desk.say("ui.restore-ask", day=day), choices, desk.say("ui.restore-ask-more"), "restore"
    )


def unsigned(desk: Desk, go_on: Callable[[], object]) -> AppQuestion:
    """Ask whether to install a version without a signature."""
    choices = [(desk.say("ui.cancel"), lambda: None), (desk.say("update.update-refused"), go_on)]
    return AppQuestion(
        desk.say("update.unsigned-ask"), choices, desk.say("update.unsigned-ask-more"), "unsigned"
    )
