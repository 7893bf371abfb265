"""Teaching faces in the window: what is named next, what is kept, copies, and the check round."""

from __future__ import annotations

import pytest

from companion.recognition import faces, reading
from tests.recognition.drawn_box import RACE, DrawnSpot, first
from vision.camera_health import Frame
from vision.worker import Glance


def look(rehearsal, spot, looks=4):
    for _ in range(looks):
        picture, at = spot.frame()
        rehearsal.posed.look = Glance(Frame(picture, at), ())
        rehearsal.screen.tick()
        rehearsal.settle_beside()


def began(rehearsal):
    rehearsal.change(camera="virtual:good-lamp:1")
    rehearsal.camera_feed.watch("virtual:good-lamp:1")
    rehearsal.app.go("faces", game=RACE)
    rehearsal.settle_beside()
    spot = DrawnSpot()
    look(rehearsal, spot)
    return spot


def called(rehearsal, component):
    return rehearsal.app.desk.words(reading.book(RACE).catalogue[component].called)


def test_cards_laid_down_are_kept_and_the_next_is_named(rehearsal):
    spot = began(rehearsal)
    one, two, three = first(3)
    assert f"Lay down: {called(rehearsal, one)}" in rehearsal.words()
    spot.lay(one, -60.0)
    look(rehearsal, spot)
    assert f"Lay down: {called(rehearsal, two)}" in rehearsal.words()
    spot.lay(two, 60.0)
    look(rehearsal, spot)
    assert faces.taught(rehearsal.app.folder, RACE) == (one, two)
    rehearsal.tap("again")
    rehearsal.settle_beside()
    assert faces.taught(rehearsal.app.folder, RACE) == (one,)
    assert f"Lay down: {called(rehearsal, two)}" in rehearsal.words()
    rehearsal.tap("skip")
    assert f"Lay down: {called(rehearsal, three)}" in rehearsal.words()


def test_a_wrong_name_is_found_in_the_check_round(rehearsal):
    spot = began(rehearsal)
    one, two = first(2)
    spot.lay(two, -60.0)  # the wrong one
    look(rehearsal, spot)
    spot.lay(one, 60.0)
    look(rehearsal, spot)
    rehearsal.tap("check")
    look(rehearsal, spot, 3)
    rehearsal.tap(f"wrong-{one}")
    rehearsal.settle_beside()
    assert faces.taught(rehearsal.app.folder, RACE) == (two,)
    rehearsal.tap("checked")
    rehearsal.settle_beside()
    assert f"Lay down: {called(rehearsal, one)}" in rehearsal.words()


def test_without_a_camera_it_says_so(rehearsal):
    rehearsal.app.go("faces", game=RACE)
    rehearsal.settle_beside()
    assert rehearsal.app.desk.say("ui.choose-camera") in rehearsal.words()


@pytest.mark.campaign
def test_a_whole_box_is_taught_by_laying_card_upon_card(rehearsal, capsys):
    """Taps are needed for the check rounds only; the time is what the camera needs, without people's hands."""
    spot = began(rehearsal)
    lesson, began_at, taps = rehearsal.screen.lesson, spot.now, 0
    while lesson.next is not None:
        asked = lesson.next
        spot.clear()
        spot.lay(asked, float(lesson.told % 7) * 3 - 9, float(lesson.told % 5) * 3 - 6)
        looks = 0
        while lesson.next == asked:
            look(rehearsal, spot, 1)
            looks += 1
            assert looks < 12, asked
        if rehearsal.screen.reader is not None:
            rehearsal.tap("checked")
            rehearsal.settle_beside()
            taps += 1
            spot.clear()
            look(rehearsal, spot)
    assert set(faces.taught(rehearsal.app.folder, RACE)) == {c.id for c in reading.book(RACE).catalogue}
    with capsys.disabled():
        print(
            f"\n{lesson.told} cards, {taps} taps, {(spot.now - began_at) / lesson.told:.1f} s of camera for each"
        )
    assert taps == -(-lesson.told // 30)
