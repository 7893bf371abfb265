"""The program on a slower machine: `sudo .venv/bin/python benchmarks/slow.py [--pi 4|5|here]`.

A control group limits everything together to part of one core: the ratio of a Pi's core to this machine's, by
the single-threaded rating of 7-Zip (`7z b -mmt1`; on a busy machine the column R/U, which is for the whole
core). The Pis' ratings are published (sbc-bench by Thomas Kaiser: Pi 4 at 1.5 GHz 1660, Pi 5 at 2.4 GHz
2967); this machine's is measured, or given by `--rating`. A Pi has four cores and a graphics chip; here
window, camera and writing share one part of a core, and no chip paints: the figures err on the slow side.

Each line has the wall-clock time, which other load lengthens, and the processor time divided by the ratio,
which other load hardly affects: the time an otherwise idle Pi would take.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

PUBLISHED = {"4": 1660, "5": 2967}
GROUPS = Path("/sys/fs/cgroup")
PERIOD = 20_000
"""Microseconds: short, so that a part of a core is a slow core rather than a fast one that often stops."""


def rating() -> float:
    """What 7-Zip says of a whole core of this machine."""
    said = subprocess.run(["7z", "b", "-mmt1", "-md=22"], capture_output=True, text=True, check=True).stdout
    (line,) = (line for line in said.splitlines() if line.startswith("Tot:"))
    return float(line.split()[2])


def confine(part: float) -> Path:
    """A group whose processes together get this part of one core, no more, and no less on a busy machine: without its
    weight a group counts as much as a single process outside."""
    unified = (GROUPS / "cgroup.controllers").exists()
    group = (GROUPS if unified else GROUPS / "cpu") / f"companion-slow-{os.getpid()}"
    group.mkdir()
    if unified:
        (group / "cpu.max").write_text(f"{int(part * PERIOD)} {PERIOD}")
        (group / "cpu.weight").write_text("10000")
    else:
        (group / "cpu.shares").write_text("262144")
        (group / "cpu.cfs_period_us").write_text(str(PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(int(part * PERIOD)))
    return group


# ---- what is measured, each in a process of its own --------------------------------------------------------


def start() -> str:
    """From nothing to the first picture, and to the first sign of life."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"{folder}/n")
        line.settimeout(300)
        environ = os.environ | {
            "COMPANION_HOME": folder,
            "COMPANION_SCREEN": "window",
            "SDL_VIDEODRIVER": "offscreen",
            "SDL_AUDIODRIVER": "dummy",
            "NOTIFY_SOCKET": f"{folder}/n",
            "WATCHDOG_USEC": "4000000",
        }
        program = subprocess.Popen([sys.executable, "-P", "-m", "companion"], env=environ, cwd=ROOT)
        while line.recv(100) != b"READY=1":
            pass
        program.kill()
        _, _, usage = os.wait4(program.pid, 0)
        return f"memory {usage.ru_maxrss / 1024:.0f} MB (painted by the processor)"


