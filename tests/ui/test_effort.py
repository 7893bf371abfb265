"""The counts of `benchmarks/effort.py` match real touches: recorded plays are clicked through in the window."""

from itertools import islice

import pytest

from benchmarks.effort import LOGS, ReplayedTable, race_plays
from companion.core.digest import digest
from companion.core.play import Play

PLAYS = {"two with two actions each": 0, "four": 1}
"""Of the recorded ones."""


@pytest.mark.parametrize("nth", PLAYS.values(), ids=PLAYS)
def test_a_recorded_play_takes_as_many_taps_as_are_counted(rehearsal, nth):
    rules, setup, answers = next(islice(race_plays(LOGS), nth, None))
    counted = ReplayedTable(rules, setup, answers, "touch")
    effort = counted.play()
    assert len(counted.taps) == effort.taps
    desk = rehearsal.app.desk
    desk.begin(lambda journal, binder: Play.start(rules, setup, journal, binder, rehearsal.now))
    rehearsal.settle()
    for n, name in enumerate(counted.taps):
        assert name in rehearsal.taps(), (n, name, [question.slug for question in desk.questions()])
        rehearsal.tap(name)
    assert desk.session.over
    assert digest(desk.session.state) == digest(counted.state)
