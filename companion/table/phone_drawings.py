"""The drawings on phones' pages: SVG, by an id made of their contents."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.faces import Face, Sign, Signs
from companion.core.game import Game
from companion.drawing.colours import CARD
from companion.drawing.faces import face as drawn_face
from companion.drawing.signs import StrokeGroup, rows
from companion.drawing.svg import measured, svg
from companion.drawing.symbols import called
from companion.texts import render

MOST_PICTURES = 1000
"""How many drawings are kept."""
FACE = {"card": (216, 128), "tile": (150, 150), "hex": (160, 140), "ship": (216, 150)}
"""The size of a face by its shape, in pixels of the page."""
SIGNS = 30
"""The height of signs."""
ROOM = 290
"""The width of a row of signs; longer ones get several lines."""


class Pictures:
    """Drawings as SVG, by an id made of their contents; the least recently used are dropped."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Any, ...], str] = OrderedDict()
        self.svg: dict[str, str] = {}

    def face(self, game: Game, face: Face, language: str, lying: Signs = ()) -> str:
        """The id of a face with what lies on it."""
        return self._id(
            ("face", game.id, repr(face), language, lying), lambda: _face(game, face, language, lying)
        )

    def signs(self, game: Game, signs: Signs) -> str:
        """The id of signs in a row, or in several."""
        return self._id(("signs", game.id, signs), lambda: _signs(game, signs))

    def lines(self, id: str) -> int:
        """In how many rows the signs of this drawing are."""
        high = self.svg[id].partition('height="')[2].partition('"')[0]
        return max(1, round(float(high) / SIGNS))

    def _id(self, key: tuple[Any, ...], draw: Any) -> str:
        id = self._known.get(key)
        if id is None:
            drawing = draw()
            id = self._known[key] = hashlib.sha256(drawing.encode()).hexdigest()[:24]
            self.svg[id] = drawing
            if len(self._known) > MOST_PICTURES:
                _, old = self._known.popitem(last=False)
                if old not in self._known.values():
                    self.svg.pop(old, None)
        else:
            self._known.move_to_end(key)
        return id


def _face(game: Game, face: Face, language: str, lying: Signs) -> str:
    wide, high = FACE[face.shape]
    return svg(
        drawn_face(game.id, game.tints, face, wide, high, measured, language, lying=lying), elsewhere=True
    )


def _signs(game: Game, signs: Signs) -> str:
    laid = rows(game.id, game.tints, signs, SIGNS, measured, CARD, ROOM)
    strokes = laid.at(6, 4)
    return svg(StrokeGroup(strokes, laid.wide + 12, laid.high + 8), CARD.ground, elsewhere=True)


class Drawer(Struct, frozen=True):
    """Draws for one moment, and remembers what it used."""

    game: Game
    pictures: Pictures
    used: set[str] = msgspec.field(default_factory=set)

    def face(self, face: Face, language: str, lying: Signs = ()) -> str:
        """The id of a face with what lies on it."""
        return self._noted(self.pictures.face(self.game, face, language, lying))

    def signs(self, signs: Signs, language: str) -> list[Any] | None:
        """Signs as a picture, in words for those who do not see it, and in how many lines they are."""
        if not signs:
            return None
        id = self._noted(self.pictures.signs(self.game, signs))
        return [id, _in_words(self.game.id, signs, language), self.pictures.lines(id)]

    def _noted(self, id: str) -> str:
        self.used.add(id)
        return id


def _in_words(game: str, signs: Signs, language: str) -> str:
    return ", ".join(_sign_in_words(game, sign, language) for sign in signs)


def _sign_in_words(game: str, sign: Sign, language: str) -> str:
    name = render(called(game, sign.symbol), language)
    return f"{name} {sign.value}".strip()
