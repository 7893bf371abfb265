"""What the rulebook counts in the box (rules 5, 8, 9, 10, 106), to compare with what is taught."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.census import Breakdown, Buckets, Cohort, only
from companion.core.components import UNKNOWN
from companion.core.game import Setup
from companion.core.words import Text, say
from companion.games.beyond.component_types import Achievement, Event, System, Technology
from companion.games.beyond.operations import TYPES

DECKS = {"A": 12, "B": 12}
START = {"start": 4}
EVENTS = {2: 10, 3: 10}
PILES = {"core": 2, "A": 4, "B": 4}
LEVEL_ONE = dict.fromkeys(TYPES, 1)


def census(setup: Setup) -> tuple[Cohort, ...]:
    """The numbers of components the rulebook gives."""
    return SYSTEMS, EVENT_CARDS, ACHIEVEMENTS, FIRST_LEVEL


def _called(key: str) -> Callable[[Any], Text]:
    return lambda bucket: say(f"beyond.census.{key}", which=str(bucket))


def _start(card: System) -> Buckets | None:
    return None if card.start is UNKNOWN else ("start",) if card.start else ()


def _types(card: Technology) -> Buckets | None:
    return None if card.types is UNKNOWN else sorted(card.types)


SYSTEMS = Cohort(
    say("beyond.sort.system"),
    lambda card: isinstance(card, System),
    (
        Breakdown(lambda card: only(card.deck), DECKS, _called("deck")),
        Breakdown(_start, START, _called("start")),
    ),
)
EVENT_CARDS = Cohort(
    say("beyond.sort.event"),
    lambda card: isinstance(card, Event),
    (Breakdown(lambda card: only(card.event_level), EVENTS, _called("events")),),
)
ACHIEVEMENTS = Cohort(
    say("beyond.sort.achievement"),
    lambda card: isinstance(card, Achievement),
    (Breakdown(lambda card: only(card.pile), PILES, _called("pile")),),
)
FIRST_LEVEL = Cohort(
    say("beyond.sort.level-1"),
    lambda card: isinstance(card, Technology) and card.level == 1,
    (Breakdown(_types, LEVEL_ONE, lambda kind: say("beyond.census.type", type=say(f"beyond.types.{kind}"))),),
)
