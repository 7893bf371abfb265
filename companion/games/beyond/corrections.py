"""What can be set right by hand, and what a table can never look like.

Cubes and discs are never made or lost: what comes onto the board by a correction comes out of the supply columns,
from the left, what goes returns there; discs come from their track and return to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion.core.counters import Counter, choice
from companion.core.words import Text, plain, say
from companion.errors import Unknown
from companion.games.beyond.actions import open_to
from companion.games.beyond.columns import back, changed, leftmost
from companion.games.beyond.deeds import technology_name
from companion.games.beyond.state import BESIDE, Base, BeyondState, Colony, Kept, Node, Seat, Ship
from companion.games.beyond.things import (
    CARD_PLACES,
    COLUMNS,
    CUBES,
    LEVEL,
    SPACES,
    SPECIALISATIONS,
    Disc,
    ids,
    technologies,
)

MOST_ORE, MOST_ROUNDS = 99, 60
NOBODY = 0
DISCS: tuple[Disc, ...] = ("food", "ore", "marker")
MOST_MARKERS = 20


def counters(state: BeyondState) -> tuple[Counter, ...]:
    """Every number and piece that can be corrected, once the first turn has begun."""
    return tuple(_counters(state)) if state.round else ()


def _counters(state: BeyondState) -> Iterator[Counter]:
    for index, seat in enumerate(state.seats):
        yield from _board(state, index, seat)
    yield from _table(state)
    yield from _tree(state)
    yield from _space(state)
    for index, seat in enumerate(state.seats):
        yield from _own(state, index, seat)


def _board(state: BeyondState, index: int, seat: Seat) -> Iterator[Counter]:
    """Ore, cubes and automation of one faction, and its pawn."""
    name, supply = seat.name, sum(seat.supply)
    yield Counter(
        f"ore:{index}", index, say("beyond.counter.ore", seat=name), seat.ore, 0, max(MOST_ORE, seat.ore)
    )
    text = say("beyond.counter.population", seat=name)
    yield Counter(f"population:{index}", index, text, seat.population, 0, seat.population + supply)
    group = say("beyond.counter.columns")
    for n, letter in enumerate(COLUMNS):
        text, cubes = say("beyond.counter.column", seat=name, letter=letter.upper()), seat.supply[n]
        yield Counter(f"supply:{index}:{letter}", index, text, cubes, 0, cubes + seat.population, group=group)
    group = say("beyond.counter.automation")
    for disc in DISCS:
        text = say("beyond.counter.automated", seat=name, disc=say(f"beyond.disc.{disc}"))
        now = seat.automation.count(disc)
        most = MOST_MARKERS if disc == "marker" else now + state.left(index, disc)
        yield Counter(f"automation:{index}:{disc}", index, text, now, 0, max(now, most), group=group)
    yield _pawn(state, index, seat)


def _pawn(state: BeyondState, index: int, seat: Seat) -> Counter:
    spaces = tuple(open_to(state, index))
    names = [(NOBODY, say("beyond.counter.beside"))]
    names += [
        (n + 1, say("beyond.counter.space", action=s.text(state), n=s.n + 1)) for n, s in enumerate(spaces)
    ]
    now = next((n + 1 for n, space in enumerate(spaces) if space.id == seat.pawn), NOBODY)
    return choice(f"pawn:{index}", index, say("beyond.counter.pawn", seat=seat.name), now, names)


def _table(state: BeyondState) -> Iterator[Counter]:
    """The round, guilds, achievements, decks and events."""
    yield Counter("round", None, say("beyond.counter.round"), state.round, 1, max(MOST_ROUNDS, state.round))
    for deck in ("A", "B"):
        n = state.decks.get(deck, 0)
        text, group = say("beyond.counter.deck", deck=deck), say("beyond.counter.systems")
        yield Counter(f"deck:{deck}", None, text, n, 0, max(12, n), group=group)
    group = say("beyond.counter.guilds")
    for guild in ids("guilds"):
        text = say("beyond.counter.guild", guild=state.name(guild))
        yield Counter(f"guild:{guild}", None, text, int(guild in state.guilds), 0, 1, guild, group=group)
    group = say("beyond.counter.achievements")
    for card, seats in state.achievements.items():
        for index, seat in enumerate(state.seats):
            text = say("beyond.counter.claim", seat=seat.name, card=state.name(card))
            yield Counter(f"claim:{index}:{card}", index, text, int(index in seats), 0, 1, group=group)
    group = say("beyond.counter.events")
    names = [(NOBODY, say("beyond.counter.not-kept")), (1, say("beyond.counter.beside-board"))]
    names += [(n + 2, plain(seat.name)) for n, seat in enumerate(state.seats)]
    for event in ids("events"):
        kept = state.kept.get(event)
        now = NOBODY if kept is None else 1 if kept.seat is None else kept.seat + 2
        text = say("beyond.counter.event", event=state.name(event))
        yield replace(choice(f"event:{event}", None, text, now, names, event), group=group)


def _tree(state: BeyondState) -> Iterator[Counter]:
    """Which card lies on each space, and whose cubes."""
    for level, spaces in SPACES.items():
        group = say("beyond.counter.tree", level="I" * level)
        free = state.free_technologies(level)
        for space in spaces:
            node = state.node(space)
            cards = technologies(state.edition, level)
            names = [(NOBODY, say("beyond.counter.no-card"))]
            names += [(n + 1, state.name(c)) for n, c in enumerate(cards) if c == node.card or c in free]
            text = say("beyond.counter.card", space=say(f"beyond.place.{space}"))
            now = cards.index(node.card) + 1 if node.card else NOBODY
            yield replace(choice(f"card:{space}", None, text, now, names), group=group)
            for index, seat in enumerate(state.seats):
                text = say(
                    "beyond.counter.researched", seat=seat.name, technology=technology_name(state, space)
                )
                here = int(index in node.seats)
                high = 1 if here or sum(seat.supply) + seat.population else 0
                yield Counter(f"researched:{index}:{space}", index, text, here, 0, high, group=group)


def _space(state: BeyondState) -> Iterator[Counter]:
    """Systems, bases and ships."""
    undrawn = state.undrawn_systems()
    for place in state.locations:
        group = state.place(place)
        if place in CARD_PLACES:
            now = state.systems.get(place)
            names = [(NOBODY, say("beyond.counter.no-card"))]
            cards = ids("systems")
            names += [(n + 1, state.name(c)) for n, c in enumerate(cards) if c == now or c in undrawn]
            text = say("beyond.counter.system", place=say(f"beyond.place.{place}"))
            yield replace(
                choice(f"system:{place}", None, text, cards.index(now) + 1 if now else NOBODY, names, now),
                group=group,
            )
        if place in state.controllable:
            yield replace(_base(state, place), group=group)
        for index, seat in enumerate(state.seats):
            for level in range(1, 5):
                text = say("beyond.counter.ships", seat=seat.name, level=level, place=state.place(place))
                n = seat.ships.count(Ship(place, level))
                high = n + sum(seat.supply)
                yield Counter(f"ships:{index}:{place}:{level}", index, text, n, 0, high, group=group)


def _base(state: BeyondState, place: str) -> Counter:
    """Whose base lies there, and which disc it is."""
    values = [(NOBODY, say("beyond.counter.nobody"))]
    base = state.bases.get(place)
    now = NOBODY
    for index, seat in enumerate(state.seats):
        for n, disc in enumerate(DISCS):
            here = base == Base(index, disc)
            value = index * len(DISCS) + n + 1
            if here or disc == "marker" or state.left(index, disc) > 0:
                words = say("beyond.counter.base-of", seat=seat.name, disc=say(f"beyond.disc.{disc}"))
                values.append((value, words))
            now = value if here else now
    return choice(f"base:{place}", None, say("beyond.counter.base", place=state.place(place)), now, values)


def _own(state: BeyondState, index: int, seat: Seat) -> Iterator[Counter]:
    """Colonised systems with their discs, and private technologies."""
    group, undrawn = say("beyond.counter.colonies"), state.undrawn_systems()
    mine = {colony.system: colony for colony in seat.colonies}
    for system in ids("systems"):
        if system not in mine and system not in undrawn:
            continue
        text = say("beyond.counter.colony", seat=seat.name, system=state.name(system))
        yield Counter(f"colony:{index}:{system}", index, text, int(system in mine), 0, 1, system, group=group)
        for disc in DISCS if system in mine else ():
            words = say(f"beyond.disc.{disc}")
            text = say("beyond.counter.colony-disc", seat=seat.name, system=state.name(system), disc=words)
            n = mine[system].discs.count(disc)
            most = n + 2 if disc == "marker" else n + min(2, state.left(index, disc))
            yield Counter(f"colony-disc:{index}:{system}:{disc}", index, text, n, 0, most, group=group)
    group = say("beyond.counter.private")
    for level in (2, 3):
        for card in (*seat.private, *state.free_technologies(level)):
            if state.technology(card).level == level:
                text = say("beyond.counter.private-card", seat=seat.name, card=state.name(card))
                here = int(card in seat.private)
                yield Counter(f"private:{index}:{card}", index, text, here, 0, 1, card, group=group)
    for key, n in state.worth.items():
        owner, _, card = key.partition(":")
        if int(owner) == index:
            text = say("beyond.counter.worth", seat=seat.name, card=state.name(card))
            yield Counter(f"worth:{key}", index, text, n, 0, 20)


# Setting right


def correct(state: BeyondState, counter: str, value: int) -> BeyondState:
    """The table with one counter set right."""
    what, *rest = counter.split(":")
    how = CORRECTED.get(what)
    if how is None:
        raise Unknown(say("core.unknown-counter", id=counter))
    try:
        return _ending(how(state, rest, value))
    except (ValueError, LookupError) as e:
        raise Unknown(say("core.unknown-counter", id=counter)) from e


def _ending(state: BeyondState) -> BeyondState:
    """Whether the end was triggered follows from the discs that lie there."""
    if state.claimed < state.goal:
        return replace(state, ending=0)
    return replace(state, ending=min(state.ending, state.round) or state.round)


def _from_supply(state: BeyondState, index: int, cubes: int) -> BeyondState:
    """So many cubes leave the columns from the left, or population where there are none; below zero they return."""
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
    """Cubes of a column come from population and go there."""
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
    """Another card; a base stays as long as there is a card."""
    place = rest[0]
    cards = ("", *ids("systems"))
    systems = {p: s for p, s in state.systems.items() if p != place}
    if cards[value]:
        return replace(state, systems={**systems, place: cards[value]})
    return replace(state, systems=systems, bases={p: b for p, b in state.bases.items() if p != place})


def _set_base(state: BeyondState, rest: list[str], value: int) -> BeyondState:
    place = rest[0]
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
    return _from_supply(state, index, value - now)


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


# What cannot be


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
