"""How well and how fast labels are read, compared with other readers: `python benchmarks/vision.py [what ...]
[--full]`.

    one-card   a card held to the camera, within three frames
    sweep      30 cards (or 12), matte sleeves or worse, an arm, motion, two seconds at 15 frames a second
    limits     the same sweeps tilted by 35 degrees, on hard evenings, of curled and creased cards, through a barrel
               lens; beside it zxing at two scales on the same pictures
    still      one 12-megapixel picture of 30 cards with 12 mm labels
    speed      milliseconds per frame: 1080p and 4K, swaying and still
    false      sightings of what is not there
    leak       memory after many frames

Without a name: all of them, quickly. `--full` measures many more. Pictures come from the virtual table, so
every measurement can be repeated.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # figures are for one core
sys.path[0] = str(
    Path(__file__).parent.parent
)  # run as a script, this file would hide the package of the same name
sys.path.append(str(Path(__file__).parent))

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from msgspec.structs import replace  # noqa: E402

from vision import decoders, labels  # noqa: E402
from vision.codebook import Codebook  # noqa: E402
from vision.decode import Reader, enlarged  # noqa: E402
from vision.sweep import Sweep  # noqa: E402
from vision.virtual import PRESETS, HeldCard, Shot, film, shoot, spread  # noqa: E402

cv2.setNumThreads(1)
NORMAL = [name for name, preset in PRESETS.items() if not preset.hard]
HARD = [name for name, preset in PRESETS.items() if preset.hard]
SWEEP = 30  # frames: two seconds
LIMITS: dict[str, tuple[str, dict[str, float], dict[str, float]]] = {
    "tilt 35": ("good-lamp", {"tilt": 35.0}, {}),
    "tilt 35, daylight": ("daylight", {"tilt": 35.0}, {}),
    **{name: (name, {}, {}) for name in HARD},
    "curl": ("good-lamp", {}, {"curl": 100.0}),
    "crease": ("good-lamp", {}, {"crease": 30.0}),
    "barrel": ("good-lamp", {"barrel": 0.12}, {}),
}
"""Which evening, how the camera stands, how the cards are bent (degrees at most; half as much at least)."""
_BOOK: list[Codebook] = []


def reader() -> Reader:
    """A fresh reader that knows the 300 labels of a box. Its clock is the processor's: others use this computer."""
    if not _BOOK:
        _BOOK.append(Codebook(labels.text(labels.Label("R", number)) for number in range(1, 301)))
    return Reader(_BOOK[0], clock=time.process_time)


def some_texts(count: int, seed: int) -> list[str]:
    """Labels of the box, drawn by seed."""
    drawn = np.random.default_rng(seed).permutation(300)[:count]
    return [labels.text(labels.Label("R", int(k) + 1)) for k in drawn]


def grey(picture: Any) -> Any:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


# The others -------------------------------------------------------------------------------------------------------


def pyzbar_reads(picture: Any) -> set[str]:
    from pyzbar import pyzbar

    return {one.data.decode("utf-8", "replace") for one in pyzbar.decode(picture)}


def cv2_reads(picture: Any) -> set[str]:
    try:
        found = cv2.QRCodeDetector().detectAndDecodeMulti(picture)
    except (cv2.error, UnicodeDecodeError):
        return set()
    return {text for text in (found[1] if found[0] else ()) if text}


OTHERS: dict[str, Callable[[Any], set[str]]] = {"pyzbar": pyzbar_reads, "cv2.QRCodeDetector": cv2_reads}


# Readings ---------------------------------------------------------------------------------------------------------


def one_card(job: tuple[str, int, bool]) -> dict[str, Any]:
    """One card held up: how many frames until it is read (0: not within three), and the others on the same frames."""
    name, seed, compare = job
    rng = np.random.default_rng([3, seed])
    text = some_texts(1, seed)[0]
    size = float(rng.choice([12, 15, 18]))
    held = HeldCard(
        text,
        float(rng.uniform(180, 420)),
        *(float(v) for v in rng.uniform(-40, 40, 2)),
        float(rng.uniform(0, 360)),
        tuple(float(v) for v in rng.uniform(-25, 25, 2)),  # type: ignore[arg-type]
        size,
    )
    lying = spread(some_texts(9, seed + 10_000)[:8], seed, 18.0)
    ours, got, truth = reader(), 0, True
    rivals = dict.fromkeys(OTHERS, 0) if compare else {}
    for number, shot in enumerate(film(lying, PRESETS[name], seed, 3, arm=False, held=held), 1):
        truth = truth and any(seen.text == text and seen.visible for seen in shot.truth)
        if not got and text in {sighting.text for sighting in ours.read(shot.picture)}:
            got = number
        for other in rivals:
            if not rivals[other] and text in OTHERS[other](grey(shot.picture)):
                rivals[other] = number
    return {"preset": name, "size": size, "visible": truth, "ours": got, **rivals}


