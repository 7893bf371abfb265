"""The third-party QR decoders behind one interface that never raises, whatever the picture."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import zxingcpp
from msgspec import Struct
from msgspec.structs import replace

from vision.finders import Grey, Reals
from vision.labels import MODULES
from vision.sightings import Corners, ReadBy
from vision.squares import equalised, evened, shared, shared_dark

LARGEST = 64_000_000
"""Maximum number of pixels: more than any camera for a table gives."""
LONGEST = 32_000
"""Maximum pixels along one side."""
LARGEST_CROP = 160
"""Pixels along one side: larger labels need no cutting out, and larger outlines are mostly not labels."""
QUIET = 2


class Reading(Struct, frozen=True):
    """What a decoder read at a place; an empty text is an outline that could not be read.

    `plain`: a symbol of the version and error correction level that all our labels have. This alone excludes
    codes of a structured-append series: with their header, ten characters do not fit.
    """

    text: str
    corners: Corners
    how: ReadBy = "zxing"
    plain: bool = True
    sure: float = 0.999


def to_grey(picture: object) -> tuple[Grey | None, str]:
    """The picture as the decoders need it (8-bit grey, contiguous), or None and the reason."""
    if not isinstance(picture, np.ndarray):
        return None, f"not a picture but {type(picture).__name__}"
    if picture.ndim == 3 and picture.shape[2] == 1:
        picture = picture[:, :, 0]
    if picture.ndim not in (2, 3) or (picture.ndim == 3 and picture.shape[2] not in (3, 4)):
        return None, f"a picture has rows, columns and 1, 3 or 4 channels, not the shape {picture.shape}"
    if picture.size == 0:
        return None, "an empty picture"
    if picture.shape[0] * picture.shape[1] > LARGEST or max(picture.shape[:2]) > LONGEST:
        return None, f"a picture of {picture.shape[1]} by {picture.shape[0]} pixels is too large"
    eight = _eight_bits(picture)
    if eight is None:
        return None, f"pictures of type {picture.dtype} cannot be read"
    if eight.ndim == 3:
        code = cv2.COLOR_BGR2GRAY if eight.shape[2] == 3 else cv2.COLOR_BGRA2GRAY
        eight = np.asarray(cv2.cvtColor(np.ascontiguousarray(eight), code), np.uint8)
    return np.ascontiguousarray(eight), ""


def _eight_bits(picture: Any) -> Any:
    """Brightness from 0 to 255, from any number type a camera may give; None if it cannot be brightness."""
    kind = picture.dtype.kind
    if picture.dtype == np.uint8:
        return picture
    if kind == "b":
        return picture.astype(np.uint8) * np.uint8(255)
    if kind == "f":
        with np.errstate(over="ignore"):  # values too large for float32 become infinite, then white
            small = picture.astype(np.float32)
        real = np.nan_to_num(small, nan=0.0, posinf=255.0, neginf=0.0)
        return np.clip(real * (255.0 if real.max() <= 1.0 else 1.0), 0, 255).astype(np.uint8)
    if kind in "ui":
        highest = int(picture.max())
        steps = next((bits - 8 for bits in (8, 10, 12, 14, 16) if highest < 1 << bits), None)
        return None if steps is None else (np.maximum(picture, 0) >> steps).astype(np.uint8)
    return None


def zxing(grey: Grey, *, small: bool = False) -> list[Reading]:
    """What zxing-cpp finds, including unreadable outlines. `small` is for crops that contain one label."""
    if min(grey.shape) < MODULES // 2:
        return []
    found = zxingcpp.read_barcodes(
        grey,
        formats=_formats(),
        text_mode=zxingcpp.TextMode.Plain,
        try_invert=False,
        try_downscale=not small,
        return_errors=True,
    )
    return [_reading(code) for code in found]


def zxing_plain(grey: Grey) -> list[Reading]:
    """What zxing-cpp finds with its default settings: any QR code, also mirrored or white on black."""
    if min(grey.shape) < MODULES // 2:
        return []
    plain = zxingcpp.TextMode.Plain
    found = zxingcpp.read_barcodes(grey, formats=_any_formats(), text_mode=plain, return_errors=True)
    return [_reading(code) for code in found]


@functools.cache
def _formats() -> zxingcpp.BarcodeFormats:
    return zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)


@functools.cache
def _any_formats() -> zxingcpp.BarcodeFormats:
    kinds = zxingcpp.BarcodeFormat
    return zxingcpp.BarcodeFormats([kinds.QRCodeModel1, kinds.QRCodeModel2])


def _reading(code: zxingcpp.Barcode) -> Reading:
    place = code.position
    corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
    outline = tuple((float(corner.x), float(corner.y)) for corner in corners)
    extra = code.extra if isinstance(code.extra, dict) else {}
    plain = code.ec_level == "H" and str(extra.get("Version", "")) == "1"
    return Reading(code.text if code.valid else "", outline, "zxing", plain)


def zxing_squares(squares: Reals) -> list[str]:
    """Texts of symbols measured square by square, "" where none can be decoded: uses only zxing's error
    correction.

    Tried as they are first, then with the light evened out.
    """
    if not len(squares):
        return []
    texts = [_corrected(values) for values in equalised(squares)]
    again = [k for k, text in enumerate(texts) if not text]
    if again:
        for k, values in zip(again, equalised(evened(squares[again])), strict=True):
            texts[k] = _corrected(values)
    return texts


def _corrected(values: Reals) -> str:
    side = MODULES + 2 * QUIET
    inner = slice(QUIET, -QUIET)
    symbol = np.full((side, side), 255, np.uint8)
    symbol[inner, inner] = np.where(np.where(shared(), shared_dark(), values < 0), 0, 255)
    big = np.repeat(np.repeat(symbol, 2, axis=0), 2, axis=1)
    texts = [reading.text for reading in zxing(big, small=True) if reading.plain]
    return texts[0] if len(texts) == 1 else ""


@functools.cache
def _zbar() -> Callable[[Grey], list[Reading]] | None:
    """zbar's reader, or None if the library is not installed."""
    try:
        pyzbar = importlib.import_module("pyzbar.pyzbar")
    except (ImportError, OSError):
        return None

    def read(grey: Grey) -> list[Reading]:
        try:
            found = pyzbar.decode(grey, symbols=[pyzbar.ZBarSymbol.QRCODE])
        except Exception:  # it may raise anything on odd symbols
            return []
        return [_zbar_reading(one.data, one.polygon) for one in found if len(one.polygon) > 2]

    return read


