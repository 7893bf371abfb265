"""Figures over many evenings, from finished plays with the results they keep: no replay, no clock, no guess.

Figures are honest with small numbers: everything is a count beside "of how many"; averages are given only from
`FEW` plays of one game with one number of seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from sys import intern

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.annotations import Annotations, TypedResult
from companion.core.entries import Summary
from companion.core.game import boxes
from companion.core.journal import Ending, Journal
from scoring.sheet import SeatSheet, Sheet

FEW = 5
"""Below this number of plays the plays themselves say more than any average."""

PAGE = 500
"""How many plays are read at once: between pages, other work goes on and reading can be stopped."""

STOPPED, LIGHT, CORRECTED, PARTED, OLDER, TYPED = "stopped", "light", "corrected", "parted", "older", "typed"
MARKS = (STOPPED, LIGHT, CORRECTED, PARTED, OLDER, TYPED)
"""What distinguishes a play from a usual one: not over; turns and pools only; corrected by hand; continued under
changed rules; scored under earlier rules; typed in afterwards."""


class Seat(Struct, frozen=True):
    """One seat of an evening; `spelled` is the name as it was then, `name` the person it is counted for."""

    name: str
    spelled: str
    points: int | None
    rank: int
    lines: tuple[tuple[str, int], ...] = ()
    cards: tuple[tuple[str, int], ...] = ()
    """The components that earned points, and how many."""
    thought: float | None = None
    opening: str = ""

    @property
    def won(self) -> bool:
        """Whether it won, alone or with others."""
        return self.rank == 1


class Evening(Struct, frozen=True):
    """One play; without a result it was stopped. A typed result has a negative number."""

    id: int
    game: str
    at: float
    seats: tuple[Seat, ...]
    seconds: float | None = None
    rounds: int = 0
    tied: bool = False
    marks: frozenset[str] = frozenset()
    place: str = ""
    note: str = ""
    photo: str = ""
    sheet: Sheet | None = None

    @property
    def over(self) -> bool:
        """Whether it has a result."""
        return STOPPED not in self.marks

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won."""
        return tuple(seat for seat in self.seats if seat.won) if self.over else ()

    def won_by(self, seat: Seat) -> bool:
        """Whether this seat won against somebody: a solo play has a result, but no victory."""
        return seat.won and len(self.seats) > 1

    @property
    def people(self) -> tuple[Seat, ...]:
        """The best seat of each person: two spellings put together afterwards may have sat at one table."""
        best: dict[str, Seat] = {}
        for seat in sorted(self.seats, key=lambda seat: seat.rank):
            best.setdefault(seat.name, seat)
        return tuple(best.values())

    @property
    def margin(self) -> int | None:
        """Points between first and second place; None without points of two seats."""
        points = sorted((s.points for s in self.seats if s.points is not None), reverse=True)
        return points[0] - points[1] if self.over and len(points) == len(self.seats) > 1 else None


# From the journal


class _Last(Struct):
    rules: int = 0
    sheet: Sheet | None = None
    summary: Summary | None = None


class _SetUp(Struct):
    flow: str | msgspec.UnsetType = msgspec.UNSET


_LAST = msgspec.json.Decoder(_Last)
_LONGEST = 12 * 3600.0
"""In seconds; if a play without a summary took longer by the calendar, its length is unknown."""


def evenings(journal: Journal, go_on: Callable[[int], bool] = lambda read: True) -> tuple[Evening, ...]:
    """All plays that are not deleted, in the order of their numbers, without their sheets; typed results last.

    `go_on` is told after each page how many were read; if it says no, what was read so far is returned.
    """
    notes, found, after = journal.annotations.now(), list[Evening](), 0
    while page := journal.endings(after, PAGE):
        for ending in page:
            if ending.play.id not in notes.deleted:
                found.append(replace(evening(ending, notes, journal), sheet=None))
        after = page[-1].play.id
        if not go_on(len(found)):
            return tuple(found)
    typed = (
        typed_evening(id, result, notes) for id, result in notes.typed.items() if id not in notes.deleted
    )
    return (*found, *typed)


def evening(ending: Ending, notes: Annotations, journal: Journal) -> Evening:
    """A play as far as its last entry tells."""
    play, marks = ending.play, set[str]()
    try:
        last = _LAST.decode(ending.body) if ending.body else _Last()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        last = _Last()
    sheet = last.sheet if play.finished is not None else None
    summary = last.summary or Summary()
    if sheet is None:
        names = play.title.split(", ")
        seats = tuple(Seat(notes.person(name), name, None, 0) for name in names)
        marks.add(STOPPED)
    else:
        seats = tuple(
            _seat(seat, n, summary, last.summary is not None, notes) for n, seat in enumerate(sheet.seats)
        )
        light = summary.light if last.summary is not None else _was_light(journal, play.id)
        marks |= {
            mark
            for mark, holds in (
                (LIGHT, light),
                (CORRECTED, summary.corrections > 0),
                (PARTED, summary.parted),
                (OLDER, play.game in boxes() and last.rules != boxes()[play.game].rules),
            )
            if holds
        }
    by_calendar = play.last_at - play.created
    seconds = (
        summary.played if last.summary is not None else by_calendar if 0 < by_calendar < _LONGEST else None
    )
    return Evening(
        play.id,
        play.game,
        play.created,
        seats,
        seconds,
        summary.rounds,
        sheet is not None and bool(sheet.tied),
        frozenset(marks),
        notes.places.get(play.id, ""),
        notes.notes.get(play.id, ""),
        notes.photos.get(play.id, ""),
        sheet,
    )


