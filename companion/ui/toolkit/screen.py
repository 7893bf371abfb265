"""The base class of screens: a screen is built from the current state, and rebuilt when the state changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from companion.core.words import say
from companion.ui.toolkit.kit import (
    PAD,
    Column,
    Group,
    Icon,
    Page,
    Part,
    Plate,
    Row,
    Scroll,
    Split,
    Tap,
    Words,
)
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import FONTS

if TYPE_CHECKING:
    from companion.core.questions import Option, Question
    from companion.table.desk import Desk
    from companion.table.signals import Outcome
    from companion.ui.toolkit.context import Context
    from devices.gestures import Gesture
    from devices.panel import Who


class Showing:
    """What screens and parts of screens share: the desk and its texts."""

    def __init__(self, app: Context) -> None:
        self.app = app

    @property
    def desk(self) -> Desk:
        """The state, and what can be done."""
        return self.app.desk

    def t(self, key: str, **args: Any) -> str:
        """The text `key` in the language of the table."""
        return self.desk.words(say(key, **args))

    def panel(self, *parts: Part | None, title: str = "", gap: float = 8) -> Plate:
        """Parts on a background of their own, optionally with a title."""
        head = Words(title, "body", "accent", bold=True) if title else None
        return Plate(Column([head, *parts], gap=gap))

    def leave(self) -> None:
        """Called when people leave the screen."""

    def tick(self) -> None:
        """Called about ten times a second, for animations."""

    def tried(self, who: Who, gesture: Gesture) -> None:
        """A button was pressed while hardware is being tested."""


class Screen(Showing):
    """One screen. `build` is called after every change; what must survive a rebuild is kept in attributes."""

    name: ClassVar[str]
    scans: ClassVar[bool] = False
    """Whether a card shown to the camera means something here."""
    uses_camera: ClassVar[bool] = False
    """Whether the camera should look closely even though cards mean nothing here."""
    margin: ClassVar[float] = PAD
    """The distance to the edges of the window."""
    tells: ClassVar[bool] = False
    """Whether this screen has its own places for messages: along its upper edge, or at a seat."""
    told_at_seat: bool = False
    """Whether the current message is shown at the seat it concerns."""
    seat_before_it: int | None = None
    """The seat that has this screen to itself and shows its cards to the camera."""

    def build(self) -> Part:
        """The screen for the current state."""
        raise NotImplementedError

    def enter(self) -> None:
        """Called when people come to this screen."""

    def choose(self, question: Question, option: Option) -> None:
        """Do what a tap on this option of the shown question does."""

    def shown_question(self) -> Question | None:
        """The one question this screen shows; none while several or secret ones are open."""
        return None

    def tells_of(self, outcome: Outcome) -> bool:
        """Handle the outcome of a signal; true if this screen shows it itself."""
        return False

    def typed(self, key: str, character: str | None) -> bool:
        """Handle a key of a real keyboard; true if it meant something here."""
        return False

    # What many screens share

    def page(self, title: str, body: Part, bottom: Part | None = None, actions: Iterable[Part] = ()) -> Part:
        """A page with a back button and a title; the title shrinks before it takes a second line."""
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        head = Snug(title, FONTS["title"], FONTS["body"], bold=True).fill()
        return Page(Row([back, head, *actions]), body, bottom)


class AppQuestion:
    """A question of the app itself, with its answers; it covers everything else.

    The first answer is what most people want, unless all are `equal`.
    """

    def __init__(
        self,
        text: str,
        choices: Iterable[tuple[str, Callable[[], Any]]],
        detail: str = "",
        kind: str = "",
        equal: bool = False,
    ) -> None:
        self.text, self.detail, self.kind, self.equal = text, detail, kind, equal
        self.choices = tuple(choices)


__all__ = [
    "AppQuestion",
    "Column",
    "Group",
    "Icon",
    "Page",
    "Part",
    "Plate",
    "Row",
    "Screen",
    "Scroll",
    "Split",
    "Tap",
    "Words",
]
