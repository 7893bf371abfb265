"""A backup by itself, once a day: only to a stick that has one already, and only if something is new."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from companion.core.store import beside
from companion.core.words import Text, say
from companion.errors import Trouble
from companion.table import backups
from companion.table.background import Hands

DAY = 24 * 3600.0
LOOK = 600.0
"""Seconds between two looks for a stick."""


class DailyBackup:
    """Looks for a stick now and then, beside the screen; a backup that was made, or failed, is told."""

    def __init__(self, beside: Hands, tell: Callable[[Text, str], Any]) -> None:
        self._beside, self._tell = beside, tell
        self._next: float | None = None

    def tick(self, journal: Path, now: float) -> None:
        """Look if it is time; at first not at once, for people may want to begin."""
        if self._next is None:
            self._next = now + LOOK / 10
        if now < self._next:
            return
        self._next = now + LOOK
        self._beside.do(lambda: back_up_if_due(journal, now), self._done, partial(self._failed, now))

    def _done(self, backup: Path | None) -> None:
        if backup is not None:
            self._tell(say("backup.by-itself", where=backup.parent.name), "info")

    def _failed(self, now: float, trouble: Trouble) -> None:
        self._next = now + DAY  # told once; the next try is tomorrow
        self._tell(trouble.text, "refused")


def back_up_if_due(journal: Path, at: float, sticks: Iterable[backups.Stick] | None = None) -> Path | None:
    """The backup that was made now, if one was due."""
    for stick in backups.sticks() if sticks is None else sticks:
        if stick.writable and is_due(journal, stick.path, at):
            return backups.back_up(journal, stick.path, at)
    return None


def is_due(journal: Path, stick: Path, at: float) -> bool:
    """Whether this stick has a backup, its newest is a day old, and the journal has changed since."""
    made = [backups.made_at(backup) for backup in backups.made([stick])]
    # Not those of the future: a clock that went wrong once must not keep us from making any until then.
    newest = max((when for when in made if when <= at), default=0.0)
    return bool(made) and at - newest >= DAY and _changed(journal) > newest + 60


def _changed(journal: Path) -> float:
    return max(
        (p.stat().st_mtime for p in (journal, beside(journal, "-wal")) if p.exists()),
        default=0.0,
    )