def sweep(job: tuple[str, float, int, int, bool]) -> dict[str, Any]:
    """A tableau filmed for two seconds. What was once read stays read, so a complete sweep ends early."""
    name, size, cards, seed, compare = job
    texts = some_texts(cards, seed)
    ours = reader()
    got: set[str] = set()
    seen: collections.Counter[str] = collections.Counter()
    first = {"ours": 0, **(dict.fromkeys(OTHERS, 0) if compare else {})}
    wrong, times, modules = [], [], []
    for number, shot in enumerate(film(spread(texts, seed, size), PRESETS[name], seed, SWEEP)):
        visible = {one.text for one in shot.truth if one.visible}
        seen.update(visible)
        modules += [one.module for one in shot.truth]
        before = time.process_time()
        sightings = ours.read(shot.picture, patient=True)
        times.append(time.process_time() - before)
        now = {sighting.text for sighting in sightings}
        got |= now
        wrong += [sighting.text for sighting in sightings if not _there(sighting, shot)]
        if number == 3:
            first["ours"] = len(now & visible)
            for other in first.keys() - {"ours"}:
                first[other] = len(OTHERS[other](grey(shot.picture)) & visible)
            first["visible"] = len(visible)
        if got >= set(texts) and number >= 3:
            break
    missed = sorted(text for text in seen if text not in got)
    return {
        "preset": name,
        "size": size,
        "seen": len(seen),
        "got": len(got & seen.keys()),
        "missed": {text: seen[text] for text in missed},
        "wrong": wrong,
        "first": first,
        "frames": number + 1,
        "times": times,
        "module": float(np.median(modules)),
        "seed": seed,
    }


def limit(job: tuple[str, float, int]) -> dict[str, Any]:
    """A tableau that is hard to read, swept as people do it: until the sweep is steady, or all is read."""
    name, size, seed = job
    preset, camera, bent = LIMITS[name]
    texts = some_texts(30, seed)
    ours, sweep_, seen, plain = reader(), Sweep(), set[str](), set[str]()
    wrong, times = 0, []
    pictures = film(spread(texts, seed, size, **bent), PRESETS[preset], seed, SWEEP, **camera)  # type: ignore[arg-type]
    for number, shot in enumerate(pictures):
        picture = grey(shot.picture)
        seen |= {one.text for one in shot.truth if one.visible}
        before = time.process_time()
        sightings = ours.read(picture, patient=True)
        times.append(time.process_time() - before)
        sweep_ = sweep_.see(sightings, ours.rounds)
        wrong += sum(not _there(sighting, shot) for sighting in sightings)
        plain |= {one.text for one in (*decoders.zxing(picture), *enlarged(picture))}
        if sweep_.steady or (sweep_.found.keys() >= set(texts) and number >= 3):
            break
    got = len(seen & sweep_.found.keys())
    less = len((plain & seen) - sweep_.found.keys())
    return {
        "what": name,
        "seen": len(seen),
        "got": got,
        "zxing": len(plain & seen),
        "less": less,
        "wrong": wrong,
        "frames": number + 1,
        "took": sum(times),
    }


def _there(sighting: Any, shot: Shot) -> bool:
    """Whether that label truly is where it was seen."""
    middle = np.mean(sighting.corners, axis=0)
    return any(
        seen.text == sighting.text and np.hypot(*(np.mean(seen.corners, axis=0) - middle)) < 6 * seen.module
        for seen in shot.truth
    )


