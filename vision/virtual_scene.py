"""A table painted flat, ready to be photographed from any pose."""

import functools
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision import virtual_bend as bend
from vision import virtual_geometry as geo
from vision import virtual_light as optics
from vision import virtual_paint as paint
from vision.virtual_geometry import HeldCard, Lying, Pose, SeenLabel, Shot, Size
from vision.virtual_light import COARSE, Preset

Picture = np.ndarray[Any, np.dtype[Any]]

GRID = np.stack(np.meshgrid(np.linspace(0, 1, 13), np.linspace(0, 1, 13)), -1).reshape(-1, 2)


@functools.lru_cache(maxsize=1)
def _bare(
    surface: str,
    seed: int,
    span: tuple[float, float],
    scale: float,
    clutter: int,
    blur: float,
    sharpen: float,
    over: tuple[float, float],
) -> tuple[Picture, Picture]:
    """The table without cards, as painted and as lens and pixels see it. Cached: cards come and go."""
    rng = paint.dice("table", seed)
    flat = (paint.wood if surface == "wood" else paint.cloth)(rng, span, scale)
    paint.scatter(flat, paint.dice("clutter", seed), clutter, scale)
    return flat, optics.footprint(flat, blur, sharpen, over)


class _Card(Struct, frozen=True):
    it: Lying
    to_table: Picture
    quad: Picture  # (4, 2): its corners on the table, as the camera sees them
    corners: Picture  # (4, 2): those of its symbol
    points: Picture  # (n, 2): points all over its symbol
    buried: bool  # its label lies under another card


def _cards(lying: Sequence[Lying], lens: Picture) -> list[_Card]:
    quads = [bend.on_table(it, geo.box(*it.card), lens) for it in lying]
    out = []
    for k, it in enumerate(lying):
        place = np.diag([*it.card, 1.0])
        if it.labelled:
            place = geo.label_to_card(it.text, it.size, it.card) @ np.diag([it.size, it.size, 1.0])
        corners, points = (bend.on_table(it, geo.through(place, of), lens) for of in (geo.box(1, 1), GRID))
        buried = any(geo.overlap(corners, top) for top in quads[k + 1 :])
        out.append(_Card(it, geo.card_to_table(it), quads[k], corners, points, buried))
    return out


