"""The score sheet of Transgalactica, rule by rule (p. 23, 27, 29); every number was worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from scoring.sheet import Line, Sheet
from scoring.transgalactica import (
    COLOURS,
    Mission,
    Objective,
    Outpost,
    Per,
    Readings,
    Seat,
    Technology,
    score,
)

OBJECTIVES = {
    objective.id: objective
    for objective in (
        Objective("objective-knowledge", (Per("technologies", 2), Per("missions", 2)), either=True),
        Objective("objective-yellow", (Per("outposts:yellow", 3),)),
        Objective("objective-pirates", (Per("pirates", 5),)),
        Objective("objective-culture", (Per("missions:cultural", 4),)),
        Objective("objective-purple", (Per("outposts:purple", 3),)),
        Objective("objective-trade-planets", (Per("outposts:trade-level", 3),)),
        Objective("objective-commerce", (Per("missions:commercial", 4),)),
        Objective("objective-green", (Per("outposts:green", 3),)),
        Objective("objective-hoard", (Per("outposts:map", 2), Per("resources", 1, 12))),
        Objective("objective-war", (Per("missions:war", 4),)),
        Objective("objective-grey", (Per("outposts:grey", 4),)),
        Objective(
            "objective-levels", (Per("level:technology"), Per("level:politics"), Per("level:production"))
        ),
        Objective("objective-hunter", (Per("pirates", 3), Per("missions:war", 3)), either=True),
        Objective("objective-expansion", (Per("outposts:map", 2), Per("technologies", 2)), either=True),
    )
}

ENDS = {
    "end-trade-military": (Per("level:trade"), Per("level:military")),
    "end-technology-politics": (Per("level:technology"), Per("level:politics")),
    "end-production": (Per("level:production"),),
    "end-markers": (Per("markers"),),
    "end-objective": (Per("objective", 2, 12),),
}


def ends(id: str, markers: int = 1) -> Technology:
    return Technology(id=id, markers=markers, end=ENDS[id])


def on(planet: str, *colours: Any, trade: bool = False, here: bool = False) -> Outpost:
    return Outpost(
        planet=planet, colours=frozenset(colours), planet_asks_trade=trade or here, slot_asks_trade=here
    )


EMPIRE: dict[str, Any] = {
    "outposts": (
        on("central"),
        on("yellow-action-exchange", "yellow", trade=True),
        on("green-grey-action-explore", "green", "grey", here=True),
        on("multi-mining", *COLOURS, here=True),
        on("purple-wild", "purple"),
    ),
    "missions": (
        Mission("mission-1-01", ("commercial",)),
        Mission("mission-1-02", ("war",)),
        Mission("mission-1-05", ("war",)),
        Mission("mission-1-09", ("cultural",)),
        Mission("mission-2-12", ("commercial", "war")),
    ),
    "technologies": (Technology(id="archivists"), Technology(id="helpers", markers=3)),
    "pirates": 2,
    "energy": 5,
    "mineral": 4,
    "alien": 6,
    "technology": 7,
    "military": 3,
    "production": 4,
    "politics": 5,
    "trade": 2,
}
"""A seat of which every card counts something else."""


def sheet(*objectives: str, readings: Readings | None = None, **what: Any) -> Sheet:
    cards = tuple(OBJECTIVES[id] for id in objectives)
    return score([Seat(name="Ania", objectives=cards, **what)], readings or Readings())


def lines(*objectives: str, readings: Readings | None = None, **what: Any) -> dict[str, Line]:
    return {line.what: line for line in sheet(*objectives, readings=readings, **what).seats[0].lines}


# Objectives


@pytest.mark.parametrize(
    ("objective", "points", "because", "measures"),
    [
        (
            "objective-knowledge",
            10,
            dict.fromkeys(
                ("mission-1-01", "mission-1-02", "mission-1-05", "mission-1-09", "mission-2-12"), 2
            ),
            {},
        ),
        ("objective-yellow", 6, {"yellow-action-exchange": 3, "multi-mining": 3}, {}),
        ("objective-pirates", 10, {}, {"pirates": 2}),
        ("objective-culture", 4, {"mission-1-09": 4}, {}),
        ("objective-purple", 6, {"multi-mining": 3, "purple-wild": 3}, {}),
        (
            "objective-trade-planets",
            9,
            {"yellow-action-exchange": 3, "green-grey-action-explore": 3, "multi-mining": 3},
            {},
        ),
        ("objective-commerce", 8, {"mission-1-01": 4, "mission-2-12": 4}, {}),
        ("objective-green", 6, {"green-grey-action-explore": 3, "multi-mining": 3}, {}),
        ("objective-hoard", 22, {outpost.planet: 2 for outpost in EMPIRE["outposts"]}, {"resources": 15}),
        ("objective-war", 12, {"mission-1-02": 4, "mission-1-05": 4, "mission-2-12": 4}, {}),
        ("objective-grey", 8, {"green-grey-action-explore": 4, "multi-mining": 4}, {}),
        (
            "objective-levels",
            16,
            {},
            {"level-technology": 7, "level-politics": 5, "level-production": 4},
        ),
        ("objective-hunter", 9, {"mission-1-02": 3, "mission-1-05": 3, "mission-2-12": 3}, {}),
        ("objective-expansion", 10, {outpost.planet: 2 for outpost in EMPIRE["outposts"]}, {}),
    ],
)
def test_what_each_objective_counts(
    objective: str, points: int, because: dict[str, int], measures: dict[str, int]
) -> None:
    """Rules 93, 130, 194 to 198."""
    line = lines(objective, **EMPIRE)[objective]
    assert (line.points, line.because, line.measures) == (points, because, measures)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_an_objective_for_which_there_is_nothing_gives_nothing(objective: str) -> None:
    assert lines(objective)[objective].points == 0


def test_exactly_one_objective_is_scored_and_the_sheet_says_what_both_would_give() -> None:
    """Rule 190."""
    found = lines("objective-yellow", "objective-war", **EMPIRE)
    assert found["objective-war"].points == 12
    assert "objective-yellow" not in found
    assert found["choice"].points == 0
    assert list(found["choice"].measures.items()) == [("objective-war", 12), ("objective-yellow", 6)]


def test_with_one_objective_there_is_no_choice_to_tell() -> None:
    assert "choice" not in lines("objective-war", **EMPIRE)


def test_of_two_objectives_worth_the_same_the_first_is_scored() -> None:
    found = lines("objective-purple", "objective-green", **EMPIRE)
    assert "objective-purple" in found
    assert "objective-green" not in found


def test_a_mission_whose_type_was_chosen_counts_as_that_type_only() -> None:
    """Rule 130."""
    fixed = {**EMPIRE, "missions": (Mission("mission-2-12", ("commercial", "war"), "commercial"),)}
    assert lines("objective-war", **fixed)["objective-war"].points == 0
    assert lines("objective-commerce", **fixed)["objective-commerce"].points == 4
    assert lines("objective-hunter", **fixed)["objective-hunter"].points == 6
    both = Readings(two_types="both")
    assert lines("objective-war", readings=both, **fixed)["objective-war"].points == 4


def test_a_mission_without_a_chosen_type_is_what_the_scored_objective_counts() -> None:
    """Rule 200: 2 war missions and the open one beat 1 commercial one and the open one."""
    found = lines("objective-commerce", "objective-war", **EMPIRE)
    assert found["choice"].measures == {"objective-war": 12, "objective-commerce": 8}


# Technologies of the end


@pytest.mark.parametrize(
    ("technology", "points", "measures"),
    [
        ("end-trade-military", 5, {"level-trade": 2, "level-military": 3}),
        ("end-technology-politics", 12, {"level-technology": 7, "level-politics": 5}),
        ("end-production", 4, {"level-production": 4}),
    ],
)
def test_levels_at_the_end(technology: str, points: int, measures: dict[str, int]) -> None:
    """Rule 159."""
    line = lines(**{**EMPIRE, "technologies": (ends(technology),)})[technology]
    assert (line.points, line.measures) == (points, measures)


def test_markers_of_everybody_on_the_cards_one_marked() -> None:
    """Rule 159: 1 + 3 + 2, the own ones too; cards of others do not count."""
    cards = (Technology(id="archivists"), Technology(id="helpers", markers=3), ends("end-markers", 2))
    line = lines(technologies=cards)["end-markers"]
    assert (line.points, line.because) == (6, {"archivists": 1, "helpers": 3, "end-markers": 2})


@pytest.mark.parametrize(
    ("objective", "points"),
    [
        ("objective-knowledge", 10),  # 5 missions
        ("objective-yellow", 4),
        ("objective-pirates", 4),
        ("objective-culture", 2),
        ("objective-purple", 4),
        ("objective-trade-planets", 6),
        ("objective-commerce", 4),
        ("objective-green", 4),
        ("objective-hoard", 12),  # 5 outposts and 12 resources
        ("objective-war", 6),
        ("objective-grey", 4),
        ("objective-levels", 12),  # 16 levels
        ("objective-hunter", 6),
        ("objective-expansion", 10),  # 5 outposts
    ],
)
def test_two_more_for_every_unit_of_the_scored_objective(objective: str, points: int) -> None:
    """Rules 159 and 199: never more than 12."""
    found = lines(objective, **{**EMPIRE, "technologies": (ends("end-objective"),)})
    assert found["end-objective"].points == points


def test_the_objective_is_chosen_together_with_the_technology_that_looks_at_it() -> None:
    """Rule 200: alone 2 pirates are worth more than 9 levels; with the technology 10 + 4 are less than 9 + 12."""
    what: dict[str, Any] = {"pirates": 2, "technology": 4, "politics": 3, "production": 2}
    cards = ("objective-pirates", "objective-levels")
    assert lines(*cards, **what)["objective-pirates"].points == 10
    found = lines(*cards, technologies=(ends("end-objective"),), **what)
    assert (found["objective-levels"].points, found["end-objective"].points) == (9, 12)
    assert found["choice"].measures == {"objective-levels": 21, "objective-pirates": 14}


def test_without_an_objective_the_technology_adds_nothing() -> None:
    assert lines(technologies=(ends("end-objective"),))["end-objective"].points == 0


def test_the_side_of_an_or_is_chosen_together_with_the_technology() -> None:
    """Rules 194 and 200: both sides count units, so the longer one wins both ways."""
    what: dict[str, Any] = {"pirates": 4, "missions": EMPIRE["missions"]}
    found = lines("objective-hunter", technologies=(ends("end-objective"),), **what)
    assert (found["objective-hunter"].points, found["objective-hunter"].measures) == (12, {"pirates": 4})
    assert found["end-objective"].points == 8


def test_raised_levels_count_at_the_end() -> None:
    """Rule 152: technology and politics one above their markers, production as it stands."""
    offices = Technology(id="prestige-offices", raises=True)
    what = {**EMPIRE, "technologies": (offices, ends("end-technology-politics"), ends("end-production"))}
    found = lines("objective-levels", **what)
    assert found["end-technology-politics"].points == 8 + 6
    assert found["end-production"].points == 4
    assert found["objective-levels"].points == 8 + 6 + 4
    plain = lines("objective-levels", readings=Readings(offices="markers"), **what)
    assert (plain["objective-levels"].points, plain["end-technology-politics"].points) == (16, 12)


def test_a_technology_of_another_moment_has_no_line() -> None:
    """Rule 134: only end-of-game effects count in the final scoring."""
    assert set(lines(**EMPIRE)) == {"track", "credits", "resources"}


# What is left, and who wins


def test_what_is_left() -> None:
    """Rules 10, 191, 192: 12 on the track, 4 credits, 5 resources of three kinds; no credit is a resource."""
    found = lines("objective-pirates", "objective-culture", track=12, credits=4, energy=2, mineral=2, alien=1)
    points = {what: line.points for what, line in found.items()}
    assert points == {"track": 12, "objective-pirates": 0, "credits": 4, "resources": 1, "choice": 0}
    assert found["resources"].measures == {"energy": 2, "mineral": 2, "alien": 1}


@pytest.mark.parametrize(("resources", "points"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (59, 19)])
def test_three_resources_are_a_point(resources: int, points: int) -> None:
    """Rule 192: rounded down."""
    assert lines(alien=resources)["resources"].points == points


def test_the_hoard_counts_resources_besides_their_thirds() -> None:
    """Rule 195: 3 outposts, 14 resources: 6 + 12, and 4 more for the thirds."""
    found = lines(
        "objective-hoard", outposts=(on("a"), on("b"), on("c")), energy=7, mineral=4, alien=3, credits=9
    )
    assert (found["objective-hoard"].points, found["resources"].points, found["credits"].points) == (18, 4, 9)


def test_the_score_may_be_below_zero() -> None:
    """Rule 182."""
    assert sheet(track=-3).seats[0].total == -3


def test_equal_totals_share_the_victory() -> None:
    """Rule 193: neither credits nor outposts break a tie."""
    made = score(
        [
            Seat(name="A", track=80, credits=8, outposts=(on("a"), on("b"))),
            Seat(name="B", track=88),
            Seat(name="C", track=80),
        ]
    )
    assert made.winners == ("A", "B")
    assert [(seat.total, seat.rank) for seat in made.seats] == [(88, 1), (88, 1), (80, 3)]


# Other readings


@pytest.mark.parametrize(
    ("objective", "readings", "points", "on_top"),
    [
        ("objective-knowledge", Readings(either="both"), 12, 12),  # 1 technology and 5 missions
        ("objective-hunter", Readings(either="both"), 15, 10),
        ("objective-expansion", Readings(either="both"), 12, 12),
        ("objective-hoard", Readings(hoard="whole"), 12, 12),  # 5 outposts and 2 resources
        ("objective-hoard", Readings(condition="thing"), 22, 10),
        ("objective-levels", Readings(condition="thing"), 16, 0),
        ("objective-pirates", Readings(condition="thing"), 10, 4),
        ("objective-trade-planets", Readings(trade_planets="place"), 6, 4),
        ("objective-yellow", Readings(nightmare="outpost"), 9, 6),
        ("objective-expansion", Readings(nightmare="outpost"), 12, 12),
        ("objective-trade-planets", Readings(nightmare="outpost"), 9, 6),
        ("objective-yellow", Readings(nightmare="colours"), 9, 6),
        ("objective-expansion", Readings(nightmare="colours"), 10, 10),
    ],
    ids=str,
)
def test_other_readings(objective: str, readings: Readings, points: int, on_top: int) -> None:
    """Rules 167, 194, 195, 197, 199: what a table may agree on instead."""
    what = {**EMPIRE, "technologies": (ends("end-objective"),), "nightmare": True}
    found = lines(objective, readings=readings, **what)
    assert (found[objective].points, found["end-objective"].points) == (points, on_top)


def test_a_limit_of_the_whole_card_stops_at_its_outposts_already() -> None:
    """Rule 195, read the other way: of 7 outposts 6 reach the limit."""
    outposts = tuple(on(f"planet-{n}") for n in range(7))
    found = lines("objective-hoard", readings=Readings(hoard="whole"), outposts=outposts, energy=9)
    assert found["objective-hoard"].points == 12
    assert sum(found["objective-hoard"].because.values()) == 12


def test_a_seat_of_which_nothing_is_told_has_nothing() -> None:
    """No points come from a field that a finished table leaves out."""
    end = tuple(Technology(id=f"end-{kind}", end=(Per(kind),)) for kind in ("level:military", "level:trade"))
    green = Outpost(planet="green-wild", colours=frozenset({"green"}))
    everything = Seat(name="Ania", technologies=end, outposts=(green,))
    colours = Readings(nightmare="colours", trade_planets="place")
    for readings in (Readings(), colours):
        assert score([everything], readings).seats[0].total == 0
        bare = replace(everything, technologies=(ends("end-objective"),))
        for condition in ("unit", "thing"):
            assert score([bare], replace(readings, condition=condition)).seats[0].total == 0
        trade = replace(everything, objectives=(OBJECTIVES["objective-trade-planets"],))
        assert score([trade], readings).seats[0].total == 0
        purple = replace(everything, objectives=(OBJECTIVES["objective-purple"],))
        assert score([purple], readings).seats[0].total == 0
