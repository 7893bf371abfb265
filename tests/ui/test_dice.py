"""Dice at the table: faces are tapped, removed before they count, or left to chance."""

from random import Random

import pytest

from companion.ui.toolkit.draw import DieFace
from companion.ui.toolkit.geometry import rect, visible, walk
from workshop.screens.checks import problems

pytestmark = pytest.mark.every_game


def dice(session):
    return next((q.dice for q in session.questions() if q.dice is not None and q.dice.n == 4), None)


@pytest.fixture
def rolling(rehearsal):
    """Four dice of the defence of the centre."""
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=17)
    rehearsal.play_until(lambda session: dice(session) is not None)
    return rehearsal


def drawn(rehearsal):
    return [part.words for part in walk(rehearsal.app.stage) if isinstance(part, DieFace)]


def answered(rehearsal):
    return rehearsal.app.desk.session.last.deed.answer.option


def test_faces_that_hit_are_filled_and_the_others_are_not(rolling):
    faces = [part for part in walk(rolling.app.stage) if isinstance(part, DieFace)]
    assert [part.words for part in faces] == ["1", "2", "3", "4", "5", "6"]
    assert tuple(part.words for part in faces if part.filled) == dice(rolling.app.desk.session).counting


def test_three_taps_tell_four_dice_with_two_hits(rolling):
    entries = rolling.app.desk.session.entries
    rolling.tap("option-6")
    rolling.tap("option-5")
    assert rolling.app.desk.session.entries == entries
    assert drawn(rolling)[6:] == ["6", "5", "", ""]
    rolling.tap("dice-done")
    assert answered(rolling) == "6,5,done"
    assert rolling.app.desk.session.entries == entries + 1


def test_a_wrong_tap_is_taken_back_before_it_counts(rolling):
    for name in ("option-6", "option-1", "take-back-die", "option-2", "option-3", "option-4", "option-5"):
        rolling.tap(name)
    assert drawn(rolling)[6:] == ["6", "2", "3", "4"]  # the fifth tap found no die
    rolling.tap("dice-done")
    assert answered(rolling) == "6,2,3,4"


def test_nothing_hits_is_one_tap(rolling):
    rolling.tap("option-done")
    assert answered(rolling) == "done"


def test_chance_rolls_what_was_not_tapped_and_the_faces_are_in_the_answer(rolling):
    rolling.app.desk.random = Random(5)
    rolling.tap("option-6")
    rolling.tap("dice-roll")
    thrown = Random(5)
    assert answered(rolling) == ",".join(["6", *(thrown.choice("123456") for _ in range(3))])


def test_the_tray_of_one_question_is_not_that_of_the_next(rolling):
    rolling.tap("option-6")
    rolling.play_on()
    rolling.play_until(lambda session: any(q.dice is not None for q in session.questions()))
    assert drawn(rolling) == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize("language", ["en", "pl"])
def test_on_the_smallest_screen_nobody_scrolls_to_tell_a_roll(rolling, language):
    rolling.change(language=language)
    rolling.taps()["option-6"].on_tap()
    rolling.settle()
    taps = rolling.taps()
    for name in ("option-1", "take-back-die", "dice-done", "dice-roll"):
        assert visible(taps[name]) == rect(taps[name]), name


@pytest.mark.parametrize("text", [100, 150])
def test_everything_can_be_read_and_touched(rolling, tmp_path, text):
    rolling.change(text_size=text, language="pl")
    rolling.tap("option-6")
    rolling.shoot(tmp_path / "dice.png")
    assert problems(rolling.app, tmp_path / "dice.png") == []
