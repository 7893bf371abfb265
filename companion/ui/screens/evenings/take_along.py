"""Taking evenings along: one play for BG Stats, as picture or PDF; all of them as tables and JSON.

Everything is written only when asked, into the folder of shared files. A code of the link shows names to the room, so
it is shown after a tap and gone after a minute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from kivy.core.window import Window

from companion.core.words import say
from companion.drawing.charts import Series
from companion.errors import Trouble
from companion.results import bgstats, exports
from companion.results.deciding import deciding
from companion.results.evenings import Evening
from companion.results.growth import Growth
from companion.results.share_picture import picture_file, share_picture, sheet_pdf
from companion.ui.screens.evenings.shown import day, game_name, look_up
from companion.ui.screens.score.share import file_name, keep
from companion.ui.toolkit.kit import Column, Part, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.toolkit.qr_code import Code
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

SHOWN_FOR = 60.0
"""Seconds a code with names is shown."""


class TakeAlong(Screen):
    """One play, or all of them."""

    name = "take-along"

    def __init__(self, app: Context, evening: Evening | None = None, growth: Growth | None = None) -> None:
        super().__init__(app)
        self.one, self.growth = evening, growth
        self.every: tuple[Evening, ...] = ()
        self.code_since: float | None = None
        self.link_shown = False

    def enter(self) -> None:
        look_up(self, self._found, lambda read: None)

    def _found(self, every: tuple[Evening, ...]) -> None:
        self.every = every
        if self.app.screen is self:
            self.app.refresh()

    def leave(self) -> None:
        self.code_since = None

    def tick(self) -> None:
        if self.code_since is not None and self.desk.clock() - self.code_since > SHOWN_FOR:
            self.code_since = None
            self.app.refresh()

    @property
    def names(self) -> dict[str, str]:
        """The names of the games played."""
        return {
            one.game: game_name(self.desk, one.game)
            for one in (*self.every, *([self.one] if self.one else []))
        }

    def build(self) -> Part:
        if self.code_since is not None and (words := self._code()) is not None:
            return self._code_page(words)
        taps: list[Part] = []
        if self.one is not None and self.one.over:
            if self.one.sheet is not None:
                taps.append(self._tap("picture", "image", self.keep_picture))
                taps.append(self._tap("pdf", "content-save", self.keep_pdf))
            if self._code() is not None:
                taps.append(self._tap("code", "qrcode", self._show_code))
            taps.append(self._tap("link", "share-variant", self._show_link))
        taps.append(self._tap("csv", "content-save", self.keep_csv))
        taps.append(self._tap("json", "content-save", self.keep_json))
        taps.append(self._tap("bgsplay", "download", self.keep_bgsplay))
        parts: list[Part] = [Tiles(taps, 340)]
        if self.link_shown and self.one is not None:
            parts += [Words(self.t("ui.take-link-how"), "note", "dim"), Words(self._link(), "detail")]
        return self.page(self.t("ui.take-along"), Scroll(Column(parts), key="take-along"))

    def _code_page(self, words: str) -> Part:
        """The code as large as possible: on a wide screen it has the whole height, or its modules are too fine."""
        if Window.width < Window.height:
            return self.page(self.t("ui.take-code"), Code(words, 2000))
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        side = Column([Row([back]), Words(self.t("ui.take-code"), "note", bold=True)])
        return Split([side, Code(words, 2000)], (1, 4))

    def _tap(self, what: str, icon: str, job: Callable[[], None]) -> Part:
        return Tap(self.t(f"ui.take-{what}"), job, icon=icon, name=f"take-{what}")

    # BG Stats

    def _known(self) -> bgstats.People:
        return bgstats.people(self.every)

    def _code(self) -> str | None:
        if self.one is None:
            return None
        return bgstats.code(self.one, self.names[self.one.game], self._known())

    def _link(self) -> str:
        assert self.one is not None
        return bgstats.link(self.one, self.names[self.one.game], self._known())

    def _show_code(self) -> None:
        self.code_since = self.desk.clock()
        self.app.refresh()

    def _show_link(self) -> None:
        self.link_shown = True
        link = self._link()
        self._keep("bgstats.txt", lambda: f"{link}\n".encode())
        self.app.refresh()

    # Files

    def _keep(self, ending: str, data: Callable[[], bytes]) -> None:
        folder, at = self.app.folder, self.desk.clock()
        if self.one is None or ending in ("csv", "lines.csv", "json", "bgsplay"):
            name = f"{file_name('evenings', (), at)}.{ending}"
        else:
            names = tuple(seat.spelled for seat in self.one.seats)
            name = f"{file_name(self.one.game, names, self.one.at)}.{ending}"

        def kept(path: Any) -> None:
            self.app.tell(say("ui.shared", file=str(path)), "accepted")

        def failed(trouble: Trouble) -> None:
            self.app.tell(trouble.text, "refused")

        self.app.thread_pool.do(lambda: keep(folder, name, data()), kept, failed)

    def keep_picture(self) -> None:
        """The picture for the group chat."""
        one, grown = self.one, self.growth
        assert one is not None
        assert one.sheet is not None
        marks = self.desk.marks(tuple(seat.spelled for seat in one.seats))
        rounds = grown.rounds if grown is not None else ()
        seats = [
            Series(
                seat.spelled,
                (*(grown.of(n)[:-1] if grown is not None and rounds else ()), seat.points or 0),
                mark.colour,
                mark.shape,
                mark.letter,
            )
            for n, (seat, mark) in enumerate(zip(one.seats, marks, strict=True))
        ]
        why = next((self.desk.words(text) for text in deciding(one.sheet)), "")
        title, when = self.names[one.game], day(self.desk, one.at, "d MMMM y")
        ranks = [seat.rank for seat in one.seats]
        self._keep("png", lambda: picture_file(share_picture(title, when, seats, ranks, why, rounds)))

    def keep_pdf(self) -> None:
        """The sheet as PDF."""
        one, language = self.one, self.desk.language
        assert one is not None
        sheet = one.sheet
        assert sheet is not None
        title = f"{self.names[one.game]}, {day(self.desk, one.at)}"
        self._keep("pdf", lambda: sheet_pdf(title, sheet, deciding(sheet), language))

    def keep_csv(self) -> None:
        """Two tables: seats, and lines of the sheets."""
        every, names = self.every, self.names
        self._keep("csv", lambda: exports.csv_of_seats(every, names).encode())
        self._keep("lines.csv", lambda: exports.csv_of_lines(every, names).encode())

    def keep_json(self) -> None:
        """Everything as JSON."""
        every, names = self.every, self.names
        self._keep("json", lambda: msgspec.json.encode(exports.as_json(every, names)))

    def keep_bgsplay(self) -> None:
        """The file of BG Stats: an experiment."""
        every, names = self.every, self.names
        self._keep("bgsplay", lambda: msgspec.json.encode(bgstats.file(every, names)))
