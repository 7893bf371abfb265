"""Cards before a virtual camera: what bots hold up to it, and what lies there afterwards."""

from __future__ import annotations

from companion.core.game import Game
from companion.recognition import reading
from companion.recognition.labels import Piece
from vision.virtual import VirtualTable

ROOM = 24
"""Cards that fit under the camera."""


class Cards:
    """What lies before the virtual camera, and what is held up to it."""

    def __init__(self, game: Game, table: VirtualTable, room: int = ROOM) -> None:
        self._book, self._table, self._room = reading.book(game), table, room

    @property
    def lying(self) -> frozenset[str]:
        """The labels that lie there."""
        return frozenset(it.text for it in self._table.lying)

    def hold_up(self, component: str, seat: int | None) -> None:
        """Hold a component's label to the camera; if all copies lie there, the one that lay longest is taken up."""
        text = self._label(component, seat)
        self._table.take_away(text)
        self._table.hold_up(text)

    def put_down(self, component: str, seat: int | None) -> None:
        """Lay it down, unless it goes back into a player's hand."""
        self._table.hold_up(None)
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
