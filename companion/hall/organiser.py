"""The organiser's page: everything that needs the key, which is shown once where the hall is started."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from random import Random
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.core.words import count, say
from companion.errors import NotNow, StorageTrouble
from companion.hall import exports, prints
from companion.hall.hall import Hall
from companion.hall.organiser_view import now_json
from companion.hall.pairing import pair
from companion.hall.standings import Mode
from companion.hall.tournament import (
    MOST_PLAYERS,
    AnyDecision,
    BoardName,
    ClaimedSeat,
    DayBegun,
    DayEnded,
    PlanChanged,
    PlayerDropped,
    PlayerEntered,
    ResultSettled,
    RoundCalled,
    RoundCancelled,
    RoundNumber,
    RoundPaired,
    TablePlaced,
    TableSeating,
    Tournament,
)
from companion.hall.web import address_of, as_json, body_of, language_of, origin_of, refused
from companion.hall_messages import HallText, TableCall, TopicWord
from companion.porter.limits import Rate

COOKIE = "organiser"
KEPT = 16 * 3600
"""Seconds for which a browser stays signed in: a long day."""
MOST_BODY = 256 * 1024
KEYS_A_MINUTE, DEEDS_A_MINUTE = 6, 120
MOST_SESSIONS = 50
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of the key: none that look alike on paper."""


def new_key() -> str:
    """A key people can type: 79 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))


# What the page asks for


class OrganiserAct(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something the organiser does."""


class BeginDay(OrganiserAct, frozen=True, tag="begin"):
    """Begin a day."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]
    mode: Mode
    planned: RoundNumber
    game: HallText = ""
    five: bool = True


class ChangePlan(OrganiserAct, frozen=True, tag="plan"):
    """Change the day's plan."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]
    mode: Mode
    planned: RoundNumber
    game: HallText = ""
    five: bool = True


class EndDay(OrganiserAct, frozen=True, tag="end"):
    """End the day."""


class PlaceTable(OrganiserAct, frozen=True, tag="place"):
    """A table, new or changed."""

    hall: TopicWord
    table: TopicWord
    title: BoardName
    room: Annotated[str, Meta(max_length=40)] = ""
    companion: bool = True
    used: bool = True


class PlaceTables(OrganiserAct, frozen=True, tag="place-many"):
    """New tables, numbered on."""

    count: Annotated[int, Meta(ge=1, le=500)]
    word: Annotated[str, Meta(min_length=1, max_length=20)]
    """What tables are called, such as "Table"."""
    room: Annotated[str, Meta(max_length=40)] = ""
    companion: bool = False


class EnterPlayer(OrganiserAct, frozen=True, tag="enter"):
    """A player, changed; or new, without a number."""

    name: BoardName
    number: Annotated[str, Meta(pattern=r"^[0-9]{0,5}\Z")] = ""
    nickname: Annotated[str, Meta(max_length=40)] = ""
    agreed: bool = False


class EnterPlayers(OrganiserAct, frozen=True, tag="enter-many"):
    """New players, one name each; all of them agreed, or none."""

    names: Annotated[tuple[BoardName, ...], Meta(max_length=MOST_PLAYERS)]
    agreed: bool = False


class DropPlayer(OrganiserAct, frozen=True, tag="drop"):
    """A player goes home or comes back."""

    number: str
    dropped: bool


class PairRound(OrganiserAct, frozen=True, tag="pair"):
    """Pair the next round; with players, a final of these."""

    final: Annotated[tuple[str, ...], Meta(max_length=12)] = ()


class CancelRound(OrganiserAct, frozen=True, tag="cancel"):
    """Take back the newest round."""

    round: RoundNumber


class BeginSoon(OrganiserAct, frozen=True, tag="soon"):
    """The round begins in so many minutes; 0: nobody knows."""

    minutes: Annotated[int, Meta(ge=0, le=600)]


class CallTables(OrganiserAct, frozen=True, tag="call"):
    """Show something at these tables of this hall; without a text: the judge comes."""

    tables: Annotated[tuple[TopicWord, ...], Meta(max_length=1000)]
    text: HallText = ""


