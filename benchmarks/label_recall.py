"""Labels read in a play, by condition and size: `python benchmarks/label_recall.py [--before FOLDER] [--out
FILE]`.

Thirty cards are filmed for two seconds in each of the conditions of `vision.py limits`, and read as in a
play: with a new reader and no patience. `--before` names another checkout of the project: its reader gets the
same pictures, in turn with this one, and the report gives the ratio of the processor time. Each tableau has a
seed of its own, from `--first` on; seeds of 500 and above are held out. Writes docs/reports/labels.md after
each tableau.

The reader has a fixed processor time for each frame. While others use the machine, a core gets less done in it
(they share its caches): so before each frame a fixed piece of work is timed, and the processor's clock runs as
much slower as that took longer than at its best. `--results` keeps what was measured: the same command goes on
where it was stopped, as long as the commits are the same.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
TREE = Path(os.environ.get("LABEL_RECALL_TREE", HERE))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path[0] = str(TREE)
sys.path.append(str(TREE / "benchmarks"))
RecallJob = tuple[str, float, int]
CONDITIONS = (
    "tilt 35",
    "tilt 35, daylight",
    "dim-living-room",
    "glossy-sleeves",
    "shaky-hand",
    "curl",
    "crease",
    "barrel",
)
SIZES = (18.0, 15.0, 12.0, 10.0)


def limits() -> Any:
    """`benchmarks/vision.py` of the checkout that is measured: its name hides a package, so by its path."""
    spec = importlib.util.spec_from_file_location("limits", TREE / "benchmarks" / "vision.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def draw(ours: Any, job: RecallJob, frames: int, folder: Path) -> str:
    """Film a tableau: its pictures and what is in them, in a file."""
    import numpy as np

    name, size, seed = job
    preset, camera, bent = ours.LIMITS[name]
    cards = ours.spread(ours.some_texts(30, seed), seed, size, **bent)
    shots = list(ours.film(cards, ours.PRESETS[preset], seed, frames, **camera))
    file = folder / "film"
    np.save(file.with_suffix(".npy"), np.stack([ours.grey(shot.picture) for shot in shots]))
    truth = [
        [
            (one.text, bool(one.visible), np.mean(one.corners, axis=0).tolist(), float(one.module))
            for one in shot.truth
        ]
        for shot in shots
    ]
    file.with_suffix(".json").write_text(json.dumps(truth))
    return str(file)


class SteadyClock:
    """Processor time as if nobody else used the machine."""

    def __init__(self, best: float) -> None:
        import numpy as np

        self._clock, self._best, self._speed, self._shown = time.process_time, best, 1.0, 0.0
        self._since = self._clock()
        self._work = np.random.default_rng(1).integers(0, 255, (540, 960)).astype(np.uint8)

    def __call__(self) -> float:
        return self._shown + (self._clock() - self._since) * self._speed

    def timed(self) -> float:
        """Seconds of processor that a fixed piece of work takes now."""
        import cv2

        began = self._clock()
        cv2.adaptiveThreshold(
            cv2.GaussianBlur(self._work, (5, 5), 0),
            255,
            cv2.ADAPTIVE_THRESH_MEAN_C,
            cv2.THRESH_BINARY,
            21,
            5,
        )
        return self._clock() - began

    def set_right(self) -> None:
        """Go on at the speed of this moment."""
        took, self._shown, self._since = self.timed(), self(), self._clock()
        self._speed = min(1.0, self._best / took)


def measure(best: float) -> None:
    """Read the films named in the lines given; print one line of JSON for each."""
    import numpy as np

    ours = limits()
    time.process_time = clock = SteadyClock(best)  # type: ignore[assignment]  # of the readers, too
    for line in sys.stdin:
        file = Path(line.strip())
        reader, seen, got, wrong, sightings, times = ours.reader(), set(), set(), 0, 0, []
        truths = json.loads(file.with_suffix(".json").read_text())
        for picture, truth in zip(np.load(file.with_suffix(".npy")), truths, strict=True):
            seen |= {text for text, visible, *_ in truth if visible}
            clock.set_right()
            began = clock()
            found = reader.read(picture)
            times.append(clock() - began)
            got |= {one.text for one in found}
            sightings += len(found)
            for one in found:
                middle = np.mean(one.corners, axis=0)
                wrong += not any(
                    text == one.text and np.hypot(*(at - middle)) < 6 * module
                    for text, _, at, module in truth
                )
        row = {"seen": len(seen), "got": len(got & seen), "missed": sorted(seen - got), "wrong": int(wrong)}
        row |= {"sightings": sightings, "ms": float(np.mean(times)) * 1e3}
        row |= {"slow": float(np.quantile(times, 0.95)) * 1e3}
        print(json.dumps(row), flush=True)


def at_work(tree: Path, best: float) -> subprocess.Popen[str]:
    """The reader of a checkout, waiting for films."""
    return subprocess.Popen(
        [sys.executable, __file__, "--measure", str(best)],
        env={**os.environ, "LABEL_RECALL_TREE": str(tree)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def asked(reader: subprocess.Popen[str], film: str) -> dict[str, Any]:
    assert reader.stdin is not None
    assert reader.stdout is not None
    reader.stdin.write(film + "\n")
    reader.stdin.flush()
    row: dict[str, Any] = json.loads(reader.stdout.readline())
    return row


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
    ask.add_argument("--first", type=int, default=500, help="the first seed")
    ask.add_argument("--conditions", help="some of them, separated by semicolons; all of them if left out")
    ask.add_argument("--frames", type=int, default=30)
    ask.add_argument("--out", type=Path, default=HERE / "docs" / "reports" / "labels.md")
    ask.add_argument("--results", type=Path, help="a file in which the result of each tableau is kept")
    ask.add_argument("--measure", type=float, help=argparse.SUPPRESS)
    given = ask.parse_args()
    if given.measure is not None:
        measure(given.measure)
        return
    chosen = given.conditions.split(";") if given.conditions else CONDITIONS
    seeds = range(given.first, given.first + given.tableaux)
    jobs = [(name, size, seed) for seed in seeds for size in reversed(SIZES) for name in chosen]
    trees = [tree for tree in (HERE, given.before) if tree is not None]
    told = f"{time.strftime('%Y-%m-%d')}, commit {commit(HERE)}"
    if given.before is not None:
        told += f" (before: {commit(given.before)})"
    told += f", {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};"
    kept = given.results.read_text().splitlines() if given.results and given.results.exists() else []
    rows: list[list[dict[str, Any]]] = [
        row for line in kept for commits, row in [json.loads(line)] if commits == [*map(commit, trees)]
    ]
    done = {(row[0]["name"], row[0]["size"], row[0]["seed"]) for row in rows}
    ours = limits()
    clock, tries = SteadyClock(1.0), []
    for _ in range(1000):
        tries.append(clock.timed())
        time.sleep(0.005)  # others need not be at work all the time
    best = min(tries)
    readers = [at_work(tree, best) for tree in trees]
    with tempfile.TemporaryDirectory() as folder:
        for job in jobs:
            if job in done:
                continue
            film = draw(ours, job, given.frames, Path(folder))
            about = {"name": job[0], "size": job[1], "seed": job[2]}
            rows.append([about | asked(reader, film) for reader in readers])
            print(*map(json.dumps, rows[-1]), sep="\n", flush=True)
            if given.results is not None:
                with given.results.open("a") as file:
                    file.write(json.dumps([[*map(commit, trees)], rows[-1]]) + "\n")
            tables = [*map(list, zip(*rows, strict=True)), []][:2]
            many = sorted({sum(r["name"] == n and r["size"] == z for r in tables[0]) for n, z, _ in jobs})
            scenes = f" {'-'.join(map(str, many))} tableaux of 30 cards a cell, seeds {given.first} to {seeds[-1]},"
            load = f" {given.frames} frames of 1080p."
            given.out.write_text(page(*tables, told + scenes + load))
    for reader in readers:
        reader.communicate()


if __name__ == "__main__":
    main()
