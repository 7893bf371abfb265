"""A play by bots: they answer what is asked and do with their cards what they are told."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.core.agenda import open_asks, questions, take
from companion.core.fact_values import ONCE, anything, written
from companion.core.game import Bots, Game, Setup
from companion.core.questions import Answer
from companion.core.session import Session


def next_answer(state: Any, bots: Bots, random: Random) -> Answer:
    """What the bots answer next; seats that are asked together answer in any order."""
    _, ask = random.choice(open_asks(state))
    question = ask.ask(state)
    return Answer(ask.seat, ask.slug, bots.choose(state, question))


def any_answer(session: Session, random: Random) -> Answer:
    """Any option of any open question, and anything that can be told into its form: what nobody in their senses would
    answer, but could."""
    question = random.choice(questions(session.state))
    if question.form is not None and random.random() < 0.8:
        told = written(question.form, anything(question.form, random))
        return Answer(question.seat, question.slug, random.choice(("", ONCE)) + told)
    return Answer(question.seat, question.slug, random.choice(question.options).id)


def play(game: Game, setup: Setup, seed: int) -> Iterator[tuple[Any, Answer | None]]:
    """Every table of a whole play with the answer that led to it; the last one is the end."""
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
