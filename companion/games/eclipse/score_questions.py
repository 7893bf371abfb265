"""Questions about a table that was played without this program, for facts that no picture of hexes and tiles
shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.counters import choice
from companion.core.table_files import Asked, AskNumber
from companion.core.words import plain, say
from companion.games.eclipse import component_types
from companion.games.eclipse.component_types import CATEGORIES, sectors, species, technologies
from scoring.eclipse import TRACK

NOT_TOLD = 0
LONGEST_TRACK = len(TRACK) - 1


def seat_told(about: Asked, seen: Sequence[str], diplomacy: bool) -> dict[str, Any]:
    """One seat of a plain position: `seen` are its recognised sectors and parts of its board."""
    mine = tuple(id for id in seen if id in sectors())
    board = _species(about, seen)
    seat: dict[str, Any] = {"name": about.name, "species": board, "sectors": mine}
    seat["reputation"] = _reputation(about, board, seen)
    if diplomacy:
        seat["ambassadors"] = about.number("ambassadors")
    seat["discoveries"] = about.number("discoveries")
    seat |= _technologies(about, board, seen)
    seat["monoliths"] = _monoliths(about, mine)
    return seat


def _species(about: Asked, seen: Sequence[str]) -> str:
    """The recognised board; otherwise it is asked for, with the only home sector with a disc as a hint."""
    boards = tuple(species())
    shown = [id for id in boards if id in seen]
    if len(shown) == 1:
        return shown[0]
    homes = [at for at, id in enumerate(boards, start=1) if species()[id].home in seen]
    names = [(at, species()[id].called) for at, id in enumerate(boards, start=1)]
    begin = homes[0] if len(homes) == 1 else NOT_TOLD
    not_told = (NOT_TOLD, say("eclipse.position.not-told"))
    told = about.choice("species", about.words("species"), begin, [not_told, *names])
    return "" if told == NOT_TOLD else boards[told - 1]


def _reputation(about: Asked, board: str, seen: Sequence[str]) -> list[int]:
    """How many tiles of each value; recognised ones are already counted."""
    tracks = [species()[id].track for id in ([board] if board else species())]
    room = max(track.either + track.reputation for track in tracks)
    values: list[int] = []
    for id, tile in sorted(component_types.reputations().items(), key=lambda item: -item[1].value):
        text = about.words("reputation", value=tile.value)
        most = min(tile.copies, room)
        told = about.amount(id, text, most, min(list(seen).count(id), most))
        values += [tile.value] * told
    return values


def _technologies(about: Asked, board: str, seen: Sequence[str]) -> dict[str, Any]:
    """The recognised tiles, and how many lie on each track: at least those and the printed ones."""
    tiles = tuple(id for id in seen if id in technologies())
    printed = species()[board].technologies if board else ()
    told: dict[str, Any] = {"technologies": tiles}
    for category in CATEGORIES:
        known = sum(technologies()[id].category == category for id in {*tiles, *printed})
        least = min(known, LONGEST_TRACK)
        text = about.words("track", track=say(f"eclipse.line.technologies-{category}"))
        told[category] = about.amount(category, text, LONGEST_TRACK, least, least)
    return told


def _monoliths(about: Asked, mine: tuple[str, ...]) -> list[str]:
    """Which of a seat's sectors have monoliths."""
    many = about.amount("monoliths", about.words("monoliths"), len(mine)) if mine else 0
    if many == len(mine):
        return list(mine)
    on: list[str] = []
    for nth in range(1, many + 1):
        free = [(sectors()[id].number, sectors()[id].called) for id in mine if id not in on]
        text = about.words("monolith-on", nth=nth)
        names = [(NOT_TOLD, say("eclipse.position.not-told")), *free]
        told = about.choice(f"monolith-{nth}", text, NOT_TOLD, names)
        on.append(next((id for id in mine if sectors()[id].number == told), ""))
    return on


def traitor_told(names: Sequence[str], ask: AskNumber) -> str:
    """Who has the traitor card; empty if no one has it."""
    values = [
        (0, say("eclipse.position.nobody")),
        *((n, plain(name)) for n, name in enumerate(names, start=1)),
    ]
    told = ask(choice("traitor", None, say("eclipse.position.ask-traitor"), 0, values))
    return names[told - 1] if told else ""


def storage(rulings: str) -> int:
    """How much of a resource can be stored under these rules."""
    return component_types.LIMITLESS if rulings == "later" else component_types.STORAGE


def stock_told(about: Asked, most: int) -> dict[str, int]:
    """The stored resources, asked for only where they break a tie."""
    texts = {
        kind: about.words("stock", kind=say(f"eclipse.kind.{kind}")) for kind in component_types.RESOURCES
    }
    return {kind: about.amount(kind, text, most) for kind, text in texts.items()}
