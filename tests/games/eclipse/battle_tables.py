"""Tables in the combat phase: a sector with wormholes on all sides, and one neighbour."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.agenda import advance, questions, take
from companion.core.questions import Answer, Question
from companion.core.words import Text, of_seat
from companion.games.eclipse.component_types import Ship, Stock, species
from companion.games.eclipse.species import start_upgrades
from companion.games.eclipse.state import EclipseState, Fleet, Seat, Sector
from companion.games.eclipse.steps.battle import Combat
from companion.texts import render

HERE, NORTH, SOUTH = "0,0", "0,-1", "0,1"
"""A sector with a battle, and two next to it with wormholes between."""


def seat(name: str, kind: str, parts: dict[Ship, tuple[str, ...]] | None = None, **more: object) -> Seat:
    """A seat whose blueprints have these parts where they are named."""
    upgrades = {**start_upgrades(kind), **(parts or {})}
    technologies = species()[kind].technologies
    return Seat(name, kind, upgrades=upgrades, technologies=technologies, tracks=Stock(5, 5, 5), **more)  # type: ignore[arg-type]


def table(seats: Iterable[Seat], here: Sector, north: Sector | None = None, **more: Sector) -> EclipseState:
    """A table about to fight, stopped at its first question."""
    places = {HERE: here, **({NORTH: north} if north else {}), **more}
    return advance(EclipseState(agenda=(Combat(),), seats=tuple(seats), map=places, round=1, phase="combat"))


def sector(hex: str = "sector-103", *fleets: tuple[int, dict[Ship, int]], **more: object) -> Sector:
    """A hex with these fleets, in order of arrival."""
    cubes = more.pop("cubes", (False,) * len(Sector(hex).facts.squares))
    ships = tuple(Fleet(who, ships) for who, ships in fleets)
    return Sector(hex, fleets=ships, cubes=cubes, **more)  # type: ignore[arg-type]


def asked(state: EclipseState) -> Question:
    """The only question there is."""
    (question,) = questions(state)
    return question


def answer(state: EclipseState, *options: str) -> EclipseState:
    """One answer after another to whatever is asked."""
    for option in options:
        question = asked(state)
        state = take(state, Answer(question.seat, question.slug, option))
    return state


def told(state: EclipseState) -> str:
    """What the last answer led to."""
    return "\n".join(
        render(news.text if news.seat is None else of_seat(state.name(news.seat), news.text), "en")
        for news in state.news
    )


def words(text: Text) -> str:
    """A sentence in English."""
    return render(text, "en")