def still(job: tuple[str, int, bool]) -> dict[str, Any]:
    """One picture of 12 megapixels."""
    name, seed, compare = job
    shot = shoot(spread(some_texts(30, seed), seed, 12.0), PRESETS[name], seed, (4056, 3040), arm=None)
    visible = {one.text for one in shot.truth if one.visible}
    ours = reader()
    before = time.process_time()
    sightings = ours.read(shot.picture, patient=True)
    took = time.process_time() - before
    others = {}
    for other in list(OTHERS)[: 1 if compare else 0]:
        began = time.process_time()
        others[other] = (len(OTHERS[other](grey(shot.picture)) & visible), time.process_time() - began)
    return {
        "preset": name,
        "seen": len(visible),
        "got": len(visible & {one.text for one in sightings}),
        "wrong": [one.text for one in sightings if not _there(one, shot)],
        "took": took,
        "others": others,
    }


def frame_cost(job: tuple[str, tuple[int, int], float, bool, int]) -> dict[str, Any]:
    """Processor time per frame of 30 labels before a camera that sways or stands still, people waiting."""
    what, resolution, size, still_, frames = job
    preset = PRESETS["good-lamp"]
    preset = replace(preset, shake=0.0) if still_ else preset
    ours, times, read = reader(), [], 0
    cards = spread(some_texts(30, 1), 1, size)
    for shot in film(cards, preset, 1, frames, size=resolution, arm=False):
        before = time.process_time()
        read = len(ours.read(shot.picture))
        times.append(time.process_time() - before)
    return {"what": what, "size": size, "times": times, "read": read}


def speed(job: tuple[str, float, int, int, bool]) -> dict[str, Any]:
    """Milliseconds per 1080p frame of processor time, ours and the others', on the same frames."""
    name, size, seed, frames, arm = job
    times: dict[str, list[float]] = collections.defaultdict(list)
    ours, read = reader(), []
    cards = spread(some_texts(30, seed), seed, size)
    for number, shot in enumerate(film(cards, PRESETS[name], seed, frames, arm=arm)):
        picture = grey(shot.picture)
        rivals = {"ours": lambda p: read.append(len(ours.read(p))), "pyzbar": pyzbar_reads}
        if number == 0:
            rivals["cv2.QRCodeDetector"] = cv2_reads
        for who, reads in rivals.items():
            before = time.process_time()
            reads(picture)
            times[who].append(time.process_time() - before)
    return {"preset": name, "size": size, "arm": arm, "times": dict(times), "read": float(np.mean(read))}


def false(job: tuple[int, int]) -> dict[str, Any]:
    """Sightings of what is not in the picture, in scenes made to mislead."""
    import vision_impostors

    seed, count = job
    ours = reader()
    frames, sightings, wrong = collections.Counter[str](), collections.Counter[str](), []
    for kind, texts, pictures in vision_impostors.scenes(seed, count):
        for picture in pictures:
            frames[kind] += 1
            for one in ours.read(picture, patient=seed % 2 == 1):
                sightings[one.how] += 1
                if one.text not in texts:
                    wrong.append((seed, kind, one.text, one.how, round(one.sure, 3)))
    return {"frames": frames, "sightings": sightings, "wrong": wrong}


# What is printed --------------------------------------------------------------------------------------------------


def show_one_card(full: bool, run: Callable[..., Iterator[Any]]) -> None:
    count = 400 if full else 12
    jobs = [(name, seed, seed % 8 == 0) for name in PRESETS for seed in range(count)]
    print(f"\none card held to the camera, 1080p, 180-420 mm away, 12-18 mm labels, {count} cards a preset:")
    rows = [row for row in run(one_card, jobs) if row["visible"]]
    for name, group in _by(rows, "preset"):
        at = [sum(0 < row["ours"] <= frame for row in group) / len(group) for frame in (1, 2, 3)]
        line = f"  {name:16s} {len(group):4d} cards: {at[0]:7.2%} in 1 frame, {at[1]:7.2%} in 2, {at[2]:7.2%} in 3"
        rivals = [row for row in group if "pyzbar" in row]
        print(
            line + "".join(f"; {o} {np.mean([row[o] > 0 for row in rivals]):.0%}" for o in OTHERS if rivals)
        )


