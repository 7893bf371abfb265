"""What is printed on the cards, in words."""

from __future__ import annotations

from companion.core.components import UNKNOWN
from companion.core.forms import field_words, value_words
from companion.core.printed_facts import Printed
from companion.core.words import Text, plain, say
from companion.games.lantern.component_types import AnyEffect, Light, say_effect


def printed(light: Light) -> tuple[Printed, ...]:
    """Every fact of a card in words; the owner of a box may teach other values for all but its number."""
    bright = () if light.light is UNKNOWN else (plain(str(light.light)),)
    colour = () if light.colour is UNKNOWN else (value_words("lantern", "colour", light.colour),)
    effects = () if light.effects is UNKNOWN else _effects(light.effects)
    return (
        _row("light", bright, teachable=True),
        _row("colour", colour, teachable=True),
        _row("effects", effects, teachable=True),
        _row("copies", (plain(str(light.copies)),)),
    )


def _effects(effects: tuple[AnyEffect, ...]) -> tuple[Text, ...]:
    return tuple(say_effect(effect) for effect in effects) or (say("core.form.nothing"),)


def _row(field: str, values: tuple[Text, ...], teachable: bool = False) -> Printed:
    return Printed(field, field_words("lantern", field), values, teachable)
