"""The odds of battles: against known values, closed forms, and a slow independent solver."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import convert, to_builtins
from msgspec.structs import replace

from companion.errors import DataTrouble
from companion.games.eclipse import odds_battle
from companion.games.eclipse.odds import Odds, estimated, odds, odds_of
from companion.games.eclipse.odds_damage import Rule
from companion.games.eclipse.odds_dice import DiceGroup, Fleet, Kind, counted, different, hits
from tests.games.eclipse import plain_odds

pytestmark = pytest.mark.thorough

BATTLES = json.loads((Path(__file__).parent / "data" / "battles.json").read_text(encoding="utf-8"))
EXACT = 1e-9

INTERCEPTOR = DiceGroup("int", 1, 3, 0, 0, 0, (1, 0, 0))
CRUISER = DiceGroup("cru", 1, 2, 1, 1, 0, (1, 0, 0))
DREADNOUGHT = DiceGroup("dre", 1, 1, 2, 1, 0, (2, 0, 0))
STARBASE = DiceGroup("sba", 1, 4, 2, 1, 0, (1, 0, 0))
ANCIENT = DiceGroup("npc", 1, 2, 1, 1, 0, (2, 0, 0))


@pytest.mark.parametrize("battle", BATTLES, ids=lambda battle: battle["name"])
def test_known_battles(battle: dict[str, Any]) -> None:
    assert odds_of(battle).attacker_win == pytest.approx(battle["attacker_win"], abs=EXACT)


@pytest.mark.parametrize(
    ("computer", "shield", "faces"), [(0, 0, 1), (1, 0, 2), (3, 1, 3), (9, 0, 5), (0, 3, 1), (2, 5, 1)]
)
def test_a_six_always_hits_and_a_one_never(computer: int, shield: int, faces: int) -> None:
    assert sum(hits(face, computer, shield) for face in range(1, 7)) == faces


def test_the_defender_shoots_first_among_equals() -> None:
    assert odds((INTERCEPTOR,), (INTERCEPTOR,)).attacker_win == pytest.approx(5 / 11, abs=EXACT)


def test_more_initiative_shoots_first() -> None:
    fast = replace(INTERCEPTOR, init=4)
    assert odds((fast,), (INTERCEPTOR,)).attacker_win == pytest.approx(6 / 11, abs=EXACT)


def test_a_stalemate_is_lost_by_the_attacker() -> None:
    rockets = DiceGroup("int", 1, 3, 0, 0, 0, (0, 0, 0), (0, 4, 0))
    found = odds((rockets,), (rockets,))
    miss = (5 / 6) ** 4
    assert found.attacker_win == pytest.approx(miss * (1 - miss), abs=EXACT)
    assert found.stalemate == pytest.approx(miss * miss, abs=EXACT)
    assert found.survivors.attacker["int"][1] == pytest.approx(found.attacker_win, abs=EXACT)
    assert found.survivors.defender["int"][1] == pytest.approx(found.defender_win, abs=EXACT)


def test_nobody_armed_at_all() -> None:
    tug = DiceGroup("cru", 2, 1, 1, 0, 0)
    found = odds((tug,), (tug,))
    assert (found.attacker_win, found.stalemate) == (0, 1)
    assert found.survivors.defender["cru"] == (0, 0, 1)


def test_missiles_are_spent_before_the_first_round() -> None:
    rocket = replace(INTERCEPTOR, missiles=(0, 2, 0), init=2)
    # The missiles come before the faster cannon.
    missile = 1 - (5 / 6) ** 2
    duel = (5 / 6) * (6 / 36) / (1 - 25 / 36)
    expected = missile + (1 - missile) * duel
    assert odds((rocket,), (INTERCEPTOR,)).attacker_win == pytest.approx(expected, abs=EXACT)


def test_survivors_of_interceptors_against_interceptors() -> None:
    """Ships that die of one hit are only counted: a chain small enough to be written down."""
    attackers, defenders = 3, 2
    mass = {(attackers, defenders): 1.0}
    ends: dict[tuple[int, int], float] = {}

    def shoot(n: int, targets: int) -> list[tuple[int, float]]:
        return [(max(0, targets - k), comb(n, k) * 5 ** (n - k) / 6**n) for k in range(n + 1)]

    for _ in range(400):
        after: dict[tuple[int, int], float] = {}
        for (a, d), p in mass.items():
            for left, q in shoot(d, a):
                for kept, r in shoot(left, d) if left else [(d, 1.0)]:
                    into = after if left and kept else ends
                    into[left, kept] = into.get((left, kept), 0.0) + p * q * r
        mass = after
    found = odds((replace(INTERCEPTOR, n=3),), (replace(INTERCEPTOR, n=2),))
    for n in range(1, attackers + 1):
        assert found.survivors.attacker["int"][n] == pytest.approx(ends.get((n, 0), 0.0), abs=EXACT)
    for n in range(1, defenders + 1):
        assert found.survivors.defender["int"][n] == pytest.approx(ends.get((0, n), 0.0), abs=EXACT)


ANCIENTS = {
    "type": "npc",
    "init": 2,
    "hull": 1,
    "comp": 1,
    "shield": 0,
    "cannons": [2, 0, 0],
    "missiles": [0, 0, 0],
}


def _some_fleet(chance: random.Random) -> list[dict[str, Any]]:
    cannons = [[1, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
    missiles = [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 2, 0]]
    return [
        {
            "type": type,
            "n": chance.randint(1, 2) if first else 1,
            "init": chance.randint(0, 4),
            "hull": chance.randint(0, 3),
            "comp": chance.randint(0, 3),
            "shield": chance.randint(0, 2),
            "cannons": chance.choice(cannons),
            "missiles": chance.choice(missiles),
        }
        for first, type in zip((True, False), chance.sample(["int", "cru", "dre", "sba"], 2), strict=True)
    ]


def _dice(fleet: list[dict[str, Any]]) -> int:
    return max(group["n"] * max(sum(group["cannons"]), sum(group["missiles"])) for group in fleet)


@pytest.mark.parametrize("seed", range(30))
def test_a_slow_solver_agrees(seed: int) -> None:
    chance = random.Random(seed)
    fleets: list[list[dict[str, Any]]] = []
    while len(fleets) < 2:
        ruled = len(fleets) == seed % 3
        fleet = [ANCIENTS | {"n": chance.randint(1, 2)}] if ruled else _some_fleet(chance)
        if _dice(fleet) <= 4 and sum(group["n"] * (group["hull"] + 1) for group in fleet) <= 6:
            fleets.append(fleet)
    battle = {"attacker": fleets[1], "defender": fleets[0]}
    found = odds_of(battle)
    assert found.attacker_win == pytest.approx(plain_odds.win(battle), abs=EXACT)
    _adds_up(found)


@pytest.mark.parametrize("weapons", [(1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1)])
def test_survivors_where_nobody_has_a_choice(weapons: tuple[int, int, int]) -> None:
    ships = {"type": "cru", "n": 2, "init": 2, "hull": 2, "comp": 1, "shield": 1, "missiles": [0, 1, 0]}
    other = {"type": "int", "n": 1, "init": 3, "hull": 0, "comp": 0, "shield": 0, "missiles": [0, 0, 0]}
    defence = {"type": "npc", "n": 1, "init": 0, "hull": 5, "comp": 1, "shield": 0, "missiles": [0, 0, 0]}
    attacker = [ships | {"cannons": list(weapons)}, other | {"cannons": [1, 0, 0]}]
    battle = {"attacker": attacker, "defender": [defence | {"cannons": [3, 0, 0]}]}
    survivors = odds_of(battle).survivors.attacker
    for group, type in enumerate(("cru", "int")):
        for n, chance in enumerate(survivors[type]):

            def left(attackers: Any, defenders: Any, group: int = group, n: int = n) -> float:
                return float(sum(g == group for g, _ in attackers) == n)

            assert plain_odds.win(battle, worth=left) == pytest.approx(chance, abs=EXACT)


def _adds_up(found: Odds) -> None:
    assert found.attacker_win + found.defender_win == pytest.approx(1, abs=EXACT)
    for side, wins in (("attacker", found.attacker_win), ("defender", found.defender_win)):
        survivors = getattr(found.survivors, side)
        for chances in survivors.values():
            assert sum(chances) == pytest.approx(1, abs=EXACT)
            assert all(-EXACT <= p <= 1 + EXACT for p in chances)
            assert 1 - chances[0] <= wins + EXACT
        if len(survivors) == 1:
            (chances,) = survivors.values()
            assert 1 - chances[0] == pytest.approx(wins, abs=EXACT)


cannons = st.tuples(st.integers(0, 2), st.integers(0, 1), st.just(0))
numbers = st.integers(0, 3)


@st.composite
def fleets(draw: st.DrawFn, initiatives: tuple[int, ...]) -> Fleet:
    types = draw(st.lists(st.sampled_from(["int", "cru", "dre", "sba"]), min_size=1, max_size=2, unique=True))
    return tuple(
        DiceGroup(
            type,
            draw(st.integers(1, 2)),
            init,
            draw(numbers),
            draw(numbers),
            draw(numbers),
            (1, *draw(cannons)[1:]),
        )
        for type, init in zip(types, initiatives, strict=False)
    )


@settings(deadline=None, max_examples=20)
@given(fleets((5, 1)), fleets((4, 2)))
def test_who_attacks_does_not_matter_unless_initiatives_are_equal(one: Fleet, other: Fleet) -> None:
    there, back = odds(one, other), odds(other, one)
    assert there.attacker_win == pytest.approx(back.defender_win, abs=EXACT)
    _adds_up(there)


@settings(deadline=None, max_examples=20)
@given(fleets((3, 1)), fleets((3, 2)), st.sampled_from(["hull", "comp", "shield", "init", "n"]))
def test_a_better_ship_is_never_worse(one: Fleet, other: Fleet, what: str) -> None:
    better = (replace(one[0], **{what: getattr(one[0], what) + 1}), *one[1:])
    assert odds(better, other).attacker_win >= odds(one, other).attacker_win - EXACT
    assert odds(other, better).defender_win >= odds(other, one).defender_win - EXACT


def test_ancients_destroy_the_largest_ship_they_can() -> None:
    """One hit never goes on the interceptor while there is a dreadnought, though it would be destroyed... by two hits
    both rules agree; with one hit the interceptor can be destroyed, and destroying comes first."""
    rule = Rule((INTERCEPTOR, DREADNOUGHT))
    kinds = (Kind(1, frozenset({0, 1})),)
    assert rule.after(((1,), (3,)), kinds, (1,)) == ((), (3,))
    assert rule.after(((1,), (3,)), kinds, (2,)) == ((), (2,))
    assert rule.after(((1,), (3,)), kinds, (3,)) == ((1,), ())
    assert rule.after(((), (3,)), kinds, (2,)) == ((), (1,))


SIX = (
    replace(INTERCEPTOR, n=3, hull=1),
    replace(CRUISER, n=2, hull=3, shield=1, cannons=(2, 0, 0)),
    replace(DREADNOUGHT, n=1, hull=5, shield=1, cannons=(3, 0, 0)),
)


def test_values_kept_for_a_while_are_there_when_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With little room values are moved on with the level being solved; nothing may be lost on the way."""
    one = (
        DiceGroup("cru", 2, 5, 1, 2, 2, (1, 0, 1)),
        DiceGroup("int", 2, 0, 2, 1, 2, (0, 1, 0)),
    )
    other = (
        DiceGroup("int", 2, 2, 3, 2, 2, (2, 0, 0)),
        DiceGroup("sba", 2, 5, 0, 3, 3, (1, 1, 1)),
    )
    there, back = odds(one, other), odds(other, one)
    monkeypatch.setattr(odds_battle, "ROOM", 1)
    assert odds(one, other) == there
    assert odds(other, one) == back


