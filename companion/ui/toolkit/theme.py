"""Colours and sizes. Values only, no Kivy.

Sizes are given for a screen 480 pixels high (or wide, if upright). On larger screens they grow more slowly
than the screen, so larger screens show more. Text also grows with the chosen text size.
"""

from __future__ import annotations

from msgspec import Struct

from companion.drawing.colours import INK as INK
from companion.drawing.colours import contrast as contrast
from companion.table.settings import Settings
from companion.texts import usual_language

SHORT_SIDE = 480
SMALLEST, LARGEST = 0.75, 2.5
GENTLY = 0.75
"""How fast sizes grow on larger screens; the rest of the room is for showing more."""
WIDE = 650
"""From this width on (in text units) there is room for two columns."""

TARGET = 48
"""The smallest size of a touch target: 9 mm on a seven-inch screen of 800 by 480."""

FONTS = {
    "detail": 18,
    "tile": 21,
    "note": 24,
    "body": 26,
    "name": 30,
    "prompt": 33,
    "title": 36,
    "points": 40,
    "number": 46,
    "huge": 72,
}

SMALLEST_WORDS = 17
"""The smallest text still legible from a metre away on a seven-inch screen of 800 by 480."""


class Palette(Struct, frozen=True):
    """Colours by purpose; text is readable on every background it may be drawn on.

    `accent` is for text and lines, `main` the background of the action most people want next.
    """

    ground: str
    surface: str
    raised: str
    line: str
    text: str
    dim: str
    accent: str
    main: str
    on_main: str
    good: str
    bad: str


DARK = Palette(
    ground="#0E131C",
    surface="#182130",
    raised="#243146",
    line="#3A4B66",
    text="#F1F4F9",
    dim="#B4C0D4",
    accent="#F3B94D",
    main="#F3B94D",
    on_main="#191204",
    good="#6BD69B",
    bad="#FF9C92",
)
LIGHT = Palette(
    ground="#F5F1EA",
    surface="#FFFDF9",
    raised="#ECE5D9",
    line="#D3C8B6",
    text="#20262F",
    dim="#4A5361",
    accent="#8F5000",
    main="#F2B84B",
    on_main="#1E1503",
    good="#1A6B41",
    bad="#A8281F",
)


class Theme(Struct, frozen=True):
    """Everything a screen needs to draw itself."""

    palette: Palette = DARK
    unit: float = 1.0
    text: float = 1.0
    wide: bool = True
    language: str = "en"
    """The language of the screen: names on faces depend on it."""

    def px(self, size: float) -> float:
        """A size in pixels of this screen."""
        return round(size * self.unit)

    def font(self, role: str) -> float:
        """The font size for this role, in pixels."""
        return round(FONTS[role] * self.unit * self.text)

    def colour(self, tone: str) -> str:
        """The colour for a purpose; a colour code is returned unchanged."""
        return tone if tone.startswith("#") else str(getattr(self.palette, tone))


def theme_for(settings: Settings, width: float, height: float) -> Theme:
    """The theme for a screen of this size."""
    scale = min(width, height) / SHORT_SIDE
    unit = max(SMALLEST, min(LARGEST, scale if scale < 1 else 1 + (scale - 1) * GENTLY))
    palette = DARK if settings.theme == "dark" else LIGHT
    text = settings.text_size / 100
    language = settings.language or usual_language()
    return Theme(palette, unit, text, width / (unit * text) >= WIDE, language)


_now: list[Theme] = []
"""The current theme: the window sets it whenever it builds a page."""


def theme() -> Theme:
    """The current theme."""
    return _now[-1]


def use_theme(new: Theme) -> None:
    """Set the current theme."""
    _now[:] = [new]
