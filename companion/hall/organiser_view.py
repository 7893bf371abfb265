"""What the organiser's page shows, as one JSON value."""

from __future__ import annotations

from typing import Any

from companion.hall.hall import Hall
from companion.hall.reasons import reason_text
from companion.hall.standings import finalists
from companion.hall.tournament import OPEN, HallDesk, RoundPaired, Tournament
from companion.texts import render, shown

AT_FINAL = 4


def now_json(hall: Hall, round: int | None, language: str) -> dict[str, Any]:
    """Everything; of the rounds only this one, or the newest."""
    tournament = hall.tournament
    found: dict[str, Any] = {
        "hall": hall.name,
        "trouble": render(hall.trouble, language) if hall.trouble else "",
        "broker": hall.subscriber.trouble if not hall.subscriber.connected else "",
        "connected": hall.subscriber.connected,
        "ignored": dict(hall.live.ignored),
        "lacks": hall.live.lacks(),
        "open": tournament is not None and not tournament.ended,
    }
    if tournament is None:
        return found
    rounds = len(tournament.rounds)
    chosen = rounds if round is None or not 1 <= round <= rounds else round
    plan = tournament.plan
    best = finalists(hall.standing(), AT_FINAL)
    return found | {
        "day": tournament.day,
        "plan": {
            "title": shown(plan.title),
            "mode": plan.mode,
            "planned": plan.planned,
            "game": shown(plan.game),
            "five": plan.five,
        },
        "rounds": rounds,
        "tables": [_table(hall, tournament, desk) for desk in hall.desks()],
        "players": [
            [
                player.number,
                shown(player.name),
                shown(player.nickname),
                player.agreed,
                player.number in tournament.dropped,
                player.since,
            ]
            for player in tournament.players.values()
        ],
        "round": _round(hall, tournament, tournament.rounds[chosen - 1], language) if chosen else None,
        "finalists": {"players": best.players, "undecided": best.undecided, "open": best.open},
    }


def _table(hall: Hall, tournament: Tournament, desk: HallDesk) -> dict[str, Any]:
    placed, live = tournament.tables.get(desk), hall.live_table(desk)
    return {
        "hall": desk.hall,
        "table": desk.table,
        "title": shown(hall.title(desk)),
        "room": shown(placed.room) if placed else "",
        "companion": placed.companion if placed else True,
        "used": placed.used if placed else False,
        "placed": placed is not None,
        "online": None if live is None else live.online,
        "judge": bool(live and live.state and live.state.call == "judge"),
    }


def _round(hall: Hall, tournament: Tournament, paired: RoundPaired, language: str) -> dict[str, Any]:
    claims = hall.claims()
    tables = []
    for seating in paired.tables:
        desk = HallDesk(seating.hall, seating.table)
        claim = claims.get((paired.round, desk), OPEN)
        tables.append(
            {
                "hall": desk.hall,
                "table": desk.table,
                "title": shown(hall.title(desk)),
                "players": seating.players,
                "claim": claim,
                "why": [render(reason_text(reason, tournament), language) for reason in seating.reasons],
            }
        )
    return {
        "round": paired.round,
        "final": paired.final,
        "tables": tables,
        "byes": paired.byes,
        "why": [render(reason_text(reason, tournament), language) for reason in paired.reasons],
    }
