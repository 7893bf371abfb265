"""What tables say now: checks every message of the broker, remembers the newest states, and knows which events lack.

A message that is too long, malformed, of another version, from a foreign topic or of another day is ignored and
counted. A table can lie about itself only: everything is kept under the table's name in the topic, which the
broker's rules guard.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple, TypeVar

import msgspec

from companion.hall.storage import Reached, StoredEvent, StoredResult
from companion.hall.tournament import MOST_TABLES, replaces, without_lines
from companion.hall_messages import (
    HALL_MESSAGES,
    MOST_BYTES,
    TOPIC_NAME,
    TableEvent,
    TableResult,
    TableState,
)

Ignored = Literal["long", "malformed", "version", "topic", "day", "many"]
MOST_ENTRIES = 20_000
"""Entries of one play: ten times a long one."""
MOST_PLAYS = 100
"""Plays of one table in a day."""
MOST_SEATS = 12
ASK_AGAIN_AFTER = 3.0
"""Seconds an event may be late before it is asked for."""
ASK_AT_MOST_EVERY = 300.0

TableMessage = TypeVar("TableMessage", TableState, TableEvent, TableResult)


class Refused(Exception):
    """A message that is ignored, and why."""

    def __init__(self, why: Ignored) -> None:
        super().__init__(why)
        self.why = why


class Numbers:
    """Which events of one play are on disk."""

    def __init__(self) -> None:
        self.next = 0
        """All before this one are there."""
        self.highest = -1
        """The highest number anybody spoke of, on disk or not."""
        self._later: set[int] = set()
        self.ask_at: float | None = None
        self.asked = 0

    def __contains__(self, number: int) -> bool:
        return number < self.next or number in self._later

    def add(self, number: int) -> None:
        """This event is on disk."""
        self.speaks_of(number)
        if number < self.next:
            return
        self._later.add(number)
        while self.next in self._later:
            self._later.remove(self.next)
            self.next += 1
            self.ask_at, self.asked = None, 0

    def speaks_of(self, number: int) -> None:
        """Somebody says that events up to this one exist."""
        self.highest = max(self.highest, number)

    @property
    def lacks(self) -> bool:
        """Whether events are missing."""
        return self.next <= self.highest

    def asks(self, now: float) -> bool:
        """Whether the first missing event should be asked for now; less and less often, if nobody answers."""
        if not self.lacks:
            self.ask_at, self.asked = None, 0
        elif self.ask_at is None:
            self.ask_at = now + ASK_AGAIN_AFTER
        elif now >= self.ask_at:
            self.asked += 1
            self.ask_at = now + min(ASK_AT_MOST_EVERY, ASK_AGAIN_AFTER * 2**self.asked)
            return True
        return False


class HeardTable:
    """One table as last heard."""

    def __init__(self) -> None:
        self.state: TableState | None = None
        self.heard = 0.0
        """When the state came, by the hall's own clock."""
        self.online: bool | None = None
        self.plays: dict[int, Numbers] = {}
        self.results: dict[int, TableResult] = {}
        self.rounds: set[tuple[int, int]] = set()
        """(play, round) whose beginning is known."""
        self.round_at = 0.0
        """When the round of the state began, by the hall's own clock."""

    def numbers(self, play: int) -> Numbers:
        """What is known of this play's events; raises `Refused` if there are too many plays."""
        if play not in self.plays and len(self.plays) >= MOST_PLAYS:
            raise Refused("many")
        return self.plays.setdefault(play, Numbers())


class HeardNews(NamedTuple):
    """What one message adds to what must be kept."""

    table: str
    events: tuple[StoredEvent, ...] = ()
    results: tuple[StoredResult, ...] = ()
    reached: tuple[Reached, ...] = ()


