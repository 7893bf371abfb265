"""A tableau read in many frames: which components are there, how certain each is, and when to stop."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from vision.sightings import Sighting

SweepZone = tuple[tuple[float, float], ...]
"""The corners of a seat's area in the picture."""

QUIET_FRAMES = 12
"""Frames in a row without a new label after which the sweep is steady."""


class Found(Struct, frozen=True):
    """A label of the tableau, the number of frames it was read in, and the resulting confidence."""

    sighting: Sighting
    frames: int
    sure: float


class Sweep(Struct, frozen=True):
    """A sweep so far. `expected`: labels the play knows here; everything outside `zone` is ignored."""

    expected: frozenset[str] = frozenset()
    zone: SweepZone | None = None
    found: dict[str, Found] = {}
    frames: int = 0
    quiet: int = 0
    rounds: int = 0
    """The reader's search rounds (see `see`) when the last new label was found."""
    round_done: bool = True
    """Whether the reader has finished another round since then."""
    doubled: frozenset[str] = frozenset()
    """Labels that were read at two places of one picture: two components have the same label."""

    def see(self, sightings: Iterable[Sighting], rounds: int | None = None) -> Sweep:
        """The sweep after one more frame. `rounds`: how often the reader has searched every size of label so
        far (`Reader.rounds`); None if it searches all of them in every frame."""
        found, news, doubled = dict(self.found), False, set(self.doubled)
        now: set[str] = set()
        for sighting in sightings:
            if self.zone is not None and not inside(middle(sighting), self.zone):
                continue
            if sighting.text in now:
                doubled.add(sighting.text)
            now.add(sighting.text)
            before = found.get(sighting.text)
            news = news or before is None
            doubt = (1 - sighting.sure) * (1 - before.sure if before else 1)
            better = before is None or sighting.module > before.sighting.module
            best = sighting if before is None or better else before.sighting
            found[sighting.text] = Found(best, (before.frames if before else 0) + 1, 1 - doubt)
        return replace(
            self,
            found=found,
            frames=self.frames + 1,
            quiet=0 if news else self.quiet + 1,
            rounds=rounds if rounds is not None and (news or not self.frames) else self.rounds,
            round_done=rounds is None or (not news and bool(self.frames) and rounds > self.rounds),
            doubled=frozenset(doubled),
        )

    @property
    def steady(self) -> bool:
        """Whether enough frames brought nothing new while every size of label was searched."""
        return bool(self.found) and self.quiet >= QUIET_FRAMES and self.round_done

    @property
    def missing(self) -> frozenset[str]:
        """Labels that should be here and were not seen."""
        return self.expected - self.found.keys()

    @property
    def surprising(self) -> frozenset[str]:
        """Labels that were seen though the play does not expect them here."""
        return frozenset(self.found) - self.expected


def middle(sighting: Sighting) -> tuple[float, float]:
    """The middle of a label in the picture."""
    xs, ys = zip(*sighting.corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def inside(point: tuple[float, float], zone: SweepZone) -> bool:
    """Whether a point lies in a zone (even-odd rule)."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in zip(zone, (*zone[1:], zone[0]), strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd
