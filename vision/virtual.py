"""The virtual table: what a camera above a real one would see, with the truth about every label.

A scene is painted flat in millimetres, seen once through lens and pixel (see `footprint`), then moved under the
camera by one homography per frame; light, glare, an arm, motion, noise and JPEG come on top. Deterministic by seed.

Table coordinates are millimetres: the origin is what the camera looks at, x to the right, y towards the near edge
of the picture. `size` of a label is the side of its symbol (21 modules); the quiet zone comes on top.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision import virtual_light as optics
from vision import virtual_paint as paint
from vision.camera import CameraTrouble, Frame, Health
from vision.virtual_light import COARSE, PRESETS, Preset

__all__ = [
    "PRESETS",
    "WIDTH",
    "Held",
    "Lying",
    "Preset",
    "Seen",
    "Shot",
    "VirtualTable",
    "film",
    "shoot",
    "spread",
]

Picture = np.ndarray[Any, np.dtype[Any]]

WIDTH = 857.0  # mm of table across the middle of the picture: 30 cards fill it
VIEW = 66.0  # degrees from left to right, as the usual Raspberry Pi camera
TILT = 12.0  # degrees off the vertical: an arm at the edge of the table


class Lying(Struct, frozen=True):
    """A card on the table with a label on it; x and y are its middle. An empty text is a card without a label.

    Text that does not fit our labels becomes a QR code of the version it needs: that is how foreign codes get in.
    """

    text: str
    x: float
    y: float
    angle: float = 0.0
    size: float = 18.0
    card: tuple[float, float] = (63.0, 88.0)


class Held(Struct, frozen=True):
    """A card held up to the camera: its distance from the lens, where (mm off the middle), turned and tilted."""

    text: str
    distance: float = 300.0
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    tilt: tuple[float, float] = (12.0, -8.0)
    size: float = 18.0
    card: tuple[float, float] = (63.0, 88.0)


class Seen(Struct, frozen=True):
    """The truth about one label. Corners run clockwise from the symbol's top left, in pixels.

    `visible`: wholly in the picture, not covered by an arm or another card, not saturated by glare.
    """

    text: str
    corners: tuple[tuple[float, float], ...]
    module: float
    visible: bool
    why: str = ""  # if not visible: outside, covered, glare


class Shot(Struct, frozen=True):
    picture: Picture
    truth: tuple[Seen, ...]


def spread(
    texts: Sequence[str], seed: int, size: float = 18.0, width: float = WIDTH, aspect: float = 9 / 16
) -> tuple[Lying, ...]:
    """Cards laid out as people do: in rows, nearly straight, facing any side of the table, filling `width`."""
    rng = paint.dice("spread", seed)
    room_w, room_h = width * 0.91, width * aspect * 0.93
    columns = max(1, int(np.ceil(np.sqrt(len(texts) * room_w / room_h))))
    rows = max(1, -(-len(texts) // columns))
    pitch_w, pitch_h = min(room_w / columns, 130.0), min(room_h / rows, 130.0)
    out = []
    for k, text in enumerate(texts):
        row, column = divmod(k, columns)
        x = (column - (columns - 1) / 2) * pitch_w + rng.uniform(-2, 2)
        y = (row - (rows - 1) / 2) * pitch_h + rng.uniform(-2, 2)
        angle = float(rng.choice([0, 0, 0, 90, 180, 180, 270]) + rng.normal(0, 3))
        out.append(Lying(text, float(x), float(y), angle, size))
    return tuple(out)


def _turned(degrees: float) -> Picture:
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return np.array([[c, -s], [s, c]])


def _affine(matrix: Picture) -> Picture:
    return np.vstack([matrix, [0, 0, 1]])


def _card_to_table(it: Lying) -> Picture:
    """(3, 3): card millimetres (0, 0 = top left) to table millimetres."""
    rot = _turned(it.angle)
    move = np.array([it.x, it.y]) - rot @ (np.array(it.card) / 2)
    return _affine(np.hstack([rot, move[:, None]]))


def _through(matrix: Picture, points: Picture) -> Picture:
    flat = np.hstack([points, np.ones((len(points), 1))]) @ matrix.T
    return np.asarray(flat[:, :2] / flat[:, 2:])


def _box(width: float, height: float) -> Picture:
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


class _Pose(Struct, frozen=True):
    """Where the camera looks (mm), how it is tilted and rolled (degrees), how high (mm across the picture)."""

    x: float
    y: float
    tilt: float
    roll: float
    width: float

    def matrix(self, size: tuple[int, int]) -> Picture:
        """(3, 3): table millimetres to pixels; whole numbers are the middles of pixels."""
        w, h = size
        f = w / 2 / np.tan(np.deg2rad(VIEW / 2))
        away = f * self.width / w
        t = np.deg2rad(self.tilt)
        plane = np.array(
            [[1, 0, -self.x], [0, np.cos(t), -self.y * np.cos(t)], [0, -np.sin(t), self.y * np.sin(t) + away]]
        )
        lens = np.array([[f, 0, (w - 1) / 2], [0, f, (h - 1) / 2], [0, 0, 1]])
        return np.asarray(lens @ _affine_turn(self.roll) @ plane)


def _affine_turn(degrees: float) -> Picture:
    out = np.eye(3)
    out[:2, :2] = _turned(degrees)
    return out


class _Scene:
    """A table painted and ready to be photographed from any pose."""

    def __init__(
        self,
        lying: Sequence[Lying],
        preset: Preset,
        seed: int,
        size: tuple[int, int] = (1920, 1080),
        *,
        width: float = WIDTH,
        tilt: float | None = None,
        clutter: int = 0,
    ) -> None:
        self.lying, self.preset, self.seed, self.size = tuple(lying), preset, seed, size
        rng = paint.dice("scene", seed)
        lean = TILT + rng.uniform(-4, 4) if tilt is None else tilt
        self.pose = _Pose(
            float(rng.uniform(-6, 6)),
            float(rng.uniform(-4, 4)),
            float(lean),
            float(rng.uniform(-1.5, 1.5)),
            width,
        )
        self.sway = rng.uniform(0, 2 * np.pi, size=8)
        self.over = 2.0 if size[0] * size[1] < 4_000_000 else 1.4
        self.scale = size[0] / width * self.over  # texels per mm
        seen = _through(np.linalg.inv(self.pose.matrix(size)), _box(*size))
        margin = 30 + 1.6 * preset.shake
        low, high = seen.min(axis=0) - margin, seen.max(axis=0) + margin
        self.low = low
        surface = (
            preset.surface if preset.surface != "any" else ("wood", "wood", "cloth")[int(rng.integers(3))]
        )
        span = (float(high[0] - low[0]), float(high[1] - low[1]))
        flat = (paint.wood if surface == "wood" else paint.cloth)(rng, span, self.scale)
        paint.scatter(flat, paint.dice("clutter", seed), clutter, self.scale)
        self.to_flat = np.array(
            [
                [self.scale, 0, -low[0] * self.scale - 0.5],
                [0, self.scale, -low[1] * self.scale - 0.5],
                [0, 0, 1],
            ]
        )
        for it in self.lying:
            self._put(flat, it)
        self.flat = optics.footprint(flat, preset.blur, self.over)
        self.light = optics.shade(preset, rng, size)
        self.lamp = rng.uniform((-0.45, -0.4), (0.45, 0.25)) * (width, width * size[1] / size[0])
        self.tilts = rng.normal(0, 1, size=(len(self.lying) + 1, 5))
        self.sleeve = tuple(int(c) for c in rng.integers(25, 190, size=3))
        self.skin = int(rng.integers(0, 4))
        self.side = float(rng.uniform(-0.6, 0.6))

    def _put(self, flat: Picture, it: Lying) -> None:
        """Paint a card with its label, its sleeve and its small shadow onto the table."""
        to_flat = self.to_flat @ _card_to_table(it)
        quad = _through(to_flat, _box(*it.card))
        self._shadow(flat, quad)
        art = sleeved(paint.card_art(it.text, it.card), self.preset)
        _paste(flat, art, to_flat @ _pixels(1 / paint.ART), 1)
        if it.text:
            onto = (
                to_flat
                @ _affine(paint.label_place(it.text, it.size, it.card))
                @ _label_pixels(it.text, it.size)
            )
            _paste(
                flat, sleeved(cv2.cvtColor(paint.sticker(it.text), cv2.COLOR_GRAY2BGR), self.preset), onto, 4
            )

    def _shadow(self, flat: Picture, quad: Picture) -> None:
        pad = int(4 * self.scale)
        x0, y0 = np.maximum(quad.min(axis=0).astype(int) - pad, 0)
        x1, y1 = quad.max(axis=0).astype(int) + pad
        part = flat[y0 : max(y0, y1), x0 : max(x0, x1)]
        if not part.size:
            return
        mask = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad - (x0, y0) + 0.5 * self.scale).astype(np.int32), 110)
        mask = cv2.blur(mask, (2 * int(0.7 * self.scale) + 1,) * 2)
        part[:] = cv2.multiply(part, cv2.cvtColor(255 - mask, cv2.COLOR_GRAY2BGR), scale=1 / 255)

    def posed(self, at: float) -> _Pose:
        """The camera sways: slow waves that never repeat, larger for a hand than for an arm."""
        a, w = self.preset.shake, 2 * np.pi * self.preset.tempo
        p = self.sway
        x = a * (0.6 * np.sin(w * at + p[0]) + 0.4 * np.sin(1.73 * w * at + p[1]))
        y = a * (0.5 * np.sin(1.21 * w * at + p[2]) + 0.3 * np.sin(2.1 * w * at + p[3]))
        tilt = 0.04 * a * np.sin(0.9 * w * at + p[4])
        roll = 0.05 * a * np.sin(1.1 * w * at + p[5])
        high = 1 + 0.001 * a * np.sin(0.7 * w * at + p[6])
        one = self.pose
        return _Pose(one.x + x, one.y + y, one.tilt + tilt, one.roll + roll, one.width * high)

    def shot(self, at: float, number: int, arm: float | None, held: Held | None) -> Shot:
        rng = paint.dice("frame", self.seed, number)
        w, h = self.size
        pose = self.posed(at)
        view = pose.matrix(self.size)
        picture = cv2.warpPerspective(
            self.flat,
            view @ np.linalg.inv(self.to_flat),
            self.size,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        picture = optics.lit(picture, self.light)
        glare = self._glare(pose, view)
        optics.add_glare(picture, glare)
        cover = np.zeros(glare.shape, np.float32)
        if arm is not None:
            cover = self._arm(picture, arm)
        truth = [self._truth(k, it, view, glare, cover) for k, it in enumerate(self.lying) if it.text]
        if held is not None:
            seen, hides = self._hold(picture, held)
            truth = [_hidden(one, hides) for one in truth] + ([seen] if held.text else [])
        half = self.preset.exposure / 2
        middle = np.array([[pose.x, pose.y]])
        moved = _through(self.posed(at + half).matrix(self.size), middle) - _through(
            self.posed(at - half).matrix(self.size), middle
        )
        picture = optics.smeared(picture, float(moved[0, 0]) * w / 1920 * 1920 / w, float(moved[0, 1]))
        picture = optics.noisy(picture, self.preset.noise, rng)
        picture = optics.pressed(picture, self.preset.jpeg)
        return Shot(np.ascontiguousarray(picture), tuple(truth))

    def _glare(self, pose: _Pose, view: Picture) -> Picture:
        """A lamp mirrors where the light meets the camera; every sleeve lies a little askew and mirrors elsewhere."""
        w, h = self.size
        glare = np.zeros((-(-h // COARSE), -(-w // COARSE)), np.float32)
        if self.preset.gloss <= 0.05:
            return glare
        mirror = self.lamp + 0.5 * np.array(
            [pose.x, pose.y]
        )  # the mirrored lamp follows the camera at half its way
        per_mm = w / pose.width
        for it, odd in zip(self.lying, self.tilts, strict=False):
            spot = mirror + odd[:2] * (150, 110) * pose.width / WIDTH
            quad = _through(view @ _card_to_table(it), _box(*it.card))
            wide = (14 + 5 * abs(odd[2])) * per_mm
            optics.glare_on(
                glare,
                quad,
                _through(view, spot[None])[0],
                (wide, wide * (0.35 + 0.2 * abs(odd[3]))),
                odd[4],
                self.preset.gloss,
            )
        return glare

    def _arm(self, picture: Picture, reach: float) -> Picture:
        """An arm from the near edge, `reach` 0 (outside) to 1 (far across)."""
        w, h = self.size
        root = np.array([w * (0.5 + self.side), h * 1.25])
        tip = np.array([w * (0.5 - 0.3 * self.side), h * (1.02 - 0.95 * reach)])
        wide = 72 * w / self.pose.width
        mask = optics.arm_mask(self.size, tip, root, wide)
        along = (root - tip) / np.hypot(*(root - tip))
        optics.draw_arm(picture, self.light, mask, self.skin, self.sleeve, tip + along * wide * 2.2, along)
        return mask

    def _truth(self, k: int, it: Lying, view: Picture, glare: Picture, cover: Picture) -> Seen:
        place = _affine(paint.label_place(it.text, it.size, it.card))
        on_table = _through(_card_to_table(it) @ place, _box(it.size, it.size))
        matrix = view @ _card_to_table(it) @ place
        corners = _through(matrix, _box(it.size, it.size))
        grid = np.stack(np.meshgrid(*[np.linspace(0, it.size, 13)] * 2), -1).reshape(-1, 2)
        spots = _through(matrix, grid)
        why = ""
        w, h = self.size
        if (corners < 0).any() or (corners > (w - 1, h - 1)).any():
            why = "outside"
        elif any(
            _overlap(on_table, _through(_card_to_table(top), _box(*top.card))) for top in self.lying[k + 1 :]
        ):
            why = "covered"
        else:
            at = np.clip(np.round(spots / COARSE).astype(int), 0, (cover.shape[1] - 1, cover.shape[0] - 1))
            if (cover[at[:, 1], at[:, 0]] > 0.25).any():
                why = "covered"
            elif self._blinded(glare[at[:, 1], at[:, 0]], self.light[at[:, 1], at[:, 0]]):
                why = "glare"
        return _seen(it.text, corners, why)

    def _blinded(self, glare: Picture, light: Picture) -> bool:
        """Is more than a twentieth of the symbol so bright that black and white look alike?"""
        factor = light.mean(axis=1) ** optics.GAMMA
        ink, paper = ((v / 255) ** optics.GAMMA * factor for v in (paint.INK, paint.PAPER))
        left = np.minimum(1, paper + glare) - np.minimum(1, ink + glare)
        return bool((left < 0.3 * np.minimum(1, paper)).mean() > 0.05)

    def _hold(self, picture: Picture, held: Held) -> tuple[Seen, Picture]:
        """A card in a hand before the camera: near, tilted, larger than life."""
        w, h = self.size
        f = w / 2 / np.tan(np.deg2rad(VIEW / 2))
        a, b = np.deg2rad(held.tilt[0]), np.deg2rad(held.tilt[1])
        about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        rot = about_x @ about_y @ _affine_turn(held.angle)
        half = np.array([held.card[0] / 2, held.card[1] / 2, 0])
        move = np.array([held.x, held.y, held.distance]) - rot @ half
        lens = np.array([[f, 0, (w - 1) / 2], [0, f, (h - 1) / 2], [0, 0, 1]])
        onto = lens @ np.stack([rot[:, 0], rot[:, 1], move], 1)
        quad = _through(onto, _box(*held.card))
        face = sleeved(paint.card_art(held.text, held.card), self.preset).copy()
        near = np.zeros_like(picture)
        _paste(near, face, onto @ _pixels(1 / paint.ART), 2)
        place = _affine(paint.label_place(held.text, held.size, held.card)) if held.text else np.eye(3)
        if held.text:
            label = sleeved(cv2.cvtColor(paint.sticker(held.text), cv2.COLOR_GRAY2BGR), self.preset)
            _paste(near, label, onto @ place @ _label_pixels(held.text, held.size), 2)
        near = optics.lit(cv2.GaussianBlur(near, (0, 0), max(0.4, self.preset.blur * 1.4)), self.light)
        mask = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
        picture[mask > 127] = near[mask > 127]
        self._thumb(picture, quad)
        corners = _through(onto @ place, _box(held.size, held.size))
        outside = (corners < 0).any() or (corners > (w - 1, h - 1)).any()
        return _seen(held.text, corners, "outside" if outside else ""), quad

    def _thumb(self, picture: Picture, quad: Picture) -> None:
        """Fingers at the middle of the lower edge; labels sit near the corners."""
        edge, inward = (quad[2] + quad[3]) / 2, (quad[0] + quad[1] - quad[2] - quad[3]) / 2
        long = float(np.hypot(*inward))
        inward = inward / long
        colour = np.array(optics.SKINS[self.skin]) * float(self.light.mean())
        tip, root = edge + inward * long * 0.1, edge - inward * long * 0.9
        wide = max(3, int(long * 0.17))
        shade = tuple(float(c) * 0.75 for c in colour)
        cv2.line(picture, _whole(tip), _whole(root), shade, wide + 4, cv2.LINE_AA)
        cv2.line(picture, _whole(tip), _whole(root), tuple(float(c) for c in colour), wide, cv2.LINE_AA)


def _whole(at: Picture) -> tuple[int, int]:
    return int(round(float(at[0]))), int(round(float(at[1])))


def _seen(text: str, corners: Picture, why: str) -> Seen:
    area = cv2.contourArea(corners.astype(np.float32))
    module = float(np.sqrt(area)) / paint.symbol(text).shape[0]
    return Seen(text, tuple((float(x), float(y)) for x, y in corners), module, not why, why)


def _hidden(seen: Seen, quad: Picture) -> Seen:
    if seen.visible and _overlap(np.array(seen.corners), quad):
        return replace(seen, visible=False, why="covered")
    return seen


def _overlap(one: Picture, other: Picture) -> bool:
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area) > 0.0


def _pixels(mm: float) -> Picture:
    """(3, 3): pixels of a texture (middles at whole numbers) to millimetres."""
    return np.array([[mm, 0, mm / 2], [0, mm, mm / 2], [0, 0, 1]])


def _label_pixels(text: str, size: float) -> Picture:
    """(3, 3): pixels of a sticker to millimetres of its symbol, quiet zone outside 0..size."""
    module = size / paint.symbol(text).shape[0]
    out = _pixels(module / paint.CELL)
    out[:2, 2] -= paint.QUIET * module
    return out


def sleeved(face: Picture, preset: Preset) -> Picture:
    """A face seen through its sleeve: a little haze."""
    return cv2.addWeighted(face, 1 - preset.veil, np.full_like(face, 235), preset.veil, 0)


def _paste(onto: Picture, texture: Picture, matrix: Picture, finer: int) -> None:
    """Warp a texture into a picture, `finer` times super-sampled and averaged by area."""
    h, w = texture.shape[:2]
    quad = _through(matrix, _box(w, h) - 0.5)
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    x1 = min(int(np.ceil(quad[:, 0].max())) + 2, onto.shape[1])
    y1 = min(int(np.ceil(quad[:, 1].max())) + 2, onto.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    # pixel (i, j) of the fine patch is at ((i + 0.5) / finer - 0.5) + x0
    to_patch = (
        np.array([[finer, 0, finer * (0.5 - x0) - 0.5], [0, finer, finer * (0.5 - y0) - 0.5], [0, 0, 1]])
        @ matrix
    )
    size = ((x1 - x0) * finer, (y1 - y0) * finer)
    fine = cv2.warpPerspective(
        texture, to_patch, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros((size[1], size[0]), np.uint8)
    corner = _through(to_patch, _box(w, h) - 0.5)
    cv2.fillConvexPoly(mask, np.round(corner * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    if finer > 1:
        small = (x1 - x0, y1 - y0)
        fine = cv2.resize(fine, small, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(mask, small, interpolation=cv2.INTER_AREA)
    part = onto[y0:y1, x0:x1]
    cover = cv2.cvtColor(mask, cv2.COLOR_GRAY2BGR)
    part[:] = cv2.add(
        cv2.multiply(fine, cover, scale=1 / 255), cv2.multiply(part, 255 - cover, scale=1 / 255)
    )


def shoot(
    lying: Sequence[Lying],
    preset: Preset,
    seed: int,
    size: tuple[int, int] = (1920, 1080),
    *,
    width: float = WIDTH,
    tilt: float | None = None,
    clutter: int = 0,
    arm: float | None = None,
    held: Held | None = None,
) -> Shot:
    """One picture. `width`: mm of table across its middle (the height of the camera); `tilt`: degrees off the vertical
    (None: about 12, by seed); `clutter`: how many dice, cubes and chips; `arm`: 0..1, how far an arm reaches in."""
    scene = _Scene(lying, preset, seed, size, width=width, tilt=tilt, clutter=clutter)
    return scene.shot(float(paint.dice("when", seed).uniform(0, 60)), 0, arm, held)


def film(
    lying: Sequence[Lying],
    preset: Preset,
    seed: int,
    frames: int,
    fps: float = 15.0,
    size: tuple[int, int] = (1920, 1080),
    *,
    width: float = WIDTH,
    tilt: float | None = None,
    clutter: int = 0,
    arm: bool = True,
    held: Held | None = None,
) -> Iterator[Shot]:
    """A sweep: the camera sways, an arm reaches over the table once and is gone again, things blur while they move."""
    scene = _Scene(lying, preset, seed, size, width=width, tilt=tilt, clutter=clutter)
    for n in range(frames):
        there = np.sin(np.pi * (1.5 * n / max(1, frames - 1) - 0.25)) if arm else 0.0
        yield scene.shot(n / fps, n, float(there) * 0.8 if there > 0.02 else None, _moved(held, n / fps))


def _moved(held: Held | None, at: float) -> Held | None:
    """A hand is never still."""
    if held is None:
        return None
    return replace(
        held,
        x=held.x + 6 * np.sin(2.3 * at),
        y=held.y + 5 * np.sin(1.7 * at + 1),
        angle=held.angle + 4 * np.sin(1.1 * at),
        tilt=(held.tilt[0] + 5 * np.sin(1.9 * at), held.tilt[1] + 5 * np.sin(1.3 * at + 2)),
        distance=held.distance * (1 + 0.04 * np.sin(0.9 * at)),
    )


class VirtualTable:
    """A camera above a virtual table; people may lay, take away and hold up cards while it runs."""

    def __init__(
        self,
        preset: Preset,
        seed: int = 0,
        *,
        lying: Sequence[Lying] = (),
        size: tuple[int, int] = (1920, 1080),
        width: float = WIDTH,
        clutter: int = 0,
        fps: float = 15.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.preset, self.seed, self.size, self.width, self.clutter = preset, seed, size, width, clutter
        self.fps, self._clock = fps, clock
        self._lying = {it.text: it for it in lying}
        self._held: Held | None = None
        self._arm: float | None = None
        self._scene: _Scene | None = None
        self._number, self._last, self._began = 0, -1e9, clock()
        self._closed = False
        self.truth: tuple[Seen, ...] = ()  # of the frame read last

    @property
    def lying(self) -> tuple[Lying, ...]:
        return tuple(self._lying.values())

    def lay(
        self,
        text: str,
        x: float | None = None,
        y: float | None = None,
        angle: float = 0.0,
        size: float = 18.0,
    ) -> None:
        """Lay a card; without a place, on a free one."""
        self._lying.pop(text, None)
        if x is None or y is None:
            x, y = self._free()
        self._lying[text] = Lying(text, x, y, angle, size)
        self._scene = None

    def take_away(self, text: str) -> None:
        if self._lying.pop(text, None) is not None:
            self._scene = None

    def hold_up(self, text: str | None, distance: float = 300.0, size: float = 18.0) -> None:
        """Hold a card to the camera; None takes it down."""
        self._held = None if text is None else Held(text, distance, size=size)

    def reach_in(self, arm: float | None) -> None:
        """An arm over the table, 0..1; None takes it away."""
        self._arm = arm

    def _free(self) -> tuple[float, float]:
        """The free place nearest to the middle, on a grid of cards."""
        taken = [(it.x, it.y) for it in self._lying.values()]
        grid = [(c * 97.0, r * 112.0) for c in range(-4, 5) for r in range(-2, 3)]
        grid = [p for p in grid if abs(p[0]) < self.width * 0.43 and abs(p[1]) < self.width * 0.2]
        grid.sort(key=lambda p: (p[0] ** 2 + (1.3 * p[1]) ** 2, p))
        for x, y in grid:
            if all(abs(x - a) > 75 or abs(y - b) > 90 for a, b in taken):
                return x, y
        raise CameraTrouble(
            "The virtual table is full: take a card away, or lay this one at a place of your choice."
        )

    def read(self) -> Frame | None:
        now = self._clock()
        if self._closed or now - self._last < 1 / self.fps - 1e-9:
            return None
        if self._scene is None:
            self._scene = _Scene(
                self.lying, self.preset, self.seed, self.size, width=self.width, clutter=self.clutter
            )
        at = now - self._began
        shot = self._scene.shot(at, self._number, self._arm, _moved(self._held, at))
        self._number, self._last, self.truth = self._number + 1, now, shot.truth
        return Frame(shot.picture, now)

    def health(self) -> Health:
        return Health(not self._closed, "The virtual table is closed." if self._closed else "", self.fps)

    def close(self) -> None:
        self._closed = True
