"""Beyond the Sun: a tree of technologies, supply columns, and systems to control and colonise."""

from companion.core.components import Catalogue, Component, Facts
from companion.core.game import Game, Setup, read_box
from companion.core.samples import sample_names
from companion.games.beyond.board_checks import contradictions
from companion.games.beyond.bots import BeyondBots
from companion.games.beyond.census import census
from companion.games.beyond.component_types import everything, kind
from companion.games.beyond.corrections import check, correct
from companion.games.beyond.counters import counters
from companion.games.beyond.effect_signs import value_sign
from companion.games.beyond.faces import TINTS, face
from companion.games.beyond.highlights import HIGHLIGHTS
from companion.games.beyond.light import light
from companion.games.beyond.map_view import chart
from companion.games.beyond.position import POSITIONS
from companion.games.beyond.power_words import VOCABULARY
from companion.games.beyond.printed import printed
from companion.games.beyond.sheet import SHEET_WORDS, sheet_of_state
from companion.games.beyond.state import BeyondState, Seat
from companion.games.beyond.steps import STEPS
from companion.games.beyond.steps.setup import TellFirst
from companion.games.beyond.view import checklist, on_table, packing, view


def begin(setup: Setup) -> BeyondState:
    """The table before set-up: empty except for the two core achievements (rule 21)."""
    return BeyondState(
        agenda=(TellFirst(),),
        edition="original" if setup.choices["edition"] == "original" else "revised",
        advanced=setup.choices["boards"] == "advanced",
        seats=tuple(Seat(name) for name in setup.seats),
        achievements={"transcendence": (), "empire": ()},
    )


def catalogue(setup: Setup, taught: Facts) -> Catalogue[Component]:
    """All components of this table, with the facts taught about them."""
    edition = setup.choices.get("edition", "revised")
    return everything("original" if edition == "original" else "revised").taught(taught)


def sample() -> Facts:
    """The facts of a sample box for demonstrations, built on demand."""
    from companion.games.beyond.sample_box import even_box

    return {**even_box(), **sample_names(everything("revised"))}


GAME = Game(
    box=read_box(__name__),
    state=BeyondState,
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
    bots=BeyondBots,
    printed=printed,
    contradictions=contradictions,
    vocabulary=VOCABULARY,
    chart=chart,
    census=census,
    positions=POSITIONS,
    light=light,
    highlights=HIGHLIGHTS,
    demo_seed=27,
    sample=sample,
    kind=kind,
    face=face,
    value_sign=value_sign,
    tints=TINTS,
)
