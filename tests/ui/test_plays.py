"""The list of plays."""

import sqlite3
from datetime import datetime

import numpy as np
import pytest
import segno
from msgspec.structs import replace

from companion.core.entries import Answered, Entry, encode_entry
from companion.core.journal import EntryRow, Journal, PlayRow, StoredPlay, insert
from companion.core.questions import Answer
from companion.core.store import Store
from companion.results.bgstats import MOST_IN_CODE
from companion.results.evenings import evenings
from companion.table.settings import Person
from companion.ui.screens.evenings.steps import StepSlider
from companion.ui.screens.score.chart import Chart
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.qr_code import Code
from vision.camera import Frame
from vision.worker import Glance


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


def read_evenings(rehearsal):
    """The finished plays as they are in the journal."""
    with Store(rehearsal.app.folder / "journal.db") as store:
        return tuple(one for one in evenings(Journal(store)) if one.over)


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
    (one,) = read_evenings(plays)
    (winner,) = one.winners
    won = f"{winner.name} {winner.points}"
    assert [w for w in words if w in (won, "Celina, Daniel", "Ewa, Filip, Gosia")] == [
        "Ewa, Filip, Gosia",
        "Celina, Daniel",
        won,
    ]
    assert "7 entries" in words
    assert words.count("running") == 2
    assert any(w.endswith(f"· {one.rounds} rounds") for w in words)
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
    plays.tap("sheet")
    assert plays.app.screen.name == "score"
    plays.app.back()
    plays.tap("open")
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
    rows = tuple(EntryRow(n, 1e300, encode_entry(Entry(1e300, deed))) for n, deed in enumerate(deeds))
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


def typed_in(rehearsal, words):
    rehearsal.app.screen.typing.put(words)
    rehearsal.app.screen.typing.done()
    rehearsal.settle()


def test_plays_are_found_by_words(plays):
    plays.tap("seek")
    typed_in(plays, "bart")
    assert "1 play found" in plays.words()
    assert {name for name in plays.taps() if name.startswith("play-")} == {"play-1"}
    plays.tap("play-1")
    plays.settle_beside()
    assert plays.app.screen.one.sheet is not None
    plays.app.back()
    plays.settle()
    plays.tap("all-plays")
    assert {"play-1", "play-2", "play-3"} <= set(plays.taps())


def test_a_note_and_a_place_are_kept(plays):
    plays.tap("play-1")
    plays.tap("note")
    typed_in(plays, "bardzo blisko")
    plays.tap("place")
    typed_in(plays, "Łódź")
    (one,) = read_evenings(plays)
    assert (one.note, one.place) == ("bardzo blisko", "Łódź")
    assert {"bardzo blisko", "Łódź"} <= set(plays.words())


def test_the_chart_is_also_a_table(plays):
    plays.tap("play-1")
    plays.settle_beside()
    grown = plays.app.screen.growth
    plays.tap("chart-as-table")
    words = plays.words()
    for points in grown.points:
        assert set(map(str, points)) <= set(words)
    plays.tap("chart-as-table")
    assert any(isinstance(part, Chart) for part in walk(plays.app.stage))


def test_a_photo_of_the_final_table_is_kept(plays):
    picture = np.full((48, 80, 3), 120, np.uint8)
    plays.posed.watch("usb:0")
    plays.posed.look = Glance(Frame(picture, 0.0), ())
    plays.tap("play-1")
    plays.settle_beside()
    plays.tap("table-photo")
    plays.settle_beside()
    (one,) = read_evenings(plays)
    assert one.photo
    assert [path.name for path in (plays.app.folder / "photos").rglob("*.jpg")] == [one.photo]
    plays.app.back()
    plays.tap("play-1")
    plays.settle_beside()
    assert plays.app.screen.picture.shape == picture.shape


def test_a_deleted_play_is_gone_and_can_be_brought_back(plays):
    plays.tap("play-1")
    plays.tap("delete")
    plays.tap("choice-1")
    assert plays.app.screen.name == "plays"
    assert "play-1" not in plays.taps()
    assert read_evenings(plays) == ()
    plays.tap("bring-back")
    assert "play-1" in plays.taps()
    assert len(read_evenings(plays)) == 1


