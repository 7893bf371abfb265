"""Placing outposts: slots, demands, minerals, pirates and rewards (rules 83-91)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.transgalactica.component_types import OUTPOST_PRICE, OUTPOSTS, Demand, Pirate, ids
from companion.games.transgalactica.costs import FREE_OF_COST, Way, payments, pieces
from companion.games.transgalactica.deeds import crew_gone, outpost
from companion.games.transgalactica.effects import PlaceOutpost
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.obstacles import hindered
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import (
    Resolve,
    changed_words,
    pay_way,
    resolves,
    stuff_signs,
)
from companion.games.transgalactica.steps.tokens import TellToken, lay_token

FULL = "full"
"""Stands for a slot on an action planet without a free one (rule 150)."""


def place_price(state: TransState, seat: int) -> int:
    """Minerals for the next outpost (rule 84)."""
    placed = len(state.seats[seat].outposts)
    return OUTPOST_PRICE[placed] if placed < OUTPOSTS else 0


def place_payments(state: TransState, seat: int) -> tuple[Way, ...]:
    """The only way to pay for the next outpost, or none if it cannot be paid."""
    return payments(state, seat, (pieces("mineral", place_price(state, seat)),))


def may_place(state: TransState, seat: int, planet: str, *, free: bool = False) -> tuple[str, ...]:
    """The slots of a planet where a seat may place its next outpost; unknown pirates may still prevent it.

    If `free`, neither minerals nor the slot's demand matter: the vanguard's goes on any action planet (rule
    174).
    """
    who = state.seats[seat]
    if len(who.outposts) >= OUTPOSTS or planet in who.planets:
        return ()
    if not free and not place_payments(state, seat):
        return ()
    if too_strong(state, seat, planet):
        return ()
    taken = state.slots_taken(planet)
    demands = state.planet(planet).demands
    alike: dict[Demand, str] = {}  # of free slots with the same demand, only the first is offered
    for n, demand in enumerate(demands):
        if n not in taken and (free or met(state, seat, demand)):
            alike.setdefault(demand, str(n))
    slots = tuple(alike.values())
    full = len(taken) >= len(demands) and state.planet(planet).type == "action"
    return (*slots, FULL) if full and state.has(seat, "full-planets") else slots


def met(state: TransState, seat: int, demand: Demand) -> bool:
    """Whether a seat meets what a slot demands (rule 85)."""
    if demand == "none":
        return True
    if demand == "crew":
        return state.seats[seat].crew > 0
    return state.level(seat, "trade") >= int(demand.rpartition("-")[2])


def too_strong(state: TransState, seat: int, planet: str) -> bool:
    """Whether the pirates of a planet are known to exceed a seat's military (rule 91)."""
    token = state.pirates.get(planet)
    if not token:
        return False
    pirate = state.box[token]
    assert isinstance(pirate, Pirate)
    return state.level(seat, "military") < int(pirate.strength or 0)


def why_not_place(state: TransState, seat: int, planet: str) -> Text:
    """Why a seat with a ship at a planet cannot place an outpost there."""
    who = state.seats[seat]
    demands, taken = state.planet(planet).demands, state.slots_taken(planet)
    if planet in who.planets:
        return say("transgalactica.why.own-outpost")
    if len(who.outposts) >= OUTPOSTS:
        return say("transgalactica.why.no-outposts")
    if too_strong(state, seat, planet):
        return say("transgalactica.pirates-too-strong", planet=state.name(planet))
    if len(taken) >= len(demands):
        return say("transgalactica.why.full")
    if not place_payments(state, seat):
        return count("transgalactica.why.minerals", place_price(state, seat))
    return say("transgalactica.why.demand")


class PlaceOn(Do, Struct, frozen=True, tag="place-on"):
    """Places an outpost on a slot: unknown pirates are asked for first, then it is paid and rewarded."""

    seat: int
    planet: str
    slot: str
    free: bool = False
    """Whether no minerals are paid: for the first outpost, and the vanguard's (rules 33, 174)."""
    then: tuple[Step, ...] = ()
    """Steps after all rewards."""
    instead: tuple[Step, ...] = ()
    """Steps if the pirates, once known, are too strong and nothing was placed."""

    def do(self, state: TransState) -> TransState:
        if state.pirates.get(self.planet) == "":
            return state.push(TellPirates(self.seat, self.planet), self)
        token = state.pirates.get(self.planet)
        if token and state.box[token].unknown():
            return state.push(ask_print(state, state.box[token], self.seat), self)
        space = state.outpost_space(len(state.seats[self.seat].outposts) + 1)
        if space.unknown():
            return state.push(ask_print(state, space, self.seat), self)
        if too_strong(state, self.seat, self.planet):
            told = say("transgalactica.pirates-too-strong", planet=state.name(self.planet))
            return state.tell(told, self.seat).push(*self.instead)
        return self._place(state, space.id)

    def _place(self, state: TransState, space: str) -> TransState:
        name = state.name(self.planet)
        if not self.free:
            state = pay_way(state, self.seat, place_payments(state, self.seat)[0], name)
        slot = None if self.slot == FULL else int(self.slot)
        demands = state.planet(self.planet).demands
        if slot is not None and slot < len(demands) and demands[slot] == "crew":
            state = crew_gone(state, self.seat, name)
        first = not any(self.planet in seat.planets for seat in state.seats)
        state = outpost(state.push(*self.then), self.seat, self.planet, slot)
        return _brought(state, self.seat, self.planet, space, first)


