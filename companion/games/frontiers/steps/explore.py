"""Explore (p. 5): seven worlds from the bag, one for each seat, a second one for the selector, nine at most."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.components import UNKNOWN
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import ids
from companion.games.frontiers.deeds import explore, gain_from
from companion.games.frontiers.powers import DrawWorlds, GainAlways
from companion.games.frontiers.state import MOST_WORLDS, FrontiersState
from companion.games.frontiers.steps.goals import StockpileWorld, into_bag, may_store_world
from companion.games.frontiers.steps.tellings import ask_told
from scoring.frontiers import Phase

SHOWN = 7


class ResolveExplore(Do, Struct, frozen=True, tag="resolve-explore"):
    """In order, each seat takes a world and draws for its powers; the selector draws after its second world
    (p. 5)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        order, bag = state.order(), len(state.bag())
        shown = min(SHOWN, bag)
        if shown:
            state = state.tell(count("frontiers.show-worlds", shown), kind="hands")
        picks, draws = shares(state, order, shown, bag - shown)
        for seat in order:
            state = gain_always(state, seat, "explore")

        def powers(seat: int) -> tuple[Step, ...]:
            return DrawWorld(seat, draws[seat]), *ask_told(state, seat, "explore")

        first, *others = order
        taking: list[Step] = [TakeWorld(first, min(1, picks[first]))]
        for seat in others:
            taking += (TakeWorld(seat, picks[seat]), *powers(seat))
        taking += (TakeWorld(first, picks[first], told=1), *powers(first))
        left = (ReturnWorlds(),) if shown > sum(picks.values()) else ()
        return state.push(*taking, *left, LimitWorlds())


def gain_always(state: FrontiersState, seat: int, phase: Phase) -> FrontiersState:
    """What a seat gains every time an action is resolved."""
    for tile, power in state.having(seat, GainAlways):
        if power.phase == phase:
            state = gain_from(state, seat, tile, power)
    return state


def shares(
    state: FrontiersState, order: tuple[int, ...], shown: int, hidden: int
) -> tuple[dict[int, int], dict[int, int]]:
    """How many worlds each seat takes from the table, and how many it then draws from the bag.

    The selector takes its second world when all seats have one, and draws last (p. 5); if the bag is nearly
    empty, later seats get fewer (p. 11).
    """
    picks, draws = dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    for seat in (*order, *order[:1]):
        if shown:
            picks[seat], shown = picks[seat] + 1, shown - 1
    for seat in (*order[1:], *order[:1]):
        wanted = sum(power.worlds for _, power in state.having(seat, DrawWorlds))
        draws[seat] = min(wanted, hidden)
        hidden -= draws[seat]
    return picks, draws


class TakeWorld(Ask, Struct, frozen=True, tag="take-world"):
    """Which world did this seat take from the table? It takes `worlds` in all; `told` of them are known already."""

    seat: int
    worlds: int
    told: int = 0
    slug: ClassVar[str] = "frontiers.take-world"

    def ask(self, state: FrontiersState) -> Question:
        text = say("frontiers.ask.take-second" if self.told else "frontiers.ask.take-world")
        return _which_world(state, self, text, None)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return explore(state, self.seat, option).push(replace(self, told=self.told + 1))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return not_in_bag(component)

    def is_obsolete(self, state: FrontiersState) -> bool:
        return self.told >= self.worlds or not state.bag()


class DrawWorld(Ask, Struct, frozen=True, tag="draw-world"):
    """Which world did this seat draw from the bag? It draws `worlds` in all; `told` of them are known already."""

    seat: int
    worlds: int
    told: int = 0
    slug: ClassVar[str] = "frontiers.draw-world"

    def ask(self, state: FrontiersState) -> Question:
        tally = Picks(self.told, self.worlds) if self.worlds > 1 else None
        return _which_world(state, self, say("frontiers.ask.draw-world"), tally)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return explore(state, self.seat, option).push(replace(self, told=self.told + 1))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return not_in_bag(component)

    def is_obsolete(self, state: FrontiersState) -> bool:
        return self.told >= self.worlds or not state.bag()


