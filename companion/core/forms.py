"""Forms: which values a fact can have, derived from the type of its field.

One description serves the question at the table, the page in the binder, the terminal prompt, the check of a
file and its JSON Schema. A game only provides the words: a field is called `<game>.field.<field>`, a value of
it `<game>.<field>.<value>`; the tag of a Struct is a value of its tag field.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, Struct, UnsetType, json, structs

from companion.core.components import NAME_FIELDS, Name
from companion.core.words import Text, plain, say

NESTED = 2
"""How deep a record may contain records of its own kind."""

ENDS = ("one", "other")
"""The fields of a record that name the two ends of a line; the words for both are `<game>.place.<id>`."""

PAD = 10
"""A number with at most this many values is entered by one tap."""


class Number(Struct, frozen=True, tag="number"):
    """A whole number within its bounds."""

    low: int
    high: int

    @property
    def is_short(self) -> bool:
        """Whether there are so few values that each gets a button."""
        return self.high - self.low < PAD


class TextLine(Struct, frozen=True, tag="line"):
    """One line of text, typed as it is printed, such as a name."""

    longest: int


class Switch(Struct, frozen=True, tag="switch"):
    """Yes or no."""


class Named(Struct, frozen=True):
    """A value and its name."""

    value: int | str
    text: Text


class OneOf(Struct, frozen=True, tag="one-of"):
    """Exactly one of several values."""

    values: tuple[Named, ...]


class SeveralOf(Struct, frozen=True, tag="several-of"):
    """Any number of these values; if `again`, each may occur more than once, in any order."""

    values: tuple[Named, ...]
    again: bool = False


class Field(Struct, frozen=True):
    """One field of a record; if it is not `needed` and missing, it has its `usual` value."""

    name: str
    text: Text
    form: Form
    needed: bool = True
    usual: Any = None


class Record(Struct, frozen=True, tag="record"):
    """Several fields entered together; a record of a vocabulary also has a tag, and words for it."""

    fields: tuple[Field, ...]
    tag_field: str = ""
    tag: str = ""
    text: Text | None = None


class Kinds(Struct, frozen=True, tag="kinds"):
    """One record out of a closed vocabulary."""

    kinds: tuple[Record, ...]

    def of(self, value: Any) -> Record | None:
        """The kind of this value, if any."""
        return next(
            (k for k in self.kinds if isinstance(value, dict) and value.get(k.tag_field) == k.tag), None
        )


class ListOf(Struct, frozen=True, tag="list-of"):
    """A list of items of one form; if at least one is required (`least`), an empty list means that nothing
    was entered."""

    item: Form
    least: int = 0


class Maybe(Struct, frozen=True, tag="maybe"):
    """A value that may also be absent."""

    form: Form


Form: TypeAlias = Number | TextLine | Switch | OneOf | SeveralOf | Record | Kinds | ListOf | Maybe


class NoForm(TypeError):
    """A field whose type does not limit its values: a text or a number without bounds."""


@cache
def form_of(component: type[Struct], field: str, game: str) -> Form:
    """The form of one field of a component; raises `NoForm` if its type does not limit what can be printed
    there.

    "Nothing is printed there" is not a value people can enter, so an optional field has the form of its
    value.
    """
    try:
        hint = Name if field in NAME_FIELDS else get_type_hints(component, include_extras=True)[field]
    except KeyError:
        raise NoForm(f"{component.__name__} has no {field}") from None
    form = _form(hint, field, game, ())
    return form.form if isinstance(form, Maybe) else form


def page(component: type[Struct], fields: Iterable[str], game: str, perhaps: Container[str] = ()) -> Form:
    """What is asked on one page: the form of a single field, or a record of several. Fields in `perhaps` may be
    missing, because other fields may say that nothing is printed there."""
    names = tuple(fields)
    if len(names) == 1:
        return form_of(component, names[0], game)
    forms = {name: form_of(component, name, game) for name in names}
    return Record(
        tuple(
            Field(name, field_words(game, name), form, needed=name not in perhaps and not can_wait(form))
            for name, form in forms.items()
        )
    )


def can_wait(form: Form) -> bool:
    """Whether this may be left out when the other fields are entered: a name, or a list that is never empty."""
    return isinstance(form, TextLine) or (isinstance(form, ListOf) and form.least > 0)


class Drawing(Struct, frozen=True):
    """How lines between places are entered: the places, and the record for each line."""

    places: tuple[Named, ...]
    item: Record


def drawing(form: Form) -> Drawing | None:
    """The drawing for a list of records with two ends, `one` and `other`; None for any other form."""
    item = form.item if isinstance(form, ListOf) else None
    ends = [f.form for f in item.fields if f.name in ENDS] if isinstance(item, Record) else []
    if not isinstance(item, Record) or len(ends) != 2 or ends[0] != ends[1] or not isinstance(ends[0], OneOf):
        return None
    return Drawing(ends[0].values, item)


def sketch(form: Form) -> tuple[Record, Number, Number] | None:
    """For a list of records with bounded `x` and `y`, placed on an empty drawing: the record and its coordinates."""
    item = form.item if isinstance(form, ListOf) else None
    where = {f.name: f.form for f in item.fields} if isinstance(item, Record) else {}
    x, y = where.get("x"), where.get("y")
    if not isinstance(item, Record) or not isinstance(x, Number) or not isinstance(y, Number):
        return None
    return item, x, y


def field_words(game: str, field: str) -> Text:
    """The name of a field."""
    if field in NAME_FIELDS:
        return say(f"core.field.{_slug(field)}")
    return say(f"{game}.field.{_slug(field)}")


def value_words(game: str, field: str, value: int | str) -> Text:
    """The name of a value of a field; a number is its own name."""
    field = "place" if field in ENDS else field
    return plain(str(value)) if isinstance(value, int) else say(f"{game}.{_slug(field)}.{_slug(value)}")


def _slug(name: str) -> str:
    return name.replace("_", "-").replace(".", "-")


def _form(hint: Any, field: str, game: str, above: tuple[type, ...]) -> Form:
    """The form of a type; values keep the order of the type."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is bool:
        return Switch()
    if origin is Annotated:
        if args[0] is str:
            return _line(args[1:])
        if args[0] is int:
            return _bounded(args[1:])
        form = _form(args[0], field, game, above)
        return ListOf(form.item, _least(args[1:])) if isinstance(form, ListOf) else form
    if origin is Literal:
        return OneOf(tuple(Named(value, value_words(game, field, value)) for value in args))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return OneOf(tuple(Named(one.value, value_words(game, field, one.value)) for one in hint))
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _record(hint, game, above)
    if origin is list or (origin is tuple and args[1:] == (...,)):
        inner = _form(args[0], field, game, above)
        return SeveralOf(inner.values, again=True) if isinstance(inner, OneOf) else ListOf(inner)
    if origin in (frozenset, set):
        return SeveralOf(_values(_form(args[0], field, game, above), field))
    if origin in (Union, UnionType):
        return _union(args, field, game, above)
    raise NoForm(f"{game}: {field} can be any {hint}")


