"""What it costs to settle a world; every number names the tiles it comes from (p. 6).

Credits and military are never mixed: a way is one or the other. A way that is worse than another in every
respect is left out, so that nobody is asked whether to pay for a world that can be conquered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from companion.core.faces import Sign, Signs
from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import World, fits, in_bounds
from companion.games.frontiers.deeds import because
from companion.games.frontiers.faces import MINUS, UNTOLD, good
from companion.games.frontiers.powers import (
    GainAfterSettle,
    MilitaryForGood,
    MilitaryPower,
    PayForMilitary,
    SettleDiscount,
)
from companion.games.frontiers.state import FrontiersState, PowerId
from scoring.frontiers import KINDS, Kind


class Way(Struct, frozen=True):
    """One way to settle a world: what to pay, or the strength to conquer it with.

    `removing` are the powers that turn a good into military first; `named` is the kind the Oort Cloud Refinery is
    settled as.
    """

    id: str
    cost: int
    parts: tuple[Text, ...]
    strength: int | None = None
    removing: tuple[PowerId, ...] = ()
    named: Kind | None = None

    def text(self, state: FrontiersState) -> Text:
        """What to do, with every number explained."""
        if self.strength is None:
            deed = count("frontiers.pay", self.cost, because=self.parts)
        else:
            deed = say("frontiers.conquer", n=self.strength, because=self.parts)
        if self.removing:
            deed = count("frontiers.removing-first", len(self.removing), deed=deed)
        if self.named is not None:
            deed = say("frontiers.settled-as", kind=say(f"frontiers.good.{self.named}"), deed=deed)
        return deed

    def signs(self, state: FrontiersState, world: World) -> Signs:
        """The cost of this way, as signs."""
        kind = () if self.named is None else (good(self.named, there=world.goods != "windfall"),)
        colonists = Sign("colonists", f"{MINUS}{world.colonists or '?'}")
        if self.strength is None:
            return (*kind, Sign("credits", f"{MINUS}{self.cost}"), colonists)
        gone = tuple(good(_power(state, id).good) for id in self.removing)
        return (
            *kind,
            *gone,
            Sign("military", str(self.strength)),
            Sign("defence", str(world.number)),
            colonists,
        )


UNTOLD_SIGNS: Signs = (UNTOLD,)
"""The signs of a world whose price is unknown."""


def _power(state: FrontiersState, id: PowerId) -> MilitaryForGood:
    power = (state.tile(id[0]).powers or ())[id[1]]
    assert isinstance(power, MilitaryForGood)
    return power


def ways(state: FrontiersState, seat: int, id: str) -> list[Way]:
    """Every way worth choosing to settle this world now; the cheapest first."""
    world, who = state.world(id), state.seats[seat]
    if world.untold() or who.colonists < (world.colonists or 0):
        return []
    found = [way for named in _kinds(state, seat, world) for way in _as(state, seat, world, named)]
    within = [way for way in found if way.cost <= who.credits]
    gains = [power.match for _, power in state.having(seat, GainAfterSettle)]
    return sorted(within, key=lambda way: (way.cost, len(way.removing), -gains.count(way.named or "all")))


def _as(state: FrontiersState, seat: int, world: World, named: Kind | None) -> list[Way]:
    if not world.is_military:
        printed = (say("frontiers.part.cost", n=world.number),)
        return [_reduced(state, seat, world, named, _id("pay", named=named), world.number, printed)]
    strength, parts = military(state, seat, world, named)
    if strength >= world.number:
        return [Way(_id("conquer", named=named), 0, parts, strength, named=named)]
    paid = list(_paid_instead(state, seat, world, named))
    cheapest = [min(paid, key=lambda way: way.cost)] if paid else []
    return [*cheapest, *_with_goods(state, seat, world, strength, parts, named)]


def _id(verb: str, *used: PowerId, named: Kind | None = None) -> str:
    """The id of a way in the journal."""
    powers = "".join(f"+{tile}.{place}" for tile, place in used)
    return f"{verb}{powers}" if named is None else f"{verb}{powers}@{named}"


def _kinds(state: FrontiersState, seat: int, world: World) -> tuple[Kind | None, ...]:
    """The kinds a world can be settled as: its own, or several for the refinery, whose kind may matter for
    its own placement (p. 4). The refinery's kind is named only once in an action."""
    if world.kind != "any":
        return (None,)
    named = state.seats[seat].named
    if named is not None:
        return (named,)
    sorts = SettleDiscount | GainAfterSettle | MilitaryPower | PayForMilitary
    matches = {power.match for _, power in state.powers(seat, "settle") if isinstance(power, sorts)}
    matters = world.goods == "windfall" or not matches.isdisjoint(KINDS)
    return tuple(reversed(KINDS)) if matters else (None,)


