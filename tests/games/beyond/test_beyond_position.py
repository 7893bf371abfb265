"""Tables of Beyond the Sun played without us: what is read, and that all impossible values are reported together."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.autoplay import play
from companion.core.components import Facts
from companion.core.counters import Correctable
from companion.core.game import Setup
from companion.core.words import Text
from companion.errors import DataTrouble
from companion.games.beyond import GAME, position
from companion.games.beyond.component_types import LEVEL
from companion.games.beyond.position_cards import ids
from companion.games.beyond.sheet import STEPS, sheet_of_state, tie_break
from companion.games.beyond.state import BeyondState
from companion.texts import LANGUAGES, render
from scoring.sheet import Sheet
from tests.laws.schema import faults

TIES = {"food_discs": 8, "ore_discs": 8, "population": 2, "ore": 1}
TRACK = (0, 0, 1, 0, 1, 0, 2)
"""Made up, as all printed numbers in here but KC-24X and Tau Ceti."""
LEVELS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
AUTOMATION = {"basic-boards": {"automation": dict(zip(LEVELS, TRACK, strict=True))}}
SLOTS = {"slots": [{"slot_points": 5}, {"slot_points": 3}, {"slot_points": 1, "four": True}]}


def plain(*others: dict[str, Any], cards: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A table without problems, or with these fields of Ania's seat changed."""
    ania = {"name": "Ania", **TIES, "ore": 2, **fields}
    seats = [ania, *(others or ({"name": "Bartek", **TIES},))]
    return {"game": "beyond", "seats": seats, "cards": cards or {}}


def scored(raw: dict[str, Any], taught: Facts | None = None) -> Sheet:
    assert faults(raw, position.schema()) == []
    return position.sheet(position.position_of(copy.deepcopy(raw), taught))


def points(raw: dict[str, Any], step: str, seat: int = 0) -> int:
    return next(line.points for line in scored(raw).seats[seat].lines if line.what == step)


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


def test_the_example_is_counted_step_by_step() -> None:
    ania, bartek = scored(position.EXAMPLES[0]).seats
    assert [line.what for line in ania.lines] == list(STEPS)
    assert [line.points for line in ania.lines] == [2, 6, 6, 0, 8, 5, 11, 2, 2, 1, 7]
    assert [line.points for line in bartek.lines] == [4, 4, 0, 3, 0, 2, 19, 1, 1, 0, 5]
    assert (ania.total, bartek.total) == (50, 39)


def test_positions_are_plain_json() -> None:
    read = position.position_of(json.loads(json.dumps(position.EXAMPLES[0])))
    assert position.sheet(read) == scored(position.EXAMPLES[0])


def test_a_name_is_all_a_position_needs() -> None:
    sheet = scored({"game": "beyond", "seats": [{"name": "A", "bases": ["sirius"]}, {"name": "B"}]})
    assert [seat.total for seat in sheet.seats] == [1, 0]


def test_cards_are_found_by_their_names_too() -> None:
    raw = plain(
        systems=["Tau Ceti"], technologies=["Capital Ship", "II 7"], events=["KC-24X"], private=["II 8"]
    )
    sheet = position.sheet(position.position_of(raw))
    assert sheet.seats[0].total == 4 + 3 + 2 + 2 + 1


def test_either_printing_of_a_technology_counts() -> None:
    assert points(plain(technologies=["modular-fleet"]), "level-2") == 2
    assert points(plain(technologies=["modular-fleet"]), "level-2") == 2


def test_what_was_taught_need_not_be_told_and_what_is_told_counts() -> None:
    raw = plain(systems=["sirius"])
    assert only(raw) == "no-points"
    assert scored(raw, {"sirius.points": 3}).seats[0].total == 3
    raw["cards"] = {"sirius": {"points": 4}}
    assert scored(raw).seats[0].total == 4
    assert scored(raw, {"sirius.points": 3}).seats[0].total == 4


@pytest.mark.parametrize(("level", "worth"), [(0, 0), (2, 0), (3, 1), (5, 2), (7, 4), (9, 6)])
def test_automation_by_the_track_of_the_board(level: int, worth: int) -> None:
    assert points(plain(automation=level, cards=AUTOMATION), "automation") == worth


