"""Bots for demonstrations and tests: they answer questions and move simulated pieces exactly as instructed."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.components import Value, fact_of
from companion.core.fact_values import anything, written
from companion.core.facts import is_about_several
from companion.core.forms import Form, Kinds, ListOf, Number, Record
from companion.core.game import Setup
from companion.core.questions import Question
from companion.core.words import News
from companion.games.beyond import judgement
from companion.games.beyond.board_checks import SURCHARGES
from companion.games.beyond.component_types import CARD_PLACES, SPACES, everything, ids
from companion.games.beyond.pieces import Pieces
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.research import NONE_FOUND

TIRED = 50
"""After this many rounds bots end the play if they are asked whether to go on."""
SENSIBLE = 0.85
"""How often a bot takes the most sensible option."""
IDLE = frozenset({"skip", "done", "nothing", "none"})
"""Answers that do nothing."""
STRENGTHS = (2, 3, 4, 5)
LINES = {
    2: ((0,), (0, 1), (1,), (1, 2), (2, 3), (3,)),
    3: ((0, 1), (1,), (2,), (3,), (3, 4), (4, 5)),
    4: ((0, 1), (1, 2, 3), (4, 5)),
}
"""Lines of the technology tree bots use if none were taught: playable, but not the printed ones."""


class BeyondBots:
    """Plays all seats of one table and moves its pieces; for untaught facts it invents playable values."""

    careful = False

    def __init__(self, setup: Setup, random: Random) -> None:
        self.random = random
        edition = "original" if setup.choices.get("edition") == "original" else "revised"
        box = everything("original" if edition == "original" else "revised").taught(setup.facts)
        self.table = Pieces(len(setup.seats), box, "original" if edition == "original" else "revised", random)
        self.last: dict[int, str] = {}
        self.advanced = setup.choices.get("boards") == "advanced"

    # Choosing

    def choose(self, state: BeyondState, question: Question) -> str:
        """A seat's answer: sensible enough to reach every rule and the end, random enough for edge cases."""
        if question.form is not None:
            return written(question.form, self._told(question))
        seat, options = question.seat, [option.id for option in question.options]
        table = self.table
        match question.slug.removeprefix("beyond."):
            case "first":
                return str(table.first)
            case "board":
                assert seat is not None
                sort = ids("advanced" if self.advanced and self.random.random() < 0.7 else "boards")
                return sort[table.boards[seat]]
            case "which-system":
                return self._system(state)
            case "lay-technology":
                return self._level_one()
            case "lay-achievement":
                pile = "A" if table.achievements["A"] in options else "B"
                return table.achievements[pile] if len(state.achievements) == 2 else table.achievements["B"]
            case "event":
                return self._event(state, options)
            case "which-card":
                return self._card(state, set(options))
            case "action" if self.careful:
                return self._best_action(state, question)
            case "action":
                return self._action(state, question, options)
            case "production":
                return self._production(state, seat or 0)
            case "trade" if self.careful:
                return judgement.trade(state, seat or 0, options)
            case "trade":
                return options[0] if self.random.random() < 0.6 else self.random.choice(options)
            case "jump" | "jump-to":
                return self._jump(options)
            case "go-on":
                return options[-1] if state.round > TIRED else options[0]
            case "worth":
                return str(self.random.randint(0, 7))
            case "told":
                return options[0] if self.random.random() < 0.6 else self.random.choice(options)
        if self.careful and question.slug == "beyond.build" and not judgement.builds(state, seat or 0):
            return "skip" if "skip" in options else options[0]
        busy = [option for option in options if option not in IDLE] if self.careful else []
        return self.random.choice(busy or options)

    def _system(self, state: BeyondState) -> str:
        step: Any = state.agenda[0]
        return self.table.draw_system(step.deck, step.place, step.event)

    def _level_one(self) -> str:
        card = self.table.decks[1].pop()
        self.table.laid.append(card)
        return card

    def _event(self, state: BeyondState, options: list[str]) -> str:
        step: Any = state.agenda[0]
        pile = self.table.events[step.level]
        return pile.pop() if pile and pile[-1] in options else self.random.choice(options)

    def _card(self, state: BeyondState, options: set[str]) -> str:
        step: Any = state.agenda[0]
        card = self.table.lay_card(step.level, options, step.kind)
        if card is None:
            return NONE_FOUND
        (self.table.laid if step.space else self.table.private[step.seat]).append(card)
        return card

    def _action(self, state: BeyondState, question: Question, options: list[str]) -> str:
        """A weighted random action: high research and colonising first, then ships, then what pays for them."""
        weights = []
        for option in question.options:
            words = repr(option.detail)
            weight = 1.0
            weight += 30 * ("power.colonise" in words) + 12 * ("IIII" in words) + 6 * ("'III'" in words)
            weight += 3 * ("research" in words) + 2 * ("jump" in words)
            weights.append(weight)
        return self.random.choices(options, weights)[0]

    def _best_action(self, state: BeyondState, question: Question) -> str:
        """The action worth most; repeating the previous action costs a penalty."""
        seat = question.seat or 0
        values = {}
        for option in question.options:
            again = option.id.split(":")[:2] == self.last.get(seat, "").split(":")[:2]
            values[option.id] = judgement.action_value(state, seat, option) - (4 if again else 0)
            values[option.id] += 3 * self.random.random()
        self.last[seat] = max(values, key=lambda id: values[id])
        return self.last[seat]

    def _production(self, state: BeyondState, seat: int) -> str:
        if self.careful:
            return judgement.production(state, seat)
        who = state.seats[seat]
        starving = not who.population and not any(who.supply) and bool(who.ships) and who.ore > 0
        if starving or self.random.random() > SENSIBLE:
            return "trade"
        return "growth" if who.population < 3 and any(who.supply) and self.random.random() < 0.6 else "ore"

    def _jump(self, options: list[str]) -> str:
        """Prefer a location with a system card, to avoid moving to and fro."""
        cards = [option for option in options if option.partition(":")[0] in CARD_PLACES]
        if cards and self.random.random() < 0.7:
            return self.random.choice(cards)
        return self.random.choice(options)

    # Answering what is printed

    def _told(self, question: Question) -> Value | None:
        assert question.form is not None
        fields = [fact_of(fact) for fact in question.facts]
        if len(fields) == 1:
            told: Value | None = self._fact(*fields[0], question.form)
            return told
        assert isinstance(question.form, Record)
        if not is_about_several(question):
            return self._fields(fields[0][0], question.form)
        told = {}
        for part in question.form.fields:
            assert isinstance(part.form, Record)
            told[part.name] = self._fields(part.name, part.form)
        return told

    def _fields(self, component: str, form: Record) -> dict[str, Any]:
        return {part.name: self._fact(component, part.name, part.form) for part in form.fields}

    def _fact(self, component: str, field: str, form: Form) -> Any:
        """A value that could be printed there and lets the play reach its end."""
        choose = self.random.choice
        match field:
            case "lines_2" | "lines_3" | "lines_4":
                level = int(field[-1])
                left, here = SPACES[level - 1], SPACES[level]
                pairs = zip(here, LINES[level], strict=True)
                return [{"one": left[n], "other": space} for space, joined in pairs for n in joined]
            case "two_of_three":
                return ["iiii-b"]
            case "routes":
                return _routes()
            case "yards":
                return ["food", "ore"]
            case "growth":
                return ["a", "none", "b", "none", "none", "c", "none", "d", "e"]
            case "ore_track":
                return [1, 0, 1, 0, 1, 0, 1, 0, 1]
            case "columns":
                return {"a": 4, "b": 4, "c": 3, "d": 3, "e": 3}
            case "strength":
                return choose(STRENGTHS)
            case "research_1" | "research_2" | "build_jump" | "recruit_ore":
                return choose((1, 2, 2, 3))
            case "surcharge":
                actions = ("research-1", "research-2", "build-jump")
                return self.random.sample(actions, SURCHARGES[int(component.removeprefix("basic-"))])
            case "condition":
                what = choose(("level-2", "controlled", "technologies", "automation", "ships"))
                number = choose((2, 3, 4))
                if (what, number) == ("ships", 2):
                    return {"does": "told-condition"}
                return {"does": "at-least", "counted": what, "number": number}
            case "slots":
                return [{"slot_points": n, "four": n == 1} for n in (5, 3, 2, 1)]
            case "effects" if component in ("tyler-lee", "maya-chaturvedi", "onu"):
                return [{"does": "uncover-guild", "guild_level": 2 if component == "onu" else 1}]
        return self._anything(form)

    def _anything(self, form: Form, depth: int = 0) -> Any:
        """A random value of this form: low numbers, short lists, no deep nesting."""
        match form:
            case Number(low, high):
                return min(self.random.randint(low, high) for _ in range(3))
            case Record(fields, tag_field, tag):
                told: dict[str, Any] = {f.name: self._anything(f.form, depth + 1) for f in fields}
                return {tag_field: tag, **told} if tag else told
            case Kinds(kinds):
                flat = [k for k in kinds if k.tag not in ("choose", "everyone")] if depth > 1 else kinds
                return self._anything(self.random.choice(flat or kinds), depth + 1)
            case ListOf(item, least):
                n = max(least, self.random.choice((0, 1, 1, 2)))
                return [self._anything(item, depth + 1) for _ in range(n)]
        return anything(form, self.random)

    # Moving pieces as instructed

    def follow(self, state: BeyondState, news: tuple[News, ...]) -> None:
        """Move the pieces as the news say; raises AssertionError if the result differs from the state."""
        for item in news:
            if item.kind == "hands":
                assert item.seat is not None
                self.table.do(item.seat, item.text)
                if item.text.key == "beyond.do.furnish":
                    self._fill(state, item.seat)
        self.table.compare(state)

    def _fill(self, state: BeyondState, seat: int) -> None:
        """Put a cube into every slot of the columns (rule 29)."""
        left = 17
        for n, letter in reversed(list(enumerate("abcde"))):
            cubes = min(left, state.sizes(seat)[n]) if n else left
            self.table.supply[seat][letter] = cubes
            left -= cubes

    def pieces(self) -> int:
        """The number of pieces, wherever they lie."""
        return self.table.count()


def _routes() -> list[dict[str, str]]:
    pairs = (
        "sol a1",
        "sol a2",
        "a1 yard-1",
        "a2 yard-2",
        "yard-1 b1",
        "yard-2 b2",
        "a1 a2",
        "b1 deep-space",
        "b2 deep-space",
    )
    return [{"one": pair.split()[0], "other": pair.split()[1]} for pair in pairs]
