"""The public table as shown on screens, and the lists for setting up and packing away."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.agenda import ready, waited_for
from companion.core.faces import Sign
from companion.core.game import Setup
from companion.core.views import (
    Gauge,
    Meter,
    PhaseView,
    PlacedView,
    SeatView,
    Shown,
    Tense,
    View,
)
from companion.core.words import Text, count, say
from companion.games.transgalactica.component_types import POOL, ROUNDS
from companion.games.transgalactica.effects import ACTIONS, RESOURCES
from companion.games.transgalactica.map_view import galaxy
from companion.games.transgalactica.sheet import sheet_of_state
from companion.games.transgalactica.state import Phase, TransState
from companion.games.transgalactica.steps.missions import completable
from companion.games.transgalactica.steps.senate import open_offices

PHASES: tuple[Phase, ...] = ("income", "actions", "maintenance")
MATTERS: dict[Phase, str] = {"income": "politics", "maintenance": "military"}
"""The level that matters in a phase."""


def view(state: TransState) -> View:
    """The public table."""
    waited = waited_for(state)
    points = {seat.name: seat.total for seat in sheet_of_state(state).seats}
    over = not state.agenda
    return View(
        round=state.round,
        phases=tuple(_phases(state)),
        seats=tuple(_seat(state, n, n in waited, points) for n in range(len(state.seats))),
        pools=tuple(
            Gauge(what, say(f"transgalactica.view.{what}"), max(0, state.pool(what)), POOL[what])
            for what in RESOURCES
        ),
        meters=(
            Meter("round", say("transgalactica.view.round"), state.round if not over else ROUNDS, ROUNDS),
        ),
        alerts=(say("transgalactica.alert.last-round"),) if state.round == ROUNDS and not over else (),
        over=over,
        maps=galaxy(state),
        notes=tuple(_notes(state)),
    )


def _phases(state: TransState) -> Iterator[PhaseView]:
    at = (
        PHASES.index(state.phase)
        if state.phase in PHASES
        else (-1 if state.phase == "setup" else len(PHASES))
    )
    for n, phase in enumerate(PHASES):
        tense = Tense.PAST if n < at else Tense.NOW if n == at else Tense.COMING
        yield PhaseView(phase, say(f"transgalactica.phase.{phase}"), tense)


def _notes(state: TransState) -> Iterator[Text]:
    """The turn order, what is used, and what is on offer."""
    if state.order:
        order = tuple(say("transgalactica.view.name", name=state.seats[n].name) for n in state.order)
        yield say("transgalactica.view.order", order=order)
    used = {one.action for one in state.used}
    if state.phase == "actions":
        free = tuple(say(f"transgalactica.action.{action}") for action in ACTIONS if action not in used)
        if free:
            yield say("transgalactica.view.free", actions=free)
    if state.display:
        missions = (*state.missions_of(1), *state.missions_of(2))
        yield say("transgalactica.view.missions", missions=tuple(map(state.name, missions)))
    if state.technologies:
        yield say("transgalactica.view.laid-technologies", cards=tuple(map(state.name, state.technologies)))
    for n, decree in enumerate(state.decrees):
        sitting = tuple(say("transgalactica.view.name", name=state.seats[s].name) for s in state.senate[n])
        key = "transgalactica.view.decree" if sitting else "transgalactica.view.empty-decree"
        args = {"seats": sitting} if sitting else {}
        yield say(key, decree=state.name(decree), **args)


def _seat(state: TransState, index: int, waiting: bool, points: dict[str, int]) -> SeatView:
    seat = state.seats[index]
    numbers = {
        "energy": seat.energy,
        "mineral": seat.mineral,
        "alien": seat.alien,
        "credits": seat.credit,
        "technology": state.level(index, "technology"),
        "military": state.level(index, "military"),
        "production": state.level(index, "production"),
        "politics": state.level(index, "politics"),
        "trade": state.level(index, "trade"),
        "captain": seat.captains_here,
        "crew": seat.crew,
        "outpost": len(seat.outposts),
        "marker": max(0, seat.markers),
    }
    return SeatView(
        seat=index,
        name=seat.name,
        waiting=waiting,
        ready=ready(state, index),
        numbers=tuple(Shown(id, say(f"transgalactica.view.{id}"), n) for id, n in numbers.items()),
        components=tuple(_placed(state, index)),
        powers=tuple(_powers(state, index)),
        points=points[seat.name],
        matters=MATTERS.get(state.phase, ""),
    )


def _placed(state: TransState, index: int) -> Iterator[PlacedView]:
    """What lies before a seat or belongs to it on the map."""
    seat = state.seats[index]
    plain = (*((seat.ability,) if seat.ability else ()), *seat.planets, *seat.technologies)
    for id in plain:
        signs = (Sign("token-used"),) if id in seat.used else ()
        yield PlacedView(id, state.box[id].called, (say("transgalactica.view.used"),) if signs else (), signs)
    for id in seat.log:
        signs = (Sign("complete"),) if id in completable(state, index) else (Sign("mission"),)
        key = "ready" if signs[0].symbol == "complete" else "in-log"
        yield PlacedView(id, state.box[id].called, (say(f"transgalactica.view.{key}"),), signs)
    for id in seat.missions:
        yield PlacedView(id, state.box[id].called, (say("transgalactica.view.done"),), (Sign("points"),))
    for held in (*seat.tokens, *seat.bank):
        badges = (say("transgalactica.view.used"),) if held.used else ()
        signs = (Sign("token-used"),) if held.used else ()
        yield PlacedView(held.token, state.box[held.token].called, badges, signs)
    for id in dict.fromkeys((*seat.mining, *seat.fleet, *seat.pirates, *seat.objectives)):
        yield PlacedView(id, state.box[id].called)


def _powers(state: TransState, seat: int) -> Iterator[Text]:
    """What a seat may use now: planets, missions, offices, tokens, once-per-round technologies."""
    who = state.seats[seat]
    if state.phase != "actions":
        return
    if who.crew or who.captains_here:
        for id in who.planets:
            if state.planet(id).type == "action" and id not in who.used:
                yield say("transgalactica.view.may-use", what=state.name(id))
    for id in completable(state, seat):
        yield say("transgalactica.could-complete", mission=state.name(id))
    for n in open_offices(state, seat):
        yield say("transgalactica.could-sit", decree=state.name(state.decrees[n]))
    for held in who.tokens:
        if not held.used:
            yield say("transgalactica.view.may-use", what=state.name(held.token))
    for id in who.technologies:
        if state.technology(id).when == "once-per-round" and id not in who.used:
            yield say("transgalactica.view.may-use", what=state.name(id))


def on_table(state: TransState) -> frozenset[str]:
    """Everything that lies face up."""
    found = {*state.technologies, *state.display, *state.decrees, *state.planets.values()}
    found.update(token for token in state.pirates.values() if token)
    for seat in state.seats:
        found.update(seat.log, seat.missions, seat.mining, seat.fleet, seat.pirates, seat.objectives)
        found.update(held.token for held in (*seat.tokens, *seat.bank))
        if seat.ability is not None:
            found.add(seat.ability)
    return frozenset(found)


def checklist(setup: Setup) -> tuple[Text, ...]:
    """What to do on the table before the first round (p. 4-7)."""
    seats = len(setup.seats)
    three = seats == 2 or (seats == 3 and setup.choices.get("captains") == "three")
    return (
        say(f"transgalactica.setup.board.{seats}"),
        say("transgalactica.setup.tokens"),
        say("transgalactica.setup.planets"),
        count("transgalactica.setup.pirates", seats + 1),
        say("transgalactica.setup.mining"),
        say("transgalactica.setup.cards"),
        say("transgalactica.setup.markers"),
        say("transgalactica.setup.panels.three" if three else "transgalactica.setup.panels.two"),
        count("transgalactica.setup.draft", seats),
    )


def packing(setup: Setup) -> tuple[Text, ...]:
    """Where to put everything when the play is over."""
    return tuple(say(f"transgalactica.pack.{what}") for what in ("tokens", "cards", "pieces", "boards"))
