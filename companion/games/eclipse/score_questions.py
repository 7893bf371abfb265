"""What people tell about a table that was played without us, since no picture of hexes and tiles shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.core.counters import Counter, choice
from companion.core.words import Argument, Text, plain, say
from companion.games.eclipse import things
from companion.games.eclipse.things import CATEGORIES, sectors, species, technologies
from companion.games.eclipse.whole_table import DISCOVERIES
from scoring.eclipse import TRACK

Ask = Callable[[Counter], int]
NOT_TOLD = 0
LONGEST_TRACK = len(TRACK) - 1


def seat_told(n: int, name: str, seen: Sequence[str], diplomacy: bool, ask: Ask) -> dict[str, Any]:
    """One seat of a plain position: `seen` are its sectors and what was seen of its board."""
    mine = tuple(id for id in seen if id in sectors())
    board = _species(n, name, seen, ask)
    seat: dict[str, Any] = {"name": name, "species": board, "sectors": mine}
    seat["reputation"] = _reputation(n, name, board, seen, ask)
    if diplomacy:
        text = _words("ambassadors", name)
        seat["ambassadors"] = ask(Counter(f"ambassadors:{n}", n, text, 0, 0, things.AMBASSADORS_OF_A_SEAT))
    seat["discoveries"] = ask(Counter(f"discoveries:{n}", n, _words("discoveries", name), 0, 0, DISCOVERIES))
    seat |= _technologies(n, name, board, seen, ask)
    seat["monoliths"] = _monoliths(n, name, mine, ask)
    return seat


def _words(what: str, seat: str, **args: Argument) -> Text:
    return say(f"eclipse.position.ask-{what}", seat=seat, **args)


def _species(n: int, name: str, seen: Sequence[str], ask: Ask) -> str:
    """The board that was seen; else it is asked for, and the only home sector with a disc is a hint."""
    boards = tuple(species())
    shown = [id for id in boards if id in seen]
    if len(shown) == 1:
        return shown[0]
    homes = [at for at, id in enumerate(boards, start=1) if species()[id].home in seen]
    names = [(at, species()[id].called) for at, id in enumerate(boards, start=1)]
    told = ask(
        choice(
            f"species:{n}",
            n,
            _words("species", name),
            homes[0] if len(homes) == 1 else NOT_TOLD,
            [(NOT_TOLD, say("eclipse.position.not-told")), *names],
        )
    )
    return "" if told == NOT_TOLD else boards[told - 1]


def _reputation(n: int, name: str, board: str, seen: Sequence[str], ask: Ask) -> list[int]:
    """How many tiles of each value; those that were seen are counted already."""
    tracks = [species()[id].track for id in ([board] if board else species())]
    room = max(track.either + track.reputation for track in tracks)
    values: list[int] = []
    for id, tile in sorted(things.reputations().items(), key=lambda item: -item[1].value):
        text = _words("reputation", name, value=tile.value)
        most = min(tile.copies, room)
        told = ask(Counter(f"{id}:{n}", n, text, min(list(seen).count(id), most), 0, most))
        values += [tile.value] * told
    return values


def _technologies(n: int, name: str, board: str, seen: Sequence[str], ask: Ask) -> dict[str, Any]:
    """The tiles that were seen, and how many lie on each track: at least those and what is printed there."""
    tiles = tuple(id for id in seen if id in technologies())
    printed = species()[board].technologies if board else ()
    told: dict[str, Any] = {"technologies": tiles}
    for category in CATEGORIES:
        known = sum(technologies()[id].category == category for id in {*tiles, *printed})
        least = min(known, LONGEST_TRACK)
        text = _words("track", name, track=say(f"eclipse.line.technologies-{category}"))
        told[category] = ask(Counter(f"{category}:{n}", n, text, least, least, LONGEST_TRACK))
    return told


def _monoliths(n: int, name: str, mine: tuple[str, ...], ask: Ask) -> list[str]:
    """On which of a seat's sectors monoliths stand."""
    many = ask(Counter(f"monoliths:{n}", n, _words("monoliths", name), 0, 0, len(mine))) if mine else 0
    if many == len(mine):
        return list(mine)
    on: list[str] = []
    for nth in range(1, many + 1):
        free = [(sectors()[id].number, sectors()[id].called) for id in mine if id not in on]
        text = _words("monolith-on", name, nth=nth)
        names = [(NOT_TOLD, say("eclipse.position.not-told")), *free]
        told = ask(choice(f"monolith-{nth}:{n}", n, text, NOT_TOLD, names))
        on.append(next((id for id in mine if sectors()[id].number == told), ""))
    return on


def traitor_told(names: Sequence[str], ask: Ask) -> str:
    """Who has the traitor card; empty if nobody."""
    values = [
        (0, say("eclipse.position.nobody")),
        *((n, plain(name)) for n, name in enumerate(names, start=1)),
    ]
    told = ask(choice("traitor", None, say("eclipse.position.ask-traitor"), 0, values))
    return names[told - 1] if told else ""


def storage(rulings: str) -> int:
    """How much of a resource can be in store by these rules."""
    return things.LIMITLESS if rulings == "later" else things.STORAGE


def stock_told(n: int, name: str, most: int, ask: Ask) -> dict[str, int]:
    """What is in store, asked for only where it breaks a tie."""
    return {
        kind: ask(
            Counter(
                f"{kind}:{n}",
                n,
                _words("stock", name, kind=say(f"eclipse.kind.{kind}")),
                0,
                0,
                most,
            )
        )
        for kind in things.RESOURCES
    }