class SettleResult(OrganiserAct, frozen=True, tag="settle"):
    """The judge's word; without seats it is taken back."""

    round: RoundNumber
    hall: str
    table: str
    seats: Annotated[tuple[ClaimedSeat, ...], Meta(max_length=12)] = ()
    reason: Annotated[str, Meta(max_length=200)] = ""


AnyOrganiserAct = (
    BeginDay
    | ChangePlan
    | EndDay
    | PlaceTable
    | PlaceTables
    | EnterPlayer
    | EnterPlayers
    | DropPlayer
    | PairRound
    | CancelRound
    | BeginSoon
    | CallTables
    | SettleResult
)


class Organiser:
    """The handlers. `key` opens them; only its digest is kept here."""

    def __init__(self, hall: Hall, key: str, origins: tuple[str, ...] = ()) -> None:
        self._hall, self._origins = hall, origins
        self._key = _digest(key)
        self._sessions: dict[str, float] = {}
        self._keys, self._deeds = Rate(KEYS_A_MINUTE), Rate(DEEDS_A_MINUTE)

    def routes(self) -> list[Route]:
        """What the organiser's page asks for and says."""
        return [
            Route("/organiser/key", self._sign_in, methods=["POST"]),
            Route("/organiser/now.json", self._now),
            Route("/organiser/do", self._do, methods=["POST"]),
            Route("/organiser/export/{name}", self._export),
            Route("/organiser/print/{name}", self._print),
        ]

    # The key

    async def _sign_in(self, request: Request) -> Response:
        now = self._hall.clock()
        who = request.client.host if request.client else ""
        if not self._keys.allows(who, now):
            return Response(status_code=429)
        data = await body_of(request, 1000)
        try:
            told = msgspec.json.decode(data or b"", type=dict[str, str])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return Response(status_code=400)
        if not hmac.compare_digest(_digest(told.get("key", "").strip().lower()), self._key):
            return refused(say("hall.wrong-key"), language_of(request))
        session = secrets.token_hex(16)
        self._sessions[_digest(session)] = now + KEPT
        while len(self._sessions) > MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        response = as_json({})
        secure = self._origin(request).startswith("https:")
        response.set_cookie(
            COOKIE, session, max_age=KEPT, httponly=True, samesite="strict", path="/organiser", secure=secure
        )
        return response

    def _origin(self, request: Request) -> str:
        return origin_of(request, self._origins)

    def _is_organiser(self, request: Request) -> bool:
        until = self._sessions.get(_digest(request.cookies.get(COOKIE, "")))
        return until is not None and until > self._hall.clock()

    # Reading

    async def _now(self, request: Request) -> Response:
        if not self._is_organiser(request):
            return Response(status_code=403)
        asked = request.query_params.get("round", "")
        return as_json(now_json(self._hall, int(asked) if asked.isdecimal() else None, language_of(request)))

    async def _export(self, request: Request) -> Response:
        if not self._is_organiser(request):
            return Response(status_code=403)
        name = request.path_params["name"]
        try:
            made = await exports.export(self._hall, name)
        except (NotNow, StorageTrouble) as e:
            return refused(e.text, language_of(request))
        if made is None:
            return Response(status_code=404)
        kind = "application/json" if name.endswith(".json") else "text/csv"
        told = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(made, media_type=kind, headers=told)

    async def _print(self, request: Request) -> Response:
        if not self._is_organiser(request):
            return Response(status_code=403)
        made = prints.page(
            self._hall, request.path_params["name"], language_of(request), self._origin(request)
        )
        return Response(status_code=404) if made is None else Response(made, media_type="text/html")

    # Doing

    async def _do(self, request: Request) -> Response:
        if not self._is_organiser(request):
            return Response(status_code=403)
        if not self._deeds.allows(address_of(request), self._hall.clock()):
            return Response(status_code=429)
        data = await body_of(request, MOST_BODY)
        try:
            act = msgspec.json.decode(data or b"", type=AnyOrganiserAct)
        except msgspec.ValidationError:
            return refused(say("hall.bad-field"), language_of(request))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return Response(status_code=400)
        try:
            await self._done(act)
        except (NotNow, StorageTrouble) as e:
            return refused(e.text, language_of(request))
        return as_json({})

    async def _done(self, act: Any) -> None:
        hall = self._hall
        if isinstance(act, BeginDay):
            await hall.begin_day(DayBegun(act.title, "", act.mode, act.planned, act.game, act.five))
            return
        tournament = hall.tournament
        if tournament is None:
            raise NotNow(say("hall.day-over"))
        if isinstance(act, CallTables):
            kind = TableCall(secrets.token_hex(8), "text" if act.text else "judge-comes", text=act.text)
            await hall.call(list(act.tables), kind)
            return
        await hall.decide(*_decisions(act, tournament, hall))
        if isinstance(act, BeginSoon) and act.minutes:
            tables = [desk.table for desk in hall.desks() if hall.live_table(desk) is not None]
            await hall.call(tables, TableCall(secrets.token_hex(8), "round-begins", act.minutes))