def table() -> str:
    """Rebuilding the table's screen, as after every answer, a hundred times; nothing is painted."""
    os.environ.update(SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy")
    from companion.ui import start

    with tempfile.TemporaryDirectory() as folder:
        start.prepare(Path(folder), samples=0)
        from workshop.screens.rehearsal import Rehearsal

        rehearsal = Rehearsal(Path(folder) / "home")
        rehearsal.play("race", ("Ania", "Bartek", "Celina", "Darek"), answers=30)
        start.disable_automatic_gc()  # as in the app
        begin()
        for _ in range(100):
            rehearsal.app.refresh()
            rehearsal.frames(1)
        return "of one: a hundredth"


def one_card() -> str:
    """A card held up before a camera of 1920x1080, twenty of them, until each is read."""
    from benchmarks.vision import PRESETS, HeldCard, film, reader, some_texts, spread

    shots, texts = [], []
    for seed in range(20):
        (text,) = some_texts(1, seed)
        held = HeldCard(text, 250.0, 0.0, 0.0, 40.0 * seed, (5.0, -8.0), 18.0)
        lying = spread(some_texts(9, seed + 10_000)[:8], seed, 18.0)
        shots.append([s.picture for s in film(lying, PRESETS["good-lamp"], seed, 3, arm=False, held=held)])
        texts.append(text)
    begin()
    frames, missed = 0, 0
    for text, pictures in zip(texts, shots, strict=True):
        ours = reader()
        for picture in pictures:
            frames += 1
            if text in {sighting.text for sighting in ours.read(picture)}:
                break
        else:
            missed += 1
    return f"{frames} pictures for 20 cards, {missed} not read; of one: a twentieth"


def sweep() -> str:
    """A sweep of thirty cards, until all are read or two seconds of film are over."""
    from benchmarks.vision import PRESETS, SWEEP, film, reader, some_texts, spread

    texts = some_texts(30, 5)
    shots = [s.picture for s in film(spread(texts, 5, 18.0), PRESETS["good-lamp"], 5, SWEEP)]
    begin()
    ours, got, looked = reader(), set[str](), 0
    for picture in shots:
        looked += 1
        got |= {sighting.text for sighting in ours.read(picture, patient=True)}
        if got >= set(texts):
            break
    return f"{len(got & set(texts))} of 30 cards in {looked} pictures"


def whole_game() -> str:
    """A whole game of Race by bots, every table shown as text."""
    os.environ.update(COMPANION_SCREEN="none")
    from companion import cli

    begin()
    with open(os.devnull, "w") as nothing:
        sys.stdout, kept = nothing, sys.stdout
        cli.main(["demo", "--text", "--game", "race", "--camera", "none", "--language", "en"])
        sys.stdout = kept
    return f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"


MEASURES: dict[str, Callable[[], str]] = {
    "start": start,
    "table": table,
    "one-card": one_card,
    "sweep": sweep,
    "whole-game": whole_game,
}
_began = [0.0, 0.0]


def processor() -> float:
    """Seconds of processor of this process and of those it waited for."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def begin() -> None:
    """What was before this does not count."""
    _began[:] = time.perf_counter(), processor()


def inside(name: str) -> None:
    """Measure one thing and tell it."""
    begin()
    told = MEASURES[name]()
    print(f"{time.perf_counter() - _began[0]:.3f} {processor() - _began[1]:.3f} {told}")


def main() -> None:
    """Measure everything within the part of a core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pi", choices=[*PUBLISHED, "here"], default="4")
    parser.add_argument("--rating", type=float, help="of this machine by 7z b -mmt1, instead of measuring it")
    parser.add_argument("--only", choices=MEASURES, action="append")
    parser.add_argument("--inside", choices=MEASURES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        inside(options.inside)
        return
    part, group = 1.0, None
    if options.pi != "here":
        if options.rating is None and shutil.which("7z") is None:
            parser.error("7z is missing (apt-get install p7zip-full), and no --rating is given")
        own = options.rating or rating()
        part = PUBLISHED[options.pi] / own
        print(f"Pi {options.pi}: {PUBLISHED[options.pi]} of this machine's {own:.0f}, {part:.2f} of one core")
        group = confine(part)
    print(f"load of this machine: {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    try:
        for name in options.only or MEASURES:
            tell(name, part, group)
    finally:
        if group is not None:
            group.rmdir()


def tell(name: str, part: float, group: Path | None) -> None:
    """One line."""

    def join() -> None:
        if group is not None:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    done = subprocess.run(
        [sys.executable, __file__, "--inside", name],
        preexec_fn=join,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        print(f"{name:12} failed")
        return
    clock, processor_, told = done.stdout.splitlines()[-1].split(" ", 2)
    print(
        f"{name:12}{float(clock):8.2f} s by the clock{float(processor_) / part:8.2f} s alone   {told}",
        flush=True,
    )


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
