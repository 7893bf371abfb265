"""Flows: what the words mean, what is refused, and that every accepted flow ends or waits for people."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from companion.core.agenda import questions, take
from companion.core.autoplay import next_answer
from companion.core.flow.file import MOST_BYTES, flow_in, read_flow
from companion.core.flow.game import flow_game
from companion.core.flow.library import accept, flows, shipped_flows
from companion.core.flow.state import FlowState
from companion.core.flow.steps import DONE, PASS
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.words import Text, plain
from companion.errors import DataTrouble
from companion.texts import LANGUAGES, render
from tests import budgets
from tests.core.flow_maker import made_flow
from tests.laws.walks import flow_texts

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
MADE = 10_000 if budgets.campaign else 300
HEAD = 'id = "mine"\nname = "Mine"\nseats = [3]\n'


def began(text: str, seats: int = 3) -> FlowState:
    """The first table of a flow."""
    game = flow_game(text)
    state: FlowState = game.start(Setup(game.id, NAMES[:seats], flow=text))
    return state


def tap(state: FlowState, *options: str) -> FlowState:
    """The table after these answers, each to the first open question."""
    for option in options:
        question = questions(state)[0]
        state = take(state, Answer(question.seat, question.slug, option))
    return state


def order_of(state: FlowState, turns: int) -> list[int | None]:
    """Whose turns come, if everybody is only done."""
    found = []
    for _ in range(turns):
        found.append(questions(state)[0].seat)
        state = tap(state, DONE)
    return found


# Generated flows


@pytest.mark.parametrize("part", range(10))
def test_a_generated_flow_is_refused_with_a_line_or_ends(part: int) -> None:
    """Refused with all problems and their lines, or played to its end; and `done` alone ends it if it has rounds."""
    accepted = 0
    for n in range(part, MADE, 10):
        random = Random(n)
        text = made_flow(random)
        if problems := refused(text):
            for problem in problems:
                for language in LANGUAGES:
                    assert re.search(r"\d", render(problem, language)), text
            continue
        flow = flow_in(text)
        accepted += 1
        setup = Setup(flow.id, NAMES[: random.choice(flow.seats)], flow=text)
        _play(text, setup, random)
        if flow.rounds is not None:
            _done_only(text, setup)
    assert accepted >= MADE // 10 * 0.4


def refused(text: str) -> tuple[Text, ...]:
    """What is wrong with a flow; a refusal always names at least one problem."""
    try:
        read_flow(text.encode())
    except DataTrouble as trouble:
        return trouble.problems or (plain("no line"),)
    return ()


def _play(text: str, setup: Setup, random: Random) -> None:
    game = flow_game(text)
    state, bots = game.start(setup), game.bots(setup, random)
    for n in range(400):
        if not state.agenda:
            break
        assert questions(state)
        if n % 20 == 0:
            game.view(state), game.sheet(state), game.counters(state)
            assert game.decode(game.encode(state)) == state
        state = take(state, next_answer(state, bots, random))


def _done_only(text: str, setup: Setup) -> None:
    """Nobody counts anything: the rounds end it. People pass where a phase needs it, and say 0 at the end."""
    game = flow_game(text)
    state = game.start(setup)
    for _ in range(6_000):
        if not state.agenda:
            return
        question = questions(state)[0]
        ids = [option.id for option in question.options]
        choice = PASS if PASS in ids else DONE if DONE in ids else ids[0]
        state = take(state, Answer(question.seat, question.slug, choice))
    raise AssertionError(text)


# End alerts


ALERTED = 1000 if budgets.campaign else 10


@pytest.mark.parametrize("text", flow_texts(), ids=lambda text: flow_in(text).id)
def test_end_alerts_are_never_late_and_never_early(text: str) -> None:
    """A warning when exactly so few are left; the last round is told before it ends, and none follows."""
    game, flow = flow_game(text), flow_in(text)
    for seed in range(ALERTED):
        random = Random(seed)
        setup = Setup(flow.id, NAMES[: random.choice(flow.seats)], flow=text)
        state, bots = game.start(setup), game.bots(setup, random)
        while state.agenda:
            keys = [alert.key for alert in game.view(state).alerts]
            is_last = "flow.last-round" in keys or "flow.last-turns" in keys
            if not state.closing and state.round:
                assert ("flow.near" in keys) == any(_is_near(state, end) for end in flow.end)
            before, answer = state, next_answer(state, bots, random)
            state = take(state, answer)
            if state.closing and not before.closing and not answer.option.startswith(("count:", "button:")):
                assert is_last
            assert not (is_last and state.round > before.round), "a round after the last one"


def _is_near(state: FlowState, end: Any) -> bool:
    left = [_left(state, one) for one in end.conditions if not one.button]
    pressed = all(one.button in state.pressed for one in end.conditions if one.button)
    if not left:
        return False
    if end.any:
        reached = 0 in left or any(one.button and one.button in state.pressed for one in end.conditions)
        return not reached and min(left) <= end.warn
    return sum(left) <= end.warn and not (sum(left) == 0 and pressed)


def _left(state: FlowState, one: Any) -> int:
    """How many taps of one are missing, counted another way than the game does."""
    if one.pool:
        return max(0, state.value(one.pool))
    counter = state.counter(one.counter)
    values = (
        [state.table[counter.id]] if counter.of == "table" else [s.counters[counter.id] for s in state.seats]
    )
    best, taps = max(values), 0
    while best < counter.high:
        best, taps = best + counter.step, taps + 1
    return taps


# The words


def test_orders() -> None:
    phase = '[[phase]]\nid = "go"\nturns = 1\n'
    for start, then in (("stay", [1, 2, 0, 1, 2, 0]), ("next", [1, 2, 0, 2, 0, 1])):
        state = tap(began(f'{HEAD}rounds = 2\nstart = "{start}"\n{phase}'), "1")
        assert order_of(state, 6) == then


def test_who_passes_first_begins_and_pass_order() -> None:
    phase = '[[phase]]\nid = "go"\nturns = "pass"\n'
    for start, then in (("first-pass", [2, 0, 1]), ("pass-order", [2, 1, 0])):
        state = tap(began(f'{HEAD}rounds = 2\nstart = "{start}"\n{phase}'), "0")
        state = tap(state, DONE, DONE, PASS, DONE, PASS, PASS)
        assert order_of(state, 3) == then


def test_back_needs_all_passes_in_a_row() -> None:
    state = tap(began(f'{HEAD}rounds = 1\n[[phase]]\nid = "go"\nturns = "pass"\npassed = "back"\n'), "0")
    state = tap(state, PASS, PASS, DONE)
    assert questions(state)[0].seat == 0
    assert tap(state, PASS, PASS, PASS).closing


def test_marker_and_most() -> None:
    marker = began(f'{HEAD}rounds = 2\nstart = "marker"\n[[phase]]\nid = "go"\nturns = 1\n')
    assert order_of(tap(marker, "0", DONE, DONE, "marker", DONE), 3) == [2, 0, 1]
    most = began(
        f'{HEAD}rounds = 2\nstart = {{ most = "gold" }}\n[[phase]]\nid = "go"\nturns = 1\n[[counter]]\nid = "gold"\n'
    )
    assert order_of(tap(most, "0", DONE, "count:gold:1:2", DONE, DONE), 3) == [1, 2, 0]


def test_the_order_is_asked_with_the_one_before_as_default() -> None:
    state = began(f'{HEAD}rounds = 3\nstart = "ask-order"\n[[phase]]\nid = "go"\nturns = 1\n')
    state = tap(state, "2", "0")
    assert order_of(state, 3) == [2, 0, 1]
    state = tap(state, DONE, DONE, DONE)
    assert questions(state)[0].default is not None
    assert order_of(tap(state, "same"), 3) == [2, 0, 1]
    assert order_of(tap(state, "1", "same"), 3) == [1, 2, 0]


def test_equal_turns_now_and_one_more_round() -> None:
    for then, turns in (('"now"', 0), ('"equal-turns"', 2), ('"round"', 2), ("{ rounds = 1 }", 5)):
        text = (
            f'{HEAD}[[phase]]\nid = "go"\nturns = 1\n[[pool]]\nid = "wood"\nstart = 1\n'
            f'[[end]]\nany = [{{ pool = "wood" }}]\nthen = {then}\n'
        )
        state = tap(began(text), "0", "count:wood::-1")
        if turns:
            state = tap(state, DONE, *[DONE] * (turns - 1))
            assert not state.closing
            state = tap(state, DONE)
        assert not state.agenda or state.closing, then


def test_a_seat_that_is_out_has_no_turns() -> None:
    text = f'{HEAD}rounds = 2\n[[phase]]\nid = "go"\nturns = 2\n'
    state = flow_game(text).correct(tap(began(text), "0"), "out:1", 1)
    assert order_of(state, 4) == [0, 2, 0, 2]


def test_what_no_phase_asks_ends_too() -> None:
    """A flow whose only phase belongs to a later round waits for people in the rounds before."""
    text = f'{HEAD}rounds = 2\n[[phase]]\nid = "go"\nwho = "all"\nrounds = [9]\n'
    state = tap(began(text), DONE, DONE)
    assert not state.agenda


def test_a_reserve_is_taken_when_the_pool_is_empty() -> None:
    text = (
        f'{HEAD}rounds = 2\n[[phase]]\nid = "go"\nwho = "all"\n[[counter]]\nid = "gold"\n'
        '[[pool]]\nid = "mine"\nstart = 2\ninto = "gold"\nextra = 1\n'
    )
    game, state = flow_game(text), tap(began(text), "count:gold:0:2")
    assert game.view(state).pools[0].value == 0
    state = tap(state, "count:gold:1:1")
    assert game.view(state).pools[0].value == 0
    assert not any(option.id.startswith("count:gold:2:1") for option in questions(state)[0].options)


def test_the_score_counts_lookups_and_ties() -> None:
    text = (
        f'{HEAD}rounds = 1\n[[phase]]\nid = "go"\nwho = "all"\n[[score]]\nid = "sets"\ntimes = 2\n'
        'lookup = [[2, 3], [4, 8]]\n[[tie]]\nask = "coins"\n'
    )
    state = tap(began(text), DONE)
    for told in ('{"sets-1":2,"sets-2":5}', '{"sets-1":4,"sets-2":3}', "{}"):
        state = tap(state, told)
    state = tap(state, "3", "7")
    sheet = flow_game(text).sheet(state)
    assert [(seat.total, seat.rank) for seat in sheet.seats] == [(11, 2), (11, 1), (0, 3)]
    assert sheet.winners == ("Bartek",)


# Files


def test_limits_and_ids(tmp_path: Any) -> None:
    good = f'{HEAD}rounds = 1\n[[phase]]\nid = "go"\nwho = "all"\n'
    assert accept(good.encode()) == good
    for bad in (good.replace("mine", "race"), good + "#" * MOST_BYTES, good.replace("[3]", "[3, 99]")):
        with pytest.raises(DataTrouble):
            accept(bad.encode())
    folder = tmp_path / "flows"
    folder.mkdir()
    (folder / "mine.toml").write_text(good)
    (folder / "other.toml").write_text("id = 3")
    (folder / "wingspan.toml").write_text(good.replace("mine", "wingspan"))
    known = flows(tmp_path)
    assert [one.name for one in known if one.trouble is not None] == ["other"]
    assert sorted(one.flow.id for one in known if one.trouble is None) == [
        "agricola",
        "catan",
        "mine",
        "scythe",
        "terraforming-mars",
        "wingspan",
    ]
    assert [one.file is None for one in known if one.trouble is None and one.flow.id == "wingspan"] == [False]


def test_all_problems_with_their_lines() -> None:
    text = 'id = "x"\nname = "X"\nseats = [2]\nrouds = 3\n\n[[phase]]\nid = "a"\nturns = "pas"\n'
    with pytest.raises(DataTrouble) as caught:
        read_flow(text.encode())
    lines = [render(problem, "en").split(":")[0] for problem in caught.value.problems]
    assert lines == ["Line 4", "Line 8"]


@pytest.mark.parametrize("known", shipped_flows(), ids=lambda known: known.flow.id)
def test_shipped_flows_speak_both_languages_and_admit_that_they_are_from_memory(known: Any) -> None:
    flow = known.flow
    assert flow.source is None
    things = [one.id for one in (*flow.phases, *flow.counter, *flow.pool, *flow.score)]
    things += [line for phase in flow.phases for line in phase.say] + [one.ask for one in flow.tie]
    for id in things:
        assert id in flow.words["pl"], id
