"""Powers our vocabulary cannot say: whoever owns one tells what it gave, at its moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask, Step
from companion.core.questions import Option, Question
from companion.core.words import say
from companion.games.frontiers import faces
from companion.games.frontiers.deeds import gain
from companion.games.frontiers.powers import Gain, Told, gained
from companion.games.frontiers.state import FrontiersState
from scoring.frontiers import Phase

NOTHING = "nothing"
MOST: dict[Gain, int] = {"credits": 5, "points": 5, "colonists": 3}
"""More than this no tile of the box is likely to give at once; a counter can be set right."""


class AskTold(Ask, Struct, frozen=True, tag="ask-told"):
    """What did this power of this tile give?"""

    seat: int
    tile: str
    power: int
    """Its place among the powers of the tile."""
    slug: ClassVar[str] = "frontiers.told"

    def ask(self, state: FrontiersState) -> Question:
        nothing = Option(NOTHING, say("frontiers.option.nothing"))
        text = say("frontiers.ask.told", tile=state.name(self.tile))
        return Question(self.slug, self.seat, text, (nothing, *self._gains(state)))

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        if option == NOTHING:
            return state
        sort, _, n = option.partition(":")
        what = next(what for what in MOST if what == sort)
        return gain(state, self.seat, what, int(n), (state.name(self.tile),))

    def moot(self, state: FrontiersState) -> bool:
        """A correction may have taken the tile away, or a fact told since said what the power does."""
        if not any(tile.id == self.tile for tile in state.tiles(self.seat)):
            return True
        powers = state.tile(self.tile).powers or ()
        return self.power >= len(powers) or not isinstance(powers[self.power], Told)

    def _gains(self, state: FrontiersState) -> Iterator[Option]:
        for what, most in MOST.items():
            group = say(f"frontiers.group.{what}")
            for n in range(1, min(most, state.supply if what == "colonists" else most) + 1):
                sign = faces.gain(what, n)
                yield Option(f"{what}:{n}", gained(what, n), group=group, signs=(sign,))


def ask_told(state: FrontiersState, seat: int, phase: Phase) -> tuple[Step, ...]:
    """A question for each power of this action that only the table can tell about."""
    powers = state.powers(seat, phase)
    return tuple(AskTold(seat, tile, n) for (tile, n), power in powers if isinstance(power, Told))
