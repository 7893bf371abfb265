"""A printed name finds its component: in any language, with or without diacritics."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.core.game import Game
from companion.errors import Ambiguous
from companion.recognition.label_sheets import _pieces
from companion.recognition.labels import Book
from companion.texts import fold, mentions
from tests.laws.walks import GAMES, called


def typed(name: str) -> Iterator[str]:
    """How people may type a name."""
    yield from (name, name.lower(), fold(name))


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_a_printed_name_finds_its_component(game: Game) -> None:
    box = game.usual_box()
    for component in box:
        for name in component.name.known.values():
            for line in typed(name):
                try:
                    found = [box.find(line).id]
                except Ambiguous as several:
                    found = list(several.choices)
                assert component.id in found, line
                assert mentions(component.called, line), line


@pytest.mark.parametrize("game", [game for game in GAMES if game.box.label is not None], ids=called)
def test_labels_can_be_asked_for_by_any_printed_name(game: Game) -> None:
    book = Book(game)
    for component in book.catalogue:
        for name in component.name.known.values():
            for line in typed(name):
                assert component.id in {piece.component for piece in _pieces(book, [line])}, line
