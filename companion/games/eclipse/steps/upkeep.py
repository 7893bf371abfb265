"""Upkeep (p. 24): the cost of discs, what is given up if it cannot be paid, and the yield of cubes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.faces import ARROW, Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.eclipse.component_types import RESOURCES, sectors
from companion.games.eclipse.signs import amount
from companion.games.eclipse.state import EclipseState, does, gain, kinds_for
from companion.games.eclipse.steps.cubes import abandon
from companion.games.eclipse.steps.free import (
    ALLY,
    TRADE,
    ally_options,
    colony_options,
    take_free,
    trade_options,
)

END = "end"


class BeginUpkeep(Do, Struct, frozen=True, tag="begin-upkeep"):
    """After combat, neighbours may exchange ambassadors (p. 11); then all seats pay in parallel."""

    def do(self, state: EclipseState) -> EclipseState:
        state = replace(state, phase="upkeep")
        playing = [seat for seat in state.clockwise(state.first) if not state.seats[seat].out]
        meetings = (MeetNeighbours(seat) for seat in playing)
        branches: dict[int, tuple[Step, ...]] = {seat: (LastColonies(seat), Upkeep(seat)) for seat in playing}
        return state.push(*meetings, together(branches))


class MeetNeighbours(Ask, Struct, frozen=True, tag="meet-neighbours"):
    """Ambassadors may be exchanged after combat."""

    seat: int
    slug: ClassVar[str] = "eclipse.meet"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.meet")
        end = Option(END, say("eclipse.option.nobody"))
        return Question(self.slug, self.seat, text, (end, *ally_options(state, self.seat)))

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if option.startswith(ALLY):
            return take_free(state.push(self), self.seat, option)
        return replace(state, declined=())

    def is_obsolete(self, state: EclipseState) -> bool:
        return not any(True for _ in ally_options(state, self.seat))

    def on_obsolete(self, state: EclipseState) -> EclipseState:
        return replace(state, declined=())


class LastColonies(Ask, Struct, frozen=True, tag="last-colonies"):
    """Unused colony ships may be sent before upkeep is paid."""

    seat: int
    slug: ClassVar[str] = "eclipse.last-colonies"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.last-colonies")
        end = Option(END, say("eclipse.option.no-more"))
        return Question(self.slug, self.seat, text, (*colony_options(state, self.seat), end))

    def take(self, state: EclipseState, option: str) -> EclipseState:
        return state if option == END else take_free(state.push(self), self.seat, option)

    def is_obsolete(self, state: EclipseState) -> bool:
        return not any(True for _ in colony_options(state, self.seat))


class Upkeep(Do, Struct, frozen=True, tag="upkeep"):
    """Income less upkeep; if the money does not suffice, something is given up, and this step repeats."""

    seat: int

    def do(self, state: EclipseState) -> EclipseState:
        left = state.balance(self.seat)
        if left >= 0:
            return produce(state, self.seat)
        if any(True for _ in ways_out(state, self.seat)):
            return state.push(GiveUp(self.seat))
        return collapse(state, self.seat)


def produce(state: EclipseState, seat: int) -> EclipseState:
    """The table after a seat paid its upkeep and stored its income."""
    before = state.seats[seat].stock
    paid = state.upkeep(seat)
    state = gain(state, seat, "money", state.income(seat, "money") - paid)
    for kind in RESOURCES[1:]:
        state = gain(state, seat, kind, state.income(seat, kind))
    after = state.seats[seat].stock
    gained = tuple(
        say("eclipse.from-to", kind=say(f"eclipse.kind.{kind}"), before=before.of(kind), after=after.of(kind))
        for kind in RESOURCES
    )
    return does(state, seat, say("eclipse.upkeep", upkeep=paid, gained=gained), usual=True)


def ways_out(state: EclipseState, seat: int) -> Iterator[Option]:
    """What a bankrupt seat may do: trade for money, or give up a sector."""
    yield from trade_options(state, seat, only="money")
    for place in state.controlled(seat):
        text = say("eclipse.option.give-up", sector=state.where(place))
        left = amount("money", _left_without(state, seat, place))
        signs = (Sign("disc"), ARROW, left)
        yield Option(place, text, state.map[place].hex, _without(state, seat, place), place, signs=signs)


def _income_without(state: EclipseState, seat: int, place: str) -> int:
    """The money income without the cubes of a sector."""
    sector, tracks = state.map[place], state.seats[seat].tracks
    back = sum(taken and kinds_for(square) == ("money",) for square, taken in sector.squares)
    return state.yields(tracks.money + back)


def _left_without(state: EclipseState, seat: int, place: str) -> int:
    """The money left if a sector is given up; negative if that does not suffice."""
    income = _income_without(state, seat, place)
    return state.seats[seat].stock.money + income - state.upkeep(seat, -1)


def _without(state: EclipseState, seat: int, place: str) -> Text:
    """The effect of giving up a sector: one disc less to pay for, and the lost income of its cubes."""
    income, upkeep = _income_without(state, seat, place), state.upkeep(seat, -1)
    left = _left_without(state, seat, place)
    key = "eclipse.without-enough" if left >= 0 else "eclipse.without-short"
    return say(key, upkeep=upkeep, income=income, n=abs(left))


class GiveUp(Ask, Struct, frozen=True, tag="give-up"):
    """What is given up to pay for the rest?"""

    seat: int
    slug: ClassVar[str] = "eclipse.give-up"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.give-up", n=-state.balance(self.seat))
        options = tuple(ways_out(state, self.seat))
        warning = say("eclipse.warning.bankrupt", n=-state.balance(self.seat))
        return Question(self.slug, self.seat, text, options, has_default=False, warning=warning)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        state = state.push(Upkeep(self.seat))
        if option.startswith(TRADE):
            return take_free(state, self.seat, option)
        return abandon(state, option)

    def is_obsolete(self, state: EclipseState) -> bool:
        return state.balance(self.seat) >= 0 or not any(True for _ in ways_out(state, self.seat))

    def on_obsolete(self, state: EclipseState) -> EclipseState:
        return state.push(Upkeep(self.seat))

    def why_not(self, state: EclipseState, component: str) -> Text:
        return say("eclipse.why.not-your-sector" if component in sectors() else "eclipse.why.not-a-hex")


def collapse(state: EclipseState, seat: int) -> EclipseState:
    """A civilisation that cannot pay and has nothing to give up is eliminated: its pieces leave the map (p. 24)."""
    for place, sector in state.map.items():
        fleets = tuple(fleet for fleet in sector.fleets if fleet.seat != seat)
        if fleets != sector.fleets:
            state = state.with_sector(place, replace(sector, fleets=fleets))
    state = state.with_seat(seat, replace(state.seats[seat], out=True, passed=True))
    return does(state, seat, say("eclipse.collapses"))
