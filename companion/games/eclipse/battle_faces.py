"""A battle as a drawing: the ships of both sides in turn order, and how it may end."""

from __future__ import annotations

from companion.core.faces import Face, Sign, Signs
from companion.core.questions import Share
from companion.core.words import plain
from companion.games.eclipse.combat import (
    SHORT,
    Field,
    Squad,
    chances,
    faction_of,
    left,
    pair,
    squads,
    turn_order,
)
from companion.games.eclipse.odds import Survivors
from companion.games.eclipse.signs import weapons
from companion.games.eclipse.state import EclipseState


def battle_faces(state: EclipseState, battle: Field, acting: str = "") -> tuple[Face, ...]:
    """All types of ships in the battle, by initiative; the one whose turn it is has a frame."""
    return tuple(squad_face(state, battle, here, here.key == acting) for here in turn_order(state, battle))


def squad_face(state: EclipseState, battle: Field, squad: Squad, acting: bool = False) -> Face:
    """All ships of a type: their number, initiative, weapons, and the hit points left on each."""
    whole = squad.design.hull + 1
    bears = tuple(
        tuple(Sign("hit", dim=n >= still) for n in range(whole)) for still in left(state, battle, squad)
    )
    return Face(
        "ship",
        plain(""),
        "",
        corners=(
            Sign(squad.ship, f"×{squad.n}" if squad.n > 1 else ""),
            Sign("initiative", str(squad.design.initiative)),
        ),
        rows=(weapons(squad.design), *bears),
        framed=acting,
        seat=squad.faction if squad.faction >= 0 else None,
    )


def shares(state: EclipseState, place: str) -> tuple[Share, ...]:
    """Each side's chance to win the next battle in a sector, and its likely survivors."""
    found, sides = chances(state, place), pair(state, place)
    if found is None or sides is None:
        return ()
    wins = (found.attacker_win, found.defender_win)
    survivors = (found.survivors.attacker, found.survivors.defender)
    return tuple(
        Share(
            faction_of(state, side),
            win,
            side if side >= 0 else None,
            _likely(squads(state, place, side), left_over, win),
            found.error > 0,
        )
        for side, win, left_over in zip(sides, wins, survivors, strict=True)
    )


def _likely(fleet: list[Squad], survivors: Survivors, win: float) -> Signs:
    """The average survivors of a side if it wins."""
    if not win:
        return ()
    found: list[Sign] = []
    for here in fleet:
        chances = survivors[SHORT.get(here.ship, "npc")]
        n = round(sum(n * chance for n, chance in enumerate(chances)) / win)
        if n:
            found.append(Sign(here.ship, f"×{n}" if n > 1 else ""))
    return tuple(found)
