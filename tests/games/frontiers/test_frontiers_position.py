"""Tables of New Frontiers played without us: what is read, and that all impossible values are reported together."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.core.components import Facts
from companion.core.counters import Correctable
from companion.core.words import Text
from companion.errors import DataTrouble
from companion.games.frontiers import position
from companion.games.frontiers.component_types import ids
from companion.texts import LANGUAGES, render
from scoring.sheet import Sheet


def plain(*empires: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A table without problems, or with these fields of Ania's seat changed."""
    ania = {"name": "Ania", "empire": ["home-1a", "artist-settlement"], "chips": 12, **fields}
    bartek = {"name": "Bartek", "empire": ["home-2b"], "chips": 3}
    seats = [ania, *(empires or (bartek,))]
    here = {id for seat in seats for id in seat["empire"]}
    homes = {"home-1a": {"points": 1, "product": "gray"}, "home-2b": {"points": 0, "product": "gray"}}
    tiles = {id: told for id, told in homes.items() if id in here}
    return {"game": "frontiers", "seats": seats, "tiles": tiles}


def knowing(raw: dict[str, Any], **tiles: dict[str, Any]) -> dict[str, Any]:
    """The same with these facts; an underscore is a hyphen."""
    told = {id.replace("_", "-"): facts for id, facts in tiles.items()}
    return {**raw, "tiles": {**raw["tiles"], **told}}


def scored(raw: dict[str, Any], taught: dict[str, Any] | None = None) -> Sheet:
    return position.sheet(position.position_of(copy.deepcopy(raw), taught))


def problems(raw: dict[str, Any]) -> tuple[Text, ...]:
    """What is wrong, after every sentence was found to exist in every language."""
    with pytest.raises(DataTrouble) as caught:
        position.position_of(copy.deepcopy(raw))
    for problem in caught.value.problems:
        for language in LANGUAGES:
            sentence = render(problem, language)
            assert sentence != problem.key
            assert "{" not in sentence
    return caught.value.problems


def only(raw: dict[str, Any]) -> str:
    (problem,) = problems(raw)
    return problem.key.rpartition(".")[2]


# What is read


def test_the_example_is_counted_line_by_line() -> None:
    """Rules 185, 188, 190, 173 and 175; 195 by the way: explored worlds are not even told."""
    (example,) = position.EXAMPLES
    ania, bartek = scored(example).seats
    assert {line.what: line.points for line in ania.lines} == {
        "chips": 12,
        "home-3a": 1,
        "world-17": 2,
        "pan-galactic-league": 2,
        "space-marines": 1,
        "conscription": 5,
        "diversification": 0,
    }
    assert {line.what: line.points for line in bartek.lines}["new-economy"] == 6
    assert (ania.total, bartek.total) == (23, 22)


def test_the_refinery_is_named_by_the_sheet() -> None:
    """Rule 184."""
    raw = plain(empire=["home-1a", "alien-oort-cloud-refinery", "pan-galactic-league"])
    raw = knowing(
        raw,
        alien_oort_cloud_refinery={"price": "cost-2", "product": "any-windfall", "points": 2, "keywords": []},
        pan_galactic_league={"keywords": []},
    )
    lines = {line.what: line for line in scored(raw).seats[0].lines}
    assert lines["pan-galactic-league"].because == {"alien-oort-cloud-refinery": 2}
    assert lines["named-genes"].measures["as-genes"] == 2


def test_what_was_taught_need_not_be_told_and_what_is_told_counts() -> None:
    raw = plain(empire=["home-1a", "world-17"])
    assert only(raw) == "no-points"
    assert scored(raw, {"world-17.points": 4}).seats[0].total == 12 + 1 + 4
    told = knowing(raw, world_17={"points": 2})
    assert scored(told, {"world-17.points": 4}).seats[0].total == 12 + 1 + 2


def test_a_tie_is_broken_by_credits_and_goods() -> None:
    """Rule 195: what is stockpiled breaks no tie."""
    rich = {"name": "Bartek", "empire": ["home-2b"], "chips": 14, "credits": 1, "stored_credits": 2}
    sheet = scored(plain(rich, goods=["artist-settlement"], credits=1) | {"goals": ["sales-tax"]})
    assert (sheet.tied, sheet.winners) == (("Ania", "Bartek"), ("Ania",))


