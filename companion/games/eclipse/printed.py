"""What is printed on hexes, tiles and boards, in words; and the kind of each component."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from companion.core.components import UNPRINTED, Component
from companion.core.forms import field_words
from companion.core.printed_facts import Printed
from companion.core.words import Text, plain, say
from companion.games.eclipse.component_types import (
    Discovery,
    Reputation,
    SectorHex,
    Species,
    Technology,
    everything,
)
from companion.games.eclipse.component_types import ShipPart as ShipPart

WORDS = {
    "ring": "eclipse.ring",
    "category": "eclipse.category",
    "build": "eclipse.ship",
    "ship": "eclipse.ship",
    "advanced": "eclipse.kind",
    "resource": "eclipse.kind",
    "colour": "eclipse.colour",
    "squares": "eclipse.square",
    "dice": "eclipse.die",
    "kind": "eclipse.part-kind",
    "gives": "eclipse.gives",
    "bonus": "eclipse.bonus",
    "stock": "eclipse.kind",
    "actions": "eclipse.action",
    "costs": "eclipse.ship",
    "track": "eclipse.track",
    "wormholes": "eclipse.way",
}
"""The prefix of the words for a field's values; values of other fields are names or numbers."""

KINDS: dict[type[Component], str] = {
    SectorHex: "hex",
    Technology: "technology",
    ShipPart: "part",
    Discovery: "discovery",
    Reputation: "reputation",
    Species: "board",
}


def kind(component: Component) -> Text:
    """The kind of component, in the words people search by."""
    return say(f"eclipse.component.{KINDS[type(component)]}")


def printed(component: Component) -> tuple[Printed, ...]:
    """Every fact of a component in words. No fact can be taught: all of them are known."""
    fields = [name for name in component.__struct_fields__ if name not in UNPRINTED]
    rows = [Printed(f, field_words("eclipse", f), _values(f, getattr(component, f))) for f in fields]
    return tuple(row for row in rows if row.values)


def _values(field: str, value: Any) -> tuple[Text, ...]:
    if value is None:
        return ()
    if isinstance(value, Struct):
        pairs = ((name, getattr(value, name)) for name in value.__struct_fields__)
        return tuple(
            say("eclipse.printed.pair", what=say(f"{WORDS[field]}.{name}"), n=n) for name, n in pairs
        )
    if isinstance(value, frozenset | tuple):
        many: Iterable[Any] = sorted(value) if isinstance(value, frozenset) else value
        return tuple(_value(field, one) for one in many)
    return (_value(field, value),)


def _value(field: str, value: Any) -> Text:
    if isinstance(value, bool):
        return say("eclipse.printed.yes" if value else "eclipse.printed.no")
    if field in WORDS:
        return say(f"{WORDS[field]}.{str(value).replace('*', '-advanced')}")
    if isinstance(value, str) and value in everything():
        return everything()[value].called
    return plain(str(value))
