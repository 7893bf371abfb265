"""What an option leads to, in words: changes of control, bonuses, production, points. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.words import Text, say
from companion.games.beyond.component_types import Specialisation, System
from companion.games.beyond.movement import control_after
from companion.games.beyond.operations import Operations
from companion.games.beyond.power_words import points, say_operations, say_power
from companion.games.beyond.state import BeyondState, Ship


def leads_to(*parts: Text | None) -> Text | None:
    """These parts joined as the detail of an option; None if all are empty."""
    said = tuple(part for part in parts if part is not None)
    return say("beyond.leads.all", parts=said) if said else None


def bonus(operations: Operations) -> Text | None:
    """The bonus in words, or None if there is none."""
    return say_operations(operations) if operations else None


def moving(state: BeyondState, seat: int, ship: Ship, to: Ship | None) -> Text | None:
    """How control changes if a ship is upgraded, moves elsewhere or leaves the board."""
    who = state.seats[seat].without_ship(ship)
    if to is None or to.at == ship.at:
        who = who if to is None else who.with_ships(to)
        return leads_to(*_control(state, seat, who.ships, ship.at))
    who = who.with_ships(to)
    said = [part for place in (to.at, ship.at) for part in _control(state, seat, who.ships, place)]
    return leads_to(*said, *(() if said else _kept(state, seat, who.strength(to.at), to.at)))


def _control(state: BeyondState, seat: int, ships: tuple[Ship, ...], place: str) -> tuple[Text | None, ...]:
    """Who gains or loses a location, with the strengths, and what that gives the seat that chooses."""
    if place not in state.controllable:
        return ()
    before, now = state.controller(place), control_after(state, place, seat, ships)
    if now == before:
        return ()
    if now is None:
        return (say("beyond.leads.frees", place=state.place(place)),)
    name, words = state.seats[now].name, state.place(place)
    after = state.with_seat(seat, replace(state.seats[seat], ships=ships))
    gained = after.seats[now].strength(place)
    if now != seat:
        lost = after.seats[seat].strength(place)
        return (say("beyond.leads.lost", place=words, name=name, theirs=gained, mine=lost),)
    system = state.systems.get(place)
    given = bonus(state.system(system).control_bonus or ()) if system else None
    if before is None:
        return say("beyond.leads.takes", place=words), given
    other = state.seats[before]
    theirs = other.strength(place)
    return say("beyond.leads.takes-from", place=words, name=other.name, mine=gained, theirs=theirs), given


def _kept(state: BeyondState, seat: int, mine: int, place: str) -> tuple[Text, ...]:
    """That another faction stays in control of the ship's destination."""
    holder = state.controller(place)
    if holder is None or holder == seat:
        return ()
    who = state.seats[holder]
    return (say("beyond.leads.keeps", name=who.name, theirs=who.strength(place), mine=mine),)


def colonising(state: BeyondState, seat: int, place: str) -> Text | None:
    """What colonising a system costs and gives."""
    card = state.system(state.systems[place])
    mine = state.seats[seat].strength(place)
    needs = say("beyond.leads.strength", mine=mine, needed=card.strength) if card.strength else None
    return leads_to(needs, worth(card), bonus(card.colony_bonus or ()))


def worth(card: System) -> Text | None:
    """The points of a system, if known."""
    if isinstance(card.points, int):
        return points(card.points)
    return say_power(card.formula) if card.formula else None


def disc_leaves(state: BeyondState, seat: int, kind: Specialisation) -> Text | None:
    """How many discs a track has, and what the next one uncovers; a marker is used if it is empty."""
    left = say("beyond.left-on-track", n=state.left(seat, kind))
    if state.left(seat, kind) <= 0:
        return leads_to(left, say("beyond.leads.marker"))
    tracks, place = state.tracks(seat), 1 + state.removed(seat, kind)
    if kind == "food":
        letter = "".join((tracks.growth or ())[place : place + 1])
        return leads_to(left, say("beyond.leads.growth", letter=letter.upper()) if len(letter) == 1 else None)
    more = sum((tracks.ore_track or ())[place : place + 1])
    return leads_to(left, say("beyond.leads.ore", n=state.ore_income(seat) + more) if more else None)
