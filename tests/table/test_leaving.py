"""A player leaves in the middle: the others go on, nothing is invented, and a player who comes back plays on."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.core import session as sessions
from companion.core.binder import Binder
from companion.core.entries import Answered, SeatLeft
from companion.core.game import Game, Setup, games
from companion.core.journal import Journal
from companion.core.play import Play, read
from companion.core.questions import Answer, Question
from companion.core.store import Store
from companion.core.words import plain, say
from companion.errors import DONE, NotNow, Unknown
from companion.table.signal_intake import Refuse, SignalIntake
from companion.texts import render
from tests.inputs.typed_inputs import said

GAMES = games()


@pytest.fixture(params=GAMES)
def rules(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def begun(rules: Game, store: Store) -> tuple[SignalIntake, Play]:
    """A table of as few as can play, at which nobody has answered anything."""
    names = tuple(f"P{n}" for n in range(max(2, rules.box.seats[0])))
    play = Play.start(rules, Setup(rules.id, names), Journal(store), Binder(store), 0.0)
    intake = SignalIntake()
    intake.enter(play)
    return intake, play


def any_answer(question: Question, random: Random) -> Answer:
    """Something that is offered."""
    if question.dice is not None:
        return Answer(question.seat, question.slug, question.dice.thrown(random))
    chosen = question.options[0] if question.form is not None else random.choice(question.options)
    return Answer(question.seat, question.slug, chosen.id)


def test_the_others_go_on_and_what_was_answered_for_the_one_who_left_was_suggested(
    rules: Game, tmp_path: Path
) -> None:
    with Store(tmp_path / "journal.db") as store:
        intake, play = begun(rules, store)
        random = Random(3)
        list(intake.propose(SeatLeft(0), 1.0))
        assert play.session.away == {0}
        for at in range(25):
            if play.session.over:
                break
            waiting = [q for q in intake.asked if q.seat in (0, None)]
            for question in waiting:  # what nobody can suggest is still asked, and the table decides
                told = question.dice is not None or question.form is not None
                assert question.seat is None or question.default is None or told
            before = len(play.session.moments)
            answer = any_answer(random.choice(intake.asked), random)
            (*_,) = intake.propose(answer, float(at))
            for n in range(before + 1, len(play.session.moments)):
                entry, question = play.session.moments[n].entry, play.session.question_before(n)
                assert entry is not None
                assert entry.same_deed
                assert question is not None
                assert isinstance(entry.deed, Answered)
                assert entry.deed.answer.option == question.options[0].id
        assert rules.check(play.session.state) == ()
        again = read(Journal(store).load(play.id)).session
        assert (again.state, again.away) == (play.session.state, play.session.away)


def test_a_seat_that_is_back_is_asked_again(rules: Game, tmp_path: Path) -> None:
    with Store(tmp_path / "journal.db") as store:
        intake, play = begun(rules, store)
        list(intake.propose(SeatLeft(0), 1.0))
        list(intake.propose(SeatLeft(0, away=False), 2.0))
        assert play.session.away == frozenset()
        assert play.session.last is not None
        assert play.session.last.deed == SeatLeft(0, away=False)


def test_undo_takes_back_what_was_answered_for_them_and_not_what_was_before(tmp_path: Path) -> None:
    rules = next(iter(GAMES.values()))
    with Store(tmp_path / "journal.db") as store:
        intake, play = begun(rules, store)
        moments = len(play.session.moments)
        list(intake.propose(SeatLeft(0), 1.0))
        if len(play.session.moments) > moments:
            entry = play.session.moments[moments].entry
            assert entry is not None
            assert not entry.same_deed


def test_somebody_must_stay_and_nobody_leaves_twice(tmp_path: Path) -> None:
    session = sessions.begin(rules := next(iter(GAMES.values())), rules.usual_setup(), 0.0)
    gone = session.set_away(0, True, 1.0)
    for n in range(1, len(session.setup.seats) - 1):
        gone = gone.set_away(n, True, 1.0)
    with pytest.raises(NotNow):
        gone.set_away(0, True, 2.0)
    with pytest.raises(NotNow):
        gone.set_away(len(session.setup.seats) - 1, True, 2.0)
    with pytest.raises(NotNow):
        session.set_away(0, False, 2.0)
    for nobody in (-1, len(session.setup.seats)):
        with pytest.raises(Unknown):
            session.set_away(nobody, True, 2.0)


def test_a_seat_nobody_has_is_refused_at_the_door(tmp_path: Path) -> None:
    with Store(tmp_path / "journal.db") as store:
        intake, _ = begun(next(iter(GAMES.values())), store)
        (outcome,) = intake.propose(SeatLeft(99), 1.0)
        assert isinstance(outcome.meaning, Refuse)


@pytest.mark.parametrize(
    ("language", "left", "back"), [("en", "away p0", "back p0"), ("pl", "wyszła P0", "wrócił P0")]
)
def test_at_a_terminal_it_is_a_word(rules: Game, tmp_path: Path, language: str, left: str, back: str) -> None:
    names = tuple(f"P{n}" for n in range(max(2, rules.box.seats[0])))
    command = ["play", rules.id, "--text", "--seats", ",".join(names), "--language", language]
    typed = f"{left}\n{left}\naway somebody else\n{back}\n".encode()
    code, out, err = said(command, typed, tmp_path)
    told = " ".join(out.split())
    assert (code, err.strip()) == (DONE, "")
    for text in (
        say("ui.went", seat="P0"),
        say("core.away-already", seat="P0"),
        say("ui.who-is-that", words="somebody else", names=tuple(map(plain, names))),
        say("ui.came-back", seat="P0"),
    ):
        assert " ".join(render(text, language).split()) in told, text.key
