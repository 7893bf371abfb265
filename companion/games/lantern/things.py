"""The cards as typed values, read from `components.toml`."""

from __future__ import annotations

import importlib.resources
from functools import cache

from msgspec import Struct

from companion.core.components import Catalogue, Component, Fact, SaidBy, Untold, read_toml


class Light(Component, frozen=True, kw_only=True):
    """A card that shines: nobody knows how bright the Moth is."""

    light: int | Untold


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
