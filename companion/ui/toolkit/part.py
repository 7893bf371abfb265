"""What every part of a screen is.

A part is one of Kivy's widgets whose place is plain numbers. Kivy's own tell whoever listens when they change; nobody
listens to a part, which is told its place once, and a screen has a hundred and fifty of them.

It has what is in it and only knows what it is in, so that a page nobody shows any more is gone at once: there is
nothing to search for.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from threading import get_ident, main_thread
from typing import Any, Self
from weakref import ref

from kivy.app import App
from kivy.context import get_current_context
from kivy.graphics import Canvas
from kivy.uix.widget import Widget

from companion.ui.toolkit.look import Look


def look() -> Look:
    """How things look now."""
    return App.get_running_app().look


MOST_WIPED = 400
_wiped: list[Canvas] = []
"""Canvases nobody uses any more, for the next parts: Kivy searches a list of all there are for each that goes, and one
that was drawn has itself, so it would have to be searched for."""


def _nothing() -> None:
    pass


def wipe(canvas: Canvas) -> bool:
    """Draw nothing there any more; what is drawn knows what it is drawn in, and would be left when nobody has it.

    False where another thread came upon it: only the window's may."""
    if get_ident() != main_thread().ident:
        return False
    if canvas.has_before:
        canvas.before.clear()
    if canvas.has_after:
        canvas.after.clear()
    canvas.clear()  # leaves what is before and after it where they are, empty: the next part may use them
    return True


class Part(Widget):
    """Something on a screen. `grow` is its share of the room a `Row` has left; 0 takes what it naturally needs."""

    grow = 0.0
    most = 0.0
    """How much higher than it needs this may become where a column has room left."""

    x = y = 0.0
    width = height = 100.0
    children: Any = ()
    disabled = False

    def __init__(self) -> None:
        self.children = []
        self.canvas = _wiped.pop() if _wiped else Canvas()
        self._in: Callable[[], Widget | None] = _nothing
        self._context = get_current_context()  # touches that are grabbed look for it

    def fit(self, width: float) -> float:
        """The height this needs at this width."""
        raise NotImplementedError

    def natural(self) -> float:
        """The width this likes best."""
        return 0.0

    def place(self, x: float, y: float, width: float, height: float) -> None:
        """Be there; y is the lower edge."""
        self.x, self.y, self.width, self.height = x, y, width, height

    def fill(self, share: float = 1.0) -> Self:
        """The same part, taking a share of the room left in a row."""
        self.grow = share
        return self

    def spread(self, most: float = inf) -> Self:
        """The same part, so much higher where there is room; of tiles, each line of them."""
        self.most = look().px(most) if most < inf else most
        return self

    def spare(self, width: float) -> float:
        """How much higher than `fit` this may become."""
        return self.most

    # As Kivy's widgets have it

    @property
    def parent(self) -> Widget | None:
        """What this is in."""
        return self._in()

    @parent.setter
    def parent(self, parent: Widget | None) -> None:
        self._in = _nothing if parent is None else ref(parent)

    @property
    def pos(self) -> tuple[float, float]:
        """Where its lower left corner is."""
        return self.x, self.y

    @pos.setter
    def pos(self, pos: tuple[float, float]) -> None:
        self.x, self.y = pos

    @property
    def size(self) -> tuple[float, float]:
        """How wide and how high it is."""
        return self.width, self.height

    @size.setter
    def size(self, size: tuple[float, float]) -> None:
        self.width, self.height = size

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.y + self.height

    @property
    def center_x(self) -> float:
        """Its middle, from left to right."""
        return self.x + self.width / 2

    @property
    def center_y(self) -> float:
        """Its middle, from below to above."""
        return self.y + self.height / 2

    @property
    def center(self) -> tuple[float, float]:
        """Its middle."""
        return self.center_x, self.center_y

    @property
    def opacity(self) -> float:
        """How little can be seen through it, from 0 to 1."""
        return self.canvas.opacity

    @opacity.setter
    def opacity(self, opacity: float) -> None:
        self.canvas.opacity = opacity

    def add_widget(self, widget: Widget, index: int = 0, canvas: str | None = None) -> None:
        """Have this in it, drawn after all others; nobody may put the same somewhere else meanwhile."""
        assert widget.parent is None, f"{widget} is in {widget.parent} already"
        widget.parent = self
        self.children.insert(0, widget)
        self.canvas.add(widget.canvas)

    def remove_widget(self, widget: Widget) -> None:
        """Have this in it no more."""
        self.children.remove(widget)
        self.canvas.remove(widget.canvas)
        widget.parent = None

    def inc_disabled(self, count: int = 1) -> None:
        """Nothing is ever switched off; Kivy would walk through everything in it."""

    dec_disabled = inc_disabled

    def __del__(self) -> None:
        canvas = self.canvas
        if canvas is not None and wipe(canvas) and len(_wiped) < MOST_WIPED:
            canvas.opacity = 1.0
            _wiped.append(canvas)


class Observed(Part):
    """A part with all that Kivy's widgets are, for those of Kivy's own that listen to themselves."""

    x, y, width, height = Widget.x, Widget.y, Widget.width, Widget.height
    pos, size, right, top = Widget.pos, Widget.size, Widget.right, Widget.top
    center_x, center_y, center = Widget.center_x, Widget.center_y, Widget.center
    children, opacity, disabled = Widget.children, Widget.opacity, Widget.disabled

    def __init__(self, **how: Any) -> None:
        self._in = _nothing
        Widget.__init__(self, **how)

    def fbind(self, name: str, listener: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Whatever listens to itself does not keep itself."""
        if getattr(listener, "__self__", None) is self and not args and not named:
            return self.bind(**{name: listener})
        return super().fbind(name, listener, *args, **named)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self.pos, self.size = (x, y), (width, height)
