"""Small tables of Transgalactica to start a test from, and helpers to play them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.agenda import Ask, Step, advance, open_asks, take
from companion.core.questions import Answer, Question
from companion.core.words import Text, inside, plain
from companion.games.transgalactica.component_types import ids, printed_box
from companion.games.transgalactica.effects import Effects
from companion.games.transgalactica.state import Held, Outpost, Seat, TransState
from companion.games.transgalactica.steps.resolve import Perform, Resolve
from tests.games.transgalactica.made_up_box import facts

NAMES = ("Ania", "Ola", "Jan", "Ewa", "Iza")
USUAL = {
    "captains": "two",
    "following": "own-turn",
    "points": "below",
    "strength": "markers",
    "wild": "leaves",
    "nightmare": "aside",
    "two-types": "one",
    "or": "better",
    "hoard": "resources",
    "trade-planets": "planet",
    "offices": "levels",
    "condition": "unit",
    "reminders": "on",
}


def laid_out() -> dict[str, str]:
    """Every planet on the map, in the order of the box: space 1 the first and so on."""
    tiles = [planet.id for planet in printed_box().planets if planet.type not in ("special", "central")]
    return {"centre": "central", **{str(n + 1): id for n, id in enumerate(tiles)}}


LAID = laid_out()
SPACE = {planet: space for space, planet in LAID.items()}


def seat(
    *planets: str, tokens: Iterable[str] = (), at: str = "centre", used: Iterable[str] = (), **more: Any
) -> Seat:
    """A fleet with outposts on the central planet and these, in this order, its ship at a space or planet."""
    outposts = (Outpost("central"), *(_outpost(planet) for planet in planets))
    ships = (SPACE.get(at, at),) * (2 if more.get("ability") == "second-ship" else 1)
    return Seat(
        "",
        outposts=outposts,
        **{"ships": ships, **more},
        tokens=(*(Held(id) for id in tokens), *(Held(id, True) for id in used)),
    )


def _outpost(planet: str) -> Outpost:
    id, _, slot = planet.partition(":")
    return Outpost(id, int(slot or 0))


def table(
    players: int = 3,
    taught: Mapping[str, Any] | None = None,
    choices: Mapping[str, str] | None = None,
    pirates: Mapping[str, str] | None = None,
    **more: Any,
) -> TransState:
    """A table in the action phase of round 2, nothing on the agenda: `ania=seat(...)`, `ola=`, `jan=`, `ewa=`, `iza=`.

    Ania is first and it is her turn; all planets lie out, the first three technologies of each level, missions and
    decrees, unless a test says otherwise.
    """
    seats: list[Seat] = []
    for name in NAMES[:players]:
        who = more.pop(name.lower(), None) or seat()
        away = who.crew + who.crew_out + who.gone
        senate: tuple[tuple[int, ...], ...] = more.get("senate", ())
        sits = sum(office.count(len(seats)) for office in senate)
        seats.append(replace(who, name=name, capsules=6 - away - sits))
    technologies = [card.id for level in (1, 2, 3) for card in _technologies(level)[:3]]
    missions = [m.id for level in (1, 2) for m in _missions(level)[:3]]
    fields: dict[str, Any] = {
        "order": tuple(range(players)),
        "segments": tuple(len(who.outposts) for who in seats),
        "round": 2,
        "phase": "actions",
        "active": 0,
        "technologies": tuple(technologies),
        "display": tuple(missions),
        "decrees": ids("decrees")[:3],
        "senate": ((), (), ()),
        "planets": dict(LAID),
        "pirates": dict(pirates or {}),
        "mining_stack": 5,
        **more,
    }
    return TransState(
        choices={**USUAL, **(choices or {})},
        seats=tuple(seats),
        taught={**facts(), **(taught or {})},
        **fields,
    )


def _technologies(level: int) -> list[Any]:
    return [card for card in printed_box().technologies if card.level == level]


def _missions(level: int) -> list[Any]:
    return [card for card in printed_box().missions if card.level == level]


# Hands


def run(state: TransState, *steps: Step) -> TransState:
    """The table after these steps, as far as nobody is asked."""
    return advance(replace(state, news=(), agenda=(*steps, *state.agenda)))


def perform(state: TransState, action: Any, kind: Any = "main", seat: int = 0) -> TransState:
    """An action of the panel, without the worker."""
    return run(state, Perform(seat, action, kind))


def resolve(state: TransState, *effects: Any, seat: int = 0, origin: Any = "card") -> TransState:
    """Symbols that are done for a seat."""
    done: Effects = effects
    return run(state, Resolve(seat, done, origin, plain("test")))


def asked(state: TransState) -> Question:
    """The one open question."""
    asks = open_asks(state)
    assert len(asks) == 1, [type(ask).__name__ for _, ask in asks]
    return asks[0][1].ask(state)


def step(state: TransState) -> Ask:
    """What waits for an answer."""
    return open_asks(state)[0][1]


def options(state: TransState) -> list[str]:
    """What may be answered."""
    return [option.id for option in asked(state).options]


def answer(state: TransState, *chosen: str) -> TransState:
    """These answers one after another; in between, what can only be answered in one way is."""
    for option in chosen:
        while (
            option not in options(state) and asked(state).only is not None
        ):  # a form never has but one answer
            state = _take(state, str(asked(state).options[0].id))
        assert asked(state).form is not None or option in options(state), (option, options(state))
        state = _take(state, option)
    return forced(state)


def forced(state: TransState) -> TransState:
    """The table once nothing is asked that has but one answer."""
    while state.agenda and (question := asked(state)).only is not None:
        state = _take(state, question.options[0].id)
    return state


def _take(state: TransState, option: str) -> TransState:
    question = asked(state)
    return take(state, Answer(question.seat, question.slug, option))


def hold(state: TransState, seat: int = 0) -> tuple[int, int, int, int]:
    """Energy, minerals, aliens and credits."""
    who = state.seats[seat]
    return who.energy, who.mineral, who.alien, who.credit


def told(state: TransState) -> set[str]:
    """The sentences told last, and every part of them."""
    return {part.key for item in state.news for part in inside(item.text)}


def reasons(text: Text) -> set[str]:
    """Every slug in a sentence."""
    return {part.key for part in inside(text)}
