"""Foreign codes in still pictures: never fewer than zxing alone reads, and some more."""

from __future__ import annotations

import time
from typing import Any

import cv2
import numpy as np
import pytest
import zxingcpp

from tests.vision.painted import paint, symbol
from vision import any_code, decoders
from vision.decode import Reader
from vision.decoders import Reading, zxing_plain

TEXT = "HTTPS://EXAMPLE.ORG/ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def sheet(text: str = TEXT, cell: int = 5) -> Any:
    """A code on a white sheet."""
    flat = np.where(np.pad(symbol(text), 5), 40, 220).astype(np.uint8)
    return np.pad(np.kron(flat, np.ones((cell, cell), np.uint8)), 60, constant_values=120)


def bent(picture: Any, much: float) -> Any:
    """A sheet around a bottle."""
    y, x = np.indices(picture.shape, np.float32)
    y += np.float32(much * picture.shape[0] * 4) * (x / picture.shape[1]) * (1 - x / picture.shape[1])
    return cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def texts(picture: Any) -> set[str]:
    return {sighting.text for sighting in Reader(clock=lambda: 0.0).read_any(picture)}


def alone(picture: Any) -> set[str]:
    """zxing alone."""
    kinds = zxingcpp.BarcodeFormat
    return {c.text for c in zxingcpp.read_barcodes(picture, formats=[kinds.QRCodeModel1, kinds.QRCodeModel2])}


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p,
        lambda p: 255 - p,
        lambda p: np.ascontiguousarray(p[:, ::-1]),
        lambda p: np.ascontiguousarray(np.rot90(p)),
        lambda p: (118 + (p.astype(np.float32) - 128) * 0.05).astype(np.uint8),
        lambda p: cv2.GaussianBlur(p, (0, 0), 2.5),
        lambda p: cv2.resize(p, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA),
    ],
    ids=["plain", "white on black", "mirrored", "turned", "faint", "soft", "small"],
)
def test_no_fewer_than_zxing(change: Any) -> None:
    picture = change(sheet())
    assert texts(picture) >= alone(picture)
    assert texts(picture) == {TEXT}


@pytest.mark.parametrize("length", [1, 100, 700, 2000])
def test_codes_of_all_sizes(length: int) -> None:
    picture = sheet("A" * length, 4)
    assert texts(picture) == {"A" * length}


def test_a_code_around_a_bottle() -> None:
    picture = bent(sheet(), 0.13)
    assert alone(picture) == set()
    assert texts(picture) == {TEXT}


def test_what_zxing_read_stays_whatever_others_say(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = sheet()
    (first,) = zxing_plain(picture)
    monkeypatch.setattr(decoders, "zbar", lambda grey: [Reading("OTHER", first.corners, "zbar")])
    assert texts(picture) == {TEXT}


def test_zbar_adds_what_only_zbar_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = sheet()
    away = ((5.0, 5.0), (25.0, 5.0), (25.0, 25.0), (5.0, 25.0))
    monkeypatch.setattr(decoders, "zbar", lambda grey: [Reading("OTHER", away, "zbar")])
    assert texts(picture) == {TEXT, "OTHER"}


def test_a_small_code_inside_a_large_one_counts_for_itself() -> None:
    large = sheet("L" * 40, 24)
    small = np.where(np.pad(symbol("SMALL"), 2), 40, 220).astype(np.uint8)
    small = np.kron(small, np.ones((3, 3), np.uint8))
    y, x = (np.array(large.shape) - small.shape) // 2
    large[y : y + small.shape[0], x : x + small.shape[1]] = small
    assert texts(large) >= alone(large)


def test_without_time_zxing_is_heard_all_the_same() -> None:
    ticks = iter(range(0, 10**6, 100))
    picture, _ = paint([symbol("ONE"), symbol("TWO")], 4.0)
    assert {reading.text for reading in any_code.read(picture, lambda: next(ticks))} == {"ONE", "TWO"}


def test_opencv_is_asked_last_and_in_small_pictures_only(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def opencv(grey: Any, zoom: float) -> list[Reading]:
        asked.append((grey.size, zoom))
        return []

    monkeypatch.setattr(decoders, "opencv", opencv)
    texts(sheet())
    assert not asked
    texts(np.full((3000, 4000), 128, np.uint8))
    ((size, zoom),) = asked
    assert size <= any_code.FOR_OPENCV * 1.01
    assert zoom == pytest.approx((any_code.FOR_OPENCV / 12e6) ** 0.5)


def test_opencv_reads_in_the_coordinates_of_the_picture() -> None:
    picture = sheet("HELLO WORLD", 16)
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    (reading,) = decoders.opencv(np.asarray(half, np.uint8), 0.5)
    (wanted,) = zxing_plain(picture)
    assert reading.text == "HELLO WORLD"
    assert np.abs(np.array(reading.corners) - np.array(wanted.corners)).max() < 8


@pytest.mark.parametrize("corners", [3, 4, 5, 7])
def test_zbar_may_give_any_number_of_corners(corners: int) -> None:
    turns = np.arange(corners) * 2 * np.pi / corners
    ring = [(int(100 + 40 * np.cos(turn)), int(100 + 40 * np.sin(turn))) for turn in turns]
    reading = decoders._zbar_reading(b"TEXT", ring)
    assert len(reading.corners) == 4
    assert np.mean(reading.corners, axis=0) == pytest.approx((100, 100), abs=12)


def test_two_hundred_codes_and_large_pictures_of_nothing_end_in_time() -> None:
    many = [f"CODE{number}" for number in range(200)]
    picture, _ = paint(
        [symbol(text, version=1, error="l") for text in many], 2.6, size=(1600, 1000), lens=0.4
    )
    noise = np.random.default_rng(0).integers(0, 256, (3040, 4056), np.uint8)
    began = time.process_time()
    found = {reading.text for reading in any_code.read(picture, time.process_time)}
    assert found >= alone(picture)
    assert len(found) > 190
    assert any_code.read(noise, time.process_time) == []
    assert time.process_time() - began < 20
