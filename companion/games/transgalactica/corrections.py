"""Corrections by hand, and checks for impossible tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion.core.counters import Correctable, choice
from companion.core.words import Text, plain, say
from companion.errors import NotNow, Unknown
from companion.games.transgalactica.component_types import (
    CREW,
    LONGEST,
    MAIN_TRACKS,
    OUTPOSTS,
    ROUNDS,
    TRADE,
    ids,
)
from companion.games.transgalactica.effects import ACTIONS, STUFF
from companion.games.transgalactica.state import Held, Outpost, Seat, TransState, Used, crew_of

MOST = 99
POINTS = (-50, 300)
NONE, FACE_UP, USED = 0, 1, 2
IN_LOG, DONE = 1, 2


def counters(state: TransState) -> tuple[Correctable, ...]:
    """Every number and piece that can be corrected, once the first round has begun."""
    return tuple(_counters(state)) if state.round else ()


def _counters(state: TransState) -> Iterator[Correctable]:
    for n, seat in enumerate(state.seats):
        yield from _numbers(state, n, seat)
    yield from _table(state)
    for n, seat in enumerate(state.seats):
        yield from _map(state, n, seat)
        yield from _cards(state, n, seat)
        yield from _tokens(state, n, seat)


def _numbers(state: TransState, n: int, seat: Seat) -> Iterator[Correctable]:
    low, high = POINTS
    bounds = {"vp": (min(low, seat.vp), max(high, seat.vp))}
    bounds |= {what: (0, max(MOST, getattr(seat, what))) for what in STUFF}
    bounds |= dict.fromkeys(MAIN_TRACKS, (0, LONGEST))
    bounds |= {
        "trade": (0, TRADE),
        "captains_out": (0, seat.captains),
        "crew": (0, seat.crew + seat.capsules),
        "crew_out": (0, seat.crew_out + seat.capsules),
        "gone": (0, seat.gone + seat.capsules),
    }
    for what, (least, most) in bounds.items():
        text = say(f"transgalactica.counter.{what.replace('_', '-')}", seat=seat.name)
        yield Correctable(f"{what}:{n}", n, text, getattr(seat, what), least, most)


def _table(state: TransState) -> Iterator[Correctable]:
    yield Correctable("round", None, say("transgalactica.counter.round"), state.round, 1, ROUNDS)
    group = say("transgalactica.counter.order")
    names = [(n, plain(seat.name)) for n, seat in enumerate(state.seats)]
    for place, seat in enumerate(state.order):
        text = say("transgalactica.counter.place", n=place + 1)
        yield replace(choice(f"place:{place}", None, text, seat, names), group=group)
    text = say("transgalactica.counter.mining-token")
    yield Correctable("mining-token", None, text, int(state.mining_token), 0, 1)
    text = say("transgalactica.counter.mining-stack")
    yield Correctable("mining-stack", None, text, state.mining_stack, 0, 12)
    group = say("transgalactica.counter.spaces")
    nobody = (0, say("transgalactica.counter.nobody"))
    seats = [nobody, *((n + 1, plain(seat.name)) for n, seat in enumerate(state.seats))]
    for action in ACTIONS:
        by = next((used.seat + 1 for used in state.used if used.action == action), 0)
        text = say(f"transgalactica.action.{action}")
        yield replace(choice(f"used:{action}", None, text, by, seats), group=group)
    group = say("transgalactica.counter.senate")
    for n, sitting in enumerate(state.senate):
        for seat in range(len(state.seats)):
            text = say(
                "transgalactica.counter.sits",
                seat=state.seats[seat].name,
                decree=state.name(state.decrees[n]),
            )
            yield Correctable(f"sits:{n}:{seat}", seat, text, int(seat in sitting), 0, 1, group=group)
    group = say("transgalactica.counter.missions")
    for id in (*state.display, *state.deck(1), *state.deck(2)):
        text = say("transgalactica.counter.laid", card=state.name(id))
        yield Correctable(f"laid:{id}", None, text, int(id in state.display), 0, 1, group=group)
    group = say("transgalactica.counter.pirates")
    for id in state.planets.values():
        if id != "central" and not any(id in seat.planets for seat in state.seats):
            text = say("transgalactica.counter.pirates-on", planet=state.name(id))
            yield Correctable(f"pirates-on:{id}", None, text, int(id in state.pirates), 0, 1, group=group)
    group = say("transgalactica.counter.rewards")
    for id in state.planets.values():
        if state.planet(id).type == "action" and not any(id in seat.planets for seat in state.seats):
            text = say("transgalactica.counter.reward-on", planet=state.name(id))
            yield Correctable(f"reward-on:{id}", None, text, int(id in state.rewards), 0, 1, group=group)


def _map(state: TransState, n: int, seat: Seat) -> Iterator[Correctable]:
    group = say("transgalactica.counter.map")
    spaces = [space for space in state.board.spaces if space in state.planets]
    for k, space in enumerate(seat.ships):
        if space not in spaces:
            continue
        names = [(at, state.name(state.planets[one])) for at, one in enumerate(spaces)]
        text = say("transgalactica.counter.ship", seat=seat.name, n=k + 1)
        yield replace(choice(f"ship:{n}:{k}", n, text, spaces.index(space), names), group=group)
    for id in state.planets.values():
        if id == "central":
            continue
        text = say("transgalactica.counter.outpost", seat=seat.name, planet=state.name(id))
        yield Correctable(f"outpost:{n}:{id}", n, text, int(id in seat.planets), 0, 1, id, group=group)
    for id in dict.fromkeys((*seat.planets, *seat.used)):
        if state.where(id) is not None and state.planet(id).type == "action":
            text = say("transgalactica.counter.planet-used", seat=seat.name, planet=state.name(id))
            yield Correctable(f"planet-used:{n}:{id}", n, text, int(id in seat.used), 0, 1, group=group)


def _cards(state: TransState, n: int, seat: Seat) -> Iterator[Correctable]:
    group = say("transgalactica.counter.technologies")
    for id in state.technologies:
        text = say("transgalactica.counter.marked", seat=seat.name, card=state.name(id))
        yield Correctable(f"marked:{n}:{id}", n, text, int(id in seat.technologies), 0, 1, id, group=group)
    group = say("transgalactica.counter.missions")
    others = {id for other in state.seats if other is not seat for id in (*other.log, *other.missions)}
    names = [(0, say("transgalactica.counter.not-here")), (1, say("transgalactica.view.in-log"))]
    names.append((2, say("transgalactica.view.done")))
    for id in ids("missions"):
        if id in others or id in state.display:
            continue
        now = DONE if id in seat.missions else IN_LOG if id in seat.log else NONE
        text = say("transgalactica.counter.mission", seat=seat.name, mission=state.name(id))
        yield replace(choice(f"mission:{n}:{id}", n, text, now, names, id), group=group)


def _tokens(state: TransState, n: int, seat: Seat) -> Iterator[Correctable]:
    group = say("transgalactica.counter.tokens")
    names = [(0, say("transgalactica.counter.not-here")), (1, say("transgalactica.counter.face-up"))]
    names.append((2, say("transgalactica.view.used")))
    held = {one.token: one for one in seat.tokens}
    for id in (*held, *state.tokens_left("basic"), *state.tokens_left("advanced")):
        now = NONE if id not in held else USED if held[id].used else FACE_UP
        text = say("transgalactica.counter.token", seat=seat.name, token=state.name(id))
        yield replace(choice(f"token:{n}:{id}", n, text, now, names, id), group=group)
    for what in ("mining", "fleet"):
        mine: tuple[str, ...] = getattr(seat, what)
        if what == "mining":
            mine = tuple(id for id in mine if id not in (*seat.fleet, *seat.pirates))
        for id in (*mine, *state.tokens_left(what)):
            text = say("transgalactica.counter.token", seat=seat.name, token=state.name(id))
            yield Correctable(f"{what}:{n}:{id}", n, text, int(id in mine), 0, 1, id, group=group)
    lying = {
        *state.pirates.values(),
        *(id for other in state.seats if other is not seat for id in other.pirates),
    }
    for id in ids("pirates"):
        if id not in lying:
            text = say("transgalactica.counter.token", seat=seat.name, token=state.name(id))
            yield Correctable(f"pirate:{n}:{id}", n, text, int(id in seat.pirates), 0, 1, id, group=group)


# Correcting


def correct(state: TransState, counter: str, value: int) -> TransState:
    """The table with one counter corrected; raises `NotNow` if that is impossible now."""
    sort, _, rest = counter.partition(":")
    if sort in TABLE:
        after = TABLE[sort](state, rest, value)
    else:
        number, _, what = rest.partition(":")
        seat = int(number)
        if sort in SEAT:
            after = state.with_seat(seat, SEAT[sort](state, state.seats[seat], what, value))
        elif sort in (*STUFF, *MAIN_TRACKS, "vp", "trade", "captains_out"):
            after = state.with_seat(seat, replace(state.seats[seat], **{sort: value}))
        elif sort in ("crew", "crew_out", "gone"):
            after = state.with_seat(seat, _crew(state.seats[seat], sort, value))
        else:
            raise Unknown(say("core.unknown-counter", id=counter))
    if problems := check(after):
        raise NotNow(problems[0])
    return after


def _crew(seat: Seat, what: str, value: int) -> Seat:
    """Missing crew comes from the capsules, extra crew goes there."""
    more = value - int(getattr(seat, what))
    return replace(seat, **{what: value}, capsules=seat.capsules - more)


def _order(state: TransState, rest: str, value: int) -> TransState:
    """Swap two priority markers."""
    at, other = int(rest), state.order.index(value)
    order = list(state.order)
    order[at], order[other] = order[other], order[at]
    return replace(state, order=tuple(order))


def _used(state: TransState, action: str, value: int) -> TransState:
    used = tuple(one for one in state.used if one.action != action)
    return replace(state, used=(*used, Used(action, value - 1)) if value else used)


def _sits(state: TransState, rest: str, value: int) -> TransState:
    """Crew moves between capsules and senate."""
    office, seat = map(int, rest.split(":"))
    sitting = tuple(one for one in state.senate[office] if one != seat)
    was = len(state.senate[office]) - len(sitting)
    sitting = (*sitting, seat) if value else sitting
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, capsules=who.capsules + was - value))
    return replace(state, senate=(*state.senate[:office], sitting, *state.senate[office + 1 :]))


def _laid(state: TransState, mission: str, value: int) -> TransState:
    display = tuple(id for id in state.display if id != mission)
    return replace(state, display=(*display, mission) if value else display)


def _pirates_on(state: TransState, planet: str, value: int) -> TransState:
    pirates = {id: token for id, token in state.pirates.items() if id != planet}
    return replace(state, pirates={**pirates, planet: state.pirates.get(planet, "")} if value else pirates)


def _reward_on(state: TransState, planet: str, value: int) -> TransState:
    left = tuple(id for id in state.rewards if id != planet)
    return replace(state, rewards=(*left, planet) if value else left)


TABLE: dict[str, Callable[[TransState, str, int], TransState]] = {
    "round": lambda state, rest, value: replace(state, round=value),
    "place": _order,
    "mining-token": lambda state, rest, value: replace(state, mining_token=bool(value)),
    "mining-stack": lambda state, rest, value: replace(state, mining_stack=value),
    "used": _used,
    "sits": _sits,
    "laid": _laid,
    "pirates-on": _pirates_on,
    "reward-on": _reward_on,
}


def _ship(state: TransState, seat: Seat, what: str, value: int) -> Seat:
    spaces = [space for space in state.board.spaces if space in state.planets]
    k = int(what)
    return replace(seat, ships=(*seat.ships[:k], spaces[value], *seat.ships[k + 1 :]))


def _outpost(state: TransState, seat: Seat, planet: str, value: int) -> Seat:
    """Place the outpost on the first free slot, or beside the slots if all are taken."""
    outposts = tuple(one for one in seat.outposts if one.planet != planet)
    if not value:
        return replace(seat, outposts=outposts)
    kept = next((one for one in seat.outposts if one.planet == planet), None)
    taken = state.slots_taken(planet)
    free = [n for n in range(len(state.planet(planet).demands)) if n not in taken]
    return replace(seat, outposts=(*outposts, kept or Outpost(planet, free[0] if free else None)))


def _switched(field: str, seat: Seat, id: str, value: int) -> Seat:
    kept: tuple[str, ...] = tuple(one for one in getattr(seat, field) if one != id)
    now = getattr(seat, field) if value and id in getattr(seat, field) else (*kept, id) if value else kept
    return replace(seat, **{field: now})


def _laid_token(state: TransState, field: str, seat: Seat, id: str, value: int) -> Seat:
    """Add or remove a fleet or pirate token; with the mining symbol it is on the mining track too (p. 11)."""
    seat = _switched(field, seat, id, value)
    if value and not state.is_mined(id):
        return seat
    return _switched("mining", seat, id, value)


def _mission(state: TransState, seat: Seat, id: str, value: int) -> Seat:
    log = tuple(one for one in seat.log if one != id)
    done = tuple(one for one in seat.missions if one != id)
    return replace(
        seat, log=(*log, id) if value == IN_LOG else log, missions=(*done, id) if value == DONE else done
    )


def _token(state: TransState, seat: Seat, id: str, value: int) -> Seat:
    tokens = tuple(held for held in seat.tokens if held.token != id)
    return replace(seat, tokens=(*tokens, Held(id, value == USED)) if value else tokens)


SEAT: dict[str, Callable[[TransState, Seat, str, int], Seat]] = {
    "ship": _ship,
    "outpost": _outpost,
    "planet-used": lambda state, seat, id, value: _switched("used", seat, id, value),
    "marked": lambda state, seat, id, value: _switched("technologies", seat, id, value),
    "mission": _mission,
    "token": _token,
    "mining": lambda state, seat, id, value: _switched("mining", seat, id, value),
    "fleet": lambda state, seat, id, value: _laid_token(state, "fleet", seat, id, value),
    "pirate": lambda state, seat, id, value: _laid_token(state, "pirates", seat, id, value),
}


def check(state: TransState) -> tuple[Text, ...]:
    """Everything about a table that is impossible."""
    return tuple(_wrong(state))


def _wrong(state: TransState) -> Iterator[Text]:
    for n, seat in enumerate(state.seats):
        if min(getattr(seat, what) for what in STUFF) < 0:
            yield say("transgalactica.wrong.hold", seat=seat.name)
        if crew_of(seat, state.seats_taken(n)) != CREW or min(seat.crew, seat.capsules, seat.crew_out) < 0:
            yield say("transgalactica.wrong.crew", seat=seat.name)
        if not 0 <= seat.captains_out <= seat.captains:
            yield say("transgalactica.wrong.captains", seat=seat.name)
        if seat.markers < 0:
            yield say("transgalactica.wrong.markers", seat=seat.name)
        if len(seat.outposts) > OUTPOSTS or len(set(seat.planets)) < len(seat.outposts):
            yield say("transgalactica.wrong.outposts", seat=seat.name)
    everywhere = [id for seat in state.seats for id in _held(seat)]
    if len(set(everywhere)) < len(everywhere):
        yield say("transgalactica.wrong.twice")


def _held(seat: Seat) -> Iterator[str]:
    laid = (*seat.fleet, *seat.pirates)  # some may be on the mining track (p. 11)
    yield from (*seat.log, *seat.missions, *(id for id in seat.mining if id not in laid), *laid)
    yield from (held.token for held in (*seat.tokens, *seat.bank))
