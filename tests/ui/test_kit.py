"""Widgets fit where they are placed, at any width."""

import gc
import os

import pytest
from kivy.graphics import Color
from kivy.graphics.instructions import CanvasBase

from companion.table.marks import MARKS
from companion.ui.toolkit.draw import Badge, Bar, Rotated
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import (
    Column,
    Flow,
    Gap,
    Icon,
    Page,
    Plate,
    Row,
    Scroll,
    Split,
    Tap,
    Tiles,
    Words,
    extent,
    readable,
)
from companion.ui.toolkit.lettering import lettered
from companion.ui.toolkit.snug import Snug, shortened
from companion.ui.toolkit.theme import TARGET
from companion.ui.toolkit.tiles import Leaves
from workshop.screens.checks import _letters

LONG = "Wybierz pierwszeństwo osadnictwa: trzy żetony zwycięstwa albo jedna karta z ręki"


def everything():
    taps = [Tap(words, name=words) for words in ("Tak", "Nie", "Może kiedy indziej, dziś nie", LONG)]
    return Column(
        [
            Words(LONG, "prompt"),
            Row([Icon("play"), Words(LONG).fill(), Badge(MARKS[0])]),
            Flow(taps[:2]),
            Tiles(taps[2:], 200),
            Plate(Split([Words(LONG), Bar(3, 12)], (2, 1))),
            Tap(LONG, icon="undo", detail=LONG),
            Tap(icon="cog", name="icon"),
            Gap(),
        ]
    )


@pytest.mark.parametrize("width", [320, 480, 720, 1280])
@pytest.mark.parametrize("text_size", [80, 100, 150])
def test_everything_stays_within_its_room(rehearsal, width, text_size):
    rehearsal.change(text_size=text_size)
    part = everything()
    high = part.fit(width)
    part.place(0, 0, width, high)
    for inner in walk(part):
        assert inner.x >= -1.5
        assert inner.right <= width + 1.5, inner
        assert inner.y >= -1.5
        assert inner.top <= high + 1.5, inner
        if isinstance(inner, Words):
            assert inner.texture_size[1] <= inner.height + 1.5
        if isinstance(inner, Tap):
            assert min(inner.size) >= TARGET - 1


@pytest.mark.parametrize("width", [0, 1, 7, 40])
def test_no_width_is_too_narrow_to_be_laid_out(rehearsal, width):
    part = everything()
    part.place(0, 0, width, part.fit(width))


def test_a_narrower_part_is_never_lower(rehearsal):
    words = Words(LONG)
    heights = [words.fit(width) for width in (800, 400, 200)]
    assert heights == sorted(heights)
    assert heights[0] < heights[-1]


def test_parts_of_a_column_do_not_lie_on_each_other(rehearsal):
    column = everything()
    column.place(10, 20, 500, column.fit(500))
    for upper, lower in zip(column.parts, column.parts[1:], strict=False):
        assert lower.top <= upper.y + 0.01


def test_the_body_of_a_page_gets_what_top_and_bottom_leave(rehearsal):
    top, body, bottom = Words("oben"), Scroll(Words(LONG)), Tap("unten")
    page = Page(top, body, bottom)
    page.place(0, 0, 400, 300)
    assert top.top == 300
    assert bottom.y == 0
    assert body.top <= top.y
    assert body.y >= bottom.top
    assert body.height > 100


def test_words_that_change_are_lettered_again(rehearsal):
    words = Words("0:01")
    words.place(0, 0, 200, words.fit(200))
    before = words.texture
    words.text = "0:02"
    assert words.texture is not before
    assert words.texture is words._shape.texture


def test_a_tap_that_stands_on_its_head_is_hit_where_it_is_seen(rehearsal):
    hit = []
    near, far = Tap("near", lambda: hit.append("near")), Tap("far", lambda: hit.append("far"))
    turned = Rotated(Column([near, far]))
    stage = rehearsal.app.stage
    stage.clear_widgets()
    turned.place(100, 100, 200, turned.fit(200))
    stage.add_widget(turned)
    rehearsal.touch(200, 110)  # the lower edge, where the upper part is seen
    assert hit == ["near"]
    rehearsal.touch(*rehearsal.middle(far))
    assert hit == ["near", "far"]


def test_a_name_is_a_tap_a_finger_finds(rehearsal):
    tap = Tap(icon="cog")
    assert tap.natural() >= TARGET
    assert tap.fit(48) >= TARGET


@pytest.mark.parametrize("width", [90, 140, 200])
def test_words_become_smaller_rather_than_break(rehearsal, width):
    rehearsal.change(text_size=100)
    words = Words("Maksymilian", "title", bold=True)
    words.place(0, 0, width, words.fit(width))
    whole = words.font_size > rehearsal.app.theme.font("note")  # words that are smallest stay readable
    assert words.widest_word() <= width or not whole
    words.place(0, 0, 700, words.fit(700))
    assert words.font_size == rehearsal.app.theme.font("title"), (
        "with room they are as large as they should be"
    )


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("Ola 🎲", "Ola"),
        ("❤️ Ola", "Ola"),
        ("Ola 👩‍👩‍👧 Nowak", "Ola Nowak"),
        ("Ola 🎲: która akcja?", "Ola: która akcja?"),
        ("🎲", "☺"),
        ("Łucja", "Łucja"),
        ("Юля", "Юля"),
    ],
)
def test_a_name_with_little_pictures_is_shown_without_boxes(name, seen):
    words, font = readable(name, "Words")
    assert words == seen
    assert all(ord(letter) in _letters(font) for letter in words)


