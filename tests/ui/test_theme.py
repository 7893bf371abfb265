"""Themes: colours, sizes and marks as values, checked without a window."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.marks import MARKS, PIECES, letters_for, marks_for
from companion.table.settings import Person, Settings
from companion.ui.toolkit.theme import DARK, FONTS, INK, LIGHT, SMALLEST_WORDS, TARGET, contrast, theme_for

GROUNDS = ("ground", "surface", "raised")
INKS = ("text", "dim", "accent", "good", "bad")
NAMES = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=6, unique=True)


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(("ink", "ground"), list(itertools.product(INKS, GROUNDS)))
def test_every_word_is_readable_on_every_ground(palette, ink, ground):
    assert contrast(getattr(palette, ink), getattr(palette, ground)) >= 4.5


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_words_on_the_main_thing_to_tap_are_readable(palette):
    assert contrast(palette.on_main, palette.main) >= 4.5


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def test_marks_differ_in_shape_and_colour_and_their_letter_is_readable():
    assert len({mark.shape for mark in MARKS}) == len({mark.colour for mark in MARKS}) == len(MARKS)
    assert all(contrast(INK, mark.colour) >= 4.5 for mark in MARKS)
    assert all(contrast(INK, colour) >= 4.5 for colour in PIECES.values())


@given(names=NAMES)
def test_letters_are_always_different(names):
    letters = letters_for(names)
    assert len(set(letters)) == len(names)
    assert all(len(letter) == 1 for letter in letters)


def test_letters_are_the_first_of_the_name_if_they_can_be():
    assert letters_for(("Ania", "Bartek", "Adam", "Ola")) == ("A", "B", "D", "O")
    assert letters_for(("Łucja", "łukasz")) == ("Ł", "U")


@given(names=NAMES, looks=st.lists(st.integers(0, 20), min_size=6, max_size=6))
def test_no_two_seats_look_alike_whatever_people_like(names, looks):
    people = [Person(name, look) for name, look in zip(names, looks, strict=False)]
    marks = marks_for(names, people)
    assert len({mark.shape for mark in marks}) == len(names)
    assert len({mark.colour for mark in marks}) == len(names)


@given(names=NAMES, pieces=st.permutations(list(PIECES)), chosen=st.integers(0, 6))
def test_marks_have_the_colour_of_the_pieces_and_nobody_else_has_it(names, pieces, chosen):
    pieces = pieces[: min(chosen, len(names))]
    marks, usual = marks_for(names, (), pieces), marks_for(names)
    assert [mark.colour for mark in marks[: len(pieces)]] == [PIECES[colour] for colour in pieces]
    assert len({mark.colour for mark in marks}) == len(names)
    assert [(mark.shape, mark.letter) for mark in marks] == [(mark.shape, mark.letter) for mark in usual]


def test_people_keep_the_look_they_like():
    marks = marks_for(("Ania", "Bartek"), (Person("Bartek", 4), Person("Ania", 2)))
    assert [mark.shape for mark in marks] == [MARKS[2].shape, MARKS[4].shape]


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080)])
def test_words_and_targets_are_large_enough(size):
    look = theme_for(Settings(), *size)
    scale = 1 + (min(size) / 480 - 1) / 2
    assert look.px(TARGET) >= 48 * scale - 1
    assert look.font("note") >= 24 * scale - 1
    assert look.font("prompt") >= 32 * scale - 1
    assert min(FONTS.values()) >= SMALLEST_WORDS


def test_larger_screens_have_larger_letters_and_room_for_more():
    small, large = theme_for(Settings(), 800, 480), theme_for(Settings(), 1600, 960)
    assert 1.3 < large.font("body") / small.font("body") < 1.9


def test_words_grow_with_the_text_size_and_fingers_do_not():
    small, large = (theme_for(Settings(text_size=size), 800, 480) for size in (80, 150))
    assert large.font("body") > small.font("body")
    assert large.px(TARGET) == small.px(TARGET)


def test_two_columns_only_where_words_have_room_for_them():
    assert theme_for(Settings(), 800, 480).wide
    assert not theme_for(Settings(), 720, 1280).wide
    assert not theme_for(Settings(text_size=150), 800, 480).wide
