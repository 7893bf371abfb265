"""Counters that can be corrected, and checks for impossible tables."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.counters import Correctable, choice
from companion.core.words import Text, count, plain, say
from companion.errors import Unknown
from companion.games.frontiers.component_types import CUBES, ids, stacks
from companion.games.frontiers.state import (
    COLONIES_END,
    COLONISTS_END,
    MOST_WORLDS,
    PER_SEAT,
    SPACES,
    Colony,
    FrontiersState,
    Seat,
)
from companion.games.frontiers.steps.develop import OVERFLOW
from companion.games.frontiers.steps.end import MOST, CountBonuses
from companion.games.frontiers.steps.facts import ReadTiles
from companion.games.frontiers.steps.goals import highest
from scoring.frontiers import KINDS, Kind

MOST_CREDITS = 99
TENS = 80
"""Points on the ten-point chips, which are used when the pool is empty (p. 1)."""
NOBODY = 0


def counters(state: FrontiersState) -> tuple[Correctable, ...]:
    """Every number and tile that can be corrected, once all seats have a home."""
    return tuple(_counters(state)) if state.round else ()


def _counters(state: FrontiersState) -> Iterator[Correctable]:
    for index, seat in enumerate(state.seats):
        yield from _mat(state, index, seat)
    yield from _table(state)
    for index, seat in enumerate(state.seats):
        yield from _tiles(state, index, seat)
        if state.goals:
            yield from _stored(state, index, seat)


def _mat(state: FrontiersState, index: int, seat: Seat) -> Iterator[Correctable]:
    most = {
        "credits": MOST_CREDITS,
        "chips": seat.chips + (state.pool if state.pool > 0 else state.pool + TENS),
        "colonists": seat.colonists + state.supply,
    }
    for what, high in most.items():
        text, now = say(f"frontiers.counter.{what}", seat=seat.name), getattr(seat, what)
        yield Correctable(f"{what}:{index}", index, text, now, 0, max(now, high))


def _table(state: FrontiersState) -> Iterator[Correctable]:
    """The round, the track, the credits on Produce, and the goals."""
    round = say("frontiers.counter.round")
    yield Correctable("round", None, round, state.round, 1, max(99, state.round))
    names = [(n, plain(seat.name)) for n, seat in enumerate(state.seats)]
    group = say("frontiers.counter.track")
    for place, disc in enumerate(state.track):
        text = say("frontiers.counter.place", n=place + 1)
        yield replace(choice(f"place:{place}", None, text, state.seat_of(disc), names), group=group)
    produce = say("frontiers.counter.produce")
    yield Correctable(
        "produce", None, produce, state.produce_credits, 0, max(MOST_CREDITS, state.produce_credits)
    )
    yield from _faces(state)
    if not state.goals:
        return
    group = say("frontiers.counter.goals")
    seats = [(n + 1, plain(seat.name)) for n, seat in enumerate(state.seats)]
    hidden = NOBODY if state.hidden_goal is None else state.hidden_goal + 1
    nobody = (NOBODY, say("frontiers.counter.nobody"))
    text = say("frontiers.counter.hidden-goal")
    yield replace(choice("hidden-goal", None, text, hidden, [nobody, *seats]), group=group)
    for goal in ids("goals"):
        text = say("frontiers.counter.goal", goal=state.name(goal))
        yield Correctable(f"goal:{goal}", None, text, int(goal in state.goals_up), 0, 1, goal, group=group)


def _faces(state: FrontiersState) -> Iterator[Correctable]:
    """Which face of each two-faced development is up."""
    group = say("frontiers.counter.faces")
    for stack, pair in stacks().items():
        names = [(n, state.name(id)) for n, id in enumerate(pair, 1)]
        now = next((n for n, id in enumerate(pair, 1) if id in state.faces), NOBODY)
        text = say("frontiers.counter.face", faces=tuple(name for _, name in names))
        names.insert(0, (NOBODY, say("core.not-told")))
        yield replace(choice(f"face:{stack}", None, text, now, names), group=group)


def _tiles(state: FrontiersState, index: int, seat: Seat) -> Iterator[Correctable]:
    """Worlds and developments of an empire, and those it could have; goods and colonists on its colonies."""
    bag = set(state.bag())
    for id in ids("worlds"):
        here = id in seat.explored or seat.colony(id) is not None
        if here or id in bag:
            text = say("frontiers.counter.world", seat=seat.name, tile=state.name(id))
            group = say("frontiers.counter.worlds")
            yield Correctable(f"world:{index}:{id}", index, text, int(here), 0, 1, id, group=group)
        if here:
            text = say("frontiers.counter.settled", seat=seat.name, tile=state.name(id))
            settled, group = int(seat.colony(id) is not None), say("frontiers.counter.colonies")
            yield Correctable(f"settled:{index}:{id}", index, text, settled, 0, 1, group=group)
    yield from _home(state, index, seat)
    for colony in seat.colonies:
        yield from _colony(state, index, seat, colony)
    for id in ids("developments"):
        here = id in seat.developments
        if here or state.left(id) > 0:
            text = say("frontiers.counter.development", seat=seat.name, tile=state.name(id))
            group = say("frontiers.counter.developments")
            yield Correctable(f"development:{index}:{id}", index, text, int(here), 0, 1, id, group=group)
    for tile in state.tiles(index):
        worth = state.counted(index, tile.id)
        if worth is not None:
            text = say("frontiers.counter.worth", seat=seat.name, tile=tile.called)
            yield Correctable(f"worth:{index}:{tile.id}", index, text, worth, 0, MOST)


def _home(state: FrontiersState, index: int, seat: Seat) -> Iterator[Correctable]:
    """Which side of which mat the home is; 'none' if it was replaced."""
    homes, group = ids("homes"), say("frontiers.counter.colonies")
    names = [(NOBODY, say("frontiers.counter.no-home"))]
    names += [(n + 1, state.name(id)) for n, id in enumerate(homes)]
    now = NOBODY if seat.home is None else homes.index(seat.home) + 1
    text = say("frontiers.counter.home", seat=seat.name)
    yield replace(choice(f"home:{index}", index, text, now, names), group=group)


def _colony(state: FrontiersState, index: int, seat: Seat, colony: Colony) -> Iterator[Correctable]:
    group, tile = say("frontiers.counter.colonies"), state.name(colony.tile)
    names = [(NOBODY, say("frontiers.counter.no-good"))]
    held = state.world(colony.tile).kind  # other goods lie there only by an earlier correction
    names += [
        (n + 1, say(f"frontiers.good.{kind}"))
        for n, kind in enumerate(KINDS)
        if held in (None, "any", kind) or kind == colony.good
    ]
    now = NOBODY if colony.good is None else KINDS.index(colony.good) + 1
    text = say("frontiers.counter.good", seat=seat.name, tile=tile)
    yield replace(choice(f"good:{index}:{colony.tile}", index, text, now, names), group=group)
    text = say("frontiers.counter.colonists-on", seat=seat.name, tile=tile)
    low, high = min(1, colony.colonists), max(2, colony.colonists)
    yield Correctable(f"on:{index}:{colony.tile}", index, text, colony.colonists, low, high, group=group)


def _stored(state: FrontiersState, index: int, seat: Seat) -> Iterator[Correctable]:
    """Components on a stockpile mat."""
    group = say("frontiers.counter.stored")
    text = say("frontiers.counter.stored-credits", seat=seat.name)
    most = max(seat.stored_credits, highest("sales-tax"))
    yield Correctable(f"stored-credits:{index}", index, text, seat.stored_credits, 0, most, group=group)
    for kind in KINDS:
        good = say(f"frontiers.good.{kind}")
        text, now = (
            say("frontiers.counter.stored-good", seat=seat.name, good=good),
            seat.stored_goods.count(kind),
        )
        most = max(now, highest("resource-stockpile"))
        yield Correctable(f"stored-good:{index}:{kind}", index, text, now, 0, most, group=group)
    bag = set(state.bag())
    for id in ids("worlds"):
        if id in bag or id in seat.stored_worlds:
            text = say("frontiers.counter.stored-world", seat=seat.name, tile=state.name(id))
            here = int(id in seat.stored_worlds)
            yield Correctable(f"stored-world:{index}:{id}", index, text, here, 0, 1, group=group)


# Correcting


def correct(state: FrontiersState, counter: str, value: int) -> FrontiersState:
    """The table with one counter corrected; whether this is the last round is worked out again."""
    what, _, rest = counter.partition(":")
    index, _, tile = rest.partition(":")
    corrected = _correct_table(state, what, rest, value)
    if corrected is None and index.isdecimal() and int(index) < len(state.seats):
        seat = _correct_seat(state, int(index), what, tile, value)
        corrected = None if seat is None else state.with_seat(int(index), seat)
    if corrected is None:
        raise Unknown(say("core.unknown-counter", id=counter))
    corrected = _ending(corrected)
    # When the play is over, the points of a tile that was just added are asked for, as at the end.
    return corrected if state.agenda else corrected.push(ReadTiles(), CountBonuses(again=True))


def _correct_table(state: FrontiersState, what: str, rest: str, value: int) -> FrontiersState | None:
    if what == "round":
        return replace(state, round=value)
    if what == "place" and rest.isdecimal() and int(rest) < len(state.track):
        return _placed(state, int(rest), value)
    if what == "produce":
        return replace(state, produce_credits=value)
    if what == "hidden-goal":
        return replace(state, hidden_goal=None if value == NOBODY else value - 1)
    if what == "goal":
        return replace(state, goals_up=_set(state.goals_up, rest, value))
    if what == "face" and rest in stacks():
        pair = stacks()[rest]
        others = tuple(id for id in state.faces if id not in pair)
        return replace(state, faces=others if value == NOBODY else (*others, pair[value - 1]))
    if what == "worth" and rest in state.worth:
        return replace(state, worth={**state.worth, rest: value})
    return None


def _placed(state: FrontiersState, place: int, seat: int) -> FrontiersState:
    """Put a disc of this seat at a place on the track (the last disc it has); the disc there takes its old place."""
    track = list(state.track)
    if state.seat_of(track[place]) != seat:
        other = max(n for n, disc in enumerate(track) if state.seat_of(disc) == seat)
        track[place], track[other] = track[other], track[place]
    return replace(state, track=tuple(track))


def _correct_seat(state: FrontiersState, index: int, what: str, tile: str, value: int) -> Seat | None:
    who = state.seats[index]
    if what in ("credits", "chips", "colonists"):
        return replace(who, **{what: value})
    if what == "world":
        return _with_world(who, tile, bool(value))
    if what == "settled":
        return _settled(state, who, tile, bool(value))
    if what == "home":
        return _at_home(who, None if value == NOBODY else ids("homes")[value - 1])
    if what == "development":
        return replace(who, developments=_set(who.developments, tile, value), fresh=_set(who.fresh, tile, 0))
    colony = who.colony(tile)
    if what == "good" and colony is not None:
        return who.with_colony(replace(colony, good=None if value == NOBODY else KINDS[value - 1]))
    if what == "on" and colony is not None:
        return who.with_colony(replace(colony, colonists=value))
    return _with_stored(who, what, tile, value)


def _with_stored(who: Seat, what: str, tile: str, value: int) -> Seat | None:
    if what == "stored-credits":
        return replace(who, stored_credits=value)
    if what == "stored-good":
        kind: Kind = next(kind for kind in KINDS if kind == tile)
        others = tuple(good for good in who.stored_goods if good != kind)
        return replace(who, stored_goods=(*others, *(kind,) * value))
    if what == "stored-world":
        return replace(who, stored_worlds=_set(who.stored_worlds, tile, value))
    return None


def _with_world(who: Seat, tile: str, here: bool) -> Seat:
    """A world joins an empire as an explored one, or leaves it with everything on it."""
    if here:
        return who if who.colony(tile) else replace(who, explored=_set(who.explored, tile, 1))
    colonies = tuple(colony for colony in who.colonies if colony.tile != tile)
    return replace(
        who, colonies=colonies, explored=_set(who.explored, tile, 0), fresh=_set(who.fresh, tile, 0)
    )


def _settled(state: FrontiersState, who: Seat, tile: str, settled: bool) -> Seat:
    """A world turned to its colony side, with its colonists from the supply; or turned back."""
    who = _with_world(who, tile, False)
    if not settled:
        return _with_world(who, tile, True)
    return replace(who, colonies=(*who.colonies, Colony(tile, colonists=state.world(tile).colonists or 1)))


def _at_home(who: Seat, home: str | None) -> Seat:
    others = tuple(colony for colony in who.colonies if colony.tile != who.home)
    return replace(who, colonies=others if home is None else (Colony(home), *others))


def _set(held: tuple[str, ...], id: str, value: int) -> tuple[str, ...]:
    without = tuple(other for other in held if other != id)
    if not value:
        return without
    return held if id in held else (*held, id)


def _ending(state: FrontiersState) -> FrontiersState:
    """Recompute what ends the play: a correction may show that an end was reached, or that it was not.

    Colonies are added only in a Settle action, which checks its own end. Colonists never go back to the
    supply, but a small supply counts only after a Settle action, so this function never adds that reason (p.
    7).
    """
    now = {
        "points": state.pool <= 0,
        "developments": any(state.covered(seat) > SPACES for seat in range(len(state.seats))),
        "colonies": any(len(seat.colonies) >= COLONIES_END for seat in state.seats),
    }
    still = {**now, "colonists": state.supply < COLONISTS_END}
    kept = tuple(why for why in state.ending if still[why])
    reached = (why for why, holds in now.items() if holds and (why != "colonies" or state.action != "settle"))
    return replace(state, ending=(*kept, *(why for why in reached if why not in kept)))


# Impossible tables


def check(state: FrontiersState) -> tuple[Text, ...]:
    """Everything impossible about a table; legal play never leads to any of it."""
    return tuple(_problems(state))


def _problems(state: FrontiersState) -> Iterator[Text]:
    if state.supply < 0:
        yield count("frontiers.wrong.colonists", PER_SEAT * len(state.seats))
    for kind, n in state.cubes().items():
        if n < 0:
            yield say("frontiers.wrong.goods", good=say(f"frontiers.good.{kind}"), n=CUBES[kind])
    if state.hidden_goal is not None and state.goals_left < 0:
        yield say("frontiers.wrong.goals")
    yield from _places(state)
    for index, seat in enumerate(state.seats):
        yield from _of_seat(state, index, seat)


def _places(state: FrontiersState) -> Iterator[Text]:
    """A world lies in only one place; a development lies in no more empires than it has copies."""
    lying: Tally[str] = Tally(state.aside)
    for seat in state.seats:
        lying.update((*seat.explored, *seat.stored_worlds, *(colony.tile for colony in seat.colonies)))
    for id, n in lying.items():
        if n > 1:
            yield say("frontiers.wrong.twice", tile=state.name(id))
    mats = Tally(_mat_of(state, colony.tile) for seat in state.seats for colony in seat.colonies)
    for mat, n in mats.items():
        if mat and n > 1:
            yield say("frontiers.wrong.mat", n=mat)
    for id in ids("developments"):
        if state.left(id) < 0:
            yield count("frontiers.wrong.copies", state.copies(id), tile=state.name(id))


def _mat_of(state: FrontiersState, tile: str) -> int:
    return int(getattr(state.box[tile], "mat", 0))


def _of_seat(state: FrontiersState, index: int, seat: Seat) -> Iterator[Text]:
    if len(seat.developments) > len(set(seat.developments)):
        yield say("frontiers.wrong.same-development", seat=seat.name)
    if min(seat.credits, seat.chips, seat.colonists, seat.stored_credits) < 0:
        yield say("frontiers.wrong.negative", seat=seat.name)
    if state.covered(index) > SPACES + OVERFLOW:
        yield count("frontiers.wrong.spaces", SPACES + OVERFLOW, seat=seat.name)
    if len(seat.colonies) > MOST_WORLDS:
        yield count("frontiers.wrong.colonies", MOST_WORLDS, seat=seat.name)
    for colony in seat.colonies:
        if colony.good is not None and state.world(colony.tile).product == "gray":
            yield say("frontiers.wrong.no-goods-there", seat=seat.name, tile=state.name(colony.tile))
    for goal, n in (
        ("exploration", len(seat.stored_worlds)),
        ("resource-stockpile", len(seat.stored_goods)),
        ("sales-tax", seat.stored_credits),
    ):
        if n > highest(goal):
            yield count("frontiers.wrong.stored", highest(goal), seat=seat.name, goal=state.name(goal))
