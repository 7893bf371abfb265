"""What the rulebook counts in its box (its list "Rozkład"): a fact somebody teaches can be checked against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.game import Setup
from companion.core.words import Text, say
from companion.games.race.cards import Card, deck

DEVELOPMENT_COSTS = {1: 12, 2: 12, 3: 4, 4: 8, 5: 2, 6: 12}
WORLD_COSTS = {0: 2, 1: 6, 2: 11, 3: 10, 4: 5, 5: 5, 6: 2}
DEFENSES = {1: 6, 2: 7, 3: 3, 4: 2, 5: 2, 6: 2, 7: 1}
ALIEN_DEFENSES = {2: 1, 4: 1, 5: 1, 6: 1}
REBEL_DEFENSES = {1: 1, 2: 1, 3: 2, 5: 1, 6: 1, 7: 1}
GOODS = {
    ("windfall", "novelty"): (2, 3),
    ("windfall", "rare"): (5, 2),
    ("windfall", "genes"): (2, 5),
    ("windfall", "alien"): (3, 3),
    ("production", "novelty"): (8, 1),
    ("production", "rare"): (5, 1),
    ("production", "genes"): (3, 1),
    ("production", "alien"): (1, 1),
}
"""How many worlds are paid for, and how many are conquered."""


def census(setup: Setup) -> tuple[Text, ...]:
    """What contradicts the rulebook; it counts the cards of the first edition only."""
    if setup.choices.get("edition", "first") != "first":
        return ()
    cards = deck("first").taught(setup.facts)
    return tuple(contradictions([card for card in cards for _ in range(card.copies)]))


def contradictions(box: list[Card]) -> Iterator[Text]:
    """Every count that is not as the rulebook prints it."""
    worlds = [card for card in box if card.is_world]
    numbered: dict[str, tuple[dict[int, int], list[int | None]]] = {
        "development-cost": (DEVELOPMENT_COSTS, [c.cost for c in box if not c.is_world]),
        "world-cost": (WORLD_COSTS, [c.cost for c in worlds if c.cost is not None]),
        "defense": (DEFENSES, [c.defense for c in worlds if c.is_military]),
        "alien-defense": (ALIEN_DEFENSES, [c.defense for c in worlds if c.is_military and c.good == "alien"]),
        "rebel-defense": (REBEL_DEFENSES, [c.defense for c in box if "rebel" in c.keywords]),
    }
    for name, (printed, found) in numbered.items():
        for number, cards in _differing(printed, Counter(found)):
            what = say(f"race.census.{name}", number=number)
            yield say("race.census.counts", what=what, printed=printed.get(number, 0), found=cards)
    for (world, good), both in GOODS.items():
        makers = [c.is_military for c in worlds if (c.world, c.good) == (world, good)]
        for military in (False, True):
            if makers.count(military) != both[military]:
                kind = say(
                    f"race.census.{'military-' if military else ''}{world}", good=say(f"race.good.{good}")
                )
                yield say(
                    "race.census.counts", what=kind, printed=both[military], found=makers.count(military)
                )


def _differing(printed: dict[int, int], found: Counter[int | None]) -> Iterator[tuple[int, int]]:
    for number in sorted({*printed, *(n for n in found if n is not None)}):
        if found[number] != printed.get(number, 0):
            yield number, found[number]
