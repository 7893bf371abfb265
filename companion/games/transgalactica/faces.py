"""How components look on the screen: faces built from facts, and colours. Unknown facts are question marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.core.components import UNKNOWN, Component, Untold
from companion.core.faces import ARROW, Face, Sign, Signs, Tints, shortener
from companion.core.words import Text, say
from companion.games.transgalactica import component_types
from companion.games.transgalactica.component_types import Planet, Technology, everything
from companion.games.transgalactica.effect_signs import (
    OR,
    PLANETS,
    UNTOLD,
    effect_rows,
    in_a_row,
    needed,
    pieces,
    stuff,
)
from companion.games.transgalactica.effects import Effects

PAPER = "#E8EDF5"
GOLD = ("#F3B94D", "#FFD98A", "#8F5000")
RED = ("#FF8177", "#FFE3DF", "#8E2A22")
BLUE = ("#7FB8FF", "#CFE4FF", "#1F4E8A")
VIOLET = ("#C3A6F5", "#E6DAFC", "#563A93")
GREEN = ("#86CF6B", "#BEE8AC", "#2F5E2A")
YELLOW = ("#F0DC4E", "#FAF0A2", "#5E5110")
GREY = ("#B4C0D4", "#DCE3EE", "#46566F")
TEAL = ("#9ADBC8", "#C9EFE4", "#1F5A50")

TINTS: Tints = {
    **dict.fromkeys(("yellow", "planet-yellow", "energy"), YELLOW),
    **dict.fromkeys(("green", "planet-green", "alien"), GREEN),
    **dict.fromkeys(("purple", "planet-purple", "mineral", "commercial", "trade", "trade-up"), VIOLET),
    **dict.fromkeys(("grey", "planet-grey", "move", "plain"), GREY),
    **dict.fromkeys(("multi", "all-colours"), (PAPER, "#FFFFFF", "#6B3F63")),
    **dict.fromkeys(("points", "credits", "track", "objective", "choice"), GOLD),
    **dict.fromkeys(("war", "military", "military-up", "pirates", "advanced", "bonus-advanced"), RED),
    **dict.fromkeys(("cultural", "technology", "basic", "bonus-basic"), BLUE),
    **dict.fromkeys(("mission", "politics", "decree", "senate"), TEAL),
    **dict.fromkeys(("production", "mining", "mining-token", "fleet"), ("#F2A65A", "#FAD2A8", "#7A4210")),
    **dict.fromkeys(("ability", "wealth", "discount", "free"), ("#F5A3C7", "#FBD5E5", "#7B2A52")),
}

TYPES = {
    "action": Sign("action-planet"),
    "mining": Sign("mining"),
    "wild": Sign("wild"),
    "special": Sign("ability"),
    "central": Sign("map"),
}
"""When a planet has an effect: as an action, at mining or, for wild planets, at income."""

WHEN: dict[str, Signs] = {
    "always": (),
    "once-per-round": (Sign("once"),),
    "one-time": (Sign("instant"),),
    "end": (Sign("end"),),
}

EVENTS: dict[str, Signs] = {
    "technology-marked": (Sign("mark"),),
    "mission-taken": (Sign("mission", "+1"),),
    "ship-moved": (Sign("ship"),),
    "diplomacy": (Sign("commercial"), OR, Sign("war")),
    "planet-used": (Sign("action-planet"),),
    "mining": (Sign("mining"),),
    "secondary": (Sign("secondary-action"),),
    "exploration": (Sign("exploration"),),
    "military-advance": (Sign("military", "+1"),),
    "production-advance": (Sign("production", "+1"),),
    "seat-taken": (Sign("senate"),),
}

RULES: dict[str, Signs] = {
    "trade-without-alien": (Sign("trade"), Sign("discount"), Sign("alien")),
    "extra-step": (Sign("move", "+1"), Sign("free")),
    "third-mission": (Sign("mission", "3"),),
    "recycling": (Sign("alien"), ARROW, stuff("vp", "+2"), Sign("token-used")),
    "tunnel-for-resources": (Sign("tunnel"), stuff("any", 2), ARROW, stuff("vp", "+2")),
    "missions-cheaper": (Sign("complete"), Sign("discount"), Sign("credits")),
    "propaganda": (Sign("military"), stuff("vp", "×2"), OR, Sign("free")),
    "full-planets": (Sign("action-planet"), Sign("outpost", "+1"), Sign("free")),
    "visits": (Sign("people"), Sign("action-planet")),
    "higher-levels": (Sign("technology"), Sign("politics"), Sign("level", "+1")),
    "override": (Sign("captain"), Sign("used-action")),
    "promotion": (Sign("secondary-action"), ARROW, Sign("main-action")),
    "assembly": (Sign("production", "+1"), ARROW, Sign("resources")),
}

ABILITIES: dict[str, tuple[Signs, ...]] = {
    "lieutenant": ((Sign("lieutenant"), Sign("secondary-action"), ARROW, Sign("main-action")),),
    "technological-nightmare-tile": (
        (Sign("all-colours"), Sign("tunnel")),
        (Sign("mining"), ARROW, stuff("vp", "+2")),
    ),
    "party-insider": (
        (Sign("politics", "+1"),),
        (Sign("mission"), Sign("discount"), Sign("resource")),
    ),
    "token-bank": (
        (Sign("bonus-basic", "3"), Sign("bonus-advanced"), Sign("count", "2")),
        (Sign("once"),),
    ),
    "merchant-start": ((Sign("trade"), Sign("level", "2")),),
    "private-omni": ((Sign("omni"), Sign("free")),),
    "war-profits": ((Sign("military", "+1"), ARROW, stuff("vp", "+2")),),
    "relief-funds": ((Sign("income"), Sign("resource"), Sign("credits")),),
    "vanguard": ((Sign("mobilise"), Sign("outpost", "+1"), Sign("action-planet")),),
    "second-ship": ((Sign("ship", "2"),), (Sign("move", "+1"), OR, Sign("outpost", "+1"))),
}

COUNTED: dict[str, Signs] = {
    "technologies": (Sign("marker"), Sign("technology")),
    "missions": (Sign("complete"),),
    "missions:commercial": (Sign("commercial"), Sign("complete")),
    "missions:war": (Sign("war"), Sign("complete")),
    "missions:cultural": (Sign("cultural"), Sign("complete")),
    "outposts:map": (Sign("outpost"),),
    "outposts:yellow": (PLANETS["yellow"], Sign("outpost")),
    "outposts:green": (PLANETS["green"], Sign("outpost")),
    "outposts:purple": (PLANETS["purple"], Sign("outpost")),
    "outposts:grey": (PLANETS["grey"], Sign("outpost")),
    "outposts:trade-level": (Sign("trade"), Sign("level"), Sign("outpost")),
    "pirates": (Sign("pirates"),),
    "resources": (Sign("resource"),),
    "markers": (Sign("marker"),),
    "objective": (Sign("objective"),),
}
"""The signs of what objectives and end-of-game technologies count."""

SORTS = {
    "basic": "bonus-basic",
    "advanced": "bonus-advanced",
    "mining": "mining-token",
    "fleet": "fleet",
    "wealth": "wealth",
}


def face(component: Component) -> Face:
    """The face of a component; small faces show only the first sign of each row."""
    shape, tint, corners, rows = FACES[type(component)](component)
    shown = tuple(row for row in rows if row)
    return Face(
        shape,
        component.called,
        tint,
        tuple(corners),
        shown,
        short=_sort(component) or _short(component),
    )


def _sort(component: Component) -> Text | None:
    """What a told token is, without the number of its working name: its signs tell it from others."""
    if not isinstance(component, component_types.Token) or component.shows is UNKNOWN:
        return None
    return say(f"transgalactica.sort.{component.sort}")


FaceParts = tuple[Any, str, Iterable[Sign], Iterable[Signs]]
"""Shape, tint, corners and rows."""


def _planet(planet: Planet) -> FaceParts:
    tunnel = (Sign("tunnel"),) if planet.tunnel else ()
    places = [_demand(demand) for demand in planet.demands]
    colours = [PLANETS[colour] for colour in planet.colours or ()]
    tint = planet.colours[0] if planet.colours else "plain"
    return "card", tint, (TYPES[planet.type], *colours), (*effect_rows(planet.effects), (*places, *tunnel))


def _demand(demand: str) -> Sign:
    """The demand printed for an outpost: none, a trade level, or crew that is left behind."""
    if demand == "crew":
        return Sign("crew", "\N{MINUS SIGN}1")
    return Sign("slot", demand.removeprefix("trade-") if demand != "none" else "")


def _technology(card: Technology) -> FaceParts:
    corners = (Sign("level", "I" * card.level), *WHEN[card.when])
    gives = in_a_row(card.effects)
    rows = [(*EVENTS[event], ARROW, *gives) for event in card.events]
    rows += effect_rows(card.effects) if gives and not card.events else ()
    rows += [RULES[card.rule]] if card.rule else []
    rows += [(*_counted(what), ARROW, *_points(what)) for what in card.counts]
    return "card", "technology", corners, rows


def _points(what: str) -> Signs:
    return (stuff("vp", "+2" if what == "objective" else "+1"),)


def _counted(what: str) -> Signs:
    return COUNTED.get(what) or (Sign(what.removeprefix("level:")), Sign("level"))


def _mission(card: component_types.Mission) -> FaceParts:
    types = tuple(Sign(type) for type in card.types)
    rows = (needed(card.needs), (*pieces(card.cost), ARROW), in_a_row(card.reward))
    return "card", card.types[0], (Sign("level", "I" * card.level), *types), rows


def _decree(card: component_types.Decree) -> FaceParts:
    return (
        "card",
        "decree",
        (Sign("decree"),),
        (needed(card.needs), (ARROW, *in_a_row(card.reward))),
    )


def _objective(card: component_types.Objective) -> FaceParts:
    rows: list[Signs] = [(*_counted(term.per), ARROW, stuff("vp", f"+{term.vp}")) for term in card.terms]
    if card.better:
        rows = [rows[0], *((OR, *row) for row in rows[1:])]
    return "card", "objective", (Sign("objective"),), rows


def _ability(tile: component_types.Ability) -> FaceParts:
    return "card", "ability", (Sign("ability"),), ABILITIES[tile.id]


def _token(token: component_types.Token) -> FaceParts:
    symbol = SORTS[token.sort]
    return "tile", symbol, (Sign(symbol),), (in_a_row(token.shows),)


def _pirate(token: component_types.Pirate) -> FaceParts:
    strength = UNTOLD if token.strength is UNKNOWN else Sign("military", str(token.strength))
    return "tile", "pirates", (Sign("pirates"), strength), (_at_income(token.shows),)


def _at_income(shown: Effects | Untold) -> Signs:
    return (Sign("income"), *in_a_row(shown)) if shown is UNKNOWN or shown else ()


def _space(space: component_types.TrackSpace) -> FaceParts:
    gate = (Sign("technology"), *_number(space.gate)) if space.track == "military" else ()
    tokens = {"none": (), "basic": (Sign("bonus-basic"),), "advanced": (Sign("bonus-advanced"),)}
    token = (UNTOLD,) if space.token is UNKNOWN else tokens[space.token]
    ends = (Sign("end"),) if space.last else ()
    rows = ((*token, *in_a_row(space.reward)), _at_income(space.income), (*gate, *ends))
    return "card", space.track, (Sign(space.track), Sign("level", str(space.level))), rows


def _number(n: int | Untold) -> Signs:
    return (UNTOLD,) if n is UNKNOWN else (Sign("level", str(n)),)


def _outpost_space(space: component_types.OutpostSpace) -> FaceParts:
    again = () if not space.again else (Sign("income"),)
    corners = (Sign("outpost"), Sign("count", space.id.rpartition("-")[2]))
    return "card", "plain", corners, ((*again, *in_a_row(space.reward)),)


def _crew_space(space: component_types.CrewSpace) -> FaceParts:
    return "card", "plain", (Sign("captain" if space.captain else "crew"),), (_at_income(space.income),)


def _office(office: component_types.Office) -> FaceParts:
    chair = _number(office.golden)
    return "card", "senate", (Sign("senate"),), ((Sign("credits"), *chair),)


def _panel(panel: component_types.ControlPanel) -> FaceParts:
    rows = [
        (Sign(symbol), *_levels(levels))
        for symbol, levels in (
            ("mining-token", panel.mining),
            ("pirates", panel.pirates),
            ("fleet", panel.fleet),
        )
    ]
    return "card", "politics", (Sign("politics"),), (*rows, (Sign("crew"), *_number(panel.crew)))


def _levels(levels: tuple[int, ...] | Untold) -> Signs:
    return (UNTOLD,) if levels is UNKNOWN else tuple(Sign("level", str(level)) for level in levels)


def _technology_rows(rows: component_types.TechnologyRows) -> FaceParts:
    levels = (rows.level_one, rows.level_two, rows.level_three)
    lines = [(Sign("count", "I" * n), *_number(level)) for n, level in enumerate(levels, start=1)]
    return "card", "technology", (Sign("technology"),), lines


def _mission_rows(rows: component_types.MissionRows) -> FaceParts:
    lines = [(Sign("count", str(n)), *_number(level)) for n, level in enumerate(rows.levels, start=1)]
    return (
        "card",
        "politics",
        (Sign("mission"),),
        ((*lines[0], *lines[1], *lines[2]), (*lines[3], *lines[4], *lines[5])),
    )


def _board(board: component_types.Board) -> FaceParts:
    known = UNTOLD if board.routes is UNKNOWN else Sign("energy", str(len(board.routes)))
    return "card", "plain", (Sign("map"), Sign("count", str(board.players))), ((known,),)


def _production(production: component_types.Production) -> FaceParts:
    rows = [(PLANETS[colour], Sign(what)) for colour, what in production.by_colour.items() if what]
    return "card", "production", (Sign("production"),), rows or ((UNTOLD,),)


FACES: dict[type[Component], Callable[[Any], FaceParts]] = {
    component_types.Planet: _planet,
    component_types.Technology: _technology,
    component_types.Mission: _mission,
    component_types.Decree: _decree,
    component_types.Objective: _objective,
    component_types.Ability: _ability,
    component_types.Token: _token,
    component_types.Pirate: _pirate,
    component_types.TrackSpace: _space,
    component_types.OutpostSpace: _outpost_space,
    component_types.CrewSpace: _crew_space,
    component_types.Office: _office,
    component_types.ControlPanel: _panel,
    component_types.TechnologyRows: _technology_rows,
    component_types.MissionRows: _mission_rows,
    component_types.Board: _board,
    component_types.Production: _production,
}

_short = shortener(everything())
