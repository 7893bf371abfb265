"""Nothing outside a game's own folder knows that game: adding a sixth game changes nothing there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.game import every_game

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("companion", "vision", "devices", "scoring")
WRITTEN = (".py", ".po", ".toml", ".json", ".kv")


def _outside() -> Iterator[Path]:
    """Everything we wrote but the folders of games and the module that scores each of them."""
    own = {ROOT / "scoring" / f"{id}.py" for id in every_game()}
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*")):
            if (
                file.suffix in WRITTEN
                and ROOT / "companion" / "games" not in file.parents
                and file not in own
            ):
                yield file


def _known(text: str) -> list[str]:
    """The games a text speaks of: their ids, the beginning of their slugs, their packages and their printed names."""
    names = {game.box.name for game in every_game().values()}
    words = "|".join(map(re.escape, [*every_game(), *names]))
    return [found[0] for found in re.finditer(rf"(?<![a-zA-Z])({words})(?![a-zA-Z])", text)]


def test_nobody_outside_names_a_game() -> None:
    found = {str(file.relative_to(ROOT)): _known(file.read_text("utf-8")) for file in _outside()}
    assert {file: names for file, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "line",
    [
        'parser.add_argument("--game", default="race")',
        'say("eclipse.odds.too-large")',
        "from workshop.race_log import replay_log",
        "# as in Eclipse: New Dawn for the Galaxy",
    ],
)
def test_the_eye_sees_what_it_looks_for(line: str) -> None:
    assert _known(line)


def test_it_looks_everywhere_and_is_not_fooled_by_other_words() -> None:
    files = {str(file.relative_to(ROOT)) for file in _outside()}
    assert {"companion/cli.py", "companion/locale/pl.po", "scoring/sheet.py", "vision/paper.py"} <= files
    assert not any(file.startswith("companion/games/") for file in files)
    assert _known("import traceback  # embraced") == []
