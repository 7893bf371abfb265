"""A journaled play: an answer is written before it is shown; what cannot be written has not happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.binder import Binder
from companion.core.entries import Answered, Entry, decode_entry, encode_entry
from companion.core.facts import ask_fact
from companion.core.flow import game as flow_games
from companion.core.game import Setup, game
from companion.core.journal import EntryRow, Journal, PlayRow, StoredPlay
from companion.core.play import Play, read, told_by
from companion.core.questions import Answer
from companion.core.session import Session, begin, replay
from companion.core.store import Store
from companion.core.words import say
from companion.errors import DataTrouble, NotNow, StorageTrouble, Trouble, Unknown
from companion.games.lantern import GAME as LANTERN

RACE = game("race")
SETUP = Setup("race", ("Ania", "Bartek"))


class FailingJournal(Journal):
    """A journal on a disk that fails when the test says so."""

    failing: frozenset[str] = frozenset()

    def append(self, play: int, seq: int, at: float, body: bytes, *, over: bool = False) -> None:
        self._fail("append")
        super().append(play, seq, at, body, over=over)

    def _fail(self, what: str) -> None:
        if what in self.failing:
            raise StorageTrouble(say("storage.full", file="journal.db"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "journal.db") as store:
        yield store


@pytest.fixture
def journal(store: Store) -> FailingJournal:
    return FailingJournal(store)


@pytest.fixture
def binder(store: Store) -> Binder:
    return Binder(store)


@pytest.fixture
def play(journal: Journal, binder: Binder) -> Play:
    """The first round has begun."""
    started = Play.start(RACE, SETUP, journal, binder, 100.0)
    started.answer(Answer(0, "race.start-world", "new-sparta"), 101.0)
    started.answer(Answer(1, "race.start-world", "old-earth"), 102.0)
    return started


def answer_anything(play: Play, random: Random, at: float) -> None:
    question = random.choice(play.session.questions())
    play.answer(Answer(question.seat, question.slug, random.choice(question.options).id), at)


def play_to_the_end(play: Play) -> None:
    random, at = Random(7), 200.0
    while not play.session.over:
        at += 1
        answer_anything(play, random, at)


DEEDS: dict[str, Callable[[Play], None]] = {
    "answer": lambda play: play.answer(Answer(0, "race.action", "settle"), 110.0),
    "correct": lambda play: play.correct("chips:0", 3, 110.0, "Ania"),
    "undo": lambda play: play.undo(1, 110.0),
    "redo": lambda play: play.redo(1, 110.0),
    "pause": lambda play: play.pause(110.0),
    "go on": lambda play: play.unpause(110.0),
}


def prepare(play: Play, deed: str) -> None:
    """Bring the play to where the deed is allowed."""
    if deed == "redo":
        play.undo(1, 105.0)
    if deed == "go on":
        play.pause(105.0)


# Durable first


@pytest.mark.parametrize("deed", DEEDS)
def test_every_deed_is_one_entry_that_says_it_all(play: Play, journal: Journal, deed: str) -> None:
    prepare(play, deed)
    before = journal.entries(play.id)
    DEEDS[deed](play)
    *older, newest = journal.entries(play.id)
    assert tuple(older) == before
    assert play.session.last is not None
    assert newest.body == encode_entry(play.session.last)
    assert (newest.seq, newest.at) == (play.session.entries - 1, 110.0)


@pytest.mark.parametrize("deed", DEEDS)
def test_what_cannot_be_written_has_not_happened(play: Play, journal: FailingJournal, deed: str) -> None:
    prepare(play, deed)
    session, rows = play.session, journal.entries(play.id)
    journal.failing = frozenset({"append"})
    for _ in range(2):
        with pytest.raises(StorageTrouble):
            DEEDS[deed](play)
        assert play.session is session
        assert journal.entries(play.id) == rows
    journal.failing = frozenset()
    DEEDS[deed](play)
    assert play.session.entries == session.entries + 1
    assert len(journal.entries(play.id)) == len(rows) + 1


def test_nobody_sees_a_deed_before_it_is_written(
    play: Play, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Session] = []
    append = journal.append

    def looking(*arguments: Any, **named: Any) -> None:
        seen.append(play.session)
        append(*arguments, **named)
        seen.append(play.session)

    monkeypatch.setattr(journal, "append", looking)
    before = play.session
    play.answer(Answer(0, "race.action", "settle"), 110.0)
    assert all(session is before for session in seen)
    assert len(seen) == 2
    assert play.session is not before


@pytest.mark.parametrize(
    ("deed", "family"),
    [
        (lambda play: play.answer(Answer(0, "race.action", "nonsense"), 110.0), NotNow),
        (lambda play: play.answer(Answer(5, "race.action", "settle"), 110.0), Unknown),
        (lambda play: play.correct("chips:0", 99, 110.0), NotNow),
        (lambda play: play.correct("nonsense", 1, 110.0), Unknown),
        (lambda play: play.undo(3, 110.0), NotNow),
        (lambda play: play.redo(1, 110.0), NotNow),
        (lambda play: play.unpause(110.0), NotNow),
    ],
)
def test_what_is_refused_is_not_written(
    play: Play, journal: Journal, deed: Callable[[Play], None], family: type[Trouble]
) -> None:
    session = play.session
    with pytest.raises(family):
        deed(play)
    assert play.session is session
    assert len(journal.entries(play.id)) == 2


def test_a_setup_that_cannot_be_makes_no_play(journal: Journal, binder: Binder) -> None:
    with pytest.raises(DataTrouble):
        Play.start(RACE, Setup("race", ("Ania",)), journal, binder, 1.0)
    assert journal.plays() == ()


def test_two_who_play_the_same_play_are_not_mixed(play: Play, journal: Journal, binder: Binder) -> None:
    other = Play.resume(play.id, journal, binder)
    play.answer(Answer(0, "race.action", "settle"), 110.0)
    before = other.session
    with pytest.raises(StorageTrouble) as raised:
        other.answer(Answer(0, "race.action", "produce"), 111.0)
    assert raised.value.text.key == "storage.other-writer"
    assert other.session is before
    assert Play.resume(play.id, journal, binder).session == play.session


# Coming back


def test_a_resumed_play_is_the_play_that_was_left(play: Play, journal: Journal, binder: Binder) -> None:
    random = Random(3)
    for n in range(60):
        answer_anything(play, random, 110.0 + n)
        if n % 9 == 0:
            play.undo(2, 110.5 + n)
        if n % 20 == 10:
            play.correct("chips:1", n % 3, 110.7 + n)
    play.redo(1, 300.0) if play.session.ahead else play.undo(3, 300.0)
    play.pause(301.0)
    resumed = Play.resume(play.id, journal, binder)
    assert resumed.session == play.session
    assert resumed.session.paused
    assert resumed.session.thinking(999.0) == play.session.thinking(999.0)
    resumed.unpause(302.0)
    answer_anything(resumed, random, 303.0)
    assert Play.resume(play.id, journal, binder).session == resumed.session


def test_thinking_time_goes_on_from_when_the_play_was_created(journal: Journal, binder: Binder) -> None:
    play = Play.start(RACE, SETUP, journal, binder, 100.0)
    assert Play.resume(play.id, journal, binder).session.thinking(130.0) == (30.0, 0.0)


def test_a_play_that_is_not_there(journal: Journal, binder: Binder) -> None:
    with pytest.raises(Unknown) as raised:
        Play.resume(1, journal, binder)
    assert raised.value.text.key == "storage.no-such-play"


def mangled(stored: StoredPlay, **changes: Any) -> StoredPlay:
    return msgspec.structs.replace(stored, **changes)


def with_answer(stored: StoredPlay, answer: Answer) -> StoredPlay:
    body = encode_entry(Entry(103.0, Answered(answer)))
    last = msgspec.structs.replace(stored.rows[-1], seq=len(stored.rows), body=body)
    return mangled(stored, rows=(*stored.rows, last))


def without_digests(stored: StoredPlay) -> StoredPlay:
    """The same as a version that kept none would have written it."""
    entries = [decode_entry(row.body) for row in stored.rows]
    rows = tuple(
        msgspec.structs.replace(row, body=encode_entry(Entry(entry.at, entry.deed)))
        for row, entry in zip(stored.rows, entries, strict=True)
    )
    return mangled(stored, rows=rows)


@pytest.mark.parametrize(
    "change",
    [
        lambda stored: mangled(stored, setup=b"{}"),
        lambda stored: mangled(stored, setup=b"not JSON"),
        lambda stored: mangled(stored, setup=stored.setup.replace(b'"race"', b'"chess"')),
        lambda stored: mangled(stored, setup=stored.setup.replace(b'"first"', b'"third"')),
        lambda stored: mangled(stored, setup=stored.setup.replace(b'"Ania",', b"")),
        lambda stored: without_digests(mangled(stored, rows=stored.rows[1:])),
        lambda stored: without_digests(mangled(stored, rows=(*stored.rows, stored.rows[0]))),
        lambda stored: mangled(stored, rows=(msgspec.structs.replace(stored.rows[0], body=b"{}"),)),
        lambda stored: mangled(stored, rows=(msgspec.structs.replace(stored.rows[0], body=b"\xff"),)),
        lambda stored: with_answer(stored, Answer(0, "race.nothing", "x")),
        lambda stored: with_answer(stored, Answer(0, "race.action", "bribe")),
    ],
    ids=lambda change: "",
)
def test_a_play_this_version_cannot_replay_is_said_so(
    play: Play, journal: Journal, change: Callable[[StoredPlay], StoredPlay]
) -> None:
    stored = change(journal.load(play.id))
    if stored.rows[-1:] and b"bribe" in stored.rows[-1].body:
        # Found only when the card is turned over: the other seat has to choose as well.
        stored = with_answer(stored, Answer(1, "race.action", "settle"))
    with pytest.raises(StorageTrouble) as raised:
        read(stored)
    assert raised.value.text.key == "core.cannot-replay"
    assert raised.value.text.args["play"] == play.id
    assert journal.load(play.id).whole


SLUGS = {
    "race.start-world",
    "race.action",
    "race.place",
    "race.way",
    "race.sell",
    "race.consume",
    "race.pick-good",
    "race.gamble",
    "race.windfall",
}


def moments_of_every_kind() -> dict[str, tuple[Session, Answer]]:
    """For each question of Race the first session in which it is asked, with an answer to it."""
    found: dict[str, tuple[Session, Answer]] = {}
    for seed in range(40):
        random, session = Random(seed), begin(RACE, SETUP, 0.0)
        while not session.over and not set(found) >= SLUGS:
            for question in session.questions():
                found.setdefault(question.slug, (session, Answer(question.seat, question.slug, "")))
            question = random.choice(session.questions())
            answer = Answer(question.seat, question.slug, random.choice(question.options).id)
            session = session.answer(answer, float(session.entries))
    assert set(found) == SLUGS
    return found


def test_whatever_a_later_version_wrote_is_said_to_be_unplayable() -> None:
    """No answer, whatever its option, may end as a bug when a play is loaded."""
    escaped = []
    for slug, (session, answer) in moments_of_every_kind().items():
        entries = [moment.entry for moment in session.moments[1:]]
        for option in ("", "x", "x:y", "use:x:y", "use:x:1", "plan:x", "plan:", "done", "pay:x"):
            changed = [*entries, Entry(99.0, Answered(msgspec.structs.replace(answer, option=option)))]
            rows = tuple(EntryRow(seq, 0.0, encode_entry(entry)) for seq, entry in enumerate(changed))
            row = PlayRow(1, "race", "", 0.0, 0.0, len(rows))
            try:
                read(StoredPlay(row, msgspec.json.encode(session.setup), rows))
            except StorageTrouble:
                pass
            except Exception as e:
                escaped.append((slug, option, repr(e)))
    assert escaped == []


# The mark at the end


def test_the_end_is_marked_and_taking_it_back_unmarks_it(play: Play, journal: Journal) -> None:
    assert journal.plays()[0].finished is None
    play_to_the_end(play)
    assert journal.plays()[0].finished == play.session.at
    play.pause(900.0)
    assert journal.plays()[0].finished == play.session.moments[-1].entry.at
    play.unpause(901.0)
    play.undo(1, 902.0)
    assert journal.plays()[0].finished is None
    play.redo(1, 903.0)
    assert journal.plays()[0].finished == 903.0


# What the owner teaches


def lantern(journal: Journal, binder: Binder) -> Play:
    """Somebody has shown the Moth, and the table is asked how bright it is, if that is not known."""
    play = Play.start(LANTERN, Setup("lantern", ("Ania", "Bartek")), journal, binder, 1.0)
    play.answer(Answer(0, "lantern.show", "moth"), 2.0)
    play.answer(Answer(1, "lantern.show", "candle"), 3.0)
    return play


def test_what_is_taught_is_known_in_every_later_play(journal: Journal, binder: Binder) -> None:
    play = lantern(journal, binder)
    assert [q.slug for q in play.session.questions()] == ["core.fact"]
    assert binder.facts("lantern") == {}
    play.answer(Answer(None, "core.fact", "3"), 4.0)
    assert binder.facts("lantern") == {"moth.light": 3}
    (taught,) = binder.history("lantern")
    assert (taught.component, taught.field, taught.value, taught.at) == ("moth", "light", 3, 4.0)
    assert taught.by == "Ania, Bartek"  # the table was asked, not a seat
    later = lantern(journal, binder)
    assert later.session.setup.facts == {"moth.light": 3}
    assert [q.slug for q in later.session.questions()] == ["lantern.oil"]


def test_a_fact_a_seat_was_asked_for_is_that_seats_word(journal: Journal, binder: Binder) -> None:
    play = Play.start(LANTERN, Setup("lantern", ("Ania", "Bartek")), journal, binder, 1.0)
    asking = ask_fact("lantern", LANTERN.usual_box()["moth"], "light", seat=1)
    first = play.session.moments[0]
    play.session = replace(play.session, moments=(replace(first, state=first.state.push(asking)),))
    play.answer(Answer(1, "core.fact", "2"), 4.0)
    play.answer(Answer(0, "lantern.show", "candle"), 5.0)
    assert [(taught.value, taught.by) for taught in binder.history("lantern")] == [(2, "Bartek")]
    assert told_by(play.session, "moth.light") == "Bartek"


def test_what_is_taught_is_kept_once_and_only_for_its_game(journal: Journal, binder: Binder) -> None:
    play = lantern(journal, binder)
    play.answer(Answer(None, "core.fact", "3"), 4.0)
    play.answer(Answer(0, "lantern.oil", "2"), 5.0)
    play.undo(1, 6.0)
    assert len(binder.history("lantern")) == 1
    assert binder.facts("race") == {}


def test_a_play_stands_alone_whatever_is_taught_later(
    journal: Journal, binder: Binder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow_games, "game", {"lantern": LANTERN}.__getitem__)
    play = lantern(journal, binder)
    play.answer(Answer(None, "core.fact", "3"), 4.0)
    binder.teach("lantern", "moth", "light", 0, 5.0)
    assert Play.resume(play.id, journal, binder).session == play.session
    assert play.session.state.taught == {"moth.light": 3}


def test_taking_the_answer_back_asks_again_and_the_new_answer_holds(journal: Journal, binder: Binder) -> None:
    play = lantern(journal, binder)
    play.answer(Answer(None, "core.fact", "3"), 4.0)
    play.undo(1, 5.0)
    assert [q.slug for q in play.session.questions()] == ["core.fact"]
    play.answer(Answer(None, "core.fact", "0"), 6.0)
    assert binder.facts("lantern") == {"moth.light": 0}
    assert [taught.value for taught in binder.history("lantern")] == [3, 0]


def test_stored_and_replayed_by_hand_it_is_the_same(play: Play, journal: Journal) -> None:
    stored = journal.load(play.id)
    entries = [decode_entry(row.body) for row in stored.rows]
    setup = msgspec.json.decode(stored.setup, type=Setup)
    assert setup == play.session.setup
    assert replay(RACE, setup, stored.play.created, entries) == play.session == read(stored).session
