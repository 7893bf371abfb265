"""II: Develop and III: Settle (p. 4 and 5): choose in secret, reveal, pay or conquer in table order."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.common_questions import which_way
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.race.cards import Card, DrawAfterPlacing, DrawAtStart, Phase, powers
from companion.games.race.costs import Way, ways, why_not
from companion.games.race.signs import signs_of_way
from companion.games.race.state import RaceState, because, does, draw, put_good, tell_draw

PASS = "pass"


def printed_phase(phase: str) -> Phase:
    """The phase as cards print it: the second Develop counts as Develop."""
    return "settle" if phase.startswith("settle") else "develop"


class BeginPlacing(Do, Struct, frozen=True, tag="begin-placing"):
    """Draw for powers that act at the start, then all seats choose a card in secret."""

    phase: str

    def do(self, state: RaceState) -> RaceState:
        state = replace(state, phase=self.phase)
        for seat in state.order():
            drawn = [
                (card, power.cards)
                for card, power in powers(state.cards(seat), DrawAtStart, printed_phase(self.phase))
            ]
            state = tell_draw(state, seat, drawn)
        chose = [seat for seat in range(len(state.seats)) if state.has_bonus(seat, self.phase)]
        others = [seat for seat in range(len(state.seats)) if seat not in chose]  # often place nothing
        branches: dict[int, tuple[Step, ...]] = {seat: (ChoosePlacement(seat),) for seat in (*chose, *others)}
        return state.push(together(branches), RevealPlacements())


class ChoosePlacement(Ask, Struct, frozen=True, tag="choose-placement"):
    """Which card from the hand does this seat place, if any? Every card it could hold and afford is offered,
    the most expensive first, since players place those most often."""

    seat: int
    slug: ClassVar[str] = "race.place"

    def ask(self, state: RaceState) -> Question:
        settling = printed_phase(state.phase or "") == "settle"
        kind = "world" if settling else "development"
        options, expensive = [Option(PASS, say("race.place-nothing"))], []
        for card in sorted(state.deck, key=_price, reverse=True):
            if card.kind == kind and self._could_hold(state, card):
                found = ways(state, self.seat, card)
                if not found:
                    expensive.append(card.id)
                    continue
                text = found[0].text(state)
                signs = signs_of_way(state, card, found[0])
                options.append(Option(card.id, card.called, card.id, text, signs=signs))
        return Question(
            self.slug,
            self.seat,
            say(f"race.ask.place-{kind}"),
            tuple(options),
            secret=True,
            beforehand=say(f"race.beforehand.{kind}"),
            unaffordable=tuple(expensive),
        )

    def take(self, state: RaceState, option: str) -> RaceState:
        if option == PASS:
            return state
        return state.with_seat(self.seat, replace(state.seats[self.seat], placing=option))

    def why_not(self, state: RaceState, component: str) -> Text:
        if component not in state.deck:
            return say("race.why.place-a-card")
        return why_not(state, self.seat, state.deck[component])

    def is_obsolete(self, state: RaceState) -> bool:
        return state.seats[self.seat].hand == 0

    def _could_hold(self, state: RaceState, card: Card) -> bool:
        return state.in_sight(card.id) < card.copies and card.id not in state.seats[self.seat].tableau


def _price(card: Card) -> int:
    """How hard a card is to place; military strength is harder to get than cards to pay with."""
    return card.cost if card.cost is not None else (card.defense or 0) + 1


class RevealPlacements(Do, Struct, frozen=True, tag="reveal-placements"):
    """All cards are turned over at once; then seats pay in table order, so later seats see what earlier ones
    did (p. 8)."""

    def do(self, state: RaceState) -> RaceState:
        if wrong := _impossible(state):
            return _choose_again(state, wrong)
        payments = []
        for seat in state.order():
            who = state.seats[seat]
            if who.placing is None:
                continue
            card = state.deck[who.placing]
            state = state.with_seat(
                seat, replace(who, placing=None, hand=who.hand - 1, tableau=(*who.tableau, card.id))
            )
            revealed = count("race.reveals", 1, what=(card.called,))
            state = state.tell(revealed, seat, "reveal", components=(card.id,))
            payments.append(Pay(seat, card.id))
        if not payments:
            return state.tell(say("race.nobody-places"))
        return state.push(*payments)


def _impossible(state: RaceState) -> list[int]:
    """Seats whose face-down card is impossible: two seats name the only copy of a card, or a correction removed it.

    Such a card is not refused when it is chosen, since that would reveal a neighbour's choice.
    """
    placing = [seat.placing for seat in state.seats]
    return [
        n
        for n, who in enumerate(state.seats)
        if who.placing is not None
        and (
            state.in_sight(who.placing) + placing.count(who.placing) > state.deck[who.placing].copies
            or who.placing in who.tableau
            or who.hand == 0
        )
    ]


def _choose_again(state: RaceState, seats: list[int]) -> RaceState:
    for seat in seats:
        card = state.name(state.seats[seat].placing or "")
        state = state.with_seat(seat, replace(state.seats[seat], placing=None))
        state = does(state, seat, say("race.choose-again", card=card))
    branches: dict[int, tuple[Step, ...]] = {seat: (ChoosePlacement(seat),) for seat in seats}
    return state.push(together(branches), RevealPlacements())


class Pay(Do, Struct, frozen=True, tag="pay"):
    """A card just placed is paid for or conquered; if the rules allow several ways, the seat chooses."""

    seat: int
    card: str

    def do(self, state: RaceState) -> RaceState:
        if self.card not in state.seats[self.seat].tableau:
            return state  # a correction removed it
        found = ways(state, self.seat, state.deck[self.card])
        if len(found) > 1:
            return state.push(ChooseWay(self.seat, self.card))
        if found:
            return pay(state, self.seat, self.card, found[0])
        # Only a correction (a smaller hand, a lost card) can lead here: the card goes back to the hand.
        who = state.seats[self.seat]
        back = tuple(id for id in who.tableau if id != self.card)
        state = state.with_seat(self.seat, replace(who, tableau=back, hand=who.hand + 1))
        return does(state, self.seat, say("race.take-back", card=state.name(self.card)))


class ChooseWay(Ask, Struct, frozen=True, tag="choose-way"):
    """How does this seat pay for, or conquer, the card it revealed? Ways that discard nothing come first."""

    seat: int
    card: str
    slug: ClassVar[str] = "race.way"

    def ask(self, state: RaceState) -> Question:
        text = say("race.ask.way", card=state.name(self.card))
        found = ways(state, self.seat, state.deck[self.card])
        card = state.deck[self.card]
        told = ((way.id, way.text(state), signs_of_way(state, card, way)) for way in found)
        return which_way(self.slug, self.seat, text, told)

    def take(self, state: RaceState, option: str) -> RaceState:
        found = {way.id: way for way in ways(state, self.seat, state.deck[self.card])}
        return pay(state, self.seat, self.card, found[option])

    def is_obsolete(self, state: RaceState) -> bool:
        gone = self.card not in state.seats[self.seat].tableau
        return gone or len(ways(state, self.seat, state.deck[self.card])) < 2

    def on_obsolete(self, state: RaceState) -> RaceState:
        return state.push(Pay(self.seat, self.card))


def pay(state: RaceState, seat: int, id: str, way: Way) -> RaceState:
    """Carry out a placement: pay or conquer, put a windfall good on it, then draw."""
    card, before = state.deck[id], [c for c in state.cards(seat) if c.id != id]
    who = state.seats[seat]
    tableau = tuple(other for other in who.tableau if other not in way.discards)
    goods = tuple(world for world in who.goods if world in tableau)
    state = state.with_seat(seat, replace(who, tableau=tableau, goods=goods, hand=who.hand - way.cost))
    state = does(state, seat, way.text(state), usual=not way.discards)
    deeds = []
    if card.is_windfall:
        state = put_good(state, seat, id)
        if id in state.seats[seat].goods:
            deeds.append(say("race.good", world=card.called))
    state, drawn = _draw_after(state, seat, before)
    deeds += drawn
    return does(state, seat, *deeds) if deeds else state


def _draw_after(state: RaceState, seat: int, before: list[Card]) -> tuple[RaceState, list[Text]]:
    """Draws after placing: powers of cards placed before this phase, and the Settle bonus."""
    assert state.phase is not None
    phase = printed_phase(state.phase)
    found = [(card, power.cards) for card, power in powers(before, DrawAfterPlacing, phase)]
    parts = [because(card, n) for card, n in found]
    n = sum(n for _, n in found)
    if phase == "settle" and state.has_bonus(seat, state.phase):
        n += 1
        parts.append(say("race.part.settle-bonus"))
    state, n = draw(state, seat, n)
    return state, [count("race.then-draw", n, because=tuple(parts))] if n else []
