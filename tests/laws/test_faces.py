"""Every component has a face that can be drawn at any size; every symbol is drawn, named and distinct."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest
from msgspec import Struct

from companion.core.components import Component
from companion.core.faces import Face, Sign
from companion.core.game import Game, Setup, every_game
from companion.drawing.colours import CARD, INK, SEEN, Backing, contrast, seen_on
from companion.drawing.faces import face
from companion.drawing.strokes import Area, Block, Inscription, Stamp, Stroke
from companion.drawing.svg import measured, svg
from companion.drawing.symbols import NAME, drawing, folder, has, names, pixels
from companion.drawing.symbols import called as name_of
from companion.drawing.text import face_line
from companion.texts import LANGUAGES, capital, catalogue, render
from tests.laws.walks import COVERING, GAMES, called, tried, walk

SIZES = ((180, 100), (150, 93), (90, 56), (76, 76), (64, 56), (120, 104), (300, 170))
"""A tile, a card of a tableau, the smallest, parts and hexes, a page of the binder."""

APART = 0.17
"""The share of the pixels in which two symbols differ at least."""
PIPS = 0.04
"""The same for faces of dice, which people tell by their pips."""

READ = 4.5
"""The contrast letters must have (WCAG 2)."""


def components(game: Game) -> tuple[Component, ...]:
    """Everything any set-up has on the table, as it is printed there."""
    return _components(game.id)


@cache
def _components(id: str) -> tuple[Component, ...]:
    game = every_game()[id]
    boxes = [game.catalogue(game.complete(setup), {}) for setup in tried(game)]
    found: list[Component] = []
    for box in boxes:
        found += [component for component in box if component not in found]
    return tuple(found)


def corners(stroke: Stroke) -> Iterator[tuple[float, float]]:
    """Where a stroke begins and ends."""
    if isinstance(stroke, Area):
        yield from stroke.corners
    elif isinstance(stroke, Block):
        yield from ((stroke.x, stroke.y), (stroke.x + stroke.wide, stroke.y + stroke.high))
    elif isinstance(stroke, Stamp):
        yield from ((stroke.x, stroke.y), (stroke.x + stroke.size, stroke.y + stroke.size))
    else:
        half = stroke.size * 0.36
        yield from ((stroke.x, stroke.y - half),)
        yield (stroke.x + measured(stroke.words, stroke.size, stroke.bold), stroke.y + half)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", GAMES, ids=called)
def test_every_component_is_drawn_whole_at_every_size(game: Game, size: tuple[int, int]) -> None:
    wide, high = size
    for component in components(game):
        shown = game.face(component)
        laid = face(game.id, game.tints, shown, wide, high, measured, "pl")
        for stroke in laid.strokes:
            for x, y in corners(stroke):
                assert -1 <= x <= wide + 1, (component.id, stroke)
                assert -1 <= y <= high + 1, (component.id, stroke)
        ElementTree.fromstring(svg(laid))


@pytest.mark.parametrize("game", GAMES, ids=called)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_is_whole_or_a_short_one(game: Game, language: str) -> None:
    for component in components(game):
        shown = game.face(component)
        name = render(shown.name, language)
        short = name if shown.short is None else render(shown.short, language)
        assert name == render(component.called, language), component.id
        assert short in name, component.id
        laid = face(game.id, game.tints, shown, 180, 100, measured, language)
        written = " ".join(s.words for s in laid.strokes if isinstance(s, Inscription)).replace("- ", "-")
        assert name in written or capital(short) in written, component.id
        letters = [s for s in laid.strokes if isinstance(s, Inscription) and s.words in name]
        assert all(s.size >= NAME for s in letters if len(s.words) > 3), component.id


def signs_in(value: object) -> Iterator[Sign]:
    """Every sign in a value, however deep."""
    if isinstance(value, Sign):
        yield value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from signs_in(getattr(value, name))
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from signs_in(inner)


def shown_in(game: Game, setup: Setup, random: Random) -> Iterator[str]:
    """The symbols of a play: of its numbers, phases, questions and of the lines of its sheet."""
    for session in walk(game, setup, random, 60):
        view = game.view(session.state)
        yield from (shown.id for seat in view.seats for shown in seat.numbers)
        yield from (shown.id for shown in (*view.pools, *view.meters, *view.phases))
        yield from (sign.symbol for sign in signs_in((view, session.questions())))
        lines = (line.what for seat in game.sheet(session.state).seats for line in seat.lines)
        yield from (line for line in lines if line not in session.catalogue)


@pytest.mark.parametrize(("game", "setup"), COVERING, ids=called)
def test_every_symbol_a_play_shows_is_drawn(game: Game, setup: Setup) -> None:
    shown = set(shown_in(game, setup, Random(1)))
    assert {symbol for symbol in shown if not has(game.id, symbol)} == set()


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_every_symbol_on_a_face_is_drawn(game: Game) -> None:
    faces: Iterable[Face] = map(game.face, components(game))
    signs = {sign for shown in faces for sign in signs_in(shown)}
    assert {sign.symbol for sign in signs if not has(game.id, sign.symbol)} == set()
    assert {sign.tint for sign in signs} - game.tints.keys() <= {""}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=called)
def test_every_face_is_a_line_of_text(game: Game, language: str) -> None:
    for component in components(game):
        shown = game.face(component)
        line = face_line(game.id, shown, lambda text: render(text, language))
        assert "symbol." not in line
        assert all(sign.value in line for sign in signs_in(shown)), component.id


ROOMS = ("", *(game.id for game in GAMES))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_symbol_has_a_name(language: str) -> None:
    sentences = catalogue(language)._catalog  # type: ignore[attr-defined]
    keys = {name_of(room, symbol).key for room in ROOMS for symbol in names(room)}
    assert {key for key in keys if not sentences.get(key)} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_symbols_are_drawn_in_white_with_black_holes(room: str) -> None:
    for symbol in names(room):
        text = (folder(room) / f"{symbol}.svg").read_text(encoding="utf-8")
        root = ElementTree.fromstring(text)
        assert root.get("viewBox") == "0 0 24 24", symbol
        used = {part.get(name) for part in root.iter() for name in ("fill", "stroke")}
        assert used <= {None, "none", "#fff", "#000"}, symbol


@cache
def looks(room: str, symbol: str) -> np.ndarray:
    """How opaque a symbol is, pixel by pixel; its sides count half."""
    size = 32
    layers = drawing(room, symbol).layers
    shares = {"front": 1.0, "lit": 0.5, "dark": 0.25}
    picture = np.zeros((size, size))
    for layer in layers:
        rgba = np.frombuffer(pixels(room, symbol, layer, size), np.uint8).reshape(size, size, 4)
        picture += rgba[..., 3] / 255 * shares[layer]
    return picture


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_no_two_symbols_of_a_game_look_alike(game: Game) -> None:
    mine = [(game.id, symbol) for symbol in names(game.id)]
    shared = [("", symbol) for symbol in names("") if symbol not in names(game.id)]
    alike = []
    for one, other in combinations([*mine, *shared], 2):
        a, b = looks(*one), looks(*other)
        apart = np.abs(a - b).sum() / max(a.sum(), b.sum(), 1)
        if apart < (PIPS if one[1].startswith("die-") and other[1].startswith("die-") else APART):
            alike.append((one, other, round(float(apart), 2)))
    assert alike == []


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_tints_stand_out(game: Game) -> None:
    """The front of a tint on a face; letters on it; words on its dark side, which is the ground of tiles."""
    for name, (front, _, dark) in game.tints.items():
        assert contrast(front, CARD.ground) >= SEEN, name
        assert contrast(INK, front) >= READ, name
        assert contrast(CARD.text, dark) >= READ, name


@pytest.mark.parametrize(
    "ground", ["#0E131C", "#182130", "#243146", "#F5F1EA", "#FFFDF9", "#ECE5D9", "#F3B94D"]
)
@pytest.mark.parametrize("game", GAMES, ids=called)
def test_a_symbol_is_seen_on_any_ground(game: Game, ground: str) -> None:
    text = max(("#F1F4F9", "#10151F"), key=lambda colour: contrast(colour, ground))
    for name, tint in game.tints.items():
        assert contrast(seen_on(tint, Backing(ground, text, text)), ground) >= SEEN, name
