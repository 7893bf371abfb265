"""Questions about a table that was played without this program: facts that no picture shows and nobody taught."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.components import UNKNOWN, Catalogue, Component
from companion.core.counters import Correctable
from companion.core.parts import Tableaux
from companion.core.table_files import Asked, AskNumber
from companion.core.words import plain, say
from companion.games.frontiers.component_types import Home, Tile, World, ids
from companion.games.frontiers.position_limits import STORED, TENS, WORTH
from companion.games.frontiers.position_needs import bonus_needs, goal_needs
from companion.games.frontiers.sheet import printed_goals
from companion.games.frontiers.state import PER_SEAT
from scoring.frontiers import PerHeld

NOT_TOLD = 0
REPLACED = 1
QUESTION = 11
"""The choice for a tile that prints a '?'; other choices are the points plus one."""


def position_told(
    tableaux: Tableaux, choices: dict[str, str], box: Catalogue[Component], about: Sequence[Asked]
) -> dict[str, Any]:
    """The plain position of the tiles each seat has: homes, chips, goals, and untaught points."""
    goals = _goals(tableaux, choices, about[0].ask)
    tiles: dict[str, dict[str, Any]] = {}
    seats = []
    for one, seen in zip(about, tableaux.values(), strict=True):
        empire = [id for id in seen if isinstance(box.by_id.get(id), Tile)]
        seat: dict[str, Any] = {"name": one.name, "empire": empire}
        if not any(isinstance(box[id], Home) for id in empire):
            _home(one, seat, box)
        seat["chips"] = one.number("chips", PER_SEAT * len(tableaux) + TENS)
        for id in empire:
            if (points := _points(one, box[id])) is not None:
                tiles[id] = {"points": points}
        for field, goal in STORED.items():
            if goal in goals:
                seat[field] = one.number(field)
        seats.append(seat)
    return {"game": "frontiers", "goals": goals, "tiles": tiles, "seats": seats}


def _goals(tableaux: Tableaux, choices: dict[str, str], ask: AskNumber) -> list[str]:
    """The goals that were recognised, and those the players say were in play."""
    seen = {id for lying in tableaux.values() for id in lying}
    if choices.get("goals") != "goals":
        return [goal for goal in ids("goals") if goal in seen]
    found = []
    for goal, tile in printed_goals().items():
        text = say("frontiers.position.ask-goal", goal=tile.called)
        if ask(Correctable(f"goal:{goal}", None, text, int(goal in seen), 0, 1, goal)):
            found.append(goal)
    return list(found)


def _home(about: Asked, seat: dict[str, Any], box: Catalogue[Component]) -> None:
    """Which home it is, or that it was replaced; if that is not answered, the position reports a missing home."""
    homes = ids("homes")
    named = [(REPLACED, say("frontiers.position.home-replaced"))]
    named += [(at, box[id].called) for at, id in enumerate(homes, start=REPLACED + 1)]
    told = about.choice("home", about.words("home"), NOT_TOLD, named)
    if told == REPLACED:
        seat["home_replaced"] = True
    elif told != NOT_TOLD:
        seat["empire"].insert(0, homes[told - REPLACED - 1])


def _points(about: Asked, tile: Component) -> int | str | None:
    """The printed points of a tile, if they were not taught."""
    if not isinstance(tile, Tile) or tile.points is not UNKNOWN:
        return None
    named = [(points + 1, plain(str(points))) for points in range(10)]
    named.append((QUESTION, plain("?")))
    text = about.words("points", tile=tile.called)
    told = about.choice(f"points-{tile.id}", text, NOT_TOLD, named, tile.id)
    if told == NOT_TOLD:
        return None
    return "?" if told == QUESTION else told - 1


def counted_told(position: dict[str, Any], box: Catalogue[Component], about: Sequence[Asked]) -> None:
    """Ask for amounts that bonuses and goals count but no tile shows; where facts are missing, ask for the points."""
    known = box.taught({f"{id}.points": told["points"] for id, told in position["tiles"].items()})
    for one, seat in zip(about, position["seats"], strict=True):
        empire = [tile for id in seat["empire"] if isinstance(tile := known[id], Tile)]
        held = {t.held for tile in empire for t in tile.bonus or () if isinstance(t, PerHeld)}
        if "colonists" in held or "conscription" in position["goals"]:
            seat["colonists"] = one.number("colonists", PER_SEAT * len(about))
        if "credits" in held:
            seat["credits"] = one.number("credits")
        if "goods" in held:
            seat["goods"] = _goods(one, empire)
        worth = dict(_worth(one, empire, position["goals"]))
        if worth:
            seat["worth"] = worth


def _worth(about: Asked, empire: Sequence[Tile], goals: Iterable[str]) -> Iterable[tuple[str, int]]:
    for tile in empire:
        if tile.open_bonus or (tile.points == "?" and bonus_needs(tile.bonus or (), empire)):
            text = about.words("worth", tile=tile.called)
            yield tile.id, about.amount(f"worth-{tile.id}", text, WORTH, component=tile.id)
    for goal, printed in printed_goals().items():
        if goal in goals and goal_needs(goal, empire):
            named = [
                (points + 1, plain(str(points))) for points in (0, *(points for _, points in printed.steps))
            ]
            text = about.words("goal-points", goal=printed.called)
            yield goal, about.choice(f"worth-{goal}", text, 1, named, goal) - 1


def ties_told(
    position: dict[str, Any], tied: Iterable[str], box: Catalogue[Component], about: Sequence[Asked]
) -> None:
    """Ask for credits and goods, only where they break a tie."""
    for one, seat in zip(about, position["seats"], strict=True):
        if one.name in tied:
            if "credits" not in seat:
                seat["credits"] = one.number("credits")
            if "goods" not in seat:
                seat["goods"] = _goods(one, [box[id] for id in seat["empire"]])


def _goods(about: Asked, empire: Iterable[Component]) -> list[str]:
    """As many colonies as there are goods; which colonies they lie on changes no score."""
    able = [tile.id for tile in empire if isinstance(tile, World) and tile.product != "gray"]
    return able[: about.amount("goods", about.words("goods"), len(able))]
