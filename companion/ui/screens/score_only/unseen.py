"""Entering what cannot be seen: numbers, boxes to tick, names to choose; a page per seat if there are many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.counters import Correctable
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Page, Part, Scroll, Tap
from companion.ui.toolkit.stepper import Choosing, shown

if TYPE_CHECKING:
    from companion.ui.screens.score_only.screen import ScoreOnly

MANY = 14
"""With more to enter than this, each seat has a page of its own."""

TellNumber = Callable[[str, int], Any]


class Telling:
    """Which seat's page is open, and which were opened, so that none is forgotten."""

    def __init__(self, screen: ScoreOnly) -> None:
        self.screen = screen
        self.seat: int | None = 0
        self.opened: set[int | None] = set()
        self.choosing: Choosing | None = None

    def body(
        self, asked: Sequence[Correctable], told: TellNumber, first: Part | None
    ) -> tuple[Part, Part | None]:
        """The fields, below `first`, and the button to a page that was not opened yet."""
        pages = list(dict.fromkeys(counter.seat for counter in asked))
        many = len(asked) > MANY
        self.opened.add(self.seat)
        rows = [self._row(counter, told) for counter in asked if not many or counter.seat == self.seat]
        title = self._called(self.seat) if many else self.screen.t("ui.so-numbers")
        panel = self.screen.panel(*rows, title=title, gap=12) if rows else None
        body: Part = Scroll(Column([first, panel], gap=12), key=f"so-numbers-{self.seat if many else 0}")
        if not many:
            return body, None
        closed = [seat for seat in pages if seat not in self.opened]
        return Page(Flow([self._tab(seat) for seat in pages]), body), self._next(
            closed[0]
        ) if closed else None

    def _row(self, counter: Correctable, told: TellNumber) -> Part:
        def change(value: int) -> None:
            self.choosing = None
            told(counter.id, value if counter.names else max(counter.low, min(counter.high, value)))

        def choose() -> None:
            self.choosing = Choosing(self.screen, counter, change, self._stop_choosing)
            self.screen.app.refresh()

        return shown(self.screen, counter, change, choose)

    def _stop_choosing(self) -> None:
        self.choosing = None
        self.screen.app.refresh()

    def _next(self, seat: int | None) -> Part:
        words = self.screen.t("ui.so-next-seat", name=self._called(seat))
        return Tap(words, lambda: self._open(seat), icon="chevron-right", kind="main", name="next")

    def _tab(self, seat: int | None) -> Part:
        return Tap(
            on_tap=lambda: self._open(seat),
            icon="table-furniture" if seat is None else "",
            lead=None if seat is None else Badge(self.screen.marks[seat], 34),
            chosen=seat == self.seat,
            name=f"of-{seat}",
        )

    def _called(self, seat: int | None) -> str:
        return self.screen.t("ui.everybody") if seat is None else self.screen.people[seat]

    def _open(self, seat: int | None) -> None:
        self.seat = seat
        self.screen.app.refresh()
