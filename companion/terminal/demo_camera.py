"""The demonstration's camera: bots hold up cards, a virtual camera films them, and only what is read counts."""

from __future__ import annotations

from companion.core.game import Game
from companion.core.understand import Sighted
from companion.recognition import reading
from companion.recognition.virtual_cards import Cards
from vision.label_news import Brought
from vision.virtual import PRESETS, VirtualTable
from vision.watcher import Watcher

PATIENCE = 4.0
"""Seconds after which a person would give up showing the card and use the screen instead."""

BREATH = 1.0
"""Seconds between two cards; people are no faster."""


class DemoCamera:
    """A virtual table in front of a camera; its time advances only while it is filmed."""

    def __init__(
        self,
        game: Game,
        preset: str,
        seed: int,
        size: tuple[int, int] = (1920, 1080),
        fps: float = 15.0,
    ) -> None:
        """`size` and `fps` are those of the camera's pictures; a slow machine can process only fewer and
        smaller ones."""
        self._game, self._fps = game, fps
        self._now = 0.0
        self._table = VirtualTable(PRESETS[preset], seed, size=size, fps=fps, clock=lambda: self._now)
        self._cards = Cards(game, self._table)
        self._watcher = Watcher(reading.reader(game))
        self.frames = 0
        """Pictures needed so far to recognise what was held up."""
        self._film(1.5 * BREATH)  # the camera first adapts to the light

    def show(self, component: str, seat: int | None) -> Sighted | None:
        """Hold a component up to the camera; returns what was read, or None if it could not be read."""
        self._cards.hold_up(component, seat)
        found, frames = self._film(PATIENCE)
        self.frames += frames
        self._cards.put_down(component, seat)
        self._film(BREATH)
        if found is None or found.seat is not None:
            return found
        return Sighted(found.component, seat)  # held up at the place of this seat

    def _film(self, seconds: float) -> tuple[Sighted | None, int]:
        """Film for this many seconds; returns what was shown, if anything, and the number of frames."""
        frames = round(seconds * self._fps)
        for n in range(1, frames + 1):
            self._now += 1 / self._fps
            frame = self._table.read()
            if frame is None:
                continue
            _, news = self._watcher.process(frame, waiting=True)
            for item in news:
                if isinstance(item, Brought):
                    return reading.signal(self._game, item.sighting.text), n
        return None, frames
