"""The wheel has what users need and no developers' tools: built, installed into an empty environment, played."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import companion

ROOT = Path(companion.__file__).parent.parent
UV = next(iter(sorted((ROOT / ".setup").glob("uv-*"))), None)
"""What `./run` and `./test` set up with: its cache has every package of the lock, so nothing is fetched here."""

pytestmark = pytest.mark.skipif(UV is None, reason="only ./test brings uv and its cache")


def uv(*words: str, environment: Path) -> None:
    settings = os.environ | {
        "UV_CACHE_DIR": str(ROOT / ".setup" / "cache"),
        "UV_OFFLINE": "1",
        "UV_PROJECT_ENVIRONMENT": str(environment),
        "UV_PYTHON_DOWNLOADS": "never",
    }
    ran = subprocess.run(
        [str(UV), *words], cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as a maintainer builds it."""
    out = tmp_path_factory.mktemp("wheel")
    build = "import sys, hatchling.build; print(hatchling.build.build_wheel(sys.argv[1]))"
    ran = subprocess.run(
        [sys.executable, "-c", build, str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return out / ran.stdout.split()[-1]


def test_it_has_games_words_and_symbols_but_no_tools_of_developers(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {
        "companion/locale/pl.po",
        "companion/games/race/words/pl.po",
        "companion/symbols/good.svg",
    } <= set(names)
    packages = {name.split("/")[0] for name in names if not name.split("/")[0].endswith(".dist-info")}
    assert packages == {"companion", "vision", "devices", "scoring"}


def test_installed_alone_it_demonstrates_a_game(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "empty"
    uv("venv", "--quiet", "--python", sys.executable, str(environment), environment=environment)
    uv(
        "sync",
        "--quiet",
        "--frozen",
        "--no-dev",
        "--no-install-project",
        "--no-build",
        environment=environment,
    )
    into = ("--python", str(environment / "bin" / "python"))
    uv("pip", "install", "--quiet", "--no-deps", *into, str(wheel), environment=environment)
    settings = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "COMPANION_LANGUAGE": "en"}
    ran = subprocess.run(
        [str(environment / "bin" / "companion"), "demo", "--text", "--camera", "none"],
        cwd=tmp_path,
        env=settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Setting up" in ran.stdout[:200]
    assert "points" in ran.stdout[-500:], "the game was played to its sheet"
    tools = subprocess.run(
        [str(environment / "bin" / "companion"), "bots", "race"],
        cwd=tmp_path,
        env=settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tools.returncode == 2
    assert "developers' tool" in tools.stderr
