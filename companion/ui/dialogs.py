"""Questions of the app itself that may stand before any screen; each is put anew in another language or size."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.core.parting import Parting
from companion.core.understand import Choose
from companion.core.words import Text
from companion.table.desk import Desk, option_words
from companion.ui.toolkit.screen import Asked


def take_back(desk: Desk, last: Text) -> Asked:
    """Whether this is to be taken back."""
    choices = [(desk.say("ui.take-back"), lambda: desk.undo(1)), (desk.say("ui.cancel"), lambda: None)]
    return Asked(desk.say("ui.undo-this"), choices, desk.words(last), "undo")


def which_one(desk: Desk, choice: Choose) -> Asked:
    """A card that could mean several things: people say which."""
    marks, names = desk.marks(), desk.session.setup.seats
    choices: list[tuple[str, Callable[[], object]]] = []
    for answer, option in choice.answers:
        words, _ = option_words(desk, option)
        who = "" if answer.seat is None else f"{marks[answer.seat].letter} {names[answer.seat]}: "
        choices.append((who + words, partial(desk.propose, answer)))
    choices.append((desk.say("ui.cancel"), lambda: None))
    return Asked(desk.words(choice.trouble.text), choices)


def go_on_from_there(desk: Desk, id: int, parting: Parting) -> Asked:
    """Whether a play from which today's rules part is to go on where both agree."""
    choices = [
        (desk.say("ui.parted-go-on"), lambda: desk.resume(id, agreed=True)),
        (desk.say("ui.parted-leave"), lambda: None),
    ]
    return Asked(desk.words(parting.text), choices, desk.say("ui.parted-detail"), "parted")
