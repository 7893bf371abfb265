"""Simulated players for demonstrations and tests; they take oil exactly as the news says."""

from __future__ import annotations

from random import Random

from companion.core.fact_values import anything, written
from companion.core.game import Setup
from companion.core.questions import Question
from companion.core.words import News
from companion.games.lantern.component_types import lights
from companion.games.lantern.state import LanternState


class LanternBots:
    """All seats of one table."""

    careful = False

    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random
        self.oil = [0] * len(setup.seats)

    def choose(self, state: LanternState, question: Question) -> str:
        """A random option, or a random value that the question's form allows."""
        if question.form is not None:
            return written(question.form, anything(question.form, self.random))
        return self.random.choice(question.options).id

    def follow(self, state: LanternState, news: tuple[News, ...]) -> None:
        """Take oil as the news says; raises AssertionError if the news does not add up."""
        for item in news:
            if item.seat is not None:
                self.oil[item.seat] += -1 if item.text.key == "lantern.put-back" else item.text.n or 0
        assert tuple(self.oil) == state.oil

    def pieces(self) -> int:
        """How many cards there are."""
        return lights().pieces