def _brought(state: TransState, seat: int, planet: str, space: str, first: bool) -> TransState:
    """An outpost's rewards: the panel's, the planet's bonus token, pirates and mine (rules 87, 88, 90, 91)."""
    tile = state.planet(planet)
    steps: list[Step] = []
    reward = state.outpost_space(len(state.seats[seat].outposts)).reward or ()
    if reward:
        steps.append(Resolve(seat, reward, "space", state.name(space)))
    if planet in state.rewards and first:
        state = replace(state, rewards=tuple(id for id in state.rewards if id != planet))
        # A base planet that is not in the centre lies among the others, with a red token like them (rule 14).
        steps.append(TellToken(seat, "bonus" if tile.base else "advanced", "bonus"))
    if token := state.pirates.get(planet):
        who = state.seats[seat]
        state = state.with_seat(seat, replace(who, pirates=(*who.pirates, token)))
        state = replace(state, pirates={p: t for p, t in state.pirates.items() if p != planet})
        state = lay_token(state, seat, token, "pirates")
    if tile.type == "mining":
        steps.append(Resolve(seat, tile.effects, "planet", state.name(planet)))
    return state.push(*steps)


class TellPirates(Ask, Struct, frozen=True, tag="tell-pirates"):
    """Which pirate token lies on this planet?"""

    seat: int
    planet: str
    slug: ClassVar[str] = "transgalactica.pirates"

    def ask(self, state: TransState) -> Question:
        out = {*state.pirates.values(), *(id for seat in state.seats for id in seat.pirates)}
        options = tuple(Option(id, state.name(id), id) for id in ids("pirates") if id not in out)
        text = say("transgalactica.ask.pirates", planet=state.name(self.planet))
        none = Option("none", say("transgalactica.no-pirates"))
        return Question(self.slug, self.seat, text, (*options, none), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "none":
            left = {p: t for p, t in state.pirates.items() if p != self.planet}
            return replace(state, pirates=left)
        return replace(state, pirates={**state.pirates, self.planet: option})

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.not-pirates")

    def is_obsolete(self, state: TransState) -> bool:
        return state.pirates.get(self.planet) != ""


# Effects of symbols


@resolves(PlaceOutpost)
def _place_outpost(state: TransState, by: Resolve, effect: PlaceOutpost) -> TransState:
    return state.push(ChoosePlace(by.seat, effect.where, by.why))


@hindered(PlaceOutpost)
def _no_place(state: TransState, seat: int, effect: PlaceOutpost) -> Text | None:
    here = ChoosePlace(seat, effect.where, say("transgalactica.nothing"))
    return None if state.board.unknown() or any(here.places(state)) else say("transgalactica.idle.outpost")


class ChoosePlace(Ask, Struct, frozen=True, tag="choose-place"):
    """Where to place an outpost gained by a symbol: under a ship, or on any action planet (rules 132, 157)?"""

    seat: int
    where: str
    why: Text
    free: bool = False
    slug: ClassVar[str] = "transgalactica.outpost"

    def places(self, state: TransState) -> Iterator[Option]:
        """An option for each slot it may be placed on."""
        if self.where == "ship":
            spaces = tuple(dict.fromkeys(state.seats[self.seat].ships))
        else:
            spaces = tuple(s for s, id in state.planets.items() if state.planet(id).type == "action")
        for space in spaces:
            if space in state.planets:
                for slot in may_place(state, self.seat, state.planets[space], free=self.free):
                    if slot != FULL or self.where == "ship":
                        yield place_option(state, self.seat, space, slot, f"{state.planets[space]}:{slot}")

    def ask(self, state: TransState) -> Question:
        options = list(self.places(state))
        options.append(Option("nothing", say("transgalactica.nothing")))
        text = say("transgalactica.ask.outpost", why=self.why)
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "nothing":
            return state
        planet, _, slot = option.partition(":")
        return state.push(PlaceOn(self.seat, planet, slot, self.free, instead=(self,)))

    def why_not(self, state: TransState, component: str) -> Text:
        spaces = [space for space, planet in state.planets.items() if planet == component]
        under = self.where != "ship" or any(space in state.seats[self.seat].ships for space in spaces)
        if not spaces:
            return say("transgalactica.why.not-on-map")
        if not under:
            return say("transgalactica.why.not-there")
        if self.where == "action" and state.planet(component).type != "action":
            return say("transgalactica.why.no-action-planet")
        return why_not_place(state, self.seat, component)


def place_option(state: TransState, seat: int, space: str, slot: str, id: str) -> Option:
    """The option to place an outpost on a slot of the planet on a space."""
    planet = state.planet(state.planets[space])
    demand = "full" if slot == FULL else planet.demands[int(slot)]
    way = next(iter(place_payments(state, seat)), FREE_OF_COST)
    return Option(
        id,
        say("transgalactica.place", planet=state.name(planet.id), slot=say(f"transgalactica.slots.{demand}")),
        planet.id,
        detail=changed_words(way),
        place=space,
        signs=(Sign("outpost"), *stuff_signs(way.paid)),
    )
