"""Entering a printed value at the table: one tap if there are few values, otherwise a page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.components import Component, fact_of
from companion.core.fact_values import ONCE, values_of, written
from companion.core.facts import is_about_several
from companion.core.forms import Number, Record
from companion.core.questions import LATER, Answer, Question
from companion.table import teaching
from companion.ui.toolkit.fact_page import FactPage
from companion.ui.toolkit.kit import Part, Tap, Tiles
from companion.ui.toolkit.screen import Screen, Showing
from companion.ui.toolkit.several_facts import SeveralFacts

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

AskedFact = tuple[int, int, int | None, tuple[str, ...]]
"""Identifies a question: the play, its length, the seat, and the fields."""

DIGIT = 54
"""The smallest width of a number."""

CHIP = 130
"""The smallest width of a value with a name."""


def is_short(question: Question) -> bool:
    """Whether one tap answers it."""
    return question.form is not None and bool(values_of(question.form))


def is_long(question: Question) -> bool:
    """Whether it needs a page."""
    return question.form is not None and not is_short(question)


ToldByComponent = dict[str, teaching.ToldFields]
"""The values entered so far, by component."""


def _keep(app: Context, game: str, told: ToldByComponent) -> None:
    """Store the values entered so far in the file of begun lessons; empty values mean it is finished. Runs in
    the clerk."""
    begun = teaching.load(app.folder)
    for component, fields in told.items():
        begun = begun.with_values(game, component, fields)
    teaching.save(app.folder, begun)


def _entered(pad: FactPage | SeveralFacts) -> ToldByComponent:
    return pad.entered if isinstance(pad, SeveralFacts) else {pad.component.id: pad.entered}


def _components(pad: FactPage | SeveralFacts) -> list[Component]:
    return [one.component for one in pad.pads] if isinstance(pad, SeveralFacts) else [pad.component]


FieldsByComponent = dict[str, list[str]]
"""The fields asked for, by component."""

MOST_KEPT = 4
"""This many begun pages are kept."""


class FactPad:
    """The values entered for one question. They survive leaving the table, looking at a seat, one undo too
    many and a power cut, because a map takes many touches."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.about: AskedFact | None = None
        self.once = False

    def short(self, question: Question) -> list[Part]:
        """All values from top to bottom; a tap answers."""
        self._turn_to(question)
        assert question.form is not None
        taps = [
            self._answering(
                question, self.screen.desk.words(option.text), option.id, f"option-{option.id}", "plain"
            )
            for option in question.options
        ]
        return [Tiles(taps, DIGIT if isinstance(question.form, Number) else CHIP, gap=8), self._switch()]

    def page(self, question: Question) -> Part:
        """All fields, with the face as it will look."""
        self._turn_to(question)
        on = self._done(question) if question.later is None or self.pad.begun else self._later(question)
        below = [self._switch(), on]
        return self.pad.laid_out(f"{question.slug} {question.seat}", [], below)

    def _turn_to(self, question: Question) -> None:
        app, play = self.screen.app, self.screen.desk.play
        assert play is not None
        about = (play.id, len(play.session.moments), question.seat, question.facts)
        if self.about == about:
            return
        self.about, self.once = about, False
        fields: FieldsByComponent = {}
        for component, field in map(fact_of, question.facts):
            fields.setdefault(component, []).append(field)
        kept = app.half_told.pop(about, None)
        if kept is None or _components(kept) != [play.session.catalogue[id] for id in fields]:
            kept = self._blank({}, question, fields)
            self._look_up(about, kept, question, fields)
        self._fill(about, kept)

    def _fill(self, about: AskedFact, pad: FactPage | SeveralFacts) -> None:
        self.pad, app = pad, self.screen.app
        app.half_told = dict([*app.half_told.items(), (about, pad)][-MOST_KEPT:])

    def _blank(
        self, told: ToldByComponent, question: Question, fields: FieldsByComponent
    ) -> FactPage | SeveralFacts:
        """A page with these values; every change is on disk before the next tap."""
        app, session = self.screen.app, self.screen.desk.session
        game = session.game

        def changed() -> None:
            told = _entered(page)
            app.desk.clerk.do(
                lambda journal, _: _keep(app, game.id, told),
                lambda _: None,
                lambda trouble: app.tell(trouble.text, "refused"),
            )
            app.refresh()

        page: FactPage | SeveralFacts
        if is_about_several(question):
            assert isinstance(question.form, Record)
            parts = {part.name: part for part in question.form.fields}
            asked = [(session.catalogue[id], each, parts[id]) for id, each in fields.items()]
            page = SeveralFacts(Showing(app), game, asked, told, changed)
        else:
            ((id, each),) = fields.items()
            page = FactPage(Showing(app), game, session.catalogue[id], each, told.get(id, {}), changed)
        return page

    def _look_up(
        self, about: AskedFact, pad: FactPage | SeveralFacts, question: Question, fields: FieldsByComponent
    ) -> None:
        """Load values entered before the program ended, unless somebody has entered new ones by then."""
        app, game, before = self.screen.app, pad.game.id, pad.entered

        def found(told: ToldByComponent) -> None:
            begun = {
                id: {field: value for field, value in values.items() if field in fields[id]}
                for id, values in told.items()
            }
            if any(begun.values()) and self.about == about and self.pad is pad and pad.entered == before:
                app.half_told.pop(about, None)
                self._fill(about, self._blank(begun, question, fields))
                app.refresh()

        def load() -> ToldByComponent:
            begun = teaching.load(app.folder)
            return {id: begun.of(game, id) for id in fields}

        app.desk.clerk.do(lambda journal, _: load(), found, lambda trouble: None)

    def _later(self, question: Question) -> Part:
        """The button to play on without entering anything now."""
        assert question.later is not None
        tell = partial(self.screen.desk.propose, Answer(question.seat, question.slug, LATER))
        return Tap(
            self.screen.desk.words(question.later), tell, kind="main", name="form-later", about=self.about
        )

    def _done(self, question: Question) -> Part:
        """The button to go on, or what is still missing."""
        assert question.form is not None
        if not self.pad.complete:
            return self.pad.still()
        told: dict[str, Any] = self.pad.entered
        id = written(question.form, told if len(question.facts) > 1 else next(iter(told.values())))
        return self._answering(question, self.screen.t("ui.form-done"), id, "form-done", "main")

    def _answering(self, question: Question, words: str, id: str, name: str, kind: str) -> Part:
        answer = Answer(question.seat, question.slug, f"{ONCE}{id}" if self.once else id)

        def tell() -> None:
            app, pad = self.screen.app, self.pad
            if is_long(question):
                done: ToldByComponent = {component.id: {} for component in _components(pad)}
                self.screen.desk.propose(answer, taken=lambda: _keep(app, pad.game.id, done))
            else:
                self.screen.desk.propose(answer)

        return Tap(words, tell, kind=kind, name=name, about=self.about)

    def _switch(self) -> Part:
        icon = "checkbox-marked" if self.once else "checkbox-blank-outline"
        return Tap(
            self.screen.t("ui.form-once"),
            self._turn,
            icon=icon,
            kind="quiet",
            size="detail",
            chosen=self.once,
            name="form-once",
        )

    def _turn(self) -> None:
        self.once = not self.once
        self.screen.app.refresh()
