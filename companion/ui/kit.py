"""The parts screens are made of. A part says how high it is at a width (`fit`) and is then put somewhere (`place`).

Two plain passes instead of Kivy's layouts: a screen is right in its very first frame, at any size and in any
language, and whether words fit can be computed rather than hoped for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.text import Label as Measure
from kivy.core.window import Window
from kivy.graphics import Color, Line, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget
from kivy.utils import get_color_from_hex

from companion.ui.icons import ICONS
from companion.ui.look import TARGET, Look

GAP = 10
PAD = 14

SLOW_START = 250
"""Milliseconds a finger may rest before it draws something along; Kivy takes it for a press after a fifth of that."""

DRAGGED = 20
"""How far a finger must go to scroll; less is a tap of a finger that is not quite still."""


def look() -> Look:
    """How things look now."""
    return App.get_running_app().look


def rgba(tone: str) -> tuple[float, ...]:
    """A colour as Kivy wants it."""
    return _rgba(look().colour(tone))


@lru_cache(maxsize=200)
def _rgba(colour: str) -> tuple[float, ...]:
    return tuple(get_color_from_hex(colour))


class Part(Widget):
    """Something on a screen. `grow` is its share of the room a `Row` has left; 0 takes what it naturally needs."""

    grow = 0.0
    kivy_rules = False
    """Whether this needs what Kivy's own style file says about its class; looking that up takes time."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**({} if self.kivy_rules else {"__no_builder": True}), **how)

    def fit(self, width: float) -> float:
        """The height this needs at this width."""
        raise NotImplementedError

    def natural(self) -> float:
        """The width this likes best."""
        return 0.0

    def place(self, x: float, y: float, width: float, height: float) -> None:
        """Be there; y is the lower edge."""
        self.pos, self.size = (x, y), (width, height)

    def inc_disabled(self, count: int = 1) -> None:
        if count:  # Kivy walks through everything below a part that is added, even to switch nothing off
            super().inc_disabled(count)

    def fill(self, share: float = 1.0) -> Part:
        """The same part, taking a share of the room left in a row."""
        self.grow = share
        return self


FOREIGN = re.compile("[\u0530-\u1dff\u2e80-\uffff\U00010000-\U0010ffff]")
"""Letters our font does not have; names may be written in any."""

LEFTWARDS = re.compile("[\u0590-\u08ff](?:[\u0590-\u08ff\\s]*[\u0590-\u08ff])?")


def readable(words: str, font: str) -> tuple[str, str]:
    """Words and the font that has their letters; what is written to the left stands as it is read."""
    if font != "Words" or words.isascii() or not FOREIGN.search(words):
        return words, font
    return LEFTWARDS.sub(lambda run: run[0][::-1], words), "Others"


@lru_cache(maxsize=4000)
def extent(words: str, font: str, size: float, bold: bool) -> float:
    """How wide words are in one line."""
    words, font = readable(words, font)
    return Measure(font_name=font, font_size=size, bold=bold).get_extents(words)[0]


@lru_cache(maxsize=600)
def lettered(
    words: str, font: str, size: float, bold: bool, align: str, width: float | None
) -> Texture | None:
    """Words as a picture, white on nothing: screens are built again and again out of the same words."""
    words, font = readable(words, font)
    label = Measure(
        text=words,
        font_name=font,
        font_size=size,
        bold=bold,
        halign=align,
        text_size=(width, None),
        line_height=1.08,
    )
    label.refresh()
    return label.texture


