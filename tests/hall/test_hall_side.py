"""The table's side of a hall: what it tells, what it shows, and that it changes no play."""

import stat
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.core.autoplay import next_answer
from companion.core.entries import Redone, Undone
from companion.core.game import LONGEST_NAME, is_name
from companion.core.questions import Answer
from companion.errors import DataTrouble
from companion.hall_messages import (
    TOPIC_NAME,
    AssignedPlayer,
    Assignment,
    HallDay,
    SendAgain,
    TableCall,
    TableCredentials,
)
from companion.hall_wire import (
    BrokerAccess,
    BrokerState,
    EventAcknowledged,
    HeardAgain,
    HeardAssignment,
    HeardCall,
    HeardDay,
    NumberedEvents,
)
from companion.table import hall_memory
from companion.table.assigned_seats import names_of, seats_of
from companion.table.hall_memory import HallMemory
from companion.table.hall_side import NOTICED
from companion.table.seat_panel import SeatPanel
from devices.lights import WHITE, Pattern, Pulse
from devices.simulator import Simulator
from devices.wiring_config import default
from tests.hall.wired import CREDENTIALS, HalledTable
from tests.table.desks import ListeningDesk

DAY = HallDay("2026-11-20", "Expo")


def play_to_the_end(table: ListeningDesk) -> None:
    """Play to the end, as bots do."""
    random, session = Random(1), table.session
    bots = session.game.bots(session.setup, random)
    for moment in session.moments:
        bots.follow(moment.state, moment.state.news)
    while not session.over:
        table.desk.propose(next_answer(session.state, bots, random))
        table.settle()
        before, session = session, table.session
        for moment in session.moments[len(before.moments) :]:
            bots.follow(moment.state, moment.state.news)


def over(halled: HalledTable) -> None:
    """The play is over."""
    play_to_the_end(halled.table)
    halled.settle()


def take_back(halled: HalledTable) -> None:
    """The last deed is undone."""
    halled.do(Undone(halled.table.session.last_deed))


# What is told


def test_first_comes_the_access_then_the_state(halled: HalledTable) -> None:
    assert halled.heard[0] == BrokerAccess(CREDENTIALS)
    state = halled.state
    assert (state.table, state.title, state.status) == ("table-7", "Table 7", "playing")
    assert (state.play, state.game, state.depth) == (1, "race", "full")
    assert state.number == halled.table.session.entries
    assert [seat.name for seat in state.seats] == ["Ania", "Bartek"]
    assert [(seat.waiting, seat.points) for seat in state.seats] == [(True, 0), (False, 0)]
    assert all(seat.colour.startswith("#") for seat in state.seats)


def test_without_a_play_the_table_is_free(halled: HalledTable) -> None:
    halled.table.desk.leave()
    halled.settle()
    assert halled.state.status == "free"
    assert halled.state.seats == ()


def test_points_are_told_only_where_the_table_shows_them(halled: HalledTable) -> None:
    halled.table.desk.for_now(scores=False)
    halled.settle()
    assert [seat.points for seat in halled.state.seats] == [None, None]


def test_waiting_alone_is_no_news(halled: HalledTable) -> None:
    before = len(halled.heard)
    halled.table.now += 60
    halled.table.desk.for_now(volume=10)
    halled.settle()
    assert halled.heard[before:] == []
    halled.table.desk.pause()
    halled.settle()
    assert halled.state.waited == 60


def test_every_entry_is_told_once_without_what_was_chosen(halled: HalledTable) -> None:
    halled.table.start_worlds()
    halled.table.desk.pause()
    halled.settle()
    take_back(halled)
    n = halled.table.session.entries
    assert halled.numbers == [(1, number) for number in range(n + 1)]
    begun, first, *_ = halled.events
    assert (begun.kind, begun.names, begun.game) == ("begun", ("Ania", "Bartek"), "race")
    assert (first.kind, first.seat) == ("answer", 0)
    assert [event.kind for event in halled.events[-2:]] == ["pause", "undo"]
    told = b"".join(msgspec.json.encode(event) for event in halled.events)
    assert b"sparta" not in told


