"""Faces: components known by what is printed on them, after somebody has shown each of them once.

A taught face is kept as a small straightened picture, as blocks of it without brightness and contrast, and as
the features it can be found by. A place in a picture is straightened, aligned with a face, and compared block
by block with every face; blocks that all faces share, such as the frame of a card, count little. It shows a
face only if it is much more like it than like every other. Knows no game: a face is a tuple of label texts,
one for each copy of the component.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from vision.face_features import Features, features
from vision.finders import Grey, Reals
from vision.reprints import reprints
from vision.sightings import Corners

WIDE, HIGH, BLOCK = 96, 132, 12
"""Size in pixels of a straightened face, and of its blocks."""
ACROSS, DOWN = WIDE // BLOCK, HIGH // BLOCK
LEAST_SCORE, LEAST_LEAD = 0.55, 0.20
"""Minimum likeness to a face (-1..1), and minimum lead over every other face."""
PART, PART_SCORE, PART_LEAD, PART_FEATURES = 0.6, 0.75, 0.30, 10
"""For a card that is partly covered: the share of its face that is compared, the most alike; its minimum
likeness and lead; and the minimum number of features that agree on the face."""
ALIKE = 0.6
"""Faces that are more alike than this, once aligned, are twins: they are told when taught, and never answer."""
NEARLY, SHIFTS = 0.3, (-3, 0, 3)
"""Faces that are more alike than this are rivals: what shows one of them is compared with the others as they
look when aligned with it. The shifts are pixels, tried because no two faces are cut out at the same edge."""
FLAT = 5.0
"""Grey steps: blocks with less contrast than this count less, because they show mostly noise."""
RIM = 12
"""Pixels around a straightened place in which its true edges are looked for."""
STEPS, CLOSE = 25, 1e-3
"""Most steps of the alignment, and the gain below which it ends."""
EVEN = 21
"""Width in pixels of the surroundings in which contrast is evened out before aligning."""
RIVALS = 8
"""Most rivals of a face, those that are most like it."""
LARGEST = 420
"""Longest side in pixels of the picture that a face's features come from."""
FEATURES = 220
"""Most features kept of a face, the strongest."""


class TaughtFace(Struct, frozen=True):
    """A taught face: the texts of its copies' labels, its picture (upright, grey) and its width divided by its
    height. `alone`: whether it may answer by itself, as all components of its sort are taught."""

    texts: tuple[str, ...]
    small: Grey
    blocks: Reals
    features: Features
    aspect: float
    alone: bool = True


class FaceJudgement(Struct, frozen=True):
    """What a place shows: the number of a face, its corners as aligned, likeness and lead, and whether the
    whole face was compared."""

    face: int
    corners: Corners
    score: float
    lead: float
    whole: bool = True


def teach(texts: Iterable[str], picture: Grey, *, alone: bool = True) -> TaughtFace:
    """The face in this upright picture, which shows nothing else."""
    high, wide = picture.shape
    zoom = min(1.0, LARGEST / max(high, wide))
    seen = picture if zoom == 1 else _resized(picture, (round(wide * zoom), round(high * zoom)))
    found = features(seen, FEATURES)
    size = np.array([seen.shape[1], seen.shape[0]], np.float32)
    kept = Features(found.points / size, found.sizes / size[1], found.turns, found.rows)
    small = _resized(picture, (WIDE, HIGH))
    return TaughtFace(tuple(texts), small, blocks_of(small), kept, wide / high, alone)


