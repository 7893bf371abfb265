"""All plays, the newest first: who won, with how many points, when and where; found by words, game or person."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from babel.dates import format_datetime

from companion.core.annotations import Annotations, Deleted
from companion.core.binder import Binder
from companion.core.game import games
from companion.core.journal import Journal, PlayRow
from companion.core.play import divergence_of, suspects
from companion.core.replay_divergence import Divergence
from companion.core.words import Text, count, say
from companion.errors import StorageTrouble
from companion.results.evenings import Evening, chosen, evening
from companion.table.desk import PAGE, flow_names
from companion.table.marks import Mark
from companion.texts import NO_TIME, local_time
from companion.ui.screens.evenings.shown import facts, game_name, look_up
from companion.ui.toolkit.covers import Cover, cover_of
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Icon, Part, Plate, Row, Scroll, Tap, Words
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.theme import INK

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context


PlaysPage = tuple[tuple[PlayRow, ...], tuple[int, ...], dict[str, str], dict[int, Evening]]
"""The plays of one page, those that may diverge, the names of games that only a flow describes, and the results."""


class Plays(Screen):
    """Plays on this machine; a tap resumes a play, or shows its result.

    A page needs only its own plays. All are read only to be searched.
    """

    name = "plays"

    def __init__(self, app: Context, deleted: int = 0) -> None:
        super().__init__(app)
        self.diverged: set[int] = set()
        self.skip = 0
        """How many newer plays are skipped on this page."""
        self.rows: tuple[PlayRow, ...] = ()
        self.results: dict[int, Evening] = {}
        self.every: tuple[Evening, ...] | None = None
        """All plays, if they were read for a search."""
        self.read = 0
        self.sought = ""
        self.deleted = deleted
        """The play just deleted, which can be brought back."""

    def enter(self) -> None:
        self.desk.look_up_plays()
        if self.sought:
            self.every = None
            look_up(self, self._all_found, self._progress)
        else:
            self._turn_to(self.skip)

    def _turn_to(self, skip: int) -> None:
        """Turn to another page; reads only its plays."""
        if self.sought:
            self.skip = skip
            self.app.refresh()
            return

        def look_up_page(journal: Journal, binder: Binder) -> PlaysPage:
            rows = journal.plays(PAGE, skip)
            return rows, suspects(journal, rows), flow_names(journal, rows), _results(journal, rows)

        def found(looked_up: PlaysPage) -> None:
            shown, (rows, strange, names, results) = self.rows or self.desk.plays, looked_up
            news = rows != shown or results != self.results
            self.rows, self.skip, self.results = rows, skip, results
            self.desk.game_names |= names
            if self.app.screen is self and news:
                self.app.refresh()
            self._ask_each(strange)

        self.desk.clerk.do(look_up_page, found, lambda trouble: None)

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

    # Searching

    def _seek(self) -> None:
        self.app.go("words-page", hint=self.t("ui.plays-seek"), typed=self.sought, done=self.seek)

    def seek(self, words: str) -> None:
        """Show only plays with these words in the names of people, the game, the place or the note."""
        self.sought, self.skip, self.every, self.read = words, 0, None, 0
        self.enter()
        self.app.refresh()

    def _all_found(self, every: tuple[Evening, ...]) -> None:
        self.every = tuple(sorted(every, key=lambda one: (-one.at, -one.id)))
        if self.app.screen is self:
            self.app.refresh()

    def _progress(self, read: int) -> None:
        self.read = read
        if self.app.screen is self and self.every is None:
            self.app.refresh()

    def _matches(self) -> tuple[Evening, ...]:
        names = {one.game: game_name(self.desk, one.game) for one in self.every or ()}
        by_game = {game for game, name in names.items() if self.sought.casefold() in name.casefold()}
        found = {one.id for one in chosen(self.every or (), words=self.sought)}
        return tuple(one for one in self.every or () if one.id in found or one.game in by_game)

    # What is shown

    def build(self) -> Part:
        typed = Tap(icon="plus", kind="quiet", on_tap=lambda: self.app.go("typed-result"), name="type-result")
        stats = Tap(self._wide("ui.stats"), lambda: self.app.go("stats"), icon="trophy", name="stats")
        seek = Tap(self.sought, self._seek, icon="magnify", chosen=bool(self.sought), name="seek")
        body = self._found() if self.sought else self._page()
        body.insert(0, self._bring_back())
        scroll = Scroll(Column(body), key=f"plays-{self.sought}-{self.skip}")
        return self.page(self.t("ui.home-plays"), scroll, actions=[typed, stats, seek])

    def _wide(self, key: str) -> str:
        return self.t(key) if self.app.theme.wide else ""

    def _bring_back(self) -> Part | None:
        if not self.deleted:
            return None
        return Tap(self.t("ui.play-bring-back"), self._undelete, icon="undo", kind="main", name="bring-back")

    def _undelete(self) -> None:
        play, self.deleted, at = self.deleted, 0, self.desk.clock()
        self.desk.clerk.do(
            lambda journal, binder: journal.annotations.add(Deleted(play, gone=False), at),
            lambda _: self.enter(),
            lambda trouble: self.app.tell(trouble.text, "refused"),
        )

    def _page(self) -> list[Part | None]:
        rows = (self.rows or self.desk.plays)[::-1]
        if not self.desk.plays:
            new = Tap(self.t("ui.home-new"), lambda: self.app.go("new"), icon="plus", kind="main", name="new")
            return [Words(self.t("ui.plays-none"), "body", "dim"), new]
        left = self.desk.all_plays - self.skip - PAGE
        return [self._newer(), *(self._row(row) for row in rows), self._older(left)]

    def _found(self) -> list[Part | None]:
        every = Tap(
            self.t("ui.plays-all"), partial(self.seek, ""), icon="close", kind="quiet", name="all-plays"
        )
        if self.every is None:
            return [every, Words(self.desk.words(count("ui.plays-read", self.read)), "body", "dim")]
        found = self._matches()
        told = Words(self.desk.words(count("ui.plays-found", len(found))), "body", "dim")
        shown = found[self.skip : self.skip + PAGE]
        rows = [self._over(one) for one in shown]
        return [every, told, self._newer(), *rows, self._older(len(found) - self.skip - PAGE)]

    def _newer(self) -> Part | None:
        skip = max(0, self.skip - PAGE)
        words = self.t("ui.plays-newer")
        turn = Tap(words, lambda: self._turn_to(skip), icon="chevron-left", kind="quiet", name="newer")
        return turn if self.skip else None

    def _older(self, left: int) -> Part | None:
        skip = self.skip + PAGE
        if left <= 0:
            return None
        words = self.desk.words(count("ui.plays-older", left))
        return Tap(words, lambda: self._turn_to(skip), icon="chevron-right", kind="quiet", name="older")

    def _row(self, row: PlayRow) -> Part:
        over = self.results.get(row.id)
        if over is not None:
            return self._over(over)
        state = say("ui.plays-over" if row.finished is not None else "ui.plays-running")
        told = [self.when(row.created), self.desk.words(count("ui.plays-count", row.entries))]
        return self._play(row.id, row.game, row.title, state, told, lambda: self.desk.resume(row.id))

    def _play(self, id: int, game: str, title: str, state: Text, told: list[str], tap: object) -> Part:
        """A play without a kept result."""
        if id in self.diverged:
            state = say("ui.play-diverged", state=state)
        shown = Words(self.desk.words(state), "note", bold=True)
        name = Words(game_name(self.desk, game), "note", "dim")
        flow = Flow([shown, name, *(Words(fact, "note", "dim") for fact in told)], gap=14, lines=0)
        words = Column([Words(title, "body", bold=True), flow], gap=4)
        icon = Icon("play", "prompt", "accent")
        return self._tap(id, game, [words.fill(), icon], tap)

    def _over(self, one: Evening) -> Part:
        """A finished play: the winner is the loudest; a stopped one among those found can be gone on with."""
        if not one.over:
            title = ", ".join(seat.spelled for seat in one.seats)
            state = say("ui.plays-running")
            when = [self.when(one.at)]
            return self._play(one.id, one.game, title, state, when, lambda: self.desk.resume(one.id))
        about = facts(self.desk, one)
        otherwise = self.t("ui.play-diverged", state=self.t("ui.plays-over"))
        other = Words(otherwise, "note", bold=True) if one.id in self.diverged else None
        name = Words(game_name(self.desk, one.game), "body", bold=True)
        marks = self.desk.marks(tuple(seat.spelled for seat in one.seats))
        order = sorted(zip(one.seats, marks, strict=True), key=lambda pair: pair[0].rank)
        seats = Flow(
            [_winner(s.spelled, s.points, m) if s.won else _other(s.spelled, s.points, m) for s, m in order],
            gap=10,
            lines=0,
        )
        words = Column([name, Words(about, "note", "dim"), other], gap=2)
        open_ = partial(self.app.go, "evening", evening=one)
        parts: list[Part | None] = (
            [words.fill(), seats.fill(1.2)] if self.app.theme.wide else [Column([words, seats], gap=6).fill()]
        )
        return self._tap(one.id, one.game, parts, open_)

    def _tap(self, id: int, game: str, parts: list[Part | None], on_tap: object) -> Part:
        known = game in games()
        lead: Part = Cover(cover_of(game), 72) if known else Icon("cards", "prompt", "dim")
        return Tap(part=Row([lead, *parts]).fill(), on_tap=on_tap, kind="quiet", name=f"play-{id}")  # type: ignore[arg-type]

    def when(self, at: float) -> str:
        """Date and time in the format of the table's language."""
        when = local_time(at)
        return NO_TIME if when is None else format_datetime(when, "d MMM y, HH:mm", locale=self.desk.language)


def _winner(name: str, points: int | None, mark: Mark) -> Part:
    """The winner on their colour."""
    told = name if points is None else f"{name} {points}"
    return Plate(
        Row([Icon("crown", "note", INK), Words(told, "note", INK, bold=True)], gap=6), mark.colour, pad=6
    )


def _other(name: str, points: int | None, mark: Mark) -> Part:
    """Any other seat: mark and points, or the name where there are none."""
    return Row([Badge(mark, 26), Words(name if points is None else str(points), "note")], gap=4)


def _results(journal: Journal, rows: tuple[PlayRow, ...]) -> dict[int, Evening]:
    """What is kept of the finished plays among these."""
    if not rows:
        return {}
    try:
        notes = journal.annotations.now()
    except StorageTrouble:  # the list is shown without notes and places
        notes = Annotations()
    ids = {row.id for row in rows}
    endings = journal.endings(rows[0].id - 1, rows[-1].id - rows[0].id + 1)
    found = (evening(ending, notes, journal) for ending in endings if ending.play.id in ids)
    return {one.id: one for one in found if one.over}
