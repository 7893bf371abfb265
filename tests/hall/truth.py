"""What tables' own journals say, to be compared with what a hall says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from companion.core.entries import (
    Answered,
    Corrected,
    FactCorrected,
    Paused,
    Redone,
    Resumed,
    Undone,
    decode_entry,
)
from companion.core.journal import Journal
from companion.core.play import read
from companion.core.store import Store
from companion.hall.standings import HallPlayer, Mode, SeatResult, TableOutcome, standing

KINDS = {
    Answered: "answer",
    Corrected: "correction",
    FactCorrected: "correction",
    Undone: "undo",
    Redone: "undo",
    Paused: "pause",
    Resumed: "pause",
}
EventKey = tuple[str, str, int, int]
PlayedSeats = tuple[tuple[str, ...], dict[str, int]]


class Truth:
    """What the journals of all tables say. `tables`: their folders by hall and table. `names`: the hall's number of
    each name. A table's plays are those of the rounds, in order.
    """

    def __init__(self, tables: Mapping[tuple[str, str], Path], names: Mapping[str, str], mode: Mode) -> None:
        self.events: dict[EventKey, tuple[str, float]] = {}
        """(kind, time) by (hall, table, play, number)."""
        self.finished = 0
        """Plays that are over."""
        outcomes = []
        for (hall, table), folder in tables.items():
            for round, (seats, places) in enumerate(self._read(hall, table, folder), 1):
                self.finished += bool(places)
                results = tuple(SeatResult(names[name], places.get(name, 0)) for name in seats)
                outcomes.append(TableOutcome(round, f"{hall}/{table}", results))
        self._standing = standing(
            [HallPlayer(number, name) for name, number in names.items()], outcomes, mode
        )

    def _read(self, hall: str, table: str, folder: Path) -> Iterator[PlayedSeats]:
        """Per play the names, and the places if it is over."""
        store = Store(folder / "journal.db")
        journal = Journal(store)
        for row in journal.plays():
            stored = journal.load(row.id)
            self.events[hall, table, row.id, 0] = ("begun", row.created)
            for entry in stored.rows:
                decoded = decode_entry(entry.body)
                kind = "finished" if decoded.sheet is not None else KINDS.get(type(decoded.deed), "other")
                self.events[hall, table, row.id, entry.seq + 1] = (kind, entry.at)
            session = read(stored).session
            sheet = session.game.sheet(session.state) if session.over else None
            yield session.setup.seats, {} if sheet is None else {seat.name: seat.rank for seat in sheet.seats}
        store.close()

    def differences(self, day: Any) -> list[str]:
        """How a hall's day, as it is exported, differs: at most some of each kind."""
        told = [
            (
                (event["hall"], event["table"], event["play"], event["number"]),
                (event["event"]["kind"], event["event"]["at"]),
            )
            for event in day["events"]
        ]
        known, expected = dict(told), self.events
        found = [
            f"{key} is there twice" for key, times in Counter(key for key, _ in told).items() if times > 1
        ]
        found += [f"{key} is lost" for key in expected if key not in known]
        found += [f"{key} is invented" for key in known if key not in expected]
        found += [
            f"{key} is {known[key]}" for key in expected if key in known and known[key] != expected[key]
        ]
        if [key for key, _ in told] != sorted(known):
            found.append("events are out of order")
        ours = [(row.place, row.number, row.wins, row.points, row.games) for row in self._standing]
        theirs = [
            (row["place"], row["number"], row["wins"], row["points"], row["games"])
            for row in day["standings"]
        ]
        found += [f"{a} is {b} in the standing" for a, b in zip_longest(ours, theirs) if a != b]
        return found
