"""The sheet of a running table of New Frontiers, and the wording of its sheets."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.frontiers import position
from companion.games.frontiers.sheet import SHEET_WORDS, sheet_of_state
from companion.games.frontiers.state import Colony, FrontiersState, worth_key
from companion.results.sheets import gathered, reasons, sheet_words
from companion.texts import LANGUAGES, render
from scoring.frontiers import KEYWORDS, KINDS, PHASES, Seat, Tile, reached, score
from scoring.sheet import Line, Sheet
from tests.games.frontiers.tables import seat, table
from tests.laws.test_printed import has_words

TAUGHT: dict[str, Any] = {
    "world-10.points": 2,
    "world-10.product": "genes-windfall",
    "world-10.price": "cost-3",
    "world-10.name": "Blue Meadow",
    "world-11.points": 5,
    "new-economy.keywords": [],
}


def state(**more: Any) -> FrontiersState:
    ania = seat(
        "world-10", chips=3, developments=("space-marines", "new-economy"), explored=("world-11",), **more
    )
    return table(players=2, goals=True, taught=TAUGHT, ania=ania)


def points(sheet: Sheet, name: str = "Ania") -> dict[str, int]:
    return {line.what: line.points for seat in sheet.seats if seat.name == name for line in seat.lines}


def test_explored_worlds_count_for_nothing() -> None:
    """Rule 183."""
    found = points(sheet_of_state(state()))
    assert found == {"chips": 3, "home-1a": 0, "world-10": 2, "space-marines": 1, "new-economy": 0}


def test_a_question_the_table_counted_is_its_seats_own() -> None:
    """Rules 20 and 186; until somebody counts it the sheet says that nobody told."""
    before = state()
    line = next(line for line in sheet_of_state(before).seats[0].lines if line.what == "new-economy")
    assert line.measures == {"untold": 0}
    after = replace(before, worth={worth_key(0, "new-economy"): 6})
    assert points(sheet_of_state(after))["new-economy"] == 6


def test_goals_face_up_are_scored_by_everybody_and_those_in_the_stack_by_nobody() -> None:
    """Rules 157 and 194: in the order of the box."""
    up = replace(
        state(colonists=5, stored_goods=("genes", "genes")), goals_up=("resource-stockpile", "conscription")
    )
    found = points(sheet_of_state(up))
    assert list(found)[-2:] == ["conscription", "resource-stockpile"]
    assert (found["conscription"], found["resource-stockpile"]) == (5, 2)
    assert points(sheet_of_state(up), "Ola")["conscription"] == 0


def test_a_goal_kept_face_down_is_not_scored_before_it_is_turned_up() -> None:
    """Rules 157, 194: only its owner knows it, so the running sheet has no line for any goal but those up."""
    up = replace(state(colonists=5), goals_up=("conscription",))
    hidden = replace(up, hidden_goal=0)
    assert sheet_of_state(hidden) == sheet_of_state(up)
    goals = {line for line in points(sheet_of_state(hidden)) if line in position.printed_goals()}
    assert goals == {"conscription"}
    assert not {*points(sheet_of_state(replace(hidden, goals_up=())))} & {*position.printed_goals()}


def test_goods_and_credits_break_ties() -> None:
    """Rule 195."""
    colony = Colony("world-10", good="genes")
    tied = table(
        players=2,
        taught=TAUGHT,
        ania=seat(colony, chips=3, credits=2),
        ola=seat(chips=5, credits=2),
    )
    sheet = sheet_of_state(tied)
    assert (sheet.tied, sheet.winners) == (("Ania", "Ola"), ("Ania",))
    told = SHEET_WORDS.tie_break(sheet)
    assert told is not None
    assert render(told, "en").count("Ania 3")


def test_a_taught_name_is_on_the_sheet() -> None:
    sheet = sheet_of_state(state())
    assert render(sheet_words(sheet).words("world-10"), "pl") == "Blue Meadow"
    assert sheet.names == {"world-10": {"en": "Blue Meadow", "pl": "Blue Meadow"}}
    assert render(sheet_words(sheet_of_state(table())).words("world-10"), "en") == "World 10"


# Words


def test_every_line_and_measure_has_words() -> None:
    measures = [
        *(f"as-{kind}" for kind in KINDS),
        *(f"kind-{kind}" for kind in KINDS),
        *(f"power-{phase}" for phase in PHASES),
        *(f"keyword-{word}" for word in KEYWORDS),
        *("chips", "colonists", "credits", "goods", "military", "counted", "untold"),
        *(next(iter(reached(goal, Seat(name="", tiles=())))) for goal in position.printed_goals()),
    ]
    for language in LANGUAGES:
        for n in (0, 1, 2, 5):
            said = [render(SHEET_WORDS.measured(measure, n), language) for measure in measures]
            assert all("{" not in words and "frontiers." not in words for words in said)
    assert all(has_words(SHEET_WORDS.measured(measure, 2)) for measure in measures)
    assert all(has_words(SHEET_WORDS.words(f"named-{kind}")) for kind in KINDS)


def test_a_line_of_several_measures_tells_its_points_once() -> None:
    line = Line("skilled-workforce", 2, {}, {"different-powers": 4, "power-trade": 2, "power-settle": 1})
    ((rest, text),) = reasons(line, SHEET_WORDS)
    assert rest == 2
    assert render(text, "en") == "4 types of powers, Trade ×2, Settle ×1"


def test_small_tiles_are_added_up_where_room_is_short() -> None:
    """Large developments and goals stay: people ask why."""
    sheet = gathered(sheet_of_state(replace(state(colonists=3), goals_up=("conscription",))))
    assert points(sheet) == {
        "chips": 3,
        "colonies": 2,
        "developments": 1,
        "new-economy": 0,
        "conscription": 2,
    }
    colonies = next(line for line in sheet.seats[0].lines if line.what == "colonies")
    assert (colonies.because, colonies.measures) == ({"home-1a": 0, "world-10": 2}, {})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_refinery_says_what_it_counts_as_and_why(language: str) -> None:
    """Rule 184."""
    tiles = (
        Tile(id="alien-oort-cloud-refinery", sort="colony", any_kind=True),
        Tile(id="spice-world", sort="colony", kind="rare"),
        Tile(id="comet-zone", sort="colony", kind="novelty"),
    )
    goals = {"diversification": position.printed_goals()["diversification"].steps}
    (seat,) = score([Seat(name="Ania", tiles=tiles)], goals).seats  # type: ignore[arg-type]
    line = seat.lines[-1]
    assert (line.what, line.points) == ("named-genes", 0)
    ((_, why),) = reasons(line, SHEET_WORDS)
    assert (
        render(SHEET_WORDS.words(line.what), language)
        == {
            "en": "Alien Oort Cloud Refinery counts as Genes",
            "pl": "Rafineria Obcych w Obłoku Oorta: liczy się jako Geny",
        }[language]
    )
    assert render(why, "en").startswith(
        "as Genes 3 points, as Alien technology 3 points, as Novelty 0 points"
    )
