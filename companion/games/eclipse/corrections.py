"""Counters of boards and of the table that can be corrected; those of the map are in `map_corrections.py`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from msgspec.structs import replace

from companion.core.agenda import open_asks
from companion.core.counters import Correctable, choice
from companion.core.words import plain, say
from companion.errors import NotNow, Unknown
from companion.games.eclipse import component_types, map_corrections
from companion.games.eclipse.component_types import (
    RESOURCES,
    SHIPS,
    Resource,
    Ship,
    ancient_parts,
    parts,
    technologies,
)
from companion.games.eclipse.conserved import lies
from companion.games.eclipse.species import blueprint, sound
from companion.games.eclipse.state import EclipseState, Seat
from companion.games.eclipse.steps.cubes import places, put_cube, take_cube
from companion.games.eclipse.steps.end import TellReputation
from companion.games.eclipse.steps.upgrade import designed, known_parts, tiles

NOBODY = -1
PRINTED = 0
ANCIENT_PARTS = 101
SOME_ACTION = "some"


def counters(state: EclipseState) -> tuple[Correctable, ...]:
    """Every number that can be corrected, once the map is laid out."""
    return tuple(_counters(state)) if state.round else ()


def _counters(state: EclipseState) -> Iterator[Correctable]:
    for index, seat in enumerate(state.seats):
        yield from _board(state, index, seat)
        yield from _parts(state, index)
        yield from _spare(state, index)
        yield from _technologies(state, index, seat)
    yield from _table(state)
    yield from map_corrections.counters(state)
    for id in technologies():
        here = state.offered.get(id, 0)
        text = say("eclipse.counter.offered", technology=state.called(id))
        group = say("eclipse.counter.supply")
        yield Correctable(f"offered:{id}", None, text, here, 0, here + state.in_bag(id), group=group)
    for id, tile in component_types.discoveries().items():
        here = state.used.get(id, 0)
        text = say("eclipse.counter.used", discovery=state.called(id))
        group = say("eclipse.counter.discoveries")
        yield Correctable(f"used:{id}", None, text, here, 0, tile.copies, group=group)


def _table(state: EclipseState) -> Iterator[Correctable]:
    """The round, the first player, who passed first, and which seats are allied."""
    names = [(n, plain(state.name(n))) for n in range(len(state.seats))]
    yield Correctable("round", None, say("eclipse.counter.round"), state.round, 1, component_types.ROUNDS)
    yield choice("first", None, say("eclipse.counter.first"), state.first, names)
    nobody = (NOBODY, say("eclipse.position.nobody"))
    begins = NOBODY if state.passed_first is None else state.passed_first
    yield choice("passed-first", None, say("eclipse.counter.passed-first"), begins, [nobody, *names])
    if len(state.seats) < component_types.DIPLOMACY_FROM:
        return
    for a, b in combinations(range(len(state.seats)), 2):
        text = say("eclipse.counter.pact", seat=state.name(a), other=state.name(b))
        group = say("eclipse.counter.diplomacy")
        yield Correctable(f"pact:{a}:{b}", None, text, int(b in state.seats[a].partners), 0, 1, group=group)


def _technologies(state: EclipseState, index: int, seat: Seat) -> Iterator[Correctable]:
    """Tiles on a seat's tracks; technologies printed on its board are fixed."""
    for id in technologies():
        here = state.has(index, id)
        if id not in state.species(index).technologies and (here or state.in_bag(id) > 0):
            text = say("eclipse.counter.technology", seat=seat.name, technology=state.called(id))
            group = say("eclipse.counter.technologies")
            yield Correctable(f"technology:{index}:{id}", index, text, int(here), 0, 1, group=group)


