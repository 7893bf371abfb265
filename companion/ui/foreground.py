"""What stands before a screen: a sentence that was told, an offer, a question of the app, what was turned over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.questions import Option
from companion.core.scans import Offer
from companion.core.words import Text
from companion.table.notices import Toast, toast_of
from companion.table.proposals import OFFERED
from companion.ui import dialogs, reveals
from companion.ui.card_sheet import CardSheet
from companion.ui.guide import Large, Pointer
from companion.ui.seat_sheet import SeatPeek
from companion.ui.toolkit.look import Look
from companion.ui.toolkit.overlays import Overlay, dialog, moment, notice, offer_card, toast
from companion.ui.toolkit.screen import Asked

if TYPE_CHECKING:
    from companion.app import CompanionApp

Sheet = SeatPeek | CardSheet
"""What people look at before the page that is on."""

MOMENT = 2.0
"""Seconds for which what was turned over fills the screen."""


class Foreground:
    """Belongs to one table; another one begins with nothing before its screens."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.asked: Asked | None = None
        self._asking: Callable[[], Asked] | None = None
        self._asked_in: tuple[str, Look] | None = None
        self._told: Toast | None = None
        self._offer, self._offered = Offer(), 0.0
        self._until: float | None = None
        self._sheets: list[Sheet] = []

    def show(self) -> None:
        """Put all of it before the page, anew."""
        app, stage = self.app, self.app.stage
        app.layouts.changes(stage, app.screen.name)
        for part in [p for p in stage.children if isinstance(p, Overlay | Pointer | Large)]:
            stage.remove_widget(part)
        if app.guide is not None and app.guide.shown:
            for part in app.guide.before():
                stage.add_widget(part)
        if self.asked is not None and self._asked_in != (app.desk.language, app.look):
            assert self._asking is not None
            self.asked, self._asked_in = self._asking(), (app.desk.language, app.look)
        if self._offer.answers and app.desk.play is not None and app.screen.scans:
            page = stage.children[-1]
            stage.add_widget(offer_card(dialogs.offered(app.desk, self._offer), app, page))
        if self.told is not None and not app.screen.tells:
            stage.add_widget(toast(*self.told, app, stage.children[-1]))
        elif self.told is not None and not app.screen.told_at_seat:
            stage.add_widget(notice(*self.told, app, stage.children[-1]))
        self._sheets = [sheet for sheet in self._sheets if not sheet.over]
        if self._sheets:
            stage.add_widget(self._sheets[-1].overlay())
        if self.asked is not None:
            stage.add_widget(dialog(self.asked, app))
        if self._until is not None and app.desk.play is not None:
            stage.add_widget(moment(*reveals.shown(app), app))
        app.page_built()

    def tick(self) -> None:
        """Sentences and moments go away by themselves."""
        if self._told is not None and self.app.desk.clock() > self._told.until:
            self._told = None
            self._show_told()
        if self._until is not None and self.app.desk.clock() > self._until:
            self.pass_moment()
        if self._offer.answers and self.app.desk.clock() - self._offered >= OFFERED:
            self.put_forward(Offer())  # from now on a seat's button means what it always does

    # Seats and cards that are looked at: the page they stand before stays as it is

    def peek(self, seat: int, instead: bool = False) -> None:
        """Look at a seat; `instead` of the sheet that is open."""
        if instead:
            self._sheets = self._sheets[:-1]
        self._open(SeatPeek(self.app, seat))

    def read(self, component: str = "", owner: int | None = None, option: Option | None = None) -> None:
        """Read a component, perhaps of a seat, or an option."""
        self._open(CardSheet(self.app, component, owner, option))

    def _open(self, sheet: Sheet) -> None:
        self._sheets.append(sheet)
        self.app.show_before()

    def close(self) -> None:
        """Close the sheet that is open; the one before it is shown again."""
        self._sheets = self._sheets[:-1]
        self.app.show_before()

    def close_all(self) -> None:
        """People go to another screen."""
        self._sheets = []

    @property
    def seat(self) -> int | None:
        """The seat that is looked at."""
        return self.sheet.seat if isinstance(self.sheet, SeatPeek) else None

    @property
    def sheet(self) -> Sheet | None:
        """The sheet that is open."""
        return self._sheets[-1] if self._sheets else None

    # Sentences

    def tell(self, text: Text, how: str, trouble: bool) -> None:
        """A sentence that goes away by itself."""
        self.put(text, how, trouble)
        self._show_told()

    def put(self, text: Text, how: str, trouble: bool = False, seat: int | None = None) -> None:
        """Keep a sentence for whoever shows this next."""
        desk = self.app.desk
        self._told = toast_of(text, desk.words(text), how, desk.clock(), trouble, seat)

    def trouble_is_over(self) -> None:
        """Something was done after all: what stood in its way need not be told any more."""
        if self._told is not None and self._told.trouble:
            self._told = None

    def _show_told(self) -> None:
        """Show what is told, or that it is told no more: on the screen itself, or before it."""
        if self.app.stack and self.app.screen.tells:
            self.app.refresh()
        else:
            self.app.show_before()

    @property
    def told(self) -> tuple[str, str] | None:
        """The sentence that is shown, in the language people read now, and how it went."""
        return None if self._told is None else (self.app.desk.words(self._told.text), self._told.how)

    @property
    def told_to(self) -> int | None:
        """The seat this sentence is for, if it is somebody's."""
        return None if self._told is None else self._told.seat

    # Questions of the app

    def ask(self, asking: Callable[[], Asked]) -> None:
        """Put a question; it goes away when it is answered, and is put anew in another language or size."""
        self._asking, self._asked_in = asking, (self.app.desk.language, self.app.look)
        self.asked = asking()
        self.app.show_before()

    def choose_first(self) -> None:
        """Answer the question with its first choice."""
        asked = self.asked
        if asked is not None:
            self.dismiss()
            asked.choices[0][1]()

    def dismiss(self) -> None:
        """Take the question or the sentence away."""
        self.forget()
        self._show_told()

    def forget(self) -> None:
        """Nothing is asked or told any more."""
        self.asked = self._told = None

    # Offers and moments

    def put_forward(self, offer: Offer) -> None:
        """Show what the camera saw and somebody may have meant, for as long as a seat's button confirms it."""
        self._offer, self._offered = offer, self.app.desk.clock()
        self.app.show_before()

    @property
    def offer(self) -> Offer:
        """What is shown as offered."""
        return self._offer

    def begin_anew(self) -> None:
        """What was offered in another play is past."""
        self._offer = Offer()

    def begin_moment(self) -> None:
        """Let what was turned over fill the screen for a moment, from the next showing on."""
        self._until = self.app.desk.clock() + MOMENT

    @property
    def in_a_moment(self) -> bool:
        """Whether something fills the screen."""
        return self._until is not None

    def pass_moment(self) -> None:
        """Whatever filled the screen for a moment has been seen."""
        self._until = None
        self.app.show_before()
