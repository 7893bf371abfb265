"""Buttons and lamps beside the window: the owner's own, or a simulated panel along its lower edge."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.core.words import Text
from companion.errors import DataTrouble
from companion.table.pretending import Pretending
from companion.table.seat_panel import SeatPanel
from companion.table.wired import complaints, find_panel, switch_off
from companion.ui.toolkit.simulated_panel import SimulatedPanel
from devices.panel import Panel as Wired
from devices.simulator import Simulator

if TYPE_CHECKING:
    from companion.app import CompanionApp

TALLER = 1.2
"""A window with a simulated panel is so much higher than the screen above it."""


class PanelSide:
    """The panel of one window, if there is one."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.seats: SeatPanel | None = None
        self.simulator: Simulator | None = None
        self.strip: SimulatedPanel | None = None
        self.unwired: tuple[Text, ...] = ()
        self.powered_off: Callable[[], Any] = lambda: None
        self._pretending: Pretending | None = None
        self._problems: tuple[Any, ...] = ()

    def connect(self, simulate: bool) -> None:
        """Use the owner's buttons and lamps if there are any; or, on request, a panel on the screen."""
        try:
            panel = find_panel(simulate, time.monotonic, self._wake)
        except DataTrouble as trouble:
            self.unwired = (trouble.text, *trouble.problems)
            self.app.tell(trouble.problems[0], "refused")
            return
        if panel is None:
            return
        if isinstance(panel, Simulator):
            self.simulator = panel
        else:
            self.powered_off = switch_off
        self.attach(panel).start()

    def attach(self, panel: Wired, clock: Callable[[], float] = time.monotonic) -> SeatPanel:
        """Let buttons and lamps take part."""
        app = self.app
        self.seats = SeatPanel(
            app.desk, panel, lambda who, gesture: app.post(lambda: app.buttons.act(who, gesture)), clock
        )
        app.voice.buzz = self.seats.buzz
        self._pretending = Pretending(panel, self.seats) if isinstance(panel, Simulator) else None
        return self.seats

    def _wake(self) -> None:
        """A contact has moved; the thread that watches the pins says so."""
        if self.seats is not None:
            self.seats.wake()

    def complaints(self) -> tuple[Text, ...]:
        """What is wrong with the buttons and lamps, in words."""
        return complaints(self.seats, self.unwired)

    def stop(self) -> None:
        """Lamps out."""
        if self.seats is not None:
            self.seats.stop()

    # On the screen

    @property
    def taller(self) -> float:
        """How much higher the window is than the screen in it."""
        return TALLER if self.simulator else 1.0

    def build(self, width: float, pad: float) -> SimulatedPanel | None:
        """The simulated panel along the lower edge of a window so wide, if there is one."""
        if self.simulator is None or self._pretending is None:
            return None
        desk = self.app.desk
        playing = desk.play is not None
        names = desk.session.setup.seats if playing else ()
        letters = tuple(mark.letter for mark in desk.marks()) if playing else ()
        pretend = self._pretending
        self.strip = SimulatedPanel(self.simulator, names, letters, pretend.move, pretend.turn)
        self.strip.place(pad, pad, width - 2 * pad, self.strip.fit(width - 2 * pad))
        self.strip.show()
        return self.strip

    def tick(self) -> None:
        """Show lamps as they are, and that something is broken or works again."""
        if self.strip is not None:
            self.strip.show()
        if self.seats is not None and self.seats.problems != self._problems:
            self._problems = self.seats.problems
            self.app.refresh()

    def key(self, code: int, down: bool) -> bool:
        """A key that stands for a button of the simulated panel; whether this one does."""
        return (
            self.simulator is not None and self._pretending is not None and self._pretending.key(code, down)
        )
