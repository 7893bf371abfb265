"""The public view of the table, its sheet, and the lists for setting up and packing away."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.agenda import ready, waited_for
from companion.core.game import Setup
from companion.core.parts import with_told_names
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
from companion.games.eclipse import component_types
from companion.games.eclipse.component_types import CATEGORIES, RESOURCES, ROUNDS, SHIPS, technologies
from companion.games.eclipse.faces import lying
from companion.games.eclipse.geometry import HOMES
from companion.games.eclipse.map_view import badges, galaxy
from companion.games.eclipse.position import seat_counted
from companion.games.eclipse.ship_words import describe
from companion.games.eclipse.species import design
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.claim import after_upkeep
from scoring import eclipse as scoring
from scoring.sheet import Sheet

RIBBON = ("action", "combat", "upkeep", "cleanup")


def view(state: EclipseState) -> View:
    """The public table; the values of reputation tiles and kept discoveries are hidden until the end."""
    waited = waited_for(state)
    points = {seat.name: seat.total for seat in sheet(state).seats}
    over = not state.agenda
    return View(
        round=state.round,
        phases=tuple(_phases(state)),
        seats=tuple(_seat(state, n, n in waited, points) for n in range(len(state.seats))),
        pools=tuple(_pools(state)),
        meters=(Meter("round", say("eclipse.view.round"), state.round, ROUNDS),),
        alerts=tuple(_alerts(state, over)),
        over=over,
        maps=(galaxy(state),),
        notes=tuple(_offered(state)),
    )


def _phases(state: EclipseState) -> Iterator[PhaseView]:
    now = RIBBON.index(state.phase) if state.phase in RIBBON else len(RIBBON)
    for n, phase in enumerate(RIBBON):
        tense = Tense.NOW if n == now else Tense.PAST if n < now else Tense.COMING
        if state.phase == "setup":
            tense = Tense.COMING
        yield PhaseView(phase, say(f"eclipse.phase.{phase}"), tense)


def _seat(state: EclipseState, index: int, waiting: bool, points: dict[str, int]) -> SeatView:
    seat = state.seats[index]
    return SeatView(
        seat=index,
        name=seat.name,
        waiting=waiting,
        ready=ready(state, index),
        numbers=tuple(Shown(id, say(f"eclipse.view.{id}"), n) for id, n in _numbers(state, index)),
        components=tuple(_components(state, index)),
        powers=tuple(_prompts(state, index)),
        points=points[seat.name],
        colour=state.species(index).colour if seat.species else "",
    )


def _numbers(state: EclipseState, index: int) -> Iterator[tuple[str, int]]:
    seat = state.seats[index]
    if not seat.species:
        return
    for kind in RESOURCES:
        yield kind, seat.stock.of(kind)
    for kind in RESOURCES:
        yield f"{kind}-income", state.income(index, kind)
    yield "upkeep", state.upkeep(index)
    yield "discs", max(0, state.discs_on_track(index))
    yield "colony-ships", state.colony_ships(index)
    yield "reputation", seat.reputation
    yield "ambassadors", len(seat.partners)
    yield "discoveries", seat.kept


def _components(state: EclipseState, index: int) -> Iterator[PlacedView]:
    """The species' board, its sectors with their pieces, and its technologies."""
    seat = state.seats[index]
    if not seat.species:
        return
    board = state.species(index)
    marks = [say(f"eclipse.colour.{board.colour}")]
    marks += [say("eclipse.badge.passed")] if seat.passed else []
    marks += [say("eclipse.badge.traitor")] if state.traitor == index else []
    marks += [say("eclipse.badge.first")] if state.first == index else []
    yield PlacedView(board.id, state.called(board.id), tuple(marks))
    for place, sector in state.map.items():
        if sector.owner == index:
            yield PlacedView(
                sector.hex, state.where(place), tuple(badges(state, place)), face=lying(state, sector)
            )
    for id in seat.technologies:
        yield PlacedView(id, state.called(id))


def _prompts(state: EclipseState, index: int) -> Iterator[Text]:
    """The cost of an action for this seat, its ships' values, and its technology discounts."""
    seat = state.seats[index]
    if not seat.species or seat.out:
        return
    if state.phase == "action":
        yield say("eclipse.prompt.action", then=after_upkeep(state, index, 1))
        for category in CATEGORIES:
            off = component_types.DISCOUNT[
                min(state.in_category(index, category), len(component_types.DISCOUNT) - 1)
            ]
            if off:
                yield say("eclipse.prompt.discount", category=say(f"eclipse.category.{category}"), n=off)
    for ship in SHIPS:
        if ship != "starbase" or state.has(index, "tech-starbase"):
            words = describe(design(state, index, ship))
            yield say("eclipse.prompt.ship", ship=say(f"eclipse.ship.{ship}"), design=words)


