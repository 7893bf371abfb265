"""Race tests: each place where threads meet runs a hundred times, with thread switches inside our lines
(`thread_switches.py`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from companion.table.background import Background
from companion.table.camera_feed import NONE
from companion.table.panel_setup import imagined
from companion.table.seat_panel import SeatPanel
from devices.simulator import Simulator
from workshop.fault_injection.desk_session import desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect
from workshop.fault_injection.thread_switches import switched
from workshop.fault_injection.threads import Cameras, RandomFeed, held_back, hurried, ready, soon

CHOICES, CLERKS, PATTERNS = 40, 15, 12
"""How often one drill chooses another camera, gives the first job, and tells the panel something."""
OFTEN = 1.5
"""How often a step delays its thread the first time it is reached; high, because a drill has few steps."""


@contextmanager
def repeated(job: Callable[[], object], crashes: list[str]) -> Iterator[None]:
    """Repeat this job in another thread meanwhile."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            job()

    thread = threading.Thread(target=work, name="repeating", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    expect(not crashes, f"a thread crashed: {crashes[:3]}")


def cameras(trial: FaultTrial) -> int:
    """People choose another camera while the screen and the clerk query it."""
    random, opened = trial.random, Cameras()
    ready()
    with hurried() as crashes, switched(random.getrandbits(32), OFTEN):
        feed = RandomFeed(lambda: 0.0, opened.open)

        def ask() -> None:
            feed.news(), feed.latest(), feed.trouble(), feed.made_up()
            feed.wait_for_scan(random.random() < 0.5)

        try:
            with repeated(ask, crashes):
                for number in range(CHOICES):
                    feed.watch(random.choice(("one", "other", NONE)))
                    if number % 3 == 2:
                        opened.check(feed)
                        expect(not crashes, f"a thread crashed: {crashes[:3]}")
            feed.stop()
            opened.check(feed)
        finally:
            feed.stop()
            opened.end()
    return CHOICES


def clerks(trial: FaultTrial) -> int:
    """Several threads give the first job at once: a single clerk does all jobs, each thread's in order."""
    with hurried() as crashes, switched(trial.random.getrandbits(32), OFTEN):
        for _ in range(CLERKS):
            _ask_at_once(crashes)
    return CLERKS


def _nothing(what: object) -> None:
    pass


def _ask_at_once(crashes: list[str], askers: int = 3, jobs: int = 3) -> None:
    done: list[tuple[int, int, int]] = []
    ready = threading.Barrier(askers)
    one = Background(lambda told: None, "clerk", lambda: nullcontext(()))

    def ask(who: int) -> None:
        ready.wait()
        for number in range(jobs):
            one.do(lambda n=number: done.append((threading.get_ident(), who, n)), _nothing, _nothing)  # type: ignore[misc]

    threads = [threading.Thread(target=ask, args=(who,), daemon=True) for who in range(askers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one.stop()
    expect(not crashes, f"a thread crashed: {crashes[:3]}")
    expect(len(done) == askers * jobs, f"{askers * jobs} jobs were asked for, {len(done)} were done")
    expect(len({clerk for clerk, _, _ in done}) == 1, "two clerks do one's work")
    for who in range(askers):
        expect(
            [n for _, asker, n in done if asker == who] == list(range(jobs)), "jobs were done out of order"
        )


def panels(trial: FaultTrial) -> int:
    """The panel gets messages at any moment of its own work, and misses none."""
    random = trial.random
    ready()
    with hurried() as crashes, desk_session(trial.folder) as table, switched(random.getrandbits(32), OFTEN):
        panel = SeatPanel(table.desk, Simulator(imagined(), 0.0), lambda who, gesture: None)
        panel.start()
        try:
            for _ in range(PATTERNS):
                for _ in range(random.randrange(1, 4)):
                    panel.try_out(None)
                soon(panel._inbox.empty, "the panel was told something and sleeps")
        finally:
            panel.stop()
        expect(not crashes, f"a thread crashed: {crashes[:3]}")
    return PATTERNS


DRILLS: tuple[Callable[[FaultTrial], int], ...] = (cameras, clerks, panels)


def _held_back(trial: FaultTrial) -> Survived:
    return Survived(sum(drill(trial) for drill in DRILLS) + held_back(trial).times)


FAULTS = (Fault("threads-held-back", _held_back),)
