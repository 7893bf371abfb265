"""Flows: what the words mean, what is refused, and that every accepted flow ends or waits for people."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from companion.core.agenda import advance, questions, take
from companion.core.autoplay import next_answer
from companion.core.flow.file import MOST_BYTES, flow_in, read_flow
from companion.core.flow.game import flow_game, shipped_flow
from companion.core.flow.library import accept, flows, shipped_flows
from companion.core.flow.state import FlowState
from companion.core.flow.steps import DONE, PASS
from companion.core.flow.view import alerts
from companion.core.forms import Record
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.words import Text, plain
from companion.errors import DataTrouble
from companion.results.sheets import reasons, sheet_words
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
    accepted = sum(check_generated(n) for n in range(part, MADE, 10))
    assert accepted >= MADE // 10 * 0.4


def check_generated(n: int) -> bool:
    """Refused with all problems and their lines, or played to its end; and `done` alone ends it if it has rounds.
    Returns whether it was accepted."""
    random = Random(n)
    text = made_flow(random)
    if problems := refused(text):
        for problem in problems:
            for language in LANGUAGES:
                assert re.search(r"\d", render(problem, language)), text
        return False
    flow = flow_in(text)
    setup = Setup(flow.id, NAMES[: random.choice(flow.seats)], flow=text)
    _play(text, setup, random)
    if flow.rounds is not None:
        _done_only(text, setup)
    return True


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
    for seed in range(ALERTED):
        check_alerts(text, seed)


def check_alerts(text: str, seed: int) -> int:
    """Along one play by bots: a warning when exactly so few are left; the last round is told before it ends, and
    none follows. Returns how many moments were looked at."""
    game, flow, random = flow_game(text), flow_in(text), Random(seed)
    setup = Setup(flow.id, NAMES[: random.choice(flow.seats)], flow=text)
    state, bots = game.start(setup), game.bots(setup, random)
    moments = 0
    while state.agenda:
        keys = [alert.key for alert in alerts(state)]
        is_last = "flow.last-round" in keys or "flow.last-turns" in keys
        if not state.closing and state.round:
            assert ("flow.near" in keys) == any(_is_near(state, end) for end in flow.end)
        before, answer = state, next_answer(state, bots, random)
        state = take(state, answer)
        if state.closing and not before.closing and not answer.option.startswith(("count:", "button:")):
            assert is_last
        assert not (is_last and state.round > before.round), "a round after the last one"
        moments += 1
    return moments


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
    assert order_of(tap(state, "first:2"), 3) == [1, 2, 0], "one tap, the others keep their order"
    assert order_of(tap(state, "another", "0", "1"), 3) == [0, 1, 2]
    assert order_of(tap(state, "another", "0", "same"), 3) == [0, 2, 1]
    assert order_of(tap(state, "another", "forward:2"), 3) == [2, 1, 0], "one place further to the front"


def test_the_order_of_several_turns_can_give_somebody_two_in_a_row() -> None:
    """New Frontiers for two: each has two discs on the track, and Envoys moves one of them to the front."""
    head = 'id = "mine"\nname = "Mine"\nseats = [2, 3]\n'
    turns = "turns = { seats = { 2 = 2, 3 = 1 } }"
    text = f'{head}rounds = 3\nstart = "ask-order"\n[[phase]]\nid = "go"\n{turns}\n'
    state = tap(began(text, 2), "1", "same")
    assert order_of(state, 4) == [1, 0, 1, 0]
    state = tap(state, DONE, DONE, DONE, DONE, "first:1")
    assert order_of(state, 4) == [0, 1, 1, 0]
    assert flow_game(text).view(tap(state, DONE)).coming[0] == 1, "the same seat again"
    state = tap(state, DONE, DONE, DONE, DONE, "another", "1", "1")
    assert order_of(state, 4) == [1, 1, 0, 0]
    assert order_of(tap(began(text, 3), "2", "0"), 3) == [2, 0, 1]


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


def test_people_can_stop_anywhere_and_count_up() -> None:
    """A correction like any other; the closing phases and the score still come."""
    text = (
        f'{HEAD}rounds = 9\n[[phase]]\nid = "go"\nturns = "pass"\n[[closing]]\nid = "tidy"\nwho = "table"\n'
    )
    game, state = flow_game(text), tap(began(text), "0", PASS)
    stopped = advance(game.correct(state, "over", 1))
    assert (stopped.closing, stopped.phase) == (True, "tidy")
    assert not tap(stopped, DONE).agenda
    assert game.correct(state, "over", 0) is state
    assert "over" not in {one.id for one in game.counters(stopped)}


def test_a_counter_may_be_called_as_what_every_light_play_can_set_right() -> None:
    names = ("round", "out", "over", "button")
    tables = "".join(f'[[counter]]\nid = "{name}"\n' for name in names)
    last = '[[end]]\nany = [{ button = "last" }]\n'
    text = f'{HEAD}rounds = 3\n[[phase]]\nid = "go"\nwho = "all"\n{tables}{last}'
    game, state = flow_game(text), began(text)
    ids = [one.id for one in game.counters(state)]
    assert len(set(ids)) == len(ids)
    for name in names:
        state = game.correct(state, f"{name}:1", 7)
        assert state.value(name, 1) == 7
    assert (state.out, state.pressed, state.round) == ((), (), 1)
    assert game.correct(state, "button:last", 1).pressed == ("last",)


def test_what_no_phase_asks_ends_too() -> None:
    """A flow whose only phase belongs to a later round waits for people in the rounds before."""
    text = f'{HEAD}rounds = 3\n[[phase]]\nid = "go"\nwho = "all"\nrounds = [3]\n'
    state = tap(began(text), DONE, DONE, DONE)
    assert not state.agenda


def test_a_pool_that_is_empty_stays_empty_while_seats_still_get_more() -> None:
    text = (
        f'{HEAD}rounds = 2\n[[phase]]\nid = "go"\nwho = "all"\n[[counter]]\nid = "gold"\n'
        '[[pool]]\nid = "mine"\nstart = 2\ninto = "gold"\n'
    )
    game, state = flow_game(text), tap(began(text), "count:gold:0:1")
    assert game.view(state).pools[0].value == 1
    state = tap(state, "count:gold:1:3")
    assert game.view(state).pools[0].value == 0
    assert state.value("gold", 1) == 3


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


def test_what_nobody_has_counted_yet_is_worth_nothing() -> None:
    """A lookup of 0 may be worth -1, but nobody has said 0."""
    text = f'{HEAD}rounds = 1\n[[phase]]\nid = "go"\nwho = "all"\n[[score]]\nid = "sheep"\nlookup = [[0, -1], [1, 1]]\n'
    state = began(text)
    assert [seat.total for seat in flow_game(text).sheet(state).seats] == [0, 0, 0]
    assert [seat.points for seat in flow_game(text).view(state).seats] == [None, None, None]
    state = tap(state, DONE, '{"sheep":1}', "{}")
    assert [seat.total for seat in flow_game(text).sheet(state).seats] == [1, -1, 0]
    assert [seat.points for seat in flow_game(text).view(state).seats] == [1, -1, None]


def test_a_line_with_a_lookup_says_for_how_many() -> None:
    text = (
        f'{HEAD}rounds = 1\n[[phase]]\nid = "go"\nwho = "all"\n[[score]]\nid = "sets"\ntimes = 3\n'
        'lookup = [[1, 3], [2, 8]]\n[[score]]\nid = "houses"\npoints = 2\n'
    )
    state = tap(began(text), DONE)
    form = questions(state)[0].form
    assert isinstance(form, Record)
    assert [render(field.text, "en") for field in form.fields][:2] == ["Sets (1 of 3)", "Sets (2 of 3)"]
    assert render(form.fields[1].text, "pl") == "Sets (2 z 3)"
    state = tap(state, '{"sets-1":2,"sets-2":1,"houses":4}', "{}", "{}")
    found = flow_game(text).sheet(state)
    words = sheet_words(found)
    told = [[(n, render(text, "en")) for n, text in reasons(line, words)] for line in found.seats[0].lines]
    assert told == [[(11, "for 2, 1, 0")], [(8, "4 × Houses")]]


def test_the_least_can_break_a_tie() -> None:
    """In Splendor fewer cards win."""
    lines = '[[score]]\nid = "gems"\n[[tie]]\nleast = "cards"\n[[tie]]\nask = "coins"\n'
    text = f'{HEAD}rounds = 1\n[[phase]]\nid = "go"\nwho = "all"\n{lines}'
    state = tap(began(text), DONE, '{"gems":4}', '{"gems":4}', '{"gems":4}', "7", "3", "3", "0", "5")
    sheet = flow_game(text).sheet(state)
    assert [seat.rank for seat in sheet.seats] == [3, 2, 1]
    assert not state.agenda


def test_what_breaks_a_tie_is_not_asked_again_if_it_is_known() -> None:
    head = f'{HEAD}rounds = 1\n[[phase]]\nid = "go"\nwho = "all"\n'
    lines = '[[score]]\nid = "sets"\n[[score]]\nid = "wins"\npoints = 0\n'
    text = f'{head}[[counter]]\nid = "gold"\n{lines}[[tie]]\nask = "gold"\n[[tie]]\nask = "wins"\n'
    state = tap(began(text), "count:gold:0:2", "count:gold:1:2", DONE)
    state = tap(state, '{"sets":4,"wins":1}', '{"sets":4,"wins":3}', '{"sets":4}')
    assert not state.agenda, "nobody is asked for a number that was told"
    assert [seat.rank for seat in flow_game(text).sheet(state).seats] == [2, 1, 3]


def test_none_of_the_phases_may_come() -> None:
    def table(picks: str) -> FlowState:
        phases = "".join(f'[[phase]]\nid = "{id}"\nwho = "all"\nif = "picked"\n' for id in "ab")
        return began(f'{HEAD}rounds = 2\n[[phase]]\nid = "choose"\nwho = "table"\npicks = {picks}\n{phases}')

    state = table('["a", "b"]')
    assert [option.id for option in questions(state)[0].options] == ["pick:a", "pick:b", DONE]
    assert questions(state)[0].default is None, "no button chooses none by accident"
    assert tap(state, DONE).round == 2
    assert not tap(state, DONE, "pick:b", DONE).agenda
    assert render(questions(tap(state, "pick:a"))[0].text, "en") == "A: everybody. What comes next?"


def test_a_phase_that_may_come_is_asked_for_by_its_name() -> None:
    text = (
        f'{HEAD}rounds = 2\n[[phase]]\nid = "choose"\nwho = "table"\npicks = ["fair"]\n'
        '[[phase]]\nid = "fair"\nwho = "all"\nif = "picked"\n'
    )
    assert render(questions(began(text))[0].text, "en") == "Does this phase come: Fair?"


def test_phases_can_be_picked_by_number_of_players() -> None:
    text = HEAD.replace("[3]", "[2, 3]") + (
        'rounds = 2\n[[phase]]\nid = "choose"\nwho = "table"\npicks = { 2 = ["a", "b"], 3 = ["b"] }\n'
        '[[phase]]\nid = "a"\nwho = "all"\nif = "picked"\n[[phase]]\nid = "b"\nwho = "all"\nif = "picked"\n'
    )
    assert [len(questions(began(text, seats))[0].options) for seats in (2, 3)] == [3, 2]
    assert refused(text.replace('3 = ["b"]', '4 = ["b"]'))


def test_an_end_that_a_phase_names_is_offered_there_only() -> None:
    text = (
        f'{HEAD}[[phase]]\nid = "a"\nwho = "all"\n[[phase]]\nid = "b"\nwho = "all"\ncount = ["empty"]\n'
        '[[end]]\nany = [{ button = "empty" }, { button = "stop" }]\n'
    )
    state = began(text)
    assert [option.id for option in questions(state)[0].options] == [DONE, "button:stop"]
    state = tap(state, DONE)
    assert [option.id for option in questions(state)[0].options] == [DONE, "button:empty", "button:stop"]


def test_what_is_counted_is_shown_and_says_whose_it_is() -> None:
    text = (
        f'{HEAD}rounds = 2\nstart = "marker"\n[[phase]]\nid = "go"\nturns = 1\n[[counter]]\nid = "gold"\n'
        '[[counter]]\nid = "heat"\nof = "table"\n'
    )
    game, state = flow_game(text), tap(began(text), "1", "count:heat::3")
    assert [render(one.text, "en") for one in game.counters(state)][:4] == [
        "Ania: Gold",
        "Bartek: Gold",
        "Celina: Gold",
        "Heat",
    ]
    assert [(one.id, one.value) for one in game.view(state).numbers] == [("heat", 3)]
    assert [render(note, "en") for note in game.view(state).notes] == ["Start marker: Bartek"]
    state = tap(state, DONE, "marker")
    assert [render(note, "pl") for note in game.view(state).notes] == ["Znacznik pierwszego gracza: Celina"]


# Files


FULL = '[[counter]]\nid = "x"\nstart = 5\nrange = [0, 5]\n[[end]]\nany = [{ counter = "x" }]\n'
GO = '[[phase]]\nid = "go"\nwho = "all"\n'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f'{HEAD}rounds = 1\n[[phase]]\nid = "Go on"\nwho = "all"\n', "small letters, digits and hyphens"),
        (f'{HEAD}rounds = "x"\n{GO}', "Line 4: rounds: write a whole number from 1 to 99, or by number of players"),
        (f'{HEAD}rounds = 1\n{GO}rounds = ["a"]\n', "a list [ ] with at most 99 of: a whole number"),
        (f'{HEAD}rounds = 1\n{GO}say = "x"\n', "a list [ ] with at most 8 of: a text"),
        (f'{HEAD}rounds = 1\n[[phase]]\nid = "go"\nwho = "al"\n', 'Line 7: who: write "all", or "table".'),
        (f'{HEAD}rounds = 1\n{GO}start = "stay"\n', 'Line 8: "start" belongs to the top of the file'),
        (f'{HEAD}rounds = 1\n{GO}[[counter]]\nid = "x"\nstart = "stay"\n', '"start" belongs to the top'),
        (f'{HEAD}rounds = 1\n{GO}[[phases]]\nid = "x"\n', 'Line 8: There is no "[[phases]]" here; possible: [[phase]]'),
        (f"{HEAD}rounds = 1\n{GO}turns = 1\n", "not both"),
        (f'{HEAD}rounds = 1\n{GO}[[end]]\nany = [{{ pool = "x" }}]\n', "there is no such [[pool]] yet"),
        (f'{HEAD}{GO}[[counter]]\nid = "x"\nof = "table"\n[[pool]]\nid = "p"\nstart = 1\ninto = "x"\n', "one for all"),
        (f"{HEAD}{GO}", "a counter at the end of its range"),
        (f"{HEAD}rounds = 1\n{GO}soft 60\n", "Line 8: this is not TOML. Expected '=' after a key in a key/value pair"),
        (f'{HEAD}rounds = 1\n{GO}[[score]]\nid = "x"\nlookup = [[1, 2]]\npoints = 1\n', 'leave out "points"'),
        (f"{HEAD}rounds = 2\n{GO}rounds = [1, 9]\n", "There is no round 9: the play has 2 rounds."),
        (f'{HEAD}rounds = 2\n{GO}rounds = "3-"\n', "There is no round 3"),
        (f"{HEAD}{GO}{FULL}", 'Line 12: "x" starts at the upper end'),
        (f'{HEAD}rounds = 1\n{GO}[[clock]]\nsoft = 5\n', "Line 8: clock must be a table: write [clock]."),
        (f'{HEAD}words = "x"\nrounds = 1\n{GO}', "Line 4: words must be a table: write [words.en]."),
        (f'{HEAD}rounds = 1\nphase = [{{ id = "go", who = "al" }}]\n', 'Line 5: who: write "all"'),
        (f'{HEAD}a{".a" * 3000} = 1\n{GO}', "Line 4: too many brackets or dots"),
        (f'{HEAD}a = {"[" * 5000}{"]" * 5000}\n{GO}', "Line 4: too many brackets or dots"),
        (f'{HEAD.replace("Mine", " ")}{GO}', "Line 2: name: write a text of at most 40 characters"),
        (f'{HEAD}rounds = 1\n{GO}[[tie]]\n', 'either "ask" (more wins) or "least"'),
        (f'{HEAD}rounds = 1\n{GO}' + '[[tie]]\nask = "x"\n' * 5, "At most 4 times [[tie]]."),
    ],
)  # fmt: skip
def test_a_mistake_is_told_so_that_it_can_be_mended(text: str, wanted: str) -> None:
    problems = [render(problem, "en") for problem in refused(text)]
    assert any(wanted in problem for problem in problems), problems
    assert "Expected `" not in " ".join(problems)
    for problem in refused(text):
        assert "flow." not in render(problem, "pl")


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


def test_a_wrong_word_does_not_hide_what_does_not_go_together() -> None:
    text = (
        'id = "x"\nname = "X"\nseats = [2]\nrounds = 3\n\n[[phase]]\nid = "a"\nturns = 1\ncolour = "red"\n\n'
        '[[score]]\nid = "gold"\ncounter = "gold"\n\n[[counter]]\nid = "wood"\nrange = [3, 5]\n'
    )
    with pytest.raises(DataTrouble) as caught:
        read_flow(text.encode())
    lines = [render(problem, "en").split(":")[0] for problem in caught.value.problems]
    assert lines == ["Line 9", "Line 13", "Line 17"]


@pytest.mark.parametrize("head", ['id = "X!"\nname = "X"\nseats = "2"\n', 'name = "X"\n\n\n'])
def test_a_wrong_head_does_not_hide_the_rest(head: str) -> None:
    """Numbers by seats are not blamed while nobody knows the seats."""
    tables = '[[phase]]\nid = "Go!"\nwho = "all"\nturns = 1\n[[pool]]\nid = "p"\nstart = { 2 = 5 }\n'
    text = f'{head}rounds = 2\n{tables}[[end]]\nany = [{{ pool = "q" }}]\n[[phase]]\nid = "b"\n'
    told = [render(problem, "en") for problem in refused(text)]
    assert [line.split(":")[0] for line in told][-3:] == ["Line 6", "Line 13", "Line 14"]
    assert not any("by seats" in line for line in told)
    assert refused("phase = [1, 2]\n[[score]]\n")


@pytest.mark.parametrize("known", shipped_flows(), ids=lambda known: known.flow.id)
def test_shipped_flows_speak_both_languages_and_admit_that_they_are_from_memory(known: Any) -> None:
    flow = known.flow
    assert flow.source is None
    things = [one.id for one in (*flow.phases, *flow.counter, *flow.pool, *flow.score)]
    things += [line for phase in flow.phases for line in phase.say] + [one.ask for one in flow.tie]
    for id in things:
        assert id in flow.words["pl"], id


def test_each_phase_of_race_comes_once_except_for_two_players() -> None:
    """With three or four players everybody has each action card once, so no phase comes twice."""
    text = shipped_flow("race")
    assert text is not None
    twice = [
        [option.id for option in questions(began(text, seats))[0].options if option.id.endswith("-2")]
        for seats in (2, 3, 4)
    ]
    assert twice == [["pick:develop-2", "pick:settle-2"], [], []]
    shown = [[phase.id for phase in flow_game(text).view(began(text, n)).phases] for n in (2, 3)]
    assert shown[0] == ["explore", "develop", "develop-2", "settle", "settle-2", "consume", "produce"]
    assert shown[1] == ["explore", "develop", "settle", "consume", "produce"]


def test_a_newborn_of_agricola_has_no_turn_in_the_round_it_is_born() -> None:
    """It may be counted in a turn or set right by hand."""
    text = next(known.text for known in shipped_flows() if known.flow.id == "agricola")
    state = tap(began(text), "0", DONE, "count:family:0:1")
    state = flow_game(text).correct(state, "family:1", 3)
    assert order_of(state, 7) == [0, 1, 2, 0, 1, 2, None]
    state = tap(state, *[DONE] * 7)
    assert order_of(state, 9) == [0, 1, 2, 0, 1, 2, 0, 1, None]
