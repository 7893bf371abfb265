"""New play: the game, the players, the variants, and setting up the table, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.game import Game, Setup, Variant, games
from companion.core.words import Text, count
from companion.table.settings import Person
from companion.texts import capital
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
    ) -> None:
        """Decisions already made can be passed in; if everybody is seated, only setting up is left."""
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
        self.chosen_before = False
        """Whether the game was chosen before this screen; then back from the first page leads there."""
        self._agreed(game, seats, wished or {})

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

    # Decisions so far

    @property
    def people(self) -> tuple[Person, ...]:
        """The players."""
        return self.seating.people

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of this setup."""
        steps = ("game",) if len(self.games) > 1 else ()
        rules = ("rules",) if self.game is None or self.game.box.variants else ()
        return (*steps, "people", *rules, "table")

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
        return Setup(self.rules.id, tuple(person.name for person in self.people), choices)

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
            "rules": self._rules_step,
            "table": self._table_step,
        }[self.step]()
        bottom: list[Part | None] = [self._wrong() if self.step != "game" and self.hurried else None]
        if actions:
            bottom.append(Row(actions))
        return Page(top, body, Column(bottom) if any(bottom) else None)

    def _progress(self) -> Part:
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
        self._go(self.at + 1)

    def _play(self, game: Game) -> None:
        if game is not self.game:
            self.game, self.wished, self.ticked = game, {}, frozenset()
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
        self.desk.start(self.rules, self.setup())
        self.desk.clerk.do(lambda journal, binder: None, self._started, self._started)

    def _started(self, _: object) -> None:
        """Allow another try if the journal refused the play."""
        self._starting = False


def _sentence(words: str) -> str:
    return capital(words) + ("" if words.endswith(".") else ".")
