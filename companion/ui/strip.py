"""The simulated panel on the screen: a button, a lamp and a counter for each seat, that behave like real ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Ellipse, Line

from companion.ui.kit import Column, Flow, Part, Row, Words, look, rgba
from devices.panel import Who
from devices.simulator import Simulator

HEIGHT = 76


class Key(Part):
    """A button with its lamp; it is down as long as a finger is on it."""

    def __init__(self, who: Who, move: Callable[[Who, bool], None]) -> None:
        super().__init__()
        self.who, self._move = who, move
        self.name = f"button-{who}"
        self._size = look().px(48)
        with self.canvas:
            self._light = Color(0, 0, 0, 1)
            self._lamp = Ellipse()
            Color(*rgba("dim"))
            self._rim = Line(width=look().px(2))

    def fit(self, width: float) -> float:
        return self._size

    def natural(self) -> float:
        return self._size

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        inset = look().px(5)
        self._lamp.pos, self._lamp.size = (x + inset, y + inset), (width - 2 * inset, height - 2 * inset)
        self._rim.circle = (self.center_x, self.center_y, width / 2 - inset)

    def shine(self, light: tuple[float, float, float]) -> None:
        """Look like this light."""
        self._light.rgba = (*light, 1)

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._move(self.who, True)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._move(self.who, False)
        return True


class Strip(Part):
    """All buttons in a line, the table's own ones after the seats'."""

    def __init__(
        self, simulator: Simulator, names: tuple[str, ...], move: Callable[[Who, bool], None]
    ) -> None:
        super().__init__()
        self._simulator = simulator
        self.keys = {
            who: Key(who, move)
            for who in (*range(simulator.seats), "undo", "next", "shutdown")
            if simulator.has(who)
        }
        self.counters: dict[int, Words] = {}
        blocks: list[Part] = []
        for who, key in self.keys.items():
            name = names[who] if isinstance(who, int) and who < len(names) else str(who)
            lines: list[Part] = [Words(name, "note", "dim")]
            if isinstance(who, int):
                self.counters[who] = Words("    ", "note", "accent", bold=True)
                lines.append(self.counters[who])
            blocks.append(Row([key, Column(lines, gap=0)], gap=6))
        self._row = Flow(blocks, gap=18)
        self.add_widget(self._row)

    def fit(self, width: float) -> float:
        return max(look().px(HEIGHT), self._row.fit(width))

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._row.place(x, y, width, height)

    def show(self) -> None:
        """Look like the panel does now."""
        for seat, light in self._simulator.lamps().items():
            if seat in self.keys:
                self.keys[seat].shine(light)
        for seat, text in self._simulator.counters().items():
            if seat in self.counters and self.counters[seat].text != text:
                self.counters[seat].text = text
