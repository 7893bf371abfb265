"""A day at the hall as what its organiser decided, in order: players, tables, rounds, and results that count.

Pure: the same decisions and the same results of tables give the same tournament, on every hall that shares them.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.words import say
from companion.errors import NotNow
from companion.hall.pairing import Reason
from companion.hall.standings import (
    HallPlayer,
    Mode,
    SeatResult,
    StandingRow,
    TableOutcome,
    after_final,
    standing,
)
from companion.hall_messages import HallPoints, HallText, TableResult, TopicWord

MOST_PLAYERS = 4000
MOST_TABLES = 1000
MOST_ROUNDS = 50
BoardName = Annotated[str, Meta(min_length=1, max_length=40)]
PlayerNumber = Annotated[str, Meta(pattern=r"^[0-9]{1,5}\Z")]
RoundNumber = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]


class HallDesk(NamedTuple):
    """A table of a hall, by their names in topics."""

    hall: str
    table: str


# Decisions


class Decision(Struct, frozen=True, tag=True, omit_defaults=True):
    """Something the organiser or people at a table decided."""


class DayBegun(Decision, frozen=True):
    """The first decision of a day; `secret` makes the keys of tables' forms."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]
    secret: str
    mode: Mode = "heats"
    planned: RoundNumber = 4
    game: HallText = ""
    five: bool = True
    """Whether the box allows a table of five."""


class DayEnded(Decision, frozen=True):
    """Nothing more follows; tables clear what they had published."""


class PlanChanged(Decision, frozen=True):
    """Another title, order of standings, number of rounds, or game."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]
    mode: Mode
    planned: RoundNumber
    game: HallText = ""
    five: bool = True


class TablePlaced(Decision, frozen=True):
    """A table, new or changed; without a companion its results are typed on a phone."""

    hall: TopicWord
    table: TopicWord
    title: BoardName
    room: Annotated[str, Meta(max_length=40)] = ""
    companion: bool = True
    used: bool = True
    """Whether players are paired to it."""


class PlayerEntered(Decision, frozen=True):
    """A player, new or changed. Without agreement the board shows the nickname or the number."""

    number: PlayerNumber
    name: BoardName
    nickname: Annotated[str, Meta(max_length=40)] = ""
    agreed: bool = False
    since: RoundNumber = 1
    """The first round of a late entry."""


class PlayerDropped(Decision, frozen=True):
    """A player goes home, or comes back."""

    number: PlayerNumber
    dropped: bool = True


class TableSeating(Struct, frozen=True):
    """Who sits at a table in a round, in the order of seats, and why."""

    hall: str
    table: str
    players: tuple[str, ...]
    reasons: tuple[Reason, ...] = ()


class RoundPaired(Decision, frozen=True):
    """A round: who sits where, who waits, and why; made from this seed."""

    round: RoundNumber
    seed: int
    tables: tuple[TableSeating, ...]
    byes: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    final: bool = False


class RoundCancelled(Decision, frozen=True):
    """The newest round is taken back, with everything typed for it."""

    round: RoundNumber


class RoundCalled(Decision, frozen=True):
    """The next round begins at this time of the hall's clock (seconds since 1970); 0: nobody knows."""

    at: float


class ClaimedSeat(Struct, frozen=True):
    """A player's points and place, as somebody typed them."""

    player: PlayerNumber
    points: HallPoints
    place: Annotated[int, Meta(ge=1, le=20)]


class ResultTyped(Decision, frozen=True):
    """A table's result typed on a phone, which the others confirm."""

    round: RoundNumber
    hall: str
    table: str
    seats: tuple[ClaimedSeat, ...]
    by: str


class ResultAnswered(Decision, frozen=True):
    """A player confirms or refuses the result that was typed as this decision."""

    round: RoundNumber
    hall: str
    table: str
    typed: int
    player: str
    right: bool


class ResultSettled(Decision, frozen=True):
    """The judge says what counts; no seats: what the table said counts again."""

    round: RoundNumber
    hall: str
    table: str
    seats: tuple[ClaimedSeat, ...] = ()
    reason: Annotated[str, Meta(max_length=200)] = ""


