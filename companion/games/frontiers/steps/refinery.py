"""The Oort Cloud Refinery: its owner names its kind once in an action, if it matters (p. 4)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.questions import Option, Question
from companion.core.words import Text, plain, say
from companion.games.frontiers.component_types import World
from companion.games.frontiers.deeds import put_good
from companion.games.frontiers.faces import good
from companion.games.frontiers.powers import Consume
from companion.games.frontiers.state import FrontiersState
from scoring.frontiers import KINDS, Kind


def refinery(state: FrontiersState, seat: int) -> World | None:
    """The refinery, if it is this seat's colony."""
    worlds = (state.world(colony.tile) for colony in state.seats[seat].colonies)
    return next((world for world in worlds if world.kind == "any"), None)


def kind_of(state: FrontiersState, seat: int, world: World) -> Kind | None:
    """The kind of a good produced on this world in this action; None for gray, and for a refinery not yet named."""
    return state.seats[seat].named if world.kind == "any" else world.kind


class NameKind(Ask, Struct, frozen=True, tag="name-kind"):
    """Of which kind is the refinery in this action? Kinds the owner's Consume powers take come first, since
    its good is never sold."""

    seat: int
    slug: ClassVar[str] = "frontiers.name-kind"

    def ask(self, state: FrontiersState) -> Question:
        wanted = [power.good for _, power in state.having(self.seat, Consume)]
        left = state.cubes()
        kinds = sorted(KINDS, key=lambda kind: (left[kind] <= 0, kind not in wanted))
        options = tuple(Option(kind, say(f"frontiers.good.{kind}"), signs=(good(kind),)) for kind in kinds)
        text = say("frontiers.ask.name-kind", world=self._name(state))
        return Question(self.slug, self.seat, text, options, notes=state.order_notes)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        kind = next(kind for kind in KINDS if kind == option)
        return named(state, self.seat, kind)

    def is_obsolete(self, state: FrontiersState) -> bool:
        return state.seats[self.seat].named is not None or refinery(state, self.seat) is None

    def _name(self, state: FrontiersState) -> Text:
        world = refinery(state, self.seat)
        return plain("") if world is None else world.called


def named(state: FrontiersState, seat: int, kind: Kind) -> FrontiersState:
    """Set the kind of the refinery until this action is over."""
    return state.with_seat(seat, replace(state.seats[seat], named=kind))


def windfall_good(state: FrontiersState, seat: int, tile: str) -> tuple[Step, ...]:
    """The good a windfall world gets when it is placed; the refinery's has the named kind (p. 6)."""
    world = state.world(tile)
    if world.goods != "windfall":
        return ()
    name: tuple[Step, ...] = (NameKind(seat),) if world.kind == "any" else ()
    return (*name, PutWindfallGood(seat, tile))


class PutWindfallGood(Do, Struct, frozen=True, tag="put-windfall-good"):
    """Put a good on a windfall world just placed; if its colour has run out, the world starts empty (p. 11)."""

    seat: int
    tile: str

    def do(self, state: FrontiersState) -> FrontiersState:
        kind = kind_of(state, self.seat, state.world(self.tile))
        return state if kind is None else put_good(state, self.seat, self.tile, kind)
