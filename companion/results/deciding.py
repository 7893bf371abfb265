"""What decided a play, exactly, in up to three sentences: the margin by its sources, the lead and its largest swing,
and the smallest change that would have turned the result. Only counted differences: no probabilities, no advice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from companion.core.counters import Correctable
from companion.core.deed_words import did
from companion.core.session import Session
from companion.core.words import Text, count, plain, say
from companion.results.growth import Growth, GrowthStep
from companion.results.winning_margin import decided
from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet

MOST_CHANGE = 15
"""How far a number is changed in search of another winner; more would decide nothing."""


class Lead(Struct, frozen=True):
    """From which round on the winner was never behind; None if they were behind after the last full count.

    `swing` is the deed by which the winner gained most on the second, `gain` how many points.
    """

    since: int | None
    swing: GrowthStep | None
    gain: int


class TurningDeed(Struct, frozen=True):
    """The smallest change of a number that gives another winner."""

    counter: Correctable
    value: int
    sheet: Sheet
    """What is scored with this change."""


def first_two(sheet: Sheet) -> tuple[int, int] | None:
    """The seats of the only winner and of the second; None if there is no such pair."""
    if len(sheet.winners) != 1 or len(sheet.seats) < 2:
        return None
    first, second, *_ = sorted(range(len(sheet.seats)), key=lambda seat: sheet.seats[seat].rank)
    return first, second


def lead(grown: Growth, sheet: Sheet) -> Lead | None:
    """The lead of the only winner; None without points during the play."""
    two = first_two(sheet)
    if two is None or not grown.rounds:
        return None
    first, second = two
    since: int | None = None
    for round_, points in zip(reversed(grown.rounds), reversed(grown.points), strict=True):
        if points[first] < max(points):
            break
        since = round_
    gain, swing = 0, None
    for before, after in pairwise(grown.steps):
        gained = (after.points[first] - after.points[second]) - (before.points[first] - before.points[second])
        if gained > gain:
            gain, swing = gained, after
    return Lead(since, swing, gain)


def turn(session: Session) -> TurningDeed | None:
    """The smallest change of one number on the final table with which the scorer names another winner.

    Every candidate is scored. Among equal changes those for other seats come first, then the order of the counters.
    """
    sheet = session.game.sheet(session.state)
    two = first_two(sheet)
    if two is None:
        return None
    numbers = [c for c in session.counters() if c.seat is not None and not c.names and not c.is_switch]
    numbers.sort(key=lambda c: c.seat == two[0])
    for by in range(1, MOST_CHANGE + 1):
        for counter in numbers:
            for value in (counter.value + by, counter.value - by):
                found = _scored(session, counter, value) if value in counter.values else None
                if found is not None and sheet.winners[0] not in found.winners:
                    return TurningDeed(counter, value, found)
    return None


def _scored(session: Session, counter: Correctable, value: int) -> Sheet | None:
    """The sheet of the final table with this number; None if the table cannot be so."""
    try:
        state = session.game.correct(session.state, counter.id, value)
        return None if session.game.check(state) else session.game.sheet(state)
    except Exception:  # a number that no state of this game can have
        return None


def points_missing(sheet: Sheet) -> int | None:
    """How many more points would have made the second the winner, counted again; None if a sheet alone cannot tell."""
    two = first_two(sheet)
    tallies = [Tally(seat.name, seat.lines, seat.tie) for seat in sheet.seats]
    if two is None or sheet_of(sheet.game, tallies).outcome != sheet.outcome:
        return None
    first, second = two
    least = sheet.seats[first].total - sheet.seats[second].total
    for more in (least, least + 1):
        changed = replace(tallies[second], lines=(*tallies[second].lines, Line("more", more)))
        found = sheet_of(sheet.game, [*tallies[:second], changed, *tallies[second + 1 :]])
        if more and sheet.seats[first].name not in found.winners:
            return more
    return None


def deciding(sheet: Sheet, session: Session | None = None, grown: Growth | None = None) -> tuple[Text, ...]:
    """Up to three sentences; without the session only what the sheet itself tells."""
    return tuple(_sentences(sheet, session, grown))


def _sentences(sheet: Sheet, session: Session | None, grown: Growth | None) -> Iterator[Text]:
    two, why = first_two(sheet), decided(sheet)
    if why is not None:
        yield why
    if two is None:
        return
    first, second = (sheet.seats[seat].name for seat in two)
    if session is None:
        more = points_missing(sheet)
        if more is not None:
            yield count("score.turn-points", more, name=second)
        return
    held = None if grown is None else lead(grown, sheet)
    if held is not None:
        yield _lead_told(session, held, first, second)
    turned = turn(session)
    if turned is not None:
        names = tuple(plain(name) for name in turned.sheet.winners)
        counter, was = turned.counter, turned.counter.value
        yield say("score.turn", counter=counter.text, value=turned.value, was=was, names=names)


def _lead_told(session: Session, held: Lead, first: str, second: str) -> Text:
    if held.since is None:
        led = say("score.lead-never", name=first)
    elif held.since <= 1:
        led = say("score.lead-always", name=first)
    else:
        led = say("score.lead-since", name=first, n=held.since)
    if held.swing is None:
        return led
    gain = plain(f"+{held.gain}")
    deed = did(session, _own_deed(session, held.swing.moment))
    return say("score.lead-and-swing", led=led, name=second, gain=gain, n=held.swing.round, deed=deed)


def _own_deed(session: Session, last: int) -> int:
    """The moment of the answer that began the deed ending here."""
    return next((first for first, end in session.deeds() if end == last), last)
