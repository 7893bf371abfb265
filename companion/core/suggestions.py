"""The chain of default answers for all seats that are asked: one tap gives them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.agenda import State, questions, take
from companion.core.game import Game
from companion.core.questions import Answer, Option, Question
from companion.core.views import Tense

Suggested = tuple[tuple[Answer, Option], ...]
"""Answers in the order they would be given, each with its option."""


def as_suggested(rules: Game, state: State, asked: Sequence[Question]) -> Suggested:
    """The default answers to these questions, each followed by the defaults of the seat's next questions in
    this phase, as long as those are `foreseen`."""
    return tuple(_followed(rules, state, asked))


def _followed(rules: Game, state: State, asked: Sequence[Question]) -> Iterator[tuple[Answer, Option]]:
    now = _phase(rules, state)
    for question in asked:
        next_one: Question | None = question
        while next_one is not None and next_one.default is not None:
            answer = Answer(next_one.seat, next_one.slug, next_one.default.id)
            yield answer, next_one.default
            state = _settled(take(state, answer))
            next_one = next((q for q in questions(state) if q.seat == question.seat and q.foreseen), None)
            if _phase(rules, state) != now:
                return


def _settled(state: State) -> State:
    """The table after all forced answers."""
    while (forced := next((q for q in questions(state) if q.only is not None), None)) is not None:
        assert forced.only is not None
        state = take(state, Answer(forced.seat, forced.slug, forced.only.id))
    return state


def _phase(rules: Game, state: State) -> tuple[int, str]:
    view = rules.view(state)
    return view.round, next((phase.id for phase in view.phases if phase.tense is Tense.NOW), "")
