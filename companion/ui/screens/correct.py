"""Correct: any number and any component of any seat can be set right, and everybody sees who did so and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.game import Counter
from companion.core.session import Corrected
from companion.core.words import count
from companion.ui.draw import Badge
from companion.ui.kit import Column, Flow, Gap, Icon, Page, Part, Row, Scroll, Split, Tap, Tiles, Words
from companion.ui.screen import Screen
from companion.ui.screens.history import clock_time
from companion.ui.stepper import Counted, Search, stepper

if TYPE_CHECKING:
    from companion.app import CompanionApp

ESCAPE = "27"
FAR = 20
"""With more between its bounds than this, a number can be set in tens."""

FEW = 8
"""So many things that are not there are shown right away; among more than that people look by typing."""

CHANGES = 12
"""So many corrections are shown, the newest first."""


class Correct(Screen):
    """First who corrects, then what; the rules still say what cannot be."""

    name = "correct"

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(app)
        self.who: int | None = None
        self.seat: int | None = 0
        self.search: Search | None = None

    def build(self) -> Part:
        self.marks, self.names = self.desk.marks(), self.desk.session.setup.seats
        if self.who is None:
            return self.page(self.t("ui.menu-correct"), Scroll(self._ask_who(), key="who"))
        counters = self.desk.session.counters()
        mine = [c for c in counters if c.seat == self.seat]
        if self.search is not None:
            return self._searching([c for c in mine if _is_switch(c) and not c.value])
        return self.page(
            self.t("ui.menu-correct"),
            self._body(mine, any(c.seat is None for c in counters)),
            actions=[
                Tap(
                    self.names[self.who] if self.app.look.wide else "",
                    self._other_person,
                    lead=Badge(self.marks[self.who], 34),
                    kind="quiet",
                    name="who",
                )
            ],
        )

    def typed(self, key: str, character: str | None) -> bool:
        if key == ESCAPE and self.search is not None:
            self._stop_looking()
            return True
        return self.search is not None and self.search.typing.typed(key, character)

    # Who

    def _ask_who(self) -> Part:
        people = [
            Tap(
                name,
                lambda seat=seat: self._is(seat),
                lead=Badge(self.marks[seat]),
                name=f"by-{seat}",
                tall=72,
            )
            for seat, name in enumerate(self.names)
        ]
        return Column(
            [
                Words(self.t("ui.who-corrects"), "prompt", bold=True),
                Words(self.t("ui.who-corrects-why"), "body", "dim"),
                Tiles(people, 230),
                Gap(4),
                self._changes(),
            ],
            gap=14,
        )

    def _is(self, seat: int) -> None:
        self.who = self.seat = seat
        self.app.refresh()

    def _other_person(self) -> None:
        self.who = None
        self.app.refresh()

    # What

    def _body(self, mine: list[Counter], table: bool) -> Part:
        tabs = [self._tab(seat, name) for seat, name in enumerate(self.names)]
        if table:
            tabs.append(self._tab(None, self.t("ui.everybody")))
        parts = [*self._numbers(mine), *self._switches(mine)]
        if not mine:
            parts.append(Words(self.t("ui.nothing-to-correct"), "body", "dim"))
        if self.app.look.wide:
            right = Scroll(self._changes(), key="changes")
            left = Scroll(Column(parts, gap=12), key=f"correct-{self.seat}")
            return Page(Flow(tabs), Split([left, right], (1.75, 1)))
        return Scroll(Column([Flow(tabs), *parts, self._changes()], gap=12), key=f"correct-{self.seat}")

    def _tab(self, seat: int | None, name: str) -> Part:
        mark = None if seat is None else Badge(self.marks[seat], 34)
        return Tap(
            name,
            lambda: self._turn_to(seat),
            icon="table-furniture" if seat is None else "",
            lead=mark,
            chosen=seat == self.seat,
            name=f"of-{seat}",
        )

    def _turn_to(self, seat: int | None) -> None:
        self.seat = seat
        self.app.refresh()

    def _numbers(self, mine: list[Counter]) -> list[Part]:
        rows = [
            Counted(
                self.desk.words(c.text),
                stepper(c.id, c.value, lambda value, c=c: self._set(c, value), c.high - c.low > FAR),
            )
            for c in mine
            if not _is_switch(c)
        ]
        return [self.panel(*rows, title=self.t("ui.numbers"), gap=12)] if rows else []

    def _switches(self, mine: list[Counter]) -> list[Part]:
        """What is there or not: what lies there, what could lie on that, and the way to everything else."""
        switches = [c for c in mine if _is_switch(c)]
        if not switches:
            return []
        away = [c for c in switches if not c.value]
        loose = [c for c in away if c.component is None]
        shown = [c for c in switches if c.value or c in loose or len(away) <= FEW]
        rows: list[Part] = [self._switch(c) for c in shown]
        if len(away) > FEW:
            words = self.desk.words(count("ui.add-from", len(away)))
            rows.append(Tap(words, self._look, icon="magnify", name="add"))
        return [self.panel(*rows, title=self.t("ui.components"), gap=8)]

    def _switch(self, counter: Counter) -> Part:
        icon = "checkbox-marked" if counter.value else "checkbox-blank-outline"
        return Tap(
            self._called(counter),
            lambda: self._set(counter, 1 - counter.value),
            icon=icon,
            kind="plain",
            name=f"switch-{counter.id}",
        )

    def _called(self, counter: Counter) -> str:
        """A component by its name alone: whose it is, everybody sees."""
        return self.desk.words(
            counter.text if counter.component is None else self.desk.name_of(counter.component)
        )

    def _set(self, counter: Counter, value: int) -> None:
        assert self.who is not None
        self.desk.correct(counter.id, value, by=self.names[self.who])

    # Adding something that is not there

    def _look(self) -> None:
        self.search = Search(self, self.t("ui.search-hint"), self._stop_looking)
        self.app.refresh()

    def _stop_looking(self) -> None:
        self.search = None
        self.app.refresh()

    def _searching(self, away: list[Counter]) -> Part:
        assert self.search is not None
        named = [(c, self._called(c)) for c in away]
        fitting = [(c, words) for c, words in named if self.search.matches(words)]
        taps = [
            Tap(words, lambda c=c: self._add(c), icon="plus", name=f"switch-{c.id}")
            for c, words in fitting[:12]
        ]
        summary = self.desk.words(count("ui.found", len(fitting)))
        show = self.desk.words(count("ui.show-found", len(fitting)))
        return self.search.page(taps, summary, show, self.t("ui.found-none"))

    def _add(self, counter: Counter) -> None:
        self.search = None
        self._set(counter, 1)
        self.app.refresh()

    # Who changed what and when

    def _changes(self) -> Part:
        session = self.desk.session
        made = [
            (n, moment.entry)
            for n, moment in enumerate(session.moments)
            if moment.entry is not None and isinstance(moment.entry.deed, Corrected)
        ]
        rows: list[Part] = []
        for n, entry in reversed(made[-CHANGES:]):
            deed = entry.deed
            assert isinstance(deed, Corrected)
            mark = (
                Badge(self.marks[self.names.index(deed.by)], 30)
                if deed.by in self.names
                else Icon("pencil", "body", "dim")
            )
            told = Column(
                [
                    Words(self.desk.words(session.sentence(n)), "note"),
                    Words(clock_time(entry.at), "note", "dim"),
                ],
                gap=2,
            )
            rows.append(Row([mark, told.fill()]))
        if not rows:
            rows = [Words(self.t("ui.no-corrections"), "note", "dim")]
        return self.panel(*rows, title=self.t("ui.who-changed-what"), gap=10)


def _is_switch(counter: Counter) -> bool:
    """Whether this is there or not, rather than a number."""
    return (counter.low, counter.high) == (0, 1)
