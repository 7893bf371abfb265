"""When a label comes and when it goes. Pure: sightings and the time go in, news come out.

A card left lying is no second scan: it appears once and stays until it has been gone for a while. A hand or a
reflection passing over it is shorter than that. Time in which no frames came does not count as being gone.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from vision.sightings import Sighting

FRAMES_TO_APPEAR = 2
SECONDS_TO_APPEAR = 1.0
"""A label must be seen so often within so long: one lonely frame is not enough."""
ROUNDING = 1e-6
"""Seconds: the pictures of a folder come exactly one second apart, but for what computers make of such numbers."""

SECONDS_TO_LEAVE = 3.0
LONGEST_GAP = 0.5
"""Between two frames at most this much counts as time a label was away."""


class Appeared(Struct, frozen=True):
    """A label came into view."""

    sighting: Sighting
    at: float


class Left(Struct, frozen=True):
    """A label has been gone for a while."""

    text: str
    at: float


LabelNews = Appeared | Left


class _Watched(Struct, frozen=True):
    sighting: Sighting
    seen: tuple[float, ...]
    present: bool = False
    away: float = 0.0


class Tracker(Struct, frozen=True):
    """What lies there; `see` gives the next tracker and the news."""

    watched: dict[str, _Watched] = {}
    at: float | None = None

    def see(self, sightings: Iterable[Sighting], at: float) -> tuple[Tracker, tuple[LabelNews, ...]]:
        """The labels of one frame taken at this time."""
        passed = 0.0 if self.at is None else min(max(0.0, at - self.at), LONGEST_GAP)
        now = {sighting.text: sighting for sighting in sightings}
        watched: dict[str, _Watched] = {}
        news: list[LabelNews] = []
        for text in dict.fromkeys((*self.watched, *now)):
            before = self.watched.get(text)
            after = self._seen(before, now[text], at) if text in now else _missed(before, passed, at)
            if after is not None:
                watched[text] = after
            if after is not None and after.present and not (before and before.present):
                news.append(Appeared(after.sighting, at))
            if before is not None and before.present and after is None:
                news.append(Left(text, at))
        return Tracker(watched, at), tuple(news)

    @property
    def present(self) -> tuple[Sighting, ...]:
        """The labels that lie there, where they were last seen."""
        return tuple(w.sighting for w in self.watched.values() if w.present)

    def _seen(self, before: _Watched | None, sighting: Sighting, at: float) -> _Watched:
        if before is not None and before.present:
            return replace(before, sighting=sighting, away=0.0)
        recent = tuple(t for t in (before.seen if before else ()) if at - t <= SECONDS_TO_APPEAR + ROUNDING)
        seen = (*recent, at)
        return _Watched(sighting, seen, present=len(seen) >= FRAMES_TO_APPEAR)


def _missed(before: _Watched | None, passed: float, at: float) -> _Watched | None:
    """A label not in this frame: remembered while it may only be covered, then dropped."""
    assert before is not None
    if before.present:
        away = before.away + passed
        return replace(before, away=away) if away < SECONDS_TO_LEAVE else None
    return before if at - before.seen[-1] <= SECONDS_TO_APPEAR + ROUNDING else None