class Lettering(Part):
    """Letters in a colour. Much quicker to make than Kivy's label, of which a screen would need a hundred."""

    font = "Words"

    def __init__(self, text: str, size: float, colour: Sequence[float], bold: bool, align: str) -> None:
        super().__init__()
        self._text, self._size, self.bold, self.halign = text, size, bold, align
        self._wide: float | None = None
        with self.canvas:
            self._colour = Color(*colour)
            self._shape = Rectangle(size=(0, 0))
        self.texture_update()

    @property
    def text(self) -> str:
        """What is written; writing something else shows at once."""
        return self._text

    @text.setter
    def text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.texture_update()
            self._draw()

    @property
    def font_size(self) -> float:
        """How large the letters are."""
        return self._size

    @font_size.setter
    def font_size(self, size: float) -> None:
        self._size = size
        self.texture_update()

    @property
    def color(self) -> list[float]:
        """The letters' colour."""
        return self._colour.rgba

    @color.setter
    def color(self, colour: list[float]) -> None:
        self._colour.rgba = colour

    def texture_update(self) -> None:
        """Letter it again, after what it looks like was changed."""
        as_it_is = (self._text, self.font, self._size, self.bold, self.halign, self._wide)
        self.texture = lettered(*as_it_is) if self._text else None
        self.texture_size = tuple(self.texture.size) if self.texture is not None else (0, 0)

    def fit(self, width: float) -> float:
        return self.texture_size[1]

    def natural(self) -> float:
        return self.texture_size[0]

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._draw()

    def _draw(self) -> None:
        self._shape.texture = self.texture
        wide, high = self.texture_size
        self._shape.size = (wide, high)
        self._shape.pos = (int(self.center_x - wide / 2), int(self.center_y - high / 2))


class Words(Lettering):
    """A sentence; it wraps at its width and is never cut."""

    def __init__(
        self, text: str, size: str = "body", tone: str = "text", *, bold: bool = False, align: str = "left"
    ) -> None:
        self.role = size
        super().__init__(text, look().font(size), rgba(tone), bold, align)

    def texture_update(self) -> None:
        if self._wide is None:  # nobody has said yet where it will stand
            self.texture, self.texture_size = None, (0, 0)
        else:
            super().texture_update()

    def fit(self, width: float) -> float:
        if self._wide != width:
            self._wide = width
            self.texture_update()
        return self.texture_size[1]

    def natural(self) -> float:
        return max(self._extent(line) for line in self.text.split("\n")) + 2

    def widest_word(self) -> float:
        """The width below which a word would be broken."""
        return max((self._extent(word) for word in self.text.split()), default=0.0)

    def _extent(self, words: str) -> float:
        return extent(words, self.font, self.font_size, self.bold)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self.fit(width)
        super().place(x, y, width, height)


class Icon(Lettering):
    """One of our icons, as high as words of this size."""

    font = "Icons"

    def __init__(self, name: str, size: str = "prompt", tone: str = "text") -> None:
        super().__init__(ICONS[name], look().font(size), rgba(tone), False, "left")


class Gap(Part):
    """Nothing, of a size."""

    def __init__(self, size: float = GAP) -> None:
        super().__init__()
        self._size = look().px(size)

    def fit(self, width: float) -> float:
        return self._size

    def natural(self) -> float:
        return self._size


class Group(Part):
    """Parts that are laid out together."""

    def __init__(self, parts: Iterable[Part | None], gap: float = GAP) -> None:
        super().__init__()
        self.gap = look().px(gap)
        self.parts = [part for part in parts if part is not None]
        for part in self.parts:
            self.add_widget(part)


class Column(Group):
    """Parts below each other; what is left stays below them."""

    def fit(self, width: float) -> float:
        heights = [part.fit(width) for part in self.parts]
        return sum(heights) + self.gap * max(0, len(heights) - 1)

    def natural(self) -> float:
        return max((part.natural() for part in self.parts), default=0.0)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        top = y + height
        for part in self.parts:
            high = part.fit(width)
            part.place(x, top - high, width, high)
            top -= high + self.gap


