"""Research in five steps (rules 84 to 103)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.components import UNKNOWN, Facts
from companion.core.faces import Sign
from companion.core.facts import ask_fact
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.beyond import deeds
from companion.games.beyond import operations as op
from companion.games.beyond.component_types import LEVEL, WITH_EVENTS
from companion.games.beyond.consequences import bonus
from companion.games.beyond.effect_signs import effects
from companion.games.beyond.operations import TYPES, AnyOperation, Operations
from companion.games.beyond.prerequisites import (
    level_of,
    reachable,
    types_passed,
    unknown_lines,
    untold_passes,
)
from companion.games.beyond.state import BeyondState, Node
from companion.games.beyond.steps.events import TurnEvent
from companion.games.beyond.steps.perform import Giving, Perform, carries, leading_on, left_out
from companion.games.beyond.steps.printed_pages import ask_lines, ask_technology, untold_card
from companion.games.beyond.steps.triggers import happened

NONE_FOUND = "none-found"
HYBRID = 2
"""The number of types of a hybrid (rule 6)."""


@carries(op.Research)
def _research(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    """Step 1: choose a space of the level whose prerequisites are met."""
    assert isinstance(operation, op.Research)
    if state.seats[seat].population < 1:
        return left_out(state, seat, operation)
    level = level_of(state, seat, operation)
    spaces = reachable(state, seat, operation)
    if spaces is None:
        untold = unknown_lines(state, level)
        again = Perform(seat, (operation,), source, soft)
        return state.push(ask_lines(state, untold, seat), again)
    if not spaces:
        return left_out(state, seat, operation)
    return state.push(ChooseTechnology(seat, operation))


class ChooseTechnology(Ask, Struct, frozen=True, tag="choose-technology"):
    """Which technology is researched? (rules 85 to 88)"""

    seat: int
    operation: op.Research
    slug: ClassVar[str] = "beyond.research"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            self._option(state, space) for space in reachable(state, self.seat, self.operation) or ()
        )
        text = say("beyond.ask.research", level=roman(level_of(state, self.seat, self.operation)))
        options = leading_on(state, self.seat, self, options)
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        """Steps 2 to 5: cube, event, card, bonus (rule 84)."""
        before = state.node(option)
        state = deeds.place_cube(state, self.seat, option)
        after = (ResearchOver(self.seat, option, self.operation.no_bonus),)
        if before.card:
            return state.push(*after)
        # If an earlier search found nothing, the event is already gone (rule 96).
        hidden = LEVEL[option] in WITH_EVENTS and not before.seats
        event = (TurnEvent(self.seat, LEVEL[option]),) if hidden else ()
        return state.push(*event, FindCard(self.seat, option, self.operation.type), *after)

    def why_not(self, state: BeyondState, component: str) -> Text:
        mine = component in state.cards(self.seat)
        return say("beyond.why.researched-already" if mine else "beyond.why.not-researchable")

    def is_obsolete(self, state: BeyondState) -> bool:
        return state.seats[self.seat].population < 1 or not reachable(state, self.seat, self.operation)

    def _option(self, state: BeyondState, space: str) -> Option:
        card = state.node(space).card
        name = deeds.technology_name(state, space)
        given = () if not card or self.operation.no_bonus else state.technology(card).immediate or ()
        detail = bonus(given) if card else say("beyond.undiscovered")
        signs = effects(given) if card else (Sign("event"),)
        return Option(space, name, component=card or None, detail=detail, place=space, signs=signs)


def roman(level: int) -> str:
    """A level as the game prints it."""
    return "I" * level


class FindCard(Do, Struct, frozen=True, tag="find-card"):
    """Step 4: the type is fixed, then cards are revealed until two match (rules 92 to 96)."""

    seat: int
    space: str
    wanted: str = "any"

    def do(self, state: BeyondState) -> BeyondState:
        if untold := unknown_lines(state, LEVEL[self.space]):  # if the effect ignored prerequisites
            return state.push(ask_lines(state, untold, self.seat), self)
        have = state.researched(self.seat)
        for card in untold_passes(state, self.space, have):
            return state.push(ask_fact("beyond", state.technology(card), "passes", seat=self.seat), self)
        types = types_passed(state, self.space, have)
        if self.wanted in types:
            types = tuple(kind for kind in types if kind == self.wanted)
        if len(types) > 1:
            return state.push(ChooseType(self.seat, self.space, types))
        return searched(state, self.seat, self.space, types[0])


class ChooseType(Ask, Struct, frozen=True, tag="choose-type"):
    """For which type is the deck searched? Fixed before the first card is revealed (rule 92)."""

    seat: int
    space: str
    types: tuple[str, ...]
    slug: ClassVar[str] = "beyond.type"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(Option(kind, say(f"beyond.types.{kind}"), signs=(Sign(kind),)) for kind in self.types)
        return Question(self.slug, self.seat, say("beyond.ask.type"), options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return searched(state, self.seat, self.space, option)

    def is_obsolete(self, state: BeyondState) -> bool:
        return bool(state.node(self.space).card)


def searched(state: BeyondState, seat: int, space: str, kind: str) -> BeyondState:
    """Tell the seat to reveal cards: one of two is laid, the rest goes unshuffled to the bottom (rules 94, 95)."""
    words = say(f"beyond.types.{kind}")
    state = deeds.does(state, seat, "search", level=roman(LEVEL[space]), type=words, kind=kind, space=space)
    return state.push(WhichCard(seat, LEVEL[space], kind, space))


class WhichCard(Ask, Struct, frozen=True, tag="which-card"):
    """Which card was laid? Usually scanned. Without a space it is a private technology (rule 102)."""

    seat: int
    level: int
    kind: str
    space: str = ""
    slug: ClassVar[str] = "beyond.which-card"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(Option(card, state.name(card), component=card) for card in self._cards(state))
        none = Option(NONE_FOUND, say("beyond.option.none-found"))
        text = say("beyond.ask.which-card", level=roman(self.level))
        return Question(self.slug, self.seat, text, (*options, none), has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == NONE_FOUND:
            return state.tell(say("beyond.none-found"), self.seat)
        if self.space:
            return state.with_node(self.space, Node(option, state.node(self.space).seats))
        who = state.seats[self.seat]
        state = state.with_seat(self.seat, replace(who, private=(*who.private, option)))
        return replace(state, changed=True).push(Bonus(self.seat, option))

    def reveals(self, state: BeyondState, option: str) -> Facts:
        """A type of the card: it matched the search (rule 94); a second type makes it a hybrid (rule 6)."""
        if option == NONE_FOUND or self.kind == "any":
            return {}
        card = state.technology(option)
        found = sorted({*card.matches, self.kind})
        if card.types is not UNKNOWN or self.kind in card.matches:
            return {}
        return {f"{option}.types" if len(found) == HYBRID else f"{option}.matches": list(found)}

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-this-card", level=roman(self.level))

    def is_obsolete(self, state: BeyondState) -> bool:
        return bool(self.space) and bool(state.node(self.space).card)

    def _cards(self, state: BeyondState) -> tuple[str, ...]:
        """The cards of the level that match the type or may match it; known matches first."""
        cards = [state.technology(id) for id in state.free_technologies(self.level)]
        fitting = [card for card in cards if self.kind == "any" or self.kind in (card.types or TYPES)]
        fitting.sort(key=lambda card: self.kind not in (card.types or card.matches))
        return tuple(card.id for card in fitting)


class ResearchOver(Giving, Struct, frozen=True, tag="research-over"):
    """Step 5: the immediate bonus of the card, for later researchers as well as the discoverer (rule 97)."""

    seat: int
    space: str
    no_bonus: bool = False

    def gives(self, state: BeyondState) -> Operations:
        card = state.node(self.space).card
        return () if self.no_bonus or not card else state.technology(card).immediate or ()

    def do(self, state: BeyondState) -> BeyondState:
        card = state.node(self.space).card
        if not card:
            return state
        return state.push(Bonus(self.seat, card, self.no_bonus))


class Bonus(Do, Struct, frozen=True, tag="bonus"):
    """What the immediate box of a technology gives (rules 97 to 99)."""

    seat: int
    card: str
    no_bonus: bool = False

    def do(self, state: BeyondState) -> BeyondState:
        card = state.technology(self.card)
        if untold_card(card):
            return state.push(ask_technology(state, card, self.seat), self)
        state = happened(state, self.seat, "research")
        given = () if self.no_bonus else card.immediate or ()
        return state.push(Perform(self.seat, given, self.card, soft=True))


@carries(op.PrivateTechnology)
def _private(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    """Take a card for oneself, without cube or space (rule 102)."""
    assert isinstance(operation, op.PrivateTechnology)
    return state.push(WhichCard(seat, operation.private_level, "any"))


class ReadCards(Do, Struct, frozen=True, tag="read-cards"):
    """Asks for unknown facts of cards that were added by a correction, before their actions matter."""

    seat: int

    def do(self, state: BeyondState) -> BeyondState:
        for card in map(state.technology, state.cards(self.seat)):
            if card.actions is UNKNOWN:
                return state.push(ask_technology(state, card, self.seat), self)
        return state
