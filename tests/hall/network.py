"""The network between tables, broker and hall, with its faults; and browsers that follow a hall's board."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from random import Random
from typing import Any

PUBLISH, DUP = 3, 0x08


class LoopNetwork:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._begun: list[Future[Any]] = []
        self._servers: list[asyncio.Server] = []
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do this in the loop, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def serve(self, serve: Callable[..., Coroutine[Any, Any, None]]) -> int:
        """Listen on loopback; returns the port."""
        server = self.run(asyncio.start_server(serve, "127.0.0.1", 0, backlog=1000))
        self._servers.append(server)
        port: int = server.sockets[0].getsockname()[1]
        return port

    def begin(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do this in the loop, until the end."""
        self._begun.append(asyncio.run_coroutine_threadsafe(work, self.loop))

    def check(self) -> None:
        """Raises the error of what was begun, if it has one."""
        for begun in self._begun:
            if begun.done():
                begun.result()

    def close(self) -> None:
        """End everything."""

        async def end() -> None:
            for server in self._servers:
                server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await asyncio.sleep(0)  # connections are closed

        self.run(end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class AccessPoint:
    """A way to the broker that can vanish: connections stay, but nothing comes through."""

    def __init__(self, network: LoopNetwork, broker: int) -> None:
        self._broker = broker
        self._up = network.run(_event())
        self._network = network
        self.port = network.serve(self._serve)

    def switch(self, up: bool) -> None:
        """On or off."""
        self._network.loop.call_soon_threadsafe(self._up.set if up else self._up.clear)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._up.wait()
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._broker)
        except OSError:
            writer.close()
            return
        await _both(self._copy(reader, back), self._copy(there, writer))
        writer.close()
        back.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._up.wait()
                writer.write(data)
                await writer.drain()


class Scrambler:
    """The hall's way to the broker: some events and results come twice, some late, behind others."""

    def __init__(self, network: LoopNetwork, broker: int, random: Random, share: float) -> None:
        self._broker, self._random, self._share = broker, random, share
        self.messages = self.doubled = self.reordered = 0
        self.port = network.serve(self._serve)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._broker)
        except OSError:
            writer.close()
            return
        await _both(_copy(reader, back), self._scramble(there, writer))
        writer.close()
        back.close()

    async def _scramble(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held: list[tuple[int, bytes]] = []
        coming = asyncio.ensure_future(_frame(reader))
        while True:
            if not (await asyncio.wait([coming], timeout=0.2 if held else None))[0]:
                for _, late in held:
                    writer.write(late)
                held.clear()
                continue
            if not (frame := coming.result()):
                return
            coming = asyncio.ensure_future(_frame(reader))
            due = [late for behind, late in held if behind <= 1]
            held = [(behind - 1, late) for behind, late in held if behind > 1]
            if frame[0] >> 4 == PUBLISH:
                self.messages += 1
                topic = _topic(frame)
                if topic.endswith(b"/event") or b"/result/" in topic:
                    chance = self._random.random()
                    if chance < self._share:
                        self.doubled += 1
                        held.append((self._random.randint(1, 20), bytes((frame[0] | DUP,)) + frame[1:]))
                    elif chance < 2 * self._share:
                        self.reordered += 1
                        held.append((self._random.randint(1, 20), frame))
                        frame = b""
            writer.write(frame)
            for late in due:
                writer.write(late)
            await writer.drain()


async def _event() -> asyncio.Event:
    made = asyncio.Event()
    made.set()
    return made


async def _both(*ways: Coroutine[Any, Any, None]) -> None:
    """Until either end hangs up."""
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()


async def _frame(reader: asyncio.StreamReader) -> bytes:
    """One packet of MQTT; nothing at the end."""
    with suppress(OSError, asyncio.IncompleteReadError):
        return await _packet(reader)
    return b""


async def _packet(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readexactly(2)
    while head[-1] & 0x80:
        head += await reader.readexactly(1)
    length = sum((byte & 0x7F) << 7 * n for n, byte in enumerate(head[1:]))
    return head + await reader.readexactly(length)


def _topic(frame: bytes) -> bytes:
    at = next(n for n in range(1, 5) if not frame[n] & 0x80) + 1
    length = int.from_bytes(frame[at : at + 2])
    return frame[at + 2 : at + 2 + length]


class Spectator:
    """A browser that follows the board; `told` is called with each event, when it came."""

    def __init__(self, port: int, told: Callable[[float, str, Any], None] | None = None) -> None:
        self._port, self._told = port, told
        self.events = self.bytes = 0

    async def run(self) -> None:
        """Follow, and come back after every loss, as a browser does."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError, ValueError):
                await self._follow()
            await asyncio.sleep(0.5)

    async def _follow(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 24)
        try:
            writer.write(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode())
            kind = ""
            while line := await reader.readline():
                self.bytes += len(line)
                if line.startswith(b"event: "):
                    kind = line[7:].strip().decode()
                elif line.startswith(b"data: "):
                    self.events += 1
                    if self._told is not None:
                        self._told(time.monotonic(), kind, json.loads(line[6:]))
        finally:
            writer.close()
