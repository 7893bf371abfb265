"""Which faces of the two-faced developments are up: asked once, at set-up or while developing (p. 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, say
from companion.games.frontiers.component_types import stacks
from companion.games.frontiers.state import FrontiersState

LATER = "later"


def untold_stacks(state: FrontiersState) -> tuple[str, ...]:
    """The two-faced stacks whose face is unknown and of which no seat owns a tile."""
    owned = {id for seat in state.seats for id in seat.developments}
    return tuple(
        stack for stack, pair in stacks().items() if state.face_up(stack) is None and owned.isdisjoint(pair)
    )


class TellFaces(Ask, Struct, frozen=True, tag="tell-faces"):
    """Which faces lie on the board? One pick for each pair, in any order; the rest may stay open."""

    seat: int | None
    slug: ClassVar[str] = "frontiers.faces"

    def ask(self, state: FrontiersState) -> Question:
        later = Option(LATER, say("frontiers.option.faces-later"))
        told, pairs = sum(state.face_up(stack) is not None for stack in stacks()), len(stacks())
        options = (later, *_options(state))
        text, tally = say("frontiers.ask.faces"), Picks(told, pairs)
        return Question(self.slug, self.seat, text, options, tally=tally, any_order=True)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return state if option == LATER else replace(state, faces=(*state.faces, option)).push(self)

    def why_not(self, state: FrontiersState, component: str) -> Text:
        two_faced = any(component in pair for pair in stacks().values())
        return say("frontiers.why.face-told" if two_faced else "frontiers.why.one-face")

    def is_obsolete(self, state: FrontiersState) -> bool:
        """Whether all pairs are answered."""
        return not untold_stacks(state)


def _options(state: FrontiersState) -> Iterator[Option]:
    """Both faces of every pair, one above the other: small ones above, large ones below."""
    untold = untold_stacks(state)
    columns = {True: 0, False: 0}
    for stack, pair in stacks().items():
        large = state.development(pair[0]).large
        column = columns[large]
        columns[large] += 1
        for row, id in enumerate(pair if stack in untold else ()):
            yield Option(id, state.name(id), id, cell=(2 * large + row, column))
