"""The public table as shown on screens, and the lists for setting up and packing away."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.agenda import ready, waited_for
from companion.core.faces import Sign
from companion.core.game import Setup
from companion.core.views import Gauge, Meter, PhaseView, PlacedView, SeatView, Shown, Tense, View
from companion.core.words import Text, say
from companion.games.beyond.map_view import space_map, tree_map
from companion.games.beyond.power_words import say_power
from companion.games.beyond.sheet import sheet_of_state
from companion.games.beyond.state import BeyondState, Colony

PHASES = ("action", "production", "achievement")
MATTERS = {"action": "population", "production": "ore", "achievement": ""}


def view(state: BeyondState) -> View:
    """The public table."""
    waited = waited_for(state)
    points = {seat.name: seat.total for seat in sheet_of_state(state).seats}
    over = not state.agenda
    return View(
        round=state.round,
        phases=tuple(_phases(state)),
        seats=tuple(_seat(state, n, n in waited, points) for n in range(len(state.seats))),
        pools=tuple(
            Gauge(f"deck-{deck.lower()}", say("beyond.view.deck", deck=deck), n, 12)
            for deck, n in state.decks.items()
        ),
        meters=(Meter("achievements", say("beyond.view.achievements"), state.claimed, state.goal),),
        alerts=tuple(_alerts(state, over)),
        over=over,
        maps=(tree_map(state), space_map(state)),
        notes=tuple(_notes(state)),
    )


def _phases(state: BeyondState) -> Iterator[PhaseView]:
    at = PHASES.index(state.phase) if state.phase in PHASES else -1
    for n, phase in enumerate(PHASES):
        tense = Tense.NOW if n == at else Tense.PAST if n < at or state.phase == "over" else Tense.COMING
        yield PhaseView(phase, say(f"beyond.phase.{phase}"), tense)


def _alerts(state: BeyondState, over: bool) -> Iterator[Text]:
    if over:
        yield say("beyond.alert.over")
    elif state.ending:
        yield say("beyond.alert.final-round" if state.round > state.ending else "beyond.alert.ending")


def _notes(state: BeyondState) -> Iterator[Text]:
    if state.round:
        yield say("beyond.view.first", name=state.seats[state.first].name)
    if state.guilds:
        yield say("beyond.view.guilds", guilds=tuple(state.name(guild) for guild in state.guilds))
    for card, seats in state.achievements.items():
        names = tuple(say("beyond.view.name", name=state.seats[seat].name) for seat in seats)
        key = "beyond.view.claimed" if names else "beyond.view.unclaimed"
        yield say(key, card=state.name(card), names=names)


def _seat(state: BeyondState, index: int, waiting: bool, points: dict[str, int]) -> SeatView:
    seat = state.seats[index]
    numbers = {
        "ore": seat.ore,
        "population": seat.population,
        "supply": sum(seat.supply),
        "ships": len(seat.ships),
        "food-discs": state.left(index, "food"),
        "ore-discs": state.left(index, "ore"),
        "automation": len(seat.automation),
        "technologies": len(state.researched(index)) + len(seat.private),
    }
    cards = state.cards(index)
    placed = [PlacedView(card, state.technology(card).called) for card in cards]
    placed += [_colony(state, colony) for colony in seat.colonies]
    placed += [PlacedView(e, state.event(e).called) for e, kept in state.kept.items() if kept.seat == index]
    return SeatView(
        seat=index,
        name=seat.name,
        waiting=waiting,
        ready=ready(state, index),
        numbers=tuple(Shown(id, say(f"beyond.view.{id}"), n) for id, n in numbers.items()),
        components=tuple(placed),
        powers=tuple(
            say("beyond.ability-of", card=state.name(card), ability=say_power(ability))
            for card, ability in state.abilities(index)
        ),
        points=points[seat.name],
        matters=MATTERS.get(state.phase, ""),
    )


def _colony(state: BeyondState, colony: Colony) -> PlacedView:
    badges = tuple(say(f"beyond.disc.{disc}") for disc in colony.discs)
    signs = tuple(
        Sign({"food": "food", "ore": "ore-disc", "marker": "marker"}[disc]) for disc in colony.discs
    )
    return PlacedView(colony.system, state.system(colony.system).called, badges, signs)


def on_table(state: BeyondState) -> frozenset[str]:
    """Every card that lies face up: tree, systems, achievements, guilds, boards, events."""
    found = {node.card for node in state.tree.values() if node.card} | set(state.systems.values())
    found |= set(state.achievements) | set(state.guilds) | set(state.kept)
    found |= {kept.system for kept in state.kept.values() if kept.system}
    for seat in state.seats:
        found |= {*seat.private, *(colony.system for colony in seat.colonies)}
        found |= {seat.board} if seat.board else set()
    return frozenset(found)


def checklist(setup: Setup) -> tuple[Text, ...]:
    """What to do on the table before the first turn (set-up sheet)."""
    seats = len(setup.seats)
    lists = [
        "technologies",
        "events",
        "side-2" if seats == 2 else "side-3-4",
        "systems",
        "achievements",
        "guilds",
    ]
    lists += [f"basic-{seats}", "boards", "advanced" if setup.choices["boards"] == "advanced" else "basic"]
    lists += ["cubes", "first"]
    return tuple(say(f"beyond.setup.{what}") for what in lists)


def packing(setup: Setup) -> tuple[Text, ...]:
    """Where to put everything when the play is over."""
    return tuple(say(f"beyond.pack.{what}") for what in ("cards", "systems", "pieces", "boards"))
