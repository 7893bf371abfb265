"""Speaks sentences through espeak-ng, if installed. Never blocks: a new sentence interrupts the old one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from typing import Protocol

PROGRAM = "espeak-ng"
WORDS_A_MINUTE = 150


class Talking(Protocol):
    """A sentence being spoken."""

    def poll(self) -> int | None:
        """None while it is still speaking."""

    def kill(self) -> None:
        """Stop speaking."""


Start = Callable[[Sequence[str]], Talking]


def _start(command: Sequence[str]) -> Talking:
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


class Speech:
    """One voice. If the program is missing or fails, it is silent."""

    def __init__(self, start: Start = _start, found: str | None = None) -> None:
        self._start, self._program = start, found or shutil.which(PROGRAM)
        self._talking: Talking | None = None

    @property
    def there(self) -> bool:
        """Whether speech is available."""
        return self._program is not None

    def say(self, words: str, language: str, volume: int = 100) -> None:
        """Say this in that language, at a volume of 0 to 100."""
        self.hush()
        if self._program is None or not words.strip() or volume <= 0:
            return
        loud = str(min(volume, 100) * 2)  # espeak-ng's own scale goes to 200
        command = [self._program, "-v", language, "-s", str(WORDS_A_MINUTE), "-a", loud, "--", words]
        try:
            self._talking = self._start(command)
        except OSError:
            self._program = None

    def hush(self) -> None:
        """Stop speaking at once."""
        talking, self._talking = self._talking, None
        if talking is not None and talking.poll() is None:
            talking.kill()
            talking.poll()