def _pools(state: EclipseState) -> Iterator[Gauge]:
    started = bool(state.stacks)
    for ring, stack in state.stacks.items():
        outer = component_types.OUTER_SECTORS[len(state.seats)]
        full = outer if ring == "outer" else len(component_types.sectors_of(ring))
        yield Gauge(f"stack-{ring}", say(f"eclipse.view.stack-{ring}"), stack.left, full)
    if started:
        yield Gauge("discoveries", say("eclipse.view.discoveries-left"), state.discoveries_left(), 21)
        yield Gauge("reputation", say("eclipse.view.reputation-left"), state.reputation_left(), 32)


def _alerts(state: EclipseState, over: bool) -> Iterator[Text]:
    if over:
        yield say("eclipse.alert.over")
    elif state.round == ROUNDS:
        yield say("eclipse.alert.last-round")
    if state.phase in ("action", "combat"):
        playing = [n for n, seat in enumerate(state.seats) if seat.species and not seat.out]
        short = tuple(
            say("eclipse.alert.short", seat=state.seats[n].name, n=-state.balance(n))
            for n in playing
            if state.balance(n) < 0
        )
        if short:
            yield say("eclipse.alert.bankrupt", seats=short)


def _offered(state: EclipseState) -> Iterator[Text]:
    """The technologies that can be researched, the cheapest first."""
    if state.offered:
        names = tuple(
            say("eclipse.note.several", technology=state.called(id), n=n) if n > 1 else state.called(id)
            for id, n in sorted(state.offered.items(), key=lambda item: technologies()[item[0]].cost)
        )
        yield say("eclipse.note.offered", technologies=names)


def on_table(state: EclipseState) -> frozenset[str]:
    """Everything that lies face up: hexes, boards, technologies, parts on blueprints."""
    found = {sector.hex for sector in state.map.values()} | set(state.offered)
    for seat in state.seats:
        found |= {seat.species, *seat.technologies} - {""}
        found |= {tile for tiles in seat.upgrades.values() for tile in tiles if tile}
    return frozenset(found)


def sheet(state: EclipseState) -> Sheet:
    """The score as it would be if the play ended now, without reputation tiles not yet revealed."""
    counted = scoring.score(
        tuple(_scored(state, index) for index in range(len(state.seats))),
        sum(sector.ancients for sector in state.map.values()),
    )
    printed = component_types.everything()
    box = printed.taught(state.taught)
    return with_told_names(counted, box.by_id, printed.by_id, *component_types.with_bonus().values())


def _scored(state: EclipseState, index: int) -> scoring.Seat:
    seat = state.seats[index]
    mine = [state.map[place] for place in state.controlled(index)]
    return seat_counted(
        seat,
        hexes=(sector.hex for sector in mine),
        monoliths=tuple(sector.hex for sector in mine if sector.monolith),
        reputation=seat.revealed,
        ambassadors=len(seat.partners),
        discoveries=seat.kept,
        tracks={category: state.in_category(index, category) for category in CATEGORIES},
        traitor=state.traitor == index,
        resources=seat.stock.total,
    )


def checklist(setup: Setup) -> tuple[Text, ...]:
    """What to do on the table before the first round (pp. 4-5)."""
    seats = len(setup.seats)
    ways = tuple(
        say("eclipse.setup.home", seat=name, way=say(f"eclipse.way.{direction}"))
        for name, (direction, _) in zip(setup.seats, HOMES[seats], strict=True)
    )
    return (
        say("eclipse.setup.supply"),
        say("eclipse.setup.bags"),
        say("eclipse.setup.centre"),
        say("eclipse.setup.stacks", outer=component_types.OUTER_SECTORS[seats]),
        say("eclipse.setup.homes", ways=ways),
        say("eclipse.setup.pieces"),
        say("eclipse.setup.tracks"),
        say("eclipse.setup.sector"),
        say("eclipse.setup.technologies", n=component_types.TECHNOLOGIES_AT_START[seats]),
        *((say("eclipse.setup.traitor"),) if seats >= component_types.DIPLOMACY_FROM else ()),
    )


def packing(setup: Setup) -> tuple[Text, ...]:
    """What to put where when the play is over."""
    return (
        say("eclipse.pack.hexes"),
        say("eclipse.pack.technologies"),
        say("eclipse.pack.reputation"),
        say("eclipse.pack.parts"),
        count("eclipse.pack.colours", len(setup.seats)),
    )
