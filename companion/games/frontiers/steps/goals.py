"""Galactic goals (p. 11): charting them, turning them up, and storing on the stockpile mats."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import GoalTile, everything, ids
from companion.games.frontiers.deeds import does, gain
from companion.games.frontiers.state import FrontiersState

LOOKED_AT = 3
"""How many goals the seat looks at; it keeps one of them."""

NO = "no"


def room(state: FrontiersState, goal: str, stored: int) -> int:
    """How much more may be stored for a goal: nothing while it is face down, never above its highest amount."""
    return max(0, highest(goal) - stored) if goal in state.goals_up else 0


def highest(goal: str) -> int:
    """The highest amount on a goal."""
    printed = everything()[goal]
    assert isinstance(printed, GoalTile)
    return printed.steps[-1][0]


class ChartGoals(Do, Struct, frozen=True, tag="chart-goals"):
    """One place up on the track, a credit, and a goal kept face down; a goal kept earlier is turned up."""

    def do(self, state: FrontiersState) -> FrontiersState:
        seat = state.selector
        assert seat is not None
        state = _one_place_up(state, seat)
        state = gain(state, seat, "credits", 1, (state.name("chart-goals"),))
        seen, earlier = min(LOOKED_AT, state.goals_left), state.hidden_goal
        if seen:
            state = does(state, seat, count("frontiers.keep-goal", seen))
        keeper = seat if seen else None
        if earlier is None:
            return replace(state, hidden_goal=keeper)
        return state.push(TurnUpGoal(earlier, keeper))


def _one_place_up(state: FrontiersState, seat: int) -> FrontiersState:
    """The selecting disc swaps with the one before it; two discs of one seat need not (p. 11)."""
    at = state.track.index(state.selected[-1].disc)
    if not at:
        return state
    before, disc = state.track[at - 1 : at + 1]
    if state.seat_of(before) == seat:
        return state
    track = (*state.track[: at - 1], disc, before, *state.track[at + 1 :])
    other = state.seats[state.seat_of(before)].name
    return does(replace(state, track=track), seat, say("frontiers.disc-up", other=other))


class TurnUpGoal(Ask, Struct, frozen=True, tag="turn-up-goal"):
    """Which goal did this seat keep face down? `keeper` is the seat that keeps one from now on."""

    seat: int
    keeper: int | None = None
    slug: ClassVar[str] = "frontiers.turn-up"

    def ask(self, state: FrontiersState) -> Question:
        options = tuple(goal_option(state, id) for id in ids("goals") if id not in state.goals_up)
        return Question(self.slug, self.seat, say("frontiers.ask.turn-up"), options, has_default=False)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return turned_up(state, self.seat, option, self.keeper)

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return say(
            "frontiers.why.goal-lies-there" if component in state.goals_up else "frontiers.why.no-goal"
        )

    def is_obsolete(self, state: FrontiersState) -> bool:
        return state.hidden_goal is None or len(state.goals_up) == len(ids("goals"))

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        if state.hidden_goal is None:  # people have just said that nobody has one
            return state
        return replace(state, hidden_goal=self.keeper)


def turned_up(state: FrontiersState, seat: int, goal: str, keeper: int | None = None) -> FrontiersState:
    """The table with this seat's goal face up."""
    state = replace(state, goals_up=(*state.goals_up, goal), hidden_goal=keeper)
    return state.tell(say("frontiers.goal-up", goal=state.name(goal)), seat)


def goal_option(state: FrontiersState, id: str) -> Option:
    """A goal to choose."""
    return Option(id, state.name(id), id)


