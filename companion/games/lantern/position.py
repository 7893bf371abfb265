"""A table of Lantern that was played without us: read it, say all that cannot be right about it, score it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.counters import Counter
from companion.core.game import Box, read_box
from companion.core.parts import Positions, SheetWords, Tableaux
from companion.core.positions import checked, head_problems
from companion.core.words import Text, count, plain, say
from companion.games.lantern.state import OIL
from companion.games.lantern.things import lights
from scoring import lantern as scoring
from scoring.sheet import Sheet


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's side of the table."""

    name: Annotated[str, Meta(description="The player's name, different at every seat.")]
    oil: Annotated[int, Meta(description="Oil taken.", extra_json_schema={"minimum": 0, "maximum": OIL})]


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished table of Lantern."""

    game: Annotated[str, Meta(description="Which game it is.")]
    seats: Annotated[tuple[Seat, ...], Meta(description="The players clockwise.")]


@cache
def _box() -> Box:
    return read_box(__package__)


def position_of(raw: dict[str, Any]) -> Position:
    """The position in these plain JSON values; raises `DataTrouble` with all problems."""
    return checked(raw, Position, lambda position: tuple(_problems(position)))


def _problems(position: Position) -> Iterator[Text]:
    """Everything that cannot be right, not just the first."""
    yield from head_problems(_box(), position.game, [seat.name for seat in position.seats])
    if any(seat.oil < 0 for seat in position.seats) or sum(seat.oil for seat in position.seats) > OIL:
        yield say("lantern.position.oil", most=OIL)


def sheet(position: Position) -> Sheet:
    """The sheet of a position without problems."""
    return scoring.score({seat.name: seat.oil for seat in position.seats})


def asked(tableaux: Tableaux, choices: dict[str, str], ask: Callable[[Counter], int]) -> dict[str, Any]:
    """The plain position: no camera sees oil, so everybody is asked."""
    seats = [
        {
            "name": name,
            "oil": ask(Counter(f"oil:{n}", n, say("lantern.position.ask-oil", seat=name), 0, 0, OIL)),
        }
        for n, name in enumerate(tableaux)
    ]
    return {"game": _box().id, "seats": seats}


def schema() -> dict[str, Any]:
    """A JSON Schema of positions."""
    made = msgspec.json.schema(Position)
    position, seat = (made["$defs"][name]["properties"] for name in ("Position", "Seat"))
    position["game"]["const"] = _box().id
    position["seats"] |= {"minItems": min(_box().seats), "maxItems": max(_box().seats)}
    seat["name"]["minLength"] = 1
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def words(what: str) -> Text:
    """How a line of the sheet, or a component that earned points, is called."""
    return lights()[what].called if what in lights() else say(f"lantern.line.{what}")


def measured(measure: str, n: int) -> Text:
    """Oil, and how much of it there is."""
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
