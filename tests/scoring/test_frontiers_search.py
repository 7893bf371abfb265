"""Sheets of New Frontiers against a search over everything an owner could choose."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec

from scoring.frontiers import KEYWORDS, KINDS, PHASES, PerHeld, PerTile, Seat, Steps, Tile, score
from tests import budgets

GOALS: dict[Any, Steps] = {
    "civil-service": ((2, 2), (4, 5), (6, 8)),
    "skilled-workforce": ((4, 2), (5, 5), (6, 8)),
    "diversification": ((3, 3), (4, 8)),
    "faction-tolerance": ((3, 2), (4, 5), (5, 8)),
    "conscription": ((3, 2), (5, 5), (7, 8)),
    "exploration": ((1, 2), (2, 5), (4, 8)),
    "resource-stockpile": ((2, 2), (4, 5), (6, 8)),
    "sales-tax": ((3, 2), (5, 5), (7, 8)),
}


def slow_total(seat: Seat, goals: dict[Any, Steps]) -> int:
    """The most points an owner can count: every kind of the refinery, every tile at every term or at none."""
    totals: list[int] = []
    for kind in KINDS if any(tile.any_kind for tile in seat.tiles) else (None,):
        tiles = [msgspec.to_builtins(tile) for tile in seat.tiles]
        for tile in tiles:
            tile["kind"] = kind if tile["any_kind"] else tile["kind"]
        total = seat.chips + sum(tile["points"] for tile in tiles)
        for owner in seat.tiles:
            total += slow_bonus(owner.bonus, tiles, seat)
        total += sum(slow_goal(goal, steps, tiles, seat) for goal, steps in goals.items())
        totals.append(total)
    return max(totals)


def slow_bonus(terms: tuple[Any, ...], tiles: list[dict[str, Any]], seat: Seat) -> int:
    once = 0
    for term in terms:
        if isinstance(term, PerHeld):
            amounts = {
                "chips": seat.chips,
                "colonists": seat.colonists,
                "credits": seat.credits,
                "goods": seat.goods,
                "military": sum(tile["strength"] for tile in tiles),
                "kinds": sum(any(tile["kind"] == kind for tile in tiles) for kind in KINDS),
            }
            once += max(0, amounts[term.held]) // term.each * term.points
    wanted = [term for term in terms if isinstance(term, PerTile)]
    best = 0
    for places in product((None, *range(len(wanted))), repeat=len(tiles)):
        counted = [(wanted[at], tile) for at, tile in zip(places, tiles, strict=True) if at is not None]
        if all(slow_fit(term, tile) for term, tile in counted):
            best = max(best, sum(term.points for term, _ in counted))
    return once + best


def slow_fit(term: PerTile, tile: dict[str, Any]) -> bool:
    world = tile["sort"] == "colony"
    if term.tile == "large" and not tile["large"]:
        return False
    if term.tile in ("colony", "development") and term.tile != tile["sort"]:
        return False
    if term.military != "any" and (not world or tile["military"] != (term.military == "military")):
        return False
    if term.goods != "any" and tile["goods"] != term.goods:
        return False
    if term.with_power != "any" and term.with_power not in tile["powers"]:
        return False
    if (term.least > 0 or term.most < 9) and tile["number"] not in range(term.least, term.most + 1):
        return False
    if term.match == "gray":
        return world and tile["kind"] is None
    if term.match in KINDS:
        return bool(tile["kind"] == term.match)
    return term.match == "all" or term.match.removesuffix("-keyword") in tile["keywords"]


def slow_goal(goal: str, steps: Steps, tiles: list[dict[str, Any]], seat: Seat) -> int:
    powers = [power for tile in tiles for power in tile["powers"]]
    n = {
        "civil-service": powers.count("consume"),
        "skilled-workforce": len(set(powers)),
        "diversification": len({tile["kind"] for tile in tiles if tile["sort"] == "colony"} - {None}),
        "faction-tolerance": len({word for tile in tiles for word in tile["keywords"]}),
        "conscription": seat.colonists,
        "exploration": seat.stored_worlds,
        "resource-stockpile": seat.stored_goods,
        "sales-tax": seat.stored_credits,
    }[goal]
    pays = 0
    for least, points in steps:
        pays = points if n >= least else pays
    return pays


def any_term(random: Random) -> Any:
    if random.random() < 0.2:
        held: Any = random.choice(["chips", "colonists", "credits", "goods", "military", "kinds"])
        return PerHeld(points=random.randint(1, 3), each=random.randint(1, 4), held=held)
    match: Any = random.choice(["all", *KINDS, *KINDS, "gray", "alien-keyword", *KEYWORDS[1:]])
    rare = random.random() < 0.3
    return PerTile(
        points=random.randint(1, 4),
        tile=random.choice(["tile", "colony", "development", "large"]),
        match=match,
        military=random.choice(["any", "any", "military", "peaceful"]),
        goods=random.choice(["windfall", "production"]) if rare else "any",
        with_power=random.choice(PHASES) if random.random() < 0.2 else "any",
        least=random.randint(0, 5) if random.random() < 0.3 else 0,
        most=random.randint(3, 9) if random.random() < 0.3 else 9,
    )


def any_tile(n: int, random: Random, refinery: bool) -> Tile:
    world = refinery or random.random() < 0.6
    kind = None if refinery or not world else random.choice((None, *KINDS))
    bonus = tuple(any_term(random) for _ in range(random.randint(1, 3))) if random.random() < 0.4 else ()
    return Tile(
        id=f"tile-{n}",
        sort="colony" if world else "development",
        large=not world and random.random() < 0.4,
        points=0 if bonus else random.randint(0, 9),
        question=bool(bonus),
        bonus=bonus,
        kind=kind,
        any_kind=refinery,
        goods=random.choice(["windfall", "production"]) if kind or refinery else None,
        military=world and not refinery and random.random() < 0.5,
        keywords=frozenset(random.sample(KEYWORDS, random.choice((0, 0, 1, 1, 2)))),
        powers=tuple(random.choices(PHASES, k=random.randint(0, 2))),
        strength=random.randint(-1, 2),
        number=random.choice((None, *range(10))),
    )


def empires(n: int) -> Iterator[tuple[Seat, dict[Any, Steps]]]:
    """Random empires, many with a refinery, and the goals they are counted for."""
    random = Random(14)
    for _ in range(n):
        refinery = random.random() < 0.6
        tiles = [any_tile(at, random, refinery and at == 0) for at in range(random.randint(1, 5))]
        goals = random.sample(sorted(GOALS), random.randint(0, 4))
        seat = Seat(
            name="Ania",
            tiles=tuple(tiles),
            chips=random.randint(0, 20),
            credits=random.randint(0, 12),
            goods=random.randint(0, 5),
            colonists=random.randint(0, 8),
            stored_worlds=random.randint(0, 4),
            stored_goods=random.randint(0, 6),
            stored_credits=random.randint(0, 7),
        )
        yield seat, {goal: GOALS[goal] for goal in goals}


def test_no_other_choice_counts_more() -> None:
    """Rules 183 to 194 for random empires: nobody could count one point more, and every point is explained."""
    n, named = 2000 if budgets.campaign else 200, 0
    for seat, goals in empires(n):
        (counted,) = score([seat], goals).seats
        assert counted.total == slow_total(seat, goals), msgspec.json.encode(seat)
        for line in counted.lines:
            assert all(points > 0 for points in line.because.values()) or line.because == {line.what: 0}
            assert line.measures or sum(line.because.values()) == line.points
        named += any(line.what.startswith("named-") for line in counted.lines)
    assert named > n / 10
