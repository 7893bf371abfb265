"""The squares of a label as grey values: a place is fitted exactly onto the patterns all labels share, then
sampled.

A pose is a row of six numbers: the symbol's middle, one module to the right and one module down (x, y each,
in pixels). Labels this small show no noticeable perspective, so a pose needs no more parameters. An *eye* is
a finder pattern, the square in three corners of a QR code.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import cv2
import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from vision.finders import Reals
from vision.labels import MODULES

FIT = 0.4
"""Minimum fit of the patterns all labels share: below this, a place is not a label."""
UPRIGHT = 0.8
"""From this fit on, the orientation of a label is certain."""
FIRST_FIT, ROUGH_FIT = 0.15, 0.3
SOFT = 0.55
"""How much the shared patterns are blurred, in modules: like a small label in a good picture."""
ROWS = 8192
"""Rows sampled at once: OpenCV cannot resample pictures taller than 32767 rows."""
NEAR = 2.5
"""Distance in modules over which the light counts as constant."""
FAINT_EYE = 0.15
"""An eye with less than this share of the strongest eye's contrast gets less weight."""
DULL_EYE = 0.25
"""An eye that fits less than this counts as washed out."""
APART = 4.0
"""Two places closer than this many modules cannot both be labels."""


@functools.cache
def shared() -> NDArray[np.bool_]:
    """Which squares all labels share: eyes with their borders, timing patterns, and the dark module."""
    out = np.zeros((MODULES, MODULES), np.bool_)
    out[:8, :8] = out[:8, -8:] = out[-8:, :8] = True
    out[6, :] = out[:, 6] = out[13, 8] = True
    return out


@functools.cache
def shared_dark() -> NDArray[np.bool_]:
    """The shared squares that are dark."""
    out = np.zeros((MODULES, MODULES), np.bool_)
    for y, x in ((0, 0), (0, 14), (14, 0)):
        out[y : y + 7, x : x + 7] = True
        out[y + 1 : y + 6, x + 1 : x + 6] = False
        out[y + 2 : y + 5, x + 2 : x + 5] = True
    out[6, 8:13:2] = out[8:13:2, 6] = out[13, 8] = True
    return out


class Fitter(Struct, frozen=True):
    """Points of a symbol (in modules from its middle), their expected brightness, and how a wrong pose
    changes it.

    The points of each eye are stored together. Brightness, its slope and contrast are removed per eye, so
    that a lamp mirrored over one eye does not spoil the others.
    """

    u: Reals
    v: Reals
    bright: Reals
    undo: Reals
    slopes: Reals
    eyes: tuple[int, ...]
    rise: Reals
    """(n, 2): increase of brightness one module to the right and one down, relative to the eye's contrast."""

    def seen(self, grey: Any, x: Reals, y: Reals) -> Reals:
        """The picture at these points (in pixels), with brightness and contrast removed, length 1."""
        points = sample(grey, x, y)
        spread = []
        for first, last in itertools.pairwise(self.eyes):
            part, slope = points[:, first:last], self.slopes[first:last]
            part -= (part @ slope) @ slope.T
            spread.append(np.sqrt(np.einsum("ij,ij->i", part, part)))
        strongest = np.maximum(np.max(spread, axis=0), 1.0)
        for (first, last), size in zip(itertools.pairwise(self.eyes), spread, strict=True):
            points[:, first:last] /= np.maximum(size, FAINT_EYE * strongest)[:, None]
        return points * np.float32(len(spread) ** -0.5)

    def missed(self, seen: Reals) -> tuple[Reals, Reals]:
        """How well it fits (-1..1), and the error of each point. A washed-out eye contributes no error."""
        alike = seen * self.bright
        off = np.empty_like(seen)
        for first, last in itertools.pairwise(self.eyes):
            eye = alike[:, first:last].sum(axis=1, keepdims=True) * (len(self.eyes) - 1)
            part = seen[:, first:last] / np.maximum(eye, DULL_EYE) - self.bright[first:last]
            off[:, first:last] = np.where(eye > DULL_EYE, part, 0)
        return np.asarray(alike.sum(axis=1), np.float32), off

    def undoing(self, terms: Any, held: Any = 0.0) -> Reals:
        """(n, 2k): maps the errors of the points to the error of each of k terms (n, k) of the pose, to the
        right first, then down. `held` (k): the penalty for changing a term."""
        wrong = np.hstack([self.rise[:, :1] * terms, self.rise[:, 1:] * terms]).astype(np.float64)
        for first, last in itertools.pairwise(self.eyes):
            part = slice(first, last)
            bright = self.bright[part, None] / np.linalg.norm(self.bright[part])
            light = np.hstack([self.slopes[part], bright])
            wrong[part] -= light @ (light.T @ wrong[part])  # remove what light alone explains
        cost = np.diag(np.tile(np.broadcast_to(held, terms.shape[1:]), 2))
        return np.asarray(np.linalg.solve(wrong.T @ wrong + cost, wrong.T).T, np.float32)