def _was_light(journal: Journal, play: int) -> bool:
    """Whether a play that keeps no summary was a light one from the beginning."""
    try:
        return msgspec.json.decode(journal.setup_unchecked(play), type=_SetUp).flow is not msgspec.UNSET
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _seat(seat: SeatSheet, n: int, summary: Summary, known: bool, notes: Annotations) -> Seat:
    cards = Counter[str]()
    for line in seat.lines:
        cards.update({intern(card): points for card, points in line.because.items()})
    return Seat(
        intern(notes.person(seat.name)),
        intern(seat.name),
        seat.total,
        seat.rank,
        tuple((intern(line.what), line.points) for line in seat.lines),
        tuple(cards.items()),
        summary.thought[n] if known and n < len(summary.thought) else None,
        summary.openings[n] if n < len(summary.openings) else "",
    )


def one_evening(journal: Journal, play: int) -> Evening:
    """One play, with its sheet."""
    (ending,) = journal.endings(play - 1, 1)
    return evening(ending, journal.annotations.now(), journal)


def typed_evening(id: int, result: TypedResult, notes: Annotations) -> Evening:
    """A bare result: ranked by points, or only the winners if points are missing."""
    points = [seat.points for seat in result.seats]
    whole = all(p is not None for p in points)
    seats = []
    for seat in result.seats:
        better = sum(p is not None and seat.points is not None and p > seat.points for p in points)
        rank = (
            1 + better
            if whole and not any(s.won for s in result.seats)
            else 1
            if seat.won
            else max(2, 1 + better)
        )
        seats.append(Seat(notes.person(seat.name), seat.name, seat.points, rank))
    first = [seat for seat in seats if seat.rank == 1]
    return Evening(
        id,
        result.game,
        result.played_at,
        tuple(seats),
        None if result.minutes is None else result.minutes * 60.0,
        tied=len(first) > 1,
        marks=frozenset({TYPED}),
        place=notes.places.get(id, ""),
        note=notes.notes.get(id, ""),
        photo=notes.photos.get(id, ""),
    )


# Choosing


def chosen(
    among: Iterable[Evening], game: str = "", person: str = "", seats: int = 0, words: str = ""
) -> tuple[Evening, ...]:
    """Those of one game, with one person, at a table of this size, and with these words in names, place or note."""
    wanted = words.casefold().split()

    def fits(one: Evening) -> bool:
        if (game and one.game != game) or (seats and len(one.seats) != seats):
            return False
        if person and all(seat.name != person for seat in one.seats):
            return False
        told = " ".join(
            (one.game, one.place, one.note, *(f"{s.name} {s.spelled}" for s in one.seats))
        ).casefold()
        return all(word in told for word in wanted)

    return tuple(one for one in among if fits(one))


# Figures


class Run(Struct, frozen=True):
    """Wins in a row: the longest, and the current ones."""

    longest: int = 0
    current: int = 0


class PersonFigures(Struct, frozen=True):
    """One person in the chosen plays; `won_alone` leaves out shared wins."""

    name: str
    plays: int
    wins: int
    won_alone: int
    counted: int
    """Plays with points."""
    points: int
    best: tuple[int, int] | None
    """Most points, and the number of the first play with them."""
    sources: dict[str, int]
    """Points by the lines of the sheet."""
    thought: float
    thoughtful: int
    """Plays whose thinking time is known."""
    run: Run


class Pair(Struct, frozen=True):
    """How often the first of two people was ahead of the second, behind, and level with them."""

    ahead: int = 0
    behind: int = 0
    level: int = 0

    @property
    def plays(self) -> int:
        """How often they met."""
        return self.ahead + self.behind + self.level


class ComponentFigures(Struct, frozen=True):
    """How often something was chosen or counted, how often that seat won, and the points it earned."""

    times: int = 0
    wins: int = 0
    points: int = 0


class Records(Struct, frozen=True):
    """The first plays with the most points, the smallest and largest margin, the shortest and longest time; 0 if
    there is none."""

    best: int = 0
    closest: int = 0
    clearest: int = 0
    shortest: int = 0
    longest: int = 0


