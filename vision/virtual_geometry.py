"""What lies on the virtual table, the ground truth about its labels, and how millimetres become pixels."""

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision import virtual_paint as paint

Picture = np.ndarray[Any, np.dtype[Any]]
Size = tuple[int, int]

WIDTH = 857.0  # mm of table across the middle of the picture: 30 cards fill it
VIEW = 66.0  # degrees from left to right, as the usual Raspberry Pi camera
TILT = 8.0  # degrees off the vertical: an arm at the edge of the table


class Lying(Struct, frozen=True):
    """A card on the table with a label on it; x and y are its middle. Without text or size it has no label:
    then it is known by its art alone.

    Text that does not fit our labels becomes a QR code of the version it needs: this is how foreign codes get
    in. `curl`: degrees the card is bent from one end to the other (positive: its ends are up, negative: its
    middle); `crease`: degrees it is folded upwards along a line through its label. The direction depends on
    its text (`virtual_bend`).
    """

    text: str
    x: float
    y: float
    angle: float = 0.0
    size: float = 18.0
    card: tuple[float, float] = (63.0, 88.0)
    curl: float = 0.0
    crease: float = 0.0

    @property
    def labelled(self) -> bool:
        """Whether a label is stuck on it."""
        return bool(self.text) and self.size > 0


class HeldCard(Struct, frozen=True):
    """A card held up to the camera: distance from the lens, offset from the middle (mm), rotation and tilt.
    Without text or size it has no label."""

    text: str
    distance: float = 300.0
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    tilt: tuple[float, float] = (12.0, -8.0)
    size: float = 18.0
    card: tuple[float, float] = (63.0, 88.0)

    @property
    def labelled(self) -> bool:
        """Whether a label is stuck on it."""
        return bool(self.text) and self.size > 0


class SeenLabel(Struct, frozen=True):
    """The ground truth about one label, or about a whole card if it has none. Corners run clockwise from its
    top left, in pixels.

    `visible`: wholly in the picture, not covered by an arm or another card, not saturated by glare; otherwise
    `why` says which: outside, covered, glare. `module` is the pixels per module.
    """

    text: str
    corners: tuple[tuple[float, float], ...]
    module: float
    visible: bool
    why: str = ""


class Shot(Struct, frozen=True):
    picture: Picture
    truth: tuple[SeenLabel, ...]


class Pose(Struct, frozen=True):
    """Where the camera looks (mm), its tilt and roll (degrees), and its height (as mm across the picture)."""

    x: float
    y: float
    tilt: float
    roll: float
    width: float

    def matrix(self, size: Size) -> Picture:
        """(3, 3): table millimetres to pixels."""
        away = focus(size) * self.width / size[0]
        t = np.deg2rad(self.tilt)
        c, s = np.cos(t), np.sin(t)
        plane = np.array([[1, 0, -self.x], [0, c, -self.y * c], [0, -s, self.y * s + away]])
        return np.asarray(lens(size) @ turned(self.roll) @ plane)


def focus(size: Size) -> float:
    return float(size[0] / 2 / np.tan(np.deg2rad(VIEW / 2)))


def lens(size: Size) -> Picture:
    """(3, 3): a direction in front of the camera to pixels; integer coordinates are the middles of pixels."""
    f = focus(size)
    return np.array([[f, 0, (size[0] - 1) / 2], [0, f, (size[1] - 1) / 2], [0, 0, 1]])


def drawn_in(points: Picture, size: Size, barrel: float) -> Picture:
    """Where a barrel lens shows points of an undistorted picture: it draws the corners in by this share of
    their distance."""
    if not barrel:
        return points
    off, half = _off_middle(points, size)
    far = (off * off).sum(axis=-1, keepdims=True) / half**2
    return np.asarray(points - off + off * 2 / (1 + np.sqrt(1 + 4 * barrel * far)))


def straightened(points: Picture, size: Size, barrel: float) -> Picture:
    """The inverse: which points of an undistorted picture a barrel lens shows here."""
    if not barrel:
        return points
    off, half = _off_middle(points, size)
    far = (off * off).sum(axis=-1, keepdims=True) / half**2
    return np.asarray(points - off + off / (1 - barrel * far))


def _off_middle(points: Picture, size: Size) -> tuple[Picture, float]:
    middle = (np.array(size) - 1) / 2
    return points - middle, float(np.hypot(*middle))


def turned(degrees: float) -> Picture:
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def affine(matrix: Picture) -> Picture:
    return np.vstack([matrix, [0, 0, 1]])


