"""The reader: everything it should read, and all the pictures it must survive."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.vision.painted import label, paint, symbol
from vision import decode, decoders, labels, plane
from vision.codebook import Codebook
from vision.decode import Reader
from vision.decoders import Reading, to_grey
from vision.label_search import LabelSearch
from vision.readings import settled, sway

TEXT = label(17)


def texts(sightings: Any) -> list[str]:
    return sorted(sighting.text for sighting in sightings)


@pytest.fixture
def no_zbar() -> Iterator[None]:
    """A computer without libzbar."""
    real = decoders._zbar
    decoders._zbar = lambda: None  # type: ignore[assignment]
    yield
    decoders._zbar = real


# What is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [2.2, 3.0, 6.0, 10.0])
@pytest.mark.parametrize("angle", [0.0, 31.0, 90.0, 200.0])
def test_comfortable_labels_are_read_where_they_are(module: float, angle: float) -> None:
    picture, outlines = paint([symbol(TEXT)], module, angles=[angle])
    (sighting,) = Reader().read(picture)
    assert (sighting.text, sighting.how) == (TEXT, "zxing")
    assert sighting.sure > 0.99
    assert sighting.module == pytest.approx(module, rel=0.06)
    # Clockwise from the symbol's own top left, however it is turned.
    assert np.abs(np.array(sighting.corners) - outlines[0]).max() < 2.0 * max(1.0, module / 3)


def test_a_full_table_is_read_in_one_go() -> None:
    many = [label(number) for number in range(1, 31)]
    picture, _ = paint([symbol(text) for text in many], 2.2, angles=[0, 8, 90, 183], size=(960, 720))
    assert texts(Reader().read(picture)) == sorted(many)


def test_a_label_too_small_for_decoders_is_read_by_its_squares() -> None:
    many = [label(number) for number in range(1, 9)]
    picture, _ = paint([symbol(text) for text in many], 1.45, angles=[3, 40], lens=0.55)
    assert len([r for r in decoders.zxing(picture) if r.text]) < 4
    assert texts(Reader(clock=lambda: 0.0).read(picture)) == sorted(many)


def test_only_our_grammar_passes() -> None:
    foreign = ["HELLO WORLD", TEXT[:-1] + ("0" if TEXT[-1] != "0" else "1"), "https://example.org"]
    picture, _ = paint([symbol(text) for text in [TEXT, *foreign]], 4.0)
    assert texts(Reader().read(picture)) == [TEXT]
    assert texts(Reader().read_any(picture)) == sorted([TEXT, *foreign])


def test_our_text_in_a_symbol_we_never_print_is_not_ours() -> None:
    picture, _ = paint([symbol(TEXT, version=3, error="l")], 4.0)
    assert Reader().read(picture) == ()
    assert texts(Reader().read_any(picture)) == [TEXT]


def test_while_nobody_waits_only_a_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("searched though nobody waits")

    monkeypatch.setattr(LabelSearch, "places", never)
    monkeypatch.setattr(decode, "again", never)
    picture, _ = paint([symbol(TEXT)], 3.0)
    reader = Reader()
    assert texts(reader.read(picture, waiting=False)) == [TEXT]
    assert reader.read(np.full((360, 640), 128, np.uint8), waiting=False) == ()


def test_no_search_while_everything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []
    real = LabelSearch.places

    def counted(*given: Any, **named: Any) -> Any:
        searches.append(1)
        return real(*given, **named)

    monkeypatch.setattr(LabelSearch, "places", counted)
    reader = Reader()
    for seed in range(10):
        picture, _ = paint([symbol(TEXT)], 3.0, seed=seed)
        assert texts(reader.read(picture)) == [TEXT]
    assert len(searches) < 6
    before = len(searches)
    picture, _ = paint([symbol(TEXT), symbol(label(3))], 3.0)
    reader.read(picture)
    assert len(searches) == before + 1, "something new: look closely at once"


# Disagreement -----------------------------------------------------------------------------------------------------


HERE = ((10.0, 10.0), (52.0, 10.0), (52.0, 52.0), (10.0, 52.0))
BESIDE = tuple((x + 60.0, y) for x, y in HERE)


def test_who_disagrees_about_a_place_loses_it() -> None:
    one, other = Reading(TEXT, HERE), Reading(label(18), HERE, "zbar")
    assert settled([one, other]) == []
    assert settled([one, Reading(TEXT, HERE, "zbar")]) == [one]
    far = Reading(label(18), BESIDE)
    assert settled([one, far]) == [one, far]
    assert settled([one, Reading("", HERE)]) == [one], "an outline without text says nothing"


def test_two_decoders_that_differ_make_no_sighting(monkeypatch: pytest.MonkeyPatch) -> None:
    real = decoders.zxing

    def doubtful(grey: Any, *, small: bool = False) -> list[Reading]:
        found = real(grey, small=small)
        return found + [Reading(label(18), r.corners) for r in found]

    picture, _ = paint([symbol(TEXT)], 4.0)
    assert texts(Reader().read(picture)) == [TEXT]
    monkeypatch.setattr(decoders, "zxing", doubtful)
    assert Reader().read(picture) == ()


def test_a_crop_that_reads_differently_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, _ = paint([symbol(TEXT)], 4.0)
    part = decoders.crop(picture, HERE, 3)
    assert part is not None
    here = tuple((3 * (x - part.x), 3 * (y - part.y)) for x, y in HERE)
    monkeypatch.setattr(decoders, "zxing", lambda *_, **__: [])
    monkeypatch.setattr(decoders, "zbar", lambda _: [Reading(TEXT, here), Reading(label(18), here)])
    assert decode.read_crop(picture, HERE) == []
    monkeypatch.setattr(decoders, "zbar", lambda _: [Reading(TEXT, here, "zbar")])
    (reading,) = decode.read_crop(picture, HERE)
    assert (reading.text, reading.how, reading.corners) == (TEXT, "zbar", HERE)
    elsewhere = tuple((x + 60, y) for x, y in here)
    monkeypatch.setattr(decoders, "zbar", lambda _: [Reading(TEXT, elsewhere, "zbar")])
    assert decode.read_crop(picture, HERE) == []


@pytest.mark.parametrize("shift", [0.0, 10.0])
def test_a_label_in_a_crop_is_where_it_is_not_where_it_was_sought(shift: float) -> None:
    picture, outlines = paint([symbol(TEXT)], 2.4)
    sought = tuple((float(x) + shift, float(y) + shift / 2) for x, y in outlines[0])
    (reading,) = decode.read_crop(picture, sought)
    assert reading.text == TEXT
    assert np.abs(np.array(reading.corners) - outlines[0]).max() < 2


def test_zbar_reads_too() -> None:
    if not decoders.has_zbar():
        pytest.skip("libzbar is not installed")
    picture, outlines = paint([symbol(TEXT)], 4.0)
    (reading,) = decoders.zbar(picture)
    assert (reading.text, reading.how) == (TEXT, "zbar")
    assert np.abs(np.mean(reading.corners, axis=0) - outlines[0].mean(axis=0)).max() < 3


@pytest.mark.usefixtures("no_zbar")
def test_it_works_without_zbar() -> None:
    reader = Reader()
    assert not reader.second_opinion
    picture, _ = paint([symbol(TEXT)], 3.0)
    assert texts(reader.read(picture)) == [TEXT]
    assert decoders.zbar(picture) == []


# Pictures nobody should send --------------------------------------------------------------------------------------


def test_all_kinds_of_pixels_are_understood() -> None:
    grey, _ = paint([symbol(TEXT)], 4.0)
    colour = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    wide = np.zeros((360, 1280), np.uint8)
    wide[:, ::2] = grey
    kinds = {
        "grey": grey,
        "one channel": grey[:, :, None],
        "BGR": colour,
        "BGRA": cv2.cvtColor(grey, cv2.COLOR_GRAY2BGRA),
        "16 bits": grey.astype(np.uint16) * 257,
        "10 bits": grey.astype(np.uint16) * 4,
        "0 to 1": grey.astype(np.float64) / 255,
        "0 to 255": grey.astype(np.float32),
        "integers": grey.astype(np.int64),
        "bool": grey > 120,
        "every second column": wide[:, ::2],
        "mirrored twice": grey[::-1, ::-1][::-1, ::-1],
        "by columns": np.asfortranarray(grey),
        "read-only": np.frombuffer(grey.tobytes(), np.uint8).reshape(grey.shape),
    }
    for name, picture in kinds.items():
        reader = Reader()
        assert texts(reader.read(picture)) == [TEXT], name
        assert reader.trouble == ""


@pytest.mark.parametrize(
    "picture",
    [
        None,
        "a picture",
        b"\xff\xd8",
        [[0, 1], [2, 3]],
        np.zeros((0, 0), np.uint8),
        np.zeros((0, 100), np.uint8),
        np.zeros((100, 0, 3), np.uint8),
        np.zeros(100, np.uint8),
        np.zeros((), np.uint8),
        np.zeros((10, 10, 2), np.uint8),
        np.zeros((4, 4, 4, 4), np.uint8),
        np.zeros((50, 50), np.complex128),
        np.empty((50, 50), object),
        np.full((50, 50), 1 << 40, np.int64),
        np.zeros((50, 50), "datetime64[s]"),
        np.broadcast_to(np.uint8(0), (40_000, 40_000)),
    ],
    ids=str,
)
def test_what_is_no_picture_is_refused_with_a_reason(picture: Any) -> None:
    reader = Reader()
    assert reader.read(picture) == ()
    assert reader.trouble
    assert reader.read_any(picture) == ()
    fine, _ = paint([symbol(TEXT)], 4.0)
    assert texts(reader.read(fine)) == [TEXT], "and the next picture is read as if nothing had happened"
    assert reader.trouble == ""


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((1, 1), np.uint8),
        np.zeros((1, 5000), np.uint8),
        np.zeros((5000, 2), np.uint8),
        np.zeros((20, 20), np.uint8),
        np.zeros((360, 640), np.uint8),
        np.full((360, 640), 255, np.uint8),
        np.full((360, 640), np.nan, np.float32),
        np.full((360, 640), np.inf, np.float64),
        np.full((360, 640), -7, np.int16),
        np.indices((360, 640)).sum(axis=0) % 2 * np.uint8(255),
        np.random.default_rng(0).integers(0, 256, (360, 640), np.uint8),
        np.random.default_rng(0).integers(0, 2, (360, 640), np.uint8) * np.uint8(255),
    ],
    ids=lambda p: f"{p.shape}-{p.dtype}-{p.flat[0]}",
)
def test_empty_and_noisy_pictures_give_nothing(picture: Any) -> None:
    reader = Reader()
    for _ in range(3):
        assert reader.read(picture) == ()
    assert reader.read_any(picture) == ()


def test_twelve_megapixels_without_a_label_do_not_hang() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (760, 1014), np.uint8)
    picture = cv2.resize(noise, (4056, 3040), interpolation=cv2.INTER_LINEAR)
    began = time.process_time()
    assert Reader(clock=time.process_time).read(picture) == ()
    assert time.process_time() - began < 3


def test_two_hundred_codes() -> None:
    many = [label(number) for number in range(1, 201)]
    picture, _ = paint([symbol(text) for text in many], 2.6, size=(1600, 1000), lens=0.4)
    began = time.process_time()
    found = Reader(clock=time.process_time).read(picture)
    assert time.process_time() - began < 5
    assert set(texts(found)) <= set(many)
    assert len(found) > 190


def test_very_long_odd_and_partial_codes() -> None:
    long = "0123456789ABCDEF" * 260
    kanji = "点茗点茗点茗"
    part = segno.make_sequence(TEXT + " AND MORE OF IT", symbol_count=2)[0]
    shapes = [symbol(kanji, encoding="shift_jis"), np.array(part.matrix, np.uint8) > 0]
    picture, _ = paint(shapes, 4.0)
    assert Reader().read(picture) == ()
    Reader().read_any(picture)
    picture, _ = paint([symbol(long, error="l")], 3.0, size=(640, 640), lens=0.3)
    assert Reader().read(picture) == ()
    assert texts(Reader().read_any(picture)) == [long]


def test_a_part_of_a_series_is_no_label_whatever_it_says() -> None:
    parts = [TEXT, label(18)]
    for part in segno.make_sequence("".join(parts), symbol_count=2, error="l"):
        picture, _ = paint([np.array(part.matrix, np.uint8) > 0], 5.0)
        assert Reader().read(picture) == ()


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        arrays.arrays(
            st.sampled_from(["u1", "u2", "i4", "f2", "f4", "f8", "?", "c8", "S3"]),
            arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=30),
        ),
        st.none(),
        st.text(),
    )
)
def test_nothing_is_too_odd(picture: Any) -> None:
    grey, trouble = to_grey(picture)
    assert (grey is None) == bool(trouble)
    if grey is not None:
        assert grey.dtype == np.uint8
        assert grey.ndim == 2
        assert grey.flags.c_contiguous
    assert Reader().read(picture) == ()


# Small things -----------------------------------------------------------------------------------------------------


def test_sway_is_what_most_labels_did() -> None:
    moved = tuple((x + 3.0, y - 1.0) for x, y in HERE)
    lost = tuple((x + 200.0, y) for x, y in HERE)
    assert sway({"a": HERE, "b": BESIDE}, {}) is None
    assert sway({"a": HERE, "b": HERE, "c": HERE}, {"a": moved, "b": moved, "c": lost}) == (3.0, -1.0)


def test_labels_are_followed_while_the_camera_sways() -> None:
    many = [label(number) for number in range(1, 9)]
    picture, _ = paint([symbol(text) for text in many], 1.5, angles=[3, 40])
    reader = Reader(clock=lambda: 0.0)
    for step in range(4):
        shifted = np.roll(picture, (2 * step, 3 * step), axis=(0, 1))
        assert texts(reader.read(shifted)) == sorted(many)
    assert labels.parse(many[0]) is not None


# Patience ---------------------------------------------------------------------------------------------------------


def steep(numbers: list[int], seed: int) -> Any:
    """Small labels seen at a steep slant: a little more than half as high as they are wide."""
    picture, _ = paint([symbol(label(n)) for n in numbers], 2.0, noise=0.0, size=(640, 480), lens=0.6)
    low = cv2.resize(picture, (640, 264), interpolation=cv2.INTER_AREA)
    return np.clip(low + np.random.default_rng(seed).normal(0, 3, low.shape), 0, 255).astype(np.uint8)


def test_patience_reads_what_is_seen_at_a_steep_slant(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = list(range(1, 9))
    book = Codebook(label(number) for number in range(1, 60))

    def reads() -> set[str]:
        reader = Reader(book, clock=lambda: 0.0)
        return {one.text for seed in range(5) for one in reader.read(steep(numbers, seed), patient=True)}

    assert reads() == {label(number) for number in numbers}
    monkeypatch.setattr(plane, "LEAST", len(numbers) + 1)  # what is read already tells nothing about the rest
    assert reads() == {label(number) for number in numbers}
    monkeypatch.setattr(Reader, "_look_askew", lambda *_: None)
    assert len(reads()) < len(numbers)


def test_patience_reads_no_less_than_zxing_at_two_scales(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if nothing else does: no codebook, and nothing found by searching."""
    monkeypatch.setattr(LabelSearch, "places", lambda *_, **__: iter(()))
    picture, _ = paint([symbol(label(n)) for n in range(1, 13)], 1.5, angles=[3, 40, 77], lens=0.5, noise=1.0)
    once = {reading.text for reading in decoders.zxing(picture) if reading.text}
    twice = {reading.text for reading in decode.enlarged(picture)}
    assert twice - once, "or this says nothing"
    assert set(texts(Reader().read(picture, patient=True))) >= once | twice


