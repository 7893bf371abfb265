"""The page of a mutation campaign."""

from __future__ import annotations

import os
import platform
import subprocess
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CAUGHT, SURVIVED, TIMEOUT, UNCALLED = "caught", "survived", "timeout", "not called"


def report(results: list[dict[str, Any]], seed: int, totals: dict[str, int]) -> str:
    """The page of a campaign."""
    head = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    cores, machine = os.cpu_count(), platform.machine()
    took = sum(result["took"] for result in results)
    words = [
        "# Mutation campaign",
        "",
        "Deliberate mistakes in the rules (`companion/games/*/steps` and `scoring`), one at a time, and whether the",
        "tests of the game notice. Written by `benchmarks/mutation.py`; how it works is said there.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, commit {head.stdout.strip() or 'unknown'}, {machine}, {cores} cores,",
        f"Python {platform.python_version()}, seed {seed}, {took / 60:.0f} minutes of judging.",
        "",
        "*Not called*: no test calls the function. *Timeout*: the tests did not end, which is as good as caught.",
        "",
        "| game | mutants there are | tried | caught | timeout | survived | not called | noticed | seconds each |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    of_game: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for result in results:
        of_game[result["game"]].append(result)
    for game, found in of_game.items():
        words.append(
            f"| {game} | {totals[game]} | {row(found)} | {sum(r['took'] for r in found) / len(found):.2f} |"
        )
    words += [
        f"| all | {sum(totals[game] for game in of_game)} | {row(results)} | |",
        "",
        "## By module",
        "",
    ]
    words += [
        "| module | tried | caught | timeout | survived | not called | noticed |",
        "|---|---|---|---|---|---|---|",
    ]
    for file in sorted({result["file"] for result in results}):
        words.append(f"| `{file}` | {row([r for r in results if r['file'] == file])} |")
    words += ["", "## What no test noticed", ""]
    for game, found in of_game.items():
        left = [result for result in found if result["outcome"] in (SURVIVED, UNCALLED)]
        if left:
            words += [f"### {game}", "", "```"]
            for result in sorted(left, key=lambda it: (it["file"], it["line"], it["column"])):
                note = "  (not called)" if result["outcome"] == UNCALLED else ""
                words.append(f"{result['file']}:{result['line']} {result['operator']}{note}")
                words += [f"    {line}" for line in result["change"]]
            words += ["```", ""]
    return "\n".join(words).rstrip() + "\n"


def row(results: list[dict[str, Any]]) -> str:
    """Tried, and what became of them."""
    counted = Counter(result["outcome"] for result in results)
    noticed = (counted[CAUGHT] + counted[TIMEOUT]) / len(results) if results else 0
    numbers = (len(results), *(counted[outcome] for outcome in (CAUGHT, TIMEOUT, SURVIVED, UNCALLED)))
    return " | ".join((*map(str, numbers), f"{noticed:.0%}"))
