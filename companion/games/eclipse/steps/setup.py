"""Setting up (pp. 4-5): who begins, which species, the map and the first technologies."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.common_questions import which_seat
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import (
    CENTRE,
    OUTER_SECTORS,
    RESOURCES,
    TECHNOLOGIES_AT_START,
    Species,
    sectors,
    sectors_of,
    species,
    technologies,
)
from companion.games.eclipse.geometry import CENTRE_PLACE, home_place
from companion.games.eclipse.species import start_upgrades
from companion.games.eclipse.state import EMPTY_TRACKS, EclipseState, Fleet, Sector, Stack, does
from companion.games.eclipse.steps.cleanup import DrawTechnologies
from companion.games.eclipse.steps.round import BeginRound


class ChooseFirst(Ask, Struct, frozen=True, tag="choose-first"):
    """Who has the first player marker? Then species are chosen counter-clockwise, from the seat to the right
    (p. 4)."""

    seat: None = None
    slug: ClassVar[str] = "eclipse.first"

    def ask(self, state: EclipseState) -> Question:
        return which_seat(self.slug, state, say("eclipse.ask.first"))

    def take(self, state: EclipseState, option: str) -> EclipseState:
        first = int(option)
        choosing = reversed(list(state.clockwise(first)))
        asks = (ChooseSpecies(seat) for seat in choosing)
        start = TECHNOLOGIES_AT_START[len(state.seats)]
        return replace(state, first=first).push(*asks, LayOut(), DrawTechnologies(start), BeginRound())


class ChooseSpecies(Ask, Struct, frozen=True, tag="choose-species"):
    """Which species? A board has two sides: taking one removes the other from the game."""

    seat: int
    slug: ClassVar[str] = "eclipse.species"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.species")
        options = tuple(Option(s.id, state.called(s.id), s.id, describe(s)) for s in self._free(state))
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        board = species()[option]
        who = replace(
            state.seats[self.seat],
            species=option,
            stock=board.stock,
            discs=board.discs,
            technologies=board.technologies,
            upgrades=start_upgrades(option),
            reputation=board.reputation,
        )
        state = state.with_seat(self.seat, who)
        if board.reputation:
            state = does(state, self.seat, count("eclipse.draws-start-reputation", board.reputation))
        return settle_home(state, self.seat, board)

    def why_not(self, state: EclipseState, component: str) -> Text:
        return say("eclipse.why.species-taken" if component in species() else "eclipse.why.not-a-species")

    def _free(self, state: EclipseState) -> list[Species]:
        taken = {species()[seat.species].colour for seat in state.seats if seat.species}
        return [s for s in species().values() if s.colour not in taken]


def describe(board: Species) -> Text:
    """A species' values."""
    key = f"eclipse.about.{'terran' if board.id.startswith('terran') else board.id}"
    stock = board.stock
    return say(key, money=stock.money, science=stock.science, materials=stock.materials, trade=board.trade)


def settle_home(state: EclipseState, seat: int, board: Species) -> EclipseState:
    """The home sector at its start position with a disc, a ship, and a cube on every square that may have one.

    Squares with a star stay empty unless the species can use them: the Hydran start with Advanced Labs.
    """
    place, rotation = home_place(len(state.seats), seat)
    hex = sectors()[board.home]
    can = {technologies()[t].advanced for t in board.technologies}
    cubes = tuple(not s.endswith("*") or s.removesuffix("*") in can for s in hex.squares)
    fleet = Fleet(seat, {board.ship: 1})
    tracks = EMPTY_TRACKS
    for kind in RESOURCES:
        used = sum(square.startswith(kind) and cube for square, cube in zip(hex.squares, cubes, strict=True))
        tracks = tracks.add(kind, -used)
    state = state.with_sector(place, Sector(board.home, rotation, seat, cubes, (fleet,)))
    state = state.with_seat(seat, replace(state.seats[seat], tracks=tracks))
    way = say(f"eclipse.way.{rotation}")
    deed = say(
        "eclipse.settles-home", sector=state.called(hex.id), way=way, ship=say(f"eclipse.ship.{board.ship}")
    )
    return does(state, seat, deed)


class LayOut(Do, Struct, frozen=True, tag="lay-out"):
    """The centre with its guard and a discovery, and the three stacks."""

    def do(self, state: EclipseState) -> EclipseState:
        cubes = (False,) * len(sectors()[CENTRE].squares)
        centre = Sector(CENTRE, cubes=cubes, gcds=True, discovery=True)
        stacks = {}
        for ring in ("inner", "middle", "outer"):
            unseen = sectors_of(ring)
            left = OUTER_SECTORS[len(state.seats)] if ring == "outer" else len(unseen)
            stacks[ring] = Stack(unseen, left)
        return replace(state, map={CENTRE_PLACE: centre, **state.map}, stacks=stacks)
