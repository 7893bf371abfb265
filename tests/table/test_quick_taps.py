"""Taps faster than the screen: those that still mean the same are written, and no others."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.core.autoplay import any_answer
from companion.core.binder import Binder
from companion.core.entries import Answered
from companion.core.game import Setup, games
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer, Question
from companion.core.session import Session
from companion.core.store import Store
from companion.core.understand import Press, Sighted
from companion.table.signal_intake import SignalIntake
from companion.table.signals import SeenState
from tests import budgets
from tests.table.desks import ListeningDesk

TABLES = 1000 if budgets.campaign else 100
"""So many screens of each game."""

DRAWN = "eclipse.technology"
OBJECTIVE = "transgalactica.objective"


def words(question: Question) -> object:
    """What is asked, without how many are to go."""
    return question.text.key, {name: said for name, said in question.text.args.items() if name != "n"}


def answered(now: Session, seen: Session, question: Question) -> list[int]:
    """Which moments since `seen` answered this question."""
    new = [(n, now.moments[n].entry) for n in range(len(seen.moments), len(now.moments))]
    deeds = [(n, entry.deed) for n, entry in new if entry is not None]
    return [
        n
        for n, deed in deeds
        if isinstance(deed, Answered)
        and (deed.answer.seat, deed.answer.slug) == (question.seat, question.slug)
    ]


def picks_on(now: Question, seen: Question, id: str) -> bool:
    """Whether the same is asked once more, and this option is still offered."""
    return (
        now.tally is not None
        and seen.tally is not None
        and now.tally.total == seen.tally.total
        and words(now) == words(seen)
        and now.option(id) is not None
    )


@pytest.mark.parametrize("game", list(games()))
def test_quick_taps_answer_what_their_screen_offered_and_none_that_means_the_same_is_lost(
    tmp_path: Path, game: str
) -> None:
    """Taps come at any rate: the screen lags behind the table by any number of them, and seats press in between."""
    random, rules = Random(29), games()[game]
    names = tuple(f"P{n}" for n in range(max(2, rules.box.seats[0])))
    queued = 0
    with Store(tmp_path / "journal.db") as store:
        play, intake = (
            Play.start(rules, Setup(game, names), Journal(store), Binder(store), 0.0),
            SignalIntake(),
        )
        intake.enter(play)
        touched: list[int] = []
        seen = SeenState(play.session, asked=intake.asked)
        for n in range(TABLES * 5):
            if play.session.over:
                break
            if random.random() < 0.25:  # the screen has come up with the table
                seen = SeenState(play.session, asked=intake.asked)
            plain = [q for q in seen.asked if q.dice is None and q.form is None]
            before = play.session
            if not plain or random.random() < 0.1:
                list(intake.propose(any_answer(before, random), float(n)))
                seen = SeenState(play.session, asked=intake.asked)
                continue
            if random.random() < 0.1:
                list(intake.propose(Press(random.randrange(len(names))), float(n)))
                continue
            asked = random.choice(plain)
            option = random.choice(asked.options)
            still = next((q for q in intake.asked if (q.seat, q.slug) == (asked.seat, asked.slug)), None)
            since = answered(before, seen.session, asked)
            (outcome, *_) = intake.propose(Answer(asked.seat, asked.slug, option.id), float(n), seen)
            if outcome.how == "accepted":
                touched.append(len(before.moments))
                assert still is not None
                offered = still.option(option.id)
                assert offered is not None
                assert words(still) == words(asked)
                assert (offered.text, offered.component) == (option.text, option.component)
                assert (offered.place, offered.group) == (option.place, option.group)
                assert not since or picks_on(still, asked, option.id)
                assert set(since) <= set(touched), "somebody else has picked since"
                queued += bool(since)
            elif still is not None and set(since) <= set(touched):
                assert not picks_on(still, asked, option.id), f"lost: {option.id}, {outcome.text}"
    if game == "eclipse":
        assert queued > 5, "nobody picked faster than the screen showed"


@pytest.fixture
def drawing(tmp_path: Path) -> ListeningDesk:
    """Technologies are drawn from Eclipse's bag, twelve of them."""
    table = ListeningDesk(tmp_path)
    table.play(Setup("eclipse", ("Ania", "Bartek")))
    while table.question().slug != DRAWN:
        table.do(table.first())
    table.desk.seen = SeenState(table.session, asked=table.desk.questions())
    return table


