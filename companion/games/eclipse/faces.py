"""How hexes, tiles and boards look: faces drawn from their facts, and their colours."""

from __future__ import annotations

from functools import cache, singledispatch

from msgspec.structs import replace

from companion.core.components import Component, with_names
from companion.core.faces import (
    Face,
    Shortener,
    Sign,
    Signs,
    Spot,
    Tints,
    each_name,
    plain_face,
    shortener,
)
from companion.core.words import Text, plain
from companion.games.eclipse.component_types import (
    DAMAGE,
    RESOURCES,
    Discovery,
    Reputation,
    SectorHex,
    ShipPart,
    Species,
    Technology,
    everything,
    parts,
)
from companion.games.eclipse.geometry import mouths
from companion.games.eclipse.state import EclipseState, Sector

AMBER = ("#F5B94D", "#FFD98A", "#8F5000")
WHITE, BRIGHT = "#F1F4F9", "#FFFFFF"

TINTS: Tints = {
    "money": ("#F5A03C", "#FFD0A0", "#8A4B00"),
    "science": ("#F39AC7", "#FFD3E8", "#9C2F6B"),
    "materials": ("#CF9A6A", "#EBCBAC", "#6A4526"),
    "gray": ("#DFE5EE", BRIGHT, "#4A5361"),
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
    # the rail of a board has the colour of the pieces of its species
    "board-red": ("#F0625C", "#F9B5B2", "#7A2320"),
    "board-blue": ("#5B9BFF", "#B5D2FF", "#1F4A8A"),
    "board-green": ("#46BE8A", "#A9E6CC", "#1D5C42"),
    "board-yellow": ("#F4C64F", "#FBE6AE", "#6B5208"),
    "board-white": ("#DDE3EC", BRIGHT, "#5A6472"),
    "board-black": ("#8796AE", "#C3CCDA", "#1A1F29"),
    # the edge of a technology has the colour of its track
    "military": ("#E88A8A", "#F7C9C9", "#7A2F2F"),
    "grid": ("#8FD3A0", "#C9ECD2", "#2C5E3A"),
    "nano": ("#E8CF86", "#F6E9C4", "#6B5A1E"),
    # the ground of a part has the colour of its kind
    "cannon": (WHITE, BRIGHT, "#4B2A38"),
    "missile": (WHITE, BRIGHT, "#532535"),
    "hull": (WHITE, BRIGHT, "#414A59"),
    "drive": (WHITE, BRIGHT, "#4A3A20"),
    "computer": (WHITE, BRIGHT, "#1F4160"),
    "source": (WHITE, BRIGHT, "#45451A"),
    "shield": (WHITE, BRIGHT, "#2B3F70"),
    "sector": ("#8796AE", "#C3CCDA", "#22304A"),
}
for _kind in RESOURCES:
    TINTS[f"{_kind}-income"] = TINTS[f"{_kind}-advanced"] = TINTS[_kind]
TINTS["sectors"] = TINTS["bonus-sectors"] = TINTS["sector"]
TINTS["upkeep"] = TINTS["money"]
TINTS["discoveries"] = TINTS["discovery"]

MINUS = "\u2212"
ALONE = {
    "tech-neutron-bombs": "bomb",
    "tech-nanorobots": "robot",
    "tech-artifact-key": "key",
    "tech-wormhole-generator": "wormhole-generator",
}
"""The symbols of technologies that give no part, no disc and nothing to build."""
TRACKS = {"military": "combat", "grid": "grid", "nano": "nano"}
MANY = 3
"""Up to this many equal signs are drawn one by one; more become one sign with their number."""


@singledispatch
def face(component: Component) -> Face:
    """The face of a component."""
    return plain_face(component)


@face.register
def _(hex: SectorHex) -> Face:
    waiting = (*repeated("ancient", hex.ancients), *((Sign("discovery"),) if hex.discovery else ()))
    return Face(
        "hex",
        hex.called,
        "sector",
        corners=(Sign("points", str(hex.points)), *((Sign("artifact"),) if hex.artifact else ())),
        rows=(waiting,) if waiting else (),
        spots=tuple(Spot(Sign(s.removesuffix("*")), starred=s.endswith("*")) for s in hex.squares),
        edges=tuple(side in hex.wormholes for side in range(6)),
        short=number_of(hex),
    )


