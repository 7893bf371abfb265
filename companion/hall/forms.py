"""The form of a table: its people type a result on a phone, and the others confirm it. The key is in its QR code.

The key says which table, not who holds the phone: as on paper, people at one table vouch for each other, and the
judge has the last word.
"""

from __future__ import annotations

import hmac
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.core.words import say
from companion.errors import NotNow, StorageTrouble
from companion.hall.hall import Hall
from companion.hall.tournament import (
    OPEN,
    Claim,
    ClaimedSeat,
    HallDesk,
    ResultAnswered,
    ResultTyped,
    Tournament,
)
from companion.hall.web import address_of, as_json, body_of, language_of, refused
from companion.porter.limits import Rate
from companion.texts import shown

MOST_BODY = 4096
A_MINUTE = 40


class FormAsked(Struct, frozen=True):
    """Which table, and its key."""

    hall: str
    table: str
    key: str


class FormResult(FormAsked, frozen=True, forbid_unknown_fields=True):
    """A result for this round."""

    round: int
    seats: tuple[ClaimedSeat, ...]
    by: str


class FormAnswer(FormAsked, frozen=True, forbid_unknown_fields=True):
    """A player's yes or no to what was typed."""

    round: int
    typed: int
    player: str
    right: bool


class Forms:
    """The handlers of tables' forms."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._by_address, self._by_table = Rate(A_MINUTE), Rate(A_MINUTE)

    def routes(self) -> list[Route]:
        """What the form asks for and says."""
        return [
            Route("/table/now", self._now, methods=["POST"]),
            Route("/table/typed", self._typed, methods=["POST"]),
            Route("/table/answered", self._answered, methods=["POST"]),
        ]

    async def _read(self, request: Request, kind: type[Any]) -> Any:
        """What was posted; else the response that refuses it."""
        if not self._by_address.allows(address_of(request), self._hall.clock()):
            return Response(status_code=429)
        data = await body_of(request, MOST_BODY)
        try:
            asked = msgspec.json.decode(data or b"", type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return Response(status_code=400)
        tournament = self._hall.tournament
        desk = HallDesk(asked.hall, asked.table)
        right = tournament is not None and hmac.compare_digest(
            asked.key.encode(), tournament.key_of(desk).encode()
        )
        if not right or tournament is None or desk not in tournament.tables:
            return refused(say("hall.wrong-key"), language_of(request))
        if not self._by_table.allows("/".join(desk), self._hall.clock()):
            return Response(status_code=429)
        return asked

    async def _now(self, request: Request) -> Response:
        asked = await self._read(request, FormAsked)
        return asked if isinstance(asked, Response) else self._shown(HallDesk(asked.hall, asked.table))

    def _shown(self, desk: HallDesk) -> Response:
        tournament = self._hall.tournament
        assert tournament is not None
        seating = tournament.seating(tournament.round, desk)
        claim = self._claim(tournament, desk)
        players = seating.players if seating else ()
        return as_json(
            {
                "title": shown(self._hall.title(desk)),
                "round": tournament.round,
                "players": [[player, shown(tournament.shown(player))] for player in players],
                "claim": claim,
            }
        )

    def _claim(self, tournament: Tournament, desk: HallDesk) -> Claim:
        return self._hall.claims().get((tournament.round, desk), OPEN)

    async def _typed(self, request: Request) -> Response:
        asked = await self._read(request, FormResult)
        if isinstance(asked, Response):
            return asked
        made = ResultTyped(asked.round, asked.hall, asked.table, asked.seats, asked.by)
        return await self._decided(request, asked, made)

    async def _answered(self, request: Request) -> Response:
        asked = await self._read(request, FormAnswer)
        if isinstance(asked, Response):
            return asked
        made = ResultAnswered(asked.round, asked.hall, asked.table, asked.typed, asked.player, asked.right)
        return await self._decided(request, asked, made)

    async def _decided(
        self, request: Request, asked: FormAsked, decision: ResultTyped | ResultAnswered
    ) -> Response:
        desk = HallDesk(asked.hall, asked.table)
        try:
            tournament = self._hall.tournament
            assert tournament is not None
            if decision.round != tournament.round:
                raise NotNow(say("hall.another-round"))
            claim = self._claim(tournament, desk)
            if claim.status == "official" or claim.source in ("judge", "table"):
                raise NotNow(say("hall.judge-decides"))
            if isinstance(decision, ResultTyped):
                seating = tournament.seating(decision.round, desk)
                if seating is None or decision.by not in seating.players:
                    raise NotNow(say("hall.not-at-table"))
            await self._hall.decide(decision)
        except (NotNow, StorageTrouble) as e:
            return refused(e.text, language_of(request))
        return self._shown(desk)
