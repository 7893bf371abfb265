"""The score sheet of Beyond the Sun, step by step (p. 11; rules 186 to 199); every number is worked out by hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scoring.beyond import OPEN_SPACE, Formula, Seat, Untold, score, untold
from scoring.sheet import Line, Sheet

TAU_CETI = Formula(base=3, per="colonised", most=7)
TRACK = (0, 1, 0, 2, 0, 3, 4)
"""Made up: nobody knows what is printed there."""
STEPS = (
    "level-1",
    "level-2",
    "level-3",
    "private",
    "level-4",
    "automation",
    "systems",
    "bases",
    "open-space",
    "events",
    "achievements",
)


def lines(**what: Any) -> dict[str, Line]:
    sheet = score([Seat(name="Ania", **what)])
    return {line.what: line for line in sheet.seats[0].lines}


def test_eleven_steps_in_the_rulebooks_order_even_with_nothing() -> None:
    found = lines()
    assert tuple(found) == STEPS
    assert all(line.points == 0 and not line.because and not line.measures for line in found.values())


def test_technologies_of_levels_one_to_three() -> None:
    """Rules 186 to 188."""
    found = lines(technologies={"a": 1, "b": 1, "c": 1, "d": 2, "e": 2, "f": 3})
    assert [found[f"level-{n}"].points for n in (1, 2, 3)] == [3, 4, 3]
    assert found["level-2"].because == {"d": 2, "e": 2}


def test_technologies_of_which_only_the_number_is_told() -> None:
    found = lines(technologies={"d": 2}, unnamed={"level-2": 2, "level-3": 1})
    assert found["level-2"] == Line("level-2", 6, {"d": 2}, {"more-level-2": 2})
    assert found["level-3"] == Line("level-3", 3, {}, {"more-level-3": 1})


def test_private_technologies_have_their_own_step() -> None:
    """Rule 189: 2 for level II, 3 for level III, and not once more in steps 2 and 3."""
    unnamed = Seat(name="Ania", private={"x": 2}, unnamed={"private-2": 2, "private-3": 3})
    assert unnamed.private_in_all == 6
    found = lines(private={"x": 2, "y": 3}, unnamed={"private-3": 1})
    assert found["private"] == Line("private", 8, {"x": 2, "y": 3}, {"more-private-3": 1})
    assert found["level-2"].points == found["level-3"].points == 0


def test_level_four_gives_what_it_prints() -> None:
    """Rule 190, with a number and with a '?'."""
    found = lines(
        level_4={"number": 6, "question": Formula(points=2, per="level-2", each=2)},
        technologies={"a": 2, "b": 2, "c": 2},
    )
    assert found["level-4"] == Line("level-4", 8, {"number": 6, "question": 2}, {"per-level-2": 3})


@pytest.mark.parametrize(
    ("level", "points"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 3), (5, 3), (6, 6), (7, 10), (8, 11), (10, 13)]
)
def test_automation_adds_up_all_levels_and_one_for_each_above_seven(level: int, points: int) -> None:
    """Rule 191, with 0 1 0 2 0 3 4 printed."""
    assert lines(automation=level, track=TRACK)["automation"].points == points


@pytest.mark.parametrize(("colonised", "points"), [(1, 4), (2, 5), (3, 6), (4, 7), (5, 7), (8, 7)])
def test_tau_ceti_counts_itself_and_ends_at_seven(colonised: int, points: int) -> None:
    """Rule 192: own colonised systems + 3, at most 7."""
    others = {f"system-{n}": 0 for n in range(1, colonised)}
    found = lines(systems={"tau-ceti": TAU_CETI, **others})["systems"]
    assert (found.points, found.because["tau-ceti"]) == (points, points)
    assert found.measures == {"per-colonised": colonised}


def test_tau_ceti_counts_systems_of_which_only_the_number_is_told() -> None:
    found = lines(systems={"tau-ceti": TAU_CETI}, unnamed={"systems": 2}, given={"systems": 11})
    assert found["systems"] == Line("systems", 11, {}, {"counted": 11})
    assert Seat(name="x", systems={"tau-ceti": TAU_CETI}, unnamed={"systems": 2}).worth(TAU_CETI) == 6


def test_bases_count_one_each_and_never_as_achievements() -> None:
    """Rule 193: a marker that stands for a base lies where a base lies; it is no achievement (step 11)."""
    found = lines(bases=("sirius", "yard-1"), unnamed={"bases": 1})
    assert found["bases"] == Line("bases", 3, {"sirius": 1, "yard-1": 1}, {"more-bases": 1})
    assert found["achievements"].points == 0


def strengths(*held: dict[str, int]) -> list[int]:
    sheet = score([Seat(name=str(n), strength=strength) for n, strength in enumerate(held)])
    return [next(line.points for line in seat.lines if line.what == "open-space") for seat in sheet.seats]


def test_sol_is_shared_by_all_who_tie() -> None:
    """Rule 194: Blue 2 + 2, Red 4, Green 3 on Sol, nobody in Deep Space."""
    assert strengths({"sol": 4}, {"sol": 4}, {"sol": 3}) == [1, 1, 0]


def test_sol_and_deep_space_are_looked_at_on_their_own() -> None:
    assert strengths({"sol": 5, "deep-space": 1}, {"sol": 4, "deep-space": 2}) == [1, 1]
    assert strengths({"sol": 5, "deep-space": 3}, {"sol": 4, "deep-space": 2}) == [2, 0]


def test_without_ships_there_nobody_is_the_strongest() -> None:
    assert strengths({}, {"sol": 0, "deep-space": 0}) == [0, 0]


def test_strength_elsewhere_gives_nothing() -> None:
    assert strengths({"a1": 12, "yard-1": 4}, {"sol": 1}) == [0, 1]


def test_events_and_achievements_give_what_they_print() -> None:
    """Rules 195 and 196."""
    found = lines(events={"kc-24x": 1}, achievements={"empire": 5, "transcendence": 3})
    assert found["events"] == Line("events", 1, {"kc-24x": 1})
    assert found["achievements"] == Line("achievements", 8, {"empire": 5, "transcendence": 3})


# What nobody told


def test_what_nobody_told_counts_nothing_and_says_so() -> None:
    seat = Seat(
        name="Ania",
        level_4={"a": None, "b": 4},
        automation=9,
        systems={"c": None, "d": Formula(per="science")},
        events={"e": None},
        achievements={"empire": None},
    )
    found = {line.what: line for line in score([seat]).seats[0].lines}
    assert found["level-4"] == Line("level-4", 4, {"b": 4}, {"untold": 1})
    assert found["automation"] == Line("automation", 2, {}, {"automation": 9, "untold": 1})
    assert found["systems"] == Line("systems", 0, {}, {"untold": 2})
    assert set(untold(seat)) == {
        Untold("level-4", "a"),
        Untold("systems", "c"),
        Untold("systems", "d", "science"),
        Untold("events", "e"),
        Untold("achievements", "empire"),
        Untold("automation"),
    }


def test_a_space_of_level_4_without_a_card_counts_but_nothing_is_missing() -> None:
    """Rule 96: no card was found, so that nothing can be printed there."""
    seat = Seat(name="Ania", level_4={"b": 4}, without_card=1, systems={"d": Formula(per="level-4")})
    found = {line.what: line for line in score([seat]).seats[0].lines}
    assert found["level-4"] == Line("level-4", 4, {"b": 4}, {"without-card": 1})
    assert found["systems"].points == 2
    assert untold(seat) == ()


def test_nothing_is_missing_where_nothing_depends_on_it() -> None:
    assert untold(Seat(name="Ania", technologies={"a": 1}, bases=("b",), private={"c": 3})) == ()
    assert untold(Seat(name="Ania", systems={"tau-ceti": TAU_CETI})) == ()


def test_a_step_the_table_counted_itself_needs_nothing() -> None:
    seat = Seat(
        name="Ania",
        automation=3,
        systems={"c": None},
        unnamed={"level-4": 1},
        given={"automation": 2, "systems": 7, "level-4": 5},
    )
    assert untold(seat) == ()
    assert score([seat]).seats[0].total == 14


def test_cards_of_which_only_the_number_is_told_are_missed() -> None:
    assert untold(Seat(name="Ania", unnamed={"systems": 2, "level-4": 1})) == (
        Untold("level-4"),
        Untold("systems"),
    )


@pytest.mark.parametrize(
    ("per", "n"),
    [
        ("colonised", 2),
        ("controlled", 3),
        ("technologies", 10),
        ("level-1", 2),
        ("level-2", 1),
        ("level-3", 3),
        ("level-4", 1),
        ("private", 3),
        ("automation", 4),
        ("food-removed", 5),
        ("ore-removed", 1),
        ("achievements", 1),
        ("population", 6),
        ("ore", 9),
        ("science", 2),
        ("ships", None),
    ],
)
def test_what_a_question_mark_can_count(per: Any, n: int | None) -> None:
    seat = Seat(
        name="Ania",
        technologies={"a": 1, "b": 1, "c": 2, "k": 3, "l": 3, "m": 3},
        private={"d": 2},
        level_4={"e": 3},
        unnamed={"private-3": 2, "bases": 1},
        systems={"f": 1, "g": 2},
        bases=("h", "i"),
        automation=4,
        food_left=3,
        ore_left=7,
        achievements={"j": 4},
        population=6,
        ore=9,
        others={"science": 2},
    )
    assert seat.count(per) == n
    assert seat.worth(Formula(per=per)) == n


@pytest.mark.parametrize("level", [2, 3])
def test_private_technologies_nobody_named_count_whatever_their_level(level: int) -> None:
    seat = Seat(name="Ania", private={"d": 2}, unnamed={f"private-{level}": 2})
    assert (seat.count("private"), seat.technologies_in_all) == (3, 3)


# Ties


def winners(*seats: dict[str, int]) -> Sheet:
    return score([Seat(name="ABCD"[n], **what) for n, what in enumerate(seats)])  # type: ignore[arg-type]


def test_fewest_discs_on_both_tracks_together() -> None:
    """Rule 197: 3 + 2 beats 0 + 6, though one track of the other is empty."""
    sheet = winners(
        {"food_left": 3, "ore_left": 2}, {"food_left": 0, "ore_left": 6, "population": 9, "ore": 9}
    )
    assert sheet.winners == ("A",)
    assert sheet.tied == ("A", "B")


def test_then_population_then_ore_then_shared() -> None:
    """Rules 198 and 199."""
    assert winners({"population": 2, "ore": 1}, {"population": 1, "ore": 7}).winners == ("A",)
    assert winners({"population": 2, "ore": 1}, {"population": 2, "ore": 2}).winners == ("B",)
    shared = winners({"population": 2, "ore": 2}, {"population": 2, "ore": 2}, {"population": 1})
    assert shared.winners == ("A", "B")
    assert [seat.rank for seat in shared.seats] == [1, 1, 3]


def test_points_come_before_every_tie_breaker() -> None:
    sheet = score(
        [Seat(name="A", bases=("x",)), Seat(name="B", food_left=0, ore_left=0, population=9, ore=9)]
    )
    assert sheet.winners == ("A",)
    assert sheet.tied == ()


# The same counted another way


def recount(seats: list[dict[str, Any]]) -> list[int]:
    """Pips laid on a table one by one, as four people with the rulebook would do it."""
    totals = []
    for seat in seats:
        pips = []
        for level in seat["tree"]:
            pips += ["tree"] * level
        for level in seat["private"]:
            pips += ["private"] * level
        for points in (*seat["four"], *seat["events"], *seat["slots"]):
            pips += ["card"] * points
        for level in range(1, seat["automation"] + 1):
            pips += ["robot"] * (TRACK[level - 1] if level <= 7 else 1)
        colonised = len(seat["systems"])
        for points in seat["systems"]:
            pips += ["system"] * (min(colonised + 3, 7) if points == "tau-ceti" else points)
        pips += ["base"] * seat["bases"]
        for place in OPEN_SPACE:
            mine = sum(seat[place])
            if mine and not any(sum(other[place]) > mine for other in seats):
                pips.append(place)
        totals.append(len(pips))
    return totals


def drawn(random: Random) -> dict[str, Any]:
    systems = [random.randint(0, 9) for _ in range(random.randint(0, 5))]
    if systems and random.random() < 0.5:
        systems[0] = "tau-ceti"  # type: ignore[call-overload]
    return {
        "tree": [random.randint(1, 3) for _ in range(random.randint(0, 9))],
        "private": [random.randint(2, 3) for _ in range(random.randint(0, 2))],
        "four": [random.randint(2, 9) for _ in range(random.randint(0, 3))],
        "events": [random.randint(0, 3) for _ in range(random.randint(0, 2))],
        "slots": [random.randint(0, 6) for _ in range(random.randint(0, 4))],
        "automation": random.randint(0, 10),
        "systems": systems,
        "bases": random.randint(0, 5),
        "sol": [random.randint(1, 4) for _ in range(random.randint(0, 2))],
        "deep-space": [random.randint(1, 4) for _ in range(random.randint(0, 2))],
    }


def as_seat(name: str, seat: dict[str, Any]) -> Seat:
    return Seat(
        name=name,
        technologies={f"t{n}": level for n, level in enumerate(seat["tree"])},
        private={f"p{n}": level for n, level in enumerate(seat["private"])},
        level_4={f"f{n}": points for n, points in enumerate(seat["four"])},
        events={f"e{n}": points for n, points in enumerate(seat["events"])},
        achievements={f"a{n}": points for n, points in enumerate(seat["slots"])},
        automation=seat["automation"],
        track=TRACK,
        systems={f"s{n}": TAU_CETI if x == "tau-ceti" else x for n, x in enumerate(seat["systems"])},
        bases=tuple(f"b{n}" for n in range(seat["bases"])),
        strength={place: sum(seat[place]) for place in OPEN_SPACE},
    )


def test_three_hundred_tables_counted_another_way() -> None:
    random = Random(16)
    for _ in range(300):
        table = [drawn(random) for _ in range(random.randint(2, 4))]
        sheet = score([as_seat(str(n), seat) for n, seat in enumerate(table)])
        assert [seat.total for seat in sheet.seats] == recount(table)
        assert all(seat.total == sum(line.points for line in seat.lines) for seat in sheet.seats)
