"""What the buttons round the table do to the screen. A seat's short press does not come here: it needs no
screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.questions import Question
from companion.core.words import say
from companion.table.signals import TakeBack
from devices.gestures import Doubled, Gesture, Held, Pressed, Stuck, Turned
from devices.panel import Who

if TYPE_CHECKING:
    from companion.ui.toolkit.context import WindowContext


class Buttons:
    """The table's buttons, and long and double presses of the seats' buttons."""

    def __init__(self, app: WindowContext) -> None:
        self.app = app
        self._cursor: tuple[tuple[int | None, str, int], int] | None = None

    def act(self, who: Who, gesture: Gesture) -> None:
        """Do what this gesture means now; in test mode, only show it."""
        if self.app.panel.seats is not None and self.app.panel.seats.trial is not None:
            self.app.screen.tried(who, gesture)
            return
        match who, gesture:
            case int(seat), Doubled():
                self.app.desk.propose(TakeBack(seat))
            case int(seat), Held():
                self._panel(seat)
            case "undo", Pressed():
                self._undo()
            case "undo", Held():
                self._redo()
            case "next", Pressed():
                self._next()
            case "next", Turned(by=by):
                self._turn(by)
            case "shutdown", Held():
                self.app.power_off()
            case int(seat), Stuck():
                self.app.tell(say("ui.stuck", seat=self._name(seat)), "refused")

    def _playing(self, seat: int) -> bool:
        play = self.app.desk.play
        return play is not None and seat < len(play.session.setup.seats)

    def _name(self, seat: int) -> str:
        return self.app.desk.session.setup.seats[seat] if self._playing(seat) else str(seat + 1)

    def options(self, seat: int) -> None:
        """Double press: show this seat's options on the screen."""
        if self._playing(seat) and any(q.seat in (seat, None) for q in self.app.desk.questions()):
            asked = [q for q in self.app.desk.questions() if q.seat == seat]
            self.app.home("table")
            self.app.go("choose", seat=asked[0].seat if asked else None)

    def _panel(self, seat: int) -> None:
        """Long press: show this seat on the screen, or close it again."""
        if not self._playing(seat):
            return
        if self.app.front.seat == seat:
            self.app.front.close()
        else:
            if self.app.screen.name != "table":
                self.app.home("table")
            self.app.front.peek(seat, instead=True)

    def _undo(self) -> None:
        """Take back the last deed; a long press redoes it."""
        if self.app.desk.play is not None:
            self.app.dismiss()
            self.app.undo()

    def _redo(self) -> None:
        if self.app.desk.play is not None:
            self.app.dismiss()
            self.app.redo()

    def _next(self) -> None:
        """Confirm: a question of the app, the option the knob points at, or what the only asked seat's button
        would do."""
        if self.app.asked is not None:
            self.app.front.choose_first()
            return
        question = self._only()
        if question is None:
            return
        turned_to = self.turned_to(question)
        option = question.default if turned_to is None else question.options[turned_to]
        if option is None:
            self.app.tell(say("core.no-default", question=self.app.desk.session.asked(question)), "refused")
            return
        self.app.screen.choose(question, option)

    def _turn(self, by: int) -> None:
        """Move to the next option of the question."""
        question = self._only()
        if question is None or self.app.asked is not None:
            return
        now = self.turned_to(question)
        first = 0 if by > 0 else -1
        index = (first if now is None else now + by) % len(question.options)
        self._cursor = (self._place(question), index)
        self.app.refresh()

    def turned_to(self, question: Question) -> int | None:
        """The option the knob points at, if it was turned and nothing was answered since."""
        if self._cursor is None or self._cursor[0] != self._place(question):
            return None
        return self._cursor[1]

    def _place(self, question: Question) -> tuple[int | None, str, int]:
        return question.seat, question.slug, self.app.desk.session.entries

    def _only(self) -> Question | None:
        """The one question the table shows; none while several or secret ones are open."""
        if self.app.desk.play is None or self.app.screen.name != "table" or self.app.desk.session.over:
            return None
        return self.app.screen.shown_question()
