"""Values for forms: whether they fit, how they read in words, and how they are written as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.components import Value
from companion.core.forms import (
    Form,
    Kinds,
    ListOf,
    Maybe,
    Named,
    Number,
    OneOf,
    Record,
    SeveralOf,
    Switch,
    TextLine,
    drawing,
    sketch,
)
from companion.core.words import Text, count, legible, plain, say

LONGEST = 40
"""How many characters of a wrong value are quoted."""

MOST = 30
"""No printed list is longer; a file from outside may claim more."""

DRAWN = 80
"""No map has more lines or places than this."""

SEVERAL = 3
"""The most items `anything` puts into a list."""

Means = Callable[[Any], Text | None]
"""What a record means in a game's words; None if it belongs to no vocabulary."""


class Vocabulary(Struct, frozen=True):
    """A game's powers or effects: the union of their tagged Structs, and a function that says what one means."""

    type: Any
    say: Callable[[Any], Text]

    def means(self, told: Any) -> Text | None:
        """What this record means; None if it is not of this vocabulary."""
        try:
            return self.say(msgspec.convert(told, self.type))
        except msgspec.ValidationError:
            return None


class Wrong(Struct, frozen=True):
    """What does not fit: where inside the value, what was found there, and what would fit."""

    path: str
    value: str
    why: Text


def wrongs(form: Form, value: Any, path: str = "") -> Iterator[Wrong]:
    """Everything about a value that does not fit its form."""
    match form:
        case Number(low, high):
            if not _is_whole(value) or not low <= value <= high:
                yield _wrong(path, value, say("core.form.number", low=str(low), high=str(high)))
        case TextLine(longest):
            if not _is_line(value, longest):
                yield _wrong(path, value, count("core.form.line", longest))
        case Switch():
            if not isinstance(value, bool):
                yield _wrong(path, value, say("core.form.switch"))
        case OneOf(values):
            if not _among(values, value):
                yield _wrong(path, value, say("core.form.one-of", names=tuple(v.text for v in values)))
        case SeveralOf(values, again):
            yield from _several(values, again, value, path)
        case Maybe(inner):
            if value is not None:
                yield from wrongs(inner, value, path)
        case ListOf(item, least):
            if not isinstance(value, list):
                yield _wrong(path, value, say("core.form.list"))
                return
            if len(value) > _most(form):
                yield _wrong(path, value, count("core.form.too-many", _most(form)))
                return
            if len(value) < least:
                yield _wrong(path, value, count("core.form.too-few", least))
            for n, one in enumerate(value):
                yield from wrongs(item, one, f"{path}[{n}]")
            yield from _drawn_twice(form, value, path)
        case Kinds(kinds):
            kind = form.of(value)
            if kind is None:
                yield _wrong(path, value, say("core.form.kinds", names=tuple(_called(k) for k in kinds)))
            else:
                yield from wrongs(kind, value, path)
        case Record():
            yield from _record(form, value, path)


def is_drawn(form: Form) -> bool:
    """Whether this is a drawing (lines or places), rather than a list."""
    return drawing(form) is not None or sketch(form) is not None


def nothing_drawn(form: Form, value: Any) -> bool:
    """Whether this, or a part of it, is an empty drawing, so people are not done. `wrongs` accepts it,
    because older plays contain such answers."""
    if isinstance(form, Record):
        return isinstance(value, dict) and any(nothing_drawn(f.form, value.get(f.name)) for f in form.fields)
    return value == [] and is_drawn(form)


def _most(form: ListOf) -> int:
    """The most items this list can have."""
    return DRAWN if is_drawn(form) else MOST


def _place_of(form: ListOf, one: Any) -> object:
    """What identifies a line or a place within a drawing: its ends, or its coordinates; None in a plain list."""
    if not isinstance(one, dict):
        return None
    if drawing(form) is not None:
        return frozenset((str(one.get("one")), str(one.get("other"))))
    return (one.get("x"), one.get("y")) if sketch(form) is not None else None


