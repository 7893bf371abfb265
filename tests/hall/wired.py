"""A table in a hall without a broker: a test speaks as the publisher does."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.hall_messages import TableCredentials, TableEvent, TableResult, TableState
from companion.hall_wire import (
    BrokerState,
    EventAcknowledged,
    FromTable,
    Momentary,
    NumberedEvents,
    Retained,
    RetainedAcknowledged,
)
from companion.table import hall_memory
from companion.table.hall_side import HallSide
from companion.table.publisher_process import SOCKET, PublisherProcess
from companion.table.signals import Proposal
from companion.wire import WireHello, WireReader, packed
from tests.table.desks import SETUP, ListeningDesk

CREDENTIALS = TableCredentials("expo", "Table 7", "127.0.0.1", table="table-7", tls=False)


class NoPublisher(PublisherProcess):
    """The publisher is the test."""

    def begin(self, at: float) -> None: ...

    def end(self) -> None: ...

    def due(self) -> float | None:
        return None

    def missing(self, at: float) -> None: ...


class HalledTable:
    """A desk, its side of a hall, and what the publisher has heard."""

    def __init__(self, folder: Path, table: ListeningDesk | None = None) -> None:
        self.folder, self.now = folder, 1000.0
        self.table = table or ListeningDesk(folder)
        if hall_memory.credentials(folder) is None:
            hall_memory.take(folder, msgspec.json.encode(CREDENTIALS))
        self.publisher: socket.socket | None = None
        self.heard: list[Any] = []
        self.acknowledges = True
        self.begin()

    def begin(self) -> None:
        """The app starts, and so does its side of the hall."""
        desk = self.table.desk

        def ignored(_: object) -> None: ...

        self.side = HallSide(
            self.folder,
            desk.settings,
            lambda job: desk.clerk.do(lambda journal, binder: job(journal), ignored, ignored),
            self.table.posted.append,
            lambda: self.table.now,
            lambda: self.now,
            NoPublisher(self.folder),
        )
        desk.listen_at_once(self.side.hear)

    def settle(self) -> None:
        """Let everything happen that was begun, and acknowledge what was sent."""
        for _ in range(1000):
            before = len(self.heard)
            self.side.step(0)
            self.table.settle()
            self.side.step(0)
            self.heard += self._received()
            if self.acknowledges:
                self.acknowledge(before)
            busy = self.side._outbox._reading or not self.side._jobs.empty()
            if len(self.heard) == before and not busy:
                return
        raise AssertionError("it never ends")

    def connect(self) -> None:
        """The publisher connects, and is at the broker."""
        self.settle()
        if self.publisher is not None:
            self.publisher.close()
        self.reader: WireReader[FromTable] = WireReader(FromTable)
        self.publisher = socket.socket(socket.AF_UNIX)
        self.publisher.connect(str(self.folder / SOCKET))
        self.publisher.setblocking(False)
        self.say(WireHello(), BrokerState(True))

    def say(self, *messages: Any) -> None:
        """Say this, and let happen what follows."""
        assert self.publisher is not None
        self.publisher.send(b"".join(map(packed, messages)))
        self.settle()

    def _received(self) -> Iterator[Any]:
        if self.publisher is not None:
            with suppress(BlockingIOError, ConnectionError):
                while data := self.publisher.recv(1 << 20):
                    yield from self.reader.feed(data)

    def acknowledge(self, since: int = 0) -> None:
        """The broker has everything that was heard since then."""
        assert self.publisher is not None or since == len(self.heard)
        for message in self.heard[since:]:
            match message:
                case NumberedEvents(_, play, events):
                    for event in events:
                        self._send(EventAcknowledged(play, event.number))
                case Retained(topic, body):
                    self._send(RetainedAcknowledged(topic, not body))

    def _send(self, message: Any) -> None:
        assert self.publisher is not None
        self.publisher.send(packed(message))

    # What was heard

    def retained(self) -> dict[str, str]:
        """What each topic says, by its end."""
        return {
            one.topic.removeprefix("hall/expo/table/table-7/"): one.body
            for one in self.heard
            if isinstance(one, Retained)
        }

    @property
    def state(self) -> TableState:
        return msgspec.json.decode(self.retained()["state"], type=TableState)

    def result(self, play: int = 1) -> TableResult:
        return msgspec.json.decode(self.retained()[f"result/{play}"], type=TableResult)

    @property
    def events(self) -> list[TableEvent]:
        return [
            msgspec.json.decode(event.body, type=TableEvent)
            for one in self.heard
            if isinstance(one, NumberedEvents)
            for event in one.events
        ]

    @property
    def numbers(self) -> list[tuple[int, int]]:
        """The play and number of each event, as they came."""
        return [(event.play, event.number) for event in self.events]

    @property
    def momentary(self) -> list[str]:
        return [one.body for one in self.heard if isinstance(one, Momentary)]

    # What people do

    def play(self) -> None:
        self.table.play(SETUP)
        self.settle()

    def do(self, *signals: Proposal) -> None:
        self.table.do(*signals)
        self.settle()

    def leave(self) -> None:
        """The app ends, but not the desk."""
        self.table.desk._at_once = ()
        self.side.stop()
        if self.publisher is not None:
            self.publisher.close()
            self.publisher = None

    def close(self) -> None:
        self.leave()
        self.table.desk.clerk.stop()
