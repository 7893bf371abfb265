"""Small tables of Beyond the Sun to start a test from, and helpers to play them. The boards are made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.agenda import Step, advance, open_asks, take
from companion.core.questions import Answer, Question
from companion.core.words import Text, inside
from companion.games.beyond.columns import returned
from companion.games.beyond.component_types import CARD_PLACES
from companion.games.beyond.operations import AnyOperation
from companion.games.beyond.state import Base, BeyondState, Node, Seat, Ship
from companion.games.beyond.steps.perform import Perform
from companion.texts import render
from tests.games.beyond.made_up_box import made_up_box

NAMES = ("Ania", "Bartek", "Cecylia", "Darek")
SYSTEMS = {"a1": "barnards-star", "a2": "sirius", "b1": "tau-ceti", "b2": "kapteyns-star"}
LEVEL_ONE = {
    "i-1": "narrow-beam-lasers",
    "i-2": "terraforming",
    "i-3": "advanced-genetics",
    "i-4": "advanced-robotics",
}

QUIET: dict[str, Any] = {
    "barnards-star.control_bonus": [],
    "barnards-star.specialisations": ["food"],
    "barnards-star.strength": 3,
    "barnards-star.abilities": [],
    "sirius.specialisations": ["ore"],
    "sirius.strength": 4,
    "sirius.abilities": [],
    "tau-ceti.strength": 5,
    "tau-ceti.abilities": [],
    "kapteyns-star.control_bonus": [],
    "kapteyns-star.abilities": [],
    "kapteyns-star.points": 6,
    "system-10.deck": "A",
    "side-2.yards": ["food", "ore"],
    "side-3-4.yards": ["food", "ore"],
    **{f"{card}.immediate": [] for card in LEVEL_ONE.values()},
    **{f"{card}.abilities": [] for card in LEVEL_ONE.values()},
    **{f"{card}.actions": [] for card in LEVEL_ONE.values() if card != "advanced-genetics"},
    "advanced-genetics.passes": "science",
    "advanced-robotics.passes": "economy",
    **{f"basic-{n}.{field}": 2 for n in (2, 3, 4) for field in ("research_1", "research_2", "build_jump")},
    **{f"basic-{n}.recruit_ore": 1 for n in (2, 3, 4)},
    **{f"basic-{n}.surcharge": ["research-2"] for n in (2, 3, 4)},
    **{f"basic-{n}.shared": False for n in (2, 3, 4)},
}
"""What the made-up box says more quietly here, so that a test sees only what it is about."""


def seat(
    *ships: str,
    ore: int = 0,
    population: int = 2,
    supply: tuple[int, ...] | None = None,
    **more: Any,
) -> Seat:
    """A faction with ships such as "sol:1"; without columns the cubes that are left lie there from the right."""
    fleet = tuple(sorted(Ship(s.partition(":")[0], int(s.partition(":")[2])) for s in ships))
    return Seat("", "nishida", ore, population, supply or (-1,), ships=fleet, **more)


def table(
    *seats: Seat,
    taught: Mapping[str, Any] | None = None,
    tree: Mapping[str, Node] | None = None,
    researched: Mapping[str, tuple[int, ...]] | None = None,
    bases: Mapping[str, Base] | None = None,
    agenda: tuple[Step, ...] = (),
    **more: Any,
) -> BeyondState:
    """A table in the middle of somebody's action: Ania's unless `active` says otherwise."""
    nodes = {space: Node(card) for space, card in LEVEL_ONE.items()} | dict(tree or {})
    for space, who in (researched or {}).items():
        nodes[space] = Node(nodes.get(space, Node()).card, who)
    state = BeyondState(
        seats=tuple(replace(who, name=NAMES[n]) for n, who in enumerate(seats)),
        taught={**made_up_box(), **QUIET, **(taught or {})},
        tree=nodes,
        systems=dict(SYSTEMS),
        bases=dict(bases or {}),
        decks={"A": 10, "B": 10},
        achievements={"transcendence": (), "empire": ()},
        **{"round": 2, "phase": "action", **more},
    )
    for n, faction in enumerate(state.seats):
        if faction.supply == (-1,):
            state = state.with_seat(n, replace(faction, supply=(0, 0, 0, 0, 0)))
            state = state.with_seat(n, replace(faction, supply=_rest(state, n)))
    nobody = tuple(place for place in state.controllable if place not in state.bases)
    return advance(replace(state, agenda=agenda, open_places=more.get("open_places", nobody)))


def _rest(state: BeyondState, seat: int) -> tuple[int, ...]:
    return returned((0, 0, 0, 0, 0), state.sizes(seat), 20 - state.cubes(seat))


def does(
    state: BeyondState, *operations: AnyOperation, seat: int = 0, source: str = "terraforming"
) -> BeyondState:
    """The table while a seat carries these out."""
    return advance(state.push(Perform(seat, operations, source)))


def asked(state: BeyondState) -> Question:
    """The only open question."""
    ((_, ask),) = open_asks(state)
    return ask.ask(state)


def offers(state: BeyondState) -> set[str]:
    """What may be answered now."""
    return {option.id for option in asked(state).options}


def details(state: BeyondState, language: str = "en") -> dict[str, str]:
    """What each option of the open question leads to, in words."""
    return {o.id: render(o.detail, language) for o in asked(state).options if o.detail is not None}


def say(state: BeyondState, *options: str) -> BeyondState:
    """The table after these answers, one after another."""
    for option in options:
        question = asked(state)
        state = take(state, Answer(question.seat, question.slug, option))
    return state


def told(state: BeyondState) -> set[str]:
    """The keys of everything told with the last answer."""
    return {part.key for item in state.news for part in inside(item.text) if isinstance(part, Text)}


def left(state: BeyondState, seat: int) -> tuple[int, int]:
    """Food and ore discs on the tracks."""
    return state.left(seat, "food"), state.left(seat, "ore")


assert set(SYSTEMS) == set(CARD_PLACES)
