"""What the app and the publisher say to each other over a Unix socket, framed as `wire.py` does it.

The app makes every topic and every message, and keeps the cursor. The publisher keeps nothing: it connects to
the broker, sends what it is given, and says what the broker has acknowledged and what came from the hall.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.hall_messages import Assignment, HallCount, HallDay, SendAgain, TableCall, TableCredentials
from companion.wire import WireHello

Topic = Annotated[str, Meta(max_length=200)]


# From the app


class BrokerAccess(Struct, frozen=True, tag="access"):
    """Where the broker is, and who we are there: always with the table's name."""

    credentials: TableCredentials
    home_assistant: bool = False
    """Whether to listen for Home Assistant's birth message, and send everything retained again after it."""


class Retained(Struct, frozen=True, tag="retained"):
    """What a topic says from now on; the newest counts, and an empty text clears it."""

    topic: Topic
    body: str


class NumberedEvent(Struct, frozen=True):
    """A `TableEvent` as JSON, and its number."""

    number: HallCount
    body: str


class NumberedEvents(Struct, frozen=True, tag="events"):
    """Events of one play in order; each must be acknowledged before the next is sent."""

    topic: Topic
    play: HallCount
    events: tuple[NumberedEvent, ...]


class Momentary(Struct, frozen=True, tag="momentary"):
    """Something that only matters now: it is dropped if the broker is away."""

    topic: Topic
    body: str


FromTable = WireHello | BrokerAccess | Retained | NumberedEvents | Momentary


# From the publisher


class BrokerState(Struct, frozen=True, tag="broker"):
    """Whether the broker is there; if not, `trouble` is the system's word for why."""

    connected: bool
    trouble: Annotated[str, Meta(max_length=200)] = ""


class EventAcknowledged(Struct, frozen=True, tag="event-acknowledged"):
    """The broker has acknowledged an event."""

    play: HallCount
    number: HallCount


class RetainedAcknowledged(Struct, frozen=True, tag="retained-acknowledged"):
    """The broker has acknowledged what a topic says; `cleared` if that is nothing."""

    topic: Topic
    cleared: bool


class HeardDay(Struct, frozen=True, tag="day"):
    day: HallDay


class HeardCall(Struct, frozen=True, tag="call"):
    call: TableCall


class HeardAssignment(Struct, frozen=True, tag="assignment"):
    assignment: Assignment


class HeardAgain(Struct, frozen=True, tag="again"):
    again: SendAgain


FromHall = HeardDay | HeardCall | HeardAssignment | HeardAgain
FromPublisher = WireHello | BrokerState | EventAcknowledged | RetainedAcknowledged | FromHall