def _bounded(metas: tuple[Any, ...]) -> Number:
    bounds = [meta for meta in metas if isinstance(meta, Meta)]
    lows = [int(meta.ge) for meta in bounds if meta.ge is not None]
    highs = [int(meta.le) for meta in bounds if meta.le is not None]
    if not lows or not highs:
        raise NoForm("a number without bounds")
    return Number(max(lows), min(highs))


def _least(metas: tuple[Any, ...]) -> int:
    return max((meta.min_length or 0 for meta in metas if isinstance(meta, Meta)), default=0)


def _line(metas: tuple[Any, ...]) -> TextLine:
    longest = [meta.max_length for meta in metas if isinstance(meta, Meta) and meta.max_length is not None]
    if not longest:
        raise NoForm("a text without bounds")
    return TextLine(min(longest))


def _values(form: Form, field: str) -> tuple[Named, ...]:
    if isinstance(form, OneOf):
        return form.values
    if isinstance(form, Number):
        return tuple(Named(n, plain(str(n))) for n in range(form.low, form.high + 1))
    raise NoForm(f"{field}: a set of anything but names and numbers")


def _union(types: tuple[Any, ...], field: str, game: str, above: tuple[type, ...]) -> Form:
    """A value that may be absent or unknown; or one record of a vocabulary."""
    there = [one for one in types if one not in (NoneType, UnsetType)]
    if len(there) == 1:
        form = _form(there[0], field, game, above)
    elif all(get_origin(one) is Literal for one in there):
        form = OneOf(tuple(v for one in there for v in _values(_form(one, field, game, above), field)))
    else:
        form = _vocabulary(there, field, game, above)
    return Maybe(form) if NoneType in types else form


def _vocabulary(types: list[Any], field: str, game: str, above: tuple[type, ...]) -> Kinds:
    """Records distinguished by their tags, without those already nested too deeply in themselves."""
    kinds = []
    for one in types:
        if not (isinstance(one, type) and issubclass(one, Struct) and one.__struct_config__.tag is not None):
            raise NoForm(f"{game}: {field} is a union of more than tagged Structs")
        if above.count(one) < NESTED:
            kinds.append(_record(one, game, above))
    return Kinds(tuple(kinds))


def _record(of: type[Struct], game: str, above: tuple[type, ...]) -> Record:
    inside, config = (*above, of), of.__struct_config__
    fields = tuple(
        Field(
            f.encode_name,
            field_words(game, f.name),
            _form(f.type, f.name, game, inside),
            f.required,
            None if f.required else _usual(f),
        )
        for f in structs.fields(of)
    )
    if config.tag is None or config.tag_field is None:
        return Record(fields)
    return Record(
        fields, config.tag_field, str(config.tag), value_words(game, config.tag_field, str(config.tag))
    )


def _usual(field: structs.FieldInfo) -> Any:
    """The default of a field, as plain JSON: a list where its type is a tuple."""
    default = field.default_factory() if field.default is NODEFAULT else field.default
    return json.decode(json.encode(default))
