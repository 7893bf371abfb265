"""The instructions to players, each with its change of the state: every piece and card moves through here.

Bots follow exactly these instructions, so every step that moves pieces must use these functions. Besides the
spoken words, an instruction carries the ids of places and columns.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.words import Argument, Text, count, say
from companion.games.beyond.columns import back, changed, leftmost
from companion.games.beyond.component_types import COLUMNS, Disc, Specialisation
from companion.games.beyond.state import BESIDE, BeyondState, Colony, Node, Ship


def does(
    state: BeyondState, seat: int | None, deed: str, *, usual: bool = False, **args: Argument
) -> BeyondState:
    """Tell a seat what to do with its hands, and note that the action changed something."""
    text = say(f"beyond.do.{deed}", **args)
    return replace(state, changed=True).tell(text, seat, kind="hands", usual=usual)


def _does_n(state: BeyondState, seat: int, deed: str, n: int, **args: Argument) -> BeyondState:
    return replace(state, changed=True).tell(count(f"beyond.do.{deed}", n, **args), seat, kind="hands")


def level(n: int) -> Text:
    """The name of a ship of this level."""
    return say("beyond.ship", level=n)


def _letter(column: int) -> str:
    return COLUMNS[column].upper()


# Ore


def gain_ore(state: BeyondState, seat: int, n: int) -> BeyondState:
    """Take ore from the stock, which never runs out (rule 4)."""
    if n <= 0:
        return state
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, ore=who.ore + n))
    return _does_n(state, seat, "take-ore", n)


def pay_ore(state: BeyondState, seat: int, n: int, to: int | None = None) -> BeyondState:
    """Pay ore to the stock, or to another player (rule 58)."""
    if n <= 0:
        return state
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, ore=who.ore - n))
    if to is None:
        return _does_n(state, seat, "pay-ore", n)
    other = state.seats[to]
    state = state.with_seat(to, replace(other, ore=other.ore + n))
    return _does_n(state, seat, "pay-opponent", n, name=other.name, to=to)


# Cubes on the board


def recruit(state: BeyondState, seat: int, column: int) -> BeyondState:
    """A supply cube from this column becomes population."""
    who = state.seats[seat]
    who = replace(who, supply=changed(who.supply, column, -1), population=who.population + 1)
    return does(state.with_seat(seat, who), seat, "recruit", letter=_letter(column))


def retire(state: BeyondState, seat: int) -> BeyondState:
    """A population cube returns to the columns (rule 62)."""
    who = state.seats[seat]
    column = back(who.supply, state.sizes(seat))
    who = replace(who, supply=changed(who.supply, column, 1), population=who.population - 1)
    return does(state.with_seat(seat, who), seat, "retire", letter=_letter(column))


def move_supply(state: BeyondState, seat: int, column: int, to: int) -> BeyondState:
    """A supply cube moves from one column to another."""
    who = state.seats[seat]
    who = replace(who, supply=changed(changed(who.supply, column, -1), to, 1))
    return does(state.with_seat(seat, who), seat, "move-supply", letter=_letter(column), to=_letter(to))


# Ships


def build(state: BeyondState, seat: int, ship: Ship, column: int | None) -> BeyondState:
    """A supply cube from this column, or a population cube if it is None, becomes a ship."""
    who = state.seats[seat]
    if column is None:
        who, deed, letter = replace(who, population=who.population - 1), "build-population", ""
    else:
        who, deed, letter = (
            replace(who, supply=changed(who.supply, column, -1)),
            "build-supply",
            _letter(column),
        )
    state = state.with_seat(seat, who.with_ships(ship))
    args: dict[str, Any] = {"ship": level(ship.level), "place": state.place(ship.at)}
    return does(state, seat, deed, level=ship.level, at=ship.at, letter=letter, **args)


def next_supply(state: BeyondState, seat: int) -> int | None:
    """The column the next supply cube is taken from, or None."""
    return leftmost(state.seats[seat].supply)


def upgrade(state: BeyondState, seat: int, ship: Ship, to: int) -> BeyondState:
    """A ship is turned to a higher level (rule 125)."""
    who = state.seats[seat].without_ship(ship).with_ships(Ship(ship.at, to))
    args: dict[str, Any] = {"ship": level(ship.level), "place": state.place(ship.at)}
    return does(state.with_seat(seat, who), seat, "upgrade", level=ship.level, at=ship.at, to=to, **args)


def move(state: BeyondState, seat: int, ship: Ship, to: str) -> BeyondState:
    """Move a ship to another location; `changed` is decided by the whole jump, not here (rule 45)."""
    before = state.changed
    who = state.seats[seat].without_ship(ship).with_ships(Ship(to, ship.level))
    args: dict[str, Any] = {
        "ship": level(ship.level),
        "place": state.place(ship.at),
        "where": state.place(to),
    }
    state = does(state.with_seat(seat, who), seat, "move", level=ship.level, at=ship.at, to=to, **args)
    return replace(state, changed=before)


def withdraw(state: BeyondState, seat: int, ship: Ship) -> BeyondState:
    """A ship becomes population again (rule 74)."""
    who = state.seats[seat].without_ship(ship)
    state = state.with_seat(seat, replace(who, population=who.population + 1))
    args: dict[str, Any] = {"ship": level(ship.level), "place": state.place(ship.at)}
    return does(state, seat, "withdraw", level=ship.level, at=ship.at, **args)


def settle(state: BeyondState, seat: int, ship: Ship) -> BeyondState:
    """A ship returns to the supply columns (rules 62, 159)."""
    who = state.seats[seat].without_ship(ship)
    column = back(who.supply, state.sizes(seat))
    state = state.with_seat(seat, replace(who, supply=changed(who.supply, column, 1)))
    return does(
        state, seat, "settle", level=ship.level, at=ship.at, ship=level(ship.level), letter=_letter(column)
    )


def to_museum(state: BeyondState, seat: int, ship: Ship) -> BeyondState:
    """A ship goes to the museum, out of play (rule 112)."""
    who = state.seats[seat].without_ship(ship)
    state = state.with_seat(seat, replace(who, museum=tuple(sorted((*who.museum, ship.level)))))
    args: dict[str, Any] = {"ship": level(ship.level), "place": state.place(ship.at)}
    return does(state, seat, "to-museum", level=ship.level, at=ship.at, **args)


# Discs


def automate(state: BeyondState, seat: int, kind: Specialisation) -> BeyondState:
    """Move the leftmost disc of a track, or a marker, to the automation track (rules 78 to 80)."""
    disc = drawn(state, seat, kind)
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, automation=(*who.automation, disc)))
    return does(state, seat, "automate", disc=say(f"beyond.disc.{disc}"), kind=disc)


def drawn(state: BeyondState, seat: int, kind: Specialisation) -> Disc:
    """The disc used for this kind: a marker if its track is empty (rules 79 and 145)."""
    return kind if state.left(seat, kind) > 0 else "marker"


def disc_on_colony(state: BeyondState, seat: int, system: str, kind: Specialisation) -> BeyondState:
    """Place one more disc on a colonised system (rule 162)."""
    disc = drawn(state, seat, kind)
    who = state.seats[seat]
    colonies = tuple(Colony(c.system, (*c.discs, disc)) if c.system == system else c for c in who.colonies)
    state = state.with_seat(seat, replace(who, colonies=colonies))
    return does(
        state, seat, "disc-on-colony", system=state.name(system), disc=say(f"beyond.disc.{disc}"), kind=disc
    )


# Tree, pawns and cards


def place_cube(state: BeyondState, seat: int, space: str) -> BeyondState:
    """Place a population cube to the left of a space of the tree, permanently (rule 89)."""
    who, node = state.seats[seat], state.node(space)
    state = state.with_seat(seat, replace(who, population=who.population - 1))
    state = state.with_node(space, Node(node.card, (*node.seats, seat)))
    return does(state, seat, "research", technology=technology_name(state, space), space=space)


def technology_name(state: BeyondState, space: str) -> Text:
    """The name of a space of the tree: that of the card on it."""
    card = state.node(space).card
    return state.name(card) if card else say(f"beyond.place.{space}")


def lay_aside(state: BeyondState, seat: int) -> BeyondState:
    """Lay a pawn beside the board, where it occupies nothing (rule 50)."""
    state = state.with_seat(seat, replace(state.seats[seat], pawn=BESIDE))
    return does(state, seat, "pawn-aside")
