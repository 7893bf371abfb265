"""Teaching faces by laying cards down: which one is next, copies, twins, the check round, and what is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.recognition import face_pictures, faces, reading
from companion.recognition.face_lesson import FaceLesson, Laid, in_rows
from tests.recognition.drawn_box import RACE, DrawnSpot, first
from vision.face_reader import FaceReader
from workshop.faces.art import TWIN


def look(lesson: FaceLesson, spot: DrawnSpot, looks: int = 4) -> list[Laid]:
    found = (lesson.see(*spot.frame()) for _ in range(looks))
    return [laid for laid in found if laid is not None]


def lesson_before(spot: DrawnSpot) -> FaceLesson:
    lesson = FaceLesson(RACE, {})
    assert look(lesson, spot) == []  # the empty table
    return lesson


def laid_down(lesson: FaceLesson, spot: DrawnSpot, text: str, x: float = 0.0, y: float = 0.0) -> Laid:
    spot.lay(text, x, y)
    (laid,) = look(lesson, spot)
    return laid


def test_each_card_laid_down_is_the_next_of_the_box() -> None:
    spot = DrawnSpot()
    lesson = lesson_before(spot)
    for n, id in enumerate(first(3)):
        assert lesson.next == id
        laid = laid_down(lesson, spot, id, -80.0 + 80 * n, 10.0)
        assert (laid.what, laid.component) == ("taught", id)
        high, wide = laid.picture.shape[:2]
        assert wide / high == pytest.approx(62 / 88, abs=0.06)
    assert lesson.told == 3


def test_cards_may_be_laid_onto_each_other() -> None:
    spot = DrawnSpot()
    lesson = lesson_before(spot)
    for n, id in enumerate(first(4)):
        laid = laid_down(lesson, spot, id, 3.0 * (-1) ** n, 2.0 * n)
        assert (laid.what, laid.component) == ("taught", id)


def test_one_card_laid_down_is_taught_once_and_an_empty_table_teaches_nothing() -> None:
    spot = DrawnSpot()
    lesson = lesson_before(spot)
    laid_down(lesson, spot, first(1)[0])
    assert look(lesson, spot, 6) == []
    spot.clear()
    assert look(lesson, spot) == []
    assert lesson.told == 1


def test_a_second_copy_is_known_and_does_not_advance() -> None:
    spot = DrawnSpot()
    lesson = lesson_before(spot)
    one, two = first(2)
    laid_down(lesson, spot, one, -60.0)
    spot.clear()
    look(lesson, spot)
    laid = laid_down(lesson, spot, one, 50.0, 8.0)
    assert (laid.what, laid.component, lesson.next) == ("copy", one, two)
    insisted = lesson.insist(laid)
    assert insisted is not None
    assert (insisted.what, insisted.component, insisted.other) == ("twin", two, one)


def test_twins_are_told_at_once() -> None:
    spot = DrawnSpot()
    lesson = lesson_before(spot)
    one = first(1)[0]
    laid_down(lesson, spot, one, -60.0)
    laid = laid_down(lesson, spot, TWIN + one, 60.0)
    assert laid.what in ("twin", "copy")
    assert one in (laid.component, laid.other)
    assert lesson.index().twins != () or laid.what == "copy"


def test_the_check_round_reads_the_names_row_by_row() -> None:
    spot = DrawnSpot()
    lesson = lesson_before(spot)
    ids = first(4)
    for n, id in enumerate(ids):
        laid_down(lesson, spot, id, -90.0 + 60 * n)
        spot.clear()
        look(lesson, spot)
    for id, x, y in ((ids[3], -80, -38), (ids[1], 70, -32), (ids[0], -60, 52), (ids[2], 60, 48)):
        spot.lay(id, x, y)
    reader = FaceReader(lesson.index(), budget=1e9)
    for _ in range(3):
        found = in_rows(RACE, reader, spot.frame()[0])
    assert found == (ids[3], ids[1], ids[0], ids[2])


@pytest.mark.parametrize("known", [True, False])
def test_cards_that_are_gathered_teach_nothing(known: bool) -> None:
    """After a check round, or where cards lay before the lesson began: the bare table is no card."""
    spot = DrawnSpot()
    lesson = lesson_before(spot) if known else FaceLesson(RACE, {})
    for n, id in enumerate(first(3)):
        spot.lay(id, -80.0 + 80 * n, 10.0)
        if known:
            assert look(lesson, spot)
    lesson.begin_again()
    assert look(lesson, spot) == []
    told = lesson.told
    for left in (2, 1, 0):
        spot.clear()
        for n, id in enumerate(first(left)):
            spot.lay(id, -80.0 + 80 * n, 10.0)
        assert look(lesson, spot) == []
    assert lesson.told == told
    assert laid_down(lesson, spot, first(5)[-1], 3.0, 4.0).what == "taught"


def test_a_wrong_name_is_forgotten_and_asked_next() -> None:
    spot = DrawnSpot()
    lesson = lesson_before(spot)
    one, two, three = first(3)
    laid_down(lesson, spot, one, -60.0)
    laid_down(lesson, spot, two, 60.0)
    lesson.forget(one)
    assert (lesson.next, lesson.told, lesson.lately) == (one, 1, [two])
    lesson.skip()
    assert lesson.next == three
    lesson.choose(one)
    assert lesson.next == one


def test_pictures_are_kept_found_and_thrown_away(tmp_path: Path) -> None:
    picture = np.full((600, 420, 3), 90, np.uint8)
    picture[100:300, 50:200] = (20, 200, 60)
    one, two = first(2)
    face_pictures.keep(tmp_path, "race", one, picture)
    assert faces.taught(tmp_path, RACE) == (one,)
    kept = face_pictures.look_up(tmp_path, "race", one)
    assert max(kept.shape) == face_pictures.LARGEST
    (face_pictures.place(tmp_path, "race", two)).write_bytes(b"not a picture")
    index = faces.index(tmp_path, RACE)
    assert [face.texts for face in index.faces] == [faces.texts(RACE, one)]
    face_pictures.throw_away(tmp_path, "race", one)
    assert face_pictures.look_up(tmp_path, "race", one) is None


def test_a_face_answers_alone_only_if_its_whole_sort_is_taught() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (132, 96, 3)).astype(np.uint8)
    box = tuple(reading.book(RACE).catalogue)
    sort = faces.sort_of(box[0])
    mine = [component.id for component in box if faces.sort_of(component) == sort]
    assert len(mine) > 1
    assert sort in faces.whole_sorts(RACE, mine)
    assert sort not in faces.whole_sorts(RACE, mine[1:])
    few = faces.index_of(RACE, {mine[0]: picture})
    assert [face.alone for face in few.faces] == [False]


def test_only_pictures_of_our_games_are_copied_and_none_is_replaced(tmp_path: Path) -> None:
    ours, stick = tmp_path / "ours", tmp_path / "stick"
    one, two, three = first(3)
    picture = np.full((88, 62, 3), 90, np.uint8)
    for id in (one, two):
        face_pictures.keep(stick, "race", id, picture)
    face_pictures.keep(stick, "elsewhere", one, picture)
    mine = face_pictures.keep(ours, "race", one, np.zeros_like(picture))
    before = mine.read_bytes()
    folder = face_pictures.place(stick, "race", one).parent
    (folder / "notes.jpg").write_bytes(b"#!/bin/sh")
    (folder / "link.jpg").symlink_to("/etc/hostname")
    (folder / f"{three}.jpg").write_bytes(b"\xff\xd8" + bytes(face_pictures.HEAVIEST))
    assert face_pictures.copy(stick, ours, ("race",)) == 1
    assert faces.taught(ours, RACE) == (one, two)
    assert mine.read_bytes() == before
    assert face_pictures.copy(tmp_path / "nowhere", ours, ("race",)) == 0
