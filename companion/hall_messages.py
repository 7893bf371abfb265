"""What tables and a hall say to each other through an MQTT broker: topics, and JSON values with a version.

A table publishes public things only. Everything that must arrive is either retained and whole (`TableState`,
`TableResult`) or numbered (`TableEvent`), so it may be sent twice and in any order. What the hall sends to a
table is shown there, and is never an answer in a play.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct

HALL_MESSAGES = 1
"""Raise this whenever a message changes in a way that older readers cannot understand."""
MOST_BYTES = 64 * 1024
"""No message is longer; a longer one is ignored."""
TOPIC_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""What halls and tables may be called in a topic: never `+`, `#` or `/`."""

ShortText = Annotated[str, Meta(max_length=200)]
Words = dict[Annotated[str, Meta(max_length=2)], ShortText]
"""A text by language code."""
Count = Annotated[int, Meta(ge=0, le=10_000_000)]
Points = Annotated[int, Meta(ge=-99_999, le=99_999)]
Seats = tuple[Annotated[int, Meta(ge=0, le=20)], ...]
Seconds = Annotated[float, Meta(ge=0, le=10_000_000)]


def table_topic(hall: str, table: str, kind: str) -> str:
    """`kind` is `state`, `event`, `online` or `result/<play>` upwards, `call`, `assignment` or `again` downwards.

    `online`, retained, is the word `online` or `offline`, which is also the table's last will.
    """
    return f"hall/{hall}/table/{table}/{kind}"


def day_topic(hall: str) -> str:
    """Where the hall says which day it is."""
    return f"hall/{hall}/day"


# From a table


class HallSeat(Struct, frozen=True, omit_defaults=True):
    """One seat as everybody may see it; no points where the table does not show them."""

    name: ShortText
    colour: ShortText = ""
    waiting: bool = False
    points: Points | None = None
    player: ShortText = ""
    """The hall's number of this player, if the seats were taken from an assignment."""


class HallGauge(Struct, frozen=True):
    """A pool, or how close an end condition is."""

    id: ShortText
    name: Words
    value: int
    full: int


class TableState(Struct, frozen=True, omit_defaults=True):
    """Topic `state`, retained: the table now. Nothing but `status` matters while it is `free`."""

    table: ShortText
    title: ShortText
    """What people call the table, such as "Table 7"."""
    status: Literal["free", "playing", "paused", "finished"]
    day: ShortText = ""
    """The hall's day this belongs to, as last heard."""
    game: ShortText = ""
    game_name: Words = {}
    depth: Literal["", "full", "light"] = ""
    play: Count = 0
    number: Count = 0
    """How many entries the play has."""
    round: int = 0
    phase: Words = {}
    seats: tuple[HallSeat, ...] = ()
    waited: Seconds = 0.0
    """How long the waiting seats have been waiting when this was sent."""
    played: Seconds = 0.0
    """How long the play has taken so far, without pauses, by the table's own clock."""
    pools: tuple[HallGauge, ...] = ()
    ends: tuple[HallGauge, ...] = ()
    end_near: bool = False
    assignment: ShortText = ""
    call: Literal["", "judge"] = ""
    """The table calls the judge."""
    version: int = HALL_MESSAGES


class TableEvent(Struct, frozen=True, omit_defaults=True):
    """Topic `event`: one entry of a play's journal. (table, play, number) is unique; number 0 is the beginning,
    entries are 1 to `TableState.number`.

    What was chosen is not told: it may be secret, and its public effect is in the state.
    """

    table: ShortText
    play: Count
    number: Count
    kind: Literal["begun", "answer", "correction", "undo", "pause", "other", "finished"]
    at: float
    """The table's own clock, seconds since 1970: shown, never compared with other machines'."""
    seat: int | None = None
    game: ShortText = ""
    names: tuple[ShortText, ...] = ()
    """Who plays, with `begun`."""
    day: ShortText = ""
    version: int = HALL_MESSAGES


class ResultLine(Struct, frozen=True):
    """One line of the sheet."""

    what: Words
    points: Points


class ResultSeat(Struct, frozen=True, omit_defaults=True):
    """One seat's result with its explained lines."""

    name: ShortText
    total: Points
    rank: Annotated[int, Meta(ge=1, le=20)]
    lines: tuple[ResultLine, ...] = ()
    player: ShortText = ""


class TableResult(Struct, frozen=True, omit_defaults=True):
    """Topic `result/<play>`, retained: a finished play's sheet, and who confirmed it.

    Official once every seat has confirmed; if a seat refuses, the judge decides. `withdrawn`: the play goes on,
    because its end was undone. A later one replaces it; `number` never goes down within a play. With the same
    `number`, a refusal counts more than confirmations, and more of them more than fewer: only the judge settles it.
    """

    table: ShortText
    play: Count
    number: Count
    game: ShortText
    seats: tuple[ResultSeat, ...]
    confirmed: Seats = ()
    refused: Seats = ()
    withdrawn: bool = False
    played: Seconds = 0.0
    day: ShortText = ""
    assignment: ShortText = ""
    version: int = HALL_MESSAGES


# From the hall


class HallDay(Struct, frozen=True):
    """Topic `day`, retained: states and results of other days no longer count, and tables clear theirs."""

    day: ShortText
    title: ShortText
    """What people call the event."""
    version: int = HALL_MESSAGES


class TableCall(Struct, frozen=True, omit_defaults=True):
    """Topic `call`: shown at the table until somebody touches it. The same id is shown once."""

    id: ShortText
    kind: Literal["judge-comes", "round-begins", "text"]
    minutes: Annotated[int, Meta(ge=0, le=600)] = 0
    text: ShortText = ""
    """The organiser's own words, with `text`."""
    version: int = HALL_MESSAGES


class AssignedPlayer(Struct, frozen=True):
    """A player by the hall's number, and the name on the board."""

    number: ShortText
    name: ShortText


class Assignment(Struct, frozen=True, omit_defaults=True):
    """Topic `assignment`, retained: who plays at this table next, in the order of seats. No players: nobody."""

    id: ShortText
    round: Count = 0
    game: ShortText = ""
    players: Annotated[tuple[AssignedPlayer, ...], Meta(max_length=12)] = ()
    version: int = HALL_MESSAGES


class SendAgain(Struct, frozen=True):
    """Topic `again`: the hall lacks events of this play from this number on, because a broker lost what it had
    acknowledged. The table moves its cursor back and sends them again.
    """

    play: Count
    number: Count
    version: int = HALL_MESSAGES
