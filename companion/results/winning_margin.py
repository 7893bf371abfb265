"""What decided a finished table: how far the winner is ahead of the second, and which sources caused it."""

from __future__ import annotations

from msgspec import Struct

from companion.core.words import Text, plain, say
from companion.results.sheets import gathered, sheet_words
from scoring.sheet import SeatSheet, Sheet


class Margin(Struct, frozen=True):
    """The winner's lead over the second in points; the source that contributed most to it and the one that
    reduced it most, by their names in the sheet. `plus` and `minus` are missing if there is no such
    source."""

    points: int
    plus: tuple[str, int] | None
    minus: tuple[str, int] | None


def margin(sheet: Sheet) -> Margin | None:
    """The winner's lead over the second; None if several won, if a tie-break decided, or if there is no
    second.

    If several are second, the first of them in the sheet is compared; among equal differences the first in
    the sheet is chosen.
    """
    if len(sheet.winners) != 1 or sheet.tied or len(sheet.seats) < 2:
        return None
    parts = split(sheet)
    plus = max(parts, key=lambda item: item[1], default=("", 0))
    minus = min(parts, key=lambda item: item[1], default=("", 0))
    points = sum(difference for _, difference in parts)
    return Margin(points, plus if plus[1] > 0 else None, minus if minus[1] < 0 else None)


def split(sheet: Sheet) -> tuple[tuple[str, int], ...]:
    """The difference between the first and the second seat by the lines of the sheet; it adds up to the margin."""
    if len(sheet.seats) < 2:
        return ()
    first, second, *_ = sorted(gathered(sheet).seats, key=lambda seat: seat.rank)
    ours, theirs = _points(first), _points(second)
    return tuple((what, ours.get(what, 0) - theirs.get(what, 0)) for what in dict.fromkeys((*ours, *theirs)))


def _points(seat: SeatSheet) -> dict[str, int]:
    points: dict[str, int] = {}
    for line in seat.lines:
        points[line.what] = points.get(line.what, 0) + line.points
    return points


def decided(sheet: Sheet) -> Text | None:
    """One sentence on what decided a finished table: the margin and its causes, or how a tie was broken."""
    of, won = sheet_words(sheet), margin(sheet)
    if won is None:
        return of.tie_break(sheet)
    told = [part for part in (won.plus, won.minus) if part is not None]
    parts = [say("score.difference", what=of.words(what), n=_signed(n)) for what, n in told]
    if rest := won.points - sum(n for _, n in told):
        parts.append(say("score.difference", what=say("score.the-rest"), n=_signed(rest)))
    return say("score.decided", n=won.points, parts=tuple(parts))


def _signed(n: int) -> Text:
    return plain(f"{n:+d}".replace("-", "\N{MINUS SIGN}"))
