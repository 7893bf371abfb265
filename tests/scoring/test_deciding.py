"""The three sentences of what decided a play, held against the scorer, in every game."""

from itertools import pairwise
from random import Random

import pytest

from companion.core import session as sessions
from companion.core.autoplay import next_answer
from companion.core.deed_words import did
from companion.core.game import Setup, games
from companion.core.session import Session
from companion.results.deciding import deciding, first_two, lead, points_missing, turn
from companion.results.growth import growth
from companion.results.winning_margin import decided, split
from companion.texts import render
from scoring.count import Tally, sheet_of
from scoring.sheet import Line
from tests import budgets

SEEDS = range(40) if budgets.campaign else range(1)


def played(game: str, seed: int) -> Session:
    rules, random, at = games()[game], Random(seed), 0.0
    names = ("Ania", "Bartek", "Celina")[: 2 + seed % 2]
    session = sessions.begin(rules, Setup(game, names), at)
    bots = rules.bots(session.setup, random)
    while not session.over:
        bots.follow(session.state, session.state.news)
        at += 7
        session = session.answer(next_answer(session.state, bots, random), at)
    return session


@pytest.mark.every_game
@pytest.mark.parametrize("game", list(games()))
def test_every_sentence_is_what_the_scorer_says(game: str) -> None:
    for seed in SEEDS:
        session = played(game, seed)
        sheet = session.game.sheet(session.state)
        grown = growth(session)
        told = deciding(sheet, session, grown)
        for language in ("en", "pl"):
            assert all(text.key not in render(text, language) for text in told)
        two = first_two(sheet)
        if two is None:
            continue
        first, second = two
        # 1: the split adds up to the margin, whatever the lines
        assert sum(n for _, n in split(sheet)) == sheet.seats[first].total - sheet.seats[second].total
        assert told[0] == decided(sheet)
        # 2: the swing is the largest gain of any one deed
        held = lead(grown, sheet)
        if held is not None and held.swing is not None:
            ends = [(n, session.game.view(session.moments[n].state)) for _, n in session.deeds()]
            ahead = {
                n: (v.seats[first].points or 0) - (v.seats[second].points or 0) for n, v in ends if v.round
            }
            order = list(ahead)
            gains = {b: ahead[b] - ahead[a] for a, b in pairwise(order)}
            assert held.gain == max(gains.values()) == gains[held.swing.moment]
            (begun,) = (a for a, b in session.deeds() if b == held.swing.moment)
            assert render(did(session, begun), "en") in render(told[1], "en")
        # 3: the change is one that people can make, and then the play is scored with another winner
        turned = turn(session)
        if turned is not None:
            after = session.correct(turned.counter.id, turned.value, session.at + 1)
            winners = after.game.sheet(after.state).winners
            assert winners == turned.sheet.winners
            assert sheet.winners[0] not in winners


def test_nothing_smaller_would_have_turned_it() -> None:
    """Held against every smaller change of every number, each made as a correction."""
    session = played("race", 0)
    turned, winner = turn(session), session.game.sheet(session.state).winners[0]
    assert turned is not None
    by = abs(turned.value - turned.counter.value)
    for counter in session.counters():
        if counter.seat is None or counter.names or counter.is_switch:
            continue
        for value in range(
            max(counter.low, counter.value - by + 1), min(counter.high, counter.value + by - 1) + 1
        ):
            try:
                after = session.correct(counter.id, value, session.at + 1)
            except Exception:
                continue
            assert winner in after.game.sheet(after.state).winners, (counter.id, value)


@pytest.mark.parametrize(("tie", "missing"), [((0, 0), 4), ((0, 1), 3)])
def test_points_missing_in_a_sheet_respect_the_tie_break(tie: tuple[int, int], missing: int) -> None:
    tallies = [Tally(name, (Line("chips", n),), (t,)) for name, n, t in zip("AB", (10, 7), tie, strict=True)]
    assert points_missing(sheet_of("race", tallies)) == missing


def test_a_shared_victory_tells_no_lead_and_no_turn() -> None:
    tallies = [Tally(name, (Line("chips", 7),), (0,)) for name in "AB"]
    sheet = sheet_of("race", tallies)
    assert points_missing(sheet) is None
    assert len(deciding(sheet)) <= 1


def test_a_sheet_without_points_in_rounds_still_tells_two_things() -> None:
    tallies = [Tally("A", (Line("chips", 9),)), Tally("B", (Line("chips", 7),))]
    assert [render(text, "en") for text in deciding(sheet_of("race", tallies))] == [
        "Won by 2: Chips +2",
        "B would have won with 3 points more.",
    ]
