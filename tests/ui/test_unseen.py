"""A touch counts only for what its author can have seen there, however fast things change."""

import threading
from contextlib import contextmanager
from random import Random

import pytest

from companion.core.entries import Answered
from companion.core.understand import Press
from companion.ui.toolkit.layouts import REACTION
from workshop.screens.rehearsal import Finger

pytestmark = pytest.mark.every_game

FIVE_A_SECOND = 0.2


class Quick:
    """Somebody who touches the window at any rate."""

    def __init__(self, rehearsal):
        self.r = rehearsal

    def touch(self, point, after):
        """Touch this point so many seconds after the last touch."""
        self.r._touched += after
        finger = Finger(*point)
        finger.came = self.r._touched
        self.r._dispatch("begin", finger)
        self.r._dispatch("end", finger)

    def place(self, name):
        return self.r.middle(self.r.taps()[name])

    @contextmanager
    def slow_disk(self):
        written = threading.Event()
        self.r.app.desk.clerk.do(lambda journal, binder: written.wait(), lambda _: None, lambda _: None)
        try:
            yield
        finally:
            written.set()
            self.r.settle()

    @property
    def given(self):
        """The options that were answered by hand, in order."""
        deeds = [moment.entry.deed for moment in self.r.app.desk.session.moments if moment.entry]
        return [deed.answer.option for deed in deeds if isinstance(deed, Answered)]


@pytest.fixture
def quick(rehearsal):
    return Quick(rehearsal)


@pytest.fixture
def drawing(rehearsal):
    """Technologies are drawn for three."""
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=1)
    rehearsal.play_until(lambda session: session.questions()[0].slug == "eclipse.technology")
    rehearsal._touched += 10.0
    return Quick(rehearsal)


@pytest.mark.parametrize("seed", range(6))
def test_of_technologies_touched_five_times_a_second_none_is_lost(drawing, seed):
    """All that are drawn, at a disk that writes now and then."""
    desk, random = drawing.r.app.desk, Random(seed)
    question = desk.questions()[0]
    total, before = question.tally.total, len(drawing.given)
    assert total == 14
    names = [f"option-{random.choice(question.options[:24]).id}" for _ in range(total)]
    left = {f"option-{option.id}": int(option.signs[0].value) for option in question.options}
    names = [name for n, name in enumerate(names) if names[:n].count(name) < left[name]]
    names += [name for name in left if name not in names][: total - len(names)]
    places = {name: drawing.place(name) for name in names}
    tapped = list(names)
    while tapped:
        with drawing.slow_disk():
            for _ in range(random.randint(1, 5)):
                if tapped:
                    drawing.touch(places[tapped.pop(0)], FIVE_A_SECOND)
                    drawing.r.frames(random.randint(0, 2))
        drawing.r.frames(1)
    assert [f"option-{id}" for id in drawing.given[before : before + total]] == names
    assert drawing.r.app.message is None or drawing.r.app.message[1] != "refused"


def test_neighbours_touched_close_to_their_common_edge_are_both_meant(drawing):
    """They stood there before the first touch: this is no finger that trembles on something new."""
    one, other = (drawing.r.taps()[f"option-{o.id}"] for o in drawing.r.app.desk.questions()[0].options[:2])
    before = len(drawing.given)
    drawing.touch((one.right - 4, one.center_y), 1.0)
    drawing.r.settle()
    drawing.touch((other.x + 4, other.center_y), FIVE_A_SECOND)
    drawing.r.settle()
    assert len(drawing.given) == before + 2


@pytest.fixture
def settling(rehearsal):
    """Both are asked what to settle, each in a row of their own; then another question stands there."""
    rehearsal.play("race", ("Ania", "Bartek"), seed=3)
    rehearsal._touched += 10.0
    return Quick(rehearsal)


def shown(rehearsal):
    """Everything to touch, with where it is and what it is about."""
    return {name: (tap.about, rehearsal.middle(tap)) for name, tap in rehearsal.taps().items()}


def moved_under(quick, most=40):
    """A point where an option has just come to stand, after an answer somebody else gave."""
    for _ in range(most):
        before = shown(quick.r)
        quick.r._touched += 10.0
        quick.r.play_on(1)
        after = shown(quick.r)
        for name, (about, point) in after.items():
            there = [old for old, (_, at) in before.items() if at == point]
            if name.startswith("option-") and there != [name]:
                return name, point
            if name.startswith("option-") and before[name][0] != about:
                return name, point
    raise AssertionError("nothing ever moved")


@pytest.mark.parametrize("after", [0.01, 0.1, REACTION - 0.01])
def test_an_option_that_has_just_come_under_the_finger_is_not_touched(settling, after):
    _, point = moved_under(settling)
    session = settling.r.app.desk.session
    settling.touch(point, after)
    settling.r.settle()
    assert settling.r.app.desk.session is session
    assert settling.r.screen.name == "table"
    assert settling.r.app.message == (settling.r.app.desk.say("ui.just-changed"), "refused")


def test_once_it_was_there_long_enough_to_be_seen_it_is_touched(settling):
    name, point = moved_under(settling)
    drafts = settling.r.app.desk.session
    settling.touch(point, REACTION + 0.01)
    settling.r.settle()
    told = settling.r.app.message
    assert told is None or told[0] != settling.r.app.desk.say("ui.just-changed")
    assert settling.r.app.desk.session is not drafts or settling.r.screen.drafts.told, name


def test_how_long_that_is_can_be_set(settling, monkeypatch):
    monkeypatch.setattr(settling.r.app.layouts, "reaction", 3.0)
    _, point = moved_under(settling)
    session = settling.r.app.desk.session
    settling.touch(point, 2.9)
    settling.r.settle()
    assert settling.r.app.desk.session is session


def test_a_touch_before_the_new_page_was_drawn_does_not_answer_it(settling):
    """On a busy machine a page is built long before people see it."""
    before, point = None, None
    desk = settling.r.app.desk
    while point is None:
        before = shown(settling.r)
        settling.r._touched += 10.0
        seat = desk.questions()[0].seat
        desk.propose(Press(0 if seat is None else seat))
        desk.clerk.settle()
        settling.r.play_on(1)
        after = shown(settling.r)
        point = next((at for name, (_, at) in after.items() if name not in before), None)
    settling.r.app.layouts._past[-1] = (float("inf"), settling.r.app.layouts._past[-1][1])
    session = desk.session
    settling.touch(point, 5.0)
    settling.r.settle()
    assert desk.session is session


def test_a_question_that_stays_where_it_is_can_be_touched_though_another_seat_has_answered(rehearsal):
    """Three choose at the same time, in rows of their own."""
    rehearsal.play("frontiers", ("Ania", "Bartek", "Celina"), seed=3)
    quick = Quick(rehearsal)
    still = None
    while still is None:
        rehearsal.play_on(1)
        rehearsal.play_until(
            lambda session: len(session.questions()) > 2 and session.questions()[0].has_default
        )
        rehearsal._touched += 10.0
        before = shown(rehearsal)
        rehearsal.app.desk.propose(Press(rehearsal.app.desk.questions()[0].seat))
        rehearsal.settle()
        after = shown(rehearsal)
        still = next((n for n in after if n.startswith("option-") and before.get(n) == after[n]), None)
    session = rehearsal.app.desk.session
    assert not rehearsal.screen.drafts.told
    quick.touch(after[still][1], 0.1)
    rehearsal.settle()
    assert rehearsal.app.desk.session is not session or rehearsal.screen.drafts.told
