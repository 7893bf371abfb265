"""Counters that can be corrected, and checks for impossible tables."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.counters import Correctable
from companion.core.words import Text, count, say
from companion.errors import Unknown
from companion.games.race.state import CHIPS_IN_BOX, RaceState


def counters(state: RaceState) -> tuple[Correctable, ...]:
    """Every number and component of every seat that can be corrected."""
    return tuple(_counters(state))


def _counters(state: RaceState) -> Iterator[Correctable]:
    if not all(seat.tableau for seat in state.seats):
        return  # start worlds are still being dealt, and asked for
    spare = state.in_piles()
    for index, seat in enumerate(state.seats):
        most = seat.hand + spare
        yield Correctable(
            f"hand:{index}", index, say("race.counter.hand", seat=seat.name), seat.hand, 0, most
        )
        yield Correctable(
            f"chips:{index}",
            index,
            say("race.counter.chips", seat=seat.name),
            seat.chips,
            0,
            _most_chips(state, index),
        )
    for index, seat in enumerate(state.seats):
        for card in state.deck:
            here = int(card.id in seat.tableau)
            text = say("race.counter.tableau", seat=seat.name, card=card.called)
            yield Correctable(f"tableau:{index}:{card.id}", index, text, here, 0, 1, card.id)
            if here and card.good:
                text = say("race.counter.good", seat=seat.name, card=card.called)
                yield Correctable(f"good:{index}:{card.id}", index, text, int(card.id in seat.goods), 0, 1)


def _most_chips(state: RaceState, seat: int) -> int:
    """The most points a seat can hold in chips; ten-point chips are used only when the pool is empty."""
    held = state.seats[seat].chips
    if state.pool > 0:
        return held + state.pool
    return held + CHIPS_IN_BOX - sum(s.chips for s in state.seats)


def correct(state: RaceState, counter: str, value: int) -> RaceState:
    """The table with one counter corrected."""
    what, _, rest = counter.partition(":")
    index, _, card = rest.partition(":")
    seat = int(index)
    who = state.seats[seat]
    if what == "hand":
        return state.with_seat(seat, replace(who, hand=value))
    if what == "chips":
        return state.with_seat(seat, replace(who, chips=value))
    if what == "good":
        return state.with_seat(seat, replace(who, goods=_set(who.goods, card, value)))
    if what == "tableau":
        tableau = _set(who.tableau, card, value)
        goods = tuple(world for world in who.goods if world in tableau)
        return state.with_seat(seat, replace(who, tableau=tableau, goods=goods))
    raise Unknown(say("core.unknown-counter", id=counter))


def _set(held: tuple[str, ...], card: str, value: int) -> tuple[str, ...]:
    without = tuple(id for id in held if id != card)
    if not value:
        return without
    return held if card in held else (*held, card)


def check(state: RaceState) -> tuple[Text, ...]:
    """Everything impossible about a table; legal play never leads to any of it."""
    return tuple(_problems(state))


def _problems(state: RaceState) -> Iterator[Text]:
    everywhere = Tally(id for seat in state.seats for id in seat.tableau)
    for id, n in everywhere.items():
        if n > state.deck[id].copies:
            yield count("race.wrong.too-many-copies", state.deck[id].copies, card=state.name(id))
    for seat in state.seats:
        dealt = bool(seat.tableau) or state.round > 0
        if dealt and (not seat.tableau or state.deck[seat.tableau[0]].start is None):
            yield say("race.wrong.no-start-world", seat=seat.name)
        for id, n in Tally(seat.tableau).items():
            if n > 1:
                yield say("race.wrong.twice", seat=seat.name, card=state.name(id))
        for world in seat.goods:
            if world not in seat.tableau:
                yield say("race.wrong.good-without-world", seat=seat.name, card=state.name(world))
            elif state.deck[world].good is None:
                yield say("race.wrong.no-goods-there", seat=seat.name, card=state.name(world))
        if seat.hand < 0 or seat.chips < 0:
            yield say("race.wrong.negative", seat=seat.name)
    if sum(seat.chips for seat in state.seats) > CHIPS_IN_BOX:
        yield say("race.wrong.chips", n=CHIPS_IN_BOX)
    if state.in_piles() < 0:
        yield say("race.wrong.cards")