class Row(Group):
    """Parts beside each other, each in the middle of the row's height."""

    def fit(self, width: float) -> float:
        widths = self._widths(width)
        return max((part.fit(w) for part, w in zip(self.parts, widths, strict=True)), default=0.0)

    def natural(self) -> float:
        return sum(part.natural() for part in self.parts) + self.gap * max(0, len(self.parts) - 1)

    def _widths(self, width: float) -> list[float]:
        room = width - self.gap * max(0, len(self.parts) - 1)
        wished = [0.0 if part.grow else part.natural() for part in self.parts]
        growing = sum(part.grow for part in self.parts)
        most = max(0.0, room * (0.6 if growing else 1.0))
        if sum(wished) > most:
            wished = [w * most / sum(wished) for w in wished]
        left = room - sum(wished)
        return [left * p.grow / growing if p.grow else w for p, w in zip(self.parts, wished, strict=True)]

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        for part, wide in zip(self.parts, self._widths(width), strict=True):
            high = height if isinstance(part, Tap | Panel) else part.fit(wide)
            part.place(x, y + (height - high) / 2, wide, high)
            x += wide + self.gap


class Flow(Group):
    """Parts in lines, like words: as many beside each other as fit."""

    def __init__(self, parts: Iterable[Part | None], gap: float = GAP, lines: float | None = None) -> None:
        super().__init__(parts, gap)
        self.between = self.gap if lines is None else look().px(lines)

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
                own = high if isinstance(part, Tap | Panel) else part.fit(wide)
                part.place(left, top - (high + own) / 2, wide, own)
                left += wide + self.gap
            top -= high + self.between


class Tiles(Group):
    """Parts in equal columns at least so wide, all of a line equally high."""

    def __init__(self, parts: Iterable[Part | None], least: float, gap: float = GAP, most: int = 99) -> None:
        super().__init__(parts, gap)
        self.least, self.most = look().px(least) * look().text, most

    def _columns(self, width: float) -> int:
        fitting = int((width + self.gap) / (self.least + self.gap))
        return max(1, min(fitting, self.most, len(self.parts)))

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

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        wide, lines = self._lines(width)
        top = y + height
        for line, high in lines:
            for n, part in enumerate(line):
                part.place(x + n * (wide + self.gap), top - high, wide, high)
            top -= high + self.gap


class Split(Group):
    """Parts side by side by shares, each as high as the whole."""

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
    """A narrow part at the left, as wide as it likes, and the rest for the other; both as high as the whole."""

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
    """Something at the top, something at the bottom, and the rest for what is between them."""

    def __init__(self, top: Part | None, body: Part, bottom: Part | None = None, gap: float = GAP) -> None:
        super().__init__()
        self.top_part, self.body, self.bottom = top, body, bottom
        self.gap = look().px(gap)
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


class Scroll(ScrollView, Part):
    """A part that may be higher than its room. `key` remembers how far somebody scrolled while a screen changes."""

    kivy_rules = True

    def __init__(self, part: Part, key: str = "") -> None:
        super().__init__(
            do_scroll_x=False,
            bar_width=look().px(5),
            bar_color=rgba("dim"),
            bar_inactive_color=rgba("line"),
            scroll_type=["bars", "content"],
            scroll_timeout=SLOW_START,
            scroll_distance=look().px(DRAGGED),
            size_hint=(None, None),
        )
        self.part, self.key = part, key
        part.size_hint = (None, None)
        self.add_widget(part)

    def fit(self, width: float) -> float:
        return self.part.fit(width - look().px(10))

    def natural(self) -> float:
        return self.part.natural()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        inner = width - look().px(10)
        self.part.place(0, 0, inner, max(height, self.part.fit(inner)))

    @property
    def higher(self) -> bool:
        """Whether there is more than can be seen at once."""
        return bool(self.part.height > self.height + 1)

    def on_scroll_stop(self, touch: Any, check_children: bool = True) -> Any:
        """A tap counts in the next frame; Kivy would wait for a fifth of a second."""
        tapped = touch.ud.get(self._get_uid(), {}).get("mode") == "unknown"
        stopped = super().on_scroll_stop(touch, check_children)
        if tapped:
            Clock.schedule_once(lambda _: self._do_touch_up(touch), 0)
        return stopped


