"""Help with an open question: the rule and its page, reminders to switch off, and why some components are refused."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.help import Refusal, help_with, reminder
from companion.core.questions import Question
from companion.core.words import Text
from companion.texts import capital
from companion.ui.toolkit.kit import Column, Page, Part, Plate, Row, Scroll, Tap, Words
from companion.ui.toolkit.overlays import Overlay, sheet
from companion.ui.toolkit.screen import Showing

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

GAP = 8


class HelpSheet(Showing):
    """Help with the question of this seat; it closes with the question."""

    def __init__(self, app: Context, seat: int | None, slug: str) -> None:
        super().__init__(app)
        self.seat, self.slug = seat, slug

    @property
    def over(self) -> bool:
        """Whether it must close: the question is gone."""
        asked = () if self.desk.play is None else self.desk.questions()
        return all((question.seat, question.slug) != (self.seat, self.slug) for question in asked)

    def overlay(self) -> Overlay:
        """The sheet over the whole window; a touch beside its buttons closes it."""
        told = Scroll(Column(self._told(), gap=GAP), key=f"help-{self.slug}")
        laid = sheet(Page(self._head(), told, gap=GAP), "accent", self.app)
        told.stand(1.0)
        return laid

    def _head(self) -> Part:
        question = self._question
        close = Tap(icon="close", on_tap=self.app.front.close, kind="quiet", name="close-help")
        asked = capital(self.desk.words(self.desk.session.asked(question)))
        return Row([Words(asked, "body", bold=True).fill(), close], gap=GAP)

    @property
    def _question(self) -> Question:
        return next(q for q in self.desk.questions() if (q.seat, q.slug) == (self.seat, self.slug))

    def _told(self) -> list[Part]:
        session, question = self.desk.session, self._question
        found = help_with(session, question)
        source = None if found.source is None else Words(self.desk.words(found.source), "detail", "accent")
        parts: list[Part] = [
            Plate(Column([Words(self.desk.words(found.rule), "note"), source], gap=6), pad=10)
        ]
        if found.refusals:
            title = Words(self.t("ui.help-refused"), "detail", "accent", bold=True)
            parts.append(Plate(Column([title, *map(self._refused, found.refusals)], gap=6), pad=10))
        powers = () if question.seat is None else session.view.seats[question.seat].powers
        notes = tuple(dict.fromkeys((*question.notes, *session.view.notes)))
        if powers or notes:
            parts.append(Plate(Column([*map(self._power, powers), *map(self._note, notes)], gap=6), pad=10))
        return parts

    def _power(self, power: Text) -> Part:
        return Words(self.desk.words(power), "note")

    def _note(self, note: Text) -> Part:
        """A reminder and its switch; one that is switched off stays here, so nothing moves under the finger."""
        words, known = self.desk.words(note), self.desk.settings.reminders_off
        kind, is_off = reminder(note), reminder(note) in known
        then = {key: said for key, said in known.items() if key != kind} if is_off else {**known, kind: words}
        tap = Tap(
            icon="eye-off" if is_off else "eye",
            kind="quiet",
            on_tap=partial(self.desk.change, reminders_off=then),
            name=f"hide-{kind}",
            chosen=is_off,
        )
        return Row([Words(words, "note", "dim" if is_off else "text").fill(), tap], gap=GAP)

    def _refused(self, refusal: Refusal) -> Part:
        names = ", ".join(self.desk.words(name) for name in refusal.names)
        return Words(self.t("ui.help-refusal", names=names, why=self.desk.words(refusal.reason)), "note")
