"""Production: growth, ore or trade (rules 66 to 77)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import ARROW, Sign
from companion.core.facts import ask_fact
from companion.core.questions import Option, Picks, Question
from companion.core.words import count, say
from companion.games.beyond import deeds
from companion.games.beyond.columns import grown
from companion.games.beyond.consequences import moving
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.achieve import ANNOUNCE, announce, announcements
from companion.games.beyond.steps.bases import CheckControl
from companion.games.beyond.steps.ships import kinds_of, ship_id, ship_of, ship_sign, ship_text
from companion.games.beyond.steps.triggers import happened

GROWTH, ORE, BOTH, TRADE, DONE = "growth", "ore", "both", "trade", "done"
FOR_CUBE, FOR_SHIP, FOR_ORE = "cube", "ship", "sell"
CUBE_PRICE, SHIP_PRICE, CUBE_VALUE = 3, 1, 1
ENOUGH_EXCHANGES = 3


class ProductionPhase(Do, Struct, frozen=True, tag="production-phase"):
    """One of the three kinds, or all of them after Lalande 21185 (rules 66 and 77)."""

    seat: int

    def do(self, state: BeyondState) -> BeyondState:
        tracks = state.tracks(self.seat)
        untold = [field for field in ("growth", "ore_track", "columns") if field in tracks.unknown()]
        if untold:
            return state.push(ask_fact("beyond", tracks, *untold, seat=self.seat), self)
        state = replace(state, phase="production")
        return state.push(ChooseAll(self.seat) if state.all_production else ChooseProduction(self.seat))


def _growth(state: BeyondState, seat: int, cell: tuple[int, int] | None = None) -> Option:
    supply = state.seats[seat].supply
    cubes = sum(supply) - sum(grown(supply, state.growth(seat)))
    signs = (Sign("population", f"+{cubes}"),)
    return Option(GROWTH, count("beyond.option.growth", cubes), signs=signs, cell=cell)


def _mine(state: BeyondState, seat: int, cell: tuple[int, int] | None = None) -> Option:
    ore = state.ore_income(seat)
    return Option(ORE, count("beyond.option.ore", ore), signs=(Sign("ore", f"+{ore}"),), cell=cell)


class ChooseProduction(Ask, Struct, frozen=True, tag="choose-production"):
    """Growth, ore or trade? Even a kind that yields nothing may be chosen (rule 66)."""

    seat: int
    slug: ClassVar[str] = "beyond.production"

    def ask(self, state: BeyondState) -> Question:
        growth, mine = _growth(state, self.seat, (0, 0)), _mine(state, self.seat, (0, 1))
        trade = Option(TRADE, say("beyond.option.trade"), signs=(Sign("trade"),), cell=(0, 2))
        options = (growth, mine, trade, *announcements(state, self.seat))
        return Question(self.slug, self.seat, say("beyond.ask.production"), options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option.startswith(ANNOUNCE):
            return announce(state, option).push(self)
        if option == GROWTH:
            return grow(state, self.seat)
        if option == ORE:
            return produce_ore(state, self.seat)
        return state.push(Trade(self.seat))


class ChooseAll(Ask, Struct, frozen=True, tag="choose-all-production"):
    """Which of the three kinds, in this order? The card says "may" (rule 77); trades are asked for later."""

    seat: int
    slug: ClassVar[str] = "beyond.all-production"

    def ask(self, state: BeyondState) -> Question:
        growth, mine = _growth(state, self.seat), _mine(state, self.seat)
        both = say("beyond.option.both", one=growth.text, other=mine.text)
        options = (
            Option(BOTH, both, signs=(*growth.signs, *mine.signs)),
            mine,
            growth,
            Option(TRADE, say("beyond.option.only-trade"), signs=(Sign("trade"),)),
            *announcements(state, self.seat),
        )
        return Question(self.slug, self.seat, say("beyond.ask.all-production"), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option.startswith(ANNOUNCE):
            return announce(state, option).push(self)
        if option in (BOTH, GROWTH):
            state = grow(state, self.seat)
        if option in (BOTH, ORE):
            state = produce_ore(state, self.seat)
        return state.push(Trade(self.seat))


def grow(state: BeyondState, seat: int) -> BeyondState:
    """Take a cube from the column of every visible symbol, unless it is empty (rules 67, 68, 70)."""
    for letter in state.growth(seat):
        column = "abcde".index(letter)
        if state.seats[seat].supply[column] > 0:
            state = deeds.recruit(state, seat, column)
    return state


def produce_ore(state: BeyondState, seat: int) -> BeyondState:
    """Gain ore for each visible symbol (rule 69)."""
    return deeds.gain_ore(state, seat, state.ore_income(seat))


class Trade(Ask, Struct, frozen=True, tag="trade"):
    """Exchanges in any mix and order (rule 72); the loop ends because a round trip costs 2 ore."""

    seat: int
    slug: ClassVar[str] = "beyond.trade"

    def ask(self, state: BeyondState) -> Question:
        who = state.seats[self.seat]
        options = [Option(DONE, say("beyond.option.trade-done"))]
        ore, cube = Sign("ore", str(CUBE_PRICE)), Sign("population", "1")
        if who.ore >= CUBE_PRICE and any(who.supply):
            options.append(Option(FOR_CUBE, say("beyond.option.buy-cube"), signs=(ore, ARROW, cube)))
        if who.population:
            signs = (cube, ARROW, Sign("ore", str(CUBE_VALUE)))
            options.append(Option(FOR_ORE, say("beyond.option.sell-cube"), signs=signs))
        if who.ore >= SHIP_PRICE:
            for ship in kinds_of(who.ships):
                text = say("beyond.option.withdraw", ship=ship_text(state, ship))
                price = (Sign("ore", str(SHIP_PRICE)), ship_sign(ship.level), ARROW, cube)
                detail = moving(state, self.seat, ship, None)
                options.append(
                    Option(f"{FOR_SHIP}:{ship_id(ship)}", text, detail=detail, place=ship.at, signs=price)
                )
        options += announcements(state, self.seat)
        tally = Picks(state.exchanges, state.exchanges + 1)
        return Question(self.slug, self.seat, say("beyond.ask.trade"), tuple(options), tally=tally)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == DONE:
            return traded(state, self.seat)
        if option.startswith(ANNOUNCE):
            return announce(state, option).push(self)
        state = replace(state, exchanges=state.exchanges + 1)
        if option == FOR_CUBE:
            column = deeds.next_supply(state, self.seat)
            assert column is not None
            state = deeds.recruit(deeds.pay_ore(state, self.seat, CUBE_PRICE), self.seat, column)
            return state.push(self)
        if option == FOR_ORE:
            return deeds.gain_ore(deeds.retire(state, self.seat), self.seat, CUBE_VALUE).push(self)
        ship = ship_of(option.removeprefix(f"{FOR_SHIP}:"))
        state = deeds.withdraw(deeds.pay_ore(state, self.seat, SHIP_PRICE), self.seat, ship)
        return state.push(CheckControl(), self)  # ships have left: control is checked each time (rule 76)


def traded(state: BeyondState, seat: int) -> BeyondState:
    """Trigger abilities that reward three exchanges in one phase (rule 179)."""
    return happened(state, seat, "three-exchanges") if state.exchanges >= ENOUGH_EXCHANGES else state
