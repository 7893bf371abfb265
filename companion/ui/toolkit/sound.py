"""Plays the sounds of `devices.tones`. Audio errors never disturb a play; the sound is just missing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.core.files import make_folder, write
from companion.table.settings import SOUNDS, Settings
from devices import tones

Load = Callable[[str], Any]


def _kivy(file: str) -> Any:
    from kivy.core.audio import SoundLoader

    return SoundLoader.load(file)


class Sounds:
    """Call it with the kind of event. A thread writes and loads the files; until then it is silent."""

    def __init__(self, folder: Path, settings: Callable[[], Settings], load: Load = _kivy) -> None:
        self._folder, self._settings, self._load = folder, settings, load
        self._loaded: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._fetch, name="sounds", daemon=True)
        self._thread.start()

    def can_play(self, kind: str) -> bool:
        """Whether this sound could be played; without a speaker none is loaded."""
        return kind in self._loaded

    def __call__(self, kind: str) -> None:
        """Play this sound, if it exists, is loaded and is switched on."""
        settings = self._settings()
        loaded = self._loaded.get(kind)
        if loaded is None or kind in settings.silent or not settings.volume:
            return
        try:
            loaded.volume = settings.volume / 100
            loaded.stop()
            loaded.play()
        except Exception:  # any error of an audio library: a missing sound must not break a screen
            del self._loaded[kind]

    def settle(self) -> None:
        """Wait until all sounds are loaded."""
        self._thread.join()

    def _fetch(self) -> None:
        for kind in SOUNDS:
            try:
                loaded = self._load(str(_written(self._folder, kind)))
            except Exception:  # no speaker or no disk space: stay silent
                continue
            if loaded is not None:
                self._loaded[kind] = loaded


def _written(folder: Path, kind: str) -> Path:
    """The file of a sound; written only once, since that takes a moment."""
    file = folder / f"{kind}-{tones.EDITION}.wav"
    if not file.is_file():
        make_folder(folder)
        write(file, tones.sound(kind))
    return file
