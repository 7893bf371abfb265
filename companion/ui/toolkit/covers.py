"""Drawings in their own colours: covers of games and illustrations of the app, rendered once per size."""

from __future__ import annotations

import importlib.resources
import io
import re
from functools import lru_cache
from typing import Any

import resvg_py
from kivy.core.image import Image
from kivy.graphics import Color, RoundedRectangle
from kivy.graphics.texture import Texture

from companion.core.game import FOLDER
from companion.ui.toolkit.kit import Column, Part, Tap, Words, rgba, theme

COVER = (176, 134)
"""The width and height of every cover drawing."""

GROUND, LIGHT = "#243146", "#F1F4F9"
"""Captions below a drawing are light on dark in every theme."""

_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')


def cover_of(game: str) -> str:
    """The drawing on a game's box, as SVG; one of ours if it has none."""
    file = importlib.resources.files(FOLDER).joinpath(game, "symbols", "cover.svg")
    return file.read_text("utf-8") if file.is_file() else drawing("how-play")


def drawing(name: str) -> str:
    """One of the app's own drawings, as SVG."""
    return importlib.resources.files("companion.ui").joinpath("drawings", f"{name}.svg").read_text("utf-8")


@lru_cache(maxsize=60)
def painted(svg: str, wide: int, high: int) -> Texture:
    """A drawing rendered at this size in pixels."""
    size = f'width="{wide}" height="{high}"'
    data = resvg_py.svg_to_bytes(svg_string=_SIZE.sub(size, svg, count=1), skip_system_fonts=True)
    return Image(io.BytesIO(bytes(data)), ext="png").texture


class Cover(Part):
    """A whole drawing, as large as its place allows. `wide` is its preferred width; its height follows from
    the drawing unless `tall` is given."""

    def __init__(self, svg: str, wide: float = COVER[0], tall: float = 0) -> None:
        super().__init__()
        self.svg, self._wide = svg, theme().px(wide)
        self._high = theme().px(tall)

    def fit(self, width: float) -> float:
        return self._high or min(width, self._wide) * COVER[1] / COVER[0]

    def natural(self) -> float:
        return self._wide

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.canvas.clear()
        if min(width, height) < 1:
            return
        wide, high = whole(width, height)
        with self.canvas:
            Color(1, 1, 1, 1)
            RoundedRectangle(
                texture=painted(self.svg, wide, high),
                pos=(round(x + (width - wide) / 2), round(y + (height - high) / 2)),
                size=(wide, high),
                radius=[theme().px(8)],
            )


def whole(width: float, height: float) -> tuple[int, int]:
    """The largest size at which a whole cover fits into this room."""
    wide = min(width, height * COVER[0] / COVER[1])
    return max(1, round(wide)), max(1, round(wide * COVER[1] / COVER[0]))


class CoverTap(Tap):
    """A drawing to tap, with its name below it; the drawing takes the room the name leaves."""

    def __init__(
        self,
        svg: str,
        text: str,
        on_tap: Any,
        *,
        name: str,
        detail: str = "",
        tall: float = 84,
        colour: str = GROUND,
        chosen: bool = False,
    ) -> None:
        super().__init__(on_tap=on_tap, name=name, chosen=chosen)
        self.ground = colour
        self._colour.rgba = rgba(colour)
        self.cover = Cover(svg, tall=tall)
        told = [
            Words(text, "note", LIGHT, bold=True, align="center"),
            Words(detail, "note", LIGHT, align="center") if detail else None,
        ]
        self.words = Column(told, gap=0)
        self.add_widget(self.cover)
        self.add_widget(self.words)

    def fit(self, width: float) -> float:
        return self.cover.fit(width) + self.words.fit(width - 2 * self.pad) + 2 * self.pad

    def natural(self) -> float:
        return max(theme().px(COVER[0]), self.words.natural() + 2 * self.pad)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        inner = width - 2 * self.pad
        low = self.words.fit(inner)
        self.words.place(x + self.pad, y + self.pad, inner, low)
        below = low + 1.6 * self.pad
        edge = theme().px(3) if self._line is not None else 0.0
        self.cover.place(x + edge, y + below, width - 2 * edge, max(0.0, height - below - edge))


__all__ = ["COVER", "GROUND", "LIGHT", "Cover", "CoverTap", "cover_of", "drawing", "painted", "whole"]
