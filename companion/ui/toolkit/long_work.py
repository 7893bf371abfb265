"""Work in the background that shows how far it is and can be stopped."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.ui.toolkit.draw import Bar
from companion.ui.toolkit.kit import Column, Part, Row, Tap, Words

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context


class LongWork:
    """One piece of work; `go_on` is for its own thread, everything else for the screen's."""

    def __init__(self, app: Context) -> None:
        self._app, self._stopped = app, threading.Event()
        self.done, self.total = 0, 0

    def go_on(self, done: int, total: int) -> bool:
        """Report progress; whether nobody stopped it."""
        self._app.post(lambda: self._told(done, total))
        return not self._stopped.is_set()

    def _told(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        self._app.refresh()

    def stop(self) -> None:
        """Stop at the next opportunity."""
        self._stopped.set()
        self._app.refresh()

    def part(self, words: str) -> Part:
        """What is done, how far it is, and a button to stop."""
        stopping = self._stopped.is_set()
        stop = Tap(
            self._app.desk.say("ui.stopping" if stopping else "ui.stop-work"),
            None if stopping else self.stop,
            icon="close",
            kind="quiet",
            name="stop-work",
        )
        return Row([Column([Words(words, "body"), Bar(self.done, max(1, self.total))], gap=6).fill(), stop])