def test_what_lies_where_an_enlarged_picture_is_cut_is_read() -> None:
    picture, (outline,) = paint([symbol(label(3))], 2.4, size=(1600, 900), noise=0.0)
    assert picture.size > decode.IN_PARTS
    for down in range(-100, 101, 20):
        rolled = np.roll(picture, down, axis=0)
        (found,) = {reading.text: reading for reading in decode.enlarged(rolled)}.values()
        assert found.text == label(3)
        assert np.array(found.corners) == pytest.approx(outline + np.array([0, down]), abs=2.0)


def test_the_budget_is_the_processors_time_not_that_of_the_wall() -> None:
    """Or a busy computer would see less, and take it for the table."""
    assert inspect.signature(Reader).parameters["clock"].default is time.thread_time


@pytest.mark.parametrize("still", range(5))
def test_a_card_brought_by_a_large_hand_is_searched_for_as_soon_as_the_hand_is_calmer(still: int) -> None:
    """Nothing was found here for long, the hand covers half of the picture, and then it trembles beside the card."""
    rng = np.random.default_rng(still)
    table, _ = paint([], 1.5, size=(800, 448))
    card, _ = paint([symbol(TEXT)], 1.4, size=(100, 100), angles=[8.0], lens=0.8)
    hand = cv2.GaussianBlur(rng.uniform(60, 250, (448, 400)), (0, 0), 9)

    def picture(left: int, *, brought: bool, trembles: int = 0) -> Any:
        picture = table + rng.normal(0, 1, table.shape)
        picture[:, left : left + 400] = hand
        picture[300:420, left + 100 : left + 220] += 40 * (trembles % 2)
        if brought:
            picture[40:140, 40:140] = card
        return np.clip(picture, 0, 255).astype(np.uint8)

    reader = Reader(Codebook([TEXT]), budget=5.0)
    for _ in range(30 + still):
        assert reader.read(np.clip(table + rng.normal(0, 1, table.shape), 0, 255).astype(np.uint8)) == ()
    reader.read(picture(400, brought=False))
    reader.read(picture(300, brought=True))
    seen = [texts(reader.read(picture(300, brought=True, trembles=n))) for n in range(1, 6)]
    assert seen[1:] == [[TEXT]] * 4
