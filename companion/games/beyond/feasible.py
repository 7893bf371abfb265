"""Search: can an action be carried out in printed order, and does it change anything (rules 44, 45, 48)? Pure.

Unknown facts count as possible: they are asked for when the action is chosen, and the lines of the tree
before anything is paid (`untold_lines`). Bonuses for gaining control are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import UNKNOWN
from companion.games.beyond import operations as op
from companion.games.beyond.actions import copyable
from companion.games.beyond.columns import changed, has_room, leftmost, returned, rightmost, taken
from companion.games.beyond.component_types import DEEP_SPACE, SOL, SPACES, YARDS, ids
from companion.games.beyond.counting import amount
from companion.games.beyond.movement import control_after, reach
from companion.games.beyond.operations import AnyOperation, Operations
from companion.games.beyond.prerequisites import level_of, reachable, unknown_lines
from companion.games.beyond.state import BeyondState, Ship

MOST_TRIED = 2000
"""The search gives up after this many ways and assumes that one of them works."""
HIGHEST = 4


class Outlook(Struct, frozen=True):
    """The part of a faction's state that matters during the search."""

    ore: int
    population: int
    supply: tuple[int, ...]
    mine: frozenset[str]
    ships: tuple[Ship, ...]
    changed: bool
    swapped: bool


class Part(Struct, frozen=True):
    """An operation still to be done; if it is part of a bonus (`soft`), it is skipped if impossible (rule 99)."""

    operation: AnyOperation
    soft: bool = False


Way = tuple[Outlook, tuple[Part, ...]]


def possible(state: BeyondState, seat: int, operations: Operations, source: str) -> bool:
    """Whether an action can be chosen: it can be carried out completely and changes something."""
    fresh = replace(_now(state, seat), changed=False, swapped=False)
    return Search(state, seat, source).finishes(fresh, parts(operations))


def doable(state: BeyondState, seat: int, operations: Operations, source: str) -> bool:
    """Whether operations can be carried out completely, even without any change."""
    return Search(state, seat, source).finishes(replace(_now(state, seat), changed=True), parts(operations))


def untold_lines(state: BeyondState, seat: int, operations: Operations, source: str) -> tuple[str, ...]:
    """The tree facts to ask for before we know whether this can be carried out; none if it can in any case."""
    if not any(unknown_lines(state, level) for level in SPACES):
        return ()
    search = Search(state, seat, source, certain=True)
    if search.finishes(replace(_now(state, seat), changed=True), parts(operations)):
        return ()
    return tuple(sorted(search.untold))


def finishes(state: BeyondState, seat: int, rest: tuple[Part, ...], source: str) -> bool:
    """Whether the rest of a running action can be carried out, and the whole action changes something."""
    return Search(state, seat, source).finishes(_now(state, seat), rest)


def parts(operations: Operations, soft: bool = False) -> tuple[Part, ...]:
    """Operations as parts of a search."""
    return tuple(Part(operation, soft) for operation in operations)


def _now(state: BeyondState, seat: int) -> Outlook:
    who = state.seats[seat]
    return Outlook(
        who.ore,
        who.population,
        who.supply,
        state.researched(seat),
        who.ships,
        state.changed,
        state.swapped,
    )


