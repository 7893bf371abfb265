"""Parts that lay out other parts: in columns, rows, tiles, on a background, in a scroll view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.effects.dampedscroll import DampedScrollEffect
from kivy.graphics import Color, Line, RoundedRectangle
from kivy.uix.scrollview import ScrollView

from companion.ui.toolkit.lettering import rgba
from companion.ui.toolkit.part import Observed, Part, wipe
from companion.ui.toolkit.theme import theme

GAP = 10
PAD = 14

SLOW_START = 250
"""Milliseconds a finger may rest and still begin to drag; Kivy's default is a fifth of that."""

DRAGGED = 20
"""How far a finger must move to scroll; less is an unsteady tap."""

MARGIN = 9
"""How much of the margin or gap at its right the scroll bar takes."""


class Gap(Part):
    """Empty space of a given size."""

    def __init__(self, size: float = GAP) -> None:
        super().__init__()
        self._size = theme().px(size)

    def fit(self, width: float) -> float:
        return self._size

    def natural(self) -> float:
        return self._size


class Plate(Part):
    """A part on a background of its own."""

    def __init__(
        self, part: Part, ground: str = "surface", edge: str = "", pad: float = PAD, radius: float = 14
    ) -> None:
        super().__init__()
        self.part = part
        self.pad = theme().px(pad)
        self.radius = theme().px(radius)
        with self.canvas:
            self._colour = Color(*rgba(ground))
            self._shape = RoundedRectangle(radius=[self.radius])
            if edge:
                Color(*rgba(edge))
                self._line: Line | None = Line(width=max(1.2, theme().unit * 1.4))
            else:
                self._line = None
        self.add_widget(part)

    def fit(self, width: float) -> float:
        return self.part.fit(width - 2 * self.pad) + 2 * self.pad

    def natural(self) -> float:
        return self.part.natural() + 2 * self.pad

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._shape.pos, self._shape.size = self.pos, self.size
        if self._line is not None:
            thick = self._line.width  # half of the line would be outside
            self._line.rounded_rectangle = (
                x + thick,
                y + thick,
                width - 2 * thick,
                height - 2 * thick,
                self.radius - thick,
            )
        inner = width - 2 * self.pad
        self.part.place(x + self.pad, y + self.pad, inner, height - 2 * self.pad)


class Group(Part):
    """Parts laid out together."""

    def __init__(self, parts: Iterable[Part | None], gap: float = GAP) -> None:
        super().__init__()
        self.gap = theme().px(gap)
        self.parts = [part for part in parts if part is not None]
        for part in self.parts:
            self.add_widget(part)


class Column(Group):
    """Parts below each other; extra room goes to parts that `spread`, otherwise it stays at the bottom."""

    def fit(self, width: float) -> float:
        heights = [part.fit(width) for part in self.parts]
        return sum(heights) + self.gap * max(0, len(heights) - 1)

    def natural(self) -> float:
        return max((part.natural() for part in self.parts), default=0.0)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        top = y + height
        spare = [part.spare(width) for part in self.parts]
        left = max(0.0, height - self.fit(width)) if any(spare) else 0.0
        eager = sum(most > 0 for most in spare)
        for part, most in zip(self.parts, spare, strict=True):
            more = min(most, left / eager) if most else 0.0
            left, eager = left - more, eager - (most > 0)
            high = part.fit(width) + more
            part.place(x, top - high, width, high)
            top -= high + self.gap


class Row(Group):
    """Parts side by side, vertically centred; the row is at least `tall` high. Next to parts that grow, the
    others take at most the share `most`."""

    def __init__(
        self, parts: Iterable[Part | None], gap: float = GAP, tall: float = 0, most: float = 0.6
    ) -> None:
        super().__init__(parts, gap)
        self.tall, self.share = theme().px(tall), most

    def fit(self, width: float) -> float:
        widths = self._widths(width)
        return max([self.tall, *(part.fit(w) for part, w in zip(self.parts, widths, strict=True))])

    def natural(self) -> float:
        return sum(part.natural() for part in self.parts) + self.gap * max(0, len(self.parts) - 1)

    def _widths(self, width: float) -> list[float]:
        room = width - self.gap * max(0, len(self.parts) - 1)
        wished = [0.0 if part.grow else part.natural() for part in self.parts]
        growing = sum(part.grow for part in self.parts)
        most = max(0.0, room * (self.share if growing else 1.0))
        if sum(wished) > most:
            wished = [w * most / sum(wished) for w in wished]
        left = room - sum(wished)
        return [left * p.grow / growing if p.grow else w for p, w in zip(self.parts, wished, strict=True)]

    def roomy(self, width: float) -> bool:
        """Whether every part has its natural width at this width."""
        return all(p.natural() <= w + 1 for p, w in zip(self.parts, self._widths(width), strict=True))

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        for part, wide in zip(self.parts, self._widths(width), strict=True):
            high = height if isinstance(part, Plate) else part.fit(wide)
            part.place(x, y + (height - high) / 2, wide, high)
            x += wide + self.gap


