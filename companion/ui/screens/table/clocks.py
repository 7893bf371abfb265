"""Clocks that run while a screen is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.texts import written_span
from companion.ui.toolkit.kit import Words
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context


class Clocks(Showing):
    """The thinking times of the seats."""

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self._running: list[tuple[int, Words]] = []
        self._turns: list[tuple[int, int | None, Words]] = []

    def words(self, seat: int, tone: str) -> Words:
        """A seat's clock; `tick` keeps it running."""
        made = Words(self._told(seat), "tile", tone, bold=True)
        self._running.append((seat, made))
        return made

    def turn(self, seat: int, soft: int | None, tone: str) -> Words:
        """The time of this turn, and its soft limit; `tick` keeps it running."""
        made = Words(self._turn(seat, soft), "body", tone, bold=True)
        self._turns.append((seat, soft, made))
        return made

    def tick(self) -> None:
        """Update all clocks."""
        for seat, soft, words in self._turns:
            words.text = self._turn(seat, soft)
        for seat, words in self._running:
            words.text = self._told(seat)

    def _turn(self, seat: int, soft: int | None) -> str:
        now = written_span(self.desk.session.thinking_now(self.desk.clock())[seat])
        return now if soft is None else f"{now} / {written_span(soft)}"

    def _told(self, seat: int) -> str:
        return written_span(self.desk.session.thinking(self.desk.clock())[seat])
