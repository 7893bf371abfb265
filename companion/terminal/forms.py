"""Fills a form at the terminal: numbers and names are typed, records field by field, lists until Enter ends them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

from companion.core.components import Component, fact_of, with_fields
from companion.core.fact_values import Means, fits, in_words, is_drawn, nothing_drawn, read, written, wrongs
from companion.core.facts import facts_told, is_about_several
from companion.core.forms import (
    Field,
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
    can_wait,
)
from companion.core.positions import quoted
from companion.core.questions import Question
from companion.core.session import Session
from companion.core.words import Text, count, plain, say
from companion.errors import Ambiguous, NotNow, Unknown
from companion.terminal.asking import numbered, picked, several, spoken
from companion.texts import fold

FilledT = TypeVar("FilledT")
LEAVE = ("cancel", "anuluj", "undo", "cofnij")
LATER = object()
"""Marks a value that need not be given now."""
HELP = ("help", "?", "pomoc", "list", "lista")


class Filling:
    """Asks for one value after another. `typed` shows a sentence and waits for a line; `tell` only shows one."""

    def __init__(
        self, typed: Callable[[Text], str], tell: Callable[[Text], None], language: str, means: Means
    ) -> None:
        self.typed, self.tell, self.language, self.means = typed, tell, language, means

    def fill(self, form: Form, what: Text, usual: Any = None) -> Any:
        """Ask for the value of a form; Enter gives `usual`, if there is one. Raises `NotNow` if people prefer
        not to say."""
        match form:
            case Record():
                return self._record(form)
            case Kinds():
                return self._record(self._until(offering(what, _kind_names(form)), self._kind(form), what))
            case ListOf(item, least) if not isinstance(item, Number):
                return self._list(item, max(least, is_drawn(form)), what)
            case Maybe(inner):
                return self._maybe(inner, what)
        text = asked_for(form, what)
        if usual is not None:
            text = say("ui.form-usual", text=text, usual=in_words(form, usual, self.means))

        def meant(line: str) -> Any:
            return usual if not line and usual is not None else told_at_once(form, line, self.language)

        return self._until(text, meant, what)

    def _line(self, text: Text) -> str:
        line = self.typed(text).strip()
        if fold(line) in LEAVE:
            raise NotNow(say("ui.form-left"))
        return line

    def _until(self, text: Text, meant: Callable[[str], FilledT], what: Text | None = None) -> FilledT:
        """Ask until a line is understood. After a refused line the reason is shown, and then only `what` is
        repeated, not the whole list of choices."""
        asked = text
        while True:
            try:
                line = self._line(asked)
                if fold(line) in HELP:
                    self.tell(say("ui.form-help"))
                    asked = text
                else:
                    return meant(line)
            except (Unknown, Ambiguous) as trouble:
                self.tell(trouble.text)
                asked = what or text

    def _maybe(self, inner: Form, what: Text) -> Any:
        """Ask for an optional value: Enter or "no" means there is none; "yes", or the value itself, means
        there is one."""
        text = say("ui.form-maybe", what=what)

        def meant(line: str) -> bool | tuple[Any]:
            there = says_yes(line, self.language)
            if there is None and not _takes_a_line(inner):
                raise Unknown(say("see.one-of-these"))
            return (told_at_once(inner, line, self.language),) if there is None else there

        told = self._until(text, meant)
        return told[0] if isinstance(told, tuple) else self.fill(inner, what) if told else None

    def _kind(self, form: Kinds) -> Callable[[str], Record]:
        named = [(kind, name) for kind, name in zip(form.kinds, _kind_names(form), strict=True)]
        return lambda line: picked(named, line, self.language)

    def _record(self, form: Record, of: Text | None = None) -> dict[str, Any]:
        """Ask for each field; those left for later are omitted. In a list each question names its item."""
        told: dict[str, Any] = {}
        for field in form.fields:
            text = field.text if of is None else say("ui.form-of", of=of, field=field.text)
            value = self.field(field, text)
            if value is not LATER:
                told[field.name] = value
        return {form.tag_field: form.tag, **told} if form.tag else told

    def field(self, field: Field, text: Text) -> Any:
        """Ask for one field of a record; `LATER` if it can wait and people press Enter."""
        if field.needed or field.usual is not None or not can_wait(field.form):
            return self.fill(field.form, text, None if field.needed else field.usual)
        if isinstance(field.form, ListOf):
            return self._list(field.form.item, 0, text) or LATER
        return self._until(
            say("ui.form-later", text=text),
            lambda line: told_at_once(field.form, line, self.language) if line else LATER,
        )

    def _list(self, item: Form, least: int, what: Text) -> list[Any]:
        """Add items until Enter ends the list; each is repeated as it was understood."""
        told: list[Any] = []
        while len(told) < least or (kind := self._more(item, what, len(told))) is not None:
            if len(told) < least:
                kind = item
            assert kind is not None
            nth = say("ui.form-nth", what=what, n=len(told) + 1)
            told.append(self._record(kind, nth) if isinstance(kind, Record) else self.fill(kind, nth))
            self.tell(in_words(item, told[-1], self.means))
        return told

    def _more(self, item: Form, what: Text, n: int) -> Form | None:
        """The form of the next list item: the kind that was named, or `item` if people only said there is more."""
        adds = [(True, say("ui.form-more")), (True, say("core.form.yes"))]
        ends = [
            (False, say("ui.form-no-more")),
            (False, say("core.form.no")),
            (False, say("ui.form-not-there")),
        ]
        so_far = say("ui.form-so-far", what=what, n=n)
        if isinstance(item, Kinds):
            text = say("ui.form-enter-done", text=offering(so_far, _kind_names(item)))
        else:
            text = say("ui.form-any-more", text=so_far)

        def meant(line: str) -> Form | None:
            if not line:
                return None
            said = {value for value, name in (*adds, *ends) if fold(line) in spoken(name, self.language)}
            if said:
                return item if said == {True} else None
            if isinstance(item, Kinds):
                return self._kind(item)(line)
            return item if picked([*adds[:1], *ends[:1]], line, self.language) else None

        return self._until(text, meant, say("ui.form-enter-done", text=so_far))


YES_OR_NO = ((True, say("core.form.yes")), (False, say("core.form.no")))


def asked_for(form: Form, what: Text) -> Text:
    """The question for a form that one line can fill, with the possible answers."""
    match form:
        case Number(low, high):
            return say("ui.form-number", what=what, low=str(low), high=str(high))
        case Switch():
            return say("see.ask-name", text=what, names=tuple(name for _, name in YES_OR_NO))
        case OneOf(values):
            return offering(what, [v.text for v in values])
        case SeveralOf(values):
            return say("ui.form-several", what=offering(what, [v.text for v in values]))
        case ListOf(Number(low, high)):
            return say("ui.form-numbers", what=what, low=str(low), high=str(high))
    return what


def told_at_once(form: Form, line: str, language: str) -> Any:
    """The value one line gives for a form that one line can fill; raises `Unknown` or `Ambiguous`."""
    match form:
        case Number(low, high):
            return _number(low, high, line)
        case TextLine(longest):
            if not fits(form, line):
                raise Unknown(count("ui.form-line", longest))
            return line
        case Switch():
            return picked(YES_OR_NO, line, language)
        case OneOf(values):
            return picked([(v.value, v.text) for v in values], line, language)
        case SeveralOf(values, again):
            if fold(line) in spoken(say("core.form.nothing"), language) or says_yes(line, language) is False:
                return []
            told = several([(v.value, v.text) for v in values], line, language)
            return told if again else list(dict.fromkeys(told))
        case ListOf(Number(low, high), least):
            numbers = [_number(low, high, word) for word in re.split(r"[\s,]+", line.strip()) if word]
            if len(numbers) < least:
                raise Unknown(
                    say("ui.form-cannot", value=quoted(line), why=count("core.form.too-few", least))
                )
            return numbers
        case Maybe(inner):
            there = says_yes(line, language)
            if there is None:
                return told_at_once(inner, line, language)
            if not there:
                return None
    raise Unknown(say("ui.form-type"))


def _number(low: int, high: int, line: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", line) or not low <= int(line) <= high:
        raise Unknown(say("see.whole-number", low=str(low), high=str(high)))
    return int(line)


def says_yes(line: str, language: str) -> bool | None:
    """True for yes (or present), false for no, absent or Enter; None if the line says neither."""
    said = (*YES_OR_NO, (True, say("ui.form-there")), (False, say("ui.form-not-there")))
    found = {value for value, name in said if fold(line.strip()) in spoken(name, language)}
    return False if not line.strip() else found.pop() if len(found) == 1 else None


def _takes_a_line(form: Form) -> bool:
    """Whether one line can fill this form."""
    return isinstance(form, Number | TextLine | Switch | OneOf | SeveralOf) or (
        isinstance(form, ListOf) and isinstance(form.item, Number)
    )


FEW = 6
"""Up to this many names are shown on one line; more are listed below each other."""


def offering(what: Text, names: list[Text]) -> Text:
    """A question with the names that can answer it, and their numbers."""
    listed = numbered(names)
    if len(listed) <= FEW or listed == tuple(names):
        return say("see.ask-name", text=what, names=listed)
    return reduce(lambda above, name: say("ui.form-row", above=above, name=name), listed, what)


def _kind_names(form: Kinds) -> list[Text]:
    return [kind.text if kind.text is not None else plain(kind.tag) for kind in form.kinds]


def filled(filling: Filling, session: Session, question: Question) -> Any:
    """Ask for the facts of one component or several; each field is asked again until it can be
    printed together with the ones before it."""
    form = question.form
    told: dict[str, Any] = {}
    assert form is not None
    if len(question.facts) == 1:
        while wrong := against(session, question, alone := filling.fill(form, question.text)):
            filling.tell(wrong)
        return alone
    assert isinstance(form, Record)
    if is_about_several(question):
        for part in form.fields:
            assert isinstance(part.form, Record)
            filling.tell(part.text)
            told[part.name] = {}
            _fill_fields(filling, session, question, part.name, part.form, told[part.name], told)
            if with_fields(session.catalogue[part.name], told[part.name]).ends_row:
                break
        return told
    if not question.facts:
        values = ((field.name, filling.field(field, field.text)) for field in form.fields)
        return {name: value for name, value in values if value is not LATER}
    (component,) = {fact_of(fact)[0] for fact in question.facts}
    _fill_fields(filling, session, question, component, form, told, told)
    return told


def _fill_fields(
    filling: Filling,
    session: Session,
    question: Question,
    component: str,
    form: Record,
    fields: dict[str, Any],
    told: Any,
) -> None:
    """Ask for each of these fields of a component, which are a part of everything told; not for those of which the
    others say that nothing is printed there."""
    for field in form.fields:
        known = with_fields(session.catalogue[component], fields)
        if not field.needed and not can_wait(field.form) and field.name not in known.unknown():
            continue
        while (value := filling.field(field, field.text)) is not LATER:
            fields[field.name] = value
            wrong = against(session, question, told)
            if wrong is None:
                break
            filling.tell(wrong)
            del fields[field.name]


def against(session: Session, question: Question, told: Any) -> Text | None:
    """The rulebook's objection to facts of components, if any; some fields may still be missing."""
    facts = facts_told(question.facts, told)
    return next(iter(session.game.bad_facts(facts, session.state.taught)), None)


