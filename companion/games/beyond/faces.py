"""How cards and boards look on the screen: a face built from their facts. Unknown facts are question marks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

from companion.core.components import UNKNOWN, Component
from companion.core.faces import ARROW, Face, Sign, Signs, Tints, each_name, shortener
from companion.core.words import Text, say
from companion.games.beyond.component_types import (
    BASIC_ACTIONS,
    SPECIALISATIONS,
    Achievement,
    AdvancedBoard,
    Basic,
    Board,
    Event,
    Guild,
    Side,
    System,
    Technology,
    Tracks,
    TreeBoard,
    basic_board,
    everything,
)
from companion.games.beyond.effect_signs import (
    about,
    action_signs,
    counted,
    effects,
    level,
    points,
)
from companion.games.beyond.operations import TYPES, AnyOperation

PAPER, POINTS = "#E8EDF5", "#F3B94D"

TINTS: Tints = {
    "plain": ("#B4C0D4", "#DCE3EE", "#46566F"),
    "science": ("#7DB8F7", "#C2DEFC", "#1F4F86"),
    "economy": ("#86CF6B", "#BEE8AC", "#2F5E2A"),
    "military": ("#FF8D84", "#FFC9C4", "#8A2720"),
    "commerce": ("#F0DC4E", "#FAF0A2", "#5E5110"),
    "event": ("#C9BDF2", "#E4DDFA", "#473683"),
    "light": (PAPER, "#FFFFFF", "#5A4A93"),
    "system": ("#7FD3D8", "#BDEBEE", "#17525A"),
    "achievement": (POINTS, "#FFD98A", "#7A4400"),
    "guild": ("#D8B48C", "#EFDBC5", "#5C3F22"),
    "board": ("#A9B8E8", "#D2DAF5", "#2E3C70"),
    "points": (POINTS, "#FFD98A", "#8F5000"),
    "four": ("#B4C0D4", "#DCE3EE", "#46566F"),
    "ore": ("#9FD6F5", "#D3EDFB", "#1D5673"),
    "ore-disc": ("#9FD6F5", "#D3EDFB", "#1D5673"),
    "ore-discs": ("#9FD6F5", "#D3EDFB", "#1D5673"),
    "food": ("#A8D672", "#D3EDB4", "#3D5E1B"),
    "food-discs": ("#A8D672", "#D3EDB4", "#3D5E1B"),
    "population": ("#F2B27A", "#FAD8BA", "#7A4210"),
    "supply": ("#D8B48C", "#EFDBC5", "#5C3F22"),
    "strength": ("#FF8D84", "#FFC9C4", "#8A2720"),
    "ship": (PAPER, "#FFFFFF", "#46566F"),
    "sol": (POINTS, "#FFD98A", "#8F5000"),
}
"""Types are also shown by their triangles, not by colour alone; the dark shade is the rail of their cards."""

ROWS, LONG = 3, 6
"""How many rows fit on a card, and how many signs in a row."""
UNTOLD = Sign("unknown")
DISC = {"food": Sign("food"), "ore": Sign("ore-disc")}
FACTIONS = {"nishida": "ore", "nations": "board", "tabernacle": "event", "socialists": "military"}
"""The colour of a faction's board on the screen; the printed colours are unknown."""


def face(component: Component) -> Face:
    """The face of a component."""
    corners, rows = tuple(_corners(component)), tuple(row for row in _rows(component) if row)
    return Face("card", component.called, _ground(component), corners, _folded(rows), short=short(component))


def _folded(rows: tuple[Signs, ...]) -> tuple[Signs, ...]:
    """The rows, with a row that is too long continued below while there is room."""
    shown = list(rows)
    while len(shown) < ROWS and (longest := max(shown, key=len, default=())) and len(longest) > LONG:
        at, half = shown.index(longest), (len(longest) + 1) // 2
        shown[at : at + 1] = [longest[:half], longest[half:]]
    return tuple(shown)


def _ground(component: Component) -> str:
    match component:
        case Technology():
            return component.passes or "plain"
        case Event():
            return "light" if component.light else "event"
        case System():
            return "system"
        case Achievement():
            return "achievement"
        case Guild():
            return "guild"
        case Board() | AdvancedBoard():
            return FACTIONS[component.faction]
    return "board"


# The rail


@singledispatch
def _corners(component: Component) -> Iterator[Sign]:
    yield Sign("faction")


@_corners.register
def _(card: Technology) -> Iterator[Sign]:
    """Level, the halves of the large triangle, and the points if level IIII prints them."""
    yield Sign(f"level-{card.level}")
    if card.types is UNKNOWN:
        yield UNTOLD
    else:
        yield from (Sign(kind) for kind in TYPES if kind in card.types)
    if card.level == 4:
        yield _printed(card)


@_corners.register
def _(card: Event) -> Iterator[Sign]:
    yield Sign("event")
    yield UNTOLD if card.event_level is UNKNOWN else Sign(f"level-{card.event_level}")
    if card.points:
        yield points(card.points)


@_corners.register
def _(card: System) -> Iterator[Sign]:
    """The strength it requires, what may be produced there, and its points."""
    yield UNTOLD if card.strength is UNKNOWN else Sign("strength", str(card.strength))
    if card.specialisations:
        yield from (DISC[kind] for kind in SPECIALISATIONS if kind in card.specialisations)
    yield _printed(card)


@_corners.register
def _(card: Achievement) -> Iterator[Sign]:
    yield Sign("achievement")
    if card.slots:
        yield points(card.slots[0].slot_points)


@_corners.register
def _(card: Guild) -> Iterator[Sign]:
    yield Sign("guild")
    if card.guild_level:
        yield Sign("count", str(card.guild_level))


