"""What everybody may see of the table, its sheet, and the lists for setting up and packing away."""

from __future__ import annotations

from companion.core.agenda import ready, waited_for
from companion.core.game import Setup
from companion.core.views import Gauge, Meter, PlacedView, SeatView, Shown, View
from companion.core.words import Text, say
from companion.games.lantern.state import OIL, LanternState
from scoring.sheet import Line, SeatSheet, Sheet


def view(state: LanternState) -> View:
    """The public table: oil, and the candle that burns before everybody."""
    waited = waited_for(state)
    oil = say("lantern.oil")
    seats = tuple(
        SeatView(
            seat,
            name,
            seat in waited,
            ready(state, seat),
            (Shown("oil", oil, state.oil[seat]),),
            (PlacedView("candle", "Candle"),),
        )
        for seat, name in enumerate(state.names)
    )
    return View(
        round=state.round,
        phases=(),
        seats=seats,
        pools=(Gauge("oil", oil, state.pool, OIL),),
        meters=(Meter("oil", say("lantern.oil-taken"), OIL - state.pool, OIL),),
        over=not state.agenda,
    )


def on_table(state: LanternState) -> frozenset[str]:
    """The candle burns all the time."""
    return frozenset({"candle"})


def sheet(state: LanternState) -> Sheet:
    """A point for each oil."""
    best = max(state.oil)
    seats = tuple(
        SeatSheet(name, oil, 1 + sum(o > oil for o in state.oil), (Line("oil", oil),))
        for name, oil in zip(state.names, state.oil, strict=True)
    )
    return Sheet("lantern", seats, tuple(s.name for s in seats if s.total == best))


def checklist(setup: Setup) -> tuple[Text, ...]:
    """What to do on the table before the first round."""
    return (say("lantern.setup.light"),)


def packing(setup: Setup) -> tuple[Text, ...]:
    """What to put where when the play is over."""
    return (say("lantern.pack.blow-out"),)
