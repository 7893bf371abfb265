"""The symbols people tap to teach what is printed."""

from __future__ import annotations

from companion.core.faces import Sign
from companion.games.transgalactica.effect_signs import PLANETS, TOKENS, stuff

FIELDS = {
    "tunnel": Sign("tunnel"),
    "income": Sign("income"),
    "again": Sign("income"),
    "reward": Sign("points"),
    "shows": Sign("points"),
    "token": Sign("bonus-basic"),
    "strength": Sign("military"),
    "gate": Sign("technology"),
    "places": Sign("slot"),
    "slots": Sign("slot"),
    "colours": Sign("all-colours"),
    "cost": Sign("credits"),
    "less": Sign("discount"),
    "free": Sign("free"),
    "crew": Sign("crew"),
    "mining": Sign("mining-token"),
    "pirates": Sign("pirates"),
    "fleet": Sign("fleet"),
    "routes": Sign("map"),
    "sketch": Sign("map"),
    "energy": Sign("energy"),
    "last": Sign("end"),
}
"""The symbols of fields."""

DOES = {
    "gain": Sign("points"),
    "advance": Sign("advance"),
    "move": Sign("move"),
    "to-tunnel": Sign("to-tunnel"),
    "raise": Sign("trade-up"),
    "act": Sign("main-action"),
    "mark": Sign("mark"),
    "take-mission": Sign("mission"),
    "complete-mission": Sign("complete"),
    "place-outpost": Sign("outpost"),
    "take-token": Sign("bonus-basic"),
    "mining-symbol": Sign("mining"),
    "double-income": Sign("double-income"),
    "override": Sign("used-action"),
    "mobilise": Sign("mobilise"),
    "mines": Sign("planet"),
    "pay": Sign("arrow"),
    "either": Sign("or"),
}

STUFF = ("vp", "credit", "energy", "mineral", "alien", "any")


def value_sign(field: str, value: int | str) -> Sign | None:
    """The symbol of a field's value, or else of the field itself."""
    if value == "":
        return FIELDS.get(field)
    match field:
        case "does":
            return DOES.get(str(value))
        case "what" | "cost" | "less" if value in STUFF:
            return stuff(str(value))
        case "colours":
            return PLANETS.get(str(value))
        case "tracks" | "track":
            return Sign(str(value))
        case "level" if value in ("trade", "military"):
            return Sign(f"{value}-up")
        case "action" if value != "any":
            return Sign(str(value))
        case "action":
            return Sign("main-action")
        case "kind":
            return Sign(f"{value}-action")
        case "colour" | "token" if value != "none":
            return Sign(TOKENS[str(value)])
        case "where":
            return Sign("orbit" if value == "ship" else "action-planet")
        case "slots":
            return _demand(str(value))
        case "gate" | "level_one" | "level_two" | "level_three":
            return Sign("level", str(value))
    return None


def _demand(demand: str) -> Sign:
    if demand == "crew":
        return Sign("crew")
    return Sign("slot", demand.removeprefix("trade-") if demand != "none" else "")
