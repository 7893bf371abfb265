"""The texts on the labels of every game: `python -m tests.recorded.labels GAME` records them.

Run it only for a new game or after its catalogue has grown: labels that people have stuck on their cards stay
valid for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion.core.game import Game, every_game
from companion.recognition.label_sheets import sticker
from companion.recognition.labels import Book

FOLDER = Path(__file__).parent


def printed(game: Game) -> list[str]:
    """A line for each sticker in the order they are printed: its code, name and note."""
    book = Book(game)
    made = (sticker(book, piece, "en") for piece in book.pieces)
    return [f"{one.text}\t{one.name}\t{one.note}" for one in made]


def main() -> None:
    """Write the file of the game named."""
    game = every_game()[sys.argv[1]]
    lines = printed(game)
    (FOLDER / f"{game.id}-labels.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(game.id, len(lines), "labels")


if __name__ == "__main__":
    main()
