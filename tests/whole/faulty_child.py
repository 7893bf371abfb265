"""A server of child processes with a deliberate mistake: `python -m tests.whole.faulty_child SOCKET KIND`, the
mistake in FAULT_IN_CHILD."""

from __future__ import annotations

import os
import socket
import sys

from companion.core.journal import Journal
from companion.table import open_play
from workshop.fault_injection import child_processes


def writes_with_the_next_one() -> None:
    """An answer is confirmed at once and written together with the next."""
    usual = Journal.append
    waiting: list[tuple[object, ...]] = []

    def append(self: Journal, *entry: object, **over: bool) -> None:
        waiting.append((self, *entry))
        while len(waiting) > 1 or over.get("over"):
            usual(*waiting.pop(0), **(over if not waiting else {}))  # type: ignore[arg-type]
            if not waiting:
                break

    Journal.append = append  # type: ignore[method-assign, assignment]


def forgets_where_it_was() -> None:
    """A window that crashed opens at home and says nothing."""
    open_play.reopen_after_crash = lambda *_: None  # type: ignore[assignment]


if __name__ == "__main__":
    globals()[os.environ["FAULT_IN_CHILD"]]()
    child_processes.serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
