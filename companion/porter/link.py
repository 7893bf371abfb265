"""The porter's side of the Unix socket: keeps the newest pages, and asks the app what devices ask."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.wire import (
    GUEST,
    DeviceArrived,
    DeviceBound,
    DeviceLeft,
    FromApp,
    PhonePage,
    PhonePicture,
    PhoneTexts,
    PorterAddress,
    WireHello,
    WireReader,
    WireReply,
    WireTrouble,
    packed,
)

PATIENCE = 10.0
"""Seconds for which the app may think about a request."""
AGAIN = 0.5
"""Seconds between attempts to reach the app."""
MOST_PICTURES = 1500
MOST_REQUESTS = 64


class AppIsAway(Exception):
    """The app is not there, or does not answer."""


class Stream:
    """One device's open page: its language, its seat, and whether something new must be sent."""

    def __init__(self, device: str, language: str) -> None:
        self.device, self.language = device, language
        self.audience, self.claiming = GUEST, None
        self.bound = False
        self.closed = False
        self.news = asyncio.Event()

    audience: int
    claiming: int | None


class PageSent(Struct, frozen=True):
    """A page as the app made it."""

    version: str
    body: bytes


class Link:
    """The connection to the app. Everything runs in one event loop."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.address = PorterAddress((), 0)
        self.connected = False
        self.gone_since: float | None = None
        self.words: dict[str, dict[str, str]] = {}
        self.pictures: OrderedDict[str, str] = OrderedDict()
        self.streams: dict[str, Stream] = {}
        self._pages: dict[tuple[int, str], PageSent] = {}
        self._asked: dict[int, asyncio.Future[WireReply]] = {}
        self._next = 0
        self._writer: asyncio.StreamWriter | None = None

    async def keep_connected(self) -> None:
        """Connect to the app, for ever: whichever side comes back, both begin with whole pages."""
        self.gone_since = asyncio.get_running_loop().time()
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
        messages: WireReader[FromApp] = WireReader(FromApp)
        self._send(WireHello())
        self._send(self.address)
        self.connected, self.gone_since = True, None
        for stream in self.streams.values():
            self._send(DeviceArrived(stream.device, stream.language))
        while data := await reader.read(65536):
            for message in messages.feed(data):
                self._take(message)

    def _lost(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer, self.connected = None, False
        self.gone_since = asyncio.get_running_loop().time()
        self._pages.clear()
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(AppIsAway())
        self._asked.clear()
        for stream in self.streams.values():
            stream.bound = False
            stream.news.set()

    def _send(self, message: Any) -> None:
        if self._writer is None:
            raise AppIsAway
        self._writer.write(packed(message))

    def _take(self, message: FromApp) -> None:
        match message:
            case PhoneTexts(language, words):
                self.words[language] = words
            case PhonePicture(id, svg):
                self.pictures[id] = svg
                while len(self.pictures) > MOST_PICTURES:
                    self.pictures.popitem(last=False)
            case PhonePage(audience, language, version, body):
                self._pages[audience, language] = PageSent(version, bytes(body))
                for stream in self.streams.values():
                    if (stream.audience, stream.language) == (audience, language):
                        stream.news.set()
            case DeviceBound(device, audience, claiming):
                stream_ = self.streams.get(device)
                if stream_ is not None:
                    stream_.audience, stream_.claiming, stream_.bound = audience, claiming, True
                    stream_.news.set()
            case WireReply():
                asked = self._asked.pop(message.id, None)
                if asked is not None and not asked.done():
                    asked.set_result(message)

    def page(self, stream: Stream) -> PageSent | None:
        """The newest page for a device; None if its seat is unknown or the app is away."""
        return self._pages.get((stream.audience, stream.language)) if stream.bound else None

    def moved(self, addresses: tuple[str, ...]) -> None:
        """This machine may have other addresses now."""
        address = PorterAddress(addresses, self.address.port)
        if address != self.address:
            self.address = address
            if self.connected:
                self._send(address)

    # Devices

    def arrive(self, stream: Stream) -> None:
        """A device has opened the page: an earlier stream of it is closed."""
        before = self.streams.get(stream.device)
        if before is not None:
            before.closed = True
            before.news.set()
        self.streams[stream.device] = stream
        if self.connected:
            self._send(DeviceArrived(stream.device, stream.language))

    def leave(self, stream: Stream) -> None:
        """A device's stream has ended."""
        if self.streams.get(stream.device) is stream:
            del self.streams[stream.device]
            if self.connected:
                self._send(DeviceLeft(stream.device))

    async def ask(self, make: Callable[[int], Any]) -> WireReply:
        """The app's reply to this request; raises `AppIsAway` if there is none in time."""
        if not self.connected or len(self._asked) >= MOST_REQUESTS:
            raise AppIsAway
        self._next += 1
        id = self._next
        asked = self._asked[id] = asyncio.get_running_loop().create_future()
        try:
            self._send(make(id))
            return await asyncio.wait_for(asked, PATIENCE)
        except TimeoutError:
            raise AppIsAway from None
        finally:
            self._asked.pop(id, None)
