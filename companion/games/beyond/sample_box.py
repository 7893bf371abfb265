"""A fully taught sample box of Beyond the Sun for demonstrations and tests; all values are invented."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec

from companion.core.components import UNKNOWN, Component, Facts, fact_of
from companion.core.forms import form_of
from companion.core.game import Setup
from companion.games.beyond.bots import BeyondBots
from companion.games.beyond.component_types import Edition, Event, System, everything
from companion.games.beyond.printed import printed


@cache
def made_up_box(seed: int = 1, edition: Edition = "revised") -> Facts:
    """Invented values for everything unknown: playable boards, and cards that use the whole vocabulary."""
    bots: Any = BeyondBots(Setup("beyond", ("a", "b"), {"edition": edition}), Random(seed))
    facts: Facts = {}
    for card in everything(edition):
        fields = [row.field for row in printed(card) if row.teachable and row.field != "name"]
        for field in fields:
            if getattr(card, field) is UNKNOWN:
                facts[f"{card.id}.{field}"] = bots._fact(card.id, field, form_of(type(card), field, "beyond"))
    facts |= _counted(edition)
    return msgspec.json.decode(msgspec.json.encode(facts), type=dict[str, Any])


GOALS = {"technologies": 5, "level-2": 3, "controlled": 3}
"""The numbers achievements of a demonstration require: within reach of a game of about fifteen rounds."""
SLOTS = 2
"""The points of every slot of an achievement: the seat that claims the most also ends the game."""


def even_box() -> Facts:
    """The same box for demonstrations, adjusted so that no single card decides the game."""
    cards, facts = everything("revised"), made_up_box()
    return {key: _evened(cards[fact_of(key)[0]], fact_of(key)[1], told) for key, told in facts.items()}


def _evened(card: Component, field: str, told: Any) -> Any:
    if field == "points":
        value = told if isinstance(told, int) else 0
        return value % 2 if isinstance(card, Event) else 4 + value % 3
    if field == "slots":
        return [{**slot, "slot_points": SLOTS} for slot in told]
    if field == "condition" and told.get("counted") in GOALS:
        return {**told, "number": GOALS[told["counted"]]}
    return told


def _counted(edition: Edition) -> Facts:
    """The rulebook's numbers: twelve systems in each deck, four start systems, ten events of each level."""
    box = everything(edition)
    systems = [card for card in box if isinstance(card, System)]
    more = [card for card in systems if card.deck is UNKNOWN]
    decks = {card.id: "A" if n < 10 else "B" for n, card in enumerate(more)}
    starts = [id for id, deck in decks.items() if deck == "A"]
    facts: Facts = {f"{id}.deck": deck for id, deck in decks.items()}
    facts |= {f"{card.id}.start": card.id in starts[:4] for card in systems if card.deck != "B"}
    facts |= {"secret-arms-purchase.event_level": 2, "event-12.event_level": 3}
    piles = ("warlord", "efficiency", "flexibility", "achievement-8")
    facts |= {f"{id}.pile": "A" for id in piles}
    facts |= {f"{id}.pile": "B" for id in ("technologist", "achievement-9", "achievement-10")}
    for level, guilds in ((1, ("terraformers", "professors")), (2, ("technocrats", "metascientists"))):
        facts |= {f"{guild}-guild.guild_level": level for guild in guilds}
    return facts
