"""The codebook: reads what no other reader can, and never sees what is not there."""

from __future__ import annotations

import tracemalloc
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted import label, paint, symbol
from vision import codebook as module
from vision import decoders, finders, label_search, squares
from vision.codebook import Codebook
from vision.decode import MEMORY, Reader
from vision.label_search import SCALES, covering

OWN = [label(number) for number in range(1, 41)]


@pytest.fixture(scope="module")
def book() -> Codebook:
    return Codebook(OWN)


def standing() -> float:
    """A clock that stands still: there is always time."""
    return 0.0


def tiny(numbers: list[int], seed: int, **how: Any) -> Any:
    """Labels at 1.1 pixels per module: no decoder reads them."""
    picture, _ = paint(
        [symbol(label(number)) for number in numbers],
        1.1,
        angles=[0, 27, 45, 90, 163, 181, 250],
        seed=seed,
        **how,
    )
    return picture


def texts(sightings: Any) -> list[str]:
    return sorted(sighting.text for sighting in sightings)


# What it reads ----------------------------------------------------------------------------------------------------


def test_labels_no_decoder_can_read(book: Codebook) -> None:
    numbers = list(range(3, 17))
    picture = tiny(numbers, 1)
    assert not [reading for reading in decoders.zxing(picture) if reading.text]
    double = np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert not [reading for reading in decoders.zxing(double) if reading.text]
    guesses = book.search(picture, (), 1.0, standing)
    assert texts(guesses) == sorted(label(number) for number in numbers)
    for guess in guesses:
        assert guess.module == pytest.approx(1.1, rel=0.08)


def test_the_reader_makes_sightings_of_them(book: Codebook) -> None:
    numbers = list(range(3, 17))
    reader = Reader(book, clock=standing)
    reader.read(tiny(numbers, 1))
    sightings = reader.read(tiny(numbers, 2))
    assert texts(sightings) == sorted(label(number) for number in numbers)
    assert {sighting.how for sighting in sightings} <= {"codebook", "zxing"}
    assert all(0.9 < sighting.sure < 1 for sighting in sightings)


def test_corners_are_exact_and_begin_at_the_symbols_top_left(book: Codebook) -> None:
    angles = [0.0, 31.0, 90.0, 135.0, 180.0, 270.0]
    picture, outlines = paint([symbol(text) for text in OWN[:6]], 1.2, angles=angles)
    guesses = {guess.text: guess for guess in book.search(picture, (), 1.0, standing)}
    assert len(guesses) == 6
    for text, outline in zip(OWN[:6], outlines, strict=True):
        assert np.abs(np.array(guesses[text].corners) - outline).max() < 0.7


def test_a_mirrored_lamp_over_one_eye(book: Codebook) -> None:
    picture, outlines = paint([symbol(label(9))], 2.0, noise=3)
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    eye = outlines[0][1]
    glare = 200 * np.exp(-((x - eye[0] + 3) ** 2 + (y - eye[1] - 4) ** 2) / (2 * 7.0**2))
    washed = np.clip(picture + glare, 0, 235).astype(np.uint8)
    assert texts(book.search(washed, (), 1.0, standing)) == [label(9)]


def test_where_a_label_is_read_nothing_is_guessed(book: Codebook) -> None:
    picture, _ = paint([symbol(label(9)), symbol(label(12))], 3.0)
    known = Reader().read(picture)
    assert len(known) == 2
    assert book.search(picture, known, 1.0, standing) == ()


# What it must not read --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["same game", "other copy", "other game"])
@pytest.mark.parametrize("pixels", [1.1, 1.35])
def test_labels_not_in_the_book_are_never_taken_for_ours(book: Codebook, kind: str, pixels: float) -> None:
    rng = np.random.default_rng(len(kind))
    numbers = [int(n) for n in rng.integers(1, 41, 60)]
    strange = {
        "same game": [label(n + 40 * k) for k, n in enumerate(numbers, 1)],
        "other copy": [label(n, "R", 1 + k % 35) for k, n in enumerate(numbers)],
        "other game": [label(n, "ABCDEFGHIJ"[k % 10]) for k, n in enumerate(numbers)],
    }[kind]
    reader = Reader(book, clock=standing)
    for seed in range(2):
        picture, _ = paint(
            [symbol(text) for text in strange],
            pixels,
            angles=[5, 100, 222],
            size=(960, 540),
            lens=0.6,
            seed=seed,
        )
        assert not set(texts(reader.read(picture))) & set(OWN)
        assert set(texts(reader.read(picture))) <= set(strange)


def test_a_book_with_a_single_label_still_knows_strangers() -> None:
    small = Codebook([OWN[4]])
    picture, _ = paint([symbol(text) for text in (OWN[4], OWN[5], OWN[6], OWN[7])], 1.2, angles=[10])
    assert texts(small.search(picture, (), 1.0, standing)) == [OWN[4]]


