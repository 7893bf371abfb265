"""Numbers to set by touch, and lists to search by typing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.core.window import Window

from companion.core.counters import Correctable
from companion.core.words import Text
from companion.texts import mentions
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Column, Icon, Page, Part, Row, Scroll, Split, Tap, Tiles, Words, theme
from companion.ui.toolkit.screen import Screen

JUMP = 10
"""The step of the outer buttons, where the range is large."""

FAR = 20
"""A larger range than this gets buttons for steps of ten."""

BESIDE = 525
"""The width of a keyboard with ten keys in a row; results are beside it if there is room for both."""

SHOWN = 24
"""At most this many results are shown; typing narrows them down."""


class Broad(Part):
    """A part of fixed width, in units that grow with the text size."""

    def __init__(self, part: Part, width: float) -> None:
        super().__init__()
        self.part, self._wide = part, theme().px(width) * theme().text
        self.add_widget(part)

    def fit(self, width: float) -> float:
        return self.part.fit(width)

    def natural(self) -> float:
        return self._wide

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.part.place(x, y, width, height)


def stepper(name: str, value: int, change: Callable[[int], Any], far: bool) -> Part:
    """Minus, the value, plus; with `far` also steps of ten."""

    def tap(step: int, which: str) -> Tap:
        if abs(step) > 1:
            return Tap(f"{step:+d}".replace("-", "−"), lambda: change(value + step), name=f"{which}-{name}")
        icon = "plus" if step > 0 else "minus"
        return Tap(icon=icon, on_tap=lambda: change(value + step), name=f"{which}-{name}", tall=54)

    wide = theme().wide
    number = Broad(
        Words(str(value), "prompt" if wide else "body", bold=True, align="center"), 66 if wide else 50
    )
    parts = [tap(-1, "minus"), number, tap(1, "plus")]
    if far:
        parts = [tap(-JUMP, "less"), *parts, tap(JUMP, "more")]
    return Row(parts, gap=6 if wide else 4)


class Counted(Part):
    """A stepper with its label: beside it, or above it if there is no room."""

    def __init__(self, words: str, steps: Part) -> None:
        super().__init__()
        self.label, self.steps = Words(words, "body"), steps
        self.gap = theme().px(8)
        self.add_widget(self.label)
        self.add_widget(steps)

    def _left(self, width: float) -> float:
        """The room for a label beside the stepper; 0 if it is better above."""
        left = width - self.steps.natural() - 2 * self.gap
        enough = max(min(self.label.natural(), width * 0.42), self.label.widest_word())
        return left if left >= enough else 0.0

    def fit(self, width: float) -> float:
        left, high = self._left(width), self.steps.fit(min(width, self.steps.natural()))
        if left:
            return max(self.label.fit(left), high)
        return self.label.fit(width) + self.gap + high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        left, wide = self._left(width), min(width, self.steps.natural())
        high = self.steps.fit(wide)
        if not left:
            words = self.label.fit(width)
            self.label.place(x, y + height - words, width, words)
            self.steps.place(x, y, wide, high)
            return
        words = self.label.fit(left)
        self.label.place(x, y + (height - words) / 2, left, words)
        self.steps.place(x + width - wide, y + (height - high) / 2, wide, high)


def shown(
    screen: Screen, counter: Correctable, change: Callable[[int], Any], choose: Callable[[], Any]
) -> Part:
    """An editor for a counter: a box to tick, minus and plus, or its list of names (opened by `choose`)."""
    words = screen.desk.words
    if counter.names:
        return Counted(
            words(counter.text),
            Tap(
                words(counter.called(counter.value)),
                choose,
                part=Icon("chevron-right", "body", "dim"),
                name=f"choose-{counter.id}",
            ),
        )
    if counter.is_switch:
        icon = "checkbox-marked" if counter.value else "checkbox-blank-outline"
        return Tap(
            words(counter.text), lambda: change(1 - counter.value), icon=icon, name=f"switch-{counter.id}"
        )
    far = counter.high - counter.low > FAR
    return Counted(words(counter.text), stepper(counter.id, counter.value, change, far))


class Choosing:
    """Choosing one of a counter's names from a list."""

    def __init__(
        self, screen: Screen, counter: Correctable, chosen: Callable[[int], Any], leave: Callable[[], Any]
    ) -> None:
        self.screen, self.counter, self.chosen, self.leave = screen, counter, chosen, leave

    def page(self) -> Part:
        """The list, with the current value marked."""
        words, now = self.screen.desk.words, self.counter.value
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.leave, name="back")
        taps = [
            Tap(
                words(name),
                partial(self.chosen, value),
                icon="check-circle" if value == now else "circle-outline",
                chosen=value == now,
                name=f"value-{value}",
            )
            for value, name in self.counter.names
        ]
        top = Row([back, Words(words(self.counter.text), "prompt", bold=True).fill()])
        return Page(top, Scroll(Tiles(taps, 250), key=f"choose-{self.counter.id}"))


class Search:
    """Searching by typing part of a name."""

    def __init__(self, screen: Screen, hint: str, leave: Callable[[], Any]) -> None:
        self.screen, self.hint, self.leave = screen, hint, leave
        self.typing = Typing("", screen.app.refresh, self._done)
        self.listed = False

    def _done(self) -> None:
        self.listed = True
        self.screen.app.refresh()

    def _again(self) -> None:
        self.listed = False
        self.screen.app.refresh()

    def matches(self, text: Text) -> bool:
        """Whether every typed word occurs in this text, in any language."""
        return mentions(text, self.typing.text)

    def page(self, found: Sequence[Part], summary: str, done: str, none: str) -> Part:
        """The text field, the results and the keyboard, laid out for this screen."""
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.leave, name="back")
        field = TextField(self.typing, self.hint).fill()
        upright, wide = Window.width < Window.height, theme().wide
        if not (upright or wide or self.listed):
            return Page(Row([back, field]), Column([]), Keyboard(self.typing, done))
        head = Words(summary if found else none, "note", "dim")
        results = Scroll(Column([head, *found[:SHOWN]], gap=8), key="found")
        if upright:
            return Page(Row([back, field]), results, Keyboard(self.typing))
        if wide:
            keys = theme().px(BESIDE)
            room = Window.width - theme().px(42) - keys
            below = Page(None, Column([]), Keyboard(self.typing))
            return Page(Row([back, field]), Split([results, below], (room, keys)))
        again = Tap(icon="keyboard", kind="quiet", on_tap=self._again, name="keyboard")
        return Page(Row([back, field, again]), results)
