"""Operations, lasting abilities, conditions and '?' in words, one sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce, singledispatch

from msgspec import Struct

from companion.core.fact_values import Vocabulary
from companion.core.words import Text, count, plain, say
from companion.games.beyond import operations as ops
from companion.games.beyond.operations import (
    Action,
    AnyAbility,
    AnyCondition,
    AnyOperation,
    Choice,
)
from scoring.beyond import Counted, Formula

ROMAN = {1: "I", 2: "II", 3: "III", 4: "IIII"}
"""Levels as the game prints them."""


def say_operations(operations: Iterable[AnyOperation]) -> Text:
    """These operations in words, one after another."""
    return say("beyond.power.all", does=tuple(map(say_power, operations)))


def say_action(action: Action) -> Text:
    """An action as it is printed: spaces, cost, effects."""
    does = say_operations(action.effects)
    if action.cost:
        does = say("beyond.power.at-cost", cost=say_operations(action.cost), does=does)
    return count("beyond.power.spaces", action.spaces, does=does)


def say_actions(actions: Iterable[Action]) -> Text:
    """All actions of a card."""
    return say("beyond.power.all", does=tuple(map(say_action, actions)))


def say_power(told: Struct) -> Text:
    """An operation, an ability, a condition or a '?' in words."""
    return _said(told)


VOCABULARY = Vocabulary(AnyOperation | AnyAbility | AnyCondition | Formula, say_power)


def every(what: Counted, each: int) -> Text:
    """The words "for each" or "for every few" of something."""
    return count(f"beyond.every.{what}", each)


def held(what: Counted, n: int) -> Text:
    """A number of something a card counts."""
    return count(f"beyond.held.{what}", n)


def points(n: int) -> Text:
    """A number of victory points."""
    return say("beyond.power.points", n=n)


def _level(level: int) -> Text:
    return plain(ROMAN[level])


def _if(condition: bool, key: str, does: Text) -> Text:
    """The sentence, narrowed by another word if the condition holds."""
    return say(f"beyond.power.{key}", does=does) if condition else does


def _per(does: Text, per: ops.Per, each: int, most: int) -> Text:
    if per == "once":
        return does
    if most:
        return say("beyond.power.per-most", does=does, each=every(per, each), most=most)
    return say("beyond.power.per", does=does, each=every(per, each))


@singledispatch
def _said(told: Struct) -> Text:
    raise NotImplementedError(type(told).__name__)


def _plainly(kind: type[Struct], key: str) -> None:
    """Register the sentence of an operation or ability without parameters."""
    _said.register(kind, lambda told: say(f"beyond.power.{key}"))


def _counted(kind: type[Struct], key: str, of: Callable[..., int]) -> None:
    """Register the sentence of an operation whose only parameter is a number."""
    _said.register(kind, lambda told: count(f"beyond.power.{key}", of(told)))


_counted(ops.PayOre, "pay-ore", lambda told: told.n)
_counted(ops.PayOpponent, "pay-opponent", lambda told: told.n)
_counted(ops.Retire, "retire", lambda told: told.n)
_counted(ops.ToMuseum, "to-museum", lambda told: told.n)
_plainly(ops.RepeatImmediate, "repeat")
_plainly(ops.Displace, "displace")
_plainly(ops.AllProduction, "all-production")
_plainly(ops.TakeSystem, "take-system")
_plainly(ops.Told, "told")
_plainly(ops.LackOne, "lack-one")
_plainly(ops.OreForRetired, "ore-for-retired")
_plainly(ops.EitherTrack, "either-track")
_plainly(ops.FastJumps, "fast-jumps")
_plainly(ops.TakeOccupied, "take-occupied")
_plainly(ops.OtherAbility, "other-ability")
_plainly(ops.ToldCondition, "told-condition")


@_said.register
def _(told: ops.GainOre) -> Text:
    return _per(count("beyond.power.gain-ore", told.n), told.per, told.each, told.most)


@_said.register
def _(told: ops.Recruit) -> Text:
    if told.column == "leftmost":
        does = count("beyond.power.recruit", told.n)
    else:
        does = count("beyond.power.recruit-of", told.n, column=told.column.upper())
    return _per(does, told.per, told.each, told.most)


@_said.register
def _(told: ops.Build) -> Text:
    if told.source in ("population", "supply"):
        does = count(f"beyond.power.build-{told.source}", told.n, level=told.level)
    else:
        does = count("beyond.power.build-of", told.n, level=told.level, column=told.source.upper())
    if told.place != "shipyard":
        does = say(f"beyond.power.built-{told.place}", does=does)
    return _if(told.optional, "may", does)


@_said.register
def _(told: ops.Upgrade) -> Text:
    up_to = "-up-to" if told.up_to else ""
    levels = count("beyond.power.levels", told.levels)
    if told.spread:
        return say(f"beyond.power.upgrade-spread{up_to}", levels=levels)
    return count(f"beyond.power.upgrade{up_to}", told.ships, levels=levels)


@_said.register
def _(told: ops.Jump) -> Text:
    return say("beyond.power.jump", n=told.points)


@_said.register
def _(told: ops.JumpAnywhere) -> Text:
    return count(f"beyond.power.jump-{told.to}", told.ships)


@_said.register
def _(told: ops.Automate) -> Text:
    return count(f"beyond.power.automate-{told.disc}", told.n)


@_said.register
def _(told: ops.Research) -> Text:
    if told.level == "colonised+1":
        does = say("beyond.power.research-colonised")
    else:
        does = say("beyond.power.research", level=_level(told.level))
    how = [say(f"beyond.power.of-{told.type}")] if told.type != "any" else []
    how += [say("beyond.power.discovered")] if told.discovered else []
    how += [say("beyond.power.any-place")] if told.any_place else []
    how += [say("beyond.power.no-bonus")] if told.no_bonus else []
    return say("beyond.power.only", does=does, how=tuple(how)) if how else does


@_said.register
def _(told: ops.Colonise) -> Text:
    return say("beyond.power.colonise-stealth" if told.stealth else "beyond.power.colonise")


@_said.register
def _(told: ops.MoveSupply) -> Text:
    if told.column_to == "any":
        return count("beyond.power.move-supply", told.n)
    return count("beyond.power.move-supply-to", told.n, column=told.column_to.upper())


@_said.register
def _(told: ops.CopyAction) -> Text:
    return say(f"beyond.power.copy-{told.scope}")


@_said.register
def _(told: ops.PrivateTechnology) -> Text:
    return say("beyond.power.private-technology", level=_level(told.private_level))


@_said.register
def _(told: ops.UncoverGuild) -> Text:
    return say("beyond.power.uncover-guild", level=told.guild_level)


@_said.register
def _(told: ops.LaySystem) -> Text:
    return say("beyond.power.lay-system", deck=told.deck)


# Operations with nested operations


@_said.register
def _(told: ops.Everyone) -> Text:
    key = "everyone-may" if told.may else "everyone"
    return say(f"beyond.power.{key}", does=say_operations(told.effects))


@_said.register
def _(told: Choice) -> Text:
    return say_operations(told.effects)


@_said.register
def _(told: ops.Choose) -> Text:
    options = reduce(
        lambda one, other: say("beyond.power.or", one=one, other=other), map(say_power, told.options)
    )
    if len(told.options) == told.picks == 1:
        return _if(told.optional, "may", options)
    may, again = "-may" if told.optional else "", "-again" if told.again else ""
    return say(f"beyond.power.choose{may}{again}", n=told.picks, options=options)


@_said.register
def _(told: ops.When) -> Text:
    key = "when-once" if told.once else "when"
    moment = say(f"beyond.power.on-{told.when}")
    return say(f"beyond.power.{key}", moment=moment, does=say_operations(told.effects))


# Conditions, and what is counted


@_said.register
def _(told: ops.AtLeast) -> Text:
    return say("beyond.power.at-least", what=held(told.counted, told.number))


@_said.register
def _(told: ops.AllOfLevel) -> Text:
    return say("beyond.power.all-of-level", level=_level(told.tree_level))


@_said.register
def _(told: ops.StrengthAt) -> Text:
    return count("beyond.power.strength-at", told.locations, strength=told.strength)


@_said.register
def _(told: Formula) -> Text:
    said = say("beyond.power.per", does=points(told.points), each=every(told.per, told.each))
    if told.base:
        said = say("beyond.power.plus", base=points(told.base), more=said)
    return say("beyond.power.at-most", does=said, most=points(told.most)) if told.most else said
