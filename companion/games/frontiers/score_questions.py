"""What people tell about a table that was played without us: what no picture of tiles shows and nobody taught."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.core.components import UNKNOWN, Catalogue, Component
from companion.core.counters import Counter, choice
from companion.core.parts import Tableaux
from companion.core.words import Argument, Text, plain, say
from companion.games.frontiers.position_limits import CREDITS, MOST, STORED, TENS, WORTH
from companion.games.frontiers.position_needs import bonus_needs, goal_needs
from companion.games.frontiers.sheet import printed_goals
from companion.games.frontiers.state import PER_SEAT
from companion.games.frontiers.things import Home, Tile, World, ids
from scoring.frontiers import PerHeld

Ask = Callable[[Counter], int]
NOT_TOLD = 0
REPLACED = 1
QUESTION = 11
"""What is chosen for a tile that prints a '?'; points are chosen as one more than they are."""


def _words(what: str, seat: str, **args: Argument) -> Text:
    return say(f"frontiers.position.ask-{what}", seat=seat, **args)


def position_told(
    tableaux: Tableaux, choices: dict[str, str], box: Catalogue[Component], ask: Ask
) -> dict[str, Any]:
    """The plain position of what lies before each seat: homes, chips, goals, and points nobody taught."""
    goals = _goals(tableaux, choices, ask)
    tiles: dict[str, dict[str, Any]] = {}
    seats = []
    for n, (name, seen) in enumerate(tableaux.items()):
        empire = [id for id in seen if isinstance(box.by_id.get(id), Tile)]
        seat: dict[str, Any] = {"name": name, "empire": empire}
        if not any(isinstance(box[id], Home) for id in empire):
            _home(n, name, seat, box, ask)
        most = PER_SEAT * len(tableaux) + TENS
        seat["chips"] = ask(Counter(f"chips:{n}", n, _words("chips", name), 0, 0, most))
        for id in empire:
            if (points := _points(n, name, box[id], ask)) is not None:
                tiles[id] = {"points": points}
        for field, goal in STORED.items():
            if goal in goals:
                text = _words(field.replace("_", "-"), name)
                seat[field] = ask(Counter(f"{field}:{n}", n, text, 0, 0, MOST[field]))
        seats.append(seat)
    return {"game": "frontiers", "goals": goals, "tiles": tiles, "seats": seats}


def _goals(tableaux: Tableaux, choices: dict[str, str], ask: Ask) -> list[str]:
    """The goals that were seen, and those people say were in play."""
    seen = {id for lying in tableaux.values() for id in lying}
    if choices.get("goals") != "goals":
        return [goal for goal in ids("goals") if goal in seen]
    found = []
    for goal, tile in printed_goals().items():
        text = say("frontiers.position.ask-goal", goal=tile.called)
        if ask(Counter(f"goal:{goal}", None, text, int(goal in seen), 0, 1, goal)):
            found.append(goal)
    return list(found)


def _home(n: int, name: str, seat: dict[str, Any], box: Catalogue[Component], ask: Ask) -> None:
    """Which home it is, or that it was replaced; while nobody told that, the position says so."""
    homes = ids("homes")
    named = [(REPLACED, say("frontiers.position.home-replaced"))]
    named += [(at, box[id].called) for at, id in enumerate(homes, start=REPLACED + 1)]
    told = ask(choice(f"home:{n}", n, _words("home", name), NOT_TOLD, named))
    if told == REPLACED:
        seat["home_replaced"] = True
    elif told != NOT_TOLD:
        seat["empire"].insert(0, homes[told - REPLACED - 1])


def _points(n: int, name: str, tile: Component, ask: Ask) -> int | str | None:
    """The printed points of a tile nobody taught them of."""
    if not isinstance(tile, Tile) or tile.points is not UNKNOWN:
        return None
    named = [(points + 1, plain(str(points))) for points in range(10)]
    named.append((QUESTION, plain("?")))
    text = _words("points", name, tile=tile.called)
    told = ask(choice(f"points-{tile.id}:{n}", n, text, NOT_TOLD, named, tile.id))
    if told == NOT_TOLD:
        return None
    return "?" if told == QUESTION else told - 1


def counted_told(position: dict[str, Any], box: Catalogue[Component], ask: Ask) -> None:
    """What bonuses and goals count that no tile shows; where facts are missing, what the table counted itself."""
    known = box.taught({f"{id}.points": told["points"] for id, told in position["tiles"].items()})
    for n, seat in enumerate(position["seats"]):
        empire = [tile for id in seat["empire"] if isinstance(tile := known[id], Tile)]
        name = seat["name"]
        held = {t.held for tile in empire for t in tile.bonus or () if isinstance(t, PerHeld)}
        if "colonists" in held or "conscription" in position["goals"]:
            most = PER_SEAT * len(position["seats"])
            seat["colonists"] = ask(Counter(f"colonists:{n}", n, _words("colonists", name), 0, 0, most))
        if "credits" in held:
            _credits(n, seat, ask)
        if "goods" in held:
            _goods(n, seat, empire, ask)
        worth = dict(_worth(n, name, empire, position["goals"], ask))
        if worth:
            seat["worth"] = worth


def _worth(
    n: int, name: str, empire: Sequence[Tile], goals: Iterable[str], ask: Ask
) -> Iterable[tuple[str, int]]:
    for tile in empire:
        if tile.open_bonus or (tile.points == "?" and bonus_needs(tile.bonus or (), empire)):
            text = _words("worth", name, tile=tile.called)
            yield tile.id, ask(Counter(f"worth-{tile.id}:{n}", n, text, 0, 0, WORTH, tile.id))
    for goal, printed in printed_goals().items():
        if goal in goals and goal_needs(goal, empire):
            named = [
                (points + 1, plain(str(points))) for points in (0, *(points for _, points in printed.steps))
            ]
            text = _words("goal-points", name, goal=printed.called)
            yield goal, ask(choice(f"worth-{goal}:{n}", n, text, 1, named, goal)) - 1


def ties_told(position: dict[str, Any], tied: Iterable[str], box: Catalogue[Component], ask: Ask) -> None:
    """Credits and goods, asked for only where they break a tie."""
    for n, seat in enumerate(position["seats"]):
        if seat["name"] in tied:
            if "credits" not in seat:
                _credits(n, seat, ask)
            if "goods" not in seat:
                _goods(n, seat, [box[id] for id in seat["empire"]], ask)


def _credits(n: int, seat: dict[str, Any], ask: Ask) -> None:
    seat["credits"] = ask(Counter(f"credits:{n}", n, _words("credits", seat["name"]), 0, 0, CREDITS))


def _goods(n: int, seat: dict[str, Any], empire: Iterable[Component], ask: Ask) -> None:
    """How many goods there are; which colonies they lie on changes no score."""
    able = [tile.id for tile in empire if isinstance(tile, World) and tile.product != "gray"]
    many = ask(Counter(f"goods:{n}", n, _words("goods", seat["name"]), 0, 0, len(able)))
    seat["goods"] = able[:many]
