"""Race for the Galaxy, the base game."""

from companion.core.components import Catalogue, Component, Facts
from companion.core.game import Game, Setup, read_box
from companion.games.race.bots import RaceBots
from companion.games.race.cards import everything, kind
from companion.games.race.census import census
from companion.games.race.corrections import check, correct, counters
from companion.games.race.faces import TINTS, face
from companion.games.race.highlights import HIGHLIGHTS
from companion.games.race.light import light
from companion.games.race.position import POSITIONS, SHEET_WORDS
from companion.games.race.printed import printed
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps import STEPS
from companion.games.race.steps.setup import ChooseStartWorld, DealHands
from companion.games.race.view import checklist, on_table, packing, sheet, view


def begin(setup: Setup) -> RaceState:
    """The empty table, about to deal start worlds."""
    asks = (ChooseStartWorld(seat) for seat in range(len(setup.seats)))
    return RaceState(
        agenda=(*asks, DealHands()),
        edition=setup.choices["edition"],
        opening=setup.choices["opening"],
        advanced=setup.choices["actions"] == "advanced",
        seats=tuple(Seat(name) for name in setup.seats),
    )


def catalogue(setup: Setup, taught: Facts) -> Catalogue[Component]:
    """Every component of this game."""
    return everything(setup.choices.get("edition", "first")).taught(taught)


GAME = Game(
    box=read_box(__name__),
    state=RaceState,
    steps=STEPS,
    catalogue=catalogue,
    begin=begin,
    check=check,
    view=view,
    on_table=on_table,
    counters=counters,
    correct=correct,
    sheet=sheet,
    sheet_words=SHEET_WORDS,
    checklist=checklist,
    packing=packing,
    bots=RaceBots,
    printed=printed,
    census=census,
    kind=kind,
    positions=POSITIONS,
    light=light,
    highlights=HIGHLIGHTS,
    demo_seed=26,
    face=face,
    tints=TINTS,
)