@functools.cache
def fitter(per_module: int) -> Fitter:
    fine, rim = 12, 4
    known = np.pad(shared(), rim)
    beside = (
        cv2.dilate(known.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    )  # with one light module around the eyes
    inside = np.zeros_like(known)
    inside[rim:-rim, rim:-rim] = True
    use = known | (beside & ~inside)
    light = np.kron(1.0 - np.pad(shared_dark(), rim), np.ones((fine, fine))).astype(np.float32)
    soft = cv2.GaussianBlur(light, (0, 0), SOFT * fine, borderType=cv2.BORDER_REPLICATE)
    slope_y, slope_x = np.gradient(soft)
    steps = (np.arange(-per_module, (MODULES + 1) * per_module) + 0.5) / per_module
    v, u = np.meshgrid(steps, steps, indexing="ij")
    row, column = np.floor(v).astype(int) + rim, np.floor(u).astype(int) + rim
    u, v = u[use[row, column]], v[use[row, column]]
    eye = np.where(
        u + v < MODULES, 0, np.where(u > v, 1, 2)
    )  # index of the nearest eye: top left, top right, bottom left
    order = np.argsort(eye, kind="stable")
    u, v, eyes = u[order], v[order], tuple(int(n) for n in np.searchsorted(eye[order], range(4)))
    y, x = ((v + rim) * fine).astype(int), ((u + rim) * fine).astype(int)
    bright, gx, gy = soft[y, x], slope_x[y, x] * fine, slope_y[y, x] * fine
    u, v = u - MODULES / 2, v - MODULES / 2
    rise = np.stack([gx, gy], 1)
    slopes = np.zeros((len(u), 3))
    for first, last in itertools.pairwise(eyes):
        part = slice(first, last)
        slopes[part] = np.linalg.qr(np.stack([np.ones(last - first), u[part], v[part]], 1))[0]
        bright[part] -= slopes[part] @ (slopes[part].T @ bright[part])
        long = float(np.linalg.norm(bright[part])) * (len(eyes) - 1) ** 0.5
        bright[part] /= long
        rise[part] /= long
    nothing = np.zeros((0, 0), np.float32)
    across, down, light_, slopes_, rise_ = (
        np.ascontiguousarray(a, np.float32) for a in (u, v, bright, slopes, rise)
    )
    plain = Fitter(across, down, light_, nothing, slopes_, eyes, rise_)
    return structs.replace(plain, undo=plain.undoing(np.stack([np.ones_like(across), across, down], 1)))


def prepare() -> None:
    """Fill the caches that the first picture would otherwise have to fill."""
    fitter(1), fitter(2)


def refine(grey: Any, poses: Reals) -> tuple[Reals, Reals]:
    """Poses moved to where the shared patterns fit best, and how well they fit (-1..1).

    One pose per place, or the two likeliest orientations if the orientation is uncertain.
    """
    if not len(poses):
        return poses, np.zeros(0, np.float32)
    _, fit = _fitted(grey, poses, fitter(1), 0)
    poses, fit = _fitted(grey, poses[fit > FIRST_FIT], fitter(1), 2)
    best, second = _ways_up(grey, poses[_alone(poses, fit, ROUGH_FIT)])
    poses, fit = _fitted(grey, best, fitter(2), 4)
    others, others_fit = _fitted(grey, second[fit < UPRIGHT], fitter(2), 4)
    keep, keep_too = _alone(poses, fit, FIT), _alone(others, others_fit, FIT)
    return np.vstack([poses[keep], others[keep_too]]), np.concatenate([fit[keep], others_fit[keep_too]])


def measure(grey: Any, poses: Reals, fine: int = 3) -> Reals:
    """The brightness of all squares of each symbol (n, 21, 21): the mean of `fine` by `fine` points each."""
    steps = (np.arange(MODULES * fine) + 0.5) / fine - MODULES / 2
    v, u = np.meshgrid(steps, steps, indexing="ij")
    points = sample(grey, *_spread(poses, u.ravel().astype(np.float32), v.ravel().astype(np.float32)))
    return np.asarray(points.reshape(-1, MODULES, fine, MODULES, fine).mean(axis=(2, 4)), np.float32)


def evened(squares: Reals) -> Reals:
    """Squares with the slow changes of light across a symbol removed: local mean and local contrast."""
    near = _near()
    mean = near @ squares @ near.T
    spread = np.maximum(near @ (squares * squares) @ near.T - mean * mean, 0)
    least = 0.09 * squares.var(axis=(1, 2), keepdims=True) + 1e-6
    return np.asarray((squares - mean) / np.sqrt(spread + least), np.float32)


@functools.cache
def _near() -> Reals:
    at = np.arange(MODULES)
    weight = np.exp(-0.5 * ((at[:, None] - at) / NEAR) ** 2)
    return np.asarray(weight / weight.sum(axis=1, keepdims=True), np.float32)


def sharpened(squares: Reals, much: float = 1.0) -> Reals:
    """Squares with part of the lens blur removed."""
    pad = np.pad(squares, ((0, 0), (1, 1), (1, 1)), mode="edge")
    beside = pad[:, :-2, 1:-1] + pad[:, 2:, 1:-1] + pad[:, 1:-1, :-2] + pad[:, 1:-1, 2:]
    askew = pad[:, :-2, :-2] + pad[:, 2:, 2:] + pad[:, 2:, :-2] + pad[:, :-2, 2:]
    return np.asarray(squares + much * (squares - beside / 4) + much / 2 * (squares - askew / 4), np.float32)


def _ways_up(grey: Any, poses: Reals) -> tuple[Reals, Reals]:
    """Each pose rotated in quarter turns to where the eyes belong: the likeliest orientation and the next.

    If one of three spots is not really an eye, the orientation derived from them is wrong: so all four are
    compared, with the light evened out.
    """
    if not len(poses):
        return poses, poses
    level = evened(measure(grey, poses, 1))
    wanted = np.where(shared(), np.where(shared_dark(), -1.0, 1.0), 0.0).astype(np.float32)
    wanted[shared()] -= wanted[shared()].mean()
    alike = np.stack([(np.rot90(level, k, axes=(1, 2)) * wanted).sum(axis=(1, 2)) for k in range(4)])
    right, down = poses[:, 2:4], poses[:, 4:6]
    turned = np.stack(
        [
            np.hstack([poses[:, :2], a, b])
            for a, b in ((right, down), (down, -right), (-right, -down), (-down, right))
        ]
    )
    order = np.argsort(-alike, axis=0)
    each = np.arange(len(poses))
    return turned[order[0], each], turned[order[1], each]


def _fitted(grey: Any, poses: Reals, by: Fitter, rounds: int) -> tuple[Reals, Reals]:
    """Inverse compositional Lucas-Kanade: the pattern's gradients are precomputed, so a round is one matrix
    product.

    The best of all rounds counts.
    """
    best, best_fit = poses, np.full(len(poses), -1, np.float32)
    if not len(poses):
        return best, best_fit
    for turn in range(rounds + 1):
        fit, off = by.missed(by.seen(grey, *_spread(poses, by.u, by.v)))
        better = fit > best_fit
        best, best_fit = np.where(better[:, None], poses, best), np.where(better, fit, best_fit)
        if turn == rounds:
            break
        step = off @ by.undo
        du, dv = step[:, :3], step[:, 3:]
        for part in (du, dv):
            part[:, :1] = np.clip(part[:, :1], -0.7, 0.7)
            part[:, 1:] = np.clip(part[:, 1:], -0.05, 0.05)
        right, down = poses[:, 2:4], poses[:, 4:6]
        poses = np.hstack(
            [
                poses[:, :2] - du[:, :1] * right - dv[:, :1] * down,
                right - du[:, 1:2] * right - dv[:, 1:2] * down,
                down - du[:, 2:] * right - dv[:, 2:] * down,
            ]
        )
    return best, np.asarray(best_fit, np.float32)


def _alone(poses: Reals, fit: Reals, least: float) -> NDArray[np.intp]:
    """The best pose of each place, best first."""
    order = np.argsort(-fit)
    order = order[fit[order] > least]
    middles = poses[order, :2]
    reach = APART * np.hypot(poses[order, 2], poses[order, 3])
    open_ = np.ones(len(order), np.bool_)
    out = []
    for k in range(len(order)):
        if open_[k]:
            out.append(order[k])
            open_ &= np.hypot(*(middles - middles[k]).T) > reach[k]
    return np.array(out, np.intp)


def _spread(poses: Reals, u: Reals, v: Reals) -> tuple[Reals, Reals]:
    """Pixels of points given in modules from the middle, for each pose (n, points)."""
    x = poses[:, 0:1] + poses[:, 2:3] * u + poses[:, 4:5] * v
    y = poses[:, 1:2] + poses[:, 3:4] * u + poses[:, 5:6] * v
    return x, y


def sample(grey: Any, x: Reals, y: Reals) -> Reals:
    """The picture at points between its pixels; points outside take the value of the border."""
    if not x.size:
        return np.zeros(x.shape, np.float32)
    parts = [
        cv2.remap(grey, x[k : k + ROWS], y[k : k + ROWS], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for k in range(0, len(x), ROWS)
    ]
    return np.concatenate(parts).astype(np.float32)


def equalised(squares: Reals) -> Reals:
    """Squares as a decoder wants them: below 0 is dark, above is light.

    The shared patterns show how the lens blurred this very label (evenly, or along one direction), as a modem
    learns its line from a known tone. The small filter that best restores them to plain dark and light is
    applied to the whole symbol.
    """
    flat = squares - squares.mean(axis=(1, 2), keepdims=True)
    flat /= flat.std(axis=(1, 2), keepdims=True) + 1e-6
    pad = np.pad(flat, ((0, 0), (2, 2), (2, 2)), mode="edge")

    def pair(down: int, right: int) -> Reals:
        end = MODULES + 2
        there = pad[:, 2 + down : end + down, 2 + right : end + right]
        back = pad[:, 2 - down : end - down, 2 - right : end - right]
        return np.asarray(there + back, np.float32)

    parts = [
        flat,
        pair(0, 1),
        pair(1, 0),
        pair(1, 1),
        pair(1, -1),
        pair(0, 2),
        pair(2, 0),
        np.ones_like(flat),
    ]
    inputs = np.stack(parts, axis=-1)
    known = inputs[:, shared()]
    wanted = np.where(shared_dark(), -1.0, 1.0)[shared()].astype(np.float32)
    loose = np.diag([30.0] * 7 + [0.0]).astype(np.float32)
    usual = np.array([2.5, -0.3, -0.3, -0.1, -0.1, 0.0, 0.0, 0.0], np.float32)
    square = np.einsum("nik,nil->nkl", known, known) + loose + 1e-4 * np.eye(8, dtype=np.float32)
    side = known.transpose(0, 2, 1) @ wanted + loose @ usual
    return np.asarray(
        np.einsum("nyxk,nk->nyx", inputs, np.linalg.solve(square, side[..., None])[..., 0]), np.float32
    )
