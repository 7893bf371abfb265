"""Ways through a game for the laws: every set-up, and plays made by choosing anything that is offered."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from companion.core.agenda import questions
from companion.core.counters import Counter
from companion.core.fact_values import ONCE, anything, written
from companion.core.game import Game, Setup, every_game
from companion.core.questions import Answer
from companion.core.session import Session, begin

GAMES: list[Game] = list(every_game().values())
NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")


def setups(game: Game) -> list[Setup]:
    """Every number of players with every variant the game allows."""
    variants = game.box.variants
    found = []
    for seats in game.box.seats:
        for values in product(*(variant.values for variant in variants)):
            choices = {variant.id: value for variant, value in zip(variants, values, strict=True)}
            if all(variant.allowed(choices[variant.id], seats) for variant in variants):
                found.append(Setup(game.id, NAMES[:seats], choices))
    return found


def covering(game: Game) -> list[Setup]:
    """As few set-ups as have every number of players and every value of every variant in them."""
    chosen: list[Setup] = []
    lacking = {thing for setup in setups(game) for thing in _things(setup)}
    had: Tally[object] = Tally()

    def gain(setup: Setup) -> tuple[int, int]:
        """What is new in it; and, where that is alike, how seldom the rest was there before."""
        return len(lacking & _things(setup)), -sum(had[thing] for thing in _things(setup))

    while lacking:
        chosen.append(max(setups(game), key=gain))
        had.update(_things(chosen[-1]))
        lacking -= _things(chosen[-1])
    return chosen


def _things(setup: Setup) -> set[object]:
    return {len(setup.seats), *setup.choices.items()}


def called(x: object) -> str:
    """A game or a set-up as it is called among the tests."""
    if isinstance(x, Setup):
        return "-".join([str(len(x.seats)), *x.choices.values()])
    return x.id if isinstance(x, Game) else str(x)


ALL = [(game, setup) for game in GAMES for setup in setups(game)]
everywhere = pytest.mark.parametrize(("game", "setup"), ALL, ids=called)
"""Every game with every set-up."""

COVERING = [(game, setup) for game in GAMES for setup in covering(game)]


def any_answer(session: Session, random: Random) -> Answer:
    """Any option of any open question, and anything that can be told into its form."""
    question = random.choice(questions(session.state))
    if question.form is not None and random.random() < 0.8:
        told = written(question.form, anything(question.form, random))
        return Answer(question.seat, question.slug, random.choice(("", ONCE)) + told)
    return Answer(question.seat, question.slug, random.choice(question.options).id)


def any_counter(counters: tuple[Counter, ...], random: Random) -> Counter:
    """Any counter, every sort of them equally often: a map has hundreds of some."""
    sort = random.choice(sorted({counter.id.partition(":")[0] for counter in counters}))
    return random.choice([c for c in counters if c.id.partition(":")[0] == sort])


def walk(game: Game, setup: Setup, random: Random, most: int) -> Iterator[Session]:
    """A play of up to `most` answers, each chosen from what is offered."""
    session = begin(game, setup, 0.0)
    yield session
    for n in range(most):
        if session.over:
            return
        session = session.answer(any_answer(session, random), float(n))
        yield session
