"""What hexes, tiles and boards look like: a face out of their facts, and the colours of it all."""

from __future__ import annotations

from companion.core.faces import Tints

AMBER = ("#F5B94D", "#FFD98A", "#8F5000")

TINTS: Tints = {
    "money": ("#F5A03C", "#FFD0A0", "#8A4B00"),
    "science": ("#F39AC7", "#FFD3E8", "#9C2F6B"),
    "materials": ("#CF9A6A", "#EBCBAC", "#6A4526"),
    "gray": ("#DFE5EE", "#FFFFFF", "#4A5361"),
    "points": AMBER,
    "star": AMBER,
    "discovery": AMBER,
    "reputation": AMBER,
    "artifact": ("#9FE3E8", "#D8F7F9", "#1F6F76"),
    "bolt": ("#FFE07A", "#FFF3C4", "#7A5A00"),
    "yellow": ("#F4D34A", "#FBEBA0", "#7A5A00"),
    "orange": ("#F28A2E", "#FBC597", "#8A4B00"),
    "bad": ("#FF9C92", "#FFC9C3", "#A8281F"),
    "red": ("#F0625C", "#F9B5B2", "#A8281F"),
}
for _kind in ("money", "science", "materials"):
    TINTS[f"{_kind}-income"] = TINTS[f"{_kind}-advanced"] = TINTS[_kind]
TINTS["upkeep"] = TINTS["money"]
TINTS["discoveries"] = TINTS["discovery"]