class Flow(Group):
    """Parts in lines, like words: as many side by side as fit."""

    raised = 0.5
    """Where lower parts lie in their line: 0 at its bottom, 1 at its top."""

    def __init__(self, parts: Iterable[Part | None], gap: float = GAP, lines: float | None = None) -> None:
        super().__init__(parts, gap)
        self.between = self.gap if lines is None else theme().px(lines)

    def _lines(self, width: float) -> list[tuple[list[tuple[Part, float]], float]]:
        lines: list[tuple[list[tuple[Part, float]], float]] = []
        used = width + 1
        for part in self.parts:
            wide = min(width, part.natural())
            if used + wide > width:
                lines.append(([], 0.0))
                used = 0.0
            parts, high = lines[-1]
            parts.append((part, wide))
            lines[-1] = (parts, max(high, part.fit(wide)))
            used += wide + self.gap
        return lines

    def fit(self, width: float) -> float:
        lines = self._lines(width)
        return sum(high for _, high in lines) + self.between * max(0, len(lines) - 1)

    def natural(self) -> float:
        return sum(part.natural() for part in self.parts) + self.gap * max(0, len(self.parts) - 1)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        top = y + height
        for parts, high in self._lines(width):
            left = x
            for part, wide in parts:
                own = high if isinstance(part, Plate) else part.fit(wide)
                part.place(left, top - high + (high - own) * self.raised, wide, own)
                left += wide + self.gap
            top -= high + self.between


class Tiles(Group):
    """Parts in equal columns of at least this width, all parts of a line equally high."""

    def __init__(
        self, parts: Iterable[Part | None], least: float, gap: float = GAP, columns: int = 99
    ) -> None:
        super().__init__(parts, gap)
        self.least, self.columns = theme().px(least) * theme().text, columns

    def _columns(self, width: float) -> int:
        fitting = int((width + self.gap) / (self.least + self.gap))
        return max(1, min(fitting, self.columns, len(self.parts)))

    def _lines(self, width: float) -> tuple[float, list[tuple[Sequence[Part], float]]]:
        columns = self._columns(width)
        wide = (width - self.gap * (columns - 1)) / columns
        lines = [self.parts[at : at + columns] for at in range(0, len(self.parts), columns)]
        return wide, [(line, max(part.fit(wide) for part in line)) for line in lines]

    def fit(self, width: float) -> float:
        _, lines = self._lines(width)
        return sum(high for _, high in lines) + self.gap * max(0, len(lines) - 1)

    def natural(self) -> float:
        return max((part.natural() for part in self.parts), default=0.0)

    def spare(self, width: float) -> float:
        return self.most * len(self._lines(width)[1]) if self.most else 0.0

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        wide, lines = self._lines(width)
        more = min(self.most, max(0.0, height - self.fit(width)) / max(1, len(lines)))
        top = y + height
        for line, least in lines:
            high = least + more
            for n, part in enumerate(line):
                part.place(x + n * (wide + self.gap), top - high, wide, high)
            top -= high + self.gap


class Split(Group):
    """Parts side by side by shares, all with the full height."""

    def __init__(self, parts: Iterable[Part | None], shares: Sequence[float], gap: float = PAD) -> None:
        super().__init__(parts, gap)
        self.shares = shares

    def _widths(self, width: float) -> list[float]:
        room = width - self.gap * (len(self.parts) - 1)
        return [room * share / sum(self.shares) for share in self.shares]

    def fit(self, width: float) -> float:
        return max(p.fit(w) for p, w in zip(self.parts, self._widths(width), strict=True))

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        for part, wide in zip(self.parts, self._widths(width), strict=True):
            part.place(x, y, wide, height)
            x += wide + self.gap