def test_random_squares_and_mirrored_labels_are_nobody(book: Codebook) -> None:
    rng = np.random.default_rng(3)
    odd = []
    for k in range(20):
        squares_ = symbol(OWN[k]).copy()
        free = ~squares.shared()
        squares_[free] = rng.random(int(free.sum())) < 0.5
        odd.append(squares_)
    odd += [symbol(OWN[k]).T for k in range(10)]
    picture, _ = paint(odd, 1.25, angles=[0, 50], size=(960, 540))
    assert book.search(picture, (), 1.0, standing) == ()


@pytest.mark.usefixtures("doubtful")
def test_a_label_guessed_twice_in_one_picture_is_nobody(book: Codebook) -> None:
    reader = Reader(book, clock=standing)
    for seed in range(3):
        assert texts(reader.read(tiny([5, 7, 5], seed))) == [label(7)] * (seed > 0)


def test_nothing_on_an_empty_or_noisy_table(book: Codebook) -> None:
    rng = np.random.default_rng(0)
    for picture in (
        np.zeros((200, 300), np.uint8),
        np.full((200, 300), 255, np.uint8),
        rng.integers(0, 256, (300, 400), np.uint8),
        np.zeros((5, 5), np.uint8),
        np.zeros((1, 1), np.uint8),
        np.kron(rng.integers(0, 2, (200, 300), np.uint8), np.ones((2, 2), np.uint8)) * np.uint8(200),
    ):
        assert book.search(picture, (), 1.0, standing) == ()


def test_only_labels_make_a_book() -> None:
    with pytest.raises(ValueError, match="not a label"):
        Codebook(["HELLO"])
    assert Codebook([]).search(tiny([1, 2], 0), (), 1.0, standing) == ()
    assert len(Codebook([OWN[0], OWN[0]])) == 1


# Frames must agree ------------------------------------------------------------------------------------------------


@pytest.fixture
def doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """No guess is so good that one frame is enough, and no decoder helps."""
    monkeypatch.setattr(module, "CERTAIN", 1e9)
    monkeypatch.setattr(decoders, "zxing_squares", lambda these: [""] * len(these))