def _parts(state: EclipseState, index: int) -> Iterator[Correctable]:
    """The part on each square of a seat's blueprints."""
    for ship in SHIPS:
        printed_there = blueprint(state, index, ship).slots
        for slot, tile in enumerate(tiles(state, index, ship)):
            under = state.called(printed_there[slot]) if printed_there[slot] else say("eclipse.empty-slot")
            known = dict.fromkeys([*([tile] if tile else []), *known_parts(state, index)])
            names = [(PRINTED, say("eclipse.counter.as-printed", part=under))]
            names += sorted((part_number(id), state.called(id)) for id in known)
            what = say(f"eclipse.ship.{ship}")
            text = say("eclipse.counter.part", seat=state.name(index), ship=what, slot=slot + 1)
            now = part_number(tile) if tile else PRINTED
            group = say("eclipse.counter.blueprint", ship=what)
            yield replace(choice(f"part:{index}:{ship}:{slot}", index, text, now, names), group=group)


def _spare(state: EclipseState, index: int) -> Iterator[Correctable]:
    """Ancient parts kept beside a board, and those that could be: they lie nowhere else."""
    for tile in component_types.discoveries().values():
        here = tile.part in state.seats[index].spare
        if tile.part is not None and (here or not lies(state, tile)):
            name = state.called(tile.part)
            text = say("eclipse.counter.spare", seat=state.name(index), part=name)
            group = say("eclipse.counter.spares")
            yield Correctable(f"spare:{index}:{tile.part}", index, text, int(here), 0, 1, group=group)


@cache
def part_number(id: str) -> int:
    """The stable number of a part, as stored in journals; Ancient parts have their own range, so that both
    lists may grow."""
    if id in ancient_parts():
        return ANCIENT_PARTS + [part.id for part in component_types.printed().ancient_parts].index(id)
    return 1 + [part.id for part in component_types.printed().parts].index(id)


def _board(state: EclipseState, index: int, seat: Seat) -> Iterator[Correctable]:
    for kind in RESOURCES:
        text = say("eclipse.counter.stock", seat=seat.name, kind=say(f"eclipse.kind.{kind}"))
        yield Correctable(f"{kind}:{index}", index, text, seat.stock.of(kind), 0, state.storage)
    turned = say("eclipse.counter.colonised", seat=seat.name)
    yield Correctable(
        f"colonised:{index}", index, turned, seat.colonised, 0, state.species(index).colony_ships
    )
    if state.phase == "action":
        acted = sum(seat.acted.values())
        text = say("eclipse.counter.acted", seat=seat.name)
        most = max(acted, acted + state.discs_on_track(index))
        yield Correctable(f"acted:{index}", index, text, acted, 0, most)
        if not seat.out:
            text = say("eclipse.counter.passed", seat=seat.name)
            yield Correctable(f"passed:{index}", index, text, int(seat.passed), 0, 1)
    for kind in RESOURCES:
        text = say("eclipse.counter.track", seat=seat.name, kind=say(f"eclipse.kind.{kind}"))
        most = min(state.track_room, seat.tracks.total)
        group = say("eclipse.counter.tracks")
        yield Correctable(f"track:{index}:{kind}", index, text, seat.tracks.of(kind), 0, most, group=group)
    for kind in RESOURCES:
        here = seat.graveyard.of(kind)
        text = say("eclipse.counter.graveyard", seat=seat.name, kind=say(f"eclipse.kind.{kind}"))
        group = say("eclipse.counter.graveyards")
        most = here + seat.tracks.total
        yield Correctable(f"graveyard:{index}:{kind}", index, text, here, 0, most, group=group)
    if state.phase == "end":
        return
    if len(state.seats) >= component_types.DIPLOMACY_FROM:
        text = say("eclipse.counter.traitor", seat=seat.name)
        yield Correctable(f"traitor:{index}", index, text, int(state.traitor == index), 0, 1)
    most = seat.reputation + state.reputation_left()
    text = say("eclipse.counter.reputation", seat=seat.name)
    yield Correctable(f"reputation:{index}", index, text, seat.reputation, 0, most)
    text = say("eclipse.counter.kept", seat=seat.name)
    yield Correctable(f"kept:{index}", index, text, seat.kept, 0, seat.kept + state.discoveries_left())


