"""Tests every part of the panel together with a person who looks and presses."""

from __future__ import annotations

import argparse
import os
import select
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from companion.commands.shared import Help, Options, write_text
from companion.core.words import Text, say
from companion.errors import DEVICE, DONE
from companion.table.panel_words import problem_text, text_of, wiring
from companion.texts import render
from devices.gestures import DOUBLE, Doubled, Gesture, Held, Pressed, Stuck, Turned
from devices.lights import Off
from devices.panel import Panel, Who
from devices.part_test import Finding, WalkStep, steps
from devices.wiring_config import Wiring
from devices.words import part

if TYPE_CHECKING:
    from devices.simulator import Simulator

TesterAnswer = tuple[Who, Gesture] | str
YES = {"y", "yes", "t", "tak", "j"}
NO = {"n", "no", "nie"}
PATIENCE = 3.0
"""Seconds the automatic tester waits for a press to be reported."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Whose wiring, real or simulated, and where the report goes."""
    parser.add_argument("what", choices=("test",), help=t("devices-what"))
    parser.add_argument("--table", metavar="FILE", help=t("table"))
    parser.add_argument("--names", metavar="ANIA,BARTEK", help=t("names"))
    parser.add_argument("--simulate", action="store_true", help=t("simulate"))
    parser.add_argument("--yes", action="store_true", help=t("robot"))
    parser.add_argument("--report", metavar="NAME", default="devices-report", help=t("report"))


def run(options: Options) -> int:
    """Test all parts, write a report, and print a summary."""
    table = wiring(options.table)
    names = tuple(name.strip() for name in (options.names or "").split(",") if name.strip())
    tell = Teller(options.language, names)
    tester = _tester(options, table, tell)
    try:
        tell(say("panel.begin", seats=len(table.seats)))
        if options.simulate and not options.yes:
            tell(say("panel.keys"))
        for problem in tester.panel.health():
            tell(problem_text(problem))
        findings = [_try(step, tester, tell) for step in steps(table)]
        problems = [problem_text(problem) for problem in tester.panel.health()]
    finally:
        tester.close()
    fine = not problems and all(finding.result != "wrong" for finding in findings)
    lines = [tell.finding(finding) for finding in findings] + [tell.words(problem) for problem in problems]
    lines.append(tell.words(say("panel.fine" if fine else "panel.not-fine")))
    print("\n" + "\n".join(lines))
    if options.report:
        when = datetime.fromtimestamp(options.clock()).astimezone().isoformat(timespec="seconds")
        report = _report(findings, problems, tell) | {
            "when": when,
            "simulated": options.simulate,
            "fine": fine,
        }
        write_text(
            f"{options.report}.json",
            msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n",
        )
        write_text(f"{options.report}.txt", "\n".join([when, *lines, ""]))
        tell(say("panel.written", file=f"{options.report}.txt, {options.report}.json"))
    return DONE if fine else DEVICE


class Teller:
    """Words questions and findings in the person's language; seats go by their players' names, if known."""

    def __init__(self, language: str, names: tuple[str, ...]) -> None:
        self.language, self.names = language, names

    def __call__(self, text: Text) -> None:
        print(self.words(text), flush=True)

    def words(self, text: Text) -> str:
        return render(text, self.language)

    def whose(self, step: WalkStep) -> Text:
        """The part's name, and whose it is."""
        if step.seat is not None and step.seat < len(self.names):
            return say("panel.whose", name=self.names[step.seat], part=text_of(part(step.kind)))
        return text_of(step.part)

    def who(self, who: Who) -> Text:
        """The name of a button that was pressed."""
        if isinstance(who, int):
            return self.whose(WalkStep("press", "button", who))
        return text_of(part(who))

    def question(self, step: WalkStep) -> Text:
        """What the person is asked to do or to check."""
        slug = f"{step.task}-{step.colour}" if step.colour else step.task
        return say(f"panel.try-{slug}", part=self.whose(step), text=step.text)

    def finding(self, finding: Finding) -> str:
        """A line of the report."""
        step = finding.step
        what, result = self.words(self.whose(step)), self.words(say(f"panel.result-{finding.result}"))
        if step.colour:
            colour = self.words(say(f"panel.colour-{step.colour}"))
            what += f" ({colour})"
        if finding.instead:
            instead = self.words(say("panel.heard", who=tuple(self.who(who) for who in finding.instead)))
            result += f" ({instead})"
        return f"{what}: {result}"


class Tester(Protocol):
    """Looks at lamps and presses buttons: a person, or the simulator's robot."""

    @property
    def panel(self) -> Panel:
        """The panel under test."""

    def now(self) -> float:
        """The time by the panel's clock."""

    def looks(self, step: WalkStep) -> bool | None:
        """Whether it looks as it should; None: skipped."""

    def answers(self, step: WalkStep) -> Iterator[TesterAnswer]:
        """What is pressed or typed, until nothing more comes."""

    def close(self) -> None:
        """Release everything."""


def _try(step: WalkStep, tester: Tester, tell: Teller) -> Finding:
    tell(tell.question(step))
    step.begin(tester.panel, tester.now())
    if step.task in ("press", "turn"):
        return _heard(step, tester, tell)
    seen = tester.looks(step)
    if step.seat is not None and step.task == "lamp":
        tester.panel.show({step.seat: Off()}, tester.now())
    return Finding(step, "skipped" if seen is None else "fine" if seen else "wrong")


