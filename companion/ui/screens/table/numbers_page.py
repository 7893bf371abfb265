"""Numbers that a seat tells, such as points at the end: each to set by touch, and one button when all are right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.fact_values import written
from companion.core.forms import Field, Number, Record
from companion.core.questions import Answer, Question
from companion.ui.toolkit.kit import Page, Part, Plate, Scroll, Tap, Tiles
from companion.ui.toolkit.stepper import FAR, Counted, stepper
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen

WIDE = 340
"""The smallest width of a number with its label."""


def wants_numbers(question: Question) -> bool:
    """Whether numbers are asked for that are printed on no component."""
    numbers = isinstance(question.form, Number) or (
        isinstance(question.form, Record)
        and all(isinstance(field.form, Number) for field in question.form.fields)
    )
    return numbers and not question.facts


class ToldNumbers:
    """The numbers told so far for one question."""

    def __init__(self) -> None:
        self.about: object = None
        self.told: dict[str, int] = {}

    def begin(self, about: object, usual: dict[str, int]) -> None:
        """Start again with another question."""
        if about != self.about:
            self.about, self.told = about, usual


def numbers_page(screen: TableScreen, question: Question) -> Part:
    """All numbers, as many side by side as fit."""
    fields = _fields(question)
    numbers = screen.numbers
    about = asked_of(screen.desk.session, question)
    numbers.begin(about, {field.name: _usual(field) for field in fields})
    rows = [_row(screen, field) for field in fields]
    form = question.form
    value: Any = numbers.told if isinstance(form, Record) else numbers.told[""]
    assert form is not None
    tell = partial(screen.desk.propose, Answer(question.seat, question.slug, written(form, value)))
    done = Tap(screen.t("ui.ok"), tell, kind="main", name="form-done", about=about)
    body = Scroll(Tiles(rows, WIDE), key=f"{question.slug} {question.seat}")
    return Page(None, Plate(body, pad=10, radius=10), done)


def _fields(question: Question) -> tuple[Field, ...]:
    """The fields of the form; a lone number is a field without a name."""
    if isinstance(question.form, Record):
        return question.form.fields
    assert isinstance(question.form, Number)
    return (Field("", question.text, question.form),)


def _usual(field: Field) -> int:
    assert isinstance(field.form, Number)
    return field.usual if isinstance(field.usual, int) else field.form.low


def _row(screen: TableScreen, field: Field) -> Part:
    form, told = field.form, screen.numbers.told
    assert isinstance(form, Number)
    low, high = form.low, form.high

    def change(value: int) -> None:
        told[field.name] = max(low, min(high, value))
        screen.app.refresh()

    words = screen.desk.words(field.text)
    return Counted(words, stepper(field.name or "number", told[field.name], change, far=high - low > FAR))
