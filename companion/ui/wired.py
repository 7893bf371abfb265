"""Connects what is wired to this machine, or a simulated panel on the screen, with the app."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

from companion.core.words import Text
from companion.errors import DataTrouble
from companion.panel_words import problem_text, usual_table, wiring
from devices.pins import PinPanel
from devices.simulator import Simulator

if TYPE_CHECKING:
    from companion.app import CompanionApp

POWER_OFF = ("systemctl", "poweroff")


def connect(app: CompanionApp, simulate: bool) -> None:
    """Use the owner's wiring if there is a description of it; or, on request, one on the screen."""
    clock = time.monotonic
    if simulate:
        table = wiring() if usual_table().exists() else wiring(counters=True)
        app.simulator = Simulator(table, clock())
        panel = app.attach(app.simulator, clock)
    elif usual_table().exists():
        try:
            table = wiring()
        except DataTrouble as trouble:
            app.tell(trouble.text, "refused")
            for problem in trouble.problems[:1]:
                app.tell(problem, "refused")
            return
        panel = app.attach(PinPanel(table, clock(), wake=lambda: _wake(app)), clock)
        app.powered_off = lambda: subprocess.Popen(POWER_OFF)
    else:
        return
    panel.start()


def _wake(app: CompanionApp) -> None:
    if app.seat_panel is not None:
        app.seat_panel.wake()


def complaints(app: CompanionApp) -> tuple[Text, ...]:
    """What is wrong with the buttons and lamps, in words."""
    return () if app.seat_panel is None else tuple(map(problem_text, app.seat_panel.panel.health()))