def show_sweep(full: bool, run: Callable[..., Iterator[Any]]) -> None:
    cells = [*itertools.product((18.0, 15.0, 12.0, 10.0), (30,)), (15.0, 12)]
    for size, cards in cells:
        labels_wanted = 1020 if full else 30 if cards == 30 else 24
        count = labels_wanted // cards
        print(f"\nsweep of {cards} cards with {size:.0f} mm labels, 1080p, {count} tableaux a preset:")
        for name in PRESETS:
            group = list(run(sweep, [(name, size, cards, seed, seed == 0) for seed in range(count)]))
            seen, got = sum(row["seen"] for row in group), sum(row["got"] for row in group)
            blinks = sum(1 for row in group for frames in row["missed"].values() if frames < 5)
            times = [t * 1e3 for row in group for t in row["times"]]
            first = group[0]["first"]
            print(
                f"  {name:16s} {got}/{seen} = {got / seen:8.3%} (missed {seen - got}, {blinks} of them in view for"
                f" under 5 frames), wrong {sum(len(row['wrong']) for row in group)},"
                f" {group[0]['module']:.2f} px/module,"
                f" {np.median(times):.0f} ms median, {np.quantile(times, 0.95):.0f} ms p95;  4th frame alone: "
                + ", ".join(f"{who} {n}/{first['visible']}" for who, n in first.items() if who != "visible"),
                flush=True,
            )


def show_limits(full: bool, run: Callable[..., Iterator[Any]]) -> None:
    count = 8 if full else 2
    print(f"\nsweeps at the limits, 30 cards, 1080p, {count} tableaux each: ours, zxing at two scales:")
    for size in (18.0, 15.0, 12.0, 10.0):
        jobs = [(name, size, 200 + seed) for name in LIMITS for seed in range(count)]
        for name, group in _by(run(limit, jobs), "what"):
            seen, got, plain, less, wrong = (
                sum(row[key] for row in group) for key in ("seen", "got", "zxing", "less", "wrong")
            )
            frames, took = (np.median([row[key] for row in group]) for key in ("frames", "took"))
            print(
                f"  {size:.0f} mm {name:18s} {got}/{seen} = {got / seen:7.2%}; zxing {plain} ({less} not by ours);"
                f" wrong {wrong}; {frames:.0f} frames, {took:.1f} s of processor",
                flush=True,
            )


def show_still(full: bool, run: Callable[..., Iterator[Any]]) -> None:
    count = 34 if full else 1
    print(
        f"\none 12-megapixel picture, 30 cards, 12 mm labels, {count} tableaux a preset, matte sleeves first:"
    )
    jobs = [(name, seed, seed < 2) for name in PRESETS for seed in range(count)]
    for name, group in _by(run(still, jobs), "preset"):
        seen, got = sum(row["seen"] for row in group), sum(row["got"] for row in group)
        took = np.median([row["took"] for row in group]) * 1e3
        rivals = [row for row in group if row["others"]]
        wrong = sum(len(row["wrong"]) for row in group)
        line = f"  {name:16s} {got}/{seen} = {got / seen:8.3%}, wrong {wrong}, {took:.0f} ms"
        for other in rivals[0]["others"]:
            share = sum(r["others"][other][0] for r in rivals) / sum(r["seen"] for r in rivals)
            line += (
                f"; {other} {share:.0%}, {np.median([r['others'][other][1] for r in rivals]) * 1e3:.0f} ms"
            )
        print(line)


def show_speed(full: bool, run: Callable[..., Iterator[Any]]) -> None:
    frames = 30 if full else 8
    print("\nprocessor time per frame, 30 labels, people waiting (ms: median / 95 % / median once settled):")
    for row in run(
        frame_cost,
        [
            ("1080p, camera sways", (1920, 1080), 18.0, False, 60),
            ("1080p, nothing changes", (1920, 1080), 18.0, True, 30),
            ("1080p, nothing changes", (1920, 1080), 12.0, True, 30),
            ("4K, camera sways", (3840, 2160), 18.0, False, 24),
            ("4K, nothing changes", (3840, 2160), 18.0, True, 24),
        ],
    ):
        took = np.array(row["times"]) * 1e3
        print(
            f"  {row['what']:24s} {row['size']:.0f} mm, {row['read']} read: {np.median(took):5.1f} /"
            f" {np.quantile(took, 0.95):5.1f} / {np.median(took[len(took) * 2 // 3 :]):5.1f}",
            flush=True,
        )
    print(f"\nprocessor time per 1080p frame, 30 cards, {frames} frames (ms: median / 95 %):")
    jobs = [(name, size, 1, frames, False) for name in NORMAL for size in (18.0, 15.0, 12.0, 10.0)]
    jobs += [(name, size, 1, frames, True) for name in PRESETS for size in (18.0, 10.0)]
    for row in run(speed, jobs):
        ours, zbar = (np.array(row["times"][who]) * 1e3 for who in ("ours", "pyzbar"))
        scene = f"{row['preset']:16s} {row['size']:.0f} mm{', an arm' * row['arm']}, {row['read']:4.1f} read"
        print(
            f"  {scene}: ours {np.median(ours):5.1f} / {np.quantile(ours, 0.95):5.1f}; pyzbar {np.median(zbar):5.1f}"
            f" ({np.median(zbar) / np.median(ours):4.1f} times ours);"
            f" cv2 {np.median(row['times']['cv2.QRCodeDetector']) * 1e3:6.0f}"
        )


