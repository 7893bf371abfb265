"""What is drawn rather than listed: lines between places, places on empty ground, and maps with lines."""

from typing import Annotated, Literal

import pytest
from kivy.core.window import Window
from msgspec import Meta
from msgspec import Struct as Value
from msgspec.structs import replace

from companion.core import session
from companion.core.components import UNKNOWN, Component, Names, Untold
from companion.core.faces import Sign, plain_face
from companion.core.fact_values import fits, in_words
from companion.core.forms import form_of
from companion.core.game import every_game
from companion.core.views import LinkView, MapView, PlaceView, TokenView
from companion.core.words import plain
from companion.texts import render
from companion.ui.toolkit.fact_page import FactPage
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Page
from companion.ui.toolkit.place_map import PlaceMap

pytestmark = pytest.mark.every_game

NAMES = tuple("abcdefgh")
Place = Literal["a", "b", "c", "d", "e", "f", "g", "h"]
CHART = tuple(
    PlaceView(id, 2.8 * (n % 4), 2.8 * (n // 4), plain(f"Planet {id}"), plain(id), shape="disc")
    for n, id in enumerate(NAMES)
)


class Way(Value, frozen=True):
    one: Place
    other: Place
    energy: Annotated[int, Meta(ge=0, le=4)] = 1


class At(Value, frozen=True):
    x: Annotated[int, Meta(ge=0, le=12)]
    y: Annotated[int, Meta(ge=0, le=8)]


class Board(Component, frozen=True, kw_only=True):
    ways: tuple[Way, ...] | Untold = UNKNOWN
    spots: tuple[At, ...] | Untold = UNKNOWN


LANTERN = replace(
    every_game()["lantern"],
    chart=lambda component, field: CHART if field == "ways" else (),
    face=plain_face,
)
BOARD = Board(id="board", name=Names("Board"))


@pytest.fixture
def shown(rehearsal):
    """A page about some fields of a board, in the window."""
    rehearsal.play("eclipse", ("Ania", "Bartek"), seed=3)

    def show(*fields):
        screen = rehearsal.app.screen
        page = FactPage(screen, LANTERN, BOARD, fields, {}, rehearsal.app.refresh)
        screen.build = lambda: Page(None, page.laid_out("board", [], []))
        rehearsal.app.refresh()
        rehearsal.settle()
        return page

    yield show
    rehearsal.app.screen.__dict__.pop("build", None)


def map_of(rehearsal):
    return next(part for part in walk(rehearsal.app.stage) if isinstance(part, PlaceMap))


def touch(rehearsal, *places):
    for place in places:
        drawn = map_of(rehearsal)
        rehearsal.touch(*drawn.on_screen(*drawn.spots[place]))
        rehearsal.settle()


def ways(page):
    return {(one["one"], one["other"]): one.get("energy", 1) for one in page.value.get("ways", [])}


def test_two_places_touched_are_joined_and_parted_again(rehearsal, shown):
    page = shown("ways")
    touch(rehearsal, "a", "b", "b", "c")
    assert ways(page) == {("a", "b"): 1, ("b", "c"): 1}
    assert {(link.one, link.other) for link in map_of(rehearsal).links} == set(ways(page))
    touch(rehearsal, "c", "b")  # from the other side it is the same line
    assert ways(page) == {("a", "b"): 1}
    touch(rehearsal, "d", "d", "a", "e")  # a place touched twice begins nothing
    assert ways(page) == {("a", "b"): 1, ("a", "e"): 1}
    assert page.complete


def test_what_is_told_of_a_line_is_taken_over_by_the_next(rehearsal, shown):
    page = shown("ways")
    touch(rehearsal, "a", "b")
    rehearsal.tap("value.ways.energy-3")
    touch(rehearsal, "c", "d")
    assert ways(page) == {("a", "b"): 3, ("c", "d"): 3}
    rehearsal.tap("value.ways.energy-0")
    assert ways(page) == {("a", "b"): 3, ("c", "d"): 0}
    assert [link.label for link in map_of(rehearsal).links] == ["3", "0"]
    rehearsal.tap("take-away")
    assert ways(page) == {("a", "b"): 3}


def test_places_are_put_onto_empty_ground_and_taken_away(rehearsal, shown):
    page = shown("spots")
    for at in ((0, 0), (6, 4), (6.4, 4.3), (12, 8)):  # the third would lie on the second
        drawn = map_of(rehearsal)
        rehearsal.touch(*drawn.on_screen(*at))
        rehearsal.settle()
    assert page.value["spots"] == [{"x": 0, "y": 0}, {"x": 6, "y": 4}, {"x": 12, "y": 8}]
    touch(rehearsal, "0", "1")
    rehearsal.tap("take-away")
    assert page.value["spots"] == [{"x": 0, "y": 0}, {"x": 12, "y": 8}]


def test_one_field_among_others_is_drawn_on_a_page_of_its_own(rehearsal, shown):
    page = shown("ways", "spots")
    assert not any(isinstance(part, PlaceMap) for part in walk(rehearsal.app.stage))
    rehearsal.tap("draw-ways")
    touch(rehearsal, "a", "h")
    rehearsal.tap("drawn")
    assert not page.aside
    assert "1 line" in rehearsal.words()
    assert ways(page) == {("a", "h"): 1}


def test_a_drawing_says_what_cannot_be():
    form = form_of(Board, "ways", "lantern")
    assert fits(form, [{"one": "a", "other": "b"}, {"one": "a", "other": "c", "energy": 4}])
    assert not fits(form, [{"one": "a", "other": "a"}])
    assert not fits(form, [{"one": "a", "other": "b"}, {"one": "b", "other": "a"}])
    assert not fits(form, [{"one": "a", "other": "b", "energy": 5}])
    assert render(in_words(form, [{"one": "a", "other": "b"}] * 2), "pl") == "2 linie"
    spots = form_of(Board, "spots", "lantern")
    assert not fits(spots, [{"x": 1, "y": 2}, {"x": 1, "y": 2}])
    assert fits(spots, [{"x": n, "y": 2} for n in range(13)])


# A map that is no hexes


def tree(columns=5, rows=4):
    """Twenty places in columns and lines from each to the next column."""
    ids = [[f"{c}-{r}" for r in range(rows)] for c in range(columns)]
    places = [
        PlaceView(
            id,
            2.6 * c,
            -1.6 * r,
            plain(f"Technology {id}"),
            plain(f"Inżynieria {id}"),
            shape="card",
            seat=(c + r) % 3 or None if (c + r) % 3 < 2 else None,
            tokens=(TokenView(Sign("cruiser"), 2, 0), TokenView(Sign("cruiser"), 1, 1)) if r % 2 else (),
        )
        for c, column in enumerate(ids)
        for r, id in enumerate(column)
    ]
    links = [
        LinkView(ids[c][r], ids[c + 1][(r + d) % rows], "" if d else "2", dim=bool(d))
        for c in range(columns - 1)
        for r in range(rows)
        for d in (0, 1)
    ]
    return MapView("tree", plain("tree"), tuple(places), links=tuple(links))


def galaxy():
    """Twenty discs in a ring of rings, joined to their neighbours."""
    ids = [f"p{n}" for n in range(20)]
    places = [
        PlaceView(
            id,
            2.8 * (n % 5),
            2.8 * (n // 5),
            plain(f"Planet {n}"),
            plain(str(n)),
            shape="disc",
            seat=n % 2 if n % 3 else None,
        )
        for n, id in enumerate(ids)
    ]
    links = [LinkView(ids[n], ids[n + 1], str(n % 4)) for n in range(19) if n % 5 != 4]
    links += [LinkView(ids[n], ids[n + 5], str(n % 3)) for n in range(15)]
    return MapView("galaxy", plain("galaxy"), tuple(places), links=tuple(links))


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_two_maps_have_a_tab_each_and_every_place_is_found(rehearsal, monkeypatch, request, size):
    rehearsal.play("eclipse", ("Ania", "Bartek", "Celina"), seed=3)
    state = rehearsal.app.desk.session.state
    view = replace(rehearsal.app.desk.session.view, maps=(galaxy(), tree()))
    monkeypatch.setitem(session._VIEWS, id(state), (state, view))
    before = Window.size
    request.addfinalizer(lambda: rehearsal.resize(*before))
    rehearsal.resize(*size)
    rehearsal.app.go("map")
    rehearsal.settle()
    for map in view.maps:
        rehearsal.tap(f"map-{map.id}")
        drawn = map_of(rehearsal)
        assert {place.id for place in drawn.places} == {place.id for place in map.places}
        for place in map.places:
            x, y = drawn.on_screen(place.x, place.y)
            assert drawn.place_at(x, y) == place.id
            assert drawn.x <= x <= drawn.right
            assert drawn.y <= y <= drawn.top


def test_the_binder_draws_the_lines_of_a_board(rehearsal):
    rehearsal.tap("binder")
    binder = rehearsal.app.screen
    binder.game, binder.component = every_game()["beyond"], "technology-board"
    binder.look_up()
    rehearsal.settle()
    rehearsal.tap("fact-lines_2")
    touch(rehearsal, "i-1", "ii-a")
    assert any(
        "II B has one or two lines from the level before (p. 15)" in words for words in rehearsal.words()
    )
    rehearsal.tap("keep")
    rehearsal.settle()
    told = rehearsal.app.screen.taught["technology-board.lines_2"].value
    assert told == [{"one": "i-1", "other": "ii-a"}]


def draw_again(rehearsal):
    """Open the drawing; a first touch may only put away what was said."""
    rehearsal.tap("fact-lines_2")
    if not any(isinstance(part, PlaceMap) for part in walk(rehearsal.app.stage)):
        rehearsal.tap("fact-lines_2")


def test_a_board_half_drawn_in_the_binder_is_drawn_on_and_holds_nowhere_until_then(rehearsal):
    test_the_binder_draws_the_lines_of_a_board(rehearsal)
    binder = rehearsal.app.screen
    assert "lines_2" in binder.catalogue()["technology-board"].unknown()
    assert any("II B has one or two lines" in words for words in rehearsal.words()), "its page says so"
    draw_again(rehearsal)
    for n, space in enumerate("ebcdf"):
        touch(rehearsal, f"i-{1 + n // 2}", f"ii-{space}")
    rehearsal.tap("keep")
    rehearsal.settle()
    assert len(binder.taught["technology-board.lines_2"].value) == 6
    assert "lines_2" not in binder.catalogue()["technology-board"].unknown()
    draw_again(rehearsal)
    touch(rehearsal, "i-1", "i-2")
    assert "keep" not in rehearsal.taps(), "a line within a level is none (p. 14)"


def test_how_to_draw_is_said_and_what_is_there_already_is_shown(rehearsal):
    """The spaces of Transgalactica's map are put round its centre, which nobody puts, chooses or draws upon."""
    rehearsal.play("transgalactica", ("Ania", "Bartek"), seed=2)
    rehearsal.play_until(lambda s: any("board-2.sketch" in q.facts for q in s.questions()))
    assert "Touch where each of them lies." in rehearsal.words()
    for at in ((0, 0), (1, 0), (4, 3)):
        drawn = map_of(rehearsal)
        assert (0.0, 0.0) in drawn.spots.values()
        rehearsal.touch(*drawn.on_screen(*at))
        rehearsal.settle()
    assert rehearsal.screen.fact_pad.pad.value["sketch"] == [{"x": 4, "y": 3}]
    assert sorted(map_of(rehearsal).spots.values()) == [(0.0, 0.0), (4, 3)]
    rehearsal.tap("form-done")
    assert any("two places one after the other" in words for words in rehearsal.words())
