"""Correct: set any number and any component of any seat; everybody sees who did so and when."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.counters import Correctable
from companion.core.entries import Corrected, FactCorrected
from companion.core.words import Text, count
from companion.ui.screens.history import clock_time
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import (
    Column,
    Flow,
    Gap,
    Icon,
    Page,
    Part,
    Row,
    Scroll,
    Split,
    Tap,
    Tiles,
    Words,
)
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.stepper import Choosing, Search, shown

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

ESCAPE = "27"
FEW = 8
"""Up to this many absent components are listed directly; with more, people search by typing."""

CHANGES = 12
"""This many corrections are shown, newest first."""


class Correct(Screen):
    """First who corrects, then what; the rules still refuse what is impossible."""

    name = "correct"

    def __init__(self, app: Context, seat: int | None = None) -> None:
        super().__init__(app)
        self.who: int | None = None
        self.about = seat
        """The seat whose numbers people came for, if known."""
        self.seat: int | None = 0
        self.search: Search | None = None
        self.group: Text | None = None
        self.choosing: Choosing | None = None

    def build(self) -> Part:
        self.marks, self.names = self.desk.marks(), self.desk.session.setup.seats
        if self.who is None:
            return self.page(self.t("ui.menu-correct"), Scroll(self._ask_who(), key="who"))
        counters = self.desk.session.counters()
        mine = [c for c in counters if c.seat == self.seat]
        if self.search is not None:
            return self._searching([c for c in mine if c.is_switch and not c.value and c.group is None])
        if self.choosing is not None:
            return self.choosing.page()
        if self.group is not None:
            return self._group_page(self.group, [c for c in mine if c.group == self.group])
        return self.page(
            self.t("ui.menu-correct"),
            self._body(mine, any(c.seat is None for c in counters)),
            actions=[
                Tap(
                    self.names[self.who] if self.app.theme.wide else "",
                    self._other_person,
                    lead=Badge(self.marks[self.who], 34),
                    kind="quiet",
                    name="who",
                )
            ],
        )

    def typed(self, key: str, character: str | None) -> bool:
        if key == ESCAPE and (self.search or self.choosing or self.group) is not None:
            self._leave_inner()
            return True
        return self.search is not None and self.search.typing.typed(key, character)

    # Who

    def _ask_who(self) -> Part:
        people = [
            Tap(
                name,
                partial(self._is, seat),
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
        self.who, self.seat = seat, seat if self.about is None else self.about
        self.app.refresh()

    def _other_person(self) -> None:
        self.who = self.group = None
        self.app.refresh()

    # What

    def _body(self, mine: list[Correctable], table: bool) -> Part:
        tabs = [self._tab(seat, name) for seat, name in enumerate(self.names)]
        if table:
            tabs.append(self._tab(None, self.t("ui.everybody")))
        loose = [c for c in mine if c.group is None]
        parts = [*self._numbers(loose), *self._switches(loose), *self._groups(mine)]
        if not mine:
            parts.append(Words(self.t("ui.nothing-to-correct"), "body", "dim"))
        if self.app.theme.wide:
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
        self.seat, self.group = seat, None
        self.app.refresh()

    def _leave_inner(self) -> None:
        """Go back from a list to where it was opened."""
        if self.search is None and self.choosing is None:
            self.group = None
        self.search = self.choosing = None
        self.app.refresh()

    def _numbers(self, mine: list[Correctable]) -> list[Part]:
        rows = [self._row(c) for c in mine if not c.is_switch]
        return [self.panel(*rows, title=self.t("ui.numbers"), gap=12)] if rows else []

    def _row(self, counter: Correctable) -> Part:
        return shown(self, counter, lambda value: self._set(counter, value), lambda: self._choose(counter))

    def _choose(self, counter: Correctable) -> None:
        def chosen(value: int) -> None:
            self.choosing = None
            self._set(counter, value)
            self.app.refresh()

        self.choosing = Choosing(self, counter, chosen, self._leave_inner)
        self.app.refresh()

    # If there is much to set, people first choose a group

    def _groups(self, mine: list[Correctable]) -> list[Part]:
        groups = dict.fromkeys(self.desk.words(c.group) for c in mine if c.group is not None)
        of = {self.desk.words(c.group): c.group for c in mine if c.group is not None}
        taps = [
            Tap(
                words,
                partial(self._open, of[words]),
                part=Icon("chevron-right", "body", "dim"),
                align="left",
                name=f"group-{words}",
            )
            for words in groups
        ]
        return [self.panel(Tiles(taps, 220), title=self.t("ui.about-what"), gap=12)] if taps else []

    def _open(self, group: Text) -> None:
        self.group = group
        self.app.refresh()

    def _group_page(self, group: Text, mine: list[Correctable]) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self._leave_inner, name="back")
        top = Row([back, Words(self.desk.words(group), "title", bold=True).fill()])
        rows = [self._row(c) for c in mine] or [Words(self.t("ui.nothing-to-correct"), "body", "dim")]
        return Page(top, Scroll(self.panel(*rows, gap=12), key=f"group-{self.desk.words(group)}"))

    def _switches(self, mine: list[Correctable]) -> list[Part]:
        """Components to switch on and off: those that are there, those that could lie on them, and a button
        to all others."""
        switches = [c for c in mine if c.is_switch]
        if not switches:
            return []
        away = [c for c in switches if not c.value]
        loose = [c for c in away if c.component is None]
        shown = [c for c in switches if c.value or c in loose or len(away) <= FEW]
        rows: list[Part] = [self._switch(c) for c in shown]
        if len(away) > FEW:
            words = self.desk.words(count("ui.add-from", len(away)))
            rows.append(Tap(words, self._look, icon="magnify", name="add"))
        title = "ui.components" if any(c.component is not None for c in switches) else "ui.yes-or-no"
        return [self.panel(*rows, title=self.t(title), gap=8)]

    def _switch(self, counter: Correctable) -> Part:
        icon = "checkbox-marked" if counter.value else "checkbox-blank-outline"
        return Tap(
            self._called(counter),
            lambda: self._set(counter, 1 - counter.value),
            icon=icon,
            kind="plain",
            name=f"switch-{counter.id}",
        )

    def _text(self, counter: Correctable) -> Text:
        """A component's name alone, since its owner is shown already."""
        return counter.text if counter.component is None else self.desk.name_of(counter.component)

    def _called(self, counter: Correctable) -> str:
        return self.desk.words(self._text(counter))

    def _set(self, counter: Correctable, value: int) -> None:
        assert self.who is not None
        self.desk.correct(counter.id, value, by=self.names[self.who])

    # Adding something that is not there yet

    def _look(self) -> None:
        self.search = Search(self, self.t("ui.search-hint"), self._leave_inner)
        self.app.refresh()

    def _searching(self, away: list[Correctable]) -> Part:
        assert self.search is not None
        fitting = [(c, self._called(c)) for c in away if self.search.matches(self._text(c))]
        taps = [
            Tap(words, partial(self._add, c), icon="plus", name=f"switch-{c.id}") for c, words in fitting[:12]
        ]
        summary = self.desk.words(count("ui.found", len(fitting)))
        show = self.desk.words(count("ui.show-found", len(fitting)))
        return self.search.page(taps, summary, show, self.t("ui.found-none"))

    def _add(self, counter: Correctable) -> None:
        self.search = None
        self._set(counter, 1)
        self.app.refresh()

    # Who changed what and when

    def _changes(self) -> Part:
        session = self.desk.session
        made = [
            (last, entry)
            for _, last in session.deeds()
            if (entry := session.moments[last].entry) is not None
            and isinstance(entry.deed, Corrected | FactCorrected)
        ]
        rows: list[Part] = []
        for n, entry in reversed(made[-CHANGES:]):
            deed = entry.deed
            assert isinstance(deed, Corrected | FactCorrected)
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
