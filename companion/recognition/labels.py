"""Which label belongs to which piece of a game, and back.

A component's number is its position in the game's catalogue, from 1. Catalogues only ever grow at their end,
so printed labels stay valid. A component that exists once has copy 0; otherwise copies are counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

from msgspec import Struct

from companion.core.components import Component, Facts, names_in
from companion.core.game import Game, games
from companion.core.words import say
from companion.errors import DataTrouble
from vision.labels import HIGHEST_COPY, HIGHEST_NUMBER, Label, parse, text


class Piece(Struct, frozen=True):
    """One physical piece: a component, and which copy of it (0: there is only one)."""

    component: str
    copy: int = 0


class Book:
    """All labels of one game."""

    def __init__(self, game: Game, facts: Facts | None = None) -> None:
        """Uses the names in these facts; no other fact affects a label."""
        if game.box.label is None:
            raise DataTrouble(say("labels.no-letter", game=game.box.name))
        self.game = game
        self.letter = game.box.label
        self.catalogue = game.taught_box(game.usual_setup(names_in(facts or {})))
        self._numbers = {c.id: n for n, c in enumerate(self.catalogue, start=1)}
        if len(self._numbers) > HIGHEST_NUMBER or any(c.copies > HIGHEST_COPY for c in self.catalogue):
            raise DataTrouble(say("labels.too-many-pieces", game=game.box.name))
        self.sets = frozenset(c.id for c in self.catalogue if c.own)
        self.pieces = tuple(_in_the_box(self.catalogue, self.sets))
        self.texts = {piece: text(self.label(piece)) for piece in self.pieces}
        self._pieces = {written: piece for piece, written in self.texts.items()}

    def number(self, component: str) -> int:
        """A component's position in the catalogue, from 1."""
        return self._numbers[self.catalogue[component].id]

    def label(self, piece: Piece) -> Label:
        """The label of this piece."""
        return Label(self.letter, self.number(piece.component), piece.copy)

    def piece(self, text: str | bytes) -> Piece | None:
        """The piece with this label, or None if this box has none."""
        if isinstance(text, bytes):
            text = text.decode("ascii", "replace")
        return self._pieces.get(text)

    def set_of(self, piece: Piece) -> int | None:
        """Which player's set this piece belongs to, from 1; None if it is in no set."""
        return piece.copy if piece.component in self.sets else None


def _in_the_box(catalogue: Any, sets: frozenset[str]) -> Iterator[Piece]:
    """Every piece in the order of the catalogue, copies together, but each player's set separately."""
    for is_set, components in groupby(catalogue, key=lambda c: c.id in sets):
        run = list(components)
        if is_set:
            yield from (Piece(c.id, copy) for copy in range(1, run[0].copies + 1) for c in run)
        else:
            yield from (Piece(c.id, copy) for c in run for copy in _copies(c))


def _copies(component: Component) -> tuple[int, ...]:
    return (0,) if component.copies == 1 else tuple(range(1, component.copies + 1))


@cache
def books() -> dict[str, Book]:
    """The labels of every game that has any, by the game's letter."""
    return {game.box.label: Book(game) for game in games().values() if game.box.label is not None}


def find(text: str | bytes) -> tuple[str, Piece] | None:
    """The game's id and the piece of a label; None if it is not ours or of an unknown box. Never raises."""
    label = parse(text)
    book = books().get(label.game) if label is not None else None
    piece = book.piece(text) if book is not None else None
    return (book.game.id, piece) if book is not None and piece is not None else None
