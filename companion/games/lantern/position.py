"""A table of Lantern that was played without this program: read it, list its problems, score it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

from msgspec import Meta

from companion.core.game import Box, read_box
from companion.core.parts import Positions, SheetWords, Tableaux
from companion.core.positions import checked
from companion.core.table_files import Asked, AskNumber, SeatFile, TableFile, schema_of, whole
from companion.core.words import Text, count, plain, say
from companion.games.lantern.component_types import lights
from companion.games.lantern.state import OIL
from scoring import lantern as scoring
from scoring.sheet import Sheet


class Seat(SeatFile, frozen=True):
    """One player's side of the table."""

    oil: Annotated[int, whole("Oil taken.", OIL)]


class Position(TableFile, frozen=True):
    """A finished table of Lantern."""

    seats: Annotated[tuple[Seat, ...], Meta(description="The players clockwise.")]


@cache
def _box() -> Box:
    return read_box(__package__)


def position_of(raw: dict[str, Any]) -> Position:
    """The position in these plain JSON values; raises `DataTrouble` with all problems."""
    return checked(raw, Position, lambda position: tuple(_problems(position)))


def _problems(position: Position) -> Iterator[Text]:
    """Every problem, not just the first."""
    yield from position.head_problems(_box())
    if any(seat.oil < 0 for seat in position.seats) or sum(seat.oil for seat in position.seats) > OIL:
        yield say("lantern.position.oil", most=OIL)


def sheet(position: Position) -> Sheet:
    """The sheet of a position without problems."""
    return scoring.score({seat.name: seat.oil for seat in position.seats})


def asked(tableaux: Tableaux, choices: dict[str, str], ask: AskNumber) -> dict[str, Any]:
    """The plain position; every player is asked for their oil, since no camera sees it."""
    about = (Asked("lantern", Seat, n, name, ask) for n, name in enumerate(tableaux))
    return {"game": _box().id, "seats": [{"name": one.name, "oil": one.number("oil")} for one in about]}


def schema() -> dict[str, Any]:
    """A JSON Schema of positions."""
    return schema_of(Position, _box())


def words(what: str) -> Text:
    """The name of a line of the sheet, or of a component that earned points."""
    return lights()[what].called if what in lights() else say(f"lantern.line.{what}")


def measured(measure: str, n: int) -> Text:
    """An amount of oil in words."""
    return count(f"lantern.measured.{measure}", n)


def tie_break(sheet: Sheet) -> Text | None:
    """Nothing breaks a tie: the victory is shared."""
    return say("lantern.shared", winners=tuple(map(plain, sheet.winners))) if sheet.tied else None


EXAMPLES: tuple[dict[str, Any], ...] = (
    {"game": "lantern", "seats": [{"name": "Ania", "oil": 3}, {"name": "Bartek", "oil": 4}]},
    {"game": "lantern", "seats": [{"name": "Ania", "oil": 2}, {"name": "Bartek", "oil": 2}]},
)

SHEET_WORDS = SheetWords(words=words, measured=measured, tie_break=tie_break)

POSITIONS = Positions(position_of=position_of, sheet=sheet, schema=schema, asked=asked, examples=EXAMPLES)