def test_six_against_six_within_two_seconds() -> None:
    odds((INTERCEPTOR,), (INTERCEPTOR,))
    began = time.process_time()
    _adds_up(odds(SIX, SIX))
    assert time.process_time() - began < 2


def test_everything_wrong_is_told() -> None:
    group = {"type": "int", "n": 1, "init": 3, "hull": 0, "comp": 0, "shield": 0, "cannons": [1, 0, 0]}
    bad = [
        group | {"type": "frigate"},
        group | {"n": -1, "hull": -2},
        group | {"n": 9},
        group | {"cannons": [1, 0]},
        group | {"missiles": [0, -1, 0]},
    ]
    with pytest.raises(DataTrouble) as trouble:
        odds_of({"attacker": bad, "defender": []})
    assert sorted(problem.key for problem in trouble.value.problems) == [
        "eclipse.odds.empty-fleet",
        "eclipse.odds.negative",
        "eclipse.odds.negative",
        "eclipse.odds.negative",
        "eclipse.odds.three-colours",
        "eclipse.odds.too-many",
        "eclipse.odds.unknown-type",
    ]


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"attacker": []},
        {"attacker": "many", "defender": 3},
        {"attacker": [1], "defender": [{}]},
        {"attacker": [{"type": "int", "n": 1.5}], "defender": [{"colour": "red"}]},
    ],
)
def test_what_is_no_battle_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(DataTrouble):
        odds_of(broken)


