"""Defaults for a game: a simple view, words of a sheet, bots, and components from one file."""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct

from companion.core.agenda import State, ready, waited_for
from companion.core.components import Catalogue, Component, Fact, SaidBy, read_toml
from companion.core.fact_values import anything, written
from companion.core.parts import SheetWords
from companion.core.views import SeatView, View
from companion.core.words import News, Text, count, plain, say
from scoring.sheet import Sheet

if TYPE_CHECKING:
    from companion.core.game import Setup
    from companion.core.questions import Question

C = TypeVar("C", bound=Component)


class Source(Struct, frozen=True):
    """The source of the printed values."""

    said_by: SaidBy


def read_components(package: str, list_: str, sort: type[C]) -> Catalogue[C]:
    """The components of one type in the `components.toml` of a game's folder, with their source."""
    fields: list[tuple[str, Any]] = [("source", Source), (list_, tuple[sort, ...])]  # type: ignore[valid-type]
    file = importlib.resources.files(package) / "components.toml"
    box = read_toml(file, msgspec.defstruct("Components", fields, frozen=True))
    return Catalogue(getattr(box, list_), {"*": Fact(None, box.source.said_by)})


def plain_view(sheet: Callable[[Any], Sheet], state: State) -> View:
    """Whose turn it is, and everybody's points."""
    waited = waited_for(state)
    seats = tuple(
        SeatView(n, seat.name, n in waited, ready(state, n), (), (), points=seat.total)
        for n, seat in enumerate(sheet(state).seats)
    )
    return View(round=1, phases=(), seats=seats, pools=(), meters=(), over=not state.agenda)


def lying_there(view: Callable[[Any], View], state: State) -> frozenset[str]:
    """The components the view shows in front of a seat or on a map."""
    shown = view(state)
    placed = {placed.component for seat in shown.seats for placed in seat.components}
    return frozenset(
        placed | {place.component for map in shown.maps for place in map.places if place.component}
    )


def plain_words(game: str, box: Callable[[], Catalogue[Component]]) -> SheetWords:
    """Words for a sheet: lines are named after their component, or `<game>.line.<line>`; measures
    `<game>.measured.<measure>`."""

    def words(what: str) -> Text:
        return box()[what].called if what in box() else say(f"{game}.line.{what}")

    def tie_break(sheet: Sheet) -> Text | None:
        winners = tuple(map(plain, sheet.winners))
        return say("core.tie", winners=winners) if sheet.tied else None

    return SheetWords(
        words=words, measured=lambda measure, n: count(f"{game}.measured.{measure}", n), tie_break=tie_break
    )


class AnyBots:
    """Bots that answer at random and handle no pieces."""

    careful = False

    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random

    def choose(self, state: Any, question: Question) -> str:
        """A random option, or a random value for the form."""
        if question.form is not None:
            return written(question.form, anything(question.form, self.random))
        return self.random.choice(question.options).id

    def follow(self, state: Any, news: tuple[News, ...]) -> None:
        """They handle nothing."""

    def pieces(self) -> int:
        """They handle nothing."""
        return 0
