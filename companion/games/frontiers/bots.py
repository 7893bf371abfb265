"""Simulated players for demonstrations and tests: they answer, and move real pieces exactly as the news says."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.components import UNKNOWN, Value
from companion.core.fact_values import anything, written
from companion.core.forms import Form, Kinds, ListOf, Number, OneOf, Record
from companion.core.game import Setup
from companion.core.questions import Question
from companion.core.words import News, component_of
from companion.games.frontiers.component_types import everything
from companion.games.frontiers.costs import ways
from companion.games.frontiers.pieces import Pieces
from companion.games.frontiers.state import FrontiersState

RICH = 4
TASTES: dict[str, dict[str, float]] = {
    "settler": {"settle": 2.0, "explore": 2.0},
    "trader": {"produce": 3.0, "trade-consume": 3.0, "settle": 0.5},
    "developer": {"develop": 6.0, "isolation": 3.0, "produce": 2.0, "settle": 0.1, "explore": 0.3},
}
"""The actions a bot prefers; with different tastes at the tables, plays end for different reasons."""
SENSIBLE = 0.8
"""How often a bot takes the most sensible option where no rule of thumb applies."""


class FrontiersBots:
    """All seats of one table and all its pieces; for an untaught tile they tell a random printable value."""

    careful = False

    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random
        first = setup.choices.get("faces") == "first"
        self.table = Pieces(len(setup.seats), everything().taught(setup.facts), random, first)
        common = random.choice(list(TASTES))
        self.tastes = [random.choice((common, common, *TASTES)) for _ in setup.seats]

    # Choosing

    def choose(self, state: FrontiersState, question: Question) -> str:
        """What a seat answers: sensible enough to reach every rule, random enough to reach every corner."""
        if question.form is not None:
            return written(question.form, self._fact(question.form))
        seat, ids = question.seat, [option.id for option in question.options]
        table = self.table
        match question.slug.removeprefix("frontiers."):
            case "order":
                return str(table.order[len(state.track)])
            case "faces":
                return next((id for id in ids if table.display[id] > 0), ids[0])
            case "home":
                return self.random.choice([id for id in table.mats[_of(seat)] if id in ids])
            case "action":
                table.select(_of(seat))
                return self._action(state, _of(seat), ids)
            case "develop":
                return self._best_development(state, ids) if self.careful else self._development(ids)
            case "take-world":
                world = self.random.choice([id for id in table.shown if id in ids])
                return table.take_world(_of(seat), world)
            case "draw-world":
                return table.draw_world(_of(seat))
            case "settle":
                if self.careful:
                    return max(ids[1:] or ids, key=lambda id: self._points(state, id))
                return self.random.choice(ids if self.random.random() < 1 - SENSIBLE else ids[1:] or ids)
            case "turn-up":
                return table.kept[_of(seat)][0]
            case "turn-up-early":
                kept = table.kept[_of(seat)][0]
                return kept if kept in ids and self.random.random() < SENSIBLE else ids[0]
            case "store-good" | "store-credits":
                return self.random.choice(ids)
            case "worth":
                return str(self.random.randint(0, 12))
        return ids[0] if self.careful or self.random.random() < SENSIBLE else self.random.choice(ids)

    def _action(self, state: FrontiersState, seat: int, ids: list[str]) -> str:
        """Explore when there is nothing to settle, settle what can be, produce and sell when it is worth it."""
        who = state.seats[seat]
        empty = sum(state.world(c.tile).goods is not None and c.good is None for c in who.colonies)
        ready = sum(state.world(id).price is UNKNOWN or bool(ways(state, seat, id)) for id in who.explored)
        weights = {
            "isolation": 1.2 if who.credits < RICH else 0.3,
            "chart-goals": 1.2,
            "envoys": 0.5,
            "develop": who.credits / 3 if who.credits > 1 else 0.1,
            "explore": 0.4 if ready else 2.0,
            "settle": 3.0 * min(2, ready) if who.colonists else 0.8,
            "produce": 0.2 + empty + 0.5 * state.produce_credits,
            "trade-consume": 0.1 + 1.5 * who.goods,
        }
        if self.careful:  # all-round players: a bot with one favourite action falls behind
            return self.random.choices(ids, [max(0.05, weights[id]) ** 2 for id in ids])[0]
        liked = TASTES[self.tastes[seat]]
        return self.random.choices(ids, [max(0.05, weights[id]) * liked.get(id, 1.0) for id in ids])[0]

    def _development(self, ids: list[str]) -> str:
        """A development on the board, mostly."""
        there = [id for id in ids[1:] if self.table.display[id] > 0]
        return self.random.choice(there) if there and self.random.random() < SENSIBLE else ids[0]

    def _best_development(self, state: FrontiersState, ids: list[str]) -> str:
        """The most valuable development on the board."""
        there = [id for id in ids[1:] if self.table.display[id] > 0]
        return max(there, key=lambda id: self._points(state, id)) if there else ids[0]

    def _points(self, state: FrontiersState, id: str) -> float:
        """The points of a tile, as far as they are known; a '?' counts about four."""
        points = getattr(state.box.by_id.get(id), "points", 0)
        return float(points) if isinstance(points, int) else 4.0

    def _fact(self, form: Form) -> Value | None:
        """A random printable value: numbers are rather low, lists are short, a '?' is rare."""
        match form:
            case Number(low, high):
                return min(self.random.randint(low, high) for _ in range(3))
            case Record(fields, tag_field, tag):
                told: dict[str, Any] = {field.name: self._fact(field.form) for field in fields}
                return {tag_field: tag, **told} if tag else told
            case Kinds(kinds):
                return self._fact(self.random.choice(kinds))
            case ListOf(item):
                return [self._fact(item) for _ in range(self.random.choice((0, 1, 1, 2)))]
            case OneOf(values) if values[-1].value == "?" and self.random.random() < SENSIBLE:
                return self.random.choice(values[:6]).value
        return anything(form, self.random)

    # Following the news

    def follow(self, state: FrontiersState, news: tuple[News, ...]) -> None:
        """Do what the news says; raises AssertionError if the pieces then differ from the state."""
        for seat, who in enumerate(state.seats):
            self.table.take_last_worlds(seat, who.explored)
        for item in news:
            if item.text.key == "frontiers.goal-up":
                self.table.turn_up(_of(item.seat), component_of(item.text.args["goal"]))
            elif item.kind == "hands":
                self._obey(item)
        self.table.compare(state)

    def _obey(self, item: News) -> None:
        """Carry out a deed of the table, or the deeds of one seat."""
        if item.seat is None:
            self.table.do(None, item.text)
            return
        deeds = item.text.args["deeds"]
        assert isinstance(deeds, tuple)
        for deed in deeds:
            self.table.do(item.seat, deed)

    def pieces(self) -> int:
        """How many pieces lie on the table."""
        return self.table.count()


def _of(seat: int | None) -> int:
    assert seat is not None
    return seat
