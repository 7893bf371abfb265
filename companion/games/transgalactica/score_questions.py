"""Questions about a table that was played without the companion: what scores but no picture shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.components import Catalogue, Component
from companion.core.table_files import Asked
from companion.core.words import say
from companion.games.transgalactica.component_types import Objective, Pirate, Technology, everything
from companion.games.transgalactica.position_ids import known
from companion.games.transgalactica.position_limits import (
    CENTRE,
    HELD,
    LEVELS,
    OBJECTIVES,
    PIRATES,
    markers,
)
from companion.games.transgalactica.sheet import objective_of, technology_of
from companion.games.transgalactica.state import NIGHTMARE, NIGHTMARE_TILE
from scoring.transgalactica import TRACKS

NOT_TOLD = 0


def seat_told(about: Asked, seen: Sequence[str], box: Catalogue[Component]) -> dict[str, Any]:
    """A plain seat: planets, technologies, missions and objectives were seen, the rest is asked for."""
    planets = [id for id in dict.fromkeys(seen) if id in known("outposts") and id != CENTRE]
    technologies = [id for id in dict.fromkeys(seen) if id in known("technologies")]
    objectives = _objectives(about, [id for id in seen if id in known("objectives")])
    counted = _counted((*objectives, *technologies), box)
    seat: dict[str, Any] = {
        "name": about.name,
        "track_vp": about.number("track_vp", what="track"),
        "objectives": objectives,
        "outposts": [CENTRE, *planets],  # everybody's first outpost is there (rule 33)
        "technologies": technologies,
        "missions": [id for id in seen if id in known("missions")],
        "levels": _levels(about, counted, len(technologies)),
        "credits": about.number("credits"),
        "resources": {"mixed": about.amount("resources", about.words("resources"), HELD)},
        "nightmare": NIGHTMARE in seen or NIGHTMARE_TILE in seen,
    }
    tokens = min(PIRATES, sum(isinstance(box.by_id.get(id), Pirate) for id in seen))
    if "pirates" in counted:
        tokens = about.amount("pirates", about.words("pirates"), PIRATES, tokens)
    return {**seat, "pirates": tokens}


def _objectives(about: Asked, seen: Sequence[str]) -> list[str]:
    """Both objectives: those that were seen, and others chosen by name."""
    found = list(dict.fromkeys(seen))[:OBJECTIVES]
    every = known("objectives")
    for nth in range(len(found) + 1, OBJECTIVES + 1):
        named = [
            (at, everything()[id].called)
            for at, id in enumerate(every, start=NOT_TOLD + 1)
            if id not in found
        ]
        told = about.choice(f"objective-{nth}", about.words("objective", nth=nth), NOT_TOLD, named)
        if told != NOT_TOLD:
            found.append(every[told - NOT_TOLD - 1])
    return found


def _counted(ids: Iterable[str], box: Catalogue[Component]) -> set[str]:
    """Everything the cards of a seat count."""
    found: set[str] = set()
    for id in ids:
        card = box[id]
        if isinstance(card, Objective):
            found |= {term.of for term in objective_of(card).terms}
        elif isinstance(card, Technology):
            found |= {term.of for term in technology_of(card, 1).end}
    return found


def _levels(about: Asked, counted: set[str], marked: int) -> dict[str, int]:
    """The levels some card counts; uncounted trade is the lowest level with these markers (rule 117)."""
    told = {"trade": next(trade for trade in range(LEVELS["trade"] + 1) if markers(trade) >= min(marked, 5))}
    for track in TRACKS:
        if f"level:{track}" in counted:
            text = about.words("level", track=say(f"transgalactica.track.{track}"))
            least = told.get(track, 0)
            told[track] = about.amount(track, text, LEVELS[track], least, least)
    return told
