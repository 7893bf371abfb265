"""V: Produce (p. 7): production worlds, then windfall worlds, then draws for the goods produced."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.race.cards import (
    PRICE,
    Draw,
    DrawIfMost,
    DrawIfProducedHere,
    DrawPerGood,
    DrawPerKind,
    DrawPerWorld,
    Good,
    ProduceHere,
    ProduceOnWindfall,
    powers,
)
from companion.games.race.signs import signs_of_goods
from companion.games.race.state import RaceState, does, put_good, tell_draw

BONUS = "produce"


class BeginProduce(Do, Struct, frozen=True, tag="begin-produce"):
    """All seats produce in parallel; powers that compare seats come after all of them.

    Windfall powers for one kind are used before those for any kind: no other order is better.
    """

    phase: str

    def do(self, state: RaceState) -> RaceState:
        state = replace(state, phase=self.phase, seats=tuple(replace(s, produced=()) for s in state.seats))
        branches: dict[int, tuple[Step, ...]] = {}
        for seat in state.order():
            sources = list(powers(state.cards(seat), ProduceOnWindfall))
            one_kind = [ProduceOnWindfallWorld(seat, c.id, p.good) for c, p in sources if p.good]
            bonus = [ProduceOnWindfallWorld(seat, BONUS)] if state.has_bonus(seat, BONUS) else []
            any_kind = [ProduceOnWindfallWorld(seat, c.id) for c, p in sources if not p.good]
            branches[seat] = (
                ProduceOnWorlds(seat),
                *one_kind,
                *bonus,
                *any_kind,
                DrawForProduced(seat),
            )
        return state.push(together(branches), DrawForMost())


class ProduceOnWorlds(Do, Struct, frozen=True, tag="produce-on-worlds"):
    """A good on every production world that has none."""

    seat: int

    def do(self, state: RaceState) -> RaceState:
        worlds = [c.id for c, _ in powers(state.cards(self.seat), ProduceHere)]
        for world in worlds:
            if world not in state.seats[self.seat].goods:
                state = produce(state, self.seat, world)
        made = state.seats[self.seat].produced
        if not made:
            return state
        names = tuple(state.name(world) for world in made)
        return does(state, self.seat, count("race.goods", len(made), worlds=names))


class ProduceOnWindfallWorld(Do, Struct, frozen=True, tag="produce-on-windfall-world"):
    """A good on one empty windfall world; if there are several, the seat chooses."""

    seat: int
    via: str
    good: Good | None = None

    def do(self, state: RaceState) -> RaceState:
        empty = empty_windfalls(state, self.seat, self.good)
        if not empty:
            return state
        if len(empty) > 1:
            return state.push(ChooseWindfall(self.seat, self.via, self.good))
        return produce_via(state, self.seat, empty[0], self.via)


class ChooseWindfall(Ask, Struct, frozen=True, tag="choose-windfall"):
    """On which windfall world? The most valuable good comes first."""

    seat: int
    via: str
    good: Good | None = None
    slug: ClassVar[str] = "race.windfall"

    def ask(self, state: RaceState) -> Question:
        empty = empty_windfalls(state, self.seat, self.good)
        empty.sort(key=lambda world: -PRICE[str(state.deck[world].good)])
        options = tuple(
            Option(
                world,
                state.name(world),
                world,
                say(f"race.good.{state.deck[world].good}"),
                signs=signs_of_goods(state, (world,)),
            )
            for world in empty
        )
        text = say("race.ask.windfall", via=_via(state, self.via))
        return Question(self.slug, self.seat, text, options, foreseen=True)

    def take(self, state: RaceState, option: str) -> RaceState:
        return produce_via(state, self.seat, option, self.via)

    def why_not(self, state: RaceState, component: str) -> Text:
        return say("race.why.no-empty-windfall")

    def is_obsolete(self, state: RaceState) -> bool:
        return not empty_windfalls(state, self.seat, self.good)


def empty_windfalls(state: RaceState, seat: int, good: str | None) -> list[str]:
    """Windfall worlds of one kind (or any kind) without a good."""
    goods = state.seats[seat].goods
    return [
        card.id
        for card in state.cards(seat)
        if card.is_windfall and good in (None, card.good) and card.id not in goods
    ]


def produce(state: RaceState, seat: int, world: str) -> RaceState:
    """Produce a good on this world and remember it for powers that count goods produced."""
    state = put_good(state, seat, world)
    who = state.seats[seat]
    made = (*who.produced, world) if world in who.goods else who.produced
    return state.with_seat(seat, replace(who, produced=made))


def produce_via(state: RaceState, seat: int, world: str, via: str) -> RaceState:
    """Produce a good on a windfall world and say which power did it."""
    state = produce(state, seat, world)
    if world not in state.seats[seat].goods:
        return state  # no card was left for the good
    return does(state, seat, say("race.good-via", world=state.name(world), via=_via(state, via)))


def _via(state: RaceState, via: str) -> Text:
    return state.name("produce" if via == BONUS else via)


class DrawForProduced(Do, Struct, frozen=True, tag="draw-for-produced"):
    """Cards for producing: plain draws, and draws for the goods this seat produced."""

    seat: int

    def do(self, state: RaceState) -> RaceState:
        cards = state.cards(self.seat)
        made = state.seats[self.seat].produced
        kinds = [state.deck[world].good for world in made]
        drawn = [(card, p.cards) for card, p in powers(cards, Draw, "produce")]
        drawn += [(card, p.cards) for card, p in powers(cards, DrawIfProducedHere) if card.id in made]
        drawn += [(card, p.cards * kinds.count(p.good)) for card, p in powers(cards, DrawPerGood)]
        drawn += [(card, p.cards * len(set(kinds))) for card, p in powers(cards, DrawPerKind)]
        for card, p in powers(cards, DrawPerWorld):
            drawn.append((card, p.cards * sum(world.good == p.good for world in cards)))
        return tell_draw(state, self.seat, [(card, n) for card, n in drawn if n])


class DrawForMost(Do, Struct, frozen=True, tag="draw-for-most"):
    """Cards for the seat that produced more goods of a kind than every other player; a tie draws nothing."""

    def do(self, state: RaceState) -> RaceState:
        for seat in state.order():
            drawn = [
                (card, p.cards)
                for card, p in powers(state.cards(seat), DrawIfMost)
                if all(
                    _made(state, seat, p.good) > _made(state, other, p.good)
                    for other in range(len(state.seats))
                    if other != seat
                )
            ]
            state = tell_draw(state, seat, drawn)
        return state


def _made(state: RaceState, seat: int, good: str) -> int:
    return sum(state.deck[world].good == good for world in state.seats[seat].produced)
