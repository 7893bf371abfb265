"""A whole game by bots through the camera with the screen up, frame by frame instead of by a clock."""

import threading
import time
from random import Random

import pytest

from companion.core.agenda import questions, take
from companion.core.autoplay import next_answer
from companion.core.game import Setup, games
from companion.core.questions import Answer
from companion.core.session import Answered
from companion.recognition import reading
from companion.recognition.virtual_cards import Cards
from companion.table.camera_feed import CameraFeed
from companion.ui.rehearsal.demo import SEATS, SEED, Demo
from tests import budgets
from vision import CameraTrouble
from vision.virtual import PRESETS, VirtualTable
from vision.worker import Worker

RACE = games()["race"]


class Paced(CameraFeed):
    """The usual lookout, whose worker looks when it is told to instead of in a thread."""

    def __init__(self, table: VirtualTable, clock) -> None:
        super().__init__(clock)
        self._worker = Worker(table, reading.reader(RACE), clock, self.wake)
        self._worker.wait_for_scan(True)

    def look(self) -> None:
        self._worker.look()

    def stop(self) -> None:
        pass


@pytest.fixture
def demo(rehearsal):
    table = VirtualTable(
        PRESETS["good-lamp"], 3, size=(800, 450), width=600.0, fps=1000.0, clock=rehearsal.clock
    )
    rehearsal.app.look_through(Paced(table, rehearsal.clock))
    app = rehearsal.app
    app.desk.start(RACE, Setup("race", ("Ania", "Bartek")))
    rehearsal.settle()
    return Demo(app, RACE, 3, Cards(RACE, table, room=4), speed=0.8, clock=rehearsal.clock, patience=3.0)


FEW = 20
"""Cards read in a usual run; a campaign reads those of the whole game."""


def test_bots_play_through_the_camera_a_campaign_to_the_end(rehearsal, demo):
    app = rehearsal.app
    app.watching = demo.picture
    for _ in range(3000):
        demo.step()
        app.lookout.look()
        app.desk.clerk.settle()
        rehearsal.frames(1)
        rehearsal.now += 0.2
        if app.screen.name == "score" or (not budgets.campaign and demo.read == FEW):
            break
    answered = [
        m.entry
        for m in app.desk.session.moments
        if m.entry and isinstance(m.entry.deed, Answered) and not m.entry.along
    ]
    assert demo.read + demo.tapped == len(answered)
    assert demo.read > 2 * demo.tapped, "nearly every card is read, hardly any tapped"
    if not budgets.campaign:
        assert demo.read == FEW
        return
    assert app.screen.name == "score"
    assert app.desk.session.over
    assert demo.read > 40
    sheet = RACE.sheet(app.desk.session.state)
    rehearsal.settle()
    words = rehearsal.words()
    for seat in sheet.seats:
        assert {seat.name, str(seat.total)} <= set(words)
    assert any(all(name in told for name in sheet.winners) and "win" in told for told in words)


def test_a_demonstration_leaves_peoples_own_table_as_it_was(rehearsal):
    app = rehearsal.app
    rehearsal.play("race", ("Ania", "Bartek"), answers=4, seed=2)
    app.home()
    app.desk.leave()
    rehearsal.settle()
    own, folder = app.desk, app.folder
    rehearsal.tap("demonstration")
    assert (app.screen.name, app.desk is own) == ("table", False)
    assert app.desk.session.setup.seats == ("Ania", "Bartek", "Celina")
    assert (app.folder == folder, app.folder.exists()) == (False, True)
    away = app.folder
    app.home()
    rehearsal.settle()
    assert (app.desk, app.folder, away.exists()) == (own, folder, False)
    assert (app.watching, app.screen.name) == (None, "home")
    rehearsal.tap("resume")
    assert app.desk.session.setup.seats == ("Ania", "Bartek")


def test_only_what_is_held_up_is_framed(rehearsal, demo):
    app = rehearsal.app
    app.watching = demo.picture
    app.refresh()
    held = set()
    for _ in range(90):
        demo.step()
        app.lookout.look()
        app.desk.clerk.settle()
        rehearsal.frames(1)
        demo.show()
        rehearsal.now += 0.2
        assert len(demo._shown.labels) <= 1
        held |= {label.text for label in demo._shown.labels}
    assert held
    assert len(demo.cards.lying) > 1


def test_a_demonstration_of_eclipse_comes_to_a_battle_soon():
    rules, random = games()["eclipse"], Random(SEED)
    setup = rules.complete(Setup("eclipse", SEATS))
    state = rules.start(setup)
    bots = rules.bots(setup, random)
    bots.follow(state, state.news)
    for _ in range(70):
        state = take(state, next_answer(state, bots, random))
        bots.follow(state, state.news)
        if any(question.dice for question in questions(state)):
            return
    pytest.fail("nobody fights")


def test_a_demonstration_does_not_wait_for_a_camera_that_is_still_being_opened(rehearsal, tmp_path):
    opening, free, given_up = threading.Event(), threading.Event(), threading.Event()

    def opened(source):
        opening.set()
        free.wait(20)
        given_up.set()
        raise CameraTrouble("stopped", source=source)

    own = CameraFeed(time.monotonic, opened)
    rehearsal.app.look_through(own)
    own.watch("late")
    assert opening.wait(20)
    rehearsal.app.visit(tmp_path, CameraFeed(time.monotonic), "none", lambda: None)
    assert not given_up.is_set()
    free.set()
    rehearsal.app.go("how")
    rehearsal.app.home()
    rehearsal.settle()
    assert rehearsal.app.lookout is own


@pytest.mark.parametrize("touched", ["undo", "option"])
def test_whoever_looks_on_may_take_part_and_nothing_breaks(rehearsal, touched):
    """Bots know their own cards only: once somebody takes something back or answers, it is their play."""
    app = rehearsal.app
    app.desk.start(RACE, Setup("race", ("Ania", "Bartek")))
    rehearsal.settle()
    demo = Demo(app, RACE, 3, None, speed=0, clock=rehearsal.clock)

    def go_on(steps):
        for _ in range(steps):
            rehearsal.now += 1.0
            demo.step()
            rehearsal.settle()

    go_on(12)
    assert len(app.desk.session.moments) > 4
    if touched == "undo":
        app.desk.undo()
    else:
        question = app.desk.questions()[0]
        app.desk.propose(Answer(question.seat, question.slug, question.options[-1].id))
    rehearsal.settle()
    entries = app.desk.session.entries
    go_on(20)
    assert app.screen.name == "table"
    assert app.desk.session.entries == entries
