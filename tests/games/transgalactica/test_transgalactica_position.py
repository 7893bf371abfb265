"""Tables of Transgalactica played without us: what is read, and that all impossible values are reported together."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from companion.core.components import Facts
from companion.core.counters import Correctable
from companion.core.words import Text
from companion.errors import DataTrouble
from companion.games.transgalactica import GAME, position
from companion.games.transgalactica.component_types import ids
from companion.results.score_only import Unplayed
from companion.texts import LANGUAGES, render
from scoring.sheet import Line, Sheet

LEVELS = {"technology": 5, "military": 3, "production": 4, "politics": 4, "trade": 6}


def seat(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "name": name,
        "track_vp": 20,
        "objectives": ["objective-pirates", "objective-culture"],
        "outposts": ["central"],
        "levels": LEVELS,
        "credits": 0,
        "resources": {},
        **fields,
    }


BARTEK = seat("Bartek", objectives=["objective-war", "objective-grey"])


def table(*others: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A table without problems, or with these fields of Ania's seat changed."""
    return {"game": "transgalactica", "seats": [seat("Ania", **fields), *(others or (BARTEK,))]}


def scored(raw: dict[str, Any], taught: Facts | None = None) -> Sheet:
    return position.sheet(position.position_of(copy.deepcopy(raw), taught))


def lines(raw: dict[str, Any], taught: Facts | None = None) -> dict[str, Line]:
    return {line.what: line for line in scored(raw, taught).seats[0].lines}


def problems(raw: dict[str, Any], taught: Facts | None = None) -> tuple[Text, ...]:
    """What is wrong, after every sentence was found to exist in every language."""
    with pytest.raises(DataTrouble) as caught:
        position.position_of(copy.deepcopy(raw), taught)
    for problem in caught.value.problems:
        for language in LANGUAGES:
            sentence = render(problem, language)
            assert sentence != problem.key
            assert "{" not in sentence
    return caught.value.problems


def only(raw: dict[str, Any], taught: Facts | None = None) -> str:
    (problem,) = problems(raw, taught)
    return problem.key.rpartition(".")[2]


# What is read


def test_the_example_is_counted_line_by_line() -> None:
    """Rules 152, 159, 189 to 199: 61 + 15 levels + 12 + 3 credits + 1; and 70 + 12 + 3 markers + 1."""
    (example,) = position.EXAMPLES
    ania, bartek = scored(example).seats
    assert {line.what: line.points for line in ania.lines} == {
        "track": 61,
        "objective-levels": 7 + 5 + 3,
        "end-objective": 12,
        "credits": 3,
        "resources": 1,
        "choice": 0,
    }
    assert {line.what: line.points for line in bartek.lines} == {
        "track": 70,
        "objective-grey": 8,
        "end-markers": 3,
        "credits": 0,
        "resources": 1,
        "choice": 0,
    }
    assert (ania.total, bartek.total) == (92, 82)


@pytest.mark.parametrize(
    ("objective", "fields", "points"),
    [
        (
            "knowledge",
            {"technologies": ["helpers"], "missions": ["mission-1-01", "mission-1-02", "mission-1-09"]},
            6,
        ),
        (
            "yellow",
            {"outposts": ["central", "yellow-wild", "yellow-purple-action-research", "multi-mining"]},
            9,
        ),
        ("pirates", {"pirates": 3}, 15),
        ("culture", {"missions": ["mission-1-09", "mission-2-03", "mission-2-12"]}, 8),
        ("purple", {"outposts": ["central", "purple-wild", "yellow-purple-action-research", "grey-wild"]}, 6),
        (
            "trade-planets",
            {
                "outposts": [
                    *("central", "yellow-action-supply", "yellow-wild"),
                    *("yellow-action-exchange", "purple-mining", "green-mining-prestige"),
                ]
            },
            9,
        ),
        ("commerce", {"missions": ["mission-1-01", "mission-2-06", "mission-2-11", "mission-2-12"]}, 16),
        ("green", {"outposts": ["central", "green-wild", "green-grey-action-explore", "grey-wild"]}, 6),
        (
            "hoard",
            {"outposts": ["central", "green-wild"], "resources": {"energy": 6, "mineral": 4, "alien": 3}},
            16,
        ),
        ("war", {"missions": ["mission-1-02", "mission-2-06", "mission-2-11:commercial"]}, 8),
        ("grey", {"outposts": ["central", "grey-wild", "green-grey-action-explore", "multi-mining"]}, 12),
        ("levels", {}, 13),
        ("hunter", {"pirates": 2, "missions": ["mission-1-02", "mission-2-12", "mission-1-05"]}, 9),
        (
            "expansion",
            {"outposts": ["central", "grey-wild"], "technologies": ["helpers", "visitors", "promotion"]},
            6,
        ),
    ],
)
def test_every_objective_counts_what_is_printed(objective: str, fields: dict[str, Any], points: int) -> None:
    """Rules 130, 194 to 198, with the planets and missions of the box."""
    other = "objective-culture" if objective != "culture" else "objective-pirates"
    if objective == "knowledge":
        other = "objective-pirates"
    raw = table(objectives=[f"objective-{objective}", other], **fields)
    rest = {"objectives": [id for id in ids("objectives") if id not in raw["seats"][0]["objectives"]][:2]}
    raw["seats"][1] = seat("Bartek", **rest)
    assert lines(raw)[f"objective-{objective}"].points == points


