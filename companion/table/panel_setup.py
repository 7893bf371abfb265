"""Finds the panel that is wired to this machine, or makes a simulated one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from msgspec.structs import replace

from companion.core.files import is_there
from companion.core.words import Text
from companion.table import requests
from companion.table.panel_words import problem_text, usual_table, wiring
from companion.table.seat_panel import SeatPanel
from devices.panel import Panel
from devices.pins import PinPanel
from devices.simulator import Simulator
from devices.wiring_config import Knob, Strip, Wiring

POWER_OFF = ("systemctl", "poweroff")
KNOB = (27, 23, 21)
"""Pins that our default wiring uses for lamps and the "next" button, which the simulated panel lacks."""


def find_panel(simulate: bool, clock: Callable[[], float], wake: Callable[[], None]) -> Panel | None:
    """The owner's wiring if it is described; on request, simulated; `wake` is called when a contact moves.
    Raises `DataTrouble` if the description is invalid."""
    described = is_there(usual_table())
    if not described and not simulate:
        return None
    table = wiring() if described else imagined()
    return Simulator(table, clock()) if simulate else PinPanel(table, clock(), wake=wake)


def imagined() -> Wiring:
    """Everything a panel may have: six seats, coloured lamps, counters, and a knob instead of the "next" button."""
    usual = wiring(seats=6, counters=True)
    seats = tuple(replace(seat, lamp=Strip(first=n)) for n, seat in enumerate(usual.seats))
    knob = Knob(a=KNOB[0], b=KNOB[1], press=KNOB[2])
    return replace(usual, seats=seats, whole=replace(usual.whole, next=None, knob=knob))


def switch_off() -> None:
    """Switch this machine off, or request it from root's side."""
    if requests.may_ask():
        requests.ask("power-off")
    else:
        subprocess.Popen(POWER_OFF)


def complaints(panel: SeatPanel | None, unwired: tuple[Text, ...]) -> tuple[Text, ...]:
    """What is wrong with the buttons and lamps, in words; without a panel, why there is none."""
    return unwired if panel is None else tuple(map(problem_text, panel.problems))
