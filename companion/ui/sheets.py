"""What stands before a screen: a sentence that goes away by itself, and a question of the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

from companion.ui.kit import Column, Icon, Panel, Part, Row, Scroll, Tap, Tiles, Words
from companion.ui.screen import Asked

if TYPE_CHECKING:
    from companion.app import CompanionApp

TONES = {"accepted": ("check-circle", "good"), "known": ("check", "dim"), "refused": ("alert-circle", "bad")}


class Sheet(Widget):
    """Something that stands before the screen and keeps touches to itself."""

    def __init__(self, part: Part, outside: Callable[[], None]) -> None:
        super().__init__(size_hint=(None, None))
        self.part, self._outside = part, outside
        self.add_widget(part)

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if not super().on_touch_down(touch) and not App.get_running_app().touches.again(touch, "sheet", self):
            self._outside()
        return True


def toast(words: str, how: str, app: CompanionApp, width: float) -> Sheet:
    """A sentence above the lower edge; a touch takes it away."""
    icon, tone = TONES.get(how, ("information", "accent"))
    panel = Panel(Row([Icon(icon, "prompt", tone), Words(words, "body").fill()]), "raised", edge=tone)
    wide = min(width - app.look.px(40), app.look.px(700))
    sheet = Sheet(panel, app.dismiss)
    panel.place((width - wide) / 2, app.look.px(84), wide, panel.fit(wide))
    sheet.pos, sheet.size = panel.pos, panel.size
    return sheet


def dialog(asked: Asked, app: CompanionApp, width: float, height: float) -> Sheet:
    """A question in the middle, with everything else behind a shade."""

    def chosen(deed: Callable[[], Any]) -> None:
        app.dismiss()
        deed()

    taps = [
        Tap(
            words,
            lambda deed=deed: chosen(deed),
            kind="main" if n == 0 and not asked.equal else "plain",
            name=f"choice-{n}",
        )
        for n, (words, deed) in enumerate(asked.choices)
    ]
    words = Column(
        [
            Words(asked.text, "prompt", bold=True),
            Words(asked.detail, "body", "dim") if asked.detail else None,
            Tiles(taps, 220),
        ]
    )
    panel = Panel(Scroll(words), "surface", edge="accent", pad=20)
    sheet = Sheet(panel, lambda: None)
    with sheet.canvas.before:
        Color(0, 0, 0, 0.6)
        Rectangle(pos=(0, 0), size=(width, height))
    wide = min(width - app.look.px(40), app.look.px(720))
    high = min(height - app.look.px(30), panel.fit(wide))
    panel.place((width - wide) / 2, (height - high) / 2, wide, high)
    sheet.pos, sheet.size = (0, 0), (width, height)
    return sheet
