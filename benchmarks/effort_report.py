"""The page of `effort.py`."""

from __future__ import annotations

import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import learning

ROOT = Path(__file__).resolve().parent.parent
TABLES = 6
"""So many boxes are learned for the report."""
Figures = dict[str, dict[str, list[float]]]
"""Taps, cards, presses and answers per seat and round, by game and way to play."""
WAYS = {"before": "each seat by itself", "touch": "touch", "camera": "camera", "buttons": "buttons"}


def commit() -> str:
    """The version these figures are of."""
    told = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "unknown"


def report(now: Figures, then: Figures, then_commit: str, plays: int) -> str:
    """The figures as a page, beside those of an earlier version."""
    columns = ("taps", "cards", "presses", "answers")
    words = [
        "# What a play asks of people",
        "",
        "Taps, cards shown, buttons pressed and answers per seat and round. For anybody who changes a question or a",
        "page of the table. *Each seat by itself* are the pages as they were before seats answered on one page.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}, {platform.machine()}, Python {platform.python_version()},"
        " by `benchmarks/effort.py --report`. Race: recorded",
        f"games; the others: {plays} games of bots each, in a taught box.",
    ]
    if then:
        words += [
            f"In brackets the figures of commit {then_commit}. Bots play other games after a rule has changed, so",
            "differences of a few percent mean nothing.",
        ]
    words += ["", f"| game | way | {' | '.join(columns)} |", "|---|---|" + "---:|" * len(columns)]
    for title, ways in now.items():
        for way, figures in ways.items():
            earlier: list[float] | tuple[None, ...] = then.get(title, {}).get(way) or (None,) * len(figures)
            cells = (_cell(*pair) for pair in zip(figures, earlier, strict=True))
            words.append(f"| {title} | {WAYS[way]} | {' | '.join(cells)} |")
    words += [
        "",
        "## Evening after evening",
        "",
        "One box that nobody taught, played on three evenings, per play: how often print is asked for (*pages*), how",
        "many printed values that is, the other questions with a choice, and their options. *Without*: if the",
        "binder kept only what it was told, and not what follows from answers (*derived*: a system's deck, an event's",
        "level, ...). Bots play other games on each evening; by `benchmarks/learning.py`.",
        "",
        *learning.rows(3, TABLES),
        "",
    ]
    return "\n".join(words)


def _cell(now: float, then: float | None) -> str:
    if not now and not then:
        return ""
    return f"{now:.2f}" if then is None else f"{now:.2f} ({then:.2f})"
