"""The short form of `./dev faults`: every cheap fault, a few times; and the harness itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import BinaryIO, cast

import pytest

from companion.core.sqlite_file import VERSION
from companion.core.words import say
from companion.errors import BAD_INPUT, BUG, DONE
from companion.table import open_play
from companion.texts import render
from tests.command_line import main
from tests.patience import PATIENCE
from workshop.fault_injection import all_faults, kills, powercuts, services, versions
from workshop.fault_injection.child_processes import Child, environ
from workshop.fault_injection.faults import Fault, FaultTrial, Harm, NotHere, Survived, expect, inject

EXPENSIVE = {"kill-window", "kill-service", "kill-kept", "kill-terminal", "kill-play"}
"""Whole programs are started for these: a campaign tries them, and tests of their own."""
CHEAP = [fault for fault in all_faults.FAULTS if fault.name not in EXPENSIVE]


@pytest.fixture
def somebody_elses_clerk() -> Iterator[None]:
    """A thread that writes into another journal of this process, as a window's does."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait, name="clerk", daemon=True)
    thread.start()
    yield
    done.set()
    thread.join()


@pytest.mark.usefixtures("somebody_elses_clerk")
@pytest.mark.parametrize("fault", CHEAP, ids=lambda fault: fault.name)
def test_no_harm_is_done(fault: Fault, tmp_path: Path) -> None:
    (result,) = inject([fault], tmp_path, 0, seed=7)
    assert result.wrong == []
    assert result.not_here == ""
    assert result.tried == result.survived > 0


@pytest.mark.campaign
@pytest.mark.parametrize("fault", all_faults.FAULTS, ids=lambda fault: fault.name)
def test_no_harm_is_done_for_a_minute(fault: Fault, tmp_path: Path) -> None:
    (result,) = inject([fault], tmp_path, 60, seed=11)
    assert result.wrong == []


def test_every_fault_says_in_both_languages_what_is_done_and_how_it_is_judged() -> None:
    names = [fault.name for fault in all_faults.FAULTS]
    assert len(names) == len(set(names))
    for fault in all_faults.FAULTS:
        for language in ("en", "pl"):
            for text in (fault.done, fault.judged):
                assert render(text, language) != text.key


def test_every_schema_there_ever_was_is_kept() -> None:
    numbers = {int(file.name.split(".")[0].split("-")[0]) for file in versions.schemas()}
    assert numbers == set(range(1, VERSION + 1))


# The harness


def test_a_power_cut_is_every_prefix_and_more() -> None:
    before, after = bytes(1024), b"A" * 512 + b"B" * 512 + b"C" * 300
    found = list(powercuts.halves(before, after, Random(1)))
    assert found[0] == before
    assert after in found
    assert b"A" * 512 + bytes(512) in found
    assert b"A" * 512 + b"B" * 512 in found
    torn = [half for half in found if half[:1] == b"A" and half[511:512] == b"\0"]
    assert torn, "no sector is torn"
    reordered = [half for half in found if half[:512] == bytes(512) and half != before]
    assert reordered, "sectors always come in order"


def test_an_answer_and_what_it_teaches_are_one_transaction(tmp_path: Path) -> None:
    """A power cut leaves both or neither, also where the log begins again."""
    trial = FaultTrial(tmp_path, Random("power-cut 32-450"))
    states, rows, play = powercuts.written(trial)
    assert len(states) == len(rows) + 1
    assert any(b'"said_by"' in state.files.log + state.files.db for state in states), "nothing was taught"
    heads = [state.files.log[: powercuts.HEAD] for state in states]
    for n in (n for n in range(1, len(states)) if heads[n] != heads[n - 1]):
        assert powercuts.cut(trial, states[n - 1], states[n], rows, play)


def test_a_write_out_of_order_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal that syncs nothing: what is folded into the file may arrive before the log it came from."""

    def unsynced(before: powercuts.Files, after: powercuts.Files, random: Random) -> list[powercuts.Files]:
        return [powercuts.Files(after.db, before.log[: powercuts.HEAD]), powercuts.Files(b"", before.log)]

    monkeypatch.setattr(powercuts, "cuts", unsynced)
    (result,) = inject(powercuts.FAULTS, tmp_path, 0, seed=3)
    assert result.wrong


def test_harm_is_told_and_what_was_left_is_kept(tmp_path: Path) -> None:
    def harmful(trial: FaultTrial) -> Survived:
        (trial.folder / "left").touch()
        expect(trial.random is None, "an invented answer")
        return Survived()

    def crashes(trial: FaultTrial) -> Survived:
        raise ZeroDivisionError

    def impossible(trial: FaultTrial) -> Survived:
        raise NotHere("no window")

    def fine(trial: FaultTrial) -> Survived:
        return Survived(3, (say("ui.got-it"),))

    faults = [
        Fault("harm", harmful),
        Fault("crashes", crashes),
        Fault("window", impossible),
        Fault("fine", fine),
    ]
    harm, crashed, not_here, good = inject(faults, tmp_path, 0, seed=1)
    assert harm.wrong == ["harm-1-0: an invented answer"]
    assert (tmp_path / "harm-1-0" / "left").exists()
    assert "ZeroDivisionError" in crashed.wrong[0]
    assert (not_here.tried, not_here.not_here) == (0, "no window")
    assert (good.tried, good.survived, list(good.seen)) == (3, 3, ["ui.got-it"])
    assert not (tmp_path / "fine-1-0").exists()


KEPT = """
import os, signal, sys
from pathlib import Path
from companion import window_supervisor
from companion.core.binder import Binder
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.table import open_play

