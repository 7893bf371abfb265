"""Produce (p. 7): the credits on the tile, a good on every production colony, windfall goods, and gains for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, say
from companion.games.frontiers.component_types import PRICE, Tile, fits, in_bounds
from companion.games.frontiers.deeds import because, gain, gain_from, put_goods
from companion.games.frontiers.faces import good
from companion.games.frontiers.powers import (
    AnyGood,
    Gain,
    GainIfMost,
    GainIfProducedHere,
    GainPerColony,
    GainPerProduced,
    ProduceWindfall,
    amount,
    given,
)
from companion.games.frontiers.state import FrontiersState, PowerId
from companion.games.frontiers.steps.explore import gain_always
from companion.games.frontiers.steps.goals import StockpileGoods
from companion.games.frontiers.steps.refinery import NameKind, kind_of, named, refinery
from companion.games.frontiers.steps.tellings import ask_told
from companion.games.frontiers.steps.turns import always, resolve, why_in_order
from scoring.frontiers import KINDS, Kind

BONUS: PowerId = ("produce", 0)
"""The action tile itself, as the power behind the selector's windfall good."""


class ResolveProduce(Do, Struct, frozen=True, tag="resolve-produce"):
    """Credits for the selector, goods for all seats, then powers that compare seats, and storing."""

    def do(self, state: FrontiersState) -> FrontiersState:
        if state.selector is not None:
            lying = (say("frontiers.part.on-produce"),)
            state = gain(state, state.selector, "credits", state.produce_credits, lying)
            state = replace(state, produce_credits=0)
        storing = together({seat: (StockpileGoods(seat),) for seat in state.order()})
        why = why_in_order(state, most, short=cubes_short(state))
        return resolve(state, parts, why, GainForMost(), storing)


def parts(seat: int) -> tuple[Step, ...]:
    """A seat's part of the action, with its windfall goods: so the selector gets its own before cubes run
    short (p. 7)."""
    return BeginProducing(seat), ProduceEverywhere(seat), ProduceWindfalls(seat), GainForGoods(seat)


def cubes_short(state: FrontiersState) -> bool:
    """Whether some colour may have fewer cubes than colonies that could get one."""
    wanted: Counter[Kind] = Counter()
    for seat in range(len(state.seats)):
        for tile in (*empty(state, seat, "production"), *empty(state, seat, "windfall")):
            kind = state.world(tile).kind
            wanted.update(KINDS if kind == "any" else (kind,) if kind else ())
    left = state.cubes()
    return any(wanted[kind] > left[kind] for kind in KINDS)


def most(state: FrontiersState, seat: int, what: Gain) -> int:
    """The most of something that a seat's powers may give in this action."""
    total = always(state, seat, what, "produce")
    for (id, _), power in state.powers(seat, "produce"):
        match power:
            case GainIfProducedHere():
                places = (*empty(state, seat, "production"), *empty(state, seat, "windfall"))
                total += amount(power, what) * (id in places)
            case GainPerProduced():
                total += amount(power, what) * _most_made(state, seat, power.good)
            case GainPerColony():
                colonies = colonies_of(state, seat, power) + (refinery(state, seat) is not None)
                total += amount(power, what) * colonies
            case GainIfMost():
                total += amount(power, what)
    return total


def _most_made(state: FrontiersState, seat: int, good: str) -> int:
    """The most goods of a kind that a seat may produce in this action; the refinery's may be of any kind."""

    def places(goods: str) -> int:
        kinds = (state.world(tile).kind for tile in empty(state, seat, goods))
        return sum(good in ("any", kind) or kind == "any" for kind in kinds)

    return places("production") + min(places("windfall"), len(windfall_sources(state, seat)))


def empty(state: FrontiersState, seat: int, goods: str, kind: str = "any") -> list[str]:
    """The colonies of this type (windfall or production) without a good, perhaps of one kind only."""
    found = []
    for colony in state.seats[seat].colonies:
        world = state.world(colony.tile)
        if colony.good is None and world.goods == goods and kind in ("any", kind_of(state, seat, world)):
            found.append(world.id)
    return found


