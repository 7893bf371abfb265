"""Costs and gains of options, ships, and pieces on hexes: as signs instead of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.faces import ARROW, Face, Sign, Signs, Spot
from companion.core.words import plain
from companion.games.eclipse.component_types import DAMAGE, Action, Die, Resource, Ship, parts
from companion.games.eclipse.faces import MINUS, part_signs
from companion.games.eclipse.species import Design, blueprint, covered, measure, sound
from companion.games.eclipse.state import EclipseState


def amount(kind: Resource, n: int, signed: bool = False) -> Sign:
    """An amount of a resource."""
    return Sign(kind, with_sign(n) if signed else str(n).replace("-", MINUS), kind)


def with_sign(n: int) -> str:
    """A number with its sign."""
    return f"{n:+d}".replace("-", MINUS)


# Actions and their price


def action_signs(state: EclipseState, seat: int, action: Action, times: int) -> Signs:
    """An action: how often it may be done, and what its disc adds to the upkeep."""
    return (Sign(action, f"×{times}"), *disc_signs(state, seat))


def disc_signs(state: EclipseState, seat: int, discs: int = 1) -> Signs:
    """What one more disc costs at the end of the round, or what a returned one saves."""
    more = state.upkeep(seat, discs) - state.upkeep(seat)
    return (Sign("disc"), ARROW, amount("money", -more, signed=True))


def upkeep_signs(state: EclipseState, seat: int) -> Signs:
    """Income, upkeep, and the money that would be left."""
    return (
        Sign("money-income", with_sign(state.income(seat, "money"))),
        Sign("upkeep", f"{MINUS}{state.upkeep(seat)}"),
        ARROW,
        amount("money", state.balance(seat)),
    )


# Hexes


def square_spots(squares: Iterable[tuple[str, bool]]) -> Iterator[Spot]:
    """Population squares of a hex, and whether a cube lies on each; a star marks an advanced square."""
    for square, taken in squares:
        kind = square.removesuffix("*")
        yield Spot(Sign(kind, tint=kind), taken, square.endswith("*"))


# Ships


def part_sign(id: str) -> Sign:
    """A part as one sign: its kind, and its most important number."""
    if not id:
        return Sign("empty", dim=True)
    first, *damage = part_signs(parts()[id])
    return Sign(first.symbol, "+".join(hit.value for hit in damage)) if damage else first


def ship_face(
    state: EclipseState, seat: int, ship: Ship, tiles: tuple[str, ...], changed: int | None = None
) -> Face:
    """A blueprint with these tiles, its values below; `changed` is the square that is new."""
    plan = blueprint(state, seat, ship)
    fitted = covered(plan, tiles)
    design = measure(plan, fitted)
    return Face(
        "ship",
        plain(""),
        "",
        corners=(Sign(ship),),
        rows=(ship_numbers(ship, design),),
        spots=tuple(Spot(part_sign(part), bool(part), changed=n == changed) for n, part in enumerate(fitted)),
        seat=seat,
    )


def ship_numbers(ship: Ship, design: Design) -> Signs:
    """A ship's totals: energy left, drive and initiative; red if the ship is illegal."""
    whole = sound(ship, design)
    energy = Sign("bolt", str(design.energy).replace("-", MINUS), "" if design.energy >= 0 else "bad")
    drive = Sign("drive", str(design.movement), "" if whole or design.energy < 0 else "bad")
    return (energy, *((drive,) if ship != "starbase" else ()), Sign("initiative", str(design.initiative)))


def changes(before: Design, after: Design) -> Signs:
    """The values a part changes: each before and after."""
    numbers = {
        "bolt": (before.energy, after.energy),
        "drive": (before.movement, after.movement),
        "initiative": (before.initiative, after.initiative),
        "computer": (before.computer, after.computer),
        "shield": (before.shield, after.shield),
        "hull": (before.hull, after.hull),
    }
    found = [
        Sign(name, f"{old}→{new}".replace("-", MINUS), "" if name != "bolt" or new >= 0 else "bad")
        for name, (old, new) in numbers.items()
        if old != new
    ]
    for kind, old, new in (
        ("cannon", before.cannons, after.cannons),
        ("missile", before.missiles, after.missiles),
    ):
        found += dice_signs(kind, new, old)
    return tuple(found)


def dice_signs(kind: str, dice: tuple[Die, ...], but: tuple[Die, ...] = ()) -> list[Sign]:
    """Weapons by the colour of their dice, and how many of each; only those that differ from `but`, if it is
    given."""
    now, then = Counter(dice), Counter(but)
    return [
        Sign(kind, f"{now[die]}×{DAMAGE[die]}", die)
        for die in DAMAGE
        if (now[die] or then[die]) and (not but or now[die] != then[die])
    ]


def weapons(design: Design) -> Signs:
    """The values of a ship that matter in a battle: its dice, its computer, its shield."""
    more = [Sign("computer", f"+{design.computer}")] if design.computer else []
    more += [Sign("shield", f"{MINUS}{design.shield}")] if design.shield else []
    return (*dice_signs("missile", design.missiles), *dice_signs("cannon", design.cannons), *more)