def number_of(hex: SectorHex) -> Text:
    """The number printed on a sector."""
    return plain(f"{hex.number:03}")


def lying(state: EclipseState, sector: Sector) -> Face:
    """The face of a sector on the map, rotated: which squares are taken, and what else lies on it."""
    ships = tuple(
        Sign(s, f"×{n}" if n > 1 else "") for fleet in sector.fleets for s, n in fleet.ships.items()
    )
    others = tuple(Sign(name) for name in ("discovery", "orbital", "monolith") if getattr(sector, name))
    row = (*repeated("ancient", sector.ancients), *ships, *others)
    taken = tuple(Spot(Sign(s.removesuffix("*")), there, s.endswith("*")) for s, there in sector.squares)
    open_sides = set(mouths(sector.facts, sector.rotation))
    edges = tuple(side in open_sides for side in range(6))
    return replace(
        face(with_names(sector.facts, state.taught)), rows=(row,) if row else (), spots=taken, edges=edges
    )


@face.register
def _(technology: Technology) -> Face:
    return Face(
        "tile",
        technology.called,
        technology.category,
        corners=(
            Sign("science", f"{technology.cost}/{technology.least}"),
            Sign(TRACKS[technology.category], tint=technology.category),
        ),
        rows=(_allowed(technology),),
        framed=True,
        short=_short(technology),
    )


def _allowed(technology: Technology) -> Signs:
    if technology.part:
        return part_signs(parts()[technology.part])
    if technology.build:
        return (Sign(technology.build),)
    if technology.advanced:
        return (Sign(f"{technology.advanced}-advanced"),)
    if technology.discs:
        return repeated("disc", technology.discs)
    return (Sign(ALONE[technology.id]),)


@face.register
def _(part: ShipPart) -> Face:
    foot = (*repeated("bolt", -part.energy), *repeated("initiative", part.initiative))
    return Face(
        "tile",
        part.called,
        part.kind,
        rows=(part_signs(part), *((foot,) if foot else ())),
        short=_short(part),
    )


@face.register
def _(tile: Discovery) -> Face:
    if tile.part:
        gives = part_signs(parts()[tile.part])
    elif tile.resource:
        gives = (Sign(tile.resource, f"+{tile.amount}"),)
    else:
        gives = (Sign(tile.gives),)
    short = each_name(tile, lambda name: name.rpartition(": ")[2])
    return Face("tile", tile.called, "discovery", (Sign("discovery"),), (gives,), framed=True, short=short)


@face.register
def _(tile: Reputation) -> Face:
    return Face(
        "tile", tile.called, "reputation", rows=((Sign("reputation", str(tile.value)),),), framed=True
    )


@face.register
def _(board: Species) -> Face:
    return Face(
        "card",
        board.called,
        f"board-{board.colour}",
        corners=(Sign("species"), Sign(board.ship)),
        rows=(
            tuple(Sign(kind, str(board.stock.of(kind))) for kind in RESOURCES),
            (Sign("discs", str(board.discs)), Sign("colony-ships", str(board.colony_ships))),
        ),
        short=_short(board),
    )


@cache
def _shortener(kind: type[Component]) -> Shortener:
    return shortener(one for one in everything() if isinstance(one, kind))


def _short(component: Component) -> Text | None:
    """A word that distinguishes it from others of its kind."""
    return _shortener(type(component))(component)


def part_signs(part: ShipPart) -> Signs:
    """The kind and values of a part; a weapon shows the damage of each of its dice."""
    hits = tuple(Sign("damage", str(DAMAGE[die]), die) for die in part.dice)
    if hits:
        return (Sign(part.kind), *hits)
    number = {
        "hull": str(part.hull),
        "drive": str(part.movement),
        "computer": f"+{part.computer}",
        "shield": f"{MINUS}{part.shield}",
        "source": str(part.energy),
    }[part.kind]
    return (Sign(part.kind, number),)


def repeated(symbol: str, n: int) -> Signs:
    """A sign `n` times; if `n` is too large, one sign with the number."""
    return (Sign(symbol),) * n if n <= MANY else (Sign(symbol, str(n)),)