# What is impossible


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"empire": ["home-1a", "artist-setlement"]}, "unknown-near"),
        ({"empire": ["home-1a", "conscription"]}, "unknown"),
        ({"empire": ["home-1x", "artist-settlement"]}, "unknown-near"),
        ({"empire": ["home-1a", "artist-settlement", "artist-settlement"]}, "twice"),
        ({"empire": ["artist-settlement"]}, "no-home"),
        ({"home_replaced": True}, "home-there"),
        ({"chips": -1}, "number"),
        ({"chips": 141}, "number"),
        ({"chips": 12 * 2 + 80 - 2}, "chips-in-box"),
        ({"credits": 1000}, "number"),
        ({"colonists": -3}, "number"),
        ({"colonists": 22}, "colonists-in-box"),
        ({"stored_goods": 2}, "stored"),
        ({"goods": ["home-1a"]}, "other-good"),
        ({"goods": ["world-17"]}, "good-elsewhere"),
        ({"goods": ["artist-settlement", "artist-settlement:novelty"]}, "two-goods"),
        ({"goods": ["artist-settlement:genes"]}, "other-good"),
        ({"goods": ["artist-settlement:blue"]}, "no-kind"),
        ({"worth": {"artist-settlement": 3}}, "no-question"),
        ({"worth": {"world-17": 3}}, "worth-elsewhere"),
        ({"worth": {"conscription": 5}}, "worth-elsewhere"),
    ],
    ids=str,
)
def test_one_thing_wrong_at_a_seat_is_one_problem(fields: dict[str, Any], problem: str) -> None:
    raw = plain(**fields)
    raw["tiles"] = {"home-1a": {"points": 1, "product": "gray"}, **raw["tiles"]}
    if "home-1a" not in raw["seats"][0]["empire"]:
        del raw["tiles"]["home-1a"]
    assert only(raw) == problem


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"game": "race"}, "other-game"),
        ({"goals": ["conscripton"]}, "unknown-near"),
        ({"goals": ["conscription", "conscription"]}, "twice"),
    ],
    ids=str,
)
def test_one_thing_wrong_with_the_table_is_one_problem(change: dict[str, Any], problem: str) -> None:
    assert only(plain() | change) == problem


def test_a_home_may_have_been_replaced() -> None:
    """Rules 119 and 120: its points are gone with it."""
    raw = plain(empire=["artist-settlement"], home_replaced=True)
    assert scored(raw).seats[0].total == 12 + 1


def test_the_salon_and_drop_ships_are_two_faces_of_one_stack() -> None:
    """Rule 24 (p. 8): one of them is in a play, no matter who has it."""
    known = {id: {"points": 1} for id in ("galactic-salon", "drop-ships", "home-2a")}
    bartek = {"name": "Bartek", "empire": ["home-2a", "drop-ships"], "chips": 3}
    raw = plain(bartek, empire=["home-1a", "galactic-salon"])
    raw["tiles"] |= {**known, "home-2a": {"points": 1, "product": "gray"}}
    assert only(raw) == "both-faces"


def test_a_mat_lies_before_one_player() -> None:
    """Rules 8 and 31: neither the same side twice nor both sides."""
    for home in ("home-1a", "home-1b"):
        raw = plain({"name": "Bartek", "empire": [home], "chips": 3})
        raw["tiles"] |= {home: {"points": 1, "product": "gray"}}
        assert only(raw) == "one-mat"
    raw = knowing(plain(empire=["home-1a", "home-1b"]), **{"home-1b": {"points": 0}})
    assert only(raw) == "homes"


def test_a_world_lies_in_one_empire() -> None:
    """Rule 1."""
    raw = plain({"name": "Bartek", "empire": ["home-2b", "artist-settlement"], "chips": 3})
    assert only(raw) == "copies"


@pytest.mark.parametrize(("players", "owners"), [(2, 1), (3, 2), (4, 2), (5, 3)])
def test_so_many_copies_of_a_small_development_are_in_play(players: int, owners: int) -> None:
    """Rules 21 and 58: of a large one there is a single one."""
    for development, most in (("space-marines", owners), ("new-economy", 1)):
        for having in (most, most + 1):
            empires = []
            for n in range(players):
                seat: dict[str, Any] = {"name": f"Seat {n}", "empire": [f"home-{n + 1}a"], "chips": 0}
                if n < having:
                    seat["empire"].append(development)
                    seat["worth"] = {development: 1} if development == "new-economy" else {}
                empires.append(seat)
            tiles = {f"home-{n + 1}a": {"points": 0} for n in range(players)}
            raw = {"game": "frontiers", "seats": empires, "tiles": tiles}
            if having == most:
                scored(raw)
            elif having <= players:
                assert only(raw) == "copies"


