"""Labels that do not lie flat: candidate labels are bent onto the picture step by step and compared again.

A curled card or a crease displaces part of a label by a module or two; measured as if it lay flat, that part
gives the neighbouring squares. The rest is where it should be, so the right label already leads among all.
Bent onto the picture it fits everywhere, while a wrong label stays wrong however it is bent. The runners-up
are bent as well, so that no label wins by bending alone.
"""

from __future__ import annotations

import functools
from typing import Any

import cv2
import numpy as np

from vision import labels
from vision.finders import Grey, Reals
from vision.labels import MODULES
from vision.squares import NEAR

FINE = 4
"""Pixels per module of the straightened patch on which labels are bent."""
RIM = 3
"""Modules around a label that are cut out with it: it may be bent outwards."""
QUIET = 1
"""Modules of white around a label that must fit as well."""
NODES = 5
"""Control points along a side of a label whose shifts define the bend; in between it is interpolated."""
STIFF, HELD = 20.0, 0.5
"""Penalty for bending, and penalty for any shift."""
ROUNDS = 16
FURTHEST = 1.2
"""Largest error of a point per round, in steps of contrast: more is a reflection or a finger, not a bend."""
SOFT = 0.5
"""How much labels are blurred for this, in modules."""

Real = Any


def prepare() -> None:
    """Fill the caches that the first bent label would otherwise have to fill."""
    _points(), _square_points(), _stiffness()


