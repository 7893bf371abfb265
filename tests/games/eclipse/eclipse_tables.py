"""Small tables of Eclipse to start a test from, and helpers to play them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.agenda import Ask, Step, advance, open_asks, take
from companion.core.questions import Answer, Question
from companion.core.words import Text, inside
from companion.games.eclipse.component_types import SHIPS, Stock, sectors
from companion.games.eclipse.state import EclipseState, Fleet, Seat, Sector
from companion.games.eclipse.steps.setup import ChooseSpecies, LayOut

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
TERRANS = (
    "terran-directorate",
    "terran-federation",
    "terran-union",
    "terran-republic",
    "terran-conglomerate",
    "terran-alliance",
)


def table(*species: str, round: int = 1) -> EclipseState:
    """A table in the action phase with these species at their start positions, nothing on the agenda."""
    state = EclipseState(
        seats=tuple(Seat(name) for name in NAMES[: len(species)]), round=round, phase="action"
    )
    for seat, id in enumerate(species):
        state = ChooseSpecies(seat).take(state, id)
    return replace(advance(state.push(LayOut())), news=())


def seat(state: EclipseState, who: int, **changes: Any) -> EclipseState:
    """The table with one seat's board changed."""
    return state.with_seat(who, replace(state.seats[who], **changes))


def rich(state: EclipseState, who: int, n: int = 40) -> EclipseState:
    """The table with a full store."""
    return seat(state, who, stock=Stock(n, n, n))


def sector(
    state: EclipseState,
    place: str,
    id: str,
    rotation: int = 0,
    *,
    owner: int | None = None,
    ships: tuple[tuple[int, dict[str, int]], ...] = (),
    cubes: int = 0,
    **things: Any,
) -> EclipseState:
    """The table with one more sector, out of its stack; its first so many squares have cubes of the owner."""
    hex = sectors()[id]
    fleets = tuple(Fleet(who, {s: fleet[s] for s in SHIPS if s in fleet}) for who, fleet in ships)
    taken = tuple(n < cubes for n in range(len(hex.squares)))
    state = state.with_sector(
        place, Sector(id, rotation, owner, taken, fleets, things.pop("ancients", 0), **things)
    )
    if owner is not None:
        tracks = state.seats[owner].tracks
        for square, cube in zip(hex.squares, taken, strict=True):
            if cube:
                kind = next(k for k in ("money", "science", "materials") if square in (k, f"{k}*", "gray"))
                tracks = tracks.add(kind, -1)  # type: ignore[arg-type]
        state = seat(state, owner, tracks=tracks)
    if hex.ring in state.stacks:
        stack = state.stacks[hex.ring]
        unseen = tuple(other for other in stack.unseen if other != id)
        stacks = {**state.stacks, hex.ring: replace(stack, unseen=unseen, left=stack.left - 1)}
        state = replace(state, stacks=stacks)
    return state


def at(state: EclipseState, *steps: Step) -> EclipseState:
    """The table after these steps began, up to the first question."""
    return advance(state.push(*steps))


def asked(state: EclipseState) -> Ask:
    """The one question that is open."""
    ((_, ask),) = open_asks(state)
    return ask


def question(state: EclipseState) -> Question:
    return asked(state).ask(state)


def options(state: EclipseState, *but: str) -> list[str]:
    """What may be answered now; free deeds of the turn only if they are asked for."""
    free = ("colony:", "trade:", "ally:")
    return [o.id for o in question(state).options if not o.id.startswith(free) and o.id not in but]


def free(state: EclipseState, prefix: str) -> list[str]:
    """What may be done besides the action."""
    return [o.id for o in question(state).options if o.id.startswith(prefix)]


def answer(state: EclipseState, *choices: str) -> EclipseState:
    """The table after these answers, each to the one question that is open."""
    for option in choices:
        ask = asked(state)
        state = take(state, Answer(ask.seat, ask.slug, option))
    return state


def told(state: EclipseState, key: str) -> list[Text]:
    """Every sentence with this key in what was told last."""
    return [text for item in state.news for text in inside(item.text) if text.key == key]
