"""All plays, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from babel.dates import format_datetime

from companion.core.binder import Binder
from companion.core.game import games
from companion.core.journal import Journal, PlayRow
from companion.core.play import divergence_of, suspects
from companion.core.replay_divergence import Divergence
from companion.core.words import count, say
from companion.table.desk import PAGE, flow_names
from companion.texts import NO_TIME, local_time
from companion.ui.toolkit.covers import Cover, cover_of
from companion.ui.toolkit.kit import Column, Flow, Icon, Part, Row, Scroll, Tap, Words
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context


PlaysPage = tuple[tuple[PlayRow, ...], tuple[int, ...], dict[str, str]]
"""The plays of one page, those that may diverge, and the names of games that only a flow describes."""


class Plays(Screen):
    """Plays on this machine; a tap resumes a play, or shows its result."""

    name = "plays"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.diverged: set[int] = set()
        self.skip = 0
        """How many newer plays are skipped on this page."""
        self.rows: tuple[PlayRow, ...] = ()

    def enter(self) -> None:
        self.desk.look_up_plays()
        self._turn_to(self.skip)

    def _turn_to(self, skip: int) -> None:
        """Turn to another page; reads only its plays."""

        def look_up(journal: Journal, binder: Binder) -> PlaysPage:
            rows = journal.plays(PAGE, skip)
            return rows, suspects(journal, rows), flow_names(journal, rows)

        def found(looked_up: PlaysPage) -> None:
            shown, (rows, strange, names) = self.rows or self.desk.plays, looked_up
            self.rows, self.skip = rows, skip
            self.desk.game_names |= names
            if self.app.screen is self and rows != shown:
                self.app.refresh()
            self._ask_each(strange)

        self.desk.clerk.do(look_up, found, lambda trouble: None)

    def _ask_each(self, plays: tuple[int, ...]) -> None:
        """Find plays whose replay diverges under today's rules, one job each, so that other writes can go in
        between."""
        if plays and self.app.screen is self:
            first, *others = plays
            self.desk.clerk.do(
                lambda journal, binder: divergence_of(journal, first),
                lambda divergence: self._asked(first, divergence, tuple(others)),
                lambda trouble: None,
            )

    def _asked(self, play: int, divergence: Divergence | None, others: tuple[int, ...]) -> None:
        if divergence is not None:
            self.diverged.add(play)
            self.app.refresh()
        self._ask_each(others)

    def build(self) -> Part:
        rows = (self.rows or self.desk.plays)[::-1]
        if not self.desk.plays:
            new = Tap(self.t("ui.home-new"), lambda: self.app.go("new"), icon="plus", kind="main", name="new")
            parts: list[Part] = [Words(self.t("ui.plays-none"), "body", "dim"), new]
        else:
            how = Words(self.t("ui.plays-how"), "body", "dim")
            parts = [how, *self._newer(), *(self._row(row) for row in rows), *self._older()]
        return self.page(self.t("ui.home-plays"), Scroll(Column(parts), key=f"plays-{self.skip}"))

    def _newer(self) -> list[Part]:
        skip = max(0, self.skip - PAGE)
        words = self.t("ui.plays-newer")
        turn = Tap(words, lambda: self._turn_to(skip), icon="chevron-left", kind="quiet", name="newer")
        return [turn] if self.skip else []

    def _older(self) -> list[Part]:
        skip, left = self.skip + PAGE, self.desk.all_plays - self.skip - PAGE
        if left <= 0:
            return []
        words = self.desk.words(count("ui.plays-older", left))
        return [Tap(words, lambda: self._turn_to(skip), icon="chevron-right", kind="quiet", name="older")]

    def _row(self, row: PlayRow) -> Part:
        over = row.finished is not None
        facts = (
            games()[row.game].box.name
            if row.game in games()
            else self.desk.game_names.get(row.game, row.game),
            self.when(row.created),
            self.desk.words(count("ui.plays-count", row.entries)),
        )
        state = say("ui.plays-over" if over else "ui.plays-running")
        if row.id in self.diverged:
            state = say("ui.play-diverged", state=state)
        shown = Words(self.desk.words(state), "note", bold=True)
        words = Column(
            [
                Words(row.title, "body", bold=True),
                Flow([shown, *(Words(fact, "note", "dim") for fact in facts)], gap=14, lines=0),
            ],
            gap=4,
        )
        tone = "dim" if over else "accent"
        known = row.game in games()
        lead: Part = Cover(cover_of(row.game), 72) if known else Icon("cards", "prompt", tone)
        more = Icon("trophy" if over else "play", "prompt", tone)
        return Tap(
            part=Row([lead, words.fill(), more]).fill(),
            on_tap=lambda: self.desk.resume(row.id),
            kind="quiet",
            name=f"play-{row.id}",
        )

    def when(self, at: float) -> str:
        """Date and time in the format of the table's language."""
        when = local_time(at)
        return NO_TIME if when is None else format_datetime(when, "d MMM y, HH:mm", locale=self.desk.language)
