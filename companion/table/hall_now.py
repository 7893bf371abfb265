"""What the table's screen shows about the hall."""

from __future__ import annotations

from msgspec import Struct

from companion.core.words import Text, plain, say
from companion.hall_messages import Assignment, SeatNumbers, TableCall, TableCredentials
from companion.texts import shown


class ResultNow(Struct, frozen=True):
    """The result that people at the table may confirm."""

    play: int
    names: tuple[str, ...]
    confirmed: SeatNumbers
    refused: SeatNumbers
    since: float
    """When people could see it first."""

    @property
    def open(self) -> frozenset[int]:
        """The seats that have said nothing yet."""
        return frozenset(range(len(self.names))) - {*self.confirmed, *self.refused}


class HallNow(Struct, frozen=True):
    """The hall as this table knows it."""

    on: bool = False
    credentials: TableCredentials | None = None
    connected: bool = False
    trouble: str = ""
    """Why the broker cannot be reached, in the system's words."""
    event: str = ""
    """What people call the event, as the hall says."""
    calls: tuple[TableCall, ...] = ()
    """What the hall has called, until somebody touches it."""
    calling: bool = False
    """Whether this table calls the judge."""
    assignment: Assignment | None = None
    result: ResultNow | None = None

    @property
    def confirming(self) -> frozenset[int]:
        """The seats that may confirm the result."""
        return frozenset() if self.result is None else self.result.open


def call_text(call: TableCall) -> Text:
    """A call in words; an organiser's own text is made safe to show."""
    if call.kind == "text":
        return plain(shown(call.text))
    if call.kind == "judge-comes":
        return say("hall-table.judge-comes")
    return say("hall-table.round-begins" if call.minutes else "hall-table.round-begins-now", n=call.minutes)
