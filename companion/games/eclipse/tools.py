"""Calculations for a table that is not followed in detail: the upkeep, and the odds of a battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.counters import Correctable
from companion.core.parts import GameTool
from companion.core.words import Text, say
from companion.games.eclipse.component_types import CIRCLES, PRODUCTION, STORAGE, UPKEEP
from companion.games.eclipse.odds import MOST_SHIPS, odds_of

SHIP = {
    "n": (1, 1, MOST_SHIPS),
    "init": (2, 0, 20),
    "hull": (0, 0, 12),
    "comp": (0, 0, 10),
    "shield": (0, 0, 10),
}
"""The numbers of a kind of ship: what they are at first, and their bounds."""
DICE = ("yellow", "orange", "red")
MOST_DICE = 8


def _upkeep(told: Mapping[str, int]) -> tuple[Text, ...]:
    """What the discs cost, and what is left."""
    cost, income = UPKEEP[told["empty"]], PRODUCTION[told["left"]]
    rest = told["money"] + income - cost
    after = say("eclipse.tool.left", n=rest) if rest >= 0 else say("eclipse.tool.missing", n=-rest)
    return say("eclipse.tool.cost", cost=cost, income=income), after


def _odds(told: Mapping[str, int]) -> tuple[Text, ...]:
    """The odds of one kind of ship against another."""

    def fleet(side: str) -> list[dict[str, object]]:
        ship = {name: told[f"{side}-{name}"] for name in SHIP}
        return [{"type": "cru", **ship, "cannons": [told[f"{side}-{die}"] for die in DICE]}]

    told_odds = odds_of({side: fleet(side) for side in ("attacker", "defender")}).sentences()
    return tuple(text for text in told_odds if not text.key.startswith("eclipse.odds.left-"))


def _ships() -> Iterator[Correctable]:
    for side in ("attacker", "defender"):
        group = say(f"eclipse.tool.{side}")
        for name, (usual, low, high) in SHIP.items():
            text = say(f"eclipse.tool.{name}")
            yield Correctable(f"{side}-{name}", None, text, usual, low, high, group=group)
        for die in DICE:
            text = say(f"eclipse.tool.{die}")
            yield Correctable(f"{side}-{die}", None, text, int(die == "yellow"), 0, MOST_DICE, group=group)


TOOLS = (
    GameTool(
        id="upkeep",
        text=say("eclipse.tool.upkeep"),
        fields=(
            Correctable("empty", None, say("eclipse.tool.empty"), 3, 0, CIRCLES),
            Correctable("left", None, say("eclipse.tool.cubes"), 0, 0, len(PRODUCTION) - 1),
            Correctable("money", None, say("eclipse.tool.money"), 2, 0, STORAGE),
        ),
        tell=_upkeep,
    ),
    GameTool(id="odds", text=say("eclipse.tool.odds"), fields=tuple(_ships()), tell=_odds),
)
