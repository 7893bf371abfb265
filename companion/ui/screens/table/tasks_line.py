"""The tasks for hands: one line that is always visible, and the whole list on a tap."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.tasks import HandTask, hand_tasks
from companion.core.words import News, count
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Icon, Page, Part, Plate, Row, Scroll, Tap, Words, theme
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

HIGH = 52
SIDE = 52
MARK = 30
ABOVE, WITHIN, LINES = 100, 16, 6
"""The height above the whole list, the margins at its sides, and the gap between its lines."""
ASIDE = re.compile(r" \([^()]*\)(?=[.!]?$)")
"""A remark in brackets at the end: left out first if a line is too short; the whole list shows it."""


class TasksLine(Showing):
    """The tasks for hands, and which one the line shows; it survives rebuilds of the screen."""

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.at = 0
        self.open = self.unfolded = False
        self._known: tuple[object, tuple[HandTask, ...]] = (None, ())
        self._listed: tuple[int, tuple[HandTask, ...]] = (0, ())
        """What the whole list shows, and after how many entries: ticked tasks keep their places."""

    def todo(self) -> tuple[HandTask, ...]:
        """Tasks that are not ticked off yet; computed again only if the table has changed."""
        session = self.desk.session
        if self._known[0] != (session.entries, self.desk.ticked):
            self._known = ((session.entries, self.desk.ticked), hand_tasks(session, self.desk.ticked))
            self.at = 0
        return self._known[1]

    # One line

    def line(self, prompt: str = "") -> Part:
        """The first task, or else the current instruction, or the latest news."""
        todo = self.todo()
        if not todo and prompt:
            words = Snug(prompt, 21, SMALLEST_WORDS, "text", lines=2).fill()
            return Plate(Filled(Row([Icon("hand-back-right", "body", "accent"), words])), pad=6, radius=10)
        if not todo:
            return self._news()
        chore = todo[self.at % len(todo)]
        tick, words = self._box(chore, "tick"), self._told(chore, "hands")
        if len(todo) == 1:
            return Row([tick, words.fill()], gap=4)
        narrow = Window.width < Window.height and theme().text > 1.2
        count = "" if narrow else self.t("ui.of-short", n=self.at % len(todo) + 1, full=len(todo))
        on = Tap(
            count,
            self._next,
            part=Icon("chevron-right", "body", "accent"),
            kind="quiet",
            size="tile",
            name="next-chore",
            tall=HIGH,
        )
        return Row([tick, words.fill(), on], gap=4)

    def others(self, n: int) -> list[Part]:
        """This many further lines after the one that is always visible."""
        todo = self.todo()
        following = (
            [todo[(self.at + 1 + k) % len(todo)] for k in range(min(n, len(todo) - 1))] if todo else []
        )
        return [
            Row([self._box(chore, f"tick-{k}"), self._told(chore, f"hands-{k}").fill()], gap=4)
            for k, chore in enumerate(following)
        ]

    def _box(self, chore: HandTask, name: str) -> Tap:
        deed = partial(self._tick, chore)
        return Tap(
            icon="checkbox-blank-outline", kind="quiet", on_tap=deed, name=name, tall=HIGH, about=chore.key
        )

    def _told(self, chore: HandTask, name: str) -> Tile:
        return self._sentence(self._marks(chore), self.desk.words(chore.text), self.show_all, name)

    def _sentence(self, lead: Part, words: str, on_tap: object, name: str) -> Tile:
        said = Snug(words, 22, SMALLEST_WORDS, "text", lines=2).fill()
        return Tile(Filled(Row([lead, said], gap=8)), on_tap, name, ground="surface", pad=6)  # type: ignore[arg-type]

    def _news(self) -> Part:
        """News of the last answer that require no action."""
        news = [item for item in self.desk.news if item.kind != "hands"]
        if not news:
            return Plate(Snug(self.t("ui.hands-nothing"), 20, SMALLEST_WORDS, "dim"), pad=10, radius=10)
        item = news[-1]
        return self._sentence(
            self._mark(item), self.desk.words(item.text), lambda: self.app.go("history"), "news"
        )

    def _mark(self, item: News) -> Part:
        if item.seat is None:
            return Icon("information", "body", "dim")
        return Badge(self.desk.marks()[item.seat], MARK / theme().text)

    def _marks(self, chore: HandTask) -> Part:
        marks = self.desk.marks()
        known = [seat for seat in chore.seats if seat is not None]
        if not known:
            return Icon("information", "body", "accent")
        return Row([Badge(marks[seat], MARK / theme().text) for seat in known], gap=2)

    def _tick(self, chore: HandTask) -> None:
        self.desk.tick_off(chore.key)
        self.app.refresh()

    def _next(self) -> None:
        self.at += 1
        self.app.refresh()

    # The whole list

    def show_all(self) -> None:
        """Open the whole list."""
        self.open, self.unfolded, self._listed = True, False, (0, ())
        self.app.refresh()

    def _close(self) -> None:
        self.open = False
        self.app.refresh()

    def _all_done(self) -> None:
        for chore in self.todo():
            self.desk.tick_off(chore.key)
        self._close()

    def page(self) -> Part:
        """The whole list, unusual tasks first."""
        todo, entries = self.todo(), self.desk.session.entries
        if self._listed[0] != entries or not all(chore in self._listed[1] for chore in todo):
            self._listed = (entries, todo)
        head = Plate(
            Row(
                [
                    Icon("hand-back-right", "body", "on_main"),
                    Snug(self.t("ui.hands-title"), 26, SMALLEST_WORDS, "on_main", bold=True, lines=2).fill(),
                    Words(str(len(todo)), "body", "on_main", bold=True),
                ]
            ),
            "main",
            pad=10,
            radius=10,
        )
        done = Tap(
            self.t("ui.hands-all-done"), self._all_done, icon="checkbox-marked", size="tile", name="all-done"
        )
        close = Tap(icon="close", on_tap=self._close, name="close")
        lines = self._lines(self._listed[1])
        return Page(
            Row([head.fill(), done, close], gap=6),
            Plate(Scroll(Column(lines, gap=6), key="hands"), "ground", pad=10),
            gap=6,
        )

    def _lines(self, todo: tuple[HandTask, ...]) -> list[Part]:
        """As many lines as fit: unusual and recent tasks; earlier ones are behind the last line."""
        rows = {chore.key: self._row(chore) for chore in todo}
        wide = Window.width - theme().px(2 * WITHIN)
        room = self.app.room - theme().px(ABOVE * max(1.0, theme().text))
        if self.unfolded or sum(row.fit(wide) + theme().px(LINES) for row in rows.values()) <= room:
            return list(rows.values())
        kept: set[object] = set()
        room -= theme().px(HIGH + LINES)  # the line that leads to the others
        for chore in sorted(todo, key=lambda chore: (chore.usual, -chore.since)):
            room -= rows[chore.key].fit(wide) + theme().px(LINES)
            if room < 0:
                break
            kept.add(chore.key)
        words = self.desk.words(count("ui.hands-earlier", len(todo) - len(kept)))
        others = Tap(words, self._unfold, icon="dots-horizontal", kind="quiet", name="earlier", tall=HIGH)
        return [*(rows[chore.key] for chore in todo if chore.key in kept), others]

    def _unfold(self) -> None:
        self.unfolded = True
        self.app.refresh()

    def _row(self, chore: HandTask) -> Part:
        done = chore not in self.todo()
        words = Words(self.desk.words(chore.text), "body", "dim" if done else "text").fill()
        unusual = None if chore.usual else Words(self.t("ui.hands-unusual"), "detail", "accent", bold=True)
        box = (
            Icon("checkbox-marked", "body", "dim")
            if done
            else Icon("checkbox-blank-outline", "body", "accent")
        )
        row = Row([box, self._marks(chore), words, unusual])
        return Tap(
            part=row.fill(),
            on_tap=None if done else partial(self._tick, chore),
            name=f"chore-{chore.since}",
            kind="plain",
            about=chore.key,
        )


class Filled(Part):
    """A row that gets the full height."""

    def __init__(self, row: Row) -> None:
        super().__init__()
        self.row = row
        self.add_widget(row)

    def fit(self, width: float) -> float:
        return min(theme().px(HIGH - 12), self.row.fit(width))

    def natural(self) -> float:
        return self.row.natural()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        widths = self.row._widths(width)
        for part, wide in zip(self.row.parts, widths, strict=True):
            if isinstance(part, Snug) and not part.fits(wide, height):
                part.text = ASIDE.sub("", part.text)
            high = height if isinstance(part, Snug) else part.fit(wide)
            part.place(x, y + (height - high) / 2, wide, high)
            x += wide + self.row.gap
