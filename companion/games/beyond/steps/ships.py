"""Building, upgrading and moving ships (rules 122 to 130), and ships in the museum (rule 112)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.components import UNKNOWN
from companion.core.faces import ARROW, Sign
from companion.core.facts import ask_fact
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.beyond import deeds
from companion.games.beyond import operations as op
from companion.games.beyond.component_types import DEEP_SPACE, SOL, YARDS
from companion.games.beyond.consequences import moving
from companion.games.beyond.feasible import HIGHEST, finishes, supply_column
from companion.games.beyond.movement import reach
from companion.games.beyond.operations import AnyOperation, Operations
from companion.games.beyond.state import BeyondState, Ship
from companion.games.beyond.steps.bases import CheckControl
from companion.games.beyond.steps.perform import Unfinished, ahead, carries, leading_on, left_out

SKIP, DONE = "skip", "done"


def ship_sign(level: int) -> Sign:
    """A ship with its level."""
    return Sign("ship", str(level))


def ship_id(ship: Ship) -> str:
    """A ship in an answer: level and place, because equal ships are interchangeable."""
    return f"{ship.at}:{ship.level}"


def ship_of(id: str) -> Ship:
    """The ship an answer names."""
    place, _, level = id.partition(":")
    return Ship(place, int(level))


def ship_text(state: BeyondState, ship: Ship) -> Text:
    """A ship and where it is."""
    return say("beyond.ship-at", ship=deeds.level(ship.level), place=state.place(ship.at))


def kinds_of(ships: tuple[Ship, ...]) -> tuple[Ship, ...]:
    """Each kind of ship (level and place) once."""
    return tuple(dict.fromkeys(ships))


# Building


@carries(op.Build)
def _build(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.Build)
    return state.push(*(BuildShip(seat, operation) for _ in range(operation.n)), CheckControl())


class BuildShip(Do, Struct, frozen=True, tag="build-ship"):
    """Builds one ship: asks where, and whether to build it if it is optional."""

    seat: int
    operation: op.Build

    def do(self, state: BeyondState) -> BeyondState:
        who = state.seats[self.seat]
        cube = supply_column(who.supply, self.operation.source)
        if cube is None and not who.population:
            optional = self.operation.optional or self.operation.source != "population"
            return state if optional else left_out(state, self.seat, self.operation)
        if self.operation.place == "shipyard" and state.side.yards is UNKNOWN:
            return state.push(ask_fact("beyond", state.side, "yards", "routes", seat=self.seat), self)
        return state.push(ChooseYard(self.seat, self.operation))


class ChooseYard(Ask, Struct, frozen=True, tag="choose-yard"):
    """Where is the ship built? Sol or an own shipyard, unless a place is named (rule 123)."""

    seat: int
    operation: op.Build
    slug: ClassVar[str] = "beyond.build"

    def ask(self, state: BeyondState) -> Question:
        ship = ship_sign(self.operation.level)
        options = [Option(p, state.place(p), place=p, signs=(ship,)) for p in self._places(state)]
        if self._may_skip(state):
            options.append(Option(SKIP, say("beyond.option.no-ship")))
        text = say("beyond.ask.build", ship=deeds.level(self.operation.level))
        return Question(self.slug, self.seat, text, leading_on(state, self.seat, self, tuple(options)))

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == SKIP:
            return state
        cube = supply_column(state.seats[self.seat].supply, self.operation.source)
        return deeds.build(state, self.seat, Ship(option, self.operation.level), cube)

    def is_obsolete(self, state: BeyondState) -> bool:
        who = state.seats[self.seat]
        return supply_column(who.supply, self.operation.source) is None and not who.population

    def _places(self, state: BeyondState) -> tuple[str, ...]:
        if self.operation.place != "shipyard":
            return ({"sol": SOL, "deep-space": DEEP_SPACE}[self.operation.place],)
        return (SOL, *(place for place in state.held(self.seat) if place in YARDS))

    def _may_skip(self, state: BeyondState) -> bool:
        """If supply ran out, building from population instead is optional (rule 61)."""
        if self.operation.optional:
            return True
        source = self.operation.source
        return source != "population" and supply_column(state.seats[self.seat].supply, source) is None


# Upgrading


@carries(op.Upgrade)
def _upgrade(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.Upgrade)
    left = operation.levels if operation.spread else operation.ships
    return state.push(Upgrading(seat, operation, left))


class Upgrading(Unfinished, Struct, frozen=True, tag="upgrading"):
    """Upgrades one ship after another while one is below level 4; then control is checked (rule 153)."""

    seat: int
    operation: op.Upgrade
    left: int
    done: tuple[Ship, ...] = ()

    def left_to_do(self) -> Operations:
        """This estimate allows upgrading a ship twice: it may permit too much, never too little."""
        if not self.left:
            return ()
        spread = self.operation.spread
        return (
            replace(self.operation, levels=self.left) if spread else replace(self.operation, ships=self.left),
        )

    def do(self, state: BeyondState) -> BeyondState:
        if self.left <= 0 or not upgradable(state, self.seat, self.done):
            return state.push(CheckControl())
        return state.push(ChooseUpgrade(self.seat, self.operation, self.left, self.done))


def upgradable(state: BeyondState, seat: int, done: tuple[Ship, ...]) -> tuple[Ship, ...]:
    """The kinds of ships that this effect can still upgrade."""
    ships = list(state.seats[seat].ships)
    for ship in done:
        if ship in ships:
            ships.remove(ship)
    return kinds_of(tuple(ship for ship in ships if ship.level < HIGHEST))


class ChooseUpgrade(Ask, Struct, frozen=True, tag="choose-upgrade"):
    """Which ship is upgraded? Compulsory unless the effect says "up to" (rule 126)."""

    seat: int
    operation: op.Upgrade
    left: int
    done: tuple[Ship, ...] = ()
    slug: ClassVar[str] = "beyond.upgrade"

    def ask(self, state: BeyondState) -> Question:
        options = [
            Option(
                ship_id(ship),
                ship_text(state, ship),
                detail=moving(state, self.seat, ship, Ship(ship.at, self._raised(ship))),
                place=ship.at,
                signs=(ship_sign(ship.level), ARROW, ship_sign(self._raised(ship))),
            )
            for ship in upgradable(state, self.seat, self.done)
        ]
        if self.operation.up_to:
            options.append(Option(DONE, say("beyond.option.no-more")))
        text = count("beyond.ask.upgrade", 1 if self.operation.spread else self.operation.levels)
        return Question(self.slug, self.seat, text, leading_on(state, self.seat, self, tuple(options)))

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == DONE:
            return state.push(CheckControl())
        ship = ship_of(option)
        to = self._raised(ship)
        done = self.done if self.operation.spread else (*self.done, Ship(ship.at, to))
        state = deeds.upgrade(state, self.seat, ship, to)
        return state.push(Upgrading(self.seat, self.operation, self.left - 1, done))

    def is_obsolete(self, state: BeyondState) -> bool:
        return not upgradable(state, self.seat, self.done)

    def on_obsolete(self, state: BeyondState) -> BeyondState:
        return state.push(CheckControl())

    def _raised(self, ship: Ship) -> int:
        """The level after the upgrade; levels beyond 4 are lost (rule 125)."""
        return min(HIGHEST, ship.level + (1 if self.operation.spread else self.operation.levels))


# Jumping


@carries(op.Jump, op.JumpAnywhere)
def _jump(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.Jump | op.JumpAnywhere)
    points = operation.points if isinstance(operation, op.Jump) else operation.ships
    return state.push(Jumping(seat, operation, points, state.seats[seat].ships))


class Jumping(Unfinished, Struct, frozen=True, tag="jumping"):
    """Asks for one move at a time, but all are simultaneous: control is checked after the last (rule 129)."""

    seat: int
    operation: op.Jump | op.JumpAnywhere
    points: int
    start: tuple[Ship, ...]

    def left_to_do(self) -> Operations:
        if self.points <= 0:
            return ()
        if isinstance(self.operation, op.Jump):
            return (replace(self.operation, points=self.points),)
        return (replace(self.operation, ships=self.points),)

    def do(self, state: BeyondState) -> BeyondState:
        here = state.seats[self.seat].ships
        drawn = state.side.routes is not UNKNOWN or isinstance(self.operation, op.JumpAnywhere)
        if here and not drawn and self.points:
            untold = [f for f in ("yards", "routes") if f in state.side.unknown()]
            return state.push(ask_fact("beyond", state.side, *untold, seat=self.seat), self)
        movable = self.movable(state)
        if self.points <= 0 or not movable:
            return self.over(state)
        fixed = isinstance(self.operation, op.JumpAnywhere) and self.operation.to != "anywhere"
        if fixed and state.phase == "setup":
            return self.moved(state, movable[0], self.targets(state, movable[0], self.points))
        only = len(movable) == 1
        ask = ChooseTarget(self.seat, self, movable[0], alone=True) if only else ChooseShip(self.seat, self)
        return state.push(ask)

    def moved(self, state: BeyondState, ship: Ship, targets: dict[str, int]) -> BeyondState:
        """The table after a ship moved to the only place it can reach."""
        (place, cost), *_ = targets.items()
        state = deeds.move(state, self.seat, ship, place)
        return state.push(replace(self, points=self.points - cost))

    def movable(self, state: BeyondState) -> tuple[Ship, ...]:
        """The kinds of ships that can move."""
        ships = kinds_of(state.seats[self.seat].ships)
        return tuple(ship for ship in ships if self.targets(state, ship, self.points))

    def targets(self, state: BeyondState, ship: Ship, points: int) -> dict[str, int]:
        """Where a ship can go, and the points needed."""
        if isinstance(self.operation, op.Jump):
            return reach(state, self.seat, ship.at, points)
        there = state.locations if self.operation.to == "anywhere" else (self.operation.to,)
        return {place: 1 for place in there if place != ship.at}

    def over(self, state: BeyondState) -> BeyondState:
        """End the jump: it changed something if any ship has moved (rule 45); then control is checked."""
        return self.noted(state).push(CheckControl())

    def noted(self, state: BeyondState) -> BeyondState:
        """The table with `changed` set as if this jump ended now."""
        return replace(state, changed=state.changed or state.seats[self.seat].ships != self.start)

    def allowed(self, state: BeyondState, ship: Ship) -> dict[str, int]:
        """The targets after which the whole action can still be completed, with some change (rules 44, 45)."""
        targets = self.targets(state, ship, self.points)
        if state.phase != "action" or state.active != self.seat:
            return targets
        return {place: cost for place, cost in targets.items() if self._leads_on(state, ship, place, cost)}

    def _leads_on(self, state: BeyondState, ship: Ship, place: str, cost: int) -> bool:
        who = state.seats[self.seat].without_ship(ship).with_ships(Ship(place, ship.level))
        jump = replace(self, points=self.points - cost)
        after = self.noted(state.with_seat(self.seat, who))
        after = replace(after, agenda=(jump, *state.agenda[1:]))
        rest, source = ahead(after, self.seat)
        return finishes(after, self.seat, rest, source)


class ChooseShip(Ask, Struct, frozen=True, tag="choose-ship"):
    """Which ship moves? Points left over are lost (rule 128)."""

    seat: int
    jump: Jumping
    slug: ClassVar[str] = "beyond.jump"

    def ask(self, state: BeyondState) -> Question:
        movable, stay = self.jump.movable(state), stay_option(state, self.jump)
        allowed = [ship for ship in movable if self.jump.allowed(state, ship)]
        options = (
            Option(ship_id(s), ship_text(state, s), place=s.at, signs=(ship_sign(s.level),))
            for s in (allowed if allowed or stay else movable)
        )
        text = count("beyond.ask.jump", self.jump.points)
        return Question(self.slug, self.seat, text, (*stay, *options))

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == DONE:
            return self.jump.over(state)
        return state.push(ChooseTarget(self.seat, self.jump, ship_of(option)))

    def is_obsolete(self, state: BeyondState) -> bool:
        return not self.jump.movable(state)

    def on_obsolete(self, state: BeyondState) -> BeyondState:
        return self.jump.over(state)


class ChooseTarget(Ask, Struct, frozen=True, tag="choose-target"):
    """Where does it go?"""

    seat: int
    jump: Jumping
    ship: Ship
    alone: bool = False
    """Whether only this kind of ship can move: then not moving is an option here."""
    slug: ClassVar[str] = "beyond.jump-to"

    def ask(self, state: BeyondState) -> Question:
        allowed = self.jump.allowed(state, self.ship)
        stay = stay_option(state, self.jump) if self.alone else ()
        if not allowed and not stay:
            allowed = self.jump.targets(state, self.ship, self.jump.points)
        options = (
            Option(
                place,
                state.place(place),
                detail=moving(state, self.seat, self.ship, Ship(place, self.ship.level)),
                place=place,
                signs=(Sign("jump", str(cost)),),
            )
            for place, cost in allowed.items()
        )
        text = say("beyond.ask.jump-to", ship=ship_text(state, self.ship), n=self.jump.points)
        return Question(self.slug, self.seat, text, (*stay, *options))

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == DONE:
            return self.jump.over(state)
        cost = self.jump.targets(state, self.ship, self.jump.points)[option]
        state = deeds.move(state, self.seat, self.ship, option)
        return state.push(replace(self.jump, points=self.jump.points - cost))

    def why_not(self, state: BeyondState, component: str) -> Text:
        there = component in state.systems.values()
        return say(
            "beyond.why.no-jump-there" if there else "beyond.why.not-on-map", card=state.name(component)
        )

    def is_obsolete(self, state: BeyondState) -> bool:
        here = self.ship in state.seats[self.seat].ships
        return not here or not self.jump.targets(state, self.ship, self.jump.points)

    def on_obsolete(self, state: BeyondState) -> BeyondState:
        return self.jump.over(state)


def stay_option(state: BeyondState, jump: Jumping) -> tuple[Option, ...]:
    """The option to stop moving, unless the action would change nothing or be impossible (rules 44, 45)."""
    stay = Option(DONE, say("beyond.option.no-jump"))
    if state.phase != "action" or state.active != jump.seat:
        return (stay,)
    after = jump.over(replace(state, agenda=state.agenda[1:]))
    rest, source = ahead(after, jump.seat)
    return (stay,) if finishes(after, jump.seat, rest, source) else ()


# The museum


@carries(op.ToMuseum)
def _to_museum(
    state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool
) -> BeyondState:
    assert isinstance(operation, op.ToMuseum)
    return state.push(*(ChooseRetired(seat) for _ in range(operation.n)), CheckControl())


class ChooseRetired(Ask, Struct, frozen=True, tag="choose-retired"):
    """Which ship goes into the museum?"""

    seat: int
    slug: ClassVar[str] = "beyond.museum"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(
                ship_id(ship),
                ship_text(state, ship),
                detail=moving(state, self.seat, ship, None),
                place=ship.at,
                signs=(ship_sign(ship.level),),
            )
            for ship in kinds_of(state.seats[self.seat].ships)
        )
        return Question(self.slug, self.seat, say("beyond.ask.museum"), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return deeds.to_museum(state, self.seat, ship_of(option))

    def is_obsolete(self, state: BeyondState) -> bool:
        return not state.seats[self.seat].ships