def test_an_advanced_board_has_a_track_of_its_own() -> None:
    raw = plain(automation=3, board="nishida-advanced", cards=AUTOMATION)
    assert only(raw) == "no-track"
    raw["cards"]["nishida-advanced"] = {"automation": dict(zip(LEVELS, (3, 3, 3, 3, 3, 3, 3), strict=True))}
    assert points(raw, "automation") == 9


def test_advanced_boards_nobody_named_are_not_taken_for_basic_ones() -> None:
    raw = {**plain(automation=3, cards=AUTOMATION), "boards": "advanced"}
    assert only(raw) == "no-track"
    assert points({**plain(automation=3, worth={"automation": 2}), "boards": "advanced"}, "automation") == 2


def test_tau_ceti_counts_systems_that_are_only_counted() -> None:
    raw = plain(systems=["tau-ceti"], counts={"systems": 3}, worth={"systems": 12})
    assert points(raw, "systems") == 12
    assert only(plain(systems=["tau-ceti"], counts={"systems": 3})) == "unnamed"


def test_sol_and_deep_space_by_ships_or_by_strength() -> None:
    """Rule 194."""
    bartek = {"name": "Bartek", **TIES, "strength": {"sol": 4, "deep-space": 1}}
    raw = plain(bartek, ships={"sol": [2, 2], "deep-space": [], "sirius": [4]})
    assert (points(raw, "open-space"), points(raw, "open-space", 1)) == (1, 2)


def test_the_only_disc_on_a_card_lies_on_its_first_slot() -> None:
    raw = plain(achievements=["empire"], cards={"empire": SLOTS})
    assert points(raw, "achievements") == 5


def test_of_two_discs_one_must_be_told() -> None:
    bartek = {"name": "Bartek", **TIES, "achievements": ["empire"]}
    raw = plain(bartek, achievements=["empire"], cards={"empire": SLOTS})
    assert [problem.key for problem in problems(raw)] == ["beyond.position.which-slot"] * 2
    raw["seats"][0]["achievements"] = ["empire#2"]
    assert (points(raw, "achievements"), points(raw, "achievements", 1)) == (3, 5)


def test_points_of_a_slot_may_be_told_instead() -> None:
    assert points(plain(achievements=["empire"], worth={"empire": 4}), "achievements") == 4
    assert only(plain(achievements=["empire"])) == "no-slots"


def test_a_question_mark_counts_what_the_position_tells() -> None:
    formula = {"does": "formula", "points": 1, "per": "ore", "each": 3}
    cards = {"technology-iiii-4": {"points": "?", "formula": formula}}
    assert points(plain(technologies=["technology-iiii-4"], ore=7, cards=cards), "level-4") == 2
    raw = plain(technologies=["technology-iiii-4"], cards=cards)
    del raw["seats"][0]["ore"]
    assert only(raw) == "no-field"


def test_types_count_where_every_technology_is_named_and_known() -> None:
    formula = {"does": "formula", "per": "military"}
    cards = {"technology-iiii-4": {"points": "?", "formula": formula, "types": ["military"]}}
    raw = plain(technologies=["technology-iiii-4", "capital-ship", "narrow-beam-lasers"], cards=cards)
    assert points(raw, "level-4") == 3
    raw["seats"][0]["technologies"].append("plasma-cannon")
    assert only(raw) == "no-count"
    raw["seats"][0]["worth"] = {"technology-iiii-4": 3}
    assert points(raw, "level-4") == 3


def test_symbols_and_ships_count() -> None:
    cards = {
        "technology-iiii-4": {"points": "?", "formula": {"does": "formula", "per": "symbols"}},
        "technology-iiii-5": {"points": "?", "formula": {"does": "formula", "per": "strength"}},
        "side-2": {"yards": ["ore", "both"]},
        "kapteyns-star": {"points": 0},
    }
    raw = plain(
        technologies=["technology-iiii-4", "technology-iiii-5"],
        systems=["kapteyns-star"],
        bases=["yard-2", "tau-ceti"],
        ships={"sol": [1], "tau-ceti": [4], "museum": [3]},
        cards=cards,
    )
    assert points(raw, "level-4") == (2 + 2 + 2) + (1 + 4)
    raw["seats"][0]["bases"] = ["yard-3"]
    assert only(raw) == "no-count"


