"""Which questions have a page of their own instead of tiles: places, dice, boards, ships.

A page is made by `build(screen, question)`; it stands between the band and the hands' line. `whole`: it needs all the
room below the band, so that the seats' row is not shown meanwhile. The first page whose `wants` says yes is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.core.questions import Question
from companion.ui.screens.table.dice import DicePad
from companion.ui.toolkit.kit import Column, Part, Plate, Scroll

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen


class TaskPage(Struct, frozen=True):
    """One kind of page: which questions it is for, and how it is made."""

    name: str
    wants: Callable[[Question], bool]
    build: Callable[[TableScreen, Question], Part]
    whole: bool = False


def _dice(screen: TableScreen, question: Question) -> Part:
    return _scrolled(DicePad(screen, question, screen.tray).parts(), question)


def _fact(screen: TableScreen, question: Question) -> Part:
    return _scrolled(screen.fact_pad.parts(question), question)


def _scrolled(parts: list[Part], question: Question) -> Part:
    return Plate(Scroll(Column(parts, gap=8), key=f"{question.slug} {question.seat}"), pad=8, radius=10)


PAGES = (
    TaskPage("dice", lambda question: question.dice is not None, _dice),
    TaskPage("fact", lambda question: question.form is not None, _fact),
)


def page_for(question: Question) -> TaskPage | None:
    """The page of this question; none if its options are tiles."""
    return next((page for page in PAGES if page.wants(question)), None)
