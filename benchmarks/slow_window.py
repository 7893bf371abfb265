"""Cards shown to the real program with part of a core: `sudo .venv/bin/python benchmarks/slow_window.py`.

    sudo .venv/bin/python benchmarks/slow_window.py --shares 1.0 0.4 0.3 --answers 24 --seed 23

The program runs in a real X window (Xvfb) in a control group that may use this part of one core; it films a
virtual table over the network. Camera, clicks and X server are outside the group. Bots play Race: what has a
card is held up, the rest is clicked. A show is *taken* if its answer is in the journal without a touch; its
time counts from the first picture with the card to the entry. A card that no hand brings into the picture is
harder to judge than one that is carried there. The last column is the processor time the group really got
while cards were held up: less than its part if others use the machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from benchmarks.slow import confine  # noqa: E402
from companion.core.questions import Answer  # noqa: E402
from companion.recognition.virtual_cards import Cards  # noqa: E402
from companion.table.settings import Settings  # noqa: E402
from tests.ui.card_players import RACE, CardPlayers  # noqa: E402
from tests.ui.players import begun  # noqa: E402
from tests.ui.test_x_game import filming  # noqa: E402
from vision.camera_health import Frame  # noqa: E402
from vision.virtual import PRESETS, VirtualTable  # noqa: E402

WITHIN = {1.0: 0.5, 0.4: 0.8, 0.3: 1.2}
"""Parts of a core, and seconds within which a show is to be taken there."""
VARIANTS = 4
"""Pictures of each scene, with a noise of their own."""


class FilmedTable(VirtualTable):
    """Draws each scene a few times only, so that its pictures come in time on a busy machine too; remembers when the
    card that is held up was first in a picture, and how many pictures there were."""

    shown: float | None = None
    pictures = 0
    _scene_of: object = None
    _drawn_already: tuple[Frame, ...] = ()

    def read(self, *, soon: bool = False) -> Frame | None:
        now, scene = self._clock(), (self._held, self._lying)
        if scene != self._scene_of:
            self._scene_of, self._drawn_already = scene, ()
        if len(self._drawn_already) < VARIANTS:
            frame = super().read(soon=soon)
            self._drawn_already += () if frame is None else (frame,)
        elif now - self._last >= 1 / self.fps:
            self._last = now
            frame = Frame(self._drawn_already[self.pictures % VARIANTS].picture, now)
        else:
            return None
        if frame is not None:
            self.pictures += 1
            self.shown = None if scene[0] is None else self.shown or frame.at
        return frame


class TimedPlayers(CardPlayers):
    """Bots who look at the clock."""

    table: FilmedTable
    delays: list[float]
    late: list[str]
    held: float = 0.0

    def _show(self, question: object, answer: Answer, component: str) -> None:
        confirmed, repeated, n = self.confirmed, self.repeated, len(self.session.moments)
        super()._show(question, answer, component)  # type: ignore[arg-type]
        entry = self.session.moments[n].entry
        assert entry is not None
        if (self.confirmed, self.repeated) != (confirmed, repeated):
            how = "offered" if self.confirmed > confirmed else "shown again"
            self.late.append(f"{component} {how}")
        elif self._began is not None:
            self.delays.append(entry.at - self._began)

    _began: float | None = None

    def answered(self) -> bool:
        self._began = self.table.shown or self._began
        return super().answered()


def family(pid: int) -> list[int]:
    """A process and all it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in family(int(child)))]


def processor(pids: list[int]) -> float:
    """Seconds of processor these have used."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def measure(share: float, answers: int, seed: int, fps: float, size: tuple[int, int]) -> str:
    """One line of the table."""
    table = FilmedTable(PRESETS["good-lamp"], seed, size=size, width=600.0, fps=fps, clock=time.time)
    table.read()
    settings = Settings(in_secret=True, moments=False)
    group = confine(share)
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            filming(table) as address,
            begun(Path(folder), "race", settings, address, LAYOUT_FAULTS="") as program,
        ):
            players = TimedPlayers(program, Cards(RACE, table, room=4), seed)
            players.table, players.delays, players.late = table, [], []
            assert program.process is not None
            pids = family(program.process.pid)
            for pid in pids:
                (group / "cgroup.procs").write_text(str(pid))
            began, used, pictures = time.monotonic(), processor(pids), table.pictures
            players.play(answers)
            passed = time.monotonic() - began
            used, pictures = processor(pids) - used, table.pictures - pictures
            throttled = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
    finally:
        group.rmdir()
    for late in players.late:
        print(f"    not taken by itself: {late}", flush=True)
    delays = sorted(players.delays) or [float("nan")]
    soon = sum(delay <= WITHIN[share] for delay in delays)
    return (
        f"| {share:.1f} | {len(players.delays)} of {players.shown} | {soon} of {players.shown} within "
        f"{WITHIN[share]} s | {statistics.median(delays):.2f} s | {delays[-1]:.2f} s | {pictures / passed:.0f} | "
        f"{used / passed:.2f} of a core, held back in {throttled['nr_throttled']} of "
        f"{throttled['nr_periods']} periods |"
    )


def main() -> None:
    """Measure at every part of a core."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shares", nargs="+", type=float, choices=[*WITHIN], default=[*WITHIN])
    parser.add_argument("--answers", type=int, default=24)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--fps", type=float, default=25.0)
    parser.add_argument("--size", type=int, nargs=2, default=(800, 450))
    told = parser.parse_args()
    print(f"load of this machine: {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    print("| part of a core | shows taken | in time | median | slowest | pictures a second | processor |")
    print("|---:|---:|---:|---:|---:|---:|---|", flush=True)
    for share in told.shares:
        print(measure(share, told.answers, told.seed, told.fps, tuple(told.size)), flush=True)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