def test_a_name_that_was_told_stands_on_the_sheet() -> None:
    raw = plain(systems=["system-10"], cards={"system-10": {"name": "Wolf 359", "points": 2}})
    assert scored(raw).names == {"system-10": {"en": "Wolf 359", "pl": "Wolf 359"}}


# Ties


def test_ties_are_broken_by_discs_then_population_then_ore() -> None:
    """Rules 197 to 199."""
    bartek = {"name": "Bartek", "food_discs": 3, "ore_discs": 2, "population": 4, "ore": 5}
    cases: tuple[tuple[dict[str, Any], tuple[str, ...], str], ...] = (
        ({"food_discs": 0, "ore_discs": 6, "population": 9, "ore": 9}, ("Bartek",), "discs"),
        ({"food_discs": 4, "ore_discs": 1, "population": 5, "ore": 0}, ("Ania",), "population"),
        ({"food_discs": 4, "ore_discs": 1, "population": 4, "ore": 6}, ("Ania",), "ore"),
        ({"food_discs": 4, "ore_discs": 1, "population": 4, "ore": 5}, ("Ania", "Bartek"), "shared"),
    )
    for fields, winners, key in cases:
        sheet = scored(plain(bartek, **fields))
        told = tie_break(sheet)
        assert sheet.winners == winners
        assert told is not None
        assert told.key == f"beyond.tie-{key}"
        assert all("{" not in render(told, language) for language in LANGUAGES)


def test_what_would_break_a_tie_must_be_told() -> None:
    raw = plain()
    for seat in raw["seats"]:
        del seat["ore"]
    assert only(raw) == "tie"
    for seat in raw["seats"]:
        del seat["population"]
    (problem,) = problems(raw)
    assert "population" in render(problem, "en")
    assert "ore" not in render(problem, "en").split(".")[1]


def test_what_breaks_no_tie_need_not_be_told() -> None:
    raw = plain(bases=["sirius"])
    for seat in raw["seats"]:
        for field in TIES:
            del seat[field]
    assert scored(raw).winners == ("Ania",)


# What cannot be

BARTEK = {"name": "Bartek", **TIES}


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"name": " "}, "no-name"),
        ({"name": "Bartek"}, "same-name"),
        ({"technologies": ["fusion"]}, "unknown"),
        ({"technologies": ["teraforming"]}, "unknown-near"),
        ({"technologies": ["tau-ceti"]}, "unknown"),
        ({"systems": ["tau-ceti", "tau-ceti"]}, "twice"),
        ({"systems": ["tau-ceti", "Tau Ceti"]}, "twice"),
        ({"bases": ["sol"]}, "unknown"),
        ({"ships": {"mars": [1]}}, "unknown"),
        ({"ships": {"sol": [5]}}, "ship"),
        ({"ships": {"sol": [0]}}, "ship"),
        ({"strength": {"mars": 1}}, "no-key"),
        ({"strength": {"sol": -1}}, "number"),
        ({"ships": {"sol": [2]}, "strength": {"sol": 3}}, "strength"),
        ({"private": ["terraforming"]}, "private-level"),
        ({"private": ["capital-ship"], "technologies": ["capital-ship"]}, "tree-and-private"),
        ({"counts": {"level-1": 5}}, "number"),
        ({"counts": {"level-2": 7}}, "number"),
        ({"counts": {"level-5": 1}}, "no-key"),
        ({"counts": {"level-1": 1}, "technologies": ["terraforming", "advanced-genetics"]}, "fewer"),
        ({"population": 21}, "number"),
        ({"food_discs": 9}, "number"),
        ({"automation": -1}, "number"),
        ({"population": 5, "supply": 16}, "cubes"),
        ({"population": 0, "ships": {"sol": [1] * 21}}, "cubes"),
        ({"population": 14, "counts": {"level-1": 4, "level-2": 3}}, "cubes"),
        ({"population": 16, "strength": {"sol": 17}}, "cubes"),
        ({"discs": {"food": {"automation": 1}}, "automation": 1, "worth": {"automation": 0}}, "food-discs"),
        ({"discs": {"ore": {"bases": 1}}, "bases": ["sirius"]}, "ore-discs"),
        ({"discs": {"marker": {"bases": 2}}, "bases": ["sirius"]}, "discs-at"),
        ({"discs": {"marker": {"moon": 0}}}, "no-key"),
        ({"discs": {"stone": {}}}, "no-key"),
        ({"achievements": ["empire#0"], "worth": {"empire": 1}}, "bad-slot"),
        ({"achievements": ["empire#x"], "worth": {"empire": 1}}, "bad-slot"),
        ({"achievements": ["empire#2"], "worth": {"empire": 1}}, "gap"),
        ({"achievements": ["empire#3"], "worth": {"empire": 1}}, "no-slot"),
        ({"achievements": ["empire", "empire#2"], "worth": {"empire": 1}}, "twice"),
        ({"worth": {"sirius": 1}}, "worth-elsewhere"),
        ({"worth": {"systems": -1}}, "worth"),
        ({"events": ["kc-24x"], "worth": {"kc-24x": 2}}, "disagrees"),
        ({"systems": ["tau-ceti"], "worth": {"systems": 7}}, "disagrees"),
        ({"technologies": ["parallel-universe-generator"]}, "no-points"),
        ({"events": ["onu"]}, "no-points"),
        ({"automation": 1}, "no-track"),
        ({"counts": {"level-4": 1}}, "unnamed"),
        ({"board": "atlantis"}, "unknown"),
    ],
)
def test_one_thing_wrong_at_a_seat_is_one_problem(fields: dict[str, Any], problem: str) -> None:
    assert only(plain(**fields)) == problem


