"""Plays by bots: they answer the questions and handle their cards as the news say."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.core.agenda import open_asks, question_at, questions, take
from companion.core.fact_values import ONCE, anything, written
from companion.core.game import Bots, Game, Setup
from companion.core.questions import Answer
from companion.core.session import Session


def next_answer(state: Any, bots: Bots, random: Random) -> Answer:
    """The bots' next answer; seats asked together answer in random order."""
    _, ask = random.choice(open_asks(state))
    question = question_at(state, ask)
    return Answer(ask.seat, ask.slug, bots.choose(state, question))


def any_answer(session: Session, random: Random) -> Answer:
    """A random option of a random open question, or a random value for its form: legal, but not sensible."""
    question = random.choice(questions(session.state))
    if question.form is not None and random.random() < 0.8:
        told = written(question.form, anything(question.form, random))
        return Answer(question.seat, question.slug, random.choice(("", ONCE)) + told)
    return Answer(question.seat, question.slug, random.choice(question.options).id)


def play(game: Game, setup: Setup, seed: int) -> Iterator[tuple[Any, Answer | None]]:
    """Every table of a whole play with the answer that led to it; the last one is the final table."""
    random = Random(seed)
    setup = game.complete(setup)
    bots = game.bots(setup, random)
    state = game.start(setup)
    bots.follow(state, state.news)
    yield state, None
    while state.agenda:
        answer = next_answer(state, bots, random)
        state = take(state, answer)
        bots.follow(state, state.news)
        yield state, answer
