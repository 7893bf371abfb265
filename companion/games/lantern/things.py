"""The cards as typed values, read from `components.toml`."""

from __future__ import annotations

import importlib.resources
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.components import UNKNOWN, Catalogue, Component, Fact, SaidBy, Untold, read_toml
from companion.core.words import Text, count, say


class Effect(Struct, frozen=True, tag_field="does"):
    """Something a card does when it leads: a closed vocabulary."""


class Glow(Effect, frozen=True, tag="glow"):
    """Whoever leads takes more oil."""

    oil: Annotated[int, Meta(ge=1, le=2)]


class Dazzle(Effect, frozen=True, tag="dazzle"):
    """A neighbour puts one oil back."""

    whom: Literal["left", "right"]


AnyEffect = Glow | Dazzle


class Light(Component, frozen=True, kw_only=True):
    """A card that shines: how bright the Moth is nobody knows, nor what colour the Firefly has and what it does."""

    light: Annotated[int, Meta(ge=0, le=3)] | Untold = UNKNOWN
    colour: Literal["warm", "cold"] | Untold = UNKNOWN
    effects: tuple[AnyEffect, ...] | Untold = UNKNOWN


def say_effect(effect: AnyEffect) -> Text:
    """What an effect means."""
    if isinstance(effect, Glow):
        return count("lantern.effect.glow", effect.oil)
    return say("lantern.effect.dazzle", whom=say(f"lantern.whom.{effect.whom}"))


class Source(Struct, frozen=True):
    """Who says what is printed."""

    said_by: SaidBy


class Components(Struct, frozen=True):
    """The whole of `components.toml`."""

    source: Source
    lights: tuple[Light, ...]


@cache
def lights() -> Catalogue[Light]:
    """Every card there is, as the box prints it."""
    printed: Components = read_toml(importlib.resources.files(__package__) / "components.toml", Components)
    return Catalogue(printed.lights, {"*": Fact(None, printed.source.said_by)})
