"""The simulated table of the bots: cubes, discs, crystals, pawns and decks."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.core.components import Catalogue, Component
from companion.core.words import Text
from companion.games.beyond.component_types import (
    CUBES,
    LEVEL,
    SOL,
    TRACK,
    Achievement,
    Edition,
    Event,
    System,
    Technology,
    technologies,
)
from companion.games.beyond.operations import TYPES
from companion.games.beyond.prerequisites import search
from companion.games.beyond.state import START_POPULATION, BeyondState, Ship

STOCK = 1000


class Pieces:
    """All pieces on the table; they move only as the instructions of the rules say, word by word."""

    def __init__(self, seats: int, box: Catalogue[Component], edition: Edition, random: Random) -> None:
        self.random, self.box = random, box
        self.called = [(component.called, component.id) for component in box]
        n = range(seats)
        self.stock, self.ore = STOCK, [0 for _ in n]
        self.unused, self.population = [CUBES for _ in n], [0 for _ in n]
        self.supply = [Counter[str]() for _ in n]
        self.ships, self.museum = [Counter[Ship]() for _ in n], [Counter[int]() for _ in n]
        self.cubes: list[list[str]] = [[] for _ in n]
        self.tracks = [Counter({"food": TRACK, "ore": TRACK}) for _ in n]
        self.automation: list[list[str]] = [[] for _ in n]
        self.bases: dict[str, tuple[int, str]] = {}
        self.colonies: list[dict[str, list[str]]] = [{} for _ in n]
        self.pawns = ["" for _ in n]
        self.claims: list[Counter[str]] = [Counter() for _ in n]
        self.on_board: dict[str, str] = {}
        self.beside: dict[str, str] = {}
        self.laid: list[str] = []
        self.private: list[list[str]] = [[] for _ in n]
        self.decks = {
            level: random.sample(technologies(edition, level), len(technologies(edition, level)))
            for level in range(1, 5)
        }
        self.types = {id: self._types(id) for deck in self.decks.values() for id in deck}
        self.found: list[str] = []
        self.events = {level: self._six_events(level) for level in (2, 3)}
        self.systems = self._system_decks()
        self.first = random.randrange(seats)
        self.boards = random.sample(range(4), seats)
        self.achievements = self._achievements()

    def _types(self, id: str) -> frozenset[str]:
        card = self.box[id]
        assert isinstance(card, Technology)
        return frozenset(card.types or (self.random.choice(TYPES),))

    def _six_events(self, level: int) -> list[str]:
        """Two events with a light border and four others (rules 16, 17)."""
        events = [
            card for card in self.box if isinstance(card, Event) and (card.event_level or level) == level
        ]
        light = [card.id for card in events if card.light]
        others = [card.id for card in events if not card.light and card.event_level]
        return self.random.sample([*light, *self.random.sample(others, 4)], 6)

    def _system_decks(self) -> dict[str, list[str]]:
        """Two decks of twelve; cards of unknown decks at random, start systems on top of A (rule 19)."""
        cards = [card for card in self.box if isinstance(card, System)]
        decks = {deck: [card for card in cards if card.deck == deck] for deck in ("A", "B")}
        rest = [card for card in cards if not card.deck]
        self.random.shuffle(rest)
        for card in rest:
            decks["A" if len(decks["A"]) < 12 and card.start is not False else "B"].append(card)
        for deck in decks.values():
            self.random.shuffle(deck)
        decks["A"].sort(key=lambda card: card.start is False)
        return {deck: [card.id for card in found] for deck, found in decks.items()}

    def _achievements(self) -> dict[str, str]:
        cards = [card for card in self.box if isinstance(card, Achievement) and card.pile != "core"]
        first = self.random.choice([card for card in cards if card.pile != "B"])
        second = self.random.choice([card for card in cards if card.pile != "A" and card is not first])
        return {"A": first.id, "B": second.id}

    def count(self) -> int:
        """The number of pieces, wherever they lie; markers come from outside and are not counted."""
        cubes = sum(self.unused) + sum(self.population) + sum(c.total() for c in self.supply)
        cubes += sum(c.total() for c in self.ships) + sum(c.total() for c in self.museum)
        cubes += sum(map(len, self.cubes))
        discs = sum(track.total() for track in self.tracks)
        discs += sum(disc != "marker" for discs in self.automation for disc in discs)
        discs += sum(disc != "marker" for _, disc in self.bases.values())
        discs += sum(d != "marker" for colony in self.colonies for discs in colony.values() for d in discs)
        cards = sum(map(len, self.decks.values())) + len(self.laid) + sum(map(len, self.private))
        systems = sum(map(len, self.systems.values())) + len(self.on_board) + len(self.beside)
        systems += sum(map(len, self.colonies))
        return cubes + discs + cards + systems + self.stock + sum(self.ore)

    # Drawing cards

    def draw_system(self, deck: str, place: str, event: str) -> str:
        """Draw the top card of a deck onto a place, or beside an event."""
        card = self.systems[deck].pop(0)
        if event:
            self.beside[event] = card
        else:
            self.on_board[place] = card
        return card

    def lay_card(self, level: int, offered: set[str], kind: str) -> str | None:
        """Lay one of the cards found, the others stay at the bottom; a private technology is drawn."""
        if kind == "any":
            self.found = self.decks[level][:1]
        good = [card for card in self.found if card in offered]
        self.found = []
        if not good:
            return None
        card = self.random.choice(good)
        self.decks[level].remove(card)
        return card

    # Following instructions

    def do(self, seat: int, deed: Text) -> None:
        """Carry out one instruction; raises AssertionError if it is impossible or not implemented."""
        method = getattr(self, "_" + deed.key.removeprefix("beyond.do.").replace("-", "_"), None)
        assert method is not None, f"nobody knows how to do {deed.key}"
        method(seat, deed)

    def _letter(self, deed: Text, what: str = "letter") -> str:
        return str(deed.args[what]).lower()

    def _ship(self, deed: Text) -> Ship:
        return Ship(str(deed.args["at"]), int(str(deed.args["level"])))

    def _take_ship(self, seat: int, deed: Text) -> Ship:
        ship = self._ship(deed)
        assert self.ships[seat][ship] > 0, ship
        self.ships[seat][ship] -= 1
        return ship

    def _take_supply(self, seat: int, letter: str) -> None:
        assert self.supply[seat][letter] > 0, letter
        self.supply[seat][letter] -= 1

    def _take_population(self, seat: int) -> None:
        self.population[seat] -= 1
        assert self.population[seat] >= 0

    def _take_disc(self, seat: int, deed: Text) -> str:
        kind = str(deed.args["kind"])
        if kind != "marker":
            self.tracks[seat][kind] -= 1
            assert self.tracks[seat][kind] >= 0
        return kind

    def _furnish(self, seat: int, deed: Text) -> None:
        """All cubes but three go into the columns, filled by the table; two become population, one a ship."""
        self.unused[seat] = 0
        self.population[seat] = START_POPULATION
        self.ships[seat][Ship(SOL, 1)] += 1
        self.furnished = seat

    def _take_ore(self, seat: int, deed: Text) -> None:
        self.stock -= deed.n or 0
        self.ore[seat] += deed.n or 0

    def _pay_ore(self, seat: int, deed: Text) -> None:
        self.stock += deed.n or 0
        self.ore[seat] -= deed.n or 0
        assert self.ore[seat] >= 0

    def _pay_opponent(self, seat: int, deed: Text) -> None:
        self.ore[int(str(deed.args["to"]))] += deed.n or 0
        self.ore[seat] -= deed.n or 0
        assert self.ore[seat] >= 0

    def _recruit(self, seat: int, deed: Text) -> None:
        self._take_supply(seat, self._letter(deed))
        self.population[seat] += 1

    def _retire(self, seat: int, deed: Text) -> None:
        self._take_population(seat)
        self.supply[seat][self._letter(deed)] += 1

    def _move_supply(self, seat: int, deed: Text) -> None:
        self._take_supply(seat, self._letter(deed))
        self.supply[seat][self._letter(deed, "to")] += 1

    def _build_supply(self, seat: int, deed: Text) -> None:
        self._take_supply(seat, self._letter(deed))
        self.ships[seat][self._ship(deed)] += 1

    def _build_population(self, seat: int, deed: Text) -> None:
        self._take_population(seat)
        self.ships[seat][self._ship(deed)] += 1

    def _upgrade(self, seat: int, deed: Text) -> None:
        ship = self._take_ship(seat, deed)
        self.ships[seat][Ship(ship.at, int(str(deed.args["to"])))] += 1

    def _move(self, seat: int, deed: Text) -> None:
        ship = self._take_ship(seat, deed)
        self.ships[seat][Ship(str(deed.args["to"]), ship.level)] += 1

    def _withdraw(self, seat: int, deed: Text) -> None:
        self._take_ship(seat, deed)
        self.population[seat] += 1

    def _settle(self, seat: int, deed: Text) -> None:
        self._take_ship(seat, deed)
        self.supply[seat][self._letter(deed)] += 1

    def _to_museum(self, seat: int, deed: Text) -> None:
        self.museum[seat][self._take_ship(seat, deed).level] += 1

    def _automate(self, seat: int, deed: Text) -> None:
        self.automation[seat].append(self._take_disc(seat, deed))

    def _place_base(self, seat: int, deed: Text) -> None:
        place = str(deed.args["at"])
        assert place not in self.bases
        self.bases[place] = seat, self._take_disc(seat, deed)

    def _lose_base(self, seat: int, deed: Text) -> None:
        owner, disc = self.bases.pop(str(deed.args["at"]))
        assert (owner, disc) == (seat, deed.args["kind"])
        if disc != "marker":
            self.tracks[seat][disc] += 1

    def _named(self, words: Text) -> str:
        """The id of the component with this name."""
        return next(id for called, id in self.called if called == words)

    def _take_system(self, seat: int, deed: Text) -> None:
        place = str(deed.args["at"])
        owner, disc = self.bases.pop(place)
        assert owner == seat
        self.colonies[seat][self.on_board.pop(place)] = [disc]
        assert not any(ship.at == place and n for ships in self.ships for ship, n in ships.items())

    def _take_beside(self, seat: int, deed: Text) -> None:
        event = deed.args["event"]
        assert isinstance(event, Text)
        self.colonies[seat][self.beside.pop(self._named(event))] = []

    def _disc_on_colony(self, seat: int, deed: Text) -> None:
        system = deed.args["system"]
        assert isinstance(system, Text)
        self.colonies[seat][self._named(system)].append(self._take_disc(seat, deed))

    def _research(self, seat: int, deed: Text) -> None:
        self._take_population(seat)
        self.cubes[seat].append(str(deed.args["space"]))

    def _search(self, seat: int, deed: Text) -> None:
        """Reveal cards until two match; the others go to the bottom and the deck is not shuffled (rule 95)."""
        level = LEVEL[str(deed.args["space"])]
        deck = self.decks[level]
        n, matching = search([self.types[card] for card in deck], str(deed.args["kind"]))
        self.found = [deck[k] for k in matching]
        revealed = deck[:n]
        self.random.shuffle(revealed)
        self.decks[level] = [*deck[n:], *revealed]

    def _pawn(self, seat: int, deed: Text) -> None:
        self.pawns[seat] = str(deed.args["at"])

    def _pawn_aside(self, seat: int, deed: Text) -> None:
        self.pawns[seat] = ""

    def _claim(self, seat: int, deed: Text) -> None:
        self.claims[seat][str(deed.args["card"])] += 1

    def _uncover_guild(self, seat: int, deed: Text) -> None:
        """Remove the tile of a guild."""

    _discard_event = _keep_event = _lay_event = _uncover_guild

    # Comparing with the state

    def compare(self, state: BeyondState) -> None:
        """Raises AssertionError with the first difference between the pieces and the state."""
        for seat, who in enumerate(state.seats):
            mine = {
                "ore": (self.ore[seat], who.ore),
                "population": (self.population[seat], who.population),
                "supply": (tuple(self.supply[seat][letter] for letter in "abcde"), who.supply),
                "ships": (+self.ships[seat], Counter(who.ships)),
                "museum": (+self.museum[seat], Counter(who.museum)),
                "cubes": (sorted(self.cubes[seat]), sorted(state.researched(seat))),
                "food": (self.tracks[seat]["food"], state.left(seat, "food")),
                "ore discs": (self.tracks[seat]["ore"], state.left(seat, "ore")),
                "automation": (tuple(self.automation[seat]), who.automation),
                "colonies": (self.colonies[seat], {c.system: list(c.discs) for c in who.colonies}),
                "pawn": (self.pawns[seat], who.pawn),
            }
            for what, (there, thought) in mine.items():
                assert there == thought, f"{who.name}'s {what}: {there}, the table says {thought}"
        table = {
            "bases": (self.bases, {place: (base.seat, base.disc) for place, base in state.bases.items()}),
            "systems": (self.on_board, state.systems),
            "decks": ({deck: len(cards) for deck, cards in self.systems.items()}, state.decks),
        }
        for what, (there, thought) in table.items():
            assert there == thought, f"{what}: {there}, the table says {thought}"
