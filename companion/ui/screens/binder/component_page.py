"""The page of one component: each printed fact, its source, and a button to correct it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.binder import Taught
from companion.core.components import Component, Fact, SaidBy, fact_of
from companion.core.printed_facts import Printed
from companion.texts import capital
from companion.ui.screens.binder.teaching import warning
from companion.ui.toolkit.kit import (
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
)
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.symbols import FaceView
from companion.ui.toolkit.theme import FONTS

if TYPE_CHECKING:
    from companion.ui.screens.binder.screen import BinderScreen

ICONS = {
    SaidBy.RULEBOOK: "book-open-variant",
    SaidBy.TRANSCRIPTION: "list-status",
    SaidBy.OWNER: "account",
    SaidBy.PLAY: "history",
}


class ComponentPage(Showing):
    """What is printed on a component."""

    def __init__(self, binder: BinderScreen) -> None:
        super().__init__(binder.app)
        self.binder = binder

    def page(self, component: Component) -> Part:
        box = self.binder.catalogue()
        rows = self.binder.game.rows(component, box)
        facts = [self._sourced(box.fact(component.id, row.field), component.id, row.field) for row in rows]
        sources = {(fact.said_by, fact.note): fact for fact in facts}
        parts = [self._fact(component.id, row, fact) for row, fact in zip(rows, facts, strict=True)]
        notes = [self._source(fact) for fact in sources.values()]
        mine = {key: v for key, v in self.binder.facts.items() if fact_of(key)[0] == component.id}
        wrong = [] if self.binder.read else [warning(self, text) for text in self.binder.game.bad_facts(mine)]
        told = Column([*wrong, *parts, self.panel(*notes, title=self.t("ui.binder-sources"))], gap=8)
        face = FaceView(self.binder.game, self.binder.game.face(component), 0, 150)
        key = f"facts-{component.id}"
        if self.app.theme.wide:
            body: Part = Split([Column([face]), Scroll(told, key=key)], (1, 2))
        else:
            body = Scroll(Column([Row([face.fill(), Gap().fill()]), told]), key=key)
        return Page(self.binder.head(self.desk.words(component.called)), body)

    def _sourced(self, fact: Fact, component: str, field: str) -> Fact:
        """The same fact, with the play as its source if a play revealed it."""
        taught = self.binder.taught.get(f"{component}.{field}")
        follows = taught is not None and taught.said_by is SaidBy.PLAY and fact.said_by is SaidBy.OWNER
        return Fact(fact.value, SaidBy.PLAY) if follows else fact

    def _fact(self, component: str, row: Printed, fact: Fact) -> Part:
        label = Words(capital(self.desk.words(row.text)), "note", "dim")
        values: Part = Words(self.t("ui.binder-nobody"), "body", "accent")
        if row.values:
            values = Column([Words(capital(self.desk.words(v)), "body") for v in row.values], gap=4)
        teachable = row.teachable
        sign: Part = Icon("chevron-right", "prompt", "accent")
        if not teachable:
            sign = Gap(FONTS["prompt"] * self.app.theme.text)
        known = self._said(fact, self.binder.taught.get(f"{component}.{row.field}")) if row.values else None
        inner = Row([Column([Flow([label, known], gap=16), values], gap=2).fill(), sign])
        if not teachable:
            return Plate(inner, pad=10, radius=12)
        return Tap(
            part=inner.fill(),
            on_tap=lambda: self.binder.open(component, row.field),
            kind="quiet",
            name=f"fact-{row.field}",
        )

    def _said(self, fact: Fact, taught: Taught | None = None) -> Part:
        """The source of a fact; with name and day if somebody at the table taught it."""
        tone = "accent" if fact.said_by is SaidBy.OWNER else "dim"
        words = self.t(f"ui.said-by-{fact.said_by.value}")
        if taught is not None and (taught.by or taught.said_by is SaidBy.PLAY):
            words = self.desk.words(taught.source)
        return Row([Icon(ICONS[fact.said_by], "note", tone), Words(words, "note", tone)], gap=6)

    def _source(self, fact: Fact) -> Part:
        parts = [self._said(fact)]
        if fact.said_by is SaidBy.OWNER:
            parts.append(Words(self.t("ui.binder-yours-more"), "note", "dim"))
        elif fact.said_by is SaidBy.PLAY:
            parts.append(Words(self.t("ui.binder-play-more"), "note", "dim"))
        elif fact.note:
            parts.append(Words(self.t(fact.note), "note", "dim"))
        return Column(parts, gap=2)
