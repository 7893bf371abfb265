"""The simulated panel on the screen: button, lamp and number display per seat, behaving like real ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Ellipse, Line, RoundedRectangle
from kivy.utils import get_color_from_hex

from companion.ui.toolkit.kit import (
    Column,
    Flow,
    Icon,
    Lettering,
    Part,
    Plate,
    Row,
    Words,
    extent,
    rgba,
    theme,
)
from devices.panel import Who
from devices.simulator import Simulator

KEY = "key"
"""Key in `touch.ud` that marks a touch of the simulated panel and holds the pressed button."""

SIZE = 50
ICONS = {"undo": "undo", "next": "check", "shutdown": "power", -1: "chevron-left", 1: "chevron-right"}
UNLIT, INK, PALE = "#26303F", "#10151F", "#C6D0E0"
"""The colour of a lamp that is off, and of text on lamps: dark on bright ones, pale on others."""
GLASS, DIGITS, DIGIT = "#140A06", "#FFB13B", 22
"""The number display: dark glass, glowing digits, and their height."""


class Round(Part):
    """A round button with a sign on it."""

    def __init__(self, sign: Part) -> None:
        super().__init__()
        self.sign, self._size = sign, theme().px(SIZE)
        with self.canvas:
            Color(*get_color_from_hex("#0A0E14"))
            self._socket = Ellipse()
            self._light = Color(*get_color_from_hex(UNLIT))
            self._lamp = Ellipse()
            self._rim_colour = Color(*rgba("line"))
            self._rim = Line(width=theme().px(1.5))
        self.add_widget(sign)

    def fit(self, width: float) -> float:
        return self._size

    def natural(self) -> float:
        return self._size

    def place(self, x: float, y: float, width: float, height: float) -> None:
        size = min(width, height)
        x, y = x + (width - size) / 2, y + (height - size) / 2
        super().place(x, y, size, size)
        inset = theme().px(4)
        self._socket.pos, self._socket.size = (x, y), (size, size)
        self._lamp.pos, self._lamp.size = (x + inset, y + inset), (size - 2 * inset, size - 2 * inset)
        self._rim.circle = (self.center_x, self.center_y, size / 2 - 1)
        self.sign.place(x, y, size, size)

    def pushed(self, down: bool) -> None:
        """Show the button pressed or released."""
        self._rim_colour.rgba = rgba("accent" if down else "line")

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        touch.ud[KEY] = self  # the screen may be rebuilt before the finger lifts; this still gets the release
        self.pushed(True)
        self.down()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self.pushed(False)
        self.up()
        return True

    def down(self) -> None:
        """Called when a finger presses it."""

    def up(self) -> None:
        """Called when the finger lifts."""


class PanelKey(Round):
    """A seat's button with its lamp; it is down while a finger is on it."""

    def __init__(self, who: Who, sign: Part, move: Callable[[Who, bool], None]) -> None:
        super().__init__(sign)
        self.who, self._move = who, move
        self.name = f"button-{who}"
        self.light = (0.0, 0.0, 0.0)

    def shine(self, light: tuple[float, float, float]) -> None:
        """Show this light."""
        if light == self.light:
            return
        self.light = light
        unlit = get_color_from_hex(UNLIT)[:3]
        self._light.rgb = tuple(max(dark, part) for dark, part in zip(unlit, light, strict=True))
        self.sign.color = get_color_from_hex(INK if sum(light) > 1.0 else PALE)

    def down(self) -> None:
        self._move(self.who, True)

    def up(self) -> None:
        self._move(self.who, False)


class KnobKey(Round):
    """Turns the knob by one click."""

    def __init__(self, by: int, turn: Callable[[int], None]) -> None:
        super().__init__(Icon(ICONS[by], "body", PALE))
        self.by, self._turn = by, turn
        self.name = f"turn-{by}"

    def down(self) -> None:
        self._turn(self.by)