def test_a_number_that_agrees_is_no_problem() -> None:
    assert points(plain(events=["kc-24x"], worth={"kc-24x": 1}), "events") == 1
    assert points(plain(systems=["tau-ceti"], worth={"systems": 4}), "systems") == 4


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"game": "race"}, "other-game"),
        ({"seats": [BARTEK]}, "seats"),
        ({"edition": "third"}, "no-key"),
        ({"boards": "wooden"}, "no-key"),
        ({"cards": {"fusion": {}}}, "unknown"),
        ({"cards": {"tau-ceti": {"smell": 1}}}, "no-key"),
    ],
)
def test_one_thing_wrong_with_the_table_is_one_problem(change: dict[str, Any], problem: str) -> None:
    assert only({**plain(), **change}) == problem


def test_facts_that_cannot_be_printed_are_told_with_their_path() -> None:
    (problem,) = problems(plain(cards={"sirius": {"points": 99}}))
    assert "cards.sirius.points" in render(problem, "en")


@pytest.mark.parametrize(
    ("ania", "bartek", "problem"),
    [
        ({"bases": ["sirius"]}, {"bases": ["sirius"]}, "two-controllers"),
        ({"bases": ["yard-1"]}, {"bases": ["yard-1"]}, "two-controllers"),
        ({"systems": ["tau-ceti"]}, {"systems": ["tau-ceti"]}, "colonised-twice"),
        ({"systems": ["tau-ceti"]}, {"bases": ["tau-ceti"]}, "colonised-on-board"),
        ({"systems": ["tau-ceti"]}, {"ships": {"tau-ceti": [1]}}, "colonised-on-board"),
        ({"private": ["II 7"]}, {"private": ["II 7"]}, "private-twice"),
        ({"private": ["II 7"]}, {"technologies": ["II 7"]}, "tree-and-private"),
        ({"events": ["kc-24x"]}, {"events": ["kc-24x"]}, "kept"),
        ({"board": "nations"}, {"board": "nations"}, "one-board"),
        (
            {"achievements": ["empire#1"], "worth": {"empire": 5}},
            {"achievements": ["empire#1"], "worth": {"empire": 5}},
            "same-slot",
        ),
    ],
)
def test_what_two_factions_cannot_share(ania: dict[str, Any], bartek: dict[str, Any], problem: str) -> None:
    assert only(plain({**BARTEK, **bartek}, **ania)) == problem


