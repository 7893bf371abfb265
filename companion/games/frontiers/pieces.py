"""The physical table of the bots: a real bag, cubes, chips, credits, colonists, tiles, discs and goals."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.core.components import Catalogue, Component
from companion.core.words import Text, component_of, inside
from companion.games.frontiers.component_types import COPIES, CUBES, WHITE, Development, Home, ids
from companion.games.frontiers.state import PER_SEAT, FrontiersState
from companion.games.frontiers.steps.goals import LOOKED_AT

BANK = 1000


class Pieces:
    """All pieces on the table; they move only by the deeds reported in the news."""

    def __init__(self, seats: int, box: Catalogue[Component], random: Random, first: bool = False) -> None:
        self.random = random
        self.bag, self.shown, self.aside = list(ids("worlds")), list[str](), list[str]()
        self.explored = [list[str]() for _ in range(seats)]
        self.stored = [list[str]() for _ in range(seats)]
        self.colonies = [dict[str, int]() for _ in range(seats)]
        self.goods = [dict[str, str]() for _ in range(seats)]
        self.stored_goods = [Counter[str]() for _ in range(seats)]
        self.developments = [list[str]() for _ in range(seats)]
        self.display = self._faces(seats, box, first)
        self.credits, self.chips, self.colonists = [0] * seats, [0] * seats, [0] * seats
        self.stored_credits = [0] * seats
        self.bank, self.on_produce = BANK, 0
        self.pool, self.supply = PER_SEAT * seats, PER_SEAT * seats
        self.cubes = Counter(CUBES)
        self.mats = self._mats(seats, box)
        self.order = random.sample(range(seats), seats)
        self.track = [*self.order, *([seat + 2 for seat in self.order] if seats == 2 else ())]
        self.selected: list[int] = []
        self.goals = random.sample(ids("goals"), len(ids("goals")))
        self.kept = [list[str]() for _ in range(seats)]
        self.goals_up: list[str] = []

    def _faces(self, seats: int, box: Catalogue[Component], first: bool) -> Counter[str]:
        """One random face of each development tile, in as many copies as this number of seats uses; in a
        first game the known faces with a white square."""
        faces: dict[str, list[Development]] = {}
        for id in ids("developments"):
            tile = box[id]
            assert isinstance(tile, Development)
            faces.setdefault(tile.stack or id, []).append(tile)
        white = {tile.stack: tile for pair in faces.values() for tile in pair if first and tile.id in WHITE}
        up = [white.get(pair[0].stack, self.random.choice(pair)) for pair in faces.values()]
        return Counter({tile.id: 1 if tile.large else COPIES[seats] for tile in up})

    def _mats(self, seats: int, box: Catalogue[Component]) -> list[tuple[str, ...]]:
        """Both homes of a mat for each seat."""
        sides: dict[int, list[str]] = {}
        for id in ids("homes"):
            home = box[id]
            assert isinstance(home, Home)
            sides.setdefault(home.mat, []).append(id)
        return [tuple(sides[mat]) for mat in self.random.sample(sorted(sides), seats)]

    def count(self) -> int:
        """How many pieces there are, wherever they lie."""
        tiles = [self.bag, self.shown, self.aside, *self.explored, *self.stored]
        tiles += [self.goals, self.goals_up, *self.kept, *self.developments]
        worlds = sum(tile not in ids("homes") for colonies in self.colonies for tile in colonies)
        cubes = self.cubes.total() + sum(map(len, self.goods))
        cubes += sum(stored.total() for stored in self.stored_goods)
        credits = sum((self.bank, self.on_produce, *self.credits, *self.stored_credits))
        settled = sum(sum(colonies.values()) for colonies in self.colonies)
        people = self.supply + sum(self.colonists) + settled
        chips = self.pool + sum(self.chips)
        return sum(map(len, tiles)) + worlds + self.display.total() + cubes + credits + people + chips

    # Following the news

    def do(self, seat: int | None, deed: Text) -> None:
        """Do one deed; raises AssertionError if it is impossible or unknown."""
        method = getattr(
            self, "_" + deed.key.removeprefix("frontiers.").replace("-", "_").replace(".", "_"), None
        )
        assert method is not None, f"nobody knows how to do {deed.key}"
        if seat is None:
            method(deed)
        else:
            method(seat, deed)

    def _id(self, deed: Text, what: str) -> str:
        return component_of(deed.args[what])

    def _good(self, deed: Text) -> str:
        good = deed.args["good"]
        assert isinstance(good, Text)
        return good.key.rpartition(".")[2]

    # Credits, points and colonists

    def _take_credits(self, seat: int, deed: Text) -> None:
        n = deed.n or 0
        if any(part.key == "frontiers.part.on-produce" for part in inside(deed)):
            assert n == self.on_produce
            self.on_produce = 0
        else:
            self.bank -= n
        self.credits[seat] += n

    def _pay(self, seat: int, deed: Text) -> None:
        self.credits[seat] -= deed.n or 0
        self.bank += deed.n or 0
        assert self.credits[seat] >= 0

    def _take_points(self, seat: int, deed: Text) -> None:
        self.pool -= deed.n or 0
        self.chips[seat] += deed.n or 0

    def _take_colonists(self, seat: int, deed: Text) -> None:
        self.supply -= deed.n or 0
        self.colonists[seat] += deed.n or 0
        assert self.supply >= 0

    def _no_colonists(self, seat: int, deed: Text) -> None:
        assert not self.supply

    def _onto_produce(self, deed: Text) -> None:
        self.bank -= 1
        self.on_produce += 1
        assert self.on_produce == deed.n

    def _store_credits(self, seat: int, deed: Text) -> None:
        self.credits[seat] -= deed.n or 0
        self.stored_credits[seat] += deed.n or 0

    # Worlds

    def _colonist_on_home(self, seat: int, deed: Text) -> None:
        home = self._id(deed, "home")
        assert home in self.mats[seat]
        self.colonies[seat][home] = 1
        self.supply -= 1

    def _show_worlds(self, deed: Text) -> None:
        assert not self.shown
        for _ in range(deed.n or 0):
            self.shown.append(self.bag.pop(self.random.randrange(len(self.bag))))

    def _return_worlds(self, deed: Text) -> None:
        self.bag += self.shown
        self.shown = []

    def take_world(self, seat: int, world: str) -> str:
        """A seat takes a world from the table; returns which one."""
        self.shown.remove(world)
        self.explored[seat].append(world)
        return world

    def draw_world(self, seat: int) -> str:
        """A seat draws a world from the bag; returns which one."""
        world = self.bag.pop(self.random.randrange(len(self.bag)))
        self.explored[seat].append(world)
        return world

    def take_last_worlds(self, seat: int, explored: tuple[str, ...]) -> None:
        """Take a world without a question, because it was the only one."""
        for world in explored:
            if world not in self.explored[seat]:
                (heap,) = [worlds for worlds in (self.shown, self.bag) if worlds == [world]]
                heap.remove(world)
                self.explored[seat].append(world)

    def _into_bag(self, *deed: int | Text) -> None:
        *seat, text = deed
        assert isinstance(text, Text)
        world = self._id(text, "world")
        (self.explored[seat[0]] if seat and isinstance(seat[0], int) else self.aside).remove(world)
        self.bag.append(world)

    def _store_world(self, seat: int, deed: Text) -> None:
        world = self._id(deed, "world")
        self.explored[seat].remove(world)
        self.stored[seat].append(world)

    def _settle(self, seat: int, deed: Text) -> None:
        world, n = self._id(deed, "world"), deed.n or 0
        self.explored[seat].remove(world)
        self.colonies[seat][world] = n
        self.colonists[seat] -= n
        assert self.colonists[seat] >= 0

    def _conquer(self, seat: int, deed: Text) -> None:
        """Conquering spends nothing."""

    def _settled_as(self, seat: int, deed: Text) -> None:
        """Naming a kind moves nothing."""

    def _replace(self, seat: int, deed: Text) -> None:
        old, new = self._id(deed, "old"), self._id(deed, "new")
        self.explored[seat].remove(new)
        self.colonies[seat][new] = self.colonies[seat].pop(old)
        if old not in ids("homes"):
            self.aside.append(old)
        self.replaced = old, new

    def _replace_good(self, seat: int, deed: Text) -> None:
        assert self.goods[seat].pop(self.replaced[0]) == self._good(deed)
        self.cubes[self._good(deed)] += 1

    def _replace_add(self, seat: int, deed: Text) -> None:
        self.colonists[seat] -= deed.n or 0
        self.colonies[seat][self.replaced[1]] += deed.n or 0
        assert self.colonists[seat] >= 0

    def _replace_return(self, seat: int, deed: Text) -> None:
        self.colonists[seat] += deed.n or 0
        self.colonies[seat][self.replaced[1]] -= deed.n or 0

    def _buy(self, seat: int, deed: Text) -> None:
        tile = self._id(deed, "tile")
        assert self.display[tile] > 0
        self.display[tile] -= 1
        self.developments[seat].append(tile)

    # Goods

    def _put_good(self, seat: int, deed: Text) -> None:
        world, good = self._id(deed, "world"), self._good(deed)
        assert world in self.colonies[seat]
        assert world not in self.goods[seat]
        assert self.cubes[good] > 0
        self.cubes[good] -= 1
        self.goods[seat][world] = good

    def _remove_good(self, seat: int, deed: Text) -> None:
        assert self.goods[seat].pop(self._id(deed, "world")) == self._good(deed)
        self.cubes[self._good(deed)] += 1

    _sell = _remove_good

    def _consumes(self, seat: int, deed: Text) -> None:
        worlds = deed.args["goods"]
        assert isinstance(worlds, tuple)
        for world in worlds:
            self.cubes[self.goods[seat].pop(component_of(world))] += 1

    def _store_good(self, seat: int, deed: Text) -> None:
        assert self.goods[seat].pop(self._id(deed, "world")) == self._good(deed)
        self.stored_goods[seat][self._good(deed)] += 1

    # The track and the goals

    def select(self, seat: int) -> None:
        """A seat selects with its next disc."""
        if len(self.selected) == len(self.track):
            self.selected = []
        disc = next(disc for disc in self.track if disc not in self.selected)
        assert disc % len(self.credits) == seat, "another disc lies before it"
        self.selected.append(disc)

    def _disc_first(self, seat: int, deed: Text) -> None:
        self.track.remove(self.selected[-1])
        self.track.insert(0, self.selected[-1])

    def _disc_up(self, seat: int, deed: Text) -> None:
        at = self.track.index(self.selected[-1])
        self.track[at - 1 : at + 1] = self.track[at], self.track[at - 1]

    def _keep_goal(self, seat: int, deed: Text) -> None:
        assert deed.n == min(LOOKED_AT, len(self.goals))
        seen, self.goals = self.goals[: deed.n], self.goals[deed.n :]
        self.kept[seat].append(seen.pop(self.random.randrange(len(seen))))
        self.goals += seen

    def turn_up(self, seat: int, goal: str) -> None:
        """A seat turns up the first of the goals it kept."""
        assert self.kept[seat].pop(0) == goal
        self.goals_up.append(goal)

    # Comparing with the state

    def compare(self, state: FrontiersState) -> None:
        """Raises AssertionError with the first difference between the pieces and the state."""
        for seat, who in enumerate(state.seats):
            mine = {
                "credits": (self.credits[seat], who.credits),
                "points": (self.chips[seat], who.chips),
                "colonists": (self.colonists[seat], who.colonists),
                "explored": (sorted(self.explored[seat]), sorted(who.explored)),
                "developments": (sorted(self.developments[seat]), sorted(who.developments)),
                "colonies": (self.colonies[seat], {c.tile: c.colonists for c in who.colonies}),
                "goods": (self.goods[seat], {c.tile: c.good for c in who.colonies if c.good is not None}),
                "stored worlds": (sorted(self.stored[seat]), sorted(who.stored_worlds)),
                "stored goods": (self.stored_goods[seat], Counter(who.stored_goods)),
                "stored credits": (self.stored_credits[seat], who.stored_credits),
            }
            for what, (there, thought) in mine.items():
                assert there == thought, f"{who.name}'s {what}: {there}, the table says {thought}"
        table = {
            "bag": (sorted((*self.bag, *self.shown)), sorted(state.bag())),
            "supply": (self.supply, state.supply),
            "pool": (self.pool, state.pool),
            "cubes": (dict(self.cubes), state.cubes()),
            "credits on Produce": (self.on_produce, state.produce_credits),
            "worlds replaced": (self.aside, list(state.aside)),
            "goals face up": (self.goals_up, list(state.goals_up)),
        }
        if state.round:
            table["track"] = self.track, list(state.track)
        for what, (there, thought) in table.items():
            assert there == thought, f"{what}: {there}, the table says {thought}"
