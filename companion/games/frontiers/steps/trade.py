"""Trade, Consume (p. 8): a point for the selector; each may sell one good, then uses every Consume power."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.faces import ARROW, Signs
from companion.core.power_orders import Order, Use, Worth, decode, encode, is_choice, still_to_pick
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.frontiers import faces
from companion.games.frontiers.consuming import (
    GAINS,
    fitting,
    proceeds,
    reward,
    search,
    sellable,
    takes,
    usable,
    with_sale,
)
from companion.games.frontiers.deeds import because, does, gain, remove_goods
from companion.games.frontiers.powers import Consume, Gain, GainAlways, GainPerConsumed, amount, gained, given
from companion.games.frontiers.state import FrontiersState, PowerId
from companion.games.frontiers.steps.explore import gain_always
from companion.games.frontiers.steps.goals import StockpileCredits
from companion.games.frontiers.steps.tellings import ask_told
from companion.games.frontiers.steps.turns import always, resolve, why_in_order
from scoring.frontiers import Kind

NOTHING = "nothing"
DONE = "done"
MOST_PLANS = 6
"""How many whole orders are offered besides the best one."""
SALON = "galactic-salon"


class ResolveTrade(Do, Struct, frozen=True, tag="resolve-trade"):
    """A point for the selector before the trading, then each seat sells and consumes."""

    def do(self, state: FrontiersState) -> FrontiersState:
        if state.selector is not None:
            state = gain(state, state.selector, "points", 1, (say("frontiers.part.trade-bonus"),))
        return resolve(state, parts, why_in_order(state, most))


def parts(seat: int) -> tuple[Step, ...]:
    """A seat's part of the action: nothing can be sold after consuming began."""
    return Selling(seat), BeginConsuming(seat), Consuming(seat), EndConsuming(seat)


def most(state: FrontiersState, seat: int, what: Gain) -> int:
    """The most of something that a seat may gain in this action."""
    who, total = state.seats[seat], always(state, seat, what, "consume")
    if sellable(state, seat):
        total += always(state, seat, what, "trade")
    for _, power in state.having(seat, GainPerConsumed):
        total += 0 if what == "points" else amount(power, what) * who.goods  # the best order counts points
        if power.gain == what:
            total += power.with_salon * (SALON in who.developments)
    return total + (search(state, seat).best().worth[0] if what == "points" else 0)


# Trade


class Selling(Do, Struct, frozen=True, tag="selling"):
    """Ask a seat that has a good to sell."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        return state.push(ChooseSale(self.seat)) if sellable(state, self.seat) else state


class ChooseSale(Ask, Struct, frozen=True, tag="choose-sale"):
    """Which good is sold, if any? First the sale that leaves the most points to consume, then the highest price."""

    seat: int
    slug: ClassVar[str] = "frontiers.sell"

    def ask(self, state: FrontiersState) -> Question:
        offers = [self._offer(state, colony.tile, colony.good) for colony in sellable(state, self.seat)]
        nothing = Option(NOTHING, say("frontiers.option.sell-nothing"))
        offers.append((with_sale(state, self.seat, None), nothing))
        offers.sort(key=lambda offer: offer[0], reverse=True)
        options = tuple(option for _, option in offers)
        return Question(self.slug, self.seat, say("frontiers.ask.sell"), options, notes=state.order_notes)

    def _offer(self, state: FrontiersState, tile: str, kind: Kind | None) -> tuple[Worth, Option]:
        assert kind is not None
        n, reasons = proceeds(state, self.seat, kind)
        price = count("frontiers.take.credits", n, because=reasons)
        signs = (faces.good(kind), ARROW, faces.gain("credits", n))
        return with_sale(state, self.seat, tile), Option(tile, state.name(tile), tile, price, signs=signs)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return state if option == NOTHING else sell(state, self.seat, option)

    def why_not(self, state: FrontiersState, component: str) -> Text:
        colony = state.seats[self.seat].colony(component)
        if colony is not None and colony.good is not None:
            return say("frontiers.why.refinery-not-sold", world=state.name(component))
        return say("frontiers.why.no-good-there")

    def is_obsolete(self, state: FrontiersState) -> bool:
        return not sellable(state, self.seat)


def sell(state: FrontiersState, seat: int, tile: str) -> FrontiersState:
    """Sell the good of this colony for credits; other gains of Trade powers come only with a sale (p. 8)."""
    colony = state.seats[seat].colony(tile)
    assert colony is not None
    assert colony.good is not None
    n, reasons = proceeds(state, seat, colony.good)
    good = say(f"frontiers.good.{colony.good}")
    state = remove_goods(state, seat, (tile,))
    sold = say("frontiers.sell", good=good, world=state.name(tile))
    state = gain(state, seat, "credits", n, reasons, after=(sold,))
    state = state.with_seat(seat, replace(state.seats[seat], sold=n))
    for source, power in state.having(seat, GainAlways):
        for what, n in given(power) if power.phase == "trade" else ():
            if what != "credits":
                state = gain(state, seat, what, n, (because(source, n),))
    return state.push(StockpileCredits(seat), *ask_told(state, seat, "trade"))


# Consume


class BeginConsuming(Do, Struct, frozen=True, tag="begin-consuming"):
    """Consume powers that consume nothing (Galactic Salon), and untaught powers, which the seat is asked about."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        return gain_always(state, self.seat, "consume").push(*ask_told(state, self.seat, "consume"))


