"""Score: the sheet builds up line by line, says where every point comes from, and how the play came to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.animation import Animation
from kivy.core.window import Window

from companion.core.game import games
from companion.core.words import Text, count, say
from companion.results.sheets import reasons, sheet_words
from companion.ui.screens.score.chart import Chart, Growth, growth
from companion.ui.screens.score.share import Code, file_name, keep, long_text, painted, png, short_text
from companion.ui.screens.score.sheet_view import SheetView
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import (
    GAP,
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
    look,
)
from companion.ui.toolkit.look import Look
from companion.ui.toolkit.screen import Asked, Screen
from scoring.sheet import Line, SeatSheet, Sheet

if TYPE_CHECKING:
    from companion.app import CompanionApp

TICKS_A_LINE = 3
"""Ticks from one line of the sheet to the next."""

PICTURE = 1000
"""How wide the picture to share is, in pixels, whatever the screen's size."""


class Score(Screen):
    """The sheet of the play that is on, or one somebody brings: from a table that was played without us, or the
    result a play had before its rules were mended, with a note that says so."""

    name = "score"
    instant = False
    """Show everything at once."""

    def __init__(self, app: CompanionApp, sheet: Sheet | None = None, note: Text | None = None) -> None:
        super().__init__(app)
        self.brought, self.note = sheet, note
        if note is not None:  # everybody has known this result for long
            self.instant = True
        self.tab = "sheet"
        self.lines = 0
        self.growth: Growth | None = None
        self.packed: set[int] = set()
        self._ticks = 0
        self._laid: SheetView | None = None
        self._scroll: Scroll | None = None

    def enter(self) -> None:
        if self.brought is None:
            session = self.desk.session
            self.desk.clerk.do(lambda journal, binder: growth(session), self._grown, lambda trouble: None)

    def _grown(self, found: Growth) -> None:
        self.growth = found
        if self.tab == "chart":
            self.app.refresh()

    # What there is to show

    @property
    def sheet(self) -> Sheet:
        """The sheet as it is now."""
        return self.brought or self.desk.session.game.sheet(self.desk.session.state)

    @property
    def final(self) -> bool:
        """Whether nothing can change any more."""
        return self.brought is not None or self.desk.session.over

    @property
    def longest(self) -> int:
        """Lines of the seat that has most of them."""
        return max(len(seat.lines) for seat in self.sheet.seats)

    @property
    def growing(self) -> bool:
        """Whether the sheet still builds up."""
        return not self.instant and self.tab == "sheet" and self.lines <= self.longest

    def build(self) -> Part:
        bodies = {"sheet": self._sheet, "chart": self._chart, "pack": self._pack, "share": self._share}
        title = self.t("ui.score" if self.final else "ui.if-ended-now")
        page = self.page(title, bodies[self.tab](), self._tabs())
        return Curtain(page, lambda: self.growing, self.finish)

    def _tabs(self) -> Part:
        shown = [("sheet", "trophy", "ui.score-sheet")]
        if self.brought is None:
            shown.append(("chart", "chart-line", "ui.score-chart"))
            if self.final:
                shown.append(("pack", "list-status", "ui.packing"))
        shown.append(("share", "share-variant", "ui.share"))
        taps = [self._tab(*tab) for tab in shown]
        room = Window.width - look().px(2 * PAD)
        if sum(tap.natural() for tap in taps) + look().px(GAP) * (len(taps) - 1) > room:
            # Two lines of tabs would leave too little of a low screen: only the chosen one keeps its name.
            taps = [self._tab(tab, icon, key if tab == self.tab else "") for tab, icon, key in shown]
        return Flow(taps)

    def _tab(self, tab: str, icon: str, key: str) -> Tap:
        return Tap(
            self.t(key) if key else "",
            lambda: self._turn_to(tab),
            icon=icon,
            kind="quiet",
            chosen=tab == self.tab,
            name=f"tab-{tab}",
        )

    def _turn_to(self, tab: str) -> None:
        self.tab, self.lines = tab, self.longest + 1
        self.app.refresh()

    # The sheet

    def _sheet(self) -> Part:
        laid = SheetView(self, Window.width, self.growing)
        self._laid = laid
        heads = laid.heads() if laid.as_table else None
        note = None if self.note is None else Plate(Words(self.desk.words(self.note), "body"), pad=12)
        self._scroll = Scroll(Column([note, laid.body(self._explain)], gap=8), key="sheet")
        laid.show(self.lines if self.growing else self.longest + 1)
        return self._scroll if heads is None else Page(heads, self._scroll)

    def tick(self) -> None:
        if not self.growing or self._laid is None or self._scroll is None:
            return
        self._ticks += 1
        if self._ticks % TICKS_A_LINE:
            return
        self.lines += 1
        if self.lines > self.longest:
            self.app.refresh()
            Animation(scroll_y=1.0, duration=0.6, t="out_quad").start(self._scroll)
        self._laid.show(self.lines, softly=True)
        if self.lines <= self.longest and self._scroll.part.height > self._scroll.height:
            self._scroll.scroll_to(self._laid.newest(self.lines), padding=look().px(20), animate=True)

    def finish(self) -> None:
        """Show all of the sheet now."""
        self.lines = self.longest + 1
        self.app.refresh()

    def _explain(self, seat: SeatSheet, line: Line) -> None:
        """Show which components and measures made a line."""
        self.app.ask(lambda: self._explained(seat, line))

    def _explained(self, seat: SeatSheet, line: Line) -> Asked:
        of = sheet_words(self.sheet)
        made = [self.t("ui.reason", n=points, what=words) for points, words in reasons(line, of)] or [
            self.t("ui.speaks-for-itself")
        ]
        head = count("ui.line-of", line.points, name=seat.name, what=of.words(line.what))
        return Asked(self.desk.words(head), [(self.t("ui.close"), lambda: None)], "\n".join(made))

    # How the scores grew

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
        if self.app.look.wide:
            return Plate(Page(head, Chart(grown, marks)), pad=12)
        upright = Window.height > Window.width
        return Scroll(
            Plate(Column([head, Chart(grown, marks, 420 if upright else 260)]), pad=12), key="chart"
        )

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

    # Taking it away

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
        if self.app.look.wide:
            return Split([Scroll(words, key="share"), code], (1.25, 1))
        return Scroll(Column([words, code], gap=14), key="share")

    def _title(self) -> str:
        day = time.strftime("%Y-%m-%d", time.localtime(self.desk.clock()))
        return f"{games()[self.sheet.game].box.name}, {day}"

    def _file(self, ending: str) -> str:
        names = tuple(seat.name for seat in self.sheet.seats)
        return f"{file_name(self.sheet.game, names, self.desk.clock())}.{ending}"

    def keep_text(self) -> None:
        """Write the sheet as text."""
        words = long_text(self._title(), self.sheet, self.desk.language, final=self.final)
        self._keep(self._file("txt"), lambda: words.encode())

    def keep_picture(self) -> None:
        """Write the sheet as a picture: it is drawn here and made into a file in the background."""
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
        """The whole sheet at one size, however large this screen's words are."""
        before = self.app.look
        self.app.look = Look(before.palette, 1.0, 1.0, wide=True)
        try:
            laid = SheetView(self, PICTURE)
            body = laid.body(lambda seat, line: None)
            parts = [Words(self._title(), "title", bold=True), laid.heads() if laid.as_table else None, body]
            if self.brought is None and self.growth is not None and len(self.growth.rounds) > 1:
                parts.append(Plate(Chart(self.growth, laid.marks, 300)))
            sheet = Plate(Column(parts, gap=12), "ground", pad=24, radius=0)
            height = int(sheet.fit(PICTURE)) + 1
            sheet.place(0, 0, PICTURE, height)
            return painted(sheet, PICTURE, height)
        finally:
            self.app.look = before


class Curtain(Part):
    """A page that builds up; a touch while it does shows all of it instead of doing anything else."""

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
