"""Simulated players and a real deck for demonstrations and tests; they do exactly what the news says."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.core.game import Setup
from companion.core.questions import Question
from companion.core.words import News, Text, inside
from companion.games.race.cards import Card, taught_deck
from companion.games.race.costs import ways
from companion.games.race.judgement import action_values, best, worth
from companion.games.race.state import RaceState
from companion.games.race.steps.place import PASS


class RaceBots:
    """All seats of one table. They know only their own cards and the questions; the deck is dealt by `random`."""

    careful = False

    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random
        self.facts = taught_deck(setup.choices["edition"], setup.facts)
        self.pile = [card.id for card in self.facts for _ in range(card.copies)]
        random.shuffle(self.pile)
        self.discards: list[str] = []
        self.hands: list[list[str]] = [[] for _ in setup.seats]
        self.tableaux: list[tuple[str, ...]] = [() for _ in setup.seats]
        self.goods: list[dict[str, str]] = [{} for _ in setup.seats]
        self.turned: str | None = None

    # Choosing

    def choose(self, state: RaceState, question: Question) -> str:
        """What this seat answers: sensible enough to reach every rule, random enough to reach every corner."""
        seat = 0 if question.seat is None else question.seat
        ids = [option.id for option in question.options]
        if question.slug == "race.action":
            return (self._best_action if self.careful else self._action)(state, seat, ids)
        if question.slug == "race.place":
            return self._best_placement(state, seat, ids) if self.careful else self._placement(seat, ids)
        if question.slug == "race.gamble":
            return self._gamble()
        if question.slug == "race.start-world":
            return self.random.choice(ids)
        return ids[0] if self.careful or self.random.random() < 0.75 else self.random.choice(ids)

    def _action(self, state: RaceState, seat: int, ids: list[str]) -> str:
        """Place what the hand can pay for, sell when it is small, consume and produce when it is worth it."""
        who, cards = state.seats[seat], [self.facts[id] for id in self.hands[seat]]
        ready = [card for card in cards if ways(state, seat, card) and card.id not in who.tableau]
        settle = 4.0 if any(card.is_world for card in ready) else 0.2
        develop = 3.0 if any(not card.is_world for card in ready) else 0.2
        made = sum(self.facts[id].world == "production" for id in who.tableau) - len(who.goods)
        weights = {
            "explore-5": 1.0 if len(ready) < 2 else 0.2,
            "explore-1-1": 2.0 if who.hand < 4 else 0.3,
            "develop": develop,
            "develop-2": develop / 2,
            "settle": settle,
            "settle-2": settle / 2,
            "consume-trade": 5.0 if who.goods and who.hand < 4 else 0.1,
            "consume-x2": 2.5 * len(who.goods) + 0.1,
            "produce": 1.5 * made + 0.2,
        }
        return self.random.choices(ids, [max(0.05, weights[id]) for id in ids])[0]

    def _best_action(self, state: RaceState, seat: int, ids: list[str]) -> str:
        """The most valuable action; if several are nearly equal, a random one of them."""
        values = action_values(state, seat, [self.facts[id] for id in self.hands[seat]])
        return max(ids, key=lambda id: values[id] + self.random.random())

    def _best_placement(self, state: RaceState, seat: int, ids: list[str]) -> str:
        """The most valuable card; place nothing only if no card is worth its place."""
        card = best(state, seat, [self.facts[id] for id in self.hands[seat] if id in ids])
        return card.id if card is not None and worth(state, seat, card) > 0 else PASS

    def _placement(self, seat: int, ids: list[str]) -> str:
        mine = [id for id in self.hands[seat] if id in ids]
        if not mine or self.random.random() < 0.05:
            return PASS
        return max(mine, key=lambda id: (self._worth(self.facts[id]), self.random.random()))

    def _worth(self, card: Card) -> float:
        points = 4 if card.points is None else card.points
        return points + self.random.random() * 3

    def _gamble(self) -> str:
        self.turned = self._take(1)[0]
        card = self.facts[self.turned]
        named = self.random.randint(1, 7)
        return "kept" if named in (card.cost, card.defense) else "lost"

    # Following the news

    def follow(self, state: RaceState, news: tuple[News, ...]) -> None:
        """Move the cards exactly as the news says; then every hand must have the size the state says."""
        for seat in range(len(state.seats)):
            self._follow_tableau(state, seat)
        for item in news:
            if item.seat is not None:
                for deed in inside(item.text):
                    self._do(state, item.seat, deed)
        for seat in range(len(state.seats)):
            self._follow_goods(state, seat)
        for seat, who in enumerate(state.seats):
            held = len(self.hands[seat])
            assert held == who.hand, f"{who.name} holds {held} cards, the table says {who.hand}"

    def pieces(self) -> int:
        """Cards in the piles, hands and tableaux and under the worlds, and the one just turned over."""
        held = sum(map(len, (*self.hands, *self.tableaux, *self.goods)))
        return len(self.pile) + len(self.discards) + held + (self.turned is not None)

    def _follow_tableau(self, state: RaceState, seat: int) -> None:
        before, now = self.tableaux[seat], state.seats[seat].tableau
        for card in now:
            if card not in before:
                (self.hands[seat] if before else self.pile).remove(card)
        self.discards += [card for card in before if card not in now]
        self.tableaux[seat] = now

    def _follow_goods(self, state: RaceState, seat: int) -> None:
        now = state.seats[seat].goods
        for world in [w for w in self.goods[seat] if w not in now]:
            self.discards.append(self.goods[seat].pop(world))
        for world in now:
            if world not in self.goods[seat]:
                self.goods[seat][world] = self._take(1)[0]

    def _do(self, state: RaceState, seat: int, deed: Text) -> None:
        n, hand = deed.n or 0, self.hands[seat]
        match deed.key.removeprefix("race."):
            case "deal" | "draw" | "then-draw":
                hand += self._take(n)
            case "take-numbered":
                for card in [c for c in self.facts if c.first_hand == deed.args["number"]]:
                    self.pile.remove(card.id)
                    hand.append(card.id)
            case "explore":
                hand += self._take(n)
                kept = deed.args["kept"]
                assert isinstance(kept, int)
                self._part_with(state, seat, n - kept)
            case "pay" | "discard" | "discard-with" | "discard-to-limit":
                self._part_with(state, seat, n)
            case "keep-turned":
                hand += self._turned()
            case "discard-turned":
                self.discards += self._turned()

    def _turned(self) -> list[str]:
        assert self.turned is not None
        card, self.turned = self.turned, None
        return [card]

    def _take(self, n: int) -> list[str]:
        taken = []
        for _ in range(n):
            if not self.pile:
                self.pile, self.discards = self.discards, []
                self.random.shuffle(self.pile)
            taken.append(self.pile.pop())
        return taken

    def _part_with(self, state: RaceState, seat: int, n: int) -> None:
        """Discard the least useful cards: second copies first, then those of little worth."""
        hand = self.hands[seat]
        copies = Counter(hand)
        if self.careful:
            hand.sort(key=lambda id: (copies[id] > 1, -worth(state, seat, self.facts[id])))
        else:
            hand.sort(key=lambda id: (copies[id] > 1, -self._worth(self.facts[id])))
        for _ in range(n):
            self.discards.append(hand.pop())
