"""The publisher, the process that tells a hall's broker what happens at this table."""

from __future__ import annotations

import os
from pathlib import Path

from companion.table.child_process import ChildProcess

SOCKET = "hall.sock"


def socket_folder(data: Path) -> Path:
    """Where the socket is: beside the journal, or on a machine of our own where the publisher may reach it."""
    return Path(os.environ.get("COMPANION_HALL", data))


class PublisherProcess(ChildProcess):
    """`options` are more words of its command line."""

    def __init__(self, folder: Path, options: tuple[str, ...] = ()) -> None:
        super().__init__(folder, "hall-on", "hall-off")
        self.options = options

    def words(self) -> tuple[str, ...]:
        return ("companion.publisher", "--child", *self.options, SOCKET)