def _which_world(
    state: FrontiersState, ask: TakeWorld | DrawWorld, text: Text, tally: Picks | None
) -> Question:
    worlds = sorted(state.bag(), key=lambda id: state.world(id).price is UNKNOWN)
    options = tuple(Option(id, state.name(id), id, group=_unread(state, id)) for id in worlds)
    return Question(ask.slug, ask.seat, text, options, has_default=False, tally=tally)


def _unread(state: FrontiersState, id: str) -> Text | None:
    """The heading of worlds whose price is still unknown: without a label they look the same."""
    return say("frontiers.group.unread") if state.world(id).price is UNKNOWN else None


def not_in_bag(component: str) -> Text:
    """Why a component cannot have been drawn from the bag now."""
    return say("frontiers.why.world-lies-there" if component in ids("worlds") else "frontiers.why.no-world")


class ReturnWorlds(Do, Struct, frozen=True, tag="return-worlds"):
    """Worlds no seat took go back into the bag."""

    def do(self, state: FrontiersState) -> FrontiersState:
        return state.tell(say("frontiers.return-worlds"), kind="hands", usual=True)


class LimitWorlds(Do, Struct, frozen=True, tag="limit-worlds"):
    """A seat may have nine colonies and explored worlds together; it puts back the surplus (p. 5)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        over = [seat for seat in state.order() if surplus(state, seat)]
        if not over:
            return state
        return state.push(together({seat: (DiscardWorlds(seat),) for seat in over}))


def surplus(state: FrontiersState, seat: int) -> int:
    """How many explored worlds a seat must put back; colonies always stay."""
    who = state.seats[seat]
    return min(len(who.explored), max(0, len(who.colonies) + len(who.explored) - MOST_WORLDS))


class DiscardWorlds(Do, Struct, frozen=True, tag="discard-worlds"):
    """A seat puts back explored worlds above nine, of its choice (p. 5)."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        n, who = surplus(state, self.seat), state.seats[self.seat]
        if not n:
            return state
        if n < len(who.explored):
            return state.push(DiscardWorld(self.seat))
        return _part_with(state, self.seat, who.explored)


class DiscardWorld(Ask, Struct, frozen=True, tag="discard-world"):
    """Which explored world does this seat put back? Asked once for each world above nine."""

    seat: int
    worlds: tuple[str, ...] = ()
    slug: ClassVar[str] = "frontiers.discard-world"

    def ask(self, state: FrontiersState) -> Question:
        options = tuple(Option(id, state.name(id), id) for id in self._left(state))
        done, left = len(self.worlds), self._surplus(state)
        tally = Picks(done, done + left) if done + left > 1 else None
        text = count("frontiers.ask.discard-world", left)
        return Question(self.slug, self.seat, text, options, has_default=False, tally=tally)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return state.push(replace(self, worlds=(*self.worlds, option)))

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return say("frontiers.why.not-explored")

    def is_obsolete(self, state: FrontiersState) -> bool:
        return not self._surplus(state)

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        explored = state.seats[self.seat].explored
        return _part_with(state, self.seat, tuple(id for id in self.worlds if id in explored))

    def _left(self, state: FrontiersState) -> tuple[str, ...]:
        return tuple(id for id in state.seats[self.seat].explored if id not in self.worlds)

    def _surplus(self, state: FrontiersState) -> int:
        explored = state.seats[self.seat].explored
        return surplus(state, self.seat) - sum(id in explored for id in self.worlds)


def _part_with(state: FrontiersState, seat: int, worlds: tuple[str, ...]) -> FrontiersState:
    """Explored worlds leave the empire: one may be stored, the others go into the bag."""
    if worlds and may_store_world(state, seat):
        return state.push(StockpileWorld(seat, worlds))
    return into_bag(state, seat, worlds)
