"""Eclipse: New Dawn for the Galaxy, first edition, the base game."""

from companion.core.components import Catalogue, Component, Facts
from companion.core.game import Game, Setup, read_box
from companion.games.eclipse.bots import EclipseBots
from companion.games.eclipse.component_types import everything
from companion.games.eclipse.conserved import check
from companion.games.eclipse.corrections import correct, counters
from companion.games.eclipse.faces import TINTS, face
from companion.games.eclipse.highlights import HIGHLIGHTS
from companion.games.eclipse.light import light
from companion.games.eclipse.odds import odds_of
from companion.games.eclipse.position import POSITIONS, SHEET_WORDS
from companion.games.eclipse.printed import kind, printed
from companion.games.eclipse.state import EclipseState, Seat
from companion.games.eclipse.steps import STEPS
from companion.games.eclipse.steps.setup import ChooseFirst
from companion.games.eclipse.tools import TOOLS
from companion.games.eclipse.view import checklist, on_table, packing, sheet, view


def begin(setup: Setup) -> EclipseState:
    """The empty table, about to choose species."""
    return EclipseState(
        agenda=(ChooseFirst(),),
        seats=tuple(Seat(name) for name in setup.seats),
        odds=setup.choices["odds"] == "shown",
        later=setup.choices["rulings"] == "later",
    )


def catalogue(setup: Setup, taught: Facts) -> Catalogue[Component]:
    """Every component of this game."""
    return everything().taught(taught)


GAME = Game(
    box=read_box(__name__),
    state=EclipseState,
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
    bots=EclipseBots,
    printed=printed,
    kind=kind,
    positions=POSITIONS,
    odds=odds_of,
    tools=TOOLS,
    light=light,
    highlights=HIGHLIGHTS,
    demo_seed=94,
    face=face,
    tints=TINTS,
)
