"""The app's end of the Unix socket that the porter connects to."""

from __future__ import annotations

import os
import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.core import files
from companion.table.porter_process import SOCKET
from companion.wire import FromPorter, WireReader, WireTrouble, packed

MOST_WAITING = 4_000_000
"""A porter that leaves so many bytes unread is disconnected."""


class PorterLine:
    """Listens in a folder for one porter at a time; `ended` is called when its connection has ended."""

    def __init__(self, folder: Path, selector: selectors.BaseSelector, ended: Callable[[], None]) -> None:
        self.folder, self._selector, self._ended = folder, selector, ended
        self.listener: socket.socket | None = None
        self.connection: socket.socket | None = None
        self._reader: WireReader[FromPorter] = WireReader(FromPorter)
        self._unsent = bytearray()

    def listen(self, mode: int) -> None:
        """Begin to listen, with these permissions; raises `OSError`."""
        files.make_folder(self.folder)
        (self.folder / SOCKET).unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        at = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:  # a Unix address is short, and a path may be long
            listener.bind(f"/proc/self/fd/{at}/{SOCKET}")
        finally:
            os.close(at)
        (self.folder / SOCKET).chmod(mode)
        listener.listen(4)
        listener.setblocking(False)
        self.listener = listener
        self._selector.register(listener, selectors.EVENT_READ)

    def close(self) -> None:
        """Hang up, and do not listen any more."""
        assert self.listener is not None
        self.hang_up()
        self._selector.unregister(self.listener)
        self.listener.close()
        self.listener = None
        with suppress(OSError):
            (self.folder / SOCKET).unlink()

    def accept(self) -> bool:
        """A porter connects, and takes the place of an earlier one; whether it is still there."""
        assert self.listener is not None
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return False
        self.hang_up()
        connection.setblocking(False)
        self.connection, self._reader = connection, WireReader(FromPorter)
        self._selector.register(connection, selectors.EVENT_READ)
        return True

    def hang_up(self) -> None:
        """End the connection, if there is one."""
        if self.connection is not None:
            self._selector.unregister(self.connection)
            self.connection.close()
            self.connection = None
        self._unsent.clear()
        self._ended()

    def exchange(self, events: int, take: Callable[[FromPorter], None]) -> None:
        """Read what has come, and send what waits; who does not keep to the format is disconnected."""
        connection = self.connection
        assert connection is not None
        try:
            if events & selectors.EVENT_READ:
                data = connection.recv(65536)
                if not data:
                    self.hang_up()
                    return
                for message in self._reader.feed(data):
                    take(message)
            if self.connection is connection:
                self._flush()
        except BlockingIOError:
            return
        except (OSError, WireTrouble):
            self.hang_up()

    def send(self, message: Any) -> None:
        """Send this, if a porter is connected; raises `WireTrouble` if it is too long."""
        if self.connection is None:
            return
        self._unsent += packed(message)
        try:
            self._flush()
        except OSError:
            self.hang_up()

    def _flush(self) -> None:
        assert self.connection is not None
        while self._unsent:
            try:
                sent = self.connection.send(self._unsent[:65536])
            except BlockingIOError:
                break
            del self._unsent[:sent]
        if len(self._unsent) > MOST_WAITING:
            raise OSError("the porter does not read")
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)
        self._selector.modify(self.connection, wanted)
