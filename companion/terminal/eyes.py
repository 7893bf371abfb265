"""The demonstration's eyes: bots hold cards up, a virtual camera films them, and only what is read is known."""

from __future__ import annotations

from companion.core.game import Game
from companion.core.understand import Sighted
from companion.recognition import reading
from companion.recognition.virtual_cards import Cards
from vision.track import Appeared, Tracker
from vision.virtual import PRESETS, VirtualTable

FRAMES_PER_SECOND = 15.0
PATIENCE = 60
"""Frames after which somebody would put the card down and use the screen instead."""


class Eyes:
    """A virtual table before a camera; time passes only while it is filmed."""

    def __init__(self, game: Game, preset: str, seed: int) -> None:
        self._game = game
        self._now = 0.0
        self._table = VirtualTable(PRESETS[preset], seed, fps=FRAMES_PER_SECOND, clock=lambda: self._now)
        self._cards = Cards(game, self._table)
        self._reader = reading.reader(game)
        self.frames = 0

    def show(self, component: str, seat: int | None) -> Sighted | None:
        """Hold a component to the camera; what the camera made of it, or nothing if it could not be read."""
        self._cards.hold_up(component, seat)
        tracker, found = Tracker(), None
        for _ in range(PATIENCE):
            self._now += 1 / FRAMES_PER_SECOND
            frame = self._table.read()
            if frame is None:
                continue
            self.frames += 1
            tracker, news = tracker.see(self._reader.read(frame.picture), frame.at)
            lying = {it.text for it in self._table.lying}
            fresh = [n for n in news if isinstance(n, Appeared) and n.sighting.text not in lying]
            if fresh:
                found = reading.signal(self._game, fresh[0].sighting.text)
                break
        self._cards.put_down(component, seat)
        if found is None or found.seat is not None:
            return found
        return Sighted(found.component, seat)  # held up at the place of this seat
