"""A printed value told in a play is saved by one write; what the binder missed is recovered from the journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.binder import Binder, Taught
from companion.core.flow import game as flow_games
from companion.core.game import Setup, every_game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.store import Store
from companion.core.words import say
from companion.errors import StorageTrouble
from companion.games.lantern import GAME as LANTERN


class DeafBinder(Binder):
    """A binder whose part of the disk fails when the test says so."""

    deaf = False

    def keep(self, news: tuple[Taught, ...]) -> None:
        if self.deaf:
            raise StorageTrouble(say("storage.full", file="journal.db"))
        super().keep(news)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(flow_games, "game", every_game().__getitem__)
    with Store(tmp_path / "journal.db") as store:
        yield store


def started(store: Store, binder: Binder, card: str, at: float = 1.0) -> Play:
    play = Play.start(LANTERN, Setup("lantern", ("Ania", "Bartek")), Journal(store), binder, at)
    play.answer(Answer(0, "lantern.show", card), at + 1)
    play.answer(Answer(1, "lantern.show", "candle"), at + 2)
    return play


def set_right_unheard(store: Store) -> Play:
    """A play in which a value the binder has was set right, and the binder could not be written."""
    Binder(store).teach("lantern", "torch", "light", 1, 0.5)
    binder = DeafBinder(store)
    play = started(store, binder, "candle")
    binder.deaf = True
    play.correct_fact("torch.light", 3, 4.0, by="Bartek")
    assert play.session.catalogue["torch"].light == 3
    assert Binder(store).facts("lantern") == {"torch.light": 1}
    return play


def test_a_value_set_right_that_the_binder_did_not_hear_holds_in_the_next_play(store: Store) -> None:
    set_right_unheard(store)
    later = started(store, Binder(store), "candle", 10.0)
    assert later.session.catalogue["torch"].light == 3
    heard = Binder(store).latest("lantern")["torch.light"]
    assert (heard.value, heard.at, heard.by) == (3, 4.0, "Bartek")


def test_a_value_set_right_that_the_binder_did_not_hear_is_told_when_the_play_goes_on(store: Store) -> None:
    play = set_right_unheard(store)
    again = Play.resume(play.id, Journal(store), Binder(store))
    again.pause(20.0)
    heard = Binder(store).latest("lantern")["torch.light"]
    assert (heard.value, heard.at, heard.by) == (3, 4.0, "Bartek")


def test_what_the_owner_said_since_stands(store: Store) -> None:
    play = set_right_unheard(store)
    Binder(store).teach("lantern", "torch", "light", 2, 8.0)
    Play.resume(play.id, Journal(store), Binder(store)).pause(20.0)
    assert started(store, Binder(store), "candle", 30.0).session.catalogue["torch"].light == 2
    assert Binder(store).facts("lantern") == {"torch.light": 2}


def test_what_was_taken_back_in_the_play_does_not_follow(store: Store) -> None:
    play = set_right_unheard(store)
    Play.resume(play.id, Journal(store), DeafBinder(store)).undo(1, 6.0)
    assert started(store, Binder(store), "candle", 10.0).session.catalogue["torch"].light == 1


def test_an_answer_the_binder_did_not_hear_is_not_asked_for_again(store: Store) -> None:
    binder = DeafBinder(store)
    play = started(store, binder, "moth")
    binder.deaf = True
    play.answer(Answer(None, "core.fact", "3"), 4.0)
    assert Binder(store).facts("lantern") == {}
    later = started(store, Binder(store), "moth", 10.0)
    assert later.session.catalogue["moth"].light == 3
    assert not any(question.slug == "core.fact" for question in later.session.questions())


def test_just_this_once_does_not_follow(store: Store) -> None:
    play = started(store, Binder(store), "moth")
    play.answer(Answer(None, "core.fact", "once:3"), 4.0)
    started(store, Binder(store), "moth", 10.0)
    assert Binder(store).facts("lantern") == {}


def test_facts_from_a_friend_stand_though_they_were_told_before(store: Store) -> None:
    """Taken over later, though the friend said so on an earlier day: what was taken over last holds."""
    play = started(store, Binder(store), "candle")
    play.correct_fact("torch.light", 3, 4.0)
    Binder(store).take(
        "lantern", (Taught(game="lantern", component="torch", field="light", value=2, at=2.0),)
    )
    Play.resume(play.id, Journal(store), Binder(store)).pause(20.0)
    assert started(store, Binder(store), "candle", 30.0).session.catalogue["torch"].light == 2


def test_play_and_binder_hear_of_it_by_one_write_or_not_at_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = started(store, Binder(store), "candle")
    session = play.session
    monkeypatch.setattr(Store, "_commit", fail)
    with pytest.raises(StorageTrouble):
        play.correct_fact("torch.light", 3, 4.0)
    monkeypatch.undo()
    assert play.session is session
    assert len(Journal(store).entries(play.id)) == session.entries
    assert Binder(store).facts("lantern") == {}
    play.correct_fact("torch.light", 3, 5.0)
    assert Binder(store).facts("lantern") == {"torch.light": 3}


def fail(*_: Any) -> None:
    raise sqlite3.OperationalError("disk I/O error")


def test_a_deed_that_teaches_is_one_transaction(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    play = started(store, Binder(store), "candle")
    commits: list[object] = []
    commit = Store._commit
    monkeypatch.setattr(Store, "_commit", lambda self, db: (commits.append(db), commit(self, db))[1])
    play.correct_fact("torch.light", 3, 4.0)
    assert len(commits) == 1


def test_facts_that_cannot_be_written_do_not_keep_an_answer_from_being_kept(store: Store) -> None:
    """The table of facts is damaged: the play goes on all the same."""
    play = started(store, Binder(store), "moth")
    with store.writing() as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("DROP TABLE fact")
    play.answer(Answer(None, "core.fact", "3"), 4.0)
    assert len(Journal(store).entries(play.id)) == play.session.entries == 3
