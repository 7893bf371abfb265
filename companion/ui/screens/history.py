"""History: answers and corrections, newest first; each line leads back to the moment before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.core.window import Window
from msgspec.structs import replace

from companion.core.deed_words import did
from companion.core.entries import Answered, Corrected, FactCorrected
from companion.core.session import Session
from companion.core.words import Text, count, say
from companion.table.signals import SeenState
from companion.texts import written_time
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Icon, Part, Plate, Row, Scroll, Split, Tap, Words
from companion.ui.toolkit.screen import AppQuestion, Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

PAGE = 15
"""Lines shown at once: a long play must open as quickly as a short one."""


def clock_time(at: float) -> str:
    """The time of day."""
    return written_time(at, "%H:%M")


def seat_of(session: Session, n: int) -> int | None:
    """The seat that the deed leading to the `n`-th moment concerns."""
    entry = session.moments[n].entry
    deed = entry.deed if entry is not None else None
    if isinstance(deed, Answered):
        return deed.answer.seat
    if isinstance(deed, Corrected):
        before = session.game_at(n - 1).counters(session.moments[n - 1].state)
        return next((c.seat for c in before if c.id == deed.counter), None)
    return None


class History(Screen):
    """Touching a line goes back to before it, after a question that lists what this takes back."""

    name = "history"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.skipped = 0

    def build(self) -> Part:
        self.marks = self.desk.marks()
        deeds = self.desk.session.deeds()
        self.skipped = max(0, min(self.skipped, (len(deeds) - 1) // PAGE * PAGE))
        newest = len(deeds) - self.skipped
        oldest = max(1, newest - PAGE + 1)
        lines = self._lines(deeds[oldest - 1 : newest])
        if not lines:
            lines = [Words(self.t("ui.history-empty"), "body", "dim")]
        body = Scroll(Column([self._ahead(), *lines], gap=8), key=f"history-{self.skipped}")
        top = [self._undo(), self._redo()]
        return self.page(self.t("ui.history"), body, self._paging(oldest, newest, len(deeds)), top)

    def _lines(self, deeds: tuple[tuple[int, int], ...]) -> list[Part]:
        """The newest first, with a heading where a round begins."""
        session = self.desk.session
        parts: list[Part] = []
        heading = None
        for first, last in reversed(deeds):
            round_ = session.view_before(first).round
            if round_ != heading:
                heading = round_
                words = self.t("ui.round", n=round_) if round_ else self.t("ui.setting-up")
                parts.append(Words(words, "body", "accent", bold=True))
            parts.append(self._line(session, first, last))
        return parts

    def _line(self, session: Session, first: int, last: int) -> Part:
        entry = session.moments[first].entry
        seat = seat_of(session, first)
        corrected = entry is not None and isinstance(entry.deed, Corrected | FactCorrected)
        words = Column([Words(line, "body") for line in self._told(session, first, last)], gap=2)
        lead = Icon("circle-small", "body", "dim") if seat is None else Badge(self.marks[seat], 34)
        at = Words(clock_time(entry.at) if entry is not None else "", "note", "dim")
        pencil = Icon("pencil", "body", "accent") if corrected else None
        return Tap(
            part=Row([lead, words.fill(), pencil, at]).fill(),
            on_tap=lambda: self._ask_back(first),
            kind="quiet",
            name=f"line-{first}",
        )

    def _told(self, session: Session, first: int, last: int) -> list[str]:
        """A deed with everything it caused; of successive corrections of counters only the last."""
        told = range(first, last + 1)
        kept = [n for n in told if n == last or not _corrects(session, n) or not _corrects(session, n + 1)]
        return [self.desk.words(did(session, n)) for n in kept]

    def _undo(self) -> Part:
        """The button that takes back the last deed."""
        deeds = self.desk.session.deeds()
        deed = (lambda: self._ask_back(deeds[-1][0])) if deeds else None
        words = self.t("ui.undo") if self.app.theme.wide else ""
        return Tap(words, deed, icon="undo", kind="plain" if deeds else "quiet", name="undo")

    def _redo(self) -> Part:
        """The button that redoes the first deed taken back."""
        ahead = self.desk.session.ahead
        words = self.t("ui.redo") if self.app.theme.wide else ""
        deed = self.app.redo if ahead else None
        return Tap(words, deed, icon="redo", kind="plain" if ahead else "quiet", name="redo")

    def _ahead(self) -> Part | None:
        """What was taken back and can be redone."""
        session = self.desk.session
        if not session.ahead or self.skipped:
            return None
        whole = replace(session, moments=(*session.moments, *session.ahead), ahead=())
        first, steps = len(session.moments), len(session.ahead)
        told = [
            Words(line, "body", "dim") for line in self._told(whole, first, first + session.next_deed - 1)
        ]
        all_ = Tap(
            self.desk.words(count("ui.redo-all", steps)),
            lambda: self.desk.redo(steps),
            icon="redo",
            name="redo-all",
        )
        lead = Icon("redo", "body", "dim")
        row = Row([lead, Column(told, gap=2).fill(), all_ if steps > session.next_deed else None])
        return Plate(row, pad=10)

    def _ask_back(self, n: int) -> None:
        """Say what going back to before the `n`-th deed takes back, and ask for confirmation."""
        session = self.desk.session
        self.app.ask(lambda: self._going_back(session, n))

    def _going_back(self, session: Session, n: int) -> AppQuestion:
        steps = len(session.moments) - n
        shown = range(len(session.moments) - 1, n, -1)[: self._room()]
        told = [self.desk.words(did(session, m)) for m in (*shown, n)]
        if steps > len(told):
            more = self.desk.words(count("ui.and-more", steps - len(told)))
            told.insert(-1 if shown else 1, more)
        back = (self.t("ui.take-back"), lambda: self._back(session, n))
        keep = (self.t("ui.cancel"), lambda: None)
        return AppQuestion(
            self.desk.words(_question(steps)), [back, keep], "\n".join(f"• {line}" for line in told)
        )

    def _room(self) -> int:
        """How many sentences besides the touched one fit while the answers below them stay visible."""
        theme = self.app.theme
        high = Window.height - theme.px(260 if theme.wide else 300) * theme.text
        return max(0, int(high / (theme.font("body") * (2 if theme.wide else 4))))

    def _back(self, session: Session, n: int) -> None:
        """Go back; never takes back more than was announced."""
        self.skipped = 0
        self.desk.undo(len(session.moments) - n, SeenState(session))

    def _paging(self, oldest: int, newest: int, last: int) -> Part | None:
        if last <= PAGE:
            return None
        narrow = bool(self.skipped) and oldest > 1 and not self.app.theme.wide
        later = self._turning("later", "chevron-left", -PAGE, narrow) if self.skipped else None
        earlier = self._turning("earlier", "chevron-right", PAGE, narrow) if oldest > 1 else None
        if narrow:
            return Split([later, earlier], (1, 1))
        place = Words(
            self.t("ui.lines-of", first=oldest, last=newest, all=last), "note", "dim", align="center"
        )
        return Row([later, place.fill(), earlier])

    def _turning(self, name: str, icon: str, by: int, narrow: bool) -> Tap:
        before = "" if narrow or by > 0 else icon
        behind = Icon(icon) if not narrow and by > 0 else None
        return Tap(
            self.t(f"ui.{name}"), lambda: self._turn(by), icon=before, part=behind, kind="quiet", name=name
        )

    def _turn(self, by: int) -> None:
        self.skipped = max(0, self.skipped + by)
        self.app.refresh()


def _corrects(session: Session, n: int) -> bool:
    entry = session.moments[n].entry
    return entry is not None and isinstance(entry.deed, Corrected)


def _question(steps: int) -> Text:
    return say("ui.undo-this") if steps == 1 else count("ui.undo-these", steps)
