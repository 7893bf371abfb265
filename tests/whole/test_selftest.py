"""`companion selftest`: does this version work here, with the journal that is here?"""

import sqlite3
from random import Random

import pytest

from companion import cli
from companion.commands import selftest
from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.game import Setup, games
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    rules = games()["race"]
    with Store(tmp_path / "journal.db") as store:
        play = Play.start(rules, Setup("race", ("Ania", "Bartek")), Journal(store), Binder(store), 0.0)
        bots = rules.bots(play.session.setup, Random(1))
        bots.follow(play.session.state, play.session.state.news)
        play.answer(next_answer(play.session.state, bots, Random(1)), 1.0)
    return tmp_path


def test_everything_is_tried_on_a_copy(home, capsys):
    before = (home / "journal.db").read_bytes()
    assert cli.main(["selftest", "--no-window", "--language", "en"]) == 0
    assert "Everything is in order." in capsys.readouterr().out
    assert (home / "journal.db").read_bytes() == before


def test_a_journal_this_version_cannot_read_is_told(home, capsys):
    with sqlite3.connect(home / "journal.db") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    assert cli.main(["selftest", "--no-window", "--language", "en"]) == 3
    assert "newer version" in capsys.readouterr().err


def test_a_play_this_version_cannot_replay_is_told(home, monkeypatch, capsys):
    def broken(*_):
        raise KeyError("the rules are broken")

    monkeypatch.setattr(type(games()["race"]), "start", broken)
    assert cli.main(["selftest", "--no-window"]) != 0


def test_a_window_that_does_not_come_to_life_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setattr(selftest.sys, "executable", "/bin/false")
    assert cli.main(["selftest", "--language", "en"]) == 4
    assert "did not open within" in capsys.readouterr().out
