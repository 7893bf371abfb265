"""A recorded play always leads to the same tables, entry by entry, unless the rules get another number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.game import Game
from tests.laws.walks import GAMES
from tests.recorded.record import FOLDER, difference, kept, record

RACE = next(game for game in GAMES if game.id == "race")


def _plays() -> Iterator[Any]:
    for game in GAMES:
        for n, play in enumerate(kept(game)):
            yield pytest.param(game, play, id=f"{game.id}-{n}")


@pytest.mark.parametrize(("game", "play"), list(_plays()))
def test_a_recorded_play_leads_to_the_same_tables(game: Game, play: Any) -> None:
    assert play["rules"] == game.box.rules, f"record it again: python -m tests.recorded.record {game.id}"
    assert difference(game, play) is None


def _more_expensive(game: Game) -> Game:
    """The same game, but the first seat gets a point for nothing at the end."""

    def sheet(state: Any) -> Any:
        made = game.sheet(state)
        first, *others = made.seats
        return replace(made, seats=(replace(first, total=first.total + 1), *others))

    return replace(game, sheet=sheet)


def test_what_differs_is_found_wherever_it_is() -> None:
    play = kept(RACE)[0]
    for n in (0, 1, len(play["entries"])):
        other = play | {"digests": [*play["digests"][:n], "0" * 16, *play["digests"][n + 1 :]]}
        assert (difference(RACE, other) or "").startswith(f"entry {n}:" if n else "the table")
    assert (difference(_more_expensive(RACE), play) or "").startswith("the result")
    assert difference(RACE, play | {"entries": play["entries"][:-1], "result": []}) is not None


def test_other_rules_are_recorded_only_under_another_number(tmp_path: Path) -> None:
    copy(FOLDER / "race.jsonl.gz", tmp_path)
    before = (tmp_path / "race.jsonl.gz").read_bytes()
    with pytest.raises(SystemExit, match="Raise it"):
        record(_more_expensive(RACE), tmp_path)
    assert (tmp_path / "race.jsonl.gz").read_bytes() == before
    corrected = replace(_more_expensive(RACE), box=replace(RACE.box, rules=RACE.box.rules + 1))
    assert {play["rules"] for play in record(corrected, tmp_path)} == {RACE.box.rules + 1}
    assert difference(corrected, kept(corrected, tmp_path)[0]) is None
    assert msgspec.json.encode(kept(RACE)) != msgspec.json.encode(kept(corrected, tmp_path))
