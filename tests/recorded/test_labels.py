"""A label once printed stays valid: nobody removes stickers from two hundred cards."""

from __future__ import annotations

import pytest

from companion.core.game import Game
from tests.laws.walks import GAMES
from tests.recorded.labels import FOLDER, printed


@pytest.mark.parametrize("game", [g for g in GAMES if g.box.label], ids=lambda game: game.id)
def test_what_was_printed_is_printed_again(game: Game) -> None:
    recorded = (FOLDER / f"{game.id}-labels.tsv").read_text("utf-8").splitlines()
    now = printed(game)
    assert [line for line in now if line in set(recorded)] == recorded
    assert len(now) == len(recorded), "the box has grown: python -m tests.recorded.labels GAME"
