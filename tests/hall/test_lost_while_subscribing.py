"""A broker that is lost before it has subscribed us: table and hall notice at once, and asyncio reports nothing."""

import asyncio
import gc
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from companion.hall.subscriber import Broker, Subscriber
from companion.hall_messages import TableCredentials
from companion.hall_wire import BrokerAccess, BrokerState
from companion.publisher.broker import Publisher
from companion.publisher.link import TableLink
from tests.patience import PATIENCE

ACCEPTED = bytes((0x20, 3, 0, 0, 0))


async def _greet_and_leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.IncompleteReadError):
        length = (await reader.readexactly(2))[1]
        await reader.readexactly(length)
        writer.write(ACCEPTED)
        await reader.readexactly(1)  # it begins to subscribe
    writer.transport.abort()


async def _run_until(work: Coroutine[Any, Any, None], noticed: asyncio.Event) -> list[Any]:
    """What asyncio reports until a loss was noticed."""
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: reported.append(what))
    running = asyncio.create_task(work)
    try:
        await asyncio.wait_for(noticed.wait(), PATIENCE)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    gc.collect()
    return reported


@asynccontextmanager
async def broker() -> AsyncIterator[int]:
    """The port of a broker that hangs up instead of subscribing anybody."""
    async with await asyncio.start_server(_greet_and_leave, "127.0.0.1", 0) as server:
        port: int = server.sockets[0].getsockname()[1]
        yield port


def test_a_table_notices(tmp_path: Path) -> None:
    async def lose() -> None:
        link, noticed = TableLink(str(tmp_path / "nobody")), asyncio.Event()

        def say(message: BrokerState) -> None:
            link.broker = message
            noticed.set()

        link.say = say  # type: ignore[method-assign]
        async with broker() as port:
            named = TableCredentials("expo", "Table 7", "127.0.0.1", port, table="table-7", tls=False)
            link.use(BrokerAccess(named, False))
            assert await _run_until(Publisher(link, lambda: PATIENCE).run(), noticed) == []
        assert "Disconnected" in link.broker.trouble

    asyncio.run(lose())


def test_a_hall_notices() -> None:
    async def lose() -> None:
        noticed = asyncio.Event()
        async with broker() as port:
            subscriber = Subscriber(Broker("127.0.0.1", port), "expo", lambda topic, body: None, noticed.set)
            assert await _run_until(subscriber.run(), noticed) == []
        assert "Disconnected" in subscriber.trouble

    asyncio.run(lose())