times, open_play.SOON = [float(at) for at in sys.argv[1].split()], float(sys.argv[2])
code = window_supervisor.supervise(lambda: times[window_supervisor.crashes])
if code is not None:
    sys.exit(code)
folder, at = Path(os.environ["COMPANION_HOME"]), {now} + times[window_supervisor.crashes]

def resume(play):
    with Store(folder / "journal.db") as store:
        Play.resume(play, Journal(store), Binder(store)).reopen(at)

open_play.reopen_after_crash(folder, at, resume)
signal.pause()
"""


def kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: str, soon: float = open_play.SOON
) -> tuple[int, list[str]]:
    """The fault `kill-kept`, where the window is opened at these times after one another, and paints nothing."""

    @contextmanager
    def program(folder: Path) -> Iterator[subprocess.Popen[str]]:
        words = [sys.executable, "-c", KEPT.format(now=time.time()), times, str(soon)]
        with subprocess.Popen(words, env=environ(folder), stderr=subprocess.PIPE, text=True) as child:
            try:
                yield child
            finally:
                child.kill()

    monkeypatch.setattr(kills, "program", program)
    monkeypatch.setattr(kills, "PATIENCE", PATIENCE)
    fault = next(fault for fault in kills.FAULTS if fault.name == "kill-kept")
    (result,) = inject([fault], tmp_path, 0, seed=1)
    return result.tried, result.wrong


@pytest.mark.parametrize(
    ("times", "crashes"),
    [("0 5 10 15", 3), ("0 100 130 131", 3), ("0 100 200 230 231", 4), ("0 100 200 300 400 500 501 502", 7)],
)
def test_a_window_that_dies_again_and_again_is_judged_by_its_own_clock(
    times: str, crashes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine takes more than a minute to open one: then it is right that it comes back at the table."""
    assert kept(tmp_path, monkeypatch, times) == (crashes, [])


def test_the_last_window_at_the_table_may_write_before_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five are killed at the table; the sixth stops and runs the clocks, too, if it gets the time."""
    written_first = KEPT.replace(
        "open_play.reopen_after_crash(folder, at, resume)",
        "if times[window_supervisor.crashes] <= 500: resume(open_play.read(folder).play)\n"
        "open_play.reopen_after_crash(folder, at, lambda play: None)",
    )
    assert written_first != KEPT
    monkeypatch.setattr(sys.modules[__name__], "KEPT", written_first)
    assert kept(tmp_path, monkeypatch, "0 100 200 300 400 500 501 502") == (7, [])


@pytest.mark.parametrize(
    ("times", "soon", "why"),
    [
        ("0 5 10 15", 3.0, "it crashed twice within 5 s, and is at the table again"),
        ("-500 -400 10 15", 300.0, "it crashed once within a minute, and is left at home"),
    ],
)
def test_a_window_that_comes_back_at_the_wrong_place_is_noticed(
    times: str, soon: float, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, (wrong,) = kept(tmp_path, monkeypatch, times, soon)
    assert why in wrong


EARLY = """
import os, signal, sys
from workshop.fault_injection import child_processes, players

signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background
fork, (reading, writing) = os.fork, os.pipe()

def struck_at_once():
    child = fork()
    if child:
        os.kill(child, signal.SIGINT)
        os.close(writing)
    else:
        os.close(writing)
        os.read(reading, 1)  # until it is struck
    return child