AnyDecision = (
    DayBegun
    | DayEnded
    | PlanChanged
    | TablePlaced
    | PlayerEntered
    | PlayerDropped
    | RoundPaired
    | RoundCancelled
    | RoundCalled
    | ResultTyped
    | ResultAnswered
    | ResultSettled
)


# Results


class Claim(Struct, frozen=True):
    """What is known of a table's result in a round, and whether it counts."""

    status: Literal["open", "awaiting", "disputed", "official"]
    seats: tuple[ClaimedSeat, ...] = ()
    confirmed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    source: Literal["", "table", "phone", "judge"] = ""
    typed: int = 0
    """The number of the decision with which it was typed on a phone."""
    reason: str = ""
    play: int = 0


OPEN = Claim("open")


class Tournament:
    """All decisions of a day so far. `apply` adds one; a hall rebuilds it by applying all again."""

    def __init__(self, day: str) -> None:
        self.day, self.decided = day, 0
        self.begun: DayBegun | None = None
        self.plan = PlanChanged("?", "heats", 1)
        self.ended = False
        self.tables: dict[HallDesk, TablePlaced] = {}
        self.players: dict[str, PlayerEntered] = {}
        self.dropped: set[str] = set()
        self.rounds: list[RoundPaired] = []
        self.begins = 0.0
        self._typed: dict[tuple[int, HallDesk], tuple[int, ResultTyped]] = {}
        self._answers: dict[tuple[int, HallDesk], dict[str, bool]] = {}
        self._settled: dict[tuple[int, HallDesk], ResultSettled] = {}

    # Applying

    def apply(self, decision: AnyDecision) -> None:
        """Add the next decision. One that no longer fits is counted and ignored: halls may have crossed."""
        number, self.decided = self.decided, self.decided + 1
        match decision:
            case DayBegun():
                self.begun = decision
                self.plan = PlanChanged(
                    decision.title, decision.mode, decision.planned, decision.game, decision.five
                )
            case DayEnded():
                self.ended = True
            case PlanChanged():
                self.plan = decision
            case TablePlaced():
                if len(self.tables) < MOST_TABLES:
                    self.tables[HallDesk(decision.hall, decision.table)] = decision
            case PlayerEntered():
                if len(self.players) < MOST_PLAYERS:
                    self.players[decision.number] = decision
            case PlayerDropped():
                (self.dropped.add if decision.dropped else self.dropped.discard)(decision.number)
            case RoundPaired():
                if decision.round == len(self.rounds) + 1:
                    self.rounds.append(decision)
                    self.begins = 0.0
            case RoundCancelled():
                if decision.round == len(self.rounds):
                    self.rounds.pop()
                    for known in (self._typed, self._answers, self._settled):
                        for key in [key for key in known if key[0] == decision.round]:
                            del known[key]
            case RoundCalled():
                self.begins = decision.at
            case ResultTyped():
                key = (decision.round, HallDesk(decision.hall, decision.table))
                self._typed[key] = (number, decision)
                self._answers[key] = {decision.by: True}
            case ResultAnswered():
                key = (decision.round, HallDesk(decision.hall, decision.table))
                if key in self._typed and self._typed[key][0] == decision.typed:
                    self._answers[key][decision.player] = decision.right
            case ResultSettled():
                key = (decision.round, HallDesk(decision.hall, decision.table))
                self._settled[key] = decision

    # Reading

    @property
    def round(self) -> int:
        """The newest round's number; 0 before the first."""
        return len(self.rounds)

    def shown(self, number: str) -> str:
        """A player as the board may show them."""
        player = self.players.get(number)
        if player is None:
            return f"#{number}"
        return player.name if player.agreed else player.nickname or f"#{number}"

    def hall_players(self) -> tuple[HallPlayer, ...]:
        """All players, as pairing and standings know them."""
        return tuple(
            HallPlayer(player.number, self.shown(player.number), number in self.dropped, player.since)
            for number, player in sorted(self.players.items(), key=lambda item: int(item[0]))
        )

    def free_number(self) -> str:
        """The number of the next new player."""
        return str(max((int(number) for number in self.players), default=0) + 1)

    def seating(self, round: int, desk: HallDesk) -> TableSeating | None:
        """Who sits at this table in this round."""
        if not 1 <= round <= len(self.rounds):
            return None
        here = (s for s in self.rounds[round - 1].tables if HallDesk(s.hall, s.table) == desk)
        return next(here, None)

    def assignment_id(self, round: int) -> str:
        """The id by which a table's result says which round it was; a round paired again has another."""
        paired = self.rounds[round - 1]
        return f"{self.day}/{round}/{paired.seed % 1_000_000}"

    def key_of(self, desk: HallDesk) -> str:
        """The key of a table's form: 80 bits in letters that are in its QR code."""
        secret = self.begun.secret if self.begun else ""
        made = hmac.new(secret.encode(), f"{self.day}/{desk.hall}/{desk.table}".encode(), hashlib.sha256)
        return made.hexdigest()[:20]

    # Results

    def claim(self, round: int, seating: TableSeating, said: TableResult | None) -> Claim:
        """What is known of a result: the judge's word first, then the table's sheet, then what was typed."""
        desk = HallDesk(seating.hall, seating.table)
        settled = self._settled.get((round, desk))
        if settled is not None and settled.seats:
            return Claim("official", settled.seats, seating.players, (), "judge", 0, settled.reason)
        if said is not None:
            return _of_table(seating, said)
        if (round, desk) in self._typed:
            number, typed = self._typed[round, desk]
            answers = self._answers[round, desk]
            confirmed = tuple(p for p in seating.players if answers.get(p))
            refused = tuple(p for p in seating.players if answers.get(p) is False)
            return Claim(
                _status(seating, confirmed, refused), typed.seats, confirmed, refused, "phone", number
            )
        return OPEN

    def claims(self, said: Mapping[tuple[str, HallDesk], TableResult]) -> dict[tuple[int, HallDesk], Claim]:
        """The result of every table of every round; `said`: by assignment and table."""
        found = {}
        for paired in self.rounds:
            assignment = self.assignment_id(paired.round)
            for seating in paired.tables:
                desk = HallDesk(seating.hall, seating.table)
                found[paired.round, desk] = self.claim(paired.round, seating, said.get((assignment, desk)))
        return found

    def outcomes(self, claims: Mapping[tuple[int, HallDesk], Claim]) -> tuple[TableOutcome, ...]:
        """Who sat where in every round; places only where the result is official."""
        found = []
        for paired in self.rounds:
            for seating in paired.tables:
                desk = HallDesk(seating.hall, seating.table)
                claim = claims.get((paired.round, desk), OPEN)
                placed = {seat.player: seat for seat in claim.seats} if claim.status == "official" else {}
                seats = tuple(
                    SeatResult(p, placed[p].place, placed[p].points) if p in placed else SeatResult(p, 0)
                    for p in seating.players
                )
                found.append(TableOutcome(paired.round, "/".join(desk), seats))
            found += [TableOutcome(paired.round, "", (SeatResult(player, 1),)) for player in paired.byes]
        return tuple(found)

    def standing(self, claims: Mapping[tuple[int, HallDesk], Claim]) -> tuple[StandingRow, ...]:
        """The standings by official results; a final decides the places of those who played it."""
        outcomes = self.outcomes(claims)
        finals = {paired.round for paired in self.rounds if paired.final}
        before = tuple(outcome for outcome in outcomes if outcome.round not in finals)
        rows = standing(self.hall_players(), before, self.plan.mode)
        final = next((o for o in outcomes if o.round in finals and any(s.place for s in o.seats)), None)
        if final is None:
            return rows
        by_number = {row.number: row for row in rows}
        return tuple(replace(by_number[number], place=place) for place, number in after_final(rows, final))

    # Checks before a decision is kept

    def check(self, decision: AnyDecision) -> None:
        """Raises `NotNow` with the reason if this cannot be decided now."""
        if self.ended or self.begun is None:
            raise NotNow(say("hall.day-over"))
        match decision:
            case PlayerEntered() if decision.number not in self.players and len(self.players) >= MOST_PLAYERS:
                raise NotNow(say("hall.too-many-players"))
            case TablePlaced() if len(self.tables) >= MOST_TABLES:
                raise NotNow(say("hall.too-many-tables"))
            case PlayerDropped() if decision.number not in self.players:
                raise NotNow(say("hall.no-player", number=decision.number))
            case RoundPaired() if decision.round != self.round + 1:
                raise NotNow(say("hall.paired-already"))
            case RoundPaired() if self.rounds and self.rounds[-1].final:
                raise NotNow(say("hall.final-paired"))
            case RoundCancelled() if decision.round != self.round:
                raise NotNow(say("hall.only-newest-round"))
            case ResultTyped() | ResultSettled():
                self._check_seats(decision)
            case ResultAnswered():
                seating = self.seating(decision.round, HallDesk(decision.hall, decision.table))
                if seating is None or decision.player not in seating.players:
                    raise NotNow(say("hall.not-at-table"))
                typed = self._typed.get((decision.round, HallDesk(decision.hall, decision.table)))
                if typed is None or typed[0] != decision.typed:
                    raise NotNow(say("hall.typed-again"))
            case _:
                pass

    def _check_seats(self, decision: ResultTyped | ResultSettled) -> None:
        seating = self.seating(decision.round, HallDesk(decision.hall, decision.table))
        if seating is None:
            raise NotNow(say("hall.nobody-there"))
        if isinstance(decision, ResultSettled) and not decision.seats:
            return
        if sorted(seat.player for seat in decision.seats) != sorted(seating.players):
            raise NotNow(say("hall.other-players"))
        places = sorted(seat.place for seat in decision.seats)
        fair = all(place == 1 + sum(other < place for other in places) for place in places)
        if not fair:
            raise NotNow(say("hall.bad-places"))
        by_place = sorted(decision.seats, key=lambda seat: seat.place)
        if isinstance(decision, ResultTyped) and any(b.points > a.points for a, b in pairwise(by_place)):
            raise NotNow(say("hall.places-against-points"))


