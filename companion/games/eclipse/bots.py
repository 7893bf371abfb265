"""Simulated players, bags and stacks for demonstrations and tests: real tiles, moved exactly as the news says."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.core.agenda import open_asks
from companion.core.game import Setup
from companion.core.questions import Dice, Question
from companion.core.words import News, inside
from companion.games.eclipse import component_types
from companion.games.eclipse.combat import chances, pair
from companion.games.eclipse.component_types import (
    OUTER_SECTORS,
    Ship,
    discoveries,
    reputations,
    sectors_of,
    technologies,
)
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.claim import KEEP, TakeDiscovery
from companion.games.eclipse.steps.explore import ENOUGH
from companion.games.eclipse.steps.free import ALLY, COLONY, TRADE
from companion.games.eclipse.steps.move import DONE, Move, MoveTo, go, movable, routes

WEIGHTS = {"explore": 4.0, "influence": 0.8, "research": 2.5, "upgrade": 0.8, "build": 1.8, "move": 2.5}

FAIR = 0.4
"""Careful bots begin a battle if their chance to win it is at least this."""


class EclipseBots:
    """All seats of one table, and everything that is drawn at random."""

    careful = False

    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random
        self.bag = Counter({tech.id: tech.copies for tech in technologies().values()})
        self.out: Counter[str] = Counter()
        self.stacks = {ring: list(sectors_of(ring)) for ring in ("inner", "middle", "outer")}
        for stack in self.stacks.values():
            random.shuffle(stack)
        del self.stacks["outer"][OUTER_SECTORS[len(setup.seats)] :]
        self.discards: dict[str, list[str]] = {ring: [] for ring in self.stacks}
        self.hand: list[str] = []
        self.placed: set[str] = set()
        self.discoveries = [tile.id for tile in discoveries().values() for _ in range(tile.copies)]
        random.shuffle(self.discoveries)
        self.lying: dict[str, str] = {}
        self.used: Counter[str] = Counter()
        self.kept: list[list[str]] = [[] for _ in setup.seats]
        self.reputation = [tile.value for tile in reputations().values() for _ in range(tile.copies)]
        random.shuffle(self.reputation)
        self.held: list[list[int]] = [[] for _ in setup.seats]

    # Choosing

    def choose(self, state: EclipseState, question: Question) -> str:
        """An answer: draws come from bags and stacks, choices are sensible enough to reach every rule."""
        if question.dice is not None:
            return self._throw(question.dice)
        ids = [option.id for option in question.options]
        if self.careful:  # trading three for one is seldom worth it
            ids = [id for id in ids if not id.startswith(TRADE)] or ids
        seat = 0 if question.seat is None else question.seat
        match question.slug.removeprefix("eclipse."):
            case "technology":
                return self.random.choice(list(self.bag.elements()))
            case "turn-up":
                if ENOUGH in ids and self.random.random() < 0.3:
                    return ENOUGH
                return self.stacks[component_types.sectors()[ids[0]].ring][-1]
            case "discovery":
                return self._discovery(state, ids)
            case "reputation":
                return f"reputation-{self.held[seat][len(state.seats[seat].revealed)]}"
            case "turn":
                return self._turn(state, seat, ids)
            case "place-hex":
                return self._but(ids, "discard", 1.0 if self.careful else 0.9)
            case "influence":
                return self._influence(state, seat, ids)
            case "influence-to":
                return self._but(ids, "track", 1.0 if self.careful else 0.9)
            case "move" if self.careful:
                return self._fleet(state, seat)
            case "move-to":
                return self._march(state, seat, ids)
            case "claim":
                bold = 0.0 if self.careful else 0.2
                return "yes" if state.balance(seat, 1) >= 0 or self.random.random() < bold else "no"
        return self._any(question, ids)

    def _throw(self, dice: Dice) -> str:
        """Roll at random; some seats tell every die, some only the first ones."""
        faces = tuple(self.random.choices(dice.faces, k=dice.n))
        if not self.careful and self.random.random() < 0.2:
            faces = faces[: self.random.randint(0, dice.n)]
        return dice.answer_for(faces)

    def _any(self, question: Question, ids: list[str]) -> str:
        colonies = [id for id in ids if id.startswith(COLONY)]
        if colonies and (self.careful or self.random.random() < 0.8):
            return self.random.choice(colonies)
        if question.has_default and self.random.random() < 0.7:
            return ids[0]
        own = [id for id in ids if not id.startswith((COLONY, TRADE, ALLY))]
        if own and self.random.random() < 0.95:
            return self._but(own, "done", 1.0 if self.careful else 0.85)
        return self.random.choice(ids)

    def _influence(self, state: EclipseState, seat: int, ids: list[str]) -> str:
        """Take discs from the track; seldom leave a sector."""
        colonies = [id for id in ids if id.startswith(COLONY)]
        if colonies:
            return self.random.choice(colonies)
        if "track" in ids and state.balance(seat, 1) >= 0:
            return "track"
        return "done" if self.random.random() < 0.8 else self.random.choice(ids)

    def _march(self, state: EclipseState, seat: int, ids: list[str]) -> str:
        """Move ships where there is somebody to fight, more often than not; careful bots if it is fair."""
        if self.careful:
            ship = next(ask.ship for _, ask in open_asks(state) if isinstance(ask, MoveTo))
            return self.random.choice(self._wise(state, seat, ship, ids) or ids)
        fights = [id for id in ids if state.enemies(id.split(">")[-1], seat)]
        return self.random.choice(fights if fights and self.random.random() < 0.7 else ids)

    def _fleet(self, state: EclipseState, seat: int) -> str:
        """Move a ship that has somewhere to go, if there is one."""
        wise = [
            f"{ship}:{start}"
            for ship, start in movable(state, seat)
            if self._wise(state, seat, ship, [">".join(w) for w in routes(state, seat, ship, start).values()])
        ]
        return self.random.choice(wise) if wise else DONE

    def _wise(self, state: EclipseState, seat: int, ship: Ship, ways: list[str]) -> list[str]:
        """The ways into fair battles; if there are none, those to peaceful sectors."""
        fights = [way for way in ways if state.enemies(way.split(">")[-1], seat)]
        return [way for way in fights if self._winning(state, seat, ship, way)] or [
            way for way in ways if way not in fights
        ]

    @staticmethod
    def _winning(state: EclipseState, seat: int, ship: Ship, way: str) -> bool:
        """Whether a battle at the end of this way is fair if all ships follow that can still move."""
        left = next(ask.left for _, ask in open_asks(state) if isinstance(ask, Move | MoveTo))
        places, there = tuple(way.split(">")), state
        fleet = state.map[places[0]].fleet(seat)
        for _ in range(min(left, fleet.ships[ship] if fleet else 0)):
            there = go(there, seat, ship, places)
        sides, odds = pair(there, places[-1]), chances(there, places[-1])
        if sides is None or odds is None:
            return False
        return (odds.attacker_win if sides[0] == seat else odds.defender_win) >= FAIR

    def _but(self, ids: list[str], last: str, chance: float) -> str:
        """A random option; `last` only if there is no other, or seldom."""
        others = [id for id in ids if id != last]
        if others and (last not in ids or self.random.random() < chance):
            return self.random.choice(others)
        return self.random.choice(ids)

    def _turn(self, state: EclipseState, seat: int, ids: list[str]) -> str:
        """Send colony ships, act while it can be paid for, then pass; sometimes overspend."""
        if self.careful:
            return self._best_turn(state, seat, ids)
        for prefix, chance in ((COLONY, 0.8), (ALLY, 0.4), (TRADE, 0.02)):
            found = [id for id in ids if id.startswith(prefix)]
            if found and self.random.random() < chance:
                return self.random.choice(found)
        actions = [id for id in ids if id in WEIGHTS]
        eager = 0.85 if state.balance(seat, 1) >= 0 else 0.03
        if state.seats[seat].passed:
            eager *= 0.15
        if not actions or self.random.random() > eager:
            return "pass"
        return self.random.choices(actions, [WEIGHTS[id] for id in actions])[0]

    def _best_turn(self, state: EclipseState, seat: int, ids: list[str]) -> str:
        """The same without overspending: while one more disc can be paid for, prefer the actions done least often."""
        free = [id for id in ids if id.startswith((COLONY, ALLY))]
        if free:
            return self.random.choice(free)
        who = state.seats[seat]
        weights = {id: WEIGHTS[id] / (1 + who.acted.get(id, 0)) for id in ids if id in WEIGHTS}
        if who.passed or not weights or state.balance(seat, 1) < 0:
            return "pass"
        return self.random.choices(list(weights), list(weights.values()))[0]

    def _discovery(self, state: EclipseState, ids: list[str]) -> str:
        place = next(ask.place for _, ask in open_asks(state) if isinstance(ask, TakeDiscovery))
        tile = self.lying[place]
        return tile if tile in ids and self.random.random() < 0.6 else KEEP

    # Following the news

    def follow(self, state: EclipseState, news: tuple[News, ...]) -> None:
        """Move tiles and hexes as the news says; a drawn component must be the one that really lay there."""
        shuffled = {
            str(text.args["ring"].key).rpartition(".")[2]  # type: ignore[union-attr]
            for item in news
            for text in inside(item.text)
            if text.key == "eclipse.reshuffle"
        }
        self._follow_technologies(state)
        self._follow_hexes(state, shuffled)
        self._follow_discoveries(state)
        self._follow_reputation(state)

    def _follow_technologies(self, state: EclipseState) -> None:
        out = Counter(state.offered)
        for index, seat in enumerate(state.seats):
            printed = state.species(index).technologies if seat.species else ()
            out.update(t for t in seat.technologies if t not in printed)
        for tech, n in (out - self.out).items():
            self.bag[tech] -= n
            assert self.bag[tech] >= 0, f"more {tech} than the bag had"
        for tech, n in (self.out - out).items():
            self.bag[tech] += n
        self.out = out

    def _follow_hexes(self, state: EclipseState, shuffled: set[str]) -> None:
        for ring, told in state.stacks.items():
            stack, discards = self.stacks[ring], self.discards[ring]
            if ring in shuffled:
                self.hand += reversed(stack)
                stack[:] = discards
                discards.clear()
                self.random.shuffle(stack)
            while len(stack) > told.left:
                self.hand.append(stack.pop())
            for id in told.discards:
                if id not in discards:
                    self.hand.remove(id)
                    discards.append(id)
            assert (len(stack), len(discards)) == (told.left, len(told.discards)), f"{ring} stack"
        for sector in state.map.values():
            if sector.hex not in self.placed and sector.facts.ring not in ("home", "centre"):
                self.hand.remove(sector.hex)
                self.placed.add(sector.hex)

    def _follow_discoveries(self, state: EclipseState) -> None:
        for place, sector in state.map.items():
            if sector.discovery and place not in self.lying:
                self.lying[place] = self.discoveries.pop()
            elif not sector.discovery and place in self.lying:
                tile = self.lying.pop(place)
                if state.used.get(tile, 0) > self.used[tile]:
                    self.used[tile] += 1
                else:
                    owner = next(n for n, seat in enumerate(state.seats) if seat.kept > len(self.kept[n]))
                    self.kept[owner].append(tile)
        assert dict(+self.used) == state.used, "a discovery was used that nobody had"

    def _follow_reputation(self, state: EclipseState) -> None:
        for seat, held in zip(state.seats, self.held, strict=True):
            while len(held) > seat.reputation:
                self.reputation.insert(0, held.pop())
        for seat, held in zip(state.seats, self.held, strict=True):
            while len(held) < seat.reputation:
                held.append(self.reputation.pop())

    def pieces(self) -> int:
        """How many tiles and hexes there are, wherever they lie."""
        hexes = [*self.stacks.values(), *self.discards.values(), self.hand, self.placed]
        tiles = [self.discoveries, self.lying, *self.kept, self.reputation, *self.held]
        counted = self.bag.total() + self.out.total() + self.used.total()
        return counted + sum(map(len, hexes)) + sum(map(len, tiles))
