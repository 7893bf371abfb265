"""What is in front of a screen: a message, an offer, a question of the app, or revealed cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.components import Component
from companion.core.game import Game
from companion.core.questions import Option, Question
from companion.core.scans import Offer
from companion.core.words import Text
from companion.table.notices import Toast, toast_of
from companion.table.signal_intake import OFFERED
from companion.ui import dialogs, reveals
from companion.ui.card_sheet import CardSheet
from companion.ui.guide import Large, Pointer
from companion.ui.help_sheet import HelpSheet
from companion.ui.seat_sheet import SeatPeek
from companion.ui.toolkit.overlays import Overlay, dialog, moment, notice, offer_card, toast
from companion.ui.toolkit.screen import AppQuestion
from companion.ui.toolkit.theme import Theme

if TYPE_CHECKING:
    from companion.ui.toolkit.context import WindowContext

FrontSheet = SeatPeek | CardSheet | HelpSheet
"""A sheet in front of the current page."""

MOMENT = 2.0
"""Seconds for which revealed cards fill the screen."""


class Foreground:
    """Belongs to one table; another table begins with an empty foreground."""

    def __init__(self, app: WindowContext) -> None:
        self.app = app
        self.asked: AppQuestion | None = None
        self._asking: Callable[[], AppQuestion] | None = None
        self._asked_in: tuple[str, Theme] | None = None
        self._told: Toast | None = None
        self._offer, self._offered = Offer(), 0.0
        self._until: float | None = None
        self._sheets: list[FrontSheet] = []

    def show(self) -> None:
        """Rebuild everything in front of the page."""
        app, stage = self.app, self.app.stage
        app.layouts.changes(stage, app.screen.name)
        for part in [p for p in stage.children if isinstance(p, Overlay | Pointer | Large)]:
            stage.remove_widget(part)
        if app.guide is not None and app.guide.shown:
            for part in app.guide.before():
                stage.add_widget(part)
        if self.asked is not None and self._asked_in != (app.desk.language, app.theme):
            assert self._asking is not None
            self.asked, self._asked_in = self._asking(), (app.desk.language, app.theme)
        if self._offer.answers and app.desk.play is not None and app.screen.scans:
            page = stage.children[-1]
            stage.add_widget(offer_card(dialogs.offered(app.desk, self._offer), app, page))
        if self.message is not None and not app.screen.tells:
            stage.add_widget(toast(*self.message, app, stage.children[-1]))
        elif self.message is not None and not app.screen.told_at_seat:
            stage.add_widget(notice(*self.message, app, stage.children[-1]))
        self._sheets = [sheet for sheet in self._sheets if not sheet.over]
        if self._sheets:
            stage.add_widget(self._sheets[-1].overlay())
        if self.asked is not None:
            stage.add_widget(dialog(self.asked, app))
        if self._until is not None and app.desk.play is not None:
            stage.add_widget(moment(*reveals.shown(app), app))
        app.page_built()

    def tick(self) -> None:
        """Remove messages and reveals whose time is over."""
        if self._told is not None and self.app.desk.clock() > self._told.until:
            self._told = None
            self._show_told()
        if self._until is not None and self.app.desk.clock() > self._until:
            self.pass_moment()
        if self._offer.answers and self.app.desk.clock() - self._offered >= OFFERED:
            self.put_forward(Offer())  # from now on a seat's button has its usual meaning

    # Seats and cards: the page behind them stays as it is

    def peek(self, seat: int, instead: bool = False) -> None:
        """Show a seat; `instead` replaces the open sheet."""
        if instead:
            self._sheets = self._sheets[:-1]
        self._open(SeatPeek(self.app, seat))

    def read(self, component: str = "", owner: int | None = None, option: Option | None = None) -> None:
        """Show a component large, perhaps as a seat's, or an option."""
        self._open(CardSheet(self.app, component, owner, option))

    def read_printed(self, game: Game, component: Component) -> None:
        """Show a component of a box large, with or without a play."""
        self._open(CardSheet(self.app, component.id, printed=(game, component)))

    def help(self, question: Question) -> None:
        """Show help with an open question."""
        self._open(HelpSheet(self.app, question.seat, question.slug))

    def _open(self, sheet: FrontSheet) -> None:
        self._sheets.append(sheet)
        self.app.show_before()

    def close(self) -> None:
        """Close the open sheet; the one below it is shown again."""
        self._sheets = self._sheets[:-1]
        self.app.show_before()

    def close_all(self) -> None:
        """Close all sheets: people go to another screen."""
        self._sheets = []

    @property
    def seat(self) -> int | None:
        """The seat being looked at."""
        return self.sheet.seat if isinstance(self.sheet, SeatPeek) else None

    @property
    def sheet(self) -> FrontSheet | None:
        """The open sheet."""
        return self._sheets[-1] if self._sheets else None

    # Messages

    def tell(self, text: Text, how: str, trouble: bool) -> None:
        """Show a message for a while."""
        self.put(text, how, trouble)
        self._show_told()

    def put(self, text: Text, how: str, trouble: bool = False, seat: int | None = None) -> None:
        """Store a message for the next rebuild."""
        desk = self.app.desk
        self._told = toast_of(text, desk.words(text), how, desk.clock(), trouble, seat)

    def trouble_is_over(self) -> None:
        """Remove an error message: the action succeeded after all."""
        if self._told is not None and self._told.trouble:
            self._told = None

    def _show_told(self) -> None:
        """Show the message, or remove it: on the screen itself, or in front of it."""
        if self.app.stack and self.app.screen.tells:
            self.app.refresh()
        else:
            self.app.show_before()

    @property
    def message(self) -> tuple[str, str] | None:
        """The shown message in the current language, and its kind."""
        return None if self._told is None else (self.app.desk.words(self._told.text), self._told.how)

    @property
    def message_seat(self) -> int | None:
        """The seat the message is for, if it is for one."""
        return None if self._told is None else self._told.seat

    # Questions of the app

    def ask(self, asking: Callable[[], AppQuestion]) -> None:
        """Show a question until it is answered; it is rebuilt if the language or size changes."""
        self._asking, self._asked_in = asking, (self.app.desk.language, self.app.theme)
        self.asked = asking()
        self.app.show_before()

    def choose_first(self) -> None:
        """Answer the question with its first choice."""
        asked = self.asked
        if asked is not None:
            self.dismiss()
            asked.choices[0][1]()

    def dismiss(self) -> None:
        """Remove the question or the message."""
        self.forget()
        self._show_told()

    def forget(self) -> None:
        """Forget question and message."""
        self.asked = self._told = None

    # Offers and reveals

    def put_forward(self, offer: Offer) -> None:
        """Show a possible answer the camera saw, for as long as a seat's button confirms it."""
        self._offer, self._offered = offer, self.app.desk.clock()
        self.app.show_before()

    @property
    def offer(self) -> Offer:
        """The shown offer."""
        return self._offer

    def forget_offer(self) -> None:
        """Forget an offer from another play."""
        self._offer = Offer()

    def begin_moment(self) -> None:
        """Let revealed cards fill the screen for a moment, from the next rebuild on."""
        self._until = self.app.desk.clock() + MOMENT

    @property
    def in_a_moment(self) -> bool:
        """Whether revealed cards fill the screen."""
        return self._until is not None

    def pass_moment(self) -> None:
        """End the view of revealed cards."""
        self._until = None
        self.app.show_before()
