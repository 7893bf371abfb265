"""An automatic daily backup: only to a stick that already has one, and only if something has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from companion.core.sqlite_file import side_file
from companion.core.words import Text, say
from companion.errors import Trouble
from companion.table import backups
from companion.table.background import ThreadPool

DAY = 24 * 3600.0
LOOK = 600.0
"""Seconds between two searches for a stick."""


class DailyBackup:
    """Looks for a stick now and then, in the background; reports a backup that was made, or failed."""

    def __init__(self, beside: ThreadPool, tell: Callable[[Text, str], Any]) -> None:
        self._beside, self._tell = beside, tell
        self._next: float | None = None

    def tick(self, journal: Path, now: float) -> None:
        """Look for a stick if it is time; not right after the start, when people want to begin."""
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
        self._next = now + DAY  # reported once; the next try is tomorrow
        self._tell(trouble.text, "refused")


def back_up_if_due(journal: Path, at: float, sticks: Iterable[backups.Stick] | None = None) -> Path | None:
    """Make a backup if one is due; returns its folder, or None."""
    for stick in backups.sticks() if sticks is None else sticks:
        if stick.writable and is_due(journal, stick.path, at):
            return backups.back_up(journal, stick.path, at)
    return None


def is_due(journal: Path, stick: Path, at: float) -> bool:
    """Whether this stick has a backup, the newest is at least a day old, and the journal has changed since."""
    made = [backups.made_at(backup) for backup in backups.made([stick])]
    # Ignore dates in the future: a clock that was wrong once must not block backups until then.
    newest = max((when for when in made if when <= at), default=0.0)
    return bool(made) and at - newest >= DAY and _changed(journal) > newest + 60


def _changed(journal: Path) -> float:
    return max(
        (p.stat().st_mtime for p in (journal, side_file(journal, "-wal")) if p.exists()),
        default=0.0,
    )
