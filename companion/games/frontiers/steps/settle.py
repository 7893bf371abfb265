"""Settle (p. 6 and 7): each seat takes two colonists or settles a world; passing is not possible."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.common_questions import which_way
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import World, fits, in_bounds
from companion.games.frontiers.costs import UNTOLD_SIGNS, Way, ways, why_not
from companion.games.frontiers.deeds import add_colony, does, end, gain, gain_from, pay
from companion.games.frontiers.powers import (
    DrawAfterSettle,
    Gain,
    GainAfterSettle,
    GainAlways,
    SecondWorld,
    Told,
    amount,
)
from companion.games.frontiers.state import COLONIES_END, COLONISTS_END, FrontiersState
from companion.games.frontiers.steps.explore import DrawWorld, LimitWorlds, gain_always
from companion.games.frontiers.steps.facts import tell_tile, tell_tiles
from companion.games.frontiers.steps.refinery import windfall_good
from companion.games.frontiers.steps.removing import RemoveGood
from companion.games.frontiers.steps.replace import (
    PREFIX,
    Replacing,
    better_before,
    chosen,
    missing_page,
    swap_options,
)
from companion.games.frontiers.steps.tellings import ask_told
from companion.games.frontiers.steps.turns import always, resolve, why_in_order

COLONISTS = "colonists"
DONE = "done"
NEW_COLONISTS = 2


class ResolveSettle(Do, Struct, frozen=True, tag="resolve-settle"):
    """A colonist for the selector, then each seat's choice, then the limits and the end conditions."""

    read: bool = False
    """Whether the explored worlds were asked for."""

    def do(self, state: FrontiersState) -> FrontiersState:
        worlds = {id: seat for seat, who in enumerate(state.seats) for id in who.explored}
        if not self.read and sum(bool(state.tile(world).untold()) for world in worlds) > 1:
            text, later = say("frontiers.ask-print.explored"), say("frontiers.option.told-when-settled")
            return state.push(tell_tiles(state, worlds, text, later), replace(self, read=True))
        if state.selector is not None:
            bonus = (say("frontiers.part.settle-bonus"),)
            state = gain(state, state.selector, "colonists", 1, bonus)
        seats = range(len(state.seats))
        few = state.supply - sum(most(state, seat, "colonists") for seat in seats) < COLONISTS_END
        eight = any(most_colonies(state, seat) >= COLONIES_END for seat in seats)
        short = bag_short(state) or cubes_short(state)
        why = why_in_order(state, most, ends=few or eight, short=short)
        return resolve(
            state, lambda seat: (BeginSettling(seat), Settling(seat)), why, LimitWorlds(), EndSettle()
        )


def most(state: FrontiersState, seat: int, what: Gain) -> int:
    """The most of something that a seat may gain in this action after the selector's colonist."""
    each = sum(amount(p, what) for _, p in state.having(seat, GainAfterSettle))
    settling = each * (most_settled(state, seat) if may_settle(state, seat) else 0)
    instead = NEW_COLONISTS if what == "colonists" else 0
    return max(instead, settling) + always(state, seat, what, "settle")


def most_colonies(state: FrontiersState, seat: int) -> int:
    """How many colonies a seat may have after this action; a drawn world may be settled as the second one."""
    who = state.seats[seat]
    if not may_settle(state, seat):
        return len(who.colonies)
    return len(who.colonies) + min(most_settled(state, seat), len(who.explored) + draws(state, seat))


def may_settle(state: FrontiersState, seat: int) -> bool:
    """Whether a seat may settle a world in this action, perhaps only with what a power gives first."""
    if not state.seats[seat].explored:
        return False
    before = any(isinstance(power, GainAlways | Told) for _, power in state.powers(seat, "settle"))
    return before or bool(missing_page(state, seat)) or may_choose(state, seat, 0)


def bag_short(state: FrontiersState) -> bool:
    """Whether the bag may have fewer worlds than powers could draw."""
    drawn = (draws(state, seat) * most_settled(state, seat) for seat in range(len(state.seats)))
    return sum(drawn) > len(state.bag())


