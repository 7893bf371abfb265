"""Everybody who played here: two spellings of one person are put together, and taken apart again."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from companion.core.annotations import Merged
from companion.core.words import count
from companion.results.evenings import Evening
from companion.ui.screens.evenings.shown import look_up
from companion.ui.toolkit.kit import Column, Part, Scroll, Tap, Tiles, Words
from companion.ui.toolkit.screen import AppQuestion, Screen

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context


class PeoplePage(Screen):
    """Touch one spelling, then the one it stands for."""

    name = "people"

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.plays: Counter[tuple[str, str]] = Counter()
        """Plays by spelling and person."""
        self.first = ""

    def enter(self) -> None:
        look_up(self, self._found, lambda read: None)

    def _found(self, every: tuple[Evening, ...]) -> None:
        self.plays = Counter((seat.spelled, seat.name) for one in every for seat in one.seats)
        if self.app.screen is self:
            self.app.refresh()

    def build(self) -> Part:
        how = self.t("ui.people-then", name=self.first) if self.first else self.t("ui.people-how")
        tiles = [self._spelling(*both) for both in sorted(self.plays, key=lambda both: both[0].casefold())]
        return self.page(
            self.t("ui.people"), Scroll(Column([Words(how, "note", "dim"), Tiles(tiles, 230)]), key="people")
        )

    def _spelling(self, spelled: str, name: str) -> Tap:
        told = self.desk.words(count("ui.plays-in-all", self.plays[spelled, name]))
        if name != spelled:
            told = f"{told} · {self.t('ui.people-is', name=name)}"
        return Tap(
            spelled,
            partial(self._touch, spelled, name),
            detail=told,
            align="left",
            chosen=spelled == self.first,
            name=f"person-{spelled}",
        )

    def _touch(self, spelled: str, name: str) -> None:
        if self.first and spelled != self.first:
            one, self.first = self.first, ""
            self._ask(one, name, self.t("ui.people-merge", one=one, other=name))
        elif name != spelled and not self.first:
            self._ask(spelled, spelled, self.t("ui.people-apart", one=spelled, other=name))
        else:
            self.first = "" if self.first else spelled
        self.app.refresh()

    def _ask(self, one: str, into: str, words: str) -> None:
        yes = (self.t("ui.yes"), partial(self._merge, one, into))
        self.app.ask(lambda: AppQuestion(words, [yes, (self.t("ui.cancel"), lambda: None)], equal=True))

    def _merge(self, one: str, into: str) -> None:
        at = self.desk.clock()
        self.desk.clerk.do(
            lambda journal, binder: journal.annotations.add(Merged(one, into), at),
            lambda _: self.enter(),
            lambda trouble: self.app.tell(trouble.text, "refused"),
        )