def show_false(full: bool, run: Callable[..., Iterator[Any]], frames: int | None) -> None:
    import vision_impostors

    wanted = frames or (100_000 if full else 1_200)
    per_job = 250 if wanted > 25_000 else 50
    jobs = [(seed, per_job) for seed in range(-(-wanted // (per_job * vision_impostors.FRAMES_PER_SCENE)))]
    counted, sightings, wrong = collections.Counter[str](), collections.Counter[str](), []
    print(
        f"\nfalse sightings in {wanted} frames of {vision_impostors.SIZE[0]} by {vision_impostors.SIZE[1]}:"
    )
    for number, row in enumerate(run(false, jobs), 1):
        counted.update(row["frames"])
        sightings.update(row["sightings"])
        wrong += row["wrong"]
        if number % (10 if wanted > 5_000 else 1) == 0:
            print(f"  ... {counted.total()} frames, {len(wrong)} false", flush=True)
    print("  " + ", ".join(f"{kind}: {n}" for kind, n in counted.items()))
    print(f"  right sightings: {dict(sightings)}; FALSE: {len(wrong)} {wrong[:10]}")


def show_leak(full: bool) -> None:
    """One reader, many frames: what it holds must not grow."""
    frames = 10_000 if full else 400
    ours = reader()
    pictures = [
        grey(shot.picture) for shot in film(spread(some_texts(30, 1), 1, 15.0), PRESETS["shaky-hand"], 1, 10)
    ]
    pictures += [
        np.ascontiguousarray(p[:360, :640]) for p in pictures
    ] * 24  # mostly small ones, to be done in minutes
    sizes = []
    for number in range(frames):
        ours.read(pictures[number % len(pictures)])
        if number % (frames // 10) == frames // 10 - 1:
            sizes.append(
                int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
            )
    print(f"\nmemory over {frames} frames (MB, ten times): " + " ".join(f"{size:.0f}" for size in sizes))


def _by(rows: Iterable[dict[str, Any]], key: str) -> list[tuple[Any, list[dict[str, Any]]]]:
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return list(groups.items())


def main() -> None:
    """Print the figures."""
    names = ("one-card", "sweep", "limits", "still", "speed", "false", "leak")
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("what", nargs="*", choices=[*names, []])
    ask.add_argument(
        "--full", action="store_true", help="as many as documented (about two hours on two cores)"
    )
    ask.add_argument("--frames", type=int, help="frames for `false`")
    ask.add_argument("--processes", type=int, default=2)
    given = ask.parse_args()
    with multiprocessing.get_context("spawn").Pool(given.processes, maxtasksperchild=200) as pool:

        def run(what: Callable[[Any], Any], jobs: list[Any]) -> Iterator[Any]:
            return pool.imap(what, jobs)

        for what in given.what or names:
            began = time.perf_counter()
            match what:
                case "one-card":
                    show_one_card(given.full, run)
                case "sweep":
                    show_sweep(given.full, run)
                case "limits":
                    show_limits(given.full, run)
                case "still":
                    show_still(given.full, run)
                case "speed":
                    show_speed(given.full, run)
                case "false":
                    show_false(given.full, run, given.frames)
                case "leak":
                    show_leak(given.full)
            print(f"  [{what}: {time.perf_counter() - began:.0f} s]", flush=True)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