def correct(state: EclipseState, counter: str, value: int) -> EclipseState:
    """The table with one counter corrected."""
    what, _, rest = counter.partition(":")
    corrected = map_corrections.correct(state, what, rest, value) or _correct_table(state, what, rest, value)
    if corrected is not None:
        return corrected
    index, _, rest = rest.partition(":")
    seat = int(index) if index.isdecimal() else -1
    corrected = _correct_seat(state, seat, what, rest, value) if 0 <= seat < len(state.seats) else None
    if corrected is None:
        raise Unknown(say("core.unknown-counter", id=counter))
    return corrected


def _correct_table(state: EclipseState, what: str, rest: str, value: int) -> EclipseState | None:
    if what == "offered":
        offered = {**state.offered, rest: value}
        return replace(state, offered={id: n for id, n in offered.items() if n})
    if what == "used":
        used = {**state.used, rest: value}
        return replace(state, used={id: n for id, n in used.items() if n})
    if what == "round":
        return replace(state, round=value)
    if what == "first":
        return replace(state, first=value)
    if what == "passed-first":
        return replace(state, passed_first=None if value == NOBODY else value)
    if what == "pact":
        a, _, b = rest.partition(":")
        return _correct_pact(state, int(a), int(b), bool(value))
    return None


def _correct_seat(state: EclipseState, seat: int, what: str, rest: str, value: int) -> EclipseState | None:
    who = state.seats[seat]
    if what == "technology":
        return _correct_technology(state, seat, rest, bool(value))
    if what == "part":
        word, _, slot = rest.partition(":")
        return _correct_part(state, seat, next(s for s in SHIPS if s == word), int(slot), value)
    if what == "track":
        return _correct_track(state, seat, next(k for k in RESOURCES if k == rest), value)
    if what == "graveyard":
        return _correct_graveyard(state, seat, next(k for k in RESOURCES if k == rest), value)
    if what == "spare":
        return _correct_spare(state, seat, rest, bool(value))
    if what == "traitor":
        return replace(state, traitor=seat if value else None if state.traitor == seat else state.traitor)
    if what == "acted":
        return state.with_seat(seat, replace(who, acted=_discs_on_actions(who.acted, value)))
    if what == "passed":
        return _correct_passed(state, seat, bool(value))
    for kind in RESOURCES:
        if what == kind:
            return state.with_seat(seat, replace(who, stock=who.stock.add(kind, value - who.stock.of(kind))))
    if what == "reputation":
        return _correct_reputation(state, seat, value)
    if what in ("colonised", "kept"):
        return state.with_seat(seat, replace(who, **{what: value}))
    return None


def _correct_reputation(state: EclipseState, seat: int, tiles: int) -> EclipseState:
    """Set the number of tiles. If they are already turned over, the unknown values are asked for; all of them
    if some tiles are gone."""
    who = state.seats[seat]
    told = who.revealed if len(who.revealed) <= tiles else ()
    state = state.with_seat(seat, replace(who, reputation=tiles, revealed=told))
    turned_over = not state.agenda or any(isinstance(ask, TellReputation) for _, ask in open_asks(state))
    return state.push(TellReputation(seat)) if turned_over and len(told) < tiles else state


def _correct_technology(state: EclipseState, seat: int, id: str, there: bool) -> EclipseState:
    """A tile from the bag onto a track, or back, with the discs it gives."""
    who = state.seats[seat]
    if (id in who.technologies) == there:
        return state
    owned = (*who.technologies, id) if there else tuple(t for t in who.technologies if t != id)
    discs = technologies()[id].discs if there else -technologies()[id].discs
    return state.with_seat(seat, replace(who, technologies=owned, discs=who.discs + discs))


def _correct_part(state: EclipseState, seat: int, ship: Ship, slot: int, value: int) -> EclipseState:
    """Put a part on a square, or take the tile off it; the ship must stay legal. A removed Ancient part is kept."""
    part = "" if value == PRINTED else next(id for id in parts() if part_number(id) == value)
    before = tiles(state, seat, ship)
    after = (*before[:slot], part, *before[slot + 1 :])
    if not sound(ship, designed(state, seat, ship, after)):
        raise NotNow(say("eclipse.why.unsound", ship=say(f"eclipse.ship.{ship}")))
    who = state.seats[seat]
    spare = [p for p in who.spare if p != part]
    if before[slot] in ancient_parts() and before[slot] != part:
        spare.append(before[slot])
    return state.with_seat(seat, replace(who, upgrades={**who.upgrades, ship: after}, spare=tuple(spare)))