def through(matrix: Picture, points: Picture) -> Picture:
    flat = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(flat[:, :2] / flat[:, 2:])


def box(width: float, height: float) -> Picture:
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def card_to_table(it: Lying) -> Picture:
    """(3, 3): card millimetres (0, 0 = top left) to table millimetres."""
    out = turned(it.angle)
    out[:2, 2] = np.array([it.x, it.y]) - out[:2, :2] @ (np.array(it.card) / 2)
    return out


def card_to_picture(held: HeldCard, size: Size) -> Picture:
    """(3, 3): millimetres of a card held in front of the camera to pixels."""
    a, b = np.deg2rad(held.tilt[0]), np.deg2rad(held.tilt[1])
    about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    rot = about_x @ about_y @ turned(held.angle)
    middle = np.array([held.card[0] / 2, held.card[1] / 2, 0])
    move = np.array([held.x, held.y, held.distance]) - rot @ middle
    return np.asarray(lens(size) @ np.stack([rot[:, 0], rot[:, 1], move], 1))


def swaying(held: HeldCard, at: float) -> HeldCard:
    """Where the held card is at this time: a hand is never still."""
    return replace(
        held,
        x=held.x + 6 * np.sin(2.3 * at),
        y=held.y + 5 * np.sin(1.7 * at + 1),
        angle=held.angle + 4 * np.sin(1.1 * at),
        tilt=(held.tilt[0] + 5 * np.sin(1.9 * at), held.tilt[1] + 5 * np.sin(1.3 * at + 2)),
        distance=held.distance * (1 + 0.04 * np.sin(0.9 * at)),
    )


def overlap(one: Picture, other: Picture) -> bool:
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area) > 0.0


def outside(corners: Picture, size: Size) -> bool:
    return bool((corners < 0).any() or (corners > (size[0] - 1, size[1] - 1)).any())


def seen(text: str, corners: Picture, why: str) -> SeenLabel:
    area = cv2.contourArea(corners.astype(np.float32))
    module = float(np.sqrt(area)) / paint.symbol(text).shape[0]
    return SeenLabel(text, tuple((float(x), float(y)) for x, y in corners), module, not why, why)


def pixels(mm: float) -> Picture:
    """(3, 3): pixels of a texture, `mm` wide each, to millimetres."""
    return np.array([[mm, 0, mm / 2], [0, mm, mm / 2], [0, 0, 1]])


def label_pixels(text: str, size: float) -> Picture:
    """(3, 3): pixels of a sticker to millimetres of its symbol; the quiet zone is outside 0..size."""
    module = size / paint.symbol(text).shape[0]
    out = pixels(module / paint.CELL)
    out[:2, 2] -= paint.QUIET * module
    return out


def label_to_card(text: str, size: float, card: tuple[float, float]) -> Picture:
    """(3, 3): millimetres of a symbol to millimetres of its card."""
    return affine(paint.label_place(text, size, card))


def paste(onto: Picture, texture: Picture, matrix: Picture, finer: int) -> None:
    """Warp a texture into a picture, `finer` times super-sampled and averaged by area."""
    h, w = texture.shape[:2]
    quad = through(matrix, box(w, h) - 0.5)
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    x1 = min(int(np.ceil(quad[:, 0].max())) + 2, onto.shape[1])
    y1 = min(int(np.ceil(quad[:, 1].max())) + 2, onto.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    # pixel (i, j) of the fine patch is the point ((i + 0.5) / finer - 0.5 + x0, ...) of the picture
    fine_x, fine_y = finer * (0.5 - x0) - 0.5, finer * (0.5 - y0) - 0.5
    to_patch = np.array([[finer, 0, fine_x], [0, finer, fine_y], [0, 0, 1]]) @ matrix
    size = (int(x1 - x0) * finer, int(y1 - y0) * finer)
    fine = cv2.warpPerspective(
        texture, to_patch, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask: Picture = np.zeros((size[1], size[0]), np.uint8)
    outline = through(to_patch, box(w, h) - 0.5)
    cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    if finer > 1:
        small = (int(x1 - x0), int(y1 - y0))
        fine = cv2.resize(fine, small, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(mask, small, interpolation=cv2.INTER_AREA)
    part = onto[y0:y1, x0:x1]
    cover = cv2.cvtColor(mask, cv2.COLOR_GRAY2BGR)
    part[:] = cv2.add(
        cv2.multiply(fine, cover, scale=1 / 255), cv2.multiply(part, 255 - cover, scale=1 / 255)
    )
