"""Changes of a seat's cards, goods and points, as signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.core.faces import Sign, Signs
from companion.games.race.cards import Card
from companion.games.race.costs import Way
from companion.games.race.state import RaceState

LETTER = {"novelty": "N", "rare": "R", "genes": "G", "alien": "A"}


def goods(kind: str, n: int = 1) -> Sign:
    """`n` goods of this kind."""
    return Sign("good", LETTER[kind] if n == 1 else f"{n}{LETTER[kind]}", kind)


def signs_of_goods(state: RaceState, worlds: Iterable[str]) -> Signs:
    """The goods of these worlds; equal ones share one sign."""
    kinds = Counter(str(state.deck[world].good) for world in worlds)
    return tuple(goods(kind, n) for kind, n in kinds.items())


def gains(points: int = 0, cards: int = 0) -> Signs:
    """Points and cards gained; if both are zero, a zero of points."""
    found = [Sign("points", f"+{points}")] if points or not cards else []
    found += [Sign("card", f"+{cards}")] if cards else []
    return tuple(found)


def signs_of_way(state: RaceState, card: Card, way: Way) -> Signs:
    """The cost of placing a card: cards from the hand, or strength against its defence, and cards discarded
    for it."""
    gone = tuple(Sign("discard") for _ in way.discards)
    if way.strength is None:
        return (Sign("card", f"\N{MINUS SIGN}{way.cost}"), *gone)
    return (Sign("military", f"{way.strength}"), Sign("defence", str(card.defense)), *gone)


ACTIONS: dict[str, Signs] = {
    "explore-5": (Sign("explore", "+5"),),
    "explore-1-1": (Sign("explore", "+1+1"),),
    "develop": (Sign("develop", "\N{MINUS SIGN}1"),),
    "develop-2": (Sign("develop-2", "\N{MINUS SIGN}1"),),
    "settle": (Sign("settle"), Sign("card", "+1")),
    "settle-2": (Sign("settle-2"), Sign("card", "+1")),
    "consume-trade": (Sign("trade"), Sign("card")),
    "consume-x2": (Sign("consume", "2×"),),
    "produce": (Sign("produce"), Sign("good", dim=True)),
}


def signs_of_action(id: str) -> Signs:
    """The phase of an action card, and its bonus."""
    return ACTIONS[id]