def _drawn_twice(form: ListOf, value: list[Any], path: str) -> Iterator[Wrong]:
    """Lines from a place to itself, and lines or places drawn twice."""
    places = [_place_of(form, one) for one in value]
    for n, place in enumerate(places):
        if isinstance(place, frozenset) and len(place) == 1:
            yield _wrong(f"{path}[{n}]", value[n], say("core.form.to-itself"))
        elif place is not None and place in places[:n]:
            yield _wrong(f"{path}[{n}]", value[n], say("core.form.once-only"))


def fits(form: Form, value: Any) -> bool:
    """Whether this value fits the form."""
    return next(wrongs(form, value), None) is None


def _several(values: tuple[Named, ...], again: bool, value: Any, path: str) -> Iterator[Wrong]:
    names = tuple(v.text for v in values)
    if not isinstance(value, list):
        yield _wrong(path, value, say("core.form.list"))
        return
    if len(value) > MOST:
        yield _wrong(path, value, count("core.form.too-many", MOST))
        return
    for n, one in enumerate(value):
        if not _among(values, one):
            yield _wrong(f"{path}[{n}]", one, say("core.form.one-of", names=names))
        elif not again and one in value[:n]:
            yield _wrong(f"{path}[{n}]", one, say("core.form.once-only"))


def _record(form: Record, value: Any, path: str) -> Iterator[Wrong]:
    if not isinstance(value, dict):
        yield _wrong(path, value, say("core.form.record", names=tuple(f.text for f in form.fields)))
        return
    if form.tag and value.get(form.tag_field) != form.tag:
        yield _wrong(path, value, say("core.form.kinds", names=(plain(form.tag),)))
        return
    for field in form.fields:
        if field.name in value:
            yield from wrongs(field.form, value[field.name], f"{path}.{field.name}")
        elif field.needed:
            yield _wrong(path, value, say("core.form.missing", field=field.text))
    for name in value.keys() - {field.name for field in form.fields} - {form.tag_field}:
        yield _wrong(path, value, say("core.form.foreign", name=str(name)[:LONGEST]))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_line(value: Any, longest: int) -> bool:
    """Whether this can be printed on one line, without blanks around it."""
    return isinstance(value, str) and 1 <= len(value) <= longest and legible(value) and value == value.strip()


def _among(values: tuple[Named, ...], value: Any) -> bool:
    """Whether a value is one of these; True is not 1 here, unlike in Python."""
    return any(type(v.value) is type(value) and v.value == value for v in values)


