"""The odds of a battle: each side's chance to win, and the survivors. They are exact if that is quick enough,
otherwise estimated by simulated battles with a fixed seed (`odds_sample.py`), with the error stated.

The odds depend on this policy:

* Nobody retreats. Missiles are fired once, in order of initiative; then rounds of cannons in the same order until one
  side is gone. On a tie the defender shoots first (page 18), groups of one fleet in the given order.
* A player places every die to maximise their chance to win the battle, knowing that the other side does the same.
  If several placements are equally good, the die hits the larger type of ship.
* Dice of ancients and of the defence system (type `npc`) follow the rule of page 19: they destroy the largest ships
  they can, then do as much damage as possible, to the largest ships first.
* Damage stays on ships until the battle is over. If nobody has cannons left, the attacker loses (page 20).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

from msgspec import Struct, to_builtins

from companion.core.parts import OutOfTime
from companion.core.positions import checked, quoted
from companion.core.words import Text, decimal, plain, say
from companion.games.eclipse.odds_battle import LARGEST, Battle
from companion.games.eclipse.odds_dice import SIZES, Breathe, Fleet, Hull, TooLarge, on_and_on, whole
from companion.games.eclipse.odds_room import allowed
from companion.games.eclipse.odds_sample import sample

MOST_SHIPS = 8
"""No player's box has more ships of one type."""
MOST = 99
RANKED = 0.05
"""Added to the error of estimates, because dice are placed by a ranking and not optimally: with it, well over
95 in 100 estimates of battles that can be solved are within their error (`benchmarks/odds.py`)."""

Survivors = dict[str, tuple[float, ...]]
"""For each type of ship: the chance that none, one, two... of them survive."""


class Matchup(Struct, frozen=True):
    """Who attacks whom."""

    attacker: Fleet
    defender: Fleet


class Survival(Struct, frozen=True):
    """The survivors of both fleets."""

    attacker: Survivors
    defender: Survivors


