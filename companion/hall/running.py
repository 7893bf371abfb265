"""Runs a hall: its database, its broker, its web server, until a signal."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import uvicorn

from companion.core import files
from companion.core.words import Text, say
from companion.errors import DONE, DataTrouble
from companion.hall.hall import Hall
from companion.hall.organiser import Organiser, new_key
from companion.hall.server import HallServer
from companion.hall.storage import HallStorage
from companion.hall.subscriber import Broker
from companion.porter.addresses import addresses
from companion.porter.server import ANYWHERE, HEADERS_WITHIN, Impatient

MOST_CONNECTIONS = 512


class Server(uvicorn.Server):
    """Ends when it is told to. Left alone, it would end the process by the signal, before everything is written."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are ours."""
        yield

    def stop(self) -> None:
        """End soon."""
        self.should_exit = True


class Parts(NamedTuple):
    """What a running hall is made of."""

    hall: Hall
    web: HallServer
    server: Server
    listening: socket.socket
    key: str
    """The organiser's."""

    @property
    def port(self) -> int:
        """The port of the pages."""
        port: int = self.listening.getsockname()[1]
        return port


async def serve(
    database: str | Path,
    name: str,
    broker: Broker,
    where: tuple[str, int],
    origins: tuple[str, ...],
    tell: Callable[[Text], None],
) -> int:
    """Serve until a signal; `tell` is called with the addresses and the organiser's key. Raises `Trouble`."""
    parts = await prepare(database, name, broker, where, origins)
    _tell(where[0], parts.port, origins, parts.key, tell)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, parts.server.stop)
    await run(parts)
    return DONE


async def prepare(
    database: str | Path, name: str, broker: Broker, where: tuple[str, int], origins: tuple[str, ...] = ()
) -> Parts:
    """Everything but running; raises `Trouble` if something is missing."""
    hall = Hall(HallStorage(database, name), name, broker)
    try:
        await hall.open()
        listening = _listening(*where)
    except BaseException:
        hall.close()
        raise
    key = new_key()
    web = HallServer(hall, Organiser(hall, key, origins), origins)
    server = Server(
        uvicorn.Config(
            web.app(),
            http=Impatient,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",  # what strangers send is no news
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=8192,
            timeout_keep_alive=HEADERS_WITHIN,
            timeout_graceful_shutdown=1,
        )
    )
    return Parts(hall, web, server, listening, key)


async def run(parts: Parts) -> None:
    """Everything at once; if one part breaks, the others end, and its error is raised."""
    hall, web, server = parts.hall, parts.web, parts.server
    serving = asyncio.create_task(server.serve(sockets=[parts.listening]))
    others = [asyncio.create_task(part) for part in (hall.run(), web.run(), _end_streams(web, server))]
    try:
        await asyncio.wait([serving, *others], return_when=asyncio.FIRST_COMPLETED)
    finally:
        server.should_exit = True
        web.end()
        await asyncio.wait([serving])
        for task in others:
            task.cancel()
        ended = await asyncio.gather(serving, *others, return_exceptions=True)
        await hall.write()
        hall.close()
    for error in ended:
        if isinstance(error, Exception):
            raise error


async def _end_streams(web: HallServer, server: Server) -> None:
    """Streams would keep the server from ending."""
    while not server.should_exit:
        await asyncio.sleep(0.2)
    web.end()
    await asyncio.Event().wait()


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), backlog=256)
    except (OSError, OverflowError, UnicodeError) as e:
        where = f"{host}:{port}"
        raise DataTrouble(say("hall.cannot-listen", where=where, why=files.why(e))) from e


def _tell(host: str, port: int, origins: tuple[str, ...], key: str, tell: Callable[[Text], None]) -> None:
    here = (host,) if host != ANYWHERE else addresses() or ("127.0.0.1",)
    for address in (*origins, *(f"http://{one}:{port}" for one in here)):
        tell(say("hall.open-at", address=f"{address}/"))
    if host.startswith("127.") and not origins:
        tell(say("hall.only-here"))
    first = origins[0] if origins else f"http://{here[0]}:{port}"
    tell(say("hall.organiser-at", address=f"{first}/organiser"))
    tell(say("hall.key-is", word=key))
