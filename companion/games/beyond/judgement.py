"""What an action and a production are worth to a seat, by the rules of thumb of casual players."""

from __future__ import annotations

from companion.core.questions import Option
from companion.games.beyond.columns import grown
from companion.games.beyond.state import BeyondState

WORTH = {
    "told": 1.0,
    "upgrade": 2.0,
    "gain-ore": 2.0,
    "automate": 5.0,
    "recruit": 4.0,
    "jump": 4.0,
    "private-technology": 12.0,
    "colonise": 18.0,
    "'I'": 6.0,
    "'II'": 8.0,
    "'III'": 11.0,
    "'IIII'": 16.0,
}
"""What an action is worth, by a word in its description: research, private cards and colonies score."""
LOSES = {"pay-ore": -0.5, "retire": -2.0}
"""What an action costs, by a word in its description."""
HUNGRY = 5.0
"""What a cube is worth more to a seat without population: research needs one."""
FLEET, KEPT = 4, 1
"""Enough ships; and population to keep for research instead of building another."""


def action_value(state: BeyondState, seat: int, option: Option) -> float:
    """The value of this action now."""
    who, words = state.seats[seat], repr(option.detail)
    value = max((worth for word, worth in WORTH.items() if word in words), default=0.0)
    value += sum(loss for word, loss in LOSES.items() if word in words)
    if "recruit" in words and not who.population and any(who.supply):
        value += HUNGRY
    if "build" in words and not builds(state, seat):
        value -= 3.0
    return value


def builds(state: BeyondState, seat: int) -> bool:
    """Whether this seat should turn population into another ship."""
    who = state.seats[seat]
    return len(who.ships) < FLEET and who.population > KEPT


def production(state: BeyondState, seat: int) -> str:
    """The production this seat needs most: cubes as long as it has ore to use them, else ore."""
    who = state.seats[seat]
    cubes = sum(who.supply) - sum(grown(who.supply, state.growth(seat)))
    if not cubes and not who.population and who.ore > 1 and (any(who.supply) or len(who.ships) > 1):
        return "trade"
    return "growth" if cubes and who.population <= who.ore else "ore"


def trade(state: BeyondState, seat: int, options: list[str]) -> str:
    """Buys a cube for a seat without population, else brings a ship home; otherwise nothing."""
    wanted = [id for id in options if id.startswith(("cube", "ship"))]
    return wanted[0] if wanted and not state.seats[seat].population else options[0]
