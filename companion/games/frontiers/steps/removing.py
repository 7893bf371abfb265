"""Goods removed for military during a Settle action (p. 6)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import ARROW, Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.frontiers.component_types import PRICE
from companion.games.frontiers.costs import goods_powers
from companion.games.frontiers.deeds import does, remove_goods
from companion.games.frontiers.faces import good, signed
from companion.games.frontiers.powers import MilitaryForGood
from companion.games.frontiers.state import Colony, FrontiersState, PowerId


def removable(state: FrontiersState, seat: int, id: PowerId) -> list[Colony]:
    """The colonies whose good this power may take, the least useful good first; the refinery's good is allowed.

    Empty if the power was used in this action, or a correction removed it.
    """
    power = dict(goods_powers(state, seat)).get(id)
    colonies = [
        colony
        for colony in state.seats[seat].colonies
        if power is not None and colony.good is not None and power.good in ("any", colony.good)
    ]

    def value(colony: Colony) -> tuple[bool, int]:
        return state.world(colony.tile).goods == "windfall", PRICE[colony.good or "novelty"]

    return sorted(colonies, key=value)


class RemoveGood(Do, Struct, frozen=True, tag="remove-good"):
    """Remove a good for military: automatically if there is only one."""

    seat: int
    tile: str
    power: int

    def do(self, state: FrontiersState) -> FrontiersState:
        id = (self.tile, self.power)
        found = removable(state, self.seat, id)
        if len(found) > 1:
            return state.push(ChooseRemoved(self.seat, *id))
        return removed(state, self.seat, id, found[0].tile) if found else state


class ChooseRemoved(Ask, Struct, frozen=True, tag="choose-removed"):
    """Which good is removed for military?"""

    seat: int
    tile: str
    power: int
    slug: ClassVar[str] = "frontiers.remove-good"

    def ask(self, state: FrontiersState) -> Question:
        n = _power(state, (self.tile, self.power)).n
        options = tuple(
            Option(
                colony.tile,
                state.name(colony.tile),
                colony.tile,
                say(f"frontiers.good.{colony.good}"),
                signs=(good(colony.good), ARROW, Sign("military", signed(n))),
            )
            for colony in removable(state, self.seat, (self.tile, self.power))
            if colony.good is not None
        )
        text = say("frontiers.ask.remove-good", tile=state.name(self.tile), n=signed(n))
        return Question(self.slug, self.seat, text, options)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return removed(state, self.seat, (self.tile, self.power), option)

    def why_not(self, state: FrontiersState, component: str) -> Text:
        return say("frontiers.why.no-good-there")

    def is_obsolete(self, state: FrontiersState) -> bool:
        return len(removable(state, self.seat, (self.tile, self.power))) < 2

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        return state.push(RemoveGood(self.seat, self.tile, self.power))


def _power(state: FrontiersState, id: PowerId) -> MilitaryForGood:
    power = (state.tile(id[0]).powers or ())[id[1]]
    assert isinstance(power, MilitaryForGood)
    return power


def removed(state: FrontiersState, seat: int, id: PowerId, tile: str) -> FrontiersState:
    """Return the good of this colony to the box, for military until this action is over."""
    n, colony = _power(state, id).n, state.seats[seat].colony(tile)
    assert colony is not None
    state = remove_goods(state, seat, (tile,))
    who = state.seats[seat]
    who = replace(who, bonus_military=who.bonus_military + n, used=(*who.used, id))
    cube = say(f"frontiers.good.{colony.good}")
    text = say("frontiers.remove-good", good=cube, world=state.name(tile), n=signed(n))
    return does(state.with_seat(seat, who), seat, text)
