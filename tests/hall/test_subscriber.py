"""What the hall hears: what it ignores and counts, what it asks for again, and that nothing is lost silently."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.words import plain
from companion.errors import StorageTrouble
from companion.hall.credentials import HALL_USER, Endpoint, write_credentials
from companion.hall.live import ASK_AGAIN_AFTER, MOST_ENTRIES, MOST_PLAYS, HeardTables, Numbers
from companion.hall.subscriber import Broker
from companion.hall.tournament import MOST_TABLES, PlayerEntered, TablePlaced, replaces
from companion.hall_messages import (
    CREDENTIALS_SUFFIX,
    MOST_BYTES,
    ResultSeat,
    TableCredentials,
    TableEvent,
    TableResult,
    TableState,
    table_topic,
)
from tests.hall.live_hall import HALL, LiveHall, Tables
from tests.hall.mosquitto import MOSQUITTO, REASON, Mosquitto

DAY = "2026-11-19"


@pytest.fixture
def ears() -> HeardTables:
    live = HeardTables(HALL)
    live.begin(DAY)
    return live


def heard(live: HeardTables, kind: str, message: Any, table: str = "table-1") -> Any:
    body = message if isinstance(message, bytes) else msgspec.json.encode(message)
    return live.hear(table_topic(HALL, table, kind), body, 0.0)


def state(**how: Any) -> TableState:
    return TableState("table-1", "Table 1", **{"status": "playing", "day": DAY, "play": 1, **how})


def event(number: int, **how: Any) -> TableEvent:
    return TableEvent("table-1", 1, number, "answer", 0.0, **{"day": DAY, **how})


def result(**how: Any) -> TableResult:
    seats = (ResultSeat("Ania", 30, 1), ResultSeat("Ola", 20, 2))
    return TableResult("table-1", 1, **{"number": 50, "game": "race", "seats": seats, "day": DAY, **how})


@pytest.mark.parametrize(
    ("topic", "body", "why"),
    [
        ("hall/club/table/table-1/state", b"x" * (MOST_BYTES + 1), "long"),
        ("hall/club/table/table-1/state", b"{", "malformed"),
        ("hall/club/table/table-1/state", b"\xff\xfe", "malformed"),
        ("hall/club/table/table-1/state", b"[" * 60_000, "malformed"),
        (
            "hall/club/table/table-1/state",
            msgspec.json.encode(TableState("table-2", "Table 2", "free")),
            "malformed",
        ),
        ("hall/club/table/table-1/state", b'{"version": 2, "what": "nobody knows"}', "version"),
        ("hall/club/table/table-1/event", msgspec.json.encode(event(MOST_ENTRIES + 1)), "malformed"),
        ("hall/club/table/table-1/event", msgspec.json.encode(event(1, day="2026-11-18")), "day"),
        ("hall/club/table/table-1/result/2", msgspec.json.encode(result()), "topic"),
        ("hall/club/table/table-1/result/1", msgspec.json.encode(result(seats=())), "malformed"),
        ("hall/club/table/table-1/online", b"perhaps", "malformed"),
        ("hall/club/table/table-1/call", b"{}", "topic"),
        ("hall/club/table/table-1/result", b"{}", "topic"),
        ("hall/club/table/Table 1/state", b"{}", "topic"),
        ("hall/other/table/table-1/state", b"{}", "topic"),
        ("weather/today", b"{}", "topic"),
    ],
)
def test_what_is_not_understood_is_ignored_and_counted(
    ears: HeardTables, topic: str, body: bytes, why: str
) -> None:
    assert ears.hear(topic, body, 0.0) is None
    assert dict(ears.ignored) == {why: 1}
    assert all(table.state is None and not table.results for table in ears.tables.values())


def test_a_flood_of_tables_or_plays_ends_somewhere(ears: HeardTables) -> None:
    for n in range(MOST_TABLES + 50):
        heard(ears, "online", b"online", f"table-{n}")
    assert len(ears.tables) == MOST_TABLES
    for n in range(MOST_PLAYS + 50):
        heard(ears, "event", TableEvent("table-1", n, 0, "begun", 0.0, day=DAY))
    assert len(ears.tables["table-1"].plays) == MOST_PLAYS
    assert ears.ignored["many"] == 100


def test_without_a_day_nothing_counts_but_who_is_online(ears: HeardTables) -> None:
    heard(ears, "online", b"online")
    heard(ears, "state", state())
    ears.begin("")
    heard(ears, "state", state())
    assert ears.tables["table-1"].online
    assert ears.tables["table-1"].state is None
    assert dict(ears.ignored) == {"day": 1}


def test_gaps_are_known_whatever_the_order() -> None:
    numbers = Numbers()
    for number in (5, 0, 1, 3):
        numbers.add(number)
    assert (numbers.next, numbers.highest, numbers.lacks) == (2, 5, True)
    assert 3 in numbers
    assert 2 not in numbers
    numbers.add(2)
    numbers.add(4)
    assert (numbers.next, numbers.lacks) == (6, False)


def test_what_lacks_is_asked_for_once_it_is_late_and_then_ever_more_rarely(ears: HeardTables) -> None:
    heard(ears, "state", state(number=3))
    ears.stored("table-1", 1, 0)
    ears.stored("table-1", 1, 2)
    assert ears.lacking(10.0) == []
    assert ears.lacking(10.0 + ASK_AGAIN_AFTER) == [("table-1", 1, 1)]
    assert ears.lacking(10.1 + ASK_AGAIN_AFTER) == []
    asked = [at for at in range(20, 4000) if ears.lacking(float(at))]
    assert len(asked) < 20
    assert asked == sorted(set(asked))
    ears.stored("table-1", 1, 1)
    ears.stored("table-1", 1, 3)
    assert ears.lacking(5000.0) == []
    assert ears.lacks() == 0


def test_a_table_that_is_offline_is_not_asked(ears: HeardTables) -> None:
    heard(ears, "state", state(number=3))
    heard(ears, "online", b"offline")
    assert [ears.lacking(float(at)) for at in range(100)] == [[]] * 100


@pytest.mark.parametrize(
    ("new", "old", "wins"),
    [
        (result(number=51), result(confirmed=(0, 1)), True),
        (result(number=49, confirmed=(0, 1)), result(), False),
        (result(confirmed=(0,)), result(), True),
        (result(), result(confirmed=(0,)), False),
        (result(refused=(1,)), result(confirmed=(0, 1)), True),
        (result(confirmed=(0, 1)), result(refused=(1,)), False),
        (result(confirmed=(0, 0, 0)), result(confirmed=(0, 1)), False),
        (result(withdrawn=True), result(confirmed=(0, 1)), True),
        (result(), result(), False),
    ],
)
def test_which_result_replaces_which(new: TableResult, old: TableResult, wins: bool) -> None:
    assert replaces(new, old) == wins


# With a real broker


def test_a_play_is_stored_whole_although_messages_are_doubled_lost_and_reordered(
    live: LiveHall, tables: Tables
) -> None:
    table = tables.table(1)
    table.say("online", b"online", retain=True)
    for number in (0, 2, 1, 1, 5, 4, 5):
        table.event(number)
    table.number = 5
    table.state()
    asked = tables.wait(
        lambda heard: next((said for topic, said in heard if topic.endswith("table-1/again")), None)
    )
    assert (asked["play"], asked["number"]) == (1, 3)
    table.event(3)
    live.wait(lambda: not live.hall.live.lacks())
    events = live.do(live.hall.everything)
    assert [(event[1], event[3]) for event in events] == [("table-1", n) for n in range(6)]


def test_the_broker_dies_and_everything_comes_again(
    live: LiveHall, tables: Tables, mosquitto: Mosquitto
) -> None:
    live.decide(TablePlaced(HALL, "table-1", "Table 1"))
    table = tables.table(1)
    table.event(0)
    live.wait(lambda: live.stored("table-1", 0))
    mosquitto.kill()
    live.wait(lambda: not live.hall.subscriber.connected)
    live.wait(lambda: live.web.board.whole()[1].count(b'"broker":false'))
    mosquitto.start()
    live.wait(lambda: live.hall.subscriber.connected)
    again = Tables(mosquitto, tables.day)
    again.wait(lambda heard: any(topic == f"hall/{HALL}/day" and said for topic, said in heard))
    table = again.table(1)
    table.number = 1
    table.event(1)
    table.state()
    live.wait(lambda: live.hall.live.tables["table-1"].state is not None and not live.hall.live.lacks())
    assert len(live.do(live.hall.everything)) == 2
    again.close()


def test_a_full_disk_loses_nothing_and_the_board_says_so(live: LiveHall, tables: Tables) -> None:
    table = tables.table(1)
    table.say("online", b"online", retain=True)
    table.event(0)
    live.wait(lambda: live.stored("table-1", 0))
    storage = live.hall._storage
    keep, newest = storage.keep, storage.newest_day

    def full(*_: object) -> Any:
        raise StorageTrouble(plain("The disk is full."))

    storage.keep = storage.newest_day = full  # type: ignore[method-assign]
    table.event(1)
    table.number = 2
    table.event(2)
    table.result((30, 20, 10, 5), numbers=("1", "2", "3", "4"))
    live.wait(lambda: live.hall.trouble is not None)
    live.wait(lambda: live.web.board.whole()[1].count(b'"disk":false'))
    assert not any(topic.endswith("/again") for topic, _ in tables.heard), "it could not be kept anyway"
    storage.keep, storage.newest_day = keep, newest  # type: ignore[method-assign]
    live.wait(lambda: live.hall.trouble is None)
    tables.wait(
        lambda heard: [said for topic, said in heard if topic.endswith("/again") and said["number"] == 1]
    )
    table.event(1)
    table.event(2)
    live.wait(lambda: not live.hall.live.lacks())
    assert len(live.do(live.hall.everything)) == 3
    assert len(live.do(live.hall.sheets)) == 1


def test_a_hall_that_starts_again_knows_everything(
    live: LiveHall, tables: Tables, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    live.decide(TablePlaced(HALL, "table-1", "Table 1"), PlayerEntered("1", "Ania", agreed=True))
    table = tables.table(1)
    for number in range(3):
        table.event(number)
    table.number = 2
    table.state()
    table.result((30, 20, 10, 5))
    live.wait(lambda: live.hall.live.tables and live.hall.live.tables["table-1"].results)
    live.close()
    table.event(1)  # nobody listens
    again = LiveHall(tmp_path / "hall.db", Broker("127.0.0.1", mosquitto.port))
    again.wait(lambda: again.stored("table-1", 2) and again.hall.live.tables["table-1"].state is not None)
    assert not again.hall.live.lacks()
    assert again.hall.tournament is not None
    assert again.hall.tournament.players["1"].name == "Ania"
    assert again.hall.live.tables["table-1"].results[1].seats[0].total == 30
    again.close()


def test_two_halls_share_one_standing(
    new_database: Callable[[str], str | Path], mosquitto: Mosquitto
) -> None:
    address = new_database("postgresql")
    red = LiveHall(address, Broker("127.0.0.1", mosquitto.port), "red")
    blue = LiveHall(address, Broker("127.0.0.1", mosquitto.port), "blue")
    red.begin_day("Fair")
    blue.wait(lambda: blue.hall.tournament is not None)
    red.decide(TablePlaced("red", "table-1", "Red 1", companion=False))
    blue.wait(lambda: len(blue.hall.desks()) == 1)
    blue.decide(PlayerEntered("1", "Ania", agreed=True))
    red.decide(PlayerEntered("2", "Ola"))  # red has not seen blue's decision yet, or has
    red.wait(lambda: len(red.hall.standing()) == 2)
    blue.wait(lambda: len(blue.hall.standing()) == 2)
    assert red.hall.standing() == blue.hall.standing()
    red.close()
    blue.close()


def test_the_day_ends_and_the_broker_forgets_it(live: LiveHall, tables: Tables, mosquitto: Mosquitto) -> None:
    from companion.hall.tournament import DayEnded

    table = tables.table(1)
    table.state()
    table.result((30, 20, 10, 5))
    live.wait(lambda: live.hall.live.tables and live.hall.live.tables["table-1"].results)
    live.decide(DayEnded())
    tables.wait(lambda heard: [said for topic, said in heard if topic.endswith("/day")][-1]["day"] == "")
    live.wait(lambda: live.hall.live.day == "" and live.hall.subscriber.told)
    fresh = Tables(mosquitto)
    fresh._client.subscribe("hall/#", qos=1)
    fresh.publish("hall/club/last", b"{}", retain=False)
    fresh.wait(lambda heard: any(topic == "hall/club/last" for topic, _ in heard))
    left = {
        topic: said for topic, said in fresh.heard if "/table/" in topic and not topic.endswith("/online")
    }
    assert left == {table_topic(HALL, "table-1", "assignment"): {"id": ""}}
    fresh.close()
    live.begin_day("Another")
    assert live.hall.tournament is not None
    assert live.hall.tournament.day == f"{tables.day}.02"


class WrittenBroker(Mosquitto):
    """A Mosquitto with the settings that were written with the credentials."""

    def listeners(self) -> list[str]:
        lines = (self.folder / "credentials/mosquitto.conf").read_text().splitlines()
        assert f"listener {self.port}" in lines
        return [line for line in lines if not line.startswith(("max_queued_messages", "user "))]


def test_credentials_let_a_table_speak_for_itself_only(tmp_path: Path) -> None:
    if MOSQUITTO is None:
        pytest.skip(REASON)
    import paho.mqtt.client as mqtt
    from paho.mqtt.enums import CallbackAPIVersion

    broker = WrittenBroker(tmp_path)
    folder = tmp_path / "credentials"
    write_credentials(
        folder, HALL, (("table-1", "Table 1"), ("table-2", "Table 2")), Endpoint("127.0.0.1", broker.port)
    )
    broker.start()
    file = folder / f"table-1{CREDENTIALS_SUFFIX}"
    given = msgspec.json.decode(file.read_bytes(), type=TableCredentials)
    password = (folder / "hall-password").read_text().strip()
    hall = LiveHall(tmp_path / "hall.db", Broker("127.0.0.1", broker.port, HALL_USER, password))
    hall.wait(lambda: hall.hall.subscriber.connected)
    hall.begin_day()
    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    client.username_pw_set(str(given.table), given.password)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    client.publish(table_topic(HALL, "table-2", "online"), b"online", qos=1).wait_for_publish(600)
    client.publish(table_topic("other", "table-1", "online"), b"online", qos=1).wait_for_publish(600)
    client.publish(table_topic(HALL, "table-1", "online"), b"online", qos=1).wait_for_publish(600)
    hall.wait(lambda: "table-1" in hall.hall.live.tables)
    assert list(hall.hall.live.tables) == ["table-1"]
    client.disconnect()
    client.loop_stop()
    wrong = LiveHall(tmp_path / "wrong.db", Broker("127.0.0.1", broker.port, HALL_USER, "guessed"))
    wrong.wait(lambda: wrong.hall.subscriber.trouble)
    assert not wrong.hall.subscriber.connected
    wrong.close()
    hall.close()
    broker.kill()


def test_a_database_error_while_deciding_changes_nothing(live: LiveHall) -> None:
    def broken(*_: object) -> None:
        raise StorageTrouble(plain("gone"))

    decide = live.hall._storage.decide
    live.hall._storage.decide = broken  # type: ignore[method-assign]
    with pytest.raises(StorageTrouble):
        live.decide(PlayerEntered("1", "Ania"))
    live.hall._storage.decide = decide  # type: ignore[method-assign]
    assert live.hall.tournament is not None
    assert not live.hall.tournament.players
    live.decide(PlayerEntered("1", "Ania"))
    assert list(live.hall.tournament.players) == ["1"]
