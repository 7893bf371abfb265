"""Wear of the memory card: an answer writes little, and looking writes nothing."""

from pathlib import Path
from random import Random

import pytest

from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.game import Setup, games
from companion.core.journal import Journal
from companion.core.play import Play, read
from companion.core.store import Store

PAGE, FRAME = 4096, 24
"""Bytes of a page of the journal, and of what SQLite puts before each."""


def written():
    """Bytes this thread has handed to the kernel for writing."""
    lines = Path("/proc/thread-self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar:"))


@pytest.fixture
def evening(tmp_path):
    """A whole play: the bytes each answer cost, and the journal."""
    rules, random = games()["race"], Random(1)
    with Store(tmp_path / "journal.db") as store:
        journal = Journal(store)
        play = Play.start(rules, Setup("race", ("Ania", "Bartek")), journal, Binder(store), 0.0)
        bots, followed, costs = rules.bots(play.session.setup, random), 0, []
        while not play.session.over:
            moments = play.session.moments
            bots.follow(play.session.state, tuple(news for m in moments[followed:] for news in m.state.news))
            followed = len(moments)
            answer = next_answer(play.session.state, bots, random)
            before = written()
            play.answer(answer, 1.0)
            costs.append(written() - before)
        yield costs, journal


def test_an_answer_writes_two_pages_and_an_evening_less_than_two_megabytes(evening):
    costs, _ = evening
    assert len(costs) > 50
    assert sorted(costs)[len(costs) // 2] <= 2 * (PAGE + FRAME)  # the play's row, and the entry
    assert sum(costs) / len(costs) < 3 * (PAGE + FRAME)  # now and then the list of entries gets one more page
    assert sum(costs) < 2_000_000


def test_looking_writes_nothing(evening):
    _, journal = evening
    before = written()
    (row,) = journal.plays()
    read(journal.load(row.id))
    assert written() == before
