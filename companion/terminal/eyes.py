"""The demonstration's eyes: bots hold cards up, a virtual camera films them, and only what is read is known."""

from __future__ import annotations

from companion.core.game import Game
from companion.core.understand import Sighted
from companion.recognition import reading
<<<<<<< HEAD
from companion.recognition.labels import Piece
from vision.track import Brought
=======
from companion.recognition.virtual_cards import Cards
from vision.track import Appeared, Tracker
>>>>>>> 8df651d824229dda495d2c7fab988cff4e9e0ebb
from vision.virtual import PRESETS, VirtualTable
from vision.watcher import Watcher

FRAMES_PER_SECOND = 15.0
PATIENCE = 60
"""Frames after which somebody would put the card down and use the screen instead."""

<<<<<<< HEAD
AT_FIRST = 15
"""Frames until it is known what lies there."""

ROOM = 24
"""Cards that fit under the camera."""

=======
>>>>>>> 8df651d824229dda495d2c7fab988cff4e9e0ebb

class Eyes:
    """A virtual table before a camera; time passes only while it is filmed."""

    def __init__(self, game: Game, preset: str, seed: int) -> None:
        self._game = game
        self._now = 0.0
        self._table = VirtualTable(PRESETS[preset], seed, fps=FRAMES_PER_SECOND, clock=lambda: self._now)
<<<<<<< HEAD
        self._watcher = Watcher(reading.reader(game))
=======
        self._cards = Cards(game, self._table)
        self._reader = reading.reader(game)
>>>>>>> 8df651d824229dda495d2c7fab988cff4e9e0ebb
        self.frames = 0
        self._look(AT_FIRST)

<<<<<<< HEAD
    def _look(self, frames: int) -> Sighted | None:
        """What is shown within so many frames, if anything."""
        for _ in range(frames):
=======
    def show(self, component: str, seat: int | None) -> Sighted | None:
        """Hold a component to the camera; what the camera made of it, or nothing if it could not be read."""
        self._cards.hold_up(component, seat)
        tracker, found = Tracker(), None
        for _ in range(PATIENCE):
>>>>>>> 8df651d824229dda495d2c7fab988cff4e9e0ebb
            self._now += 1 / FRAMES_PER_SECOND
            frame = self._table.read()
            if frame is None:
                continue
            self.frames += 1
<<<<<<< HEAD
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
=======
            tracker, news = tracker.see(self._reader.read(frame.picture), frame.at)
            lying = {it.text for it in self._table.lying}
            fresh = [n for n in news if isinstance(n, Appeared) and n.sighting.text not in lying]
            if fresh:
                found = reading.signal(self._game, fresh[0].sighting.text)
                break
        self._cards.put_down(component, seat)
>>>>>>> 8df651d824229dda495d2c7fab988cff4e9e0ebb
        if found is None or found.seat is not None:
            return found
        return Sighted(found.component, seat)  # held up at the place of this seat