def cubes_short(state: FrontiersState) -> bool:
    """Whether a colour may run out because of placed worlds: only stored goods can cause that (p. 11)."""
    if not any(who.stored_goods for who in state.seats):
        return False
    most = sum(min(len(who.explored), 1 + most_settled(state, n)) for n, who in enumerate(state.seats))
    return min(state.cubes().values()) < most


def most_settled(state: FrontiersState, seat: int) -> int:
    """How many worlds a seat may settle in this action (Improved Logistics, p. 6)."""
    return 1 + sum(1 for _ in state.having(seat, SecondWorld))


def draws(state: FrontiersState, seat: int) -> int:
    """How many worlds are drawn from the bag after each world settled (Terraforming Robots, p. 6)."""
    return sum(power.worlds for _, power in state.having(seat, DrawAfterSettle))


class EndSettle(Do, Struct, frozen=True, tag="end-settle"):
    """Eight colonies, or fewer than five colonists in the supply, end the play after this round (p. 6)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        if any(len(who.colonies) >= COLONIES_END for who in state.seats):
            state = end(state, "colonies")
        return end(state, "colonists") if state.supply < COLONISTS_END else state


class BeginSettling(Do, Struct, frozen=True, tag="begin-settling"):
    """What a seat's powers give before it chooses."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        return gain_always(state, self.seat, "settle").push(*ask_told(state, self.seat, "settle"))


def offers(state: FrontiersState, seat: int) -> list[tuple[World, Way | None]]:
    """The explored worlds a seat may settle, with the best way; None if unknown facts decide it."""
    found: list[tuple[World, Way | None]] = []
    for id in state.seats[seat].explored:
        world = state.world(id)
        if world.untold() and state.seats[seat].colonists >= (world.colonists or 1):
            found.append((world, None))
        found += [(world, way) for way in ways(state, seat, id)[:1]]
    return found


class Settling(Do, Struct, frozen=True, tag="settling"):
    """A seat's choice; asked only if it could settle a world or replace a colony."""

    seat: int
    settled: int = 0

    def do(self, state: FrontiersState) -> FrontiersState:
        page = () if self.settled else missing_page(state, self.seat)
        if page:
            return state.push(*page, self)
        if may_choose(state, self.seat, self.settled):
            return state.push(ChooseSettle(self.seat, self.settled))
        if not self.settled:
            state = take_colonists(state, self.seat)
        return state.push(Replacing(self.seat))


def may_choose(state: FrontiersState, seat: int, settled: int) -> bool:
    """Whether a seat that settled `settled` worlds has anything to choose."""
    if settled:
        return settled < most_settled(state, seat) and bool(offers(state, seat))
    return bool(offers(state, seat)) or better_before(state, seat)


def take_colonists(state: FrontiersState, seat: int) -> FrontiersState:
    """Two colonists instead of a world; the last in order may get fewer (p. 7)."""
    if state.supply <= 0:
        return does(state, seat, say("frontiers.no-colonists"))
    return gain(state, seat, "colonists", NEW_COLONISTS, (state.name("settle"),))


class ChooseSettle(Ask, Struct, frozen=True, tag="choose-settle"):
    """Two colonists, or which world? A second world is optional. A colony can be replaced first."""

    seat: int
    settled: int = 0
    slug: ClassVar[str] = "frontiers.settle"

    def ask(self, state: FrontiersState) -> Question:
        worlds = tuple(self._world(state, world, way) for world, way in offers(state, self.seat))
        notes = state.order_notes
        if self.settled:
            done = Option(DONE, say("frontiers.option.settle-no-more"))
            text = say("frontiers.ask.settle-again")
            return Question(self.slug, self.seat, text, (done, *worlds), notes=notes)
        n = min(NEW_COLONISTS, max(0, state.supply))
        colonists = Option(
            COLONISTS, count("frontiers.option.colonists", n), signs=(Sign("colonists", f"+{n}"),)
        )
        others = swap_options(state, self.seat, say("frontiers.group.replace"))
        text = say("frontiers.ask.settle")
        return Question(self.slug, self.seat, text, (colonists, *worlds, *others), notes=notes)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        if option == COLONISTS:
            return take_colonists(state, self.seat).push(Replacing(self.seat))
        if option == DONE:
            return state.push(Replacing(self.seat))
        if option.startswith(PREFIX):
            return state.push(*chosen(state, self.seat, option), Settling(self.seat, self.settled))
        page = tell_tile(state, self.seat, state.tile(option))
        return state.push(*page, SettleWorld(self.seat, option, self.settled))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return why_not(state, self.seat, component)

    def is_obsolete(self, state: FrontiersState) -> bool:
        return not may_choose(state, self.seat, self.settled)

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        return state.push(Settling(self.seat, self.settled))

    def _world(self, state: FrontiersState, world: World, way: Way | None) -> Option:
        name = state.name(world.id)
        if way is None:
            return Option(world.id, name, world.id, say("frontiers.untold-world"), signs=UNTOLD_SIGNS)
        return Option(world.id, name, world.id, way.text(state), signs=way.signs(state, world))


