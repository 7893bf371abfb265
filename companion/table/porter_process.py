"""The porter, the process that phones reach."""

from __future__ import annotations

import os
from pathlib import Path

from companion.table.child_process import ChildProcess

PORT = 8411
"""Where phones reach the porter, unless `COMPANION_PORT` says otherwise."""
SOCKET = "phones.sock"


def socket_folder(data: Path) -> Path:
    """Where the socket is: beside the journal, or on a machine of our own where the porter may reach it."""
    return Path(os.environ.get("COMPANION_PHONES", data))


class PorterProcess(ChildProcess):
    """`options` are more words of its command line."""

    def __init__(self, folder: Path, options: tuple[str, ...] = ()) -> None:
        super().__init__(folder, "phones-on", "phones-off")
        self.options = options

    def words(self) -> tuple[str, ...]:
        port = os.environ.get("COMPANION_PORT", str(PORT))
        return ("companion.porter", "--child", "--port", port, *self.options, SOCKET)
