"""The step that asks the table for unknown printed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.components import UNKNOWN, Component, Facts, Value, fact_of
from companion.core.fact_values import ONCE, blank, in_words, read, values_of, written
from companion.core.forms import Field, Form, Record, field_words, page
from companion.core.questions import LATER, Option, Question
from companion.core.words import Text, plain, say
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
    called: Text = plain("")
    """The name of the component."""
    words: Text = plain("")
    """The name of its first field."""
    perhaps: tuple[str, ...] = ()
    """Fields that are missing if others say that nothing is printed there."""
    formerly: AskFact | None = None
    """The page about fewer fields that older versions asked; a replay takes its answer."""
    slug: ClassVar[str] = "core.fact"

    @property
    def record(self) -> Record:
        """Its form as a part of a page about several components; always a record, also of a single field."""
        if len(self.fields) > 1:
            assert isinstance(self.form, Record)
            return self.form
        return Record((Field(self.fields[0], self.words, self.form),))

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
        if found is None and self.formerly is not None:
            return self.formerly.take(state, option)
        if found is None:
            raise NotNow(say("core.not-offered", question=self.text))
        told = found[0] if len(self.fields) > 1 else {self.fields[0]: found[0]}
        facts = {f"{self.component}.{field}": value for field, value in told.items()}
        once = tuple(facts) if option.startswith(ONCE) else ()
        return replace(state, taught={**state.taught, **facts}, once=(*state.once, *once))

    def reads(self, option: str) -> bool:
        return read(self.form, option) is not None or (
            self.formerly is not None and self.formerly.reads(option)
        )

    def is_obsolete(self, state: Any) -> bool:
        needed = (field for field in self.fields if field not in self.perhaps)
        return all(f"{self.component}.{field}" in state.taught for field in needed)


class AskFacts(Ask, Struct, frozen=True, tag="ask-facts"):
    """Asks what is printed on several components that lie together, such as the spaces of a track, on one page.

    A rule needs only the facts of `now`. A replay also takes the answer to that page alone: older plays were asked
    about one component at a time.
    """

    now: AskFact
    pages: tuple[AskFact, ...]
    sure: int
    """So many of them are there; the row may end before the others, which are not told then."""
    text: Text
    seat: int | None = None
    later: Text | None = None
    """The label of the answer that puts it off, if no rule needs the facts yet."""
    slug: ClassVar[str] = "core.fact"

    @property
    def may_wait(self) -> bool:
        return self.later is not None

    @property
    def form(self) -> Record:
        """A record with a record for each component."""
        return Record(
            tuple(
                Field(page.component, page.called, page.record, n < self.sure)
                for n, page in enumerate(self.pages)
            )
        )

    def ask(self, state: Any) -> Question:
        form = self.form
        least = blank(form)
        options = (Option(written(form, least), in_words(form, least)),)
        facts = tuple(f"{page.component}.{field}" for page in self.pages for field in page.fields)
        return Question(
            self.slug,
            self.seat,
            self.text,
            options,
            has_default=False,
            form=form,
            facts=facts,
            later=self.later,
        )

    def take(self, state: Any, option: str) -> Any:
        if self.may_wait and option == LATER:
            return state
        found = read(self.form, option)
        if found is None:
            return self.now.take(state, option)
        facts = flat_facts([page.component for page in self.pages], found[0])
        once = tuple(facts) if option.startswith(ONCE) else ()
        return replace(state, taught={**state.taught, **facts}, once=(*state.once, *once))

    def reads(self, option: str) -> bool:
        put_off = self.may_wait and option == LATER
        return put_off or read(self.form, option) is not None or self.now.reads(option)

    def is_obsolete(self, state: Any) -> bool:
        return self.now.is_obsolete(state)


def is_about_several(question: Question) -> bool:
    """Whether a question asks what is printed on several components."""
    return len({fact_of(fact)[0] for fact in question.facts}) > 1


def flat_facts(components: Iterable[str], told: Mapping[str, Mapping[str, Value]]) -> Facts:
    """The facts in the answer to a page about several components."""
    return {f"{id}.{field}": value for id in components for field, value in told.get(id, {}).items()}


def facts_told(facts: Sequence[str], told: Any) -> Facts:
    """The facts in an answer about these facts: one value, a record of one component, or one of several; none in a
    form about other things."""
    if not facts:
        return {}
    ids = dict.fromkeys(fact_of(fact)[0] for fact in facts)
    if len(ids) > 1:
        return flat_facts(ids, told)
    fields = {fact_of(fact)[1]: fact for fact in facts}
    return {facts[0]: told} if len(facts) == 1 else {fields[name]: value for name, value in told.items()}


def follows(component: Component, **told: Value) -> Facts:
    """These values as facts, only for fields of the component that are unknown."""
    return {
        f"{component.id}.{field}": value
        for field, value in told.items()
        if getattr(component, field) is UNKNOWN
    }


def ask_fact(
    game: str,
    component: Component,
    *fields: str,
    seat: int | None = None,
    perhaps: tuple[str, ...] = (),
    formerly: AskFact | None = None,
) -> AskFact:
    """The step that asks what is printed in these fields of a component."""
    text = say("core.what-is-printed", component=component.called)
    form, words = page(type(component), fields, game, perhaps), field_words(game, fields[0])
    if len(fields) == 1:
        text = component.question_about(fields[0]) or say(
            "core.what-is-printed-in", component=component.called, field=words
        )
    return AskFact(component.id, fields, form, text, seat, component.called, words, perhaps, formerly)


def ask_facts(
    game: str,
    beside: Sequence[tuple[Component, Sequence[str]]],
    text: Text,
    now: AskFact,
    later: Text | None = None,
    titles: Mapping[str, Text] | None = None,
) -> AskFact | AskFacts:
    """The step that asks for the facts of `now` and of what is printed beside, each component with its fields, in
    their order. What lies behind the end of a row is not asked for. `titles` are for components whose name does not
    say where they lie."""
    pages: list[AskFact] = []
    sure, ended = 0, False
    for component, fields in beside:
        if fields:
            page = ask_fact(game, component, *fields, seat=now.seat)
            pages.append(replace(page, called=(titles or {}).get(component.id, component.called)))
            sure = sure if ended else len(pages)
        ended = ended or (component.id == now.component and component.may_end_row)
    if len(pages) > 1:
        return AskFacts(now, tuple(pages), sure, text, now.seat, later)
    (alone,) = pages
    return now if alone.fields == now.fields else replace(alone, formerly=now)
