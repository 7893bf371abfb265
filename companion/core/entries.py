"""The entries of a play's journal: what was done, when, and what was true after it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from companion.core.components import Value
from companion.core.questions import Answer
from scoring.sheet import Sheet


class Answered(Struct, frozen=True, tag="answer"):
    """A question was answered."""

    answer: Answer


class Corrected(Struct, frozen=True, tag="correct"):
    """A counter was corrected by hand; `by` is the person's name."""

    counter: str
    value: int
    by: str = ""


class FactCorrected(Struct, frozen=True, tag="retell"):
    """A wrong fact about a component was corrected by hand; `by` is the person's name."""

    fact: str
    value: Value
    by: str = ""


class Undone(Struct, frozen=True, tag="undo"):
    """The last `count` answers and corrections were taken back."""

    count: int


class Redone(Struct, frozen=True, tag="redo"):
    """`count` of the undone answers and corrections were redone."""

    count: int


class Paused(Struct, frozen=True, tag="pause"):
    """The clocks are stopped."""


class Resumed(Struct, frozen=True, tag="resume"):
    """The clocks run again."""


class SeatLeft(Struct, frozen=True, tag="went"):
    """A player has left the table, or is back: while they are away, the default is answered for them."""

    seat: int
    away: bool = True


class Diverged(Struct, frozen=True, tag="part"):
    """People continued from where today's rules agree with the play: of `of` entries only the first `kept` count."""

    kept: int
    of: int


class Lightened(Struct, frozen=True, tag="lighten"):
    """From here on the companion follows turns and pools only, by this flow."""

    flow: str


Deed = (
    Answered
    | Corrected
    | FactCorrected
    | Undone
    | Redone
    | Paused
    | Resumed
    | SeatLeft
    | Diverged
    | Lightened
)


class Summary(Struct, frozen=True, omit_defaults=True):
    """What statistics need of a finished play besides its sheet, so that they need no replay."""

    played: float = 0.0
    """Seconds played, without pauses and the time the program was off."""
    thought: tuple[float, ...] = ()
    """Seconds the table waited for each seat."""
    rounds: int = 0
    corrections: int = 0
    openings: tuple[str, ...] = ()
    """The first component each seat chose, such as a start world or a species; empty if none."""
    light: bool = False
    """Whether it ended with turns and pools only."""
    parted: bool = False
    """Whether people continued where changed rules no longer agreed with the answers."""


class Entry(Struct, frozen=True, omit_defaults=True):
    """One entry of the journal: what was done, and when; with `same_deed` it belongs to the previous deed and
    is undone with it.

    It also stores what was true after it, so that later rules cannot change that unnoticed: the number of the
    rules, the digest of the table and, if the play was over, its result. Entries of older journals have none.
    """

    at: float
    deed: Deed
    digest: str = ""
    rules: int = 0
    sheet: Sheet | None = None
    summary: Summary | None = None
    same_deed: bool = msgspec.field(default=False, name="along")


def entries_that_count(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that count, without those that were dropped when people continued under changed rules."""
    kept: list[tuple[int, Entry]] = []
    for n, entry in enumerate(entries):
        if isinstance(entry.deed, Diverged):
            while kept and kept[-1][0] >= entry.deed.kept:
                kept.pop()
        kept.append((n, entry))
    return [entry for _, entry in kept]


def encode_entry(entry: Entry) -> bytes:
    """An entry as stored in the journal."""
    return msgspec.json.encode(entry)


def decode_entry(body: bytes) -> Entry:
    """An entry from the journal."""
    return msgspec.json.decode(body, type=Entry)


class _Ruled(Struct):
    rules: int = 0


def rules_of(body: bytes) -> int:
    """The rules number stored in a journal entry; 0 if it has none."""
    try:
        return msgspec.json.decode(body, type=_Ruled).rules
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0
