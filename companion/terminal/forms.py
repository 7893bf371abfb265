"""A form filled at the terminal: numbers and names typed, fields one after another, lists until people are done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from companion.core.components import Component
from companion.core.fact_values import Means, fits, in_words, is_drawn, nothing_drawn, read, written, wrongs
from companion.core.forms import (
    Form,
    Kinds,
    ListOf,
    Maybe,
    Number,
    OneOf,
    Record,
    SeveralOf,
    Switch,
    TextLine,
)
from companion.core.positions import quoted
from companion.core.session import Session
from companion.core.words import Text, count, plain, say
from companion.errors import NotNow, Unknown
from companion.terminal.asking import fitting
from companion.texts import fold, render

T = TypeVar("T")
LEAVE = ("cancel", "anuluj")


class Filling:
    """Asks for one thing after another. `typed` shows a sentence and waits for a line, `tell` only shows one."""

    def __init__(
        self, typed: Callable[[Text], str], tell: Callable[[Text], None], language: str, means: Means
    ) -> None:
        self.typed, self.tell, self.language, self.means = typed, tell, language, means

    def fill(self, form: Form, what: Text) -> Any:
        """The value people tell; raises `NotNow` if they would rather not."""
        match form:
            case Number(low, high):
                return self._number(low, high, what)
            case TextLine():
                return self._text(form, what)
            case Switch():
                both = [(True, say("core.form.yes")), (False, say("core.form.no"))]
                return self._named(both, what)
            case OneOf(values):
                return self._named([(v.value, v.text) for v in values], what)
            case SeveralOf():
                return self._several(form, what)
            case Maybe(inner):
                there = [(True, say("ui.form-there")), (False, say("ui.form-not-there"))]
                return self.fill(inner, what) if self._named(there, what) else None
            case Record():
                return self._record(form)
            case Kinds(kinds):
                named = [(kind, kind.text if kind.text is not None else plain(kind.tag)) for kind in kinds]
                return self._record(self._named(named, what))
            case ListOf(item, least):
                return self._list(item, max(least, is_drawn(form)), what)

    def _line(self, text: Text) -> str:
        line = self.typed(text).strip()
        if fold(line) in LEAVE:
            raise NotNow(say("ui.form-left"))
        return line

    def _until(self, text: Text, meant: Callable[[str], T]) -> T:
        """Ask until a line means something; what it could mean is told by whoever refuses it."""
        while True:
            try:
                return meant(self._line(text))
            except Unknown as trouble:
                self.tell(trouble.text)

    def _number(self, low: int, high: int, what: Text) -> int:
        bounds = say("see.whole-number", low=str(low), high=str(high))

        def meant(line: str) -> int:
            number = int(line) if line.lstrip("-").isdecimal() and len(line) < 10 else None
            if number is None or not low <= number <= high:
                raise Unknown(bounds)
            return number

        return self._until(say("ui.form-number", what=what, low=str(low), high=str(high)), meant)

    def _text(self, form: TextLine, what: Text) -> str:
        def meant(line: str) -> str:
            if not fits(form, line):
                raise Unknown(count("ui.form-line", form.longest))
            return line

        return self._until(what, meant)

    def _named(self, named: Iterable[tuple[T, Text]], what: Text) -> T:
        values = tuple(named)
        text = say("see.ask-name", text=what, names=tuple(words for _, words in values))
        return self._until(text, lambda line: self._one(values, line))

    def _one(self, named: tuple[tuple[T, Text], ...], line: str) -> T:
        found = fitting(named, line, self.language)
        if len(found) != 1:
            raise Unknown(say("see.one-of-these"))
        return found[0]

    def _several(self, form: SeveralOf, what: Text) -> list[Any]:
        named = tuple((v.value, v.text) for v in form.values)
        text = say("ui.form-several", what=what, names=tuple(words for _, words in named))

        def meant(line: str) -> list[Any]:
            told = [self._one(named, part) for part in line.split(",") if part.strip()]
            return told if form.again else list(dict.fromkeys(told))

        return self._until(text, meant)

    def _record(self, form: Record) -> dict[str, Any]:
        told = {field.name: self.fill(field.form, field.text) for field in form.fields}
        return {form.tag_field: form.tag, **told} if form.tag else told

    def _list(self, item: Form, least: int, what: Text) -> list[Any]:
        """Things are added as long as people say so; each is read out as it is understood."""
        told: list[Any] = []
        while len(told) < least or self._named(
            [(True, say("ui.form-more")), (False, say("ui.form-no-more"))],
            say("ui.form-so-far", what=what, n=len(told)),
        ):
            told.append(self.fill(item, what))
            self.tell(in_words(item, told[-1], self.means))
        return told


def fact_named(session: Session, words: str, language: str) -> tuple[Component, str, Form] | None:
    """The fact these words name, "gem world cost": of which component, and what can be told there; none if none."""
    wanted = fold(words).split()
    for component in session.catalogue:
        for row in session.game.printed(component):
            form = session.game.form(component, row.field) if row.teachable else None
            called = fold(f"{render(component.called, language)} {render(row.text, language)}").split()
            if form is not None and called == wanted:
                return component, row.field, form
    return None


def told_value(form: Form, given: str, language: str) -> Any:
    """What these words say in a form: a name of its, a line as it is, anything else as JSON."""
    if isinstance(form, OneOf):
        found = fitting([(v.value, v.text) for v in form.values], given, language)
        if len(found) == 1:
            return found[0]
    told = read(form, written(form, given) if isinstance(form, TextLine) else given)
    if told is None:
        raise Unknown(say("ui.form-cannot", value=quoted(given), why=next(wrongs(form, given)).why))
    if nothing_drawn(form, told[0]):
        raise Unknown(say("ui.form-cannot", value=quoted(given), why=count("core.form.too-few", 1)))
    return told[0]
