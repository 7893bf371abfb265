"""Connects what is wired to this machine, or a simulated panel on the screen, with the app."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.words import Text
from companion.errors import DataTrouble
from companion.table.panel_words import problem_text, usual_table, wiring
from devices.pins import PinPanel
from devices.simulator import Simulator
from devices.table import Knob, Strip, Wiring

if TYPE_CHECKING:
    from companion.app import CompanionApp

POWER_OFF = ("systemctl", "poweroff")
KNOB = (27, 23, 21)
"""Pins that our own wiring needs for lamps and the "next" button, which an imagined panel has not."""


def connect(app: CompanionApp, simulate: bool) -> None:
    """Use the owner's wiring if there is a description of it; or, on request, one on the screen."""
    clock = time.monotonic
    described = usual_table().exists()
    if not described and not simulate:
        return
    try:
        table = wiring() if described else _imagined()
    except DataTrouble as trouble:
        app.unwired = (trouble.text, *trouble.problems)
        app.tell(trouble.problems[0] if trouble.problems else trouble.text, "refused")
        return
    if simulate:
        app.simulator = Simulator(table, clock())
        panel = app.attach(app.simulator, clock)
    else:
        panel = app.attach(PinPanel(table, clock(), wake=lambda: _wake(app)), clock)
        app.powered_off = lambda: subprocess.Popen(POWER_OFF)
    panel.start()


def _imagined() -> Wiring:
    """Everything a panel may have: six seats, coloured lamps, counters, and a knob instead of the "next" button."""
    usual = wiring(seats=6, counters=True)
    seats = tuple(replace(seat, lamp=Strip(first=n)) for n, seat in enumerate(usual.seats))
    knob = Knob(a=KNOB[0], b=KNOB[1], press=KNOB[2])
    return replace(usual, seats=seats, whole=replace(usual.whole, next=None, knob=knob))


def _wake(app: CompanionApp) -> None:
    if app.seat_panel is not None:
        app.seat_panel.wake()


def complaints(app: CompanionApp) -> tuple[Text, ...]:
    """What is wrong with the buttons and lamps, in words."""
    if app.seat_panel is None:
        return app.unwired
    return tuple(map(problem_text, app.seat_panel.problems))
