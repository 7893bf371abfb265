"""A table with phones but without a network: a test speaks as the porter does."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from companion.table.phone_side import PhoneSide
from companion.table.porter_process import SOCKET, PorterProcess
from companion.wire import (
    DeviceArrived,
    DeviceBound,
    FromApp,
    PhoneAnswer,
    PhonePage,
    PorterAddress,
    SeatClaim,
    WireHello,
    WireReader,
    WireReply,
    packed,
)
from tests.table.desks import ListeningDesk

ZOSIA, KRZYS, GUEST_PHONE = "a" * 32, "b" * 32, "c" * 32


class NoProcess(PorterProcess):
    """The porter is the test."""

    def begin(self, at: float) -> None: ...

    def end(self) -> None: ...

    def due(self) -> float | None:
        return None

    def missing(self, at: float) -> None: ...


class WiredTable:
    """A desk, its phones, and what the porter has heard."""

    def __init__(self, folder: Path, table: ListeningDesk | None = None) -> None:
        self.folder, self.now, self._ids = folder, 1000.0, count(1)
        self.table = table or ListeningDesk(folder)
        self.side = PhoneSide(self.table.desk, folder, lambda: self.now, NoProcess(folder))
        self.porter: socket.socket | None = None
        self.heard: list[Any] = []

    def settle(self) -> None:
        """Let everything happen that was begun."""
        for _ in range(6):
            self.side.step(0)
            self.table.settle()
            self.heard += self._received()

    def switch_on(self) -> None:
        self.table.desk.for_now(phones=True)
        self.settle()

    def connect(self, greet: bool = True) -> None:
        if self.porter is not None:
            self.porter.close()
        self.reader: WireReader[FromApp] = WireReader(FromApp)
        self.porter = socket.socket(socket.AF_UNIX)
        self.porter.connect(str(self.folder / SOCKET))
        self.porter.setblocking(False)
        if greet:
            self.say(WireHello(), PorterAddress(("192.0.2.7",), 8411))

    def say(self, *messages: Any) -> None:
        self.send(b"".join(map(packed, messages)))

    def send(self, data: bytes) -> None:
        assert self.porter is not None
        self.porter.send(data)
        self.settle()

    def _received(self) -> Iterator[Any]:
        if self.porter is not None:
            with suppress(BlockingIOError, ConnectionError):
                while data := self.porter.recv(1 << 20):
                    yield from self.reader.feed(data)

    @property
    def hung_up(self) -> bool:
        """Whether the app has ended the connection."""
        assert self.porter is not None
        try:
            return self.porter.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except ConnectionError:
            return True

    # What a phone does

    def arrive(self, device: str, language: str = "en") -> None:
        self.say(DeviceArrived(device, language))

    def sit(self, device: str, seat: int, language: str = "en") -> None:
        """Come, claim a seat, and be confirmed at the table."""
        self.arrive(device, language)
        self.say(SeatClaim(next(self._ids), device, seat))
        self.side.decide(device, confirmed=True)
        self.settle()

    def page(self, audience: int, language: str = "en") -> PhonePage:
        """The newest page of an audience."""
        pages = (one for one in reversed(self.heard) if isinstance(one, PhonePage))
        return next(one for one in pages if (one.audience, one.language) == (audience, language))

    def shown(self, audience: int, language: str = "en") -> dict[str, Any]:
        body: dict[str, Any] = msgspec.json.decode(self.page(audience, language).body)
        return body

    def bound(self, device: str) -> DeviceBound:
        return next(o for o in reversed(self.heard) if isinstance(o, DeviceBound) and o.device == device)

    def answer(self, device: str, page: PhonePage, option: int | str = 0, question: int = 0) -> WireReply:
        """Answer what this page asks, and get the reply."""
        asked = msgspec.json.decode(page.body)["me"]["questions"][question]
        chosen = option if isinstance(option, str) else asked["options"][option]["id"]
        return self.ask(PhoneAnswer(0, device, page.version, asked["slug"], asked["table"], chosen))

    def ask(self, request: Any) -> WireReply:
        """The reply to a request."""
        id = next(self._ids)
        self.say(msgspec.structs.replace(request, id=id))
        (reply,) = [one for one in self.heard if isinstance(one, WireReply) and one.id == id]
        return reply

    def leave(self) -> None:
        """The app ends, but not the desk."""
        self.side.stop()
        if self.porter is not None:
            self.porter.close()

    def close(self) -> None:
        self.leave()
        self.table.desk.clerk.stop()
