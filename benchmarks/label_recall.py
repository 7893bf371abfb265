"""Labels read by condition and size in a play: `python benchmarks/label_recall.py [--before FOLDER] [--out FILE]`.

Thirty cards are filmed for two seconds in each of the conditions of `vision.py limits`, and read as in a play: with a
new reader and no patience. `--before` names another checkout of the project: its reader gets the
same pictures, in turn with this one, and the report gives the ratio of the processor time. Each tableau has a seed of
its own, from `--first` on; 300 and above were never used to choose anything. Writes docs/reports/labels.md.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
TREE = Path(os.environ.get("LABEL_RECALL_TREE", HERE))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path[0] = str(TREE)
sys.path.append(str(TREE / "benchmarks"))
SIZES = (18.0, 15.0, 12.0, 10.0)


def measure(jobs: list[tuple[str, float, int]], frames: int) -> None:
    """Print one line of JSON for each tableau, as soon as it is known."""
    import numpy as np

    spec = importlib.util.spec_from_file_location("limits", TREE / "benchmarks" / "vision.py")
    assert spec is not None
    assert spec.loader is not None
    limits: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(limits)
    for name, size, seed in jobs:
        preset, camera, bent = limits.LIMITS[name]
        cards = limits.spread(limits.some_texts(30, seed), seed, size, **bent)
        reader, seen, got, wrong, sightings, times = limits.reader(), set(), set(), 0, 0, []
        for shot in limits.film(cards, limits.PRESETS[preset], seed, frames, **camera):
            picture = limits.grey(shot.picture)
            seen |= {one.text for one in shot.truth if one.visible}
            began = time.process_time()
            found = reader.read(picture)
            times.append(time.process_time() - began)
            got |= {one.text for one in found}
            sightings += len(found)
            wrong += sum(not limits._there(one, shot) for one in found)
        row = {"name": name, "size": size, "seen": len(seen), "got": len(got & seen), "wrong": wrong}
        row |= {"sightings": sightings, "ms": float(np.mean(times)) * 1e3}
        row |= {"slow": float(np.quantile(times, 0.95)) * 1e3}
        print(json.dumps(row), flush=True)


def rows_of(tree: Path, jobs: list[tuple[str, float, int]], frames: int) -> subprocess.Popen[str]:
    """The reader of a checkout at work."""
    return subprocess.Popen(
        [sys.executable, __file__, "--measure", json.dumps(jobs), "--frames", str(frames)],
        env={**os.environ, "LABEL_RECALL_TREE": str(tree)},
        stdout=subprocess.PIPE,
        text=True,
    )


def commit(tree: Path) -> str:
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=tree, capture_output=True, text=True)
    return done.stdout.strip() or "no commit"


def summed(rows: list[dict[str, Any]]) -> dict[tuple[str, float], dict[str, float]]:
    """By condition and size: labels in view, read, wrong, and milliseconds a frame."""
    out: dict[tuple[str, float], dict[str, float]] = {}
    for row in rows:
        cell = out.setdefault(
            (row["name"], row["size"]), dict.fromkeys(("seen", "got", "wrong", "ms", "n"), 0.0)
        )
        for key in ("seen", "got", "wrong", "ms"):
            cell[key] += row[key]
        cell["n"] += 1
    return out


def page(now: list[dict[str, Any]], before: list[dict[str, Any]], told: str) -> str:
    """The report."""
    cells, old = summed(now), summed(before)
    names = list(dict.fromkeys(name for name, _ in cells))
    sizes = [size for size in SIZES if any((name, size) in cells for name in names)]
    lines = [
        "# Labels read by condition and size",
        "",
        "For anybody who changes how labels are read. `benchmarks/label_recall.py` writes this page; the",
        "conditions are those of `benchmarks/vision.py limits`, the scenes are drawn.",
        "",
        told,
        "",
        "Labels read of those in view" + (", in parentheses before" if old else "") + ":",
        "",
        "| condition | " + " | ".join(f"{size:.0f} mm" for size in sizes) + " |",
        "|---" * (len(sizes) + 1) + "|",
    ]

    def share(cell: dict[str, float] | None) -> str:
        return "" if cell is None else f"{cell['got'] / cell['seen']:.1%}"

    for name in names:
        told_cells = []
        for size in sizes:
            was = share(old.get((name, size)))
            told_cells.append(share(cells.get((name, size))) + (f" ({was})" if was else ""))
        lines.append(f"| {name} | " + " | ".join(told_cells) + " |")
    lines += [
        "",
        "Processor time a frame, ms" + (", in parentheses the ratio to before" if old else "") + ":",
        "",
    ]
    lines += [lines[9], lines[10]]
    for name in names:
        told_cells = []
        for size in sizes:
            cell, was_ = cells.get((name, size)), old.get((name, size))
            text = "" if cell is None else f"{cell['ms'] / cell['n']:.0f}"
            if cell is not None and was_ is not None:
                text += f" ({cell['ms'] / cell['n'] / (was_['ms'] / was_['n']):.2f})"
            told_cells.append(text)
        lines.append(f"| {name} | " + " | ".join(told_cells) + " |")
    for what, rows in (("now", now), ("before", before)):
        if rows:
            seen, got, wrong, sightings = (
                sum(r[k] for r in rows) for k in ("seen", "got", "wrong", "sightings")
            )
            ms = sum(r["ms"] for r in rows) / len(rows)
            slow = sum(r["slow"] for r in rows) / len(rows)
            lines += [
                "",
                f"All together {what}: {got} of {seen} labels ({got / seen:.1%}), {wrong} wrong of {sightings}",
                f"sightings, {ms:.0f} ms a frame, the slowest twentieth {slow:.0f} ms.",
            ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and write the report."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--before", type=Path, help="another checkout, read beside this one")
    ask.add_argument("--tableaux", type=int, default=1, help="for each condition and size")
    ask.add_argument("--first", type=int, default=300, help="the first seed")
    ask.add_argument("--frames", type=int, default=30)
    ask.add_argument("--out", type=Path, default=HERE / "docs" / "reports" / "labels.md")
    ask.add_argument("--measure", help=argparse.SUPPRESS)
    given = ask.parse_args()
    if given.measure:
        measure(json.loads(given.measure), given.frames)
        return
    names = [
        "tilt 35",
        "tilt 35, daylight",
        "dim-living-room",
        "glossy-sleeves",
        "shaky-hand",
        "curl",
        "crease",
        "barrel",
    ]
    seeds = range(given.first, given.first + given.tableaux)
    jobs = [(name, size, seed) for seed in seeds for size in reversed(SIZES) for name in names]
    at_work = [rows_of(tree, jobs, given.frames) for tree in (HERE, given.before) if tree is not None]
    told = f"{time.strftime('%Y-%m-%d')}, commit {commit(HERE)}"
    if given.before is not None:
        told += f" (before: {commit(given.before)})"
    told += f", {platform.machine()}, Python {platform.python_version()}; {given.tableaux} tableau(x) of 30 cards each,"
    told += f" seeds from {given.first}, {given.frames} frames of 1080p."
    tables: list[list[dict[str, Any]]] = [[], []]
    streams = [one.stdout for one in at_work if one.stdout is not None]
    for lines in zip(*streams, strict=False):
        for table, line in zip(tables, lines, strict=False):
            table.append(json.loads(line))
        print(*lines, sep="", flush=True)
        given.out.write_text(page(*tables, told))


if __name__ == "__main__":
    main()