def test_two_may_research_the_same_technology() -> None:
    raw = plain({**BARTEK, "technologies": ["capital-ship"]}, technologies=["capital-ship"])
    assert (points(raw, "level-3"), points(raw, "level-3", 1)) == (3, 3)


def test_a_card_has_only_so_many_slots() -> None:
    """Rules 170 to 172: the third slot is for four players only."""
    others = [{**TIES, "name": name, "achievements": [f"empire#{n}"]} for n, name in ((2, "B"), (3, "C"))]
    raw = plain(*others, achievements=["empire#1"], cards={"empire": SLOTS})
    assert {problem.key for problem in problems(raw)} == {
        "beyond.position.slots",
        "beyond.position.no-slot",
        "beyond.position.which-slot",
    }
    fourth = {**BARTEK, "ore": 0}
    assert points({**raw, "seats": [*raw["seats"], fourth]}, "achievements", 2) == 1


def test_only_so_many_technologies_of_a_level_are_on_the_tree() -> None:
    """Rule 104: seven different cards of level II need seven spaces."""
    own = [f"technology-ii-{n}" for n in range(4, 8)]
    others = [f"technology-ii-{n}" for n in range(7, 11)]
    assert only(plain({**BARTEK, "technologies": others}, technologies=own)) == "spaces"
    assert only(plain(technologies=[f"technology-ii-{n}" for n in range(4, 11)])) == "spaces"
    six = {**BARTEK, "technologies": others[:3]}
    assert points(plain(six, technologies=own), "level-2", 1) == 6


def test_only_so_many_achievements_are_in_play() -> None:
    """Rule 21."""
    cards: dict[str, Any] = dict.fromkeys(ids("achievement"), SLOTS)
    fine = ["empire", "transcendence", "warlord", "technologist"]
    assert points(plain(achievements=fine, cards=cards), "achievements") == 20
    assert only(plain(achievements=["warlord", "technologist", "efficiency"], cards=cards)) == "achievements"
    cards["warlord"] = {**SLOTS, "pile": "B"}
    assert only(plain(achievements=["warlord", "specialization"], cards=cards)) == "one-pile"


def test_markers_are_as_many_as_needed_and_no_achievements() -> None:
    """Rules 79, 145 and 193: eight food and eight ore discs, the other seven of 23 are markers."""
    raw = plain(
        automation=9,
        bases=["yard-1", "yard-2"],
        counts={"systems": 6},
        discs={
            "food": {"automation": 4, "systems": 4},
            "ore": {"automation": 1, "bases": 1, "systems": 6},
            "marker": {"automation": 4, "bases": 1, "systems": 2},
        },
        food_discs=0,
        ore_discs=0,
        worth={"systems": 20},
        cards=AUTOMATION,
    )
    sheet = scored(raw)
    assert {line.what: line.points for line in sheet.seats[0].lines if line.points} == {
        "automation": 6,
        "systems": 20,
        "bases": 2,
    }


def test_everything_wrong_is_told_at_once() -> None:
    raw = plain({**BARTEK, "bases": ["sirius"], "ore": -1}, bases=["sirius"], systems=["x"], automation=1)
    assert {problem.key.rpartition(".")[2] for problem in problems(raw)} == {
        "unknown",
        "number",
        "no-track",
        "two-controllers",
    }


def outcome(raw: dict[str, Any]) -> Sheet | tuple[Text, ...]:
    try:
        return position.sheet(position.position_of(raw))
    except DataTrouble as trouble:
        return trouble.problems


def test_whatever_is_drawn_is_scored_or_refused_in_words() -> None:
    """Three hundred tables of whatever the schema allows: none is a surprise, and both happen."""
    random, schema = Random(16), position.schema()
    scores = 0
    for _ in range(300):
        raw = {"game": "beyond", "seats": [drawn(random, n, schema) for n in range(2)]}
        assert faults(raw, schema) == []
        found = outcome(raw)
        if isinstance(found, Sheet):
            scores += 1
            assert all(seat.total == sum(line.points for line in seat.lines) for seat in found.seats)
        else:
            assert all(render(text, "pl") != text.key for text in found)
    assert 0 < scores < 300


