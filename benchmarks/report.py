"""Writes reports: the output of a benchmark, with date, commit and machine, as a page of docs/reports.

Every benchmark that only prints takes `--report`: it then also writes `docs/reports/NAME.md`. For any other command:

    .venv/bin/python benchmarks/report.py faults ./dev faults --minutes 15

Without a name this program writes the index, docs/reports/README.md, which also says what is still missing.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "docs" / "reports"
PYTHON = ".venv/bin/python benchmarks/"


class ReportPage(NamedTuple):
    """What a report measures, and the command that writes it."""

    title: str
    command: str


def _printed(script: str, title: str, arguments: str = "") -> tuple[str, ReportPage]:
    """A benchmark that prints; `--report` makes the page."""
    return script.replace("_", "-"), ReportPage(title, f"{PYTHON}{script}.py {arguments}--report")


PAGES: dict[str, ReportPage] = dict(
    [
        _printed("answers", "From an answer to the journal"),
        _printed("bots", "Speed of bot games, and the most expensive questions"),
        ("bot-campaign", ReportPage("Whole games by bots", f"{PYTHON}bot_campaign.py")),
        _printed("boxes", "What an untaught box asks"),
        _printed("busy_tests", "All tests on a busy machine", "--runs 3 --loops 10 "),
        _printed("buttons", "A million random button edges"),
        _printed("signal_latency", "From a card read to its effect on the screen"),
        _printed("code_coverage", "Lines that tests run"),
        _printed("eclipse", "Whole games of Eclipse, every piece counted"),
        ("effort", ReportPage("Taps per seat and round", f"{PYTHON}effort.py --save FILE --report FILE")),
        _printed("evenings", "Statistics over many evenings", "--part 0.4 "),
        _printed("evening", "An evening under load: frames, latency, memory"),
        (
            "failing-calls",
            ReportPage("Every system call of a write fails in turn", f"{PYTHON}failing_calls.py"),
        ),
        _printed("faces", "Cards known by their faces, by condition", "--sightings 20000 "),
        _printed("films", "Cards shown in drawn evenings", "--game race --hours 10 --eyes "),
        _printed("fuzz", "Fuzzing every input", "--minutes 60 "),
        _printed("hall", "A hall of 500 tables with faults"),
        _printed("journal", "One append to the journal, and a bare fsync"),
        _printed("kill", "Plays killed at random moments", "--kills 200 "),
        ("labels", ReportPage("Labels read by condition and size", f"{PYTHON}label_recall.py")),
        ("layout", ReportPage("Layout faults in whole demonstrations", f"{PYTHON}layout.py")),
        _printed("learning", "What a box asks evening after evening"),
        _printed(
            "light_play",
            "Light play: taps, agreement, alerts, generated flows",
            "--plays 200 --flows 10000 --alerts 1000 ",
        ),
        _printed("many_plays", "Lists with 5,000 plays"),
        _printed("memory", "Memory of the window, step by step", "--unpainted "),
        ("mutation", ReportPage("Deliberate mistakes in the rules", f"{PYTHON}mutation.py --all --jobs 2")),
        _printed("odds", "Odds of battles: times, and the error of estimates"),
        _printed("pairing", "Pairings of 7 to 2,000 players"),
        _printed("panel", "From a button to its lamp; load at rest"),
        _printed("phones", "Twelve phones: latency, memory, floods"),
        _printed(
            "phones_fuzz",
            "Phones: random requests, socket lines and races",
            "--requests 1000000 --lines 1000000 --races 10000 ",
        ),
        _printed("photographs", "Other people's QR codes in photographs", "FOLDER "),
        _printed("replay", "Replaying plays"),
        _printed("scoring", "Speed of scoring"),
        _printed("screen", "How long frames are held"),
        ("slow", ReportPage("Estimates for a Raspberry Pi", f"sudo {PYTHON}slow.py --pi 4 --report")),
        (
            "slow-shows",
            ReportPage(
                "Cards shown to a slow machine", f"{PYTHON}slow_shows.py --report docs/reports/slow-shows.md"
            ),
        ),
        (
            "slow-window",
            ReportPage(
                "Cards shown to a real window with a part of a core", f"sudo {PYTHON}slow_window.py --report"
            ),
        ),
        (
            "faults",
            ReportPage("Injected faults", f"{PYTHON}report.py faults ./dev faults --minutes 15"),
        ),
        (
            "updates",
            ReportPage(
                "Signed, unsigned and forged updates",
                "sudo deploy/raspberrypi/verify-updates --report docs/reports/updates.md",
            ),
        ),
        _printed("vision", "Labels read, side by side with other readers", "--full "),
    ]
)


def reported(main: Callable[[], int | None]) -> int:
    """Run a benchmark; with `--report` among its words, run it as a process of its own and write its page."""
    if "--report" not in sys.argv:
        return main() or 0
    script, *words = (word for word in sys.argv if word != "--report")
    command = f"{PYTHON}{Path(script).name} {shlex.join([*words, '--report'])}"
    return _run(Path(script).stem.replace("_", "-"), [sys.executable, script, *words], command)


def _run(name: str, words: list[str], command: str) -> int:
    """Run it, show what it prints, and write that down; its exit code."""
    said = []
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            print(line, end="", flush=True)
            said.append(line)
    _write(name, command, "".join(said), running.returncode)
    return running.returncode


def _write(name: str, command: str, said: str, code: int) -> None:
    if not said.strip():
        return
    page = REPORTS / f"{name}.md"
    page.write_text("\n".join(_page(PAGES[name].title, command, said, code)) + "\n", encoding="utf-8")
    print(f"written: {page}", file=sys.stderr)


def _page(title: str, command: str, said: str, code: int) -> Iterator[str]:
    yield from (f"# {title}", "", f"Written by `{command}`.", "", f"{stamp()}.")
    if code:
        yield from ("", f"**It ended with exit code {code}.**")
    for tables, lines in _runs(said):
        yield ""
        yield from lines if tables else ("```", *lines, "```")


def _runs(said: str) -> Iterator[tuple[bool, list[str]]]:
    """What was printed, cut into tables in Markdown and everything else."""
    for part in re.findall(r"(?:^\|.*\n?)+|(?:^(?!\|).*\n?)+", said, re.M):
        lines = part.rstrip().lstrip("\n").splitlines()
        if lines:
            yield part.startswith("|"), lines


def stamp() -> str:
    """When, from which commit and on which machine."""
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}, {platform.machine()} with {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} at the end"
    )


def commit() -> str:
    """The commit that was measured, and whether files differ from it."""
    done = subprocess.run(
        ["git", "-C", ROOT, "describe", "--always", "--dirty=, with changes", "--exclude=*"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or "unknown"


def index() -> str:
    """docs/reports/README.md."""
    there = [(name, page) for name, page in PAGES.items() if (REPORTS / f"{name}.md").is_file()]
    missing = [page for name, page in PAGES.items() if (name, page) not in there]
    lines = [
        "# Reports",
        "",
        "For everybody who wants figures. Programs write these pages, with date, commit and machine; nobody edits",
        "them by hand.",
        "What each benchmark measures and aims at: [benchmarks/README.md](../../benchmarks/README.md).",
        "`.venv/bin/python benchmarks/report.py` writes this index.",
        "",
        "| report | command |",
        "|---|---|",
        *(f"| [{page.title}]({name}.md) | `{page.command}` |" for name, page in there),
        "",
        "## Not measured yet",
        "",
        "| figures | command |",
        "|---|---|",
        *(f"| {page.title} | `{page.command}` |" for page in missing),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """The index, or the report of a command."""
    code = 0
    if len(sys.argv) > 2:
        _, name, *words = sys.argv
        code = _run(name, words, f"{PYTHON}report.py {shlex.join([name, *words])}")
    (REPORTS / "README.md").write_text(index(), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