def _zbar_reading(data: bytes, polygon: list[Any]) -> Reading:
    hull: Any = np.array(polygon, np.float32)
    if len(hull) != 4:  # it may return any number of corners
        hull = cv2.boxPoints(cv2.minAreaRect(hull))
    corners = tuple((float(x), float(y)) for x, y in hull)
    return Reading(data.decode("utf-8", "replace"), corners, "zbar", sure=0.995)


def has_zbar() -> bool:
    """Whether zbar is installed."""
    return _zbar() is not None


def zbar(grey: Grey) -> list[Reading]:
    """What zbar reads; empty if it is not installed. Its corners are an outline that may start anywhere."""
    read = _zbar()
    return read(grey) if read is not None and min(grey.shape) >= MODULES else []


def opencv(grey: Grey, zoom: float = 1.0) -> list[Reading]:
    """What OpenCV's own reader finds in a picture that was resized by `zoom`. Slow: only for small pictures."""
    try:
        good, texts, places, _ = cv2.QRCodeDetector().detectAndDecodeMulti(grey)
    except (cv2.error, UnicodeDecodeError):
        return []
    part = Crop(grey, 0, 0, zoom)
    found = zip(texts, places, strict=True) if good else ()
    return [
        part.back(Reading(text, tuple((float(x), float(y)) for x, y in corners), sure=0.99))
        for text, corners in found
        if text
    ]


class Crop(Struct, frozen=True):
    """A part of a picture, enlarged and sharpened, and its position."""

    grey: Grey
    x: int
    y: int
    zoom: float

    def back(self, reading: Reading) -> Reading:
        """A reading in the coordinates of the whole picture."""
        off = 0.5 - 0.5 / self.zoom
        corners = ((x / self.zoom + self.x - off, y / self.zoom + self.y - off) for x, y in reading.corners)
        return replace(reading, corners=tuple(corners))


def crop(grey: Grey, corners: Corners, zoom: int) -> Crop | None:
    """The surroundings of a label, enlarged and sharpened; None if the outline cannot be a label's."""
    outline = np.asarray(corners, np.float64)
    low, high = outline.min(axis=0), outline.max(axis=0)
    wide, tall = high - low
    if max(wide, tall) > LARGEST_CROP or max(wide, tall) > 2 * min(wide, tall):
        return None
    rim = 0.2 * max(wide, tall) + 2
    h, w = grey.shape
    x0, y0 = (int(max(0, v)) for v in low - rim)
    x1, y1 = int(min(w, high[0] + rim + 1)), int(min(h, high[1] + rim + 1))
    if x1 - x0 < MODULES // 2 or y1 - y0 < MODULES // 2:
        return None
    part = cv2.resize(grey[y0:y1, x0:x1], None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(part, (0, 0), 0.6 * zoom)
    sharp = cv2.addWeighted(part, 2.2, soft, -1.2, 0)
    return Crop(np.ascontiguousarray(sharp, np.uint8), x0, y0, zoom)