def drawn(random: Random, n: int, schema: dict[str, Any]) -> dict[str, Any]:
    """A seat with a few of the fields there are."""
    fields = schema["$defs"]["Seat"]["properties"]
    seat: dict[str, Any] = {"name": f"Seat {n}"}
    for field in random.sample(list(fields), 3):
        seat[field] = value(random, fields[field]) if field != "name" else seat["name"]
    return seat


def value(random: Random, rule: dict[str, Any]) -> Any:
    if "enum" in rule:
        return random.choice(rule["enum"])
    if rule["type"] == "array":
        return list({str(one): one for one in (value(random, rule["items"]) for _ in range(2))}.values())
    if rule["type"] == "object":
        chosen = random.sample(list(rule["properties"]), 1)
        return {name: value(random, rule["properties"][name]) for name in chosen}
    return random.randint(rule["minimum"], min(9, rule["maximum"]))


# The same table, played with us


def described(state: BeyondState) -> dict[str, Any]:
    """A finished play as somebody would write it down who has only the table before them."""
    seats = []
    for n, who in enumerate(state.seats):
        nodes = [(LEVEL[space], node.card) for space, node in state.tree.items() if n in node.seats]
        worth = {id: points for id in state.box.by_id if (points := state.worth.get(f"{n}:{id}")) is not None}
        if any(level == 4 and not card for level, card in nodes):  # none was found: they add up what they see
            lines = sheet_of_state(state).seats[n].lines
            worth["level-4"] = next(line.points for line in lines if line.what == "level-4")
        ships: dict[str, list[int]] = {}
        for ship in who.ships:
            ships.setdefault(state.systems.get(ship.at, ship.at), []).append(ship.level)
        seats.append(
            {
                "name": who.name,
                "board": who.board,
                "technologies": [card for _, card in nodes if card],
                "counts": {f"level-{n}": sum(level == n for level, _ in nodes) for n in (1, 2, 3, 4)},
                "private": list(who.private),
                "automation": len(who.automation),
                "systems": [colony.system for colony in who.colonies],
                "bases": [state.systems.get(place, place) for place in state.held(n)],
                "ships": ships,
                "events": [
                    id
                    for id, kept in state.kept.items()
                    if kept.seat == n or id in worth or (kept.seat is None and state.event(id).formula)
                ],
                "achievements": [
                    f"{id}#{seats.index(n) + 1}" for id, seats in state.achievements.items() if n in seats
                ],
                "food_discs": state.left(n, "food"),
                "ore_discs": state.left(n, "ore"),
                "population": who.population,
                "ore": who.ore,
                "supply": sum(who.supply),
                "worth": worth,
            }
        )
    return {"game": "beyond", "seats": seats}


@pytest.mark.parametrize(("seats", "seed"), [(2, 2), (2, 5), (3, 4), (4, 5)])
def test_a_play_written_down_has_the_sheet_it_had(seats: int, seed: int) -> None:
    names = ("Ania", "Bartek", "Celina", "Darek")[:seats]
    *_, (state, _) = play(GAME, Setup("beyond", names), seed=seed)
    again = position.sheet(position.position_of(described(state), state.taught))
    assert again.outcome == GAME.sheet(state).outcome
    assert [seat.lines for seat in again.seats] == [seat.lines for seat in GAME.sheet(state).seats]


def test_the_example_of_the_documentation_is_as_it_says() -> None:
    told = Path(position.__file__).with_name("README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json\n(.*?)```", told, re.S)
    assert tuple(seat.total for seat in scored(json.loads(block)).seats) == (43, 40)
    assert "Ania has 43 points and Ola 40" in told


# What is asked


