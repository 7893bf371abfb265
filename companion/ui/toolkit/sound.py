"""Plays the sounds of `devices.tones`. Whatever is wrong with the speaker, the play only becomes quieter."""

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
    """Call it with what happened. The files are written and loaded by a thread; until then it is silent."""

    def __init__(self, folder: Path, settings: Callable[[], Settings], load: Load = _kivy) -> None:
        self._folder, self._settings, self._load = folder, settings, load
        self._loaded: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._fetch, name="sounds", daemon=True)
        self._thread.start()

    def can_play(self, kind: str) -> bool:
        """Whether this machine could play that sound; without a speaker none was loaded."""
        return kind in self._loaded

    def __call__(self, kind: str) -> None:
        """Play the sound of this kind, if there is one, it is wanted and it can be played."""
        settings = self._settings()
        loaded = self._loaded.get(kind)
        if loaded is None or kind in settings.silent or not settings.volume:
            return
        try:
            loaded.volume = settings.volume / 100
            loaded.stop()
            loaded.play()
        except Exception:  # whatever an audio library throws: no sound is worth a screen
            del self._loaded[kind]

    def settle(self) -> None:
        """Wait until everything that can be loaded is loaded."""
        self._thread.join()

    def _fetch(self) -> None:
        for kind in SOUNDS:
            try:
                loaded = self._load(str(_written(self._folder, kind)))
            except Exception:  # no speaker, no room on the disk: silence
                continue
            if loaded is not None:
                self._loaded[kind] = loaded


def _written(folder: Path, kind: str) -> Path:
    """The file of a sound; making one takes a moment, so it is written only once."""
    file = folder / f"{kind}-{tones.EDITION}.wav"
    if not file.is_file():
        make_folder(folder)
        write(file, tones.sound(kind))
    return file
