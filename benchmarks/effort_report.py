"""The report of `effort.py`."""

from __future__ import annotations

import json
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.core.game import game

ROOT = Path(__file__).resolve().parent.parent
EffortFigures = dict[str, dict[str, Any]]
"""By game: its commit, and by way to play taps, cards, presses and answers per seat and round."""
WAYS = {"before": "each seat by itself", "touch": "touch", "camera": "camera", "buttons": "buttons"}


def commit() -> str:
    """The version these figures are of."""
    told = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "unknown"


def read(file: Path | None) -> EffortFigures:
    """Figures that were saved; none yet in a file that is not there."""
    found: EffortFigures = json.loads(file.read_text()) if file is not None and file.exists() else {}
    return found


def report(now: EffortFigures, then: EffortFigures, evenings: str) -> str:
    """The figures as a page, beside those of an earlier version, and what `learning.py` printed."""
    columns = ("taps", "cards", "presses", "answers")
    words = [
        "# What a play asks of people",
        "",
        "Taps, cards shown, buttons pressed and answers per seat and round. For anybody who changes a question or a",
        "page of the table. *Each seat by itself* are the pages as they were before seats answered on one page.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}, by"
        " `benchmarks/effort.py`. Race: recorded games; the others:",
        "games of bots, in a taught box. In brackets the figures of the earlier commit. Bots play other games after a",
        "rule has changed, so differences of a few percent mean nothing. Since then letters on cards are larger: a",
        "page shows 19 cards instead of 32, so people turn pages more often in Race.",
        "",
        f"| game | commit | way | {' | '.join(columns)} |",
        "|---|---|---|" + "---:|" * len(columns),
    ]
    for id, counted in now.items():
        earlier = then.get(id, {"commit": "", "ways": {}})
        commits = counted["commit"] + (f" ({earlier['commit']})" if earlier["commit"] else "")
        for way, figures in counted["ways"].items():
            before = earlier["ways"].get(way) or [None] * len(figures)
            cells = (_cell(*pair) for pair in zip(figures, before, strict=True))
            words.append(f"| {game(id).box.name} | {commits} | {WAYS[way]} | {' | '.join(cells)} |")
    words += [
        "",
        "## Evening after evening",
        "",
        "A box that nobody taught, played on three evenings, per play: how often print is asked for (*pages*), how",
        "many printed values that is, the other questions with a choice, and among how many cards people find the",
        "one they drew (*cards a draw*). *Without*: the same games, move by move, if the binder kept only what it was",
        "told, and not what follows from answers (*derived*: a system's deck, an event's level, a type a technology",
        "matches, ...). What is derived shortens the lists of cards; the columns show whether it saves pages.",
        "By `benchmarks/learning.py`.",
        "",
        evenings,
    ]
    return "\n".join(words)


def _cell(now: float, then: float | None) -> str:
    if not now and not then:
        return ""
    return f"{now:.2f}" if then is None else f"{now:.2f} ({then:.2f})"