class Consuming(Do, Struct, frozen=True, tag="consuming"):
    """Use all obligatory powers: automatically if every order has the same result, otherwise the seat chooses."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        if not usable(state, self.seat):
            return state
        found = search(state, self.seat).results()
        if found is None or len(found) > 1:
            return state.push(ChooseConsume(self.seat))
        return state.push(*(UsePower(self.seat, use) for use in found[0].uses))


class ChooseConsume(Ask, Struct, frozen=True, tag="choose-consume"):
    """In which order? Whole orders by their results, the best first; otherwise power by power."""

    seat: int
    slug: ClassVar[str] = "frontiers.consume"

    def ask(self, state: FrontiersState) -> Question:
        first, found = search(state, self.seat).best(), usable(state, self.seat)
        orders: dict[tuple[object, ...], Order] = {}
        for order in (first, *(search(state, self.seat).results() or ())):
            orders.setdefault(self._result(state, order), order)
        plans = [self._plan(state, order) for order in list(orders.values())[: 1 + MOST_PLANS]]
        one_by_one = say("frontiers.group.one-by-one")
        steps = [
            Option(
                f"use:{tile}:{place}",
                state.name(tile),
                tile,
                group=one_by_one,
                signs=faces.effect(power),
            )
            for (tile, place), power in found.items()
        ]
        if all(power.optional for power in found.values()):
            steps.append(Option(DONE, say("frontiers.option.consume-no-more"), group=one_by_one))
        text = say("frontiers.ask.consume")
        return Question(self.slug, self.seat, text, (*plans, *steps), notes=state.order_notes)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        verb, _, what = option.partition(":")
        if verb == "use":
            tile, _, place = what.partition(":")
            return state.push(TakeGoods(self.seat, tile, int(place)), Consuming(self.seat))
        uses = decode(what)
        state = leave_alone(state, self.seat, uses)
        return state.push(*(UsePower(self.seat, use) for use in uses), Consuming(self.seat))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return say("frontiers.why.cannot-consume")

    def is_obsolete(self, state: FrontiersState) -> bool:
        if not usable(state, self.seat):
            return True
        found = search(state, self.seat).results()
        return found is not None and len(found) == 1

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        return state.push(Consuming(self.seat))

    def _result(self, state: FrontiersState, order: Order) -> tuple[object, ...]:
        """The result of an order; two orders with the same result are interchangeable."""
        return (order.worth, *self._left(state, order))

    def _left(self, state: FrontiersState, order: Order) -> list[tuple[str, bool]]:
        """The goods left, as players distinguish them: by colour, and whether they are produced again
        automatically."""
        stay = (c for c in state.seats[self.seat].colonies if c.good is not None and c.tile not in order.gone)
        return sorted((str(c.good), state.world(c.tile).goods == "windfall") for c in stay)

    def _plan(self, state: FrontiersState, order: Order) -> Option:
        what = tuple(gained(gain, n) for gain, n in zip(GAINS, order.worth, strict=True) if n)
        left = Counter(kind for kind, _ in self._left(state, order))
        kinds = tuple(_many(say(f"frontiers.good.{kind}"), n) for kind, n in left.items())
        text = say("frontiers.option.consume", what=what) if what else say("frontiers.option.consume-nothing")
        if kinds:
            text = say("frontiers.option.consume-keeping", what=text, goods=kinds)
        how = tuple(_use_text(state, use) for use in order.uses)
        detail = say("frontiers.in-this-order", how=how) if how else None
        return Option(f"plan:{encode(order.uses)}", text, None, detail, signs=_signs(state, self.seat, order))


def _many(good: Text, n: int) -> Text:
    return good if n == 1 else say("frontiers.good-times", good=good, n=n)


def _use_text(state: FrontiersState, use: Use) -> Text:
    goods = tuple(state.name(tile) for tile in use.goods)
    return say("frontiers.use-on", tile=state.name(use.source), goods=goods)


def _signs(state: FrontiersState, seat: int, order: Order) -> Signs:
    goods = [str(c.good) for c in state.seats[seat].colonies if c.tile in order.gone]
    gone = tuple(faces.good(kind, n=goods.count(kind)) for kind in dict.fromkeys(goods))
    comes = tuple(faces.gain(gain, n) for gain, n in zip(GAINS, order.worth, strict=True) if n)
    return (*gone, ARROW, *comes) if gone else ()


def leave_alone(state: FrontiersState, seat: int, uses: list[Use]) -> FrontiersState:
    """Mark optional powers that a whole order does not use as done in this action."""
    planned = {(use.source, use.power) for use in uses}
    left = [id for id, p in state.powers(seat, "consume") if isinstance(p, Consume) and p.optional]
    who = state.seats[seat]
    skipped = tuple(id for id in left if id not in planned and id not in who.used)
    return state.with_seat(seat, replace(who, used=(*who.used, *skipped)))


class TakeGoods(Do, Struct, frozen=True, tag="take-goods"):
    """Find the goods for a chosen power: automatically if there is no choice, otherwise one after another."""

    seat: int
    tile: str
    power: int
    picked: tuple[str, ...] = ()

    def do(self, state: FrontiersState) -> FrontiersState:
        missing, among = open_goods(state, self.seat, (self.tile, self.power), self.picked)
        if is_choice(missing, among):
            return state.push(PickGood(self.seat, self.tile, self.power, self.picked))
        goods = (*self.picked, *among[:missing])
        return state.push(UsePower(self.seat, Use(self.tile, self.power, goods)))


def open_goods(
    state: FrontiersState, seat: int, id: PowerId, picked: tuple[str, ...]
) -> tuple[int, list[str]]:
    """How many goods a power still has to take, and which it can choose from."""
    power = usable(state, seat).get(id)
    if power is None:
        return 0, []
    colonies = fitting(state, seat, power)
    goods = {colony.tile: colony.good for colony in colonies}
    return still_to_pick(goods, takes(power, colonies), picked, power.good == "different")


class PickGood(Ask, Struct, frozen=True, tag="pick-good"):
    """Which good does the power take? The least useful come first."""

    seat: int
    tile: str
    power: int
    picked: tuple[str, ...] = ()
    slug: ClassVar[str] = "frontiers.pick-good"

    def ask(self, state: FrontiersState) -> Question:
        missing, among = self._open(state)
        colonies = {colony.tile: colony for colony in state.seats[self.seat].colonies}
        options = tuple(
            Option(tile, state.name(tile), tile, say(f"frontiers.good.{kind}"), signs=(faces.good(kind),))
            for tile in among
            if (kind := colonies[tile].good) is not None
        )
        text = count("frontiers.ask.good", missing, tile=state.name(self.tile))
        return Question(self.slug, self.seat, text, options)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return state.push(TakeGoods(self.seat, self.tile, self.power, (*self.picked, option)))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return say("frontiers.why.no-good-there")

    def is_obsolete(self, state: FrontiersState) -> bool:
        return self._gone(state) or not is_choice(*self._open(state))

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        """If a picked good is gone, it is picked again."""
        picked = () if self._gone(state) else self.picked
        return state.push(TakeGoods(self.seat, self.tile, self.power, picked))

    def _gone(self, state: FrontiersState) -> bool:
        lying = {colony.tile for colony in state.seats[self.seat].colonies if colony.good is not None}
        return not lying.issuperset(self.picked)

    def _open(self, state: FrontiersState) -> tuple[int, list[str]]:
        return open_goods(state, self.seat, (self.tile, self.power), self.picked)


class UsePower(Do, Struct, frozen=True, tag="use-power"):
    """Carry out one power on these goods."""

    seat: int
    use: Use

    def do(self, state: FrontiersState) -> FrontiersState:
        use = self.use
        power = usable(state, self.seat).get((use.source, use.power))
        if power is None or not _whole(state, self.seat, power, use):
            return state  # a correction removed goods or the tile
        state = remove_goods(state, self.seat, use.goods)
        who = state.seats[self.seat]
        who = replace(who, used=(*who.used, (use.source, use.power)), consumed=who.consumed + len(use.goods))
        state = state.with_seat(self.seat, who)
        deeds: tuple[Text, ...] = (_consumes(state, use),)
        for what, n in reward(power, len(use.goods)).items():
            state = gain(state, self.seat, what, n, (state.name(use.source),), after=deeds)
            deeds = ()
        return does(state, self.seat, *deeds) if deeds else state


def _whole(state: FrontiersState, seat: int, power: Consume, use: Use) -> bool:
    """Whether a power takes exactly these goods now."""
    colonies = fitting(state, seat, power)
    mine = [colony for colony in colonies if colony.tile in use.goods]
    return len(mine) == len(use.goods) == takes(power, colonies) == takes(power, mine)


def _consumes(state: FrontiersState, use: Use) -> Text:
    goods = tuple(state.name(tile) for tile in use.goods)
    return count("frontiers.consumes", len(goods), goods=goods)


class EndConsuming(Do, Struct, frozen=True, tag="end-consuming"):
    """Gains for each good consumed, and for owning the Galactic Salon (Prosperous Economy)."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        who = state.seats[self.seat]
        for tile, power in state.having(self.seat, GainPerConsumed):
            salon = power.with_salon * (SALON in who.developments)
            for place, (what, each) in enumerate(given(power)):
                n = each * who.consumed + (0 if place else salon)
                state = gain(state, self.seat, what, n, (because(tile, n),))
        return state
