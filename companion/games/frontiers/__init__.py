"""New Frontiers: the tiles of an empire, selected actions, goods, colonists and goals."""

from companion.core.components import Catalogue, Component, Facts
from companion.core.game import Game, Setup, read_box
from companion.core.samples import sample_names
from companion.games.frontiers import census
from companion.games.frontiers.bots import FrontiersBots
from companion.games.frontiers.component_types import WHITE, everything, kind
from companion.games.frontiers.corrections import check, correct, counters
from companion.games.frontiers.faces import TINTS, face, value_sign
from companion.games.frontiers.highlights import HIGHLIGHTS
from companion.games.frontiers.light import light
from companion.games.frontiers.position import POSITIONS
from companion.games.frontiers.power_words import VOCABULARY
from companion.games.frontiers.printed import printed
from companion.games.frontiers.sheet import SHEET_WORDS, sheet_of_state
from companion.games.frontiers.state import FrontiersState, Seat
from companion.games.frontiers.steps import STEPS
from companion.games.frontiers.steps.display import TellFaces
from companion.games.frontiers.steps.setup import TellOrder
from companion.games.frontiers.view import checklist, on_table, packing, view


def begin(setup: Setup) -> FrontiersState:
    """The empty table, before the players told which faces are up and whose disc lies where."""
    faces, first = setup.choices["faces"], setup.choices["faces"] == "first"
    return FrontiersState(
        agenda=(TellOrder(),) if faces == "untold" else (TellFaces(None), TellOrder()),
        faces=WHITE if first else (),
        first=first,
        goals=setup.choices["goals"] == "goals",
        seats=tuple(Seat(name) for name in setup.seats),
    )


def catalogue(setup: Setup, taught: Facts) -> Catalogue[Component]:
    """Every component of this game, with the taught facts."""
    return everything().taught(taught)


def sample() -> Facts:
    """The sample box of a demonstration; it is built only on request."""
    from companion.games.frontiers.sample_box import FACTS

    return {**FACTS, **sample_names(everything())}


GAME = Game(
    box=read_box(__name__),
    state=FrontiersState,
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
    bots=FrontiersBots,
    printed=printed,
    vocabulary=VOCABULARY,
    census=census.census,
    kind=kind,
    positions=POSITIONS,
    light=light,
    highlights=HIGHLIGHTS,
    demo_seed=29,
    sample=sample,
    face=face,
    value_sign=value_sign,
    tints=TINTS,
)
