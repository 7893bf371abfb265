"""A real hall on loopback, with a real broker, tables that are only messages, and a browser."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.hall.running import Parts, prepare, run
from companion.hall.subscriber import Broker
from companion.hall.tournament import HallDesk
from companion.hall_messages import (
    HallGauge,
    HallSeat,
    ResultSeat,
    TableEvent,
    TableResult,
    TableState,
    table_topic,
)
from tests.hall.mosquitto import Mosquitto
from tests.patience import PATIENCE

HALL = "club"
PHASES = (
    {"en": "Explore", "pl": "Badanie"},
    {"en": "Settle", "pl": "Zasiedlanie"},
    {"en": "Produce", "pl": "Produkcja"},
)
NAMES = (
    "Zosia", "Krzyś", "Basia", "Olek", "Maja", "Igor", "Lena", "Jan", "Ewa", "Piotr", "Ola", "Adam", "Hania", "Kuba",
    "Nina", "Tomek", "Gosia", "Rafał", "Iza", "Bogna", "Michał", "Filip", "Ala", "Staś", "Kinga", "Wit", "Asia",
    "Darek", "Ula", "Leon", "Sara", "Oskar", "Zuza", "Marek", "Róża", "Bruno", "Ida", "Karol", "Łucja", "Żaneta",
)  # fmt: skip
JobAnswer = TypeVar("JobAnswer")


class LiveHall:
    """A hall in a thread of its own. `do` runs something there; `wait` waits for something to hold there."""

    def __init__(self, database: str | Path, broker: Broker, hall: str = HALL) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.parts: Parts = self._in_loop(prepare(database, hall, broker, ("127.0.0.1", 0)))
        self.hall, self.web = self.parts.hall, self.parts.web
        self._moved = asyncio.Condition()
        self._renew, self.web.board.renew = self.web.board.renew, self._renewed  # type: ignore[method-assign]
        self._running = asyncio.run_coroutine_threadsafe(run(self.parts), self._loop)
        self.url = f"http://127.0.0.1:{self.parts.port}"

    def _in_loop(self, job: Awaitable[JobAnswer]) -> JobAnswer:
        async def done() -> JobAnswer:
            return await job

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(PATIENCE)

    def do(self, job: Callable[[], Awaitable[JobAnswer]]) -> JobAnswer:
        """Run this on the hall's loop."""

        async def done() -> JobAnswer:
            return await job()

        return self._in_loop(done())

    def _renewed(self) -> bool:
        """The board is renewed after everything that happens: then what tests wait for is looked at."""
        renewed = self._renew()

        async def tell() -> None:
            async with self._moved:
                self._moved.notify_all()

        self._telling = self._loop.create_task(tell())
        return renewed

    def wait(self, until: Callable[[], Any]) -> None:
        """Wait until this holds on the hall's loop."""

        async def looked() -> None:
            async with self._moved:
                await self._moved.wait_for(until)

        self._in_loop(looked())

    def stored(self, table: str, number: int, play: int = 1) -> bool:
        """Whether this event is on disk."""
        known = self.hall.live.tables.get(table)
        return known is not None and play in known.plays and number in known.plays[play]

    def decide(self, *decisions: Any) -> None:
        """Keep these decisions."""
        self.do(lambda: self.hall.decide(*decisions))

    def begin_day(self, title: str = "Autumn evening", **plan: Any) -> None:
        """Begin a day."""
        from companion.hall.tournament import DayBegun

        self.do(lambda: self.hall.begin_day(DayBegun(title, "", **plan)))

    async def _let_end(self) -> None:
        """Tasks of libraries that were cancelled end now."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def close(self) -> None:
        """End it as a signal does."""
        if self._loop.is_closed():
            return
        self.parts.server.stop()
        self._running.result(PATIENCE)
        self._in_loop(self._let_end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Web:
    """Requests to a hall's pages; every connection stays open until `close`."""

    def __init__(self, hall: LiveHall) -> None:
        self.hall, self._open = hall, list[http.client.HTTPConnection]()
        self.headers = {"Origin": hall.url, "Content-Type": "application/json"}

    def get(
        self, path: str, method: str = "GET", body: bytes = b"", **headers: str
    ) -> http.client.HTTPResponse:
        """Ask for something."""
        connection = http.client.HTTPConnection("127.0.0.1", self.hall.parts.port, timeout=PATIENCE)
        self._open.append(connection)
        connection.request(method, path, body, headers)
        return connection.getresponse()

    def post(self, path: str, value: Any, **headers: str) -> tuple[int, Any]:
        """Say something as our own page does; the status and what was answered."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        answer = self.get(path, "POST", body, **{**self.headers, **headers})
        said = answer.read()
        cookie = answer.getheader("Set-Cookie")
        if cookie:
            self.headers["Cookie"] = cookie.partition(";")[0]
        return answer.status, json.loads(said) if said else None

    def close(self) -> None:
        """Close everything."""
        for connection in self._open:
            connection.close()


class SpokenTable:
    """What a table says, by hand; all tables share one connection."""

    def __init__(self, tables: Tables, name: str, title: str, players: tuple[str, ...]) -> None:
        self._tables, self.name, self.title, self.players = tables, name, title, players
        self.play, self.number = 1, 0

    def say(self, kind: str, message: Any, retain: bool = False) -> None:
        """Publish this."""
        body = message if isinstance(message, bytes) else msgspec.json.encode(message)
        self._tables.publish(table_topic(HALL, self.name, kind), body, retain)

    def state(self, **how: Any) -> None:
        """Publish the table's state, by default a play in its second round."""
        seats = how.pop("seats", None) or tuple(
            HallSeat(name, points=10 + n, waiting=n == 0) for n, name in enumerate(self.players)
        )
        usual = {
            "status": "playing", "day": self._tables.day, "game": "race", "depth": "full", "play": self.play,
            "number": self.number, "round": 2, "phase": PHASES[0], "seats": seats, "waited": 5.0, "played": 600.0,
            "ends": (HallGauge("cards", {"en": "Cards", "pl": "Karty"}, 7, 12),),
        }  # fmt: skip
        self.say("state", TableState(self.name, self.title, **{**usual, **how}), retain=True)

    def event(self, number: int, kind: Any = "answer", **how: Any) -> None:
        """Publish one event of the play."""
        self.say(
            "event",
            TableEvent(self.name, self.play, number, kind, 1000.0 + number, day=self._tables.day, **how),
        )

    def result(self, points: tuple[int, ...], **how: Any) -> None:
        """Publish the play's result; places by points."""
        numbers = how.pop("numbers", ("",) * len(points))
        seats = tuple(
            ResultSeat(name, total, 1 + sum(other > total for other in points), player=player)
            for name, total, player in zip(self.players, points, numbers, strict=True)
        )
        usual = {"day": self._tables.day, "number": self.number, "played": 2400.0}
        made = TableResult(self.name, self.play, game="race", seats=seats, **{**usual, **how})
        self.say(f"result/{self.play}", made, retain=True)