def test_all_technologies_tapped_on_one_page_are_drawn(drawing: ListeningDesk) -> None:
    """The disk is slow: none of them was written when the last was tapped."""
    question = drawing.question()
    assert question.tally is not None
    tapped = [option.id for option in question.options][: question.tally.total - 1]
    tapped.append(tapped[-1])  # two of the same
    goes_on = drawing.hold_up_the_disk()
    for id in tapped:
        drawing.desk.propose(Answer(None, DRAWN, id))
    goes_on.set()
    drawing.settle()
    assert [outcome.how for outcome in drawing.outcomes] == ["accepted"] * question.tally.total
    deeds = [moment.entry.deed for moment in drawing.session.moments[-len(tapped) :] if moment.entry]
    assert [deed.answer.option for deed in deeds if isinstance(deed, Answered)] == tapped


def test_one_tap_too_many_is_refused_with_a_sentence(drawing: ListeningDesk) -> None:
    question = drawing.question()
    assert question.tally is not None
    goes_on = drawing.hold_up_the_disk()
    for option in question.options[: question.tally.total + 1]:
        drawing.desk.propose(Answer(None, DRAWN, option.id))
    goes_on.set()
    drawing.settle()
    assert [outcome.how for outcome in drawing.outcomes] == ["accepted"] * question.tally.total + ["refused"]
    assert drawing.told[-1] == ("core.meanwhile", "refused")


def test_a_technology_taken_out_of_the_bag_to_the_last_tile_is_not_drawn_once_more(
    drawing: ListeningDesk,
) -> None:
    option = min(drawing.question().options, key=lambda one: int(one.signs[0].value))
    left = int(option.signs[0].value)
    goes_on = drawing.hold_up_the_disk()
    for _ in range(left + 1):
        drawing.desk.propose(Answer(None, DRAWN, option.id))
    goes_on.set()
    drawing.settle()
    assert [outcome.how for outcome in drawing.outcomes] == ["accepted"] * left + ["refused"]


def test_a_tap_is_refused_if_a_card_has_picked_since(drawing: ListeningDesk) -> None:
    """The player who tapped did not know of it: both may mean the same tile."""
    option = drawing.question().options[0]
    goes_on = drawing.hold_up_the_disk()
    drawing.desk.propose(Sighted(option.id))
    drawing.desk.propose(Answer(None, DRAWN, option.id))
    goes_on.set()
    drawing.settle()
    assert [outcome.how for outcome in drawing.outcomes] == ["accepted", "refused"]


def test_after_an_undo_no_tap_of_before_picks(drawing: ListeningDesk) -> None:
    one, other, third = (option.id for option in drawing.question().options[:3])
    drawing.desk.propose(Answer(None, DRAWN, one))
    drawing.settle()
    drawing.desk.seen = seen = SeenState(drawing.session, asked=drawing.desk.questions())
    goes_on = drawing.hold_up_the_disk()
    drawing.desk.propose(Answer(None, DRAWN, other))
    drawing.desk.undo()
    drawing.desk.propose(Answer(None, DRAWN, third))
    goes_on.set()
    drawing.settle()
    assert [outcome.how for outcome in drawing.outcomes] == ["accepted", "accepted", "refused", "accepted"]
    assert drawing.session.follows(seen.session)


def test_seats_that_pick_at_the_same_time_do_not_lose_taps_to_each_other(tmp_path: Path) -> None:
    """At the end of Transgalactica each seat names two objectives."""
    rules, random = games()["transgalactica"], Random(3)
    with Store(tmp_path / "journal.db") as store:
        setup = Setup("transgalactica", ("Ania", "Bartek"))
        play, intake = Play.start(rules, setup, Journal(store), Binder(store), 0.0), SignalIntake()
        intake.enter(play)
        while not any(question.slug == OBJECTIVE for question in intake.asked):
            list(intake.propose(any_answer(play.session, random), 0.0))
        seen = SeenState(play.session, asked=intake.asked)
        one, other, third, fourth = (option.id for option in intake.asked[0].options[:4])
        for seat, id in ((0, one), (1, other), (0, third), (1, fourth)):
            (outcome, *_) = intake.propose(Answer(seat, OBJECTIVE, id), 1.0, seen)
            assert outcome.how == "accepted"
