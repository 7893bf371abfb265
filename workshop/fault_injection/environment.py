"""Faults around the table: a clock that jumps, a speech program that hangs, a second program."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from companion.core.autoplay import any_answer
from companion.core.entries import Undone
from companion.core.words import Text
from companion.table.voice import Voice
from devices.speech import Speech
from workshop.fault_injection.desk_session import desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect
from workshop.fault_injection.ledger import Ledger

YEAR = 365 * 86400.0
QUIET = 300.0
"""Seconds within which a stopped voice is silent, however busy the machine."""
HANGS = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


def _clock(trial: FaultTrial) -> Survived:
    """During a play the clock jumps a year forward, back, or beyond every calendar."""
    ledger, jumps = Ledger(), (YEAR, -YEAR, -2 * YEAR, 3 * YEAR, -1.9e9, 1e12)
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, 3)
        for jump in trial.random.sample(jumps, 4):
            table.now += jump
            table.answer_surely(trial.random)
            thought = table.session.thinking(table.now)
            expect(all(0 <= time < 86400 for time in thought), f"thinking times are {thought}")
            table.desk.leave()
            table.settle()
            expect(table.desk.running is not None, "the play is not offered any more")
            table.resume(1)
    ledger.check(trial.path)
    return Survived(4)


def _speaker(trial: FaultTrial) -> Survived:
    """Every sentence is spoken by a program that never ends."""
    talking: list[subprocess.Popen[bytes]] = []

    def start(command: Sequence[str]) -> subprocess.Popen[bytes]:
        hangs = [sys.executable, "-S", "-c", HANGS]
        talking.append(subprocess.Popen(hangs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return talking[-1]

    ledger, voice = Ledger(), Voice()
    voice.speech = Speech(start, found="hangs")
    with desk_session(trial.folder, ledger) as table:
        table.desk.for_now(spoken=("accepted", "refused", "turn", "reveal", "end-near", "over"))
        table.play(trial.random)
        try:
            for _ in range(4):
                table.outcomes.clear()
                table.answer_surely(trial.random)
                for outcome in table.outcomes:
                    voice.outcome(table.desk, outcome)
                voice.hear(table.desk, "accepted", Text("ui.got-it"))
            expect(all(one.wait(timeout=QUIET) for one in talking[:-1]), "several voices talk at once")
            voice.speech.hush()
            expect(talking[-1].wait(timeout=QUIET) is not None, "it cannot be hushed")
        finally:
            for one in talking:
                one.kill()
                one.wait()
    ledger.check(trial.path)
    return Survived(len(talking))


def _same_play(trial: FaultTrial) -> Survived:
    """Two programs play the same play: the second to write is refused, and shows the same table when reopened."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as one, desk_session(trial.folder, ledger) as other:
        one.play(trial.random, 4)
        other.resume(one.id)
        one.resume(one.id)
        one.answer_surely(trial.random)
        before = other.session
        if other.session.over:
            other.do(Undone(1))
        else:
            other.do(any_answer(other.session, trial.random))
        expect(other.session is before, "both programs wrote at the same place")
        told = tuple(other.told[-1:])
        expect([text.key for text in told] == ["storage.other-writer"], f"people were told {told}")
        other.resume(one.id)
        expect(other.session.state == one.session.state, "both programs see different tables")
        other.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived(1, told)


def _other_play(trial: FaultTrial) -> Survived:
    """Two programs take turns playing two plays in one journal."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as one, desk_session(trial.folder, ledger) as other:
        one.play(trial.random)
        other.play(trial.random)
        expect(one.id != other.id, "two plays have the same number")
        for _ in range(8):
            trial.random.choice((one, other)).answer_surely(trial.random)
        expect(not one.told and not other.told, f"they were in each other's way: {one.told or other.told}")
    ledger.check(trial.path)
    return Survived()


FAULTS = (
    Fault("clock", _clock),
    Fault("speaker", _speaker),
    Fault("same-play", _same_play),
    Fault("other-play", _other_play),
)
