"""The hall's connection to the broker: hears all tables, tells tables what the hall has to say, and always
connects again."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from aiomqtt import Client, MqttError, ProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.core.words import plain, say
from companion.errors import DataTrouble
from companion.hall_messages import MOST_BYTES

FIRST_WAIT, LONGEST_WAIT = 0.5, 20.0
"""Seconds between attempts to connect; doubled each time, and shortened by chance so that nobody comes at once."""
TIMEOUT = 10.0
ROOM_FOR_TOPIC = 1024


class Broker(NamedTuple):
    """Where a broker is and how the hall proves itself."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = ""
    tls: bool = False
    ca: str = ""
    """A file with the hall's own certificate authority; empty: those the system trusts."""
    certificate: str = ""
    """A file with the hall's own certificate and key."""

    def context(self) -> ssl.SSLContext | None:
        """How the connection is encrypted; raises `DataTrouble` if a file cannot be used."""
        if not self.tls:
            return None
        try:
            context = ssl.create_default_context(cafile=self.ca or None)
            if self.certificate:
                context.load_cert_chain(Path(self.certificate))
        except (OSError, ssl.SSLError) as e:
            raise DataTrouble(say("hall.bad-certificate", why=plain(str(e)[:200]))) from e
        return context


class Subscriber:
    """Keeps a connection; `heard(topic, payload)` is called for each message, `noticed()` when it comes or goes.

    `retain` says what the broker should keep: a connection that comes back sends all of it again.
    """

    def __init__(
        self,
        broker: Broker,
        hall: str,
        heard: Callable[[str, bytes], None],
        noticed: Callable[[], None],
        random: Random | None = None,
    ) -> None:
        self.broker, self.hall = broker, hall
        self._heard, self._noticed = heard, noticed
        self._random = random or Random()
        self._context = broker.context()
        self._client: Client | None = None
        self._retained: dict[str, bytes] = {}
        self._sent: dict[str, bytes] = {}
        self._news = asyncio.Event()
        self.trouble = ""
        """Why there is no connection, as the broker or the system says it."""

    @property
    def connected(self) -> bool:
        """Whether the broker hears us."""
        return self._client is not None

    @property
    def told(self) -> bool:
        """Whether the broker has everything it should keep."""
        return self.connected and all(self._sent.get(topic) == body for topic, body in self._retained.items())

    async def run(self) -> None:
        """Connect, listen, and connect again, until this task is cancelled."""
        wait = FIRST_WAIT
        while True:
            try:
                async with self._made() as client, asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._listen(client))  # first: it notices the end of the connection
                    tasks.create_task(self._tell(client))
            except* (MqttError, OSError) as group:
                self.trouble = _reason(group)
            finally:
                if self.connected:
                    wait = FIRST_WAIT
                self._client = None
            self._noticed()
            await asyncio.sleep(wait * self._random.uniform(0.5, 1.0))
            wait = min(LONGEST_WAIT, wait * 2)

    def _made(self) -> Client:
        limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        limits.MaximumPacketSize = MOST_BYTES + ROOM_FOR_TOPIC
        return Client(
            self.broker.host,
            self.broker.port,
            username=self.broker.user or None,
            password=self.broker.password or None,
            tls_context=self._context,
            protocol=ProtocolVersion.V5,
            properties=limits,
            clean_start=True,
            timeout=TIMEOUT,
        )

    async def _listen(self, client: Client) -> None:
        async for message in client.messages:
            payload = message.payload
            self._heard(str(message.topic), payload if isinstance(payload, bytes) else b"?")

    # What the hall says

    def retain(self, wanted: dict[str, bytes]) -> None:
        """From now on the broker should keep exactly this, of what the hall says; empty takes one away."""
        gone = {topic: b"" for topic, value in self._retained.items() if value and topic not in wanted}
        self._retained = {**gone, **wanted}
        self._news.set()

    async def say(self, topic: str, payload: bytes, retain: bool = False) -> bool:
        """Tell tables something now; False if the broker cannot be reached."""
        client = self._client
        if client is None:
            return False
        try:
            await client.publish(topic, payload, qos=1, retain=retain)
        except (MqttError, OSError):
            return False
        return True

    async def _tell(self, client: Client) -> None:
        """Subscribe; send what is to be retained, and what has changed since, until the connection ends."""
        for kind in ("online", "state", "event", "result/+"):
            await client.subscribe(f"hall/{self.hall}/table/+/{kind}", qos=1)
        self._client, self.trouble, self._sent = client, "", {}
        self._noticed()
        self._news.set()
        while True:
            await self._news.wait()
            self._news.clear()
            for topic, payload in list(self._retained.items()):
                if self._sent.get(topic) == payload:
                    continue
                if not await self.say(topic, payload, retain=True):
                    await asyncio.sleep(
                        FIRST_WAIT
                    )  # the connection ends meanwhile, or the broker is only slow
                    self._news.set()
                    break
                self._sent[topic] = payload


def _reason(group: BaseExceptionGroup[Exception]) -> str:
    """Why there is no connection, as the broker or the system says it."""
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return str(found)[:200]
