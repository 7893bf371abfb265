"""Lamps and buttons, from simulated pins with bouncing contacts to the play and back."""

from random import Random

import pytest
from msgspec.structs import replace

from companion.core.lamps import Lamp, lamps, numbers, reveals
from companion.core.questions import Answer
from companion.core.understand import Sighted
from companion.table.seat_panel import REVEAL
from devices.segment_displays import number
from devices.simulator import Simulator
from devices.wiring_config import Knob, default

DARK = (0.0, 0.0, 0.0)


class Seated:
    """The app with a simulated panel, and time that only passes when somebody says so."""

    def __init__(self, rehearsal) -> None:
        self.r, self.at = rehearsal, 1000.0
        usual = default(4, counters=True)
        knob = Knob(a=21, b=20, press=16)
        whole = replace(usual.whole, next=None, knob=knob)
        self.simulator = Simulator(replace(usual, whole=whole), self.at)
        self.panel = rehearsal.app.panel.attach(self.simulator, lambda: self.at)

    def let(self, seconds: float) -> None:
        """Time passes; whatever is due happens."""
        end = self.at + seconds
        while True:
            due = self.panel.due
            self.at = end if due is None else min(end, max(self.at, due))
            self.panel.step(self.at)
            self.r.app.desk.clerk.settle()
            if self.at >= end:
                break
        self.r.settle()
        self.panel.step(self.at)

    def press(self, who) -> None:
        self.let(
            self.simulator.press(who, self.at) - self.at + 0.4
        )  # two quick presses would be a double one

    def hold(self, who) -> None:
        self.let(self.simulator.hold(who, self.at) - self.at + 0.05)

    def double(self, who) -> None:
        self.let(self.simulator.double(who, self.at) - self.at + 0.05)

    def lit(self) -> set[int]:
        return {seat for seat, light in self.simulator.lamps().items() if light != DARK}

    @property
    def session(self):
        return self.r.app.desk.session


@pytest.fixture
def seated(rehearsal):
    seated = Seated(rehearsal)
    yield seated
    rehearsal.app.panel.seats = None
    seated.panel.stop()


def asked(session) -> set[int]:
    return {q.seat for q in session.questions() if q.seat is not None}


def test_a_whole_game_by_buttons_and_scans_alone(rehearsal, seated):
    """No touch at all; after every answer every lamp and every counter is as it must be."""
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), seed=7)
    seated.let(REVEAL + 0.1)
    random, pressed, scanned, turned = Random(5), 0, 0, 0
    while not seated.session.over:
        before = seated.session
        assert seated.lit() == asked(before)
        wishes = [(q, q.option(rehearsal._bots.choose(before.state, q))) for q in before.questions()]
        random.shuffle(wishes)
        easy = [(q, o) for q, o in wishes if o == q.default or o.component is not None]
        question, option = (
            easy or [(q, o) for q, o in wishes if q == rehearsal.app.screen.shown_question()]
        )[0]
        if not easy:  # neither the usual answer nor a card: turn the knob to it
            turned += 1
            seated.let(seated.simulator.turn(question.options.index(option) + 1, seated.at) - seated.at + 0.1)
            seated.press("next")
        elif option == question.default:
            pressed += 1
            seated.press(question.seat if question.seat is not None else 0)
        else:
            scanned += 1
            rehearsal.app.desk.propose(Sighted(option.component, question.seat))
            rehearsal.settle()
            if (
                rehearsal.app.asked is not None
            ):  # the card could mean several things: the first, by the table's button
                seated.press("next")
            seated.let(0.05)
        after = seated.session
        assert after.last_deed == after.entries - before.entries > 0, (question.slug, option.id)
        rehearsal._bots.follow(after.state, after.news)
        if reveals(after):
            assert seated.lit() == {0, 1, 2}  # turn it over now
            seated.let(REVEAL)
        assert {n: seated.simulator.counters()[n].strip() for n in range(3)} == {
            n: number(points).strip() for n, points in enumerate(numbers(after))
        }
    assert pressed > 20
    assert scanned > 20
    assert turned > 0
    winners = {after.setup.seats.index(name) for name in after.game.sheet(after.state).winners}
    assert {n for n, lamp in enumerate(lamps(after)) if lamp is Lamp.WINNER} == winners
    seen = set()
    for _ in range(20):
        seated.let(0.2)
        seen |= seated.lit()
    assert seen == winners


def test_a_refused_press_flashes_and_changes_nothing(rehearsal, seated):
    rehearsal.play("race", ("Ania", "Bartek"))
    seated.let(0.1)
    before = seated.session
    assert before.questions()[0].default is None
    heard = []
    rehearsal.app.voice.sound = heard.append
    end = seated.simulator.press(0, seated.at)
    lights = set()
    while seated.at < end + 0.6:
        seated.let(0.02)
        lights.add(0 in seated.lit())
    assert lights == {True, False}  # it was lit before, and is again
    assert 0 in seated.lit()
    assert seated.session is before
    assert heard == ["refused"]


def test_a_double_press_takes_back_what_its_first_press_did_and_shows_the_options(rehearsal, seated):
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(lambda s: any(q.default is not None and not q.secret for q in s.questions()))
    seated.let(0.1)
    question = next(q for q in seated.session.questions() if q.default is not None and not q.secret)
    before = seated.session.state
    seated.double(question.seat)
    assert seated.session.state == before
    assert rehearsal.app.screen.name == "choose"
    assert rehearsal.app.screen.seat == question.seat


def test_a_long_press_shows_ones_place_and_hides_it_again(rehearsal, seated):
    rehearsal.play("race", ("Ania", "Bartek"))
    seated.hold(1)
    assert rehearsal.app.front.sheet.seat == 1
    seated.hold(1)
    assert rehearsal.app.front.sheet is None
    assert rehearsal.app.screen.name == "table"


def test_the_tables_undo_takes_back_and_held_does_it_again(rehearsal, seated):
    rehearsal.play("race", ("Ania", "Bartek"), answers=6)
    before = seated.session
    seated.press("undo")
    assert len(seated.session.moments) == len(before.moments) - 1
    seated.hold("undo")
    assert seated.session.state == before.state


def test_next_gives_the_usual_answer_of_the_only_one_asked(rehearsal, seated):
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal.play_until(
        lambda s: (
            len(s.questions()) == 1 and s.questions()[0].default is not None and not s.questions()[0].secret
        )
    )
    (question,) = seated.session.questions()
    seated.press("next")
    expected = Answer(question.seat, question.slug, question.default.id)
    assert seated.session.last.deed.answer == expected


def test_seats_without_a_play_press_into_nothing(rehearsal, seated):
    seated.press(0)
    seated.double(1)
    seated.hold(2)
    seated.press("undo")
    seated.press("next")
    assert rehearsal.app.screen.name == "home"
    assert seated.lit() == set()
