"""What can be taught about a box, and all the words its forms need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core.components import Component
from companion.core.forms import Form, Kinds, ListOf, Maybe, OneOf, Record, SeveralOf
from companion.core.game import Game
from companion.core.words import Text


def teachable(game: Game, box: Any) -> Iterator[tuple[Component, str, Form]]:
    """Everything that may be taught about a box."""
    for component in box:
        for row in game.rows(component):
            if row.teachable:
                form = game.form(component, row.field)
                assert form is not None, f"{component.id}.{row.field} may be taught, but nothing says what"
                yield component, row.field, form


def texts(form: Form) -> Iterator[Text]:
    """All the words a form needs."""
    match form:
        case OneOf(values) | SeveralOf(values):
            yield from (named.text for named in values)
        case Maybe(inner) | ListOf(inner):
            yield from texts(inner)
        case Kinds(kinds):
            for kind in kinds:
                yield from texts(kind)
        case Record(fields, text=text):
            yield from (text,) if text is not None else ()
            for field in fields:
                yield field.text
                yield from texts(field.form)
