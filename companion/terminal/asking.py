"""Asks for single values in the terminal: a line, a number within bounds, or one of several names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

from companion.core.counters import Correctable
from companion.core.words import Text, count, say
from companion.errors import Ambiguous, DataTrouble, Unknown
from companion.texts import LANGUAGES, fold, render

T = TypeVar("T")

LONGEST = 10_000
"""Longest accepted line, in characters; searching millions of characters would take too long."""


def short(said: str) -> str:
    """The typed line; raises `Unknown` if it is longer than anyone would type."""
    if len(said) > LONGEST:
        raise Unknown(say("ui.long-line", most=str(LONGEST)))
    return said


def line(text: Text, language: str) -> str:
    """Ask for a line; raises `DataTrouble` at the end of input, `Unknown` if the line is too long to be typed."""
    print(render(text, language), end=" ", file=sys.stderr, flush=True)
    try:
        return short(input()).strip()
    except EOFError as e:
        raise DataTrouble(say("see.input-ended")) from e


def value(counter: Correctable, language: str) -> int:
    """Ask for a counter's value, a number or part of a name, until it is valid.

    An empty line confirms the value already known.
    """
    while True:
        said = line(_asked(counter), language)
        found = meant(counter, said, language) if said or not counter.value else counter.value
        if found is not None:
            return found
        print(render(_cannot(counter), language), file=sys.stderr)


def meant(counter: Correctable, said: str, language: str) -> int | None:
    """The counter value these words mean, if they mean exactly one."""
    names = _names(counter)
    if names and not (counter.is_switch and said in ("0", "1")):
        found = fitting(names, said, language)
        return found[0] if len(found) == 1 else None
    number = int(said) if said.isdecimal() and len(said) < 10 else None
    return number if number in counter.values else None


def fitting(named: Iterable[tuple[T, Text]], said: str, language: str) -> list[T]:
    """The values these words name, in any language. An exact match wins, then the beginning of a name, of a
    word in it, then any part; matches in the table's own language come first."""
    wanted, values = fold(said.strip()), tuple(named)
    if not re.search(r"\w", wanted):
        return []
    spoken = [[(value, fold(render(name, of))) for value, name in values] for of in in_languages(language)]
    for fits in (_is, _begins, _has_word, _has):
        for called in spoken:
            found = [value for value, name in called if fits(name, wanted)]
            if found:
                return found
    return []


def in_languages(language: str) -> tuple[str, ...]:
    """Every language, the table's own first."""
    return (language, *(other for other in LANGUAGES if other != language))


def spoken(text: Text, language: str) -> tuple[str, ...]:
    """A sentence as people may type it: in every language, the table's own first."""
    return tuple(fold(render(text, of)) for of in in_languages(language))


def _is(name: str, wanted: str) -> bool:
    return name == wanted


def _begins(name: str, wanted: str) -> bool:
    return name.startswith(wanted)


def _has_word(name: str, wanted: str) -> bool:
    return re.search(rf"\b{re.escape(wanted)}", name) is not None


def _has(name: str, wanted: str) -> bool:
    return wanted in name


def is_numeral(text: Text) -> bool:
    """Whether its name is a number: then typed numbers mean names, not positions in a list."""
    return text.key == "core.plain" and str(text.args["words"]).isdecimal()


def numbered(names: Iterable[Text]) -> tuple[Text, ...]:
    """Names with the numbers by which they can be chosen; names that are numbers already stay as they are."""
    all_names = tuple(names)
    if any(map(is_numeral, all_names)):
        return all_names
    return tuple(say("ui.form-numbered", n=str(n), name=name) for n, name in enumerate(all_names, start=1))


def picked(named: Sequence[tuple[T, Text]], said: str, language: str) -> T:
    """The one value a line means, by number or by words; raises `Unknown` or `Ambiguous`."""
    number = said.strip()
    if number.isdecimal() and not any(is_numeral(name) for _, name in named):
        if len(number) > 9 or not 1 <= int(number) <= len(named):
            raise Unknown(count("ui.no-such-number", len(named), number=number[:20]))
        return named[int(number) - 1][0]
    found = fitting(named, said, language)
    if len(found) == 1:
        return found[0]
    if not found:
        raise Unknown(say("see.one-of-these"))
    names = tuple(name for value, name in named if value in found)
    raise Ambiguous(count("core.several-components", len(found), words=said[:40], names=names[:8]), ())


def several(named: Sequence[tuple[T, Text]], said: str, language: str) -> list[T]:
    """Every value a line names, separated by commas or spaces; a comma inside a name is part of it.

    The longest matching name wins: with "Ship" and "Ship, jump 2" known, "ship, jump 2" is the second.
    """
    words = re.findall(r"[^\s,]+,*", said)
    whole = {name: value for value, text in named for name in _with_and_without_commas(text, language)}
    found: list[T] = []
    while words:
        for taken in range(len(words), 0, -1):
            name = fold(" ".join(words[:taken]).rstrip(","))
            if name in whole:
                found.append(whole[name])
                break
        else:
            taken = next((n for n, word in enumerate(words, start=1) if word.endswith(",")), len(words))
            while taken > 1 and not fitting(named, " ".join(words[:taken]).rstrip(","), language):
                taken -= 1
            found.append(picked(named, " ".join(words[:taken]).rstrip(","), language))
        words = words[taken:]
    return found


def _with_and_without_commas(text: Text, language: str) -> Iterable[str]:
    for name in reversed(spoken(text, language)):  # the table's own language is written last, and wins
        yield from (name.replace(",", ""), name)


def _names(counter: Correctable) -> tuple[tuple[int, Text], ...]:
    """The named values of a counter; a counter for something present or absent takes yes or no."""
    return ((1, say("core.form.yes")), (0, say("core.form.no"))) if counter.is_switch else counter.names


def _asked(counter: Correctable) -> Text:
    text, names = counter.text, _names(counter)
    if names:
        text = say("see.ask-name", text=text, names=tuple(name for _, name in names))
    known = dict(names).get(counter.value, counter.called(counter.value))
    return say("see.ask-known", text=text, known=known) if counter.value else text


def _cannot(counter: Correctable) -> Text:
    if _names(counter):
        return say("see.one-of-these")
    return say("see.whole-number", low=str(counter.low), high=str(counter.high))
