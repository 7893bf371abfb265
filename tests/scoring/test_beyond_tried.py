"""Beyond the Sun counted independently: situations worked out from the rules before they were tried (186 to 199)."""

from __future__ import annotations

from itertools import product
from random import Random

from scoring.beyond import Formula, Seat, score


def points(seat: Seat, *others: Seat) -> dict[str, int]:
    return {line.what: line.points for line in score([seat, *others]).seats[0].lines}


def test_a_whole_table_by_hand() -> None:
    """4 + 6 + 6 + (2 + 3) + 7 + (0 + 1 + 2 + 0 + 3 + 1 + 4 + 2) + (6 + 5) + 3 + 2 + 1 + 8."""
    ania = Seat(
        name="Ania",
        technologies={**{f"i{n}": 1 for n in range(4)}, **{f"j{n}": 2 for n in range(3)}, "k": 3, "l": 3},
        private={"p": 2, "q": 3},
        level_4={"m": 7},
        automation=9,
        track=(0, 1, 2, 0, 3, 1, 4),
        systems={"tau-ceti": Formula(base=3, per="colonised", most=7), "x": 5, "y": 0},
        bases=("a1", "yard-1", "yard-2"),
        strength={"sol": 3, "deep-space": 1, "a1": 4},
        events={"kc-24x": 1},
        achievements={"empire": 5, "warlord": 3},
    )
    bartek = Seat(name="Bartek", strength={"sol": 3, "deep-space": 0})
    sheet = score([ania, bartek])
    assert [line.points for line in sheet.seats[0].lines] == [4, 6, 6, 5, 7, 13, 11, 3, 2, 1, 8]
    assert [seat.total for seat in sheet.seats] == [66, 1]


def test_a_question_mark_of_every_shape() -> None:
    """Base, points for every few, and the most: each against plain addition, one step after the other."""
    for base, each_gives, each, most, n in product((0, 2), (1, 3), (1, 2, 3), (0, 4), range(8)):
        worth, left = base, n
        while left >= each:
            worth, left = worth + each_gives, left - each
        if most and worth > most:
            worth = most
        formula = Formula(base=base, points=each_gives, per="controlled", each=each, most=most)
        seat = Seat(name="A", bases=tuple(map(str, range(n))), level_4={"f": formula})
        assert points(seat)["level-4"] == worth


def test_the_strongest_of_four_in_either_place() -> None:
    """Rule 194: every strength 0 to 2 of four factions; all who tie have it, nobody where nobody is."""
    for fleet in product(range(3), repeat=4):
        sheet = score([Seat(name=str(n), strength={"deep-space": k}) for n, k in enumerate(fleet)])
        got = [sum(line.points for line in seat.lines) for seat in sheet.seats]
        assert got == [int(k > 0 and sorted(fleet)[-1] == k) for k in fleet]


def test_places_behind_the_winner_are_decided_alike() -> None:
    """Rules 197 to 199 for all places, not only the first; seats equal in everything share one."""
    random = Random(1999)
    for _ in range(500):
        drawn = [[random.randint(0, 1) for _ in range(5)] for _ in range(random.randint(2, 4))]
        sheet = score(
            [
                Seat(name=str(n), bases=("x",) * b, food_left=f, ore_left=o, population=p, ore=r)
                for n, (b, f, o, p, r) in enumerate(drawn)
            ]
        )
        for mine, seat in zip(drawn, sheet.seats, strict=True):
            better = 0
            for other in drawn:
                compared = [
                    (other[0], mine[0]),
                    (mine[1] + mine[2], other[1] + other[2]),
                    (other[3], mine[3]),
                    (other[4], mine[4]),
                ]
                first = next((theirs > own for theirs, own in compared if theirs != own), False)
                better += first
            assert seat.rank == 1 + better
