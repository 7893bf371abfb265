"""Every question of a play with a map, boards, ships and dice is answered by fingers alone."""

import pytest

from companion.core.autoplay import next_answer
from companion.ui.screens.map.hexmap import HexMap
from companion.ui.toolkit.geometry import walk

pytestmark = pytest.mark.every_game

ANSWERS = 75
"""Enough to come through a battle."""


def finger(rehearsal, answer, asked):
    """Touch whatever gives this answer."""
    if asked.dice is not None:
        dice(rehearsal, answer, asked)
        return
    option = asked.option(answer.option)
    name = f"option-{option.id}"
    if option.turn is not None:
        lay(rehearsal, option)
    elif name in rehearsal.taps():
        rehearsal.tap(name)
    elif option.place is not None and option.group is None:
        hexes = next(part for part in walk(rehearsal.app.stage) if isinstance(part, HexMap))
        rehearsal.touch(*hexes.middle_of(*hexes.spots[option.place]))
        rehearsal.settle()
        if name in rehearsal.taps():
            rehearsal.tap(name)
    elif option.face is not None and f"ship-{option.face.corners[0].symbol}" in rehearsal.taps():
        rehearsal.tap(f"ship-{option.face.corners[0].symbol}")
        rehearsal.tap(name)
    else:
        among_many(rehearsal, option, name)


def lay(rehearsal, option):
    if f"hex-{option.face.name}" in rehearsal.taps():
        rehearsal.tap(f"hex-{option.face.name}")
    while rehearsal.app.screen.atlas.turn != option.turn:
        rehearsal.tap("turn")
    rehearsal.tap("lay")


def among_many(rehearsal, option, name):
    """What stands behind a heading, or on another leaf."""
    group = "" if option.group is None else rehearsal.app.desk.words(option.group)
    rehearsal.tap(f"choose-{group}" if f"choose-{group}" in rehearsal.taps() else "choose")
    while name not in rehearsal.taps():
        rehearsal.tap("next")
    rehearsal.tap(name)


def dice(rehearsal, answer, asked):
    faces = [part for part in answer.option.split(",") if part in asked.dice.faces]
    for face in faces:
        rehearsal.tap(f"option-{face}")
    rest = answer.option.split(",")[-1]
    rehearsal.tap("dice-done" if faces else f"option-{rest}")


def test_every_answer_can_be_touched(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=4)
    desk = rehearsal.app.desk
    slugs = set()
    for _ in range(ANSWERS):
        answer = next_answer(desk.session.state, rehearsal._bots, rehearsal._random)
        rehearsal.app.screen.focus = answer.seat
        rehearsal.app.refresh()
        asked = rehearsal.app.screen.shown_question()
        before = len(desk.session.moments)
        finger(rehearsal, answer, asked)
        given = desk.session.moments[before].entry.deed.answer
        assert (given.seat, given.slug) == (answer.seat, answer.slug)
        assert given.option == answer.option
        slugs.add(given.slug)
        rehearsal._bots.follow(desk.session.state, desk.session.news)
    assert {
        "eclipse.technology",
        "eclipse.turn",
        "eclipse.explore",
        "eclipse.turn-up",
        "eclipse.place-hex",
        "eclipse.die",
    } <= slugs
