"""Whole consume orders as options: the best one, the one that also discards from the hand, and those that
keep other goods."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.faces import ARROW, Sign
from companion.core.power_orders import PowerId, Use, encode
from companion.core.questions import Option
from companion.core.words import Text, count, say
from companion.games.race.cards import DiscardHand, Power
from companion.games.race.consuming import Order, best_order, every_result
from companion.games.race.signs import gains, signs_of_goods
from companion.games.race.state import RaceState

OF_HAND = "#"
"""The prefix of the number of hand cards a plan discards."""

MOST_PLANS = 6
"""How many whole orders are offered besides the best one."""


def whole_orders(
    state: RaceState, seat: int, used: tuple[PowerId, ...], found: dict[PowerId, Power]
) -> tuple[list[Option], int]:
    """Whole orders of using the powers `found`, the best first, and the number of different results; 0 if
    there are too many to count."""
    best, orders = best_order(state, seat, used), every_result(state, seat, used) or []
    others = [order for order in orders if order.result != best.result]
    plans = _plans(state, seat, best, others[:MOST_PLANS])
    if discards := _discards(state, seat, found, best.cards):
        plans.insert(1, _with_hand(state, seat, plans[0], best, discards))
    return plans, len(orders)


def _plans(state: RaceState, seat: int, best: Order, others: list[Order]) -> list[Option]:
    """Whole orders; if two keep goods of the same kinds, they name the worlds."""
    plans = [_plan(state, seat, best, best=True), *(_plan(state, seat, order) for order in others)]
    texts = [plan.text for plan in plans]
    return [
        replace(plan, text=_by_what_stays(state, seat, order, by_name=True))
        if n and texts.count(plan.text) > 1
        else plan
        for n, (plan, order) in enumerate(zip(plans, (best, *others), strict=True))
    ]


def _plan(state: RaceState, seat: int, order: Order, best: bool = False) -> Option:
    points = order.points * factor(state, seat)
    what = _gained(points, order.cards)
    text = say("race.consume-all", what=what) if best else _by_what_stays(state, seat, order)
    how = say("race.in-this-order", how=tuple(_use_text(state, use) for use in order.uses))
    goods = [world for use in order.uses for world in use.goods]
    signs = (*signs_of_goods(state, goods), ARROW, *gains(points, order.cards))
    return Option(f"plan:{encode(order.uses)}", text, None, how, signs=signs)


def _discards(state: RaceState, seat: int, found: dict[PowerId, Power], drawn: int) -> tuple[Use, ...]:
    """Uses that discard as many hand cards for points as possible, after everything else was consumed."""
    hand, uses = state.seats[seat].hand + drawn, []
    for id, power in found.items():
        if isinstance(power, DiscardHand) and (n := min(power.cards, hand)):
            uses.append(Use(*id, (f"{OF_HAND}{n}",)))
            hand -= n
    return tuple(uses)


def _with_hand(state: RaceState, seat: int, plan: Option, best: Order, discards: tuple[Use, ...]) -> Option:
    """The best order plus the most hand cards discarded; never the first option, since hand cards are the
    player's decision."""
    id = f"plan:{encode((*best.uses, *discards))}"
    points, cards = best.points * factor(state, seat), sum(of_hand(use) for use in discards)
    points += sum(of_hand(use) * _discarding(state, use).points for use in discards)
    text = count("race.consume-discarding", cards, what=_gained(points, best.cards))
    goods = [world for use in best.uses for world in use.goods]
    gone = (*signs_of_goods(state, goods), Sign("card", f"\N{MINUS SIGN}{cards}"))
    return replace(plan, id=id, text=text, signs=(*gone, ARROW, *gains(points, best.cards)))


def _by_what_stays(state: RaceState, seat: int, order: Order, by_name: bool = False) -> Text:
    """An order in words: its gains, and which goods stay, since other orders may gain the same."""
    what = _gained(order.points * factor(state, seat), order.cards)
    stay = [world for world in state.seats[seat].goods if world not in order.gone]
    if not stay:
        return say("race.consume-so", what=what)
    kinds = tuple(say(f"race.left.{state.deck[world].good}") for world in stay)
    names = tuple(state.name(world) for world in stay)
    return say("race.consume-keeping", what=what, goods=names if by_name else kinds)


def _gained(points: int, cards: int) -> tuple[Text, ...]:
    """Points and cards in words; if both are zero, zero points."""
    what = [count("race.points", points)] if points or not cards else []
    return (*what, count("race.cards", cards)) if cards else tuple(what)


def of_hand(use: Use) -> int:
    """How many cards from the hand a power is used on."""
    return int(use.goods[0].removeprefix(OF_HAND))


def _discarding(state: RaceState, use: Use) -> DiscardHand:
    power = state.deck[use.source].powers[use.power]
    assert isinstance(power, DiscardHand)
    return power


def _use_text(state: RaceState, use: Use) -> Text:
    if not use.goods:
        return state.name(use.source)
    goods = tuple(state.name(world) for world in use.goods)
    return say("race.use-on", card=state.name(use.source), goods=goods)


def factor(state: RaceState, seat: int) -> int:
    """Two for a seat that chose to double points, otherwise one."""
    return 2 if state.has_bonus(seat, "consume-x2") else 1
