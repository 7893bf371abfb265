"""People for demonstrations and tests: they answer, and do with real pieces exactly what they are told."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.components import Value
from companion.core.fact_values import anything, written
from companion.core.forms import Form, Kinds, ListOf, Number, OneOf, Record, SeveralOf, drawing, sketch
from companion.core.game import Setup
from companion.core.questions import Option, Question
from companion.core.words import News
from companion.games.transgalactica.pieces import Pieces
from companion.games.transgalactica.setting import captains
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.things import SPACES, everything

SENSIBLE = 0.9
"""So often a bot does something rather than nothing."""
BESIDES = 0.35
"""So often it does something besides what its turn is for."""
APART = 3
GRID = sorted(
    ((x, y) for x in range(-9, 10, APART) for y in range(-6, 7, APART)),
    key=lambda at: at[0] ** 2 + at[1] ** 2,
)[:17]
"""Where the bots' planets are: the centre, and spaces round it."""


class TransgalacticaBots:
    """All seats of one table and everything on it; of what nobody taught they tell something that can be printed."""

    careful = False

    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random
        self.seats = len(setup.seats)
        self.table = Pieces(self.seats, captains(setup), everything().taught(setup.facts))

    # Choosing

    def choose(self, state: TransState, question: Question) -> str:
        """What a seat answers: sensible enough to reach every rule, random enough to reach every corner."""
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
        """Something besides now and then; else an outpost before all, and seldom nothing."""
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
        """Tokens that are held are used, outposts placed; pieces are not exchanged, and nobody idles who can act."""
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

    # Telling what is printed

    def _fact(self, form: Form, facts: tuple[str, ...]) -> Value | None:
        if sketch(form) is not None:
            return [{"x": x, "y": y} for x, y in GRID[1 : self.random.randint(12, 17)]]
        if drawing(form) is not None:
            return self._drawn()
        return self._printed(form)

    def _drawn(self) -> list[Any]:
        """Routes between spaces side by side; of spaces that were not sketched nobody minds."""
        return [
            {"one": SPACES[n], "other": SPACES[m], "energy": self._low(3)}
            for n, one in enumerate(GRID)
            for m, other in enumerate(GRID[:n])
            if abs(one[0] - other[0]) + abs(one[1] - other[1]) == APART
        ]

    def _low(self, high: int) -> int:
        return min(self.random.randint(0, high), self.random.randint(0, high))

    def _printed(self, form: Form) -> Value | None:
        """Something that could be printed there: numbers are rather low, lists short, most symbols simple gains."""
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

    # Doing what is told

    def follow(self, state: TransState, news: tuple[News, ...]) -> None:
        """Do what is told; raises AssertionError if afterwards the table is not as the rules think it is."""
        for item in news:
            if item.kind == "hands":
                deeds = item.text.args["deeds"]
                assert isinstance(deeds, tuple)
                for deed in deeds:
                    self.table.do(item.seat, deed)
        self.table.compare(state)

    def pieces(self) -> int:
        """How many things lie on the table, wherever."""
        return self.table.count()


IDLE = frozenset({"pass", "done", "over", "nothing", "decline", "stay", "none", "nobody"})
"""Answers that do nothing."""
