"""Cubes and discs returning from the map: each cube to its track, from gray squares to a chosen one (p. 8)."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import say
from companion.games.eclipse.component_types import RESOURCES, Resource
from companion.games.eclipse.state import EclipseState, does, kinds_for

Goal = Literal["tracks", "graveyard"]


class ReturnCubes(Do, Struct, frozen=True, tag="return-cubes"):
    """Cubes of these squares go back to the board of their seat: to population tracks, or to graveyards (p. 20)."""

    seat: int
    squares: tuple[str, ...]
    to: Goal = "tracks"

    def do(self, state: EclipseState) -> EclipseState:
        # Cubes without a choice go first; otherwise a choice could take their place.
        squares = sorted(self.squares, key=lambda square: len(kinds_for(square)))
        for n, square in enumerate(squares):
            kinds = places(state, self.seat, square, self.to)
            if len(kinds) > 1:
                rest = ReturnCubes(self.seat, tuple(squares[n + 1 :]), self.to)
                return state.push(ChooseTrack(self.seat, square, self.to), rest)
            state = put_cube(state, self.seat, kinds[0], self.to)
        return state


class ChooseTrack(Ask, Struct, frozen=True, tag="choose-track"):
    """To which track does this cube go?"""

    seat: int
    square: str
    to: Goal
    slug: ClassVar[str] = "eclipse.return-cube"

    def ask(self, state: EclipseState) -> Question:
        text = say(f"eclipse.ask.cube-to-{self.to}")
        options = tuple(
            Option(
                kind,
                say(f"eclipse.kind.{kind}"),
                detail=say("eclipse.income", n=state.income(self.seat, kind)),
                signs=(
                    Sign(kind, tint=kind),
                    Sign(f"{kind}-income", f"+{state.income(self.seat, kind)}", kind),
                ),
            )
            for kind in places(state, self.seat, self.square, self.to)
        )
        return Question(self.slug, self.seat, text, options)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        kind = next(k for k in RESOURCES if k == option)
        return put_cube(state, self.seat, kind, self.to)


def places(state: EclipseState, seat: int, square: str, to: Goal = "tracks") -> tuple[Resource, ...]:
    """Where a cube from this square may go: the track of its kind or, if that is full, another one (p. 24)."""
    kinds = kinds_for(square)
    if to == "graveyard":
        return kinds
    tracks = state.seats[seat].tracks
    free = tuple(kind for kind in RESOURCES if tracks.of(kind) < state.track_room)
    return tuple(kind for kind in kinds if kind in free) or free


def put_cube(state: EclipseState, seat: int, kind: Resource, to: Goal) -> EclipseState:
    """The table with one more cube on a track, or in a graveyard."""
    who = state.seats[seat]
    if to == "graveyard":
        return state.with_seat(seat, replace(who, graveyard=who.graveyard.add(kind, 1)))
    return state.with_seat(seat, replace(who, tracks=who.tracks.add(kind, 1)))


def take_cube(state: EclipseState, seat: int, kind: Resource) -> EclipseState:
    """The table with one cube less on a track; the caller must put it somewhere."""
    who = state.seats[seat]
    return state.with_seat(seat, replace(who, tracks=who.tracks.add(kind, -1)))


def lose_cubes(state: EclipseState, place: str, squares: tuple[int, ...], to: Goal) -> EclipseState:
    """The table with the cubes on these squares (indices into `Sector.squares`) about to return."""
    sector = state.map[place]
    assert sector.owner is not None
    kinds = tuple(sector.squares[n][0] for n in squares)
    cubes = tuple(taken and n not in squares for n, taken in enumerate(sector.cubes))
    state = state.with_sector(place, replace(sector, cubes=cubes))
    return state.push(ReturnCubes(sector.owner, kinds, to)) if kinds else state


def abandon(state: EclipseState, place: str) -> EclipseState:
    """The table with a sector's disc back on its track, and its cubes about to return (p. 10)."""
    sector = state.map[place]
    owner = sector.owner
    assert owner is not None
    taken = tuple(n for n, cube in enumerate(sector.cubes) if cube)
    state = lose_cubes(state, place, taken, "tracks")
    state = state.with_sector(place, replace(state.map[place], owner=None))
    return does(state, owner, say("eclipse.abandons", sector=state.where(place)))
