"""The hall's database: the same promises from a real SQLite and from a real PostgreSQL."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.errors import DataTrouble, StorageTrouble
from companion.hall.storage import HallStorage, Reached, StoredEvent, StoredResult, Taken

DAY = "2026-11-19"
New = Callable[[str], "str | Path"]


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, new_database: New) -> str | Path:
    return new_database(request.param)


@pytest.fixture
def storage(address: str | Path) -> Iterator[HallStorage]:
    storage = HallStorage(address, "red")
    yield storage
    storage.close()


def event(number: int, body: str = "{}", play: int = 1) -> StoredEvent:
    return StoredEvent("table-1", DAY, play, number, body)


def result(body: str) -> StoredResult:
    return StoredResult("table-1", DAY, 1, body)


def test_an_event_is_kept_once_however_often_and_in_whatever_order_it_comes(storage: HallStorage) -> None:
    storage.keep([event(2), event(0), event(2), event(2, "another")], [], [])
    storage.keep([event(1), event(0)], [], [])
    assert list(storage.numbers(DAY)) == [("table-1", 1, 0), ("table-1", 1, 1), ("table-1", 1, 2)]
    assert {body for *_, body in storage.events(DAY)} == {"{}"}
    assert list(storage.numbers("2026-11-20")) == []


def test_a_result_replaces_the_earlier_one_of_its_play(storage: HallStorage) -> None:
    before = storage.changed(DAY)
    storage.keep([], [result("first")], [])
    storage.keep([], [result("second")], [])
    assert storage.results(DAY) == [("red", "table-1", 1, "second")]
    assert storage.changed(DAY) > before


def test_decisions_are_in_order_and_nobody_takes_anothers_place(
    storage: HallStorage, address: str | Path
) -> None:
    storage.decide(DAY, 0, ["a", "b"])
    other = HallStorage(address, "blue")
    try:
        other.decide(DAY, 2, ["c"])
        with pytest.raises(Taken):
            storage.decide(DAY, 2, ["d"])
        with pytest.raises(Taken):
            storage.decide(DAY, 1, ["d", "e", "f", "g"])
        assert other.decisions(DAY) == [(0, "a"), (1, "b"), (2, "c")]
        assert storage.decisions(DAY, after=1) == [(2, "c")]
        assert storage.newest_day() == DAY
    finally:
        other.close()


def test_halls_share_results_and_keep_their_own_events(storage: HallStorage, address: str | Path) -> None:
    other = HallStorage(address, "blue")
    try:
        storage.keep([event(0)], [result("of red")], [])
        other.keep([event(0), event(1)], [result("of blue")], [])
        assert list(storage.numbers(DAY)) == [("table-1", 1, 0)]
        assert len(list(other.numbers(DAY))) == 2
        assert storage.results(DAY) == [("blue", "table-1", 1, "of blue"), ("red", "table-1", 1, "of red")]
    finally:
        other.close()


def test_only_plays_that_ended_tell_how_long_a_round_took(storage: HallStorage) -> None:
    def reached(play: int, round: int, played: float) -> Reached:
        return Reached("table-1", DAY, play, round, "race", 4, played)

    storage.keep([], [], [reached(1, 1, 0.0), reached(1, 2, 300.5), reached(2, 1, 0.0)])
    assert storage.reached() == []
    storage.keep([], [], [reached(1, 0, 900.0), reached(1, 2, 999.0)])
    assert [(row[3], row[4], row[7]) for row in storage.reached()] == [
        (1, 0, 900.0),
        (1, 1, 0.0),
        (1, 2, 300.5),
    ]


def test_everything_is_there_after_opening_again(storage: HallStorage, address: str | Path) -> None:
    storage.keep([event(0)], [result("x")], [])
    storage.decide(DAY, 0, ["a"])
    storage.close()
    again = HallStorage(address, "red")
    try:
        assert list(again.numbers(DAY)) == [("table-1", 1, 0)]
        assert again.results(DAY) == [("red", "table-1", 1, "x")]
        assert again.decisions(DAY) == [(0, "a")]
    finally:
        again.close()


def test_what_fails_half_way_is_not_kept_at_all(storage: HallStorage) -> None:
    too_much = StoredResult("table-1", DAY, None, "x")  # type: ignore[arg-type]
    with pytest.raises(StorageTrouble):
        storage.keep([event(0)], [too_much], [])
    assert list(storage.numbers(DAY)) == []


def test_after_the_server_was_away_the_same_storage_works_again(
    new_database: New, postgresql: object
) -> None:
    from tests.hall.postgresql import PostgreSQL

    assert isinstance(postgresql, PostgreSQL)
    storage = HallStorage(new_database("postgresql"), "red")
    try:
        storage.keep([event(0)], [], [])
        postgresql.stop()
        with pytest.raises(StorageTrouble) as trouble:
            storage.keep([event(1)], [], [])
        assert postgresql.address not in str(trouble.value)
        with pytest.raises(StorageTrouble):
            storage.newest_day()
    finally:
        postgresql.stop()
        postgresql.start()
    storage.keep([event(1)], [], [])
    assert len(list(storage.numbers(DAY))) == 2
    storage.close()


def test_the_file_is_private_and_a_strange_file_is_left_alone(tmp_path: Path) -> None:
    HallStorage(tmp_path / "new" / "hall.db", "red").close()
    assert stat.S_IMODE((tmp_path / "new" / "hall.db").stat().st_mode) == 0o600
    strange = tmp_path / "strange.db"
    with sqlite3.connect(strange) as database:
        database.execute("CREATE TABLE mine (x)")
    database.close()
    before = strange.read_bytes()
    with pytest.raises(StorageTrouble, match="does not belong to a hall"):
        HallStorage(strange, "red")
    assert strange.read_bytes() == before
    (tmp_path / "words.db").write_text("this is no database at all " * 50)
    with pytest.raises(StorageTrouble):
        HallStorage(tmp_path / "words.db", "red")


def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(DataTrouble, match="postgresql://"):
        HallStorage("mysql://example", "red")
