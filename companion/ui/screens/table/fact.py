"""A printed value told at the table: one tap where there is little to choose from, else a page to fill."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.components import fact_of
from companion.core.fact_values import ONCE, values_of, written
from companion.core.forms import Number
from companion.core.questions import LATER, Answer, Question
from companion.table import teaching
from companion.ui.toolkit.fact_page import FactPage
from companion.ui.toolkit.kit import Part, Tap, Tiles
from companion.ui.toolkit.screen import Screen, Showing

if TYPE_CHECKING:
    from companion.app import CompanionApp

About = tuple[int, int, int | None, tuple[str, ...]]
"""The play, how far it is, who is asked, and what: the same question again."""

DIGIT = 54
"""How wide a number is at least."""

CHIP = 130
"""How wide a value with a name is at least."""


def is_short(question: Question) -> bool:
    """Whether one tap tells it."""
    return question.form is not None and bool(values_of(question.form))


def is_long(question: Question) -> bool:
    """Whether it takes a page."""
    return question.form is not None and not is_short(question)


def _keep(app: CompanionApp, pad: FactPage, told: teaching.Told) -> None:
    """Keep what was told so far where it is kept of what is taught; nothing: it is finished. The clerk's job."""
    begun = teaching.load(app.folder).told(pad.game.id, pad.component.id, told)
    teaching.save(app.folder, begun)


MOST_KEPT = 4
"""So many pages somebody began to fill are kept."""


class FactPad:
    """What somebody tells about one question. Whoever goes home, looks at a seat or takes back one thing too many
    finds it again as it was, also after a power cut: a map takes many touches."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.about: About | None = None
        self.once = False

    def short(self, question: Question) -> list[Part]:
        """Every value there is, from top to bottom: a tap tells it."""
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
        """All that is asked, with the face as it will look."""
        self._turn_to(question)
        on = self._done(question) if question.later is None or self.pad.told else self._later(question)
        below = [self._switch(), on]
        return self.pad.laid_out(f"{question.slug} {question.seat}", [], below)

    def _turn_to(self, question: Question) -> None:
        app, play = self.screen.app, self.screen.desk.play
        assert play is not None
        about = (play.id, len(play.session.moments), question.seat, question.facts)
        if self.about == about:
            return
        self.about, self.once = about, False
        facts = [fact_of(fact) for fact in question.facts]
        component, fields = play.session.catalogue[facts[0][0]], [field for _, field in facts]
        kept = app.half_told.pop(about, None)
        if kept is None or kept.component != component:
            kept = self._blank({}, component, fields)
            self._look_up(about, kept, fields)
        self._fill(about, kept)

    def _fill(self, about: About, pad: FactPage) -> None:
        self.pad, app = pad, self.screen.app
        app.half_told = dict([*app.half_told.items(), (about, pad)][-MOST_KEPT:])

    def _blank(self, told: teaching.Told, component: Any, fields: list[str]) -> FactPage:
        """A page on which this was told; what changes on it is on the disk before the next tap."""
        app = self.screen.app

        def changed() -> None:
            told = page.told
            app.desk.clerk.do(
                lambda journal, _: _keep(app, page, told),
                lambda _: None,
                lambda trouble: app.tell(trouble.text, "refused"),
            )
            app.refresh()

        page = FactPage(Showing(app), self.screen.desk.session.game, component, fields, told, changed)
        return page

    def _look_up(self, about: About, pad: FactPage, fields: list[str]) -> None:
        """Find what somebody began to tell before the program was ended, unless they are quicker."""
        app, game, before = self.screen.app, pad.game.id, pad.told

        def found(told: teaching.Told) -> None:
            begun = {field: value for field, value in told.items() if field in fields}
            if begun and self.about == about and self.pad is pad and pad.told == before:
                app.half_told.pop(about, None)
                self._fill(about, self._blank(begun, pad.component, fields))
                app.refresh()

        folder, component = app.folder, pad.component.id
        app.desk.clerk.do(
            lambda journal, _: teaching.load(folder).of(game, component), found, lambda trouble: None
        )

    def _later(self, question: Question) -> Part:
        """The way to play on before anything is told."""
        assert question.later is not None
        tell = partial(self.screen.desk.propose, Answer(question.seat, question.slug, LATER))
        return Tap(
            self.screen.desk.words(question.later), tell, kind="main", name="form-later", about=self.about
        )

    def _done(self, question: Question) -> Part:
        """The way on, or what is still to be told."""
        assert question.form is not None
        if not self.pad.complete:
            return self.pad.still()
        told = self.pad.told
        id = written(question.form, told if len(question.facts) > 1 else next(iter(told.values())))
        return self._answering(question, self.screen.t("ui.form-done"), id, "form-done", "main")

    def _answering(self, question: Question, words: str, id: str, name: str, kind: str) -> Part:
        answer = Answer(question.seat, question.slug, f"{ONCE}{id}" if self.once else id)

        def tell() -> None:
            app, pad = self.screen.app, self.pad
            if is_long(question):
                self.screen.desk.propose(answer, taken=lambda: _keep(app, pad, {}))
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
