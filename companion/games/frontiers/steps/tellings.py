"""Powers outside our vocabulary: when one applies, its owner tells what it gave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Step
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import count, say
from companion.games.frontiers import faces
from companion.games.frontiers.deeds import gain
from companion.games.frontiers.powers import Gain, Told, gained
from companion.games.frontiers.state import FrontiersState
from scoring.frontiers import Phase

NOTHING = "nothing"
DISCOUNT = "discount"
MOST_OFF = 5
PAID: tuple[Phase, ...] = ("develop", "settle")
"""The actions in which something is paid for."""
MOST: dict[Gain, int] = {"credits": 5, "points": 5, "colonists": 3}
"""No tile of the box is likely to give more than this at once; counters can be corrected by hand."""


class AskTold(Ask, Struct, frozen=True, tag="ask-told"):
    """What did this power of this tile give?"""

    seat: int
    tile: str
    power: int
    """The index of the power in the tile's list."""
    slug: ClassVar[str] = "frontiers.told"

    def ask(self, state: FrontiersState) -> Question:
        nothing = Option(NOTHING, say("frontiers.option.nothing"))
        text = say("frontiers.ask.told", tile=state.name(self.tile))
        options = (nothing, *self._discounts(state), *self._gains(state))
        return Question(self.slug, self.seat, text, options, notes=state.order_notes)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        if option == NOTHING:
            return state
        sort, _, n = option.partition(":")
        if sort == DISCOUNT:
            who = state.seats[self.seat]
            cheaper = replace(who, told_discounts=(*who.told_discounts, (self.tile, int(n))))
            return state.with_seat(self.seat, cheaper)
        what = next(what for what in MOST if what == sort)
        return gain(state, self.seat, what, int(n), (state.name(self.tile),))

    def is_obsolete(self, state: FrontiersState) -> bool:
        """Whether a correction removed the tile, or the power's meaning was taught in the meantime."""
        if not any(tile.id == self.tile for tile in state.tiles(self.seat)):
            return True
        powers = state.tile(self.tile).powers or ()
        return self.power >= len(powers) or not isinstance(powers[self.power], Told)

    def _discounts(self, state: FrontiersState) -> Iterator[Option]:
        power = (state.tile(self.tile).powers or ())[self.power]
        if not isinstance(power, Told) or not power.discount or power.phase not in PAID:
            return
        group = say("frontiers.group.discount")
        for n in range(1, MOST_OFF + 1):
            sign = Sign("cost", faces.signed(-n))
            yield Option(f"{DISCOUNT}:{n}", count("frontiers.option.discount", n), group=group, signs=(sign,))

    def _gains(self, state: FrontiersState) -> Iterator[Option]:
        for what, most in MOST.items():
            group = say(f"frontiers.group.{what}")
            for n in range(1, min(most, state.supply if what == "colonists" else most) + 1):
                sign = faces.gain(what, n)
                yield Option(f"{what}:{n}", gained(what, n), group=group, signs=(sign,))


def ask_told(
    state: FrontiersState, seat: int, phase: Phase, discount: bool | None = None
) -> tuple[Step, ...]:
    """A question for each untaught power of this action: all of them, or only those that may give a discount,
    or only the others."""
    powers = ((id, power) for id, power in state.powers(seat, phase) if isinstance(power, Told))
    return tuple(AskTold(seat, *id) for id, power in powers if discount in (None, power.discount))
