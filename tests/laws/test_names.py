"""A name means one thing in the whole project."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("companion", "vision", "devices", "scoring", "workshop")
HELPERS = ("tests", "benchmarks")
"""What tests and benchmarks share; a class inside of one `test_*.py` may be called anything."""
ELSEWHERE = ("arm64", "booted", "kernel")
"""Folders of programs that run on another machine, without these packages."""
VAGUE = {
    "laid",
    "told",
    "aside",
    "beside",
    "door",
    "doors",
    "hands",
    "likes",
    "lookout",
    "orders",
    "pretending",
    "tidying",
    "torture",
    "watching",
    "keeper",
    "divergence",
    "readiness",
    "seen",
    "seeing",
    "sights",
    "standing",
    "strip",
    "strips",
    "surroundings",
    "things",
    "upkeep",
    "utils",
    "helpers",
}
"""Names of modules that do not say what is inside."""

DIALECT = re.compile(
    r"(?<![a-z])(whoever|nobody[ _]gave|such[ _]a[ _]one|not[ _]to[ _]be[ _]had|by[ _]its[ _]like|anew|amiss"
    r"|(too|the)[ _]dear(er|est)?|torture|lookout|heeds?)(?![a-z])",
    re.IGNORECASE,
)
"""Words a stranger stumbles over, in code, names, comments, documentation and English sentences."""
WRITTEN = ("*.py", "*.md", "*.toml", "*.sh", "en.po")
OLD_WORDS = ("CHANGELOG.md", "companion/cli.py", "tests/laws/test_names.py", "tests/laws/test_polish.py")
"""They name the old words: what changed, an alias of a command, and these tests."""


def _files() -> list[Path]:
    return [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]


def _helpers() -> list[Path]:
    found = [file for folder in HELPERS for file in sorted((ROOT / folder).rglob("*.py"))]
    return [file for file in found if file.parent.name not in ELSEWHERE and not file.stem.startswith("test_")]


def _tests() -> list[Path]:
    return sorted((ROOT / "tests").rglob("test_*.py"))


def _is_a_games(file: Path) -> bool:
    """Games use the same names for the same things on purpose, and so does the scoring of each."""
    return "games" in file.parts or (file.parent.name == "scoring" and file.stem not in ("sheet", "count"))


def _types(file: Path) -> dict[str, str]:
    """Classes, type aliases and type variables of a module, with what each stands for."""
    found = {}
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found[node.name] = f"class in {file}"
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
            continue
        value = ast.unparse(node.value)
        is_alias = target.id[0].isupper() and not target.id.isupper()
        if is_alias or value.startswith(("TypeVar(", "TypeVarTuple(", "ParamSpec(")):
            found[target.id] = value
    return found


def test_no_two_types_have_one_name() -> None:
    """Two aliases that stand for the very same type are one thing."""
    meanings: dict[str, dict[str, str]] = defaultdict(dict)
    for file in (*_files(), *_helpers()):
        if not _is_a_games(file):
            for name, meaning in _types(file).items():
                meanings[name][meaning] = str(file.relative_to(ROOT))
    assert {name: found for name, found in meanings.items() if len(found) > 1} == {}


def test_modules_have_names_that_explain_themselves() -> None:
    eclipse_phase = ROOT / "companion" / "games" / "eclipse" / "steps" / "upkeep.py"
    files = (*_files(), *_helpers(), *_tests())
    vague = [
        str(file) for file in files if file.stem.removeprefix("test_") in VAGUE and file != eclipse_phase
    ]
    assert vague == []


def test_everybody_understands_the_words() -> None:
    folders = (*PACKAGES, *HELPERS, "docs", "deploy")
    texts = [file for folder in folders for kind in WRITTEN for file in sorted((ROOT / folder).rglob(kind))]
    found = {}
    for file in (*texts, *ROOT.glob("*.md"), *ROOT.glob("*.toml")):
        name = str(file.relative_to(ROOT))
        if name not in OLD_WORDS and (words := [m[0] for m in DIALECT.finditer(file.read_text("utf-8"))]):
            found[name] = words
    assert found == {}