def test_every_deed_of_a_play_is_the_table_of_that_moment(plays):
    plays.tap("play-1")
    plays.settle_beside()
    plays.tap("steps")
    plays.settle_beside()
    steps = plays.app.screen
    session = steps.session
    assert steps._rounds[-1][1] == session.view.round
    for at in (0, 1, 7, len(steps.deeds)):
        steps.turn_to(at)
        plays.settle()
        moment = steps.deeds[at - 1][1] if at else 0
        view = session.game.view(session.moments[moment].state)
        words = plays.words()
        assert any(words_ == str(view.seats[0].points) for words_ in words)
        assert any(w.endswith(f"{at} of {len(steps.deeds)}") for w in words)
    plays.tap("step-back")
    assert steps.at == len(steps.deeds) - 1
    (slider,) = (part for part in walk(plays.app.stage) if isinstance(part, StepSlider))
    plays.touch(slider.x + 5, slider.center_y)
    assert steps.at == 0


def test_a_result_typed_in_counts(plays):
    plays.change(people=(Person("Ania", 0), Person("Żaneta", 1)))
    plays.tap("type-result")
    plays.tap("person-Żaneta")
    plays.tap("person-Ania")
    for _ in range(3):
        plays.tap("plus-Żaneta")
    plays.tap("minus-Ania")
    plays.tap("keep")
    (typed,) = (one for one in read_evenings(plays) if one.id < 0)
    assert [(s.name, s.points, s.rank) for s in typed.seats] == [("Żaneta", 3, 1), ("Ania", -1, 2)]


def test_two_spellings_are_put_together_and_apart(plays):
    plays.app.go("people")
    plays.settle()
    plays.tap("person-Bartek")
    plays.tap("person-Ania")
    plays.tap("choice-0")
    assert [seat.name for seat in read_evenings(plays)[0].seats] == ["Ania", "Ania"]
    plays.tap("person-Bartek")
    plays.tap("choice-0")
    assert [seat.name for seat in read_evenings(plays)[0].seats] == ["Ania", "Bartek"]


@pytest.mark.parametrize(("language", "size"), [("en", 100), ("pl", 100), ("pl", 150)])
def test_statistics_count_what_was_played(plays, layout, language, size):
    plays.change(language=language, text_size=size, people=(Person("Ania", 0), Person("Bartek", 1)))
    plays.tap("stats")
    plays.settle_beside()
    shown = plays.app.screen.figures
    assert (shown.results, shown.plays) == (1, 3)
    assert any(("1 play" if language == "en" else "1 partia") in words for words in plays.words())
    assert all(shown.average(person) is None for person in shown.people)
    plays.tap("only-Ania")
    plays.settle_beside()
    assert plays.app.screen.figures.plays == 1
    plays.app.go("people")
    plays.settle()
    plays.app.go("typed-result")
    plays.settle()
    for name in ("plays", "evening"):
        plays.app.go(name, **({"evening": read_evenings(plays)[0]} if name == "evening" else {}))
        plays.settle_beside()
    plays.tap("steps")
    plays.settle_beside()


@pytest.mark.parametrize(("language", "text_size"), [("en", 100), ("pl", 150)])
def test_a_play_is_taken_along(plays, layout, language, text_size):
    plays.change(language=language, text_size=text_size)
    plays.tap("play-1")
    plays.settle_beside()
    plays.tap("take-along")
    plays.settle_beside()
    for what in ("picture", "pdf", "csv", "json", "bgsplay", "link"):
        plays.tap(f"take-{what}")
        plays.settle_beside()
        plays.app.dismiss()
    kept = sorted(path.name.partition(".")[2] for path in (plays.app.folder / "shared").iterdir())
    assert kept == ["bgsplay", "bgstats.txt", "csv", "json", "lines.csv", "pdf", "png"]
    plays.app.screen.link_shown = False
    plays.tap("take-code")
    (code,) = (part for part in walk(plays.app.stage) if isinstance(part, Code))
    assert code.words.startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    finest = segno.make("x" * MOST_IN_CODE, error="l", micro=False).symbol_size()[0]  # with its quiet zone
    assert min(code.width, code.height) // finest >= 4, "two decoders need four pixels for a module"
    plays.now += 61
    plays.settle()
    assert not any(isinstance(part, Code) for part in walk(plays.app.stage)), "names are gone after a minute"