class Tables:
    """One connection to the broker, for any number of tables; it also hears what the hall says."""

    def __init__(self, broker: Mosquitto, day: str = "") -> None:
        self.day = day
        self.heard: list[tuple[str, Any]] = []
        self._moved = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="")
        self._client.on_message = self._on_message
        self._client.max_queued_messages_set(0)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        for kind in ("again", "call", "assignment"):
            self._client.subscribe(f"hall/+/table/+/{kind}", qos=1)
        self._client.subscribe("hall/+/day", qos=1)

    def _on_message(self, client: Any, data: Any, message: Any) -> None:
        with self._moved:
            self.heard.append((message.topic, json.loads(message.payload or b"null")))
            self._moved.notify_all()

    def wait(self, until: Callable[[list[tuple[str, Any]]], Any]) -> Any:
        """Wait until what was heard makes this true, and return what it is."""
        with self._moved:
            assert self._moved.wait_for(lambda: until(self.heard), PATIENCE), self.heard[-20:]
            return until(self.heard)

    def publish(self, topic: str, body: bytes, retain: bool) -> None:
        """Publish, and wait for the broker's acknowledgement."""
        self._client.publish(topic, body, qos=1, retain=retain).wait_for_publish(PATIENCE)

    def table(self, n: int, players: tuple[str, ...] = ()) -> SpokenTable:
        """Table N, with these players."""
        named = players or tuple(NAMES[(4 * n + k) % len(NAMES)] for k in range(4))
        return SpokenTable(self, f"table-{n}", f"Table {n}", named)

    def close(self) -> None:
        """Disconnect."""
        self._client.disconnect()
        self._client.loop_stop()


def desk(n: int) -> HallDesk:
    """Table N of the hall."""
    return HallDesk(HALL, f"table-{n}")