def developments(*names: str, large: int = 0) -> dict[str, Any]:
    """An empire with these small developments and so many large ones."""
    big = BIG[:large]
    raw = plain(empire=["home-1a", *names, *big], worth=dict.fromkeys(big, 1))
    return knowing(raw, **{id: {"points": 1} for id in names})


BIG = [id for id in ids("developments")[24:] if id not in ("pan-galactic-league", "imperium-lords")]
LITTLE = [id for id in ids("developments")[:24] if not id.startswith("development")][:12]


@pytest.mark.parametrize(
    ("small", "large", "possible"),
    [(11, 0, True), (12, 0, False), (10, 1, True), (11, 1, False), (0, 6, True), (1, 6, False), (3, 4, True)],
)
def test_so_many_spaces_can_be_covered(small: int, large: int, possible: bool) -> None:
    """Rules 61 and 62: ten, and one purchase more in the last round."""
    raw = developments(*LITTLE[:small], large=large)
    if possible:
        scored(raw)
    else:
        assert only(raw) == "spaces"


def test_nine_colonies_are_the_most() -> None:
    """Rules 84 and 102."""
    worlds = [f"world-{n}" for n in range(10, 19)]
    told = {id: {"points": 1} for id in worlds}
    assert (
        scored(knowing(plain(empire=["home-1a", *worlds[:8]]), **told_for(worlds[:8], told))).seats[0].total
        == 21
    )
    assert only(knowing(plain(empire=["home-1a", *worlds]), **told)) == "colonies"


