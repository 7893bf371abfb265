"""IV: Consume (p. 6): players who chose Trade sell a good, then all use their Consume powers in any order."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.faces import ARROW, Sign
from companion.core.power_orders import PowerId, Use, decode, is_choice, still_to_pick
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.race.cards import (
    ConsumeForPrice,
    ConsumeSet,
    DiscardHand,
    Draw,
    Gamble,
    Power,
    say_power,
)
from companion.games.race.consuming import (
    Consumer,
    price,
    spare_first,
    takes,
    usable,
    yields,
)
from companion.games.race.signs import gains, signs_of_goods
from companion.games.race.state import RaceState, because, does, draw, remove_goods, tell_draw
from companion.games.race.steps.consume_plans import factor, of_hand, whole_orders

DONE = "done"


class BeginConsume(Do, Struct, frozen=True, tag="begin-consume"):
    """All seats consume in parallel."""

    phase: str

    def do(self, state: RaceState) -> RaceState:
        branches: dict[int, tuple[Step, ...]] = {}
        for seat in state.order():
            sale: tuple[Step, ...] = (Sell(seat),) if state.has_bonus(seat, "consume-trade") else ()
            branches[seat] = (*sale, Consume(seat, ()))
        return replace(state, phase=self.phase).push(together(branches))


class Sell(Do, Struct, frozen=True, tag="sell"):
    """A player who chose Trade must sell one good before consuming."""

    seat: int

    def do(self, state: RaceState) -> RaceState:
        goods = state.seats[self.seat].goods
        if not goods:
            return state.tell(say("race.nothing-to-sell"), self.seat)
        if len(goods) == 1:
            return sell(state, self.seat, goods[0])
        return state.push(ChooseSale(self.seat))


class ChooseSale(Ask, Struct, frozen=True, tag="choose-sale"):
    """Which good is sold? The most valuable comes first."""

    seat: int
    slug: ClassVar[str] = "race.sell"

    def ask(self, state: RaceState) -> Question:
        who = state.seats[self.seat]
        offers = [(world, *price(state, self.seat, world, True)) for world in who.goods]
        offers.sort(key=lambda offer: -offer[1])
        options = tuple(
            Option(
                world,
                state.name(world),
                world,
                count("race.draw", n, because=tuple(parts)),
                signs=(*signs_of_goods(state, (world,)), ARROW, *gains(cards=n)),
            )
            for world, n, parts in offers
        )
        return Question(self.slug, self.seat, say("race.ask.sell"), options, foreseen=True)

    def take(self, state: RaceState, option: str) -> RaceState:
        return sell(state, self.seat, option)

    def why_not(self, state: RaceState, component: str) -> Text:
        return say("race.why.no-good-there")

    def is_obsolete(self, state: RaceState) -> bool:
        return not state.seats[self.seat].goods


def sell(state: RaceState, seat: int, world: str) -> RaceState:
    """Sell the good of this world for cards."""
    n, parts = price(state, seat, world, True)
    state, n = draw(remove_goods(state, seat, (world,)), seat, n)
    sold = say("race.sell", world=state.name(world))
    return does(state, seat, sold, count("race.then-draw", n, because=tuple(parts)))


class Consume(Do, Struct, frozen=True, tag="consume"):
    """Use all usable powers: automatically if only one thing can be done, otherwise the seat chooses."""

    seat: int
    used: tuple[PowerId, ...]

    def do(self, state: RaceState) -> RaceState:
        found = usable(state, self.seat, self.used)
        if not found:
            return state
        if len(found) > 1 or _optional(found):
            return state.push(ChooseConsume(self.seat, self.used))
        ((id, _),) = found.items()
        return state.push(TakeGoods(self.seat, *id), Consume(self.seat, (*self.used, id)))


def _optional(found: dict[PowerId, Power]) -> bool:
    return all(isinstance(power, DiscardHand) for power in found.values())


class ChooseConsume(Ask, Struct, frozen=True, tag="choose-consume"):
    """Which power next? All of them in the best order comes first; a seat cannot stop while a power must be used."""

    seat: int
    used: tuple[PowerId, ...]
    slug: ClassVar[str] = "race.consume"

    def ask(self, state: RaceState) -> Question:
        found = usable(state, self.seat, self.used)
        steps = [
            option
            for (card, index), power in found.items()
            for option in self._options(state, card, index, power)
        ]
        if _optional(found):
            done = Option(DONE, say("race.consume-no-more"))
            return Question(self.slug, self.seat, say("race.ask.consume"), (done, *steps), foreseen=True)
        plans, results = whole_orders(state, self.seat, self.used, found)
        one_by_one = say("race.one-by-one")
        return Question(
            self.slug,
            self.seat,
            say("race.ask.consume"),
            (*plans, *(replace(step, group=one_by_one) for step in steps)),
            certain=results == 1 and not any(isinstance(p, DiscardHand | Gamble) for p in found.values()),
            foreseen=True,
        )

    def take(self, state: RaceState, option: str) -> RaceState:
        if option == DONE:
            return state
        verb, _, what = option.partition(":")
        if verb == "plan":
            uses = decode(what)
            used = (*self.used, *((use.source, use.power) for use in uses))
            steps = [UsePower(self.seat, use) for use in uses]
            return state.push(*steps, Consume(self.seat, used))
        card, _, rest = what.partition(":")
        index, _, n = rest.partition(":")
        id = (card, int(index))
        after = Consume(self.seat, (*self.used, id))
        if n:
            return discard_hand(state, self.seat, id, int(n)).push(after)
        return state.push(TakeGoods(self.seat, *id), after)

    def why_not(self, state: RaceState, component: str) -> Text:
        return say("race.why.cannot-consume")

    def is_obsolete(self, state: RaceState) -> bool:
        return not usable(state, self.seat, self.used)

    def _options(self, state: RaceState, card: str, index: int, power: Power) -> list[Option]:
        id, name = f"use:{card}:{index}", state.name(card)
        if isinstance(power, DiscardHand):
            most = min(power.cards, state.seats[self.seat].hand)
            return [
                Option(
                    f"{id}:{n}",
                    count("race.discard-for-points", n, card=name, points=n * power.points),
                    card,
                    signs=(Sign("card", f"\N{MINUS SIGN}{n}"), ARROW, *gains(n * power.points)),
                )
                for n in range(most, 0, -1)
            ]
        return [Option(id, say("race.use", card=name), card, say_power(power))]


class TakeGoods(Do, Struct, frozen=True, tag="take-goods"):
    """Find the goods for a chosen power: automatically if there is no choice, otherwise one after another."""

    seat: int
    card: str
    power: int
    picked: tuple[str, ...] = ()

    def do(self, state: RaceState) -> RaceState:
        power = state.deck[self.card].powers[self.power]
        if not isinstance(power, Consumer):
            return state.push(UsePower(self.seat, Use(self.card, self.power)))
        picked = tuple(world for world in self.picked if world in state.seats[self.seat].goods)
        missing, among = open_goods(state, self.seat, power, picked)
        if is_choice(missing, among):
            return state.push(PickGood(self.seat, self.card, self.power, picked))
        goods = (*picked, *among[:missing])
        # If there are no goods, a correction removed them, and the power cannot be used.
        return state.push(UsePower(self.seat, Use(self.card, self.power, goods))) if goods else state


def open_goods(
    state: RaceState, seat: int, power: Consumer, picked: tuple[str, ...]
) -> tuple[int, list[str]]:
    """How many goods a power still has to take, and which it can choose from."""
    needed, fitting = takes(power, [state.deck[world] for world in state.seats[seat].goods])
    different = isinstance(power, ConsumeSet) and power.different
    return still_to_pick({world.id: world.good for world in fitting}, needed, picked, different)


class PickGood(Ask, Struct, frozen=True, tag="pick-good"):
    """Which good does the power take? The least useful come first; for a power that pays the price, the most
    valuable."""

    seat: int
    card: str
    power: int
    picked: tuple[str, ...]
    slug: ClassVar[str] = "race.pick-good"

    def ask(self, state: RaceState) -> Question:
        missing, among = self._open(state)
        text = count("race.ask.good", missing, card=state.name(self.card))
        sold = isinstance(self._power(state), ConsumeForPrice)
        by_price = spare_first(state, self.seat, among)
        options = tuple(
            Option(
                world,
                state.name(world),
                world,
                say(f"race.good.{state.deck[world].good}"),
                signs=signs_of_goods(state, (world,)),
            )
            for world in (reversed(by_price) if sold else by_price)
        )
        return Question(self.slug, self.seat, text, options, foreseen=True)

    def take(self, state: RaceState, option: str) -> RaceState:
        return state.push(TakeGoods(self.seat, self.card, self.power, (*self.picked, option)))

    def why_not(self, state: RaceState, component: str) -> Text:
        return say("race.why.no-good-there")

    def is_obsolete(self, state: RaceState) -> bool:
        gone = not set(self.picked) <= set(state.seats[self.seat].goods)
        return gone or not is_choice(*self._open(state))

    def on_obsolete(self, state: RaceState) -> RaceState:
        return state.push(TakeGoods(self.seat, self.card, self.power, self.picked))

    def _power(self, state: RaceState) -> Power:
        return state.deck[self.card].powers[self.power]

    def _open(self, state: RaceState) -> tuple[int, list[str]]:
        power = self._power(state)
        return open_goods(state, self.seat, power, self.picked) if isinstance(power, Consumer) else (0, [])


class UsePower(Do, Struct, frozen=True, tag="use-power"):
    """Carry out one power on these goods."""

    seat: int
    use: Use

    def do(self, state: RaceState) -> RaceState:
        card = state.deck[self.use.source]
        power = card.powers[self.use.power]
        if isinstance(power, DiscardHand):
            n = min(of_hand(self.use), state.seats[self.seat].hand)
            return discard_hand(state, self.seat, (card.id, self.use.power), n) if n else state
        if isinstance(power, Gamble):
            return state.push(AnswerGamble(self.seat, card.id))
        if isinstance(power, Draw):
            return tell_draw(state, self.seat, [(card, power.cards)])
        goods = [state.deck[world] for world in state.seats[self.seat].goods]
        whole = isinstance(power, Consumer) and takes(power, goods)[0] == len(self.use.goods) > 0
        if not whole or not set(self.use.goods) <= {good.id for good in goods}:
            return state  # a correction removed goods
        assert isinstance(power, Consumer)
        return consume(state, self.seat, self.use, power)


def consume(state: RaceState, seat: int, use: Use, power: Consumer) -> RaceState:
    """Discard the goods for points and cards."""
    points, cards, parts = yields(state, seat, power, use.goods)
    points *= factor(state, seat)
    state = remove_goods(state, seat, use.goods)
    goods = tuple(state.name(world) for world in use.goods)
    deeds = [count("race.consumes", len(goods), card=state.name(use.source), goods=goods)]
    if points:
        doubled = state.has_bonus(seat, "consume-x2")
        deeds.append(count("race.take-doubled" if doubled else "race.take-points", points))
    state, cards = draw(state, seat, cards)
    if cards:
        reasons = tuple(parts) or (because(state.deck[use.source], cards),)
        deeds.append(count("race.then-draw", cards, because=reasons))
    return take_chips(does(state, seat, *deeds), seat, points)


def discard_hand(state: RaceState, seat: int, id: PowerId, n: int) -> RaceState:
    """Discard cards from the hand for points; these are never doubled (p. 6)."""
    power = state.deck[id[0]].powers[id[1]]
    assert isinstance(power, DiscardHand)
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, hand=who.hand - n))
    discarded = count("race.discard-with", n, card=state.name(id[0]))
    deeds = (discarded, count("race.take-points", n * power.points))
    return take_chips(does(state, seat, *deeds), seat, n * power.points)


def take_chips(state: RaceState, seat: int, points: int) -> RaceState:
    """Take chips from the pool; when it runs out, ten-point chips are used for the rest (p. 7)."""
    before, who = state.pool, state.seats[seat]
    state = state.with_seat(seat, replace(who, chips=who.chips + points))
    return state.tell(say("race.pool-empty")) if before > 0 >= state.pool else state


class AnswerGamble(Ask, Struct, frozen=True, tag="answer-gamble"):
    """Did the card turned over match the number? Usually it does not, so that comes first."""

    seat: int
    card: str
    slug: ClassVar[str] = "race.gamble"

    def ask(self, state: RaceState) -> Question:
        text = say("race.ask.gamble", card=state.name(self.card))
        options = (
            Option("lost", say("race.gamble-lost"), None, say("race.gamble-lost-how")),
            Option("kept", say("race.gamble-kept"), None, say("race.gamble-kept-how")),
        )
        return Question(self.slug, self.seat, text, options)

    def take(self, state: RaceState, option: str) -> RaceState:
        if option == "lost":
            return does(state, self.seat, say("race.discard-turned"))
        state, n = draw(state, self.seat, 1)
        return does(state, self.seat, count("race.keep-turned", n))

    def is_obsolete(self, state: RaceState) -> bool:
        return not state.in_piles()