class Panel(Part):
    """A part on a ground of its own."""

    def __init__(
        self, part: Part, ground: str = "surface", edge: str = "", pad: float = PAD, radius: float = 14
    ) -> None:
        super().__init__()
        self.part = part
        self.pad = look().px(pad)
        self.radius = look().px(radius)
        with self.canvas.before:
            self._colour = Color(*rgba(ground))
            self._shape = RoundedRectangle(radius=[self.radius])
            if edge:
                Color(*rgba(edge))
                self._line: Line | None = Line(width=max(1.2, look().px(1.6)))
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
            self._line.rounded_rectangle = (x, y, width, height, self.radius)
        inner = width - 2 * self.pad
        self.part.place(x + self.pad, y + self.pad, inner, height - 2 * self.pad)


TAPS = {
    "main": ("accent", "on_accent"),
    "plain": ("raised", "text"),
    "quiet": ("surface", "text"),
    "bad": ("raised", "bad"),
}
"""The ground and the words of each kind of thing to tap."""


class Tap(ButtonBehavior, Panel):
    """Something to touch, never smaller than a finger. `name` is how tests and the keyboard find it.

    `about` is what a touch decides; whoever touches the same place twice decides only once.
    """

    def __init__(
        self,
        text: str = "",
        on_tap: Callable[[], Any] | None = None,
        *,
        icon: str = "",
        kind: str = "plain",
        detail: str = "",
        lead: Part | None = None,
        part: Part | None = None,
        name: str = "",
        chosen: bool = False,
        size: str = "body",
        align: str = "",
        tall: float = TARGET,
        about: object = None,
    ) -> None:
        self.about = about
        ground, tone = TAPS["main" if chosen else kind]
        self.tall = look().px(max(tall, TARGET))
        self.name, self.on_tap, self.ground = name or text, on_tap, ground
        words: list[Part | None] = [
            Words(
                text,
                size,
                tone,
                bold=kind == "main" or chosen,
                align=align or ("left" if icon or lead else "center"),
            )
            if text
            else None,
            Words(detail, "note", tone if kind == "main" or chosen else "dim", align=align or "left")
            if detail
            else None,
        ]
        inner = Column([w for w in words if w], gap=2)
        parts = [Icon(icon, "prompt" if size == "body" else size, tone) if icon else lead]
        parts += [inner.fill() if text or detail else None, part]
        super().__init__(part=Row(parts), ground=ground, pad=10, radius=12)

    def fit(self, width: float) -> float:
        return max(self.tall, super().fit(width))

    def natural(self) -> float:
        row = self.part
        assert isinstance(row, Row)
        wide = sum(part.natural() for part in row.parts) + row.gap * max(0, len(row.parts) - 1)
        return max(look().px(TARGET), wide + 2 * self.pad + 1)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        row = self.part
        assert isinstance(row, Row)
        if len(row.parts) == 1 and isinstance(row.parts[0], Icon):  # an icon alone stands in the middle
            icon = row.parts[0]
            icon.place(x, y, width, height)
            return
        high = row.fit(width - 2 * self.pad)
        row.place(x + self.pad, y + (height - high) / 2, width - 2 * self.pad, high)

    def on_touch_down(self, touch: Any) -> Any:
        if self.collide_point(*touch.pos) and App.get_running_app().touches.again(
            touch, self.name, self.about
        ):
            return True
        return super().on_touch_down(touch)

    def on_press(self) -> None:
        self._colour.rgba = rgba("line")

    def on_release(self) -> None:
        self._colour.rgba = rgba(self.ground)
        if self.on_tap is not None and not self._dragged():
            self.on_tap()

    def _dragged(self) -> bool:
        """Whether somebody only wanted to scroll: whoever rests a finger first and then draws it along chooses
        nothing."""
        touch, above = self.last_touch, self.parent
        while above is not None and above is not Window:
            if isinstance(above, Scroll) and above.higher:
                return bool(abs(touch.sy - touch.osy) * Window.height > look().px(DRAGGED))
            above = above.parent
        return False

    def on_touch_up(self, touch: Any) -> Any:
        answer = super().on_touch_up(touch)
        self._colour.rgba = rgba(self.ground)
        return answer
