"""The sums of all powers of a tableau, phase by phase, which players otherwise add up by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.faces import Sign, Signs
from companion.games.race import cards
from companion.games.race.cards import GOODS, Card, Phase, Power, powers
from companion.games.race.costs import general_military
from companion.games.race.faces import drawn, good, signed

PHASES: tuple[Phase, ...] = ("explore", "develop", "settle", "consume", "produce")
NOTHING = Sign("dash")


def sums(tableau: Iterable[Card]) -> tuple[Signs, ...]:
    """A row for each phase: its symbol, then the sums of this tableau; a dash if there are none."""
    mine = tuple(tableau)
    counted = {
        "explore": _explore,
        "develop": _develop,
        "settle": _settle,
        "consume": _consume,
        "produce": _produce,
    }
    return tuple((Sign(phase), *(tuple(counted[phase](mine)) or (NOTHING,))) for phase in PHASES)


def _total(mine: tuple[Card, ...], kind: type[Power], phase: Phase, of: str = "cards") -> int:
    return sum(int(getattr(power, of)) for _, power in powers(mine, kind, phase))


def _explore(mine: tuple[Card, ...]) -> Iterator[Sign]:
    if seen := _total(mine, cards.DrawExtra, "explore"):
        yield Sign("deck", signed(seen))
    if kept := _total(mine, cards.KeepExtra, "explore"):
        yield Sign("hand", signed(kept))


def _develop(mine: tuple[Card, ...]) -> Iterator[Sign]:
    if less := _total(mine, cards.ReduceCost, "develop", "amount"):
        yield Sign("development", signed(-less))
    yield from _cards(mine, "develop")


def _settle(mine: tuple[Card, ...]) -> Iterator[Sign]:
    """Powers for every world, then powers for worlds of one kind only."""
    if strength := general_military(mine):
        yield Sign("defence", signed(strength))
    off: Counter[str | None] = Counter()
    against: Counter[str] = Counter()
    for _, less in powers(mine, cards.ReduceCost, "settle"):
        off[less.good] += less.amount
    for _, more in powers(mine, cards.MilitaryAgainstGood, "settle"):
        against[more.good] += more.amount
    if off[None]:
        yield Sign("cost", signed(-off[None]))
    for kind in GOODS:
        if off[kind] or against[kind]:
            yield good(kind)
        if off[kind]:
            yield Sign("cost", signed(-off[kind]))
        if against[kind]:
            yield Sign("defence", signed(against[kind]))
    if rebels := _total(mine, cards.MilitaryAgainstRebels, "settle", "amount"):
        yield from (Sign("rebel"), Sign("defence", signed(rebels)))
    yield from _cards(mine, "settle")


def _cards(mine: tuple[Card, ...], phase: Phase) -> Iterator[Sign]:
    """Cards drawn in a phase, each time a card is placed."""
    more = _total(mine, cards.DrawAtStart, phase) + _total(mine, cards.DrawAfterPlacing, phase)
    if more + (plain := _total(mine, cards.Draw, phase)):
        yield drawn(more + plain)


def _consume(mine: tuple[Card, ...]) -> Iterator[Sign]:
    """How many goods and how many cards from the hand can be consumed."""
    goods = _total(mine, cards.ConsumeEach, "consume", "goods")
    goods += _total(mine, cards.ConsumeSet, "consume", "goods")
    goods += sum(1 for _ in powers(mine, cards.ConsumeForPrice, "consume"))
    if any(powers(mine, cards.ConsumeAll, "consume")):
        yield Sign("goods")
    if goods:
        yield from (good(None), Sign("count", f"×{goods}"))
    if hand := _total(mine, cards.DiscardHand, "consume"):
        yield Sign("hand", f"×{hand}")
    yield from _cards(mine, "consume")


def _produce(mine: tuple[Card, ...]) -> Iterator[Sign]:
    """Goods of production worlds, then goods that may come to windfall worlds."""
    made = Counter(card.good for card, _ in powers(mine, cards.ProduceHere))
    here = Counter(power.good for _, power in powers(mine, cards.ProduceOnWindfall, "produce"))
    for found, there in ((made, True), (here, False)):
        for kind, n in found.items():
            yield good(kind, there=there)
            if n > 1:
                yield Sign("count", f"×{n}")
    yield from _cards(mine, "produce")
