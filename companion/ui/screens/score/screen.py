"""Score: the count up to the winner, a table of where every point comes from, and a chart over time."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window
from msgspec import UNSET
from msgspec.structs import replace

from companion.core.game import Game, full_game
from companion.core.words import Text, say
from companion.results.deciding import deciding
from companion.results.evenings import evenings
from companion.results.growth import Growth, growth
from companion.results.records import record_of
from companion.results.sheets import gathered
from companion.results.winning_margin import decided
from companion.table.marks import Mark
from companion.ui.screens.score.ceremony import (
    ROW,
    WINNER,
    Count,
    SeatBar,
    Winner,
    counted,
    shared_lines,
    shares,
)
from companion.ui.screens.score.chart import Chart
from companion.ui.screens.score.share import (
    file_name,
    keep,
    long_text,
    painted,
    png,
    short_text,
    verdict,
)
from companion.ui.screens.score.sheet_view import SheetView, rows_of
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import (
    PAD,
    Column,
    Flow,
    Gap,
    Icon,
    Page,
    Part,
    Plate,
    Row,
    Scroll,
    Split,
    Tap,
    Words,
    theme,
)
from companion.ui.toolkit.qr_code import Code
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.shared_room import IconBeside, Shared, Tool
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS, TARGET
from companion.ui.toolkit.tiles import Centred, Stack, Tile
from scoring.sheet import Sheet

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

TICKS_A_STEP = 2
"""Ticks from one part of a bar to the next."""

TABS = 64
"""The height of the tabs."""

PICTURE = 1000
"""The width of the picture to share in pixels, independent of the screen."""


def lying() -> bool:
    """Whether the screen is in landscape format."""
    return bool(Window.width > Window.height)


class Score(Screen):
    """The sheet of the current play, or a given one: from a table played without the app, or the result a
    play had before its rules were corrected, with a note that says so."""

    name = "score"

    def __init__(self, app: Context, sheet: Sheet | None = None, note: Text | None = None) -> None:
        super().__init__(app)
        self.brought, self.note = sheet, note
        # No ceremony for an old result or before the end.
        moment = note is None and self.final and self.desk.settings.moments
        self.tab = "result" if moment else "sheet"
        self.counting = moment
        self.step = 0
        self.opened: frozenset[str] = frozenset()
        self.growth: Growth | None = None
        self.deciding: tuple[Text, ...] = ()
        self.record: Text | None = None
        self.packed: set[int] = set()
        self._ticks = 0
        self._bars: list[SeatBar] = []

    def enter(self) -> None:
        if self.brought is None:
            session = self.desk.session
            # Not by the clerk: a long play takes seconds, and writes would have to wait.
            self.app.thread_pool.do(lambda: growth(session), self._grown, lambda trouble: None)
            self._look_for_records()

    def _grown(self, found: Growth) -> None:
        self.growth = found
        if self.tab == "chart":
            self.app.refresh()
        if self.app.screen is self and self.final:
            session, sheet = self.desk.session, self.sheet
            self.app.thread_pool.do(
                lambda: deciding(sheet, session, found), self._decided, lambda trouble: None
            )

    def _decided(self, told: tuple[Text, ...]) -> None:
        self.deciding = told
        if self.tab == "chart":
            self.app.refresh()

    def _look_for_records(self) -> None:
        """Whether this play set a record; the winner is announced without waiting for it."""
        if self.final and self.desk.play is not None:
            play = self.desk.play.id

            def found(record: Text | None) -> None:
                self.record = record
                if record is not None and self.tab == "result" and not self.counting:
                    self.app.refresh()

            self.desk.clerk.do(
                lambda journal, binder: record_of(
                    play, evenings(journal, lambda read: self.app.screen is self)
                ),
                found,
                lambda trouble: None,
            )

    # The data

    @property
    def sheet(self) -> Sheet:
        """The current sheet."""
        return self.brought or self.desk.session.game.sheet(self.desk.session.state)

    @property
    def final(self) -> bool:
        """Whether nothing can change any more."""
        return self.brought is not None or self.desk.session.over

    @property
    def rules(self) -> Game:
        """The game that was played."""
        return full_game(self.sheet.game) or self.desk.session.game

    def build(self) -> Part:
        bodies = {
            "result": self._result,
            "sheet": self._sheet,
            "chart": self._chart,
            "pack": self._pack,
            "share": self._share,
        }
        body = bodies[self.tab]()
        largest = 36 / max(1.0, theme().text) if self.tab == "sheet" else 36
        title = Snug(self.t("ui.score" if self.final else "ui.if-ended-now"), largest, 26, bold=True).fill()
        # The result, and the table of a finished play, need all of the height, and need no title.
        whole = self.tab == "result" or (self.tab == "sheet" and self.final and self.note is None)
        whole |= self.tab == "chart" and theme().text > 1.2
        head = None if whole else Row([title], tall=TARGET)
        page = Page(head, body, self._tabs(), gap=8)
        return Curtain(page, lambda: self.counting, self.finish)

    def _reasons(self, room: float) -> Part:
        """The button for the reasons of all lines, with words if they fit into this width."""
        every = bool(self.opened)
        icon, words = "eye-off" if every else "eye", self.t("ui.no-reasons" if every else "ui.all-reasons")
        button = partial(Tap, on_tap=self._open_all, icon=icon, size="tile", name="reasons")
        worded = button(words)
        return worded if worded.natural() <= room else button()

    def _again(self) -> None:
        setup = self.desk.session.setup
        flow = "" if setup.flow is UNSET or full_game(setup.game) is not None else setup.flow
        self.app.go("new", game=self.rules, seats=setup.seats, wished=setup.choices, flow=flow)

    def _tabs(self) -> Part:
        """The tabs, in the same place on every page, and what most people want next: another play."""
        shown = [("result", "crown", "ui.score-result"), ("sheet", "trophy", "ui.score-sheet")]
        if self.brought is None:
            shown.append(("chart", "chart-line", "ui.score-chart"))
            if self.final:
                shown.append(("pack", "list-status", "ui.packing"))
        shown.append(("share", "share-variant", "ui.share"))
        back = Tile(Centred(Icon("arrow-left", "body")), self.app.back, "back", ground="surface")
        tabs: list[Part] = [back.fill(0.7 if lying() else 1), *(self._tab(*tab).fill() for tab in shown)]
        if self.brought is not None or not self.final or self.app.guide is not None:  # bots play once
            return Stack([(Row(tabs, gap=6), theme().px(TABS))])
        words = Snug(self.t("ui.again"), 24, SMALLEST_WORDS, "on_main", bold=True, lines=2)
        again = Tile(
            IconBeside(Icon("refresh", "body", "on_main"), words), self._again, "again", ground="main", pad=6
        )
        if lying():
            return Stack([(Row([*tabs, again.fill(2)], gap=6), theme().px(TABS))])
        return Stack([(again, theme().px(TABS)), (Row(tabs, gap=6), theme().px(TABS))])

    def _tab(self, tab: str, icon: str, key: str) -> Tap:
        chosen = tab == self.tab
        words = Snug(self.t(key), 20, SMALLEST_WORDS, align="center", bold=chosen)
        content = Tool(icon, words, "accent" if chosen else "text", "body", may_go=True)
        return Tile(
            content,
            lambda: self._turn_to(tab),
            f"tab-{tab}",
            ground="raised" if chosen else "surface",
            edge="accent" if chosen else "",
            pad=4,
        )

    def _turn_to(self, tab: str) -> None:
        self.tab = tab
        self.app.refresh()

    # The count, and the winner

    def _result(self) -> Part:
        """The winner, then the seats by rank; during the count the winner is not shown.

        Everything has its final place from the beginning, so nothing moves when the winner is announced.
        """
        sheet, count = gathered(self.sheet), self._count()
        marks = self.desk.marks(tuple(seat.name for seat in sheet.seats))
        shared = shared_lines(self.sheet)
        order = sorted(range(len(sheet.seats)), key=lambda n: sheet.seats[n].rank)
        every = [shares(seat, shared) for seat in sheet.seats]
        self._bars = []
        for n, seat in enumerate(sheet.seats):
            bar = SeatBar(self.rules, seat, marks[n], every[n], every)
            bar.parts, bar.over = count.parts[n], count.over
            self._bars.append(bar)
        rows = [(self._winner(count.over, marks), WINNER), *((self._bars[n], ROW) for n in order)]
        return Shared([*rows], gap=6)

    def _winner(self, over: bool, marks: tuple[Mark, ...]) -> Part:
        if not over:
            return Winner("", "", self.t("ui.score-counting"), "")
        sheet = self.sheet
        first = next((n for n, seat in enumerate(sheet.seats) if seat.rank == 1), 0)
        if not self.final or len(sheet.winners) != 1:
            return Winner("", "", self.desk.words(verdict(sheet, final=self.final)), "")
        seat, why = sheet.seats[first], decided(sheet)
        told = self.t("score.winner", winner=seat.name) if why is None else self.desk.words(why)
        record = "" if self.record is None else self.desk.words(self.record)
        return Winner(seat.name.upper(), str(seat.total), told, marks[first].colour, record)

    def _count(self) -> Count:
        return counted(self.sheet, self.step if self.counting else 10_000)

    def tick(self) -> None:
        if not self.counting:
            return
        self._ticks += 1
        if self._ticks % TICKS_A_STEP:
            return
        self.step += 1
        count = self._count()
        if count.over:
            self.finish()
            return
        for bar, parts in zip(self._bars, count.parts, strict=True):
            if bar.parts != parts:
                bar.show(parts, over=False)

    def finish(self) -> None:
        """Announce the winner now."""
        self.counting = False
        self.app.voice.sound("over")
        self.app.refresh()
        self.app.hall.ask_confirmation()

    # The sheet

    def _sheet(self) -> Part:
        laid = SheetView(self, self.rules, Window.width, self.opened)
        note = None if self.note is None else Plate(Words(self.desk.words(self.note), "body"), pad=12)
        told = Words(self.desk.words(verdict(self.sheet, final=self.final)), "body", "accent", bold=True)
        scroll = Scroll(Column([note, laid.body(self._open), told], gap=8), key="sheet")
        return Page(laid.heads(self._reasons), scroll, gap=6)

    def _open(self, what: str) -> None:
        """Show which components and values made up a line, or hide them again."""
        self.opened ^= {what}
        self.app.refresh()

    def _open_all(self) -> None:
        every = frozenset(row.what for row in rows_of(self.sheet, self.desk.language))
        self.opened = frozenset() if self.opened else every
        self.app.refresh()

    # The chart

    def _chart(self) -> Part:
        grown = self.growth
        if grown is None or not grown.rounds:
            return Column([Words(self.t("ui.chart-short"), "body", "dim")])
        names = self.desk.session.setup.seats
        marks = self.desk.marks()
        legend = Flow(
            [
                Row([Badge(mark, 30), Words(f"{name} {grown.of(seat)[-1]}", "note")], gap=6)
                for seat, (mark, name) in enumerate(zip(marks, names, strict=True))
            ],
            gap=18,
            lines=4,
        )
        head = Column([Words(self.t("ui.chart-title"), "note", "dim"), legend], gap=6)
        if not self.deciding:
            return Plate(Page(head, Chart(grown, marks)), pad=12)
        told = [Words(self.desk.words(text), "note") for text in self.deciding]
        why = Column([Words(self.t("ui.deciding"), "body", "accent", bold=True), *told])
        if not self.app.theme.wide:
            chart = Plate(Column([head, Chart(grown, marks)]), pad=12)
            return Scroll(Column([chart, Plate(why, pad=12)]), key="deciding")
        chart = Plate(Page(head, Chart(grown, marks)), pad=12)
        return Split([chart, Plate(Scroll(why, key="deciding"), pad=12)], (1.3, 1))

    # Packing away

    def _pack(self) -> Part:
        todo = self.desk.session.game.packing(self.desk.session.setup)
        rows: list[Part] = [
            Tap(
                self.desk.words(text),
                partial(self._tick_off, n),
                icon="checkbox-marked" if n in self.packed else "checkbox-blank-outline",
                kind="quiet",
                name=f"pack-{n}",
            )
            for n, text in enumerate(todo)
        ]
        if len(self.packed) == len(todo):
            rows.insert(0, self._praise(self.t("ui.packed-all")))
        return Scroll(Column(rows, gap=8), key="pack")

    def _praise(self, words: str) -> Part:
        row = Row([Icon("check-circle", "prompt", "good"), Words(words, "body", bold=True).fill()])
        return Plate(row, edge="good", pad=12)

    def _tick_off(self, n: int) -> None:
        self.packed ^= {n}
        self.app.refresh()

    # Exporting

    def _share(self) -> Part:
        code = Code(short_text(self._title(), self.sheet, self.desk.language, final=self.final), 270)
        words = Column(
            [
                Tap(
                    self.t("ui.share-picture"), self.keep_picture, icon="image", name="share-picture", tall=64
                ),
                Tap(self.t("ui.share-text"), self.keep_text, icon="content-save", name="share-text", tall=64),
                Gap(2),
                Words(self.t("ui.share-qr"), "body", "dim"),
            ]
        )
        if self.app.theme.wide:
            return Split([Scroll(words, key="share"), code], (1.25, 1))
        return Scroll(Column([words, code], gap=14), key="share")

    def _title(self) -> str:
        day = time.strftime("%Y-%m-%d", time.localtime(self.desk.clock()))
        return f"{self.rules.box.name}, {day}"

    def _file(self, ending: str) -> str:
        names = tuple(seat.name for seat in self.sheet.seats)
        return f"{file_name(self.sheet.game, names, self.desk.clock())}.{ending}"

    def keep_text(self) -> None:
        """Write the sheet as text."""
        words = long_text(self._title(), self.sheet, self.desk.language, final=self.final)
        self._keep(self._file("txt"), lambda: words.encode())

    def keep_picture(self) -> None:
        """Write the sheet as a picture: drawn here, encoded in the background."""
        picture = self._painted()
        self._keep(self._file("png"), lambda: png(picture))

    def _keep(self, name: str, data: Callable[[], bytes]) -> None:
        folder = self.app.folder

        def kept(path: Any) -> None:
            self.app.tell(say("ui.shared", file=str(path)), "accepted")

        self.desk.clerk.do(
            lambda journal, binder: keep(folder, name, data()),
            kept,
            lambda trouble: self.app.tell(trouble.text, "refused"),
        )

    def _painted(self) -> Any:
        """The whole sheet at a fixed size, independent of this screen's text size."""
        before = self.app.theme
        self.app.theme = replace(before, unit=1.0, text=1.0, wide=True)
        try:
            laid = SheetView(self, self.rules, PICTURE - 2 * theme().px(24 - PAD))
            told = Words(self.desk.words(verdict(self.sheet, final=self.final)), "body", "accent", bold=True)
            body = laid.body(lambda what: None)
            parts = [Words(self._title(), "title", bold=True), laid.heads(), body, told]
            if self.brought is None and self.growth is not None and len(self.growth.rounds) > 1:
                parts.append(Plate(Chart(self.growth, laid.marks, 300)))
            sheet = Plate(Column(parts, gap=12), "ground", pad=24, radius=0)
            height = int(sheet.fit(PICTURE)) + 1
            sheet.place(0, 0, PICTURE, height)
            return painted(sheet, PICTURE, height)
        finally:
            self.app.theme = before


class Curtain(Part):
    """A page that builds up; a touch meanwhile shows all of it and does nothing else."""

    def __init__(self, page: Part, growing: Callable[[], bool], finish: Callable[[], None]) -> None:
        super().__init__()
        self.page, self._growing, self._finish = page, growing, finish
        self.add_widget(page)

    def fit(self, width: float) -> float:
        return self.page.fit(width)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.page.place(x, y, width, height)

    def on_touch_down(self, touch: Any) -> Any:
        if self._growing():
            self._finish()
            return True
        return super().on_touch_down(touch)
