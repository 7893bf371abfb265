"""How cards look: a face drawn from their facts, and its colours."""

from __future__ import annotations

from companion.core.components import UNKNOWN
from companion.core.faces import ARROW, Face, Sign, Signs, Tints
from companion.games.lantern.component_types import AnyEffect, Glow, Light

TINTS: Tints = {
    "warm": ("#F5B94D", "#FFD98A", "#7A4A00"),
    "cold": ("#8FB7E8", "#C9DDF6", "#24507F"),
    "light": ("#FFE07A", "#FFF3C4", "#7A5A00"),
    "oil": ("#CF9A6A", "#EBCBAC", "#6A4526"),
}


def face(light: Light) -> Face:
    """A card: its brightness in the rail, then its colour and effect; a question mark for unknown facts."""
    known = light.light is not UNKNOWN
    colour = (Sign("unknown"),) if light.colour is UNKNOWN else (Sign(light.colour),)
    if light.effects is UNKNOWN:
        effects: Signs = (Sign("unknown"),)
    else:
        effects = tuple(sign for effect in light.effects for sign in _effect(effect))
    return Face(
        "card",
        light.called,
        "" if light.colour is UNKNOWN else light.colour,
        corners=(Sign("light", str(light.light) if known else "?", dim=not known),),
        rows=((*colour, *effects),),
    )


def _effect(effect: AnyEffect) -> Signs:
    if isinstance(effect, Glow):
        return (Sign("oil", f"+{effect.oil}"),)
    return (Sign("back") if effect.whom == "left" else ARROW, Sign("oil", "\u22121"))
