"""Asks for what is printed on a component, on one page with everything printed beside it."""

from __future__ import annotations

from companion.core.components import Component
from companion.core.facts import AskFact, AskFacts, ask_fact, ask_facts
from companion.core.words import Text, say
from companion.games.transgalactica.component_types import (
    CAPTAINS,
    CREW,
    LONGEST,
    OUTPOSTS,
    CrewSpace,
    Mission,
    Office,
    OutpostSpace,
    Planet,
    TrackSpace,
    ids,
)
from companion.games.transgalactica.state import TransState


def ask_print(state: TransState, component: Component, seat: int | None = None) -> AskFact | AskFacts:
    """The page with everything that is unknown about a component and those printed beside it."""
    beside, text = _beside(state, component)
    now = ask_fact("transgalactica", component, *component.unknown(), seat=seat)
    return ask_facts("transgalactica", [(one, one.unknown()) for one in beside], text, now)


def _beside(state: TransState, component: Component) -> tuple[tuple[Component, ...], Text]:
    match component:
        case TrackSpace(track=track):
            return _track(state, component), say(f"transgalactica.ask-print.track.{track}")
        case CrewSpace():
            crew = (state.crew_space(n, False) for n in range(1, int(state.panel.crew or CREW) + 1))
            captains = (state.crew_space(n, True) for n in range(1, CAPTAINS + 1))
            return (*crew, *captains), say("transgalactica.ask-print.crew-spaces")
        case OutpostSpace():
            spaces = tuple(state.outpost_space(n + 1) for n in range(OUTPOSTS))
            return spaces, say("transgalactica.ask-print.outpost-spaces")
        case Office():
            return tuple(state.box[id] for id in ids("offices")), say("transgalactica.ask-print.offices")
        case Planet():
            planets = tuple(state.planet(id) for id in state.planets.values())
            if component not in planets:
                planets = (component,)
            return planets, say("transgalactica.ask-print.planets")
        case Mission():
            laid = tuple(state.mission(id) for id in state.display)
            return laid, say("transgalactica.ask-print.missions")
    return (component,), say("core.what-is-printed", component=component.called)


def _track(state: TransState, needed: TrackSpace) -> tuple[TrackSpace, ...]:
    """The spaces of a track, as far as it is known to go."""
    spaces: list[TrackSpace] = []
    for at in range(LONGEST + 1):
        spaces.append(state.space(needed.track, at))
        if spaces[-1].ends_row and at >= needed.at:
            break
    return tuple(spaces)