class Told:
    """Somebody who answers counters by their ids; what is not told stays as it is."""

    def __init__(self, answers: dict[str, int]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __call__(self, counter: Correctable) -> int:
        self.asked.append(counter.id)
        told = self.answers.get(counter.id, counter.value)
        assert counter.id not in self.answers or told in counter.values
        return told


SEEN: dict[str, tuple[str, ...]] = {
    "Ania": ("nations", "tau-ceti", "sirius", "kc-24x", "technology-ii-7", "empire"),
    "Bartek": ("nishida",),
}
NUMBERS = [
    "level-1",
    "level-2",
    "level-3",
    "private-2",
    "private-3",
    "bases",
    "sol",
    "deep-space",
    "automation",
]


def test_only_what_nobody_can_see_or_taught_is_asked() -> None:
    told = Told({"points-sirius": 4, "worth-empire:0": 6, "level-1:0": 2, "sol:1": 3, "bases:1": 2})
    raw = position.asked(SEEN, {}, told)
    assert told.asked[:18] == [f"{number}:{n}" for n in (0, 1) for number in NUMBERS]
    assert told.asked[18:] == ["points-sirius", "worth-empire:0"]
    ania, bartek = scored(raw).seats
    assert ania.total == 2 + 2 + (5 + 3) + 1 + 5
    assert bartek.total == 2 + 1


def test_what_was_taught_is_not_asked() -> None:
    taught: Facts = {"sirius.points": 3, "empire.slots": SLOTS["slots"]}
    told = Told({})
    raw = position.asked(SEEN, {}, told, taught)
    assert told.asked[18:] == []
    assert scored(raw, taught).seats[0].total == 2 + (5 + 3) + 1 + 5


def test_points_nobody_told_are_not_nothing() -> None:
    with pytest.raises(DataTrouble) as caught:
        position.asked(SEEN, {}, Told({"worth-empire:0": 1}))
    assert [problem.key for problem in caught.value.problems] == ["beyond.position.no-points"]


def test_a_question_mark_is_counted_by_the_table() -> None:
    told = Told({"points-sirius": 14, "worth-sirius:0": 5, "worth-empire:0": 1})
    raw = position.asked(SEEN, {}, told)
    assert raw["seats"][0]["worth"] == {"sirius": 5, "empire": 0}


def test_printed_points_are_asked_for_once_however_many_have_the_card() -> None:
    seen: dict[str, tuple[str, ...]] = {
        "Ania": ("parallel-universe-generator",),
        "Bartek": ("parallel-universe-generator",),
    }
    told = Told({"points-parallel-universe-generator": 8, "bases:0": 1})
    raw = position.asked(seen, {}, told)
    assert told.asked.count("points-parallel-universe-generator") == 1
    assert [seat.total for seat in scored(raw).seats] == [8, 7]


def test_slots_are_asked_for_until_one_is_left() -> None:
    taught: Facts = {"empire.slots": SLOTS["slots"]}
    seen: dict[str, tuple[str, ...]] = {"Ania": ("empire",), "Bartek": ("empire",)}
    told = Told({"slot-empire:0": 2})
    raw = position.asked(seen, {}, told, taught)
    assert told.asked[18:] == ["slot-empire:0"]
    assert [seat.total for seat in scored(raw, taught).seats] == [3, 5]


def test_the_automation_track_is_told_as_points_where_nobody_knows_it() -> None:
    told = Told({"automation:0": 3, "worth-automation:0": 2, "bases:1": 1})
    raw = position.asked({"Ania": (), "Bartek": ()}, {}, told)
    assert told.asked[18:] == ["worth-automation:0"]
    assert [seat.total for seat in scored(raw).seats] == [2, 1]


def test_ties_are_asked_for_step_by_step_where_there_is_one() -> None:
    told = Told({"bases:0": 1, "bases:1": 1, "food_discs:0": 2, "ore_discs:1": 2, "ore:1": 1})
    raw = position.asked({"Ania": (), "Bartek": (), "Celina": ()}, {}, told)
    assert told.asked[27:] == [
        "food_discs:0",
        "ore_discs:0",
        "food_discs:1",
        "ore_discs:1",
        "population:0",
        "population:1",
        "ore:0",
        "ore:1",
    ]
    assert scored(raw).winners == ("Bartek",)


def test_more_cards_of_a_level_than_spaces_are_private() -> None:
    seen: dict[str, tuple[str, ...]] = {
        "Ania": tuple(f"technology-ii-{n}" for n in range(4, 12)),
        "Bartek": (),
    }
    raw = position.asked(seen, {}, Told({}))
    assert raw["seats"][0]["counts"]["private-2"] == 2
    assert scored(raw).seats[0].total == 16
