"""Symbols and faces as widgets."""

import pytest

from companion.core.faces import ARROW, Sign
from companion.core.game import games
from companion.ui.toolkit.symbols import FaceView, SignRow, Symbol, _texture, measured, paper

SIGNS = (Sign("hand", "4"), ARROW, Sign("points", "2"), Sign("good", "N", "novelty"))


@pytest.fixture
def race(rehearsal):
    return games()["race"]


@pytest.mark.parametrize("text_size", [100, 150])
def test_rows_of_signs_wrap_rather_than_stick_out(rehearsal, race, text_size):
    rehearsal.change(text_size=text_size)
    part = SignRow(race, SIGNS, 30)
    wide = part.natural()
    assert part.fit(wide) < part.fit(wide / 2)
    part.place(0, 0, wide / 2, part.fit(wide / 2))
    assert part.laid.wide <= wide / 2 + 1
    assert part.fit(wide) == part.laid.high, "and comes back to one line"


def test_a_texture_is_made_once(race):
    assert _texture("race", "hand", "front", 31) is _texture("race", "hand", "front", 31)


def test_a_symbol_is_never_smaller_than_legible(race):
    part = Symbol(race, Sign("cost", "3"), 5)
    assert part.natural() >= 29
    assert part.text == "3"


def test_a_face_fills_the_width_it_gets(race):
    view = FaceView(race, race.face(race.usual_box()["old-earth"]), 0, 93)
    for width in (150, 210):
        view.place(0, 0, width, view.fit(width))
        assert view.laid.wide == width
    assert view.text == "Old Earth"


def test_words_are_as_wide_on_the_screen_as_they_were_measured(race):
    assert measured("Old Earth", 20, True) > measured("Old Earth", 10, True) * 1.8


def test_signs_take_the_colours_of_what_they_stand_on(rehearsal, race):
    dark = Symbol(race, Sign("hand"), 30, paper("surface")).laid.strokes[0].colour
    rehearsal.change(theme="light")
    bright = Symbol(race, Sign("hand"), 30, paper("surface")).laid.strokes[0].colour
    assert dark != bright
