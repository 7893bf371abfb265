"""The practice camera: a simulated table that shows only cards people put there, to try everything without a
camera."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.questions import Question
from companion.recognition.virtual_cards import Cards
from companion.ui.toolkit.kit import Part, Tap, Tiles, Words
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context
    from vision.virtual import VirtualTable

SHOWN = 8
"""This many cards of the open questions are offered."""

Card = tuple[str, int | None]
"""A component, and the seat that holds it."""


class Practice(Showing):
    """The card held up to the simulated camera, and the cards put down."""

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.held: Card | None = None

    @property
    def table(self) -> VirtualTable | None:
        """The simulated table, if the camera looks at one."""
        return self.app.camera_feed.made_up()

    def leave(self) -> None:
        if self.table is not None and self.held is not None:
            self._cards(self.table).put_down(*self.held)
        self.held = self.app.holder = None

    def parts(self) -> list[Part]:
        """Cards that can be put there; empty with a real camera."""
        table = self.table
        if table is None or self.desk.play is None:
            return []
        offered = [
            Tap(
                self.desk.words(self.desk.name_of(component)),
                partial(self._hold, table, (component, seat)),
                icon="hand-back-right" if self.held == (component, seat) else "cards",
                chosen=self.held == (component, seat),
                name=f"hold-{component}",
            )
            for component, seat in self._offered()
        ]
        deeds = [
            Tap(self.t("ui.practice-lay"), partial(self._lay, table), icon="arrow-down", name="lay-down")
            if self.held is not None
            else None,
            Tap(self.t("ui.practice-clear"), partial(self._clear, table), icon="broom", name="clear-table")
            if self.held is not None or table.lying
            else None,
        ]
        parts = [Tiles(offered, 180, gap=8), Tiles([deed for deed in deeds if deed], 180, gap=8)]
        return [
            self.panel(Words(self.t("ui.practice-how"), "note", "dim"), *parts, title=self.t("ui.practice"))
        ]

    def _offered(self) -> list[Card]:
        """The cards of the open questions; the held one stays visible."""
        asked = [card for question in self.desk.questions() for card in _cards_of(question)]
        held = [] if self.held is None or self.held in asked else [self.held]
        return list(dict.fromkeys([*held, *asked]))[:SHOWN]

    def _cards(self, table: VirtualTable) -> Cards:
        return Cards(self.desk.session.game, table)

    def _hold(self, table: VirtualTable, card: Card) -> None:
        """Hold a card up; a second touch puts it down."""
        if card == self.held:
            self._lay(table)
            return
        if self.held is not None:
            table.hold_up(None)
        self.held, self.app.holder = card, card[1]
        self.app.update_scan_mode()
        self._cards(table).hold_up(*card)
        self.app.refresh()

    def _lay(self, table: VirtualTable) -> None:
        if self.held is not None:
            self._cards(table).put_down(*self.held)
        self.held = self.app.holder = None
        self.app.refresh()

    def _clear(self, table: VirtualTable) -> None:
        table.hold_up(None)
        for lying in table.lying:
            table.take_away(lying.text)
        self.held = self.app.holder = None
        self.app.refresh()


def _cards_of(question: Question) -> list[Card]:
    return [(option.component, question.seat) for option in question.options if option.component is not None]
