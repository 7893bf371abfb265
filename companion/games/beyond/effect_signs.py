"""Operations, abilities and conditions as rows of symbols, without words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import singledispatch

from msgspec import Struct

from companion.core.faces import ARROW, Sign, Signs
from companion.games.beyond import operations as ops
from companion.games.beyond.operations import Action, AnyOperation
from scoring.beyond import Counted, Formula

MINUS = "\N{MINUS SIGN}"
OR = Sign("count", "/")
CUBE: dict[str, Sign] = {"population": Sign("population"), "supply": Sign("supply")}
DISC = {"food": (Sign("food"),), "ore": (Sign("ore-disc"),), "either": (Sign("food"), OR, Sign("ore-disc"))}
PLACE: dict[str, Signs] = {"shipyard": (), "sol": (Sign("sol"),), "deep-space": (Sign("deep-space"),)}

HELD: dict[Counted, Sign] = {
    "colonised": Sign("systems"),
    "controlled": Sign("bases"),
    "shipyards": Sign("shipyard"),
    "technologies": Sign("technologies"),
    "level-1": Sign("level-1"),
    "level-2": Sign("level-2"),
    "level-3": Sign("level-3"),
    "level-4": Sign("level-4"),
    "private": Sign("private"),
    "science": Sign("science"),
    "economy": Sign("economy"),
    "military": Sign("military"),
    "commerce": Sign("commerce"),
    "automation": Sign("automation"),
    "food-removed": Sign("food"),
    "ore-removed": Sign("ore-disc"),
    "symbols": Sign("system"),
    "ships": Sign("ships"),
    "strength": Sign("strength"),
    "achievements": Sign("achievements"),
    "population": Sign("population"),
    "ore": Sign("ore"),
}
"""The symbol of everything a card can count."""


def level(n: int) -> Sign:
    """The symbol of a technology level."""
    return Sign(f"level-{n}")


def points(n: int | str) -> Sign:
    """Points: a hexagon with the number."""
    return Sign("points", str(n))


def effects(operations: Iterable[AnyOperation]) -> Signs:
    """The signs of these operations in order."""
    return tuple(sign for operation in operations for sign in about(operation))


def action_signs(action: Action) -> Signs:
    """An action: its spaces, its cost, what it does."""
    cost = effects(action.cost)
    spaces = Sign("space", str(action.spaces) if action.spaces > 1 else "")
    return (spaces, *cost, *((ARROW,) if cost else ()), *effects(action.effects))


def counted(formula: Formula) -> Signs:
    """The signs of what a '?' gives."""
    base = (points(formula.base),) if formula.base else ()
    most = (Sign("count", f"≤{formula.most}"),) if formula.most else ()
    return (*base, points(f"+{formula.points}"), *per(formula.per, formula.each), *most)


def per(what: ops.Per, each: int) -> Signs:
    """Signs for "for each" or "for every few" of something; none if it happens once."""
    if what == "once":
        return ()
    return (Sign("count", "/" if each == 1 else f"/{each}"), HELD[what])


def _many(n: int, sign: Sign) -> Signs:
    return (sign,) if n == 1 else (Sign("count", f"{n}×"), sign)


@singledispatch
def about(told: Struct) -> Signs:
    """The signs of an operation, ability or condition."""
    raise NotImplementedError(type(told).__name__)


def _shown(kind: type[Struct], signs: Callable[..., Signs]) -> None:
    about.register(kind, signs)


_shown(ops.GainOre, lambda t: (Sign("ore", f"+{t.n}"), *per(t.per, t.each)))
_shown(ops.PayOre, lambda t: (Sign("ore", f"{MINUS}{t.n}"),))
_shown(ops.PayOpponent, lambda t: (Sign("ore", f"{MINUS}{t.n}"), ARROW, Sign("opponent")))
_shown(ops.Recruit, lambda t: (*_column(t.column), Sign("population", f"+{t.n}"), *per(t.per, t.each)))
_shown(ops.Retire, lambda t: (Sign("population", f"{MINUS}{t.n}"),))
_shown(ops.Jump, lambda t: (Sign("jump", str(t.points)),))
_shown(ops.JumpAnywhere, lambda t: (*_many(t.ships, Sign("ship")), Sign(t.to)))
_shown(ops.Automate, lambda t: (*_times(t.n), *DISC[t.disc], Sign("automation")))
_shown(ops.Colonise, lambda t: (Sign("colony"), *((Sign("told"),) if t.stealth else ())))
_shown(ops.MoveSupply, lambda t: (Sign("columns", str(t.n)),))
_shown(ops.CopyAction, lambda t: (Sign("copy"), *SCOPE[t.scope]))
_shown(ops.RepeatImmediate, lambda t: (Sign("repeat"), Sign("now")))
_shown(ops.PrivateTechnology, lambda t: (Sign("private"), level(t.private_level)))
_shown(ops.UncoverGuild, lambda t: (Sign("guild"), Sign("count", str(t.guild_level))))
_shown(ops.Displace, lambda t: (Sign("displace"),))
_shown(ops.AllProduction, lambda t: (Sign("production"), Sign("ore"), Sign("trade")))
_shown(ops.ToMuseum, lambda t: (*_many(t.n, Sign("ship")), ARROW, Sign("museum")))
_shown(ops.LaySystem, lambda t: (Sign(f"deck-{t.deck.lower()}"), ARROW, Sign("system")))
_shown(ops.TakeSystem, lambda t: (Sign("system"), ARROW, Sign("systems")))
_shown(ops.Told, lambda t: (Sign("told"),))
_shown(ops.LackOne, lambda t: (Sign("eye"), Sign("technology"), Sign("count", f"{MINUS}1")))
_shown(ops.OreForRetired, lambda t: (Sign("population", f"{MINUS}1"), OR, Sign("ore", f"{MINUS}1")))
_shown(ops.EitherTrack, lambda t: (Sign("food"), Sign("trade"), Sign("ore-disc")))
_shown(ops.FastJumps, lambda t: (Sign("jump", "1"), Sign("anywhere")))
_shown(ops.TakeOccupied, lambda t: (Sign("displace"),))
_shown(ops.OtherAbility, lambda t: (Sign("told"),))
_shown(ops.AtLeast, lambda t: (Sign("count", f"≥{t.number}"), HELD[t.counted]))
_shown(ops.AllOfLevel, lambda t: (Sign("tree"), Sign(f"level-{t.tree_level}")))
_shown(ops.StrengthAt, lambda t: (Sign("strength", f"{t.strength}+"), *_many(t.locations, Sign("system"))))
_shown(ops.ToldCondition, lambda t: (Sign("told"),))
_shown(ops.Choice, lambda t: effects(t.effects))
_shown(ops.Everyone, lambda t: (Sign("people"), *((Sign("may"),) if t.may else ()), *effects(t.effects)))
_shown(ops.When, lambda t: (*MOMENT[t.when], ARROW, *effects(t.effects)))
_shown(Formula, counted)

SCOPE: dict[str, Signs] = {
    "basic": (Sign("action"),),
    "research": (Sign("research"),),
    "own": (Sign("technology"),),
}
MOMENT: dict[ops.Trigger, Signs] = {
    "three-exchanges": (Sign("count", "3×"), Sign("trade")),
    "last-ore-disc": (Sign("ore-discs"), Sign("count", "0")),
    "last-food-disc": (Sign("food-discs"), Sign("count", "0")),
    "gaining-control": (Sign("base"),),
    "colonising": (Sign("colony"),),
    "research": (Sign("research"),),
}
"""The signs of the moment that triggers an ability."""


def _times(n: int) -> Signs:
    return (Sign("count", f"{n}×"),) if n > 1 else ()


def _column(column: str) -> Signs:
    """The sign of a supply column, unless it is the leftmost."""
    return () if column == "leftmost" else (Sign("supply", column.upper()),)


@about.register
def _(told: ops.Build) -> Signs:
    """Signs of a cube that becomes a ship."""
    cube = (CUBE[told.source],) if told.source in CUBE else _column(told.source)
    may = (Sign("may"),) if told.optional else ()
    return (*may, *_times(told.n), *cube, Sign("ship", str(told.level)), *PLACE[told.place])


@about.register
def _(told: ops.Upgrade) -> Signs:
    may = (Sign("may"),) if told.up_to else ()
    if told.spread:
        return (*may, Sign("upgrade", f"+{told.levels}"), Sign("ships"))
    return (*may, *_many(told.ships, Sign("ship")), Sign("upgrade", f"+{told.levels}"))


@about.register
def _(told: ops.Research) -> Signs:
    what = (Sign("research"), Sign("systems")) if told.level == "colonised+1" else (level(told.level),)
    kind = (Sign(told.type),) if told.type != "any" else ()
    return (*((Sign("eye"),) if told.discovered else ()), *kind, *what)


@about.register
def _(told: ops.Choose) -> Signs:
    """The options separated by a stroke, after a "may" sign if the choice is optional."""
    head: Signs = (Sign("may"),) if told.optional else ()
    if told.picks > 1:
        head = (*head, Sign("choice", f"{told.picks}×"))
    shown: Signs = ()
    for option in told.options:
        shown = (*shown, *((OR,) if shown else ()), *effects(option.effects))
    return (*head, *shown)


# Single values

FIELDS: dict[str, Sign] = {
    "points": Sign("points"),
    "slots": Sign("points"),
    "types": Sign("science"),
    "immediate": Sign("now"),
    "actions": Sign("space"),
    "abilities": Sign("ability"),
    "effects": Sign("event"),
    "strength": Sign("strength"),
    "specialisations": Sign("food"),
    "control_bonus": Sign("base"),
    "colony_bonus": Sign("colony"),
    "ore_cost": Sign("ore"),
    "retired": Sign("population"),
    "condition": Sign("achievement"),
    "growth": Sign("food"),
    "ore_track": Sign("ore-disc"),
    "columns": Sign("columns"),
    "automation": Sign("automation"),
    "yards": Sign("shipyard"),
    "routes": Sign("jump"),
    "spaces": Sign("space"),
}
"""The symbol of each field that can be taught."""

DOES: dict[str, str] = {
    "gain-ore": "ore",
    "pay-ore": "ore",
    "pay-opponent": "opponent",
    "recruit": "population",
    "retire": "supply",
    "build": "ship",
    "upgrade": "upgrade",
    "jump": "jump",
    "jump-anywhere": "anywhere",
    "automate": "automation",
    "research": "research",
    "colonise": "colony",
    "move-supply": "columns",
    "copy": "copy",
    "repeat": "repeat",
    "private-technology": "private",
    "uncover-guild": "guild",
    "displace": "displace",
    "all-production": "production",
    "to-museum": "museum",
    "lay-system": "system",
    "take-system": "systems",
    "told": "told",
    "everyone": "people",
    "choose": "choice",
    "lack-one": "eye",
    "ore-for-retired": "ore",
    "either-track": "trade",
    "fast-jumps": "jump",
    "take-occupied": "displace",
    "when": "now",
    "other-ability": "told",
    "at-least": "count",
    "all-of-level": "tree",
    "strength-at": "strength",
    "told-condition": "told",
    "formula": "points",
}
"""The symbol of each kind of operation, ability or condition."""


def value_sign(field: str, value: int | str) -> Sign | None:
    """The symbol of a field's value, or else of the field itself."""
    if value == "":
        return FIELDS.get(field)
    match field:
        case "points" | "slot_points":
            return points(value)
        case "strength":
            return Sign("strength", str(value))
        case "specialisations" | "yards" | "disc":
            return DISC[str(value)][0] if value in DISC else None
        case "ore_cost":
            return Sign("ore", str(value))
        case "retired":
            return Sign("population", str(value))
        case "level" | "event_level" | "tree_level" | "private_level":
            return Sign(f"level-{value}") if isinstance(value, int) else Sign("research")
        case "per" | "counted":
            return HELD.get(value)  # type: ignore[call-overload,no-any-return]
        case "place" | "to":
            return Sign("shipyard" if value == "shipyard" else str(value))
        case "source":
            return CUBE.get(str(value), Sign("supply", str(value).upper()))
        case "does":
            return Sign(DOES[str(value)]) if value in DOES else None
    return None