@pytest.mark.usefixtures("doubtful")
class TestAgreement:
    def test_one_frame_is_not_enough(self, book: Codebook) -> None:
        reader = Reader(book, clock=standing)
        assert reader.read(tiny([5, 7], 1)) == ()
        first = reader.read(tiny([5, 7], 2))
        assert texts(first) == sorted([label(5), label(7)])
        later = reader.read(tiny([5, 7], 3))
        assert all(b.sure > a.sure for a, b in zip(first, later, strict=True)), "the more frames, the surer"

    def test_the_same_frame_twice_is_one_frame(self, book: Codebook) -> None:
        reader = Reader(book, clock=standing)
        for _ in range(4):
            assert reader.read(tiny([5, 7], 1)) == ()

    def test_another_place_is_another_thing(self, book: Codebook) -> None:
        reader = Reader(book, clock=standing)
        picture = tiny([5], 1)
        assert reader.read(picture) == ()
        assert reader.read(np.roll(picture, 150, axis=1)) == ()
        assert texts(reader.read(np.roll(picture, 158, axis=1))) == [label(5)]

    def test_too_long_ago_does_not_count(self, book: Codebook) -> None:
        reader = Reader(book, clock=standing)
        assert reader.read(tiny([5], 1)) == ()
        for seed in range(MEMORY):
            assert reader.read(np.full((360, 640), 100 + seed, np.uint8)) == ()
        assert reader.read(tiny([5], 2)) == ()

    def test_forgetting(self, book: Codebook) -> None:
        reader = Reader(book, clock=standing)
        assert reader.read(tiny([5], 1)) == ()
        reader.forget()
        assert reader.read(tiny([5], 2)) == ()
        assert texts(reader.read(tiny([5], 3))) == [label(5)]

    def test_a_decoder_that_reads_it_otherwise_wins_nothing_for_either(
        self, book: Codebook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reader = Reader(book, clock=standing)
        reader.read(tiny([5], 1))
        monkeypatch.setattr(decoders, "zxing_squares", lambda these: [label(6)] * len(these))
        assert reader.read(tiny([5], 2)) == ()


# Time -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The sizes that were looked for."""
    out: list[float] = []
    real = label_search.find_labels

    def noted(grey: Any, size: float, taken: Any) -> Any:
        out.append(size)
        return real(grey, size, taken)

    monkeypatch.setattr(label_search, "find_labels", noted)
    return out


class Ticking:
    """A clock on which every look takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_without_time_one_size_per_picture_and_all_in_turn(tried: list[float]) -> None:
    book, clock = Codebook(OWN[:3]), Ticking()
    picture = np.full((360, 640), 128, np.uint8)
    for number in range(1, len(SCALES) + 1):
        book.search(picture, (), 0.5, clock)
        assert len(tried) == number
    assert sorted(tried) == sorted(SCALES)


def test_with_time_all_sizes_at_once(tried: list[float]) -> None:
    book = Codebook(OWN[:3])
    book.search(np.full((360, 640), 128, np.uint8), (), 1.0, standing)
    assert sorted(tried) == sorted(SCALES)


def test_the_size_of_a_known_label_comes_first(tried: list[float]) -> None:
    book = Codebook(OWN[:3])
    picture, _ = paint([symbol(label(9))], 2.6)
    known = Reader().read(picture)
    tried.clear()
    book.search(picture, known, 1e-6, Ticking())
    assert len(tried) == 1
    assert 2.5 < tried[0] < 2.9


def test_sizes_take_fair_turns_though_labels_of_many_sizes_are_known(tried: list[float]) -> None:
    """A tilted tableau: five sizes are known, and there is time for one of them per picture."""
    search, clock = label_search.LabelSearch(), Ticking()
    picture = np.full((360, 640), 128, np.uint8)
    known = [1.1, 1.1, 1.1, 1.1, 1.4, 1.4, 1.75, 2.2, 2.8]
    for _ in range(8):
        list(search.places(picture, known, [], 0.5, clock))
    for size in set(known):
        assert any(size * label_search.SMALLER < one < size * 1.15 for one in tried), size
    strangers = [one for one in tried if all(abs(one / size - 1) > 0.1 for size in known)]
    assert strangers, "and now and then one that nobody has told"
    while search.rounds == 0:
        assert len(tried) < 80
        list(search.places(picture, known, [], 0.5, clock))
    assert all(any(one * 0.9 < size < one * 1.1 for size in tried) for one in SCALES), (
        "a round is all of them"
    )


def test_the_reader_keeps_to_its_budget(book: Codebook, tried: list[float]) -> None:
    reader = Reader(book, budget=5.0, clock=Ticking())
    for seed in range(6):
        tried.clear()
        reader.read(tiny([5, 7, 9], seed))
        assert len(tried) <= 2


def test_a_few_sizes_cover_many() -> None:
    assert covering([]) == []
    assert len(covering([1.5, 1.52, 1.6, 1.45])) == 1
    two = covering([1.5, 1.5, 1.5, 3.0])
    assert len(two) == 2
    assert abs(two[0] - 1.5) < 0.3, "the commonest first"
    many = list(np.linspace(0.8, 9, 50))
    few = covering(many)
    assert len(few) < 18
    assert all(any(one * label_search.SMALLER <= size <= one for one in few) for size in many), (
        "and leave none out"
    )


# The parts --------------------------------------------------------------------------------------------------------


def test_the_eye_filter_sees_no_plain_light() -> None:
    eye = finders.eye()
    assert float(eye.sum()) == pytest.approx(0, abs=1e-4)
    assert float(np.linalg.norm(eye)) == pytest.approx(1, abs=1e-4)
    assert np.allclose(eye, np.rot90(eye), atol=1e-3)


def test_eyes_are_found_in_all_sizes() -> None:
    for pixels in (0.95, 1.3, 2.0, 4.0):
        picture, outlines = paint([symbol(OWN[3])], pixels, angles=[20])
        found = finders.spots(picture, pixels * 1.05)
        q = outlines[0]
        for u, v in ((3.5, 3.5), (17.5, 3.5), (3.5, 17.5)):
            eye = q[0] + (q[1] - q[0]) * u / 21 + (q[3] - q[0]) * v / 21
            assert np.hypot(*(found.at - eye).T).min() < pixels


def test_eyes_are_found_in_bands_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, _ = paint([symbol(text) for text in OWN[:6]], 1.3, size=(640, 480), noise=6.0)

    def found(band: int) -> list[tuple[float, ...]]:
        monkeypatch.setattr(finders, "BAND", band)
        eyes = finders.spots(picture, 1.3)
        return sorted((*at, like) for at, like in zip(eyes.at.tolist(), eyes.likeness.tolist(), strict=True))

    whole = found(10**9)
    assert len(whole) >= 18
    for band in (1, 10_000, 64_000):
        assert found(band) == whole


def test_eyes_in_a_large_picture_take_little_memory() -> None:
    grey = np.random.default_rng(4).integers(0, 255, (1080, 1920), np.uint8)
    tracemalloc.start()
    finders.spots(grey, 1.05)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 25e6


def test_shared_squares_are_shared() -> None:
    for text in OWN:
        assert (symbol(text)[squares.shared()] == squares.shared_dark()[squares.shared()]).all()
    differ = np.array([symbol(text) for text in OWN]).std(axis=0) > 0
    assert not (differ & squares.shared()).any()


def test_light_that_changes_slowly_changes_nothing(book: Codebook) -> None:
    numbers = list(range(1, 9))
    picture = tiny(numbers, 4)
    fall = np.linspace(0.35, 1.1, picture.shape[1])
    shaded = np.clip(picture * fall, 0, 255).astype(np.uint8)
    assert texts(book.search(shaded, (), 1.0, standing)) == sorted(label(number) for number in numbers)
