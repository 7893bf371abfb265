"""The printed symbols in words, one sentence each; and the requirements of missions and decrees."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from functools import reduce, singledispatch

from msgspec.structs import replace

from companion.core.fact_values import Vocabulary
from companion.core.words import Text, count, say
from companion.games.transgalactica import effects
from companion.games.transgalactica.component_types import Needs
from companion.games.transgalactica.effects import Advance, Effect

LEVELS = ("trade", "military", "technology", "politics")


def say_effect(effect: Effect) -> Text:
    """One effect in words."""
    return _effect(effect)


VOCABULARY = Vocabulary(Effect, say_effect)


def amount(what: str, n: int) -> Text:
    """An amount that is gained or paid, in words."""
    return count(f"transgalactica.amount.{what}", n)


def amounts(pieces: Iterable[str]) -> tuple[Text, ...]:
    """The pieces of a price, equal ones combined; an empty tuple if there are none."""
    found = tuple(amount(what, n) for what, n in Tally(pieces).items())
    return found or (say("core.form.nothing"),)


def prices(pieces: Iterable[str]) -> tuple[Text, ...]:
    """The price of a card as a list."""
    found = tuple(count(f"transgalactica.price.{what}", n) for what, n in Tally(pieces).items())
    return found or (say("core.form.nothing"),)


def any_of(texts: Iterable[Text]) -> Text:
    """These with "or" between them."""
    found = tuple(texts) or (say("core.form.nothing"),)
    return reduce(lambda one, other: say("transgalactica.effect.or", one=one, other=other), found)


def all_of(effects: Iterable[Effect]) -> tuple[Text, ...]:
    """Each of these effects in words; an empty tuple if there are none."""
    return tuple(map(say_effect, effects)) or (say("core.form.nothing"),)


def paid_for(effects: Iterable[Effect]) -> tuple[Text, ...]:
    """What a price buys; the price is complete, so nothing is called free (rule 67)."""
    return all_of(replace(e, free=False) if isinstance(e, Advance) else e for e in effects)


@singledispatch
def _effect(effect: object) -> Text:
    raise NotImplementedError(type(effect))


@_effect.register
def _(effect: effects.Gain) -> Text:
    return say("transgalactica.effect.gain", what=amount(effect.what, effect.n))


@_effect.register
def _(effect: effects.Advance) -> Text:
    tracks = dict.fromkeys(effect.tracks)
    if [*tracks] == ["trade"]:
        said = count("transgalactica.effect.unlock", effect.n)
    else:
        on = any_of(say(f"transgalactica.effect.on-{track}") for track in tracks)
        said = say("transgalactica.effect.advance", n=effect.n, track=on)
    if effect.free:
        return say("transgalactica.effect.free", effect=said)
    return say("transgalactica.effect.less", effect=said, less=amounts(effect.less)) if effect.less else said


@_effect.register
def _(effect: effects.Move) -> Text:
    return count("transgalactica.effect.move", effect.n)


@_effect.register
def _(effect: effects.ToTunnel) -> Text:
    return say("transgalactica.effect.to-tunnel")


@_effect.register
def _(effect: effects.Raise) -> Text:
    return say(f"transgalactica.effect.raise-{effect.level}")


@_effect.register
def _(effect: effects.Act) -> Text:
    if effect.action == "any":
        return say(f"transgalactica.effect.act-any-{effect.kind}")
    return say(
        f"transgalactica.effect.act-{effect.kind}", action=say(f"transgalactica.action.{effect.action}")
    )


@_effect.register
def _(effect: effects.Mark) -> Text:
    return say("transgalactica.effect.mark")


@_effect.register
def _(effect: effects.TakeMission) -> Text:
    return say("transgalactica.effect.take-mission")


@_effect.register
def _(effect: effects.CompleteMission) -> Text:
    return say("transgalactica.effect.complete-mission")


@_effect.register
def _(effect: effects.PlaceOutpost) -> Text:
    return say(f"transgalactica.effect.place-outpost-{effect.where}")


@_effect.register
def _(effect: effects.TakeToken) -> Text:
    return say(f"transgalactica.effect.take-token-{effect.colour}")


@_effect.register
def _(effect: effects.MiningSymbol) -> Text:
    return say("transgalactica.effect.mining-symbol")


@_effect.register
def _(effect: effects.DoubleIncome) -> Text:
    return say("transgalactica.effect.double-income")


@_effect.register
def _(effect: effects.Override) -> Text:
    return say("transgalactica.effect.override")


@_effect.register
def _(effect: effects.Mobilise) -> Text:
    return count("transgalactica.effect.mobilise", effect.n)


@_effect.register
def _(effect: effects.Mines) -> Text:
    return say("transgalactica.effect.mines", points=amount("vp", effect.vp))


@_effect.register
def _(effect: effects.Pay) -> Text:
    key = "pay" if effect.times == 1 else "pay-times"
    return say(
        f"transgalactica.effect.{key}",
        n=effect.times,
        cost=amounts(effect.cost),
        gains=paid_for(effect.gains),
    )


@_effect.register
def _(effect: effects.Either) -> Text:
    return any_of(map(say_effect, effect.of))


# Requirements


def say_needs(needs: Needs) -> tuple[Text, ...]:
    """The requirement of a mission or decree in words; an empty tuple if there is none."""
    return tuple(_needs(needs)) or (say("core.form.nothing"),)


def _needs(needs: Needs) -> Iterator[Text]:
    levels = [
        say(f"transgalactica.needs.{track}", n=n) for track in LEVELS if (n := int(getattr(needs, track)))
    ]
    if needs.either:
        yield any_of(levels)
    else:
        yield from levels
    if needs.planets:
        yield _planets(needs)
    if needs.pirates:
        yield count("transgalactica.needs.pirates", needs.pirates)
    if needs.technologies:
        yield count("transgalactica.needs.technologies", needs.technologies)
    if needs.missions:
        yield _missions(needs)


def _planets(needs: Needs) -> Text:
    n = needs.planets
    if needs.of not in ("one-colour", "mixed"):
        return count(f"transgalactica.needs.planets-{needs.of}", n)
    if needs.of == "mixed":
        colours = any_of(say(f"transgalactica.needs.colour-{hue}") for hue in needs.colours)
        return count("transgalactica.needs.planets-coloured", n, colour=colours)
    return any_of(
        count("transgalactica.needs.planets-coloured", n, colour=say(f"transgalactica.needs.colour-{hue}"))
        for hue in needs.colours
    )


def _missions(needs: Needs) -> Text:
    if needs.each:
        types = tuple(say(f"transgalactica.types.{type}") for type in needs.types)
        return say("transgalactica.needs.missions-each", types=types)
    return any_of(count(f"transgalactica.needs.missions-{type}", needs.missions) for type in needs.types)
