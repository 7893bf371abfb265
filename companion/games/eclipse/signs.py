"""What options cost and give, what ships are and what lies on hexes: in signs instead of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.faces import ARROW, Face, Sign, Signs, Spot
from companion.core.words import plain
from companion.games.eclipse.faces import MINUS, part_signs
from companion.games.eclipse.species import Design, blueprint, covered, measure, sound
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.things import DAMAGE, Action, Die, Resource, Ship, parts


def amount(kind: Resource, n: int, signed: bool = False) -> Sign:
    """So much of a resource."""
    return Sign(kind, with_sign(n) if signed else str(n).replace("-", MINUS), kind)


def with_sign(n: int) -> str:
    """A number that is added or taken away."""
    return f"{n:+d}".replace("-", MINUS)


# Actions and their price


def action_signs(state: EclipseState, seat: int, action: Action, times: int) -> Signs:
    """An action: how often it may be done, and what its disc adds to the upkeep."""
    return (Sign(action, f"×{times}"), *disc_signs(state, seat))


def disc_signs(state: EclipseState, seat: int, discs: int = 1) -> Signs:
    """What another disc costs at the end of the round, or what one that comes back saves."""
    more = state.upkeep(seat, discs) - state.upkeep(seat)
    return (Sign("disc"), ARROW, amount("money", -more, signed=True))


def upkeep_signs(state: EclipseState, seat: int) -> Signs:
    """What comes in, what is paid, and what would be left of it all."""
    return (
        Sign("money-income", with_sign(state.income(seat, "money"))),
        Sign("upkeep", f"{MINUS}{state.upkeep(seat)}"),
        ARROW,
        amount("money", state.balance(seat)),
    )


# Hexes


def square_spots(squares: Iterable[tuple[str, bool]]) -> Iterator[Spot]:
    """Population squares of a hex with whether a cube lies there; a star takes more."""
    for square, taken in squares:
        kind = square.removesuffix("*")
        yield Spot(Sign(kind, tint=kind), taken, square.endswith("*"))


# Ships


def part_sign(id: str) -> Sign:
    """A part in one sign: what kind it is, and the number that matters about it."""
    if not id:
        return Sign("empty", dim=True)
    first, *damage = part_signs(parts()[id])
    return Sign(first.symbol, "+".join(hit.value for hit in damage)) if damage else first


def ship_face(
    state: EclipseState, seat: int, ship: Ship, tiles: tuple[str, ...], changed: int | None = None
) -> Face:
    """A blueprint with these tiles on it, its numbers below; `changed` is the square that is new."""
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
    """What a ship has in all: energy that is left, drive and initiative; red if it cannot be built so."""
    whole = sound(ship, design)
    energy = Sign("bolt", str(design.energy).replace("-", MINUS), "" if design.energy >= 0 else "bad")
    drive = Sign("drive", str(design.movement), "" if whole or design.energy < 0 else "bad")
    return (energy, *((drive,) if ship != "starbase" else ()), Sign("initiative", str(design.initiative)))


def changes(before: Design, after: Design) -> Signs:
    """What a part changes about a ship: each number before and after."""
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
    """Weapons by the colour of their dice, and how many of each; only what differs from others."""
    now, then = Counter(dice), Counter(but)
    return [
        Sign(kind, f"{now[die]}×{DAMAGE[die]}", die)
        for die in DAMAGE
        if (now[die] or then[die]) and (not but or now[die] != then[die])
    ]


def weapons(design: Design) -> Signs:
    """What matters about a ship in a battle: its dice, its computer, its shield."""
    more = [Sign("computer", f"+{design.computer}")] if design.computer else []
    more += [Sign("shield", f"{MINUS}{design.shield}")] if design.shield else []
    return (*dice_signs("missile", design.missiles), *dice_signs("cannon", design.cannons), *more)