@pytest.mark.parametrize(
    ("technology", "points"),
    [
        ("end-trade-military", 6 + 3),
        ("end-technology-politics", 5 + 4),
        ("end-production", 4),
        ("end-markers", 2),
        ("end-objective", 6),
    ],
)
def test_every_technology_of_the_end_counts(technology: str, points: int) -> None:
    """Rule 159: with 3 pirate tokens, and a marker of the other seat on the same card."""
    other = {**BARTEK, "technologies": [technology]}
    found = lines(table(other, pirates=3, technologies=[technology]))
    assert found[technology].points == points


def test_all_other_technologies_count_nothing() -> None:
    """Rule 134."""
    for id in ids("technologies"):
        if not id.startswith("end-"):
            assert set(lines(table(technologies=[id]))) == {
                "track",
                "objective-pirates",
                "credits",
                "resources",
                "choice",
            }


@pytest.mark.parametrize(
    ("planet", "colours"),
    [
        ("green-mining-supply", "green"),
        ("multi-mining", "yellow green purple grey"),
        ("green-mining-prestige", "green"),
        ("purple-action-research", "purple"),
        ("yellow-action-exchange", "yellow"),
        ("yellow-wild", "yellow"),
        ("purple-mining", "purple"),
        ("grey-mining-prestige", "grey"),
        ("grey-action-tunnel", "grey"),
        ("green-action-income", "green"),
        ("green-grey-action-explore", "green grey"),
        ("green-wild", "green"),
        ("grey-wild", "grey"),
        ("grey-mining-industry", "grey"),
        ("yellow-mining", "yellow"),
        ("yellow-action-supply", "yellow"),
        ("purple-action-mines", "purple"),
        ("yellow-purple-action-research", "yellow purple"),
        ("purple-wild", "purple"),
        ("central", ""),
    ],
)
def test_every_planet_counts_for_its_colours(planet: str, colours: str) -> None:
    """Rules 34, 93 and 196."""
    for colour, each in {"yellow": 3, "purple": 3, "green": 3, "grey": 4}.items():
        other = "objective-pirates" if colour != "grey" else "objective-culture"
        raw = table(
            seat("Bartek", objectives=["objective-war", "objective-hoard"]),
            outposts=list(dict.fromkeys(["central", planet])),
            objectives=[f"objective-{colour}", other],
        )
        assert lines(raw)[f"objective-{colour}"].points == (each if colour in colours.split() else 0)


def test_what_was_not_told_apart_counts_as_well() -> None:
    """Rule 192."""
    assert lines(table(resources={"mixed": 7, "energy": 2}))["resources"].points == 3


def test_equal_totals_share_the_victory() -> None:
    """Rule 193."""
    raw = table({**BARTEK, "credits": 4}, track_vp=24)
    assert scored(raw).winners == ("Ania", "Bartek")


def test_the_score_may_be_below_zero() -> None:
    """Rule 182."""
    assert scored(table(track_vp=-7)).seats[0].total == -7


