"""Between sending and the acknowledgement: a broker that takes a message and dies before it says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from companion.hall_wire import (
    BrokerAccess,
    EventAcknowledged,
    Momentary,
    NumberedEvent,
    NumberedEvents,
    Retained,
    RetainedAcknowledged,
)
from companion.publisher.broker import Publisher
from companion.publisher.link import TableLink
from tests.hall.wired import CREDENTIALS
from tests.patience import PATIENCE

EVENT, STATE = "hall/expo/table/table-7/event", "hall/expo/table/table-7/state"


class WithholdingBroker:
    """As much of MQTT 5 as the publisher speaks. `withholds` says for which messages, by topic, text and how often
    they came, it hangs up instead of acknowledging."""

    def __init__(self, withholds: Callable[[str, str, int], bool]) -> None:
        self._withholds = withholds
        self.messages: list[tuple[str, str]] = []
        self.connections = 0
        self._open: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """Hang up, and wait until everything is closed."""
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while True:
                kind = (await reader.readexactly(1))[0]
                length = shift = 0
                while (byte := (await reader.readexactly(1))[0]) & 0x80:
                    length |= (byte & 0x7F) << shift
                    shift += 7
                body = await reader.readexactly(length | byte << shift)
                if kind >> 4 == 1:
                    writer.write(b"\x20\x03\x00\x00\x00")
                elif kind >> 4 == 8:
                    writer.write(bytes((0x90, 3 + 4)) + body[:2] + b"\x00" + b"\x01" * 4)
                elif kind >> 4 == 3:
                    end = 2 + int.from_bytes(body[:2], "big")
                    topic, text = body[2:end].decode(), body[end + 3 :].decode()
                    self.messages.append((topic, text))
                    if self._withholds(topic, text, self.messages.count((topic, text))):
                        break
                    writer.write(b"\x40\x02" + body[end : end + 2])
                elif kind >> 4 == 12:
                    writer.write(b"\xd0\x00")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


class HeardLink(TableLink):
    """A link whose app is the test."""

    def __init__(self) -> None:
        super().__init__("nowhere")
        self.said: list[Any] = []
        self.more = asyncio.Condition()

    def say(self, message: Any) -> None:
        super().say(message)
        self.said.append(message)
        self._task = asyncio.ensure_future(self._tell())

    async def _tell(self) -> None:
        async with self.more:
            self.more.notify_all()

    async def wait(self, until: Callable[[], bool]) -> None:
        async with self.more:
            await asyncio.wait_for(self.more.wait_for(until), PATIENCE)

    @property
    def acknowledged(self) -> list[int]:
        return [one.number for one in self.said if isinstance(one, EventAcknowledged)]


def events(*numbers: int) -> NumberedEvents:
    return NumberedEvents(EVENT, 1, tuple(NumberedEvent(number, f"event {number}") for number in numbers))


async def published(broker: WithholdingBroker, tell: Callable[[HeardLink], None], until: Any) -> HeardLink:
    """Publish this at the broker until that is true of the link."""
    port, link = await broker.start(), HeardLink()
    link._take(BrokerAccess(msgspec.structs.replace(CREDENTIALS, port=port)))
    tell(link)
    publishing = asyncio.create_task(Publisher(link, lambda: 0.0).run())
    await link.wait(lambda: bool(until(link)))
    await finish(publishing, broker)
    return link


async def finish(publishing: asyncio.Task[None], broker: WithholdingBroker) -> None:
    publishing.cancel()
    await asyncio.gather(publishing, return_exceptions=True)
    await broker.stop()


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_an_event_without_acknowledgement_is_sent_again_and_acknowledged_once(lost: int) -> None:
    broker = WithholdingBroker(lambda topic, text, times: text == f"event {lost}" and times < 3)

    link = asyncio.run(
        published(broker, lambda link: link._take(events(1, 2, 3)), lambda link: 3 in link.acknowledged)
    )
    assert link.acknowledged == [1, 2, 3]
    told = [text for topic, text in broker.messages if topic == EVENT]
    assert told == [*(f"event {n}" for n in range(1, lost)), *[f"event {lost}"] * 2, *(
        f"event {n}" for n in range(lost, 4)
    )]  # fmt: skip
    assert broker.connections == 3


def test_the_state_is_sent_again_the_newest_only() -> None:
    broker = WithholdingBroker(lambda topic, text, times: text == "old")

    async def run() -> HeardLink:
        port, link = await broker.start(), HeardLink()
        link._take(BrokerAccess(msgspec.structs.replace(CREDENTIALS, port=port)))
        link._take(Retained(STATE, "old"))
        publishing = asyncio.create_task(Publisher(link, lambda: 0.0).run())
        await link.wait(lambda: (STATE, "old") in broker.messages)
        link._take(Retained(STATE, "new"))
        await link.wait(lambda: RetainedAcknowledged(STATE, False) in link.said)
        await finish(publishing, broker)
        return link

    asyncio.run(run())
    assert [text for topic, text in broker.messages if topic == STATE][-1] == "new"


def test_what_only_matters_now_is_dropped_while_the_broker_is_away() -> None:
    broker = WithholdingBroker(lambda topic, text, times: False)

    def tell(link: HeardLink) -> None:
        link._take(Momentary("hall/expo/table/table-7/turn", "1"))
        link._take(events(1))

    asyncio.run(published(broker, tell, lambda link: link.acknowledged == [1]))
    assert not [topic for topic, _ in broker.messages if topic.endswith("/turn")]


def test_a_lost_app_is_told_nothing_of_before_and_tells_everything_again() -> None:
    async def lost() -> HeardLink:
        link = HeardLink()
        link._take(events(1, 2))
        link._take(Retained(STATE, "{}"))
        message = link.next()
        link._lost()
        assert link.next() is None
        assert message is not None
        link.sent(message)
        return link

    assert asyncio.run(lost()).said == []
