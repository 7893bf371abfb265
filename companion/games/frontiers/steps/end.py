"""The end (p. 9): the goal kept face down is turned up, explored worlds go, and every '?' gets its number."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.questions import Option, Question
from companion.core.words import plain, say
from companion.games.frontiers.state import FrontiersState, worth_key
from companion.games.frontiers.steps.facts import ReadTiles
from companion.games.frontiers.steps.goals import TurnUpGoal, into_bag

MOST, ROW = 39, 10
"""More than this no '?' of the box gives."""


class EndPlay(Do, Struct, frozen=True, tag="end-play"):
    """After the last round: explored worlds score nothing and count for nothing."""

    def do(self, state: FrontiersState) -> FrontiersState:
        for seat, who in enumerate(state.seats):
            state = into_bag(state, seat, who.explored)
        state = replace(state, selected=(), action=None)
        hidden = () if state.hidden_goal is None else (TurnUpGoal(state.hidden_goal),)
        return state.push(*hidden, ReadTiles(), CountBonuses())


class CountBonuses(Do, Struct, frozen=True, tag="count-bonuses", omit_defaults=True):
    """Each seat tells what its '?' give that nobody taught us; `again` if the play was over before."""

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
    """What does the '?' of this tile give? Just for this play."""

    seat: int
    tile: str
    slug: ClassVar[str] = "frontiers.worth"

    def ask(self, state: FrontiersState) -> Question:
        options = tuple(Option(str(n), plain(str(n)), cell=(n // ROW, n % ROW)) for n in range(MOST + 1))
        text = say("frontiers.ask.worth", tile=state.name(self.tile))
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return replace(state, worth={**state.worth, worth_key(self.seat, self.tile): int(option)})

    def moot(self, state: FrontiersState) -> bool:
        """A correction may have taken the tile away."""
        return all(tile.id != self.tile or not tile.open_bonus for tile in state.tiles(self.seat))


class PlayOver(Do, Struct, frozen=True, tag="play-over"):
    """Scores are counted: the sheet says the rest."""

    def do(self, state: FrontiersState) -> FrontiersState:
        reasons = tuple(say(f"frontiers.end.{why}") for why in state.ending)
        return state.tell(say("frontiers.alert.over", reasons=reasons))
