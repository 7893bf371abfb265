"""The meaning of powers and '?' bonuses, as one sentence each."""

from __future__ import annotations

from functools import singledispatch
from typing import Literal

from companion.core.fact_values import Vocabulary
from companion.core.words import Text, count, say
from companion.games.frontiers import powers
from companion.games.frontiers.powers import AnyGood, AnyPower, Gainful, Limited, Power, gained, given
from scoring.frontiers import EVERY_NUMBER, Match, Military, PerHeld, PerTile, Term

MINUS = "\N{MINUS SIGN}"


def say_power(power: AnyPower) -> Text:
    """What a power does in its action."""
    return _power(power)


def say_term(term: Term) -> Text:
    """What one term of a '?' counts."""
    points = gained("points", term.points)
    if isinstance(term, PerHeld):
        return say("frontiers.term", points=points, each=count(f"frontiers.every.{term.held}", term.each))
    which = _which(term.match, term.military)
    which += (say(f"frontiers.goods.{term.goods}"),) if term.goods != "any" else ()
    which += _bounds(term, _printed(term.military, term.tile))
    if term.with_power != "any":
        which += (say("frontiers.which.power", phase=say(f"frontiers.phase.{term.with_power}")),)
    return say("frontiers.term", points=points, each=_narrowed(say(f"frontiers.every.{term.tile}"), which))


def say_meaning(told: AnyPower | Term) -> Text:
    """The meaning of a power or a term."""
    return say_term(told) if isinstance(told, PerTile | PerHeld) else say_power(told)


VOCABULARY = Vocabulary(AnyPower | PerTile | PerHeld, say_meaning)


def _which(match: Match, military: Military = "any") -> tuple[Text, ...]:
    """The condition on a tile; empty if every tile matches."""
    which = (say(f"frontiers.which.{match}"),) if match != "all" else ()
    return which + ((say(f"frontiers.military.{military}"),) if military != "any" else ())


def _narrowed(all_: Text, which: tuple[Text, ...]) -> Text:
    """All of something, or only some."""
    return say("frontiers.narrowed", all=all_, which=which) if which else all_


def _worlds(match: Match) -> Text:
    return say(f"frontiers.worlds.{match}")


def _signed(n: int) -> str:
    return f"+{n}" if n >= 0 else f"{MINUS}{-n}"


def _one(good: AnyGood) -> Text:
    """One good of a kind, or of any."""
    return say(f"frontiers.one-good.{good}")


@singledispatch
def _power(power: Power) -> Text:
    raise NotImplementedError(type(power))


def _gain(key: str, power: Gainful, **what: Text) -> Text:
    gains = tuple(gained(what, n) for what, n in given(power))
    return say(f"frontiers.power.{key}", gain=gains[0] if len(gains) == 1 else gains, **what)


def _bounds(limits: Limited, number: Literal["cost", "defence", "either"]) -> tuple[Text, ...]:
    """The condition on printed numbers; empty if every number matches."""
    least, most = limits.least, limits.most
    if (least, most) == EVERY_NUMBER:
        return ()
    key = "at-least" if most == EVERY_NUMBER[1] else "at-most" if least == EVERY_NUMBER[0] else "between"
    numbers = {"at-least": {"n": least}, "at-most": {"n": most}, "between": {"n": least, "most": most}}[key]
    return (say(f"frontiers.which.{key}", number=say(f"frontiers.number.{number}"), **numbers),)


def _printed(military: Military, tile: str = "colony") -> Literal["cost", "defence", "either"]:
    """Which number these tiles print."""
    if military == "military":
        return "defence"
    return "cost" if military == "peaceful" or tile in ("development", "large") else "either"


@_power.register
def _(power: powers.DrawWorlds) -> Text:
    return count("frontiers.power.draw-worlds", power.worlds)


@_power.register
def _(power: powers.DevelopDiscount) -> Text:
    said = count(f"frontiers.power.develop-discount-{power.size}", power.n)
    return _narrowed(said, _bounds(power, "cost"))


@_power.register
def _(power: powers.GainAfterDevelop) -> Text:
    return _narrowed(_gain("gain-after-develop", power), _bounds(power, "cost"))