def told_for(worlds: list[str], told: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {id: told[id] for id in worlds}


def test_cubes_are_counted_by_kind() -> None:
    """Rules 4 and 197: eleven yellow ones; the refinery's cube has the colour that is given."""
    worlds = [f"world-{n}" for n in range(10, 22)]
    told: dict[str, dict[str, Any]] = {id: {"points": 0, "product": "alien-windfall"} for id in worlds}
    bartek = {"name": "Bartek", "empire": ["home-2b", *worlds[6:]], "chips": 0, "goods": worlds[6:]}
    raw = knowing(plain(bartek, empire=["home-1a", *worlds[:6]], goods=worlds[:6]), **told)
    assert only(raw) == "cubes-of"
    bartek["goods"] = worlds[7:]
    scored(raw)
    raw["seats"][0]["empire"].append("alien-oort-cloud-refinery")
    raw["tiles"]["alien-oort-cloud-refinery"] = {"points": 0, "product": "any-windfall"}
    raw["seats"][0]["goods"] = [*worlds[:6], "alien-oort-cloud-refinery:rare"]
    scored(raw)
    raw["seats"][0]["goods"] = [*worlds[:6], "alien-oort-cloud-refinery:alien"]
    assert only(raw) == "cubes-of"


def test_colonists_lie_on_colonies_too() -> None:
    """Rules 5, 26 and 197: 24 with two players; a world takes one at least, or two where that is known."""
    assert scored(plain(colonists=21)).winners
    assert only(knowing(plain(colonists=21), artist_settlement={"colonists": 2})) == "colonists-in-box"


def full(**fields: Any) -> dict[str, Any]:
    """Five empires of nine worlds each that took the place of their homes too."""
    worlds = [f"world-{n}" for n in range(10, 55)]
    seats = [
        {
            "name": f"Seat {n}",
            "empire": worlds[9 * n : 9 * n + 9],
            "chips": 0,
            "home_replaced": True,
            **fields,
        }
        for n in range(5)
    ]
    return {"game": "frontiers", "seats": seats, "tiles": {id: {"points": 0} for id in worlds}}


def test_worlds_and_goods_are_no_more_than_the_box_has() -> None:
    """Rules 1, 4, 165 and 197: what is stockpiled is out of the bag, and its cubes out of the box."""
    assert only(full(stored_worlds=4) | {"goals": ["exploration"]}) == "worlds-in-bag"
    scored(full(stored_worlds=3) | {"goals": ["exploration"]})
    for each, problem in ((4, "cubes"), (3, "")):
        raw = full(stored_goods=each) | {"goals": ["resource-stockpile"]}
        for seat in raw["seats"]:
            seat["goods"] = seat["empire"]
        if problem:
            assert only(raw) == problem
        else:
            scored(raw)


def test_everything_wrong_is_told_at_once() -> None:
    raw = plain(
        {"name": " ", "empire": ["home-1b", "weather"], "chips": "many"},
        empire=["home-1a", "world-17"],
        shoes=2,
        credits=-1,
        worth={"world-18": 2},
    )
    raw["tiles"] |= {"world-17": {"points": 12, "cost": 3}, "moon": {}, "spice-world": {"points": 1}}
    assert [problem.key.rpartition(".")[2] for problem in problems(raw)] == [
        "unknown-field",
        "wrong-kind",
    ]
    raw["seats"][0].pop("shoes")
    raw["seats"][1]["chips"] = 2
    assert {problem.key.rpartition(".")[2] for problem in problems(raw)} == {
        "no-name",
        "does-not-fit",
        "not-possible",
        "unknown",
        "stranger",
        "number",
        "no-points",
        "worth-elsewhere",
        "one-mat",
    }


@pytest.mark.parametrize(
    ("tiles", "where"),
    [
        ({"artist-settlement": 5}, "tiles.artist-settlement"),
        ([], "tiles"),
    ],
    ids=str,
)
def test_what_is_misshapen_is_told_with_its_path(tiles: Any, where: str) -> None:
    (problem,) = problems(plain() | {"tiles": tiles})[:1]
    assert (problem.key, problem.args["where"]) == ("score.wrong-kind", where)


# What nobody told


def test_points_and_questions_must_be_told() -> None:
    """Rule 20: nothing is invented, and nothing counted as nothing."""
    assert only(plain(empire=["home-1a", "world-17"])) == "no-points"
    assert only(plain(empire=["home-1a", "new-economy"])) == "open-bonus"
    assert scored(plain(empire=["home-1a", "new-economy"], worth={"new-economy": 7})).seats[0].total == 20
    assert only(plain(empire=["home-1a", "new-economy"], worth={"new-economy": 100})) == "worth"


def lords(**facts: Any) -> dict[str, Any]:
    """Imperium Lords (Imperium tiles, Rebel colonies) with a world and a small development."""
    raw = plain(empire=["home-1a", "world-17", "space-marines", "imperium-lords"])
    return knowing(
        raw,
        home_1a={"points": 1, "keywords": []},
        world_17={"points": 1, **facts},
        space_marines={"keywords": ["imperium"]},
    )


def test_a_bonus_asks_only_for_what_it_counts() -> None:
    """Rules 188 and 191: keywords, and neither prices nor goods."""
    assert only(lords()) == "untold"
    lines = {line.what: line for line in scored(lords(keywords=["rebel"])).seats[0].lines}
    assert lines["imperium-lords"].because == {"world-17": 2, "space-marines": 1, "imperium-lords": 1}
    raw = lords()
    raw["seats"][0]["worth"] = {"imperium-lords": 4}
    assert scored(raw).seats[0].total == 12 + 1 + 1 + 1 + 4
    raw["tiles"]["world-17"]["keywords"] = []
    assert only(raw) == "can-count"


def test_what_rules_a_tile_out_need_not_be_followed_by_more() -> None:
    """Rule 190: of a peaceful gray world nothing else matters; of a Genes world not even its defence."""
    league = plain(empire=["home-1a", "world-17", "pan-galactic-league"])
    assert only(knowing(league, world_17={"points": 1})) == "untold"
    for facts in ({"product": "genes-windfall"}, {"product": "gray", "price": "cost-2"}):
        scored(knowing(league, world_17={"points": 1, **facts}))
    assert only(knowing(league, world_17={"points": 1, "product": "gray"})) == "untold"
    assert only(knowing(league, world_17={"points": 1, "price": "cost-2"})) == "untold"


def test_one_condition_that_fails_is_enough() -> None:
    """A term for military Genes worlds does not ask for the defence of a Rare one."""
    term = {"does": "per-tile", "match": "genes", "military": "military"}
    raw = plain(empire=["home-1a", "world-17", "new-economy"])
    raw = knowing(raw, world_17={"points": 1, "product": "rare-windfall"}, new_economy={"bonus": [term]})
    assert scored(raw).seats[0].total == 12 + 1 + 1
    raw["tiles"]["world-17"]["product"] = "genes-windfall"
    assert only(raw) == "untold"


def test_only_both_fields_tell_that_a_world_is_not_alien() -> None:
    """Rules 15 and 192."""
    term = {"does": "per-tile", "points": 2, "tile": "tile", "match": "alien-keyword"}
    raw = plain(empire=["home-1a", "world-17", "new-economy"])
    raw = knowing(
        raw,
        home_1a={"points": 1, "keywords": [], "product": "gray"},
        new_economy={"bonus": [term], "keywords": []},
        world_17={"points": 1},
    )
    for facts, points in (
        ({}, None),
        ({"keywords": []}, None),
        ({"product": "gray"}, None),
        ({"keywords": ["alien"]}, 2),
        ({"product": "alien-windfall"}, 2),
        ({"product": "rare-windfall", "keywords": []}, 0),
    ):
        told = knowing(raw, world_17={"points": 1, **facts})
        if points is None:
            assert only(told) == "untold"
        else:
            assert scored(told).seats[0].total == 12 + 1 + 1 + points


def test_a_goal_asks_only_for_what_it_counts() -> None:
    """Rules 169 to 174."""
    raw = plain() | {"goals": ["skilled-workforce"]}
    assert [problem.key for problem in problems(raw)] == ["frontiers.position.untold"] * 2
    raw["seats"][0]["worth"] = {"skilled-workforce": 5}
    raw["seats"][1]["worth"] = {"skilled-workforce": 4}
    assert only(raw) == "goal-pays"
    raw["seats"][1]["worth"] = {"skilled-workforce": 0}
    assert [seat.total for seat in scored(raw).seats] == [12 + 1 + 1 + 5, 3]
    raw["tiles"]["home-2b"]["powers"] = []
    assert only(raw) == "can-count"


def test_a_goal_that_is_reached_asks_for_nothing_more() -> None:
    """Rule 173: four kinds are all there are, whatever the fifth colony is."""
    kinds = enumerate(("rare", "genes", "alien"), start=10)
    worlds = {f"world-{n}": {"points": 0, "product": f"{kind}-windfall"} for n, kind in kinds}
    raw = plain(empire=["home-1a", "artist-settlement", *worlds, "world-20"]) | {"goals": ["diversification"]}
    raw = knowing(raw, **worlds, world_20={"points": 0}, home_1a={"points": 1})
    assert {line.what: line.points for line in scored(raw).seats[0].lines}["diversification"] == 8


def test_yellow_worlds_are_alien_without_the_word() -> None:
    """Rule 15."""
    raw = plain(empire=["home-1a", "world-17", "world-18", "world-19"]) | {"goals": ["faction-tolerance"]}
    raw = knowing(
        raw,
        home_1a={"points": 0, "keywords": [], "product": "gray"},
        home_2b={"points": 0, "keywords": [], "product": "gray"},
        world_17={"points": 0, "keywords": [], "product": "alien-windfall"},
        world_18={"points": 0, "keywords": ["imperium"]},
        world_19={"points": 0, "keywords": ["uplift"]},
    )
    assert {line.what: line.points for line in scored(raw).seats[0].lines}["faction-tolerance"] == 2
    raw["tiles"]["world-17"]["product"] = "gray"
    assert only(raw) == "untold"


# What is asked


class Told:
    """Somebody who answers counters by their ids; what is not told stays as it is."""

    def __init__(self, **answers: int) -> None:
        self.answers = {id.replace("__", ":").replace("_", "-"): n for id, n in answers.items()}
        self.asked: list[str] = []

    def __call__(self, counter: Correctable) -> int:
        self.asked.append(counter.id)
        told = self.answers.get(counter.id, counter.value)
        assert counter.id not in self.answers or told in counter.values
        return told


SEEN: dict[str, tuple[str, ...]] = {
    "Ania": ("home-1a", "artist-settlement", "space-marines"),
    "Bartek": ("home-2b",),
}


def test_only_what_nobody_can_see_or_taught_is_asked() -> None:
    told = Told(chips__0=9, chips__1=4, points_home_1a__0=2, points_home_2b__1=1)
    raw = position.asked(SEEN, {}, told)
    assert told.asked == ["chips:0", "points-home-1a:0", "chips:1", "points-home-2b:1"]
    assert [seat.total for seat in scored(raw).seats] == [9 + 1 + 1 + 1, 4]
    taught: Facts = {"home-1a.points": 2, "home-2b.points": 1}
    knows = Told(chips__0=9)
    position.asked(SEEN, {}, knows, taught)
    assert knows.asked == ["chips:0", "chips:1"]


def test_points_nobody_told_are_not_nothing() -> None:
    with pytest.raises(DataTrouble) as caught:
        position.asked(SEEN, {}, Told(points_home_2b__1=1))
    assert [problem.key for problem in caught.value.problems] == ["frontiers.position.no-points"]


def test_a_question_is_counted_by_the_table() -> None:
    seen: dict[str, tuple[str, ...]] = {**SEEN, "Ania": ("home-1a", "world-17")}
    told = Told(points_home_1a__0=1, points_world_17__0=11, worth_world_17__0=5, points_home_2b__1=1)
    raw = position.asked(seen, {}, told)
    assert raw["seats"][0]["worth"] == {"world-17": 5}
    assert scored(raw).seats[0].total == 5


def test_a_missing_home_is_asked_for() -> None:
    seen: dict[str, tuple[str, ...]] = {"Ania": ("artist-settlement",), "Bartek": ("home-2b",)}
    raw = position.asked(seen, {}, Told(home__0=2, points_home_1a__0=1, points_home_2b__1=1))
    assert raw["seats"][0]["empire"] == ["home-1a", "artist-settlement"]
    raw = position.asked(seen, {}, Told(home__0=1, points_home_2b__1=1))
    assert raw["seats"][0]["home_replaced"]
    with pytest.raises(DataTrouble):
        position.asked(seen, {}, Told(points_home_2b__1=1))


def test_goals_are_asked_for_where_they_were_used() -> None:
    """Rules 157, 160 and 175."""
    told = Told(
        goal__conscription=1,
        goal__sales_tax=1,
        colonists__0=5,
        stored_credits__1=7,
        points_home_1a__0=1,
        points_home_2b__1=1,
    )
    told.answers["stored_credits:1"] = 7
    raw = position.asked(SEEN, {"goals": "goals"}, told)
    assert raw["goals"] == ["conscription", "sales-tax"]
    assert [seat.total for seat in scored(raw).seats] == [5 + 2, 8]


def test_ties_are_asked_for_where_there_is_one() -> None:
    told = Told(chips__1=2, points_home_1a__0=1, points_home_2b__1=1, credits__0=3, goods__0=1, credits__1=4)
    raw = position.asked(SEEN, {}, told)
    assert told.asked[-4:] == ["credits:0", "goods:0", "credits:1", "goods:1"]
    assert scored(raw).winners == ("Ania", "Bartek")


def test_positions_are_plain_json() -> None:
    (example,) = position.EXAMPLES
    read = position.position_of(json.loads(json.dumps(example)))
    assert position.sheet(read) == scored(example)


def test_the_example_of_the_documentation_is_as_it_says() -> None:
    told = (Path(__file__).parents[3] / "docs" / "scoring.md").read_text(encoding="utf-8")
    (block,) = [text for text in re.findall(r"```json\n(.*?)```", told, re.S) if '"frontiers"' in text]
    sheet = scored(json.loads(block))
    assert [(seat.name, seat.total) for seat in sheet.seats] == [("Ania", 23), ("Ola", 22)]
    assert "Ania has 23 points and Ola 22" in told
    assert sheet.names == {"world-17": {"en": "Green Moon", "pl": "Green Moon"}}


# Bounds and kinds of a '?'


def test_a_bound_needs_the_printed_number_and_kinds_need_the_colours() -> None:
    """Rule 186: told by JSON as by any form; whatever is missing is named."""
    raw = plain(empire=["home-1a", "world-10", "survey-team", "imperium-lords"])
    bonus = [{"does": "per-tile", "tile": "tile", "least": 4}, {"does": "per-held", "held": "kinds"}]
    raw = knowing(
        raw,
        imperium_lords={"bonus": bonus, "keywords": []},
        world_10={"points": 0, "price": "cost-4"},
        survey_team={"points": 1},
    )
    (problem,) = problems(raw)
    assert problem.key == "frontiers.position.untold"
    said = render(problem, "en")
    assert "Survey Team" in said
    assert "World 10" in said
    raw["tiles"]["world-10"]["product"] = "rare-windfall"
    raw["tiles"]["survey-team"]["cost"] = 3
    lines = {line.what: line for line in scored(raw).seats[0].lines}
    assert lines["imperium-lords"].because == {"world-10": 1, "imperium-lords": 1}
    assert lines["imperium-lords"].points == 3
