"""A card, tile or option read: its face large, what it does in words, and what it is worth for its owner now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.components import NAME_FIELDS
from companion.core.questions import Option
from companion.results.sheets import reasons, sheet_words
from companion.texts import capital
from companion.ui.screens.table.signs import FaceIn, sign_row
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Page, Part, Plate, Row, Scroll, Split, Tap, Words, look
from companion.ui.toolkit.overlays import Overlay, sheet
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.app import CompanionApp
    from companion.core.faces import Face

BRIEF = 18
"""Values with no more letters than this are told beside each other."""

HIGH, GAP = 230, 8
"""How high the face is, and what is left between parts."""


class CardSheet(Showing):
    """One component, perhaps before a seat, or one option that is none."""

    def __init__(
        self, app: CompanionApp, component: str = "", owner: int | None = None, option: Option | None = None
    ) -> None:
        super().__init__(app)
        self.component, self.owner, self.option = component, owner, option

    @property
    def over(self) -> bool:
        """Whether it has to make way: its play is gone."""
        return self.desk.play is None

    def overlay(self) -> Overlay:
        """All of it, over the whole window; a touch beside what can be touched closes it."""
        width, height = Window.size
        told = Scroll(Column(self._told(), gap=GAP), key=f"read-{self.component}")
        face = self._face()
        if width > height:
            body: Part = told if face is None else Split([Column([face]), told], (5, 7), gap=2 * GAP)
        else:
            body = told if face is None else Page(face, told, gap=GAP)
        laid = sheet(Page(self._head(), body, gap=GAP), "accent", self.app)
        told.stand(1.0)
        return laid

    def _head(self) -> Part:
        session = self.desk.session
        mark = None if self.owner is None else Badge(self.desk.marks()[self.owner], 40 / look().text)
        if self.component:
            words = self.desk.words(session.catalogue[self.component].called)
        else:
            assert self.option is not None
            words = self.desk.words(self.option.text)
        close = Tap(icon="close", on_tap=self.app.front.close, kind="quiet", name="close-card")
        binder = None
        if self.component:
            go = partial(self.app.go, "binder", component=self.component)
            binder = Tap(icon="book-open-variant", on_tap=go, kind="quiet", name="binder")
        return Row([mark, Words(capital(words), "body", bold=True).fill(), binder, close], gap=GAP)

    def _face(self) -> Part | None:
        session = self.desk.session
        face: Face | None = None if self.option is None else self.option.face
        if face is None and self.component:
            face = session.game.face(session.catalogue[self.component])
        return None if face is None else FaceIn(session.game, face, high=look().px(HIGH))

    # What is told

    def _told(self) -> list[Part]:
        parts: list[Part] = []
        if self.option is not None:
            parts += self._as_option(self.option)
        if self.component:
            long, short = self._printed()
            parts += [*long, *self._worth(), Flow(short, gap=6)]
        return parts

    def _as_option(self, option: Option) -> list[Part]:
        """What would come of choosing it."""
        signs = sign_row(self.desk.session.game, option.signs, 32, "surface") if option.signs else None
        detail = None if option.detail is None else Words(capital(self.desk.words(option.detail)), "note")
        if signs is None and detail is None:
            return []
        return [Plate(Column([signs, detail], gap=6), pad=10, radius=10)]

    def _printed(self) -> tuple[list[Part], list[Part]]:
        """Every printed value: what it does in sentences, and what is only a word or a number."""
        session = self.desk.session
        long: list[Part] = []
        short: list[Part] = []
        for row in session.game.rows(session.catalogue[self.component]):
            if not row.values or row.field in NAME_FIELDS:
                continue
            values = [capital(self.desk.words(value)) for value in row.values]
            label = Words(capital(self.desk.words(row.text)), "detail", "accent", bold=True)
            if len(values) == 1 and len(values[0]) <= BRIEF:
                value = Words(", ".join(values), "tile", bold=True)
                short.append(Plate(Row([label, value], gap=6), pad=8, radius=10))
            else:
                lines = [Words(value, "note") for value in values]
                long.append(Plate(Column([label, *lines], gap=4), pad=8, radius=10))
        return long, short

    def _worth(self) -> list[Part]:
        """What it brings its owner as the table is now, line by line."""
        session = self.desk.session
        if self.owner is None or not self.desk.settings.scores:
            return []
        scored = session.game.sheet(session.state)
        lines = [line for line in scored.seats[self.owner].lines if line.what == self.component]
        if not lines:
            return []
        of, line = sheet_words(scored), lines[0]
        head = self.t("ui.worth-now", seat=session.setup.seats[self.owner], n=line.points)
        made = [Words(self.t("ui.reason", n=n, what=what), "note") for n, what in reasons(line, of)]
        return [
            Plate(
                Column([Words(head, "note", "accent", bold=True), *made], gap=2),
                edge="accent",
                pad=8,
                radius=10,
            )
        ]
