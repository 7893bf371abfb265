"""Recorded plays keep their history, whatever is corrected in the rules."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.core import session as sessions
from companion.core.binder import Binder
from companion.core.digest import digest
from companion.core.entries import Diverged, Entry, decode_entry, encode_entry
from companion.core.game import Setup, game
from companion.core.journal import EntryRow, Journal
from companion.core.play import Play, divergence_of, read, suspects
from companion.core.questions import Answer
from companion.core.repair import repair, verify
from companion.core.replay_divergence import Divergence, Replayed
from companion.core.session import Session
from companion.core.store import Store
from companion.core.words import say
from companion.errors import NotNow, StorageTrouble, Unknown
from companion.games.race.steps import round as rounds
from tests.corrected_rules import another_count, another_explanation, one_more_chip, renumber, stumbles
from workshop.fault_injection.versions import SCHEMAS

SETUP = Setup("race", ("Ania", "Bartek"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "journal.db") as store:
        yield store


@pytest.fixture
def journal(store: Store) -> Journal:
    return Journal(store)


@pytest.fixture
def binder(store: Store) -> Binder:
    return Binder(store)


@pytest.fixture
def play(journal: Journal, binder: Binder) -> Play:
    """A play in its third round."""
    started = Play.start(game("race"), SETUP, journal, binder, 100.0)
    answer_until(started, lambda session: session.state.round == 3)
    answer_anything(started)
    return started


@pytest.fixture
def finished(journal: Journal, binder: Binder) -> Play:
    started = Play.start(game("race"), SETUP, journal, binder, 100.0)
    answer_until(started, lambda session: session.over)
    return started


def answer_anything(play: Play) -> None:
    random = Random(play.session.entries)
    question = play.session.questions()[0]
    play.answer(
        Answer(question.seat, question.slug, random.choice(question.options).id), play.session.at + 1.0
    )


def answer_until(play: Play, reached: Callable[[Session], bool]) -> None:
    while not reached(play.session):
        answer_anything(play)


def first_of_round(session: Session, round: int) -> int:
    """How many answers there were when this round began."""
    return next(n for n, moment in enumerate(session.moments) if moment.state.round == round)


def entries_of(journal: Journal, play: int = 1) -> list[Entry]:
    return [decode_entry(row.body) for row in journal.entries(play)]


# What is kept


def test_every_entry_keeps_the_rules_and_the_table(play: Play, journal: Journal) -> None:
    play.undo(2, 500.0)
    play.redo(1, 501.0)
    play.pause(502.0)
    entries = entries_of(journal)
    assert {entry.rules for entry in entries} == {1}
    assert all(len(entry.digest) == 16 for entry in entries)
    assert [entry.sheet for entry in entries] == [None] * len(entries)
    assert entries[-1].digest == entries[-2].digest == digest(play.session.state) != entries[-3].digest


def test_the_result_is_kept_for_as_long_as_it_is_one(finished: Play, journal: Journal) -> None:
    sheet = finished.session.game.sheet(finished.session.state)
    assert [entry.sheet for entry in entries_of(journal)][-2:] == [None, sheet]
    finished.undo(1, 900.0)
    assert entries_of(journal)[-1].sheet is None
    finished.redo(1, 901.0)
    assert entries_of(journal)[-1].sheet == sheet


def test_a_digest_that_was_changed_on_the_disk_is_damage(play: Play, store: Store, journal: Journal) -> None:
    with store.writing() as db:
        (body,) = db.execute("SELECT body FROM entry WHERE play = 1 AND seq = 3").fetchone()
        kept = decode_entry(body).digest.encode()
        changed = body.replace(kept, kept[::-1])
        db.execute("UPDATE entry SET body = ? WHERE play = 1 AND seq = 3", (changed,))
    with pytest.raises(StorageTrouble):
        journal.load(1)


def test_with_the_same_rules_nothing_is_said(finished: Play, journal: Journal, binder: Binder) -> None:
    reading = read(journal.load(1))
    assert reading.divergence is None
    assert reading.session == finished.session == Play.resume(1, journal, binder).session
    assert (reading.over, reading.sheet) == (True, finished.session.game.sheet(finished.session.state))


# Unfinished plays


def test_an_unfinished_play_opens_where_both_agree(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    agreed = first_of_round(play.session, 2) - 1
    one_more_chip(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    assert resumed.divergence == Divergence(agreed, play.session.entries, agreed + 1)
    assert resumed.divergence.text == say("core.diverged", n=agreed + 1)
    assert resumed.session.state == play.session.moments[agreed].state
    assert not read(journal.load(1)).over


def test_nothing_is_written_before_people_agree(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = journal.load(1)
    one_more_chip(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    for deed in (
        lambda: resumed.undo(1, 700.0),
        lambda: resumed.pause(700.0),
        lambda: answer_anything(resumed),
    ):
        with pytest.raises(NotNow) as raised:
            deed()
        assert raised.value.text.key == "core.diverged"
    assert journal.load(1) == before


def test_going_on_is_journaled_and_replayed(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = entries_of(journal)
    one_more_chip(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    kept = resumed.session.entries
    resumed.reopen(900.0)
    assert resumed.divergence is None
    entries = entries_of(journal)
    assert entries[: len(before)] == before
    assert entries[len(before)].deed == Diverged(kept, len(before))
    assert entries[len(before)].rules == 2
    answer_until(resumed, lambda session: session.state.round == 4)
    assert resumed.session.state.seats[0].chips >= 3
    again = read(journal.load(1))
    assert (again.session, again.divergence) == (resumed.session, None)
    assert (
        sessions.replay(resumed.session.game, resumed.session.setup, 100.0, entries_of(journal))
        == again.session
    )
    answer_until(resumed, lambda session: session.over)
    assert read(journal.load(1)) == Replayed(resumed.session)


def test_nobody_was_thinking_while_the_rules_were_mended(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_more_chip(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    thought = resumed.session.thought
    resumed.reopen(1_000_000.0)
    assert resumed.session.thinking(1_000_000.0) == thought
    assert read(journal.load(1)).session.thought == thought


def test_cut_off_just_after_parting_it_is_parted(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_more_chip(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    state, kept = resumed.session.state, resumed.session.entries
    write, written = journal.append, []

    def cut(*arguments: object, **more: object) -> None:
        if written:
            raise StorageTrouble(say("storage.full", file="journal.db"))
        written.append(arguments)
        write(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(journal, "append", cut)
    with pytest.raises(StorageTrouble):
        resumed.reopen(900.0)
    monkeypatch.setattr(journal, "append", write)
    again = Play.resume(1, journal, binder)
    assert again.divergence is None
    assert (again.session.state, again.session.entries) == (state, play.session.entries + 1)
    assert again.session.last is not None
    assert again.session.last.deed == Diverged(kept, play.session.entries)
    assert again.session == resumed.session


def test_what_cannot_be_written_leaves_the_parting(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_more_chip(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    session, divergence = resumed.session, resumed.divergence

    def full(*_: object, **__: object) -> None:
        raise StorageTrouble(say("storage.full", file="journal.db"))

    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", full)
        with pytest.raises(StorageTrouble):
            resumed.reopen(900.0)
    assert (resumed.session, resumed.divergence) == (session, divergence)
    resumed.reopen(900.0)
    assert resumed.divergence is None


def test_undo_and_redo_around_the_parting_meet_no_void_answers(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_more_chip(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    resumed.reopen(900.0)
    agreed = resumed.session.moments
    assert resumed.session.ahead == ()
    answer_anything(resumed)
    resumed.undo(3, 901.0)
    assert resumed.session.moments == agreed[:-2]
    with pytest.raises(NotNow):
        resumed.undo(len(agreed), 902.0)
    resumed.redo(3, 902.0)
    assert resumed.session.moments[:-1] == agreed
    with pytest.raises(NotNow):
        resumed.redo(1, 903.0)
    assert read(journal.load(1)).session == resumed.session


def test_what_was_taken_back_before_the_parting_can_be_done_again(journal: Journal, binder: Binder) -> None:
    play = Play.start(game("race"), SETUP, journal, binder, 100.0)
    answer_until(play, lambda session: len(session.moments) > 3)
    play.undo(2, 200.0)
    ahead, entries = play.session.ahead, play.session.entries
    play.redo(2, 201.0)
    answer_until(play, lambda session: session.state.round == 3)
    # As if the entry that did it again had led elsewhere.
    rows = journal.load(1).rows
    changed = msgspec.structs.replace(decode_entry(rows[entries].body), digest="0" * 16)
    stored = journal.load(1)
    row = EntryRow(entries, rows[entries].at, encode_entry(changed))
    reading = read(msgspec.structs.replace(stored, rows=(*rows[:entries], row, *rows[entries + 1 :])))
    assert reading.divergence is not None
    assert (reading.divergence.kept, reading.session.ahead) == (entries, ahead)
    diverged = reading.session.diverge(len(rows), 300.0)
    assert diverged.redo(2, 301.0).state == play.session.moments[len(diverged.moments) + 1].state


def test_a_play_can_part_again(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for since in (3, 2, 2):  # later, earlier, and where it diverged already
        before = Play.resume(1, journal, binder)
        answer_until(before, lambda session: session.state.round >= 4)
        one_more_chip(monkeypatch, since)
        resumed = Play.resume(1, journal, binder)
        assert resumed.divergence is not None
        assert resumed.session.state.round == since - 1
        assert resumed.session.moments == before.session.moments[: len(resumed.session.moments)]
        resumed.reopen(900.0)
        assert read(journal.load(1)).session == resumed.session


@pytest.mark.parametrize(
    "error",
    [AssertionError, StopIteration, LookupError, ValueError, TypeError, ZeroDivisionError, RecursionError],
)
def test_rules_that_stumble_part_like_rules_that_differ(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    agreed = first_of_round(play.session, 2) - 1
    stumbles(monkeypatch, error)
    assert read(journal.load(1)).divergence == Divergence(agreed, play.session.entries, agreed + 1)
    resumed = Play.resume(1, journal, binder)
    resumed.reopen(900.0)
    assert resumed.session.state == play.session.moments[agreed].state


def test_rules_that_know_an_answer_no_more_part(
    play: Play, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: object, state: object, option: str) -> object:
        raise Unknown(say("core.unknown-component", id=option))

    monkeypatch.setattr(rounds.ChooseAction, "take", gone)
    reading = read(journal.load(1))
    assert reading.divergence is not None
    assert (reading.divergence.kept, reading.session.state.round) == (2, 1)


def test_a_play_today_s_rules_end_earlier_is_over_there(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rounds.BeginRound.do
    monkeypatch.setattr(
        rounds.BeginRound, "do", lambda self, state: before(self, state) if state.round < 2 else state
    )
    renumber(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    assert resumed.divergence is not None
    assert not resumed.session.over
    resumed.reopen(900.0)
    answer_until(resumed, lambda session: session.over)
    (row,) = journal.plays()
    assert row.finished is not None
    assert read(journal.load(1)).sheet == resumed.session.game.sheet(resumed.session.state)


# Finished plays


def test_a_finished_play_keeps_its_result(
    finished: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = finished.session.game.sheet(finished.session.state)
    agreed = first_of_round(finished.session, 2) - 1
    one_more_chip(monkeypatch)
    before = journal.load(1)
    reading = read(before)
    assert reading.divergence == Divergence(agreed, finished.session.entries, agreed + 1, sheet)
    assert reading.divergence.text == say("core.played-otherwise", n=agreed + 1)
    assert (reading.over, reading.sheet) == (True, sheet)
    resumed = Play.resume(1, journal, binder)
    resumed.reopen(900.0)
    with pytest.raises(NotNow):
        resumed.undo(1, 901.0)
    assert journal.load(1) == before


def test_a_table_counted_otherwise_is_noticed(
    finished: Play, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = finished.session.game.sheet(finished.session.state)
    another_count(monkeypatch)
    reading = read(journal.load(1))
    assert reading.divergence is not None
    assert reading.divergence.text == say("core.counted-otherwise")
    assert reading.session.state == finished.session.state
    assert reading.sheet == sheet != reading.session.game.sheet(reading.session.state)


def test_a_table_explained_otherwise_is_the_same(
    finished: Play, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_explanation(monkeypatch)
    assert read(journal.load(1)).divergence is None


def test_rules_that_go_on_after_the_end_do_not_open_it(
    finished: Play, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "endings", lambda state: ())
    # The table with the round counted on is another; so that only the agenda differs, the round is not counted.
    before = rounds.BeginRound.do
    last = finished.session.state.round

    def do(self: rounds.BeginRound, state: rounds.RaceState) -> rounds.RaceState:
        if state.round < last:
            return before(self, state)
        return state.push(rounds.ChooseAction(0, 1))

    monkeypatch.setattr(rounds.BeginRound, "do", do)
    reading = read(journal.load(1))
    assert not reading.session.over
    assert (reading.over, reading.sheet) == (True, finished.session.game.sheet(finished.session.state))
    assert reading.divergence is not None
    assert reading.divergence.text == say("core.counted-otherwise")


# The list


def test_only_plays_of_other_rules_are_looked_at(
    play: Play, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    Play.start(game("race"), SETUP, journal, binder, 100.0)  # nothing answered yet
    assert suspects(journal, journal.plays()) == ()
    one_more_chip(monkeypatch)
    assert suspects(journal, journal.plays()) == (1,)
    assert divergence_of(journal, 1) == Play.resume(1, journal, binder).divergence
    Play.resume(1, journal, binder).reopen(900.0)
    assert suspects(journal, journal.plays()) == ()


def test_other_rules_that_agree_are_no_parting(
    play: Play, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_more_chip(monkeypatch, since=9)
    assert suspects(journal, journal.plays()) == (1,)
    assert divergence_of(journal, 1) is None


# Files


def test_a_repair_keeps_what_entries_keep(
    finished: Play, store: Store, journal: Journal, binder: Binder
) -> None:
    play = Play.start(game("race"), SETUP, journal, binder, 100.0)
    answer_until(play, lambda session: session.state.round == 2)
    before = journal.load(1)
    with store.writing() as db:
        db.execute("UPDATE entry SET at = 0 WHERE play = 2 AND seq = 3")
    store.close()
    assert repair(store.path).problems
    assert journal.load(1) == before
    assert journal.load(2).play.entries == 3
    assert all(entry.digest for entry in entries_of(journal, 2))
    assert read(journal.load(2)).divergence is None


def test_a_repair_keeps_partings(
    play: Play, store: Store, journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_more_chip(monkeypatch)
    resumed = Play.resume(1, journal, binder)
    resumed.reopen(900.0)
    answer_anything(resumed)
    answer_anything(resumed)
    with store.writing() as db:
        db.execute("UPDATE entry SET at = 0 WHERE play = 1 AND seq = ?", (resumed.session.entries - 1,))
    store.close()
    assert repair(store.path).problems
    reading = read(journal.load(1))
    assert reading.divergence is None
    assert reading.session.moments == resumed.session.moments[:-1]


OLD = SCHEMAS / "1.db.gz"
"""Written before entries kept digests: a finished play of Race, an unfinished one of Eclipse and one of Race."""


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Journal]:
    path = tmp_path / "old.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    with Store(path) as store:
        yield Journal(store)


def test_a_journal_without_digests_is_read_as_before(old: Journal, tmp_path: Path) -> None:
    before = (tmp_path / "old.db").read_bytes()
    readings = [read(old.load(row.id)) for row in old.plays()]
    assert [reading.divergence for reading in readings] == [None] * 3
    assert [reading.session.entries for reading in readings] == [92, 44, 36]
    assert [reading.over for reading in readings] == [True, False, False]
    assert readings[0].sheet.outcome == (("Ania", 36, 1), ("Bartek", 32, 2))
    assert suspects(old, old.plays()) == ()
    assert verify(tmp_path / "old.db").problems == ()
    assert (tmp_path / "old.db").read_bytes() == before


def test_a_journal_without_digests_says_nothing_of_other_rules(
    old: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_more_chip(monkeypatch)
    assert read(old.load(3)).divergence is None
    assert suspects(old, old.plays()) == ()


def test_a_journal_without_digests_that_cannot_be_replayed_is_said_so(
    old: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    stumbles(monkeypatch)
    with pytest.raises(StorageTrouble) as raised:
        read(old.load(3))
    assert raised.value.text.key == "core.cannot-replay"


def test_an_old_play_that_goes_on_is_true_from_there(
    old: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "old.db") as store:
        binder = Binder(store)
        play = Play.resume(3, old, binder)
        left = play.session.entries
        play.reopen(9500.0)
        answer_anything(play)
        assert [bool(entry.digest) for entry in entries_of(old, 3)] == [False] * left + [True] * 3
        assert read(old.load(3)).session == play.session
        one_more_chip(monkeypatch)
        reading = read(old.load(3))
        assert reading.divergence is not None
        # Nobody knows what was true before; from the first kept digest on somebody does.
        assert reading.divergence.kept == left
        stumbles(monkeypatch)
        assert read(old.load(3)).divergence is not None
