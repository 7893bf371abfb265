"""Correct: any counter of any seat, with who and when, and the rules' reason if it is not possible."""

import pytest

from companion.core.entries import Corrected
from companion.texts import render
from companion.ui.screens.history import clock_time


@pytest.fixture
def correct(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), answers=60, seed=3)
    rehearsal.app.go("correct")
    rehearsal.settle()
    return rehearsal


def value(rehearsal, counter):
    return next(c.value for c in rehearsal.app.desk.session.counters() if c.id == counter)


def test_first_it_asks_who_corrects(correct):
    assert not [name for name in correct.taps() if name.startswith(("plus-", "switch-"))]
    assert {"by-0", "by-1", "by-2"} <= set(correct.taps())


def test_a_number_is_set_right_and_everybody_sees_by_whom_and_when(correct):
    before = value(correct, "chips:0")
    correct.tap("by-1")
    correct.tap("of-0")
    correct.now += 300
    correct.tap("plus-chips:0")
    assert value(correct, "chips:0") == before + 1
    session = correct.app.desk.session
    assert session.last.deed == Corrected("chips:0", before + 1, "Bartek")
    assert render(session.sentence(len(session.moments) - 1), "en") in correct.words()
    assert clock_time(correct.now) in correct.words()
    correct.tap("minus-chips:0")
    assert value(correct, "chips:0") == before


def test_large_numbers_go_in_tens(correct):
    before = value(correct, "hand:1")
    correct.tap("by-0")
    correct.tap("of-1")
    correct.tap("more-hand:1")
    assert value(correct, "hand:1") == before + 10
    correct.tap("less-hand:1")
    assert value(correct, "hand:1") == before


def test_who_corrects_can_change(correct):
    correct.tap("by-1")
    correct.tap("plus-hand:1")
    correct.tap("who")
    correct.tap("by-2")
    correct.tap("plus-hand:2")
    made = [m.entry.deed for m in correct.app.desk.session.moments if m.entry is not None]
    assert [deed.by for deed in made if isinstance(deed, Corrected)] == ["Bartek", "Celina"]


def test_what_cannot_be_is_refused_in_words_and_nothing_changes(correct):
    correct.tap("by-0")
    before = correct.app.desk.session
    hand = value(correct, "hand:0")
    for _ in range(hand // 10 + 1):
        correct.tap("less-hand:0")
    told, how = correct.app.message
    assert how == "refused"
    assert "hand of Ania" in told
    assert value(correct, "hand:0") == hand % 10
    assert len(correct.app.desk.session.moments) == len(before.moments) + hand // 10


def test_a_component_is_taken_out_and_put_in_again_by_its_name(correct):
    correct.tap("by-0")
    counters = correct.app.desk.session.counters()
    goods = {c.component for c in counters if c.seat == 0 and c.id.startswith("good:") and c.value}
    start = correct.app.desk.session.state.seats[0].tableau[0]
    there = next(
        c
        for c in counters
        if c.seat == 0 and c.id.startswith("tableau:") and c.value and c.component not in {start, *goods}
    )
    correct.tap(f"switch-{there.id}")
    assert value(correct, there.id) == 0
    name = render(correct.app.desk.name_of(there.component), "en")
    correct.tap("add")
    for letter in name.casefold():
        correct.tap("key-space" if letter == " " else f"key-{letter}")
    assert [n for n in correct.taps() if n.startswith("switch-")] == [f"switch-{there.id}"]
    correct.tap(f"switch-{there.id}")
    assert value(correct, there.id) == 1
    assert "add" in correct.taps()


def test_every_counter_can_be_reached(correct):
    correct.tap("by-0")
    for seat in range(3):
        correct.tap(f"of-{seat}")
        mine = [c for c in correct.app.desk.session.counters() if c.seat == seat]
        for counter in mine:
            if counter.component is None or counter.value:
                assert {f"plus-{counter.id}", f"switch-{counter.id}"} & set(correct.taps()), counter.id
    correct.tap("add")
    absent = [c for c in mine if c.component is not None and not c.value]
    sought = absent[-1]
    for letter in render(correct.app.desk.name_of(sought.component), "en").casefold()[:8]:
        correct.tap("key-space" if letter == " " else f"key-{letter}")
    assert f"switch-{sought.id}" in correct.taps()


def test_before_there_is_anything_to_correct_it_says_so(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.app.go("correct")
    rehearsal.tap("by-0")
    assert "There is nothing to correct here yet." in rehearsal.words()


@pytest.fixture
def galaxy(rehearsal):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina", "Darek"), answers=200, seed=3)
    rehearsal.app.go("correct")
    rehearsal.tap("by-2")
    return rehearsal


@pytest.mark.every_game
def test_a_hex_is_found_by_its_name_and_turned(galaxy):
    galaxy.tap("of-None")
    galaxy.tap("group-104 Arcturus")
    place = next(p for p, s in galaxy.app.desk.session.state.map.items() if s.hex == "sector-104")
    galaxy.tap(f"choose-turn:{place}")
    galaxy.tap("value-1")
    assert galaxy.app.desk.session.state.map[place].rotation == 1
    assert galaxy.app.desk.session.last.deed == Corrected(f"turn:{place}", 1, "Celina")
    galaxy.tap("back")
    assert "Celina corrected: The top of 104 Arcturus points to = 2 o'clock" in galaxy.words()


@pytest.mark.every_game
def test_every_counter_of_a_group_is_on_its_page(galaxy):
    words = galaxy.app.desk.words
    counters = galaxy.app.desk.session.counters()
    for seat in (0, None):
        galaxy.tap(f"of-{seat}")
        grouped = [(c, words(c.group)) for c in counters if c.seat == seat and c.group is not None]
        for group in dict.fromkeys(group for _, group in grouped):
            galaxy.tap(f"group-{group}")
            taps = set(galaxy.taps())
            for counter, belongs in grouped:
                if belongs == group:
                    names = {f"{what}-{counter.id}" for what in ("plus", "switch", "choose")}
                    assert names & taps, counter.id
            galaxy.tap("back")


@pytest.mark.every_game
def test_escape_goes_back_one_page_at_a_time(galaxy):
    galaxy.tap("of-0")
    galaxy.tap("group-Blueprint: cruiser")
    galaxy.tap("choose-part:0:cruiser:0")
    assert "value-0" in galaxy.taps()
    assert galaxy.app.screen.typed("27", None)
    assert "choose-part:0:cruiser:0" in galaxy.taps()
    assert galaxy.app.screen.typed("27", None)
    assert "group-Blueprint: cruiser" in galaxy.taps()
