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

HallText = Annotated[str, Meta(max_length=200)]
HallWords = dict[Annotated[str, Meta(max_length=2)], HallText]
"""A text by language code."""
HallCount = Annotated[int, Meta(ge=0, le=10_000_000)]
HallPoints = Annotated[int, Meta(ge=-99_999, le=99_999)]
SeatNumbers = tuple[Annotated[int, Meta(ge=0, le=20)], ...]
HallSeconds = Annotated[float, Meta(ge=0, le=10_000_000)]
TopicWord = Annotated[str, Meta(pattern=rf"^{TOPIC_NAME.pattern}\Z")]
PemText = Annotated[str, Meta(max_length=8000)]
CREDENTIALS_SUFFIX = ".hall-table.json"
"""How the names of files with `TableCredentials` end."""


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

    name: HallText
    colour: HallText = ""
    waiting: bool = False
    points: HallPoints | None = None
    player: HallText = ""
    """The hall's number of this player, if the seats were taken from an assignment."""


class HallGauge(Struct, frozen=True):
    """A pool, or how close an end condition is."""

    id: HallText
    name: HallWords
    value: int
    full: int


class TableState(Struct, frozen=True, omit_defaults=True):
    """Topic `state`, retained: the table now. Nothing but `status` matters while it is `free`."""

    table: HallText
    title: HallText
    """What people call the table, such as "Table 7"."""
    status: Literal["free", "playing", "paused", "finished"]
    day: HallText = ""
    """The hall's day this belongs to, as last heard."""
    game: HallText = ""
    game_name: HallWords = {}
    depth: Literal["", "full", "light"] = ""
    play: HallCount = 0
    number: HallCount = 0
    """How many entries the play has."""
    round: int = 0
    phase: HallWords = {}
    seats: tuple[HallSeat, ...] = ()
    waited: HallSeconds = 0.0
    """How long the waiting seats have been waiting when this was sent."""
    played: HallSeconds = 0.0
    """How long the play has taken so far, without pauses, by the table's own clock."""
    pools: tuple[HallGauge, ...] = ()
    ends: tuple[HallGauge, ...] = ()
    end_near: bool = False
    assignment: HallText = ""
    call: Literal["", "judge"] = ""
    """The table calls the judge."""
    version: int = HALL_MESSAGES


class TableEvent(Struct, frozen=True, omit_defaults=True):
    """Topic `event`: one entry of a play's journal. (table, play, number) is unique; number 0 is the beginning,
    entries are 1 to `TableState.number`.

    What was chosen is not told: it may be secret, and its public effect is in the state.
    """

    table: HallText
    play: HallCount
    number: HallCount
    kind: Literal["begun", "answer", "correction", "undo", "pause", "other", "finished"]
    at: float
    """The table's own clock, seconds since 1970: shown, never compared with other machines'."""
    seat: int | None = None
    game: HallText = ""
    names: tuple[HallText, ...] = ()
    """Who plays, with `begun`."""
    day: HallText = ""
    version: int = HALL_MESSAGES


class ResultLine(Struct, frozen=True):
    """One line of the sheet."""

    what: HallWords
    points: HallPoints


class ResultSeat(Struct, frozen=True, omit_defaults=True):
    """One seat's result with its explained lines."""

    name: HallText
    total: HallPoints
    rank: Annotated[int, Meta(ge=1, le=20)]
    lines: tuple[ResultLine, ...] = ()
    player: HallText = ""


class TableResult(Struct, frozen=True, omit_defaults=True):
    """Topic `result/<play>`, retained: a finished play's sheet, and who confirmed it.

    Official once every seat has confirmed; if a seat refuses, the judge decides. `withdrawn`: the play goes on,
    because its end was undone. A later one replaces it; `number` never goes down within a play. With the same
    `number`, a refusal counts more than confirmations, and more of them more than fewer: only the judge settles it.
    """

    table: HallText
    play: HallCount
    number: HallCount
    game: HallText
    seats: tuple[ResultSeat, ...]
    confirmed: SeatNumbers = ()
    refused: SeatNumbers = ()
    withdrawn: bool = False
    played: HallSeconds = 0.0
    day: HallText = ""
    assignment: HallText = ""
    version: int = HALL_MESSAGES


# From the hall


class HallDay(Struct, frozen=True):
    """Topic `day`, retained: states and results of other days no longer count, and tables clear theirs."""

    day: HallText
    title: HallText
    """What people call the event."""
    version: int = HALL_MESSAGES


class TableCall(Struct, frozen=True, omit_defaults=True):
    """Topic `call`: shown at the table until somebody touches it. The same id is shown once."""

    id: HallText
    kind: Literal["judge-comes", "round-begins", "text"]
    minutes: Annotated[int, Meta(ge=0, le=600)] = 0
    text: HallText = ""
    """The organiser's own words, with `text`."""
    version: int = HALL_MESSAGES


class AssignedPlayer(Struct, frozen=True):
    """A player by the hall's number, and the name on the board."""

    number: HallText
    name: HallText


class Assignment(Struct, frozen=True, omit_defaults=True):
    """Topic `assignment`, retained: who plays at this table next, in the order of seats. No players: nobody."""

    id: HallText
    round: HallCount = 0
    game: HallText = ""
    players: Annotated[tuple[AssignedPlayer, ...], Meta(max_length=12)] = ()
    version: int = HALL_MESSAGES


class SendAgain(Struct, frozen=True):
    """Topic `again`: the hall lacks events of this play from this number on, because a broker lost what it had
    acknowledged. The table moves its cursor back and sends them again.
    """

    play: HallCount
    number: HallCount
    version: int = HALL_MESSAGES


# Handed over on a stick or as a QR code, never sent


class TableCredentials(Struct, frozen=True, omit_defaults=True):
    """How one table reaches its hall's broker: a JSON file on a stick, or the same JSON as a QR code.

    The table's name in topics is also its user name, so that a broker's rules can keep each table to its own
    topics. It proves itself by its certificate (whose common name is the user name) or by its password.
    """

    hall: TopicWord
    title: HallText
    """What people call the table, such as "Table 7"."""
    host: Annotated[str, Meta(min_length=1, max_length=253)]
    port: Annotated[int, Meta(ge=1, le=65535)] = 8883
    table: TopicWord | None = None
    """None: the table makes a name for itself at first use (with a broker that has no rules for names)."""
    user: HallText = ""
    """Only if it is another than `table`."""
    password: HallText = ""
    tls: bool = True
    ca: PemText = ""
    """The hall's own certificate authority; empty: those the system trusts."""
    certificate: PemText = ""
    key: PemText = ""
    version: int = HALL_MESSAGES
