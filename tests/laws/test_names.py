"""A name means one thing in the whole house."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("companion", "vision", "devices", "scoring")
WORN = {
    "laid",
    "told",
    "aside",
    "door",
    "seen",
    "seeing",
    "sights",
    "strip",
    "strips",
    "upkeep",
    "utils",
    "helpers",
}
"""Names of modules that told nobody what is inside."""


def _files() -> list[Path]:
    return [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]


def _is_a_games(file: Path) -> bool:
    """Games use the same names for the same things on purpose, and so does the scoring of each."""
    return "games" in file.parts or (file.parent.name == "scoring" and file.stem not in ("sheet", "count"))


def test_no_two_types_have_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in _files():
        if not _is_a_games(file):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(str(file.relative_to(ROOT)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_modules_have_names_that_explain_themselves() -> None:
    eclipse_phase = ROOT / "companion" / "games" / "eclipse" / "steps" / "upkeep.py"
    assert [str(file) for file in _files() if file.stem in WORN and file != eclipse_phase] == []
