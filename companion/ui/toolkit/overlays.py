"""What is shown in front of a screen: messages, and questions of the app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

from companion.core.scans import Offer
from companion.ui.toolkit.context import TOUCH_CONTEXT
from companion.ui.toolkit.geometry import Rect, visible, walk
from companion.ui.toolkit.kit import PAD, Column, Icon, Page, Part, Plate, Row, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context
    from companion.ui.toolkit.screen import AppQuestion

TONES = {"accepted": ("check-circle", "good"), "known": ("check", "dim"), "refused": ("alert-circle", "bad")}

WIDEST = 700
"""The greatest width of a message; longer ones take several lines."""

NOTICE_HIGH = 54
"""The height of the table's message area."""

USUAL = 84
"""The usual distance of a message from the lower edge, if it covers nothing there."""

SHEET = 8
"""The margin round a sheet, and inside it."""

CHOICES = 0.4
"""If the choices need no more than this share of a question's height, they stay visible; otherwise they
scroll with its text."""


class Overlay(Part):
    """Something in front of the screen that keeps touches to itself."""

    def __init__(self, part: Part, outside: Callable[[], None]) -> None:
        super().__init__()
        self.part, self._outside = part, outside
        self.add_widget(part)

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if not super().on_touch_down(touch) and not touch.ud[TOUCH_CONTEXT].touches.again(
            touch, "sheet", self
        ):
            self._outside()
        return True


def toast(words: str, how: str, app: Context, page: Widget) -> Overlay:
    """A message in front of this page."""
    icon, tone = TONES.get(how, ("information", "accent"))
    panel = Plate(Row([Icon(icon, "prompt", tone), Words(words, "body").fill()]), "raised", edge=tone)
    theme = app.theme
    wide = min(Window.width - theme.px(40), theme.px(WIDEST), panel.natural() + theme.px(4))
    high = panel.fit(wide)
    panel.place(*_out_of_the_way(page, wide, high, theme.px(PAD), theme.px(USUAL)), wide, high)
    sheet = Overlay(panel, app.dismiss)
    sheet.pos, sheet.size = panel.pos, panel.size
    return sheet


def notice(words: str, how: str, app: Context, page: Widget) -> Overlay:
    """A message that belongs to no seat, in the table's message area: at the upper edge, beside the buttons."""
    icon, tone = TONES.get(how, ("information", "accent"))
    said = Snug(words, 22 / max(1.0, app.theme.text), SMALLEST_WORDS, lines=2).fill()
    panel = Plate(Row([Icon(icon, "detail", tone), said], gap=8), "raised", edge=tone, pad=4, radius=10)
    theme = app.theme
    left, low = theme.px(4), Window.height - theme.px(NOTICE_HIGH)
    seen = [visible(part) for part in walk(page) if isinstance(part, Tap)]  # not what is scrolled away
    beside = [at[0] for at in seen if at is not None and at[3] > low]
    wide = min([Window.width - left, *beside]) - 2 * left
    high = max(theme.px(NOTICE_HIGH), panel.fit(wide))
    panel.place(left, Window.height - left - high, wide, high)
    sheet = Overlay(panel, app.dismiss)
    sheet.pos, sheet.size = panel.pos, panel.size
    return sheet


def offer_card(asked: AppQuestion, app: Context, page: Widget) -> Overlay:
    """A possible answer the camera saw: a tap confirms it, anything else ignores it."""

    def chosen(deed: Callable[[], Any]) -> None:
        app.front.put_forward(Offer())
        deed()

    taps: list[Part] = [
        Tap(
            words,
            partial(chosen, deed),
            kind="main" if n == 0 else "quiet",
            icon="check",
            name=f"offer-{n}",
            about=(asked.detail, words),
            repeats=True,
        )
        for n, (words, deed) in enumerate(asked.choices)
    ]
    away = Tap(icon="close", kind="quiet", on_tap=lambda: app.front.put_forward(Offer()), name="offer-no")
    head = Row([Icon("camera", "prompt", "accent"), Words(asked.text, "body").fill(), away])
    detail = Words(asked.detail, "body", bold=True) if asked.detail else None
    theme = app.theme
    wide, most = min(Window.width - theme.px(40), theme.px(WIDEST)), Window.height - 2 * theme.px(PAD)
    below = _above_choices([detail], Tiles(taps, 240), wide - 2 * theme.px(PAD), most)
    panel = Plate(Page(head, below), "raised", edge="accent")
    high = min(panel.fit(wide), most)
    panel.place(*_out_of_the_way(page, wide, high, theme.px(PAD), theme.px(USUAL)), wide, high)
    sheet = Overlay(panel, lambda: None)
    sheet.pos, sheet.size = panel.pos, panel.size
    return sheet


