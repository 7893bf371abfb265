"""The sheet of a running table: everything there counts, and unknown values are marked."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.components import Facts
from companion.games.beyond.sheet import sheet_of_state
from companion.games.beyond.state import Base, BeyondState, Colony, Kept, Node, Seat, Ship
from companion.games.beyond.steps.end import needs_counting
from scoring.sheet import Line

TRACK = {"first": 0, "second": 1, "third": 0, "fourth": 2, "fifth": 0, "sixth": 3, "seventh": 4}
"""Made up, as everything told here."""


def lines(state: BeyondState, seat: int = 0) -> dict[str, Line]:
    return {line.what: line for line in sheet_of_state(state).seats[seat].lines}


def table(taught: Facts | None = None, **ania: Any) -> BeyondState:
    seats = (Seat("Ania", board="nations", **ania), Seat("Bartek", board="nishida"))
    return BeyondState(agenda=(), seats=seats, taught=taught or {})


def test_the_tree_counts_by_level_and_a_space_without_a_card_too() -> None:
    """Rules 186 to 190; a space that is being discovered has no card yet."""
    tree = {
        "i-1": Node("terraforming", (0, 1)),
        "ii-a": Node("technology-ii-4", (0,)),
        "ii-b": Node("", (0,)),
        "iii-c": Node("capital-ship", (1, 0)),
        "iiii-a": Node("technology-iiii-4", (0,)),
    }
    state = replace(table({"technology-iiii-4.points": 7}, private=("technology-ii-9",)), tree=tree)
    found = lines(state)
    assert [found[step].points for step in ("level-1", "level-2", "level-3", "private", "level-4")] == [
        1,
        4,
        3,
        2,
        7,
    ]
    assert lines(state, 1)["level-3"].because == {"capital-ship": 3}


def test_discs_above_seven_count_one_each_markers_too() -> None:
    """Rules 80 and 191."""
    discs = ("food", "ore", "marker", "food", "ore", "marker", "food", "marker", "marker")
    state = table({"basic-boards.automation": TRACK}, automation=discs)
    assert lines(state)["automation"].points == 10 + 2
    assert lines(table(automation=discs))["automation"].measures["untold"] == 1


def test_an_advanced_board_counts_its_own_track() -> None:
    facts: Facts = {
        "basic-boards.automation": TRACK,
        "nations-advanced.automation": dict.fromkeys(TRACK, 5),
    }
    state = table(facts, automation=("food", "ore"))
    assert lines(state)["automation"].points == 1
    advanced = replace(state.seats[0], board="nations-advanced")
    assert lines(replace(state, seats=(advanced, state.seats[1])))["automation"].points == 10


def test_bases_by_the_cards_they_lie_on_and_markers_among_them() -> None:
    """Rule 193; a marker is no achievement."""
    bases = {"a1": Base(0, "food"), "yard-1": Base(0, "marker"), "b1": Base(1, "ore")}
    state = replace(table(), systems={"a1": "sirius", "b1": "tau-ceti"}, bases=bases)
    found = lines(state)
    assert found["bases"].because == {"sirius": 1, "yard-1": 1}
    assert found["achievements"].points == 0


def test_colonised_systems_and_tau_ceti() -> None:
    """Rule 192; one taken from beside an event has no discs and counts all the same (rule 113)."""
    colonies = (Colony("tau-ceti", ("food", "ore")), Colony("sirius"))
    state = table({"sirius.points": 3}, colonies=colonies)
    assert lines(state)["systems"].because == {"tau-ceti": 5, "sirius": 3}


def test_ships_in_open_space_but_not_in_the_museum() -> None:
    """Rules 112 and 194."""
    state = table(ships=(Ship("sol", 1), Ship("sol", 2), Ship("a1", 4)), museum=(4,))
    bartek = replace(state.seats[1], ships=(Ship("sol", 3), Ship("deep-space", 1)))
    state = replace(state, seats=(state.seats[0], bartek))
    assert lines(state)["open-space"].because == {"sol": 1}
    assert lines(state, 1)["open-space"].because == {"sol": 1, "deep-space": 1}


def test_events_count_for_whom_they_lie_or_whom_they_name() -> None:
    """Rule 195."""
    formula = {"does": "formula", "points": 2, "per": "controlled"}
    facts: Facts = {
        "event-ii-1.points": "?",
        "event-ii-1.formula": formula,
        "event-ii-2.points": 3,
    }
    kept = {"kc-24x": Kept(1), "event-ii-1": Kept(None), "event-ii-2": Kept(None)}
    state = replace(
        table(facts),
        kept=kept,
        systems={"a1": "sirius"},
        bases={"a1": Base(0, "ore")},
        worth={"1:event-ii-2": 3},
    )
    assert lines(state)["events"].because == {"event-ii-1": 2}
    assert lines(state, 1)["events"].because == {"kc-24x": 1, "event-ii-1": 0, "event-ii-2": 3}


def test_achievements_by_their_slots() -> None:
    """Rules 169, 171 and 196: the second slot is for four players only."""
    slots = [{"slot_points": 5}, {"slot_points": 4, "four": True}, {"slot_points": 2}]
    state = table({"empire.slots": slots})
    state = replace(state, achievements={"empire": (1, 0), "transcendence": (0,)})
    assert lines(state)["achievements"] == Line("achievements", 2, {"empire": 2}, {"untold": 1})
    assert lines(state, 1)["achievements"].because == {"empire": 5}


def test_ties_as_the_boards_stand() -> None:
    """Rules 197 to 199: bases and colonies have taken discs from the tracks, markers have not."""
    state = table(automation=("food",), population=1, ore=9)
    bartek = replace(state.seats[1], automation=("marker",), population=5)
    state = replace(state, seats=(state.seats[0], bartek))
    sheet = sheet_of_state(state)
    assert [seat.tie for seat in sheet.seats] == [(-15, 1, 9), (-16, 5, 0)]
    assert sheet.winners == ("Ania",)


def test_names_that_were_told_are_kept_with_the_sheet() -> None:
    sheet = sheet_of_state(table({"system-10.name.pl": "Wilk 359"}))
    assert sheet.names == {"system-10": {"pl": "Wilk 359"}}


@pytest.mark.parametrize(
    ("points", "told", "asks"),
    [("?", True, False), ("?", False, True), (3, False, True), (0, False, False)],
)
def test_an_event_beside_the_board_is_counted_at_the_table_unless_its_formula_is_told(
    points: int | str, told: bool, asks: bool
) -> None:
    """Rule 196: whom a plain number is for stands on the card alone."""
    facts: Facts = {"event-ii-1.points": points}
    if told:
        facts["event-ii-1.formula"] = {"does": "formula", "points": 2, "per": "controlled"}
    state = replace(table(facts), kept={"event-ii-1": Kept(None)})
    assert needs_counting(state, 0, state.event("event-ii-1")) is asks


def test_what_was_counted_at_the_table_is_not_asked_again() -> None:
    state = replace(
        table({"event-ii-1.points": 3}), kept={"event-ii-1": Kept(None)}, worth={"0:event-ii-1": 3}
    )
    card = state.event("event-ii-1")
    assert (needs_counting(state, 0, card), needs_counting(state, 1, card)) == (False, True)
