"""New play: the game, the players, the variants, and setting up the table, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.flow.game import flow_game, shipped_flow
from companion.core.game import Game, Setup, Variant, games
from companion.core.words import Text, count
from companion.table.settings import Depth, Person
from companion.texts import capital
from companion.ui.screens.new.depth import DepthCards, Limited, depths_of, first_evening
from companion.ui.screens.new.seating import Seating, players
from companion.ui.toolkit.covers import CoverTap, cover_of
from companion.ui.toolkit.kit import (
    Column,
    Flow,
    Icon,
    Page,
    Part,
    Plate,
    Row,
    Scroll,
    Split,
    Tap,
    Tiles,
    Words,
)
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import FONTS, SMALLEST_WORDS

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

ESCAPE = "27"


class NewPlay(Screen):
    """Everything that is decided before a play."""

    name = "new"

    def __init__(
        self,
        app: Context,
        random: Random | None = None,
        game: Game | None = None,
        seats: Sequence[str] = (),
        wished: Mapping[str, str] | None = None,
        flow: str = "",
    ) -> None:
        """Decisions already made can be passed in; if everybody is seated, only setting up is left. A `flow` is
        the text of a game that only a file describes."""
        super().__init__(app)
        self.games = tuple(games().values())
        self.game: Game | None = self.games[0] if len(self.games) == 1 else None
        self.seating = Seating(app, lambda: self.rules, self._begin_setting_up, random or Random())
        self.wished: dict[str, str] = {}
        self.ticked: frozenset[int] = frozenset()
        self.at = 0
        self.hurried = False
        """Somebody wanted to go on although something was wrong; from then on problems are shown."""
        self._starting = False
        self.flow = flow
        self.chosen_depth: Depth | None = None
        self.first_evenings: dict[str, bool] = {}
        """Whether it is the first evening with an untaught box, by game."""
        self.chosen_before = False
        """Whether the game was chosen before this screen; then back from the first page leads there."""
        self._agreed(flow_game(flow) if flow else game, seats, wished or {})
        self._look_up()

    def _agreed(self, game: Game | None, seats: Sequence[str], wished: Mapping[str, str]) -> None:
        """Begin with the decisions made before this screen."""
        if game is None:
            return
        self.game, self.wished, self.chosen_before = game, dict(wished), True
        for name in seats:
            self.seating.people = (*self.people, self.seating.person(name))
        self.at = self.steps.index("table" if self.people else "people")

    def _begin_setting_up(self) -> None:
        """Untick everything: the setup has changed."""
        self.ticked = frozenset()

    def _look_up(self) -> None:
        """Find out whether the box of the chosen game is known."""
        if self.game is None or self.flow or self.game.id in self.first_evenings:
            return
        rules = self.game

        def found(first: bool) -> None:
            self.first_evenings[rules.id] = first
            if self.step == "depth":
                self.app.refresh()

        self.desk.clerk.do(
            lambda journal, binder: first_evening(rules, journal, binder), found, lambda trouble: None
        )

    # Decisions so far

    @property
    def depth(self) -> Depth:
        """How much is followed: as chosen now or last time; turns and pools with a box nobody knows yet."""
        possible = depths_of(self.rules)
        kept = self.chosen_depth or self.desk.settings.depth.get(self.rules.id)
        if kept is None and self.first_evenings.get(self.rules.id, False):
            kept = "turns"
        return kept if kept is not None and kept in possible else "everything"

    @property
    def people(self) -> tuple[Person, ...]:
        """The players."""
        return self.seating.people

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of this setup."""
        steps = ("game",) if len(self.games) > 1 else ()
        rules = ("rules",) if self.game is None or self.game.box.variants else ()
        asked = not self.flow and (self.game is None or len(depths_of(self.game)) > 1)
        return (*steps, "people", *(("depth",) if asked else ()), *rules, "table")

    @property
    def step(self) -> str:
        """The current step."""
        return self.steps[self.at]

    @property
    def rules(self) -> Game:
        """The chosen game."""
        assert self.game is not None
        return self.game

    def setup(self) -> Setup:
        """The setup the play would begin with."""
        choices = {variant.id: self._value(variant) for variant in self.rules.box.variants}
        names = tuple(person.name for person in self.people)
        return Setup(self.rules.id, names, choices, flow=self._flow or UNSET)

    @property
    def _flow(self) -> str:
        """The flow of a light play; empty if all rules are followed."""
        return self.flow or (shipped_flow(self.rules.id) or "" if self.depth == "turns" else "")

    def problems(self) -> list[str]:
        """Problems with that setup, in sentences."""
        return [self.desk.words(self._named(text)) for text in self.rules.problems(self.setup())]

    def _value(self, variant: Variant) -> str:
        """The wished value if this number of players may use it, otherwise the default."""
        wish = self.wished.get(variant.id, variant.values[0])
        return wish if variant.allowed(wish, len(self.people)) else variant.values[0]

    def _named(self, problem: Text) -> Text:
        """A problem with names of variants and values instead of their ids."""
        args = dict(problem.args)
        if "variant" in args and "value" in args:
            box, variant, value = self.rules.box, str(args["variant"]), str(args["value"])
            args |= {"variant": box.variant_text(variant), "value": box.value_text(variant, value)}
        return replace(problem, args=args)

    # The screen

    def build(self) -> Part:
        if self.seating.typing is not None:
            return self.seating.typing_page(self.seating.typing)
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._back, name="back")
        top = Row([back, self._progress().fill()])
        body, *actions = {
            "game": self._game_step,
            "people": lambda: self.seating.step(self._next("ui.new-next")),
            "depth": self._depth_step,
            "rules": self._rules_step,
            "table": self._table_step,
        }[self.step]()
        bottom: list[Part | None] = [self._wrong() if self.step != "game" and self.hurried else None]
        if actions:
            bottom.append(Row(actions))
        return Page(top, body, Column(bottom) if any(bottom) else None)

    def _progress(self) -> Part:
        if self.step == "depth":
            return Snug(self.t("ui.depth-title"), FONTS["prompt"], FONTS["tile"], "accent", bold=True)
        return Flow([self._one_step(n, name) for n, name in enumerate(self.steps)], gap=16, lines=2)

    def _one_step(self, n: int, name: str) -> Part:
        now = n == self.at
        tone = "accent" if now else "dim"
        lead: Part = (
            Icon("check", "note", "good")
            if n < self.at
            else Words(f"{n + 1}", "prompt" if now else "note", tone, bold=now)
        )
        words = self.t(f"ui.new-{name}")
        shown = now or self.app.theme.wide
        return Row(
            [lead, Words(words, "prompt" if now else "note", tone, bold=now) if shown else None], gap=8
        )

    def _wrong(self) -> Part | None:
        problems = self.problems()
        if not problems:
            return None
        lines = [
            Row([Icon("alert-circle", "prompt", "bad"), Words(_sentence(words)).fill()]) for words in problems
        ]
        return Plate(Column(lines), edge="bad", pad=10)

    def _next(self, words: str) -> Part:
        """Highlighted only if people can go on; otherwise a tap says what is missing."""
        ready = not self.problems()
        icon = Icon("chevron-right", "prompt", "on_main" if ready else "text")
        kind = "main" if ready else "plain"
        return Tap(self.t(words), self._go_on, part=icon, kind=kind, name="next", about=self.at).fill()

    # The game

    def _game_step(self) -> tuple[Part, ...]:
        taps = [
            CoverTap(
                cover_of(game.id),
                game.box.name,
                partial(self._play, game),
                detail=players(self, game),
                colour=game.box.colour,
                chosen=game is self.game,
                name=f"game-{game.id}",
            )
            for game in self.games
        ]
        head = Words(self.t("ui.new-which-game"), "prompt", bold=True)
        return (Scroll(Column([head, Tiles(taps, 240, columns=3).spread(220)], gap=14), key="game"),)

    # How much is followed

    def _depth_step(self) -> tuple[Part, ...]:
        cards = DepthCards(self.app).cards(self.rules, self.depth, self._deepen)
        how = Snug(self.t("ui.depth-how"), 20 / self.app.theme.text, SMALLEST_WORDS, "dim", lines=2)
        if self.app.theme.wide:
            return cards, Limited(how).fill(1.4), self._next("ui.new-next")
        return Page(None, cards, how), self._next("ui.new-next")

    def _deepen(self, depth: Depth) -> None:
        self.chosen_depth = depth
        self._begin_setting_up()
        self.app.refresh()

    # The variants

    def _rules_step(self) -> tuple[Part, ...]:
        variants = [self._variant(variant) for variant in self.rules.box.variants]
        return Scroll(Column(variants), key="rules"), self._next("ui.new-begin")

    def _variant(self, variant: Variant) -> Part:
        values = [self._value_tap(variant, value) for value in variant.values]
        called = self.desk.words(self.rules.box.variant_text(variant.id))
        if not self.app.theme.wide:
            return self.panel(Tiles(values, 260), title=called)
        title = Snug(called, FONTS["body"], SMALLEST_WORDS, "accent", bold=True, lines=3)
        return Plate(Split([title, Tiles(values, 210, columns=3)], (1.2, 4.6)), pad=10)

    def _value_tap(self, variant: Variant, value: str) -> Part:
        called = self.desk.words(self.rules.box.value_text(variant.id, value))
        name = f"{variant.id}-{value}"
        if not variant.allowed(value, len(self.people)):
            inner = Column(
                [
                    Words(called, "body", "dim"),
                    Words(self._reason(variant, value), "note", "dim"),
                ],
                gap=2,
            )
            return Tap(
                lead=Icon("lock", "prompt", "dim"),
                part=inner.fill(),
                on_tap=lambda: self._refuse(variant, value),
                kind="quiet",
                name=name,
            )
        chosen = value == self._value(variant)
        return Tap(
            called,
            lambda: self._agree(variant, value),
            icon="check-circle" if chosen else "circle-outline",
            chosen=chosen,
            name=name,
            tall=60,
        )

    def _reason(self, variant: Variant, value: str) -> str:
        allowed = variant.seats[value]
        return self.desk.words(count("ui.new-only-for", allowed[-1], seats=", ".join(map(str, allowed))))

    # Setting up the table

    def _table_step(self) -> tuple[Part, ...]:
        todo = self.rules.checklist(self.rules.complete(self.setup()))
        rows = [
            Tap(
                self.desk.words(text),
                partial(self._tick, n),
                icon="checkbox-marked" if n in self.ticked else "checkbox-blank-outline",
                kind="quiet" if n in self.ticked else "plain",
                name=f"tick-{n}",
                tall=64,
            )
            for n, text in enumerate(todo)
        ]
        head = Row(
            [
                Words(self.t("ui.new-set-up-how"), "body", "dim").fill(),
                Words(
                    self.t("ui.new-ticked", n=len(self.ticked), full=len(todo)), "body", "accent", bold=True
                ),
            ]
        )
        icon = Icon("play", "prompt", "on_main")
        start = Tap(self.t("ui.new-start"), self._start, part=icon, kind="main", name="start").fill()
        return Scroll(Column([head, *rows]), key="table"), start

    def typed(self, key: str, character: str | None) -> bool:
        typing = self.seating.typing
        if typing is not None:
            if key == ESCAPE:
                self.seating.stop_typing()
                return True
            return typing.typed(key, character)
        if key == ESCAPE:
            self._back()
            return True
        return False

    # Actions

    def _back(self) -> None:
        if self.at == 0 or (self.chosen_before and self.step == "people"):
            self.app.back()
            return
        self._go(self.at - 1)

    def _go(self, step: int) -> None:
        self.at, self.seating.open, self.hurried = step, None, False
        self.app.refresh()

    def _go_on(self) -> None:
        if self.problems():
            self.hurried = True
            self.app.refresh()
            return
        if self.step == "depth":
            self.desk.change(depth={**self.desk.settings.depth, self.rules.id: self.depth})
            if self.depth == "score":
                self.desk.remember(self.people)
                names = tuple(person.name for person in self.people)
                self.app.go("score-only", game=self.rules, seats=names)
                return
        self._go(self.at + 1)

    def _play(self, game: Game) -> None:
        if game is not self.game:
            self.game, self.wished, self.ticked, self.chosen_depth = game, {}, frozenset(), None
            self._look_up()
        self._go(self.at + 1)

    def _agree(self, variant: Variant, value: str) -> None:
        self.wished[variant.id] = value
        self._begin_setting_up()
        self.app.refresh()

    def _refuse(self, variant: Variant, value: str) -> None:
        wrong = count("core.value-not-for-seats", len(self.people), variant=variant.id, value=value)
        self.app.tell(self._named(wrong), "refused")

    def _tick(self, n: int) -> None:
        self.ticked ^= {n}
        self.app.refresh()

    def _start(self) -> None:
        if self._starting:
            return
        self._starting = True
        self.desk.remember(self.people)
        self.desk.start(flow_game(self._flow) if self._flow else self.rules, self.setup())
        self.desk.clerk.do(lambda journal, binder: None, self._started, self._started)

    def _started(self, _: object) -> None:
        """Allow another try if the journal refused the play."""
        self._starting = False


def _sentence(words: str) -> str:
    return capital(words) + ("" if words.endswith(".") else ".")
