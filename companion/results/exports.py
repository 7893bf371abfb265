"""Evenings as files for other programs: CSV tables and JSON with a schema."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from companion.results.evenings import Evening

FORMAT, VERSION = "tabletop-companion evenings", 1
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins with one of these would be calculated by a spreadsheet."""


class LineOut(Struct):
    """Points from one source."""

    what: str
    points: int


class SeatOut(Struct):
    """One seat; `thought` is in seconds."""

    name: str
    spelled: str
    rank: int
    won: bool
    points: int | None
    lines: list[LineOut]
    thought: float | None
    opening: str


class EveningOut(Struct):
    """One play; `at` is in UTC, `seconds` without pauses, `marks` say what was unusual."""

    id: int
    game: str
    name: str
    at: str
    seconds: float | None
    rounds: int
    place: str
    note: str
    marks: list[str]
    seats: list[SeatOut]


class EveningsFile(Struct):
    """All evenings."""

    format: str
    version: int
    evenings: list[EveningOut]


def as_json(every: Iterable[Evening], names: Mapping[str, str]) -> dict[str, Any]:
    """Evenings as plain values for JSON."""
    found: dict[str, Any] = msgspec.to_builtins(
        EveningsFile(FORMAT, VERSION, [_out(one, names.get(one.game, one.game)) for one in every])
    )
    return found


def schema() -> dict[str, Any]:
    """The JSON Schema of `as_json`."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(EveningsFile)}


def _out(one: Evening, name: str) -> EveningOut:
    seats = [
        SeatOut(
            seat.name,
            seat.spelled,
            seat.rank,
            seat.won and one.over,
            seat.points,
            [LineOut(what, points) for what, points in seat.lines],
            seat.thought,
            seat.opening,
        )
        for seat in one.seats
    ]
    marks = sorted(one.marks)
    return EveningOut(
        one.id, one.game, name, _iso(one.at), one.seconds, one.rounds, one.place, one.note, marks, seats
    )


def csv_of_seats(every: Iterable[Evening], names: Mapping[str, str]) -> str:
    """A row per seat and play."""
    head = (
        "play",
        "game",
        "date_utc",
        "minutes",
        "rounds",
        "place",
        "note",
        "marks",
        "seats",
        "name",
        "points",
        "rank",
    )
    rows = [
        (
            one.id,
            names.get(one.game, one.game),
            _iso(one.at),
            "" if one.seconds is None else round(one.seconds / 60),
            one.rounds or "",
            one.place,
            one.note,
            " ".join(sorted(one.marks)),
            len(one.seats),
            seat.name,
            "" if seat.points is None else seat.points,
            seat.rank or "",
        )
        for one in every
        for seat in one.seats
    ]
    return _csv(head, rows)


def csv_of_lines(every: Iterable[Evening], names: Mapping[str, str]) -> str:
    """A row per line of every sheet."""
    rows = [
        (one.id, names.get(one.game, one.game), seat.name, what, points)
        for one in every
        for seat in one.seats
        for what, points in seat.lines
    ]
    return _csv(("play", "game", "name", "what", "points"), rows)


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as spreadsheets read them: with a byte-order mark, and no cell of words is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([_harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return "\ufeff" + out.getvalue()


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _iso(at: float) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):  # a clock that was never set
        return ""
