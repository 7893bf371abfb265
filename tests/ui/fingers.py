"""What to touch to give an answer, on whichever page the question is.

Works for a rehearsal, where a touch has taken effect when it returns, and for a real window, where one must
look.
"""

from collections.abc import Callable, Collection
from typing import Protocol

from companion.core.questions import Answer, Option, Question
from companion.core.words import Text


class Toucher(Protocol):
    """Somebody before the screen, who sees what can be touched and waits for what a touch does."""

    words: Callable[[Text], str]

    def taps(self) -> Collection[str]:
        """Everything that can be touched, by name; a place of the map is "place-" and its id."""

    def tap(self, name: str) -> None:
        """Touch something."""

    def turned(self) -> int | None:
        """By how many sixths the hex that is put down is turned."""

    def told(self) -> int:
        """How many dice lie in the tray."""


def give(hand: Toucher, answer: Answer, asked: Question) -> None:
    """Touch whatever gives this answer; what was touched already is not touched again."""
    if asked.dice is not None:
        _dice(hand, answer, asked)
        return
    option = asked.option(answer.option)
    assert option is not None
    name = f"option-{option.id}"
    of_seat = f"{name}-{answer.seat}"
    if option.turn is not None:
        _lay(hand, option)
    elif f"target-{option.id}" in hand.taps():
        hand.tap(f"target-{option.id}")
    elif of_seat in hand.taps():
        hand.tap(of_seat)
    elif name in hand.taps():
        hand.tap(name)
    elif option.place is not None and option.group is None:
        hand.tap(f"place-{option.place}")
        if name in hand.taps():
            hand.tap(name)
    elif option.face is not None and f"ship-{option.face.corners[0].symbol}" in hand.taps():
        hand.tap(f"ship-{option.face.corners[0].symbol}")
        hand.tap(name)
    else:
        _among_many(hand, option, name)


def _lay(hand: Toucher, option: Option) -> None:
    """Take up the right hex, turn it, put it down."""
    assert option.face is not None
    if f"hex-{hand.words(option.face.name)}" in hand.taps():
        hand.tap(f"hex-{hand.words(option.face.name)}")
    while hand.turned() != option.turn:
        hand.tap("turn")
    hand.tap("lay")


def _among_many(hand: Toucher, option: Option, name: str) -> None:
    """What stands behind a heading, or on another leaf."""
    group = "" if option.group is None else hand.words(option.group)
    taps = hand.taps()
    way = next((tap for tap in (f"choose-{group}", "choose") if tap in taps), None)
    if way is not None:
        hand.tap(way)
    while name not in hand.taps():
        hand.tap("next")
    hand.tap(name)


def _dice(hand: Toucher, answer: Answer, asked: Question) -> None:
    assert asked.dice is not None
    faces = [part for part in answer.option.split(",") if part in asked.dice.faces]
    for face in faces[hand.told() :]:
        hand.tap(f"option-{face}")
    rest = answer.option.split(",")[-1]
    hand.tap("dice-done" if faces else f"option-{rest}")