def _of_table(seating: TableSeating, said: TableResult) -> Claim:
    """A table's sheet as a claim; one that names other players is for the judge."""
    seats = tuple(ClaimedSeat(seat.player or "0", seat.total, seat.rank) for seat in said.seats)
    if sorted(seat.player for seat in seats) != sorted(seating.players):
        return Claim("disputed", source="table", play=said.play)
    confirmed = tuple(seats[n].player for n in said.confirmed if n < len(seats))
    refused = tuple(seats[n].player for n in said.refused if n < len(seats))
    return Claim(_status(seating, confirmed, refused), seats, confirmed, refused, "table", play=said.play)


def _status(
    seating: TableSeating, confirmed: Iterable[str], refused: tuple[str, ...]
) -> Literal["awaiting", "disputed", "official"]:
    if refused:
        return "disputed"
    return "official" if set(confirmed) >= set(seating.players) else "awaiting"


def replaces(new: TableResult, old: TableResult | None) -> bool:
    """Whether a result replaces the one known of the same play."""
    return old is None or _weight(new) > _weight(old)


def _weight(result: TableResult) -> tuple[int, bool, int, int]:
    return (result.number, result.withdrawn, len(set(result.refused)), len(set(result.confirmed)))


def in_order(title: str) -> tuple[tuple[int, str], ...]:
    """For sorting: "Table 10" comes after "Table 9"."""
    parts = re.split(r"(\d{1,9})", title.casefold())
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts if part)


def without_lines(result: TableResult) -> TableResult:
    """The result without the lines of its sheet, which are kept on disk only."""
    return replace(result, seats=tuple(replace(seat, lines=()) for seat in result.seats))
