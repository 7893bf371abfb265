"""Choosing among effects, copying actions, and results the players enter (rules 52, 53, 165)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask
from companion.core.questions import Option, Question
from companion.core.words import say
from companion.games.beyond import operations as op
from companion.games.beyond.actions import ActionSpace, copyable
from companion.games.beyond.effect_signs import about
from companion.games.beyond.feasible import doable, next_choice, possible, untold_lines
from companion.games.beyond.operations import AnyOperation, Operations
from companion.games.beyond.power_words import say_operations, say_power
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.perform import Perform, carries, leading_on, left_out
from companion.games.beyond.steps.printed_pages import ask_lines

NOTHING = "nothing"

RESULTS: dict[str, AnyOperation] = {
    "ore-1": op.GainOre(n=1),
    "ore-2": op.GainOre(n=2),
    "ore-3": op.GainOre(n=3),
    "pay-1": op.PayOre(n=1),
    "pay-2": op.PayOre(n=2),
    "recruit": op.Recruit(n=1),
    "retire": op.Retire(n=1),
    "automate": op.Automate(disc="either"),
    "ship-1": op.Build(level=1, source="supply"),
    "ship-2": op.Build(level=2, source="supply"),
    "ship-3": op.Build(level=3, source="supply"),
    "ship-4": op.Build(level=4, source="supply"),
    "deep-ship": op.Build(level=1, source="supply", place="deep-space"),
    "upgrade": op.Upgrade(ships=1, levels=1),
    "jump": op.Jump(points=1),
    "research-1": op.Research(level=1),
    "research-2": op.Research(level=2),
    "research-3": op.Research(level=3),
    "research-4": op.Research(level=4),
    "colonise": op.Colonise(),
    "private-2": op.PrivateTechnology(private_level=2),
    "private-3": op.PrivateTechnology(private_level=3),
    "guild-1": op.UncoverGuild(guild_level=1),
    "guild-2": op.UncoverGuild(guild_level=2),
}
"""The results players can enter for a card, one after another; anything else is corrected by counters."""


@carries(op.Choose)
def _choose(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.Choose)
    ways = (choice.effects for choice in operation.options)
    return first_lines(state, seat, ways, source, ChooseEffect(seat, operation, source, soft))


def first_lines(
    state: BeyondState, seat: int, ways: Iterable[Operations], source: str, step: Ask
) -> BeyondState:
    """Push this question, preceded by questions for unknown lines of the tree that decide its options."""
    untold = tuple(sorted({line for effects in ways for line in untold_lines(state, seat, effects, source)}))
    asks = (ask_lines(state, untold, seat),) if untold else ()
    return state.push(*asks, step)


class ChooseEffect(Ask, Struct, frozen=True, tag="choose-effect"):
    """Which of these is done? Only complete options are offered; none may be chosen if optional (rule 165)."""

    seat: int
    operation: op.Choose
    source: str
    soft: bool = False
    slug: ClassVar[str] = "beyond.choose"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(str(n), say_operations(choice.effects))
            for n, choice in enumerate(self.operation.options)
            if doable(state, self.seat, choice.effects, self.source)
        )
        if self.operation.optional or not options:
            options += (Option(NOTHING, say("beyond.option.nothing")),)
        options = leading_on(state, self.seat, self, options)
        text = say("beyond.ask.choose", card=state.name(self.source))
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == NOTHING:
            return state if self.operation.optional else left_out(state, self.seat, self.operation)
        n = int(option)
        again = Perform(self.seat, next_choice(self.operation, n), self.source, self.soft)
        return state.push(Perform(self.seat, self.operation.options[n].effects, self.source), again)


@carries(op.CopyAction)
def _copy(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.CopyAction)
    spaces = copyable(state, seat, operation.scope, source)
    ways = [space.whole for space in spaces if doable(state, seat, space.whole, space.holder)]
    return first_lines(state, seat, ways, source, ChooseCopied(seat, operation, source))


class ChooseCopied(Ask, Struct, frozen=True, tag="choose-copied"):
    """Which action is performed without moving the pawn? Its space may be occupied (rules 52, 53)."""

    seat: int
    operation: op.CopyAction
    source: str
    slug: ClassVar[str] = "beyond.copy"

    def ask(self, state: BeyondState) -> Question:
        # Actions that change nothing are not offered (rule 45), unless there are no others.
        able = [s for s in self._spaces(state) if doable(state, self.seat, s.whole, s.holder)]
        able = [s for s in able if possible(state, self.seat, s.whole, s.holder)] or able
        options = tuple(Option(s.id, s.text(state), detail=say_operations(s.whole)) for s in able)
        options = options or (Option(NOTHING, say("beyond.option.nothing")),)
        options = leading_on(state, self.seat, self, options)
        return Question(self.slug, self.seat, say("beyond.ask.copy"), options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        space = next((space for space in self._spaces(state) if space.id == option), None)
        if space is None:
            return left_out(state, self.seat, self.operation)
        return state.push(Perform(self.seat, space.whole, space.holder))

    def _spaces(self, state: BeyondState) -> tuple[ActionSpace, ...]:
        return copyable(state, self.seat, self.operation.scope, self.source)


@carries(op.Told)
def _told(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    return state.push(TellResult(seat, source))


class TellResult(Ask, Struct, frozen=True, tag="tell-result"):
    """What did this card do? Asked repeatedly until the players say that was all."""

    seat: int
    source: str
    told: int = 0
    slug: ClassVar[str] = "beyond.told"

    def ask(self, state: BeyondState) -> Question:
        nothing = Option(NOTHING, say("beyond.option.that-was-all"))
        able = ((id, o) for id, o in RESULTS.items() if doable(state, self.seat, (o,), self.source))
        options = (nothing, *(Option(id, say_power(o), signs=about(o)) for id, o in able))
        return Question(self.slug, self.seat, say("beyond.ask.told", card=state.name(self.source)), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == NOTHING or self.told >= len(RESULTS):
            return state
        again = TellResult(self.seat, self.source, self.told + 1)
        return state.push(Perform(self.seat, (RESULTS[option],), self.source, soft=True), again)


@carries(op.RepeatImmediate)
def _repeat(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    """In actions the immediate box has already replaced it (`actions._repeated`); elsewhere it does nothing."""
    return state
