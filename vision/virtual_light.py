"""Light and optics of the virtual table: presets, and their effect on a picture."""

import functools
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import Struct

Picture = np.ndarray[Any, np.dtype[Any]]

GAMMA = 2.2
COARSE = 4  # light changes slowly: shade and glare are computed on every fourth pixel
SKINS = ((120, 155, 205), (96, 128, 180), (70, 98, 148), (44, 62, 98))  # BGR


class Preset(Struct, frozen=True):
    """The conditions of one evening. Blur and noise are in pixels and 8-bit steps, so they hold at every
    picture size."""

    name: str
    hard: bool = False
    surface: Literal["wood", "cloth", "any"] = "any"
    bright: float = 1.0  # exposure, as a factor on gamma values
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)  # colour of the light, BGR
    fall: float = 0.15  # how much darker the far side is (0..1)
    shadow: float = 0.1  # depth of the soft shadows of people and lamps (0..1)
    blur: float = 0.45  # standard deviation of the lens blur, in pixels
    corner: float = 0.15  # how much softer the corners of the picture are
    sharpen: float = 0.7  # how strongly the camera sharpens against it (unsharp mask)
    noise: float = 2.5  # standard deviation of the sensor noise, in 8-bit steps
    gloss: float = 0.0  # how brightly lamps mirror in the sleeves: 0 is matte; above 1 saturates
    veil: float = 0.05  # haze of the sleeves: scattered light, in some sleeves more than in others
    shake: float = 4.0  # how far the camera sways, mm on the table
    tempo: float = 0.35  # how fast it sways, Hz
    exposure: float = 0.01  # shutter time in seconds: with the swaying it causes motion blur
    jpeg: int = 88


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("good-lamp", bright=1.08, tint=(0.92, 0.98, 1.02), fall=0.16, shadow=0.10, noise=2.5),
        Preset(
            "daylight", bright=1.14, tint=(1.05, 1.0, 0.96), fall=0.34, shadow=0.2, noise=1.8, exposure=0.005
        ),
        Preset(
            "dim-living-room",
            hard=True,
            bright=0.7,
            tint=(0.72, 0.92, 1.08),
            fall=0.45,
            shadow=0.35,
            blur=0.74,
            corner=0.5,
            noise=7.5,
            gloss=0.4,
            veil=0.08,
            shake=7.0,
            exposure=0.04,
            jpeg=75,
        ),
        Preset(
            "glossy-sleeves",
            hard=True,
            bright=1.0,
            tint=(0.92, 0.98, 1.02),
            fall=0.2,
            shadow=0.15,
            blur=0.83,
            corner=0.7,
            noise=5.5,
            gloss=1.9,
            veil=0.1,
            shake=9.0,
            exposure=0.035,
            jpeg=80,
        ),
        Preset(
            "shaky-hand",
            hard=True,
            bright=0.92,
            tint=(0.9, 0.97, 1.02),
            fall=0.25,
            shadow=0.2,
            blur=0.55,
            corner=0.3,
            noise=4.0,
            gloss=0.15,
            shake=30.0,
            tempo=1.1,
            exposure=0.0125,
            jpeg=80,
        ),
    )
}


@functools.lru_cache(maxsize=2)
def _to_linear() -> Picture:
    return np.round((np.arange(256) / 255) ** GAMMA * 65535).astype(np.uint16)


@functools.lru_cache(maxsize=2)
def _to_gamma() -> Picture:
    return np.round((np.arange(65536) / 65535) ** (1 / GAMMA) * 255).astype(np.uint8)


def reach(sigma: float, over: tuple[float, float]) -> int:
    """How many texels around a point affect it through lens, pixel and sharpening."""
    return int(np.ceil(max(over) * (3.5 + 3 * sigma))) + 1