def test_room_that_is_left_goes_to_what_spreads(rehearsal):
    px = rehearsal.app.theme.px
    head, tiles, foot = Words("Kto zaczyna?"), Tiles([Tap("A"), Tap("B")], 400).spread(30), Words("Nikt")
    column = Column([head, tiles, foot])
    least = column.fit(500)
    column.place(0, 0, 500, least + px(40))
    assert [tap.height for tap in tiles.parts] == [tiles.parts[0].fit(500) + px(20)] * 2, "two lines share it"
    column.place(0, 0, 500, least + 1000)
    assert [tap.height for tap in tiles.parts] == [tiles.parts[0].fit(500) + px(30)] * 2, "and no more"
    assert foot.top <= tiles.y, "nothing lies on what became higher"


def test_what_can_be_scrolled_ends_where_everything_else_ends(rehearsal):
    high, low = Scroll(Column([Tap(str(n)) for n in range(40)])), Scroll(Tap("1"))
    for scroll in (high, low):
        scroll.place(10, 0, 500, 300)
        assert scroll.part.width == 500
        assert scroll.right > 510, "the bar stands beside it"


def test_what_is_chosen_is_told_by_an_edge(rehearsal):
    on, off = Tap("Tak", chosen=True), Tap("Tak")
    assert on._line is not None
    assert off._line is None


def test_many_are_leafed_through_and_only_those_in_sight_are_made(rehearsal):
    made, at = [], [0]

    def make(n):
        made.append(n)
        return Tap(str(n), name=f"leaf-{n}")

    leaves = Leaves(make, 50, at, lambda: None, (90, 50), [Tap("first", name="first")])
    seen = []
    for page in range(10):
        made.clear()
        leaves.place(0, 0, 400, 200)
        assert made == list(leaves.shown)
        assert len(made) <= 16
        seen += made
        places = [(part.x, part.y) for part in leaves.children]
        assert len(set(places)) == len(places)
        assert all(
            part.x >= -1 and part.right <= 401 and part.y >= -1 and part.top <= 201
            for part in leaves.children
        )
        if len(seen) >= 50:
            break
        at[0] = page + 1
    assert seen == list(range(50))


def test_snug_words_need_as_many_lines_as_they_take(rehearsal):
    """A line may be wider than the sum of its words."""
    said = "Use Prosperous World"
    for size in range(15, 31):
        wide = extent(said, "Words", size, True)
        for width in (wide - 1, wide, wide + 1):
            words = Snug(said, size, size, bold=True, lines=2)
            words.place(0, 0, width, words.fit(width))
            assert words.texture_size[1] <= words.height, (size, width)


@pytest.mark.parametrize("width", [60, 120, 300, 900])
def test_snug_words_are_as_large_as_their_room_and_whole(rehearsal, width):
    words = Snug("Earth's Lost Colony takes two goods", 40, 17, lines=3)
    words.place(0, 0, width, 90)
    assert 17 <= words.font_size <= 40
    if words.fits(width, 90):
        assert words.texture_size[1] <= 91
        assert words.widest_word() <= width
    larger = Snug("Earth's Lost Colony takes two goods", 40, 17, lines=3)
    larger.place(0, 0, width + 100, 90)
    assert larger.font_size >= words.font_size


def test_a_name_that_has_no_room_is_shortened_but_never_unreadable(rehearsal):
    size = 30
    whole = shortened("Bartłomiej Maksymilian Żyźński", size, 2000)
    assert whole == "Bartłomiej Maksymilian Żyźński"
    for room in (400, 300, 200, 150, 100, 60):
        short = shortened("Bartłomiej Maksymilian Żyźński", size, room)
        assert extent(short, Words.font, size, True) <= room
        assert short.startswith("B")


@pytest.mark.parametrize("room", [60, 80, 100, 140])
def test_shortened_names_are_told_apart(rehearsal, room):
    names = ("Aleksandra", "Aleksander", "Bartłomiej Kowal", "Bartłomiej Nowak")
    assert len({shortened(name, 18, room, names) for name in names}) == 4


def test_a_part_keeps_what_is_in_it_and_not_what_it_is_in(rehearsal):
    inner = Gap()
    outer = Column([inner])
    assert inner.parent is outer
    assert outer.children == [inner]
    del outer
    assert inner.parent is None


@pytest.fixture
def no_other_wiped(rehearsal):
    """No part of an earlier page is found and wiped meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def drawn(canvas):
    """Everything drawn there, before and after it too; places to draw that are empty are nothing."""
    for instruction in canvas.children:
        if isinstance(instruction, CanvasBase):
            yield from drawn(instruction)
        else:
            yield instruction


@pytest.mark.parametrize("layers", [(), ("before",), ("after",), ("before", "after")])
def test_a_canvas_nobody_uses_any_more_serves_the_next_part_and_shows_nothing_of_the_last(
    no_other_wiped, layers
):
    part = Words("shown")
    part.opacity = 0.3
    canvas = part.canvas
    for layer in layers:
        getattr(canvas, layer).add(Color(1, 0, 0))
    assert list(drawn(canvas))
    del part
    other = Gap()
    assert other.canvas is canvas
    assert list(drawn(canvas)) == []
    assert other.opacity == 1.0


def test_what_is_drawn_after_a_part_stays_after_it_on_a_canvas_used_again(no_other_wiped):
    part = Gap()
    canvas = part.canvas
    early, late = canvas.before, canvas.after
    del part
    other = Gap()
    assert other.canvas is canvas
    colour = Color(1, 0, 0)
    other.canvas.add(colour)
    assert canvas.children == [early, colour, late]


def test_a_folder_whose_name_is_no_letters_can_be_shown(rehearsal):
    """Where the journal is is shown in the settings, and a folder may have any bytes in its name."""
    odd = os.fsdecode(b"/home/\xff/journal.db")
    assert readable(odd, "Words")[0] == "/home/?/journal.db"
    assert lettered(odd, "Words", 20, False, "left", None).width > 0