class BeginProducing(Do, Struct, frozen=True, tag="begin-producing"):
    """Unconditional gains, and the kind of the refinery if it matters in this action."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        state = gain_always(state, self.seat, "produce")
        world, who = refinery(state, self.seat), state.seats[self.seat]
        if world is None or who.named is not None:
            return state
        sources = world.goods == "production" or windfall_sources(state, self.seat)
        if world.id in empty(state, self.seat, str(world.goods)) and sources:
            return state.push(NameKind(self.seat))
        counted = {power.match for _, power in state.having(self.seat, GainPerColony)}
        kinds = [kind for kind in KINDS if kind in counted]
        if len(kinds) == 1:
            return named(state, self.seat, kinds[0])
        return state.push(NameKind(self.seat)) if kinds else state


class ProduceEverywhere(Do, Struct, frozen=True, tag="produce-everywhere"):
    """A good on every empty production colony; if cubes are short, the seat chooses (p. 7)."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        choices: list[Step] = []
        plenty: list[tuple[str, Kind]] = []
        for kind in KINDS:
            tiles = empty(state, self.seat, "production", kind)
            if len(tiles) <= state.cubes()[kind]:
                plenty += [(tile, kind) for tile in tiles]
            elif state.cubes()[kind] > 0:
                choices.append(ChooseProducing(self.seat, kind))
        return produce(state, self.seat, *plenty).push(*choices)


def produce(state: FrontiersState, seat: int, *goods: tuple[str, Kind]) -> FrontiersState:
    """Produce goods on these colonies and remember them for powers that count goods produced."""
    before = state.seats[seat]
    state = put_goods(state, seat, goods, usual=True)
    made = tuple(tile for tile, _ in goods if state.seats[seat].colony(tile) != before.colony(tile))
    who = state.seats[seat]
    return state.with_seat(seat, replace(who, produced=(*who.produced, *made)))


class ChooseProducing(Ask, Struct, frozen=True, tag="choose-producing"):
    """Which production colony gets one of the last cubes of its colour?"""

    seat: int
    kind: Kind
    done: int = 0
    slug: ClassVar[str] = "frontiers.produce"

    def ask(self, state: FrontiersState) -> Question:
        left = state.cubes()[self.kind]
        tiles = empty(state, self.seat, "production", self.kind)
        options = tuple(Option(id, state.name(id), id, signs=(good(self.kind),)) for id in tiles)
        text = say("frontiers.ask.produce", good=say(f"frontiers.good.{self.kind}"), n=left)
        tally = Picks(self.done, self.done + left) if self.done + left > 1 else None
        return Question(self.slug, self.seat, text, options, tally=tally, notes=state.order_notes)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        state = produce(state, self.seat, (option, self.kind))
        return state.push(ChooseProducing(self.seat, self.kind, self.done + 1))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return say("frontiers.why.no-room-for-good")

    def is_obsolete(self, state: FrontiersState) -> bool:
        left, tiles = state.cubes()[self.kind], empty(state, self.seat, "production", self.kind)
        return left <= 0 or len(tiles) <= left

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        tiles = empty(state, self.seat, "production", self.kind)
        return produce(state, self.seat, *((tile, self.kind) for tile in tiles))


# Windfall goods


class Source(Struct, frozen=True):
    """The source of a good on a windfall colony: a power, or the bonus of the action."""

    power: PowerId
    good: AnyGood = "any"


def windfall_sources(state: FrontiersState, seat: int) -> list[Source]:
    """Unused sources of windfall goods, in the best order: those for one kind, then others, the bonus last."""
    found = [
        Source(id, power.good)
        for id, power in state.powers(seat, "produce")
        if isinstance(power, ProduceWindfall)
    ]
    found.sort(key=lambda source: source.good == "any")
    if seat == state.selector:
        found.append(Source(BONUS))
    return [source for source in found if source.power not in state.seats[seat].used]


def windfalls(state: FrontiersState, seat: int, good: str) -> list[str]:
    """The windfall colonies that could get a good of this kind, the most valuable first; the refinery's good,
    never sold, is last."""
    left = state.cubes()
    tiles = {
        tile: kind
        for tile in empty(state, seat, "windfall", good)
        if (kind := kind_of(state, seat, state.world(tile))) is not None and left[kind] > 0
    }
    return sorted(tiles, key=lambda tile: (state.world(tile).kind == "any", -PRICE[tiles[tile]]))


def nothing_to_choose(state: FrontiersState, seat: int, source: Source) -> bool:
    """Whether the choice of a colony makes no difference: there is only one, or all of them get a good in the end."""
    if len(windfalls(state, seat, source.good)) < 2:
        return True
    makers = Counter(source.good for source in windfall_sources(state, seat))
    left, missing = state.cubes(), 0
    for kind in KINDS:
        tiles = len(empty(state, seat, "windfall", kind))
        if tiles > left[kind]:
            return False
        missing += max(0, tiles - makers[kind])
    return missing <= makers["any"]