class SettleWorld(Do, Struct, frozen=True, tag="settle-world"):
    """Settle a chosen world whose facts are all known; the seat is asked only if there are several ways."""

    seat: int
    tile: str
    settled: int

    def do(self, state: FrontiersState) -> FrontiersState:
        again = Settling(self.seat, self.settled)
        if self.tile not in state.seats[self.seat].explored:
            return state.push(again)  # a correction removed it
        found = ways(state, self.seat, self.tile)
        if not found:
            return state.tell(why_not(state, self.seat, self.tile), self.seat).push(again)
        if len(found) > 1:
            return state.push(ChooseWay(self.seat, self.tile, self.settled))
        return carry_out(state, self.seat, self.tile, self.settled, found[0])


class ChooseWay(Ask, Struct, frozen=True, tag="choose-way"):
    """How is the world settled? By paying, by removing goods for military, or by the refinery's kind."""

    seat: int
    tile: str
    settled: int
    slug: ClassVar[str] = "frontiers.way"

    def ask(self, state: FrontiersState) -> Question:
        text, world = say("frontiers.ask.way", world=state.name(self.tile)), state.world(self.tile)
        found = ways(state, self.seat, self.tile)
        told = ((way.id, way.text(state), way.signs(state, world)) for way in found)
        return which_way(self.slug, self.seat, text, told)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        found = {way.id: way for way in ways(state, self.seat, self.tile)}
        return carry_out(state, self.seat, self.tile, self.settled, found[option])

    def is_obsolete(self, state: FrontiersState) -> bool:
        gone = self.tile not in state.seats[self.seat].explored
        return gone or len(ways(state, self.seat, self.tile)) < 2

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        return state.push(SettleWorld(self.seat, self.tile, self.settled))


def carry_out(state: FrontiersState, seat: int, tile: str, settled: int, way: Way) -> FrontiersState:
    """Settle a world this way; goods to be removed go first, and their military stays for this action."""
    if way.named is not None:
        state = state.with_seat(seat, replace(state.seats[seat], named=way.named))
    if way.removing:
        removing = (RemoveGood(seat, *power) for power in way.removing)
        return state.push(*removing, SettleWorld(seat, tile, settled))
    if way.strength is None:
        state = pay(state, seat, way.cost, way.parts)
    else:
        state = does(state, seat, way.text(state), usual=True)
    colonists = state.world(tile).colonists
    state = add_colony(state, seat, tile, colonists or 1)
    return state.push(
        *windfall_good(state, seat, tile), AfterSettling(seat, tile), Settling(seat, settled + 1)
    )


class AfterSettling(Do, Struct, frozen=True, tag="after-settling"):
    """What powers give for a world settled: once for each world (p. 4)."""

    seat: int
    tile: str

    def do(self, state: FrontiersState) -> FrontiersState:
        world, named = state.world(self.tile), state.seats[self.seat].named
        for tile, power in state.having(self.seat, GainAfterSettle):
            if fits(power.match, world, named) and in_bounds(power, world):
                state = gain_from(state, self.seat, tile, power)
        return state.push(DrawWorld(self.seat, draws(state, self.seat)))