SWARM = tuple(
    DiceGroup(type, 8, 1, 9, 1, n, (2, 2, 2)) for n, type in enumerate(("int", "cru", "dre", "sba"))
)


def test_what_cannot_be_counted_is_estimated_soon() -> None:
    began = time.process_time()
    fleet = to_builtins(SWARM)
    found = odds_of({"attacker": fleet, "defender": fleet})
    assert 0 < found.error < 0.2
    _adds_up(found)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("seed", range(12))
def test_an_estimate_is_as_near_as_it_says(seed: int) -> None:
    """Battles that can be solved, so that the estimate can be judged."""
    chance = random.Random(seed)
    sides = [_some_fleet(chance), _some_fleet(chance)]
    if seed % 3 == 0:
        sides[seed // 3 % 2] = [ANCIENTS | {"n": 2}]
    one, other = (convert(side, Fleet) for side in sides)
    guess, exact = estimated(one, other), odds(one, other)
    assert abs(guess.attacker_win - exact.attacker_win) < guess.error
    _adds_up(guess)
    assert guess == estimated(one, other), "the same dice every time"


@pytest.mark.parametrize(
    ("attacker", "defender"),
    [
        pytest.param(
            (DiceGroup("int", 1, 1, 4, 2, 0, (1, 1, 0), (0, 2, 0)),),
            (
                DiceGroup("int", 1, 0, 3, 1, 1, (1, 0, 1), (0, 2, 0)),
                DiceGroup("sba", 1, 0, 1, 2, 1, (0, 0, 0), (0, 2, 0)),
            ),
            id="a starbase that has fired its missiles is no danger, though one die would destroy it",
        ),
        pytest.param(
            (
                DiceGroup("dre", 1, 3, 4, 3, 1, (0, 1, 0)),
                DiceGroup("int", 2, 4, 0, 0, 1, (0, 0, 1)),
                DiceGroup("cru", 2, 4, 3, 0, 2, (0, 0, 0)),
            ),
            (DiceGroup("npc", 2, 3, 5, 2, 0, (0, 0, 1)),),
            id="two dice of Ancients destroy a dreadnought rather than two cruisers",
        ),
        pytest.param(
            (
                DiceGroup("int", 1, 4, 2, 1, 2, (1, 1, 1), (0, 2, 0)),
                DiceGroup("sba", 1, 3, 1, 0, 2, (2, 1, 0)),
                DiceGroup("dre", 1, 4, 3, 3, 0, (1, 0, 0)),
            ),
            (DiceGroup("sba", 1, 2, 4, 3, 1, (2, 0, 1)),),
            id="weak dice go on the ship with the least left, the strong one destroys the other",
        ),
    ],
)
def test_an_estimate_places_dice_sensibly(attacker: Fleet, defender: Fleet) -> None:
    guess, exact = estimated(attacker, defender), odds(attacker, defender)
    assert guess.attacker_win == pytest.approx(exact.attacker_win, abs=0.03)


def test_an_estimate_starts_from_the_damage_there_is() -> None:
    fleet = (replace(CRUISER, n=2, hull=3),)
    fresh, hurt = estimated(fleet, fleet), estimated(fleet, fleet, (((1, 1),), ((4, 4),)))
    assert hurt.attacker_win < fresh.attacker_win - 0.2


def test_missiles_without_cannons_end_in_a_stalemate_in_estimates_too() -> None:
    rockets = (DiceGroup("int", 1, 3, 0, 0, 0, (0, 0, 0), (0, 4, 0)),)
    guess, exact = estimated(rockets, rockets), odds(rockets, rockets)
    assert guess.stalemate == pytest.approx(exact.stalemate, abs=0.03)
    assert estimated((replace(CRUISER, cannons=(0, 0, 0)),), (CRUISER,)).attacker_win == 0


def test_no_ships_in_a_group_is_no_group() -> None:
    assert odds((INTERCEPTOR, replace(CRUISER, n=0)), (ANCIENT,)) == odds((INTERCEPTOR,), (ANCIENT,))


def test_damaged_ships_are_like_ships_with_less_hull() -> None:
    whole, hurt = replace(CRUISER, hull=3), replace(CRUISER, hull=1)
    for shooter in (
        DREADNOUGHT,
        replace(DREADNOUGHT, cannons=(1, 1, 0)),
        replace(CRUISER, cannons=(0, 1, 0)),
    ):
        there = odds((shooter,), (whole,), left=(((shooter.hull + 1,),), ((2,),)))
        assert there.attacker_win == pytest.approx(odds((shooter,), (hurt,)).attacker_win, abs=EXACT)


def test_all_dice_alike_are_counted_in_units() -> None:
    """With nothing but orange dice a ship of four hit points takes two of them, as one of three does."""
    shooter = DiceGroup("cru", 2, 3, 0, 1, 0, (0, 2, 0))
    for three, four in product((replace(CRUISER, n=2, hull=2),), (replace(CRUISER, n=2, hull=3),)):
        assert odds((shooter,), (three,)).attacker_win == pytest.approx(
            odds((shooter,), (four,)).attacker_win, abs=EXACT
        )


@pytest.mark.parametrize("enough", [(9, 9, 9), (1, 2, 0), (0, 0, 0), (3, 1, 2)])
def test_hits_are_counted_as_if_every_die_were_told_apart(enough: tuple[int, ...]) -> None:
    ships, dice, faces = 2, 2, (1, 2, 2)
    plain: list[Counter[tuple[int, ...]]] = []
    for n in range(ships + 1):
        plain.append(Counter())
        for roll in product(range(6), repeat=n * dice):
            hit = [sum(face in kind for face in roll) for kind in ((5,), (4, 3), (2, 1))]
            plain[-1][tuple(map(min, hit, enough))] += 1
    counts, chance = counted(ships, dice, [face / 6 for face in faces], list(map(min, enough, (4, 4, 4))))
    assert {tuple(count) for count in counts.tolist()} == set(plain[-1])
    assert len(counts) == different(ships * dice, list(enough))
    for n, by_hand in enumerate(plain):
        for count, p in zip(counts.tolist(), chance[n], strict=True):
            assert p == pytest.approx(by_hand[tuple(count)] / 6 ** (n * dice), abs=1e-15)
