"""The public view of the table, and the lists for setting up and packing away."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.agenda import ready, waited_for
from companion.core.faces import Sign, Signs
from companion.core.game import Setup
from companion.core.views import Gauge, Meter, PhaseView, PlacedView, SeatView, Shown, Tense, View
from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import COPIES, actions
from companion.games.frontiers.faces import good
from companion.games.frontiers.power_words import say_power
from companion.games.frontiers.powers import MilitaryPower
from companion.games.frontiers.sheet import sheet_of_state
from companion.games.frontiers.state import (
    COLONIES_END,
    COLONISTS_END,
    PER_SEAT,
    SPACES,
    Colony,
    FrontiersState,
)
from scoring.frontiers import Phase

PHASES: dict[str, tuple[Phase, ...]] = {
    "develop": ("develop",),
    "explore": ("explore",),
    "settle": ("settle",),
    "produce": ("produce",),
    "trade-consume": ("trade", "consume"),
}
"""The powers that matter while an action is resolved."""

MATTERS = {
    "develop": "credits",
    "explore": "explored",
    "settle": "colonists",
    "produce": "goods",
    "trade-consume": "goods",
}
"""The most important number while an action is resolved."""


def view(state: FrontiersState) -> View:
    """The public table."""
    waited = waited_for(state)
    points = {seat.name: seat.total for seat in sheet_of_state(state).seats}
    over = not state.agenda
    key = "frontiers.alert.over" if over else "frontiers.alert.last-round"
    reasons = tuple(say(f"frontiers.end.{why}") for why in state.ending)
    return View(
        round=state.round,
        phases=tuple(_tiles(state)),
        seats=tuple(_seat(state, n, n in waited, points) for n in range(len(state.seats))),
        pools=(
            Gauge("pool", say("frontiers.view.pool"), max(0, state.pool), state.pool_start),
            Gauge("supply", say("frontiers.view.supply"), state.supply, PER_SEAT * len(state.seats)),
        ),
        meters=tuple(_meters(state)),
        alerts=(say(key, reasons=reasons),) if reasons else (),
        over=over,
        notes=tuple(_notes(state)),
    )


def _tiles(state: FrontiersState) -> Iterator[PhaseView]:
    """The action tiles: those selected in this round are past, the one being resolved is current."""
    taken = {selection.action for selection in state.selected}
    done = state.next_disc is None and state.action is None
    for action in actions(state.goals):
        if action == state.action:
            tense = Tense.NOW
        elif action in taken:
            tense = Tense.PAST
        else:
            tense = Tense.SKIPPED if done else Tense.COMING
        yield PhaseView(action, say(f"frontiers.action.{action}"), tense)


def _meters(state: FrontiersState) -> Iterator[Meter]:
    """How close each of the four end conditions is (p. 9)."""
    seats = range(len(state.seats))
    taken = min(state.pool_start - state.pool, state.pool_start)
    used = PER_SEAT * len(state.seats) - state.supply
    enough = PER_SEAT * len(state.seats) - COLONISTS_END + 1
    most = max(len(seat.colonies) for seat in state.seats)
    covered = max(state.covered(seat) for seat in seats)
    yield Meter("spaces", say("frontiers.view.most-spaces"), covered, SPACES + 1)
    yield Meter("colonies", say("frontiers.view.most-colonies"), most, COLONIES_END)
    yield Meter("supply", say("frontiers.view.colonists-out"), used, enough)
    yield Meter("pool", say("frontiers.view.points-taken"), taken, state.pool_start)


def _notes(state: FrontiersState) -> Iterator[Text]:
    order = tuple(say("frontiers.view.name", name=state.seats[state.seat_of(d)].name) for d in state.track)
    if order:
        yield say("frontiers.view.track", order=order)
    if state.produce_credits:
        yield count("frontiers.view.on-produce", state.produce_credits)
    if state.goals_up:
        yield say("frontiers.view.goals", goals=tuple(state.name(goal) for goal in state.goals_up))
    if state.hidden_goal is not None:
        yield say("frontiers.view.hidden", name=state.seats[state.hidden_goal].name)


def _seat(state: FrontiersState, index: int, waiting: bool, points: dict[str, int]) -> SeatView:
    seat = state.seats[index]
    numbers = {
        "credits": seat.credits,
        "colonists": seat.colonists,
        "chips": seat.chips,
        "goods": seat.goods,
        "military": military(state, index),
        "explored": len(seat.explored),
        "spaces": state.covered(index),
    }
    placed = [_colony(state, colony) for colony in seat.colonies]
    placed += [PlacedView(id, state.tile(id).called) for id in seat.developments]
    explored = say("frontiers.view.only-explored")
    placed += [
        PlacedView(id, state.tile(id).called, (explored,), (Sign("explored"),)) for id in seat.explored
    ]
    return SeatView(
        seat=index,
        name=seat.name,
        waiting=waiting,
        ready=ready(state, index),
        numbers=tuple(Shown(id, say(f"frontiers.view.{id}"), n) for id, n in numbers.items()),
        components=tuple(placed),
        powers=tuple(_powers(state, index)),
        points=points[seat.name],
        matters=MATTERS.get(state.action or "", ""),
    )


def military(state: FrontiersState, seat: int) -> int:
    """A seat's military against every world."""
    return sum(
        power.n for tile in state.tiles(seat) for power in tile.having(MilitaryPower) if power.is_general
    )


def _colony(state: FrontiersState, colony: Colony) -> PlacedView:
    tile = state.tile(colony.tile)
    if colony.good is None:
        return PlacedView(tile.id, tile.called)
    signs: Signs = (good(colony.good),)
    return PlacedView(tile.id, tile.called, (say(f"frontiers.good.{colony.good}"),), signs)


def _powers(state: FrontiersState, seat: int) -> Iterator[Text]:
    """A seat's powers that work in the current action."""
    for phase in PHASES.get(state.action or "", ()):
        for (tile, _), power in state.powers(seat, phase):
            yield say("frontiers.power-of", tile=state.tile(tile).called, power=say_power(power))


def on_table(state: FrontiersState) -> frozenset[str]:
    """Every tile in an empire, explored or stored, and every face-up goal."""
    found = set(state.goals_up)
    for seat in state.seats:
        found.update(seat.developments, seat.explored, seat.stored_worlds)
        found.update(colony.tile for colony in seat.colonies)
    return frozenset(found)


def checklist(setup: Setup) -> tuple[Text, ...]:
    """What to do on the table before the first round (p. 2)."""
    seats = len(setup.seats)
    goals = setup.choices["goals"] == "goals"
    return (
        count("frontiers.setup.stacks", COPIES[seats]),
        say("frontiers.setup.faces"),
        count("frontiers.setup.chips", PER_SEAT * seats),
        count("frontiers.setup.colonists", PER_SEAT * seats),
        say("frontiers.setup.bag"),
        say("frontiers.setup.two-discs") if seats == 2 else say("frontiers.setup.track"),
        say("frontiers.setup.mats"),
        say("frontiers.setup.goals") if goals else say("frontiers.setup.isolation"),
    )


def packing(setup: Setup) -> tuple[Text, ...]:
    """What to put where when the play is over."""
    lists = [say(f"frontiers.pack.{what}") for what in ("worlds", "developments", "pieces", "mats")]
    return (*lists, say("frontiers.pack.goals")) if setup.choices["goals"] == "goals" else tuple(lists)