class Search:
    """One search through the ways to carry out operations."""

    def __init__(self, state: BeyondState, seat: int, source: str, *, certain: bool = False) -> None:
        self.state, self.seat, self.source = state, seat, source
        self.certain = certain
        """Whether unknown lines count as absent instead of possible."""
        self.untold: set[str] = set()
        self.left = MOST_TRIED
        self.failed: set[tuple[Outlook, tuple[Part, ...]]] = set()
        self.copies: dict[str, tuple[tuple[Part, ...], ...]] = {}

    def finishes(self, now: Outlook, rest: tuple[Part, ...]) -> bool:
        """Whether the remaining parts can all be carried out in some way."""
        if not rest:
            return now.changed
        if now.changed and all(_harmless(part) for part in rest):
            return True
        if (now, rest) in self.failed:
            return False
        part, later = rest[0], rest[1:]
        tried = False
        for after, first in self.ways(now, part.operation, later):
            tried = True
            self.left -= 1
            if self.left < 0 or self.finishes(after, (*first, *later)):
                return True
        choosing = isinstance(part.operation, op.Choose | op.CopyAction)
        if part.soft and (choosing or not tried) and self.finishes(now, later):
            return True
        self.failed.add((now, rest))
        return False

    def ways(self, now: Outlook, operation: AnyOperation, later: tuple[Part, ...]) -> Iterator[Way]:
        """Every possible result of an operation, the likeliest first."""
        match operation:
            case op.GainOre() | op.Recruit() | op.Retire() | op.PayOre() | op.PayOpponent() | op.MoveSupply():
                yield from ((after, ()) for after in self._resources(now, operation))
            case op.Build():
                yield from ((after, ()) for after in self._build(now, operation, _colonises(later)))
            case op.Upgrade():
                yield from ((after, ()) for after in self._upgrade(now, operation, _colonises(later)))
            case op.Jump() | op.JumpAnywhere():
                yield from ((after, ()) for after in self._jump(now, operation, _colonises(later)))
            case op.Research():
                yield from self._research(now, operation)
            case op.Colonise():
                yield from self._colonise(now, operation)
            case op.Choose():
                yield from self._choose(now, operation)
            case op.CopyAction(scope):
                for whole in self._copied(scope):
                    yield now, whole
            case _:
                yield from self._rest(now, operation)

    def _copied(self, scope: str) -> tuple[tuple[Part, ...], ...]:
        """The operations of the actions that can be copied, computed once."""
        if scope not in self.copies:
            spaces = copyable(self.state, self.seat, scope, self.source)
            self.copies[scope] = tuple(dict.fromkeys(parts(space.whole) for space in spaces))
        return self.copies[scope]

    def _rest(self, now: Outlook, operation: AnyOperation) -> Iterator[Way]:
        state, after = self.state, replace(now, changed=True)
        match operation:
            case op.UncoverGuild(level):
                covered = [
                    id for id in covered_guilds(state) if (state.guild(id).guild_level or level) == level
                ]
                yield (after if covered else now), ()
            case op.Displace():
                standing = any(state.seats[other].pawn for other in state.others(self.seat))
                yield (after if standing else now), ()
            case op.ToMuseum(n):
                yield replace(now, ships=now.ships[n:], changed=now.changed or bool(now.ships)), ()
            case op.TakeSystem():
                kept = state.kept.get(self.source)
                if kept is not None and kept.system:
                    yield after, parts(state.system(kept.system).colony_bonus or (), soft=True)
            case op.RepeatImmediate():
                yield now, ()
            case _:
                yield after, ()

    def _resources(self, now: Outlook, operation: AnyOperation) -> Iterator[Outlook]:
        match operation:
            case op.GainOre(n, per, each, most):
                got = amount(self.state, self.seat, n, per, each, most)
                yield replace(now, ore=now.ore + got, changed=now.changed or got > 0)
            case op.PayOre(n) | op.PayOpponent(n):
                if now.ore >= n:
                    yield replace(now, ore=now.ore - n, changed=True)
            case op.Recruit(n, per, each, most, column):
                wanted = amount(self.state, self.seat, n, per, each, most)
                there = sum(now.supply) if column == "leftmost" else now.supply["abcde".index(column)]
                got = min(wanted, there)
                supply = (
                    taken(now.supply, got)
                    if column == "leftmost"
                    else changed(now.supply, "abcde".index(column), -got)
                )
                yield replace(
                    now, supply=supply, population=now.population + got, changed=now.changed or got > 0
                )
            case op.Retire(n):
                yield from self._retire(now, n)
            case op.MoveSupply(n, to):
                last, sizes = rightmost(now.supply), self.state.sizes(self.seat)
                columns = range(len(sizes)) if to == "any" else ("abcde".index(to),)
                moves = last is not None and any(
                    n != last and has_room(now.supply, sizes, n) for n in columns
                )
                yield replace(now, changed=now.changed or moves)

    def _retire(self, now: Outlook, n: int) -> Iterator[Outlook]:
        """Population is retired, with 1 ore in place of one cube if an ability allows it (rule 48)."""
        may_swap = not now.swapped and self.state.has(self.seat, op.OreForRetired)
        for ore in (0, 1) if may_swap and now.ore else (0,):
            if now.population >= n - ore:
                supply = returned(now.supply, self.state.sizes(self.seat), n - ore)
                yield replace(
                    now,
                    population=now.population - n + ore,
                    ore=now.ore - ore,
                    supply=supply,
                    changed=True,
                    swapped=now.swapped or bool(ore),
                )

    def _build(self, now: Outlook, operation: op.Build, exact: bool) -> Iterator[Outlook]:
        """Ships from population must be built unless optional; ships from supply need not if it ran out."""
        places = [{"sol": SOL, "deep-space": DEEP_SPACE}.get(operation.place, SOL)]
        if operation.place == "shipyard" and exact:
            places += [place for place in self.state.held(self.seat) if place in YARDS]
        for place in places:
            yield from self._built(now, operation, place, operation.n)

    def _built(self, now: Outlook, operation: op.Build, place: str, n: int) -> Iterator[Outlook]:
        if n == 0:
            yield now
            return
        ships = tuple(sorted((*now.ships, Ship(place, operation.level))))
        built = replace(now, ships=ships, changed=True)
        column = supply_column(now.supply, operation.source)
        if operation.source != "population" and column is not None:
            after = replace(built, supply=changed(now.supply, column, -1))
            yield from self._built(after, operation, place, n - 1)
        elif now.population > 0:
            after = replace(built, population=now.population - 1)
            yield from self._built(after, operation, place, n - 1)
        if operation.optional or (operation.source != "population" and column is None):
            yield now

    def _upgrade(self, now: Outlook, operation: op.Upgrade, exact: bool) -> Iterator[Outlook]:
        low = [ship for ship in now.ships if ship.level < HIGHEST]
        if not low:
            yield now
            return
        if operation.spread:
            yield from self._spread(now, operation.levels, exact)
        else:
            times = min(operation.ships, len(low))
            chosen = combinations(range(len(low)), times) if exact else [tuple(range(times))]
            for which in chosen:
                yield _raised(now, tuple(low[n] for n in which), operation.levels)
        if operation.up_to:
            yield now

    def _spread(self, now: Outlook, levels: int, exact: bool) -> Iterator[Outlook]:
        """Each level goes to any ship below level 4; all choices are tried only if `exact`, else just one."""
        low = tuple(dict.fromkeys(ship for ship in now.ships if ship.level < HIGHEST))
        if not levels or not low:
            yield now
            return
        for ship in low if exact else low[:1]:
            yield from self._spread(_raised(now, (ship,), 1), levels - 1, exact)

    def _jump(self, now: Outlook, operation: op.Jump | op.JumpAnywhere, exact: bool) -> Iterator[Outlook]:
        """Ships moved, or none moved; all placements are tried only if `exact`."""
        if self.state.side.routes is UNKNOWN:
            if now.ships:
                yield replace(now, changed=True)
            yield now
            return
        if not exact:
            if any(self._targets(ship.at, operation) for ship in set(now.ships)):
                yield replace(now, changed=True)
            yield now
            return
        yield now
        for ships in self._placements(now.ships, operation):
            yield replace(now, ships=ships, changed=True)

    def _targets(self, start: str, operation: op.Jump | op.JumpAnywhere, points: int = 0) -> dict[str, int]:
        if isinstance(operation, op.Jump):
            return reach(self.state, self.seat, start, points or operation.points)
        there = self.state.locations if operation.to == "anywhere" else (operation.to,)
        return {place: 1 for place in there if place != start}

    def _placements(
        self, ships: tuple[Ship, ...], operation: op.Jump | op.JumpAnywhere
    ) -> Iterator[tuple[Ship, ...]]:
        budget = operation.points if isinstance(operation, op.Jump) else operation.ships
        seen = {ships}
        edge: list[tuple[tuple[Ship, ...], tuple[Ship, ...], int]] = [(ships, (), budget)]
        while edge and len(seen) < MOST_TRIED:
            still, moved, points = edge.pop()
            for ship in set(still):
                rest = list(still)
                rest.remove(ship)
                for place, cost in self._targets(ship.at, operation, points).items():
                    if cost > points:
                        continue
                    gone: tuple[Ship, ...] = (*moved, Ship(place, ship.level))
                    now = tuple(sorted((*rest, *gone)))
                    if now not in seen:
                        seen.add(now)
                        yield now
                    if points > cost and rest and len(seen) < MOST_TRIED:
                        edge.append((tuple(rest), gone, points - cost))

    def _research(self, now: Outlook, operation: op.Research) -> Iterator[Way]:
        if now.population < 1:
            return
        used = replace(now, population=now.population - 1, changed=True)
        spaces = reachable(self.state, self.seat, operation, now.mine)
        if spaces is None:
            self.untold.update(unknown_lines(self.state, level_of(self.state, self.seat, operation)))
            if not self.certain:
                yield used, ()
            return
        for space in spaces:
            card = self.state.node(space).card
            bonus: Operations = ()
            if card and not operation.no_bonus:
                bonus = self.state.technology(card).immediate or ()
            yield replace(used, mine=used.mine | {space}), parts(bonus, soft=True)

    def _colonise(self, now: Outlook, operation: op.Colonise) -> Iterator[Way]:
        state = self.state
        for place in colonisable(state, self.seat, operation, now.ships):
            here = [ship for ship in now.ships if ship.at == place]
            supply = returned(now.supply, state.sizes(self.seat), len(here))
            ships = tuple(ship for ship in now.ships if ship.at != place)
            bonus = state.system(state.systems[place]).colony_bonus or ()
            yield replace(now, supply=supply, ships=ships, changed=True), parts(bonus, soft=True)

    def _choose(self, now: Outlook, operation: op.Choose) -> Iterator[Way]:
        for n, choice in enumerate(operation.options):
            again = next_choice(operation, n)
            yield now, (*parts(choice.effects), *parts(again))
        if operation.optional:
            yield now, ()


