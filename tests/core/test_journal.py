"""The journal as its callers see it: appended entries come back, and tampered ones are refused."""

from __future__ import annotations

import json
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.journal import EntryRow, Journal, PlayRow
from companion.core.repair import verify
from companion.core.sqlite_errors import _damage_as_error
from companion.core.sqlite_file import MIGRATIONS, connect, default_path
from companion.core.store import Store
from companion.errors import STORAGE, StorageTrouble, Unknown

SETUP = b'{"game":"race","seats":["Ala","Ola"]}'
TAMPERING = {
    "body": "UPDATE entry SET body = CAST(replace(CAST(body AS TEXT), 'n', 'm') AS BLOB) WHERE seq = 2",
    "time": "UPDATE entry SET at = at + 1 WHERE seq = 2",
    "checksum": "UPDATE entry SET sum = x'0011223344556677' WHERE seq = 2",
    "missing": "DELETE FROM entry WHERE seq = 2",
    "closed gap": "DELETE FROM entry WHERE seq = 2; UPDATE entry SET seq = seq - 1 WHERE seq > 2",
    "reordered": "UPDATE entry SET seq = 9 WHERE seq = 2; UPDATE entry SET seq = 2 WHERE seq = 3;"
    "UPDATE entry SET seq = 3 WHERE seq = 9",
    "twice": "UPDATE entry SET (body, sum) = (SELECT body, sum FROM entry WHERE seq = 1) WHERE seq = 2",
    "end": "DELETE FROM entry WHERE seq >= 2",
    "type": "PRAGMA ignore_check_constraints = ON; UPDATE entry SET body = CAST(body AS TEXT) WHERE seq = 2",
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "home" / "journal.db", patience=0.05) as store:
        yield store


@pytest.fixture
def journal(store: Store) -> Journal:
    return Journal(store)


def body(seq: int) -> bytes:
    return b'{"n":%d}' % seq


def fill(journal: Journal, entries: int, title: str = "Ala, Ola") -> int:
    play = journal.create(SETUP, "race", title, 100.0)
    for seq in range(entries):
        journal.append(play, seq, 101.0 + seq, body(seq))
    return play


def tamper(store: Store, script: str) -> None:
    store.close()
    with closing(connect(store.path, "mode=rw")) as db:
        db.executescript(script)


def trouble(raised: pytest.ExceptionInfo[StorageTrouble]) -> str:
    assert raised.value.exit_code == STORAGE
    return raised.value.text.key


def test_what_was_appended_comes_back_also_to_another_program(journal: Journal, store: Store) -> None:
    play = fill(journal, 3)
    expected = tuple(EntryRow(seq, 101.0 + seq, body(seq)) for seq in range(3))
    assert journal.entries(play) == expected
    with Store(store.path) as other:
        assert Journal(other).entries(play) == expected
        assert Journal(other).setup(play) == SETUP


def test_reading_makes_no_file(journal: Journal, store: Store) -> None:
    assert journal.plays() == ()
    assert not store.path.parent.exists()


def test_plays_are_numbered_listed_finished_and_reopened(journal: Journal) -> None:
    first, second = fill(journal, 2), fill(journal, 0, "Ewa, Żaneta")
    assert (first, second) == (1, 2)
    journal.append(first, 2, 250.0, body(2), over=True)
    journal.append(first, 3, 300.0, body(3), over=True)
    assert journal.plays() == (
        PlayRow(1, "race", "Ala, Ola", 100.0, 300.0, 4, 250.0),
        PlayRow(2, "race", "Ewa, Żaneta", 100.0, 100.0, 0, None),
    )
    journal.append(first, 4, 310.0, body(4))
    assert journal.plays()[0].finished is None
    assert len(journal.entries(first)) == 5


@pytest.mark.parametrize("play", [0, -1, 2, 2**63, 10**30])
def test_a_play_that_is_not_there(journal: Journal, play: int) -> None:
    fill(journal, 1)
    for use in (
        lambda: journal.load(play),
        lambda: journal.append(play, 0, 1.0, b"{}"),
    ):
        with pytest.raises(Unknown) as raised:
            use()
        assert raised.value.text.key == "storage.no-such-play"


