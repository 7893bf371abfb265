"""Set-up (rules 15 to 34): the first player, the boards and cards in play, what each faction starts with."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.common_questions import which_seat
from companion.core.components import UNKNOWN, Facts
from companion.core.facts import ask_fact, ask_facts, follows
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.beyond.columns import returned
from companion.games.beyond.component_types import (
    CARD_PLACES,
    CUBES,
    SOL,
    SPACES,
    AdvancedBoard,
    Board,
    ids,
    technologies,
)
from companion.games.beyond.deeds import does, gain_ore
from companion.games.beyond.state import START_POPULATION, START_SHIPS, BeyondState, Node, Ship
from companion.games.beyond.steps.colonise import WhichSystem
from companion.games.beyond.steps.perform import Perform
from companion.games.beyond.steps.printed_pages import untold as untold_of
from companion.games.beyond.steps.turn import BeginTurn, ReadBasic

ORE = (1, 1, 2, 2)
"""Starting ore by the order of play (rule 31)."""


class TellFirst(Ask, Struct, frozen=True, tag="tell-first"):
    """Who is first player? (rule 25)"""

    seat: None = None
    slug: ClassVar[str] = "beyond.first"

    def ask(self, state: BeyondState) -> Question:
        return which_seat(self.slug, state, say("beyond.ask.first"), in_a_row=True)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        first = int(option)
        state = replace(state, first=first, active=first)
        order = state.clockwise(first)
        layout = (
            *(LaySystemCard(place) for place in CARD_PLACES),
            *(LayTechnology(space) for space in SPACES[1]),
            *(LayAchievement(pile) for pile in ("A", "B")),
            ReadAchievements(),
            ReadBasic(),
        )
        boards = tuple(ChooseBoard(seat) for seat in order)
        furnish = tuple(Furnish(seat, place) for place, seat in enumerate(order))
        return state.push(*boards, *layout, *furnish, BeginTurn(first))


class ChooseBoard(Ask, Struct, frozen=True, tag="choose-board"):
    """Which faction board does this seat have? Basic and advanced boards may be mixed (rule 26)."""

    seat: int
    slug: ClassVar[str] = "beyond.board"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(id, state.name(id), component=id, cell=(row, column))
            for row, sort in enumerate(self._sorts(state))
            for column, id in enumerate(sort)
            if self._faction(state, id) not in self._taken(state)
        )
        return Question(self.slug, self.seat, say("beyond.ask.board"), options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return state.with_seat(self.seat, replace(state.seats[self.seat], board=option))

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-this-board")

    def is_obsolete(self, state: BeyondState) -> bool:
        return bool(state.seats[self.seat].board)

    def _sorts(self, state: BeyondState) -> tuple[tuple[str, ...], ...]:
        return (ids("advanced"), ids("boards")) if state.advanced else (ids("boards"),)

    def _faction(self, state: BeyondState, id: str) -> str:
        board = state.box[id]
        assert isinstance(board, Board | AdvancedBoard)
        return board.faction

    def _taken(self, state: BeyondState) -> set[str]:
        return {self._faction(state, who.board) for who in state.seats if who.board}


class LaySystemCard(Do, Struct, frozen=True, tag="lay-system-card"):
    """Two start systems on the A places, the two top cards of deck B on the others (rules 19, 20)."""

    place: str

    def do(self, state: BeyondState) -> BeyondState:
        return state.push(WhichSystem(None, self.place, self.place[0].upper()))


class LayTechnology(Ask, Struct, frozen=True, tag="lay-technology"):
    """Which level I card lies here? The last one is not asked for (rule 15)."""

    space: str
    seat: None = None
    slug: ClassVar[str] = "beyond.lay-technology"

    def ask(self, state: BeyondState) -> Question:
        free = state.free_technologies(1) or technologies(state.edition, 1)
        options = tuple(Option(card, state.name(card), component=card) for card in free)
        text = say("beyond.ask.lay-technology", space=say(f"beyond.place.{self.space}"))
        return Question(self.slug, None, text, options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return state.with_node(self.space, Node(option))

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-level-one")


class LayAchievement(Ask, Struct, frozen=True, tag="lay-achievement"):
    """Which card of this pile was drawn? The core cards are always in play (rule 21)."""

    pile: str
    seat: None = None
    slug: ClassVar[str] = "beyond.lay-achievement"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(Option(card, state.name(card), component=card) for card in self._cards(state))
        text = say("beyond.ask.lay-achievement", pile=self.pile)
        return Question(self.slug, None, text, options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return replace(state, achievements={**state.achievements, option: ()})

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-this-achievement", pile=self.pile)

    def reveals(self, state: BeyondState, option: str) -> Facts:
        """The pile of the card (set-up sheet, 10)."""
        return follows(state.achievement(option), pile=self.pile)

    def is_obsolete(self, state: BeyondState) -> bool:
        return not self._cards(state)

    def _cards(self, state: BeyondState) -> tuple[str, ...]:
        cards = (state.achievement(id) for id in ids("achievements") if id not in state.achievements)
        return tuple(card.id for card in cards if card.pile in (self.pile, UNKNOWN))


class ReadAchievements(Do, Struct, frozen=True, tag="read-achievements"):
    """Asks for unknown conditions of achievements; unknown points can wait."""

    def do(self, state: BeyondState) -> BeyondState:
        cards = [state.achievement(card) for card in state.achievements]
        untold = [
            (card, untold_of(card, "condition", "slots")) for card in cards if card.condition is UNKNOWN
        ]
        if not untold:
            return state
        now = ask_fact("beyond", untold[0][0], *untold[0][1])
        return state.push(ask_facts("beyond", untold, say("beyond.ask-print.achievements"), now), self)


class Furnish(Do, Struct, frozen=True, tag="furnish"):
    """Cubes, the first ship and ore of one faction, then the extras of its board (rules 28 to 32)."""

    seat: int
    place: int
    """The position in the order of play."""

    def do(self, state: BeyondState) -> BeyondState:
        tracks = state.tracks(self.seat)
        if untold := untold_of(tracks, "growth", "ore_track", "columns"):
            now = ask_fact("beyond", tracks, *untold, seat=self.seat)
            whole = tracks.unknown()
            page = ask_fact("beyond", tracks, *whole, seat=self.seat, formerly=now)
            return state.push(page if len(whole) > len(untold) else now, self)
        board = state.board(self.seat)
        if board is not None and self._fields(board):
            now = ask_fact("beyond", board, *self._fields(board), seat=self.seat)
            boards = [one for seat in range(len(state.seats)) if (one := state.board(seat)) is not None]
            beside = [(one, self._fields(one)) for one in boards]
            return state.push(ask_facts("beyond", beside, say("beyond.ask-print.boards"), now), self)
        supply = CUBES - START_POPULATION - START_SHIPS
        who = replace(
            state.seats[self.seat],
            population=START_POPULATION,
            supply=returned((0, 0, 0, 0, 0), state.sizes(self.seat), supply),
            ships=(Ship(SOL, 1),),
        )
        state = does(state.with_seat(self.seat, who), self.seat, "furnish", usual=True)
        state = gain_ore(state, self.seat, ORE[self.place])
        extra = () if board is None else board.extra_setup or ()
        return state.push(Perform(self.seat, extra, board.id if board is not None else "", soft=True))

    def _fields(self, board: Board | AdvancedBoard) -> tuple[str, ...]:
        return untold_of(board, "extra_setup", "abilities")
