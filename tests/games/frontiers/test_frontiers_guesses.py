"""A finished table is scored only if no unknown fact could change its points."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, get_args

from companion.core.fact_values import anything
from companion.errors import DataTrouble
from companion.games.frontiers import position
from companion.games.frontiers.component_types import everything, ids
from companion.games.frontiers.position_facts import FACTS as TOLD
from scoring.frontiers import PHASES, Match
from scoring.sheet import Sheet
from tests import budgets
from tests.games.frontiers.made_up_box import FACTS

FIELDS = ("price", "product", "keywords", "powers")
"""What may change the points of other tiles; homes are never asked for a price."""


CONDITIONS = {
    "match": [match for match in get_args(Match) if match != "all"],
    "military": ["military", "peaceful"],
    "goods": ["windfall", "production"],
    "with_power": list(PHASES),
}


def any_term(random: Random) -> dict[str, Any]:
    """Something a '?' may count; with more than two conditions it would hardly ever count anything."""
    if random.random() < 0.15:
        return {"does": "per-held", "held": "military"}
    asked = random.sample(sorted(CONDITIONS), random.choice((1, 1, 2)))
    conditions = {field: random.choice(CONDITIONS[field]) for field in asked}
    tile = random.choice(["tile", "colony", "development"])
    return {"does": "per-tile", "tile": tile, "points": random.randint(1, 3), **conditions}


def tables(n: int, random: Random) -> Iterator[dict[str, Any]]:
    """Two empires with a bonus or two and a goal, where a few things are not told."""
    made = FACTS
    for _ in range(n):
        bonuses = random.sample(("new-economy", "galactic-exchange"), random.choice((0, 1, 1, 2)))
        empire = ["home-1a", *bonuses]
        others = [id for id in ids("worlds") if id not in empire]
        empire += random.sample(others, random.randint(1, 3))
        empire += random.sample(
            [id for id in ids("developments")[:24] if id not in empire], random.randint(0, 2)
        )
        tiles: dict[str, dict[str, Any]] = {"home-2a": {"points": 0}}
        for id in empire:
            told = {
                key.rpartition(".")[2]: value for key, value in made.items() if key.rpartition(".")[0] == id
            }
            for field in FIELDS:
                if random.random() < 0.3:
                    told.pop(field, None)
            tiles[id] = (
                {**told, "bonus": [any_term(random) for _ in range(random.randint(1, 2))]}
                if id in bonuses
                else told
            )
        ania = {"name": "Ania", "empire": empire, "chips": 0, "credits": 3, "colonists": 2}
        goals = random.sample(ids("goals")[:4], random.choice((0, 0, 1)))
        ola = {"name": "Ola", "empire": ["home-2a"], "chips": 0, "worth": dict.fromkeys(goals, 0)}
        yield {"game": "frontiers", "seats": [ania, ola], "tiles": tiles, "goals": goals}


def guessed(raw: dict[str, Any], random: Random) -> dict[str, Any]:
    """The same with anything for what was not told."""
    tiles = {}
    for id, told in raw["tiles"].items():
        tile, more = everything()[id], {}
        for field in FIELDS:
            form = TOLD.forms(id).get(field)
            unknown = form is not None and field not in told and field in tile.unknown()
            if unknown and id != "home-2a":
                assert form is not None
                more[field] = anything(form, random)
        tiles[id] = {**told, **more}
    return {**raw, "tiles": tiles}


def scored(raw: dict[str, Any]) -> Sheet | None:
    """The sheet, if it can be counted."""
    try:
        return position.sheet(position.position_of(raw))
    except DataTrouble as trouble:
        if any(problem.key != "frontiers.position.untold" for problem in trouble.problems):
            raise
        return None


def test_what_is_accepted_does_not_hang_on_what_nobody_told() -> None:
    """Rule 20: whatever the tiles print the sheet is right; and what is refused mostly does hang on it."""
    random, accepted, refused, changing = Random(6), 0, 0, 0
    for raw in tables(2000 if budgets.campaign else 300, random):
        guesses = [guessed(raw, random) for _ in range(6)]
        totals = {position.sheet(position.position_of(guess)).seats[0].total for guess in guesses}
        sheet = scored(raw)
        if sheet is None:
            refused, changing = refused + 1, changing + (len(totals) > 1)
            continue
        accepted += 1
        assert totals == {sheet.seats[0].total}, raw
    assert accepted > 20
    assert refused > 20
    assert changing > refused / 3
