"""What it costs to place a card; every number names the cards it comes from."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.core.words import Text, count, say
from companion.games.race.cards import (
    Card,
    DiscardForMilitary,
    DiscardToSettleFree,
    Military,
    MilitaryAgainstGood,
    MilitaryAgainstRebels,
    PayForMilitary,
    ReduceCost,
    powers,
)
from companion.games.race.state import RaceState, because


class Way(Struct, frozen=True):
    """One way to place a card: what to pay, or the strength to conquer with; `used` powers are named in the id."""

    id: str
    cost: int
    parts: tuple[Text, ...]
    used: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    strength: int | None = None

    def text(self, state: RaceState) -> Text:
        """What to do, with every number explained."""
        if self.strength is None:
            deed = count("race.pay", self.cost, because=self.parts)
        else:
            deed = say("race.conquer", n=self.strength, because=self.parts)
        if not self.discards:
            return deed
        names = tuple(state.name(id) for id in self.discards)
        return say("race.and-discard", deed=deed, cards=names)


def develop_way(state: RaceState, seat: int, card: Card, cards: list[Card]) -> Way:
    """The way to pay for a development: its cost, less the reductions of `cards` and the bonus."""
    assert card.cost is not None
    cost, parts = card.cost, [say("race.part.cost", n=card.cost)]
    for source, power in powers(cards, ReduceCost, "develop"):
        cost -= power.amount
        parts.append(because(source, -power.amount))
    if state.phase is not None and state.has_bonus(seat, state.phase):
        cost -= 1
        parts.append(say("race.part.develop-bonus"))
    return Way("pay", max(0, cost), tuple(parts))


def settle_ways(state: RaceState, seat: int, card: Card, cards: list[Card]) -> list[Way]:
    """Every way the rules allow to settle a world with `cards` in the tableau, whether or not the hand can
    pay for it.

    Paying and Military are never mixed (p. 5): a way is one or the other. A card that may be discarded for
    Military may be discarded even if that is not needed, for example to stay below twelve cards; those ways
    come last.
    """
    ways = _paid_ways(card, cards) if card.cost is not None else _military_ways(card, cards)
    tactics = [(c, p) for c, p in powers(cards, DiscardForMilitary)]
    for source, power in tactics:
        ways += [_with_tactics(way, source, power.amount) for way in list(ways)]
    legal = [w for w in ways if w.strength is None or w.strength >= (card.defense or 0)]
    return sorted(legal, key=lambda w: (len(w.discards), w.cost, len(w.used)))


def _with_tactics(way: Way, source: Card, amount: int) -> Way:
    strength = None if way.strength is None else way.strength + amount
    parts = way.parts if way.strength is None else (*way.parts, because(source, amount))
    return Way(
        f"{way.id}+{source.id}", way.cost, parts, (*way.used, source.id), (*way.discards, source.id), strength
    )


def _paid_ways(card: Card, cards: list[Card]) -> list[Way]:
    assert card.cost is not None
    paid = _reduced("pay", card.cost, [say("race.part.cost", n=card.cost)], card, cards, ())
    return [paid, *_colony_ways(paid, card, cards)]


def _military_ways(card: Card, cards: list[Card]) -> list[Way]:
    assert card.defense is not None
    strength, parts = military(card, cards)
    ways = [Way("conquer", 0, tuple(parts), strength=strength)]
    for source, power in powers(cards, PayForMilitary):
        if card.good == power.except_good:
            continue
        parts = [say("race.part.defense", n=card.defense), because(source, -power.reduction)]
        cost = card.defense - power.reduction
        paid = _reduced(f"pay+{source.id}", cost, parts, card, cards, (source.id,))
        ways += [paid, *_colony_ways(paid, card, cards)]
    return ways


def _reduced(
    id: str, cost: int, parts: list[Text], card: Card, cards: list[Card], used: tuple[str, ...]
) -> Way:
    for source, power in powers(cards, ReduceCost, "settle"):
        if power.good in (None, card.good):
            cost -= power.amount
            parts = [*parts, because(source, -power.amount)]
    return Way(id, max(0, cost), tuple(parts), used)


def _colony_ways(paid: Way, card: Card, cards: list[Card]) -> list[Way]:
    """Discarding a Colony Ship pays the whole price, but never for a world with an alien good."""
    return [
        Way(
            f"{paid.id}+{source.id}",
            0,
            (say("race.part.colony-ship", name=source.called),),
            (*paid.used, source.id),
            (source.id,),
        )
        for source, power in powers(cards, DiscardToSettleFree)
        if card.good != power.except_good
    ]


def military(card: Card, cards: Iterable[Card]) -> tuple[int, list[Text]]:
    """Strength against this world without discarding anything, and the parts that add up to it."""
    total, parts = 0, []
    for source in cards:
        amount = sum(p.amount for p in source.having(Military))
        amount += sum(p.amount for p in source.having(MilitaryAgainstGood) if p.good == card.good)
        if "rebel" in card.keywords:
            amount += sum(p.amount for p in source.having(MilitaryAgainstRebels))
        if amount:
            total += amount
            parts.append(because(source, amount))
    return total, parts or [say("race.part.no-military")]


def general_military(cards: Iterable[Card]) -> int:
    """Military against every world: the number New Galactic Order counts."""
    return sum(p.amount for _, p in powers(cards, Military))


def ways(state: RaceState, seat: int, card: Card) -> list[Way]:
    """Every affordable way this seat has to place this card now.

    The card itself neither pays nor helps: its powers begin with the next phase (p. 4).
    """
    who = state.seats[seat]
    cards = [c for c in state.cards(seat) if c.id != card.id]
    hand = who.hand if card.id in who.tableau else who.hand - 1
    if card.is_world:
        found = settle_ways(state, seat, card, cards)
    else:
        found = [develop_way(state, seat, card, cards)]
    return [way for way in found if way.cost <= hand]


def why_not(state: RaceState, seat: int, card: Card) -> Text:
    """The rule that forbids this seat to place this card in this phase."""
    who, name = state.seats[seat], card.called
    if card.id in who.tableau:
        return say("race.why.has-it", card=name, seat=who.name)
    if state.in_sight(card.id) >= card.copies:
        return say("race.why.all-in-sight", card=name)
    wanted = "world" if state.phase in ("settle", "settle-2") else "development"
    if card.kind != wanted:
        return say(f"race.why.not-a-{wanted}", card=name)
    cards = state.cards(seat)
    if card.kind == "development":
        way = develop_way(state, seat, card, cards)
        return count("race.why.expensive", way.cost, card=name, hand=who.hand - 1, because=way.parts)
    found = settle_ways(state, seat, card, cards)
    if not found:
        strength, parts = military(card, cards)
        return say("race.why.weak", card=name, defense=card.defense or 0, n=strength, because=tuple(parts))
    way = min(found, key=lambda w: w.cost)
    return count("race.why.expensive", way.cost, card=name, hand=who.hand - 1, because=way.parts)
