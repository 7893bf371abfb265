"""One thing after another asked for in the terminal: a line, a number within its bounds, one of several names."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TypeVar

from companion.core.counters import Counter
from companion.core.words import Text, say
from companion.errors import DataTrouble, Unknown
from companion.texts import fold, render

T = TypeVar("T")

LONGEST = 10_000
"""Letters; no answer has more, and looking through millions of them takes long."""


def short(said: str) -> str:
    """What somebody typed; raises `Unknown` if nobody can have typed so much."""
    if len(said) > LONGEST:
        raise Unknown(say("ui.long-line", most=str(LONGEST)))
    return said


def line(text: Text, language: str) -> str:
    """What somebody types; raises `DataTrouble` when the input ends, `Unknown` if it is no line people type."""
    print(render(text, language), end=" ", file=sys.stderr, flush=True)
    try:
        return short(input()).strip()
    except EOFError as e:
        raise DataTrouble(say("see.input-ended")) from e


def value(counter: Counter, language: str) -> int:
    """The value somebody types, a number or part of a name; asked again until it can be.

    An empty line confirms what is known already.
    """
    while True:
        said = line(_asked(counter), language)
        found = meant(counter, said, language) if said or not counter.value else counter.value
        if found is not None:
            return found
        print(render(_cannot(counter), language), file=sys.stderr)


def meant(counter: Counter, said: str, language: str) -> int | None:
    """The value of a counter these words mean, if they mean exactly one."""
    names = _names(counter)
    if names and not (counter.is_switch and said in ("0", "1")):
        found = fitting(names, said, language)
        return found[0] if len(found) == 1 else None
    number = int(said) if said.isdecimal() and len(said) < 10 else None
    return number if number in counter.values else None


def fitting(named: Iterable[tuple[T, Text]], said: str, language: str) -> list[T]:
    """The values these words name: exactly, or else by their beginning, or else by any part."""
    wanted = fold(said.strip())
    called = [(value, fold(render(name, language))) for value, name in named]
    exact = [value for value, name in called if name == wanted]
    begins = [value for value, name in called if wanted and name.startswith(wanted)]
    return exact or begins or [value for value, name in called if wanted and wanted in name]


def _names(counter: Counter) -> tuple[tuple[int, Text], ...]:
    """What its values are called: what is there or not is there, yes or no."""
    return ((1, say("core.form.yes")), (0, say("core.form.no"))) if counter.is_switch else counter.names


def _asked(counter: Counter) -> Text:
    text, names = counter.text, _names(counter)
    if names:
        text = say("see.ask-name", text=text, names=tuple(name for _, name in names))
    known = dict(names).get(counter.value, counter.called(counter.value))
    return say("see.ask-known", text=text, known=known) if counter.value else text


def _cannot(counter: Counter) -> Text:
    if _names(counter):
        return say("see.one-of-these")
    return say("see.whole-number", low=str(counter.low), high=str(counter.high))