class Figures(Struct, frozen=True):
    """Figures of some plays."""

    plays: int
    results: int
    """Plays with a result."""
    marks: dict[str, int]
    games: dict[str, int]
    sizes: dict[int, int]
    """Plays with a result by number of seats."""
    people: tuple[PersonFigures, ...]
    pairs: dict[tuple[str, str], Pair]
    openings: dict[str, ComponentFigures]
    cards: dict[str, ComponentFigures]
    seconds: float
    timed: int
    """Plays whose length is known."""
    records: Records

    @property
    def comparable(self) -> bool:
        """Whether all results are of one game with one number of seats: only then points are averaged."""
        return len(self.games) == 1 and len(self.sizes) == 1

    def average(self, person: PersonFigures) -> float | None:
        """A person's average points; None for few plays, or if the plays cannot be compared."""
        return person.points / person.counted if self.comparable and person.counted >= FEW else None

    def length(self) -> float | None:
        """The average length of a play in seconds, by the same rules."""
        return self.seconds / self.timed if self.comparable and self.timed >= FEW else None

    def pair(self, one: str, other: str) -> Pair:
        """How the first person did against the second."""
        if (one, other) in self.pairs:
            return self.pairs[one, other]
        back = self.pairs.get((other, one), Pair())
        return Pair(back.behind, back.ahead, back.level)


def figures(among: Sequence[Evening]) -> Figures:
    """The figures of these plays. Those without a result are only counted."""
    over = sorted((one for one in among if one.over), key=lambda one: (one.at, one.id))
    timed = [one.seconds for one in over if one.seconds is not None]
    return Figures(
        plays=len(among),
        results=len(over),
        marks=dict(Counter(mark for one in among for mark in one.marks)),
        games=dict(Counter(one.game for one in over)),
        sizes=dict(Counter(len(one.seats) for one in over)),
        people=_people(over),
        pairs=_pairs(over),
        openings=_played((s.opening, 0, one.won_by(s)) for one in over for s in one.seats if s.opening),
        cards=_played((c, points, one.won_by(s)) for one in over for s in one.seats for c, points in s.cards),
        seconds=sum(timed),
        timed=len(timed),
        records=_records(over),
    )


def _people(over: Sequence[Evening]) -> tuple[PersonFigures, ...]:
    """Those with most wins first, then most plays, then by name."""
    seats: dict[str, list[tuple[Evening, Seat]]] = {}
    for one in over:
        for seat in one.people:
            seats.setdefault(seat.name, []).append((one, seat))
    people = (_person(name, played) for name, played in seats.items())
    return tuple(sorted(people, key=lambda person: (-person.wins, -person.plays, person.name)))


def _person(name: str, played: Sequence[tuple[Evening, Seat]]) -> PersonFigures:
    sources, best, longest, current = Counter[str](), None, 0, 0
    for one, seat in played:
        for what, points in seat.lines:
            sources[what] += points
        if seat.points is not None and (best is None or seat.points > best[0]):
            best = (seat.points, one.id)
        if len(one.seats) > 1:
            current = current + 1 if seat.won else 0
            longest = max(longest, current)
    counted = [seat.points for _, seat in played if seat.points is not None]
    thought = [seat.thought for _, seat in played if seat.thought is not None]
    return PersonFigures(
        name,
        len(played),
        sum(one.won_by(seat) for one, seat in played),
        sum(one.won_by(seat) and len({won.name for won in one.winners}) == 1 for one, seat in played),
        len(counted),
        sum(counted),
        best,
        dict(sources),
        sum(thought),
        len(thought),
        Run(longest, current),
    )


def _pairs(over: Iterable[Evening]) -> dict[tuple[str, str], Pair]:
    """Every two people who met, the names in order."""
    met = Counter[tuple[str, str, int]]()
    for one in over:
        for a, b in combinations(sorted(one.people, key=lambda seat: seat.name), 2):
            met[a.name, b.name, (a.rank > b.rank) - (a.rank < b.rank)] += 1
    return {(a, b): Pair(met[a, b, -1], met[a, b, 1], met[a, b, 0]) for a, b, _ in met}


def _played(those: Iterable[tuple[str, int, bool]]) -> dict[str, ComponentFigures]:
    found: dict[str, list[int]] = {}
    for what, points, won in those:
        row = found.setdefault(what, [0, 0, 0])
        row[0] += 1
        row[1] += won
        row[2] += points
    return {what: ComponentFigures(*row) for what, row in found.items()}


def _records(over: Sequence[Evening]) -> Records:
    def first(those: Iterator[tuple[float, int]]) -> int:
        return min(those, key=lambda item: item[0], default=(0.0, 0))[1]

    best = ((-float(s.points), one.id) for one in over for s in one.seats if s.points is not None)
    margins = [(float(one.margin), one.id) for one in over if one.margin is not None]
    times = [(one.seconds, one.id) for one in over if one.seconds is not None]
    return Records(
        first(best),
        first(iter(margins)),
        first((-margin, id) for margin, id in margins),
        first(iter(times)),
        first((-seconds, id) for seconds, id in times),
    )
