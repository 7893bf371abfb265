"""The publisher's connection to the broker: sends what the table says, hears what the hall says.

A message counts as sent when the broker has acknowledged it; after every failure it connects again,
and what was not acknowledged is sent again. The client forgets what was in flight, so nothing depends on it.
"""

from __future__ import annotations

import asyncio
import os
import random
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import aiomqtt
import msgspec
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.hall_messages import (
    HALL_MESSAGES,
    MOST_BYTES,
    Assignment,
    HallDay,
    SendAgain,
    TableCall,
    TableCredentials,
    day_topic,
    table_topic,
)
from companion.hall_wire import (
    BrokerAccess,
    BrokerState,
    FromHall,
    HeardAgain,
    HeardAssignment,
    HeardCall,
    HeardDay,
)
from companion.publisher.link import TableLink

BIRTH = "homeassistant/status"
"""Where Home Assistant says that it has started."""
SOONEST, LATEST = 1.0, 10.0
"""Seconds between two attempts, by chance: hundreds of tables must not come back at once."""
ALIVE = 20
"""Seconds after which the broker hears from us at the latest."""
WITHIN = 10.0
"""Seconds in which the broker must acknowledge."""
MOST_UNREAD = 200
ROOM_FOR_TOPIC = 1024


class _OtherAccess(Exception):
    """The app wants another broker, or none."""


class Publisher:
    """One table at its broker; `pause` gives the seconds until the next attempt."""

    def __init__(
        self, link: TableLink, pause: Callable[[], float] = lambda: random.uniform(SOONEST, LATEST)
    ) -> None:
        self._link, self._pause = link, pause

    async def run(self) -> None:
        """Stay connected, for ever."""
        link = self._link
        while True:
            if link.access is None:
                await link.other_access.wait()
            link.other_access.clear()
            if link.access is None:
                continue
            try:
                await self._serve(link.access)
                trouble = ""
            except* (aiomqtt.MqttError, OSError, ValueError) as group:
                trouble = _reason(group)
            link.momentary.clear()
            link.say(BrokerState(False, trouble))
            if trouble:
                with suppress(TimeoutError):  # another access is tried at once
                    await asyncio.wait_for(link.other_access.wait(), self._pause())

    async def _serve(self, access: BrokerAccess) -> None:
        """Send and hear until something fails, or the app wants another broker."""
        named = access.credentials
        assert named.table is not None
        online = table_topic(named.hall, named.table, "online")
        heard = {
            table_topic(named.hall, named.table, "call"): (TableCall, HeardCall),
            table_topic(named.hall, named.table, "assignment"): (Assignment, HeardAssignment),
            table_topic(named.hall, named.table, "again"): (SendAgain, HeardAgain),
            day_topic(named.hall): (HallDay, HeardDay),
        }
        topics = [*heard, *([BIRTH] if access.home_assistant else [])]
        async with aiomqtt.Client(
            named.host,
            named.port,
            identifier=client_id(named),
            username=named.user or named.table,
            password=named.password or None,
            will=aiomqtt.Will(online, "offline", qos=1, retain=True),
            tls_context=tls(named),
            protocol=aiomqtt.ProtocolVersion.V5,
            properties=_limits(),
            clean_start=True,
            keepalive=ALIVE,
            timeout=WITHIN,
            max_queued_incoming_messages=MOST_UNREAD,
        ) as client:
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(
                        self._hear(client, heard)
                    )  # first: it notices the end of the connection
                    group.create_task(self._send(client, topics, online))
                    group.create_task(self._await_other_access())
            except* _OtherAccess:
                await client.publish(online, "offline", qos=1, retain=True)

    async def _await_other_access(self) -> None:
        await self._link.other_access.wait()
        raise _OtherAccess

    async def _send(self, client: aiomqtt.Client, topics: list[str], online: str) -> None:
        link = self._link
        await client.subscribe([(topic, 1) for topic in topics])
        await client.publish(online, "online", qos=1, retain=True)
        link.say(BrokerState(True))
        link.send_all_again()
        while True:
            while (message := link.next()) is not None:
                if len(message.body.encode()) <= MOST_BYTES:
                    await client.publish(message.topic, message.body, qos=1, retain=message.retain)
                link.sent(message)
            link.news.clear()
            await link.news.wait()

    async def _hear(self, client: aiomqtt.Client, heard: dict[str, tuple[Any, Any]]) -> None:
        async for message in client.messages:
            topic, body = message.topic.value, message.payload
            if not isinstance(body, bytes) or len(body) > MOST_BYTES:
                continue
            if topic == BIRTH:
                if body == b"online":
                    self._link.send_all_again()
            elif topic in heard and (told := understood(body, *heard[topic])) is not None:
                self._link.say(told)


def client_id(named: TableCredentials) -> str:
    """The broker ends an older connection of this table, and then says its will; but not one of another hall's."""
    return f"{named.hall}.{named.table}"  # no name has a dot, and access rules may refuse a "/"


def _limits() -> Properties:
    """The broker must not send longer packets: they would only cost memory."""
    limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    limits.MaximumPacketSize = MOST_BYTES + ROOM_FOR_TOPIC
    return limits


def understood(body: bytes, kind: Any, told: Any) -> FromHall | None:
    """A message from the hall; None if it is none, or of a later version."""
    try:
        message = msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if message.version > HALL_MESSAGES:
        return None
    known: FromHall = told(message)
    return known


def tls(credentials: TableCredentials) -> ssl.SSLContext | None:
    """The broker must prove itself; we do so by our certificate, if we have one. Raises `ValueError` or `OSError`."""
    if not credentials.tls:
        return None
    context = ssl.create_default_context(cadata=credentials.ca or None)
    if credentials.certificate:
        pem = os.memfd_create("certificate")  # OpenSSL only reads files, and none shall be on a disk
        try:
            os.write(pem, f"{credentials.certificate}\n{credentials.key}\n".encode())
            context.load_cert_chain(f"/proc/self/fd/{pem}")
        finally:
            os.close(pem)
    return context


def _reason(group: BaseExceptionGroup[Exception]) -> str:
    """Why there is no connection, in the system's words."""
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    why = found.strerror if isinstance(found, OSError) and found.strerror else str(found)
    return (why or type(found).__name__)[:200]