class ProduceWindfalls(Do, Struct, frozen=True, tag="produce-windfalls"):
    """Use every power and bonus that makes a windfall good; compulsory if possible (p. 7)."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        for source in windfall_sources(state, self.seat):
            if not nothing_to_choose(state, self.seat, source):
                return state.push(ChooseWindfall(self.seat, source), ProduceWindfalls(self.seat))
            for tile in windfalls(state, self.seat, source.good)[:1]:
                state = produce_by(state, self.seat, source, tile)
        return state


def produce_by(state: FrontiersState, seat: int, source: Source, tile: str) -> FrontiersState:
    """Produce a windfall good by a power or the bonus."""
    kind = kind_of(state, seat, state.world(tile))
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, used=(*who.used, source.power)))
    return state if kind is None else produce(state, seat, (tile, kind))


class ChooseWindfall(Ask, Struct, frozen=True, tag="choose-windfall"):
    """On which windfall colony is a good produced?"""

    seat: int
    source: Source
    slug: ClassVar[str] = "frontiers.windfall"

    def ask(self, state: FrontiersState) -> Question:
        options = tuple(
            Option(tile, state.name(tile), tile, say(f"frontiers.good.{kind}"), signs=(good(kind),))
            for tile in windfalls(state, self.seat, self.source.good)
            if (kind := kind_of(state, self.seat, state.world(tile))) is not None
        )
        tile = self.source.power[0]
        via = state.name("produce" if self.source.power == BONUS else tile)
        text = say("frontiers.ask.windfall", via=via)
        return Question(self.slug, self.seat, text, options, notes=state.order_notes)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return produce_by(state, self.seat, self.source, option)

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return say("frontiers.why.no-room-for-good")

    def is_obsolete(self, state: FrontiersState) -> bool:
        """Whether no choice is left; `ProduceWindfalls` then goes on automatically."""
        gone = self.source not in windfall_sources(state, self.seat)
        return gone or nothing_to_choose(state, self.seat, self.source)


# Gains


class GainForGoods(Do, Struct, frozen=True, tag="gain-for-goods"):
    """Gains for goods produced in this action and for colonies, then untaught powers, which the seat is asked
    about."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        found: dict[Gain, list[tuple[Tile, int]]] = {}
        for tile, what, n in gains(state, self.seat):
            found.setdefault(what, []).append((tile, n))
        for what, sums in found.items():
            reasons = tuple(because(tile, n) for tile, n in sums)
            state = gain(state, self.seat, what, sum(n for _, n in sums), reasons)
        return state.push(*ask_told(state, self.seat, "produce"))


def gains(state: FrontiersState, seat: int) -> Iterator[tuple[Tile, Gain, int]]:
    """What each power of a seat gives after its goods are produced."""
    who = state.seats[seat]
    for (id, _), power in state.powers(seat, "produce"):
        if isinstance(power, GainIfProducedHere):
            times = int(id in who.produced)
        elif isinstance(power, GainPerProduced):
            times = made(state, seat, power.good)
        elif isinstance(power, GainPerColony):
            times = colonies_of(state, seat, power)
        else:
            continue
        yield from ((state.tile(id), what, n * times) for what, n in given(power) if times)


def made(state: FrontiersState, seat: int, good: str) -> int:
    """How many goods of a kind, by the colour of the cube, a seat produced in this action."""
    who = state.seats[seat]
    goods = (colony.good for colony in who.colonies if colony.tile in who.produced)
    return sum(kind is not None and good in ("any", kind) for kind in goods)


def colonies_of(state: FrontiersState, seat: int, power: GainPerColony) -> int:
    """The colonies a power counts, with goods or without."""
    who = state.seats[seat]
    worlds = [state.world(colony.tile) for colony in who.colonies]
    fitting = [w for w in worlds if fits(power.match, w, who.named) and in_bounds(power, w)]
    wanted = {"any": (True, False), "military": (True,), "peaceful": (False,)}[power.military]
    return sum(world.is_military in wanted for world in fitting)


class GainForMost(Do, Struct, frozen=True, tag="gain-for-most"):
    """The gain for most goods of a kind in this action, after all seats produced (Mining Industries, p. 7)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        for seat in state.order():
            for tile, power in state.having(seat, GainIfMost):
                mine = made(state, seat, power.good)
                others = max(made(state, n, power.good) for n in range(len(state.seats)) if n != seat)
                if mine > others or (power.tied and mine == others > 0):
                    state = gain_from(state, seat, tile, power)
        return state