def _reduced(
    state: FrontiersState,
    seat: int,
    world: World,
    named: Kind | None,
    id: str,
    cost: int,
    parts: tuple[Text, ...],
) -> Way:
    for tile, power in state.having(seat, SettleDiscount):
        if fits(power.match, world, named) and in_bounds(power, world):
            cost -= power.n
            parts = (*parts, because(tile, -power.n))
    for source, n in state.seats[seat].told_discounts:
        cost -= n
        parts = (*parts, because(state.tile(source), -n))
    return Way(id, max(0, cost), parts, named=named)


def military(
    state: FrontiersState, seat: int, world: World, named: Kind | None = None
) -> tuple[int, tuple[Text, ...]]:
    """Strength against this world without removing another good, and the parts that add up to it (p. 6)."""
    total, parts = 0, []
    for tile, power in state.having(seat, MilitaryPower):
        if fits(power.match, world, named) and in_bounds(power, world):
            total += power.n
            parts.append(because(tile, power.n))
    removed = state.seats[seat].bonus_military
    if removed:
        total += removed
        parts.append(say("frontiers.part.removed-goods", n=removed))
    return total, tuple(parts) or (say("frontiers.part.no-military"),)


def _paid_instead(state: FrontiersState, seat: int, world: World, named: Kind | None) -> Iterator[Way]:
    """Ways to pay for a military world. Contact Specialist is never combined with another such power (p. 6 of
    the English rules), so each power is a separate way."""
    alien = fits("alien", world, named) or fits("alien-keyword", world, named)
    for id, power in state.powers(seat, "settle"):
        if not isinstance(power, PayForMilitary) or not fits(power.match, world, named):
            continue
        if (power.except_alien and alien) or not in_bounds(power, world):
            continue
        parts = (say("frontiers.part.defence", n=world.number), because(state.tile(id[0]), -power.n))
        cost = world.number - power.n
        yield _reduced(state, seat, world, named, _id("pay", id, named=named), cost, parts)


def _with_goods(
    state: FrontiersState,
    seat: int,
    world: World,
    strength: int,
    parts: tuple[Text, ...],
    named: Kind | None,
) -> Iterator[Way]:
    """Ways to conquer with removed goods, using no more of these powers than needed; equal ones are one way."""
    unused = goods_powers(state, seat)
    lying = Counter(colony.good for colony in state.seats[seat].colonies if colony.good is not None)
    seen = set()
    for size in range(1, len(unused) + 1):
        for chosen in combinations(unused, size):
            powers = [power for _, power in chosen]
            total = strength + sum(power.n for power in powers)
            like = tuple(sorted((power.n, power.good) for power in powers))
            needless = any(total - power.n >= world.number for power in powers)
            if total < world.number or needless or like in seen or not _enough(lying, powers):
                continue
            seen.add(like)
            ids = tuple(id for id, _ in chosen)
            more = tuple(because(state.tile(tile), power.n) for (tile, _), power in chosen)
            yield Way(_id("conquer", *ids, named=named), 0, (*parts, *more), total, ids, named)


def goods_powers(state: FrontiersState, seat: int) -> list[tuple[PowerId, MilitaryForGood]]:
    """The powers that turn a good into military and were not used in this action; those for one kind come
    first, so that a power for any kind never takes the only good of that kind."""
    used = state.seats[seat].used
    found = [
        (id, power)
        for id, power in state.powers(seat, "settle")
        if isinstance(power, MilitaryForGood) and id not in used
    ]
    return sorted(found, key=lambda item: item[1].good == "any")


def _enough(lying: Counter[Kind], powers: list[MilitaryForGood]) -> bool:
    """Whether there is a different good for each of these powers."""
    wanted = Counter(power.good for power in powers)
    return sum(wanted.values()) <= sum(lying.values()) and all(wanted[kind] <= lying[kind] for kind in KINDS)


def why_not(state: FrontiersState, seat: int, id: str) -> Text:
    """The rule that forbids this seat to settle this tile now."""
    who, name = state.seats[seat], state.name(id)
    if id not in who.explored:
        return say("frontiers.why.not-explored")
    world = state.world(id)
    if who.colonists < (world.colonists or 1):
        return count("frontiers.why.colonists", world.colonists or 1, world=name, have=who.colonists)
    kinds = _kinds(state, seat, world)
    found = [way for named in kinds for way in _as(state, seat, world, named) if not way.removing]
    expensive = [way for way in found if way.strength is None]
    if world.is_military and not expensive:
        strength, parts = military(state, seat, world)
        return say("frontiers.why.weak", world=name, defence=world.number, n=strength, because=parts)
    way = min(expensive, key=lambda way: way.cost)
    return count("frontiers.why.expensive", way.cost, world=name, have=who.credits, because=way.parts)