def _out_of_the_way(page: Widget, wide: float, high: float, pad: float, usual: float) -> tuple[float, float]:
    """The position where this covers least of what must stay visible, then least of what can be touched."""
    width, height = Window.size
    places = [
        (x, y)
        for y in (min(usual, height - pad - high), pad, height - pad - high)
        for x in ((width - wide) / 2, width - pad - wide, pad)
    ]
    parts = [(part, seen) for part in walk(page) if (seen := visible(part)) is not None]
    clear = [seen for part, seen in parts if getattr(part, "keep_clear", False)]
    taps = [seen for part, seen in parts if isinstance(part, Tap)]

    def covered(at: tuple[float, float]) -> tuple[float, float]:
        here = (*at, at[0] + wide, at[1] + high)
        return sum(_common(here, seen) for seen in clear), sum(_common(here, seen) for seen in taps)

    return min(places, key=covered)


def _common(one: Rect, other: Rect) -> float:
    """The area of the intersection of two rectangles."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def dialog(asked: AppQuestion, app: Context) -> Overlay:
    """A question of the app; it blocks everything else until it is answered."""

    def chosen(deed: Callable[[], Any]) -> None:
        app.dismiss()
        deed()

    taps = [
        Tap(
            words,
            partial(chosen, deed),
            kind="main" if n == 0 and not asked.equal else "plain",
            name=f"choice-{n}",
            about=(asked.text, asked.detail, words),
            repeats=True,
        )
        for n, (words, deed) in enumerate(asked.choices)
    ]
    words: list[Part | None] = [
        Words(asked.text, "prompt", bold=True),
        Words(asked.detail, "body", "dim") if asked.detail else None,
    ]
    width, height = Window.size
    wide = min(width - app.theme.px(40), app.theme.px(720))
    most = height - app.theme.px(30)
    pad = 20
    body = _above_choices(words, Tiles(taps, 220), wide - 2 * app.theme.px(pad), most)
    panel = Plate(body, "surface", edge="accent", pad=pad)
    sheet = Overlay(panel, lambda: None)
    with sheet.canvas.before:
        Color(0, 0, 0, 0.6)
        Rectangle(pos=(0, 0), size=(width, height))
    high = min(most, panel.fit(wide))
    panel.place((width - wide) / 2, (height - high) / 2, wide, high)
    sheet.pos, sheet.size = (0, 0), (width, height)
    return sheet


def sheet(part: Part, edge: str, app: Context) -> Overlay:
    """A sheet over the whole page except the simulated buttons; a touch beside its buttons closes it."""
    margin = app.theme.px(SHEET)
    width, low = Window.width, sheet_low(app)
    page = Plate(part, "ground", edge=edge, pad=SHEET)
    page.place(margin, low + margin, width - 2 * margin, Window.height - low - 2 * margin)
    laid = Overlay(page, app.front.close)
    laid.pos, laid.size = (0, low), (width, Window.height - low)
    return laid


def sheet_low(app: Context) -> float:
    """The lower edge of a sheet."""
    return 0.0 if app.panel.strip is None else float(app.panel.strip.top)


def _above_choices(words: Sequence[Part | None], choices: Tiles, wide: float, most: float) -> Part:
    """Text with choices below; the choices stay visible however long the text is, unless there are many."""
    told = [part for part in words if part is not None]
    if not told or choices.fit(wide) > CHOICES * most:
        return Scroll(Column([*told, choices]))
    return Page(None, Scroll(Column(told)), choices)


def moment(title: str, shown: Sequence[tuple[Part, str, Sequence[Part]]], app: Context) -> Overlay:
    """A full-screen view for everybody: each seat with what it has; a tap ends it."""
    width, height = Window.size
    rows: list[Part] = [
        Row([mark, Snug(name.upper(), 40 / app.theme.text, 17, bold=True).fill(), *faces], gap=12)
        for mark, name, faces in shown
    ]
    page = Column([Snug(title, 44 / app.theme.text, 24, "accent", bold=True, align="center"), *rows], gap=10)
    sheet = Overlay(Plate(page, "ground", pad=20, radius=0), app.front.pass_moment)
    sheet.part.place(0, 0, width, height)
    wide = width - app.theme.px(60)
    high = page.fit(wide)
    page.place((width - wide) / 2, (height - high) / 2, wide, high)
    sheet.pos, sheet.size = (0, 0), (width, height)
    return sheet
