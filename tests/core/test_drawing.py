"""Signs, faces and symbols as plain drawings."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from companion.core.faces import ARROW, Face, Sign, Spot, short_names
from companion.core.words import plain
from companion.drawing.colours import CARD, INK, Backing
from companion.drawing.faces import face
from companion.drawing.lines import fitted, wrapped
from companion.drawing.overview import overview
from companion.drawing.signs import row, rows, sign
from companion.drawing.strokes import Area, Block, Inscription, Stamp
from companion.drawing.svg import measured, picture, svg
from companion.drawing.symbols import LEGIBLE, NAME, drawing, has, pixels
from companion.drawing.text import face_in_words, face_line, in_words
from companion.texts import render

TINTS = {"red": ("#F0625C", "#F9B5B2", "#7A2320"), "points": ("#F3B94D", "#FFD98A", "#8F5000")}


def opaque(game: str, name: str, layer: str = "front", size: int = 24) -> np.ndarray:
    rgba = np.frombuffer(pixels(game, name, layer, size), np.uint8).reshape(size, size, 4)  # type: ignore[arg-type]
    return rgba[..., 3]


def test_a_symbol_is_white_where_it_is_seen_and_black_is_a_hole() -> None:
    rgba = np.frombuffer(pixels("race", "gamble", "front", 48), np.uint8).reshape(48, 48, 4)
    assert (rgba[rgba[..., 3] > 0][:, :3] == 255).all()
    assert rgba[24, 24, 3] == 0, "the pip in the middle of the die"
    assert rgba[10, 24, 3] == 255
    assert rgba[0, 0, 3] == 0


def test_layers_of_a_symbol_do_not_cover_each_other() -> None:
    layers = [opaque("race", "good", layer) > 128 for layer in ("front", "lit", "dark")]
    assert all(layer.any() for layer in layers)
    assert not (layers[0] & layers[1]).any()
    assert not (layers[0] & layers[2]).any()


def test_a_symbol_nobody_drew_is_a_box_with_a_question_mark() -> None:
    assert not has("race", "no-such-thing")
    assert drawing("race", "no-such-thing").name == "unknown"


def test_a_game_has_its_own_symbols_and_those_for_all() -> None:
    assert drawing("race", "explore") != drawing("eclipse", "explore")
    assert drawing("race", "arrow") == drawing("eclipse", "arrow")


def test_letters_stand_in_a_symbol_or_after_it() -> None:
    inside = sign("race", TINTS, Sign("points", "7"), 40, measured, CARD)
    assert inside.wide == 40
    words = next(s for s in inside.strokes if isinstance(s, Inscription))
    assert words.colour == INK
    assert abs(words.x + measured("7", words.size, True) / 2 - 20) < 0.1
    after = sign("race", TINTS, Sign("hand", "7"), 40, measured, CARD)
    assert after.wide > 40
    assert next(s for s in after.strokes if isinstance(s, Inscription)).x > 40


def test_long_letters_become_smaller_rather_than_stand_out() -> None:
    for value in ("1", "12", "+123"):
        laid = sign("race", TINTS, Sign("cost", value), 40, measured, CARD)
        words = next(s for s in laid.strokes if isinstance(s, Inscription))
        assert words.x >= 0
        assert words.x + measured(value, words.size, True) <= 40


def test_what_is_dim_is_hollow_or_faint() -> None:
    hollow = sign("race", TINTS, Sign("good", "N", dim=True), 40, measured, CARD)
    assert {s.symbol for s in hollow.strokes if isinstance(s, Stamp)} == {"good-hollow"}
    faint = sign("race", TINTS, Sign("hand", dim=True), 40, measured, CARD)
    assert all(s.opacity < 1 for s in faint.strokes if isinstance(s, Stamp))


def test_a_pale_symbol_is_drawn_dark_on_a_bright_ground() -> None:
    bright = Backing("#FFFDF9", "#20262F", "#4A5361")
    on = {p.ground: sign("race", TINTS, Sign("points"), 40, measured, p).strokes[0] for p in (CARD, bright)}
    assert on[CARD.ground].colour == "#F3B94D"  # type: ignore[union-attr]
    assert on[bright.ground].colour == "#8F5000"  # type: ignore[union-attr]


def test_letters_leave_a_symbol_that_has_the_colour_of_its_ground() -> None:
    """As the points on a filled button: their hexagon could not be seen."""
    amber = Backing("#F3B94D", INK, INK)
    on = sign("race", TINTS, Sign("points", "+3"), 40, measured, amber)
    assert on.strokes[0].colour == "#8F5000"  # type: ignore[union-attr]
    assert next(s for s in on.strokes if isinstance(s, Inscription)).x > 40
    assert sign("race", TINTS, Sign("points", "+3"), 40, measured, CARD).wide == 40


def test_rows_wrap_at_their_width_and_arrows_are_smaller() -> None:
    signs = (Sign("hand", "4"), ARROW, Sign("points", "2"), Sign("card", "+1"))
    one = row("race", TINTS, signs, 30, measured, CARD)
    two = rows("race", TINTS, signs, 30, measured, CARD, one.wide / 2)
    assert one.high == 30 < two.high
    assert two.wide <= one.wide / 2 + 1
    sizes = {s.symbol: s.size for s in one.strokes if isinstance(s, Stamp)}
    assert sizes["arrow"] < sizes["hand"]


def test_words_are_wrapped_then_shortened_and_never_too_small() -> None:
    assert wrapped("Alien Rosetta Stone World", 17, 60, 2, measured) is None
    lines = fitted(("Alien Rosetta Stone World", "Rosetta"), 17, 130, 2, measured, 15)
    assert " ".join(lines.words) == "Alien Rosetta Stone World"
    brief = fitted(("Alien Rosetta Stone World", "Rosetta"), 17, 70, 1, measured, 15)
    assert brief.words == ("Rosetta",)
    smaller = fitted(("Conglomerate",), 17, measured("Conglomerate", 15.2, True), 1, measured, 15)
    assert smaller.words == ("Conglomerate",)
    assert 15 <= smaller.size < 17


def test_a_name_without_room_is_cut_short_with_a_point() -> None:
    cut = fitted(("Mining Conglomerate",), 17, 60, 2, measured, 15)
    assert cut.size == 15
    assert cut.words[0] == "Mining"
    assert cut.words[1].endswith(".")
    assert "Conglomerate".startswith(cut.words[1][:-1])
    assert all(measured(line, cut.size, True) <= 60 for line in cut.words)


@pytest.mark.parametrize("size", [(154, 61), (180, 100), (148, 92), (92, 48), (194, 120)])
def test_no_letters_of_a_name_are_too_small(size: tuple[int, int]) -> None:
    for name in ("Galactic Imperium", "Mining Conglomerate", "United Nations of the Solar System"):
        shown = Face("card", plain(name), "red", CARDLIKE.corners, POWERS)
        laid = face("race", TINTS, shown, *size, measured, "en")
        words = [s for s in laid.strokes if isinstance(s, Inscription) and len(s.words) > 3]
        assert words
        assert all(word.size >= NAME for word in words), (name, size)


def test_short_names_differ_by_more_than_capitals() -> None:
    found = short_names({"a": "Kadłub", "b": "Wzmocniony kadłub"})
    assert found == {"a": "Kadłub", "b": "Wzmocniony"}


def test_short_names_tell_their_owners_apart() -> None:
    found = short_names({"a": "Old Earth", "b": "New Earth", "c": "Space Marines"})
    assert found["c"] == "Marines"
    assert found["a"] == "Old Earth"
    assert found["b"] == "New Earth"


def test_a_short_name_is_never_a_word_that_tells_nothing() -> None:
    found = short_names({"a": "Free Trade Association", "b": "New Galactic Order", "c": "Interstellar Bank"})
    assert found["a"] == "Free Trade"
    assert len(found["b"].split()) == 2
    assert found["c"] == "Interstellar"
    assert short_names({"a": "Drop Ship"}) == {"a": "Drop Ship"}


POWERS = (
    (Sign("explore"), Sign("hand", "+1")),
    (Sign("consume"), Sign("good", "G"), ARROW, Sign("points", "1")),
)
CARDLIKE = Face(
    "card",
    plain("Research Labs"),
    "red",
    (Sign("cost", "4"), Sign("points", "2")),
    POWERS,
    short=plain("Labs"),
)


def test_a_smaller_face_tells_phases_instead_of_powers() -> None:
    large = face("race", TINTS, CARDLIKE, 180, 100, measured, "en")
    small = face("race", TINTS, CARDLIKE, 90, 56, measured, "en")
    symbols = [{s.symbol for s in laid.strokes if isinstance(s, Stamp)} for laid in (large, small)]
    assert symbols[0] >= {"explore", "consume", "good", "arrow", "hand"}
    assert symbols[1] >= {"explore", "consume"}
    assert not symbols[1] & {"good", "arrow", "hand"}


def test_what_lies_on_a_face_is_the_largest_thing_on_it() -> None:
    laid = face("race", TINTS, CARDLIKE, 150, 93, measured, "en", lying=(Sign("good", "N"),))
    goods = [s.size for s in laid.strokes if isinstance(s, Stamp) and s.symbol == "good"]
    assert max(goods) == max(s.size for s in laid.strokes if isinstance(s, Stamp))


def test_open_sides_of_a_hex_are_where_they_are() -> None:
    shown = Face(
        "hex", plain("101 Castor"), "red", edges=(True, False, False, True, False, False), short=plain("101")
    )
    laid = face("eclipse", TINTS, shown, 120, 104, measured, "en")
    halves = [s for s in laid.strokes if isinstance(s, Area)][2:]
    heights = sorted(np.mean([y for _, y in half.corners]) for half in halves)
    assert len(halves) == 2
    assert heights[0] < 15
    assert heights[1] > 89


def test_an_empty_slot_is_dashed_and_a_new_part_framed() -> None:
    spots = (
        Spot(Sign("hull", "1"), taken=True),
        Spot(Sign("empty")),
        Spot(Sign("drive", "1"), True, changed=True),
    )
    laid = face("eclipse", TINTS, Face("ship", plain("Cruiser"), "", spots=spots), 180, 130, measured, "en")
    edges = [s for s in laid.strokes if isinstance(s, Block) and s.line]
    assert [edge.dashed for edge in edges] == [True, False]


def test_a_face_is_an_svg_and_a_picture_in_its_colours() -> None:
    laid = face("race", TINTS, CARDLIKE, 180, 100, measured, "en")
    text = svg(laid)
    assert ElementTree.fromstring(text).get("width") == "180"
    assert ">Research Labs</text>" in text
    pixel = picture(text, 180, 100)[50, 170]
    assert tuple(pixel) == (0x46, 0x31, 0x24, 255), "the ground of a card, blue first"


def test_a_face_is_a_line_of_text() -> None:
    line = face_line("race", CARDLIKE, lambda text: render(text, "en"))
    assert line == "○4 ⬡2  I ▯▯+1  IV [G] → ⬡1"


@pytest.mark.parametrize("language", ["en", "pl"])
def test_everything_is_in_one_picture(language: str) -> None:
    laid = overview(language)
    assert {s.symbol for s in laid.strokes if isinstance(s, Stamp)} >= {"explore", "money", "oil", "arrow"}


def test_letters_in_a_symbol_are_legible_from_its_least_size_on() -> None:
    drawn = drawing("race", "cost")
    assert drawn.letters is not None
    assert drawn.least("3") * drawn.letters.size / 24 == pytest.approx(LEGIBLE)
    assert drawn.least() < drawn.least("3")


def test_a_face_in_words_leaves_out_what_only_says_that_something_is_unknown() -> None:
    unknown = Sign("unknown")
    half = Face(
        "card", plain("x"), "red", corners=(Sign("cost", "2"), unknown), rows=((Sign("points"), unknown),)
    )
    assert face_in_words("race", half, lambda text: render(text, "en")) == ("cost of a world 2",)
    told = Face("card", plain("x"), "red", rows=((Sign("points"), ARROW, Sign("cost", "1")),))
    assert face_in_words("race", told, lambda text: render(text, "en")) == ("points → cost of a world 1",)


@pytest.mark.parametrize(
    ("value", "said"),
    [("+2", "Military +2"), ("\N{MINUS SIGN}1", "Military \N{MINUS SIGN}1"), ("2", "defence 2")],
)
def test_a_signed_number_in_the_symbol_of_defence_is_read_out_as_military(value: str, said: str) -> None:
    assert in_words("frontiers", (Sign("defence", value),), lambda text: render(text, "en")) == said
