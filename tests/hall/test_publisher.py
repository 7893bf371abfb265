"""The publisher as a process between a real app and a real broker: nothing is lost in any crash."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall_messages import (
    AssignedPlayer,
    Assignment,
    HallDay,
    SendAgain,
    TableCall,
    TableCredentials,
)
from tests.hall.live import Listener, PublishingTable
from tests.hall.mosquitto import Mosquitto

TABLE = "hall/expo/table/table-7"


@pytest.fixture
def hall(broker: Mosquitto) -> Iterator[Listener]:
    hall = Listener(broker.port)
    yield hall
    hall.stop()


@pytest.fixture
def table(tmp_path: Path, broker: Mosquitto) -> Iterator[PublishingTable]:
    folder = tmp_path / "table"
    folder.mkdir()
    table = PublishingTable(
        folder, TableCredentials("expo", "Table 7", "127.0.0.1", broker.port, table="table-7", tls=False)
    )
    yield table
    table.close()


def complete(play: int, last: int) -> set[tuple[int, int]]:
    return {(play, number) for number in range(last + 1)}


def test_a_play_is_told_from_its_beginning_in_order(hall: Listener, table: PublishingTable) -> None:
    """An event may come twice, if the machine is so busy that an acknowledgement is late."""
    table.play()
    table.pauses(30)
    hall.wait(lambda _: complete(1, 60) <= set(hall.events))
    assert list(dict.fromkeys(hall.events)) == sorted(complete(1, 60))
    hall.wait(lambda _: hall.last("/state") and hall.state.number == 60)
    assert hall.state.status == "playing"
    assert [seat.name for seat in hall.state.seats] == ["Ania", "Bartek"]
    assert hall.last("/online") == b"online"


def test_what_the_hall_says_reaches_the_screen(hall: Listener, table: PublishingTable) -> None:
    table.wait(lambda: table.side.now.connected)
    hall.say("hall/expo/day", HallDay("2026-11-20", "Expo"), retain=True)
    hall.say(f"{TABLE}/assignment", Assignment("r1-t7", 1, "race", (AssignedPlayer("12", "Ola"),)))
    hall.say(f"{TABLE}/call", TableCall("c1", "round-begins", 5))
    hall.say(f"{TABLE}/call", b"{")
    hall.say(f"{TABLE}/call", b" " * 70_000)
    hall.say(f"{TABLE}/call", TableCall("c2", "text", text="x", version=99))
    hall.say(f"{TABLE}/call", TableCall("c1", "round-begins", 5))
    hall.say(f"{TABLE}/call", TableCall("c3", "judge-comes"))
    table.wait(lambda: [call.id for call in table.side.now.calls] == ["c1", "c3"])
    assert table.side.now.event == "Expo"
    assert table.side.now.assignment is not None
    hall.wait(lambda _: hall.last("/state") and hall.state.day == "2026-11-20")


def test_a_killed_broker_costs_nothing(hall: Listener, table: PublishingTable, broker: Mosquitto) -> None:
    table.play()
    hall.wait(lambda _: (1, 0) in hall.events)
    for round_ in range(1, 4):
        table.pauses(5)
        broker.kill()
        table.pauses(5)
        broker.start()
        hall.wait(lambda _, n=20 * round_: complete(1, n) <= set(hall.events))
        table.wait(lambda: table.side.now.connected)
    assert set(hall.events) == complete(1, 60)
    hall.wait(lambda _: hall.last("/state") and hall.state.number == 60)
    hall.wait(lambda _: hall.last("/online") == b"online")


def test_a_killed_publisher_is_announced_and_costs_nothing(hall: Listener, table: PublishingTable) -> None:
    table.play()
    for round_ in range(1, 3):
        table.wait(lambda: table.side.now.connected)
        table.pauses(5)
        assert table.publisher.child is not None
        before = len(hall.messages)
        table.publisher.child.kill()
        table.pauses(5)
        hall.wait(lambda all, n=before: (f"{TABLE}/online", b"offline") in all[n:])
        hall.wait(lambda _, n=20 * round_: complete(1, n) <= set(hall.events))
        hall.wait(lambda _: hall.last("/online") == b"online")
    assert set(hall.events) == complete(1, 40)


def test_a_killed_app_costs_nothing(hall: Listener, table: PublishingTable) -> None:
    """What was not acknowledged before is told after; the cursor is on the disk a little later than the truth."""
    table.play()
    table.pauses(5)
    hall.wait(lambda _: complete(1, 10) <= set(hall.events))
    table.stop()
    hall.wait(lambda _: hall.last("/online") == b"offline")
    (table.folder / "hall.json").unlink()  # as if it had never been written
    table.pauses(5)
    table.begin()
    hall.wait(lambda _: complete(1, 20) <= set(hall.events))
    assert set(hall.events) == complete(1, 20)


def test_what_the_hall_lacks_is_sent_again(hall: Listener, table: PublishingTable) -> None:
    table.play()
    table.pauses(5)
    hall.wait(lambda _: complete(1, 10) <= set(hall.events))
    before = len(hall.events)
    hall.say(f"{TABLE}/again", SendAgain(9, 0))
    hall.say(f"{TABLE}/again", SendAgain(1, 8))
    hall.wait(lambda _: {(1, 8), (1, 9), (1, 10)} <= set(hall.events[before:]))
    before = len(hall.events)
    hall.say(f"{TABLE}/again", SendAgain(1, 10))
    hall.wait(lambda _: (1, 10) in hall.events[before:])
    assert set(hall.events) == complete(1, 10)


def test_switched_off_and_on_again_at_once_the_table_is_heard(hall: Listener, table: PublishingTable) -> None:
    """The side that ends must not take the socket of the next one away."""
    table.play()
    table.wait(lambda: table.side.now.connected)
    before = table.side
    table.desk._at_once = ()
    before.stop()
    table.begin(after=before)
    table.pauses(3)
    hall.wait(lambda _: complete(1, 6) <= set(hall.events))
    hall.wait(lambda _: hall.last("/online") == b"online")
    assert not before._thread.is_alive()


def test_two_halls_may_name_their_tables_alike(
    hall: Listener, table: PublishingTable, tmp_path: Path, broker: Mosquitto
) -> None:
    """A broker ends the older of two connections with one name, and says that its table is offline."""
    table.wait(lambda: table.side.now.connected)
    folder = tmp_path / "other"
    folder.mkdir()
    other = PublishingTable(
        folder, TableCredentials("club", "Table 7", "127.0.0.1", broker.port, table="table-7", tls=False)
    )
    try:
        other.wait(lambda: other.side.now.connected)
        hall.wait(lambda all: ("hall/club/table/table-7/online", b"online") in all)
        table.play()
        hall.wait(lambda _: complete(1, 0) <= set(hall.events))
        assert (f"{TABLE}/online", b"offline") not in hall.messages
    finally:
        other.close()