class Odds(Struct, frozen=True, omit_defaults=True):
    """How a battle ends; a stalemate counts as a win of the defender, too."""

    attacker_win: float
    defender_win: float
    stalemate: float
    survivors: Survival
    error: float = 0.0
    """The error that an estimate does not exceed 95 times in 100; 0 where the odds are exact."""

    def plain(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        values: dict[str, Any] = to_builtins(self)
        return values

    def sentences(self) -> Iterator[Text]:
        """The same in sentences."""
        if self.error:
            yield say("eclipse.odds.estimated", points=str(round(100 * self.error)))
        yield say("eclipse.odds.attacker-wins", chance=percent(self.attacker_win))
        yield say("eclipse.odds.defender-wins", chance=percent(self.defender_win))
        if self.stalemate > 0:
            yield say("eclipse.odds.stalemate", chance=percent(self.stalemate))
        for side, survivors in (("attacker", self.survivors.attacker), ("defender", self.survivors.defender)):
            for type, chances in survivors.items():
                shares = tuple(
                    say("eclipse.odds.share", n=n, chance=percent(chance)) for n, chance in enumerate(chances)
                )
                yield say(f"eclipse.odds.left-{side}", ship=say(f"eclipse.odds.type.{type}"), shares=shares)


def percent(chance: float) -> Text:
    """A chance as text; one that is neither certain nor impossible is never rounded to 0 or 100 %."""
    if 0 < chance < 0.0005:
        return decimal(0.1, sign="<", unit="%")
    if 0.9995 < chance < 1:
        return decimal(99.9, sign=">", unit="%")
    return decimal(100 * chance, unit="%")


def odds_of(raw: dict[str, Any], breathe: Breathe = on_and_on) -> Odds:
    """The odds of the battle in these plain JSON values; raises `DataTrouble` with all problems."""
    matchup = checked({k: v for k, v in raw.items() if k in ("attacker", "defender")}, Matchup, _status)
    try:
        return odds(matchup.attacker, matchup.defender, breathe=breathe)
    except (TooLarge, OutOfTime):
        return estimated(matchup.attacker, matchup.defender)


def odds(
    attacker: Fleet,
    defender: Fleet,
    largest: int = LARGEST,
    left: tuple[Hull, Hull] | None = None,
    room: int | None = None,
    breathe: Breathe = on_and_on,
) -> Odds:
    """The odds of a battle between these fleets, undamaged or with these hit points left on each ship.

    Raises `TooLarge` if the battle is too large to solve, or needs more than `room` bytes; without `room`,
    more than this machine can spare. Calls `breathe` regularly, which may raise an exception to cancel.
    """
    fleets, hulls = _there(attacker, defender, left)
    battle = Battle(fleets, hulls, largest, allowed() if room is None else room, breathe)
    wins = battle.solve()
    ends = battle.ends()
    survival = Survival(
        _survivors(fleets[0], ends.attacker_wins, sum(ends.defender_wins.values())),
        _survivors(fleets[1], ends.defender_wins, sum(ends.attacker_wins.values())),
    )
    return Odds(wins, 1 - wins, ends.stalemate, survival)


def estimated(attacker: Fleet, defender: Fleet, left: tuple[Hull, Hull] | None = None) -> Odds:
    """The odds estimated by simulated battles with a fixed seed: the same battle always has the same estimate."""
    fleets, hulls = _there(attacker, defender, left)
    fought = sample(fleets, hulls)
    battles = len(fought.attacker_wins)
    wins = float(fought.attacker_wins.mean())
    ends: tuple[dict[Hull, float], dict[Hull, float]] = ({}, {})
    for side, won in enumerate((fought.attacker_wins, ~fought.attacker_wins)):
        for ships in fought.left[side][won].tolist():
            hull = tuple((1,) * n for n in ships)
            ends[side][hull] = ends[side].get(hull, 0.0) + 1 / battles
    survival = Survival(_survivors(fleets[0], ends[0], 1 - wins), _survivors(fleets[1], ends[1], wins))
    error = RANKED + 2 * sqrt(wins * (1 - wins) / battles)
    return Odds(wins, 1 - wins, float(fought.stalemates.mean()), survival, error)


def _there(
    attacker: Fleet, defender: Fleet, left: tuple[Hull, Hull] | None
) -> tuple[tuple[Fleet, Fleet], tuple[Hull, Hull]]:
    """The groups that have ships, and the hit points left on those ships."""
    if left is None:
        left = whole(attacker), whole(defender)
    fleets = tuple(tuple(group for group in fleet if group.n) for fleet in (attacker, defender))
    hulls = tuple(tuple(ships for ships in hull if ships) for hull in left)
    return (fleets[0], fleets[1]), (hulls[0], hulls[1])


def _survivors(fleet: Fleet, ends: dict[Hull, float], lost: float) -> Survivors:
    types = dict.fromkeys(group.type for group in fleet)
    found = {}
    for type in types:
        mine = [n for n, group in enumerate(fleet) if group.type == type]
        chances = [0.0] * (sum(fleet[n].n for n in mine) + 1)
        chances[0] = lost
        for hull, chance in ends.items():
            chances[sum(len(hull[n]) for n in mine)] += chance
        found[type] = tuple(chances)
    return found


def _status(matchup: Matchup) -> tuple[Text, ...]:
    sides = (("attacker", matchup.attacker), ("defender", matchup.defender))
    return tuple(problem for side, fleet in sides for problem in _problems(side, fleet))


def _problems(side: str, fleet: Fleet) -> Iterator[Text]:
    if not any(group.n for group in fleet):
        yield say("eclipse.odds.empty-fleet", where=side)
    for n, group in enumerate(fleet):
        where = f"{side}[{n}]"
        if group.type not in SIZES:
            known = tuple(plain(type) for type in SIZES)
            yield say(
                "eclipse.odds.unknown-type", where=f"{where}.type", type=quoted(group.type), known=known
            )
        yield from _bounds(f"{where}.n", group.n, MOST_SHIPS)
        for name in ("init", "hull", "comp", "shield"):
            yield from _bounds(f"{where}.{name}", getattr(group, name), MOST)
        for name in ("cannons", "missiles"):
            dice = getattr(group, name)
            if len(dice) != 3:
                yield say("eclipse.odds.three-colours", where=f"{where}.{name}", n=len(dice))
            for colour, number in enumerate(dice):
                yield from _bounds(f"{where}.{name}[{colour}]", number, MOST)


def _bounds(where: str, number: int, most: int) -> Iterator[Text]:
    if number < 0:
        yield say("eclipse.odds.negative", where=where, n=number)
    elif number > most:
        yield say("eclipse.odds.too-many", where=where, n=number, most=most)