def straightened(grey: Grey, corners: Reals) -> Reals:
    """The label with this outline and its surroundings, `FINE` pixels per module, as if it lay flat."""
    outline = np.asarray(corners, np.float32)
    low, high = np.floor(outline.min(axis=0)).astype(int), np.ceil(outline.max(axis=0)).astype(int)
    room = int((high - low).max() * RIM / MODULES) + 3
    x0, y0 = (max(0, int(v)) for v in low - room)
    x1, y1 = min(grey.shape[1], int(high[0]) + room), min(grey.shape[0], int(high[1]) + room)
    part: Real = grey[y0:y1, x0:x1].astype(np.float32)
    module = float(np.sqrt(abs(cv2.contourArea(outline)))) / MODULES
    if module > 0.75 * FINE:  # else sampling at points would be noisy
        part = cv2.GaussianBlur(part, (0, 0), 0.4 * module / FINE)
    right, down = (outline[1] - outline[0]) / MODULES, (outline[3] - outline[0]) / MODULES
    side = (MODULES + 2 * RIM) * FINE
    first = outline[0] - (x0, y0) + (right + down) * (0.5 / FINE - RIM)
    matrix = np.array(
        [[right[0] / FINE, down[0] / FINE, first[0]], [right[1] / FINE, down[1] / FINE, first[1]]], np.float64
    )
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(part, matrix, (side, side), flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def bent_squares(patch: Reals, text: str) -> Reals:
    """The 21 by 21 squares of a straightened label, measured after bending the label with this text."""
    level = _evenly(patch)
    x, y, net = _points()
    wanted, slopes, back = _slopes(text)
    shift = np.zeros((net.shape[1], 2), np.float32)
    stiff, onto = _stiffness(), np.ascontiguousarray(net.T)
    for _ in range(ROUNDS):
        off = net @ shift
        seen = cv2.remap(
            level, x + off[:, :1], y + off[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        miss = np.clip(wanted - np.asarray(seen)[:, 0], -FURTHEST, FURTHEST)
        pull = onto @ (slopes * miss[:, None]) - stiff @ shift
        step = (back @ pull.T.reshape(-1)).reshape(2, -1).T
        shift = shift + np.clip(step, -FINE * 0.6, FINE * 0.6)
    return _measured(patch, shift)


def _measured(patch: Reals, shift: Reals) -> Reals:
    per, (u, v, net) = 3, _square_points()
    off = net @ shift
    points = cv2.remap(
        patch, u + off[:, :1], v + off[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.asarray(points).reshape(MODULES, per, MODULES, per).mean(axis=(1, 3)), np.float32)


def _evenly(patch: Reals) -> Reals:
    """A patch with slow changes of light removed."""
    wide = NEAR * FINE
    mean = cv2.GaussianBlur(patch, (0, 0), wide)
    spread = cv2.GaussianBlur(patch * patch, (0, 0), wide) - mean * mean
    least = 0.09 * float(patch.var()) + 1.0
    return np.asarray((patch - mean) / np.sqrt(np.maximum(spread, 0) + least), np.float32)


@functools.cache
def _points() -> tuple[Reals, Reals, Reals]:
    """Positions of the compared points in a patch (n, 1), and the effect of each node's shift (n, nodes)."""
    return _lattice(2, QUIET)


@functools.cache
def _square_points() -> tuple[Reals, Reals, Reals]:
    """The same for the points at which squares are measured: three by three in each."""
    return _lattice(3, 0)


def _lattice(per: int, around: int) -> tuple[Reals, Reals, Reals]:
    steps = (np.arange(-around * per, (MODULES + around) * per) + 0.5) / per
    v, u = (a.ravel() for a in np.meshgrid(steps, steps, indexing="ij"))
    along = [_hats(a / MODULES * (NODES - 1)) for a in (v, u)]
    net = (along[0][:, :, None] * along[1][:, None, :]).reshape(len(u), -1)
    x, y = ((a + RIM) * FINE - 0.5 for a in (u, v))
    return (
        np.ascontiguousarray(x[:, None], np.float32),
        np.ascontiguousarray(y[:, None], np.float32),
        np.ascontiguousarray(net, np.float32),
    )


def _hats(at: Any) -> Any:
    """The weight of each node at these positions: linear between neighbours, extrapolated at the ends."""
    cell = np.clip(np.floor(at).astype(int), 0, NODES - 2)
    part = at - cell
    out = np.zeros((len(at), NODES))
    each = np.arange(len(at))
    out[each, cell], out[each, cell + 1] = 1 - part, part
    return out


@functools.cache
def _stiffness() -> Reals:
    """(nodes, nodes): the cost of shifts; bending is penalised, tilting is not."""
    bend = np.zeros((NODES - 2, NODES))
    for k in range(NODES - 2):
        bend[k, k : k + 3] = 1, -2, 1
    one, slope = np.eye(NODES), np.diff(np.eye(NODES), axis=0)
    across, down = np.kron(one, bend), np.kron(bend, one)
    askew = np.kron(slope, slope)
    cost = STIFF * (across.T @ across + down.T @ down + 2 * askew.T @ askew) + HELD * np.eye(NODES * NODES)
    return np.asarray(cost, np.float32)


@functools.lru_cache(maxsize=512)
def _slopes(text: str) -> tuple[Reals, Reals, Reals]:
    """The brightness of a label's points (n), its gradient to the right and down (n, 2), and the inverse
    matrix that turns errors in brightness into shifts of the nodes, rightward shifts first."""
    dark = np.pad(labels.matrix(text), RIM)
    light = np.kron(1 - dark.astype(np.float32), np.ones((FINE, FINE), np.float32))
    level = _evenly(np.asarray(cv2.GaussianBlur(light, (0, 0), SOFT * FINE) * 100, np.float32))
    gy, gx = np.gradient(level)
    x, y, net = _points()
    bright, across, down = (
        np.asarray(cv2.remap(np.asarray(of, np.float32), x, y, cv2.INTER_LINEAR), np.float32)[:, 0]
        for of in (level, gx, gy)
    )
    onto = np.hstack([across[:, None] * net, down[:, None] * net])
    pull = onto.T @ onto + np.kron(np.eye(2, dtype=np.float32), _stiffness())
    return bright, np.column_stack([across, down]), np.asarray(np.linalg.inv(pull), np.float32)
