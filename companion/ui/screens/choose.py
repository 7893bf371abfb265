"""Choose: one of many options, by tile, by name, by kind or by scan; also behind the hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion.core.questions import Answer, Option, Question
from companion.core.words import count, say
from companion.table.camera_feed import NONE
from companion.table.desk import option_words
from companion.texts import fold
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.keyboard import Keyboard, TextField, Typing
from companion.ui.toolkit.kit import PAD, Column, Flow, Icon, Page, Part, Plate, Row, Tap, Words, look
from companion.ui.toolkit.screen import Asked, Screen

if TYPE_CHECKING:
    from companion.app import CompanionApp

TILE = 220
"""How wide a tile is at least."""

ROOMY = 430
"""From this height on, as words see it, there is room for the kinds in lines of their own, if they need but two."""

SPREAD = 24
"""How much higher tiles become where there is room."""

SEVERAL = 6
"""With more options than this people may look for theirs by name."""


class Tiled(Part):
    """As many tiles as there is room for, and the way to the others; only these are made."""

    def __init__(
        self,
        make: Callable[[int], Part],
        total: int,
        starts: list[int],
        turned: Callable[[], None],
        words: Callable[[int, int, int], str],
    ) -> None:
        super().__init__()
        self.make, self.total, self.starts, self.turned, self.words = make, total, starts, turned, words
        self.gap = look().px(8)
        self.paged = True
        self.end = 0

    def fit(self, width: float) -> float:
        return look().px(100)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.again()

    def again(self) -> None:
        """Lay out anew, of as many tiles as there are now."""
        self.clear_widgets()
        tiles: dict[int, Part] = {}
        rows = self._rows(tiles, self.height)
        if self.paged and (self.starts[-1] or self._end(rows) < self.total):
            range_ = Words("", "note", "dim", align="center")
            pager = self._pager(range_)
            high = pager.fit(self.width)
            rows = self._rows(tiles, self.height - high - self.gap)
            range_.text = self.words(self.starts[-1] + 1, self._end(rows), self.total)
            self.add_widget(pager)
            pager.place(self.x, self.y, self.width, high)
        self.end = self._end(rows)
        room = self.height - sum(tall + self.gap for _, tall in rows) + self.gap
        if self.children:  # the way to the others
            room -= self.children[0].height + self.gap
        more = min(look().px(SPREAD), max(0.0, room) / len(rows)) if rows else 0.0
        top = self.top
        columns = self._columns()
        wide = (self.width - self.gap * (columns - 1)) / columns
        for numbers, least in rows:
            high = least + more
            for place, n in enumerate(numbers):
                self.add_widget(tiles[n])
                tiles[n].place(self.x + place * (wide + self.gap), top - high, wide, high)
            top -= high + self.gap

    def _columns(self) -> int:
        least = look().px(TILE) * look().text
        return max(1, int((self.width + self.gap) / (least + self.gap)))

    def _rows(self, tiles: dict[int, Part], room: float) -> list[tuple[range, float]]:
        """The numbers of the options in each row that fits, and how high the row is."""
        columns = self._columns()
        rows: list[tuple[range, float]] = []
        wide = (self.width - self.gap * (columns - 1)) / columns
        first = self.starts[-1]
        while first < self.total:
            numbers = range(first, min(first + columns, self.total))
            for n in numbers:
                if n not in tiles:
                    tiles[n] = self.make(n)
            high = max(tiles[n].fit(wide) for n in numbers)
            if high > room and (rows or not self.paged):
                break
            rows.append((numbers, high))
            room -= high + self.gap
            first = numbers.stop
        return rows

    def _end(self, rows: list[tuple[range, float]]) -> int:
        return rows[-1][0].stop if rows else self.starts[-1]

    def _pager(self, words: Words) -> Part:
        back = Tap(icon="chevron-left", on_tap=self._back, kind="quiet", name="previous")
        on = Tap(icon="chevron-right", on_tap=self._on, name="next")
        return Row([back.fill(), words.fill(3), on.fill()])

    def _on(self) -> None:
        if self.end < self.total:
            self.starts.append(self.end)
            self.turned()

    def _back(self) -> None:
        if len(self.starts) > 1:
            self.starts.pop()
            self.turned()


class ChooseScreen(Screen):
    """The open question of one seat; when it has been answered, by whatever means, the table is shown again."""

    name = "choose"
    scans = True

    def __init__(
        self,
        app: CompanionApp,
        seat: int | None = None,
        kind: str | None = None,
        told: Callable[[Option], None] | None = None,
    ) -> None:
        super().__init__(app)
        self.told = told
        self.seat = self.seat_before_it = seat
        self.kind = kind
        self.starts = [0]
        self.writing = False
        self.typing = Typing(on_change=self._typed, on_done=self._written, longest=30)
        self.tiles: Tiled | None = None
        asked = self._question()
        self.slug = None if asked is None else asked.slug

    def _question(self) -> Question | None:
        if self.desk.play is None:
            return None
        return next((q for q in self.desk.questions() if q.seat == self.seat), None)

    @property
    def question(self) -> Question | None:
        """What people came here to answer, as long as it is open."""
        asked = self._question()
        return asked if asked is not None and asked.slug == self.slug else None

    def tick(self) -> None:
        if self.question is None:
            self.app.back()

    # Answering

    def _answer(self, question: Question, option: Option) -> None:
        """Nothing of a secret choice stays on the screen."""
        self.app.back()
        if self.told is not None:
            self.told(option)
            return
        secret = question.secret and self.seat is not None
        echo = say("ui.ready", seat=self._name()) if secret else None
        self.desk.propose(Answer(question.seat, question.slug, option.id), echo)

    def _name(self) -> str:
        return "" if self.seat is None else self.desk.session.setup.seats[self.seat]

    # Looking for an option

    def typed(self, key: str, character: str | None) -> bool:
        return self.typing.typed(key, character)

    def _typed(self) -> None:
        self.starts[:] = [0]
        if self.writing and self.tiles is not None and self.question is not None:
            shown = self._shown(self.question)
            self.tiles.total, self.tiles.make = len(shown), self._maker(self.question, shown)
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
        self.starts[:] = [0]
        self.app.refresh()

    def _kind_of(self, option: Option) -> str | None:
        if option.group is not None:
            return self.desk.words(option.group)
        game = self.desk.session.game
        if game.kind is None or option.component is None:
            return None
        return self.desk.words(game.kind(self.desk.session.catalogue[option.component]))

    def _kinds(self, question: Question) -> list[str]:
        found = dict.fromkeys(self._kind_of(option) for option in question.options)
        kinds = [kind for kind in found if kind is not None]
        grouped = any(option.group is not None for option in question.options)
        return kinds if len(kinds) > 1 or grouped else []

    def _shown(self, question: Question) -> list[Option]:
        """The options of the chosen kind whose words have every word that was typed."""
        wanted = fold(self.typing.text).split()
        kind = self.kind if self.kind in self._kinds(question) else None
        return [
            option
            for option in question.options
            if (kind is None or self._kind_of(option) == kind)
            and (not wanted or all(word in fold(self.desk.words(option.text)) for word in wanted))
        ]

    # The screen

    def build(self) -> Part:
        question = self.question
        if question is None:
            return self._ready()
        shown = self._shown(question)
        self.tiles = Tiled(
            self._maker(question, shown),
            len(shown),
            self.starts,
            self.app.refresh,
            lambda first, last, full: self.t("ui.from-to", first=first, last=last, full=full),
        )
        self.typing.shown.clear()
        if self.writing:
            return self._with_keyboard(question, shown)
        body: Part = self.tiles if shown else self._nothing()
        return Page(self._head(question), body, gap=8)

    def _ready(self) -> Part:
        words = self.t("ui.ready", seat=self._name()) if self.seat is not None else self.t("ui.got-it")
        row = Row([Icon("check-circle", "huge", "good"), Words(words, "title", bold=True).fill()])
        return Page(None, Plate(row))

    def _maker(self, question: Question, shown: list[Option]) -> Callable[[int], Part]:
        def tile(n: int) -> Part:
            option = shown[n]
            words, detail = option_words(self.desk, option)
            default = option is question.default
            return Tap(
                words,
                lambda: self._answer(question, option),
                detail=detail,
                kind="main" if default else "plain",
                align="left",
                tall=72,
                name=f"option-{option.id}",
                about=(question.seat, question.slug),
            )

        return tile

    def _head(self, question: Question) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        badge = None if self.seat is None else Badge(self.desk.marks()[self.seat], 44)
        asked = self.desk.words(self.desk.session.asked(question))
        title = (
            self.t("ui.for-only", seat=self._name()) if question.secret and self.seat is not None else asked
        )
        roomy = Window.height / (look().unit * look().text) >= ROOMY
        kinds = self._kind_taps(question) if roomy else []
        filters = self._filters(question, kinds)
        if filters is not None and kinds and len(filters._lines(Window.width - 2 * look().px(PAD))) > 2:
            kinds = []
            filters = self._filters(question, kinds)
        size = "prompt" if roomy or len(title) < 24 else "body"
        top = Row([back, badge, Words(title, size, bold=True).fill(), *self._finders(question, bool(kinds))])
        below = [asked] if title != asked else []
        if roomy and self._camera() and any(option.component for option in question.options):
            below.append(self.t("ui.or-scan"))
        told = Words(" ".join(below), "note", "dim") if below and roomy else None
        return Column([top, told, self._noted(question), filters], gap=4)

    def _noted(self, question: Question) -> Part | None:
        """What is good to know: in one line, the rest on a tap."""
        if not question.notes:
            return None
        return Tap(
            self.desk.words(count("ui.notes", len(question.notes))),
            lambda: self.app.ask(lambda: self._notes(question)),
            icon="information",
            kind="quiet",
            name="notes",
        )

    def _notes(self, question: Question) -> Asked:
        told = "\n".join(self.desk.words(note) for note in question.notes)
        return Asked(
            self.desk.words(self.desk.session.asked(question)), [(self.t("ui.ok"), lambda: None)], told
        )

    def _camera(self) -> bool:
        return self.app.lookout.source != NONE and not self.app.lookout.trouble()

    def _finders(self, question: Question, kinds_shown: bool) -> list[Part]:
        if len(question.options) <= SEVERAL:
            return []
        find = Tap(icon="magnify", on_tap=self._write, name="find")
        kinds = self._kinds(question)
        if kinds_shown or not kinds:
            return [find]
        return [find, Tap(icon="tune", on_tap=lambda: self.app.ask(self._ask_kind), name="kinds")]

    def _ask_kind(self) -> Asked:
        kinds = [] if self.question is None else self._kinds(self.question)
        choices: list[tuple[str, Callable[[], Any]]] = [(self.t("ui.every-kind"), lambda: self._only(None))]
        choices += [(kind, partial(self._only, kind)) for kind in kinds]
        return Asked(self.t("ui.which-kind"), choices, equal=True)

    def _kind_taps(self, question: Question) -> list[Part]:
        kinds = self._kinds(question) if len(question.options) > SEVERAL else []
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
                name=f"kind-{name}",
            )
            for words, kind, name in named
        ]

    def _filters(self, question: Question, kinds: list[Part]) -> Flow | None:
        taps: list[Part] = []
        if self.typing.text:
            taps.append(Tap(f"“{self.typing.text}”", self._clear, icon="close", chosen=True, name="clear"))
        if not kinds and self.kind in self._kinds(question):
            taps.append(
                Tap(self.kind, lambda: self._only(None), icon="close", chosen=True, name="kind-clear")
            )
        return Flow([*taps, *kinds], gap=8, lines=8) if taps or kinds else None

    def _nothing(self) -> Part:
        every = Tap(self.t("ui.show-all"), self._show_all, icon="close", kind="main", name="show-all")
        return Column([Words(self.t("ui.nothing-found"), "body", "dim"), Flow([every])], gap=14)

    def _show_all(self) -> None:
        self.kind = None
        self.typing.clear()

    def _with_keyboard(self, question: Question, shown: list[Option]) -> Part:
        self.found = Words(self._found(question, shown), "note", "dim")
        close = Tap(icon="check", kind="main", on_tap=self._written, name="found")
        top = Row([TextField(self.typing, self.t("ui.type-to-find")).fill(), self.found, close])
        assert self.tiles is not None
        self.tiles.paged = False
        return Page(top, self.tiles, Keyboard(self.typing))

    def _found(self, question: Question, shown: list[Option]) -> str:
        return self.t("ui.of", n=len(shown), full=len(question.options))