def test_the_cursor_moves_only_with_the_acknowledgement(tmp_path: Path) -> None:
    halled = HalledTable(tmp_path)
    halled.play()
    halled.acknowledges = False
    halled.connect()
    assert halled.side._memory.cursors == {1: 0}
    halled.say(EventAcknowledged(1, 5))
    assert halled.side._memory.cursors == {1: 0}, "an acknowledgement out of order moves nothing"
    halled.say(EventAcknowledged(1, 0))
    assert halled.side._memory.cursors == {1: 1}
    halled.close()


def test_what_was_given_but_not_acknowledged_is_given_again(tmp_path: Path) -> None:
    """Wherever the publisher dies: before it sends, before the broker acknowledges, before it says so."""
    halled = HalledTable(tmp_path)
    halled.play()
    halled.table.start_worlds()
    halled.acknowledges = False
    halled.connect()
    n = halled.table.session.entries
    for acknowledged in range(n + 1):
        given = [one for one in halled.heard if isinstance(one, NumberedEvents)][-1]
        assert [event.number for event in given.events] == list(range(acknowledged, n + 1))
        halled.say(EventAcknowledged(1, acknowledged))
        halled.connect()
    assert halled.side._memory.cursors == {1: n + 1}
    halled.close()


def test_nothing_is_read_while_the_broker_is_away(halled: HalledTable) -> None:
    halled.say(BrokerState(False, "no route"))
    assert (halled.side.now.connected, halled.side.now.trouble) == (False, "no route")
    before = len(halled.events)
    halled.table.start_worlds()
    halled.settle()
    assert len(halled.events) == before
    halled.say(BrokerState(True))
    assert halled.numbers == [(1, n) for n in range(halled.table.session.entries + 1)]


def test_many_events_come_in_parts_and_in_order(tmp_path: Path) -> None:
    halled = HalledTable(tmp_path)
    halled.play()
    for _ in range(70):
        halled.table.desk.pause()
        halled.table.desk.unpause()
    halled.settle()
    halled.connect()
    assert halled.numbers == [(1, n) for n in range(141)]
    assert all(len(one.events) <= 51 for one in halled.heard if isinstance(one, NumberedEvents))
    halled.close()


def test_plays_that_were_put_aside_are_told_too(tmp_path: Path) -> None:
    halled = HalledTable(tmp_path)
    for _ in range(3):
        halled.play()
    halled.table.desk.leave()
    halled.connect()
    assert sorted(halled.numbers) == [(1, 0), (2, 0), (3, 0)]
    halled.close()


def test_events_are_sent_again_but_not_at_the_pace_of_who_asks(halled: HalledTable) -> None:
    halled.table.start_worlds()
    halled.settle()
    n = len(halled.numbers)
    for _ in range(50):
        halled.say(HeardAgain(SendAgain(1, 1)), HeardAgain(SendAgain(1, 2)), HeardAgain(SendAgain(8, 0)))
    assert halled.numbers[n:] == [(1, 1), (1, 2)]
    halled.now += 2
    halled.settle()
    assert halled.numbers[n:] == [(1, 1), (1, 2)] * 2


def test_a_restart_goes_on_where_it_was(halled: HalledTable) -> None:
    halled.table.start_worlds()
    halled.settle()
    halled.leave()
    halled.heard.clear()
    halled.begin()
    halled.connect()
    assert halled.numbers == []
    assert halled.state.number == halled.table.session.entries


