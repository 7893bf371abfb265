"""Buttons that bounce or stick, and parts of the panel that come and go."""

from __future__ import annotations

from companion.core.words import Text
from companion.table.panel_setup import imagined
from companion.table.panel_words import problem_text
from companion.table.seat_panel import SeatPanel
from devices.gestures import STABLE, STUCK, Gesture
from devices.panel import Who
from devices.simulator import Simulator
from workshop.fault_injection.desk_session import DeskSession, desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect
from workshop.fault_injection.ledger import Ledger


class Panelled:
    """A desk with a simulated panel, run in the calling thread."""

    def __init__(self, table: DeskSession) -> None:
        self.table, self.at = table, 0.0
        self.simulator = Simulator(imagined(), self.at, kind="old")
        self.gestures: list[tuple[Who, Gesture]] = []
        self.seats = SeatPanel(
            table.desk, self.simulator, lambda *gesture: self.gestures.append(gesture), lambda: self.at
        )

    def live(self, seconds: float, steps: int = 20) -> None:
        """Let this much time pass."""
        for _ in range(steps):
            self.at += seconds / steps
            self.seats.step(self.at)
            self.table.settle()


def _chatter(trial: FaultTrial) -> Survived:
    """A loose contact: hundreds of flips, none of which lasts as long as a press."""
    ledger, flips = Ledger(), 300
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, 3)
        panel = Panelled(table)
        panel.live(0.1)
        before = table.session
        table.outcomes.clear()
        at = panel.at
        for _ in range(flips):
            gpio = panel.simulator._gpio(trial.random.randrange(panel.simulator.seats))
            panel.simulator._plan(gpio, at, True)
            at += trial.random.uniform(0.0001, STABLE * 0.9)
            panel.simulator._plan(gpio, at, False)
            at += trial.random.uniform(0.0001, STABLE * 2)
        panel.live(at - panel.at + 1.0, steps=60)
        expect(table.session is before, "a contact that only trembled gave an answer")
        expect(
            not table.outcomes and not panel.gestures, "a contact that only trembled was taken for a finger"
        )
        panel.seats.panel.close()
        table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived()


def _stuck(trial: FaultTrial) -> Survived:
    """Something lies on a button: it gives no answer, and people are told which button; once released, it
    works again."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, 3)
        panel = Panelled(table)
        before, seat = table.session, trial.random.randrange(len(table.session.setup.seats))
        panel.simulator.down(seat, panel.at)
        panel.live(STUCK + 5)
        expect(table.session is before, "a stuck button gave an answer")
        told = tuple(problem_text(problem) for problem in panel.seats.problems)
        expect(told, "nobody was told that a button is stuck")
        panel.simulator.up(seat, panel.at)
        panel.live(1.0)
        expect(not panel.seats.problems, f"let go, it is still {panel.seats.problems}")
        expect(table.session is before, "letting go gave an answer")
        panel.seats.panel.close()
        table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived(1, told)


def _unplugged(trial: FaultTrial) -> Survived:
    """Counters and lamps are unplugged and plugged in during a play."""
    ledger, times = Ledger(), 6
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, 1)
        panel, told = Panelled(table), dict[str, Text]()
        for _ in range(times):
            lines, chips = panel.simulator.lines, panel.simulator.pins.chips
            for chip in chips:
                chip.plugged = trial.random.random() < 0.5
            lines.gone = {None} if trial.random.random() < 0.5 else set()
            table.answer_surely(trial.random)
            panel.live(1.0)
            told |= {problem_text(p).key: problem_text(p) for p in panel.seats.problems}
        for chip in panel.simulator.pins.chips:
            chip.plugged = True
        panel.simulator.lines.gone = set()
        panel.live(30.0, steps=60)
        expect(not panel.seats.problems, f"plugged in again, still {panel.seats.problems}")
        panel.seats.panel.close()
    ledger.check(trial.path)
    return Survived(times, tuple(told.values()))


FAULTS = (
    Fault("pins-chatter", _chatter),
    Fault("pins-stuck", _stuck),
    Fault("pins-unplugged", _unplugged),
)
