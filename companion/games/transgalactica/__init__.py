"""Transgalactica: outposts, tracks, missions and the senate, in five rounds."""

from companion.core.components import Catalogue, Component, Facts
from companion.core.game import Game, Setup, read_box
from companion.games.transgalactica.bots import TransgalacticaBots
from companion.games.transgalactica.component_types import everything, kind
from companion.games.transgalactica.corrections import check, correct, counters
from companion.games.transgalactica.faces import TINTS, face
from companion.games.transgalactica.highlights import HIGHLIGHTS
from companion.games.transgalactica.light import light
from companion.games.transgalactica.map_view import chart
from companion.games.transgalactica.position import POSITIONS
from companion.games.transgalactica.power_words import VOCABULARY
from companion.games.transgalactica.printed import printed
from companion.games.transgalactica.setting import agreed, captains
from companion.games.transgalactica.sheet import SHEET_WORDS, sheet_of_state
from companion.games.transgalactica.state import Seat, TransState
from companion.games.transgalactica.steps import STEPS
from companion.games.transgalactica.steps.setup import TellFirst
from companion.games.transgalactica.value_signs import value_sign
from companion.games.transgalactica.view import checklist, on_table, packing, view


def begin(setup: Setup) -> TransState:
    """The empty table before set-up."""
    return TransState(
        agenda=(TellFirst(),),
        choices=agreed(setup),
        seats=tuple(Seat(name, captains=captains(setup)) for name in setup.seats),
    )


def catalogue(setup: Setup, taught: Facts) -> Catalogue[Component]:
    """All components of this table, with the facts taught about them."""
    return everything().taught(taught)


def sample() -> Facts:
    """The facts of a sample box for demonstrations, built on demand."""
    from companion.games.transgalactica.sample_box import sample_box

    return sample_box()


GAME = Game(
    box=read_box(__name__),
    state=TransState,
    steps=STEPS,
    catalogue=catalogue,
    begin=begin,
    check=check,
    view=view,
    on_table=on_table,
    counters=counters,
    correct=correct,
    sheet=sheet_of_state,
    sheet_words=SHEET_WORDS,
    checklist=checklist,
    packing=packing,
    bots=TransgalacticaBots,
    printed=printed,
    vocabulary=VOCABULARY,
    kind=kind,
    positions=POSITIONS,
    light=light,
    highlights=HIGHLIGHTS,
    demo_seed=20,
    sample=sample,
    face=face,
    value_sign=value_sign,
    tints=TINTS,
    chart=chart,
)
