"""Photographs as faces: a component that nobody has described is shown as its owner photographed it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kivy.graphics import Color, Line, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture

from companion.core.faces import Face
from companion.core.words import NAMED, component_of
from companion.recognition.face_pictures import look_up
from companion.ui.toolkit.lettering import extent, lettered
from companion.ui.toolkit.theme import theme

RIM, GROUND, INK = (0.54, 0.41, 0.27), (0.14, 0.19, 0.28), (0.95, 0.96, 0.98)
"""The colours of a photograph's frame, of what is beside it, and of the name."""
BESIDE = 1.45
"""How many times as wide as high a face is whose name stands beside its photograph, not below."""
NAME = 15.0
LARGEST = 360
"""The longest side of a photograph on the screen, in pixels."""

Job = Callable[[Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any]], Any]


class FacePictures:
    """The photographs of components, read from the data folder in the background when they are first shown."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._found: dict[tuple[str, str], Texture | None] = {}

    def use(self, folder: Path, beside: Job, ready: Callable[[], Any]) -> None:
        """Read from this folder, with `beside` for jobs; call `ready` when one was found."""
        self._folder, self._beside, self._ready = folder, beside, ready
        self._found.clear()

    def changed(self, game: str, component: str) -> None:
        """The photograph of this component was taken or thrown away."""
        self._found.pop((game, component), None)

    def of(self, game: str, face: Face) -> Texture | None:
        """The photograph to show instead of this face; None if there is none, or what is printed is known."""
        printed = [sign for signs in (face.corners, *face.rows) for sign in signs]
        described = bool(face.spots) or any(sign.symbol != "unknown" for sign in printed)
        if described or face.name.key != NAMED or self._folder is None:
            return None
        key = game, component_of(face.name)
        if key not in self._found:
            self._found[key] = None
            read = partial(_small, self._folder, *key)
            self._beside(read, partial(self._read, key), lambda trouble: None)
        return self._found[key]

    def _read(self, key: tuple[str, str], pixels: Any) -> None:
        if pixels is None or self._found.get(key, pixels) is not None:
            return
        high, wide = pixels.shape[:2]
        texture = Texture.create(size=(wide, high), colorfmt="rgba")
        texture.flip_vertical()
        texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
        self._found[key] = texture
        self._ready()


PICTURES = FacePictures()
"""Those of the folder that is open."""


def _small(folder: Path, game: str, component: str) -> Any:
    from companion.ui.toolkit.camera_picture import shrink

    picture = look_up(folder, game, component)
    return None if picture is None else shrink(picture, LARGEST, LARGEST)


def paint_photograph(texture: Texture, name: str, x: float, y: float, width: float, height: float) -> None:
    """Draw a photograph and its name on the open canvas, in this room."""
    pad = height * 0.04
    size = round(NAME * theme().unit * theme().text)
    line = size * 1.2
    beside = width >= BESIDE * height
    room = (width * 0.5, height - 2 * pad) if beside else (width - 2 * pad, height - 2 * line - 2 * pad)
    lines = _lines(name, size, width - room[0] - 3 * pad if beside else width - 2 * pad, 4 if beside else 2)
    if not beside:
        room = (room[0], height - len(lines) * line - 2 * pad)
    scale = min(room[0] / texture.width, room[1] / texture.height)
    wide, high = texture.width * scale, texture.height * scale
    left = x + pad if beside else x + (width - wide) / 2
    low = y + (height - high) / 2 if beside else y + height - pad - high
    Color(*GROUND)
    RoundedRectangle(pos=(x, y), size=(width, height), radius=[height * 0.1])
    Color(1, 1, 1, 1)
    Rectangle(texture=texture, pos=(left, low), size=(wide, high))
    Color(*RIM)
    Line(rectangle=(left, low, wide, high), width=theme().px(1.5))
    Color(*INK)
    top = y + (height + len(lines) * line) / 2 if beside else y + pad + len(lines) * line
    for n, words in enumerate(lines):
        written = lettered(words, "Words", size, True, "left", None)
        at = left + wide + pad if beside else x + (width - written.width) / 2
        Rectangle(texture=written, pos=(round(at), round(top - (n + 1) * line)), size=written.size)


def _lines(name: str, size: int, width: float, most: int) -> list[str]:
    """The name in so many lines at most; words that do not fit are left out."""
    lines = [""]
    for word in name.split():
        longer = f"{lines[-1]} {word}".strip()
        if extent(longer, "Words", size, True) <= width or not lines[-1]:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word)
        else:
            break
    return lines
