"""A printed mat with a mark at each corner, on which cards are shown. The camera finds it automatically."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from vision.labels import Label, parse, text
from vision.sightings import Sighting
from vision.sweep import SweepZone, middle

LETTER = "Y"
"""A letter that is not a game's: its labels are the corners of the mat, clockwise from its top left."""
CORNERS = tuple(text(Label(LETTER, number)) for number in (1, 2, 3, 4))


def is_mark(text: str) -> bool:
    """Whether a label is a corner of the mat."""
    label = parse(text)
    return label is not None and label.game == LETTER


class Mat(Struct, frozen=True):
    """Where the corners of the mat were last seen, in pixels."""

    corners: dict[str, tuple[float, float]] = {}

    def see(self, sightings: Iterable[Sighting], *, moved: bool = False) -> Mat:
        """The mat after one more look; if the camera was `moved`, only this look counts."""
        seen = {s.text: middle(s) for s in sightings if s.text in CORNERS}
        if not seen and not (moved and self.corners):
            return self
        return Mat(seen if moved else self.corners | seen)

    @property
    def spot(self) -> SweepZone | None:
        """The corners of the mat; a covered one is computed from the others. None with fewer than three."""
        known = [self.corners.get(mark) for mark in CORNERS]
        missing = [n for n, corner in enumerate(known) if corner is None]
        if len(missing) > 1:
            return None
        if missing:
            n = missing[0]
            before, after, across = (known[(n + k) % 4] for k in (-1, 1, 2))
            assert before is not None
            assert after is not None
            assert across is not None
            known[n] = (before[0] + after[0] - across[0], before[1] + after[1] - across[1])
        return tuple(corner for corner in known if corner is not None)
