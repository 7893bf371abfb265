"""Random finished tables, written as position files, and counted a second time by hand (rules 186 to 199)."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from companion.games.beyond.component_types import System, Technology
from companion.games.beyond.position_cards import both_editions
from companion.results.sheets import score_position

POINTS = (1, 0, 2, 0, 3, 1, 5)
LEVELS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
SLOTS = {
    "transcendence": [5, 3, 2, 1],
    "empire": [6, 4, 4],
    "warlord": [4, 2],
    "technologist": [7, 3, 1],
}
"""Made up; the last slot of each is for four players."""
EVENTS = {"kc-24x": 1, "onu": 2, "maya-chaturvedi": 0}
BASES = ("a1", "a2", "b1", "b2", "yard-1", "yard-2", "yard-3", "yard-4")


def technologies(level: int) -> list[str]:
    return [card.id for card in both_editions() if isinstance(card, Technology) and card.level == level]


SYSTEMS = [card.id for card in both_editions() if isinstance(card, System) and card.id != "tau-ceti"]
LEVEL_4 = {"question": technologies(4)[0], "number": technologies(4)[1], "nought": technologies(4)[2]}


def told() -> dict[str, dict[str, Any]]:
    """What is printed, as the file tells it."""
    four = [{"slot_points": 0, "four": True}]
    return {
        "basic-boards": {"automation": dict(zip(LEVELS, POINTS, strict=True))},
        LEVEL_4["question"]: {
            "points": "?",
            "formula": {"does": "formula", "base": 1, "points": 2, "per": "automation", "each": 3, "most": 6},
        },
        LEVEL_4["number"]: {"points": 9},
        LEVEL_4["nought"]: {"points": 0},
        **{id: {"points": n % 8} for n, id in enumerate(SYSTEMS)},
        **{id: {"points": n, "lies": "before-you"} for id, n in EVENTS.items() if id != "kc-24x"},
        **{
            id: {"slots": [*({"slot_points": n} for n in slots[:-1]), {**four[0], "slot_points": slots[-1]}]}
            for id, slots in SLOTS.items()
        },
    }


class Drawn:
    """One table: what lies before each faction, and the same as a file."""

    def __init__(self, random: Random) -> None:
        self.random, self.n = random, random.randint(2, 4)
        self.deal = {
            "systems": random.sample(["tau-ceti", *SYSTEMS], 12),
            "bases": random.sample(BASES, 8),
            "events": random.sample(list(EVENTS), 3),
            "private": random.sample([*technologies(2)[6:], *technologies(3)[6:]], 8),
        }
        self.own = [self._own() for _ in range(self.n)]
        self.claims = self._claims()

    def _own(self) -> dict[str, Any]:
        take, few = self._take, self.random.randint
        return {
            "tree": {level: few(0, most) for level, most in ((1, 3), (2, 3), (3, 2))},
            "four": self.random.sample(sorted(LEVEL_4.values()), few(0, 2)),
            "private": take("private", 2),
            "systems": take("systems", 3),
            "bases": take("bases", 2),
            "events": take("events", 1),
            "automation": few(0, 9),
            "ships": {
                place: [few(1, 4) for _ in range(few(0, 2))]
                for place in ("sol", "deep-space", "museum", "yard-1")
            },
            "food_discs": few(0, 2),
            "ore_discs": few(0, 2),
            "population": few(0, 1),
            "ore": few(0, 1),
        }

    def _take(self, what: str, most: int) -> list[str]:
        n = min(self.random.randint(0, most), len(self.deal[what]))
        return [self.deal[what].pop() for _ in range(n)]

    def _claims(self) -> dict[str, list[int]]:
        """Whose discs lie on each card from the left: the last slot only with four."""
        return {
            id: self.random.sample(
                range(self.n), self.random.randint(0, min(self.n, len(slots) - (self.n < 4)))
            )
            for id, slots in SLOTS.items()
        }

    def file(self) -> bytes:
        seats = [self._seat(n) for n in range(self.n)]
        return msgspec.json.encode({"game": "beyond", "cards": told(), "seats": seats})

    def _seat(self, n: int) -> dict[str, Any]:
        own, by_name = self.own[n], self.random.random() < 0.5
        named = (
            [card for level, k in own["tree"].items() for card in technologies(level)[:k]] if by_name else []
        )
        counts = {} if by_name else {f"level-{level}": k for level, k in own["tree"].items()}
        listed = self.random.random() < 0.5
        strength = {place: sum(levels) for place, levels in own["ships"].items()}
        return {
            "name": f"seat {n}",
            "technologies": [*named, *own["four"]],
            "counts": counts,
            **{field: own[field] for field in ("private", "systems", "bases", "events", "automation")},
            **({"ships": own["ships"]} if listed else {"strength": strength}),
            **{field: own[field] for field in ("food_discs", "ore_discs", "population", "ore")},
            "achievements": [f"{id}#{seats.index(n) + 1}" for id, seats in self.claims.items() if n in seats],
        }

    def points(self, n: int) -> list[int]:
        """The eleven steps with pencil and paper."""
        own = self.own[n]
        automation = own["automation"]
        robots = sum(POINTS[k] if k < 7 else 1 for k in range(automation))
        four = {
            LEVEL_4["question"]: min(6, 1 + 2 * (automation // 3)),
            LEVEL_4["number"]: 9,
            LEVEL_4["nought"]: 0,
        }
        worth = {id: k % 8 for k, id in enumerate(SYSTEMS)} | {"tau-ceti": min(7, 3 + len(own["systems"]))}
        space = 0
        for place in ("sol", "deep-space"):
            fleets = [sum(other["ships"][place]) for other in self.own]
            space += fleets[n] == max(fleets) and fleets[n] > 0
        return [
            own["tree"][1],
            own["tree"][2] * 2,
            own["tree"][3] * 3,
            sum(2 if card in technologies(2) else 3 for card in own["private"]),
            sum(four[card] for card in own["four"]),
            robots,
            sum(worth[card] for card in own["systems"]),
            len(own["bases"]),
            space,
            sum(EVENTS[card] for card in own["events"]),
            sum(SLOTS[id][seats.index(n)] for id, seats in self.claims.items() if n in seats),
        ]

    def winners(self) -> set[int]:
        """One comparison after the other among those who are left (rules 197 to 199)."""
        left = set(range(self.n))
        for best in (
            lambda n: sum(self.points(n)),
            lambda n: -self.own[n]["food_discs"] - self.own[n]["ore_discs"],
            lambda n: self.own[n]["population"],
            lambda n: self.own[n]["ore"],
        ):
            left = {n for n in left if best(n) == max(map(best, left))}
        return left


def check(seed: int) -> Drawn:
    table = Drawn(Random(seed))
    sheet = score_position(table.file())
    for n, seat in enumerate(sheet.seats):
        assert [line.points for line in seat.lines] == table.points(n), (seed, n)
    assert {int(name[-1]) for name in sheet.winners} == table.winners(), seed
    return table


def test_tables_written_down_and_counted_by_hand() -> None:
    """Also that closed slots, markers' bases, the museum and ties are drawn at all."""
    tables = [check(seed) for seed in range(150)]
    assert any(len(seats) == len(SLOTS[id]) for table in tables for id, seats in table.claims.items())
    assert {table.n for table in tables} == {2, 3, 4}


def test_equal_totals_are_decided_in_three_steps_and_then_shared() -> None:
    """Rules 197 to 199, every combination of two discs, population and ore: 3 + 0 left is as good as 0 + 3."""
    random = Random(3)
    shared = 0
    for _ in range(150):
        seats = [
            {
                "name": str(n),
                "bases": [BASES[n]],
                "food_discs": random.randint(0, 2),
                "ore_discs": random.randint(0, 2),
            }
            | {"population": random.randint(0, 1), "ore": random.randint(0, 1)}
            for n in range(random.randint(2, 4))
        ]
        keys = [(-s["food_discs"] - s["ore_discs"], s["population"], s["ore"]) for s in seats]  # type: ignore[operator]
        sheet = score_position(msgspec.json.encode({"game": "beyond", "seats": seats}))
        assert set(sheet.winners) == {str(n) for n, key in enumerate(keys) if key == max(keys)}
        shared += len(sheet.winners) > 1
    assert shared


def test_slots_that_are_worth_the_same_need_not_be_told() -> None:
    """Rule 169: 6, 4 and 4: the holder of the first is asked, for the two others it does not matter."""
    slots = {"empire": {"slots": [{"slot_points": n} for n in (6, 4, 4)]}}
    claims = ("empire", "empire#1", "empire")
    seats = [{"name": str(n), "achievements": [claim]} for n, claim in enumerate(claims)]
    sheet = score_position(msgspec.json.encode({"game": "beyond", "cards": slots, "seats": seats}))
    assert [seat.total for seat in sheet.seats] == [4, 6, 4]
