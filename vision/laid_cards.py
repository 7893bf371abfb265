"""Cards that are laid down one after another to be taught: each beside the last or on top of it. Pure except
for the pictures passed in."""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera_health import Picture
from vision.face_search import card_that_came, outlines, outlines_near
from vision.finders import Grey
from vision.sightings import Corners

SMALL = 320
"""Width of the small copies in which changes are looked for."""
TREMBLE, OTHER, FEW = 9, 16, 0.004
"""Grey steps a picture may tremble; by how many it differs once a card came; and the share of the picture that
must differ."""
STILL = 0.35
"""Seconds for which nothing may move."""
CARD_SHARES = (0.01, 0.45)
"""Shares of a picture that a card in its middle covers at least and at most."""
COVERS = 0.3
"""Share of a place that looks different from the empty table if a card lies there."""
AS_LARGE = 0.2
"""How much the area of a card may differ from that of the cards before it."""


class LaidCards:
    """Tells when a card was laid down, and where."""

    def __init__(self) -> None:
        self._empty: Picture | None = None
        self.start_again()

    def start_again(self) -> None:
        """Whatever lies there now was there before."""
        self._before: Picture | None = None
        self._last: Grey | None = None
        self._since = 0.0
        self._size: float | None = None

    def see(self, picture: Picture, at: float) -> Corners | None:
        """The card that was laid down since the last one, once everything is still."""
        small = _small(picture)
        if self._last is None or self._last.shape != small.shape or _share(self._last, small, TREMBLE) > FEW:
            self._last, self._since = small, at
            return None
        if at - self._since < STILL:
            return None
        if self._empty is None or self._empty.shape != picture.shape:
            self._empty = picture.copy()
        if self._before is None or self._before.shape != picture.shape:
            self._before = picture.copy()
            return None
        if _share(_small(self._before), small, OTHER) < FEW:
            return None
        found = self._found(self._empty, self._before, picture)
        if found is not None and _taken_away(self._empty, picture, found):
            self._empty, found = picture.copy(), None
            self._before = self._empty
        if found is not None or _share(_small(self._empty), small, OTHER) < FEW:
            self._before = picture.copy()  # a card came, or the last one was taken away
        return found

    def _found(self, empty: Picture, before: Picture, now: Picture) -> Corners | None:
        for other in (before, empty):
            corners = card_that_came(other, now)
            if corners is None or not self._fits(corners):
                continue
            if _covered(empty, now, corners) and _covered(before, now, corners):
                self._size = self._size or _area(corners)
                return corners
        return self._on_top(before, now)

    def _on_top(self, before: Picture, now: Picture) -> Corners | None:
        """A card laid onto the others: the outline as large as theirs round most of what has changed."""
        if self._size is None:
            return None
        changed = cv2.absdiff(_small(before), _small(now)) > OTHER
        ys, xs = np.nonzero(changed)
        if not len(xs):
            return None
        points = np.stack([xs, ys], 1).astype(np.float32) * (now.shape[1] / changed.shape[1])
        grey = now if now.ndim == 2 else np.asarray(cv2.cvtColor(now, cv2.COLOR_BGR2GRAY), np.uint8)
        best, most = None, 0.85 * len(points)
        for outline in outlines(np.ascontiguousarray(grey)):
            if self._fits(outline):
                quad = np.array(outline, np.float32)
                inside = sum(
                    cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for x, y in points[::7]
                )
                if 7 * inside > most:
                    best, most = outline, 7.0 * inside
        return best

    def _fits(self, corners: Corners) -> bool:
        return self._size is None or abs(_area(corners) / self._size - 1) < AS_LARGE


def _taken_away(before: Picture, now: Picture, corners: Corners) -> bool:
    """Whether there was the outline of a card, and is none any more."""
    place = np.array(corners, np.float32)
    return bool(outlines_near(before, place)) and not outlines_near(now, place)


def card_in_the_middle(picture: Picture) -> Corners | None:
    """The outline that the middle of a picture is in, the largest that may be a card: a smaller one may be
    printed on it. None if there is none."""
    colours = [picture] if picture.ndim == 2 else [picture[..., k] for k in range(picture.shape[2])]
    high, wide = picture.shape[:2]
    least, most = (share * high * wide for share in CARD_SHARES)
    found = [outline for colour in colours for outline in outlines(np.ascontiguousarray(colour))]
    here = [
        outline
        for outline in found
        if least < _area(outline) < most
        and cv2.pointPolygonTest(np.array(outline, np.float32), (wide / 2, high / 2), False) >= 0
    ]
    return max(here, key=_area, default=None)


def _covered(empty: Picture, now: Picture, corners: Corners) -> bool:
    """Whether something lies there: where a card was taken away, there is only the table again."""
    one, other = _small(empty), _small(now)
    quad = np.array(corners) * (one.shape[1] / now.shape[1])
    mask = cv2.fillConvexPoly(np.zeros_like(one), np.round(quad).astype(np.int32), 1) > 0
    return bool(mask.any()) and float((cv2.absdiff(one, other)[mask] > TREMBLE).mean()) > COVERS


def _small(picture: Picture) -> Grey:
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    high = max(1, round(SMALL * grey.shape[0] / grey.shape[1]))
    small = cv2.resize(grey, (SMALL, high), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def _share(one: Grey, other: Grey, step: int) -> float:
    return float((cv2.absdiff(one, other) > step).mean())


def _area(corners: Corners) -> float:
    return float(cv2.contourArea(np.array(corners, np.float32)))
