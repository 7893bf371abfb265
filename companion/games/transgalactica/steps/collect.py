"""Collecting resources from outposts (rules 122, 123): one each, from as many as the production level."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, say
from companion.games.transgalactica.deeds import take
from companion.games.transgalactica.effects import Resource
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.printed_pages import ask_print

Sources = tuple[tuple[Resource, ...], ...]
"""For each producing outpost, the resources it can give, one of them at a time."""


class Collect(Do, Struct, frozen=True, tag="collect"):
    """Takes resources without a choice at once; asks about the rest one by one."""

    seat: int

    def do(self, state: TransState) -> TransState:
        colonies = state.colonies(self.seat)
        if any(planet.hues - {"grey"} for planet in colonies) and state.production.unknown():
            return state.push(ask_print(state, state.production), self)
        sources = tuple(sorted(given for planet in colonies if (given := state.production.of(planet))))
        n = min(state.level(self.seat, "production"), len(sources))
        return state.push(CollectFrom(self.seat, sources, n, n)) if n else state


def collects(state: TransState, seat: int) -> bool:
    """Whether collecting would give anything."""
    colours = any(planet.hues - {"grey"} for planet in state.colonies(seat))
    return colours and state.level(seat, "production") > 0


class CollectFrom(Ask, Struct, frozen=True, tag="collect-from"):
    """Which resource next? Outposts that give the same are one option."""

    seat: int
    sources: Sources
    left: int
    total: int
    taken: tuple[Resource, ...] = ()
    slug: ClassVar[str] = "transgalactica.collect"

    def ask(self, state: TransState) -> Question:
        options = [
            Option(f"{what}:{'/'.join(source)}", _from(what, source), signs=(Sign(what, "+1"),))
            for source in dict.fromkeys(self.sources)
            for what in source
        ]
        picks = Picks(self.total - self.left, self.total)
        text = say("transgalactica.ask.collect")
        return Question(
            self.slug, self.seat, text, tuple(options), tally=picks, certain=self._certain, has_default=False
        )

    @property
    def _certain(self) -> bool:
        """Whether every choice has the same result: outposts are equal or all used, and none has a choice."""
        alike = len(set(self.sources)) == 1 or self.left == len(self.sources)
        return alike and all(len(source) == 1 for source in self.sources)

    def take(self, state: TransState, option: str) -> TransState:
        what, _, named = option.partition(":")
        source = next(one for one in self.sources if "/".join(one) == named)
        chosen: Resource = next(one for one in source if one == what)
        at = self.sources.index(source)
        rest, taken = (*self.sources[:at], *self.sources[at + 1 :]), (*self.taken, chosen)
        if self.left > 1:
            return state.push(CollectFrom(self.seat, rest, self.left - 1, self.total, taken))
        return take(state, self.seat, Counter(taken), (say("transgalactica.collecting"),))


def _from(what: Resource, source: tuple[Resource, ...]) -> Text:
    """A resource and the kind of outpost that gives it."""
    key = "any" if len(source) > 1 else "of"
    return say(f"transgalactica.collect.{key}", what=say(f"transgalactica.one.{what}"))
