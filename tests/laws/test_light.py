"""Light play follows the rules: order and phases are those of the full game, turn by turn."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import session as sessions
from companion.core.agenda import questions
from companion.core.autoplay import next_answer
from companion.core.entries import decode_entry, encode_entry
from companion.core.flow.file import flow_in
from companion.core.flow.game import lightened, shipped_flow
from companion.core.game import Game, Setup, game
from companion.core.questions import Question
from companion.core.session import Session
from companion.errors import NotNow
from tests import budgets
from tests.laws.light_follower import GAMES, follow
from tests.laws.walks import covering

PLAYS = 200 if budgets.campaign else 5


def _setups(rules: Game) -> list[Setup]:
    """Set-ups with every number of seats the flow has and every variant."""
    flow = flow_in(shipped_flow(rules.id) or "")
    assert set(flow.seats) <= set(rules.box.seats)
    return [setup for setup in covering(rules) if len(setup.seats) in flow.seats]


def _asked(question: Question) -> Question:
    """A question without the notes, which name those who passed in any order."""
    return replace(question, notes=())


@pytest.mark.parametrize("id", GAMES)
def test_light_play_follows_the_full_game(id: str) -> None:
    """Fed with who is done, who passes and which phases come, and nothing else."""
    rules = game(id)
    setups = _setups(rules)
    for seed in range(PLAYS):
        setup = setups[seed % len(setups)]
        moments = 0
        for follower, moment in follow(rules, setup, seed):
            at = rules.light(moment.full)  # type: ignore[misc]
            light = moment.light
            moments += 1
            if not at.round:
                continue
            if not at.phase or not moment.full.agenda:
                assert follower.over
                continue
            (question,) = questions(light)
            assert (at.round, at.phase, at.seat) == (light.round, light.phase, question.seat)
            down = lightened(rules, moment.full, setup.seats, follower.text)
            if _counted(follower.light, light) == _counted(follower.light, down):
                assert [_asked(q) for q in questions(down)] == [_asked(question)]
            assert follower.light.view(down).coming == follower.light.view(light).coming
        assert moments > 5


def _counted(rules: Game, state: Any) -> list[tuple[str, int]]:
    return [(one.id, one.value) for one in rules.counters(state)]


@pytest.mark.parametrize("id", GAMES)
def test_going_down_at_every_kind_of_moment_ends_properly(id: str) -> None:
    """It is possible at every question, and undo leads back. From each kind of question the light play is played
    to its end, and a replay through the journal's bytes gives the same play."""
    rules, text = game(id), shipped_flow(id)
    assert text is not None
    setups, seen = _setups(rules), set[str]()
    for seed in range(20 if budgets.campaign else 1):
        random = Random(seed)
        setup = rules.complete(setups[seed % len(setups)])
        session, bots = sessions.begin(rules, setup, 0.0), rules.bots(setup, random)
        bots.follow(session.state, session.state.news)
        while not session.over:
            kinds = {question.slug for question in session.questions()}
            if not kinds <= seen or random.random() < 0.1:
                light = session.lighten(text, 1.0)
                assert light.undo(1, 1.0).state is session.state
                assert light.undo(1, 1.0).game is rules
                assert light.undo(1, 1.0).redo(1, 1.0).state is light.state
                with pytest.raises(NotNow):  # it is light already
                    light.lighten(text, 1.0)
                if not kinds <= seen:
                    _to_the_end(light, rules, setup, random)
                seen |= kinds
            session = session.answer(next_answer(session.state, bots, random), 0.0)
            bots.follow(session.state, session.state.news)
    assert len(seen) > 3


def _to_the_end(session: Session, rules: Game, setup: Setup, random: Random) -> None:
    bots = session.game.bots(setup, random)
    while not session.over:
        session = session.answer(next_answer(session.state, bots, random), 1.0)
    session.game.view(session.state), session.game.sheet(session.state), session.counters()
    entries = [moment.entry for moment in session.moments if moment.entry is not None]
    bodies = [encode_entry(entry) for entry in entries]
    again = sessions.replay(rules, setup, 0.0, [decode_entry(body) for body in bodies])
    assert again.state == session.state
    assert again.game is session.game
    assert session.game.decode(session.game.encode(session.state)) == session.state
