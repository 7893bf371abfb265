"""The cards as typed values, read from `components.toml`."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.components import UNKNOWN, Catalogue, Component, Untold
from companion.core.plain_game import read_components
from companion.core.words import Text, count, say


class Effect(Struct, frozen=True, tag_field="does"):
    """Something a card does when it leads: a closed vocabulary."""


class Glow(Effect, frozen=True, tag="glow"):
    """The leader takes more oil."""

    oil: Annotated[int, Meta(ge=1, le=2)]


class Dazzle(Effect, frozen=True, tag="dazzle"):
    """A neighbour puts one oil back."""

    whom: Literal["left", "right"]


AnyEffect = Glow | Dazzle


class Light(Component, frozen=True, kw_only=True):
    """A card with a brightness. The Moth's brightness and the Firefly's colour and effect are unknown."""

    light: Annotated[int, Meta(ge=0, le=3)] | Untold = UNKNOWN
    colour: Literal["warm", "cold"] | Untold = UNKNOWN
    effects: tuple[AnyEffect, ...] | Untold = UNKNOWN


def say_effect(effect: AnyEffect) -> Text:
    """What an effect means."""
    if isinstance(effect, Glow):
        return count("lantern.effect.glow", effect.oil)
    return say("lantern.effect.dazzle", whom=say(f"lantern.whom.{effect.whom}"))


@cache
def lights() -> Catalogue[Light]:
    """Every card, as the box prints it."""
    return read_components(__package__, "lights", Light)
