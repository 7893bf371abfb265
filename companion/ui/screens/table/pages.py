"""Which questions have a page of their own instead of tiles: places, dice, boards, ships.

`build(screen, question)` makes a page; it is between the band and the tasks line. `whole`: it needs all the
room below the band; without `seats`, only the row of seats is left out; without `band`, it says itself who is
asked. The first page whose `wants` returns true is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.core.game import full_game
from companion.core.questions import Question
from companion.ui.screens.table.battle_page import battle_page, wants_battle
from companion.ui.screens.table.blueprint_page import blueprint_page, wants_blueprint
from companion.ui.screens.table.board_page import board_page, wants_board, wants_row
from companion.ui.screens.table.dice import DicePad
from companion.ui.screens.table.fact import is_long, is_short
from companion.ui.screens.table.numbers_page import numbers_page, wants_numbers
from companion.ui.screens.table.options import option_tile, tiles
from companion.ui.screens.table.place_page import place_page, wants_places
from companion.ui.screens.table.turn_page import turn_page, wants_turn
from companion.ui.toolkit.kit import Column, Part, Plate, Scroll, Tap

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen


class TaskPage(Struct, frozen=True):
    """One kind of page: which questions it is for, and how it is made."""

    name: str
    wants: Callable[[Question], bool]
    build: Callable[[TableScreen, Question], Part]
    whole: bool = False
    seats: bool = True
    band: bool = True


def _dice(screen: TableScreen, question: Question) -> Part:
    return _scrolled(DicePad(screen, question, screen.tray).parts(), question)


def _fact(screen: TableScreen, question: Question) -> Part:
    return _scrolled(screen.fact_pad.short(question), question)


def _facts(screen: TableScreen, question: Question) -> Part:
    return screen.fact_pad.page(question)


def _scrolled(parts: list[Part], question: Question) -> Part:
    return Plate(Scroll(Column(parts, gap=8), key=f"{question.slug} {question.seat}"), pad=10, radius=10)


def _finished(screen: TableScreen, question: Question) -> Part:
    """The way to the score of a table that was not followed card by card, and the end without it."""
    session = screen.desk.session
    full = full_game(session.game.id)
    setup = session.setup
    count = Tap(
        screen.t("ui.finished-count"),
        partial(
            screen.app.go,
            "score-only",
            game=full,
            seats=setup.seats,
            choices=setup.choices,
            finishing=question,
        ),
        icon="trophy",
        kind="main",
        size="prompt",
        name="count",
    )
    others = [option_tile(screen, question, n) for n in range(len(question.options))]
    return tiles([count, *others])


PAGES = (
    TaskPage("finished", lambda question: question.finished is not None, _finished),
    TaskPage("turn", wants_turn, turn_page, whole=True, band=False),
    TaskPage("battle", wants_battle, battle_page, whole=True),
    TaskPage("blueprint", wants_blueprint, blueprint_page, whole=True),
    TaskPage("places", wants_places, place_page, whole=True),
    TaskPage("row", wants_row, board_page),
    TaskPage("board", wants_board, board_page, whole=True),
    TaskPage("dice", lambda question: question.dice is not None, _dice, seats=False),
    TaskPage("numbers", wants_numbers, numbers_page, whole=True),
    TaskPage("fact", is_short, _fact, seats=False),
    TaskPage("facts", is_long, _facts, whole=True),
)


def page_for(question: Question) -> TaskPage | None:
    """The page for this question; none if its options are tiles."""
    return next((page for page in PAGES if page.wants(question)), None)
