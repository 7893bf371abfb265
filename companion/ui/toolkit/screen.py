"""What every screen is: something that can be built out of what is true now, and built again when that changes."""

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
from companion.ui.toolkit.look import FONTS
from companion.ui.toolkit.snug import Snug

if TYPE_CHECKING:
    from companion.app import CompanionApp
    from companion.core.questions import Option, Question
    from companion.table.desk import Desk
    from companion.table.proposals import Outcome
    from devices.gestures import Gesture
    from devices.panel import Who


class Showing:
    """What screens and parts of them share: what is true, and the words for it."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app

    @property
    def desk(self) -> Desk:
        """What is true, and what can be done."""
        return self.app.desk

    def t(self, key: str, **args: Any) -> str:
        """The sentence `key` in the language of the table."""
        return self.desk.words(say(key, **args))

    def panel(self, *parts: Part | None, title: str = "", gap: float = 8) -> Plate:
        """Parts on a ground of their own, perhaps with a title."""
        head = Words(title, "body", "accent", bold=True) if title else None
        return Plate(Column([head, *parts], gap=gap))

    def leave(self) -> None:
        """People go away from it."""

    def tick(self) -> None:
        """Some ten times a second, for what moves by itself."""

    def tried(self, who: Who, gesture: Gesture) -> None:
        """A button was pressed while parts are tried out."""


class Screen(Showing):
    """One screen. `build` is called whenever something changed; what must outlive that is kept in attributes."""

    name: ClassVar[str]
    scans: ClassVar[bool] = False
    """Whether a card before the camera means something here."""
    looks: ClassVar[bool] = False
    """Whether the camera should look closely though no card means anything."""
    margin: ClassVar[float] = PAD
    """How far it stays away from the edges of the window."""
    tells: ClassVar[bool] = False
    """Whether it has places of its own for what people are told: along its upper edge, or where a seat is."""
    told_at_seat: bool = False
    """Whether what is told now stands at the seat it concerns."""
    seat_before_it: int | None = None
    """The seat that has this screen for itself, and shows its cards to the camera."""

    def build(self) -> Part:
        """The screen as it is now."""
        raise NotImplementedError

    def enter(self) -> None:
        """People come to this screen."""

    def choose(self, question: Question, option: Option) -> None:
        """Do what a tap on this option of the shown question does."""

    def shown_question(self) -> Question | None:
        """The one question this screen shows; none while several or secret ones wait."""
        return None

    def tells_of(self, outcome: Outcome) -> bool:
        """What came of a signal; true if this screen tells people itself."""
        return False

    def typed(self, key: str, character: str | None) -> bool:
        """A key of a real keyboard; true if it meant something here."""
        return False

    # What many screens are made of

    def page(self, title: str, body: Part, bottom: Part | None = None, actions: Iterable[Part] = ()) -> Part:
        """A page with a way back and a title, which becomes smaller before it takes a second line from the page."""
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        head = Snug(title, FONTS["title"], FONTS["body"], bold=True).fill()
        return Page(Row([back, head, *actions]), body, bottom)


class Asked:
    """A question of the app itself, with its answers; it stands before everything else.

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
    "Asked",
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
