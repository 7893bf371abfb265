"""What happens to a seat's cards, goods and points, as signs."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.faces import Sign, Signs
from companion.games.race.cards import Card
from companion.games.race.costs import Way
from companion.games.race.state import RaceState

LETTER = {"novelty": "N", "rare": "R", "genes": "G", "alien": "A"}


def good(kind: str) -> Sign:
    """A good of this kind."""
    return Sign("good", LETTER[kind], kind)


def signs_of_goods(state: RaceState, worlds: Iterable[str]) -> Signs:
    """The goods of these worlds."""
    return tuple(good(str(state.deck[world].good)) for world in worlds)


def gains(points: int = 0, cards: int = 0) -> Signs:
    """Points and cards that come; points also if there are none of either."""
    found = [Sign("points", f"+{points}")] if points or not cards else []
    found += [Sign("card", f"+{cards}")] if cards else []
    return tuple(found)


def signs_of_way(state: RaceState, card: Card, way: Way) -> Signs:
    """What placing a card takes: cards from the hand, or strength against its defence, and cards given up for it."""
    gone = tuple(Sign("discard", state.deck[id].name) for id in way.discards)
    if way.strength is None:
        return (Sign("card", f"\N{MINUS SIGN}{way.cost}"), *gone)
    return (Sign("military", f"{way.strength}"), Sign("defence", str(card.defense)), *gone)
