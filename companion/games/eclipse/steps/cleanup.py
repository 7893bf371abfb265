"""Clean-up (p. 24): new technologies, discs and destroyed cubes back on their tracks, colony ships face up."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import (
    CATEGORIES,
    RESOURCES,
    TECHNOLOGIES_EACH_ROUND,
    Stock,
    Technology,
    technologies,
)
from companion.games.eclipse.state import EclipseState, does
from companion.games.eclipse.steps.cubes import ReturnCubes


class CleanUp(Do, Struct, frozen=True, tag="clean-up"):
    """Reset everything for the next round."""

    def do(self, state: EclipseState) -> EclipseState:
        state = replace(state, phase="cleanup")
        buried = []
        for index, seat in enumerate(state.seats):
            dead = tuple(kind for kind in RESOURCES for _ in range(seat.graveyard.of(kind)))
            if dead:
                buried.append(ReturnCubes(index, dead))
                state = does(state, index, count("eclipse.cubes-return", len(dead)))
            seat = replace(seat, acted={}, colonised=0, passed=seat.out, graveyard=Stock())
            state = state.with_seat(index, seat)
        return state.push(*buried, DrawTechnologies(TECHNOLOGIES_EACH_ROUND[len(state.seats)]))


class DrawTechnologies(Do, Struct, frozen=True, tag="draw-technologies"):
    """Draw technology tiles from the bag to the supply board, as long as there are any."""

    left: int
    drawn: tuple[str, ...] = ()

    def do(self, state: EclipseState) -> EclipseState:
        if not self.left or not any(state.in_bag(t) > 0 for t in technologies()):
            return state
        return state.push(TellTechnology(self.left, self.drawn))


class TellTechnology(Ask, Struct, frozen=True, tag="tell-technology"):
    """Which technology was drawn?"""

    left: int
    drawn: tuple[str, ...] = ()
    seat: None = None
    slug: ClassVar[str] = "eclipse.technology"

    def ask(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.technology", self.left)
        options = tuple(
            Option(
                tech.id,
                state.called(tech.id),
                tech.id,
                say("eclipse.in-bag", n=state.in_bag(tech.id)),
                signs=(Sign("bag", str(state.in_bag(tech.id))),),
                cell=cell_of(tech),
                picked=self.drawn.count(tech.id),
            )
            for tech in technologies().values()
            if state.in_bag(tech.id) > 0
        )
        tally = Picks(len(self.drawn), len(self.drawn) + self.left)
        return Question(self.slug, None, text, options, has_default=False, tally=tally)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        offered = {**state.offered, option: state.offered.get(option, 0) + 1}
        return replace(state, offered=offered).push(DrawTechnologies(self.left - 1, (*self.drawn, option)))

    def is_obsolete(self, state: EclipseState) -> bool:
        return not any(state.in_bag(t) > 0 for t in technologies())

    def why_not(self, state: EclipseState, component: str) -> Text:
        tech = technologies().get(component)
        if tech is None:
            return say("eclipse.why.not-a-technology")
        return say("eclipse.why.none-in-bag", technology=state.called(tech.id))


def cell_of(tech: Technology) -> tuple[int, int]:
    """The cell of a technology on the supply board: a row for each track, the cheapest first."""
    row = CATEGORIES.index(tech.category)
    costs = sorted(other.cost for other in technologies().values() if other.category == tech.category)
    return row, costs.index(tech.cost)
