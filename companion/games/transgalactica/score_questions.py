"""What people tell about a table that was played without us: what no picture shows, as far as anything counts it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.core.components import Catalogue, Component
from companion.core.counters import Counter, choice
from companion.core.parts import Tableaux
from companion.core.words import Argument, Text, say
from companion.games.transgalactica.position_ids import known
from companion.games.transgalactica.position_limits import (
    CENTRE,
    HELD,
    HIGHEST,
    LEVELS,
    LOWEST,
    OBJECTIVES,
    PIRATES,
    markers,
)
from companion.games.transgalactica.sheet import objective_of, technology_of
from companion.games.transgalactica.state import NIGHTMARE, NIGHTMARE_TILE
from companion.games.transgalactica.things import Objective, Pirate, Technology, everything
from scoring.transgalactica import TRACKS

Ask = Callable[[Counter], int]
NOT_TOLD = 0


def _words(what: str, seat: str, **args: Argument) -> Text:
    return say(f"transgalactica.position.ask-{what}", seat=seat, **args)


def seats_told(tableaux: Tableaux, box: Catalogue[Component], ask: Ask) -> list[dict[str, Any]]:
    """The plain seats of what is each player's: planets, technologies, missions and objectives seen, the rest told."""
    return [_seat(n, name, tuple(seen), box, ask) for n, (name, seen) in enumerate(tableaux.items())]


def _seat(n: int, name: str, seen: Sequence[str], box: Catalogue[Component], ask: Ask) -> dict[str, Any]:
    planets = [id for id in dict.fromkeys(seen) if id in known("outposts") and id != CENTRE]
    technologies = [id for id in dict.fromkeys(seen) if id in known("technologies")]
    objectives = _objectives(n, name, [id for id in seen if id in known("objectives")], box, ask)
    counted = _counted((*objectives, *technologies), box)
    seat: dict[str, Any] = {
        "name": name,
        "track_vp": ask(Counter(f"track_vp:{n}", n, _words("track", name), 0, LOWEST, HIGHEST)),
        "objectives": objectives,
        "outposts": [CENTRE, *planets],  # everybody's first outpost stands there (rule 33)
        "technologies": technologies,
        "missions": [id for id in seen if id in known("missions")],
        "levels": _levels(n, name, counted, len(technologies), ask),
        "credits": ask(Counter(f"credits:{n}", n, _words("credits", name), 0, 0, HELD)),
        "resources": {"mixed": ask(Counter(f"resources:{n}", n, _words("resources", name), 0, 0, HELD))},
        "nightmare": NIGHTMARE in seen or NIGHTMARE_TILE in seen,
    }
    tokens = min(PIRATES, sum(isinstance(box.by_id.get(id), Pirate) for id in seen))
    if "pirates" in counted:
        tokens = ask(Counter(f"pirates:{n}", n, _words("pirates", name), tokens, 0, PIRATES))
    return {**seat, "pirates": tokens}


def _objectives(n: int, name: str, seen: Sequence[str], box: Catalogue[Component], ask: Ask) -> list[str]:
    """Both objectives: those that were seen, and those people tell by name."""
    found = list(dict.fromkeys(seen))[:OBJECTIVES]
    every = known("objectives")
    for nth in range(len(found) + 1, OBJECTIVES + 1):
        named = [
            (at, everything()[id].called)
            for at, id in enumerate(every, start=NOT_TOLD + 1)
            if id not in found
        ]
        told = ask(choice(f"objective-{nth}:{n}", n, _words("objective", name, nth=nth), NOT_TOLD, named))
        if told != NOT_TOLD:
            found.append(every[told - NOT_TOLD - 1])
    return found


def _counted(ids: Iterable[str], box: Catalogue[Component]) -> set[str]:
    """What the cards of a seat count."""
    found: set[str] = set()
    for id in ids:
        card = box[id]
        if isinstance(card, Objective):
            found |= {term.of for term in objective_of(card).terms}
        elif isinstance(card, Technology):
            found |= {term.of for term in technology_of(card, 1).end}
    return found


def _levels(n: int, name: str, counted: set[str], marked: int, ask: Ask) -> dict[str, int]:
    """The levels some card counts; trade is otherwise as low as so many development markers allow (rule 117)."""
    told = {"trade": next(trade for trade in range(LEVELS["trade"] + 1) if markers(trade) >= min(marked, 5))}
    for track in TRACKS:
        if f"level:{track}" in counted:
            text = _words("level", name, track=say(f"transgalactica.track.{track}"))
            least = told.get(track, 0)
            told[track] = ask(Counter(f"{track}:{n}", n, text, least, least, LEVELS[track]))
    return told
