"""Faces: components known by what is printed on them. Drawn art with a common frame, small pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from vision.face_reader import FaceReader
from vision.face_search import card_that_came, outlines
from vision.faces import ALIKE, FaceIndex, blocks_of, teach
from vision.finders import Grey
from vision.reprints import reprints
from vision.sightings import Sighting
from vision.track import Tracker
from vision.virtual_geometry import HeldCard, Lying, SeenLabel
from vision.virtual_light import PRESETS
from vision.virtual_scene import Scene
from workshop.faces import scenes
from workshop.faces.art import BACK, TWIN, art_set

ART = art_set(71)
TEXTS = tuple(f"card {n}" for n in range(10))
LAMP, OTHER = PRESETS["good-lamp"], PRESETS["daylight"]
SIZE, WIDE = (1072, 603), 480.0


@cache
def taught(*more: str) -> FaceIndex:
    faces = (scenes.face_of(ART, text, LAMP, 4) for text in (*TEXTS, *more))
    return FaceIndex(face for face in faces if face is not None)


class Table:
    """A table that is looked at frame by frame."""

    def __init__(self, index: FaceIndex, lying: Sequence[Lying], lamp: str = "daylight") -> None:
        self.reader, self.lamp, self.number = (
            FaceReader(index, budget=1e9),
            replace(PRESETS[lamp], shake=0.0),
            0,
        )
        self.truth: tuple[SeenLabel, ...] = ()
        self.lay(lying)

    def lay(self, lying: Sequence[Lying]) -> None:
        self.scene = Scene(lying, self.lamp, 6, SIZE, width=WIDE, tilt=None, clutter=0, art=ART)

    def frame(self, held: HeldCard | None = None) -> Grey:
        self.number += 1
        shot = self.scene.shot(self.number / 10, self.number, None, held)
        self.truth = shot.truth
        return scenes.grey_of(shot)

    def look(self, *labels: Sighting, held: HeldCard | None = None) -> tuple[Sighting, ...]:
        return self.reader.read(self.frame(held), labels)

    def texts(self, looks: int = 3) -> list[str]:
        for _ in range(looks):
            seen = self.look()
        return sorted(sighting.text for sighting in seen)


def row(*texts: str) -> list[Lying]:
    return scenes.spread(texts, 1, WIDE)


def test_every_face_on_a_table_is_read_where_it_is() -> None:
    table = Table(taught(), row(*TEXTS[:8]))
    assert table.texts() == sorted(TEXTS[:8])
    seen = {sighting.text: sighting for sighting in table.look()}
    for there in table.truth:
        found = seen[there.text]
        assert np.hypot(*(np.mean(found.corners, axis=0) - np.mean(there.corners, axis=0))) < 8
        assert found.how == "face"
        assert found.certain


def test_a_face_is_seen_only_in_two_different_pictures() -> None:
    table = Table(taught(), row(TEXTS[0]))
    picture = table.frame()
    assert table.reader.read(picture) == ()
    assert table.reader.read(picture) == ()
    assert len(table.look()) == 1


@pytest.mark.parametrize("lamp", ["dim-living-room", "glossy-sleeves"])
def test_faces_are_read_in_bad_light(lamp: str) -> None:
    found = Table(taught(), row(*TEXTS[:6]), lamp).texts(4)
    assert set(found) <= set(TEXTS[:6])
    assert len(found) >= 5


def test_backs_unknown_cards_and_cards_of_another_set_are_silent() -> None:
    lying = row("never taught", "neither", BACK, "", "nor this")
    assert Table(taught(), lying).texts(4) == []
    other = Table(taught(), [])
    other.scene = Scene(row(*TEXTS[:5]), OTHER, 6, SIZE, width=WIDE, tilt=None, clutter=3, art=art_set(72))
    assert other.texts(4) == []


def test_a_card_held_up_is_read() -> None:
    table = Table(taught(), [])
    held = HeldCard(TEXTS[3], 320.0, size=0.0, card=scenes.CARD)
    seen = [table.look(held=held) for _ in range(4)][-1]
    assert [sighting.text for sighting in seen] == [TEXTS[3]]


def test_a_covered_card_is_never_certain() -> None:
    first, second = row(TEXTS[0])[0], TEXTS[1]
    fan = [first, Lying(second, first.x + 18, first.y + 12, 4.0, 0.0, scenes.CARD)]
    table = Table(taught(), fan)
    for _ in range(4):
        seen = {sighting.text: sighting.certain for sighting in table.look()}
    assert seen[second]
    assert not seen.get(TEXTS[0], False)


def test_twins_are_found_and_never_certain() -> None:
    index = taught(TWIN + TEXTS[2])
    assert [index.faces[k].texts[0] for k, others in enumerate(index.twins) if others] == [
        TEXTS[2],
        TWIN + TEXTS[2],
    ]
    table = Table(index, row(TEXTS[2], TEXTS[4]))
    for _ in range(4):
        seen = {sighting.text: sighting.certain for sighting in table.look()}
    assert seen.pop(TEXTS[4])
    assert not any(seen.values())


def test_copies_get_labels_of_their_own() -> None:
    faces = list(taught().faces)
    faces[0] = replace(faces[0], texts=("one", "two"))
    table = Table(FaceIndex(faces), row(TEXTS[0], TEXTS[5], TEXTS[0], TEXTS[0]))
    assert table.texts() == [TEXTS[5], "one", "two"]


def test_a_label_beats_a_face() -> None:
    table = Table(taught(), row(TEXTS[0], TEXTS[1]))
    assert table.texts() == [TEXTS[0], TEXTS[1]]
    there = table.truth[0]
    x, y = np.mean(there.corners, axis=0)
    corners = ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9))
    label = Sighting("a label", corners, "zxing", 1.0, 1.0)
    assert [sighting.text for sighting in table.look(label)] == [TEXTS[1]]
    elsewhere = Sighting(TEXTS[1], ((0, 0), (9, 0), (9, 9), (0, 9)), "zxing", 1.0, 1.0)
    assert table.look(label, elsewhere) == ()


def test_a_covered_face_comes_back_at_its_place() -> None:
    table = Table(taught(), row(TEXTS[0], TEXTS[1], TEXTS[2]))
    assert len(table.texts()) == 3
    before = row(TEXTS[0], TEXTS[1], TEXTS[2])
    table.lay([*before, Lying(BACK, before[0].x, before[0].y, 3.0, 0.0, scenes.CARD)])
    assert table.texts() == [TEXTS[1], TEXTS[2]]
    table.lay(before)
    assert len(table.texts(2)) == 3


def test_a_look_never_holds_a_frame() -> None:
    """Whatever is on the table, a look does one slice of work and the next goes on."""
    index, now = taught(), [0.0]

    def clock() -> float:
        now[0] += 0.03  # as if each step between two glances at the clock took 30 ms
        return now[0]

    table = Table(index, row(*TEXTS[:6]))
    table.reader = FaceReader(index, budget=0.05, clock=clock)
    table.look()
    most = 0.0
    for _ in range(6):
        before = now[0]
        table.look()
        most = max(most, now[0] - before)
    assert most < 0.5
    for _ in range(60):
        seen = table.look()
    assert sorted(sighting.text for sighting in seen) == sorted(TEXTS[:6])


def test_the_tracker_says_who_shows_which_card() -> None:
    table, tracker, told = Table(taught(), row(TEXTS[0], TEXTS[1])), Tracker(), []
    for n in range(22):
        if n == 12:
            table.lay([*row(TEXTS[0], TEXTS[1]), Lying(TEXTS[7], 130.0, 60.0, 3.0, 0.0, scenes.CARD)])
        picture = table.frame()
        tracker, news = tracker.see(table.reader.read(picture), n * 0.2, picture)
        told += [(type(item).__name__, item.sighting.text) for item in news if hasattr(item, "sighting")]
    assert [text for kind, text in told if kind == "Brought"] == [TEXTS[7]]


def test_the_outline_of_a_card_that_came_is_found() -> None:
    bare, here = Table(taught(), []), Table(taught(), [Lying(TEXTS[0], 20.0, 10.0, 14.0, 0.0, scenes.CARD)])
    before, after = (table.scene.shot(0.0, n).picture for n, table in enumerate((bare, here)))
    here.frame()
    found = card_that_came(before, after)
    assert found is not None
    true = np.array(here.truth[0].corners)
    assert min(np.abs(np.roll(np.array(found), k, axis=0) - true).max() for k in range(4)) < 6
    assert card_that_came(before, bare.scene.shot(0.0, 3).picture) is None
    assert outlines(np.full((200, 200), 90, np.uint8)) == []


def test_brightness_and_contrast_do_not_matter() -> None:
    small = taught().faces[0].small
    dim = np.asarray(small * 0.5 + 20, np.uint8)
    one, other = blocks_of(small), blocks_of(dim)
    alike = (one * other).sum() / np.sqrt((one * one).sum() * (other * other).sum())
    assert alike > 0.97


def test_no_faces_no_work() -> None:
    empty = FaceReader(FaceIndex(()))
    assert empty.read(np.zeros((90, 160), np.uint8)) == ()


def test_faces_that_look_alike_are_compared_aligned_however_they_were_cut_out() -> None:
    """Cut out a little beside its edge, a face is unlike itself before it is aligned."""

    def cut(text: str, off: int) -> Grey:
        grey = np.asarray(cv2.cvtColor(ART(text, scenes.CARD), cv2.COLOR_BGR2GRAY), np.uint8)
        return grey[off : grey.shape[0] - 4, off : grey.shape[1] - 4]

    others = [teach((text,), cut(text, 4)) for text in TEXTS if text != TEXTS[2]]
    one, other = teach(("one",), cut(TEXTS[2], 4)), teach(("other",), cut(TWIN + TEXTS[2], 20))
    index = FaceIndex([one, other, *others])
    assert index.scores(other.blocks)[0] < ALIKE
    assert index.twins[:2] == ((1,), (0,))
    assert not any(index.twins[2:])
    shown = cut(TWIN + TEXTS[2], 4)
    place = ((0.0, 0.0), (shown.shape[1] - 1.0, 0.0), (shown.shape[1] - 1.0, shown.shape[0] - 1.0))
    assert index.judge(shown, (*place, (0.0, shown.shape[0] - 1.0)), 0) is None


@pytest.mark.parametrize("kind", ["reprinted", "painted", "written", "flat"])
def test_the_same_picture_in_another_frame_is_a_twin(kind: str) -> None:
    art = art_set(1056, kind)
    faces = [scenes.face_of(art, f"card {n}", LAMP, 1056) for n in range(20, 32)]
    index = FaceIndex(face for face in faces if face is not None)
    pairs = {(n, n + 1) for n in range(0, 12, 2)} if kind == "reprinted" else set()
    assert set(reprints([face.features for face in index.faces])) == pairs
    assert {(n, n + 1) for n in range(0, 12, 2) if n + 1 in index.twins[n]} >= pairs
