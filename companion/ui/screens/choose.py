"""Choose: one of many options, by tile, name, kind or scan; also for secret choices."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion.core.faces import Sign
from companion.core.questions import Answer, Option, Question
from companion.core.words import say
from companion.texts import mentions
from companion.ui.screens.table.band import Band
from companion.ui.screens.table.clocks import Clocks
from companion.ui.screens.table.options import answering, face_of, option_tile
from companion.ui.screens.table.reveal_grid import small_tile
from companion.ui.screens.table.signs import symbol
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import Column, Flow, Icon, Page, Part, Plate, Row, Tap, Words, theme
from companion.ui.toolkit.screen import AppQuestion, Screen
from companion.ui.toolkit.theme import INK
from companion.ui.toolkit.tiles import Leaves, grown

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

SMALL, WORDY = (138, 60), (216, 66)
"""The smallest size of a tile with a face, and of one with text."""

MARGIN = 6
MOST_COSTS = 9
SEVERAL = 8
"""With more options than this people can search by name, kind and cost."""


class ChooseScreen(Screen):
    """The open question of one seat; once it is answered, by any means, the table is shown again."""

    name = "choose"
    scans = True
    margin = MARGIN

    def __init__(
        self,
        app: Context,
        seat: int | None = None,
        kind: str | None = None,
        told: Callable[[Option], None] | None = None,
    ) -> None:
        super().__init__(app)
        self.told = told
        self.seat = self.seat_before_it = seat
        self.kind = kind
        self.at = [0]
        self.cost: Sign | None = None
        self.writing = False
        self.typing = Typing(on_change=self._typed, on_done=self._written, longest=30)
        self.tiles: Leaves | None = None
        asked = self._question()
        self.about = None if asked is None else self._about(asked)

    def _question(self) -> Question | None:
        if self.desk.play is None:
            return None
        return next((q for q in self.desk.offered() if q.seat == self.seat), None)

    @property
    def question(self) -> Question | None:
        """The question people came here for, as long as it is open."""
        asked = self._question()
        return asked if asked is not None and self._about(asked) == self.about else None

    def _about(self, asked: Question) -> tuple[str, int]:
        """Identifies the question, also among similar ones that follow."""
        return asked.slug, self.desk.session.times(asked.seat, asked.slug)

    def tick(self) -> None:
        if self.question is None:
            self.app.back()

    # Answering

    def _answer(self, question: Question, option: Option) -> None:
        """Leave first, so that nothing of a secret choice stays on the screen; then answer."""
        self.app.back()
        if option.new is not None:
            answering(self, question, option, self.told, self.typing.text)()
            return
        if self.told is not None:
            self.told(option)
            return
        secret = question.secret and self.seat is not None
        echo = say("ui.ready", seat=self._name()) if secret else None
        self.desk.propose(Answer(question.seat, question.slug, option.id), echo)

    def _name(self) -> str:
        return "" if self.seat is None else self.desk.session.setup.seats[self.seat]

    # Searching for an option

    def typed(self, key: str, character: str | None) -> bool:
        return self.typing.typed(key, character)

    def _typed(self) -> None:
        self.at[0] = 0
        if self.writing and self.tiles is not None and self.question is not None:
            shown = self._shown(self.question)
            self.tiles.total = len(shown)
            self.tiles.make = self._maker(
                self.question, shown, self.tiles.least[0] == theme().px(grown(SMALL)[0])
            )
            self.tiles.again()
            self.found.text = self._found(self.question, shown)
        else:
            self.app.refresh()

    def _written(self) -> None:
        self.writing = False
        self.app.refresh()

    def _write(self) -> None:
        self.writing = True
        self.app.refresh()

    def _clear(self) -> None:
        self.typing.clear()

    def _only(self, kind: str | None) -> None:
        self.kind = kind
        self.at[0] = 0
        self.app.refresh()

    def _kind_of(self, option: Option) -> str | None:
        if option.group is not None:
            return self.desk.words(option.group)
        game = self.desk.session.game
        if game.kind is None or option.component is None:
            return None
        return self.desk.words(game.kind(self.desk.session.catalogue[option.component]))

    def _cost_of(self, option: Option) -> Sign | None:
        face = face_of(self, option)
        return face.corners[0] if face is not None and face.corners else None

    def _kinds(self, question: Question) -> list[str]:
        found = dict.fromkeys(self._kind_of(option) for option in question.options)
        kinds = [kind for kind in found if kind is not None]
        grouped = any(option.group is not None for option in question.options)
        return kinds if len(kinds) > 1 or grouped else []

    def _shown(self, question: Question) -> list[Option]:
        """The options of the chosen kind that contain every typed word."""
        kind = self.kind if self.kind in self._kinds(question) else None
        return [
            option
            for option in question.options
            if option.new is not None
            or (
                (kind is None or self._kind_of(option) == kind)
                and (self.cost is None or self._cost_of(option) == self.cost)
                and mentions(option.text, self.typing.text)
            )
        ]

    # The screen

    def build(self) -> Part:
        question = self.question
        if question is None:
            return self._ready()
        self.clocks = Clocks(self.app)
        shown = self._shown(question)
        small = all(face_of(self, option) is not None for option in shown if option is not question.default)
        self.tiles = Leaves(
            self._maker(question, shown, small),
            len(shown),
            self.at,
            self.app.refresh,
            grown(SMALL) if small else WORDY,
        )
        self.typing.shown.clear()
        if self.writing:
            return self._with_keyboard(question, shown)
        body: Part = self.tiles if shown else self._nothing()
        return Page(Column([self._head(question), self._filters(question)], gap=6), body, gap=6)

    def _ready(self) -> Part:
        words = self.t("ui.ready", seat=self._name()) if self.seat is not None else self.t("ui.got-it")
        row = Row([Icon("check-circle", "huge", "good"), Words(words, "title", bold=True).fill()])
        return Page(None, Plate(row))

    def _maker(self, question: Question, shown: list[Option], small: bool) -> Callable[[int], Part]:
        def tile(n: int) -> Part:
            option = shown[n]
            answer = partial(self._answer, question, option)
            if small:
                return small_tile(self, question, option, answer, option is question.default, False)
            return option_tile(self, question, question.options.index(option), answer)

        return tile

    def _head(self, question: Question) -> Part:
        """The asked seat's band, between the back button and the search buttons."""
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        hidden = question.secret and self.desk.settings.in_secret
        behind: list[Part] = [Icon("eye-off", "body", INK)] if hidden else []
        taps = [*self._noted(question), *self._finders(question)]
        beside = sum(tap.natural() + theme().px(6) for tap in (back, *taps))
        band = Band(self.app).asking(question, self.clocks, behind, beside)
        return Row([back, band.fill(), *taps], gap=6)

    def _noted(self, question: Question) -> list[Part]:
        """Help, on a tap."""
        ask = partial(self.app.front.help, question)
        return [Tap(icon="help-circle", kind="quiet", on_tap=ask, name="help")]

    def _finders(self, question: Question) -> list[Part]:
        if len(question.options) <= SEVERAL:
            return []
        found: list[Part] = [Tap(icon="magnify", on_tap=self._write, name="find")]
        if self._kinds(question) and not self._kinds_beside(question):
            found.append(Tap(icon="tune", on_tap=lambda: self.app.ask(self._ask_kind), name="kinds"))
        return found

    def _ask_kind(self) -> AppQuestion:
        kinds = [] if self.question is None else self._kinds(self.question)
        choices: list[tuple[str, Callable[[], Any]]] = [(self.t("ui.every-kind"), lambda: self._only(None))]
        choices += [(kind, partial(self._only, kind)) for kind in kinds]
        return AppQuestion(self.t("ui.which-kind"), choices, equal=True)

    # Filters

    def _filters(self, question: Question) -> Part | None:
        """One line: the typed text, the costs, and the kinds if there is room for them."""
        taps: list[Part] = []
        if self.typing.text:
            taps.append(Tap(f"“{self.typing.text}”", self._clear, icon="close", chosen=True, name="clear"))
        if len(question.options) <= SEVERAL:
            return Row(taps, gap=6) if taps else None
        if not self._kinds_beside(question) and self.kind in self._kinds(question):
            taps.append(
                Tap(self.kind, lambda: self._only(None), icon="close", chosen=True, name="kind-clear")
            )
        taps += self._cost_taps(question)
        if self._kinds_beside(question):
            taps += self._kind_taps(question)
        return Row(taps, gap=6) if taps else None

    def _kinds_beside(self, question: Question) -> bool:
        """Whether the kinds fit beside the costs in one line."""
        taps = [*self._kind_taps(question), *self._cost_taps(question)]
        room = Window.width - 2 * theme().px(MARGIN) - (theme().px(200) if self.typing.text else 0)
        return bool(taps) and sum(tap.natural() + theme().px(6) for tap in taps) <= room

    def _cost_taps(self, question: Question) -> list[Part]:
        return [
            Tap(
                part=symbol(self.desk.session.game, sign, 30, "surface", "text"),
                on_tap=partial(self._costing, None if sign == self.cost else sign),
                kind="quiet",
                chosen=sign == self.cost,
                name=f"cost-{sign.value}-{sign.symbol}",
            )
            for sign in self._costs(question)
        ]

    def _kind_taps(self, question: Question) -> list[Part]:
        kinds = self._kinds(question)
        if not kinds:
            return []
        chosen = self.kind if self.kind in kinds else None
        named = [
            (self.t("ui.every-kind"), None, "every"),
            *((kind, kind, str(n)) for n, kind in enumerate(kinds)),
        ]
        return [
            Tap(
                words,
                partial(self._only, kind),
                chosen=kind == chosen,
                kind="quiet",
                size="tile",
                name=f"kind-{name}",
            )
            for words, kind, name in named
        ]

    def _costs(self, question: Question) -> list[Sign]:
        """The signs in the first corner of the faces, if they tell them apart."""
        faces = [face for option in question.options if (face := face_of(self, option)) is not None]
        signs = dict.fromkeys(face.corners[0] for face in faces if face.corners and face.corners[0].value)
        return list(signs) if 1 < len(signs) <= MOST_COSTS else []

    def _costing(self, sign: Sign | None) -> None:
        self.cost = sign
        self.at[0] = 0
        self.app.refresh()

    def _nothing(self) -> Part:
        every = Tap(self.t("ui.show-all"), self._show_all, icon="close", kind="main", name="show-all")
        return Column([Words(self.t("ui.nothing-found"), "body", "dim"), Flow([every])], gap=14)

    def _show_all(self) -> None:
        self.kind = self.cost = None
        self.typing.clear()

    def _with_keyboard(self, question: Question, shown: list[Option]) -> Part:
        self.found = Words(self._found(question, shown), "note", "dim")
        close = Tap(icon="check", on_tap=self._written, name="found")
        top = Row([TextField(self.typing, self.t("ui.type-to-find")).fill(), self.found, close])
        assert self.tiles is not None
        return Page(top, self.tiles, Keyboard(self.typing))

    def _found(self, question: Question, shown: list[Option]) -> str:
        return self.t("ui.of", n=len(shown), full=len(question.options))
