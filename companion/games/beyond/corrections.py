"""Corrections by hand, and checks for impossible tables.

Cubes and discs are never created or lost: a correction that adds cubes to the board takes them from the
supply columns, from the left, and one that removes them returns them there. Discs come from their track and
return to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion.core.words import Text, say
from companion.errors import Unknown
from companion.games.beyond.actions import open_to
from companion.games.beyond.columns import back, changed, leftmost
from companion.games.beyond.component_types import CUBES, LEVEL, SPECIALISATIONS, Disc, ids, technologies
from companion.games.beyond.counters import DISCS, NOBODY
from companion.games.beyond.state import BESIDE, Base, BeyondState, Colony, Kept, Node, Ship
from companion.games.beyond.steps.bases import follow_ships
from companion.games.beyond.steps.end import CountWorth, LearnPoints
from companion.games.beyond.steps.ships import ChooseShip, ChooseTarget


def correct(state: BeyondState, counter: str, value: int) -> BeyondState:
    """The table with one counter corrected."""
    what, *rest = counter.split(":")
    how = CORRECTED.get(what)
    if how is None:
        raise Unknown(say("core.unknown-counter", id=counter))
    try:
        corrected = _ending(how(state, rest, value))
    except (ValueError, LookupError) as e:
        raise Unknown(say("core.unknown-counter", id=counter)) from e
    # If the play is over, ask for points that only matter because of this correction, as at the end.
    return corrected if state.agenda else corrected.push(LearnPoints(), CountWorth())


def _ending(state: BeyondState) -> BeyondState:
    """Recompute from the discs on achievements whether the end is triggered."""
    if state.claimed < state.goal:
        return replace(state, ending=0)
    return replace(state, ending=min(state.ending, state.round) or state.round)


def _from_supply(state: BeyondState, index: int, cubes: int) -> BeyondState:
    """Take cubes from the columns, from the left, then from population; a negative number returns them."""
    for _ in range(abs(cubes)):
        who = state.seats[index]
        column = leftmost(who.supply) if cubes > 0 else back(who.supply, state.sizes(index))
        if column is None:
            who = replace(who, population=who.population - 1)
        else:
            who = replace(who, supply=changed(who.supply, column, -1 if cubes > 0 else 1))
        state = state.with_seat(index, who)
    return state


def _ore(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    return state.with_seat(int(rest[0]), replace(state.seats[int(rest[0])], ore=value))


def _population(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index = int(rest[0])
    state = _from_supply(state, index, value - state.seats[index].population)
    return state.with_seat(index, replace(state.seats[index], population=value))


def _supply(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    """Correct one column; the difference comes from or goes to population."""
    index, column = int(rest[0]), "abcde".index(rest[1])
    who = state.seats[index]
    more = value - who.supply[column]
    who = replace(who, supply=changed(who.supply, column, more), population=who.population - more)
    return state.with_seat(index, who)


def _automation(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index = int(rest[0])
    disc = _disc(rest[1])
    who = state.seats[index]
    others = tuple(one for one in who.automation if one != disc)
    return state.with_seat(index, replace(who, automation=(*others, *(disc,) * value)))


def _disc(name: str) -> Disc:
    return next(disc for disc in DISCS if disc == name)


def _set_pawn(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index = int(rest[0])
    spaces = (BESIDE, *(space.id for space in open_to(state, index)))
    pawn = spaces[value]
    for other in state.others(index):
        if pawn and state.seats[other].pawn == pawn and not _shared(state, index, pawn):
            state = state.with_seat(other, replace(state.seats[other], pawn=BESIDE))
    return state.with_seat(index, replace(state.seats[index], pawn=pawn))


def _shared(state: BeyondState, index: int, pawn: str) -> bool:
    return any(space.id == pawn and space.shared for space in open_to(state, index))


def _round(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    return replace(state, round=value)


def _deck(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    return replace(state, decks={**state.decks, rest[0]: value})


def _guild(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    others = tuple(guild for guild in state.guilds if guild != rest[0])
    return replace(state, guilds=(*others, rest[0]) if value else others)


def _claim(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index, card = int(rest[0]), rest[1]
    others = tuple(seat for seat in state.achievements[card] if seat != index)
    return replace(state, achievements={**state.achievements, card: (*others, index) if value else others})


def _event(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    event = rest[0]
    kept = {id: k for id, k in state.kept.items() if id != event}
    seen = state.seen_events
    if value != NOBODY:
        before = state.kept.get(event)
        kept[event] = Kept(None if value == 1 else value - 2, before.system if before is not None else "")
        seen = seen if event in seen else (*seen, event)
    return replace(state, kept=kept, seen_events=seen)


def _set_beside(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    event = rest[0]
    system = ("", *ids("systems"))[value]
    return replace(state, kept={**state.kept, event: replace(state.kept[event], system=system)})


def _museum(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index, level = int(rest[0]), int(rest[1])
    who = state.seats[index]
    others = tuple(one for one in who.museum if one != level)
    museum = tuple(sorted((*others, *(level,) * value)))
    state = state.with_seat(index, replace(who, museum=museum))
    return _from_supply(state, index, len(museum) - len(who.museum))


def _card(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    space = rest[0]
    node = state.node(space)
    cards = ("", *technologies(state.edition, LEVEL[space]))
    return state.with_node(space, Node(cards[value], node.seats))


def _researched(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index, space = int(rest[0]), rest[1]
    node = state.node(space)
    if (index in node.seats) == bool(value):
        return state
    others = tuple(seat for seat in node.seats if seat != index)
    state = state.with_node(space, Node(node.card, (*others, index) if value else others))
    return _from_supply(state, index, 1 if value else -1)


def _system(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    """Correct which card lies there; a base stays as long as there is a card."""
    place = rest[0]
    cards = ("", *ids("systems"))
    systems = {p: s for p, s in state.systems.items() if p != place}
    if cards[value]:
        return replace(state, systems={**systems, place: cards[value]})
    return replace(state, systems=systems, bases={p: b for p, b in state.bases.items() if p != place})


def _set_base(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    place = rest[0]
    state = replace(state, held_before={p: s for p, s in state.held_before.items() if p != place})
    bases = {p: b for p, b in state.bases.items() if p != place}
    if value:
        index, disc = divmod(value - 1, len(DISCS))
        bases[place] = Base(index, DISCS[disc])
    return replace(state, bases=bases)


def _ships(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index, ship = int(rest[0]), Ship(rest[1], int(rest[2]))
    who = state.seats[index]
    now = who.ships.count(ship)
    others = tuple(one for one in who.ships if one != ship)
    state = state.with_seat(index, replace(who, ships=tuple(sorted((*others, *(ship,) * value)))))
    state = _from_supply(state, index, value - now)
    # Control is recomputed, except during a jump, whose end checks it anyway (rule 132).
    jumping = bool(state.agenda) and isinstance(state.agenda[0], ChooseShip | ChooseTarget)
    return state if jumping else follow_ships(state, ship.at)


def _colony(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index, system = int(rest[0]), rest[1]
    who = state.seats[index]
    if any(colony.system == system for colony in who.colonies) == bool(value):
        return state
    others = tuple(colony for colony in who.colonies if colony.system != system)
    colonies = (*others, Colony(system)) if value else others
    return state.with_seat(index, replace(who, colonies=colonies))


def _colony_disc(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index, system, disc = int(rest[0]), rest[1], _disc(rest[2])
    who = state.seats[index]
    colonies = tuple(
        Colony(c.system, (*(d for d in c.discs if d != disc), *(disc,) * value)) if c.system == system else c
        for c in who.colonies
    )
    return state.with_seat(index, replace(who, colonies=colonies))


def _private(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    index, card = int(rest[0]), rest[1]
    who = state.seats[index]
    others = tuple(one for one in who.private if one != card)
    return state.with_seat(index, replace(who, private=(*others, card) if value else others))


def _worth(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    return replace(state, worth={**state.worth, f"{rest[0]}:{rest[1]}": value})


CORRECTED: dict[str, Callable[[BeyondState, list[str], int], BeyondState]] = {
    "ore": _ore,
    "population": _population,
    "supply": _supply,
    "automation": _automation,
    "pawn": _set_pawn,
    "round": _round,
    "deck": _deck,
    "guild": _guild,
    "claim": _claim,
    "event": _event,
    "beside": _set_beside,
    "museum": _museum,
    "card": _card,
    "researched": _researched,
    "system": _system,
    "base": _set_base,
    "ships": _ships,
    "colony": _colony,
    "colony-disc": _colony_disc,
    "private": _private,
    "worth": _worth,
}


# Impossible tables


def check(state: BeyondState) -> tuple[Text, ...]:
    """Everything about a table that is impossible."""
    return tuple(_problems(state))


def _problems(state: BeyondState) -> Iterator[Text]:
    for index, seat in enumerate(state.seats):
        name = seat.name
        if state.round and state.cubes(index) != CUBES:
            yield say("beyond.problem.cubes", seat=name, n=state.cubes(index))
        if min((seat.ore, seat.population, *seat.supply)) < 0:
            yield say("beyond.problem.below-zero", seat=name)
        columns = list(zip(seat.supply, state.sizes(index), strict=True))
        if state.round and any(cubes > size for cubes, size in columns[1:]):
            yield say("beyond.problem.columns", seat=name)
        if any(state.left(index, kind) < 0 for kind in SPECIALISATIONS):
            yield say("beyond.problem.discs", seat=name)
    systems = [*state.systems.values(), *(kept.system for kept in state.kept.values() if kept.system)]
    systems += [colony.system for seat in state.seats for colony in seat.colonies]
    cards = [node.card for node in state.tree.values() if node.card]
    cards += [card for seat in state.seats for card in seat.private]
    for pile in (systems, cards):
        for card in sorted({card for card in pile if pile.count(card) > 1}):
            yield say("beyond.problem.twice", card=state.name(card))
    if set(state.bases) - set(state.controllable):
        yield say("beyond.problem.base-nowhere")