@_power.register
def _(power: powers.MilitaryPower) -> Text:
    if power.is_general:
        return say("frontiers.power.military", n=_signed(power.n))
    worlds = _narrowed(_worlds(power.match), _bounds(power, "defence"))
    return say("frontiers.power.military-against", n=_signed(power.n), worlds=worlds)


@_power.register
def _(power: powers.SettleDiscount) -> Text:
    worlds = _narrowed(_worlds(power.match), _bounds(power, "either"))
    return count("frontiers.power.settle-discount", power.n, worlds=worlds)


@_power.register
def _(power: powers.MilitaryForGood) -> Text:
    return say("frontiers.power.military-for-good", n=_signed(power.n), good=_one(power.good))


@_power.register
def _(power: powers.PayForMilitary) -> Text:
    price = say("frontiers.power.defence", n=_signed(-power.n) if power.n else "")
    which = _which(power.match) + ((say("frontiers.which.not-alien"),) if power.except_alien else ())
    which += _bounds(power, "defence")
    worlds = _narrowed(say("frontiers.worlds.military"), which)
    return say("frontiers.power.pay-for-military", worlds=worlds, price=price)


@_power.register
def _(power: powers.SecondWorld) -> Text:
    return say("frontiers.power.second-world")


@_power.register
def _(power: powers.DrawAfterSettle) -> Text:
    return count("frontiers.power.draw-after-settle", power.worlds)


@_power.register
def _(power: powers.GainAfterSettle) -> Text:
    which = _which(power.match) + _bounds(power, "either")
    return _gain("when", power, moment=_narrowed(say("frontiers.power.after-settle"), which))


@_power.register
def _(power: powers.Replace) -> Text:
    kind = "-same-kind" if power.same_kind else ""
    said = say(f"frontiers.power.replace-{power.colony}{kind}", higher=power.higher)
    return say("frontiers.power.or-cheaper", power=said, lower=power.lower) if power.lower else said


@_power.register
def _(power: powers.ProduceWindfall) -> Text:
    return say("frontiers.power.produce-windfall", good=_one(power.good))


@_power.register
def _(power: powers.GainIfProducedHere) -> Text:
    return _gain("gain-if-produced-here", power)


@_power.register
def _(power: powers.GainPerProduced) -> Text:
    which = () if power.good == "any" else (say(f"frontiers.good.{power.good}"),)
    made = _narrowed(say("frontiers.power.per-produced"), which)
    return _gain("when", power, moment=made)


@_power.register
def _(power: powers.GainPerColony) -> Text:
    which = _which(power.match, power.military) + _bounds(power, _printed(power.military))
    return _gain("when", power, moment=_narrowed(say("frontiers.every.colony"), which))


@_power.register
def _(power: powers.GainIfMost) -> Text:
    key = "gain-if-most-tied" if power.tied else "gain-if-most"
    return _gain(key, power, good=say(f"frontiers.good.{power.good}"))


@_power.register
def _(power: powers.TradeBonus) -> Text:
    return count("frontiers.power.trade-bonus", power.n, good=_one(power.good))


@_power.register
def _(power: powers.Consume) -> Text:
    goods = count(f"frontiers.goods-of.{power.good}", power.goods)
    points = (gained("points", power.points),) if power.points else ()
    credits = (gained("credits", power.credits),) if power.credits else ()
    reward = (*points, *credits) or (say("core.form.nothing"),)
    key = "consume-each" if power.each else "consume"
    said = say(f"frontiers.power.{key}", goods=goods, reward=reward)
    return say("frontiers.power.optional", power=said) if power.optional else said


@_power.register
def _(power: powers.GainPerConsumed) -> Text:
    said = _gain("gain-per-consumed", power)
    if not power.with_salon:
        return said
    return say("frontiers.power.with-salon", power=said, more=gained(power.gain, power.with_salon))


@_power.register
def _(power: powers.GainAlways) -> Text:
    return _gain("gain", power)


@_power.register
def _(power: powers.Told) -> Text:
    return say("frontiers.power.told-discount" if power.discount else "frontiers.power.told")
