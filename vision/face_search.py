"""Where taught faces may be in a picture: by the outlines of cards, then by features that vote for a face and
its place. Both work in slices, so that a search never holds a frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.camera_health import Picture as Pixels
from vision.face_features import Features, features
from vision.faces import FaceIndex, as_corners
from vision.finders import Grey, Reals
from vision.sightings import Corners

SMALLEST, LARGEST_SHARE = 40.0, 0.9
"""Shortest side of a card in pixels, and the largest share of the picture it can cover."""
SQUARE = 0.35
"""Largest deviation of a card's corners from right angles, as a cosine."""
EDGES = ((30, 90), (80, 200))
"""Contrast of edges in grey steps, faint and strong, at which outlines are looked for."""
TILE, SHARED = 512, 48
"""Side of the pieces in which features are looked for, and how far they overlap, in pixels."""
PER_TILE, AT_ONCE = 900, 150
"""Most features of a piece; and how many are compared with all faces at once."""
SAME_FEATURE = 0.72
"""Minimum likeness (-1..1) of two features."""
VOTES = 4
"""Votes for a face and its place that make it worth comparing."""
NEAR, TURN, GROWN = 0.22, 22.0, 0.45
"""How far votes may be apart: in diagonals of the card, in degrees, and in size as a logarithm."""
FOUR_POINTS = 8
"""Votes from which the slant of a card is estimated too."""


class Candidate(Struct, frozen=True):
    """A face that may be at a place, and how many features say so (0: its outline was found)."""

    face: int
    corners: Corners
    votes: int = 0


def outlines(grey: Grey) -> list[Corners]:
    """Outlines that may be cards, clockwise, the largest first."""
    largest = LARGEST_SHARE * grey.size
    found: list[tuple[float, Reals]] = []
    smooth = cv2.GaussianBlur(grey, (5, 5), 0)
    for low, high in EDGES:
        edges = cv2.dilate(cv2.Canny(smooth, low, high), np.ones((3, 3), np.uint8))
        contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            area = float(cv2.contourArea(hull))
            if not SMALLEST * SMALLEST < area < largest:
                continue
            quad = _four_corners(np.asarray(hull, np.float32), area)
            if quad is not None and not any(_off(quad, seen) < 0.06 * area**0.5 for _, seen in found):
                found.append((area, quad))
    found.sort(key=lambda one: -one[0])
    return [as_corners(quad) for _, quad in found]


def _four_corners(hull: Reals, area: float) -> Reals | None:
    """The corners of a card with this hull, clockwise; None if it is no card's."""
    long = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05):
        bent = cv2.approxPolyDP(hull, share * long, True)
        if len(bent) == 4 and _is_card(np.asarray(bent[:, 0], np.float32), area):
            return _clockwise(np.asarray(bent[:, 0], np.float32))
    box = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float32)
    return _clockwise(box) if _is_card(box, area) else None


def _is_card(quad: Reals, area: float) -> bool:
    if not 0.86 * cv2.contourArea(quad) < area < 1.16 * cv2.contourArea(quad):
        return False
    ways = np.roll(quad, -1, axis=0) - quad
    sides = np.hypot(*ways.T)
    if sides.min() < SMALLEST:
        return False
    ways = ways / sides[:, None]
    return float(np.abs((ways * np.roll(ways, -1, axis=0)).sum(axis=1)).max()) < SQUARE


def _clockwise(quad: Reals) -> Reals:
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    return quad if ax * by - ay * bx > 0 else np.ascontiguousarray(quad[::-1])


def tiles(shape: tuple[int, ...]) -> Iterator[tuple[int, int, int, int]]:
    """The pieces of a picture: left, top, right, bottom."""
    step = TILE - SHARED
    for top in range(0, max(1, shape[0] - SHARED), step):
        for left in range(0, max(1, shape[1] - SHARED), step):
            yield left, top, min(shape[1], left + TILE), min(shape[0], top + TILE)