class Digits(Part):
    """Four digits behind dark glass."""

    def __init__(self) -> None:
        super().__init__()
        size = theme().px(DIGIT)
        self._wide, self._high = extent("8888", "Words", size, True), theme().px(DIGIT + 8)
        self.words = Lettering("    ", size, get_color_from_hex(DIGITS), True, "right")
        with self.canvas:
            Color(*get_color_from_hex(GLASS))
            self._glass = RoundedRectangle(radius=[theme().px(5)])
        self.add_widget(self.words)

    def fit(self, width: float) -> float:
        return self._high

    def natural(self) -> float:
        return self._wide + theme().px(14)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._glass.pos, self._glass.size = self.pos, self.size
        self.words.place(x, y, width, height)

    def show(self, text: str) -> None:
        """Show these digits."""
        self.words.text = text


class SimulatedPanel(Part):
    """All buttons in a row, the table's own after the seats'; with names if there is room."""

    def __init__(
        self,
        simulator: Simulator,
        names: tuple[str, ...],
        letters: tuple[str, ...],
        move: Callable[[Who, bool], None],
        turn: Callable[[int], None],
    ) -> None:
        super().__init__()
        self._simulator, self._names, self._letters = simulator, names, letters
        self._has_counters = simulator.counters()
        self._turn, self._move = turn, move
        self.keys: dict[Who, PanelKey] = {}
        self.counters: dict[int, Digits] = {}
        self._ground: Plate | None = None
        self._wide = 0.0

    def _build(self, named: bool) -> Plate:
        self.keys, self.counters = {}, {}
        seats = range(min(self._simulator.seats, len(self._names) or self._simulator.seats))
        blocks: list[Part] = [self._seat(seat, named) for seat in seats]
        whole: list[Part] = [self._key(who) for who in ("undo",) if self._simulator.has(who)]
        if self._simulator.table.whole.knob is not None:
            whole += [KnobKey(-1, self._turn), self._key("next"), KnobKey(1, self._turn)]
        elif self._simulator.has("next"):
            whole.append(self._key("next"))
        whole += [self._key(who) for who in ("shutdown",) if self._simulator.has(who)]
        return Plate(Flow([*blocks, Row(whole, gap=4)], gap=14), pad=8)

    def _seat(self, seat: int, named: bool) -> Part:
        letter = self._letters[seat] if seat < len(self._letters) else str(seat + 1)
        key = self._key(seat, Lettering(letter, theme().px(24), get_color_from_hex(PALE), True, "center"))
        lines: list[Part] = []
        if named and seat < len(self._names):
            lines.append(Words(self._names[seat], "note", "dim"))
        if seat in self._has_counters:
            self.counters[seat] = Digits()
            lines.append(Row([self.counters[seat]]) if named else self.counters[seat])
        if named:
            return Row([key, Column(lines, gap=4)], gap=8)
        return Column([key, *lines], gap=4)

    def _key(self, who: Who, sign: Part | None = None) -> PanelKey:
        self.keys[who] = PanelKey(who, sign or Icon(ICONS[who], "body", PALE), self._move)
        return self.keys[who]

    def fit(self, width: float) -> float:
        return self._fitting(width).fit(width)

    def _fitting(self, width: float) -> Plate:
        """The background with all buttons, with names if they fit."""
        if self._ground is not None and width == self._wide:
            return self._ground
        self._wide = width
        for named in (True, False):
            self.clear_widgets()
            self._ground = ground = self._build(named)
            if ground.natural() <= width:
                break
        self.add_widget(ground)
        return ground

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        ground = self._fitting(width)
        ground.fit(width)
        ground.place(x, y, width, height)

    def show(self) -> None:
        """Show the current state of the panel."""
        for seat, light in self._simulator.lamps().items():
            if seat in self.keys:
                self.keys[seat].shine(light)
        for seat, text in self._simulator.counters().items():
            if seat in self.counters:
                self.counters[seat].show(text)