def _correct_track(state: EclipseState, seat: int, kind: Resource, value: int) -> EclipseState:
    """Set the number of cubes on a track; the difference is moved to or from the tracks after it."""
    who = state.seats[seat]
    tracks, off = who.tracks, who.tracks.of(kind) - value
    tracks = tracks.add(kind, -off)
    at = RESOURCES.index(kind)
    for other in (*RESOURCES[at + 1 :], *RESOURCES[:at]):
        here = tracks.of(other)
        moved = max(-here, min(state.track_room - here, off))
        tracks, off = tracks.add(other, moved), off - moved
    if off:
        raise NotNow(say("eclipse.why.tracks-full", seat=who.name))
    return state.with_seat(seat, replace(who, tracks=tracks))


def _correct_graveyard(state: EclipseState, seat: int, kind: Resource, value: int) -> EclipseState:
    """Set the cubes in a graveyard: they come from the track of their kind or the fullest one, and return to
    a track with room."""
    for _ in range(state.seats[seat].graveyard.of(kind), value):
        tracks = state.seats[seat].tracks
        state = take_cube(state, seat, kind if tracks.of(kind) else max(RESOURCES, key=tracks.of))
        state = put_cube(state, seat, kind, "graveyard")
    for _ in range(value, state.seats[seat].graveyard.of(kind)):
        who = state.seats[seat]
        state = state.with_seat(seat, replace(who, graveyard=who.graveyard.add(kind, -1)))
        state = put_cube(state, seat, places(state, seat, kind)[0], "tracks")
    return state


def _correct_spare(state: EclipseState, seat: int, part: str, there: bool) -> EclipseState:
    """Put an Ancient part beside a board, or discard it. Its discovery tile counts as used, even if that was
    never told."""
    who = state.seats[seat]
    if (part in who.spare) == there:
        return state
    if not there:
        return state.with_seat(seat, replace(who, spare=tuple(p for p in who.spare if p != part)))
    tile = next(tile for tile in component_types.discoveries().values() if tile.part == part)
    if not state.used.get(tile.id, 0):
        if not state.discoveries_left():
            raise NotNow(say("eclipse.why.no-discovery-left", part=state.called(part)))
        state = replace(state, used={**state.used, tile.id: 1})
    return state.with_seat(seat, replace(who, spare=(*who.spare, part)))


def _correct_pact(state: EclipseState, a: int, b: int, there: bool) -> EclipseState:
    """Exchange ambassadors or send them home, each with a cube: from the fullest track, to a track with room."""
    if (b in state.seats[a].partners) == there:
        return state
    for seat, other in ((a, b), (b, a)):
        who = state.seats[seat]
        if there:
            kind = max(RESOURCES, key=who.tracks.of)
            partners = (*who.partners, other)
            state = take_cube(state, seat, kind)
        else:
            partners = tuple(partner for partner in who.partners if partner != other)
            state = put_cube(state, seat, places(state, seat, "gray")[0], "tracks")
        state = state.with_seat(seat, replace(state.seats[seat], partners=partners))
    return state


def _discs_on_actions(acted: dict[str, int], value: int) -> dict[str, int]:
    """Set the number of discs on actions; which actions they lie on does not matter."""
    left, kept = value, dict[str, int]()
    for action, n in acted.items():
        kept[action] = min(n, left)
        left -= kept[action]
    kept[SOME_ACTION] = kept.get(SOME_ACTION, 0) + left
    return {action: n for action, n in kept.items() if n}


def _correct_passed(state: EclipseState, seat: int, passed: bool) -> EclipseState:
    """Set whether a seat has passed; the first to pass begins the next round."""
    first = state.passed_first
    if passed and first is None:
        first = seat
    elif not passed and first == seat:
        first = next((n for n in state.clockwise(seat + 1) if n != seat and state.seats[n].passed), None)
    state = state.with_seat(seat, replace(state.seats[seat], passed=passed))
    return replace(state, passed_first=first)
