"""How tiles look: faces drawn from their facts, and their colours. An unknown fact is a question mark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import singledispatch
from typing import get_args

from companion.core.components import UNKNOWN, Component, named_by_place
from companion.core.faces import ARROW, Face, Sign, Signs, Tints, shortener
from companion.core.words import Text
from companion.games.frontiers import powers
from companion.games.frontiers.component_types import (
    ActionTile,
    Development,
    GoalTile,
    Home,
    Tile,
    World,
    everything,
)
from companion.games.frontiers.powers import Gain, Gainful, Limited, Power, given
from scoring.frontiers import EVERY_NUMBER, PHASES, Keyword, Match, PerHeld, Term

PAPER, POINTS, RED = "#E8EDF5", "#F3B94D", "#FF8177"

TINTS: Tints = {
    "novelty": ("#57C7EA", "#A6E4F7", "#175A72"),
    "rare": ("#C98F5E", "#E6BF99", "#6A4526"),
    "genes": ("#86CF6B", "#BEE8AC", "#2F5E2A"),
    "alien": ("#F0DC4E", "#FAF0A2", "#5E5110"),
    "any": ("#B4C0D4", "#DCE3EE", "#46566F"),
    "plain": ("#B4C0D4", "#DCE3EE", "#46566F"),
    "action": ("#9ADBC8", "#C9EFE4", "#123043"),
    "development": (PAPER, "#FFFFFF", "#5A4A93"),
    "large": ("#C9BDF2", "#E4DDFA", "#473683"),
    "goal": ("#9ADBC8", "#C9EFE4", "#1F5A50"),
    "cost": (PAPER, "#FFFFFF", "#46566F"),
    "credits": ("#F0DC4E", "#FAF0A2", "#5E5110"),
    "colonists": ("#F2A65A", "#FAD2A8", "#7A4210"),
    "supply": ("#F2A65A", "#FAD2A8", "#7A4210"),
    "points": (POINTS, "#FFD98A", "#8F5000"),
    "chips": (POINTS, "#FFD98A", "#8F5000"),
    "pool": (POINTS, "#FFD98A", "#8F5000"),
    "defence": (RED, "#FFE3DF", "#1B1014"),
    "military": (RED, "#FFE3DF", "#A8281F"),
}
"""Each good also has a letter, so its colour is not the only hint; its dark colour is the rail of its worlds."""

LETTERS = {"novelty": "N", "rare": "R", "genes": "G", "alien": "A", "any": "?", "different": "≠"}
KEYWORDS: dict[Keyword, str] = {
    "alien": "AL",
    "imperium": "IM",
    "rebel": "RE",
    "terraforming": "TE",
    "uplift": "UP",
}
MINUS = "\N{MINUS SIGN}"
UNTOLD = Sign("unknown")

ACTIONS: dict[str, Signs] = {
    "isolation": (Sign("credits", "+2"),),
    "develop": (Sign("development", f"{MINUS}1"),),
    "explore": (Sign("explored", "+1"),),
    "settle": (Sign("colonists", "+1"),),
    "produce": (Sign("produce"), Sign("credits"), Sign("good", "?", "any", dim=True)),
    "trade-consume": (Sign("points", "+1"),),
    "envoys": (Sign("points", "+1"), Sign("envoys")),
    "chart-goals": (Sign("credits", "+1"), Sign("goal", "+1")),
}
"""The bonus of an action tile for the seat that selects it."""


GOALS: dict[str, Signs] = {
    "civil-service": (Sign("consume"),),
    "skilled-workforce": (Sign("different"),),
    "diversification": (Sign("good", "≠", "any"),),
    "faction-tolerance": (Sign("keyword", "≠"),),
    "conscription": (Sign("colonists"),),
    "exploration": (Sign("explored"),),
    "resource-stockpile": (Sign("goods"),),
    "sales-tax": (Sign("credits"),),
}
"""What a goal counts."""


def value_sign(field: str, value: int | str) -> Sign | None:
    """The symbol of a value of a field, or of the field itself."""
    if value == "":
        return FIELDS.get(field)
    match field:
        case "price":
            sort, _, number = str(value).partition("-")
            return Sign(sort, number)
        case "product" if value != "gray":
            kind, goods = str(value).split("-")
            return good(kind, there=goods == "production")
        case "product":
            return Sign("world")
        case "points":
            return points(value)
        case "colonists":
            return Sign("colonists", str(value))
        case "keywords":
            return keyword(value)  # type: ignore[arg-type]
        case "good" if value in LETTERS:
            return good(str(value))
        case "match" if value != "all":
            return about(value)[0]  # type: ignore[arg-type]
        case "held" if value == "kinds":
            return good("different")
        case "does":
            return Sign(PHASE_OF[str(value)]) if value in PHASE_OF else None
    return None


FIELDS = {
    "price": Sign("cost"),
    "product": Sign("good", "?", "any"),
    "keywords": Sign("keyword"),
}

PHASE_OF: dict[str, str] = {
    str(kind.__struct_config__.tag): kind.phase
    for kind in get_args(powers.AnyPower)
    if isinstance(kind.phase, str)
}
"""The action of each kind of power that belongs to one."""


def face(component: Component) -> Face:
    """The face of a component."""
    if isinstance(component, Tile):
        return _of_tile(component)
    if isinstance(component, GoalTile):
        steps = tuple(
            (*GOALS[component.id], Sign("count", str(n)), ARROW, points(p)) for n, p in component.steps
        )
        return Face("card", component.called, "goal", (Sign("goal"),), steps, short=_short(component))
    assert isinstance(component, ActionTile)
    rows = (ACTIONS[component.id],)
    return Face("card", component.called, "action", (Sign(component.id),), rows, short=_short(component))


def good(kind: str, *, there: bool = True, n: int = 1) -> Sign:
    """`n` goods of one kind, or of any kind; hollow if the place for them may be empty."""
    return Sign("good", LETTERS[kind] if n == 1 else f"{n}{LETTERS[kind]}", _tint(kind), dim=not there)


def points(n: int | str) -> Sign:
    """Points: a hexagon with their number."""
    return Sign("points", str(n))


def keyword(word: Keyword) -> Sign:
    """A word set in capitals on a tile."""
    return Sign("keyword", KEYWORDS[word])


def signed(n: int) -> str:
    """A number with its sign; zero has none."""
    return f"+{n}" if n > 0 else f"{MINUS}{-n}" if n else "0"


def gain(what: Gain, n: int) -> Sign:
    """Something gained."""
    return Sign(what, signed(n))


def about(match: Match) -> Signs:
    """Which tiles a power applies to; empty if it applies to all."""
    if match == "all":
        return ()
    if match == "gray":
        return (Sign("world"),)
    if match in LETTERS:
        return (good(match),)
    return (keyword("alien" if match == "alien-keyword" else match),)  # type: ignore[arg-type]


def bounds(limits: Limited, symbol: str = "cost") -> Signs:
    """The printed numbers a power applies to; empty if it applies to all."""
    least, most = limits.least, limits.most
    if (least, most) == EVERY_NUMBER:
        return ()
    if most == EVERY_NUMBER[1]:
        return (Sign(symbol, f"≥{least}"),)
    return (Sign(symbol, f"≤{most}" if least == EVERY_NUMBER[0] else f"{least}-{most}"),)


def comes(power: Gainful) -> Signs:
    """Everything a power gives, as signs."""
    return tuple(gain(what, n) for what, n in given(power))


def _price_difference(power: powers.Replace) -> str:
    return f"{MINUS}{power.lower}/{signed(power.higher)}" if power.lower else f"≤{signed(power.higher)}"


def _tint(kind: str) -> str:
    return kind if kind in TINTS else "any"


def _of_tile(tile: Tile) -> Face:
    return Face(
        "card",
        tile.called,
        tint=_ground(tile),
        corners=tuple(_corners(tile)),
        rows=tuple(_rows(tile)),
        framed=tile.goods == "windfall",
        short=_short_slot(tile) if isinstance(tile, Home) and not tile.names else _short(tile),
    )


def _short_slot(home: Home) -> Text:
    """A home by its number; its first corner shows the side of the mat."""
    return named_by_place(home.id, "frontiers.slot.home", str(home.mat))


def _ground(tile: Tile) -> str:
    if isinstance(tile, Development):
        return "large" if tile.large else "development"
    return tile.kind or "plain"


def _corners(tile: Tile) -> Iterator[Sign]:
    if isinstance(tile, Development):
        yield UNTOLD if tile.cost is UNKNOWN else Sign("development", str(tile.cost))
    elif isinstance(tile, Home):
        yield Sign("mat" if tile.white else "mat-hollow", str(tile.mat))
    elif isinstance(tile, World):
        yield _price(tile)
    if isinstance(tile, World) and tile.kind:
        yield good(tile.kind, there=tile.goods != "windfall")
    yield UNTOLD if tile.points is UNKNOWN else points(tile.points)


def _price(world: World) -> Sign:
    if world.price is UNKNOWN:
        return UNTOLD
    return Sign("defence" if world.is_military else "cost", str(world.number))


def _rows(tile: Tile) -> Iterator[Signs]:
    """Colonists and keywords, then a row for each action in which it has a power, then what its '?' counts."""
    head = [Sign("colonists", str(tile.colonists))] if isinstance(tile, World) and tile.colonists else []
    head += [keyword(word) for word in KEYWORDS if word in (tile.keywords or ())]
    if head and not isinstance(tile, Home):
        yield tuple(head)
    for phase in PHASES:
        mine = tile.in_phase(phase)
        if mine:
            yield (Sign(phase), *(sign for power in mine for sign in effect(power)))
    if tile.powers is UNKNOWN:
        yield (UNTOLD,)
    if tile.points == "?":
        yield from (counted(term) for term in tile.bonus or ())


def counted(term: Term) -> Signs:
    """What a term of a '?' gives, in signs."""
    if isinstance(term, PerHeld):
        each = "" if term.each == 1 else f"/{term.each}"
        held = Sign("good", f"≠{each}", "any") if term.held == "kinds" else Sign(term.held, each)
        return (points(f"+{term.points}"), held)
    sort = {"tile": (), "colony": (Sign("colonies"),), "development": (Sign("development"),)}
    tile: Signs = sort.get(term.tile, (Sign("development", "", "large"),))
    military: Signs = (Sign("military"),) if term.military == "military" else ()
    goods: Signs = () if term.goods == "any" else (good("any", there=term.goods == "production"),)
    power: Signs = () if term.with_power == "any" else (Sign(term.with_power),)
    number = bounds(term, "defence" if term.military == "military" else "cost")
    return (points(f"+{term.points}"), *tile, *military, *about(term.match), *number, *goods, *power)


@singledispatch
def effect(power: Power) -> Signs:
    """The effect of a power, as signs."""
    raise NotImplementedError(type(power).__name__)


def _shown(kind: type[Power], signs: Callable[..., Signs]) -> None:
    effect.register(kind, signs)


_shown(powers.DrawWorlds, lambda p: (Sign("bag"), Sign("explored", signed(p.worlds))))
_shown(powers.GainAfterDevelop, lambda p: (*bounds(p), ARROW, *comes(p)))
_shown(powers.MilitaryPower, lambda p: (Sign("defence", signed(p.n)), *about(p.match), *bounds(p, "defence")))
_shown(powers.SettleDiscount, lambda p: (Sign("cost", signed(-p.n)), *about(p.match), *bounds(p)))
_shown(powers.MilitaryForGood, lambda p: (good(p.good), ARROW, Sign("defence", signed(p.n))))
_shown(powers.SecondWorld, lambda p: (Sign("world"), Sign("world")))
_shown(powers.DrawAfterSettle, lambda p: (ARROW, Sign("bag"), Sign("explored", signed(p.worlds))))
_shown(powers.GainAfterSettle, lambda p: (*about(p.match), *bounds(p), ARROW, *comes(p)))
_shown(powers.Replace, lambda p: (Sign("replace"), Sign("cost", _price_difference(p))))
_shown(powers.ProduceWindfall, lambda p: (good(p.good, there=False),))
_shown(powers.GainIfProducedHere, lambda p: (Sign("world"), good("any"), ARROW, *comes(p)))
_shown(powers.GainPerProduced, lambda p: (good(p.good), ARROW, *comes(p)))
_shown(powers.GainIfMost, lambda p: (good(p.good), Sign("most"), *comes(p)))
_shown(powers.TradeBonus, lambda p: (good(p.good), gain("credits", p.n)))
_shown(powers.GainPerConsumed, lambda p: (good("any"), ARROW, *comes(p)))
_shown(powers.GainAlways, lambda p: comes(p))
_shown(powers.Told, lambda p: (Sign("told"), *((Sign("cost", MINUS),) if p.discount else ())))


@effect.register
def _(power: powers.DevelopDiscount) -> Signs:
    off = Sign("development", signed(-power.n), "large" if power.size == "large" else "")
    return (off, *bounds(power, "development"))


@effect.register
def _(power: powers.PayForMilitary) -> Signs:
    price = Sign("cost", signed(-power.n) if power.n else "")
    return (Sign("military"), *about(power.match), *bounds(power, "defence"), ARROW, price)


@effect.register
def _(power: powers.GainPerColony) -> Signs:
    military = (Sign("military"),) if power.military == "military" else ()
    return (Sign("colonies"), *military, *about(power.match), *bounds(power), ARROW, *comes(power))


@effect.register
def _(power: powers.Consume) -> Signs:
    many: Signs = ()
    if power.each and power.goods > 1:
        many = (Sign("count", f"×{power.goods}"),)
    taken = good(power.good, n=1 if power.each else power.goods)
    if power.good == "different":
        taken = Sign("different", "" if power.goods == 1 else str(power.goods))
    reward = [gain("points", power.points)] if power.points else []
    reward += [gain("credits", power.credits)] if power.credits else []
    return (taken, *many, ARROW, *reward)


_short = shortener(everything())
