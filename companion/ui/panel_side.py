"""Buttons and lamps beside the window: real ones, or a simulated panel along its lower edge."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.core.words import Text
from companion.errors import DataTrouble
from companion.table.panel_setup import complaints, find_panel, switch_off
from companion.table.seat_panel import SeatPanel
from companion.table.simulated_input import SimulatedInput
from companion.ui.toolkit.simulated_panel import SimulatedPanel
from devices.panel import Panel as Wired
from devices.simulator import Simulator

if TYPE_CHECKING:
    from companion.ui.toolkit.context import WindowContext

TALLER = 1.2
"""How much higher a window with a simulated panel is than its screen."""


class PanelSide:
    """The panel of one window, if there is one."""

    def __init__(self, app: WindowContext) -> None:
        self.app = app
        self.seats: SeatPanel | None = None
        self.simulator: Simulator | None = None
        self.strip: SimulatedPanel | None = None
        self.unwired: tuple[Text, ...] = ()
        self.powered_off: Callable[[], Any] = lambda: None
        self._pretending: SimulatedInput | None = None
        self._problems: tuple[Any, ...] = ()

    def connect(self, simulate: bool) -> None:
        """Use real buttons and lamps if there are any; or, on request, a simulated panel."""
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
        """Connect buttons and lamps."""
        app = self.app
        self.seats = SeatPanel(
            app.desk, panel, lambda who, gesture: app.post(lambda: app.buttons.act(who, gesture)), clock
        )
        app.voice.buzz = self.seats.buzz
        self._pretending = SimulatedInput(panel, self.seats) if isinstance(panel, Simulator) else None
        return self.seats

    def _wake(self) -> None:
        """A contact has changed; called by the thread that watches the pins."""
        if self.seats is not None:
            self.seats.wake()

    def complaints(self) -> tuple[Text, ...]:
        """What is wrong with the buttons and lamps, in words."""
        return complaints(self.seats, self.unwired)

    def stop(self) -> None:
        """Switch the lamps off."""
        if self.seats is not None:
            self.seats.stop()

    # On the screen

    @property
    def taller(self) -> float:
        """The height of the window relative to its screen."""
        return TALLER if self.simulator else 1.0

    def build(self, width: float, pad: float) -> SimulatedPanel | None:
        """The simulated panel along the lower edge of a window of this width, if there is one."""
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
        """Update the lamps, and show when something breaks or works again."""
        if self.strip is not None:
            self.strip.show()
        if self.seats is not None and self.seats.problems != self._problems:
            self._problems = self.seats.problems
            self.app.refresh()

    def key(self, code: int, down: bool) -> bool:
        """Handle a key that stands for a simulated button; true if this one does."""
        return (
            self.simulator is not None and self._pretending is not None and self._pretending.key(code, down)
        )
