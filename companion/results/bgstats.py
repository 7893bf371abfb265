"""Plays for the app BG Stats: a link that its app opens, and, as an experiment, its file.

`SOURCE` and all ids never change: the app remembers by them who is who and which plays it has. Nothing is sent: the
link opens the app on the phone that follows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid5

import msgspec

from companion.core.journal import Journal
from companion.core.play import game_name
from companion.results.evenings import Evening, Seat, evening, evenings

SOURCE = "Tabletop Companion"
IDS = UUID("8e4f0c5a-51f4-5d0b-9c1e-3f8d1f0a7b35")
"""The namespace of all ids."""

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
MOST_IN_CODE = 1000
"""Characters of a link that still make a QR code large enough to be read from the screen."""

People = Mapping[str, str]
"""For each person the spelling of their name that makes their id."""


def people(every: Sequence[Evening]) -> dict[str, str]:
    """The spelling under which each person was first recorded: a rename or a merge later keeps the id."""
    first: dict[str, str] = {}
    recorded = sorted(every, key=lambda one: (one.id < 0, abs(one.id)))
    for one in recorded:
        for seat in one.seats:
            first.setdefault(seat.name, seat.spelled)
    return first


def play_id(one: Evening) -> str:
    """The id of a play."""
    return uuid5(IDS, f"play {one.id} {one.at!r}").hex


def player_id(name: str, known: People) -> str:
    """The id of a person, short because a code has several."""
    return uuid5(IDS, f"person {known.get(name, name)}").hex[:10]


def play(one: Evening, game: str, known: People, *, brief: bool = False) -> dict[str, Any]:
    """The fields of a play as the app reads them; `brief` for a code. Unknown values are left out."""
    found: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": play_id(one),
        "playDate": _utc(one.at),
        "game": {"name": game, "sourceGameId": one.game, "highestWins": True, "noPoints": _pointless(one)},
        "players": [_player(seat, known, brief=brief) for seat in one.seats],
    }
    if one.seconds is not None:
        found["durationMin"] = max(1, round(one.seconds / 60))
    if one.place and not brief:
        found["location"] = one.place
    if one.note and not brief:
        found["comments"] = one.note
    return found


def _player(seat: Seat, known: People, *, brief: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": seat.name,
        "sourcePlayerId": player_id(seat.name, known),
        "winner": seat.won,
    }
    if seat.points is not None:
        found["score"] = seat.points
    if not brief:
        found["rank"] = seat.rank
    return found


def link(one: Evening, game: str, known: People, *, brief: bool = False) -> str:
    """The link that gives a play to the app."""
    return ADDRESS + quote(msgspec.json.encode(play(one, game, known, brief=brief)), safe=",:")


def link_of(journal: Journal, number: int) -> str:
    """The link of a play in the journal."""
    (ending,) = journal.endings(number - 1, 1)
    one = evening(ending, journal.annotations.now(), journal)
    return link(one, game_name(journal, ending.play), people(evenings(journal)))


def code(one: Evening, game: str, known: People) -> str | None:
    """The link to show as a QR code; None if even trimmed it makes a code too fine to be read."""
    short = link(one, game, known, brief=True)
    return short if len(short) <= MOST_IN_CODE else None


def file(every: Sequence[Evening], names: Mapping[str, str]) -> dict[str, Any]:
    """Plays as a file of the app (`.bgsplay`): an experiment, as the app's maker does not describe the file."""
    known, over = people(every), [one for one in every if one.over]
    games = {id: n for n, id in enumerate(dict.fromkeys(one.game for one in over), 1)}
    persons = {name: n for n, name in enumerate(dict.fromkeys(s.name for one in over for s in one.seats), 1)}
    places = {name: n for n, name in enumerate(dict.fromkeys(one.place for one in over if one.place), 1)}
    return {
        "games": [
            {
                "id": n,
                "uuid": _uuid(f"game {id}"),
                "name": names.get(id, id),
                "highestWins": True,
                "noPoints": False,
            }
            for id, n in games.items()
        ],
        "players": [
            {"id": n, "uuid": _uuid(f"person {known[name]}"), "name": name, "isAnonymous": False}
            for name, n in persons.items()
        ],
        "locations": [{"id": n, "uuid": _uuid(f"place {name}"), "name": name} for name, n in places.items()],
        "plays": [_stored(one, games, persons, places) for one in over],
        "userInfo": {"meRefId": 0},
    }


def _stored(
    one: Evening, games: Mapping[str, int], persons: Mapping[str, int], places: Mapping[str, int]
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "uuid": str(UUID(play_id(one))).upper(),
        "playDate": _utc(one.at),
        "entryDate": _utc(one.at),
        "gameRefId": games[one.game],
        "ignored": False,
        "manualWinner": False,
        "playImages": "[]",
        "playerScores": [
            {
                "playerRefId": persons[seat.name],
                "score": "" if seat.points is None else str(seat.points),
                "winner": seat.won,
                "seatOrder": n,
                "rank": seat.rank,
            }
            for n, seat in enumerate(one.seats, 1)
        ],
    }
    if one.seconds is not None:
        found["durationMin"] = max(1, round(one.seconds / 60))
    if one.place:
        found["locationRefId"] = places[one.place]
    if one.rounds:
        found["rounds"] = one.rounds
    return found


def _uuid(what: str) -> str:
    return str(uuid5(IDS, what)).upper()


def _pointless(one: Evening) -> bool:
    return all(seat.points is None for seat in one.seats)


def _utc(at: float) -> str:
    """A date and time as the app writes it, in UTC: summer time never moves a play."""
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):  # a clock that was never set
        return "1970-01-01 00:00:00"
