"""Bots for demonstrations and tests: they answer questions and move simulated pieces exactly as instructed."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.components import Value
from companion.core.fact_values import anything, written
from companion.core.forms import Form, Kinds, ListOf, Number, OneOf, Record, SeveralOf, drawing, sketch
from companion.core.game import Setup
from companion.core.questions import Option, Question
from companion.core.words import News
from companion.games.transgalactica.component_types import SPACES, everything
from companion.games.transgalactica.pieces import Pieces
from companion.games.transgalactica.setting import captains
from companion.games.transgalactica.state import TransState

SENSIBLE = 0.9
"""How often a bot acts instead of doing nothing."""
BESIDES = 0.35
"""How often it uses a free deed before the main choice of its turn."""
APART = 3
GRID = sorted(
    ((x, y) for x in range(-9, 10, APART) for y in range(-6, 7, APART)),
    key=lambda at: at[0] ** 2 + at[1] ** 2,
)[:17]
"""The positions of planets on the bots' map: the centre, and spaces around it."""


class TransgalacticaBots:
    """Plays all seats of one table and moves its pieces; for untaught facts it invents printable values."""

    careful = False

    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random
        self.seats = len(setup.seats)
        self.table = Pieces(self.seats, captains(setup), everything().taught(setup.facts))

    # Choosing

    def choose(self, state: TransState, question: Question) -> str:
        """A seat's answer: sensible enough to reach every rule, random enough to reach edge cases."""
        if question.form is not None:
            return written(question.form, self._fact(question.form, question.facts))
        if self.careful:
            return self._best(question)
        match question.slug.removeprefix("transgalactica."):
            case "turn" | "explore" | "after" | "free" | "between":
                return self._busy(question)
            case "follow":
                return self._one(question.options[1:] if self.random.random() < 0.6 else question.options[:1])
            case "space-token":
                return self._one(question.options if self.random.random() < 0.8 else question.options[-1:])
            case "pirate-at" | "round-token" | "lay-mission":
                return self._one(question.options[:-1] or question.options)
        idle = [o for o in question.options if o.id in IDLE]
        rest = [o for o in question.options if o.id not in IDLE]
        return self._one(rest if rest and (not idle or self.random.random() < SENSIBLE) else idle)

    def _busy(self, question: Question) -> str:
        """Now and then a free deed; otherwise preferably an outpost, and rarely nothing."""
        besides = [o for o in question.options if o.group is not None]
        better = [o for o in besides if "exchange" not in o.id] or besides
        if besides and self.random.random() < BESIDES * (2 if better is not besides else 0.4):
            return self._one(better)
        usual = [o for o in question.options if o.group is None]
        idle = [o for o in usual if o.id in IDLE]
        places = [o for o in usual if o.id.startswith("place")]
        if places and self.random.random() < SENSIBLE:
            return self._one(places)
        busy = [o for o in usual if o.id not in IDLE]
        return self._one(busy if busy and (not idle or self.random.random() < SENSIBLE) else idle)

    def _best(self, question: Question) -> str:
        """The best option: use tokens, place outposts, never exchange pieces, never idle if it can act."""
        options = [o for o in question.options if "exchange" not in o.id] or list(question.options)
        held = [o for o in options if o.group is not None]
        places = [o for o in options if o.id.startswith("place")]
        busy = [o for o in options if o.id not in IDLE]
        if question.slug.endswith(("pirate-at", "round-token", "lay-mission")):
            busy = options[:-1]
        return self._one(held or places or busy or options)

    def _one(self, options: Any) -> str:
        chosen: Option = self.random.choice(list(options))
        return chosen.id

    # Answering what is printed

    def _fact(self, form: Form, facts: tuple[str, ...]) -> Value | None:
        if sketch(form) is not None:
            return [{"x": x, "y": y} for x, y in GRID[1 : self.random.randint(12, 17)]]
        if drawing(form) is not None:
            return self._drawn()
        return self._printed(form)

    def _drawn(self) -> list[Any]:
        """Routes between adjacent spaces; routes to spaces that were not sketched do no harm."""
        return [
            {"one": SPACES[n], "other": SPACES[m], "energy": self._low(3)}
            for n, one in enumerate(GRID)
            for m, other in enumerate(GRID[:n])
            if abs(one[0] - other[0]) + abs(one[1] - other[1]) == APART
        ]

    def _low(self, high: int) -> int:
        return min(self.random.randint(0, high), self.random.randint(0, high))

    def _printed(self, form: Form) -> Value | None:
        """A random printable value: low numbers, short lists, mostly simple gains."""
        match form:
            case Number(low, high):
                return min(self.random.randint(low, high) for _ in range(3))
            case Record(fields, tag_field, tag):
                told: dict[str, Any] = {field.name: self._printed(field.form) for field in fields}
                return {tag_field: tag, **told} if tag else told
            case Kinds(kinds):
                return self._printed(kinds[0] if self.random.random() < 0.7 else self.random.choice(kinds))
            case ListOf(item):
                return [self._printed(item) for _ in range(self.random.choice((0, 1, 1, 1, 2)))]
            case SeveralOf(values, True):
                n = self.random.choice((1, 2, 4, 5))
                return sorted((self.random.choice(values[:6]).value for _ in range(n)), key=str)
            case OneOf(values):
                return self.random.choice(values).value
        return anything(form, self.random)

    # Moving pieces as instructed

    def follow(self, state: TransState, news: tuple[News, ...]) -> None:
        """Move the pieces as the news say; raises AssertionError if the result differs from the state."""
        for item in news:
            if item.kind == "hands":
                deeds = item.text.args["deeds"]
                assert isinstance(deeds, tuple)
                for deed in deeds:
                    self.table.do(item.seat, deed)
        self.table.compare(state)

    def pieces(self) -> int:
        """The number of pieces, wherever they lie."""
        return self.table.count()


IDLE = frozenset({"pass", "done", "over", "nothing", "decline", "stay", "none", "nobody"})
"""Answers that do nothing."""
