"""The end (p. 9): the face-down goal is turned up, explored worlds are removed, and every '?' gets its number."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.common_questions import how_many
from companion.core.questions import Question
from companion.core.words import say
from companion.games.frontiers.state import FrontiersState, worth_key
from companion.games.frontiers.steps.facts import ReadTiles
from companion.games.frontiers.steps.goals import TurnUpGoal, into_bag

MOST, ROW = 39, 10
"""No '?' of the box gives more than this."""


class EndPlay(Do, Struct, frozen=True, tag="end-play"):
    """After the last round: explored worlds score nothing and are not counted by anything."""

    def do(self, state: FrontiersState) -> FrontiersState:
        for seat, who in enumerate(state.seats):
            state = into_bag(state, seat, who.explored)
        state = replace(state, selected=(), action=None)
        hidden = () if state.hidden_goal is None else (TurnUpGoal(state.hidden_goal),)
        return state.push(*hidden, ReadTiles(), CountBonuses())


class CountBonuses(Do, Struct, frozen=True, tag="count-bonuses", omit_defaults=True):
    """Each seat tells the points of its untaught '?'; `again` if the play was over before."""

    again: bool = False

    def do(self, state: FrontiersState) -> FrontiersState:
        asks: dict[int, tuple[Step, ...]] = {}
        for seat in range(len(state.seats)):
            tiles = tuple(
                tile.id
                for tile in state.tiles(seat)
                if tile.open_bonus and state.counted(seat, tile.id) is None
            )
            if tiles:
                asks[seat] = tuple(AskWorth(seat, tile) for tile in tiles)
        over = () if self.again and not asks else (PlayOver(),)
        return state.push(*((together(asks),) if asks else ()), *over)


class AskWorth(Ask, Struct, frozen=True, tag="ask-worth"):
    """How many points does the '?' of this tile give? The answer is for this play only."""

    seat: int
    tile: str
    slug: ClassVar[str] = "frontiers.worth"

    def ask(self, state: FrontiersState) -> Question:
        text = say("frontiers.ask.worth", tile=state.name(self.tile))
        return how_many(self.slug, self.seat, text, MOST, ROW)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return replace(state, worth={**state.worth, worth_key(self.seat, self.tile): int(option)})

    def is_obsolete(self, state: FrontiersState) -> bool:
        """Whether a correction removed the tile."""
        return all(tile.id != self.tile or not tile.open_bonus for tile in state.tiles(self.seat))


class PlayOver(Do, Struct, frozen=True, tag="play-over"):
    """Scores are counted; the sheet shows them."""

    def do(self, state: FrontiersState) -> FrontiersState:
        reasons = tuple(say(f"frontiers.end.{why}") for why in state.ending)
        return state.tell(say("frontiers.alert.over", reasons=reasons))