def test_export_is_complete_and_can_be_written_as_json(journal: Journal) -> None:
    play = fill(journal, 1)
    journal.append(play, 1, 102.0, body(1), over=True)
    assert json.loads(json.dumps(journal.export(play))) == {
        "format": "tabletop-companion play",
        "version": 1,
        "id": 1,
        "game": "race",
        "title": "Ala, Ola",
        "created": 100.0,
        "last_at": 102.0,
        "finished": 102.0,
        "setup": {"game": "race", "seats": ["Ala", "Ola"]},
        "entries": [{"seq": 0, "at": 101.0, "body": {"n": 0}}, {"seq": 1, "at": 102.0, "body": {"n": 1}}],
    }


@pytest.mark.parametrize("seq", [-1, 0, 1, 3, 99])
def test_only_the_next_entry_is_taken(journal: Journal, seq: int) -> None:
    play = fill(journal, 2)
    with pytest.raises(StorageTrouble) as raised:
        journal.append(play, seq, 1.0, b"{}")
    assert trouble(raised) == "storage.other-writer"
    assert len(journal.entries(play)) == 2
    journal.append(play, 2, 1.0, b"{}")


def test_two_programs_on_one_play_are_not_mixed(journal: Journal, store: Store) -> None:
    play = fill(journal, 2)
    with Store(store.path) as other:
        Journal(other).append(play, 2, 5.0, b'"theirs"')
        with pytest.raises(StorageTrouble) as raised:
            journal.append(play, 2, 5.0, b'"ours"')
    assert trouble(raised) == "storage.other-writer"
    assert journal.entries(play)[2:] == (EntryRow(2, 5.0, b'"theirs"'),)


def test_two_programs_on_two_plays_do_not_disturb_each_other(journal: Journal, store: Store) -> None:
    with Store(store.path) as second:
        ours, theirs = fill(journal, 1), fill(Journal(second), 1)
        for seq in range(1, 20):
            journal.append(ours, seq, 1.0, b'"ours"')
            Journal(second).append(theirs, seq, 1.0, b'"theirs"')
    assert {row.body for row in journal.entries(ours)[1:]} == {b'"ours"'}
    assert {row.body for row in journal.entries(theirs)[1:]} == {b'"theirs"'}


def test_another_thread_may_take_over(journal: Journal) -> None:
    play = fill(journal, 1)
    threads = [threading.Thread(target=journal.load, args=(play,)) for _ in range(8)]
    threads.append(threading.Thread(target=journal.append, args=(play, 1, 2.0, body(1))))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(journal.entries(play)) == 2


@pytest.mark.parametrize("how", TAMPERING)
def test_tampering_is_found_and_says_what_is_good(journal: Journal, store: Store, how: str) -> None:
    play, whole = fill(journal, 5), fill(journal, 5)
    tamper(store, TAMPERING[how].replace("WHERE", f"WHERE play = {play} AND"))
    with pytest.raises(StorageTrouble) as raised:
        journal.entries(play)
    assert trouble(raised) == "storage.play-damaged"
    assert raised.value.text.n == 2
    assert raised.value.text.args["play"] == play
    assert len(journal.entries(whole)) == 5
    assert verify(store.path).entries == 7


@pytest.mark.parametrize(
    "change",
    [
        "setup = x'7b7d'",
        "title = 'x'",
        "game = 'x'",
        "created = 1",
        "last_at = 7",
        "entries = 4",
        "head = x''",
    ],
)
def test_tampering_with_a_play_is_found(journal: Journal, store: Store, change: str) -> None:
    play = fill(journal, 5)
    tamper(store, f"UPDATE play SET {change}")
    with pytest.raises(StorageTrouble) as raised:
        journal.setup(play)
    assert trouble(raised) in ("storage.play-damaged", "storage.play-lost")


def test_an_entry_moved_to_another_play_is_found(journal: Journal, store: Store) -> None:
    one, two = fill(journal, 1), fill(journal, 1)
    tamper(store, "UPDATE entry SET play = 9 - play; UPDATE entry SET play = 3 - (9 - play)")
    for play in (one, two):
        with pytest.raises(StorageTrouble):
            journal.load(play)


