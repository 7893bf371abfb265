"""The demonstration's eyes: bots hold cards up, a virtual camera films them, and only what is read is known."""

from __future__ import annotations

from companion.core.game import Game
from companion.core.understand import Sighted
from companion.recognition import reading
from companion.recognition.labels import Piece
from vision.track import Brought
from vision.virtual import PRESETS, VirtualTable
from vision.watcher import Watcher

FRAMES_PER_SECOND = 15.0
PATIENCE = 60
"""Frames after which somebody would put the card down and use the screen instead."""

AT_FIRST = 15
"""Frames until it is known what lies there."""

ROOM = 24
"""Cards that fit under the camera."""


class Eyes:
    """A virtual table before a camera; time passes only while it is filmed."""

    def __init__(self, game: Game, preset: str, seed: int) -> None:
        self._game = game
        self._now = 0.0
        self._table = VirtualTable(PRESETS[preset], seed, fps=FRAMES_PER_SECOND, clock=lambda: self._now)
        self._watcher = Watcher(reading.reader(game))
        self.frames = 0
        self._look(AT_FIRST)

    def _look(self, frames: int) -> Sighted | None:
        """What is shown within so many frames, if anything."""
        for _ in range(frames):
            self._now += 1 / FRAMES_PER_SECOND
            frame = self._table.read()
            if frame is None:
                continue
            self.frames += 1
            _, news = self._watcher.look(frame, waiting=True)
            for item in news:
                if isinstance(item, Brought):
                    return reading.signal(self._game, item.sighting.text)
        return None

    def show(self, component: str, seat: int | None) -> Sighted | None:
        """Hold a component to the camera; what the camera made of it, or nothing if it could not be read."""
        text = self._label(component, seat)
        self._table.hold_up(text)
        found = self._look(PATIENCE)
        self._table.hold_up(None)
        if component not in reading.book(self._game).sets:
            if len(self._table.lying) == ROOM:
                self._table.take_away(self._table.lying[0].text)  # out of the camera's view
            self._table.lay(text)
        self._look(AT_FIRST)  # laid down or taken back: the table stands still before the next card comes
        if found is None or found.seat is not None:
            return found
        return Sighted(found.component, seat)  # held up at the place of this seat

    def _label(self, component: str, seat: int | None) -> str:
        book = reading.book(self._game)
        lying = {it.text for it in self._table.lying}
        if component in book.sets:
            return book.texts[Piece(component, (seat or 0) + 1)]
        texts = [text for piece, text in book.texts.items() if piece.component == component]
        return next(text for text in texts if text not in lying)