class Scene:
    def __init__(
        self,
        lying: Sequence[Lying],
        preset: Preset,
        seed: int,
        size: Size,
        *,
        width: float,
        tilt: float | None,
        clutter: int,
        barrel: float = 0.0,
        art: paint.Art = paint.card_art,
    ) -> None:
        self.preset, self.seed, self.size, self.barrel, self.art = preset, seed, size, barrel, art
        rng = paint.dice("scene", seed)
        x, y = rng.uniform(-6, 6), rng.uniform(-4, 4)
        lean = geo.TILT + rng.uniform(-4, 4) if tilt is None else tilt
        self.pose = Pose(float(x), float(y), float(lean), float(rng.uniform(-1.5, 1.5)), width)
        self.sway = rng.uniform(0, 2 * np.pi, size=8)
        self.lamps = rng.uniform((-0.4, -0.4), (0.4, 0.3), size=(2, 2)) * (width, width * size[1] / size[0])
        self.skin, self.side = int(rng.integers(0, 4)), float(rng.uniform(-0.6, 0.6))
        self.sleeve = (int(rng.integers(25, 190)), int(rng.integers(25, 190)), int(rng.integers(25, 190)))
        self.light = optics.shade(preset, rng, size)
        surface = (
            preset.surface if preset.surface != "any" else ("wood", "wood", "cloth")[int(rng.integers(3))]
        )
        self.lens = bend.eye(self.pose, size)
        self.cards = _cards(lying, self.lens)
        self._paint(surface, clutter)

    def _paint(self, surface: str, clutter: int) -> None:
        """Paint everything flat, then apply lens and pixels once, only where cards lie."""
        over = 2.0 if self.size[0] * self.size[1] < 4_000_000 else 1.4  # texels per pixel
        scale = self.size[0] / self.pose.width * over  # texels per mm
        rim = geo.straightened(geo.box(*self.size), self.size, self.barrel)
        view = geo.through(np.linalg.inv(self.pose.matrix(self.size)), rim)
        margin = 30 + 1.6 * self.preset.shake
        low, high = np.floor(view.min(axis=0) - margin), np.ceil(view.max(axis=0) + margin)
        span = (float(high[0] - low[0]), float(high[1] - low[1]))
        bare, bare_seen = _bare(
            surface, self.seed, span, scale, clutter, self.preset.blur, self.preset.sharpen, (over, over)
        )
        flat, self.seen = bare.copy(), bare_seen.copy()
        self.to_flat = np.array(
            [[scale, 0, -low[0] * scale - 0.5], [0, scale, -low[1] * scale - 0.5], [0, 0, 1]]
        )
        for card in self.cards:
            self._put(flat, card, scale)
        for card in self.cards:
            quad = geo.through(self.to_flat, card.quad)
            pad = int(5 * scale)
            x0, y0 = np.clip(quad.min(axis=0).astype(int) - pad, 0, None)
            x1, y1 = np.clip(quad.max(axis=0).astype(int) + pad, 0, (flat.shape[1], flat.shape[0]))
            if x1 <= x0 or y1 <= y0:
                continue
            middle = np.array([[card.it.x, card.it.y]])
            blur, local = self._blur_at(middle), self._texels_at(middle, scale)
            room = optics.reach(blur, local)
            left, top = max(0, x0 - room), max(0, y0 - room)
            part = optics.footprint(flat[top : y1 + room, left : x1 + room], blur, self.preset.sharpen, local)
            self.seen[y0:y1, x0:x1] = part[y0 - top : y1 - top, x0 - left : x1 - left]

    def _blur_at(self, place: Picture) -> float:
        """The lens blur at this place: larger off the middle. Quantised, so that few kernels serve all cards."""
        off = self._look(self.pose.matrix(self.size), place)[0] / self.size - 0.5
        return round(self.preset.blur * (1 + self.preset.corner * 2 * float(off @ off)), 2)

    def _texels_at(self, place: Picture, scale: float) -> tuple[float, float]:
        """Texels per pixel here, across and down: more where it is further away or slanted. Quantised."""
        around = place + np.array([[0, 0], [1, 0], [0, 1]])
        here, right, down = self._look(self.pose.matrix(self.size), around)
        return tuple(max(0.8, round(20 * scale / np.hypot(*(it - here))) / 20) for it in (right, down))

    def _look(self, view: Picture, points: Picture) -> Picture:
        """Points of the table in picture coordinates."""
        return geo.drawn_in(geo.through(view, points), self.size, self.barrel)

    def _put(self, flat: Picture, card: _Card, scale: float) -> None:
        """Paint a card with its label, its sleeve and its small shadow onto the table."""
        it = card.it
        to_flat = self.to_flat @ card.to_table
        veil = self.preset.veil * float(paint.dice("veil", it.text).uniform(0.4, 1.8))
        _shadow(flat, geo.through(self.to_flat, card.quad), scale)
        if not bend.is_flat(it):
            per_mm = max(paint.ART, 2 * scale)
            bend.paste_bent(flat, _face(it, veil, per_mm, self.art), per_mm, it, self.to_flat, self.lens)
            return
        geo.paste(
            flat,
            sleeved(self.art(it.text, it.card), veil),
            to_flat @ geo.pixels(1 / paint.ART),
            1,
        )
        if it.labelled:
            place = geo.label_to_card(it.text, it.size, it.card)
            onto = to_flat @ place @ geo.label_pixels(it.text, it.size)
            geo.paste(flat, sleeved(paint.sticker(it.text), veil), onto, 4)

    def posed(self, at: float) -> Pose:
        """The pose of the swaying camera: slow waves that do not repeat, larger for a hand than for an arm."""
        a, w, p = self.preset.shake, 2 * np.pi * self.preset.tempo * at, self.sway
        one = self.pose
        return Pose(
            one.x + a * float(0.6 * np.sin(w + p[0]) + 0.4 * np.sin(1.73 * w + p[1])),
            one.y + a * float(0.5 * np.sin(1.21 * w + p[2]) + 0.3 * np.sin(2.1 * w + p[3])),
            one.tilt + 0.04 * a * float(np.sin(0.9 * w + p[4])),
            one.roll + 0.05 * a * float(np.sin(1.1 * w + p[5])),
            one.width * (1 + 0.001 * a * float(np.sin(0.7 * w + p[6]))),
        )

    def shot(self, at: float, number: int, arm: float | None = None, held: HeldCard | None = None) -> Shot:
        """The picture taken at this time; `number` seeds its noise."""
        preset = self.preset
        pose = self.posed(at)
        view = pose.matrix(self.size)
        picture = self._seen_from(view @ np.linalg.inv(self.to_flat))
        picture = optics.lit(picture, self.light)
        glare = self._glare(pose, view)
        optics.add_glare(picture, glare)
        cover = np.zeros(glare.shape, np.float32) if arm is None else self._arm(picture, arm)
        truth = [self._truth(card, view, glare, cover) for card in self.cards if card.it.text]
        half, looked_at = preset.exposure / 2, np.array([[pose.x, pose.y]])
        before, after = (
            geo.through(self.posed(at + t).matrix(self.size), looked_at)[0] for t in (-half, half)
        )
        picture = optics.smeared(picture, *(after - before))
        if held is not None:
            near, hides = self._hold(picture, held, at)
            truth = [_hidden(one, hides) for one in truth] + ([near] if held.text else [])
        picture = optics.noisy(picture, preset.noise, paint.dice("frame", self.seed, number))
        picture = optics.pressed(picture, preset.jpeg)
        return Shot(np.ascontiguousarray(picture), tuple(truth))

    def _seen_from(self, onto: Picture) -> Picture:
        """The painted table as seen through the lens."""
        if not self.barrel:
            return cv2.warpPerspective(
                self.seen, onto, self.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
        x, y = _straight_grid(self.size, self.barrel)
        a = np.linalg.inv(onto).astype(np.float32)
        depth = a[2, 0] * x + a[2, 1] * y + a[2, 2]
        u, v = ((a[k, 0] * x + a[k, 1] * y + a[k, 2]) / depth for k in (0, 1))
        return cv2.remap(self.seen, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    def _glare(self, pose: Pose, view: Picture) -> Picture:
        """Lamps mirrored in the sleeves, where light meets camera; every sleeve is bent differently."""
        w, h = self.size
        glare = np.zeros((-(-h // COARSE), -(-w // COARSE)), np.float32)
        if self.preset.gloss <= 0:
            return glare
        per_mm = w / pose.width
        for card in self.cards:
            quad = self._look(view, card.quad)
            middle = np.array([card.it.x, card.it.y])
            odd = paint.dice("sleeve", self.seed, card.it.text, card.it.x, card.it.y).normal(size=(2, 6))
            for lamp, bent in zip(self.lamps, odd, strict=True):
                away = (
                    lamp + 0.5 * np.array([pose.x, pose.y]) - middle
                )  # the mirrored lamp moves half as far as the camera
                power = self.preset.gloss * np.exp(-float(away @ away) / (0.36 * pose.width) ** 2)
                spot = middle + 0.3 * away + bent[:2] * (28, 36)
                wide = (13 + 5 * abs(bent[2])) * per_mm
                radius = (wide, wide * (0.4 + 0.25 * abs(bent[3])))
                if power > 0.02:
                    turn = float(np.arctan2(away[1], away[0]) + 0.5 * bent[4])
                    optics.glare_on(glare, quad, self._look(view, spot[None])[0], radius, turn, power)
        return glare

    def _arm(self, picture: Picture, reach: float) -> Picture:
        """An arm from the near edge, `reach` 0 (outside) to 1 (far across)."""
        w, h = self.size
        root = np.array([w * (0.5 + self.side), h * 1.25])
        tip = np.array([w * (0.5 - 0.3 * self.side), h * (1.02 - 0.95 * reach)])
        wide = 72 * w / self.pose.width
        mask = optics.arm_mask(self.size, tip, root, wide)
        along = (root - tip) / np.hypot(*(root - tip))
        optics.draw_arm(picture, self.light, mask, self.skin, self.sleeve, tip + along * wide * 1.95, along)
        return mask

    def _truth(self, card: _Card, view: Picture, glare: Picture, cover: Picture) -> SeenLabel:
        corners = self._look(view, card.corners)
        why = ""
        if geo.outside(corners, self.size):
            why = "outside"
        elif card.buried:
            why = "covered"
        else:
            at = np.round(self._look(view, card.points) / COARSE).astype(int)
            x, y = np.minimum(at[:, 0], cover.shape[1] - 1), np.minimum(at[:, 1], cover.shape[0] - 1)
            if (cover[y, x] > 0.25).any():
                why = "covered"
            elif self._blinded(glare[y, x], self.light[y, x]):
                why = "glare"
        return geo.seen(card.it.text, corners, why)

    def _blinded(self, glare: Picture, light: Picture) -> bool:
        """Whether more than a twentieth of the symbol is so bright that black and white look alike."""
        factor = light.mean(axis=1) ** optics.GAMMA
        ink, paper = ((v / 255) ** optics.GAMMA * factor for v in (paint.INK, paint.PAPER))
        left = np.minimum(1, paper + glare) - np.minimum(1, ink + glare)
        return bool((left < 0.3 * np.minimum(1, paper)).mean() > 0.05)

    def _hold(self, picture: Picture, held: HeldCard, at: float) -> tuple[SeenLabel, Picture]:
        """Draw a card in a hand near the camera, in place: tilted, larger, with a motion of its own."""
        w, h = self.size
        now = geo.swaying(held, at)
        onto = geo.card_to_picture(now, self.size)
        quad = geo.through(onto, geo.box(*held.card))
        near = np.zeros_like(picture)
        geo.paste(
            near,
            sleeved(self.art(held.text, held.card), self.preset.veil),
            onto @ geo.pixels(1 / paint.ART),
            2,
        )
        corners = quad
        if held.labelled:
            place = geo.label_to_card(held.text, held.size, held.card)
            corners = geo.through(onto @ place, geo.box(held.size, held.size))
            label = sleeved(paint.sticker(held.text), self.preset.veil)
            geo.paste(near, label, onto @ place @ geo.label_pixels(held.text, held.size), 2)
        mask: Picture = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
        self._thumb(near, mask, quad, corners)
        if self.barrel:
            straight = _straight_grid(self.size, self.barrel)
            near, mask = (cv2.remap(one, *straight, cv2.INTER_LINEAR) for one in (near, mask))
            quad, corners = (geo.drawn_in(of, self.size, self.barrel) for of in (quad, corners))
        half, middle = self.preset.exposure / 2, np.array(held.card)[None] / 2
        before, after = (
            geo.through(geo.card_to_picture(geo.swaying(held, at + t), self.size), middle)[0]
            for t in (-half, half)
        )
        soft = max(0.4, self.preset.blur * 1.3)  # nearer than the table, so slightly out of focus
        near[mask == 0] = 0
        near = optics.lit(optics.smeared(cv2.GaussianBlur(near, (0, 0), soft), *(after - before)), self.light)
        mask = optics.smeared(cv2.GaussianBlur(mask, (0, 0), soft), *(after - before))
        behind = cv2.multiply(picture, cv2.cvtColor(255 - mask, cv2.COLOR_GRAY2BGR), scale=1 / 255)
        cv2.add(behind, near, dst=picture)
        return geo.seen(held.text or "-", corners, "outside" if geo.outside(corners, self.size) else ""), quad

    def _thumb(self, near: Picture, mask: Picture, quad: Picture, label: Picture) -> None:
        """A thumb on the lower edge, beside the label, and the hand behind it."""
        inward, side = (quad[0] + quad[1] - quad[2] - quad[3]) / 2, (quad[2] - quad[3]) / 2
        edge = (quad[2] + quad[3]) / 2
        edge = edge - 0.45 * side * np.sign((label.mean(axis=0) - edge) @ side)
        skin = np.array(optics.SKINS[self.skin], float)
        long = float(np.hypot(*inward))
        for start, end, wide, shade in (
            (edge - inward * 0.32 - side * 0.7, edge - inward * 1.2 - side * 0.3, 0.34, 0.72),
            (edge - inward * 0.3 + side * 0.5, edge - inward * 1.2 + side * 0.3, 0.42, 0.8),
            (edge + inward * 0.10, edge - inward * 0.6, 0.17, 0.86),
            (edge + inward * 0.10, edge - inward * 0.6, 0.14, 1.0),
        ):
            a, b = (tuple(int(v) for v in np.round(p)) for p in (start, end))
            thick = max(3, int(long * wide))
            cv2.line(near, a, b, tuple(float(v) for v in skin * shade), thick, cv2.LINE_AA)
            cv2.line(mask, a, b, 255, thick, cv2.LINE_AA)


@functools.lru_cache(maxsize=1)
def _straight_grid(size: Size, barrel: float) -> tuple[Picture, Picture]:
    """For every pixel, the point (x and y) of an undistorted picture that the lens shows there."""
    grid = np.stack(np.meshgrid(np.arange(size[0]), np.arange(size[1])), -1).astype(np.float32)
    straight = geo.straightened(grid, size, barrel).astype(np.float32)
    return np.ascontiguousarray(straight[..., 0]), np.ascontiguousarray(straight[..., 1])


def _face(it: Lying, veil: float, per_mm: float, drawn: paint.Art) -> Picture:
    """A card with its label, seen through its sleeve, before it is bent."""
    art = drawn(it.text, it.card)
    wide, high = (round(v * per_mm) for v in it.card)
    face = cv2.resize(sleeved(art, veil), (wide, high), interpolation=cv2.INTER_LINEAR)
    if it.labelled:
        place = geo.label_to_card(it.text, it.size, it.card) @ geo.label_pixels(it.text, it.size)
        geo.paste(
            face, sleeved(paint.sticker(it.text), veil), np.linalg.inv(geo.pixels(1 / per_mm)) @ place, 2
        )
    return face


def _hidden(one: SeenLabel, quad: Picture) -> SeenLabel:
    if one.visible and geo.overlap(np.array(one.corners), quad):
        return replace(one, visible=False, why="covered")
    return one


def _shadow(flat: Picture, quad: Picture, scale: float) -> None:
    """Draw the thin shadow of a card on the table."""
    pad = int(4 * scale)
    x0, y0 = np.maximum(quad.min(axis=0).astype(int) - pad, 0)
    x1, y1 = np.maximum(quad.max(axis=0).astype(int) + pad, 0)
    part = flat[y0:y1, x0:x1]
    if not part.size:
        return
    mask: Picture = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad - (x0, y0) + 0.5 * scale).astype(np.int32), 110)
    mask = cv2.blur(mask, (2 * int(0.7 * scale) + 1,) * 2)
    part[:] = cv2.multiply(part, cv2.cvtColor(255 - mask, cv2.COLOR_GRAY2BGR), scale=1 / 255)


def sleeved(face: Picture, veil: float) -> Picture:
    """A face seen through its sleeve: a little haze."""
    if face.ndim == 2:
        face = cv2.cvtColor(face, cv2.COLOR_GRAY2BGR)
    return cv2.addWeighted(face, 1 - veil, np.full_like(face, 235), veil, 0)