def _decisions(act: Any, tournament: Tournament, hall: Hall) -> list[AnyDecision]:
    """What the organiser's deed means."""
    match act:
        case ChangePlan():
            return [PlanChanged(act.title, act.mode, act.planned, act.game, act.five)]
        case EndDay():
            return [DayEnded()]
        case PlaceTable():
            return [TablePlaced(act.hall, act.table, act.title, act.room, act.companion, act.used)]
        case PlaceTables():
            return _many_tables(act, tournament, hall.name)
        case EnterPlayer():
            return [_player(act, tournament)]
        case EnterPlayers():
            first, since = int(tournament.free_number()), tournament.round + 1
            return [
                PlayerEntered(str(first + n), name, "", act.agreed, since) for n, name in enumerate(act.names)
            ]
        case DropPlayer():
            return [PlayerDropped(act.number, act.dropped)]
        case PairRound():
            return [paired(tournament, hall, act.final, secrets.randbelow(2**31))]
        case CancelRound():
            return [RoundCancelled(act.round)]
        case BeginSoon():
            return [RoundCalled(hall.wall() + 60 * act.minutes if act.minutes else 0.0)]
        case SettleResult():
            return [ResultSettled(act.round, act.hall, act.table, act.seats, act.reason)]
        case _:
            raise AssertionError(act)


def _many_tables(act: PlaceTables, tournament: Tournament, hall: str) -> list[AnyDecision]:
    taken = {desk.table for desk in tournament.tables if desk.hall == hall}
    free = (n for n in range(1, 10_000) if f"table-{n}" not in taken)
    return [
        TablePlaced(hall, f"table-{n}", f"{act.word} {n}", act.room, act.companion)
        for n, _ in zip(free, range(act.count), strict=False)
    ]


def _player(act: EnterPlayer, tournament: Tournament) -> PlayerEntered:
    known = tournament.players.get(act.number)
    number = act.number or tournament.free_number()
    since = known.since if known else tournament.round + 1
    return PlayerEntered(number, act.name, act.nickname, act.agreed, since)


def paired(tournament: Tournament, hall: Hall, final: tuple[str, ...], seed: int) -> RoundPaired:
    """The next round; raises `NotNow` if there are too few players or tables."""
    desks = [desk for desk in hall.desks() if desk in tournament.tables and tournament.tables[desk].used]
    round = tournament.round + 1
    if final:
        if len(set(final)) < 2 or not set(final) <= set(tournament.players):
            raise NotNow(say("hall.too-few-players"))
        if not desks:
            raise NotNow(count("hall.too-few-tables", 1, there=0))
        order = sorted(set(final))
        Random(f"{seed}/{round}/final").shuffle(order)
        return RoundPaired(round, seed, (TableSeating(*desks[0], tuple(order)),), final=True)
    made = pair(
        tournament.hall_players(),
        tournament.outcomes(hall.claims()),
        mode=tournament.plan.mode,
        round=round,
        seed=seed,
        five_allowed=tournament.plan.five,
    )
    if not made.tables:
        raise NotNow(say("hall.too-few-players"))
    if len(made.tables) > len(desks):
        raise NotNow(count("hall.too-few-tables", len(made.tables), there=len(desks)))
    seatings = tuple(
        TableSeating(*desk, table.players, table.reasons)
        for desk, table in zip(desks, made.tables, strict=False)
    )
    return RoundPaired(round, seed, seatings, made.byes, made.reasons)


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()
