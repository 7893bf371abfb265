"""Sentences as values: a slug with arguments, translated only when shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

Argument: TypeAlias = "int | str | Text | tuple[Text, ...]"


class Text(Struct, frozen=True):
    """A sentence before translation: `key` names it in the catalogues, `n` chooses its plural form."""

    key: str
    args: dict[str, int | str | Text | tuple[Text, ...]] = field(default_factory=dict)
    n: int | None = None

    def __hash__(self) -> int:
        return hash((self.key, self.n, frozenset(self.args.items())))


def say(key: str, **args: Argument) -> Text:
    """The sentence `key` with these arguments."""
    return Text(key, args)


def count(key: str, n: int, **args: Argument) -> Text:
    """The sentence `key` about `n` things; the language's plural rules choose the wording."""
    return Text(key, {"n": n, **args}, n)


def same_but_for_number(one: Text | None, other: Text | None) -> bool:
    """Whether two sentences differ only in the number they count."""
    if one is None or other is None:
        return one is other
    return one.key == other.key and {**one.args, "n": 0} == {**other.args, "n": 0}


def plain(words: str) -> Text:
    """Words that are the same in every language, such as a printed name."""
    return Text("core.plain", {"words": words})


def named(id: str, names: Mapping[str, str]) -> Text:
    """The name of the component `id`: in the reader's language if known, otherwise in another."""
    return Text(NAMED, {"id": id, **names})


NAMED = "core.named"


def component_of(text: Argument) -> str:
    """The component id in a text made by `named`."""
    assert isinstance(text, Text)
    assert text.key == NAMED, text
    return str(text.args["id"])


def renamed(text: Text, names: Mapping[str, Mapping[str, str] | str]) -> Text:
    """The same sentence with these names for these components, by language or one for all."""
    if text.key == NAMED:
        told = names.get(component_of(text))
        return (
            text
            if told is None
            else plain(told)
            if isinstance(told, str)
            else named(component_of(text), told)
        )

    def inner(value: Argument) -> Argument:
        if isinstance(value, Text):
            return renamed(value, names)
        return tuple(renamed(one, names) for one in value) if isinstance(value, tuple) else value

    return replace(text, args={key: inner(value) for key, value in text.args.items()})


def decimal(number: float, digits: int = 1, sign: str = "", unit: str = "") -> Text:
    """A number with this many decimals; the language decides between point and comma."""
    return Text("core.decimal", {"number": f"{sign}{number:.{digits}f}{unit}"})


def inside(text: Text) -> Iterator[Text]:
    """A sentence and every sentence that is part of it."""
    yield text
    for value in text.args.values():
        for part in (value,) if isinstance(value, Text) else value if isinstance(value, tuple) else ():
            yield from inside(part)


NewsKind = Literal["told", "hands", "reveal"]


class News(Struct, frozen=True):
    """Something the table should do or know after an answer; `seat` is the seat concerned, which `text` does
    not name.

    Kind `hands` says what to do on the table and is shown until done; `usual` if everybody does it every
    time. Kind `reveal` turns over what was secret: these `components`.
    """

    text: Text
    seat: int | None = None
    kind: NewsKind = "told"
    usual: bool = False
    components: tuple[str, ...] = ()


def of_seat(seat: str, text: Text) -> Text:
    """A sentence about a seat, with the seat's name before it."""
    return say("core.of-seat", seat=seat, text=text)


JOINER = "\u200d"
"""The zero-width joiner: joins several emoji into one."""


def legible(words: str) -> bool:
    """Whether words are safe to show: no terminal control characters, nothing that reverses the text direction."""
    return words.replace(JOINER, "").isprintable()
