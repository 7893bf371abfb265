"""Cards on the virtual table that do not lie flat: curled like a leaf, or creased through their label.

A bent card is a surface above the table. Its points are projected from the lens onto the table and painted
there like everything else, so the ground truth about its label is exact.
"""

import cv2
import numpy as np

from vision import virtual_paint as paint
from vision.virtual_geometry import (
    Lying,
    Picture,
    Pose,
    Size,
    box,
    card_to_table,
    focus,
    label_to_card,
    through,
)

NODES = 8  # fine pixels between two points whose position on the card is computed; linear in between
ROUNDS = 12
SHADE = 0.4  # how much brighter or darker a slope of 45 degrees is


def is_flat(it: Lying) -> bool:
    return not it.curl and not it.crease


def eye(pose: Pose, size: Size) -> Picture:
    """(3,): the position of the lens in table millimetres; the last coordinate is its height."""
    away = focus(size) * pose.width / size[0]
    lean = np.deg2rad(pose.tilt)
    return np.array([pose.x, pose.y + away * np.sin(lean), away * np.cos(lean)])


def raised(it: Lying, points: Picture) -> Picture:
    """(n, 3): where points of a card (mm) are once it is bent, in card millimetres, with their height."""
    rng = paint.dice("bend", it.text)
    flat = np.asarray(points, float)
    height = np.zeros(len(flat))
    turn = np.deg2rad(rng.choice([0, 90]) + rng.uniform(-25, 25))
    if it.curl:
        along = np.array([np.cos(turn), np.sin(turn)])
        reach = float(np.abs((box(*it.card) - np.array(it.card) / 2) @ along).max())
        radius = 2 * reach / np.deg2rad(abs(it.curl))
        at = (flat - np.array(it.card) / 2) @ along
        bowl = radius * (1 - np.cos(at / radius))
        height += bowl if it.curl > 0 else radius * (1 - np.cos(reach / radius)) - bowl
        flat = flat + np.outer(radius * np.sin(at / radius) - at, along)
    if it.crease:
        lean = np.deg2rad(rng.uniform(0, 360))
        across = np.array([np.cos(lean), np.sin(lean)])
        middle = through(label_to_card(it.text, it.size, it.card), np.array([[it.size / 2, it.size / 2]]))[0]
        over = np.maximum((flat - middle) @ across - 0.15 * it.size * float(rng.uniform(-1, 1)), 0)
        fold = np.deg2rad(it.crease)
        flat = flat + np.outer(over * (np.cos(fold) - 1), across)
        height = height + over * np.sin(fold)
    return np.column_stack([flat, height])


def on_table(it: Lying, points: Picture, lens: Picture) -> Picture:
    """(n, 2): where the lens sees points of a card on the table; of a flat card, where they are."""
    if is_flat(it):
        return through(card_to_table(it), np.asarray(points, float))
    bent = raised(it, points)
    there = through(card_to_table(it), bent[:, :2])
    nearer = lens[2] / (lens[2] - bent[:, 2:])
    return np.asarray(lens[:2] + (there - lens[:2]) * nearer)


def paste_bent(
    flat: Picture, face: Picture, per_mm: float, it: Lying, to_flat: Picture, lens: Picture
) -> None:
    """Paint a bent card onto the table: `face` is the card with its label, at this many pixels per mm."""
    finer = 2
    rim = through(to_flat, on_table(it, _outline(it.card), lens))
    x0, y0 = np.maximum(np.floor(rim.min(axis=0)).astype(int) - 1, 0)
    x1 = min(int(np.ceil(rim[:, 0].max())) + 2, flat.shape[1])
    y1 = min(int(np.ceil(rim[:, 1].max())) + 2, flat.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    size = (int(x1 - x0), int(y1 - y0))
    columns, rows = (-(-v * finer // NODES) for v in size)
    steps = [(np.arange(n) * NODES + NODES / 2) / finer - 0.5 for n in (columns, rows)]
    x, y = np.meshgrid(steps[0] + x0, steps[1] + y0)
    wanted = through(np.linalg.inv(to_flat), np.column_stack([x.ravel(), y.ravel()]))
    card = _card_points(it, wanted, lens)
    light = _shaded(it, card).reshape(rows, columns).astype(np.float32)
    maps = [(card[:, k] * per_mm - 0.5).reshape(rows, columns).astype(np.float32) for k in (0, 1)]
    whole = (columns * NODES, rows * NODES)
    u, v, bright = (cv2.resize(field, whole, interpolation=cv2.INTER_LINEAR) for field in (*maps, light))
    fine = cv2.remap(face, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    fine = np.clip(fine * bright[:, :, None], 0, 255).astype(np.uint8)
    high, wide = face.shape[:2]
    mask = ((u > -0.5) & (v > -0.5) & (u < wide - 0.5) & (v < high - 0.5)).astype(np.uint8) * np.uint8(255)
    cut = (slice(0, size[1] * finer), slice(0, size[0] * finer))
    fine = cv2.resize(np.ascontiguousarray(fine[cut]), size, interpolation=cv2.INTER_AREA)
    cover = cv2.resize(np.ascontiguousarray(mask[cut]), size, interpolation=cv2.INTER_AREA)
    cover = cv2.cvtColor(cover, cv2.COLOR_GRAY2BGR)
    part = flat[y0:y1, x0:x1]
    part[:] = cv2.add(
        cv2.multiply(fine, cover, scale=1 / 255), cv2.multiply(part, 255 - cover, scale=1 / 255)
    )


def _outline(card: tuple[float, float]) -> Picture:
    """Points along the rim of a card."""
    corners = box(*card)
    way = np.linspace(0, 1, 12, endpoint=False)[:, None]
    return np.vstack([a + (b - a) * way for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])


def _card_points(it: Lying, wanted: Picture, lens: Picture) -> Picture:
    """The points of a card that appear at these places of the table, by iteration, since bends are small."""
    back = np.linalg.inv(card_to_table(it))
    points = through(back, wanted)
    straight = back[:2, :2]
    for _ in range(ROUNDS):
        points = points + (wanted - on_table(it, points, lens)) @ straight.T
    return np.asarray(points)


def _shaded(it: Lying, points: Picture) -> Picture:
    """How bright a bent card is: parts that lean towards the lamp are brighter."""
    lamp = paint.dice("lamp", it.text).normal(size=2)
    lamp *= SHADE / np.hypot(*lamp)
    step = 0.25
    slope = [
        (raised(it, points + shift)[:, 2] - raised(it, points - shift)[:, 2]) / (2 * step)
        for shift in (np.array([step, 0]), np.array([0, step]))
    ]
    return np.asarray(np.clip(1 + slope[0] * lamp[0] + slope[1] * lamp[1], 0.6, 1.3))