class Votes:
    """Features of one picture, matched with those of all faces."""

    def __init__(self, index: FaceIndex) -> None:
        self._index = index
        self._seen: list[Features] = []
        self._match: list[Reals] = []

    def add(self, seen: Features) -> Iterator[None]:
        """Match these features; yields between slices."""
        for start in range(0, len(seen), AT_ONCE):
            some = seen.those(slice(start, start + AT_ONCE))
            alike = some.rows @ self._index.rows.T
            best = alike.argmax(axis=1)
            good = alike[np.arange(len(best)), best] > SAME_FEATURE
            self._seen.append(some.those(good))
            self._match.append(best[good])
            yield

    def candidates(self) -> Iterator[Candidate]:
        """Faces that enough features agree on, those with the most votes first."""
        if not self._seen:
            return
        points, sizes, turns = (
            np.concatenate([getattr(one, name) for one in self._seen])
            for name in ("points", "sizes", "turns")
        )
        match = np.concatenate(self._match)
        index = self._index
        owner = index.owner[match]
        for face in np.argsort(-np.bincount(owner, minlength=1), kind="stable"):
            mine = np.nonzero(owner == face)[0]
            if len(mine) < VOTES:
                return
            there = match[mine]
            yield from _agreeing(
                int(face),
                float(index.aspects[face]),
                Features(points[mine], sizes[mine], turns[mine], np.zeros((len(mine), 0), np.float32)),
                Features(
                    index.points[there], index.sizes[there], index.turns[there], np.zeros((0, 0), np.float32)
                ),
            )


def _agreeing(face: int, aspect: float, seen: Features, taught: Features) -> Iterator[Candidate]:
    """The places that votes for one face agree on."""
    box = np.array([[0, 0], [aspect, 0], [aspect, 1], [0, 1]], np.float32)
    own = taught.points * np.array([aspect, 1], np.float32)  # in heights of the card
    scale = seen.sizes / np.maximum(taught.sizes, 1e-4)
    turn = np.deg2rad(seen.turns - taught.turns)
    off = box.mean(axis=0) - own
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    middle = seen.points + np.stack([c * off[:, 0] - s * off[:, 1], s * off[:, 0] + c * off[:, 1]], 1)
    left = np.ones(len(scale), bool)
    reach = NEAR * np.hypot(aspect, 1.0)
    apart = np.hypot(middle[:, None, 0] - middle[:, 0], middle[:, None, 1] - middle[:, 1])
    agree = (
        (apart < reach * np.sqrt(scale[:, None] * scale))
        & (np.abs(np.log(scale[:, None] / scale)) < GROWN)
        & (np.cos(turn[:, None] - turn) > np.cos(np.deg2rad(TURN)))
    )
    while int(left.sum()) >= VOTES:
        votes = (agree & left).sum(axis=1) * left
        best = int(votes.argmax())
        those = np.nonzero(agree[best] & left)[0]
        left[those] = False
        left[best] = False
        distinct = len(np.unique(np.round(seen.points[those]), axis=0))
        if distinct < VOTES:
            return
        quad = _fitted(own[those], seen.points[those], box, float(np.median(scale[those])))
        if quad is not None:
            yield Candidate(face, as_corners(quad), distinct)


def _fitted(own: Reals, there: Reals, box: Reals, scale: float) -> Reals | None:
    """The corners of a card whose points are seen there."""
    allowed = max(3.0, 0.03 * scale)
    onto = None
    if len(own) >= FOUR_POINTS:
        onto, inside = cv2.findHomography(own, there, cv2.RANSAC, allowed)
        if onto is not None and int(inside.sum()) < FOUR_POINTS:
            onto = None
    if onto is None:
        flat, _ = cv2.estimateAffinePartial2D(
            own, there, method=cv2.RANSAC, ransacReprojThreshold=2 * allowed
        )
        if flat is None:
            return None
        onto = np.vstack([flat, [0, 0, 1]])
    quad = cv2.perspectiveTransform(box[None], onto)[0]
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return None
    area, expected = cv2.contourArea(quad.astype(np.float32)), float(box[2, 0]) * scale * scale
    return np.asarray(quad, np.float32) if 0.3 < area / max(expected, 1.0) < 3 else None