def straightened(grey: Grey, corners: Any, size: tuple[int, int] = (WIDE, HIGH), rim: int = 0) -> Grey:
    """The place with these corners, seen from above, with a rim around it."""
    quad = np.asarray(corners, np.float32)
    wide, high = size
    box = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) + np.float32(rim - 0.5)
    side = float(np.hypot(*(quad[1] - quad[0])) + np.hypot(*(quad[2] - quad[3]))) / 2
    coarse = side / wide
    if coarse > 2:  # average what is much larger than needed
        x0, y0 = np.maximum(np.floor(quad.min(axis=0) - side * 0.2).astype(int), 0)
        x1, y1 = np.ceil(quad.max(axis=0) + side * 0.2).astype(int)
        part = grey[y0 : max(y0, y1), x0 : max(x0, x1)]
        if min(part.shape) > 2 * coarse:
            before = (part.shape[1], part.shape[0])
            grey = _resized(part, (round(before[0] / coarse * 1.5), round(before[1] / coarse * 1.5)))
            scale = np.array([grey.shape[1] / before[0], grey.shape[0] / before[1]], np.float32)
            quad = (quad - np.array([x0, y0], np.float32) + np.float32(0.5)) * scale - np.float32(0.5)
    onto = cv2.getPerspectiveTransform(quad, box)
    out = (wide + 2 * rim, high + 2 * rim)
    return np.asarray(
        cv2.warpPerspective(grey, onto, out, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def blocks_of(small: Grey) -> Reals:
    """The blocks (88, 144) of a straightened face, without brightness and contrast."""
    smooth = cv2.GaussianBlur(small, (0, 0), 0.8).astype(np.float32)
    cut = smooth.reshape(DOWN, BLOCK, ACROSS, BLOCK).swapaxes(1, 2).reshape(DOWN * ACROSS, BLOCK * BLOCK)
    flat = cut - cut.mean(axis=1, keepdims=True)
    spread = max(1.0, float(smooth.std()) / 50)  # a dim picture has less contrast in every block
    floor = BLOCK * BLOCK * (FLAT * min(1.0, spread)) ** 2
    return np.asarray(flat / np.sqrt((flat * flat).sum(axis=1, keepdims=True) + floor), np.float32)


class FaceIndex:
    """All taught faces of the boxes in play. Immutable."""

    def __init__(self, faces: Iterable[TaughtFace]) -> None:
        self.faces = tuple(faces)
        self.aspects = np.array([face.aspect for face in self.faces], np.float32)
        if not self.faces:
            return
        blocks = np.stack([face.blocks for face in self.faces])
        self._blocks = np.ascontiguousarray(blocks.swapaxes(0, 1))  # (88, faces, 144)
        self._weight = _unshared(self._blocks)
        self._even = tuple(_even(face.small) for face in self.faces)
        self._power = _power(self._blocks)
        every = [face.features for face in self.faces]
        self.owner = np.repeat(np.arange(len(every)), [len(one) for one in every])
        self.points, self.sizes, self.turns, self.rows = (
            np.concatenate([getattr(one, name) for one in every])
            for name in ("points", "sizes", "turns", "rows")
        )

    def __len__(self) -> int:
        return len(self.faces)

    @functools.cached_property
    def _rivals(self) -> tuple[tuple[tuple[int, ...], Any], ...]:
        """For each face: the numbers of its rivals, and their blocks (88, rivals, 144) as they look when they
        are aligned with it. Half precision: there may be many."""
        likeness = np.stack([self._shifted(face.small) for face in self.faces])
        likeness = np.maximum(likeness, likeness.T)
        np.fill_diagonal(likeness, -1)
        out = []
        for face, row in enumerate(likeness):
            which = tuple(k for k in np.argsort(-row)[:RIVALS].tolist() if row[k] > NEARLY)
            blocks = [self._as_if(other, face) for other in which]
            kept = np.stack(blocks, 1) if blocks else self._blocks[:, :0]
            out.append((which, kept.astype(np.float16)))
        return tuple(out)

    @functools.cached_property
    def twins(self) -> tuple[tuple[int, ...], ...]:
        """For each face, the others that it cannot be told from. Computed when it is first needed, because
        comparing all faces takes seconds: ask for it before a camera does."""
        found: list[set[int]] = [set() for _ in self.faces]
        twins = set(reprints([face.features for face in self.faces]))
        for face, (which, blocks) in enumerate(self._rivals if self.faces else ()):
            scores = self._scored(self.faces[face].blocks, blocks.astype(np.float32))
            twins |= {(face, other) for other, score in zip(which, scores, strict=True) if score > ALIKE}
        for one, other in twins:
            found[one].add(other)
            found[other].add(one)
        return tuple(tuple(sorted(others)) for others in found)

    def _as_if(self, other: int, face: int) -> Reals:
        """The blocks of another face as it looks when it is aligned with this one."""
        small = self.faces[other].small
        return blocks_of(straightened(small, self.align(small, WHOLE, face) or WHOLE))

    def _shifted(self, small: Grey) -> Reals:
        """How much a straightened picture is like each face, each at the best of some small shifts."""
        moved = (_moved(small, across, down) for across in SHIFTS for down in SHIFTS)
        return np.asarray(np.max([self.scores(blocks_of(one)) for one in moved], axis=0))

    def scores(self, blocks: Reals) -> Reals:
        """How much a straightened place is like each face (-1..1)."""
        return self._scored(blocks, self._blocks, self._power)

    def _scored(self, blocks: Reals, known: Reals, power: Reals | None = None) -> Reals:
        """How much it is like each of these faces (88, faces, 144); `power`: their contrast, if it is known."""
        weight, own = self._weight, (blocks * blocks).sum(axis=1)
        theirs = weight @ (_power(known) if power is None else power)
        alike = weight @ (known @ blocks[:, :, None])[..., 0]
        return np.asarray(alike / (np.sqrt((weight @ own) * theirs) + 1e-6), np.float32)

    def _parts(self, blocks: Reals, known: Reals) -> Reals:
        """The same for the share of each face that is most alike."""
        own, power = (blocks * blocks).sum(axis=1), _power(known)
        each = (known @ blocks[:, :, None])[..., 0] / np.sqrt(own[:, None] * power + 1e-6)
        weight = self._weight[:, None] * np.sqrt(power)
        order = np.argsort(-each, axis=0)
        ordered = np.take_along_axis(weight, order, axis=0)
        taken = ordered.cumsum(axis=0) <= PART * ordered.sum(axis=0)
        best = np.take_along_axis(each, order, axis=0)
        return np.asarray((best * ordered * taken).sum(axis=0) / ((ordered * taken).sum(axis=0) + 1e-6))

    def align(self, grey: Grey, corners: Corners, face: int) -> Corners | None:
        """The corners of this face near this place; None if it does not fit."""
        blocks = self.faces[face].blocks
        best, most = None, 0.0
        quad = corners
        for motion in (cv2.MOTION_AFFINE, cv2.MOTION_HOMOGRAPHY):
            found = self._nudged(grey, quad, face, motion)
            if found is None:
                break
            quad = found
            here = blocks_of(straightened(grey, quad))
            alike = float((here * blocks).sum())
            if alike > most:
                best, most = quad, alike
        return best

    def _nudged(self, grey: Grey, corners: Corners, face: int, motion: int) -> Corners | None:
        seen = _even(straightened(grey, corners, rim=RIM))
        onto = np.array([[1, 0, RIM], [0, 1, RIM], [0, 0, 1]], np.float32)
        onto = onto if motion == cv2.MOTION_HOMOGRAPHY else onto[:2]
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, CLOSE)
        try:
            _, found = cv2.findTransformECC(self._even[face], seen, onto, motion, stop)
        except cv2.error:  # nothing in common
            return None
        whole = np.vstack([found, [0, 0, 1]])[:3].astype(np.float32)
        box = np.array([[[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]]], np.float32) - np.float32(0.5)
        there = cv2.perspectiveTransform(box, whole)
        back = cv2.getPerspectiveTransform(box[0] + np.float32(RIM), np.asarray(corners, np.float32))
        quad = cv2.perspectiveTransform(there, back)[0]
        return as_corners(quad) if _is_place(quad) else None

    def judge(self, grey: Grey, corners: Corners, face: int, agreeing: int = 0) -> FaceJudgement | None:
        """Whether this place shows this face. `agreeing`: how many features say so."""
        aligned = self.align(grey, corners, face)
        return None if aligned is None else self.judge_there(grey, aligned, face, agreeing)

    def judge_there(self, grey: Grey, corners: Corners, face: int, agreeing: int = 0) -> FaceJudgement | None:
        """The same, if the corners are known exactly."""
        blocks, rivals = blocks_of(straightened(grey, corners)), self._rivals[face][1].astype(np.float32)
        score, lead = _ahead(self.scores(blocks), face, self._scored(blocks, rivals))
        if score >= LEAST_SCORE and lead >= LEAST_LEAD:
            return FaceJudgement(face, corners, score, lead)
        if agreeing < PART_FEATURES:
            return None
        score, lead = _ahead(self._parts(blocks, self._blocks), face, self._parts(blocks, rivals))
        if score >= PART_SCORE and lead >= PART_LEAD:
            return FaceJudgement(face, corners, score, lead, whole=False)
        return None

    def stays(self, grey: Grey, corners: Corners, face: int) -> bool:
        """A quick second look: whether this place still shows this whole face."""
        blocks, rivals = blocks_of(straightened(grey, corners)), self._rivals[face][1].astype(np.float32)
        close = np.concatenate([self._blocks[:, face : face + 1], rivals], axis=1)
        score, lead = _ahead(self._scored(blocks, close), 0)
        return score >= LEAST_SCORE and lead >= LEAST_LEAD

    def nearest(self, face: TaughtFace) -> tuple[int, float]:
        """The number of the face that another face is most like, and how much, whichever side of it is up."""
        best = 0, -1.0
        for turn in (0, 2):
            turned = straightened(face.small, np.roll(np.array(WHOLE), turn, axis=0))
            for number in np.argsort(-self._shifted(turned))[:CLOSEST].tolist():
                corners = self.align(turned, WHOLE, number) or WHOLE
                score = float(self.scores(blocks_of(straightened(turned, corners)))[number])
                best = max(best, (number, score), key=lambda one: one[1])
        return best

    def most_alike(self, grey: Grey, corners: Corners) -> tuple[int, Corners, float] | None:
        """The face that a place is most like, whichever side is up; its corners begin at its own top left."""
        best: tuple[int, Corners, float] | None = None
        quad = np.asarray(corners, np.float32)
        for turn in range(4):
            turned = np.roll(quad, -turn, axis=0)
            across, down = (float(np.hypot(*(turned[k] - turned[0]))) for k in (1, 3))
            fits = np.abs(np.log(self.aspects * down / max(1.0, across))) < ASPECT
            if not fits.any():
                continue
            scores = np.where(fits, self.scores(blocks_of(straightened(grey, turned))), -1)
            face = int(scores.argmax())
            if best is None or scores[face] > best[2]:
                best = face, as_corners(turned), float(scores[face])
        return best


WHOLE: Corners = ((-0.5, -0.5), (WIDE - 0.5, -0.5), (WIDE - 0.5, HIGH - 0.5), (-0.5, HIGH - 0.5))
"""The corners of a straightened picture."""
CLOSEST = 3
"""Faces that a new one is aligned with, to see which it is like."""
ASPECT = 0.35
"""Largest difference of a place's proportions from a face's, as a logarithm: a slanted card looks shorter."""


def _moved(small: Grey, across: int, down: int) -> Grey:
    """A picture moved by so many pixels; its edge is repeated."""
    onto = np.array([[1, 0, across], [0, 1, down]], np.float32)
    return np.asarray(cv2.warpAffine(small, onto, (WIDE, HIGH), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _even(small: Grey) -> Reals:
    """A picture with the same contrast everywhere, so that a reflection does not outweigh the rest."""
    value = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
    flat = value - cv2.blur(value, (EVEN, EVEN))
    spread = np.sqrt(cv2.blur(flat * flat, (EVEN, EVEN)) + FLAT * FLAT)
    return np.asarray(np.clip(flat / spread, -2.5, 2.5), np.float32)


def _unshared(blocks: Reals) -> Reals:
    """The weight of each block: how much of it differs from face to face, squared."""
    count = blocks.shape[1]
    if count < 2:
        return np.ones(len(blocks), np.float32)
    common = blocks.mean(axis=1)
    power = np.maximum((blocks * blocks).sum(axis=2).mean(axis=1), 1e-6)
    share = (count * (common * common).sum(axis=1) / power - 1) / (count - 1)
    return np.asarray(np.clip(1 - share, 0.05, 1) ** 2, np.float32)


def _power(blocks: Reals) -> Reals:
    """The contrast of each block of each face (88, faces)."""
    return np.asarray(np.einsum("bfp,bfp->bf", blocks, blocks))


def _ahead(scores: Reals, face: int, rivals: Sequence[float] | Reals = ()) -> tuple[float, float]:
    """The score of a face, and its lead over all others and its rivals."""
    own = float(scores[face])
    return own, own - float(max((0.0, *np.delete(scores, face), *rivals)))


def _is_place(quad: Any) -> bool:
    """Whether these corners can be those of a card: a convex shape that is not too slanted."""
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    pairs = np.stack([sides[:2], sides[2:]])
    return bool(sides.min() > 8 and (pairs.max(axis=0) < 1.8 * pairs.min(axis=0)).all())


def as_corners(quad: Any) -> Corners:
    """Four points as plain numbers."""
    return tuple((float(x), float(y)) for x, y in quad)


def _resized(grey: Grey, size: tuple[int, int]) -> Grey:
    smaller = size[0] < grey.shape[1]
    how = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(grey, (max(1, size[0]), max(1, size[1])), interpolation=how), np.uint8)
