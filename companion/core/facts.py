"""The step that asks the table for unknown printed values."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.components import UNKNOWN, Component, Facts, Value
from companion.core.fact_values import ONCE, blank, in_words, read, values_of, written
from companion.core.forms import Form, field_words, page
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.errors import NotNow


class AskFact(Ask, Struct, frozen=True, tag="ask-fact"):
    """Asks what is printed on a component: all fields that a rule needs now, as one question with one form.

    The answer is kept in the play and, by the binder, for later plays, unless it is meant for this play only.
    """

    component: str
    fields: tuple[str, ...]
    form: Form
    text: Text
    seat: int | None = None
    slug: ClassVar[str] = "core.fact"

    def ask(self, state: Any) -> Question:
        few = tuple(Option(written(self.form, v.value), v.text) for v in values_of(self.form))
        least = blank(self.form)
        options = few or (Option(written(self.form, least), in_words(self.form, least)),)
        facts = tuple(f"{self.component}.{field}" for field in self.fields)
        return Question(
            self.slug, self.seat, self.text, options, has_default=False, form=self.form, facts=facts
        )

    def take(self, state: Any, option: str) -> Any:
        found = read(self.form, option)
        if found is None:
            raise NotNow(say("core.not-offered", question=self.text))
        told = found[0] if len(self.fields) > 1 else {self.fields[0]: found[0]}
        facts = {f"{self.component}.{field}": value for field, value in told.items()}
        once = tuple(facts) if option.startswith(ONCE) else ()
        return replace(state, taught={**state.taught, **facts}, once=(*state.once, *once))

    def is_obsolete(self, state: Any) -> bool:
        return all(f"{self.component}.{field}" in state.taught for field in self.fields)


def follows(component: Component, **told: Value) -> Facts:
    """These values as facts, only for fields of the component that are unknown."""
    return {
        f"{component.id}.{field}": value
        for field, value in told.items()
        if getattr(component, field) is UNKNOWN
    }


def ask_fact(game: str, component: Component, *fields: str, seat: int | None = None) -> AskFact:
    """The step that asks what is printed in these fields of a component."""
    text = say("core.what-is-printed", component=component.called)
    form = page(type(component), fields, game)
    if len(fields) == 1:
        words = field_words(game, fields[0])
        text = component.question_about(fields[0]) or say(
            "core.what-is-printed-in", component=component.called, field=words
        )
    return AskFact(component.id, fields, form, text, seat)
