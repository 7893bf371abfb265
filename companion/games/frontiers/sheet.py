"""The sheet of a play, and the words for any sheet of this game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core import positions
from companion.core.parts import SheetWords, with_told_names
from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import (
    Development,
    GoalTile,
    Tile,
    World,
    everything,
    printed_box,
)
from companion.games.frontiers.state import FrontiersState, Seat
from scoring import frontiers as scoring
from scoring.frontiers import KINDS, Goal, Steps
from scoring.sheet import Sheet

if TYPE_CHECKING:
    from companion.games.frontiers.position import Seat as SeatFile

REFINERY = "alien-oort-cloud-refinery"


def sheet_of_state(state: FrontiersState) -> Sheet:
    """The current points: explored worlds do not count, nor does a face-down goal yet."""
    sheet = scoring.score(
        [_seat(state, n) for n in range(len(state.seats))],
        goals_of(goal for goal in printed_goals() if goal in state.goals_up),
    )
    return with_told_names(sheet, state.box.by_id, everything().by_id, REFINERY)


def _seat(state: FrontiersState, index: int) -> scoring.Seat:
    seat = state.seats[index]
    tiles = [state.tile(id) for id in (*(colony.tile for colony in seat.colonies), *seat.developments)]
    # The points the players counted are used only until the meaning of the '?' is taught.
    worth = {
        tile.id: n for tile in tiles if tile.open_bonus and (n := state.counted(index, tile.id)) is not None
    }
    stored = len(seat.stored_worlds), len(seat.stored_goods)
    return seat_counted(seat, tiles, seat.goods, stored, worth)


def seat_counted(
    seat: Seat | SeatFile,
    tiles: Iterable[Tile],
    goods: int,
    stored: tuple[int, int],
    worth: Mapping[str, int],
    goals: Iterable[Goal] = (),
) -> scoring.Seat:
    """The values of an empire that the sheet needs, from a file or from a play.

    `stored` are worlds and goods on the stockpile mat, `worth` the points the players counted themselves,
    also for these goals.
    """
    return scoring.Seat(
        name=seat.name,
        tiles=tuple(
            replace(tile.for_scoring, worth=worth[tile.id]) if tile.id in worth else tile.for_scoring
            for tile in tiles
        ),
        chips=seat.chips,
        credits=seat.credits,
        goods=goods,
        colonists=seat.colonists,
        stored_worlds=stored[0],
        stored_goods=stored[1],
        stored_credits=seat.stored_credits,
        counted={goal: worth[goal] for goal in goals if goal in worth},
    )


def printed_goals() -> dict[Goal, GoalTile]:
    """Every goal of the box."""
    return {goal.id: goal for goal in printed_box().goals}  # type: ignore[misc]


def goals_of(goals: Iterable[Goal]) -> dict[Goal, Steps]:
    """What these goals pay."""
    return {goal: printed_goals()[goal].steps for goal in goals}


# Words

SORTS = ("colonies", "developments")
"""The lines into which most tiles are added up."""


def words(what: str) -> Text:
    """The name of a line of the sheet, or of a tile that earned points."""
    if what in ("chips", *SORTS):
        return say(f"frontiers.line.{what}")
    sort, _, kind = what.partition("-")
    if sort == "named" and kind in KINDS:
        refinery = everything()[REFINERY].called
        return say("frontiers.line.named", refinery=refinery, kind=say(f"frontiers.good.{kind}"))
    return everything()[what].called


def sort(what: str) -> str | None:
    """The line into which a tile's points are added; large developments and goals keep their own line, for
    people ask how they score."""
    component = everything().by_id.get(what)
    if isinstance(component, Development):
        return None if component.large else "developments"
    return "colonies" if isinstance(component, World) else None


MEASURED_BY_NAME = ("as", "power", "kind", "keyword")
"""Measures that come in several kinds, such as `as-genes` or `power-trade`."""


def measured(measure: str, n: int) -> Text:
    """An amount of something other than tiles, in words."""
    sort, _, which = measure.partition("-")
    if sort not in MEASURED_BY_NAME:
        return count(f"frontiers.measured.{measure}", n)
    family = {"as": "good", "kind": "good", "power": "phase", "keyword": "keywords"}[sort]
    key = "as" if sort == "as" else "times"
    return count(f"frontiers.measured.{key}", n, what=say(f"frontiers.{family}.{which}"))


def tie_break(sheet: Sheet) -> Text | None:
    """The sentence that explains the tie-break, or that the victory is shared; None if there was no tie."""
    return positions.tie_break(sheet, "frontiers.tie-broken", "frontiers.tie-shared")


SHEET_WORDS = SheetWords(words=words, measured=measured, tie_break=tie_break, sort=sort)
