"""Schemas, counters, questions, problems and sheets of every game equal the golden files, byte for byte."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from companion.core.game import Game
from tests.laws.golden import FOLDER, files
from tests.laws.walks import GAMES


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_a_game_says_is_as_it_was_written_down(game: Game) -> None:
    for name, now in files(game).items():
        file = FOLDER / name
        before = file.read_text("utf-8") if file.exists() else ""
        changed = list(
            unified_diff(before.splitlines(), now.splitlines(), "written down", "now", n=0, lineterm="")
        )
        shown = "\n".join(line[:300] for line in changed[:40])
        assert not changed, f"{name}: if this is meant, python -m tests.laws.golden {game.id}\n{shown}"


def test_every_file_written_down_is_of_a_game() -> None:
    ids = {game.id for game in GAMES}
    assert {file.name.partition(".")[0] for file in FOLDER.iterdir()} <= ids
