"""Lantern: a tiny game made to be awkward, so that the laws are tried on more than one shape.

Three rounds. Everybody shows a card in secret; the brightest leads and takes oil from the pool, then the others
follow one another or stay dark, all at once. How bright the Moth is nobody knows until the table is asked, nor what
the Firefly does when it leads.
"""

from companion.core.components import Catalogue, Facts
from companion.core.fact_values import Vocabulary
from companion.core.game import Game, Setup, read_box
from companion.games.lantern.bots import LanternBots
from companion.games.lantern.corrections import check, correct, counters
from companion.games.lantern.faces import TINTS, face
from companion.games.lantern.highlights import HIGHLIGHTS
from companion.games.lantern.position import POSITIONS, SHEET_WORDS
from companion.games.lantern.printed import printed
from companion.games.lantern.state import LanternState
from companion.games.lantern.steps import STEPS, BeginRound
from companion.games.lantern.things import AnyEffect, Light, lights, say_effect
from companion.games.lantern.view import checklist, on_table, packing, sheet, view


def begin(setup: Setup) -> LanternState:
    """The table before the first card is shown."""
    seats = len(setup.seats)
    return LanternState(
        agenda=(BeginRound(),),
        names=setup.seats,
        long=setup.choices["length"] == "long",
        shown=(None,) * seats,
        oil=(0,) * seats,
    )


def catalogue(setup: Setup, taught: Facts) -> Catalogue[Light]:
    """All that can lie on this table."""
    return lights().taught(taught)


GAME = Game(
    box=read_box(__name__),
    state=LanternState,
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
    bots=LanternBots,
    printed=printed,
    vocabulary=Vocabulary(AnyEffect, say_effect),
    positions=POSITIONS,
    highlights=HIGHLIGHTS,
    face=face,
    tints=TINTS,
)
