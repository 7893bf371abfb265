"""Sheets of Transgalactica against a search over everything an owner could choose."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec

from scoring.transgalactica import COLOURS, MISSION_TYPES, Mission, Outpost, Seat, Technology, score
from tests import budgets
from tests.scoring.test_transgalactica_sheet import ENDS, OBJECTIVES


def slow_total(seat: Seat) -> int:
    """The most points an owner can count: every objective, every side, every type of every open mission."""
    marked = {technology.id for technology in seat.technologies}
    higher = 1 if "prestige-offices" in marked else 0
    levels = {
        "technology": seat.technology + higher,
        "politics": seat.politics + higher,
        "production": seat.production,
    }
    total = seat.track + seat.credits + (seat.energy + seat.mineral + seat.alien) // 3
    if "end-trade-military" in marked:
        total += seat.trade + seat.military
    if "end-technology-politics" in marked:
        total += levels["technology"] + levels["politics"]
    if "end-production" in marked:
        total += levels["production"]
    if "end-markers" in marked:
        total += sum(technology.markers for technology in seat.technologies)
    counted = [0]
    for types in product(*((m.chosen,) if m.chosen else m.types for m in seat.missions)):
        for objective in seat.objectives:
            for points, units in slow_sides(objective.id, seat, list(types), levels):
                counted.append(points + (min(12, 2 * units) if "end-objective" in marked else 0))
    return total + max(counted)


def slow_sides(
    objective: str, seat: Seat, types: list[Any], levels: dict[str, int]
) -> Iterator[tuple[int, int]]:
    """What a card gives by each of its sides, and how many units that are."""
    outposts, resources = len(seat.outposts), seat.energy + seat.mineral + seat.alien
    colours = [colour for outpost in seat.outposts for colour in outpost.colours]
    match objective.removeprefix("objective-"):
        case "knowledge":
            yield 2 * len(seat.technologies), len(seat.technologies)
            yield 2 * len(types), len(types)
        case "yellow" | "purple" | "green" as colour:
            yield 3 * colours.count(colour), colours.count(colour)
        case "grey":
            yield 4 * colours.count("grey"), colours.count("grey")
        case "pirates":
            yield 5 * seat.pirates, seat.pirates
        case "culture":
            yield 4 * types.count("cultural"), types.count("cultural")
        case "commerce":
            yield 4 * types.count("commercial"), types.count("commercial")
        case "war":
            yield 4 * types.count("war"), types.count("war")
        case "trade-planets":
            n = sum(outpost.planet_asks_trade for outpost in seat.outposts)
            yield 3 * n, n
        case "hoard":
            yield 2 * outposts + min(12, resources), outposts + min(12, resources)
        case "levels":
            yield sum(levels.values()), sum(levels.values())
        case "hunter":
            yield 3 * seat.pirates, seat.pirates
            yield 3 * types.count("war"), types.count("war")
        case "expansion":
            yield 2 * outposts, outposts
            yield 2 * len(seat.technologies), len(seat.technologies)
        case _:
            raise AssertionError(objective)


NUMBERS = ("credits", "energy", "mineral", "alien", "technology", "military", "production", "politics")


def any_mission(n: int, random: Random) -> Mission:
    if random.random() < 0.6:
        return Mission(f"mission-{n}", (random.choice(MISSION_TYPES),))
    return Mission(f"mission-{n}", ("commercial", "war"), random.choice([None, None, "commercial", "war"]))


def seats(n: int) -> Iterator[Seat]:
    """Random seats, many with technologies of the end of the game."""
    random = Random(15)
    for _ in range(n):
        cards = random.sample([*ENDS, "prestige-offices", "archivists", "helpers"], random.randint(0, 5))
        numbers: dict[str, Any] = {kind: random.randint(0, 9) for kind in NUMBERS}
        yield Seat(
            name="Ania",
            track=random.randint(-9, 100),
            objectives=tuple(random.sample(sorted(OBJECTIVES.values(), key=lambda card: card.id), 2)),
            technologies=tuple(
                Technology(
                    id=id,
                    markers=random.randint(1, 5),
                    end=ENDS.get(id, ()),
                    raises=id == "prestige-offices",
                )
                for id in cards
            ),
            missions=tuple(any_mission(at, random) for at in range(random.randint(0, 7))),
            outposts=tuple(
                Outpost(
                    planet=f"planet-{at}",
                    colours=frozenset(random.sample(COLOURS, random.choice((0, 1, 1, 1, 2, 4)))),
                    planet_asks_trade=random.random() < 0.6,
                )
                for at in range(random.randint(1, 7))
            ),
            pirates=random.randint(0, 6),
            trade=random.randint(0, 6),
            **numbers,
        )


def test_no_other_choice_counts_more() -> None:
    """Rules 190 to 200 for random seats: nobody could count one point more, and every point is explained."""
    n, sided = 5000 if budgets.campaign else 500, 0
    for seat in seats(n):
        (counted,) = score([seat]).seats
        assert counted.total == slow_total(seat), msgspec.json.encode(seat)
        for line in counted.lines:
            assert all(points > 0 for points in line.because.values())
            assert line.measures or sum(line.because.values()) == line.points
        chosen = next(line for line in counted.lines if line.what in OBJECTIVES)
        sided += chosen.what != seat.objectives[0].id
    assert n / 4 < sided < 3 * n / 4
