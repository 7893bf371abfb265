"""A name that people entered is the only one a play shows: in questions, news, views, counters, faces and sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from msgspec import Struct

from companion.core.agenda import State, questions
from companion.core.autoplay import play
from companion.core.components import NAME_LANGUAGES, Facts
from companion.core.game import Game, Setup
from companion.core.words import NAMED, Text, inside
from companion.results.sheets import sheet_words
from companion.texts import LANGUAGES, fold, render
from tests import budgets
from tests.laws.walks import COVERING, GAMES, called, covering

FEW = [(game, covering(game)[-1]) for game in GAMES]
PLAYED = COVERING if budgets.campaign else FEW
SELDOM = 1 if budgets.campaign else 25
"""After so many answers view, counters and sheet are read; questions and news after each."""

WORDS = {"tech-starbase", "develop", "galactic-salon", "second-ship"}
"""Printed names that are words of the rules as well: ships are called so, a phase, a condition of powers. So may be any
name of a single word."""


def taught(game: Game) -> Facts:
    """A made-up name for every component, in each language."""
    return {
        f"{id}.name.{language}": f"Qx{n}{language}"
        for n, id in enumerate(game.every_component())
        for language in NAME_LANGUAGES
    }


def texts_in(value: object) -> Iterator[Text]:
    """Every sentence in a value, however deep."""
    if isinstance(value, Text):
        yield from inside(value)
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from texts_in(getattr(value, field))
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from texts_in(inner)


def lasting(game: Game, setup: Setup, state: State) -> Iterator[Any]:
    """All that people may read of a table, without the names of phases, which are no components."""
    view = game.view(state)
    yield from (getattr(view, field) for field in view.__struct_fields__ if field != "phases")
    yield game.counters(state)
    box = game.catalogue(setup, state.taught)
    placed = (one.component for seat in view.seats for one in seat.components)
    yield from (game.face(box[id]) for id in placed if id in box)
    sheet = game.sheet(state)
    words = sheet_words(sheet).words
    lines = [line for seat in sheet.seats for line in seat.lines]
    yield [words(what) for what in chain((line.what for line in lines), *(line.because for line in lines))]


def read_in_play(game: Game, setup: Setup) -> set[Text]:
    """Every sentence of a play by bots."""
    read: set[Text] = set()
    for n, (state, _) in enumerate(play(game, setup, 1)):
        values = [questions(state), state.news, *(lasting(game, setup, state) if n % SELDOM == 0 else ())]
        read.update(chain.from_iterable(map(texts_in, values)))
    return read


@pytest.mark.parametrize(("game", "setup"), PLAYED, ids=called)
def test_told_names_replace_printed_ones(game: Game, setup: Setup) -> None:
    facts = taught(game)
    old = {
        fold(name): component.id
        for component in game.every_component().values()
        for name in component.name.known.values()
        if " " in name and component.id not in WORDS
    }
    read = read_in_play(game, game.complete(Setup(game.id, setup.seats, setup.choices, facts)))
    names = {text for text in read if text.key == NAMED}
    assert names
    for text in names:
        told = {language: facts.get(f"{text.args['id']}.name.{language}") for language in NAME_LANGUAGES}
        assert {language: text.args.get(language) for language in NAME_LANGUAGES} == told, text
    printed = re.compile("|".join(map(re.escape, old)) or "(?!)")
    for text in read - names:
        for language in LANGUAGES:
            found = printed.search(fold(render(text, language)))
            assert found is None, (text, found)
