"""The base class of everything on a screen.

A part is a Kivy widget whose position and size are plain numbers instead of Kivy properties. Kivy's
properties notify listeners; parts have no listeners, are placed once, and a screen has about 150 of them.

A part owns its children and holds its parent only weakly, so a page that is no longer shown is freed at once,
without waiting for the garbage collector.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from threading import get_ident, main_thread
from typing import Any, Self
from weakref import ref

from kivy.context import get_current_context
from kivy.graphics import Canvas
from kivy.uix.widget import Widget

from companion.ui.toolkit.theme import theme

MOST_WIPED = 400
_wiped: list[Canvas] = []
"""Cleared canvases for reuse by new parts. For each canvas that is freed, Kivy searches a list of all of
them; a canvas that was drawn also refers to itself, so only the garbage collector would free it."""


def _nothing() -> None:
    pass


def wipe(canvas: Canvas) -> bool:
    """Clear the canvas. Its instructions refer to the canvas they are in, so without this it would not be
    freed.

    Return False in any thread but the window's, which alone may draw.
    """
    if get_ident() != main_thread().ident:
        return False
    if canvas.has_before:
        canvas.before.clear()
    if canvas.has_after:
        canvas.after.clear()
    canvas.clear()  # keeps canvas.before and canvas.after, empty: the next part may use them
    return True


class Part(Widget):
    """Anything on a screen. `grow` is its share of the room left in a `Row`; 0 means its natural width."""

    grow = 0.0
    most = 0.0
    """How much higher than `fit` this may become if its column has room left."""

    x = y = 0.0
    width = height = 100.0
    children: Any = ()
    disabled = False

    def __init__(self) -> None:
        self.children = []
        self.canvas = _wiped.pop() if _wiped else Canvas()
        self._in: Callable[[], Widget | None] = _nothing
        self._context = get_current_context()  # Kivy looks for it when a touch is grabbed

    def fit(self, width: float) -> float:
        """The height this needs at this width."""
        raise NotImplementedError

    def natural(self) -> float:
        """The preferred width."""
        return 0.0

    def place(self, x: float, y: float, width: float, height: float) -> None:
        """Set position and size; y is the lower edge."""
        self.x, self.y, self.width, self.height = x, y, width, height

    def fill(self, share: float = 1.0) -> Self:
        """Let this part take a share of the room left in a row; return it."""
        self.grow = share
        return self

    def spread(self, most: float = inf) -> Self:
        """Let this part become up to `most` higher where there is room (for tiles: each line of them); return
        it."""
        self.most = theme().px(most) if most < inf else most
        return self

    def spare(self, width: float) -> float:
        """How much higher than `fit` this may become."""
        return self.most

    # The interface of Kivy's widgets

    @property
    def parent(self) -> Widget | None:
        """The part this is in."""
        return self._in()

    @parent.setter
    def parent(self, parent: Widget | None) -> None:
        self._in = _nothing if parent is None else ref(parent)

    @property
    def pos(self) -> tuple[float, float]:
        """The lower left corner."""
        return self.x, self.y

    @pos.setter
    def pos(self, pos: tuple[float, float]) -> None:
        self.x, self.y = pos

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.width, self.height

    @size.setter
    def size(self, size: tuple[float, float]) -> None:
        self.width, self.height = size

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height

    @property
    def center_x(self) -> float:
        """The horizontal middle."""
        return self.x + self.width / 2

    @property
    def center_y(self) -> float:
        """The vertical middle."""
        return self.y + self.height / 2

    @property
    def center(self) -> tuple[float, float]:
        """The middle."""
        return self.center_x, self.center_y

    @property
    def opacity(self) -> float:
        """From 0 (invisible) to 1 (opaque)."""
        return self.canvas.opacity

    @opacity.setter
    def opacity(self, opacity: float) -> None:
        self.canvas.opacity = opacity

    def add_widget(self, widget: Widget, index: int = 0, canvas: str | None = None) -> None:
        """Add a child, drawn after all others; it must not be in another part."""
        assert widget.parent is None, f"{widget} is in {widget.parent} already"
        widget.parent = self
        self.children.insert(0, widget)
        self.canvas.add(widget.canvas)

    def remove_widget(self, widget: Widget) -> None:
        """Remove a child."""
        self.children.remove(widget)
        self.canvas.remove(widget.canvas)
        widget.parent = None

    def inc_disabled(self, count: int = 1) -> None:
        """Do nothing: parts are never disabled, and Kivy would walk through all children."""

    dec_disabled = inc_disabled

    def __del__(self) -> None:
        canvas = self.canvas
        if canvas is not None and wipe(canvas) and len(_wiped) < MOST_WIPED:
            canvas.opacity = 1.0
            _wiped.append(canvas)


class Observed(Part):
    """A part with Kivy's own properties, for Kivy widgets that listen to their own changes."""

    x, y, width, height = Widget.x, Widget.y, Widget.width, Widget.height
    pos, size, right, top = Widget.pos, Widget.size, Widget.right, Widget.top
    center_x, center_y, center = Widget.center_x, Widget.center_y, Widget.center
    children, opacity, disabled = Widget.children, Widget.opacity, Widget.disabled

    def __init__(self, **how: Any) -> None:
        self._in = _nothing
        Widget.__init__(self, **how)

    def fbind(self, name: str, listener: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Bind a widget's own methods weakly, so that it does not keep itself alive."""
        if getattr(listener, "__self__", None) is self and not args and not named:
            return self.bind(**{name: listener})
        return super().fbind(name, listener, *args, **named)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self.pos, self.size = (x, y), (width, height)
