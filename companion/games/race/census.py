"""What the rulebook counts in its box (its list "Rozkład"); taught facts are checked against it."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.census import Breakdown, Buckets, Cohort, only
from companion.core.game import Setup
from companion.core.words import Text, say
from companion.games.race.cards import Card

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


def census(setup: Setup) -> tuple[Cohort, ...]:
    """What the rulebook counts; it counts the cards of the first edition only."""
    return (DEVELOPMENTS, WORLDS) if setup.choices.get("edition", "first") == "first" else ()


def _called(name: str) -> Callable[[int], Text]:
    return lambda number: say(f"race.census.{name}", number=number)


def _makers(bucket: tuple[str, str, bool]) -> Text:
    world, good, military = bucket
    return say(f"race.census.{'military-' if military else ''}{world}", good=say(f"race.good.{good}"))


def _maker(card: Card) -> Buckets:
    """Which good a world produces and how, and whether it is conquered."""
    return () if card.good is None else ((card.world, card.good, card.is_military),)


DEVELOPMENTS = Cohort(
    say("race.census.developments"),
    lambda card: isinstance(card, Card) and not card.is_world,
    (Breakdown(lambda card: only(card.cost), DEVELOPMENT_COSTS, _called("development-cost")),),
)

WORLDS = Cohort(
    say("race.census.worlds"),
    lambda card: isinstance(card, Card) and card.is_world,
    (
        Breakdown(lambda card: only(card.cost), WORLD_COSTS, _called("world-cost")),
        Breakdown(lambda card: only(card.defense), DEFENSES, _called("defense")),
        Breakdown(
            lambda card: only(card.defense if card.good == "alien" else None),
            ALIEN_DEFENSES,
            _called("alien-defense"),
        ),
        Breakdown(
            lambda card: only(card.defense if "rebel" in card.keywords else None),
            REBEL_DEFENSES,
            _called("rebel-defense"),
        ),
        Breakdown(
            _maker,
            {(*made, military): both[military] for made, both in GOODS.items() for military in (False, True)},
            _makers,
        ),
    ),
)
