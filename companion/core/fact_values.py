"""What is told into a form: whether it fits, how it reads, and how it travels as JSON."""

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
"""So much of a wrong value is quoted."""

MOST = 30
"""Nothing printed is a list of more things; somebody else's file may say so all the same."""

DRAWN = 80
"""No map has more lines or places than this."""

SEVERAL = 3
"""Whoever tells anything tells at most so many things of a list."""

Means = Callable[[Any], Text | None]
"""What a record means in a game's words; nothing if it is of no vocabulary."""


class Vocabulary(Struct, frozen=True):
    """Powers or effects as a game knows them: the union of their tagged Structs, and what one of them means."""

    type: Any
    say: Callable[[Any], Text]

    def means(self, told: Any) -> Text | None:
        """What this record means; nothing if it is not one of ours."""
        try:
            return self.say(msgspec.convert(told, self.type))
        except msgspec.ValidationError:
            return None


class Wrong(Struct, frozen=True):
    """What does not fit: where inside the value, what stands there, and what could."""

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
    """Whether this is lines or places of a drawing, rather than a list."""
    return drawing(form) is not None or sketch(form) is not None


def nothing_drawn(form: Form, value: Any) -> bool:
    """Whether this, or a part of it, is an empty drawing: people are not done yet. It fits all the same, for plays in
    which it was once told are still read."""
    if isinstance(form, Record):
        return isinstance(value, dict) and any(nothing_drawn(f.form, value.get(f.name)) for f in form.fields)
    return value == [] and is_drawn(form)


def _most(form: ListOf) -> int:
    """How many things a list can have."""
    return DRAWN if is_drawn(form) else MOST


def _place_of(form: ListOf, one: Any) -> object:
    """What tells a line or a place from the others of a drawing: its ends, or where it is; nothing in a plain list."""
    if not isinstance(one, dict):
        return None
    if drawing(form) is not None:
        return frozenset((str(one.get("one")), str(one.get("other"))))
    return (one.get("x"), one.get("y")) if sketch(form) is not None else None


def _drawn_twice(form: ListOf, value: list[Any], path: str) -> Iterator[Wrong]:
    """Lines from a place to itself, and whatever is drawn where something is already."""
    places = [_place_of(form, one) for one in value]
    for n, place in enumerate(places):
        if isinstance(place, frozenset) and len(place) == 1:
            yield _wrong(f"{path}[{n}]", value[n], say("core.form.to-itself"))
        elif place is not None and place in places[:n]:
            yield _wrong(f"{path}[{n}]", value[n], say("core.form.once-only"))


def fits(form: Form, value: Any) -> bool:
    """Whether this can be told."""
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
    """Whether this can be printed on one line, and nothing around it."""
    return isinstance(value, str) and 1 <= len(value) <= longest and legible(value) and value == value.strip()


def _among(values: tuple[Named, ...], value: Any) -> bool:
    """Whether a value is one of these; True is not 1, though Python thinks so."""
    return any(type(v.value) is type(value) and v.value == value for v in values)


def _wrong(path: str, value: Any, why: Text) -> Wrong:
    shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return Wrong(path, shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…", why)


def _called(kind: Record) -> Text:
    return kind.text if kind.text is not None else plain(kind.tag)


# Values


def blank(form: Form) -> Value | None:
    """What a form says before anybody told anything: the least there is."""
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
    """Anything that can be told, as a bot would."""
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
    """What can be drawn of this: nothing twice, no line to where it comes from."""
    drawn: list[Any] = []
    for one in told:
        if not any(_drawn_twice(form, [*drawn, one], "")):
            drawn.append(one)
    return drawn


def values_of(form: Form) -> tuple[Named, ...]:
    """Everything that can be told where there is little of it: each value is an answer of its own."""
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
    """A value that fits its form, as people say it."""
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
"""Before an answer that is meant for this play only."""


def as_told(value: Any) -> Any:
    """The value of a component's field as somebody would have told it; a set in the order of the alphabet."""
    return msgspec.json.decode(msgspec.json.encode(value, order="deterministic"))


def written(form: Form, value: Any) -> str:
    """The answer that tells this: a name as it is, anything else as JSON."""
    return (
        value if isinstance(form, OneOf) and isinstance(value, str) else msgspec.json.encode(value).decode()
    )


def read(form: Form, answer: str) -> tuple[Any] | None:
    """What an answer tells, if it fits."""
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
            # That it can be printed is checked besides: no pattern says so shortly.
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
