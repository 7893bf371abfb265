"""What the board shows: one small row per table, and only what has changed since, ready to be sent.

Rows hold no times that run: `since` is a moment of the hall's clock, and every message says what that clock shows.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec

from companion.hall.hall import Hall
from companion.hall.live import HeardTable
from companion.hall.tournament import OPEN, Claim, HallDesk
from companion.hall_messages import TableState
from companion.texts import shown

TOP = 16
"""Rows of the standings on the board; phones ask for all."""
KEPT = 64
"""Changes kept for slow readers; who is slower gets the whole board again."""
ESTIMATE_EVERY = 10.0
BoardRow = dict[str, Any]
MARKS = ("circle", "square", "triangle", "diamond", "hexagon", "star")
"""The shapes of seats, in their order."""


class HallBoard:
    """The board's rows, and the log of changes that streams read from."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.version = 0
        self._made_of = -1
        self._rows: dict[str, BoardRow] = {}
        self._parts: BoardRow = {"head": {}, "top": [], "order": []}
        self._log: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self._whole: tuple[int, bytes] = (-1, b"")
        self._ends: tuple[float, BoardRow | None] = (-ESTIMATE_EVERY, None)
        self.lists_version = 0
        """Grows when pairings or standings, which are asked for one by one, may differ."""
        self._lists: object = None
        self._begin: tuple[float, float] = (0.0, 0.0)

    def renew(self) -> bool:
        """Compare with the hall as it is now; whether anything differs."""
        now = self._hall.clock()
        estimates_due = now - self._ends[0] >= ESTIMATE_EVERY
        if self._made_of == self._hall.version and not estimates_due:
            return False
        if estimates_due:
            self._ends = (now, self._ends_last(now))
        self._made_of = self._hall.version
        claims = self._hall.claims()
        some = self._some_desks()
        rows = {
            "/".join(desk): self._row(desk, claims) for desk in (self._hall.desks() if some is None else some)
        }
        tables = {id: _difference(self._rows.get(id, {}), row) for id, row in rows.items()}
        self._rows = rows if some is None else self._rows | rows
        standing = self._hall.standing()
        lists = (standing, self._hall.tournament.decided if self._hall.tournament else -1)
        if lists != self._lists:
            self._lists, self.lists_version = lists, self.lists_version + 1
        parts: BoardRow = {
            "head": self._head(claims),
            "top": _standing_rows(standing[:TOP]),
            "order": list(self._rows),
        }
        change: BoardRow = {name: value for name, value in parts.items() if value != self._parts[name]}
        if "head" in change:
            change["head"] = _difference(self._parts["head"], parts["head"])
        change_of_tables = {id: row for id, row in tables.items() if row}
        if change_of_tables:
            change["tables"] = change_of_tables
        self._parts = parts
        if not change:
            return False
        self.version += 1
        self._log.append((self.version, self._event("change", change)))
        return True

    def _some_desks(self) -> list[HallDesk] | None:
        """The tables whose rows may differ; None: all of them, because one is new or anything else changed."""
        fresh, name = self._hall.fresh(), self._hall.name
        if fresh is None or any(f"{name}/{table}" not in self._rows for table in fresh):
            return None
        return [HallDesk(name, table) for table in fresh]

    def whole(self) -> tuple[int, bytes]:
        """The newest version, and everything as one event."""
        if self._whole[0] != self.version:
            self._whole = (self.version, self._event("whole", {**self._parts, "tables": self._rows}))
        return self._whole

    def after(self, version: int) -> tuple[int, list[bytes]]:
        """The newest version, and what leads there from this one."""
        if version == self.version:
            return version, []
        if not self._log or self._log[0][0] > version + 1:
            newest, event = self.whole()
            return newest, [event]
        return self.version, [event for number, event in self._log if number > version]

    def _event(self, name: str, value: BoardRow) -> bytes:
        body = msgspec.json.encode({"now": round(self._hall.clock(), 1), "version": self.version, **value})
        return b"event: %s\ndata: %s\n\n" % (name.encode(), body)

    # Rows

    def _head(self, claims: dict[tuple[int, HallDesk], Claim]) -> BoardRow:
        hall, tournament = self._hall, self._hall.tournament
        waiting = sum(claim.status in ("awaiting", "disputed") for claim in claims.values())
        return {
            "title": shown(tournament.plan.title) if tournament else "",
            "game": shown(tournament.plan.game) if tournament else "",
            "mode": tournament.plan.mode if tournament else "heats",
            "round": tournament.round if tournament else 0,
            "planned": tournament.plan.planned if tournament else 0,
            "final": bool(tournament and tournament.rounds and tournament.rounds[-1].final),
            "open": bool(tournament and not tournament.ended),
            "begins": self._begins(),
            "waiting": waiting,
            "players": len(tournament.players) - len(tournament.dropped) if tournament else 0,
            "broker": hall.subscriber.connected,
            "disk": hall.trouble is None,
            "lacks": hall.live.lacks(),
            "last": self._ends[1],
            "lists": self.lists_version,
        }

    def _begins(self) -> float:
        """When the next round begins, by the hall's clock; 0: nobody knows."""
        tournament = self._hall.tournament
        at = tournament.begins if tournament else 0.0
        if at != self._begin[0]:
            self._begin = (at, round(self._hall.clock() + at - self._hall.wall()))
        return self._begin[1] if at else 0

    def _ends_last(self, now: float) -> BoardRow | None:
        """The table that will probably end last, and when, in moments of the hall's clock."""
        estimates = self._hall.estimates()
        if not estimates:
            return None
        desk = max(estimates, key=lambda desk: (estimates[desk].median, desk))
        left = estimates[desk]
        return {
            "table": "/".join(desk),
            "at": [60 * round((now + seconds) / 60) for seconds in (left.low, left.median, left.high)],
            "plays": left.plays,
        }

    def _row(self, desk: HallDesk, claims: dict[tuple[int, HallDesk], Claim]) -> BoardRow:
        hall, tournament = self._hall, self._hall.tournament
        live, placed = hall.live_table(desk), tournament.tables.get(desk) if tournament else None
        state = live.state if live else None
        seating = tournament.seating(tournament.round, desk) if tournament else None
        claim = claims.get((tournament.round, desk), OPEN) if tournament else OPEN
        here = tournament.assignment_id(tournament.round) if tournament and tournament.rounds else ""
        row: BoardRow = {
            "title": shown(hall.title(desk)),
            "room": shown(placed.room) if placed else "",
            "state": "free",
            "round": 0,
            "phase": {},
            "seats": [],
            "since": 0,
            "near": False,
            "judge": bool(state and state.call == "judge"),
            "offline": bool(live and live.online is False),
            "result": "" if claim.status == "open" else claim.status,
        }
        assigned = seating is None or (state is not None and state.assignment == here)
        if state is not None and (
            state.status in ("playing", "paused") or (assigned and state.status != "free")
        ):
            assert live is not None
            row |= self._playing(state, live)
        elif seating is not None:
            row["state"] = "sits" if claim.status == "open" else "finished"
            points = {seat.player: seat for seat in claim.seats}
            row["seats"] = [
                _seat(
                    tournament.shown(player) if tournament else "",
                    points[player].points if player in points else None,
                    won=player in points and points[player].place == 1,
                )
                for player in seating.players
            ]
        return row

    def _playing(self, state: TableState, live: HeardTable) -> BoardRow:
        waiting = state.status == "playing" and any(seat.waiting for seat in state.seats)
        best = max((seat.points for seat in state.seats if seat.points is not None), default=None)
        finished = state.status == "finished"
        result = live.results.get(state.play)
        won = {n for n, seat in enumerate(result.seats) if seat.rank == 1} if result else set()
        return {
            "state": {"playing": "plays", "paused": "paused", "finished": "finished"}[state.status],
            "round": state.round,
            "phase": {language: shown(words) for language, words in list(state.phase.items())[:2]},
            "seats": [
                _seat(
                    self._name(seat.player, seat.name),
                    seat.points,
                    waits=seat.waiting and waiting,
                    leads=best is not None and seat.points == best and not finished,
                    won=finished and n in won,
                )
                for n, seat in enumerate(state.seats)
            ],
            "since": round(live.heard - state.waited) if waiting else 0,
            "near": state.end_near and not finished,
        }

    def _name(self, player: str, name: str) -> str:
        tournament = self._hall.tournament
        if tournament is not None and player in tournament.players:
            return shown(tournament.shown(player))
        return shown(name)[:40]

    # Lists that are asked for

    def pairings(self) -> BoardRow:
        """Who plays where in the newest round, by name."""
        tournament = self._hall.tournament
        if tournament is None or not tournament.rounds:
            return {"round": 0, "players": [], "byes": []}
        newest = tournament.rounds[-1]
        seated = [
            [
                shown(tournament.shown(player)),
                shown(self._hall.title(HallDesk(s.hall, s.table))),
                n,
                player,
                self._room(HallDesk(s.hall, s.table)),
            ]
            for s in newest.tables
            for n, player in enumerate(s.players)
        ]
        byes = [[shown(tournament.shown(player)), player] for player in newest.byes]
        return {"round": newest.round, "final": newest.final, "players": seated, "byes": byes}

    def _room(self, desk: HallDesk) -> str:
        placed = self._hall.tournament.tables.get(desk) if self._hall.tournament else None
        return shown(placed.room) if placed else ""

    def standings(self) -> BoardRow:
        """Everybody's place."""
        return {"rows": _standing_rows(self._hall.standing())}


def _seat(
    name: str, points: int | None, *, waits: bool = False, leads: bool = False, won: bool = False
) -> list[Any]:
    """Name, points, and signs: w waits, l leads, x won."""
    return [shown(name), points, f"{'w' * waits}{'l' * leads}{'x' * won}"]


def _standing_rows(rows: Any) -> list[list[Any]]:
    return [
        [
            row.place,
            shown(row.name),
            _figure(row.wins),
            _figure(row.points),
            row.games,
            row.dropped,
            row.number,
        ]
        for row in rows
    ]


def _figure(value: float) -> float | int:
    """Two decimals at most, none where none are needed."""
    return int(value) if value == int(value) else round(value, 2)


def _difference(before: BoardRow, after: BoardRow) -> BoardRow:
    return {name: value for name, value in after.items() if name not in before or before[name] != value}
