"""A result to take away: as a picture, and as text."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Fbo
from kivy.lang import Builder

from companion.core.files import make_folder, why, write
from companion.core.words import plain, say
from companion.errors import StorageTrouble
from companion.results.sheets import print_sheet, sheet_words
from companion.texts import render
from companion.ui.toolkit.kit import Part, rgba
from scoring.sheet import Sheet

FOLDER = "shared"


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
