"""Colonising a system in six steps (rules 155 to 164), and new system cards."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.components import UNKNOWN, Facts
from companion.core.faces import Sign
from companion.core.facts import follows
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.beyond import deeds
from companion.games.beyond import operations as op
from companion.games.beyond.component_types import DEEP_SPACE, System, ids
from companion.games.beyond.consequences import colonising, leads_to
from companion.games.beyond.feasible import colonisable
from companion.games.beyond.operations import AnyOperation
from companion.games.beyond.state import BeyondState, Colony, Kept, Ship
from companion.games.beyond.steps.bases import disc_options, kinds_for
from companion.games.beyond.steps.perform import Perform, carries, left_out
from companion.games.beyond.steps.printed_pages import ask_system
from companion.games.beyond.steps.ships import ship_sign
from companion.games.beyond.steps.triggers import CheckLast, happened


@carries(op.Colonise)
def _colonise(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.Colonise)
    places = colonisable(state, seat, operation, state.seats[seat].ships)
    for place in places:
        card = state.system(state.systems[place])
        if card.strength is UNKNOWN:
            again = Perform(seat, (operation,), source, soft)
            return state.push(ask_system(state, card, ("strength",), seat), again)
    if not places:
        return left_out(state, seat, operation)
    return state.push(ChooseSystem(seat, operation))


class ChooseSystem(Ask, Struct, frozen=True, tag="choose-system"):
    """Which controlled system is colonised? (rule 157)"""

    seat: int
    operation: op.Colonise
    slug: ClassVar[str] = "beyond.colonise"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(
                place,
                state.place(place),
                component=state.systems[place],
                detail=colonising(state, self.seat, place),
                place=place,
                signs=(Sign("strength", str(state.system(state.systems[place]).strength or "?")),),
            )
            for place in self._places(state)
        )
        return Question(self.slug, self.seat, say("beyond.ask.colonise"), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return state.push(ChooseSettlers(self.seat, option))

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-colonisable")

    def is_obsolete(self, state: BeyondState) -> bool:
        return not self._places(state)

    def _places(self, state: BeyondState) -> tuple[str, ...]:
        return colonisable(state, self.seat, self.operation, state.seats[self.seat].ships)


def settlers(ships: tuple[Ship, ...], needed: int) -> tuple[tuple[int, ...], ...]:
    """The sets of ship levels that are strong enough to settle, the weakest first (rule 158)."""
    levels = sorted((ship.level for ship in ships), reverse=True)
    sets = {which for n in range(1, len(levels) + 1) for which in combinations(levels, n)}
    enough = [which for which in sets if sum(which) >= needed]
    return tuple(sorted(enough, key=lambda which: (sum(which), len(which), which)))


class ChooseSettlers(Ask, Struct, frozen=True, tag="choose-settlers"):
    """Which ships are settled there? Excess strength is allowed, but lost (rule 158)."""

    seat: int
    place: str
    slug: ClassVar[str] = "beyond.settlers"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(
                ",".join(map(str, which)),
                say("beyond.ships", ships=tuple(deeds.level(level) for level in which)),
                detail=self._left_over(state, which),
                signs=tuple(ship_sign(level) for level in which),
            )
            for which in self._sets(state)
        )
        text = say("beyond.ask.settlers", place=state.place(self.place))
        return Question(self.slug, self.seat, text, options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        system, seat = state.systems[self.place], self.seat
        for level in option.split(","):
            state = deeds.settle(state, seat, Ship(self.place, int(level)))
        for other in state.clockwise(seat):
            for ship in state.seats[other].ships:
                if ship.at == self.place:
                    state = deeds.move(state, other, ship, DEEP_SPACE)
        state = take_card(state, seat, self.place)
        return state.push(
            RevealSystem(seat, self.place), SecondDisc(seat, system), ColonyBonus(seat, system), CheckLast()
        )

    def is_obsolete(self, state: BeyondState) -> bool:
        return self.place not in state.systems or not self._sets(state)

    def _left_over(self, state: BeyondState, which: tuple[int, ...]) -> Text | None:
        """The excess strength that is lost, and the own ships that are sent away (rules 158, 160)."""
        here = [ship.level for ship in state.seats[self.seat].ships if ship.at == self.place]
        for level in which:
            here.remove(level)
        more = sum(which) - (state.system(state.systems[self.place]).strength or 1)
        away = say("beyond.leads.sent-away", ships=tuple(map(deeds.level, here))) if here else None
        return leads_to(say("beyond.leads.more-than-needed", n=more) if more > 0 else None, away)

    def _sets(self, state: BeyondState) -> tuple[tuple[int, ...], ...]:
        here = tuple(ship for ship in state.seats[self.seat].ships if ship.at == self.place)
        return settlers(here, state.system(state.systems[self.place]).strength or 1)


def take_card(state: BeyondState, seat: int, place: str) -> BeyondState:
    """The card and its base go to the new owner: it is not a location any more (rules 161, 164)."""
    system, base = state.systems[place], state.bases.get(place)
    discs = (base.disc,) if base is not None and base.seat == seat else ()
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, colonies=(*who.colonies, Colony(system, discs))))
    state = replace(
        state,
        systems={p: s for p, s in state.systems.items() if p != place},
        bases={p: b for p, b in state.bases.items() if p != place},
    )
    return deeds.does(state, seat, "take-system", system=state.name(system), at=place)


class RevealSystem(Do, Struct, frozen=True, tag="reveal-system"):
    """Draw a new card from the same deck, or from the other one if that is empty (rule 161)."""

    seat: int
    place: str

    def do(self, state: BeyondState) -> BeyondState:
        deck = deck_for(state, self.place[0].upper())
        if deck is None or self.place in state.systems:
            return state
        return state.push(WhichSystem(self.seat, self.place, deck))


def deck_for(state: BeyondState, wanted: str) -> str | None:
    """The deck a card is drawn from: the wanted one unless empty; None if both are."""
    other = "B" if wanted == "A" else "A"
    return next((deck for deck in (wanted, other) if state.decks.get(deck, 0) > 0), None)


def drawable(state: BeyondState, deck: str) -> tuple[str, ...]:
    """The cards that may be in a deck, as far as is known."""
    undrawn = [state.system(id) for id in state.undrawn_systems()]
    known = tuple(card.id for card in undrawn if card.deck in (deck, UNKNOWN))
    return known or tuple(card.id for card in undrawn) or ids("systems")


class WhichSystem(Ask, Struct, frozen=True, tag="which-system"):
    """Which card was drawn? Usually scanned; `event` is set if it is laid beside an event."""

    seat: int | None
    place: str
    deck: str
    event: str = ""
    slug: ClassVar[str] = "beyond.which-system"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(Option(card, state.name(card), component=card) for card in self._cards(state))
        where = state.name(self.event) if self.event else say(f"beyond.place.{self.place}")
        text = say("beyond.ask.which-system", deck=self.deck, where=where)
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        decks = {**state.decks, self.deck: max(0, state.decks.get(self.deck, 0) - 1)}
        state = replace(state, decks=decks)
        if self.event:
            kept = {**state.kept}
            if self.event in kept:
                kept[self.event] = replace(kept[self.event], system=option)
            return replace(state, kept=kept)
        return replace(state, systems={**state.systems, self.place: option})

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-this-system", deck=self.deck)

    def reveals(self, state: BeyondState, option: str) -> Facts:
        """Its deck; start systems are laid on A at set-up, and deck B has none (set-up sheet, 7 and 8)."""
        starts = {"start": False} if self.deck == "B" else {"start": True} if state.phase == "setup" else {}
        return follows(state.system(option), deck=self.deck, **starts)

    def is_obsolete(self, state: BeyondState) -> bool:
        if self.event:
            return self.event not in state.kept or bool(state.kept[self.event].system)
        return self.place in state.systems or not state.undrawn_systems()

    def _cards(self, state: BeyondState) -> tuple[str, ...]:
        cards = drawable(state, self.deck)
        if state.phase == "setup" and self.deck == "A":  # start systems are laid there (rule 19)
            start = tuple(id for id in cards if state.system(id).start is not False)
            return start or cards
        return cards


class SecondDisc(Do, Struct, frozen=True, tag="second-disc"):
    """Places one more disc of a printed specialisation on the card (rule 162)."""

    seat: int
    system: str

    def do(self, state: BeyondState) -> BeyondState:
        if not any(colony.system == self.system for colony in state.seats[self.seat].colonies):
            return state
        card = state.system(self.system)
        if card.specialisations is UNKNOWN:
            return state.push(ask_system(state, card, ("specialisations",), self.seat), self)
        kinds = kinds_for(state, self.seat, state.specialised(self.system))
        if len(kinds) > 1:
            return state.push(ChooseSecond(self.seat, self.system))
        return deeds.disc_on_colony(state, self.seat, self.system, kinds[0])


class ChooseSecond(Ask, Struct, frozen=True, tag="choose-second"):
    """Which disc is placed on the colonised system?"""

    seat: int
    system: str
    slug: ClassVar[str] = "beyond.second-disc"

    def ask(self, state: BeyondState) -> Question:
        text = say("beyond.ask.second-disc", system=state.name(self.system))
        return Question(self.slug, self.seat, text, disc_options(state, self.seat), has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return deeds.disc_on_colony(state, self.seat, self.system, "food" if option == "food" else "ore")

    def is_obsolete(self, state: BeyondState) -> bool:
        return not any(colony.system == self.system for colony in state.seats[self.seat].colonies)


def untold_colony(card: System) -> tuple[str, ...]:
    """The unknown facts of a card that was just colonised, asked for on one page."""
    unknown = card.unknown()
    return tuple(field for field in ("colony_bonus", "abilities", "points") if field in unknown)


class ColonyBonus(Do, Struct, frozen=True, tag="colony-bonus"):
    """The bonus for colonising the system, immediately and completely (rule 163)."""

    seat: int
    system: str

    def do(self, state: BeyondState) -> BeyondState:
        card = state.system(self.system)
        if untold := untold_colony(card):
            return state.push(ask_system(state, card, untold, self.seat), self)
        state = happened(state, self.seat, "colonising")
        return state.push(Perform(self.seat, card.colony_bonus or (), self.system, soft=True))


# A system beside an event (rule 113)


@carries(op.LaySystem)
def _lay_system(
    state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool
) -> BeyondState:
    """Keep the event in play and draw a system card beside it."""
    assert isinstance(operation, op.LaySystem)
    deck = deck_for(state, operation.deck)
    if deck is None or source not in ids("events") or not state.undrawn_systems():
        return left_out(state, seat, operation)
    if source not in state.kept:
        state = replace(state, kept={**state.kept, source: Kept()})
    return state.push(WhichSystem(seat, "", deck, source))


@carries(op.TakeSystem)
def _take_system(
    state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool
) -> BeyondState:
    """Take the system as colonised, without discs; discard the event and lay the pawn beside the board."""
    kept = state.kept.get(source)
    if kept is None or not kept.system:
        return left_out(state, seat, operation)
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, colonies=(*who.colonies, Colony(kept.system))))
    state = replace(state, kept={event: k for event, k in state.kept.items() if event != source})
    state = deeds.does(state, seat, "take-beside", system=state.name(kept.system), event=state.name(source))
    state = deeds.lay_aside(state, seat)
    return state.push(ColonyBonus(seat, kept.system))
