"""What a seat can pay, and in which ways. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations_with_replacement

from msgspec import Struct

from companion.games.transgalactica.component_types import Mission
from companion.games.transgalactica.effects import RESOURCES, STUFF, Cost, Stuff
from companion.games.transgalactica.state import Seat, TransState

MILITARY: tuple[Cost, ...] = ("energy", "energy", "credit")
TRADE: tuple[Cost, ...] = ("mineral", "mineral", "alien")
"""The price of a trade advance unless another is printed (rule 66)."""


CHANGED: tuple[Stuff, ...] = ("energy", "mineral")
"""What a credit may be changed into, never the other way round (rule 43)."""


class Price(Struct, frozen=True, omit_defaults=True):
    """One price that can be paid, and the points for paying it."""

    cost: tuple[Cost, ...]
    vp: int = 0


class Way(Struct, frozen=True):
    """The exact pieces that are paid."""

    paid: tuple[tuple[Stuff, int], ...]
    vp: int = 0
    changed: tuple[tuple[Stuff, int], ...] = ()
    """How many of the paid credits replace each of these."""

    @property
    def id(self) -> str:
        """The id of this way in an answer."""
        return "+".join(f"{n}-{what}" for what, n in self.paid) or "nothing"


FREE_OF_COST = Way(())


def ways(seat: Seat, prices: Iterable[Price], *, changing: bool = False) -> tuple[Way, ...]:
    """Every distinct way to pay one of these prices from a hold.

    With `changing`, credits are changed into missing energy and minerals, but never into more than needed.
    """
    found: dict[str, Way] = {}
    for price in prices:
        for chosen in combinations_with_replacement(RESOURCES, sum(one == "any" for one in price.cost)):
            paid = Counter[str](one for one in price.cost if one != "any")
            paid.update(chosen)
            lacking = {what: paid[what] - getattr(seat, what) for what in CHANGED if changing}
            changed = +Counter[str](lacking)
            paid = paid - changed + Counter[str](credit=changed.total())
            if all(getattr(seat, what) >= n for what, n in paid.items()):
                way = Way(_pieces(paid), price.vp, _pieces(changed))
                other = found.get(way.id)
                if other is None or (other.vp, not other.changed) < (way.vp, not way.changed):
                    found[way.id] = way
    return tuple(sorted(found.values(), key=lambda way: bool(way.changed)))


def _pieces(counted: Counter[str]) -> tuple[tuple[Stuff, int], ...]:
    return tuple((what, counted[what]) for what in STUFF if counted[what])


def pieces(what: Cost, n: int) -> Price:
    """The price of `n` pieces of one kind."""
    return Price((what,) * n)


def payments(state: TransState, seat: int, prices: Iterable[Price]) -> tuple[Way, ...]:
    """Every way a seat can pay one of these prices now; in its own turn it may change credits (rule 43)."""
    return ways(state.seats[seat], prices, changing=state.own_turn(seat))


def less(cost: Iterable[Cost], discount: Iterable[Cost]) -> tuple[Cost, ...]:
    """A cost minus a discount; pieces the cost does not contain are ignored (rule 47)."""
    left = list(cost)
    for piece in discount:
        if piece in left:
            left.remove(piece)
    return tuple(left)


def trade_prices(
    state: TransState, seat: int, main: bool, discount: tuple[Cost, ...] = ()
) -> tuple[Price, ...]:
    """The price of the next trade space; as main action any two of its three pieces (rules 108, 109, 136)."""
    own: tuple[Cost, ...] = ("alien",) if state.has(seat, "trade-without-alien") else ()
    whole = less(TRADE, discount)
    costs = [less(whole, (piece,)) for piece in dict.fromkeys(whole)] if main else [whole]
    left = list(dict.fromkeys(less(cost, own) for cost in costs))
    return tuple(Price(cost) for cost in left if not any(_is_less(other, cost) for other in left))


def _is_less(one: tuple[Cost, ...], other: tuple[Cost, ...]) -> bool:
    """Whether one cost is contained in another, so that the other is never worth paying."""
    return len(one) < len(other) and not Counter(one) - Counter(other)


def military_prices(main: bool, discount: tuple[Cost, ...] = ()) -> tuple[Price, ...]:
    """The price of a military advance; as main action one piece is omitted (rules 118, 119)."""
    whole = less(MILITARY, discount)
    costs = [less(whole, (piece,)) for piece in dict.fromkeys(whole)] if main else [whole]
    return tuple(Price(cost) for cost in costs)


def mission_prices(state: TransState, seat: int, mission: Mission) -> tuple[Price, ...]:
    """The price of a mission: a credit less (rule 147), for the insider any resource less (rule 168)."""
    cost: tuple[Cost, ...] = mission.cost
    if state.has(seat, "missions-cheaper"):
        cost = less(cost, ("credit",))
    resources = [piece for piece in dict.fromkeys(cost) if piece != "credit"]
    if state.able(seat, "party-insider") and resources:
        return tuple(Price(less(cost, (piece,))) for piece in resources)
    return (Price(cost),)


def tunnel_prices(state: TransState, seat: int) -> tuple[Price, ...]:
    """The price of using a tunnel (rules 81, 144)."""
    usual = Price(("alien",))
    if not state.has(seat, "tunnel-for-resources"):
        return (usual,)
    return (Price(("any", "any"), vp=2), usual)
