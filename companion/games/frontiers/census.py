"""What the rulebook counts among the 60 worlds (its "Podsumowanie planet", p. 10); taught facts are checked
against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.census import Breakdown, Buckets, Cohort, only
from companion.core.components import UNKNOWN
from companion.core.forms import value_words
from companion.core.game import Setup
from companion.core.words import Text, say
from companion.games.frontiers.component_types import LARGE_COST, Development, Home, World
from companion.games.frontiers.powers import gained

COSTS = {0: 1, 1: 3, 2: 12, 3: 5, 4: 4, 5: 6, 6: 2, 7: 1}
DEFENCES = {1: 5, 2: 6, 3: 3, 4: 3, 5: 2, 6: 2, 7: 1, 8: 2, 9: 2}
COLONISTS = {1: (21, 18), 2: (13, 8)}
GOODS = {"windfall": (11, 12), "production": (20, 6), "gray": (3, 8)}
KINDS = {"novelty": (12, 3), "rare": (9, 4), "genes": (5, 6), "alien": (4, 5), "any": (1, 0)}
KEYWORDS = {"imperium": (4, 3), "rebel": (0, 11), "uplift": (4, 6)}
"""How many worlds are paid for, and how many are conquered. The Alien word and Terraforming are not counted."""
REBEL_UPLIFT = (0, 1)
GRAY_ALIEN = (1, 0)
QUESTIONS = (2, 2)
"""The list names two themes each; we read that as one world with a '?' for each theme."""
MOST_POINTS = (6, 9)

Of = Callable[[World], Buckets | None]


def census(setup: Setup) -> tuple[Cohort, ...]:
    """What the rulebook counts."""
    return WORLDS, DEVELOPMENTS


def _both(printed: dict[Any, tuple[int, int]]) -> dict[tuple[Any, bool], int]:
    """The counts of peaceful and of military worlds in one dictionary."""
    return {
        (bucket, military): both[military] for bucket, both in printed.items() for military in (False, True)
    }


def _worlds(what: Callable[[Any], Text]) -> Callable[[tuple[Any, bool]], Text]:
    """The name of a group of worlds, with "military" or "peaceful"."""

    def called(bucket: tuple[Any, bool]) -> Text:
        which, military = bucket
        return say(f"frontiers.census.{'military' if military else 'peaceful'}", what=what(which))

    return called


def _split(of: Of) -> Of:
    """The same buckets, split by whether a world is military; unknown while its price is unknown."""

    def split(world: World) -> Buckets | None:
        buckets = of(world)
        if buckets is None or world.price is UNKNOWN:
            return None
        return [(bucket, world.is_military) for bucket in buckets]

    return split


def _goods(world: World) -> Buckets | None:
    return None if world.product is UNKNOWN else (world.goods or "gray",)


def _kinds(world: World) -> Buckets | None:
    return None if world.product is UNKNOWN else only(world.kind)


def _keywords(world: World) -> Buckets | None:
    return None if world.keywords is UNKNOWN else sorted(world.keywords & set(KEYWORDS))


def _rebel_uplift(world: World) -> Buckets | None:
    if world.keywords is UNKNOWN:
        return None
    return ("rebel-uplift",) if {"rebel", "uplift"} <= world.keywords else ()


def _gray_alien(world: World) -> Buckets | None:
    if UNKNOWN in (world.keywords, world.product):
        return None
    return ("gray-alien",) if world.product == "gray" and "alien" in (world.keywords or ()) else ()


def _questions(world: World) -> Buckets | None:
    return None if world.points is UNKNOWN else ("question",) if world.points == "?" else ()


def _rich(world: World) -> Buckets | None:
    """Worlds with more points than any world in the bag has."""
    if UNKNOWN in (world.points, world.price):
        return None
    too_many = isinstance(world.points, int) and world.points > MOST_POINTS[world.is_military]
    return ("rich",) if too_many else ()


def _own(bucket: str) -> Text:
    return say(f"frontiers.census.{bucket}")


PRICES = {f"cost-{n}": worlds for n, worlds in COSTS.items()} | {
    f"defence-{n}": worlds for n, worlds in DEFENCES.items()
}

WORLDS = Cohort(
    say("frontiers.census.worlds"),
    lambda tile: isinstance(tile, World) and not isinstance(tile, Home),
    (
        Breakdown(
            lambda world: only(world.price),
            PRICES,
            lambda price: say("frontiers.census.price", price=value_words("frontiers", "price", price)),
        ),
        Breakdown(
            _split(lambda world: only(world.colonists)),
            _both(COLONISTS),
            _worlds(lambda n: gained("colonists", n)),
        ),
        Breakdown(_split(_goods), _both(GOODS), _worlds(_own)),
        Breakdown(_split(_kinds), _both(KINDS), _worlds(lambda kind: say(f"frontiers.census.kind-{kind}"))),
        Breakdown(
            _split(_keywords), _both(KEYWORDS), _worlds(lambda word: say(f"frontiers.keywords.{word}"))
        ),
        Breakdown(_split(_rebel_uplift), _both({"rebel-uplift": REBEL_UPLIFT}), _worlds(_own)),
        Breakdown(_split(_gray_alien), _both({"gray-alien": GRAY_ALIEN}), _worlds(_own)),
        Breakdown(_split(_questions), _both({"question": QUESTIONS}), _worlds(_own)),
        Breakdown(_split(_rich), _both({"rich": (0, 0)}), _worlds(_own)),
    ),
)


def _nines(tile: Development) -> Buckets | None:
    """Small developments at the cost that only large ones have (p. 1)."""
    if tile.cost is UNKNOWN:
        return None
    return ("small-nine",) if tile.cost == LARGE_COST and not tile.large else ()


DEVELOPMENTS = Cohort(
    say("frontiers.census.developments"),
    lambda tile: isinstance(tile, Development),
    (Breakdown(_nines, {"small-nine": 0}, _own),),
)