@pytest.mark.parametrize(
    ("option", "value", "fields", "objective", "points"),
    [
        ("or", "both", {"pirates": 1, "missions": ["mission-1-02"]}, "hunter", 6),
        ("hoard", "whole", {"resources": {"alien": 20}}, "hoard", 12),
        ("two-types", "both", {"missions": ["mission-2-12:commercial"]}, "war", 4),
        ("nightmare", "outpost", {"nightmare": True}, "green", 3),
        ("nightmare", "colours", {"nightmare": True}, "green", 3),
        ("trade-planets", "place", {"outposts": ["central", "yellow-action-exchange:1"]}, "trade-planets", 0),
        ("offices", "markers", {"technologies": ["prestige-offices"]}, "levels", 13),
    ],
)
def test_a_table_may_agree_on_another_reading(
    option: str, value: str, fields: dict[str, Any], objective: str, points: int
) -> None:
    """Rules 130, 152, 167, 194, 195, 197."""
    raw = table(
        seat("Bartek", objectives=["objective-purple", "objective-grey"]),
        objectives=[f"objective-{objective}", "objective-culture"],
        **fields,
    )
    assert lines({**raw, option: value})[f"objective-{objective}"].points == points
    usual = lines(raw)
    assert f"objective-{objective}" not in usual or usual[f"objective-{objective}"].points != points


def test_what_a_condition_is_can_be_agreed_on() -> None:
    """Rule 199."""
    raw = table(
        objectives=["objective-levels", "objective-culture"], technologies=["end-objective"], pirates=0
    )
    assert lines(raw)["end-objective"].points == 12
    assert lines({**raw, "condition": "thing"})["end-objective"].points == 0


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("objectives", ["Pirates", "culture"]),
        ("objectives", ["OBJECTIVE PIRATES", "objective_culture"]),
        ("technologies", ["Archivists", "long range drive"]),
        ("missions", ["1-01", "Mission II-12:war"]),
        ("missions", [{"mission": "mission-2-12", "type": "war"}]),
        ("outposts", ["Central planet", "Green mining planet (resource)"]),
        ("outposts", [{"planet": "central", "slot": None}, {"planet": "multi-mining", "slot": 2}]),
    ],
    ids=str,
)
def test_things_are_found_as_people_write_them(field: str, words: list[Any]) -> None:
    scored(table(**{field: words}))


def test_what_was_taught_is_used() -> None:
    """Rule 34: once somebody told the colour of the central planet it counts; names are found and shown."""
    raw = table(objectives=["objective-green", "objective-culture"])
    assert lines(raw, {"central.colours": ["green"]})["objective-green"].points == 3
    taught: Facts = {"archivists.name.en": "Star Library"}
    raw = table(technologies=["star library", "end-markers"])
    made = scored(raw, taught)
    assert made.names == {"archivists": {"en": "Star Library"}}


