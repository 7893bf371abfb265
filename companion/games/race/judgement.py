"""How much a card and an action are worth to a seat, by the rules of thumb of casual players."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.race.cards import PRICE, Card
from companion.games.race.consuming import best_order, price
from companion.games.race.costs import general_military, military, ways
from companion.games.race.state import RaceState

FULL = 12
"""Cards in a tableau that end the game; near that number, long-term benefits are worth little."""
OPEN = 4.0
"""A typical score of a development whose points depend on other cards."""
OUT_OF_REACH = -6.0
"""The value of a world whose defense is far above the seat's military."""


def worth(state: RaceState, seat: int, card: Card) -> float:
    """The value of placing this card: points, and future income from its powers and goods, less its cost."""
    mine = state.cards(seat)
    if any(card.id == other.id for other in mine):
        return OUT_OF_REACH
    left = (FULL - len(mine)) / FULL
    later = 1.2 * len(card.powers) + 0.8 * _goods(card)
    return (OPEN if card.points is None else card.points) + left * later + _reach(mine, card)


def _goods(card: Card) -> float:
    """The sale value of its goods; less for a windfall world, which sells only once."""
    if card.good is None or card.world is None:
        return 0.0
    return PRICE[card.good] * (1.0 if card.world == "production" else 0.6)


def _reach(mine: list[Card], card: Card) -> float:
    """The cost in cards, converted to points; a world that cannot be conquered soon is hardly worth keeping."""
    if card.defense is None:
        return -0.35 * (card.cost or 0)
    lacking = card.defense - military(card, mine)[0]
    if lacking <= 0:
        return 0.5  # it costs no card
    return -1.5 * lacking if lacking < 3 and general_military(mine) > 0 else OUT_OF_REACH


def best(state: RaceState, seat: int, cards: Iterable[Card]) -> Card | None:
    """The card this seat would place first, if any."""
    return max(cards, key=lambda card: worth(state, seat, card), default=None)


def action_values(state: RaceState, seat: int, hand: list[Card]) -> dict[str, float]:
    """The value of each action to this seat now, roughly in points."""
    who = state.seats[seat]
    ready = [card for card in hand if card.id not in who.tableau and ways(state, seat, card)]
    world = best(state, seat, (card for card in ready if card.is_world))
    development = best(state, seat, (card for card in ready if not card.is_world))
    settle = -1.0 if world is None else worth(state, seat, world) + 1.5
    develop = -1.0 if development is None else worth(state, seat, development) + 1.0
    poor = 1.0 if who.hand < 4 else 0.4
    sale = max((price(state, seat, id, True)[0] for id in who.goods), default=0)
    empty = sum(card.world == "production" and card.id not in who.goods for card in state.cards(seat))
    return {
        "explore-5": 1.2 if ready else 2.6,
        "explore-1-1": 2.0 * poor + (0.0 if ready else 0.4),
        "develop": develop,
        "develop-2": develop - 0.5,
        "settle": settle,
        "settle-2": settle - 0.5,
        "consume-trade": 1.2 * sale * poor,
        "consume-x2": 2.0 * best_order(state, seat, ()).points if who.goods else -1.0,
        "produce": 1.4 * empty + 0.1,
    }
