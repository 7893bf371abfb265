"""The list of plays."""

import sqlite3
from datetime import datetime

import pytest
from msgspec.structs import replace

from companion.core.journal import EntryRow, Journal, PlayRow, StoredPlay, insert
from companion.core.questions import Answer
from companion.core.session import Answered, Entry, encode
from companion.core.store import Store


@pytest.fixture
def plays(rehearsal):
    """A play that is over, one that has just begun, and one in its middle."""
    rehearsal.play("race", ("Ania", "Bartek"), 5, seed=5)
    rehearsal.play_until(lambda session: session.over)
    rehearsal.now += 86400
    rehearsal.play("race", ("Celina", "Daniel"))
    rehearsal.play("race", ("Ewa", "Filip", "Gosia"), 7)
    leave(rehearsal)
    rehearsal.tap("plays")
    return rehearsal


def leave(rehearsal):
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()


def test_without_plays_the_first_is_offered(rehearsal):
    rehearsal.tap("plays")
    rehearsal.tap("new")
    assert rehearsal.app.screen.name == "new"


def test_the_newest_comes_first_with_all_that_is_known(plays):
    words = plays.words()
    assert [w for w in words if w in ("Ania, Bartek", "Celina, Daniel", "Ewa, Filip, Gosia")] == [
        "Ewa, Filip, Gosia",
        "Celina, Daniel",
        "Ania, Bartek",
    ]
    assert "7 entries" in words
    assert words.count("running") == 2
    assert words.count("over") == 1
    assert words.count("Race for the Galaxy") == 3
    first = plays.app.desk.plays[0]
    assert any(w.startswith(f"{datetime.fromtimestamp(first.created).day} Jan 2027") for w in words)
    plays.change(language="pl")
    assert any("sty 2027" in w for w in plays.words())
    assert "7 wpisów" in plays.words()


def test_a_tap_goes_on(plays):
    plays.tap("play-3")
    assert plays.app.screen.name == "table"
    assert plays.app.desk.session.setup.seats == ("Ewa", "Filip", "Gosia")
    assert not plays.app.desk.session.paused


def test_of_a_play_that_is_over_the_score_can_be_seen(plays):
    plays.tap("play-1")
    assert plays.app.desk.session.over
    plays.tap("score")
    assert plays.app.screen.name == "score"


def test_a_damaged_play_is_told_and_the_others_go_on(plays):
    with sqlite3.connect(plays.app.folder / "journal.db") as db:
        damaged = db.execute("UPDATE entry SET body = ? WHERE play = 3 AND seq = 4", (b"{}",)).rowcount
    assert damaged == 1
    plays.tap("play-3")
    assert plays.app.screen.name == "plays"
    assert any("damaged" in words for words in plays.words())
    plays.app.dismiss()
    plays.tap("play-2")
    assert plays.app.desk.session.setup.seats == ("Celina", "Daniel")


def test_a_date_no_calendar_has_is_a_dash_and_the_play_goes_on(rehearsal):
    folder = rehearsal.app.folder
    deeds = [
        Answered(Answer(0, "race.start-world", "new-sparta")),
        Answered(Answer(1, "race.start-world", "old-earth")),
    ]
    rows = tuple(EntryRow(n, 1e300, encode(Entry(1e300, deed))) for n, deed in enumerate(deeds))
    row = PlayRow(1, "race", "Ania, Bartek", 1e300, 1e300, len(rows))
    with Store(folder / "journal.db") as store, store.writing() as db:
        insert(db, StoredPlay(row, b'{"game": "race", "seats": ["Ania", "Bartek"]}', rows))
    rehearsal.tap("plays")
    assert "–" in rehearsal.words()
    rehearsal.tap("play-1")
    assert rehearsal.app.screen.name == "table"
    assert max(len(words) for words in rehearsal.words()) < 200, "nobody thought for so long"
    rehearsal.app.go("history")
    rehearsal.settle()
    assert rehearsal.app.screen.name == "history"
    assert "–" in rehearsal.words()


def test_of_many_plays_a_page_is_shown_and_older_ones_are_a_tap_away(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    leave(rehearsal)
    with Store(rehearsal.app.folder / "journal.db") as store:
        like = Journal(store).load(1)
        with store.writing() as db:
            for id in range(2, 71):
                insert(db, replace(like, play=replace(like.play, id=id, title=f"evening {id}")))
    rehearsal.tap("plays")

    def evenings():
        return [int(words.split()[1]) for words in rehearsal.words() if words.startswith("evening ")]

    assert evenings() == list(range(70, 40, -1))
    assert "newer" not in rehearsal.taps()
    assert "40 older plays" in rehearsal.words()
    rehearsal.tap("older")
    assert evenings() == list(range(40, 10, -1))
    rehearsal.tap("older")
    assert evenings() == list(range(10, 1, -1))
    assert "older" not in rehearsal.taps()
    rehearsal.tap("newer")
    assert evenings() == list(range(40, 10, -1))
    rehearsal.tap("play-12")
    assert rehearsal.app.screen.name == "table"
