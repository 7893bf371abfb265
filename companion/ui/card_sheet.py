"""A card, tile or option shown large: its face, its effect in words, and its current value for its owner."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.components import NAME_FIELDS, Component
from companion.core.game import Game
from companion.core.help import reason_against
from companion.core.questions import Option
from companion.results.sheets import reasons, sheet_words
from companion.texts import capital
from companion.ui.screens.table.signs import FaceIn, sign_row
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Page, Part, Plate, Row, Scroll, Split, Tap, Words, theme
from companion.ui.toolkit.overlays import Overlay, sheet
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.core.faces import Face
    from companion.ui.toolkit.context import Context

BRIEF = 18
"""Values with at most this many letters are shown side by side."""

HIGH, GAP = 230, 8
"""The height of the face, and the gap between parts."""


class CardSheet(Showing):
    """One component, perhaps as a seat's, or an option without a component; `printed` is one of a box without
    a play."""

    def __init__(
        self,
        app: Context,
        component: str = "",
        owner: int | None = None,
        option: Option | None = None,
        printed: tuple[Game, Component] | None = None,
    ) -> None:
        super().__init__(app)
        self.component, self.owner, self.option, self.printed = component, owner, option, printed

    @property
    def over(self) -> bool:
        """Whether it must close because its play is gone."""
        return self.printed is None and self.desk.play is None

    def _of_box(self) -> tuple[Game, Component]:
        """The component and its game."""
        if self.printed is not None:
            return self.printed
        session = self.desk.session
        return session.game, session.catalogue[self.component]

    def overlay(self) -> Overlay:
        """The sheet over the whole window; a touch beside its buttons closes it."""
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
        mark = None if self.owner is None else Badge(self.desk.marks()[self.owner], 40 / theme().text)
        if self.component:
            words = self.desk.words(self._of_box()[1].called)
        else:
            assert self.option is not None
            words = self.desk.words(self.option.text)
        close = Tap(icon="close", on_tap=self.app.front.close, kind="quiet", name="close-card")
        binder = None
        if self.component and self.printed is None:
            go = partial(self.app.go, "binder", component=self.component)
            binder = Tap(icon="book-open-variant", on_tap=go, kind="quiet", name="binder")
        return Row([mark, Words(capital(words), "body", bold=True).fill(), binder, close], gap=GAP)

    def _face(self) -> Part | None:
        game = self.desk.session.game if self.printed is None else self.printed[0]
        face: Face | None = None if self.option is None else self.option.face
        if face is None and self.component:
            face = game.face(self._of_box()[1])
        return None if face is None else FaceIn(game, face, high=theme().px(HIGH))

    # The text

    def _told(self) -> list[Part]:
        parts: list[Part] = []
        if self.option is not None:
            parts += self._as_option(self.option)
        if self.component:
            long, short = self._printed()
            parts += [*self._refused(), *long, *self._worth(), Flow(short, gap=6)]
        return parts

    def _refused(self) -> list[Part]:
        """Why it may not be chosen now."""
        if self.printed is not None:
            return []
        reason = reason_against(self.desk.session, self.component, self.owner)
        if reason is None:
            return []
        told = self.t("ui.help-not-now", why=self.desk.words(reason))
        return [Plate(Words(told, "note"), edge="accent", pad=8, radius=10)]

    def _as_option(self, option: Option) -> list[Part]:
        """What choosing it would do."""
        signs = sign_row(self.desk.session.game, option.signs, 32, "surface") if option.signs else None
        detail = None if option.detail is None else Words(capital(self.desk.words(option.detail)), "note")
        if signs is None and detail is None:
            return []
        return [Plate(Column([signs, detail], gap=6), pad=10, radius=10)]

    def _printed(self) -> tuple[list[Part], list[Part]]:
        """All printed values: effects in sentences, and those that are only a word or a number."""
        game, component = self._of_box()
        long: list[Part] = []
        short: list[Part] = []
        for row in game.rows(component):
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
        """What it currently scores for its owner, line by line."""
        if self.owner is None or not self.desk.settings.scores:
            return []
        session = self.desk.session
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