def test_another_hall_is_told_nothing_of_before(halled: HalledTable) -> None:
    halled.say(HeardDay(DAY))
    halled.table.desk.leave()
    halled.settle()
    other = msgspec.structs.replace(CREDENTIALS, hall="club")
    hall_memory.take(halled.folder, msgspec.json.encode(other))
    halled.heard.clear()
    halled.side.look_for_credentials()
    halled.settle()
    halled.connect()
    assert halled.heard[0] == BrokerAccess(other)
    assert halled.numbers == []
    assert halled.side.now.event == ""


def test_an_old_finished_play_that_is_looked_at_is_none_of_the_halls_business(tmp_path: Path) -> None:
    table = ListeningDesk(tmp_path)
    table.play()
    play_to_the_end(table)
    halled = HalledTable(tmp_path, table)
    halled.connect()
    assert halled.state.status == "finished"
    assert halled.numbers == []
    assert "result/1" not in halled.retained()
    halled.close()


# The result


def test_a_finished_play_has_a_result_with_its_lines(halled: HalledTable) -> None:
    over(halled)
    sheet = halled.table.session.game.sheet(halled.table.session.state)
    result = halled.result()
    assert [(seat.name, seat.total, seat.rank) for seat in result.seats] == list(sheet.outcome)
    assert all(sum(line.points for line in seat.lines) == seat.total for seat in result.seats)
    assert result.seats[0].lines[0].what.keys() == {"en", "pl"}
    assert result.number == halled.table.session.entries
    assert halled.events[-1].kind == "finished"
    assert halled.state.status == "finished"
    assert not any(seat.waiting for seat in halled.state.seats)


def test_each_seat_confirms_by_its_button_once_people_could_see_the_result(halled: HalledTable) -> None:
    claimed: list[frozenset[int]] = []
    halled.side.confirming = claimed.append
    assert not halled.side.pressed(0), "a press before the end is an answer"
    over(halled)
    assert claimed == [{0, 1}]
    assert halled.side.pressed(0), "it is no answer"
    halled.settle()
    assert halled.result().confirmed == (), "people cannot have seen the result yet"
    halled.now += NOTICED
    assert halled.side.pressed(1)
    halled.settle()
    assert halled.result().confirmed == (1,)
    halled.side.confirm(0, True)
    halled.settle()
    assert halled.result().confirmed == (0, 1)
    assert claimed[-1] == frozenset()
    assert not halled.side.pressed(0)
    halled.side.confirm(7, True)
    halled.settle()
    assert halled.result().confirmed == (0, 1)


