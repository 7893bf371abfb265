"""A box of Beyond the Sun that is taught from end to end, for tests only: nothing in it claims to be printed."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec

from companion.core.components import UNKNOWN, Facts
from companion.core.forms import form_of
from companion.core.game import Setup
from companion.games.beyond.bots import BeyondBots
from companion.games.beyond.printed import printed
from companion.games.beyond.things import Edition, everything


@cache
def made_up_box(seed: int = 1, edition: Edition = "revised") -> Facts:
    """Everything nobody told, made up: boards that can be played, cards that do anything of the vocabulary."""
    bots: Any = BeyondBots(Setup("beyond", ("a", "b"), {"edition": edition}), Random(seed))
    facts: Facts = {}
    for card in everything(edition):
        fields = [row.field for row in printed(card) if row.teachable and row.field != "name"]
        for field in fields:
            if getattr(card, field) is UNKNOWN:
                facts[f"{card.id}.{field}"] = bots._fact(card.id, field, form_of(type(card), field, "beyond"))
    return msgspec.json.decode(msgspec.json.encode(facts), type=dict[str, Any])