class HeardTables:
    """All tables of one hall, as heard on the day that is open (empty: none is)."""

    def __init__(self, hall: str) -> None:
        self.hall, self.day = hall, ""
        self.tables: dict[str, HeardTable] = {}
        self.ignored: Counter[Ignored] = Counter()

    def begin(self, day: str) -> None:
        """Another day: what was heard before no longer counts, but who is online."""
        online = {name: table.online for name, table in self.tables.items() if table.online is not None}
        self.day, self.tables = day, {}
        for name, is_online in online.items():
            self._table(name).online = is_online

    def hear(self, topic: str, payload: bytes, now: float) -> HeardNews | None:
        """Take one message of the broker; None if nothing is known that was not before."""
        try:
            return self._heard(topic, payload, now)
        except Refused as refused:
            self.ignored[refused.why] += 1
            return None

    def _heard(self, topic: str, payload: bytes, now: float) -> HeardNews | None:
        if len(payload) > MOST_BYTES:
            raise Refused("long")
        parts = topic.split("/")
        if len(parts) not in (5, 6) or parts[:3] != ["hall", self.hall, "table"]:
            raise Refused("topic")
        name, kind = parts[3], parts[4]
        if TOPIC_NAME.fullmatch(name) is None or (len(parts) == 6) != (kind == "result"):
            raise Refused("topic")
        if kind == "online":
            return self._online(name, payload)
        if kind not in ("state", "event", "result"):
            raise Refused("topic")
        if not payload:
            return self._cleared(name, kind)
        if not self.day:
            raise Refused("day")
        if kind == "state":
            return self._state(name, _read(payload, TableState, name, self.day), now)
        if kind == "event":
            return self._event(name, _read(payload, TableEvent, name, self.day))
        result = _read(payload, TableResult, name, self.day)
        if parts[5] != str(result.play):
            raise Refused("topic")
        return self._result(name, result)

    def _table(self, name: str) -> HeardTable:
        if name not in self.tables and len(self.tables) >= MOST_TABLES:
            raise Refused("many")
        return self.tables.setdefault(name, HeardTable())

    def _online(self, name: str, payload: bytes) -> HeardNews:
        if payload not in (b"online", b"offline", b""):
            raise Refused("malformed")
        self._table(name).online = {b"online": True, b"offline": False}.get(payload)
        return HeardNews(name)

    def _cleared(self, name: str, kind: str) -> HeardNews | None:
        """A retained message was taken away."""
        if name not in self.tables or kind != "state":
            return None
        self.tables[name].state = None
        return HeardNews(name)

    def _state(self, name: str, state: TableState, now: float) -> HeardNews:
        table = self._table(name)
        if len(state.seats) > MOST_SEATS or state.number > MOST_ENTRIES:
            raise Refused("malformed")
        before = table.state
        if before is None or (before.play, before.round) != (state.play, state.round):
            table.round_at = now
        table.state, table.heard = state, now
        if state.play and state.status != "free":
            table.numbers(state.play).speaks_of(state.number)
        reached: tuple[Reached, ...] = ()
        at = (state.play, state.round)
        if state.status == "playing" and 1 <= state.round <= 99 and at not in table.rounds:
            table.rounds.add(at)
            reached = (Reached(name, self.day, *at, state.game, len(state.seats), state.played),)
        return HeardNews(name, reached=reached)

    def _event(self, name: str, event: TableEvent) -> HeardNews | None:
        if event.number > MOST_ENTRIES:
            raise Refused("malformed")
        numbers = self._table(name).numbers(event.play)
        numbers.speaks_of(event.number)
        if event.number in numbers:
            return None
        body = msgspec.json.encode(event).decode()
        return HeardNews(name, events=(StoredEvent(name, self.day, event.play, event.number, body),))

    def _result(self, name: str, result: TableResult) -> HeardNews | None:
        if not 1 <= len(result.seats) <= MOST_SEATS or result.number > MOST_ENTRIES:
            raise Refused("malformed")
        table = self._table(name)
        table.numbers(result.play).speaks_of(result.number)
        if not replaces(result, table.results.get(result.play)):
            return None
        table.results[result.play] = without_lines(result)
        body = msgspec.json.encode(result).decode()
        reached = (
            ()
            if result.withdrawn
            else (Reached(name, self.day, result.play, 0, result.game, len(result.seats), result.played),)
        )
        return HeardNews(name, results=(StoredResult(name, self.day, result.play, body),), reached=reached)

    def results(self, name: str) -> dict[int, TableResult]:
        """The newest results of this table, to be read and filled."""
        return self._table(name).results

    # What lacks

    def stored(self, table: str, play: int, number: int) -> None:
        """This event is on disk."""
        self._table(table).numbers(play).add(number)

    def lacking(self, now: float) -> list[tuple[str, int, int]]:
        """(table, play, number) from which tables should send again now."""
        return [
            (name, play, numbers.next)
            for name, table in self.tables.items()
            if table.online is not False
            for play, numbers in table.plays.items()
            if numbers.asks(now)
        ]

    def lacks(self) -> int:
        """How many plays lack events."""
        return sum(numbers.lacks for table in self.tables.values() for numbers in table.plays.values())


class _Versioned(msgspec.Struct):
    version: int = HALL_MESSAGES


def _read(payload: bytes, kind: type[TableMessage], name: str, day: str) -> TableMessage:
    """The message; raises `Refused`. Messages from before the table first heard of a day have none."""
    try:
        if msgspec.json.decode(payload, type=_Versioned).version != HALL_MESSAGES:
            raise Refused("version")
        message = msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as e:
        raise Refused("malformed") from e
    if message.table != name:
        raise Refused("malformed")
    if message.day not in ("", day):
        raise Refused("day")
    return message
