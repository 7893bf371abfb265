"""A Unix socket for one other process of ours, and the loop of the thread that serves it."""

from __future__ import annotations

import os
import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic

from companion.core import files
from companion.wire import Message, WireHello, WireReader, WireTrouble, packed

MOST_WAITING = 4_000_000
"""A process that leaves so many bytes unread is disconnected."""


class ProcessSocket(Generic[Message]):
    """Only the newest connection counts. Except for `rouse`, everything belongs to one thread.

    `connected` is called when the process has connected, `taken` with each of its messages, and `lost` when a
    connection ends for whatever reason.
    """

    def __init__(
        self,
        messages: Any,
        connected: Callable[[], object],
        taken: Callable[[Message], object],
        lost: Callable[[], object],
    ) -> None:
        self._messages = messages
        self._connected, self._taken, self._lost = connected, taken, lost
        self._reader: WireReader[Message] = WireReader(messages)
        self._path: Path | None = None
        self._listener: socket.socket | None = None
        self._connection: socket.socket | None = None
        self._unsent = bytearray()
        self._wake, self._woken = socket.socketpair()
        for end in (self._wake, self._woken):
            end.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ)

    @property
    def listening(self) -> bool:
        """Whether the process may connect."""
        return self._listener is not None

    @property
    def is_connected(self) -> bool:
        """Whether the process is there."""
        return self._connection is not None

    def rouse(self) -> None:
        """End `wait`; any thread may call this."""
        with suppress(OSError):
            self._wake.send(b"!")

    def wait(self, seconds: float | None) -> None:
        """Wait until something happens, at most so long, and handle what the process says."""
        for key, events in self._selector.select(seconds):
            if key.fileobj is self._woken:
                with suppress(OSError):
                    self._woken.recv(4096)
            elif key.fileobj is self._listener:
                self._accept()
            elif key.fileobj is self._connection:
                self._exchange(events)

    def listen(self, path: Path, mode: int) -> None:
        """Let the process connect to this path; raises `OSError`."""
        files.make_folder(path.parent)
        path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            at = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:  # a Unix address is short, and a path may be long
                listener.bind(f"/proc/self/fd/{at}/{path.name}")
            finally:
                os.close(at)
            path.chmod(mode)
            listener.listen(4)
        except OSError:
            listener.close()
            raise
        listener.setblocking(False)
        self._listener, self._path = listener, path
        self._selector.register(listener, selectors.EVENT_READ)

    def close(self) -> None:
        """Listen no more."""
        if self._listener is None or self._path is None:
            return
        self.hang_up()
        self._selector.unregister(self._listener)
        self._listener.close()
        self._listener = None
        with suppress(OSError):
            self._path.unlink()

    def end(self) -> None:
        """Close everything, for good."""
        self.close()
        self._selector.close()
        self._wake.close()
        self._woken.close()

    def hang_up(self) -> None:
        """End the connection, if there is one."""
        if self._connection is not None:
            self._selector.unregister(self._connection)
            self._connection.close()
            self._connection = None
        self._unsent.clear()
        self._lost()

    def send(self, message: Any) -> None:
        """Send this, if the process is there; raises `WireTrouble` if it is too long."""
        if self._connection is None:
            return
        self._unsent += packed(message)
        try:
            self._flush()
        except OSError:
            self.hang_up()

    def _accept(self) -> None:
        """The process connects: this takes the place of an earlier connection."""
        assert self._listener is not None
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        self.hang_up()
        connection.setblocking(False)
        self._connection = connection
        self._reader = WireReader(self._messages)
        self._selector.register(connection, selectors.EVENT_READ)
        self.send(WireHello())
        self._connected()

    def _exchange(self, events: int) -> None:
        connection = self._connection
        assert connection is not None
        try:
            if events & selectors.EVENT_READ:
                data = connection.recv(65536)
                if not data:
                    self.hang_up()
                    return
                for message in self._reader.feed(data):
                    self._taken(message)
            if self._connection is connection:
                self._flush()
        except BlockingIOError:
            return
        except (OSError, WireTrouble):
            self.hang_up()

    def _flush(self) -> None:
        assert self._connection is not None
        while self._unsent:
            try:
                sent = self._connection.send(self._unsent[:65536])
            except BlockingIOError:
                break
            del self._unsent[:sent]
        if len(self._unsent) > MOST_WAITING:
            raise OSError("the other process does not read")
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)
        self._selector.modify(self._connection, wanted)
