"""The hall beside the window: the table's side of it, its calls, and the question whether a result is right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.words import say
from companion.errors import Trouble
from companion.hall_messages import TableCall
from companion.table import hall_memory
from companion.table.desk import AtOnce, Desk
from companion.table.hall_now import HallNow, call_text
from companion.table.hall_side import HallSide
from companion.table.settings import Settings
from companion.texts import shown
from companion.ui.toolkit.screen import AppQuestion

if TYPE_CHECKING:
    from companion.ui.toolkit.context import WindowContext

SHOWN_ON = ("hall", "settings", "new")
"""The screens that show how things are."""


class HallOnScreen:
    """The hall of one window, which has nothing of it unless it is switched on. It stays with people's own table
    while a demonstration is shown."""

    def __init__(self, app: WindowContext) -> None:
        self.app = app
        self.side: HallSide | None = None
        self._before: HallSide | None = None
        """The side that was switched off last: it may still be ending."""
        self._own: tuple[Desk, Path] | None = None
        self._asked: AppQuestion | None = None

    def connect(self) -> None:
        """Begin: from now on the switch in the settings takes effect."""
        self._own = self.app.desk, self.app.folder
        if (seats := self.app.panel.seats) is not None:
            others = seats.confirms
            seats.confirms = lambda seat: others(seat) or (self.side is not None and self.side.pressed(seat))
        self.app.desk.listen_at_once(self._hear)

    def stop(self) -> None:
        """The hall is told that this table is away."""
        for side in (self._before, self.side):
            if side is not None:
                side.stop(wait=True)

    def _hear(self, event: AtOnce) -> None:
        if isinstance(event, Settings):  # only the screen's thread changes them
            self._switch(event.hall)
        side = self.side
        if side is not None:
            side.hear(event)

    def _switch(self, on: bool) -> None:
        if on and self.side is None:
            desk, folder = self._own_table
            side = HallSide(folder, desk.settings, desk.read_journal, self.app.post, desk.clock)
            side.changed = self.changed
            if (seats := self.app.panel.seats) is not None:
                side.confirming = lambda open_: seats.show_claims(open_, "hall")
            self.side = side
            side.start(self._before)
            desk.tell_play(side.hear)
        elif not on and self.side is not None:
            if self.app.panel.seats is not None:
                self.app.panel.seats.show_claims(frozenset(), "hall")
            self.side.stop()
            self._before, self.side = self.side, None

    @property
    def _own_table(self) -> tuple[Desk, Path]:
        """People's own table, whatever is demonstrated now."""
        return self._own or (self.app.desk, self.app.folder)

    @property
    def now(self) -> HallNow:
        """What there is to show."""
        return HallNow() if self.side is None else self.side.now

    def call_judge(self, call: bool) -> None:
        """Call the judge, or do so no more."""
        if self.side is not None:
            self.side.call_judge(call)
            self.app.tell(say("hall-table.judge-called" if call else "hall-table.no-judge"))

    def confirm(self, seat: int, right: bool) -> None:
        """A player says whether the result is right."""
        if self.side is not None:
            self.side.confirm(seat, right)

    def take_credentials(self, data: bytes) -> bool:
        """Use these credentials from now on; returns whether they can be used."""
        try:
            taken = hall_memory.take(self._own_table[1], data)
        except Trouble as trouble:
            self.app.tell(trouble.text, "refused")
            return False
        if self.side is not None:
            self.side.look_for_credentials()
        self.app.tell(say("hall-table.taken", title=shown(taken.title), hall=taken.hall))
        return True

    def forget_credentials(self) -> None:
        """Leave the hall."""
        hall_memory.forget(self._own_table[1])
        if self.side is not None:
            self.side.look_for_credentials()

    # What is asked and shown

    def changed(self) -> None:
        """Show what has changed: on its page, or as a question on any other."""
        if self._asked is not None:
            if self.app.asked is self._asked:
                self.app.dismiss()
            self._asked = None
        if self.app.screen.name in SHOWN_ON:
            self.app.refresh()
        if self.now.calls:
            self._ask(partial(self._called, self.now.calls[0]))
        elif self.app.screen.name == "score" and not self.app.screen.counting:
            self.ask_confirmation()

    def ask_confirmation(self) -> None:
        """Ask the players whether the result is right, if they may say so and nothing else is asked."""
        result, play = self.now.result, self.app.desk.play
        if result is not None and result.open and play is not None and play.id == result.play:
            self._ask(self._is_it_right)

    def _ask(self, asking: Callable[[], AppQuestion]) -> None:
        def asked() -> AppQuestion:
            self._asked = asking()
            return self._asked

        if self.app.asked is None and self.app.guide is None:
            self.app.ask(asked)

    def _called(self, call: TableCall) -> AppQuestion:
        """What the hall has called."""
        seen = (self.app.desk.say("hall-table.seen"), partial(self._touched, call.id))
        words = self.app.desk.words(call_text(call))
        return AppQuestion(self.app.desk.say("hall-table.from-hall"), [seen], words)

    def _touched(self, call: str) -> None:
        self._asked = None
        if self.side is not None:
            self.side.touched(call)

    def _is_it_right(self) -> AppQuestion:
        """Whether the result is right: everybody answers for themselves."""
        t, result = self.app.desk.say, self.now.result
        assert result is not None
        choices: list[tuple[str, Callable[[], Any]]] = [
            (t("hall-table.right", seat=result.names[seat]), partial(self.confirm, seat, True))
            for seat in sorted(result.open)
        ]
        choices += [
            (t("hall-table.not-right"), lambda: self.app.ask(self._who_refuses)),
            (t("hall-table.later"), lambda: None),
        ]
        return AppQuestion(t("hall-table.is-it-right"), choices, t("hall-table.confirm-how"), equal=True)

    def _who_refuses(self) -> AppQuestion:
        t, result = self.app.desk.say, self.now.result
        names = () if result is None else result.names
        choices: list[tuple[str, Callable[[], Any]]] = [
            (name, partial(self.confirm, seat, False)) for seat, name in enumerate(names)
        ]
        choices.append((t("ui.cancel"), lambda: None))
        return AppQuestion(t("hall-table.who-refuses"), choices, equal=True)
