"""The table's side of a hall: tells what happens at this table, and shows what the hall says.

It has a thread of its own, as phones have. The publisher, another process, is connected by a Unix socket and has
the network. Nothing in here writes to the journal, so nothing a hall says can change a play.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.core.journal import EntryRow, PlayRow
from companion.core.session import Session
from companion.hall_messages import TableCall, TableCredentials, TableResult, TableState, table_topic
from companion.hall_wire import (
    BrokerAccess,
    BrokerState,
    EventAcknowledged,
    FromPublisher,
    HeardAgain,
    HeardAssignment,
    HeardCall,
    HeardDay,
    Momentary,
    NumberedEvent,
    NumberedEvents,
    Retained,
    RetainedAcknowledged,
)
from companion.table import hall_memory, home_assistant, public_state
from companion.table.assigned_seats import seats_of
from companion.table.child_process import ChildProcess
from companion.table.desk import AtOnce, NoPlay
from companion.table.error_log import write_down
from companion.table.hall_memory import HallMemory, SeatsAssigned
from companion.table.hall_now import HallNow, ResultNow
from companion.table.hall_outbox import Outbox, ReadJournal
from companion.table.hall_results import HallResults
from companion.table.process_socket import ProcessSocket
from companion.table.publisher_process import SOCKET, PublisherProcess, socket_folder
from companion.table.settings import Settings
from companion.table.signals import Outcome, PlayNow
from companion.texts import usual_language

SAVED_WITHIN = 1.0
"""Seconds after which a cursor is on the disk: what was sent since is sent again after a crash."""
NOTICED = 1.5
"""Seconds after which people have seen the result: a press before that confirms nothing."""
MOST_CALLS = 8


class HallSide:
    """One table in its hall. When `now` is another, `changed` is called through `post`, in the screen's thread."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        journal: ReadJournal,
        post: Callable[[Callable[[], None]], None],
        wall: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
        publisher: ChildProcess | None = None,
    ) -> None:
        self._folder, self._settings = folder, settings
        self._post, self._wall, self.clock = post, wall, clock
        self._publisher = publisher or PublisherProcess(socket_folder(folder))
        self.now = HallNow(on=True)
        self.changed: Callable[[], object] = lambda: None
        self.confirming: Callable[[frozenset[int]], object] = lambda seats: None
        """Called in this thread with the seats that may confirm a result: their lamps ask for a press."""
        self._memory = HallMemory()
        self._save_at: float | None = None
        self._outbox = Outbox(self._memory.cursors, journal, self._do, self._give)
        self._results = HallResults(self._memory, self._save, self._tell_result)
        self._named: TableCredentials | None = None
        self._play = 0
        self._session: Session | None = None
        self._over_since = 0.0
        self._calls: tuple[TableCall, ...] = ()
        self._calling = False
        self._broker = BrokerState(False)
        self._told: dict[str, str] = {}
        """What each topic said last."""
        self._unacknowledged: set[str] = set()
        self._told_state: TableState | None = None
        self._turns: frozenset[int] = frozenset()
        """The seats whose turn it was last, from 1 on."""
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._socket: ProcessSocket[FromPublisher] = ProcessSocket(
            FromPublisher, self._connected, self._take, self._lost
        )
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._after: HallSide | None = None
        self._do(self._begin)

    def start(self, after: HallSide | None = None) -> None:
        """Start the thread; it begins when an earlier side has ended, which may take seconds."""
        self._after = after
        self._thread.start()

    def stop(self, wait: bool = False) -> None:
        """Tell the hall no more; with `wait`, only return when everything is closed."""
        self._stopped.set()
        self._socket.rouse()
        if self._thread.ident is None:  # never started
            self._end()
        elif wait:
            self._thread.join()

    # Called by other threads

    def hear(self, event: AtOnce) -> None:
        """What happens at the desk."""
        self._do(lambda: self._hear(event))

    def confirm(self, seat: int, right: bool) -> None:
        """A player says that the result is right, or that it is not: then the judge is called."""
        self._do(lambda: self._confirm(seat, right))

    def pressed(self, seat: int) -> bool:
        """Whether the press of a seat's button is about the result, and no answer."""
        result = self.now.result
        if result is None or seat not in result.open:
            return False
        if self.clock() >= result.since + NOTICED:
            self.confirm(seat, True)
        return True

    def call_judge(self, call: bool) -> None:
        """The table calls the judge, or does so no more."""

        def calling() -> None:
            self._calling = call
            self._renew()

        self._do(calling)

    def touched(self, call: str) -> None:
        """Somebody has seen this call; once the judge comes, nobody need call."""

        def seen() -> None:
            if any(known.id == call and known.kind == "judge-comes" for known in self._calls):
                self._calling = False
            self._calls = tuple(known for known in self._calls if known.id != call)
            self._renew()

        self._do(seen)

    @property
    def has_told_all(self) -> bool:
        """Whether the broker has everything, as far as this is known now."""
        return self._outbox.idle and not self._unacknowledged and self._jobs.empty()

    def look_for_credentials(self) -> None:
        """There are other credentials in the folder, or none any more."""
        self._do(self._use_credentials)

    def _do(self, job: Callable[[], None]) -> None:
        self._jobs.put(job)
        self._socket.rouse()

    # The thread

    def _run(self) -> None:
        if self._after is not None:
            self._after.stop(wait=True)
            self._after = None
        while not self._stopped.is_set():
            try:
                self.step()
            except Exception:  # a bug: the table goes on, and the publisher connects again
                write_down(self._folder, traceback.format_exc())
                self._socket.hang_up()
        self._end()

    def _end(self) -> None:
        self._close()
        self._socket.end()
        if self._save_at is not None:
            self._save()

    @property
    def _publisher_is_missing(self) -> bool:
        return self._socket.listening and not self._socket.is_connected

    @property
    def _due(self) -> float | None:
        missing = self._publisher.due() if self._publisher_is_missing else None
        return min((t for t in (missing, self._save_at, self._outbox.due) if t is not None), default=None)

    def step(self, most: float | None = None) -> None:
        """Wait until something happens, at most this many seconds, and handle it."""
        waits = [t for t in (most, None if self._due is None else self._due - self.clock()) if t is not None]
        self._socket.wait(max(0.0, min(waits)) if waits else None)
        while not self._jobs.empty():
            self._jobs.get()()
        at = self.clock()
        if self._publisher_is_missing:
            self._publisher.missing(at)
        if self._outbox.due is not None and at >= self._outbox.due:
            self._outbox.go_back(at)
            self._save_soon()
        if self._save_at is not None and at >= self._save_at:
            self._save()

    def _save_soon(self) -> None:
        self._save_at = self._save_at or self.clock() + SAVED_WITHIN

    def _save(self) -> None:
        self._save_at = None
        if self._memory.hall:  # without credentials there is nothing to keep
            hall_memory.save(self._folder, self._memory)

    def _hear(self, event: AtOnce) -> None:
        match event:
            case Settings():
                before, self._settings = self._settings, event
                if before.home_assistant != event.home_assistant:
                    self._give_access()
                self._renew()
            case PlayNow(id, session):
                known = self._session
                if known is None or id != self._play or session.entries >= known.entries:
                    self._enter(id, session)
            case NoPlay():
                self._session, self._calling = None, False
                self._renew()
            case Outcome() if event.changed and self._session is not None:
                self._go_on(event.session)

    # The play

    def _enter(self, play: int, session: Session) -> None:
        """A play is opened. One that is already over and that the hall never heard of is none of its business."""
        self._play, self._session, self._calling = play, session, False
        self._over_since = self.clock()
        if play not in self._memory.cursors and not session.over:
            seats = seats_of(self._memory.assignment, session.setup.seats)
            if seats is not None:
                self._memory.assigned[play] = seats
        if play in self._memory.cursors or not session.over:
            self._go_on(session)
        else:
            self._renew()

    def _go_on(self, session: Session) -> None:
        self._session = session
        if self._play not in self._memory.cursors:
            self._save_soon()
        self._outbox.begin(self._play)
        result = public_state.result_of(session, self._table, self._play, self._day, self._assigned)
        if self._results.check(result):
            self._over_since = self.clock()
        self._renew()
        self._pump()

    def _confirm(self, seat: int, right: bool) -> None:
        if self._open_result is not None:
            self._results.confirm(self._play, seat, right)
            self._calling |= not right
            self._renew()

    @property
    def _open_result(self) -> TableResult | None:
        """The result of the play that is open, if it is over."""
        over = self._session is not None and self._session.over
        return self._results.of(self._play) if over else None

    @property
    def _table(self) -> str:
        return "" if self._named is None or self._named.table is None else self._named.table

    @property
    def _day(self) -> str:
        return "" if self._memory.day is None else self._memory.day.day

    @property
    def _assigned(self) -> SeatsAssigned:
        return self._memory.assigned.get(self._play, public_state.NOBODY)

    # The publisher

    def _begin(self) -> None:
        self._use_memory(hall_memory.load(self._folder))
        self._use_credentials()

    def _use_memory(self, memory: HallMemory) -> None:
        self._memory = self._results.memory = memory
        self._outbox.forget(memory.cursors)

    def _use_credentials(self) -> None:
        """Listen for a publisher, if there are credentials."""
        found, before = hall_memory.credentials(self._folder), self._named
        self._named = None if found is None else hall_memory.named(found, self._memory)
        if self._named is None:
            self._close()
        else:
            self._use_hall(f"{self._named.hall}/{self._table}")
            if not self._socket.listening:
                self._listen()
            elif self._named != before:
                self._socket.hang_up()  # the publisher connects again, and is told everything
        self._renew()

    def _use_hall(self, hall: str) -> None:
        """What was told to one hall is none of another's business."""
        if hall == self._memory.hall:
            return
        if self._memory.hall:
            self._use_memory(HallMemory(self._memory.table))
            self._calls = ()
        self._memory.hall = hall
        self._save()
        if self._session is not None:
            self._enter(self._play, self._session)

    def _listen(self) -> None:
        folder = self._publisher.folder
        try:
            self._socket.listen(folder / SOCKET, 0o660 if folder != self._folder else 0o600)
        except OSError as e:
            self._broker = BrokerState(False, str(e.strerror)[:200])
            return
        self._publisher.begin(self.clock())

    def _close(self) -> None:
        if self._socket.listening:
            self._socket.close()
            self._publisher.end()

    def _connected(self) -> None:
        self._give_access()
        self._results.tell_all()
        self._renew()

    def _lost(self) -> None:
        self._broker = BrokerState(False)
        self._told.clear()
        self._unacknowledged.clear()
        self._told_state = None
        self._outbox.lost()
        self._show()

    def _give_access(self) -> None:
        if self._named is not None:
            self._socket.send(BrokerAccess(self._named, self._settings.home_assistant))

    def _take(self, message: FromPublisher) -> None:
        match message:
            case BrokerState():
                self._broker = message
            case EventAcknowledged():
                if self._outbox.acknowledged(message):
                    self._save_soon()
            case RetainedAcknowledged():
                self._retained(message)
            case HeardDay(day):
                if day != self._memory.day:
                    self._results.begin_day(day)
                    self._renew()
            case HeardCall(call):
                if not self._memory.saw(call.id):
                    self._calls = (*self._calls, call)[-MOST_CALLS:]
                    self._save()
            case HeardAssignment(assignment):
                self._memory.assignment = assignment if assignment.players else None
                self._save()
            case HeardAgain(again):
                self._outbox.ask_again(again)
        self._show()
        self._pump()

    def _pump(self) -> None:
        if self._broker.connected:
            self._outbox.pump()

    def _give(self, cursor: int, row: PlayRow, setup: bytes, rows: tuple[EntryRow, ...]) -> int | None:
        """Give these events to the publisher."""
        if not self._socket.is_connected:
            return None
        told = [public_state.event_of(self._table, row.id, one, self._day) for one in rows]
        if cursor == 0:
            told.insert(0, public_state.beginning(self._table, row, setup, self._day))
        if not told:
            return None
        events = tuple(NumberedEvent(one.number, _json(one)) for one in told)
        self._socket.send(NumberedEvents(self._topic("event"), row.id, events))
        return events[-1].number

    # What is retained

    def _topic(self, kind: str) -> str:
        assert self._named is not None
        return table_topic(self._named.hall, self._table, kind)

    def _tell(self, topic: str, body: str) -> None:
        """Tell what a topic says from now on, unless it does already."""
        if self._socket.is_connected and self._told.get(topic) != body:
            self._told[topic] = body
            self._unacknowledged.add(topic)
            self._socket.send(Retained(topic, body))

    def _tell_result(self, play: int, body: str) -> None:
        if self._named is not None:
            self._tell(self._topic(f"result/{play}"), body)

    def _retained(self, message: RetainedAcknowledged) -> None:
        """The broker has a result, or has cleared one, or has cleared what Home Assistant was told."""
        self._unacknowledged.discard(message.topic)
        if self._named is None:
            return
        head, _, play = message.topic.rpartition("/")
        if head == self._topic("result") and play.isdecimal():
            self._results.acknowledged(int(play), message.cleared)
            self._save_soon()
        if message.topic == home_assistant.discovery_topic(self._named) and message.cleared:
            self._memory.discovered = self._settings.home_assistant
            self._save_soon()

    def _renew(self) -> None:
        """Tell the state of the table, to the hall and to the screen."""
        if self._named is not None:
            call: str = "judge" if self._calling else ""
            at = TableState(self._table, self._named.title, "free", self._day, call=call)  # type: ignore[arg-type]
            session, play = self._session, self._play
            state = public_state.state_of(session, play, self._settings, self._wall(), at, self._assigned)
            before = self._told_state
            if before is None or replace(state, waited=0.0) != replace(before, waited=0.0):
                self._told_state = state if self._socket.is_connected else None
                self._tell(self._topic("state"), _json(state))
            self._tell_home(self._named, state)
        self._show()

    def _tell_home(self, named: TableCredentials, state: TableState) -> None:
        """Tell Home Assistant, if that is switched on; if it was, it forgets this table."""
        turns = frozenset(n for n, seat in enumerate(state.seats, 1) if seat.waiting)
        before, self._turns = self._turns, turns
        discovery = home_assistant.discovery_topic(named)
        if self._settings.home_assistant:
            if not self._memory.discovered:
                self._memory.discovered = True
                self._save()
            language = self._settings.language or usual_language()
            self._tell(discovery, home_assistant.discovery(named, language, self._settings.scores))
            self._tell(home_assistant.home_topic(named), home_assistant.home_state(state, language))
            for seat in sorted(turns - before):
                self._socket.send(Momentary(home_assistant.turn_topic(named), str(seat)))
        elif self._memory.discovered:
            self._tell(discovery, "")
            self._tell(home_assistant.home_topic(named), "")

    # The table's screen

    def _show(self) -> None:
        """Show the screen how things are, if they have changed."""
        told, memory = self._open_result, self._memory
        result = None
        if told is not None:
            names = tuple(seat.name for seat in told.seats)
            result = ResultNow(told.play, names, told.confirmed, told.refused, self._over_since)
        event = "" if memory.day is None or not memory.day.day else memory.day.title
        now = HallNow(
            True,
            self._named,
            self._broker.connected,
            self._broker.trouble,
            event,
            self._calls,
            self._calling,
            memory.assignment,
            result,
        )
        before, self.now = self.now, now
        if now.confirming != before.confirming:
            self.confirming(now.confirming)
        if now != before:
            self._post(lambda: self._changed())

    def _changed(self) -> None:
        self.changed()


def _json(message: object) -> str:
    return msgspec.json.encode(message).decode()
