"""How things look: colours and sizes. Values only, no Kivy.

Sizes are told for a screen 480 pixels high (or wide, if it stands upright) and grow with it, though not as fast: larger
screens show more. Words grow with the text size somebody chose, too.
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
"""Larger screens have larger letters, and with the rest of their room more to show."""
WIDE = 650
"""From this width on, as words see it, there is room for two columns."""

TARGET = 48
"""What a finger hits: 9 mm on a seven-inch screen of 800 by 480."""

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
"""What can still be read from a metre away on a seven-inch screen of 800 by 480."""


class Palette(Struct, frozen=True):
    """Colours by what they are for; every word is readable on every ground it may stand on.

    `accent` is for words and lines, `main` the ground of the one thing most people want to do next.
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


class Look(Struct, frozen=True):
    """Everything a screen needs to draw itself."""

    palette: Palette = DARK
    unit: float = 1.0
    text: float = 1.0
    wide: bool = True
    language: str = "en"
    """What people read here: faces have names."""

    def px(self, size: float) -> float:
        """A size on this screen."""
        return round(size * self.unit)

    def font(self, role: str) -> float:
        """The size of words."""
        return round(FONTS[role] * self.unit * self.text)

    def colour(self, tone: str) -> str:
        """A colour by what it is for, or a colour itself."""
        return tone if tone.startswith("#") else str(getattr(self.palette, tone))


def look_for(settings: Settings, width: float, height: float) -> Look:
    """The look on a screen of this size."""
    scale = min(width, height) / SHORT_SIDE
    unit = max(SMALLEST, min(LARGEST, scale if scale < 1 else 1 + (scale - 1) * GENTLY))
    palette = DARK if settings.theme == "dark" else LIGHT
    text = settings.text_size / 100
    language = settings.language or usual_language()
    return Look(palette, unit, text, width / (unit * text) >= WIDE, language)
