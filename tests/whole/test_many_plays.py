"""A journal of many years: lists of plays read only one page of them, however many there are."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.core import sqlite_file
from companion.core.binder import Binder
from companion.core.game import showcase
from companion.core.journal import EntryRow, Journal, PlayRow, StoredPlay, insert
from companion.core.play import suspects
from companion.core.store import Store
from companion.table.desk import PAGE, _plays

PLAYS = 2000
MOST = 5 * PAGE
"""Rows that may be read to show a page of plays."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Many plays of two entries each; only the third is not over."""
    rows = tuple(EntryRow(seq, 1.0, b'{"at":1.0,"deed":{"type":"pause"},"rules":1}') for seq in range(2))
    setup = b'{"game":"%s","seats":["Ala","Ola"]}' % showcase().id.encode()
    with Store(tmp_path / "journal.db") as store, store.writing() as db:
        for id in range(1, PLAYS + 1):
            over = None if id == 3 else 1.0
            insert(db, StoredPlay(PlayRow(id, showcase().id, "Ala, Ola", 1.0, 1.0, 2, over), setup, rows))
    return tmp_path / "journal.db"


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many rows SQLite hands over."""
    read, usual = [0], sqlite_file._connect

    def counting(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> tuple[Any, ...]:
        read[0] += 1
        return row

    def connect(name: str, patience: float) -> sqlite3.Connection:
        connection = usual(name, patience)
        connection.row_factory = counting
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_file, "_connect", connect)
        yield read


def test_what_the_screens_look_up_is_a_page(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch) as read, Store(path) as store:
        found = _plays(Journal(store))
    assert read[0] < MOST
    assert [row.id for row in found.plays] == list(range(PLAYS - PAGE + 1, PLAYS + 1))
    assert found.all_plays == PLAYS
    assert found.running is not None
    assert found.running.id == 3
    assert found.last_setup is not None


def test_an_older_page_reads_no_more_than_the_newest(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(monkeypatch) as read, Store(path) as store:
        rows = Journal(store).plays(PAGE, PLAYS - PAGE)
        suspects(Journal(store), rows)
    assert [row.id for row in rows] == list(range(1, PAGE + 1))
    assert read[0] < MOST


def test_home_asks_which_games_were_played_not_for_every_play(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counted(monkeypatch) as read, Store(path) as store:
        assert Journal(store).played() == {showcase().id: PLAYS}
        Binder(store).facts(showcase().id)
    assert read[0] < MOST


@pytest.mark.parametrize("words", [["plays"], ["resume", "--text"]])
def test_commands_read_a_page(
    path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(path.parent))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with counted(monkeypatch) as read:
        cli.main([*words, "--language", "en"])
    assert read[0] < MOST
    told = capsys.readouterr().out
    if words == ["plays"]:
        assert "1950 older plays" in told
        assert told.count("Ala, Ola") == 50


def test_all_plays_are_listed_on_request(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(path.parent))
    with Store(path) as store, store.writing() as db:
        db.execute("DELETE FROM entry WHERE play > 120")
        db.execute("DELETE FROM play WHERE id > 120")
    assert cli.main(["plays", "--all", "--language", "en"]) == 0
    assert capsys.readouterr().out.count("Ala, Ola") == 120
