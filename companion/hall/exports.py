"""A day as files: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

import msgspec

from companion.core.words import say
from companion.errors import NotNow
from companion.hall.hall import Hall
from companion.hall.tournament import HallDesk, Tournament

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would calculate what begins so."""


async def export(hall: Hall, name: str) -> bytes | None:
    """The content of the file of this name; None if there is no such file."""
    tournament = hall.tournament
    if tournament is None:
        raise NotNow(say("hall.day-over"))
    if name == "standings.csv":
        return _csv(
            ("place", "number", "name", "wins", "points", "opponents", "games", "byes", "dropped"),
            (
                (
                    r.place,
                    r.number,
                    r.name,
                    r.wins,
                    r.points,
                    round(r.opponents, 3),
                    r.games,
                    r.byes,
                    r.dropped,
                )
                for r in hall.standing()
            ),
        )
    if name == "results.csv":
        return _csv(
            ("round", "table", "seat", "number", "name", "place", "points", "status", "source"),
            _results(hall, tournament),
        )
    if name == "players.csv":
        return _csv(
            ("number", "name", "nickname", "agreed", "dropped", "since"),
            (
                (p.number, p.name, p.nickname, p.agreed, p.number in tournament.dropped, p.since)
                for p in tournament.players.values()
            ),
        )
    if name == "hall.json":
        return await _everything(hall, tournament)
    return None


def cell(value: object) -> object:
    """A value of a table; words that a spreadsheet would take for a formula get an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _csv(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([cell(value) for value in row] for row in rows)
    return b"\xef\xbb\xbf" + out.getvalue().encode()  # without the mark Excel reads Polish letters wrong


def _results(hall: Hall, tournament: Tournament) -> Iterable[tuple[Any, ...]]:
    claims = hall.claims()
    for paired in tournament.rounds:
        for seating in paired.tables:
            desk = HallDesk(seating.hall, seating.table)
            claim = claims[paired.round, desk]
            known = {seat.player: seat for seat in claim.seats}
            for n, player in enumerate(seating.players, start=1):
                seat = known.get(player)
                yield (
                    paired.round, hall.title(desk), n, player, tournament.shown(player),
                    seat.place if seat else "", seat.points if seat else "", claim.status, claim.source,
                )  # fmt: skip


async def _everything(hall: Hall, tournament: Tournament) -> bytes:
    claims = hall.claims()
    value = {
        "day": tournament.day,
        "plan": tournament.plan,
        "tables": list(tournament.tables.values()),
        "players": list(tournament.players.values()),
        "dropped": sorted(tournament.dropped),
        "rounds": tournament.rounds,
        "results": [
            {"round": round, "hall": desk.hall, "table": desk.table, "result": claim}
            for (round, desk), claim in claims.items()
        ],
        "standings": hall.standing(),
        "sheets": [
            {"hall": of, "table": desk, "play": play, "result": json.loads(body)}
            for of, desk, play, body in await hall.sheets()
        ],
        "events": [
            {"hall": of, "table": desk, "play": play, "number": number, "event": json.loads(body)}
            for of, desk, play, number, body in await hall.everything()
        ],
    }
    return msgspec.json.format(msgspec.json.encode(value), indent=1)