# What is impossible


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"objectives": ["objective-pirates"]}, "objectives"),
        ({"objectives": []}, "objectives"),
        ({"objectives": ["objective-pirates", "objective-culture", "objective-green"]}, "objectives"),
        ({"objectives": ["objective-pirates", "objective-pirates"]}, "twice"),
        ({"objectives": ["objective-pirates", "objective-war"]}, "single"),
        ({"objectives": ["objective-pirates", "objective-greens"]}, "unknown-near"),
        ({"objectives": ["objective-pirates", "decree-pirates"]}, "unknown-near"),
        ({"outposts": []}, "no-centre"),
        ({"outposts": ["yellow-wild"]}, "no-centre"),
        ({"outposts": ["central", "yellow-wild", "yellow-wild"]}, "twice"),
        ({"outposts": ["central", "multi-mining:1", "multi-mining:2"]}, "twice"),
        ({"outposts": ["central", "multi-mining:3"]}, "no-slot"),
        ({"outposts": ["central", "multi-mining:0"]}, "no-slot"),
        ({"outposts": ["central", "multi-mining:first"]}, "no-slot"),
        ({"outposts": ["central", "technological-nightmare"]}, "nightmare-outpost"),
        ({"outposts": ["central", "jupiter"]}, "unknown"),
        (
            {
                "outposts": [
                    *("central", "yellow-wild", "grey-wild", "green-wild", "purple-wild"),
                    *("multi-mining", "purple-mining", "yellow-mining"),
                ]
            },
            "outposts",
        ),
        ({"technologies": ["helpers", "helpers"]}, "twice"),
        ({"technologies": ["helpers", "flying"]}, "unknown"),
        ({"technologies": ["helpers", "visitors", "promotion"], "levels": {"trade": 0}}, "markers"),
        (
            {"technologies": ["helpers", "visitors", "promotion", "end-markers"], "levels": {"trade": 2}},
            "markers",
        ),
        (
            {
                "technologies": ["helpers", "visitors", "promotion", "end-markers", "lobbyists"],
                "levels": {"trade": 4},
            },
            "markers",
        ),
        (
            {
                "technologies": [
                    *("helpers", "archivists", "visitors", "lobbyists"),
                    *("promotion", "end-markers"),
                ]
            },
            "markers",
        ),
        ({"technologies": ["helpers", "archivists", "deep-mining", "token-recycling"]}, "level"),
        ({"missions": ["mission-1-01", "mission-1-01"]}, "twice"),
        ({"missions": ["mission-2-12:war", "mission-2-12:commercial"]}, "twice"),
        ({"missions": ["mission-1-15"]}, "unknown-near"),
        ({"missions": ["mission-1-01:war"]}, "no-type"),
        ({"missions": ["mission-2-12:cultural"]}, "no-type"),
        ({"track_vp": 1000}, "number"),
        ({"track_vp": -100}, "number"),
        ({"credits": -1}, "number"),
        ({"resources": {"energy": -1}}, "number"),
        ({"levels": {"trade": 7}}, "number"),
        ({"levels": {"technology": 13}}, "number"),
        ({"levels": {"military": -1}}, "number"),
        ({"pirates": 7}, "number"),
        ({"pirates": 4}, "pirates"),
        ({"senate": 7}, "number"),
        ({"senate": 6, "outposts": ["central", "yellow-wild"]}, "crew"),
    ],
    ids=str,
)
def test_one_thing_wrong_at_a_seat_is_one_problem(fields: dict[str, Any], problem: str) -> None:
    assert only(table(**fields)) == problem


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"game": "race"}, "other-game"),
        ({"or": "worse"}, "option"),
        ({"seats": [seat("Ania")]}, "seats"),
        ({"seats": [seat(" "), BARTEK]}, "no-name"),
        ({"seats": [seat("Bartek"), BARTEK]}, "same-name"),
        ({"technologies": ["helpers", "helpers"]}, "twice"),
        ({"technologies": ["helpers", "archivists", "deep-mining", "token-recycling"]}, "level"),
        ({"seats": [seat("Ania", nightmare=True), {**BARTEK, "nightmare": True}]}, "nightmares"),
        (
            {"seats": [seat("Ania", missions=["mission-1-01"]), {**BARTEK, "missions": ["mission-1-01"]}]},
            "single",
        ),
        ({"seats": [seat("Ania", pirates=2), {**BARTEK, "pirates": 2}]}, "pirates"),
        (
            {
                "seats": [
                    seat("Ania", outposts=["central", "multi-mining:1"]),
                    {**BARTEK, "outposts": ["central", "multi-mining:1"]},
                ]
            },
            "same-slot",
        ),
        (
            {"technologies": ["archivists"], "seats": [seat("Ania", technologies=["helpers"]), BARTEK]},
            "not-laid-out",
        ),
    ],
    ids=str,
)
def test_one_thing_wrong_with_the_table_is_one_problem(change: dict[str, Any], problem: str) -> None:
    assert only({**table(), **change}) == problem


def three(planet: str, **fields: Any) -> dict[str, Any]:
    outposts = ["central", planet]
    return table(
        {**BARTEK, "outposts": outposts},
        seat("Celina", objectives=["objective-hoard", "objective-green"], outposts=outposts),
        outposts=outposts,
        **fields,
    )


def test_a_full_planet_takes_another_outpost_only_with_the_technology_and_only_an_action_planet() -> None:
    """Rules 89 and 150; of a planet with one printed demand nobody knows the places."""
    assert only(three("yellow-action-exchange")) == "crowded"
    scored(three("yellow-action-exchange", technologies=["shared-colonies"]))
    assert only(three("multi-mining", technologies=["shared-colonies"])) == "crowded"
    scored(three("yellow-wild"))
    assert only(three("yellow-wild"), {"yellow-wild.places": 2}) == "crowded"


def test_all_problems_are_told_at_once() -> None:
    raw = table(credits=-3, objectives=["objective-war"], pirates=9, missions=["voyage"])
    keys = sorted(problem.key.rpartition(".")[2] for problem in problems({**raw, "hoard": "half"}))
    assert keys == ["number", "number", "objectives", "option", "single", "unknown"]


def test_what_is_misshapen_is_told_with_its_place() -> None:
    raw = table(levels={"tech": 3}, resources={"energy": "two"})
    raw["two_types"] = "one"
    texts = [render(problem, "en") for problem in problems(raw)]
    assert len(texts) == 3
    assert any("two-types" in text and "two_types" in text for text in texts)


# What can be is never refused


