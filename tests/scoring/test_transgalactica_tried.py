"""Whole finished tables of Transgalactica as position files, against a second, independent calculation.

The second one uses neither the scoring nor `components.toml`: planets, missions and cards are written down
here again, from pages 22 to 31.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from companion.games.transgalactica import position
from tests import budgets

YELLOW, GREEN, PURPLE, GREY = "yellow", "green", "purple", "grey"
ALL = (YELLOW, GREEN, PURPLE, GREY)
PLANETS: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "green-mining-supply": ((GREEN,), (1,)),
    "multi-mining": (ALL, (4, 6)),
    "green-mining-prestige": ((GREEN,), (0, 4)),
    "purple-action-research": ((PURPLE,), (0,)),
    "yellow-action-exchange": ((YELLOW,), (0, 1)),
    "yellow-wild": ((YELLOW,), (0,)),
    "purple-mining": ((PURPLE,), (2,)),
    "grey-mining-prestige": ((GREY,), (1,)),
    "grey-action-tunnel": ((GREY,), (0,)),
    "green-action-income": ((GREEN,), (0,)),
    "green-grey-action-explore": ((GREEN, GREY), (1, 2)),
    "green-wild": ((GREEN,), (0,)),
    "grey-wild": ((GREY,), (0,)),
    "grey-mining-industry": ((GREY,), (4,)),
    "yellow-mining": ((YELLOW,), (2,)),
    "yellow-action-supply": ((YELLOW,), (0,)),
    "purple-action-mines": ((PURPLE,), (0, 1)),
    "yellow-purple-action-research": ((YELLOW, PURPLE), (2, 4)),
    "purple-wild": ((PURPLE,), (0,)),
    "central": ((), ()),
}
"""Colours, and the trade level asked for at each printed place."""
CULTURAL = {f"mission-1-{n:02}" for n in (9, 10, 12, 14)} | {f"mission-2-{n:02}" for n in (3, 5, 7, 8, 9)}
COMMERCIAL = {f"mission-1-{n:02}" for n in (1, 4, 6, 11, 13)} | {"mission-2-01", "mission-2-02"}
WAR = {f"mission-1-{n:02}" for n in (2, 3, 5, 7, 8)} | {"mission-2-04", "mission-2-10"}
EITHER = {"mission-2-06", "mission-2-11", "mission-2-12"}
CARDS = (
    ("archivists", "trade-discount", "long-range-drive", "helpers", "deep-mining"),
    ("prestige-offices", "war-propaganda", "shared-colonies", "override-codes", "lobbyists"),
    ("end-objective", "end-markers", "end-production", "end-technology-politics", "end-trade-military"),
)
OBJECTIVES = (
    *("knowledge", "yellow", "pirates", "culture", "purple", "trade-planets", "commerce", "green", "hoard"),
    *("war", "grey", "levels", "hunter", "expansion"),
)
OPTIONS = {
    "or": "both",
    "hoard": "whole",
    "two-types": "both",
    "nightmare": "outpost",
    "trade-planets": "place",
    "offices": "markers",
    "condition": "thing",
}
"""Every reading of the end that is not the usual one."""


def total_of(seat: dict[str, Any], table: dict[str, Any]) -> int:
    """The most points a seat can count (rules 190 to 200)."""
    cards, left = seat["technologies"], sum(seat["resources"].values())
    higher = "prestige-offices" in cards and table.get("offices") != "markers"
    level = {
        track: n + (higher and track in ("technology", "politics")) for track, n in seat["levels"].items()
    }
    total: int = seat["track_vp"] + seat["credits"] + left // 3
    if "end-trade-military" in cards:
        total += level["trade"] + level["military"]
    if "end-technology-politics" in cards:
        total += level["technology"] + level["politics"]
    if "end-production" in cards:
        total += level["production"]
    if "end-markers" in cards:
        total += sum(card in cards for other in table["seats"] for card in other["technologies"])
    best = 0
    for objective in seat["objectives"]:
        for types in product(*(types_of(mission, table) for mission in seat["missions"])):
            for points, units in sides(objective.removeprefix("objective-"), seat, table, types, level):
                best = max(best, points + (min(12, 2 * units) if "end-objective" in cards else 0))
    return total + best


def types_of(mission: str, table: dict[str, Any]) -> list[tuple[str, ...]]:
    """What a mission may count as: one of these."""
    id, _, chosen = mission.partition(":")
    if id in EITHER and table.get("two-types") == "both":
        return [("commercial", "war")]
    if id in EITHER:
        return [(chosen,)] if chosen else [("commercial",), ("war",)]
    return [("cultural",)] if id in CULTURAL else [("commercial",)] if id in COMMERCIAL else [("war",)]


def sides(
    objective: str, seat: dict[str, Any], table: dict[str, Any], types: Any, level: dict[str, int]
) -> list[tuple[int, int]]:
    """What each way to count an objective gives, and how many units get 2 points more."""
    homes = [PLANETS[outpost.partition(":")[0]] for outpost in seat["outposts"]]
    colours = [home[0] for home in homes]
    outposts = len(colours)
    if seat["nightmare"] and table.get("nightmare") in ("outpost", "colours"):
        colours.append(ALL)
        outposts += table["nightmare"] == "outpost"
    thing = table.get("condition") == "thing"
    n = {kind: sum(kind in one for one in types) for kind in ("cultural", "commercial", "war")}
    technologies, missions, pirates, built = map(
        len, (seat["technologies"], seat["missions"], range(seat["pirates"]), range(outposts))
    )
    if objective in ALL:
        of = sum(objective in hues for hues in colours)
        return [((4 if objective == GREY else 3) * of, of)]
    if objective in ("culture", "commerce", "war"):
        of = n[{"culture": "cultural", "commerce": "commercial", "war": "war"}[objective]]
        return [(4 * of, of)]
    if objective == "pirates":
        return [(5 * pirates, pirates)]
    if objective == "trade-planets":
        of = sum(asks_trade(outpost, seat, table) for outpost in seat["outposts"])
        return [(3 * of, of)]
    if objective == "levels":
        of = level["technology"] + level["politics"] + level["production"]
        return [(of, 0 if thing else of)]
    if objective == "hoard":
        left = sum(seat["resources"].values())
        if table.get("hoard") == "whole":
            return [(min(12, 2 * built + left), built + (0 if thing else left))]
        return [(2 * built + min(12, left), built + (0 if thing else min(12, left)))]
    each, counted = {
        "knowledge": (2, (technologies, missions)),
        "hunter": (3, (pirates, n["war"])),
        "expansion": (2, (built, technologies)),
    }[objective]
    either = (sum(counted),) if table.get("or") == "both" else counted
    return [(each * of, of) for of in either]


def asks_trade(outpost: str, seat: dict[str, Any], table: dict[str, Any]) -> bool:
    """By planet; or by the very place, where one that is not told asks what all of the planet's do (rules 150, 197)."""
    planet, _, place = outpost.partition(":")
    asked = PLANETS[planet][1]
    if table.get("trade-planets") != "place":
        return any(asked)
    if not place:
        full = "shared-colonies" in seat["technologies"] and "action" in planet
        return bool(asked) and all(asked) and not full
    return asked[int(place) - 1 if len(asked) > 1 else 0] > 0