def test_a_list_that_cannot_be_read_says_so(journal: Journal, store: Store) -> None:
    fill(journal, 1)
    tamper(store, "UPDATE play SET entries = 'many'")
    with pytest.raises(StorageTrouble) as raised:
        journal.plays()
    assert trouble(raised) == "storage.damaged"


def test_every_answer_is_synced_before_append_returns(journal: Journal, store: Store) -> None:
    fill(journal, 1)
    with store.writing() as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA synchronous").fetchone()[0] >= 2
        assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_what_fails_inside_leaves_nothing(journal: Journal, store: Store) -> None:
    play = fill(journal, 1)

    def interrupted() -> None:
        with store.writing() as db:
            db.execute("UPDATE play SET title = 'half'")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert journal.plays()[0].title == "Ala, Ola"
    journal.append(play, 1, 1.0, b"{}")


def test_a_closed_store_opens_again_when_needed(journal: Journal, store: Store) -> None:
    play = fill(journal, 1)
    store.close()
    store.close()
    assert len(journal.entries(play)) == 1
    journal.append(play, 1, 1.0, b"{}")


def test_the_file_says_whose_it_is_and_which_version(journal: Journal, store: Store) -> None:
    fill(journal, 0)
    store.close()
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),) == (2,)
        assert db.execute("PRAGMA application_id").fetchone()[0] > 0


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"COMPANION_HOME": "/a", "XDG_DATA_HOME": "/b", "HOME": "/c"}, "/a/journal.db"),
        ({"XDG_DATA_HOME": "/b", "HOME": "/c"}, "/b/tabletop-companion/journal.db"),
        ({"COMPANION_HOME": "", "HOME": "/c"}, "/c/.local/share/tabletop-companion/journal.db"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/c"}, "/c/.local/share/tabletop-companion/journal.db"),
    ],
)
def test_where_the_journal_is(environ: dict[str, str], expected: str) -> None:
    assert default_path(environ) == Path(expected)


def test_nobody_is_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", nobody)
    with pytest.raises(StorageTrouble) as raised:
        default_path({})
    assert trouble(raised) == "storage.no-home"


@settings(max_examples=25, deadline=None)
@given(
    plays=st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8")), st.lists(st.tuples(st.floats(0, 1e10), st.binary()))
        ),
        max_size=4,
    )
)
def test_anything_comes_back(tmp_path_factory: pytest.TempPathFactory, plays: list) -> None:
    with Store(tmp_path_factory.mktemp("any") / "ż ?#%.db") as store:
        journal = Journal(store)
        for title, entries in plays:
            play = journal.create(title.encode(), "race", title, 1)
            for seq, (at, content) in enumerate(entries):
                journal.append(play, seq, at, content)
        store.close()
        for row, (title, entries) in zip(journal.plays(), plays, strict=True):
            assert (row.title, journal.setup(row.id)) == (title, title.encode())
            assert [(r.at, r.body) for r in journal.entries(row.id)] == entries


@pytest.mark.parametrize("written", [False, True])
def test_ctrl_c_between_a_block_and_its_end_leaves_nothing_open_and_says_nothing(
    store: Store, written: bool
) -> None:
    with store.writing():
        pass
    store.close()

    before = sys.gettrace()  # coverage is measured with it

    def strike(frame: FrameType, event: str, _: object) -> None:
        block = getattr(frame.f_locals.get("self"), "gen", None)
        if frame.f_code.co_name == "__exit__" and block is not None and block.__name__ == "transaction":
            raise KeyboardInterrupt  # ends the tracing, too

    block = store.writing if written else store.reading
    with pytest.raises(KeyboardInterrupt), block():
        sys.settrace(strike)
    sys.settrace(before)
    with store.writing() as db:
        assert db.execute("SELECT 1").fetchone() == (1,)


def test_a_file_that_asks_for_endless_memory_is_damaged_but_no_memory_is_no_damage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(sqlite3.DatabaseError, match="out of memory"), _damage_as_error():
        raise MemoryError
    monkeypatch.setattr("companion.core.sqlite_errors.A_LOT", 1 << 60)
    with pytest.raises(MemoryError), _damage_as_error():
        raise MemoryError
