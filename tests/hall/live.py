"""A table in a hall with everything real: the app's threads, the publisher as a process, a broker, and somebody who
listens there."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.core.game import Setup, games
from companion.hall_messages import SendAgain, TableCredentials, TableEvent, TableState
from companion.table import hall_memory
from companion.table.background import clerk
from companion.table.desk import Desk
from companion.table.hall_side import HallSide
from companion.table.publisher_process import PublisherProcess
from tests.patience import PATIENCE
from tests.table.desks import SETUP


class Listener:
    """Somebody at the broker who keeps all messages, and asks for events that came while they were away: those
    are acknowledged by the broker, and gone."""

    def __init__(self, port: int, topic: str = "hall/#", **how: Any) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self._come = threading.Condition()
        self._subscribed = threading.Event()
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2)
        for name, value in how.items():
            getattr(self.client, name)(*value)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe(topic, 1)
        self.client.on_subscribe = lambda *_: self._subscribed.set()
        self.client.on_message = self._heard
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self._subscribed.wait(PATIENCE)

    def _heard(self, _: object, __: object, message: mqtt.MQTTMessage) -> None:
        with self._come:
            self.messages.append((message.topic, message.payload))
            self._come.notify_all()
        if message.retain and message.topic.endswith("/state"):
            self._ask_again(msgspec.json.decode(message.payload, type=TableState))

    def _ask_again(self, state: TableState) -> None:
        lacking = {(state.play, number) for number in range(state.number + 1)} - {*self.events}
        if lacking:
            again = SendAgain(state.play, min(lacking)[1])
            self.client.publish(f"hall/expo/table/{state.table}/again", msgspec.json.encode(again), 1)

    def wait(self, until: Callable[[list[tuple[str, bytes]]], object]) -> None:
        """Wait until this is true of the messages."""
        with self._come:
            assert self._come.wait_for(lambda: until(self.messages), PATIENCE), self.messages

    def say(self, topic: str, message: Any, retain: bool = False) -> None:
        """Publish this."""
        body = message if isinstance(message, bytes) else msgspec.json.encode(message)
        self.client.publish(topic, body, 1, retain).wait_for_publish(PATIENCE)

    @property
    def events(self) -> list[tuple[int, int]]:
        """The play and number of each event, as they came."""
        told = (msgspec.json.decode(m, type=TableEvent) for t, m in self.messages if t.endswith("/event"))
        return [(event.play, event.number) for event in told]

    def last(self, end: str) -> bytes:
        """What a topic with this end said last."""
        return next((body for topic, body in reversed(self.messages) if topic.endswith(end)), b"")

    @property
    def state(self) -> TableState:
        return msgspec.json.decode(self.last("/state"), type=TableState)

    def stop(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


class PublishingTable:
    """The app without a window: its desk, its screen's thread, its side of the hall."""

    def __init__(self, folder: Path, credentials: TableCredentials) -> None:
        self.folder = folder
        hall_memory.take(folder, msgspec.json.encode(credentials))
        self._screen: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.desk = Desk(
            clerk(folder / "journal.db", self._screen.put), folder / "settings.json", lambda: 100.0
        )
        self.begin()

    def begin(self, after: HallSide | None = None) -> None:
        """The app starts its side of the hall."""
        self.publisher = PublisherProcess(self.folder, ("--eager",))

        def ignored(_: object) -> None: ...

        self.side = HallSide(
            self.folder,
            self.desk.settings,
            lambda job: self.desk.clerk.do(lambda journal, binder: job(journal), ignored, ignored),
            self._screen.put,
            self.desk.clock,
            publisher=self.publisher,
        )
        self.side.start(after)
        self.desk.listen_at_once(self.side.hear)

    def settle(self) -> None:
        """Let everything happen at the desk that was begun."""
        self.desk.clerk.settle()
        while not self._screen.empty():
            self._screen.get()()
            self.desk.clerk.settle()

    def wait(self, until: Callable[[], object]) -> None:
        """Wait for what the screen is told."""
        while not until():
            self._screen.get(timeout=PATIENCE)()

    def play(self, setup: Setup = SETUP) -> None:
        self.desk.start(games()[setup.game], setup)
        self.settle()

    def pauses(self, times: int) -> None:
        """Somebody pauses and goes on, so many times: entries in the journal."""
        for _ in range(times):
            self.desk.pause()
            self.settle()
            self.desk.unpause()
            self.settle()

    def stop(self) -> None:
        """The app's side of the hall ends, with its publisher."""
        self.desk._at_once = ()
        self.side.stop(wait=True)

    def close(self) -> None:
        self.stop()
        self.desk.clerk.stop()