def any_table(random: Random) -> dict[str, Any]:
    """A table that could have been played, with up to three readings of its own."""
    players = random.randint(2, 5)
    objectives = random.sample(OBJECTIVES, 2 * players)
    missions = random.sample(sorted(CULTURAL | COMMERCIAL | WAR | EITHER), 26)
    laid = [card for cards in CARDS for card in random.sample(cards, 3)]
    pirates = players + 1
    places = {(planet, n + 1) for planet, (_, asked) in PLANETS.items() for n in range(len(asked))}
    dreaming = random.randint(0, 9)
    seats = []
    for n in range(players):
        trade = random.randint(0, 6)
        hunted = random.randint(0, min(3, pirates))
        pirates -= hunted
        done = [missions.pop() for _ in range(random.randint(0, 5))]
        seats.append(
            {
                "name": f"seat {n}",
                "track_vp": random.randint(-9, 150),
                "objectives": [f"objective-{objectives.pop()}" for _ in range(2)],
                "outposts": ["central", *outposts(random, places, random.randint(0, 6))],
                "technologies": random.sample(laid, random.randint(0, 2 + (trade + 1) // 2)),
                "missions": [
                    random.choice((m, f"{m}:war", f"{m}:commercial")) if m in EITHER else m for m in done
                ],
                "levels": {
                    "trade": trade,
                    **{
                        track: random.randint(0, 9)
                        for track in ("technology", "military", "production", "politics")
                    },
                },
                "pirates": hunted,
                "credits": random.randint(0, 12),
                "resources": {kind: random.randint(0, 8) for kind in ("energy", "mineral", "alien", "mixed")},
                "nightmare": n == dreaming,
            }
        )
    agreed = random.sample(sorted(OPTIONS), random.choice((0, 0, 1, 2, 3, len(OPTIONS))))
    readings = {option: OPTIONS[option] for option in agreed}
    if "nightmare" in readings:
        readings["nightmare"] = random.choice(("outpost", "colours"))
    return {"game": "transgalactica", "seats": seats, **readings}


def outposts(random: Random, places: set[tuple[str, int]], n: int) -> list[str]:
    """So many free places on different planets; which one is not always told where all ask the same."""
    found: dict[str, str] = {}
    for planet, place in random.sample(sorted(places), len(places)):
        if planet not in found and len(found) < n:
            places.discard((planet, place))
            asked = {trade > 0 for trade in PLANETS[planet][1]}
            found[planet] = planet if len(asked) == 1 and random.random() < 0.5 else f"{planet}:{place}"
    return list(found.values())


def test_finished_tables_are_counted_as_on_paper() -> None:
    """Rules 190 to 200 with every reading: each total, and who has won."""
    random = Random(193)
    for _ in range(5000 if budgets.campaign else 400):
        table = any_table(random)
        sheet = position.sheet(position.position_of(table))
        totals = {seat["name"]: total_of(seat, table) for seat in table["seats"]}
        assert {seat.name: seat.total for seat in sheet.seats} == totals, table
        best = max(totals.values())
        assert {*sheet.winners} == {name for name, total in totals.items() if total == best}, table


def test_places_nobody_counted_are_no_reason_to_refuse() -> None:
    """Rules 89, 197: how many outposts fit where one demand is printed is unknown, and it holds for all of them."""
    seats = [
        {
            "name": name,
            "track_vp": 0,
            "objectives": [f"objective-{objective}" for objective in objectives],
            "outposts": ["central", f"yellow-mining:{place}"],
            "levels": {},
            "credits": 0,
            "resources": {},
        }
        for name, objectives, place in (("a", ("trade-planets", "war"), 2), ("b", ("pirates", "culture"), 1))
    ]
    table = {"game": "transgalactica", "seats": seats, "trade-planets": "place"}
    assert position.sheet(position.position_of(table)).seats[0].total == 3
