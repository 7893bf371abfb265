"""Faces of drawn cards with a common frame: recall, wrong, refused by condition, on held-out sets of art.

    .venv/bin/python benchmarks/faces.py --sightings 20000 --report
    .venv/bin/python benchmarks/faces.py --sightings 500 --first 100    sets of art to develop with
    .venv/bin/python benchmarks/faces.py --speed                        only time and memory

Each set of art has its own frame and one kind of pictures (`workshop/faces/pictures.py`): in some, all cards are
nearly the same, or every second one is a reprint; those are refused. Forty cards are taught, each from one picture
under a good lamp. Scenes show thirty-five of them among backs, cards of the set that nobody taught, and cards of
another set, with another lamp. A sighting is one card in one scene, read in two pictures. Sets from 1000 on are
held out: no threshold was chosen on them. `--results` keeps what was measured, so that the same command goes on
there.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from msgspec.structs import replace  # noqa: E402

from vision import virtual_paint as paint  # noqa: E402
from vision.face_reader import FaceReader  # noqa: E402
from vision.face_search import covered  # noqa: E402
from vision.faces import FaceIndex  # noqa: E402
from vision.virtual_geometry import HeldCard, Lying, SeenLabel  # noqa: E402
from vision.virtual_light import PRESETS  # noqa: E402
from vision.virtual_scene import Scene  # noqa: E402
from workshop.faces import scenes  # noqa: E402
from workshop.faces.art import BACK, art_set  # noqa: E402
from workshop.faces.pictures import KINDS  # noqa: E402

TAUGHT, SHOWN, HELD = 40, 35, 3
"""Faces of a set that are taught, that a scene shows, and that are held up one by one."""
OTHER = "other "
CONDITIONS = (
    "daylight",
    "dim room",
    "glossy sleeves",
    "tilt 35",
    "any turn",
    "fan, a fifth covered",
    "fan, two fifths covered",
    "held up",
)
LAMPS = {"dim room": "dim-living-room", "glossy sleeves": "glossy-sleeves", "held up": "good-lamp"}
SIZE, SMALLER = (1920, 1080), (1280, 720)
"""Sizes of the picture in pixels: of a table, and of one over which cards are held up."""


def art_of(number: int) -> paint.Art:
    """The art of a set; texts that begin with `OTHER` are of another set."""
    ours, others = art_set(number, kind_of(number)), art_set(number + 500_000, kind_of(number))

    def art(text: str, card: tuple[float, float]) -> Any:
        return others(text, card) if text.startswith(OTHER) else ours(text, card)

    return art


def kind_of(number: int) -> str:
    """What kind of pictures a set has."""
    kinds = list(KINDS)
    return kinds[number % len(kinds)]


def learn(number: int) -> FaceIndex:
    """The taught faces of a set."""
    art, lamp = art_of(number), PRESETS["good-lamp"]
    faces = (scenes.face_of(art, f"card {n}", lamp, number) for n in range(TAUGHT))
    return FaceIndex(face for face in faces if face is not None)


def lay(condition: str, rng: np.random.Generator) -> list[Lying]:
    """The cards of a scene."""
    chosen = [f"card {n}" for n in rng.permutation(TAUGHT)[:SHOWN]]
    strange = ["never taught 1", "never taught 2", BACK, OTHER + "1", OTHER + "2"]
    texts = [*chosen, *strange]
    texts = [texts[k] for k in rng.permutation(len(texts))]
    lying = scenes.spread(texts, int(rng.integers(1 << 30)))
    if condition == "any turn":
        return [
            replace(one, x=(k % 7 - 3) * 115.0, y=(k // 7 - 1.5) * 112.0, angle=float(rng.uniform(0, 360)))
            for k, one in enumerate(lying[:28])
        ]
    if condition.startswith("fan"):
        share = 0.2 if "fifth covered" in condition and "two" not in condition else 0.4
        step = scenes.CARD[0] * (1 - share)
        return [
            replace(one, x=(k % 13 - 6) * step, y=(k // 13 - 1) * 112.0, angle=float(rng.normal(0, 2)))
            for k, one in enumerate(lying)
        ]
    return lying


def judged(reader: FaceReader, scene: Scene, held: HeldCard | None, known: set[str]) -> Counter[str]:
    """What became of each card of a scene."""
    for look in range(2):
        shot = scene.shot(look / 10, look, None, held)
        seen = reader.read(scenes.grey_of(shot))
    out: Counter[str] = Counter()
    left = list(seen)
    truth: list[SeenLabel] = list(reversed(shot.truth))  # what lies on top first
    for there in truth:
        if there.why == "outside":  # partly: whether it is read or not is no matter, but it must not be wrong
            left = [s for s in left if s.text != there.text or not _near(s.corners, there.corners)]
            continue
        here = next(
            (s for s in left if covered(np.mean(s.corners, axis=0)[None], [there.corners]).any()), None
        )
        own = next((s for s in left if s.text == there.text), here)
        found = own if own is not None and _near(own.corners, there.corners) else here
        if found is not None:
            left.remove(found)
        if found is None:
            out["refused" if there.text in known else "silent"] += 1
        elif there.text not in known:
            out["taken" if found.certain else "taken, offered"] += 1
        elif found.text == there.text:
            out["right" if found.certain else "right, offered"] += 1
        else:
            out["wrong" if found.certain else "wrong, offered"] += 1
    out["wrong" if any(one.certain for one in left) else "wrong, offered"] += len(left)
    return out


def _near(one: Any, other: Any) -> bool:
    side = float(cv2.contourArea(np.array(other, np.float32))) ** 0.5
    return bool(np.hypot(*(np.mean(one, axis=0) - np.mean(other, axis=0))) < 0.4 * side)


def run(number: int) -> dict[str, Counter[str]]:
    """All conditions with one set of art."""
    index, art = learn(number), art_of(number)
    known = {face.texts[0] for face in index.faces}
    out: dict[str, Counter[str]] = {}
    for condition in CONDITIONS:
        rng = paint.dice("scene of", number, condition)
        lamp = replace(PRESETS[LAMPS.get(condition, "daylight")], shake=0.0)
        tilt = 35.0 if condition == "tilt 35" else None
        lying = [] if condition == "held up" else lay(condition, rng)
        size = SIZE if lying else SMALLER
        scene = Scene(lying, lamp, number, size, width=857.0, tilt=tilt, clutter=3, art=art)
        counts: Counter[str] = Counter()
        if lying:
            counts = judged(FaceReader(index, budget=1e9), scene, None, known)
        else:
            texts = [f"card {n}" for n in rng.permutation(TAUGHT)[:HELD]] + ["never taught 3"]
            for text in texts:
                held = HeldCard(
                    text,
                    float(rng.uniform(180, 420)),
                    angle=float(rng.normal(0, 12)),
                    tilt=(float(rng.normal(0, 10)), float(rng.normal(0, 10))),
                    size=0.0,
                    card=scenes.CARD,
                )
                counts += judged(FaceReader(index, budget=1e9), scene, held, known)
        out[condition] = counts
    return out


def speed(faces: int = 250) -> list[str]:
    """Processor time of a card laid alone, held up, and of a sweep of thirty, with so many faces known."""
    number, lamp = 3, replace(PRESETS["daylight"], shake=0.0)
    art = art_set(number)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    known = [scenes.face_of(art, f"card {n}", PRESETS["good-lamp"], 1) for n in range(30)]
    drawn = []
    for n in range(30, faces):
        small = cv2.resize(art(f"card {n}", scenes.CARD), (140, 198), interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
        drawn.append(scenes.teach((f"card {n}",), grey))
    told = time.process_time()
    index = FaceIndex([*(face for face in known if face is not None), *drawn])
    lines = [f"index of {len(index)} faces {time.process_time() - told:.2f} s"]
    told = time.process_time()
    twins = sum(bool(others) for others in index.twins)
    lines.append(
        f"comparing them with each other, in the background {time.process_time() - told:.2f} s; twins {twins}"
    )
    arrays = (index.rows, index._blocks, *index._even, *(blocks for _, blocks in index._rivals))
    lines.append(f"arrays of the index {sum(one.nbytes for one in arrays) / 1e6:.0f} MB")

    def scene(lying: list[Lying]) -> Scene:
        return Scene(lying, lamp, 7, SIZE, width=857.0, tilt=None, clutter=3, art=art)

    def shown(name: str, first: Scene, then: Scene, held: HeldCard | None, want: set[str]) -> None:
        reader, took, looks, longest = FaceReader(index), 0.0, 0, 0.0
        if first is not then or held is not None:
            for n in range(60):
                reader.read(scenes.grey_of(first.shot(n / 10, n)))
        patient = first is then and held is None
        while looks < 60:
            grey = scenes.grey_of(then.shot(6 + looks / 10, 60 + looks, None, held))
            at = time.thread_time()
            seen = reader.read(grey, patient=patient)
            passed = time.thread_time() - at
            took, looks, longest = took + passed, looks + 1, max(longest, passed)
            if want <= {one.text for one in seen}:
                break
        lines.append(
            f"{name}: {took:.2f} s of processor ({took / 0.4:.2f} s at 0.40 of this core), {looks} looks, "
            f"the longest {longest * 1000:.0f} ms"
        )

    lying = scenes.spread([f"card {n}" for n in range(29)], 3)
    few = scene(lying[:8])
    laid = Lying("card 29", 250.0, 150.0, 3.0, 0.0, scenes.CARD)
    shown("a card laid alone", few, scene([*lying[:8], laid]), None, {"card 29"})
    empty = scene([])
    shown("a card held up", empty, empty, HeldCard("card 5", 300.0, size=0.0, card=scenes.CARD), {"card 5"})
    whole = scene(lying)
    shown("a sweep of 29 cards", whole, whole, None, {one.text for one in lying})
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines.append(
        f"largest memory {after / 1e3:.0f} MB, of which {before / 1e3:.0f} before anything was taught"
    )
    lines.append(f"everything took {time.process_time() - began:.0f} s")
    return lines


def tell(rows: dict[str, Counter[str]], of: str) -> None:
    """A table."""
    kinds = ("right", "right, offered", "refused", "wrong", "wrong, offered")
    strange = ("silent", "taken", "taken, offered")
    print(
        f"{of:26}{'taught':>8}{'answers':>9}{'offers':>8}{'refused':>9}{'WRONG':>7}{'wrong offers':>14}"
        f"{'   unknown':>10}{'TAKEN':>7}{'offered':>9}"
    )
    total: Counter[str] = Counter()
    for name, counts in [*rows.items(), ("all", total)]:
        total += counts if name != "all" else Counter()
        n = sum(counts[kind] for kind in kinds)
        m = sum(counts[kind] for kind in strange)
        share = [f"{counts[kind] / max(1, n):.1%}" for kind in kinds[:3]]
        print(
            f"{name:26}{n:8}{share[0]:>9}{share[1]:>8}{share[2]:>9}{counts['wrong']:7}{counts['wrong, offered']:14}"
            f"{m:10}{counts['taken']:7}{counts['taken, offered']:9}"
        )
    print()


def main() -> None:
    """Measure until there are enough sightings."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--sightings", type=int, default=1000)
    ask.add_argument("--first", type=int, default=1000, help="the first set of art")
    ask.add_argument("--results", type=Path, help="a file in which the result of each set is kept")
    ask.add_argument("--speed", action="store_true", help="only time and memory")
    told = ask.parse_args()
    cv2.setNumThreads(1)
    if not told.speed:
        done = {}
        if told.results is not None and told.results.exists():
            done = {
                int(n): row for line in told.results.read_text().splitlines() for n, row in [json.loads(line)]
            }
        rows = {condition: Counter[str]() for condition in CONDITIONS}
        pictures = {kind: Counter[str]() for kind in KINDS}
        number = told.first
        while sum(sum(counts.values()) for counts in rows.values()) < told.sightings:
            found = done.get(number)
            if found is None:
                found = run(number)
                if told.results is not None:
                    with told.results.open("a") as file:
                        file.write(json.dumps([number, found]) + "\n")
                if sum(c["wrong"] + c["taken"] for c in found.values()):
                    print(f"set {number}: {found}", file=sys.stderr, flush=True)
            for condition, counts in found.items():
                rows[condition] += Counter(counts)
                pictures[kind_of(number)] += Counter(counts)
            number += 1
        print(f"{number - told.first} sets of art from {told.first} on, {TAUGHT} faces each\n")
        tell(rows, "condition")
        tell(pictures, "pictures of a set")
    for line in speed():
        print(line)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