def fact_named(session: Session, words: str, language: str) -> tuple[Component, str, Form] | None:
    """The fact these words name, such as "gem world cost": its component, field and form; None if there is none."""
    wanted = fold(words).split()
    for component in session.catalogue:
        if not any(name.split()[:1] == wanted[:1] for name in spoken(component.called, language)):
            continue
        for row in session.game.rows(component):
            form = session.game.form(component, row.field) if row.teachable else None
            called = (
                f"{name} {field}".split()
                for name in spoken(component.called, language)
                for field in spoken(row.text, language)
            )
            if form is not None and wanted in called:
                return component, row.field, form
    return None


def told_value(form: Form, given: str, language: str) -> Any:
    """The value these words give for a form: one line if that is enough, otherwise the whole as JSON."""
    told = read(form, written(form, given) if isinstance(form, TextLine) else given)
    if told is None:
        try:
            told = (told_at_once(form, given, language),)
        except (Unknown, Ambiguous) as trouble:
            wrong = next(wrongs(form, given), None)
            if isinstance(trouble, Ambiguous) or wrong is None:
                raise
            raise Unknown(say("ui.form-cannot", value=quoted(given), why=wrong.why)) from None
    if nothing_drawn(form, told[0]):
        raise Unknown(say("ui.form-cannot", value=quoted(given), why=count("core.form.too-few", 1)))
    return told[0]
