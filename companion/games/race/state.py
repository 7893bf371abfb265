"""The public state of a table of Race for the Galaxy; it never holds the hidden cards of hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.components import Catalogue
from companion.core.words import Text, count, say
from companion.games.race.cards import Card, everything, taught_deck

POOL_PER_SEAT = 12
HAND_LIMIT = 10
TABLEAU_END = 12
CHIPS_IN_BOX = 18 * 1 + 6 * 5 + 4 * 10
"""Points on all 28 chips; the ten-point chips are used only when the pool runs out in the last round."""


class Seat(Struct, frozen=True, omit_defaults=True):
    """One seat: its tableau in placement order, and counts of its hand and chips."""

    name: str
    hand: int = 0
    chips: int = 0
    tableau: tuple[str, ...] = ()
    goods: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    placing: str | None = None
    produced: tuple[str, ...] = ()


class RaceState(State, frozen=True, kw_only=True, dict=True):
    """The whole table."""

    edition: str
    opening: str
    advanced: bool
    seats: tuple[Seat, ...]
    round: int = 0
    revealed: bool = False
    phases: tuple[str, ...] = ()
    phase: str | None = None

    @cached_property
    def deck(self) -> Catalogue[Card]:
        """The printed cards of this edition, with the facts the owner of the box taught."""
        return taught_deck(self.edition, self.taught)

    @property
    def pool_start(self) -> int:
        """The points in the pool before the first chip was taken."""
        return POOL_PER_SEAT * len(self.seats)

    @property
    def pool(self) -> int:
        """Points left in the pool; negative by the number of points taken in ten-point chips."""
        return self.pool_start - sum(seat.chips for seat in self.seats)

    def cards(self, seat: int) -> list[Card]:
        """A seat's tableau."""
        by_id = self.deck.by_id
        return [by_id[id] for id in self.seats[seat].tableau]

    def name(self, id: str) -> Text:
        """The name of a card or an action card."""
        return everything(self.edition).taught(self.taught)[id].called

    def with_seat(self, index: int, seat: Seat) -> RaceState:
        """The same table with one seat changed."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def order(self) -> Iterator[int]:
        """The seats clockwise from the lowest-numbered start world: table order, where the order matters."""
        starts = [self.start_number(seat) for seat in range(len(self.seats))]
        first = min(range(len(self.seats)), key=lambda seat: starts[seat])
        for offset in range(len(self.seats)):
            yield (first + offset) % len(self.seats)

    def start_number(self, seat: int) -> int:
        """The number on the start world this seat was dealt; 99 before the deal."""
        tableau = self.seats[seat].tableau
        number = self.deck[tableau[0]].start if tableau else None
        return 99 if number is None else number

    def in_sight(self, card: str) -> int:
        """How many copies of a card lie in tableaux."""
        return sum(card in seat.tableau for seat in self.seats)

    def in_piles(self) -> int:
        """Cards in the draw and discard piles together, which can still be drawn."""
        return self.deck.pieces - sum(len(s.tableau) + len(s.goods) + s.hand for s in self.seats)

    def has_bonus(self, seat: int, action: str) -> bool:
        """Whether this seat chose this action in this round."""
        return action in self.seats[seat].actions


def because(card: Card, n: int) -> Text:
    """A card's part of a number, such as "Investment Credits -1"."""
    return say("race.part.card", name=card.called, n=f"{n:+d}".replace("-", "\N{MINUS SIGN}"))


def draw(state: RaceState, seat: int, n: int) -> tuple[RaceState, int]:
    """The table after up to `n` cards were drawn to a hand, and how many were really drawn."""
    n = min(n, state.in_piles())
    who = state.seats[seat]
    return state.with_seat(seat, replace(who, hand=who.hand + n)), n


def tell_draw(state: RaceState, seat: int, parts: list[tuple[Card, int]]) -> RaceState:
    """Draw for these cards' powers and report it in the news."""
    state, n = draw(state, seat, sum(cards for _, cards in parts))
    if not n:
        return state
    reasons = tuple(because(card, cards) for card, cards in parts)
    return does(state, seat, count("race.draw", n, because=reasons))


def does(state: RaceState, seat: int, *deeds: Text, usual: bool = False) -> RaceState:
    """News that tells a seat what to do; `usual` marks what every player does anyway."""
    return state.tell(say("race.does", deeds=deeds), seat, kind="hands", usual=usual)


def put_good(state: RaceState, seat: int, world: str) -> RaceState:
    """The table with a face-down card from the pile as a good on this world."""
    who = state.seats[seat]
    if world in who.goods or not state.in_piles():
        return state
    return state.with_seat(seat, replace(who, goods=(*who.goods, world)))


def remove_goods(state: RaceState, seat: int, worlds: tuple[str, ...]) -> RaceState:
    """The table with the goods of these worlds discarded."""
    who = state.seats[seat]
    return state.with_seat(seat, replace(who, goods=tuple(w for w in who.goods if w not in worlds)))
