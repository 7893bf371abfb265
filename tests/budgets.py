"""The processor time each suite of tests may take, and how much it took: `docs/testing.md` explains the
figures.

The processor time of a process and of the programs it has waited for is nearly the same on a busy machine as
on an idle one.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import PurePath

import pytest

BUDGETS = {
    "core": 22,
    "deploy": 36,
    "devices": 7,
    "hall": 50,
    "inputs": 27,
    "films": 33,
    "games/beyond": 7,
    "games/eclipse": 26,
    "games/frontiers": 11,
    "games/race": 8,
    "games/transgalactica": 5,
    "laws": 108,
    "phones": 25,
    "recognition": 9,
    "recorded": 6,
    "scoring": 9,
    "table": 8,
    "ui": 330,
    "vision": 87,
    "whole": 150,
}
"""Seconds of processor for each suite of a usual run."""

campaign = False
"""Whether this run is a campaign: everything with everything, as long as it takes."""


def suite(file: str) -> str:
    """The suite a file of tests belongs to: its folder; each game has its own."""
    return "/".join(PurePath(file).parent.parts[1:])


def processor() -> float:
    """Seconds of processor that this process and the programs it has waited for have taken."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


class BudgetMeter:
    """Adds up what the tests of each file take, whichever worker they run in."""

    def __init__(self) -> None:
        self.files: defaultdict[str, float] = defaultdict(float)
        self._last = processor()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        last, self._last = self._last, processor()
        report.processor = self._last - last
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logstart(self) -> None:
        self._last = processor()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.files[report.nodeid.partition("::")[0]] += getattr(report, "processor", 0.0)

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        suites: defaultdict[str, float] = defaultdict(float)
        for file, seconds in self.files.items():
            suites[suite(file)] += seconds
        terminalreporter.section("seconds of processor, and the budget")
        for name, seconds in sorted(suites.items()):
            over = "" if seconds <= BUDGETS.get(name, 0) or campaign else "  MORE THAN ITS BUDGET"
            terminalreporter.write_line(f"{name:16}{seconds:8.1f}{BUDGETS.get(name, 0):8}{over}")
        terminalreporter.write_line(f"{'':16}{sum(suites.values()):8.1f}{sum(BUDGETS.values()):8}")
        if config.getoption("files"):
            for file, seconds in sorted(self.files.items(), key=lambda one: -one[1]):
                terminalreporter.write_line(f"{seconds:8.1f}  {file}")
