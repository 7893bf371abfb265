"""Clocks that run while a screen is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.texts import written_span
from companion.ui.toolkit.kit import Words
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.app import CompanionApp


class Clocks(Showing):
    """How long seats have been thinking."""

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(app)
        self._running: list[tuple[int, Words]] = []

    def words(self, seat: int, tone: str) -> Words:
        """The clock of a seat; it runs."""
        made = Words(self._told(seat), "tile", tone, bold=True)
        self._running.append((seat, made))
        return made

    def tick(self) -> None:
        """Let them run."""
        for seat, words in self._running:
            words.text = self._told(seat)

    def _told(self, seat: int) -> str:
        return written_span(self.desk.session.thinking(self.desk.clock())[seat])