class Rail(Group):
    """A narrow part of natural width at the left, and the rest for the other; both with the full height."""

    def __init__(self, rail: Part, body: Part, gap: float = PAD) -> None:
        super().__init__([rail, body], gap)
        self.rail, self.body = rail, body

    def fit(self, width: float) -> float:
        return max(self.rail.fit(self.rail.natural()), self.body.fit(width - self.rail.natural() - self.gap))

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        wide = self.rail.natural()
        self.rail.place(x, y, wide, height)
        self.body.place(x + wide + self.gap, y, width - wide - self.gap, height)


class Page(Part):
    """A part at the top, one at the bottom, and the rest for the body."""

    def __init__(self, top: Part | None, body: Part, bottom: Part | None = None, gap: float = GAP) -> None:
        super().__init__()
        self.top_part, self.body, self.bottom = top, body, bottom
        self.gap = theme().px(gap)
        for part in (top, body, bottom):
            if part is not None:
                self.add_widget(part)

    def fit(self, width: float) -> float:
        parts = [part for part in (self.top_part, self.body, self.bottom) if part is not None]
        return sum(part.fit(width) for part in parts) + self.gap * (len(parts) - 1)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        if self.top_part is not None:
            high = self.top_part.fit(width)
            self.top_part.place(x, y + height - high, width, high)
            height -= high + self.gap
        if self.bottom is not None:
            high = self.bottom.fit(width)
            self.bottom.place(x, y, width, high)
            y, height = y + high + self.gap, height - high - self.gap
        self.body.place(x, y, width, max(0.0, height))


class Glide(DampedScrollEffect):
    """How scrolling slows down and stops."""

    @property
    def target_widget(self) -> None:
        """Kept empty: Kivy's version refers to the scrolled part, which it does not need, and to itself."""

    @target_widget.setter
    def target_widget(self, widget: Part) -> None:
        pass


class Scroll(ScrollView, Observed):
    """A part that may be higher than its room. `key` keeps the scroll position when a screen is rebuilt.

    The bar is in the margin at the right, so that scrolled content lines up with everything else.
    """

    def __init__(self, part: Part, key: str = "") -> None:
        super().__init__(
            do_scroll_x=False,
            bar_width=theme().px(5),
            bar_color=rgba("line"),
            bar_inactive_color=rgba("line"),
            scroll_type=["bars", "content"],
            scroll_timeout=SLOW_START,
            scroll_distance=theme().px(DRAGGED),
            size_hint=(None, None),
            effect_cls=Glide,
        )
        self.part, self.key = part, key
        self.first: Part | None = None
        """The part that must be visible when the screen is shown."""
        part.size_hint = (None, None)
        self.add_widget(part)

    def stand(self, scroll_y: float) -> None:
        """Scroll to this position, or as much further as needed to show `first`; if `first` is too high, show
        its top."""
        spare = self.part.height - self.height
        if self.first is not None and spare > 0:
            upper = self.first.top - self.height
            low = (
                upper if self.first.height > self.height else min(max(scroll_y * spare, upper), self.first.y)
            )
            scroll_y = low / spare
        self.scroll_y = scroll_y

    def fit(self, width: float) -> float:
        return self.part.fit(width)

    def natural(self) -> float:
        return self.part.natural()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width + theme().px(MARGIN), height)
        self.part.place(0, 0, width, max(height, self.part.fit(width)))
        self.viewport_size = self.part.size  # parts send no change notifications
        self._trigger_update_from_scroll()

    def __del__(self) -> None:
        wipe(self.canvas_viewport)
        super().__del__()

    @property
    def higher(self) -> bool:
        """Whether the content is higher than the view."""
        return bool(self.part.height > self.height + 1)

    def on_scroll_stop(self, touch: Any, check_children: bool = True) -> Any:
        """Report a tap in the next frame; Kivy would wait a fifth of a second."""
        tapped = touch.ud.get(self._get_uid(), {}).get("mode") == "unknown"
        stopped = super().on_scroll_stop(touch, check_children)
        if tapped:
            Clock.schedule_once(lambda _: self._do_touch_up(touch), 0)
        return stopped
