"""Late signals: input is checked against the screen its author saw, and never applies to anything later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from companion.core.agenda import open_asks
from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.entries import Answered, Corrected, Redone, SeatLeft, Undone
from companion.core.game import Bots, Setup, games
from companion.core.journal import Journal
from companion.core.play import Play, read
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.store import Store
from companion.core.suggestions import as_suggested
from companion.core.understand import Press, Sighted
from companion.table.signal_intake import SignalIntake
from companion.table.signals import Confirmed, Proposal, ScanMode, SeenState
from tests import budgets
from tests.table.desks import SETUP, ListeningDesk

TABLES = 400 if budgets.campaign else 40
"""So many tables of each game."""


def hows(table: ListeningDesk) -> list[str]:
    return [outcome.how for outcome in table.outcomes]


def at_once(session: Session, intake: SignalIntake, random: Random) -> list[Proposal]:
    """What people do in the same moment, all of them before the same table."""
    seats = range(len(session.setup.seats))
    found: list[Proposal] = [Press(random.choice(seats)) for _ in range(3)]
    for question in intake.asked * 2:
        if question.dice is None and question.form is None:
            found.append(Answer(question.seat, question.slug, random.choice(question.options).id))
    if random.random() < 0.4:
        found += [Undone(session.last_deed)] * 2 if session.last_deed else []
        found += [Redone(session.next_deed)] * 2 if session.next_deed else []
    elif counters := session.counters():
        counter = random.choice(counters)
        found += [Corrected(counter.id, value) for value in random.sample(counter.values, 1)]
    random.shuffle(found)
    return found[: random.randint(2, 5)]


@contextmanager
def begun(folder: Path, game: str, random: Random) -> Iterator[tuple[Play, SignalIntake, Bots]]:
    """A play of as few as possible that has just begun, its intake, and bots who sit at it."""
    rules = games()[game]
    names = tuple(f"P{n}" for n in range(max(2, rules.box.seats[0])))
    with Store(folder / "journal.db") as store:
        play = Play.start(rules, Setup(game, names), Journal(store), Binder(store), 0.0)
        intake = SignalIntake()
        intake.enter(play)
        bots = rules.bots(play.session.setup, random)
        bots.follow(play.session.state, play.session.news)
        yield play, intake, bots


@pytest.mark.parametrize("game", list(games()))
def test_of_all_that_is_done_before_one_table_nothing_answers_the_next(tmp_path: Path, game: str) -> None:
    """Buttons, fingers, undo and corrections within one millisecond, for the same and for different questions: each
    question that was open is answered at most once, no other is, and only whole deeds are taken back."""
    random = Random(len(game))
    with begun(tmp_path, game, random) as (play, intake, bots):
        for n in range(TABLES):
            if play.session.over:
                break
            before = play.session
            open_then = {(ask.seat, ask.slug) for _, ask in open_asks(before.state)}
            for signal in at_once(before, intake, random):
                list(intake.propose(signal, float(n), SeenState(before)))
            now = play.session
            if now.follows(before):
                given = [
                    (entry.deed.answer.seat, entry.deed.answer.slug)
                    for moment in now.moments[len(before.moments) :]
                    if (entry := moment.entry) is not None
                    and isinstance(entry.deed, Answered)
                    and not entry.same_deed
                ]
                assert len(given) == len(set(given)), given
                assert set(given) <= open_then
            else:
                kept = before.moments[: -before.last_deed]
                assert now.moments[: len(kept)] == kept, "the whole deed was taken back, and no more"
                assert len(now.moments) == len(kept)
                list(intake.propose(Redone(before.last_deed), float(n)))
            back = len(play.session.moments) - len(before.moments)
            if back > 0:  # bots have cards that follow what they did themselves
                list(intake.propose(Undone(back), float(n)))
            answer = next_answer(play.session.state, bots, random)
            (outcome, *_) = intake.propose(answer, float(n))
            assert outcome.how == "accepted"
            bots.follow(play.session.state, play.session.news)
        with Store(tmp_path / "journal.db") as store:
            assert read(Journal(store).load(play.id)).session.state == play.session.state


@pytest.mark.parametrize("game", list(games()))
def test_all_that_is_suggested_is_taken_once(tmp_path: Path, game: str) -> None:
    """A second tap on "everybody as suggested", because nothing seems to happen, takes nothing of the next page."""
    random = Random(1)
    with begun(tmp_path, game, random) as (play, intake, bots):
        for n in range(TABLES):
            if play.session.over:
                break
            asked = [q for q in intake.asked if q.default is not None and not q.secret]
            before = play.session
            if asked:
                suggested = as_suggested(before.game, before.state, asked)
                chain = Confirmed(tuple(answer for answer, _ in suggested))
                first = list(intake.propose(chain, float(n), SeenState(before)))
                assert all(outcome.how in ("accepted", "offer") for outcome in first)
                once = play.session
                (again,) = intake.propose(chain, float(n), SeenState(before))
                assert again.how == "refused"
                assert play.session is once
                list(intake.propose(Undone(len(once.moments) - len(before.moments)), float(n)))
            list(intake.propose(next_answer(play.session.state, bots, random), float(n)))
            bots.follow(play.session.state, play.session.news)


def test_undo_tapped_again_while_the_first_is_written_takes_back_one_thing(playing: ListeningDesk) -> None:
    playing.settling()
    playing.desk.seen = SeenState(playing.session)
    moments = len(playing.session.moments)
    goes_on = playing.hold_up_the_disk()
    playing.desk.undo()
    playing.desk.undo()
    goes_on.set()
    playing.settle()
    assert hows(playing) == ["done", "refused"]
    assert len(playing.session.moments) == moments - 1


def test_a_number_that_changed_under_the_finger_is_not_set(playing: ListeningDesk) -> None:
    """Ania steps Bartek's chips while a card of his gives him some: nobody wants one more than there were."""
    playing.start_worlds()
    seen = SeenState(playing.session)
    playing.do(Corrected("chips:1", 5))
    playing.desk.propose(Corrected("chips:1", 1), seen=seen)
    playing.settle()
    assert playing.told == [("core.meanwhile", "refused")]
    playing.desk.propose(Corrected("chips:0", 1), seen=seen)
    playing.settle()
    assert playing.told == [("core.meanwhile", "refused")], "another number is still as it was"