os.fork, players.play = struck_at_once, lambda kind, random: os._exit(7)
child = child_processes.fork_child(child_processes.ChildTask("play", 1, dict(os.environ)), 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_hears_ctrl_c_from_its_first_moment_on() -> None:
    assert subprocess.run([sys.executable, "-c", EARLY], check=False).returncode == 0


def test_a_child_that_ignores_signals_is_not_waited_for_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Deaf:
        def __init__(self, said: BinaryIO) -> None:
            self.said = said

        def send(self, number: int) -> None:
            assert number == signal.SIGINT

    monkeypatch.setattr(kills, "PATIENCE", 0.0)
    reading, writing = os.pipe()
    with open(reading, "rb") as said, open(writing, "wb"), pytest.raises(Harm, match="goes on"):
        kills.until_killed(cast(Child, Deaf(said)), 0, Random(1), signal.SIGINT)


ABORTED = "Fatal Python error: Aborted\n\nThread 0x1 (most recent call first):\n  File x, line 37 in say\n"
SEGMENT = "Fatal Python error: Segmentation fault\n\nThread 0x1 (most recent call first):\n"


@pytest.mark.parametrize(
    ("code", "number", "crashed", "right"),
    [
        (0, signal.SIGABRT, "", True),
        (-signal.SIGKILL, signal.SIGKILL, "", True),
        (-signal.SIGABRT, signal.SIGABRT, ABORTED, True),
        (-signal.SIGABRT, signal.SIGABRT, "", False),
        (-signal.SIGABRT, signal.SIGKILL, ABORTED, False),
        (-signal.SIGSEGV, signal.SIGABRT, f"{ABORTED}  File ???, line 0 in {SEGMENT}", True),
        (-signal.SIGSEGV, signal.SIGABRT, SEGMENT, False),
        (-signal.SIGSEGV, signal.SIGABRT, "", False),
        (-signal.SIGSEGV, signal.SIGKILL, f"{ABORTED}{SEGMENT}", False),
        (1, signal.SIGKILL, "", False),
    ],
)
def test_how_a_service_may_end(code: int, number: int, crashed: str, right: bool) -> None:
    """Python that was told to fall may fall over reading where running threads are; nothing else may."""
    with nullcontext() if right else pytest.raises(Harm):
        services.judge_end(code, number, crashed)


def test_the_time_is_shared_fairly(tmp_path: Path) -> None:
    now = [0.0]

    def takes(seconds: float, share: float = 1.0) -> Fault:
        def attempt(trial: FaultTrial) -> Survived:
            now[0] += seconds
            return Survived()

        return Fault(f"takes-{seconds}-{share}", attempt, share)

    slow, quick = inject([takes(10), takes(1)], tmp_path, 100, seed=1, clock=lambda: now[0])
    assert slow.seconds == pytest.approx(quick.seconds, abs=10)
    assert quick.tried > 4 * slow.tried
    one, three = inject([takes(1), takes(1, share=3)], tmp_path, 100, seed=2, clock=lambda: now[0])
    assert three.seconds == pytest.approx(3 * one.seconds, abs=4)


# The command


@pytest.fixture
def one_fault(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    harmless = [True]

    def attempt(trial: FaultTrial) -> Survived:
        if not harmless[0]:
            raise Harm("a point is wrong")
        return Survived(2, (say("storage.full", file="journal.db"),))

    monkeypatch.setattr(all_faults, "FAULTS", (Fault("disk-full", attempt),))
    return harmless


def test_the_command_prints_a_table(one_fault: list[bool], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults", "--minutes", "0", "--language", "en"]) == DONE
    told = capsys.readouterr().out
    assert "the disk is full" in told
    assert "2 faults, none of them did harm" in told


def test_the_command_says_what_was_harmed(
    one_fault: list[bool], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one_fault[0] = False
    words = ["faults", "--minutes", "0", "--folder", str(tmp_path), "--language", "en"]
    assert main(words) == BUG
    told = " ".join(capsys.readouterr().out.split())
    assert "Harm was done: the disk is full. disk-full-1-0: a point is wrong" in told
    assert [folder.name for folder in next(tmp_path.iterdir()).iterdir()] == ["disk-full-1-0"]


def test_the_command_as_json(one_fault: list[bool], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults", "--minutes", "0", "--json"]) == DONE
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["fault"], row["tried"], row["survived"], row["harm"]) == ("disk-full", 2, 2, [])
    assert row["seen"][0].startswith("The disk is full")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ending_it_ends_what_it_has_started(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[subprocess.Popen[str]] = []

    def attempt(trial: FaultTrial) -> Survived:
        waits = trial.folder / "waits"
        waits.write_text("#!/bin/sh\nexec sleep 600\n")
        waits.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(waits))  # in place of a supervised window
        with kills.program(trial.folder) as child:
            started.append(child)
            expect(signal.getsignal(number) is not signal.SIG_DFL, "it would end at once")
            signal.raise_signal(number)
        return Survived()

    monkeypatch.setattr(all_faults, "FAULTS", (Fault("disk-full", attempt),))
    with heeded(number):
        with pytest.raises(SystemExit) as ended:
            main(["faults", "--minutes", "0", "--folder", str(tmp_path)])
        assert signal.getsignal(number) is signal.SIG_DFL
    assert ended.value.code == 128 + number
    assert [child.returncode for child in started] == [-signal.SIGKILL]
    assert list(tmp_path.iterdir()) == []


@contextmanager
def heeded(number: signal.Signals) -> Iterator[None]:
    """This signal ends us, though the tests may have been started with it ignored (nohup)."""
    before = signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("words", [["--minutes", "-1"], ["--minutes", "nan"], ["--folder", "/not/there"]])
def test_the_command_refuses_what_makes_no_sense(words: list[str]) -> None:
    assert main(["faults", *words, "--language", "en"]) == BAD_INPUT