def _wrong(path: str, value: Any, why: Text) -> Wrong:
    shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return Wrong(path, shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…", why)


def _called(kind: Record) -> Text:
    return kind.text if kind.text is not None else plain(kind.tag)


# Values


def blank(form: Form) -> Value | None:
    """The initial value of a form: the least it can hold."""
    match form:
        case Number(low):
            return low
        case TextLine():
            return "?"
        case Switch():
            return False
        case OneOf(values):
            return values[0].value
        case Record():
            return _tagged(form, {field.name: blank(field.form) for field in form.fields})
        case Kinds(kinds):
            return blank(kinds[0])
        case Maybe():
            return None
        case ListOf(item, least):
            return [blank(item)] * least
    return []


def anything(form: Form, random: Random) -> Value | None:
    """A random value that fits, as a bot would answer."""
    match form:
        case Number(low, high):
            return random.randint(low, high)
        case TextLine(longest):
            return "".join(random.choices("aeiklmnorst", k=random.randint(1, min(longest, 12)))).capitalize()
        case Switch():
            return random.random() < 0.5
        case OneOf(values):
            return random.choice(values).value
        case SeveralOf(values, again):
            n = random.randint(0, min(SEVERAL, len(values)))
            chosen = random.choices(values, k=n) if again else random.sample(values, n)
            return [named.value for named in chosen]
        case Record():
            return _tagged(form, {field.name: anything(field.form, random) for field in form.fields})
        case Kinds(kinds):
            return anything(random.choice(kinds), random)
        case ListOf(item, least):
            told = [anything(item, random) for _ in range(random.randint(least, max(least, SEVERAL)))]
            return _once(form, told)
        case Maybe(inner):
            return anything(inner, random) if random.random() < 0.5 else None


def _once(form: ListOf, told: list[Any]) -> list[Any]:
    """Only what can be drawn: nothing twice, no line from a place to itself."""
    drawn: list[Any] = []
    for one in told:
        if not any(_drawn_twice(form, [*drawn, one], "")):
            drawn.append(one)
    return drawn


def values_of(form: Form) -> tuple[Named, ...]:
    """All possible values if there are only a few, so that each can be an option; otherwise none."""
    match form:
        case Number(low, high):
            return tuple(Named(n, plain(str(n))) for n in range(low, high + 1)) if form.is_short else ()
        case OneOf(values):
            return values
    return ()


def _tagged(form: Record, fields: dict[str, Any]) -> dict[str, Any]:
    return {form.tag_field: form.tag, **fields} if form.tag else fields


# Words


def in_words(form: Form, value: Any, means: Means = lambda told: None) -> Text:
    """A value that fits its form, in words."""
    match form:
        case Switch():
            return say("core.form.yes" if value else "core.form.no")
        case OneOf(values):
            return next(v.text for v in values if v.value == value)
        case SeveralOf(values):
            return _listed([next(v.text for v in values if v.value == one) for one in value])
        case ListOf(item):
            if value and _most(form) == DRAWN:
                return count(
                    "core.form.drawn" if drawing(form) is not None else "core.form.sketched", len(value)
                )
            return _listed([in_words(item, one, means) for one in value])
        case Maybe(inner):
            return say("core.form.nothing") if value is None else in_words(inner, value, means)
        case Kinds():
            kind = form.of(value)
            assert kind is not None
            return in_words(kind, value, means)
        case Record():
            return means(value) or _fields(form, value, means)
    return plain(str(value))


def _fields(form: Record, value: dict[str, Any], means: Means) -> Text:
    told = tuple(
        say("core.form.field", field=f.text, value=in_words(f.form, value[f.name], means))
        for f in form.fields
        if f.name in value
    )
    if form.text is None:
        return _listed(list(told))
    return say("core.form.kind", kind=form.text, fields=told) if told else form.text


def _listed(parts: list[Text]) -> Text:
    return say("core.together", parts=tuple(parts)) if parts else say("core.form.nothing")


# As answers and files

ONCE = "once:"
"""The prefix of an answer that applies to this play only."""


def as_told(value: Any) -> Any:
    """The value of a component's field as JSON data, as it would be taught; sets are sorted."""
    return msgspec.json.decode(msgspec.json.encode(value, order="deterministic"))


def written(form: Form, value: Any) -> str:
    """The answer that stands for this value: a name as it is, anything else as JSON."""
    return (
        value if isinstance(form, OneOf) and isinstance(value, str) else msgspec.json.encode(value).decode()
    )


def read(form: Form, answer: str) -> tuple[Any] | None:
    """The value of an answer, in a tuple; None if it does not fit."""
    told = answer.removeprefix(ONCE)
    if isinstance(form, OneOf) and _among(form.values, told):
        return (told,)
    try:
        value = msgspec.json.decode(told)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return (value,) if fits(form, value) else None


def schema(form: Form) -> dict[str, Any]:
    """The form as JSON Schema."""
    match form:
        case Number(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case TextLine(longest):
            # That it is printable is checked elsewhere: no short pattern says so.
            return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": r"^\S(.*\S)?$"}
        case Switch():
            return {"type": "boolean"}
        case OneOf(values):
            return {"enum": [v.value for v in values]}
        case SeveralOf(values, again):
            items = {"enum": [v.value for v in values]}
            return {
                "type": "array",
                "items": items,
                "maxItems": MOST,
                **({} if again else {"uniqueItems": True}),
            }
        case ListOf(item, least):
            listed = {"type": "array", "items": schema(item), "maxItems": _most(form)}
            return {**listed, **({"minItems": least} if least else {})}
        case Maybe(inner):
            return {"anyOf": [schema(inner), {"type": "null"}]}
        case Kinds(kinds):
            return {"anyOf": [schema(kind) for kind in kinds]}
        case Record(fields, tag_field, tag):
            tagged = {tag_field: {"const": tag}} if tag else {}
            return {
                "type": "object",
                "properties": {**tagged, **{f.name: schema(f.form) for f in fields}},
                "required": [*tagged, *(f.name for f in fields if f.needed)],
                "additionalProperties": False,
            }
