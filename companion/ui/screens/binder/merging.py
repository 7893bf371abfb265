"""Merging somebody else's box with ours: conflicts side by side, one tap each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.binder import Taught
from companion.core.box_merge import Conflict, Merge
from companion.core.components import taught_names
from companion.core.words import count, say
from companion.texts import capital
from companion.ui.toolkit.kit import Column, Page, Part, Row, Scroll, Tap, Words
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.screens.binder.screen import BinderScreen


class Merging(Showing):
    """Which value wins; `take` is called with everything taken over once every conflict is decided."""

    def __init__(self, binder: BinderScreen, merge: Merge, take: Callable[[tuple[Taught, ...]], Any]) -> None:
        super().__init__(binder.app)
        self.binder, self.merge, self.take = binder, merge, take
        self.box = taught_names(
            binder.game.every_component(), binder.game.usable(binder.setup({}), binder.facts)
        )
        self.theirs: dict[str, bool] = {}
        """The decided conflicts: true if their value wins."""

    def page(self) -> Part:
        """The numbers of new and equal facts, and every conflict to decide."""
        merge = self.merge
        told = (
            count("binder.merge-new", len(merge.new)),
            count("binder.merge-same", len(merge.same)),
            count("binder.merge-conflicts", len(merge.conflicts)),
        )
        every = Row([self._all(False).fill(), self._all(True).fill()])
        body = Column(
            [
                Words("\n".join(self.desk.words(text) for text in told), "note", "dim"),
                every if len(merge.conflicts) > 1 else None,
                *(self._conflict(conflict) for conflict in merge.conflicts),
            ]
        )
        left = len(merge.conflicts) - len(self.theirs)
        bottom: Part = Words(self.desk.words(count("ui.binder-undecided", left)), "note", "dim")
        if not left:
            bottom = Tap(self.t("ui.binder-take"), self._take, icon="check", kind="main", name="take-over")
        return Page(self.binder.head(self.t("ui.binder-import")), Scroll(body, key="merging"), bottom)

    def _all(self, theirs: bool) -> Part:
        words = self.t("ui.binder-all-theirs" if theirs else "ui.binder-all-ours")
        return Tap(words, partial(self._decide_all, theirs), name="all-theirs" if theirs else "all-ours")

    def _decide_all(self, theirs: bool) -> None:
        self.theirs = dict.fromkeys((conflict.key for conflict in self.merge.conflicts), theirs)
        self.app.refresh()

    def _conflict(self, conflict: Conflict) -> Part:
        component = self.box[conflict.ours.component]
        rows = {row.field: row.text for row in self.binder.game.rows(component)}
        what = say("binder.fact", component=component.called, field=rows[conflict.ours.field])
        return self.panel(
            Words(self.desk.words(what), "body", bold=True),
            Row([self._side(conflict, False).fill(), self._side(conflict, True).fill()], gap=8),
        )

    def _side(self, conflict: Conflict, theirs: bool) -> Part:
        said = conflict.theirs if theirs else conflict.ours
        assert said.value is not None
        value = self.binder.game.fact_text(self.box[said.component], said.field, said.value)
        on = self.theirs.get(conflict.key) is theirs
        whose = self.t("binder.theirs" if theirs else "binder.ours")
        content = Column(
            [
                Words(capital(self.desk.words(value)), "body", "accent" if on else "text", bold=on),
                Words(f"{whose}: {self.desk.words(said.source)}", "detail", "dim"),
            ],
            gap=2,
        )
        name = f"{'theirs' if theirs else 'ours'}-{conflict.key}"
        return Tile(
            content, partial(self._decide, conflict.key, theirs), name, edge="accent" if on else "", pad=10
        )

    def _decide(self, key: str, theirs: bool) -> None:
        self.theirs[key] = theirs
        self.app.refresh()

    def _take(self) -> None:
        self.take(self.merge.taken({key for key, theirs in self.theirs.items() if theirs}))
