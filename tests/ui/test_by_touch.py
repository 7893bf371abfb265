"""Every question of a play with a map, boards, ships and dice is answered by touch alone."""

import pytest

from companion.core.autoplay import next_answer
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.place_map import PlaceMap
from tests.ui.fingers import give

pytestmark = pytest.mark.every_game

ANSWERS = 75
"""Enough to come through a battle."""


class Finger:
    """A hand in the rehearsal."""

    def __init__(self, rehearsal):
        self.rehearsal, self.words = rehearsal, rehearsal.app.desk.words

    def taps(self):
        found = set(self.rehearsal.taps())
        return found.union(f"place-{id}" for hexes in self._maps() for id in hexes.spots)

    def _maps(self):
        return [part for part in walk(self.rehearsal.app.stage) if isinstance(part, PlaceMap)]

    def tap(self, name):
        if not name.startswith("place-"):
            self.rehearsal.tap(name)
            return
        (hexes,) = self._maps()
        self.rehearsal.touch(*hexes.on_screen(*hexes.spots[name.removeprefix("place-")]))
        self.rehearsal.settle()

    def turned(self):
        return self.rehearsal.app.screen.atlas.turn

    def told(self):
        return len(self.rehearsal.app.screen.tray.faces)


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
        give(Finger(rehearsal), answer, asked)
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
