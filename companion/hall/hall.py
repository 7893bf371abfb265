"""The hall itself: brings together what tables say, what the organiser decides, and what is on disk.

Everything runs on one event loop; the database has a thread of its own. What could not be written is not lost
silently: events that are not on disk count as missing, and tables are asked to send them again; states and results
are retained by the broker and stay in memory.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import msgspec

from companion.core.words import Text, say
from companion.errors import NotNow, StorageTrouble
from companion.hall.estimates import Estimate, FinishedPlay, remaining
from companion.hall.live import HeardNews, HeardTable, HeardTables
from companion.hall.standings import StandingRow
from companion.hall.storage import HallStorage, Reached, StoredEvent, StoredResult, Taken
from companion.hall.subscriber import Broker, Subscriber
from companion.hall.tournament import (
    AnyDecision,
    Claim,
    DayBegun,
    HallDesk,
    Tournament,
    in_order,
    replaces,
    without_lines,
)
from companion.hall_messages import (
    AssignedPlayer,
    Assignment,
    HallDay,
    SendAgain,
    TableCall,
    TableResult,
    day_topic,
    table_topic,
)

TICK = 0.2
"""Seconds between writes to disk, and between changes of the board."""
MOST_WAITING = 20_000
"""Events that may wait for the disk; more are asked for again later."""
LOOK_EVERY = 2.0
"""Seconds between looks at what other halls have decided, and at what is missing."""
ATTEMPTS = 5
_decision: msgspec.json.Decoder[AnyDecision] = msgspec.json.Decoder(AnyDecision)
_result = msgspec.json.Decoder(TableResult)
JobAnswer = TypeVar("JobAnswer")


class Waiting(NamedTuple):
    """What has been heard and is not on disk yet."""

    events: dict[tuple[str, int, int], StoredEvent]
    results: dict[tuple[str, int], StoredResult]
    reached: dict[tuple[str, int, int], Reached]


class Hall:
    """One hall. `changed` is called when the board may look different."""

    def __init__(
        self,
        storage: HallStorage,
        name: str,
        broker: Broker,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.name, self._storage, self.clock, self.wall = name, storage, clock, wall
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="storage")
        self.live = HeardTables(name)
        self.subscriber = Subscriber(broker, name, self.heard, self.touch)
        self.tournament: Tournament | None = None
        self.trouble: Text | None = None
        """Why nothing can be written at the moment."""
        self.version = 0
        """Grows with everything that may change what people see."""
        self._fresh: set[str] | None = None
        self._elsewhere: dict[HallDesk, dict[int, TableResult]] = defaultdict(dict)
        """Results of other halls, in the same database."""
        self._waiting = Waiting({}, {}, {})
        self._finished: dict[tuple[str, ...], dict[int, tuple[str, int, float]]] = defaultdict(dict)
        self._seen = -1
        self._claims: tuple[int, dict[tuple[int, HallDesk], Claim]] = (-1, {})
        self._standing: tuple[int, tuple[StandingRow, ...]] = (-1, ())
        self._deciding = asyncio.Lock()
        self._results_version = 0

    def touch(self, table: str | None = None) -> None:
        """Something has changed: about this table only, or about everything."""
        self.version += 1
        if table is None:
            self._fresh = None
        elif self._fresh is not None:
            self._fresh.add(table)

    def fresh(self) -> set[str] | None:
        """The tables that changed since this was last asked; None: perhaps all."""
        fresh, self._fresh = self._fresh, set()
        return fresh

    async def _on_disk(self, job: Callable[..., JobAnswer], *given: Any) -> JobAnswer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, job, *given)

    # Beginning and ending

    async def open(self) -> None:
        """Read what is on disk: the newest day, if one was begun."""
        day = await self._on_disk(self._storage.newest_day)
        for hall, desk, of_day, play, round, game, seats, played in await self._on_disk(
            self._storage.reached
        ):
            self._finished[hall, desk, of_day, str(play)][round] = (game, seats, played)
        if day is not None:
            await self._open_day(day)

    async def _open_day(self, day: str) -> None:
        self.tournament = Tournament(day)
        self._results_version += 1
        self._elsewhere.clear()
        self._waiting = Waiting({}, {}, {})
        self._seen = -1
        self.live.begin(day)
        await self.refresh()
        if self.tournament.ended:
            self.live.begin("")
        else:
            for desk, play, number in await self._on_disk(lambda: list(self._storage.numbers(day))):
                self.live.stored(desk, play, number)
        self._tell_tables()
        self.touch()

    async def begin_day(self, decision: DayBegun) -> None:
        """Begin a day. Its name is today's date; a second one of the same date gets a number."""
        async with self._deciding:
            newest = await self._on_disk(self._storage.newest_day)
            if self.tournament is not None and self.tournament.day != newest:
                await self._open_day(str(newest))  # another hall was faster
            if self.tournament is not None and not self.tournament.ended:
                raise NotNow(say("hall.day-open"))
            today = time.strftime("%Y-%m-%d", time.localtime(self.wall()))
            day = today if newest is None or today > newest else _after(newest)
            kept = msgspec.structs.replace(decision, secret=secrets.token_hex(16))
            try:
                await self._on_disk(self._storage.decide, day, 0, [msgspec.json.encode(kept).decode()])
            except Taken as e:
                raise NotNow(say("hall.day-open")) from e
            await self._open_day(day)

    def close(self) -> None:
        """Let go of the database."""
        self._thread.submit(self._storage.close)
        self._thread.shutdown()

    # Deciding

    async def decide(self, *decisions: AnyDecision) -> None:
        """Keep these decisions, all or none; raises `NotNow` with the reason they cannot be."""
        async with self._deciding:
            for _ in range(ATTEMPTS):
                tournament = self._today()
                for decision in decisions:
                    tournament.check(decision)
                bodies = [msgspec.json.encode(decision).decode() for decision in decisions]
                try:
                    await self._on_disk(self._storage.decide, tournament.day, tournament.decided, bodies)
                except Taken:
                    await self.refresh()
                    continue
                for decision in decisions:
                    tournament.apply(decision)
                self._after_decisions()
                return
        raise NotNow(say("hall.busy"))

    def _today(self) -> Tournament:
        if self.tournament is None:
            raise NotNow(say("hall.day-over"))
        return self.tournament

    async def refresh(self) -> None:
        """Read what other halls wrote since."""
        tournament = self._today()
        seen = await self._on_disk(self._storage.changed, tournament.day)
        if seen == self._seen:
            return
        rows = await self._on_disk(self._storage.decisions, tournament.day, tournament.decided - 1)
        for number, body in rows:
            if number == tournament.decided:
                tournament.apply(_decision.decode(body))
        for hall, desk, play, body in await self._on_disk(self._storage.results, tournament.day):
            self._know(HallDesk(hall, desk), without_lines(_result.decode(body)), play)
        self._seen = seen
        if rows:
            self._after_decisions()
        self._results_version += 1
        self.touch()

    def _know(self, desk: HallDesk, result: TableResult, play: int) -> None:
        known = self.live.results(desk.table) if desk.hall == self.name else self._elsewhere[desk]
        if replaces(result, known.get(play)):
            known[play] = result

    def _after_decisions(self) -> None:
        tournament = self._today()
        cleared: dict[str, bytes] = {}
        if tournament.ended and self.live.day:
            cleared = self._at_the_end()
            self.live.begin("")
        self._tell_tables(cleared)
        self._results_version += 1
        self.touch()

    # Tables

    def heard(self, topic: str, payload: bytes) -> None:
        """A message of the broker."""
        ignored = self.live.ignored.total()
        heard = self.live.hear(topic, payload, self.clock())
        if heard is not None:
            self._keep(heard)
            self.touch(heard.table)
        elif self.live.ignored.total() != ignored:
            self.version += 1

    def _keep(self, heard: HeardNews) -> None:
        waiting = self._waiting
        for event in heard.events:
            if len(waiting.events) < MOST_WAITING:
                waiting.events.setdefault((event.desk, event.play, event.number), event)
        for result in heard.results:
            waiting.results[result.desk, result.play] = result
            self._results_version += 1
        for reached in heard.reached:
            waiting.reached.setdefault((reached.desk, reached.play, reached.round), reached)

    async def write(self) -> None:
        """Write what waits; if that fails, results wait on, and events count as missing."""
        waiting = self._waiting
        if not any(waiting):
            if self.trouble is not None:
                await self._try(self._storage.newest_day)
            return
        self._waiting = Waiting({}, {}, {})
        kept = [list(kind.values()) for kind in waiting]
        if await self._try(self._storage.keep, *kept):
            for event in waiting.events.values():
                if event.day == self.live.day:
                    self.live.stored(event.desk, event.play, event.number)
            for reached in waiting.reached.values():
                play = (self.name, reached.desk, reached.day, str(reached.play))
                self._finished[play][reached.round] = (reached.game, reached.seats, reached.played)
            return
        for key, result in waiting.results.items():
            self._waiting.results.setdefault(key, result)
        for at, reached in waiting.reached.items():
            self._waiting.reached.setdefault(at, reached)

    async def _try(self, job: Callable[..., object], *given: object) -> bool:
        """Whether the database did it."""
        before = self.trouble
        try:
            await self._on_disk(job, *given)
            self.trouble = None
        except StorageTrouble as e:
            self.trouble = e.text
        if self.trouble != before:
            self.touch()
        return self.trouble is None

    async def ask_again(self) -> None:
        """Ask tables for events that are missing, unless nothing could be written."""
        if not self.subscriber.connected or self.trouble is not None:
            return
        for table, play, number in self.live.lacking(self.clock()):
            topic = table_topic(self.name, table, "again")
            await self.subscriber.say(topic, msgspec.json.encode(SendAgain(play, number)))

    async def call(self, tables: list[str], call: TableCall) -> None:
        """Show a sentence at these tables; raises `NotNow` if the broker cannot be reached."""
        for table in tables:
            topic = table_topic(self.name, table, "call")
            if not await self.subscriber.say(topic, msgspec.json.encode(call)):
                raise NotNow(say("hall.no-broker"))

    def _tell_tables(self, also: dict[str, bytes] | None = None) -> None:
        """What the broker should keep for tables: the day, and who plays where."""
        tournament = self._today()
        day = "" if tournament.ended else tournament.day
        wanted = {day_topic(self.name): msgspec.json.encode(HallDay(day, tournament.plan.title))}
        if not tournament.ended:
            wanted |= self._assignments(tournament)
        self.subscriber.retain(wanted | (also or {}))

    def _assignments(self, tournament: Tournament) -> dict[str, bytes]:
        """Who plays where in the newest round; nobody, before the first."""
        seated: dict[str, tuple[str, ...]] = {}
        id = tournament.assignment_id(tournament.round) if tournament.rounds else ""
        if tournament.rounds:
            seated = {s.table: s.players for s in tournament.rounds[-1].tables if s.hall == self.name}
        tables = {
            desk.table for desk, t in tournament.tables.items() if desk.hall == self.name and t.companion
        }
        return {
            table_topic(self.name, table, "assignment"): msgspec.json.encode(
                Assignment(
                    id,
                    tournament.round,
                    tournament.plan.game,
                    tuple(AssignedPlayer(p, tournament.shown(p)) for p in seated.get(table, ())),
                )
            )
            for table in sorted(tables)
        }

    def _at_the_end(self) -> dict[str, bytes]:
        """At the end of the day the broker forgets what tables had published, and nobody is assigned any more."""
        nobody = msgspec.json.encode(Assignment(""))
        kept: dict[str, bytes] = {}
        for name, table in self.live.tables.items():
            kept[table_topic(self.name, name, "assignment")] = nobody
            for kind in ("state", *(f"result/{play}" for play in table.results)):
                kept[table_topic(self.name, name, kind)] = b""
        return kept

    # Reading

    def desks(self) -> list[HallDesk]:
        """All tables, in the order of their titles: those the organiser placed, and those that speak."""
        placed = set(self.tournament.tables) if self.tournament else set()
        heard = {HallDesk(self.name, name) for name in self.live.tables}
        return sorted(placed | heard, key=lambda desk: (in_order(self.title(desk)), desk))

    def title(self, desk: HallDesk) -> str:
        """What people call a table."""
        if self.tournament is not None and desk in self.tournament.tables:
            return self.tournament.tables[desk].title
        live = self.live_table(desk)
        return (live.state.title if live and live.state else "")[:40] or desk.table

    def live_table(self, desk: HallDesk) -> HeardTable | None:
        """What a table of this hall said."""
        return self.live.tables.get(desk.table) if desk.hall == self.name else None

    def claims(self) -> dict[tuple[int, HallDesk], Claim]:
        """The result of every table of every round."""
        if self.tournament is None:
            return {}
        if self._claims[0] != self._results_version:
            said: dict[tuple[str, HallDesk], TableResult] = {}
            everywhere = list(self._elsewhere.items())
            everywhere += [
                (HallDesk(self.name, name), table.results) for name, table in self.live.tables.items()
            ]
            for desk, known in everywhere:
                for _, result in sorted(known.items()):
                    if not result.withdrawn and result.assignment:
                        said[result.assignment, desk] = result
            self._claims = (self._results_version, self.tournament.claims(said))
        return self._claims[1]

    def standing(self) -> tuple[StandingRow, ...]:
        """The standings by official results."""
        if self.tournament is None:
            return ()
        if self._standing[0] != self._results_version:
            self._standing = (self._results_version, self.tournament.standing(self.claims()))
        return self._standing[1]

    def finished_plays(self) -> dict[tuple[str, int], list[FinishedPlay]]:
        """All plays that have ended, of any day, by game and number of seats."""
        found: dict[tuple[str, int], list[FinishedPlay]] = defaultdict(list)
        for rounds in self._finished.values():
            if 0 in rounds:
                game, seats, played = rounds[0]
                began = {round: at for round, (_, _, at) in rounds.items() if round}
                found[game, seats].append(FinishedPlay(game, seats, began, played))
        return found

    def estimates(self) -> dict[HallDesk, Estimate]:
        """How long the tables of this hall will still play, where enough plays have finished."""
        finished, found = self.finished_plays(), {}
        for name, table in self.live.tables.items():
            state = table.state
            if state is not None and state.status == "playing":
                alike = finished.get((state.game, len(state.seats)), ())
                into = max(0.0, self.clock() - table.round_at)
                estimate = remaining(alike, state.game, state.round, len(state.seats), into=into)
                if estimate is not None:
                    found[HallDesk(self.name, name)] = estimate
        return found

    async def everything(self) -> list[tuple[str, str, int, int, str]]:
        """All events of the day, for an export."""
        return await self._on_disk(self._storage.events, self._today().day)

    async def sheets(self) -> list[tuple[str, str, int, str]]:
        """All results of the day with every line, for an export and for the judge."""
        return await self._on_disk(self._storage.results, self._today().day)

    # Running

    async def run(self) -> None:
        """Listen and write until this task is cancelled."""
        listening = asyncio.create_task(self.subscriber.run())
        looked = 0.0
        try:
            while True:
                await asyncio.sleep(TICK)
                await self.write()
                if self.clock() - looked >= LOOK_EVERY:
                    looked = self.clock()
                    await self._look()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def _look(self) -> None:
        """What other halls decided, and what is missing here."""
        if self.trouble is None:
            async with self._deciding:
                try:
                    newest = await self._on_disk(self._storage.newest_day)
                    if newest is not None and (self.tournament is None or newest != self.tournament.day):
                        await self._open_day(newest)
                    elif self.tournament is not None:
                        await self.refresh()
                except StorageTrouble as e:
                    self.trouble = e.text
                    self.touch()
        await self.ask_again()


def _after(day: str) -> str:
    """The name of one more day of the same date."""
    date, _, number = day.partition(".")
    return f"{date}.{int(number or 1) + 1:02d}"