def test_a_press_made_before_anything_was_offered_confirms_no_offer(playing: ListeningDesk) -> None:
    """Bartek presses to pass; in the same moment the camera finds a card of his lying there."""
    playing.settling()
    seen = SeenState(playing.session)
    playing.desk.set_scan_mode(ScanMode(seat=1))
    goes_on = playing.hold_up_the_disk()
    playing.camera.lie("gem-world")
    playing.desk.propose(Press(1), seen=seen)
    goes_on.set()
    playing.settle()
    assert hows(playing) == ["offer", "refused"]
    offer = playing.outcomes[0].meaning
    playing.desk.propose(Press(1), seen=SeenState(playing.session, offer))  # type: ignore[arg-type]
    playing.settle()
    assert playing.outcomes[2].how == "accepted"
    assert isinstance(deed := playing.session.moments[-1].entry.deed, Answered)  # type: ignore[union-attr]
    assert deed.answer.option == "gem-world"


@pytest.mark.parametrize("signal", [Press(0), Sighted("gem-world", 0)])
def test_in_a_pause_neither_a_button_nor_a_card_answers(playing: ListeningDesk, signal: Proposal) -> None:
    """Lamps are dark and the screen shows no question: an elbow on a button means nothing."""
    playing.settling()
    playing.desk.pause()
    playing.settle()
    entries = playing.session.entries
    playing.desk.propose(signal)
    playing.camera.show("gem-world", seat=None)
    playing.settle()
    assert playing.session.entries == entries
    assert {key for key, _ in playing.told} == {"core.paused-now"}
    playing.desk.unpause()
    playing.desk.propose(Press(0))
    playing.settle()
    assert playing.session.entries == entries + 2


def test_a_card_of_the_last_play_is_not_shown_again_in_this_one(playing: ListeningDesk) -> None:
    """Another play, in which as much has happened: a card is what it is there."""
    playing.camera.show("new-sparta")
    playing.settle()
    playing.desk.leave()
    playing.play(SETUP)
    playing.do(SeatLeft(1))
    assert playing.session.entries == 1
    entries = playing.session.entries
    playing.camera.show("new-sparta")
    playing.settle()
    assert hows(playing) == ["accepted"]
    assert playing.session.entries == entries + 1