def search(grey: Grey, index: FaceIndex, taken: Sequence[Corners]) -> Iterator[Candidate | None]:
    """Everything in this picture that may be a taught face; None after each slice of work. `taken`: places
    that are known; it may grow meanwhile."""
    for outline in outlines(grey):
        if not covered(np.mean(outline, axis=0)[None], taken).any():
            best = index.most_alike(grey, outline)
            yield None if best is None or best[2] < WORTH else Candidate(best[0], best[1])
    votes = Votes(index)
    for left, top, right, bottom in tiles(grey.shape):
        free = np.full((bottom - top, right - left), 255, np.uint8)
        for corners in taken:
            cv2.fillConvexPoly(free, np.round(np.array(corners) - (left, top)).astype(np.int32), 0)
        if not free.any():
            continue
        found = features(np.ascontiguousarray(grey[top:bottom, left:right]), PER_TILE, free)
        at = found.points + np.array([left, top], np.float32)
        yield None
        yield from votes.add(Features(at, found.sizes, found.turns, found.rows))
    yield from votes.candidates()


WORTH = 0.25
"""Minimum likeness of an outline to a face before they are aligned."""


def covered(points: Reals, taken: Sequence[Corners]) -> NDArray[np.bool_]:
    """Which points lie inside one of these places."""
    inside = np.zeros(len(points), np.bool_)
    for corners in taken:
        quad = np.asarray(corners, np.float32)
        ways = np.roll(quad, -1, axis=0) - quad
        off = points[:, None] - quad
        side = ways[:, 0] * off[..., 1] - ways[:, 1] * off[..., 0]
        inside |= (side > 0).all(axis=1) | (side < 0).all(axis=1)
    return inside


CAME, HOLES = 12, 9
"""Grey steps by which a place differs once a card lies there; and the gaps in a card, in pixels of a small
copy, that may look like the table."""
SMALL = 480
"""Width of the small copy in which the place of a card that came is looked for."""
SURE = 0.15
"""How far an outline may be from where a card came, in sides of the card."""


def card_that_came(before: Pixels, now: Pixels) -> Corners | None:
    """The outline of the one card that lies there now and did not before, in colour or grey; None if nothing
    looks like one."""
    zoom = min(1.0, SMALL / now.shape[1])
    size = (max(1, round(now.shape[1] * zoom)), max(1, round(now.shape[0] * zoom)))
    then, here = (
        cv2.GaussianBlur(cv2.resize(one, size, interpolation=cv2.INTER_AREA), (0, 0), 1.0).astype(np.float32)
        for one in (before, now)
    )
    gain = float(np.clip(np.median(here / np.maximum(then, 1)), 0.5, 2.0))  # most of it is still the table
    apart = np.abs(here - then * gain)
    differs = np.asarray((apart if apart.ndim == 2 else apart.max(axis=2)) > CAME, np.uint8)
    off = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    off = cv2.morphologyEx(off, cv2.MORPH_CLOSE, np.ones((HOLES, HOLES), np.uint8))
    contours, _ = cv2.findContours(np.asarray(off, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    came = _four_corners(np.asarray(hull / zoom, np.float32), float(cv2.contourArea(hull)) / zoom**2)
    if came is None:
        return None
    return min(
        outlines_near(now, came), key=lambda quad: _off(np.array(quad), came), default=as_corners(came)
    )


def outlines_near(picture: Pixels, place: Reals) -> list[Corners]:
    """The outlines in a picture that nearly have these corners."""
    side = float(cv2.contourArea(place)) ** 0.5
    low = np.maximum(np.floor(place.min(axis=0) - side / 4).astype(int), 0)
    high = np.ceil(place.max(axis=0) + side / 4).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]]
    colours = [part] if part.ndim == 2 else [part[..., k] for k in range(part.shape[2])]
    found = [
        np.asarray(outline, np.float32) + low.astype(np.float32)
        for colour in colours
        for outline in outlines(np.ascontiguousarray(colour))
    ]
    return [as_corners(quad) for quad in found if _off(quad, place) < SURE * side]


def _off(one: Reals, other: Reals) -> float:
    """How far the corners of two outlines are apart, whichever comes first."""
    return min(float(np.abs(np.roll(one, k, axis=0) - other).max()) for k in range(4))


def upright(corners: Corners) -> Corners:
    """The same corners, beginning at the top left as the picture shows it."""
    quad = np.asarray(corners, np.float32)
    turn = min(range(4), key=lambda k: float((quad[k] + quad[(k + 1) % 4])[1]))
    return as_corners(np.roll(quad, -turn, axis=0))
