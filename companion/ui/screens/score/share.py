"""A result to take away: as a picture, as text, and as a QR code."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import Any

import segno
from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.lang import Builder

from companion.core.files import make_folder, why, write
from companion.core.words import plain, say
from companion.errors import StorageTrouble
from companion.results.sheets import print_sheet, sheet_words
from companion.texts import render
from companion.ui.toolkit.kit import Part, rgba, theme
from scoring.sheet import Sheet

FOLDER = "shared"
QUIET = 4
"""White modules round a code: phones need them to find it."""


def file_name(game: str, names: tuple[str, ...], at: float) -> str:
    """A recognisable file name for the play, safe on every stick and phone."""
    when = time.strftime("%Y-%m-%d-%H%M", time.localtime(at))
    who = ["".join(letter for letter in name if letter.isalnum())[:20] for name in names]
    return "-".join([game, when, *(name for name in who if name)])


def long_text(title: str, sheet: Sheet, language: str, *, final: bool) -> str:
    """The whole sheet as plain text, with reasons."""
    out = io.StringIO()
    print_sheet(sheet, language, out, final=final)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join([title, "", *lines, ""])


def short_text(title: str, sheet: Sheet, language: str, *, final: bool) -> str:
    """The ranking in a few lines."""
    seats = sorted(sheet.seats, key=lambda seat: seat.rank)
    lines = [f"{seat.rank}. {seat.name} {seat.total}" for seat in seats]
    told = [render(verdict(sheet, final=final), language)]
    return "\n".join([title, *lines, *told])


def verdict(sheet: Sheet, *, final: bool):  # type: ignore[no-untyped-def]
    """Who won and why, or who is ahead; nobody if nothing was counted."""
    if not any(seat.lines for seat in sheet.seats):
        return say("score.uncounted")
    broken = sheet_words(sheet).tie_break(sheet)
    if broken is not None:
        return broken
    if final:
        return say("score.winner", winner=", ".join(sheet.winners))
    return say("ui.leads", names=tuple(plain(name) for name in sheet.winners))


def keep(folder: Path, name: str, data: bytes) -> Path:
    """Write a file where people find it; raises `StorageTrouble`."""
    path = folder / FOLDER / name
    try:
        make_folder(path.parent)
        write(path, data)
    except OSError as e:
        raise StorageTrouble(say("ui.cannot-share", file=str(path), why=why(e))) from e
    return path


def painted(part: Part, width: int, height: int) -> Any:
    """A placed part as pixels: rows of red, green and blue."""
    import numpy as np

    Builder.sync()  # labels reach the canvas only now
    surface = Fbo(size=(width, height))
    with surface:
        ClearColor(*rgba("ground"))
        ClearBuffers()
    surface.add(part.canvas)
    surface.draw()
    rows = np.frombuffer(surface.pixels, dtype=np.uint8).reshape(height, width, 4)
    return np.flipud(rows)[:, :, :3].copy()


def png(picture: Any) -> bytes:
    """A picture as a PNG file."""
    import cv2

    done, data = cv2.imencode(".png", picture[:, :, ::-1])
    assert done
    return data.tobytes()


class Code(Part):
    """A QR code of a text, black on white in every theme."""

    def __init__(self, words: str, size: float = 240) -> None:
        super().__init__()
        self.words, self._size = words, theme().px(size)
        matrix = segno.make(words, error="l", micro=False, encoding="utf-8").matrix
        self._modules = len(matrix) + 2 * QUIET
        self._texture = Texture.create(size=(len(matrix), len(matrix)), colorfmt="luminance")
        self._texture.mag_filter = self._texture.min_filter = "nearest"
        rows = b"".join(bytes(0 if dark else 255 for dark in row) for row in reversed(list(matrix)))
        self._texture.blit_buffer(rows, colorfmt="luminance", bufferfmt="ubyte")

    def fit(self, width: float) -> float:
        return min(width, self._size)

    def natural(self) -> float:
        return self._size

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        side = min(width, height)
        module = max(1, int(side / self._modules))
        inner = module * (self._modules - 2 * QUIET)
        left, low = x + (width - side) / 2, y + (height - side) / 2
        self.canvas.clear()
        with self.canvas:
            Color(1, 1, 1, 1)
            RoundedRectangle(pos=(left, low), size=(side, side), radius=[theme().px(8)])
            spot = (round(left + (side - inner) / 2), round(low + (side - inner) / 2))
            Rectangle(texture=self._texture, pos=spot, size=(inner, inner))