def _raised(now: Outlook, which: tuple[Ship, ...], levels: int) -> Outlook:
    ships = list(now.ships)
    for ship in which:
        ships.remove(ship)
        ships.append(Ship(ship.at, min(HIGHEST, ship.level + levels)))
    return replace(now, ships=tuple(sorted(ships)), changed=True)


def covered_guilds(state: BeyondState) -> tuple[str, ...]:
    """The guilds that cannot be used yet (rule 115)."""
    return tuple(id for id in ids("guilds") if id not in state.guilds)


def next_choice(operation: op.Choose, taken_option: int) -> Operations:
    """What is left to choose after one option was taken."""
    options = operation.options
    if not operation.again:
        options = (*options[:taken_option], *options[taken_option + 1 :])
    if operation.picks <= 1 or not options:
        return ()
    return (replace(operation, options=options, picks=operation.picks - 1),)


def supply_column(supply: tuple[int, ...], source: str) -> int | None:
    """The column a cube is taken from, or None if there is none."""
    if source in ("supply", "leftmost"):
        return leftmost(supply)
    if source == "population":
        return None
    column = "abcde".index(source)
    return column if supply[column] > 0 else None


def colonisable(
    state: BeyondState, seat: int, operation: op.Colonise, ships: tuple[Ship, ...]
) -> tuple[str, ...]:
    """The systems a faction may colonise with these ships (rules 155, 157)."""
    found = []
    for place, system in state.systems.items():
        if operation.stealth and place not in state.open_places:
            continue
        needed = state.system(system).strength
        strength = sum(ship.level for ship in ships if ship.at == place)
        enough = strength > 0 if needed is UNKNOWN else strength >= needed
        if enough and control_after(state, place, seat, ships) == seat:
            found.append(place)
    return tuple(found)


def _colonises(later: tuple[Part, ...]) -> bool:
    return any(isinstance(inner, op.Colonise) for part in later for inner in op.inside((part.operation,)))


def _harmless(part: Part) -> bool:
    """Whether a part can always be carried out or skipped."""
    match part.operation:
        case op.PayOre() | op.PayOpponent() | op.Retire() | op.Research() | op.Colonise():
            return part.soft
        case op.Build(source="population", optional=False):
            return part.soft
        case op.Choose(optional=False) | op.CopyAction() | op.TakeSystem():
            return part.soft
    return True
