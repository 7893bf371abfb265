"""Build (p. 13): ships and structures on controlled sectors, paid with materials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.faces import ARROW, Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import SHIPS, STRUCTURES, Ship, Structure, technologies
from companion.games.eclipse.signs import amount
from companion.games.eclipse.state import EclipseState, does, gain, put_ships
from companion.games.eclipse.steps.free import InTurn

DONE = "done"
Building = Ship | Structure


def places_for(state: EclipseState, seat: int, what: Building) -> list[str]:
    """Controlled sectors where this may be built; one orbital and one monolith per sector."""
    if what == "orbital":
        return [place for place in state.controlled(seat) if not state.map[place].orbital]
    if what == "monolith":
        return [place for place in state.controlled(seat) if not state.map[place].monolith]
    return state.controlled(seat)


def buildable(state: EclipseState, seat: int) -> Iterator[Building]:
    """Everything this seat may build and pay for now."""
    for what in (*SHIPS, *STRUCTURES):
        if why_not_build(state, seat, what) is None:
            yield what


def why_not_build(state: EclipseState, seat: int, what: Building) -> Text | None:
    """The rule that forbids building this, if any."""
    name = say(f"eclipse.ship.{what}")
    needed = next((tech for tech in technologies().values() if tech.build == what), None)
    if needed is not None and not state.has(seat, needed.id):
        return say("eclipse.why.needs-technology", what=name, technology=state.called(needed.id))
    left = state.structures_left() if what in STRUCTURES else state.ships_left(seat, _ship(what))
    if left < 1:
        return say("eclipse.why.none-left", what=name)
    cost = state.species(seat).costs.of(what)
    if cost > state.seats[seat].stock.materials:
        return count("eclipse.why.too-expensive", cost, what=name)
    return None if places_for(state, seat, what) else say("eclipse.why.nowhere", what=name)


def _ship(word: str) -> Ship:
    return next(ship for ship in SHIPS if ship == word)


class Build(InTurn, Struct, frozen=True, tag="build"):
    """What is built? `left` is how many more things may be built."""

    seat: int
    left: int
    slug: ClassVar[str] = "eclipse.build"

    def choices(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.build", self.left)
        costs = state.species(self.seat).costs
        options = [
            Option(
                what,
                say(f"eclipse.ship.{what}"),
                detail=count("eclipse.cost", costs.of(what)),
                signs=(amount("materials", -costs.of(what)), ARROW, Sign(what)),
            )
            for what in buildable(state, self.seat)
        ]
        done = Option(DONE, say("eclipse.option.done"))
        reasons = (why_not_build(state, self.seat, what) for what in (*SHIPS, *STRUCTURES))
        notes = tuple(reason for reason in reasons if reason is not None)
        return Question(self.slug, self.seat, text, (*options, done), has_default=False, notes=notes)

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        if option == DONE:
            return state
        what = _building(option)
        places = places_for(state, self.seat, what)
        if len(places) > 1:
            return state.push(BuildAt(self.seat, what, self.left))
        return _build(state, self.seat, what, places[0], self.left)


class BuildAt(Ask, Struct, frozen=True, tag="build-at"):
    """In which sector?"""

    seat: int
    what: Building
    left: int
    slug: ClassVar[str] = "eclipse.build-at"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.build-at", what=say(f"eclipse.ship.{self.what}"))
        options = tuple(
            Option(place, state.where(place), state.map[place].hex, place=place)
            for place in places_for(state, self.seat, self.what)
        )
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        return _build(state, self.seat, self.what, option, self.left)

    def is_obsolete(self, state: EclipseState) -> bool:
        return why_not_build(state, self.seat, self.what) is not None

    def why_not(self, state: EclipseState, component: str) -> Text:
        return say("eclipse.why.build-where-your-disc-is")


def _build(state: EclipseState, seat: int, what: Building, place: str, left: int) -> EclipseState:
    if left > 1:
        state = state.push(Build(seat, left - 1))
    cost = state.species(seat).costs.of(what)
    state = gain(state, seat, "materials", -cost)
    sector = state.map[place]
    if what == "orbital":
        state = state.with_sector(place, replace(sector, orbital=True, cubes=(*sector.cubes, False)))
    elif what == "monolith":
        state = state.with_sector(place, replace(sector, monolith=True))
    else:
        state = put_ships(state, place, seat, _ship(what))
    return does(
        state,
        seat,
        count("eclipse.builds", cost, what=say(f"eclipse.ship.{what}"), sector=state.where(place)),
        usual=True,
    )


def _building(word: str) -> Building:
    return next(what for what in (*SHIPS, *STRUCTURES) if what == word)
