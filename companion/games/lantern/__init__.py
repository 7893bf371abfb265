"""Lantern: a tiny game with deliberately awkward rules, so that the laws are tested on more than one kind of game.

It has three rounds. Every player shows a card in secret; the brightest card leads and its player takes oil
from the pool. Then all other players choose at once whether to follow or stay dark. The brightness of the
Moth and the effect of the Firefly are unknown until the players are asked.
"""

from companion.core.components import Catalogue, Facts
from companion.core.fact_values import Vocabulary
from companion.core.game import Game, Setup, read_box
from companion.games.lantern.bots import LanternBots
from companion.games.lantern.component_types import AnyEffect, Light, lights, say_effect
from companion.games.lantern.corrections import check, correct, counters
from companion.games.lantern.faces import TINTS, face
from companion.games.lantern.highlights import HIGHLIGHTS
from companion.games.lantern.position import POSITIONS, SHEET_WORDS
from companion.games.lantern.printed import printed
from companion.games.lantern.state import LanternState
from companion.games.lantern.steps import STEPS, BeginRound
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
    """Every component of this game."""
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
