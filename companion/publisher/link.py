"""The publisher's side of the Unix socket: what is still to be sent, and what is told to the app."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from msgspec import Struct

from companion.hall_wire import (
    BrokerAccess,
    BrokerState,
    EventAcknowledged,
    FromTable,
    Momentary,
    NumberedEvents,
    Retained,
    RetainedAcknowledged,
)
from companion.wire import WireHello, WireReader, WireTrouble, packed

AGAIN = 0.5
"""Seconds between attempts to reach the app."""
MOST_MOMENTARY = 32


class Outgoing(Struct, frozen=True):
    """A message for the broker; `then` tells the app that it was acknowledged."""

    topic: str
    body: str
    retain: bool
    then: EventAcknowledged | RetainedAcknowledged | None = None


class TableLink:
    """The connection to the app. Everything runs in one event loop."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.access: BrokerAccess | None = None
        self.other_access = asyncio.Event()
        """Set when `access` has changed."""
        self.news = asyncio.Event()
        """Set when there is something to send."""
        self.connected = asyncio.Event()
        """Set while the app is there."""
        self.broker = BrokerState(False)
        self.momentary: deque[Outgoing] = deque(maxlen=MOST_MOMENTARY)
        self._retained: dict[str, str] = {}
        self._unsent: dict[str, None] = {}
        """The topics whose newest text the broker has not acknowledged, in order."""
        self._events: deque[Outgoing] = deque()
        self._writer: asyncio.StreamWriter | None = None

    async def keep_connected(self) -> None:
        """Connect to the app, for ever; after each connection it tells everything again."""
        while True:
            try:
                reader, self._writer = await asyncio.open_unix_connection(self._path)
            except OSError:
                await asyncio.sleep(AGAIN)
                continue
            try:
                await self._converse(reader)
            except (OSError, WireTrouble):
                pass
            finally:
                self._lost()
            await asyncio.sleep(AGAIN)

    async def _converse(self, reader: asyncio.StreamReader) -> None:
        messages: WireReader[FromTable] = WireReader(FromTable)
        self.say(WireHello())
        self.say(self.broker)
        self.connected.set()
        while data := await reader.read(65536):
            for message in messages.feed(data):
                self._take(message)

    def _lost(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer = None
        self.connected.clear()
        self._events.clear()
        self._retained.clear()
        self._unsent.clear()

    def say(self, message: Any) -> None:
        """Tell the app, if it is there."""
        if isinstance(message, BrokerState):
            self.broker = message
        if self._writer is not None:
            self._writer.write(packed(message))

    def _take(self, message: FromTable) -> None:
        match message:
            case BrokerAccess():
                self.use(message)
            case Retained(topic, body):
                self._retained[topic] = body
                self._unsent[topic] = None
            case NumberedEvents(topic, play, events):
                for event in events:
                    then = EventAcknowledged(play, event.number)
                    self._events.append(Outgoing(topic, event.body, False, then))
            case Momentary(topic, body):
                if self.broker.connected:
                    self.momentary.append(Outgoing(topic, body, False))
        self.news.set()

    def use(self, access: BrokerAccess | None) -> None:
        """Connect to this broker from now on, or to none."""
        if access != self.access:
            self.access = access
            self.other_access.set()

    # For the broker

    def send_all_again(self) -> None:
        """Another broker, or one that may have lost what it retained: everything retained must be sent."""
        self._unsent = dict.fromkeys(self._retained)
        self.news.set()

    def next(self) -> Outgoing | None:
        """What to send now; it stays the next until `sent`."""
        if self.momentary:
            return self.momentary[0]
        for topic in self._unsent:
            body = self._retained[topic]
            return Outgoing(topic, body, True, RetainedAcknowledged(topic, not body))
        return self._events[0] if self._events else None

    def sent(self, message: Outgoing) -> None:
        """The broker has acknowledged this."""
        if self.momentary and self.momentary[0] is message:
            self.momentary.popleft()
        elif message.retain:
            if self._retained.get(message.topic) != message.body:
                return  # it says something newer by now
            self._unsent.pop(message.topic, None)
        elif self._events and self._events[0] is message:
            self._events.popleft()
        else:
            return  # the app has come back meanwhile, and tells it again
        if message.then is not None:
            self.say(message.then)
