"""Follows the page about adding a game to the letter: the resulting game passes the laws."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from msgspec.structs import fields

from companion.core.game import Game

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "adding-a-game.md"
FILES = re.compile(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files_of_the_page() -> dict[str, str]:
    """Every file the page has, by its path."""
    return dict(FILES.findall(PAGE.read_text("utf-8")))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it is, with one game more."""
    house = tmp_path_factory.mktemp("house")
    for folder in ("companion", "scoring", "tests"):
        copytree(ROOT / folder, house / folder, ignore=ignore_patterns("__pycache__"))
    for name in ("vision", "devices", "workshop", "docs", "pyproject.toml"):
        (house / name).symlink_to(ROOT / name)
    for name, text in files_of_the_page().items():
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        (house / name).write_text(text, encoding="utf-8")
    return house


def in_the_house(house: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """One command of the page, there; only what is shared with this process's Python is not the page's."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment |= {"PYTHONPATH": str(house), "COMPANION_LANGUAGE": "en"}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=house,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_page_begins_with_a_game_that_has_only_what_it_must() -> None:
    """Rules, components, words and bots: everything else is a later step."""
    folder = "companion/games/pebbles"
    files = {
        f"{folder}/{name}" for name in ("game.toml", "components.toml", "rules.py", "bots.py", "__init__.py")
    }
    assert set(files_of_the_page()) == files | {f"{folder}/words/en.po", f"{folder}/words/pl.po"}
    required = {field.name for field in fields(Game) if field.required}
    assert required == {"box", "state", "steps", "catalogue", "begin", "sheet"}
    given = re.findall(r"^    (\w+)=", files_of_the_page()[f"{folder}/__init__.py"], re.MULTILINE)
    assert set(given) == required | {"bots"}


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text("utf-8").split()) <= 1800


def test_every_part_of_a_game_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    not_there = [field.name for field in fields(Game) if not re.search(rf"\b{field.name}\b", page)]
    assert not_there == []


def test_the_game_of_the_page_is_written_as_the_house_writes(house: Path) -> None:
    for check in (("check",), ("format", "--check")):
        ran = in_the_house(house, "ruff", *check, "--no-cache", "companion/games/pebbles")
        assert ran.returncode == 0, ran.stdout + ran.stderr
    ran = in_the_house(house, "mypy", "--strict", "-p", "companion.games.pebbles")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_game_of_the_page_can_be_played(house: Path) -> None:
    ran = in_the_house(house, "workshop", "bots", "pebbles", "--games", "3", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count('"seed"') == 3


def test_the_game_of_the_page_passes_the_laws(house: Path) -> None:
    for program in ("recorded.record", "recorded.labels", "laws.golden"):
        ran = in_the_house(house, f"tests.{program}", "pebbles")
        assert ran.returncode == 0, ran.stderr
    laws = (
        "tests/laws",
        "tests/recorded",
        "tests/core/test_texts.py",
        "-k",
        "(pebbles or texts) and not adding",
    )
    ran = in_the_house(house, "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *laws)
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert ran.stdout.count(".") > 50, "they were really run"
