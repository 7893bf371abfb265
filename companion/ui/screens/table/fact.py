"""A printed value told at the table: one tap where there is little to choose from, else a form to fill."""

from __future__ import annotations

from companion.core.components import UNKNOWN
from companion.core.fact_values import ONCE, values_of, written
from companion.core.forms import Number
from companion.core.questions import Answer, Question
from companion.ui.toolkit.form import CHIP, DIGIT, FormPad
from companion.ui.toolkit.kit import Part, Tap, Tiles
from companion.ui.toolkit.screen import Screen


class FactPad:
    """What somebody tells about one question, kept until another one is asked."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.about: tuple[int, int | None, str] | None = None
        self.once = False

    def parts(self, question: Question) -> list[Part]:
        """From top to bottom."""
        assert question.form is not None
        about = (self.screen.desk.session.entries, question.seat, question.slug)
        if self.about != about:
            means, refresh = self.screen.desk.session.game.means, self.screen.app.refresh
            self.about, self.once = about, False
            self.pad = FormPad(self.screen, question.form, UNKNOWN, means, refresh)
        if values_of(question.form):
            return [self._values(question), self._switch()]
        if self.pad.adding:
            return self.pad.parts()
        return [*self.pad.parts(), self._switch(), *([self._done(question)] if self.pad.complete else [])]

    def _values(self, question: Question) -> Part:
        """Every value there is: a tap tells it."""
        assert question.form is not None
        taps = [
            self._answering(
                question, self.screen.desk.words(option.text), option.id, f"option-{option.id}", "plain"
            )
            for option in question.options
        ]
        return Tiles(taps, DIGIT if isinstance(question.form, Number) else CHIP, gap=8)

    def _done(self, question: Question) -> Part:
        assert question.form is not None
        id = written(question.form, self.pad.value)
        return self._answering(question, self.screen.t("ui.form-done"), id, "form-done", "main")

    def _answering(self, question: Question, words: str, id: str, name: str, kind: str) -> Part:
        answer = Answer(question.seat, question.slug, f"{ONCE}{id}" if self.once else id)
        return Tap(words, lambda: self.screen.desk.propose(answer), kind=kind, name=name, about=self.about)

    def _switch(self) -> Part:
        icon = "checkbox-marked" if self.once else "checkbox-blank-outline"
        return Tap(
            self.screen.t("ui.form-once"),
            self._turn,
            icon=icon,
            kind="quiet",
            chosen=self.once,
            name="form-once",
        )

    def _turn(self) -> None:
        self.once = not self.once
        self.screen.app.refresh()
