"""The agenda: order of steps, parallel branches, questions that became obsolete."""

from __future__ import annotations

import pytest

from companion.core.agenda import (
    MOST_QUESTIONS,
    advance,
    open_asks,
    question_at,
    question_of,
    questions,
    take,
)
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.session import begin
from companion.errors import NotNow, Unknown
from companion.games.lantern import GAME as LANTERN
from companion.games.lantern.state import LanternState
from companion.games.lantern.steps import BeginRound, ShowCard
from tests.laws.walks import setups


def table() -> LanternState:
    setup = setups(LANTERN)[-1]
    state = begin(LANTERN, setup, 0.0).state
    assert isinstance(state, LanternState)
    return state


def show(state: LanternState, seat: int, card: str) -> LanternState:
    return take(state, Answer(seat, "lantern.show", card))


def test_branches_may_be_answered_in_any_order() -> None:
    one = show(show(show(table(), 0, "torch"), 1, "candle"), 2, "candle")
    other = show(show(show(table(), 2, "candle"), 0, "torch"), 1, "candle")
    assert one == other
    assert [ask.seat for _, ask in open_asks(one)] == [0]


def test_a_branch_that_is_done_is_not_asked_again() -> None:
    state = show(table(), 1, "torch")
    assert [question.seat for question in questions(state)] == [0, 2]
    with pytest.raises(Unknown):
        show(state, 1, "candle")


def test_a_late_tap_does_not_answer_the_next_question() -> None:
    state = show(show(show(table(), 0, "torch"), 1, "candle"), 2, "candle")
    with pytest.raises(NotNow):
        show(state, 0, "candle")


def test_what_a_step_pushes_comes_before_what_waited() -> None:
    """The leader takes oil, then the others follow side by side, and only then the next round begins."""
    state = show(show(show(table(), 0, "candle"), 1, "torch"), 2, "candle")
    state = take(state, Answer(1, "lantern.oil", "2"))
    assert sorted(q.seat or 0 for q in questions(state)) == [0, 2]
    state = take(state, Answer(2, "lantern.follow", "follow"))
    assert state.round == 1
    state = take(state, Answer(0, "lantern.follow", "dark"))
    assert (state.round, state.oil) == (2, (0, 2, 1))


def test_a_question_is_built_once_however_many_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[ShowCard] = []
    real = ShowCard.ask
    monkeypatch.setattr(ShowCard, "ask", lambda step, state: (built.append(step), real(step, state))[1])
    state, answer = table(), Answer(1, "lantern.show", "torch")
    assert question_of(state, answer) is questions(state)[1]
    take(state, answer)
    assert [step.seat for step in built] == [1, 0, 2]
    tables = [table() for _ in range(MOST_QUESTIONS + 1)]  # more than are kept, and each its own
    for state in (*tables, *tables):
        assert [question_at(state, ask) for _, ask in open_asks(state)] == [
            ask.ask(state) for _, ask in open_asks(state)
        ]


def test_an_unknown_fact_is_asked_once_and_kept() -> None:
    state = show(show(show(table(), 0, "moth"), 1, "torch"), 2, "candle")
    (question,) = questions(state)
    assert (question.seat, question.slug) == (None, "core.fact")
    state = take(state, Answer(None, "core.fact", "3"))
    assert state.taught == {"moth.light": 3}
    assert [ask.seat for _, ask in open_asks(state)] == [0]


def test_a_fact_taught_before_is_not_asked() -> None:
    state = begin(LANTERN, Setup("lantern", ("A", "B"), {}, {"moth.light": 0}), 0.0).state
    state = take(take(state, Answer(0, "lantern.show", "moth")), Answer(1, "lantern.show", "candle"))
    assert [ask.seat for _, ask in open_asks(state)] == [1]


def test_a_question_whose_object_is_gone_is_dropped() -> None:
    """Nobody is asked how much oil to take when a correction emptied the pool."""
    session = begin(LANTERN, setups(LANTERN)[0], 0.0)
    for seat in (0, 1):
        session = session.answer(Answer(seat, "lantern.show", "candle"), 0.0)
    assert [q.slug for q in session.questions()] == ["lantern.oil"]
    session = session.correct("oil:1", 7, 0.0)
    assert [q.slug for q in session.questions()] == ["lantern.follow"]


def test_watching_sees_every_step_outside_branches() -> None:
    seen: list[str] = []
    state = table()
    advance(state.push(BeginRound()), lambda s: seen.append(type(s.agenda[0]).__name__))
    assert seen[:2] == ["BeginRound", "Together"]
