"""Everything that can be corrected by hand: every number and piece, with its allowed values."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.counters import Correctable, choice
from companion.core.words import Text, plain, say
from companion.games.beyond.actions import open_to
from companion.games.beyond.component_types import CARD_PLACES, COLUMNS, SPACES, Disc, ids, technologies
from companion.games.beyond.deeds import technology_name
from companion.games.beyond.state import Base, BeyondState, Seat, Ship

MOST_ORE, MOST_ROUNDS = 99, 60
NOBODY = 0
DISCS: tuple[Disc, ...] = ("food", "ore", "marker")
MOST_MARKERS = 20
MUSEUM = "retired-spaceship-museum"


def counters(state: BeyondState) -> tuple[Correctable, ...]:
    """Every number and piece that can be corrected, once the first turn has begun."""
    return tuple(_counters(state)) if state.round else ()


def _counters(state: BeyondState) -> Iterator[Correctable]:
    for index, seat in enumerate(state.seats):
        yield from _board(state, index, seat)
    yield from _table(state)
    yield from _tree(state)
    yield from _space(state)
    for index, seat in enumerate(state.seats):
        yield from _own(state, index, seat)


def _board(state: BeyondState, index: int, seat: Seat) -> Iterator[Correctable]:
    """Ore, cubes and automation of one faction, and its pawn."""
    name, supply = seat.name, sum(seat.supply)
    yield Correctable(
        f"ore:{index}", index, say("beyond.counter.ore", seat=name), seat.ore, 0, max(MOST_ORE, seat.ore)
    )
    text = say("beyond.counter.population", seat=name)
    yield Correctable(f"population:{index}", index, text, seat.population, 0, seat.population + supply)
    group = say("beyond.counter.columns")
    for n, letter in enumerate(COLUMNS):
        text, cubes = say("beyond.counter.column", seat=name, letter=letter.upper()), seat.supply[n]
        most = cubes + seat.population
        if n:  # only column A may hold more cubes than slots (rule 63)
            most = max(cubes, min(most, state.sizes(index)[n]))
        yield Correctable(f"supply:{index}:{letter}", index, text, cubes, 0, most, group=group)
    group = say("beyond.counter.automation")
    for disc in DISCS:
        text = say("beyond.counter.automated", seat=name, disc=say(f"beyond.disc.{disc}"))
        now = seat.automation.count(disc)
        most = MOST_MARKERS if disc == "marker" else now + state.left(index, disc)
        yield Correctable(f"automation:{index}:{disc}", index, text, now, 0, max(now, most), group=group)
    yield _pawn(state, index, seat)


def _pawn(state: BeyondState, index: int, seat: Seat) -> Correctable:
    spaces = tuple(open_to(state, index))
    names = [(NOBODY, say("beyond.counter.beside"))]
    names += [
        (n + 1, say("beyond.counter.space", action=s.text(state), n=s.n + 1)) for n, s in enumerate(spaces)
    ]
    now = next((n + 1 for n, space in enumerate(spaces) if space.id == seat.pawn), NOBODY)
    return choice(f"pawn:{index}", index, say("beyond.counter.pawn", seat=seat.name), now, names)


def _table(state: BeyondState) -> Iterator[Correctable]:
    """The round, guilds, achievements, decks and events."""
    yield Correctable(
        "round", None, say("beyond.counter.round"), state.round, 1, max(MOST_ROUNDS, state.round)
    )
    for deck in ("A", "B"):
        n = state.decks.get(deck, 0)
        text, group = say("beyond.counter.deck", deck=deck), say("beyond.counter.systems")
        yield Correctable(f"deck:{deck}", None, text, n, 0, max(12, n), group=group)
    group = say("beyond.counter.guilds")
    for guild in ids("guilds"):
        text = say("beyond.counter.guild", guild=state.name(guild))
        yield Correctable(f"guild:{guild}", None, text, int(guild in state.guilds), 0, 1, guild, group=group)
    group = say("beyond.counter.achievements")
    for card, seats in state.achievements.items():
        for index, seat in enumerate(state.seats):
            text = say("beyond.counter.claim", seat=seat.name, card=state.name(card))
            yield Correctable(f"claim:{index}:{card}", index, text, int(index in seats), 0, 1, group=group)
    group = say("beyond.counter.events")
    names = [(NOBODY, say("beyond.counter.not-kept")), (1, say("beyond.counter.beside-board"))]
    names += [(n + 2, plain(seat.name)) for n, seat in enumerate(state.seats)]
    for event in ids("events"):
        kept = state.kept.get(event)
        now = NOBODY if kept is None else 1 if kept.seat is None else kept.seat + 2
        text = say("beyond.counter.event", event=state.name(event))
        yield replace(choice(f"event:{event}", None, text, now, names, event), group=group)
        if kept is not None:
            text = say("beyond.counter.system-beside", event=state.name(event))
            yield replace(_system(state, f"beside:{event}", text, kept.system), group=group)
    group = say("beyond.counter.museum")
    if MUSEUM in state.kept or any(seat.museum for seat in state.seats):
        for index, seat in enumerate(state.seats):
            for level in range(1, 5):
                text = say("beyond.counter.in-museum", seat=seat.name, level=level)
                n = seat.museum.count(level)
                yield Correctable(
                    f"museum:{index}:{level}", index, text, n, 0, n + sum(seat.supply), group=group
                )


def _system(state: BeyondState, id: str, text: Text, now: str) -> Correctable:
    """Which system card lies at a place."""
    cards, undrawn = ids("systems"), state.undrawn_systems()
    names = [(NOBODY, say("beyond.counter.no-card"))]
    names += [(n + 1, state.name(c)) for n, c in enumerate(cards) if c == now or c in undrawn]
    return choice(id, None, text, cards.index(now) + 1 if now else NOBODY, names, now or None)


def _tree(state: BeyondState) -> Iterator[Correctable]:
    """Which card lies on each space of the tree, and whose cubes."""
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
                yield Correctable(f"researched:{index}:{space}", index, text, here, 0, high, group=group)


def _space(state: BeyondState) -> Iterator[Correctable]:
    """Systems, bases and ships."""
    for place in state.locations:
        group = state.place(place)
        if place in CARD_PLACES:
            text = say("beyond.counter.system", place=say(f"beyond.place.{place}"))
            now = state.systems.get(place, "")
            yield replace(_system(state, f"system:{place}", text, now), group=group)
        if place in state.controllable:
            yield replace(_base(state, place), group=group)
        for index, seat in enumerate(state.seats):
            for level in range(1, 5):
                text = say("beyond.counter.ships", seat=seat.name, level=level, place=state.place(place))
                n = seat.ships.count(Ship(place, level))
                high = n + sum(seat.supply)
                yield Correctable(f"ships:{index}:{place}:{level}", index, text, n, 0, high, group=group)


def _base(state: BeyondState, place: str) -> Correctable:
    """Whose base lies at a location, and which disc it is."""
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


def _own(state: BeyondState, index: int, seat: Seat) -> Iterator[Correctable]:
    """Colonised systems with their discs, and private technologies."""
    group, undrawn = say("beyond.counter.colonies"), state.undrawn_systems()
    mine = {colony.system: colony for colony in seat.colonies}
    for system in ids("systems"):
        if system not in mine and system not in undrawn:
            continue
        text = say("beyond.counter.colony", seat=seat.name, system=state.name(system))
        yield Correctable(
            f"colony:{index}:{system}", index, text, int(system in mine), 0, 1, system, group=group
        )
        for disc in DISCS if system in mine else ():
            words = say(f"beyond.disc.{disc}")
            text = say("beyond.counter.colony-disc", seat=seat.name, system=state.name(system), disc=words)
            n = mine[system].discs.count(disc)
            most = n + 2 if disc == "marker" else n + min(2, state.left(index, disc))
            yield Correctable(f"colony-disc:{index}:{system}:{disc}", index, text, n, 0, most, group=group)
    group = say("beyond.counter.private")
    for level in (2, 3):
        for card in (*seat.private, *state.free_technologies(level)):
            if state.technology(card).level == level:
                text = say("beyond.counter.private-card", seat=seat.name, card=state.name(card))
                here = int(card in seat.private)
                yield Correctable(f"private:{index}:{card}", index, text, here, 0, 1, card, group=group)
    for key, n in state.worth.items():
        owner, _, card = key.partition(":")
        if int(owner) == index:
            text = say("beyond.counter.worth", seat=seat.name, card=state.name(card))
            yield Correctable(f"worth:{key}", index, text, n, 0, 20)
