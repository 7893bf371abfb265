"""Answers of people who read printed values from their box."""

from __future__ import annotations

from typing import Any

from companion.core.components import Facts, fact_of
from companion.core.facts import is_about_several
from companion.core.forms import Record
from companion.core.questions import Question


def told_of(question: Question, printed: Facts) -> Any:
    """What a person reads from the box: one value, a record of one component, or of several up to the end of a row."""
    fields: dict[str, dict[str, Any]] = {}
    for fact in question.facts:
        component, field = fact_of(fact)
        fields.setdefault(component, {})[field] = printed[fact]
    if not is_about_several(question):
        (told,) = fields.values()
        return told if len(told) > 1 else next(iter(told.values()))
    assert isinstance(question.form, Record)
    whole: dict[str, dict[str, Any]] = {}
    for part in question.form.fields:
        if part.needed or not any(told.get("last") for told in whole.values()):
            whole[part.name] = fields[part.name]
    return whole