def test_rare_tables_are_read() -> None:
    """Five markers with trade 5, all six crew gone, six pirates with five players, twelve levels."""
    cards = list(ids("objectives"))
    seats = [
        seat(name, objectives=[cards.pop(), cards.pop()])
        for name in ("Ania", "Bartek", "Celina", "Darek", "Ewa")
    ]
    seats[0] |= {
        "technologies": ["helpers", "archivists", "visitors", "promotion", "end-markers"],
        "levels": {"trade": 5, "technology": 12, "military": 12, "production": 12, "politics": 12},
        "pirates": 6,
        "senate": 2,
        "outposts": [
            "central",
            "yellow-wild",
            "grey-wild",
            "green-wild",
            "purple-wild",
            "multi-mining",
            "grey-mining-industry",
        ],
        "credits": 80,
        "resources": {"energy": 40},
    }
    scored({"game": "transgalactica", "seats": seats})


# What is asked


def told(tableaux: dict[str, tuple[str, ...]], **answers: int) -> tuple[dict[str, Any], list[str]]:
    asked: list[str] = []

    def ask(counter: Correctable) -> int:
        asked.append(counter.id)
        return answers.get(counter.id.replace(":", "_").replace("-", "_"), counter.value)

    return position.asked(tableaux, {"hoard": "whole", "captains": "two"}, ask), asked


def test_what_pictures_show_is_not_asked_and_numbers_only_where_something_counts_them() -> None:
    raw, asked = told(
        {
            "Ania": ("objective-green", "objective-war", "green-wild", "helpers", "mission-1-02"),
            "Bartek": (
                *(
                    "objective-levels",
                    "objective-pirates",
                    "pirate-1",
                    "pirate-2",
                    "technological-nightmare-tile",
                ),
                *("helpers", "visitors", "end-trade-military"),
            ),
        },
        track_vp_0=40,
        resources_0=7,
        credits_0=2,
        pirates_1=2,
        trade_1=5,
    )
    assert [id for id in asked if id.endswith(":0")] == ["track_vp:0", "credits:0", "resources:0"]
    assert [id for id in asked if id.endswith(":1")] == [
        *("track_vp:1", "technology:1", "military:1", "production:1", "politics:1", "trade:1"),
        *("credits:1", "resources:1", "pirates:1"),
    ]
    assert raw["hoard"] == "whole"
    assert "captains" not in raw
    ania, bartek = scored(raw).seats
    assert ania.total == 40 + 4 + 2 + 2
    assert bartek.total == 10 + 5
    assert raw["seats"][1]["nightmare"]


def test_at_most_ten_numbers_are_asked_of_a_seat() -> None:
    everything = tuple(ids("technologies"))
    for one in ids("objectives"):
        for other in ids("objectives"):
            _, asked = told({"Ania": (one, other, *everything), "Bartek": ()})
            numbers = [id for id in asked if id.endswith(":0") and not id.startswith("objective")]
            assert len(numbers) <= 10


def test_objectives_nobody_showed_are_told_by_name() -> None:
    raw, asked = told(
        {"Ania": ("objective-green",), "Bartek": ()}, objective_2_0=3, objective_1_1=1, objective_2_1=2
    )
    assert [id for id in asked if id.startswith("objective")] == [
        "objective-2:0",
        "objective-1:1",
        "objective-2:1",
    ]
    assert raw["seats"][0]["objectives"] == ["objective-green", "objective-pirates"]
    assert raw["seats"][1]["objectives"] == ["objective-knowledge", "objective-yellow"]
    scored(raw)


def test_planets_and_technologies_lie_in_the_middle_and_can_be_several_players() -> None:
    assert position.POSITIONS.between("central")
    assert position.POSITIONS.several("helpers")
    assert not position.POSITIONS.between("mission-1-01")
    assert not position.POSITIONS.between("technological-nightmare")


def test_a_touch_gives_a_planet_to_one_more_player_and_another_takes_it_back() -> None:
    table_ = Unplayed(GAME).seated(("Ania", "Bartek")).seen_between(("yellow-wild", "helpers"))
    table_ = table_.given("yellow-wild", "Bartek").given("yellow-wild", "Ania").given("helpers", "Ania")
    assert table_.owners == {"yellow-wild": ("Ania", "Bartek"), "helpers": ("Ania",)}
    assert table_.tableaux == {"Ania": ("yellow-wild", "helpers"), "Bartek": ("yellow-wild",)}
    assert table_.given("yellow-wild", "Ania").owned("Ania") == ("helpers",)
    assert table_.seated(("Bartek", "Celina")).owners["yellow-wild"] == ("Bartek",)
