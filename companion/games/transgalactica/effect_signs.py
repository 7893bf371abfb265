"""Effects, costs and requirements as rows of signs, without words."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from companion.core.components import UNKNOWN, Untold
from companion.core.faces import ARROW, Sign, Signs
from companion.games.transgalactica import effects
from companion.games.transgalactica.component_types import Needs
from companion.games.transgalactica.effects import Effect, Effects

MINUS = "\N{MINUS SIGN}"
UNTOLD = Sign("unknown")
OR = Sign("or")
STUFF = {"vp": "points", "credit": "credits", "any": "resource"}
"""Things whose symbol has another name."""
TOKENS = {"basic": "bonus-basic", "advanced": "bonus-advanced", "mining": "mining-token"}
PLANETS = {
    "yellow": Sign("planet-yellow"),
    "green": Sign("planet-green"),
    "purple": Sign("planet-purple"),
    "grey": Sign("planet-grey"),
    "multi": Sign("all-colours"),
}
ALIKE = {"different": "≠", "same": "="}
"""Planets of different colours, or of one colour."""
LONG = 6
"""The most signs in a row."""
LEVELS = ("trade", "military", "technology", "politics")


def stuff(what: str, n: int | str = "") -> Sign:
    """Points, credits or resources, with the number."""
    return Sign(STUFF.get(what, what), "" if n == 1 else str(n))


def pieces(cost: Iterable[str]) -> Signs:
    """A price, with equal pieces combined."""
    return tuple(stuff(what, n) for what, n in Tally(cost).items())


def effect_rows(shown: Effects | Untold) -> tuple[Signs, ...]:
    """Effects as rows, a question mark if unknown; each side of a long choice has its own row."""
    if shown is UNKNOWN:
        return ((UNTOLD,),)
    return tuple(row for effect in shown for row in _rows(effect))


def _rows(effect: Effect) -> tuple[Signs, ...]:
    row = signs(effect)
    if not isinstance(effect, effects.Either) or len(row) <= LONG:
        return (row,)
    first, *others = map(signs, effect.of)
    return (first, *((OR, *other) for other in others))


def in_a_row(shown: Effects | Untold) -> Signs:
    """The effects in one row."""
    return (UNTOLD,) if shown is UNKNOWN else tuple(sign for effect in shown for sign in signs(effect))


def signs(effect: Effect) -> Signs:
    """The signs of one effect."""
    return SIGNS[type(effect)](effect)


def between(rows: Sequence[Signs], sign: Sign = OR) -> Signs:
    """The rows joined, with a sign between them."""
    if not rows:
        return ()
    return (*rows[0], *(part for _, row in pairwise(rows) for part in (sign, *row)))


def _advance(effect: effects.Advance) -> Signs:
    tracks = tuple(dict.fromkeys(effect.tracks))
    if len(tracks) == 1:
        advance: Signs = (Sign(tracks[0], f"+{effect.n}"),)
    else:
        often = Sign("advance", "" if effect.n == 1 else str(effect.n))
        advance = (*(Sign(track) for track in tracks), often)
    price = (Sign("free"),) if effect.free else ()
    less = (Sign("discount"), *pieces(effect.less)) if effect.less else ()
    return (*advance, *price, *less)


def _act(effect: effects.Act) -> Signs:
    kind = Sign(f"{effect.kind}-action")
    return (kind,) if effect.action == "any" else (kind, Sign(effect.action))


def _pay(effect: effects.Pay) -> Signs:
    often = (Sign("count", f"{effect.times}×"),) if effect.times > 1 else ()
    # The price shown here is complete, so the "free" sign is omitted (rule 67).
    gains = [sign for sign in in_a_row(effect.gains) if sign.symbol != "free"]
    if len(gains) > 1:
        gains = [Sign(sign.symbol) if sign.value == "+1" else sign for sign in gains]
    return (*often, *pieces(effect.cost), ARROW, *gains)


SIGNS: dict[type[Any], Callable[[Any], Signs]] = {
    effects.Gain: lambda e: (stuff(e.what, f"+{e.n}" if e.n < 10 else e.n),),
    effects.Advance: _advance,
    effects.Move: lambda e: (Sign("move", "" if e.n == 1 else str(e.n)),),
    effects.ToTunnel: lambda e: (Sign("to-tunnel"),),
    effects.Raise: lambda e: (Sign(f"{e.level}-up", "+2"),),
    effects.Act: _act,
    effects.Mark: lambda e: (Sign("mark"),),
    effects.TakeMission: lambda e: (Sign("mission", "+1"),),
    effects.CompleteMission: lambda e: (Sign("complete"), Sign("discount")),
    effects.PlaceOutpost: lambda e: (
        Sign("outpost", "+1"),
        Sign("orbit" if e.where == "ship" else "action-planet"),
    ),
    effects.TakeToken: lambda e: (Sign(TOKENS[e.colour]),),
    effects.MiningSymbol: lambda e: (Sign("mining"),),
    effects.DoubleIncome: lambda e: (Sign("double-income"),),
    effects.Override: lambda e: (Sign("used-action"),),
    effects.Mobilise: lambda e: (Sign("mobilise", "" if e.n == 1 else str(e.n)),),
    effects.Mines: lambda e: (Sign("mining"), Sign("each"), stuff("vp", f"+{e.vp}")),
    effects.Pay: _pay,
    effects.Either: lambda e: between([signs(one) for one in e.of]),
}


# Requirements


def needed(needs: Needs) -> Signs:
    """The signs of a mission's or decree's requirement; none if there is none."""
    return tuple(_needed(needs))


def _needed(needs: Needs) -> Iterator[Sign]:
    levels = [(track, n) for track in LEVELS if (n := getattr(needs, track))]
    for track, n in levels:
        other = needs.either and track != levels[-1][0]
        yield Sign(track, f"{n}/" if other else str(n))
    if needs.planets:
        yield Sign("outpost", f"{needs.planets}{ALIKE.get(needs.of, '')}")
        yield from _of(needs)
    if needs.pirates:
        yield Sign("pirates", str(needs.pirates))
    if needs.technologies:
        yield Sign("marker", str(needs.technologies))
    if needs.missions:
        types = [(Sign(type),) for type in needs.types]
        yield Sign("complete", str(needs.missions))
        yield from (sign for type in types for sign in type) if needs.each else between(types)


def _of(needs: Needs) -> Iterator[Sign]:
    match needs.of:
        case "action":
            yield Sign("action-planet")
        case "mining":
            yield Sign("mining")
        case "each-type":
            yield from (Sign("action-planet"), Sign("mining"), Sign("wild"))
        case "one-colour" | "mixed":
            colours = [(PLANETS[colour],) for colour in needs.colours]
            # Adjacent signs mean that a mixture is enough (rule 133).
            yield from between(colours) if needs.of == "one-colour" else (s for c in colours for s in c)
