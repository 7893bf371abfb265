"""The page for whoever adds a game is followed to the letter: what comes of it passes the laws."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

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
    for name in ("vision", "devices", "docs", "pyproject.toml"):
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


def test_the_page_has_every_file_a_game_needs() -> None:
    files = files_of_the_page()
    folder = "companion/games/pebbles/"
    lantern = {path.name for path in (ROOT / "companion" / "games" / "lantern").iterdir() if path.is_file()}
    own = {name.removeprefix(folder) for name in files if name.startswith(folder)}
    assert {name for name in own if "/" not in name} <= lantern
    assert f"{folder}__init__.py" in files
    assert "scoring/pebbles.py" in files


def test_the_game_of_the_page_is_written_as_the_house_writes(house: Path) -> None:
    for check in (("check",), ("format", "--check")):
        ran = in_the_house(
            house, "ruff", *check, "--no-cache", "companion/games/pebbles", "scoring/pebbles.py"
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_game_of_the_page_can_be_played(house: Path) -> None:
    ran = in_the_house(house, "companion.cli", "bots", "pebbles", "--games", "3", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.count('"seed"') == 3


def test_the_game_of_the_page_passes_the_laws(house: Path) -> None:
    for recorded in ("record", "labels"):
        ran = in_the_house(house, f"tests.recorded.{recorded}", "pebbles")
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
