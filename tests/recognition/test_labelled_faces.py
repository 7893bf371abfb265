"""A box with labels teaches its faces: the card around a label that is read is the face of its component."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.recognition import face_pictures, faces, reading
from companion.recognition.labelled_faces import LabelledFaces
from tests.recognition.drawn_box import ART, CARD, LAMP, RACE, first
from vision.face_reader import FaceReader
from vision.sightings import Sighting
from vision.virtual_geometry import Lying, Shot
from vision.virtual_scene import Scene

WHOSE = {text: piece.component for piece, text in reading.book(RACE).texts.items()}
LABEL = {component: text for text, component in WHOSE.items()}


def shot(lying: list[Lying], seed: int = 5) -> Shot:
    scene = Scene(
        lying,
        LAMP,
        seed,
        (960, 540),
        width=430.0,
        tilt=None,
        clutter=0,
        art=lambda text, card: ART(WHOSE[text], card),
    )
    return scene.shot(0.0, 1)


def labels(there: Shot) -> tuple[Sighting, ...]:
    return tuple(Sighting(one.text, one.corners, "zxing", 1.0, one.module) for one in there.truth)


def table(angle: float, size: float = 15.0) -> list[Lying]:
    return [
        Lying(LABEL[id], 105.0 * n - 157, 10.0, angle + 2 * n, size, CARD) for n, id in enumerate(first(4))
    ]


@pytest.mark.parametrize("angle", [0.0, 145.0])
def test_labelled_cards_are_known_by_their_faces_afterwards(tmp_path: Path, angle: float) -> None:
    there = shot(table(angle))
    teacher = LabelledFaces(tmp_path, RACE)
    kept = teacher.see(there.picture, labels(there))
    assert len(kept) >= 3  # the edge of a dark card on a dark table may not be seen
    assert not set(LabelledFaces(tmp_path, RACE).see(there.picture, labels(there))) & set(kept)
    bare = [replace(one, size=0.0) for one in reversed(table(0.0))]
    reader = FaceReader(faces.index(tmp_path, RACE), budget=1e9)
    for number in range(2):
        scene = Scene(
            bare,
            LAMP,
            8,
            (960, 540),
            width=430.0,
            tilt=None,
            clutter=0,
            art=lambda text, card: ART(WHOSE[text], card),
        )
        grey = np.asarray(cv2.cvtColor(scene.shot(0.0, number).picture, cv2.COLOR_BGR2GRAY), np.uint8)
        seen = reader.read(grey)
    assert {WHOSE[one.text] for one in seen} == set(kept)


def test_cards_that_lie_on_each_other_teach_nothing_wrong(tmp_path: Path) -> None:
    """The label of the lower one may be seen; its card is not."""
    one, other = first(2)
    lying = [Lying(LABEL[one], 0.0, 0.0, 0.0, 15.0, CARD), Lying(LABEL[other], 22.0, 24.0, 3.0, 15.0, CARD)]
    there = shot(lying)
    kept = LabelledFaces(tmp_path, RACE).see(there.picture, labels(there))
    assert one not in kept


def test_a_face_that_is_known_is_not_replaced_and_a_face_is_no_label(tmp_path: Path) -> None:
    there = shot(table(0.0))
    known = np.full((88, 63, 3), 7, np.uint8)
    face_pictures.keep(tmp_path, "race", first(1)[0], known)
    LabelledFaces(tmp_path, RACE).see(there.picture, labels(there))
    kept = face_pictures.look_up(tmp_path, "race", first(1)[0])
    assert abs(int(kept.mean()) - 7) < 3
    by_face = tuple(replace(one, how="face") for one in labels(there))
    assert LabelledFaces(tmp_path / "other", RACE).see(there.picture, by_face) == ()


def test_a_label_that_is_not_in_the_picture_teaches_nothing(tmp_path: Path) -> None:
    there = shot(table(0.0))
    for corners in (((-90.0, -90.0), (-50.0, -90.0), (-50.0, -50.0), (-90.0, -50.0)), ((5.0, 5.0),) * 4):
        outside = Sighting(LABEL[first(1)[0]], corners, "zxing", 1.0, 2.0)
        assert LabelledFaces(tmp_path, RACE).see(there.picture, (outside,)) == ()
