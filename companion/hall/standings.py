"""The standing of a hall over its rounds: pure functions of players and the outcomes of their tables.

Only places count across tables, because raw points depend on the table. A game is worth 6 for the first place and 0
for the last, evenly between, whatever the size of the table: 6, 4, 2, 0 of four, 6, 3, 0 of three. Everybody's
average is 3, so nobody gains by sitting at a smaller table. Who shares a place gets the average of those places.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct

Mode = Literal["heats", "pods"]
"""What decides first: games won (`heats`), or points for places (`pods`)."""
Decided = Literal["", "wins", "first-win", "points", "opponents", "nothing"]
FIRST_PLACE = 6
UNIT = 27_720
"""Points and wins are counted in parts of this, exactly: 1 to 12 divide it."""


class HallPlayer(Struct, frozen=True):
    """A player of the hall. `since`: the first round they play in; later than 1 for a late entry."""

    number: str
    name: str
    dropped: bool = False
    since: int = 1


class SeatResult(Struct, frozen=True):
    """A player's result at one table. Place 0: they sat there, but nobody knows their place (yet)."""

    player: str
    place: int
    points: int = 0


class TableOutcome(Struct, frozen=True):
    """Who sat at a table, in the order of seats, and their places. One seat only: that player had a bye.

    A bye counts as a game won, as the hall could not give this player a game.
    """

    round: int
    table: str
    seats: tuple[SeatResult, ...]


class StandingRow(Struct, frozen=True):
    """One line of the standing. `place` is shared where nothing decides."""

    place: int
    number: str
    name: str
    wins: float
    """Games won; of a shared first place, the share."""
    first_win: int | None
    """The round of the first game won."""
    points: float
    """For places, not those of the games."""
    opponents: float
    """The average points of everybody they met, once per game."""
    games: int
    byes: int
    dropped: bool
    decided: Decided
    """What puts this row below the one above it; `nothing`: they are tied."""


class Finalists(Struct, frozen=True):
    """Who plays the final. `undecided` are tied over the `open` places left: a game or a draw must decide."""

    players: tuple[str, ...]
    undecided: tuple[str, ...] = ()
    open: int = 0


class _Sums(Struct):
    wins: int = 0
    first_win: int | None = None
    points: int = 0
    games: int = 0
    byes: int = 0


def place_points(outcome: TableOutcome) -> Iterator[tuple[str, int, int]]:
    """Per player with a place: points, and the share of the win, both in parts of `UNIT`."""
    placed = [seat for seat in outcome.seats if seat.place > 0]
    of_place = Counter(seat.place for seat in placed)
    for seat in placed:
        better = sum([n for place, n in of_place.items() if place < seat.place])
        shared = of_place[seat.place]
        win = 0 if better else UNIT // shared
        if len(placed) == 1:
            yield seat.player, FIRST_PLACE * UNIT, win
            continue
        worse = (
            2 * (len(placed) - better) - shared - 1
        )  # twice the number of places below the average of theirs
        yield seat.player, FIRST_PLACE * worse * UNIT // (2 * (len(placed) - 1)), win


def standing(
    players: Sequence[HallPlayer], outcomes: Iterable[TableOutcome], mode: Mode
) -> tuple[StandingRow, ...]:
    """Everybody, best first; who dropped out keeps what they have.

    Heats: most wins, then the earlier first win, then points. Pods: points, then wins. Then, for both, the stronger
    opponents. Where none of these decides, players share the place; tied players are listed by name.
    """
    sums = {player.number: _Sums() for player in players}
    met: defaultdict[str, list[str]] = defaultdict(list)
    for outcome in sorted(outcomes, key=lambda outcome: outcome.round):
        for number, points, win in place_points(outcome):
            if number not in sums:
                continue
            now = sums[number]
            now.games += 1
            now.byes += len(outcome.seats) == 1
            now.points += points
            now.wins += win
            if win and now.first_win is None:
                now.first_win = outcome.round
            met[number] += (seat.player for seat in outcome.seats if seat.player != number)
    opponents = {
        number: sum([sums[other].points for other in known]) / len(known) if known else 0.0
        for number in sums
        for known in [[other for other in met[number] if other in sums]]
    }
    ranks = {number: _rank(now, opponents[number], mode) for number, now in sums.items()}
    ordered = sorted(players, key=lambda player: (ranks[player.number], player.name, player.number))
    rows: list[StandingRow] = []
    for rank, tied in groupby(ordered, key=lambda player: ranks[player.number]):
        place = len(rows) + 1
        decided: Decided = _decided(ranks[ordered[place - 2].number], rank, mode) if rows else ""
        for player in tied:
            now = sums[player.number]
            rows.append(
                StandingRow(
                    place=place,
                    number=player.number,
                    name=player.name,
                    wins=now.wins / UNIT,
                    first_win=now.first_win,
                    points=now.points / UNIT,
                    opponents=opponents[player.number] / UNIT,
                    games=now.games,
                    byes=now.byes,
                    dropped=player.dropped,
                    decided=decided,
                )
            )
            decided = "nothing"
    return tuple(rows)


def finalists(rows: Sequence[StandingRow], n: int) -> Finalists:
    """The best `n` who have not dropped out; a tie over the last places stays open."""
    here = [row for row in rows if not row.dropped]
    if n <= 0 or len(here) <= n or here[n].place != here[n - 1].place:
        return Finalists(tuple(row.number for row in here[: max(n, 0)]))
    last = here[n].place
    sure = tuple(row.number for row in here if row.place < last)
    return Finalists(sure, tuple(row.number for row in here if row.place == last), n - len(sure))


def after_final(rows: Sequence[StandingRow], final: TableOutcome) -> tuple[tuple[int, str], ...]:
    """(place, number) of the whole event: the final table decides its own places, the standing all others."""
    places = {seat.player: seat.place for seat in final.seats if seat.place > 0}
    first = sorted((place, number) for number, place in places.items())
    others = [row for row in rows if row.number not in places]
    shift = {row.number: len(first) + 1 + sum(other.place < row.place for other in others) for row in others}
    return (*first, *((shift[row.number], row.number) for row in others))


_ORDER: dict[Mode, tuple[Decided, ...]] = {
    "heats": ("wins", "first-win", "points", "opponents"),
    "pods": ("points", "wins", "opponents"),
}


def _rank(now: _Sums, opponents: float, mode: Mode) -> tuple[float, ...]:
    """Smaller is better; one value per word of `_ORDER`."""
    if mode == "heats":
        return -now.wins, now.first_win or 0, -now.points, -opponents
    return -now.points, -now.wins, -opponents


def _decided(above: tuple[float, ...], below: tuple[float, ...], mode: Mode) -> Decided:
    return next(word for word, high, low in zip(_ORDER[mode], above, below, strict=True) if high != low)
