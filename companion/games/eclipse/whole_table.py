"""Checks of a finished table as a whole: it may be impossible although no single seat is.

Seats are identified by the word used in the sentences: a name, or a place in a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.core.words import Text, plain, say
from companion.games.eclipse import component_types
from companion.games.eclipse.component_types import sectors, sectors_of

DISCOVERIES = sum(tile.copies for tile in component_types.discoveries().values())


def most_discoveries(players: int) -> int:
    """How many discoveries so many players can find: one on each hex that shows one, as far as these hexes
    are in play."""
    lying = [hex for hex in sectors().values() if hex.discovery and hex.ring != "outer"]
    outer = [id for id in sectors_of("outer") if sectors()[id].discovery]
    return min(DISCOVERIES, len(lying) + min(len(outer), outer_in_play(players)))


def outer_in_play(players: int) -> int:
    """How many outer hexes are in play; all of them if the game does not allow that number of players."""
    return component_types.OUTER_SECTORS.get(players, len(sectors_of("outer")))


def discoveries(kept: Mapping[str, int]) -> Iterator[Text]:
    """More discoveries kept than can be found."""
    most = most_discoveries(len(kept))
    if sum(kept.values()) > most:
        yield say(
            "eclipse.position.discoveries",
            n=sum(kept.values()),
            seats=_counted(kept),
            players=len(kept),
            most=most,
        )


def monoliths(built: Mapping[str, int]) -> Iterator[Text]:
    """More monoliths than there are tiles."""
    most = component_types.STRUCTURES_IN_BOX
    if sum(built.values()) > most:
        yield say("eclipse.position.monoliths", n=sum(built.values()), seats=_counted(built), most=most)


def outer_hexes(owned: Mapping[str, Iterable[str]]) -> Iterator[Text]:
    """Discs on more outer hexes than are in play."""
    held = {seat: len(_outer(hexes)) for seat, hexes in owned.items()}
    most = outer_in_play(len(owned))
    if sum(held.values()) > most:
        yield say(
            "eclipse.position.outer",
            n=sum(held.values()),
            seats=_counted(held),
            players=len(owned),
            most=most,
        )


def ambassadors(held: Mapping[str, int]) -> Iterator[Text]:
    """Ambassadors on one side only: they are always exchanged (p. 11)."""
    alone = False
    for seat, n in held.items():
        others = sum(count > 0 for other, count in held.items() if other != seat)
        if n > others:
            alone = True
            yield say("eclipse.position.ambassadors-alone", seat=seat, n=n, others=others)
    if not alone and not _exchanged(held.values()):
        yield say("eclipse.position.ambassadors-unpaired", seats=_counted(held))


def _exchanged(numbers: Iterable[int]) -> bool:
    """Whether these numbers of partners are possible, pairing the seat with the most with the others that
    have the most."""
    left = sorted(numbers, reverse=True)
    while left and left[0] > 0:
        partners, left = left[0], left[1:]
        if partners > len(left):
            return False
        left = sorted([n - (at < partners) for at, n in enumerate(left)], reverse=True)
    return not left or left[-1] >= 0


def most_ancients(hostile: Mapping[str, Iterable[str]], peaceful: Iterable[str]) -> int:
    """How many Ancients may be left beside these discs; `peaceful` are the hexes of seats that need not fight
    them."""
    players = len(hostile)
    cleared, shared = {id for hexes in hostile.values() for id in hexes}, set(peaceful)
    inner = sum(hex.ancients for hex in sectors().values() if hex.ring != "outer" and hex.id not in cleared)
    guarded = sum(sectors()[id].ancients for id in _outer(shared - cleared))
    unowned = [sectors()[id].ancients for id in sectors_of("outer") if id not in cleared | shared]
    others = max(0, outer_in_play(players) - len(_outer(cleared | shared)))
    return min(component_types.ANCIENTS_IN_BOX, inner + guarded + sum(sorted(unowned, reverse=True)[:others]))


def ancients(n: int, hostile: Mapping[str, Iterable[str]], peaceful: Iterable[str]) -> Iterator[Text]:
    """Ancients where they cannot be: on a hex with a disc, unless it is a disc of Draco's Descendants (pp. 9, 27)."""
    most = most_ancients(hostile, peaceful)
    if n <= most:
        return
    cleared = {
        seat: [sectors()[id].called for id in hexes if id in sectors() and sectors()[id].ancients]
        for seat, hexes in hostile.items()
    }
    where = tuple(
        say("eclipse.position.hexes-of", seat=seat, hexes=tuple(found))
        for seat, found in cleared.items()
        if found
    )
    if where:
        yield say("eclipse.position.ancients-owned", n=n, most=most, seats=where)
    else:
        yield say("eclipse.position.ancients-in-play", n=n, most=most, players=len(hostile))


def _outer(hexes: Iterable[str]) -> set[str]:
    return {id for id in hexes if id in sectors() and sectors()[id].ring == "outer"}


def _counted(numbers: Mapping[str, int]) -> tuple[Text, ...]:
    return tuple(plain(f"{seat} {n}") for seat, n in numbers.items() if n)