@functools.lru_cache(maxsize=64)
def _kernel(sigma: float, over: float) -> Picture:
    """The pixel's square seen through the lens, along one axis, texel by texel."""
    fine = 16  # steps per texel
    side = 2 * int(np.ceil(over * (0.5 + 3 * sigma))) + 1
    at = (np.arange(side * fine) + 0.5) / fine - side / 2
    box = (np.abs(at) <= over / 2).astype(np.float64)
    lens = np.exp(-0.5 * (np.arange(-side * fine, side * fine + 1) / fine / max(0.02, sigma * over)) ** 2)
    shape = np.convolve(box, lens, mode="full")[side * fine : 2 * side * fine]
    shape = shape.reshape(side, fine).sum(axis=1)
    return np.asarray((shape / shape.sum()).astype(np.float32))


def footprint(flat: Picture, sigma: float, sharpen: float, over: tuple[float, float]) -> Picture:
    """A flat picture with `over` texels per pixel (across, down) as lens and pixels see it, in linear light.

    Each texel of the result is the mean over one sensor pixel around it, seen through a lens of `sigma`
    pixels: so sampling it at points is area sampling, and small labels turn grey as on a real sensor. Cameras
    then sharpen the picture in gamma values, which leaves bright and dark rims; this is linear too and also
    done here, once.
    """
    across, down, room = _kernel(sigma, over[0]), _kernel(sigma, over[1]), reach(sigma, over)
    out = np.empty_like(flat)
    band = max(64, 4_000_000 // flat.shape[1])
    for top in range(0, flat.shape[0], band):  # in bands: a 12-megapixel scene must not take a gigabyte
        low, high = max(0, top - room), min(flat.shape[0], top + band + room)
        linear = cv2.LUT(flat[low:high], _to_linear().astype(np.float32))
        seen = cv2.sepFilter2D(linear, -1, across, down, borderType=cv2.BORDER_REPLICATE)
        seen = np.round(seen).astype(np.uint16)
        plain = _to_gamma()[seen]
        if sharpen:
            soft = cv2.GaussianBlur(plain, (0, 0), over[0], sigmaY=over[1])
            plain = cv2.addWeighted(plain, 1 + sharpen, soft, -sharpen, 0)
        out[top : top + band] = plain[top - low : top - low + min(band, flat.shape[0] - top)]
    return out


def shade(preset: Preset, rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """The light at each place (coarse, BGR factors): a lamp to one side, soft shadows, vignetting."""
    w, h = -(-size[0] // COARSE), -(-size[1] // COARSE)
    x, y = np.meshgrid(np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32))
    turn = rng.uniform(0, 2 * np.pi)
    light = 1 - preset.fall * (0.5 + 0.36 * (x * np.cos(turn) + y * np.sin(turn)))
    light *= 1 - 0.09 * (x * x + y * y)
    for _ in range(2):
        at, wide, lean = rng.uniform(-1, 1), rng.uniform(0.12, 0.4), rng.uniform(0, np.pi)
        across = x * np.cos(lean) + y * np.sin(lean) - at
        edge = 1 / (1 + np.exp(-np.clip((wide - np.abs(across)) / rng.uniform(0.03, 0.12), -20, 20)))
        light *= 1 - preset.shadow * rng.uniform(0.4, 1.0) * edge
    return np.asarray(light[:, :, None] * np.array(preset.tint, np.float32) * np.float32(preset.bright))


def lit(picture: Picture, light: Picture) -> Picture:
    """The picture under this light. Gamma values are multiplied, which is exact for a power law."""
    gain = np.clip(light * 128, 0, 255).astype(np.uint8)
    gain = cv2.resize(gain, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    return cv2.multiply(picture, gain, scale=1 / 128)


def add_glare(picture: Picture, glare: Picture) -> None:
    """Add mirrored light (coarse, linear, 1 saturates on its own) in place, only where there is some."""
    box = cv2.boundingRect((glare > 0.002).astype(np.uint8))
    if not box[2]:
        return
    x, y, w, h = box
    part = glare[y : y + h, x : x + w]
    x0, y0 = x * COARSE, y * COARSE
    x1, y1 = min(picture.shape[1], x0 + w * COARSE), min(picture.shape[0], y0 + h * COARSE)
    fine = cv2.resize(part, (w * COARSE, h * COARSE), interpolation=cv2.INTER_LINEAR)[: y1 - y0, : x1 - x0]
    ys, xs = np.nonzero(fine > 0.002)
    region = picture[y0:y1, x0:x1]
    linear = _to_linear()[region[ys, xs]] + fine[ys, xs][:, None] * np.array(
        [62000, 64500, 65535], np.float32
    )
    region[ys, xs] = _to_gamma()[np.minimum(linear, 65535).astype(np.uint16)]


@functools.lru_cache(maxsize=4)
def _grain(width: int, height: int, sigma: float) -> Picture:
    """A sheet of sensor noise, larger than a picture: each frame takes a random part of it.

    Mostly luminance noise, less colour noise, slightly blurred as by the demosaicing of a sensor.
    """
    rng = np.random.default_rng(20)
    tile: Picture = rng.standard_normal((600, 1000, 3), dtype=np.float32) * 0.55
    tile += rng.standard_normal((600, 1000, 1), dtype=np.float32) * 0.8
    tile = cv2.addWeighted(tile, 0.75, cv2.blur(tile, (2, 2), borderType=cv2.BORDER_REFLECT), 0.55, 0)
    tile = np.round(tile * (sigma / float(tile.std()))).astype(np.int16)
    return np.tile(tile, (height // 600 + 2, width // 1000 + 2, 1))


def noisy(picture: Picture, sigma: float, rng: np.random.Generator) -> Picture:
    if sigma <= 0:
        return picture
    h, w = picture.shape[:2]
    sheet = _grain(w, h, sigma)
    y, x = int(rng.integers(0, 600)), int(rng.integers(0, 1000))
    return cv2.add(picture, sheet[y : y + h, x : x + w], dtype=cv2.CV_8U)


def smeared(picture: Picture, dx: float, dy: float) -> Picture:
    """Motion blur along (dx, dy) pixels: the mean of what the pixel passed while the shutter was open."""
    far = float(np.hypot(dx, dy))
    if far < 0.3:
        return picture
    reach = int(np.ceil(far / 2)) + 1
    side = 2 * reach + 1
    kernel = np.zeros((side, side), np.float32)
    steps = max(8, int(far * 8))
    for s in (np.arange(steps) + 0.5) / steps - 0.5:
        x, y = reach + s * dx, reach + s * dy
        i, j = int(x), int(y)
        fx, fy = x - i, y - j
        kernel[j : j + 2, i : i + 2] += np.outer((1 - fy, fy), (1 - fx, fx))
    return cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


def pressed(picture: Picture, quality: int) -> Picture:
    """The picture compressed as JPEG and decoded again, as from a webcam."""
    if quality >= 100:
        return picture
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def glare_on(
    glare: Picture, corners: Picture, spot: Picture, radius: tuple[float, float], turn: float, power: float
) -> None:
    """Mirror a lamp in one sleeve: a bright spot at `spot` (pixels), seen only inside the card, added in place."""
    quad = corners / COARSE
    far = np.maximum(np.maximum(quad.min(axis=0) - spot / COARSE, spot / COARSE - quad.max(axis=0)), 0)
    if np.hypot(*far) > 5 * max(radius) / COARSE:
        return
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    x1 = min(int(np.ceil(quad[:, 0].max())) + 1, glare.shape[1])
    y1 = min(int(np.ceil(quad[:, 1].max())) + 1, glare.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    x, y = np.meshgrid(np.arange(x0, x1, dtype=np.float32), np.arange(y0, y1, dtype=np.float32))
    u, v = x - spot[0] / COARSE, y - spot[1] / COARSE
    a = (u * np.cos(turn) + v * np.sin(turn)) / (radius[0] / COARSE)
    b = (v * np.cos(turn) - u * np.sin(turn)) / (radius[1] / COARSE)
    d = a * a + b * b
    bright = power * (np.exp(-2 * d) * 1.6 + 0.16 * np.exp(-0.3 * d))  # a core that saturates and a halo
    inside = np.zeros(bright.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round((quad - (x0, y0)) * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    glare[y0:y1, x0:x1] += bright.astype(np.float32) * (inside / np.float32(255))


def arm_mask(size: tuple[int, int], tip: Picture, root: Picture, width: float) -> Picture:
    """An arm with a hand reaching from `root` (outside) to `tip`, as coverage 0..1 on the coarse grid."""
    w, h = -(-size[0] // COARSE), -(-size[1] // COARSE)
    mask = np.zeros((h, w), np.uint8)
    a, b, wide = tip / COARSE, root / COARSE, width / COARSE
    along = (b - a) / max(1e-6, float(np.hypot(*(b - a))))
    side = np.array([-along[1], along[0]])
    wrist = a + along * wide * 1.9
    sleeve = [
        wrist + side * wide * 0.42,
        b + side * wide * 0.75,
        b - side * wide * 0.75,
        wrist - side * wide * 0.42,
    ]
    cv2.fillConvexPoly(mask, np.round(np.array(sleeve) * 16).astype(np.int32), 255, cv2.LINE_AA, shift=4)
    palm = a + along * wide * 1.25
    cv2.ellipse(
        mask,
        _point(palm),
        (int(wide * 0.72), int(wide * 0.48)),
        float(np.degrees(np.arctan2(*along[::-1]))),
        0,
        360,
        255,
        -1,
    )
    for k, long in ((-1.6, 0.75), (-0.75, 0.15), (0.0, 0.0), (0.7, 0.12), (1.35, 0.4)):
        finger = a + side * k * wide * 0.36 + along * long * wide
        cv2.line(
            mask,
            _point(palm + side * k * wide * 0.22),
            _point(finger),
            255,
            max(2, int(wide * 0.16)),
            cv2.LINE_AA,
        )
    return cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32) / 255


def _point(at: Picture) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


def draw_arm(
    picture: Picture,
    light: Picture,
    mask: Picture,
    skin: int,
    sleeve: tuple[int, int, int],
    wrist: Picture,
    along: Picture,
) -> None:
    """Draw the arm in place: skin up to the wrist, cloth above it, darker towards the edges, with its shadow."""
    box = cv2.boundingRect((cv2.dilate(mask, np.ones((9, 9), np.uint8)) > 0.02).astype(np.uint8))
    x, y, w, h = box
    if not w:
        return
    x0, y0 = x * COARSE, y * COARSE
    x1, y1 = min(picture.shape[1], x0 + w * COARSE), min(picture.shape[0], y0 + h * COARSE)
    small = mask[y : y + h, x : x + w]
    round_ = cv2.GaussianBlur(small, (0, 0), 7)
    gx, gy = np.meshgrid(np.arange(x, x + w) * COARSE - wrist[0], np.arange(y, y + h) * COARSE - wrist[1])
    cloth = np.clip((gx * along[0] + gy * along[1]) / 6.0, 0, 1)[:, :, None].astype(np.float32)
    flesh = np.array(SKINS[skin % len(SKINS)], np.float32)
    colour = flesh * (1 - cloth) + np.array(sleeve, np.float32) * cloth
    colour = colour * (0.45 + 0.55 * round_[:, :, None]) * light[y : y + h, x : x + w]
    dim = 1 - 0.35 * cv2.GaussianBlur(np.roll(small, (3, 4), (0, 1)), (0, 0), 4)
    over = small[:, :, None]

    def up(field: Picture) -> Picture:
        return cv2.resize(field, (w * COARSE, h * COARSE), interpolation=cv2.INTER_LINEAR)[
            : y1 - y0, : x1 - x0
        ]

    region = picture[y0:y1, x0:x1]
    keep = np.round(np.clip((1 - over) * dim[:, :, None], 0, 1) * 255).astype(np.uint8)
    behind = cv2.multiply(region, cv2.cvtColor(up(keep), cv2.COLOR_GRAY2BGR), scale=1 / 255)
    picture[y0:y1, x0:x1] = cv2.add(behind, up(np.clip(colour * over, 0, 255).astype(np.uint8)))
