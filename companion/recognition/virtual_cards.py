"""Cards in front of a virtual camera: those that bots hold up to it, and those that lie there."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.core.game import Game
from companion.drawing.svg import measured, picture, svg
from companion.drawing.upright import upright
from companion.recognition import reading
from companion.recognition.labels import Piece
from companion.texts import LANGUAGES
from vision.virtual import VirtualTable
from vision.virtual_paint import ART, Art, card_art

ROOM = 24
"""Number of cards that fit under the camera."""


class Cards:
    """What lies in front of the virtual camera, and what is held up to it."""

    def __init__(self, game: Game, table: VirtualTable, room: int = ROOM) -> None:
        self._book, self._table, self._room = reading.book(game), table, room
        table.art = faces_of(game)

    @property
    def lying(self) -> frozenset[str]:
        """The labels of the cards that lie there."""
        return frozenset(it.text for it in self._table.lying)

    def hold_up(self, component: str, seat: int | None) -> None:
        """Hold a component's label up to the camera; if all copies lie there, take the one that has been
        there longest."""
        text = self._label(component, seat)
        self._table.take_away(text)
        self._table.hold_up(text)

    def lower(self) -> None:
        """Take down the card that is held up."""
        self._table.hold_up(None)

    def put_down(self, component: str, seat: int | None) -> None:
        """Lay the card down, unless it goes back into a player's hand."""
        self.lower()
        if component in self._book.sets:
            return
        text = self._label(component, seat)
        if len(self._table.lying) == self._room:
            self._table.take_away(self._table.lying[0].text)  # out of the camera's view
        self._table.lay(text)

    def _label(self, component: str, seat: int | None) -> str:
        if component in self._book.sets:
            return self._book.texts[Piece(component, (seat or 0) + 1)]
        texts = [text for piece, text in self._book.texts.items() if piece.component == component]
        lying = [it.text for it in self._table.lying if it.text in texts]
        return next((text for text in texts if text not in lying), (*lying, *texts)[0])


def faces_of(game: Game) -> Art:
    """The printed faces of a game's cards, by label; cards of other games get any picture."""
    components = {text: piece.component for piece, text in reading.book(game).texts.items()}

    @cache
    def drawn(component: str, card: tuple[float, float]) -> NDArray[np.uint8]:
        wide, high = (round(side * ART) for side in card)
        face = game.face(game.usual_box()[component])
        laid = upright(game.id, game.tints, face, wide, high, measured, LANGUAGES[0], unit=ART / 3)
        return np.ascontiguousarray(picture(svg(laid), wide, high)[..., :3])

    def art(text: str, card: tuple[float, float]) -> NDArray[np.uint8]:
        return drawn(components[text], card) if text in components else card_art(text, card)

    return art
