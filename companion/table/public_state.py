"""What a table tells a hall: only what anybody at the table may see, as the messages of `hall_messages.py`.

Pure functions. `tests/laws/test_secrets.py` checks that no byte depends on what a seat chose in secret.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from companion.core.entries import (
    Answered,
    Corrected,
    Entry,
    FactCorrected,
    Paused,
    Redone,
    Resumed,
    SeatLeft,
    Undone,
    decode_entry,
)
from companion.core.game import Setup
from companion.core.journal import EntryRow, PlayRow
from companion.core.session import Session
from companion.core.views import Tense
from companion.core.words import Text
from companion.hall_messages import (
    HallGauge,
    HallSeat,
    ResultLine,
    ResultSeat,
    TableEvent,
    TableResult,
    TableState,
)
from companion.results.sheets import sheet_words
from companion.table.hall_memory import SeatsAssigned
from companion.table.marks import marks_of
from companion.table.settings import Settings
from companion.texts import LANGUAGES, render
from scoring.sheet import Sheet

LONGEST = 200
"""Letters of a text in a message."""
MOST_LINES = 60
"""Lines of a seat's sheet; a longer one is told without them."""
MOST_POINTS = 99_999
NOBODY = SeatsAssigned("", ())


def state_of(
    session: Session | None,
    play: int,
    settings: Settings,
    now: float,
    at: TableState,
    assigned: SeatsAssigned = NOBODY,
) -> TableState:
    """The table now; `at` has what does not depend on the play: which table, which day, whether it calls."""
    if session is None:
        return at
    view, game = session.view, session.game
    marks = marks_of(session, settings.people)
    waited = session.thinking_now(now)
    seats = tuple(
        HallSeat(
            seat.name[:LONGEST],
            marks[seat.seat].colour,
            seat.waiting and not session.over,
            _bounded(seat.points) if settings.scores and seat.points is not None else None,
            _number(assigned, seat.seat),
        )
        for seat in view.seats
    )
    status = "finished" if session.over else "paused" if session.paused else "playing"
    return msgspec.structs.replace(
        at,
        status=status,
        game=game.id[:LONGEST],
        game_name=dict.fromkeys(LANGUAGES, game.box.name[:LONGEST]),
        depth="light" if session.full is not None or session.setup.flow is not UNSET else "full",
        play=play,
        number=session.entries,
        round=view.round,
        phase=_all_words(tuple(phase.text for phase in view.phases if phase.tense is Tense.NOW)),
        seats=seats,
        waited=max((waited[n] for n, seat in enumerate(seats) if seat.waiting), default=0.0),
        played=session.played,
        pools=tuple(
            HallGauge(pool.id[:LONGEST], words(pool.text), pool.value, pool.full) for pool in view.pools
        ),
        ends=tuple(
            HallGauge(meter.id[:LONGEST], words(meter.text), meter.value, meter.goal) for meter in view.meters
        ),
        end_near=not session.over and bool(view.alerts),
        assignment=assigned.assignment,
    )


def beginning(table: str, row: PlayRow, setup: bytes, day: str) -> TableEvent:
    """The event 0 of a play."""
    names = msgspec.json.decode(setup, type=Setup).seats
    shown = tuple(name[:LONGEST] for name in names)
    return TableEvent(table, row.id, 0, "begun", row.created, game=row.game[:LONGEST], names=shown, day=day)


def event_of(table: str, play: int, row: EntryRow, day: str) -> TableEvent:
    """The event of an entry; what was chosen is not told."""
    number, entry = row.seq + 1, decode_entry(row.body)
    kind, seat = _kind(entry)
    return TableEvent(table, play, number, kind, row.at, seat=seat, day=day)  # type: ignore[arg-type]


def _kind(entry: Entry) -> tuple[str, int | None]:
    kind, seat = "other", None
    match entry.deed:
        case Answered(answer):
            kind, seat = "answer", answer.seat
        case Corrected() | FactCorrected():
            kind = "correction"
        case Undone() | Redone():
            kind = "undo"
        case Paused() | Resumed():
            kind = "pause"
        case SeatLeft(left):
            seat = left
    return ("finished" if entry.sheet is not None else kind), seat


def result_of(
    session: Session, table: str, play: int, day: str, assigned: SeatsAssigned = NOBODY
) -> TableResult:
    """The sheet of a finished play; without a sheet, the play goes on and an earlier one is withdrawn."""
    seats: tuple[ResultSeat, ...] = ()
    if session.over:
        sheet = session.game.sheet(session.state)
        by_name = {seat.name: seat for seat in sheet.seats}
        told = max((len(seat.lines) for seat in sheet.seats), default=0) <= MOST_LINES
        seats = tuple(
            ResultSeat(
                name[:LONGEST],
                _bounded(by_name[name].total),
                by_name[name].rank,
                lines_of(sheet, name) if told else (),
                _number(assigned, n),
            )
            for n, name in enumerate(session.setup.seats)
        )
    return TableResult(
        table,
        play,
        session.entries,
        session.game.id[:LONGEST],
        seats,
        withdrawn=not session.over,
        played=session.played,
        day=day,
        assignment=assigned.assignment,
    )


def lines_of(sheet: Sheet, name: str) -> tuple[ResultLine, ...]:
    """The lines of one seat, in words."""
    of = sheet_words(sheet)
    (seat,) = (seat for seat in sheet.seats if seat.name == name)
    return tuple(ResultLine(words(of.words(line.what)), _bounded(line.points)) for line in seat.lines)


def _number(assigned: SeatsAssigned, seat: int) -> str:
    return assigned.numbers[seat] if seat < len(assigned.numbers) else ""


def _bounded(points: int) -> int:
    return max(-MOST_POINTS, min(MOST_POINTS, points))


def words(text: Text) -> dict[str, str]:
    """A text in all languages."""
    return {language: render(text, language)[:LONGEST] for language in LANGUAGES}


def _all_words(texts: tuple[Text, ...]) -> dict[str, str]:
    return {
        language: ", ".join(render(text, language) for text in texts)[:LONGEST]
        for language in LANGUAGES
        if texts
    }
