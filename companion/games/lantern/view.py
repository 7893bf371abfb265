"""The public view of the table, its sheet, and the lists for setting up and packing away."""

from __future__ import annotations

from companion.core.agenda import ready, waited_for
from companion.core.faces import Sign
from companion.core.game import Setup
from companion.core.hexes import middle
from companion.core.views import (
    FreePlace,
    Gauge,
    MapView,
    Meter,
    PlacedView,
    PlaceView,
    SeatView,
    Shown,
    TokenView,
    View,
)
from companion.core.words import Text, plain, say
from companion.games.lantern.state import OIL, LanternState, night
from scoring import lantern as scoring
from scoring.sheet import Sheet


def view(state: LanternState) -> View:
    """The public table: oil, and the candle every player sees."""
    waited = waited_for(state)
    oil = say("lantern.oil")
    seats = tuple(
        SeatView(
            seat,
            name,
            seat in waited,
            ready(state, seat),
            (Shown("oil", oil, state.oil[seat]),),
            (PlacedView("candle", plain("Candle")),),
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
        maps=(_lane(state),),
    )


def _lane(state: LanternState) -> MapView:
    """The nights in a row: those already lit, and those to come."""
    return MapView(
        "lane",
        say("lantern.map.lane"),
        tuple(_lit(state, n) for n in range(1, state.round + 1)),
        tuple(FreePlace(night(n), *middle(n, 0)) for n in range(state.round + 1, state.rounds + 1)),
        legend=(Sign("oil"),),
    )


def _lit(state: LanternState, n: int) -> PlaceView:
    """One night: a hex that is lit once its round is played; the last hex shows the oil that is left."""
    left = (TokenView(Sign("oil"), state.pool),) if n == state.round and state.pool else ()
    x, y = middle(n, 0)
    return PlaceView(
        id=night(n),
        x=x,
        y=y,
        component="candle",
        name=plain("Candle"),
        label=plain(str(n)),
        tokens=left,
        notes=(say("lantern.map.lit", n=n),),
    )


def on_table(state: LanternState) -> frozenset[str]:
    """The candle, which burns all the time."""
    return frozenset({"candle"})


def sheet(state: LanternState) -> Sheet:
    """The score as it would be if the play ended now."""
    return scoring.score(dict(zip(state.names, state.oil, strict=True)))


def checklist(setup: Setup) -> tuple[Text, ...]:
    """What to do on the table before the first round."""
    return (say("lantern.setup.light"),)


def packing(setup: Setup) -> tuple[Text, ...]:
    """What to put where when the play is over."""
    return (say("lantern.pack.blow-out"),)