def _heard(step: WalkStep, tester: Tester, tell: Teller) -> Finding:
    instead: list[Who] = []
    for answer in tester.answers(step):
        if isinstance(answer, str):
            wrong = bool(instead) or answer.casefold() in NO
            return Finding(step, "wrong" if wrong else "skipped", tuple(instead))
        who, gesture = answer
        expected = Turned if step.task == "turn" else Pressed | Held | Doubled
        if who == step.who and isinstance(gesture, expected):
            return Finding(step, "wrong" if instead else "fine", tuple(instead))
        if who != step.who and not isinstance(gesture, Stuck) and who not in instead:
            instead.append(who)
            tell(say("panel.other", who=tell.who(who)))
    return Finding(step, "wrong", tuple(instead))


def _tester(options: Options, table: Wiring, tell: Teller) -> Tester:
    if options.yes:
        from devices.simulator import Simulator  # only a simulated test needs simulated pins

        return Robot(Simulator(table))
    return AtTerminal(table, tell, simulate=options.simulate)


class Robot:
    """Tests the simulator automatically, without waiting."""

    def __init__(self, simulator: Simulator) -> None:
        self.panel = self.simulator = simulator
        self.at = 0.0

    def now(self) -> float:
        return self.at

    def looks(self, step: WalkStep) -> bool | None:
        self.simulator.gestures(self.at)
        if step.task == "lamp":
            return self.simulator.lamps()[step.seat or 0] == step.light
        if step.task == "counter":
            return self.simulator.counters()[step.seat or 0] == step.text
        heard = self.simulator.pitch() > 0
        self.at += PATIENCE
        self.simulator.gestures(self.at)
        return heard

    def answers(self, step: WalkStep) -> Iterator[TesterAnswer]:
        if step.task == "turn":
            self.simulator.turn(1, self.at)
        else:
            self.simulator.press(step.who, self.at)
        until = self.at + PATIENCE
        while (due := self.simulator.due) is not None and due < until:
            self.at = max(self.at, due)
            yield from self.simulator.gestures(self.at)
        self.at = until

    def close(self) -> None:
        self.simulator.close()


class AtTerminal:
    """A person at a terminal, who presses buttons, or keys in their place, and answers in words."""

    def __init__(self, table: Wiring, tell: Teller, *, simulate: bool) -> None:
        self.tell = tell
        self.woken, self.alarm = os.pipe()
        os.set_blocking(self.alarm, False)
        self.simulator = self._pretended(table) if simulate else None
        self.panel = self.simulator or self._at_pins(table)
        self.typed = b""
        self.ended = False
        self.quiet = self.now()  # key presses are being played until then; later input has to wait

    def _at_pins(self, table: Wiring) -> Panel:
        from devices.pins import PinPanel

        return PinPanel(table, self.now(), wake=self._wake)

    def _wake(self) -> None:
        """Called from another thread at an edge; a full pipe is enough to wake us."""
        try:
            os.write(self.alarm, b".")
        except BlockingIOError:
            return

    def now(self) -> float:
        return time.monotonic()

    def looks(self, step: WalkStep) -> bool | None:
        for answer in self._events():
            if not isinstance(answer, str):
                continue
            if answer.casefold() in YES:
                return True
            if answer.casefold() in NO:
                return False
            if not answer:
                return None
            self.tell(say("panel.yes-or-no"))
        return None

    def answers(self, step: WalkStep) -> Iterator[TesterAnswer]:
        for answer in self._events():
            if self.simulator is None or not isinstance(answer, str) or not self._played(answer):
                yield answer
        yield ""  # at the end of input the remaining steps are skipped

    def _pretended(self, table: Wiring) -> Simulator:
        from devices.simulator import Simulator

        return Simulator(table, self.now())

    def _played(self, typed: str) -> bool:
        """Play typed keys as button presses, one after another; false if the line is something else."""
        from devices.simulator import KEYS, SHORT, TURNS

        assert self.simulator is not None
        keys = [typed] if typed in TURNS else list(typed)
        if not keys or not all(
            key in TURNS or (key in KEYS and self.simulator.has(KEYS[key])) for key in keys
        ):
            return False
        for n, key in enumerate(keys):
            at = self.now() + n * 1.0
            self.simulator.key_down(key, at)
            self.simulator.key_up(key, at + SHORT)
            self.quiet = at + SHORT + DOUBLE + 0.1
        return True

    def _events(self) -> Iterator[TesterAnswer]:
        """Gestures and lines as they come; sleeps in between until the next one is due."""
        while True:
            yield from self.panel.gestures(self.now())
            line, newline, rest = self.typed.partition(b"\n")
            if newline and self.now() >= self.quiet:
                self.typed = rest
                yield line.decode(errors="replace").strip()
                continue
            if self.ended and self.now() >= self.quiet:
                return
            times = [self.panel.due, self.quiet if self.now() < self.quiet else None]
            due = min((time for time in times if time is not None), default=None)
            self._sleep(None if due is None else max(0.0, due - self.now()))

    def _sleep(self, seconds: float | None) -> None:
        files: list[Any] = [self.woken, *([] if self.ended else [sys.stdin.fileno()])]
        ready, _, _ = select.select(files, [], [], seconds)
        if self.woken in ready:
            os.read(self.woken, 4096)
        if len(files) == 2 and files[1] in ready:
            read = os.read(files[1], 4096)
            self.typed += read
            if not read:
                self.ended = True
                self.typed += b"\n" if self.typed else b""

    def close(self) -> None:
        self.panel.close()
        os.close(self.woken)
        os.close(self.alarm)


def _report(findings: list[Finding], problems: list[Text], tell: Teller) -> dict[str, Any]:
    return {
        "parts": [
            {
                "part": finding.step.kind,
                "seat": None if finding.step.seat is None else finding.step.seat + 1,
                "task": finding.step.task,
                **({"colour": finding.step.colour} if finding.step.colour else {}),
                "result": finding.result,
                "instead": [who + 1 if isinstance(who, int) else who for who in finding.instead],
            }
            for finding in findings
        ],
        "problems": [tell.words(problem) for problem in problems],
    }