def test_the_lamps_of_those_who_may_confirm_pulse_and_their_buttons_answer_nothing(
    halled: HalledTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = Simulator(default(2), 0.0)
    seats = SeatPanel(halled.table.desk, panel, lambda who, gesture: None, lambda: halled.now)
    lit: dict[int, Pattern] = {}
    show = panel.show
    monkeypatch.setattr(panel, "show", lambda lamps, at: (lit.update(lamps), show(lamps, at)))
    seats.confirms = halled.side.pressed
    halled.side.confirming = lambda open_: seats.show_claims(open_, "hall")
    over(halled)
    seats.show_claims(frozenset())
    seats.step(halled.now)
    assert [lit[0], lit[1]] == [Pulse(WHITE), Pulse(WHITE)], "phones that claim nothing do not put them out"
    entries = halled.table.session.entries
    halled.now = panel.press(1, halled.now + 2.0) + 0.5
    seats.step(halled.now)
    halled.settle()
    seats.step(halled.now)
    assert halled.result().confirmed == (1,)
    assert halled.table.session.entries == entries
    assert lit[0] == Pulse(WHITE)
    assert lit[1] != Pulse(WHITE)
    seats.stop()


def test_a_refusal_calls_the_judge_and_only_the_judge_takes_it_back(halled: HalledTable) -> None:
    over(halled)
    halled.side.confirm(0, True)
    halled.side.confirm(0, False)
    halled.side.confirm(0, True)
    halled.settle()
    assert (halled.result().confirmed, halled.result().refused) == ((), (0,))
    assert halled.state.call == "judge"
    halled.say(HeardCall(TableCall("c", "judge-comes")))
    halled.side.touched("c")
    halled.settle()
    assert halled.state.call == ""
    assert halled.result().refused == (0,)


def test_an_undone_end_withdraws_the_result_and_its_confirmations(halled: HalledTable) -> None:
    over(halled)
    first = halled.result()
    halled.side.confirm(0, True)
    take_back(halled)
    assert halled.result().withdrawn
    assert halled.result().number > first.number
    assert halled.side.now.result is None
    halled.do(Redone(halled.table.session.next_deed))
    assert halled.table.session.over
    again = halled.result()
    assert (again.withdrawn, again.confirmed, again.seats) == (False, (), first.seats)
    assert again.number > first.number


def test_what_changes_no_point_keeps_the_confirmations(halled: HalledTable) -> None:
    over(halled)
    halled.side.confirm(0, True)
    halled.settle()
    halled.table.desk.pause()
    halled.settle()
    assert halled.result().confirmed == (0,)


def test_confirmations_outlive_a_restart(halled: HalledTable) -> None:
    over(halled)
    halled.side.confirm(0, True)
    halled.settle()
    halled.leave()
    halled.begin()
    halled.connect()
    assert halled.result().confirmed == (0,)
    assert halled.side.now.result is not None
    assert halled.side.now.result.open == {1}


def test_results_of_other_days_are_cleared_but_one_the_hall_never_had_is_of_today(
    halled: HalledTable,
) -> None:
    halled.say(HeardDay(DAY))
    over(halled)
    assert halled.result().day == DAY.day
    halled.acknowledges = False
    halled.say(BrokerState(False))
    halled.play()
    over(halled)
    halled.acknowledges = True
    halled.say(BrokerState(True), HeardDay(HallDay("2026-11-21", "Expo")))
    assert halled.retained()["result/1"] == ""
    assert halled.result(2).day == "2026-11-21"
    assert halled.state.day == "2026-11-21"
    halled.heard.clear()
    halled.connect()
    assert "result/1" not in halled.retained(), "once it is cleared, nothing is left to clear"


# What the hall says


def test_a_call_is_shown_once_until_it_is_touched(halled: HalledTable) -> None:
    call = TableCall("c1", "round-begins", 5)
    before = halled.table.session
    halled.say(HeardCall(call), HeardCall(call))
    assert halled.side.now.calls == (call,)
    halled.side.touched("c1")
    halled.settle()
    halled.say(HeardCall(call))
    assert halled.side.now.calls == ()
    assert halled.table.session is before
    halled.leave()
    halled.begin()
    halled.connect()
    halled.say(HeardCall(call))
    assert halled.side.now.calls == (), "not even after a restart"


def test_calls_without_end_fill_neither_screen_nor_disk(halled: HalledTable) -> None:
    halled.say(*(HeardCall(TableCall(f"c{n}", "text", text="x")) for n in range(300)))
    assert len(halled.side.now.calls) <= 8
    assert len(HallMemory().calls) <= 64


def test_the_table_calls_the_judge(halled: HalledTable) -> None:
    halled.side.call_judge(True)
    halled.settle()
    assert halled.state.call == "judge"
    halled.side.call_judge(False)
    halled.settle()
    assert halled.state.call == ""


def test_who_was_assigned_is_told_by_the_halls_numbers(halled: HalledTable) -> None:
    players = (AssignedPlayer("12", "Bartek"), AssignedPlayer("7", "Ania"))
    halled.say(HeardAssignment(Assignment("r2-t7", 2, "race", players)))
    assert halled.side.now.assignment is not None
    halled.play()
    assert halled.state.assignment == "r2-t7"
    assert [(seat.name, seat.player) for seat in halled.state.seats] == [("Ania", "7"), ("Bartek", "12")]
    halled.leave()
    halled.begin()
    halled.connect()
    over(halled)
    assert halled.result(2).assignment == "r2-t7"
    assert [seat.player for seat in halled.result(2).seats] == ["7", "12"]
    halled.say(HeardAssignment(Assignment("none")))
    assert halled.side.now.assignment is None


@pytest.mark.parametrize(
    "names", [("Ala", "ala "), ("x" * 99, "x" * 98), ("", "\n"), ("Ala 2", "Ala", "ALA")]
)
def test_assigned_names_are_such_as_a_table_takes(names: tuple[str, ...]) -> None:
    players = tuple(AssignedPlayer(str(n), name) for n, name in enumerate(names))
    fitting = names_of(Assignment("a", players=players))
    assert all(is_name(name) and len(name) <= LONGEST_NAME for name in fitting)
    assert len({name.casefold() for name in fitting}) == len(names)
    seats = seats_of(Assignment("a", players=players), fitting[::-1])
    assert seats is not None
    assert seats.numbers == tuple(str(n) for n in range(len(names)))[::-1]
    assert seats_of(Assignment("a", players=players), fitting[1:]) is None


# Credentials


def test_credentials_and_memory_are_for_their_owner_only(halled: HalledTable) -> None:
    for name in (hall_memory.CREDENTIALS_FILE, hall_memory.MEMORY_FILE):
        assert stat.S_IMODE((halled.folder / name).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"hall":"expo","title":"T"}',
        b'{"hall":"ex+po","title":"T","host":"h"}',
        b'{"hall":"expo/x","title":"T","host":"h"}',
        b'{"hall":"expo\\n","title":"T","host":"h"}',
        b'{"hall":"expo","title":"T","host":"h","table":"#"}',
        b'{"hall":"expo","title":"T","host":"h","port":0}',
        b'{"hall":"expo","title":"T","host":"h","certificate":"x"}',
        b'{"hall":"expo","title":"T","host":"h","version":2}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_credentials_is_refused_and_nothing_is_kept(tmp_path: Path, wrong: bytes) -> None:
    with pytest.raises(DataTrouble):
        hall_memory.take(tmp_path, wrong)
    assert list(tmp_path.iterdir()) == []


def test_a_table_makes_its_name_at_first_use_and_keeps_it() -> None:
    nameless, memory = TableCredentials("home", "Our table", "host"), HallMemory()
    first = hall_memory.named(nameless, memory)
    assert hall_memory.named(nameless, memory) == first
    assert first.table is not None
    assert TOPIC_NAME.fullmatch(first.table)
    assert hall_memory.named(nameless, HallMemory()).table != first.table


def test_without_credentials_there_is_no_socket(tmp_path: Path) -> None:
    halled = HalledTable(tmp_path)
    halled.leave()
    hall_memory.forget(tmp_path)
    before = {path.name for path in tmp_path.iterdir()}
    table = HalledTable.__new__(HalledTable)
    table.folder, table.now, table.table = tmp_path, 0.0, halled.table
    table.publisher, table.heard, table.acknowledges = None, [], True
    table.begin()
    table.settle()
    assert table.side.now.on
    assert table.side.now.credentials is None
    assert {path.name for path in tmp_path.iterdir()} == before
    table.close()


def test_a_hostile_publisher_is_disconnected_and_the_table_goes_on(halled: HalledTable) -> None:
    assert halled.publisher is not None
    halled.publisher.send(b"\x7f\xff\xff\xff")
    halled.settle()
    assert not halled.side._socket.is_connected
    halled.do(Answer(0, "race.start-world", "new-sparta"))
    halled.connect()
    assert halled.state.number == halled.table.session.entries


def test_a_hall_that_stands_still_delays_no_answer(halled: HalledTable) -> None:
    """Nobody steps the side, as if its thread hung."""
    halled.table.do(Answer(0, "race.start-world", "new-sparta"))
    assert halled.table.session.entries == 1
