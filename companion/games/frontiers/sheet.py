"""The sheet of a table of ours, and how any sheet of this game is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from companion.core import positions
from companion.core.parts import SheetWords, with_told_names
from companion.core.words import Text, count, say
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.things import Development, GoalTile, Tile, World, everything, printed_box
from scoring import frontiers as scoring
from scoring.frontiers import KINDS, Goal, Steps
from scoring.sheet import Sheet

REFINERY = "alien-oort-cloud-refinery"


def sheet_of_state(state: FrontiersState) -> Sheet:
    """The points as they stand: explored worlds count for nothing, a goal face down not yet."""
    sheet = scoring.score(
        [_seat(state, n) for n in range(len(state.seats))],
        goals_of(goal for goal in printed_goals() if goal in state.goals_up),
    )
    return with_told_names(sheet, state.box.by_id, everything().by_id, REFINERY)


def _seat(state: FrontiersState, index: int) -> scoring.Seat:
    seat = state.seats[index]
    ids = (*(colony.tile for colony in seat.colonies), *seat.developments)
    worth = {id: n for id in ids if (n := state.counted(index, id)) is not None}
    return scoring.Seat(
        name=seat.name,
        tiles=tuple(counted(state.tile(id), worth) for id in ids),
        chips=seat.chips,
        credits=seat.credits,
        goods=seat.goods,
        colonists=seat.colonists,
        stored_worlds=len(seat.stored_worlds),
        stored_goods=len(seat.stored_goods),
        stored_credits=seat.stored_credits,
    )


def counted(tile: Tile, worth: Mapping[str, int]) -> scoring.Tile:
    """What the sheet needs to know of a tile; its '?' as the table counted it, if nobody told what it counts."""
    return replace(tile.for_scoring, worth=worth.get(tile.id)) if tile.open_bonus else tile.for_scoring


def printed_goals() -> dict[Goal, GoalTile]:
    """Every goal of the box."""
    return {goal.id: goal for goal in printed_box().goals}  # type: ignore[misc]


def goals_of(goals: Iterable[Goal]) -> dict[Goal, Steps]:
    """What these goals pay."""
    return {goal: printed_goals()[goal].steps for goal in goals}


# Words

SORTS = ("colonies", "developments")
"""What the lines of most tiles are added up to."""


def words(what: str) -> Text:
    """How a line of the sheet, or a tile that earned points, is called."""
    if what in ("chips", *SORTS):
        return say(f"frontiers.line.{what}")
    sort, _, kind = what.partition("-")
    if sort == "named" and kind in KINDS:
        refinery = everything()[REFINERY].called
        return say("frontiers.line.named", refinery=refinery, kind=say(f"frontiers.good.{kind}"))
    return everything()[what].called


def sort(what: str) -> str | None:
    """The line of a table that a tile's line goes into; large developments and goals have reasons people ask for."""
    component = everything().by_id.get(what)
    if isinstance(component, Development):
        return None if component.large else "developments"
    return "colonies" if isinstance(component, World) else None


MEASURED_BY_NAME = ("as", "power", "kind", "keyword")
"""Measures that come in several kinds, such as `as-genes` or `power-trade`."""


def measured(measure: str, n: int) -> Text:
    """What is counted besides tiles, and how much of it there is."""
    sort, _, which = measure.partition("-")
    if sort not in MEASURED_BY_NAME:
        return count(f"frontiers.measured.{measure}", n)
    family = {"as": "good", "kind": "good", "power": "phase", "keyword": "keywords"}[sort]
    key = "as" if sort == "as" else "times"
    return count(f"frontiers.measured.{key}", n, what=say(f"frontiers.{family}.{which}"))


def tie_break(sheet: Sheet) -> Text | None:
    """The sentence that broke the tie, or says that the victory is shared; nothing if there was no tie."""
    return positions.tie_break(sheet, "frontiers.tie-broken", "frontiers.tie-shared")


SHEET_WORDS = SheetWords(words=words, measured=measured, tie_break=tie_break, sort=sort)