@_corners.register
def _(tile: Basic) -> Iterator[Sign]:
    yield Sign("action")
    yield Sign("people")


@_corners.register
def _(board: TreeBoard) -> Iterator[Sign]:
    yield Sign("tree")


@_corners.register
def _(side: Side) -> Iterator[Sign]:
    yield Sign("system")
    yield Sign("people")


def _printed(card: Technology | System) -> Sign:
    return UNTOLD if card.points is UNKNOWN else points(card.points)


# The rows


@singledispatch
def _rows(component: Component) -> Iterator[Signs]:
    yield ()


@_rows.register
def _(card: Technology) -> Iterator[Signs]:
    yield _part("now", card.immediate)
    yield from _actions(card.actions)
    yield from _abilities(card.abilities)
    yield from _question(card)
    if UNKNOWN in (card.immediate, card.actions, card.abilities):
        yield (UNTOLD,)


@_rows.register
def _(card: Event) -> Iterator[Signs]:
    yield _part("event", card.effects)
    yield from _actions(card.actions)
    yield from _question(card)
    if card.effects is UNKNOWN:
        yield (UNTOLD,)


@_rows.register
def _(card: System) -> Iterator[Signs]:
    yield _part("base", card.control_bonus)
    yield from _abilities(card.abilities)
    yield _part("colony", card.colony_bonus)
    yield from _question(card)
    if UNKNOWN in (card.control_bonus, card.colony_bonus):
        yield (UNTOLD,)


@_rows.register
def _(card: Achievement) -> Iterator[Signs]:
    yield about(card.condition) if card.condition else (UNTOLD,)
    if card.slots:
        yield tuple(Sign("points", str(slot.slot_points), "four" if slot.four else "") for slot in card.slots)
    else:
        yield (UNTOLD,)


@_rows.register
def _(card: Guild) -> Iterator[Signs]:
    yield from _actions(card.actions)


@_rows.register
def _(tile: Basic) -> Iterator[Signs]:
    for action in BASIC_ACTIONS:
        n = getattr(tile, action.replace("-", "_"))
        surcharge = Sign("ore", f"+{(tile.surcharge or ()).count(action)}")
        spaces = UNTOLD if n is UNKNOWN else Sign("space", str(n))
        yield (spaces, *BASIC[action], *((surcharge,) if action in (tile.surcharge or ()) else ()))


BASIC: dict[str, Signs] = {
    "research-1": (level(1),),
    "research-2": (Sign("ore", "2"), ARROW, level(2)),
    "build-jump": (Sign("ship", "1"), Sign("jump", "2")),
    "recruit-ore": (Sign("population"), Sign("ore", "+1")),
}
"""What the basic actions do (rules 54 to 57)."""


@_rows.register
def _(board: Tracks) -> Iterator[Signs]:
    shown = (letter.upper() if letter != "none" else "·" for letter in board.growth or ())
    yield (Sign("food"), Sign("count", " ".join(shown)) if board.growth else UNTOLD)
    yield (
        Sign("ore-disc"),
        Sign("count", " ".join(map(str, board.ore_track or ()))) if board.ore_track else UNTOLD,
    )
    levels = board.automation.points if board.automation else ()
    yield (Sign("automation"), Sign("count", " ".join(map(str, levels))) if levels else UNTOLD)
    if isinstance(board, AdvancedBoard):
        yield _part("faction", board.extra_setup)
        yield from _abilities(board.abilities)


@_rows.register
def _(board: Board) -> Iterator[Signs]:
    yield (UNTOLD,) if board.extra_setup is UNKNOWN else _part("faction", board.extra_setup)


@_rows.register
def _(board: TreeBoard) -> Iterator[Signs]:
    drawn = (board.lines_2, board.lines_3, board.lines_4)
    yield tuple(UNTOLD if lines is UNKNOWN else level(n) for n, lines in enumerate(drawn, start=2))


@_rows.register
def _(side: Side) -> Iterator[Signs]:
    yards = {"food": (DISC["food"],), "ore": (DISC["ore"],), "both": (DISC["food"], DISC["ore"])}
    shown = tuple(sign for yard in side.yards or () for sign in (Sign("shipyard"), *yards[yard]))
    yield shown or (Sign("shipyard"), UNTOLD)
    yield (Sign("jump"), UNTOLD if side.routes is UNKNOWN else Sign("count", str(len(side.routes))))


def _part(head: str, operations: object) -> Signs:
    """One box of a card; nothing if it is empty or unknown."""
    if not isinstance(operations, tuple) or not operations:
        return ()
    done: tuple[AnyOperation, ...] = operations
    return (Sign(head), *effects(done))


def _actions(actions: object) -> Iterator[Signs]:
    if isinstance(actions, tuple):
        yield from map(action_signs, actions)


def _abilities(abilities: object) -> Iterator[Signs]:
    if isinstance(abilities, tuple):
        yield from ((Sign("ability"), *about(ability)) for ability in abilities)


def _question(card: Technology | Event | System) -> Iterator[Signs]:
    """What a '?' counts."""
    if card.points == "?":
        yield counted(card.formula) if card.formula else (points("?"), UNTOLD)


_shortened = shortener(everything())
MANY_WORDS = 3
"""If a faction's name has more words than this, its last word alone is not enough."""


def short(component: Component) -> Text | None:
    """One or two words that distinguish it; for an advanced board the last words of its faction's name."""
    if isinstance(component, AdvancedBoard) and not component.names:
        last = each_name(basic_board(component), _last_words)
        return None if last is None else say("beyond.name.advanced", board=last)
    return _shortened(component)


def _last_words(name: str) -> str:
    """The last words of a faction's name: two if there are many."""
    words = name.split()
    return " ".join(words[-2:] if len(words) > MANY_WORDS else words[-1:])