class StockpileGoods(Do, Struct, frozen=True, tag="stockpile-goods"):
    """After a Produce action a seat may store goods (p. 12)."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        return state.push(StoreGood(self.seat)) if _room_for_goods(state, self.seat) else state


class StoreGood(Ask, Struct, frozen=True, tag="store-good"):
    """Which good does this seat store? Asked again after each one."""

    seat: int
    slug: ClassVar[str] = "frontiers.store-good"

    def ask(self, state: FrontiersState) -> Question:
        who = state.seats[self.seat]
        goods = tuple(
            Option(colony.tile, say(f"frontiers.good.{colony.good}"), colony.tile, state.name(colony.tile))
            for colony in who.colonies
            if colony.good is not None
        )
        text = count("frontiers.ask.store-good", len(who.stored_goods))
        return Question(
            self.slug, self.seat, text, (Option(NO, say("frontiers.option.store-no-good")), *goods)
        )

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        if option == NO:
            return state
        who = state.seats[self.seat]
        colony = who.colony(option)
        assert colony is not None
        assert colony.good is not None
        stored = (*who.stored_goods, colony.good)
        who = replace(who.with_colony(replace(colony, good=None)), stored_goods=stored)
        good = say(f"frontiers.good.{colony.good}")
        state = does(
            state.with_seat(self.seat, who),
            self.seat,
            say("frontiers.store.good", good=good, world=state.name(option)),
            usual=True,
        )
        return state.push(StoreGood(self.seat))

    def is_obsolete(self, state: FrontiersState) -> bool:
        return not _room_for_goods(state, self.seat)


def _room_for_goods(state: FrontiersState, seat: int) -> int:
    who = state.seats[seat]
    return min(who.goods, room(state, "resource-stockpile", len(who.stored_goods)))


class StockpileCredits(Do, Struct, frozen=True, tag="stockpile-credits"):
    """A seat that sold a good may store credits from that sale (p. 12)."""

    seat: int

    def do(self, state: FrontiersState) -> FrontiersState:
        return state.push(StoreCredits(self.seat)) if _room_for_credits(state, self.seat) else state


class StoreCredits(Ask, Struct, frozen=True, tag="store-credits"):
    """How many credits from the sale does this seat store?"""

    seat: int
    slug: ClassVar[str] = "frontiers.store-credits"

    def ask(self, state: FrontiersState) -> Question:
        most = _room_for_credits(state, self.seat)
        options = tuple(Option(str(n), count("frontiers.gained.credits", n)) for n in range(most + 1))
        text = count("frontiers.ask.store-credits", state.seats[self.seat].stored_credits)
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        n, who = int(option), state.seats[self.seat]
        if not n:
            return state
        who = replace(who, credits=who.credits - n, stored_credits=who.stored_credits + n)
        state = state.with_seat(self.seat, who)
        return does(state, self.seat, count("frontiers.store.credits", n), usual=True)

    def is_obsolete(self, state: FrontiersState) -> bool:
        return not _room_for_credits(state, self.seat)


def _room_for_credits(state: FrontiersState, seat: int) -> int:
    who = state.seats[seat]
    return min(who.sold, who.credits, room(state, "sales-tax", who.stored_credits))


class StockpileWorld(Ask, Struct, frozen=True, tag="stockpile-world"):
    """Does this seat store one of the worlds it puts back? The others go into the bag (p. 12)."""

    seat: int
    worlds: tuple[str, ...]
    slug: ClassVar[str] = "frontiers.store-world"

    def ask(self, state: FrontiersState) -> Question:
        worlds = tuple(Option(id, state.name(id), id) for id in self.worlds)
        text = count("frontiers.ask.store-world", len(state.seats[self.seat].stored_worlds))
        return Question(
            self.slug, self.seat, text, (*worlds, Option(NO, say("frontiers.option.store-no-world")))
        )

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        if option != NO:
            who = state.seats[self.seat]
            state = state.with_seat(self.seat, replace(who, stored_worlds=(*who.stored_worlds, option)))
            store = say("frontiers.store.world", world=state.name(option))
            state = does(state, self.seat, store, usual=True)
        return into_bag(state, self.seat, self.worlds, but=option)

    def is_obsolete(self, state: FrontiersState) -> bool:
        explored = state.seats[self.seat].explored
        return not may_store_world(state, self.seat) or not all(id in explored for id in self.worlds)

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        return into_bag(state, self.seat, self.worlds)


def may_store_world(state: FrontiersState, seat: int) -> bool:
    """Whether a seat may store a world it puts back because of the limit of nine."""
    return bool(room(state, "exploration", len(state.seats[seat].stored_worlds)))


def into_bag(
    state: FrontiersState, seat: int, worlds: tuple[str, ...], but: str | None = None
) -> FrontiersState:
    """Put a seat's explored worlds back into the bag, except one that is stored."""
    who = state.seats[seat]
    back = [id for id in who.explored if id in worlds and id != but]
    explored = tuple(id for id in who.explored if id not in worlds)
    state = state.with_seat(seat, replace(who, explored=explored))
    for world in back:
        state = does(state, seat, say("frontiers.into-bag", world=state.name(world)), usual=True)
    return state
