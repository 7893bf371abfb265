"""The report of a mutation campaign."""

from __future__ import annotations

import os
import platform
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
SHARED = "scoring/count.py"
CAUGHT, SURVIVED, TIMEOUT, UNCALLED = "caught", "survived", "timeout", "not called"


class Kept(Struct, frozen=True):
    """What a page says of one game: its row, the rows of its modules, and what survived."""

    row: str
    modules: tuple[str, ...]
    survived: str


def kept(page: str) -> dict[str, Kept]:
    """The games of a page that was written before."""
    table, _, rest = page.partition("## By module")
    modules, _, listed = rest.partition("## What no test noticed")
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:-1]  # without head and sum
    survived = dict(part.split("\n", 1) for part in listed.split("### ")[1:])
    found = {}
    for line in rows:
        game = line.split("|")[1].strip()
        own = (f"companion/games/{game}/", f"scoring/{game}.py", *((SHARED,) if game == "scoring" else ()))
        mine = (it for it in modules.splitlines() if it.startswith(tuple(f"| `{path}" for path in own)))
        found[game] = Kept(line, tuple(mine), survived.get(game, "").strip())
    return found


def report(results: list[dict[str, Any]], seed: int, totals: dict[str, int], before: str = "") -> str:
    """The page of a campaign; games that were not tried now stay as the page before says."""
    earlier = kept(before)
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    when = f"{datetime.now(UTC):%Y-%m-%d} {head.stdout.strip() or 'unknown'}"
    cores, machine = os.cpu_count(), platform.machine()
    words = [
        "# Mutation campaign",
        "",
        "Deliberate mistakes in the rules (`companion/games/*/steps` and `scoring`), one at a time, and whether the",
        "tests of the game notice. Written by `benchmarks/mutation.py`; how it works is said there.",
        "",
        f"{machine}, {cores} cores, Python {platform.python_version()}, seed {seed}. Each game: day and commit of",
        "its last run, in the column *run*.",
        "",
        "*Not called*: no test calls the function. *Timeout*: the tests did not end, which is as good as caught.",
        "",
        "| game | mutants | tried | caught | timeout | survived | not called | noticed | seconds each | run |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    of_game: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for result in results:
        of_game[result["game"]].append(result)
    pages = earlier | {game: _now(game, found, totals[game], when) for game, found in of_game.items()}
    words += [
        *(page.row for page in pages.values()),
        f"| all | {_sum(page.row for page in pages.values())} | | |",
        "",
        "## By module",
        "",
    ]
    words += [
        "| module | tried | caught | timeout | survived | not called | noticed |",
        "|---|---|---|---|---|---|---|",
    ]
    words += sorted(line for page in pages.values() for line in page.modules)
    words += ["", "## What no test noticed", ""]
    for game, page in pages.items():
        if page.survived:
            words += [f"### {game}", "", page.survived, ""]
    return "\n".join(words).rstrip() + "\n"


def _now(game: str, found: list[dict[str, Any]], total: int, when: str) -> Kept:
    """What a run found of one game."""
    each = sum(result["took"] for result in found) / len(found)
    files = sorted({result["file"] for result in found})
    modules = tuple(f"| `{file}` | {row([it for it in found if it['file'] == file])} |" for file in files)
    left = [result for result in found if result["outcome"] in (SURVIVED, UNCALLED)]
    words = []
    for result in sorted(left, key=lambda it: (it["file"], it["line"], it["column"])):
        note = "  (not called)" if result["outcome"] == UNCALLED else ""
        words.append(f"{result['file']}:{result['line']} {result['operator']}{note}")
        words += [f"    {line}" for line in result["change"]]
    survived = "\n".join(("```", *words, "```")) if words else ""
    return Kept(f"| {game} | {total} | {row(found)} | {each:.2f} | {when} |", modules, survived)


def _sum(rows: Iterable[str]) -> str:
    """All games together: how many mutants there are, tried, and what became of them."""
    numbers = [[int(cell) for cell in line.split("|")[2:8]] for line in rows]
    there, *counted = (sum(column) for column in zip(*numbers, strict=True))
    tried, caught, timeout = counted[:3]
    noticed = (caught + timeout) / tried if tried else 0
    return " | ".join((*map(str, (there, *counted)), f"{noticed:.0%}"))


def row(results: list[dict[str, Any]]) -> str:
    """Tried, and what became of them."""
    counted = Counter(result["outcome"] for result in results)
    noticed = (counted[CAUGHT] + counted[TIMEOUT]) / len(results) if results else 0
    numbers = (len(results), *(counted[outcome] for outcome in (CAUGHT, TIMEOUT, SURVIVED, UNCALLED)))
    return " | ".join((*map(str, numbers), f"{noticed:.0%}"))
