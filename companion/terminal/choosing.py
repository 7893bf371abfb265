"""Which options of a question are listed, and which one a line means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from companion.core.questions import Option, Question
from companion.core.session import Session
from companion.core.words import Text, count
from companion.errors import Ambiguous, Unknown
from companion.terminal.asking import is_numeral, several, spoken
from companion.texts import fold

MANY = 14
"""How many options are listed at a time."""

ALIKE = 0.8
"""Minimum similarity at which a word counts as a misspelt option."""


def told_by_value(question: Question) -> bool:
    """Whether the options are named by numbers: then a typed number is the value, not a position in the list."""
    return question.dice is None and any(is_numeral(option.text) for option in question.options)


def pages(question: Question) -> tuple[tuple[int, ...], ...]:
    """The positions of the options, page by page. Options that name no card, place or number, such as
    "nothing" and "none left", are on every page; of those that count the same thing only the first is listed."""
    everything = tuple(
        n
        for n, option in enumerate(question.options)
        if not n or not counts_the_same(question.options[n - 1], option)
    )
    if len(everything) <= MANY or told_by_value(question):
        return (everything,)
    kept = _kept(question)
    others = [n for n in everything if n not in kept]
    room = MANY - len(kept)
    return tuple((*kept, *others[at : at + room]) for at in range(0, len(others), room))


def counts_the_same(one: Option, other: Option) -> bool:
    """Whether both change the same number."""
    return one.changes is not None and other.changes is not None and one.changes[0] == other.changes[0]


def counted_as(question: Question, place: int, session: Session) -> Text:
    """What an option counts, and for whom if the question is asked of the whole table."""
    option = question.options[place]
    assert option.changes is not None
    counter = next(one for one in session.counters() if one.id == option.changes[0])
    return (counter.short or counter.text) if question.seat is not None else counter.text


COUNTED = re.compile(r"^(?P<before>.*?)\s*(?P<sign>[+\-−])\s*(?P<n>[0-9]{1,4})\s*(?P<after>.*)$")


def counted(question: Question, line: str, session: Session, language: str) -> tuple[str, int] | None:
    """The counter and the amount of a line such as "ania gold -14"; None if it names nothing that can be counted
    now; raises `Ambiguous`."""
    said = COUNTED.match(line)
    if said is None:
        return None
    wanted = fold(f"{said['before']} {said['after']}").split()
    there = {option.changes[0] for option in question.options if option.changes is not None}
    fits = [
        one
        for one in session.counters()
        if one.id in there and any(all(w in name for w in wanted) for name in spoken(one.text, language))
    ]
    if len(fits) > 1:
        names = tuple(one.text for one in fits[:8])
        raise Ambiguous(
            count("core.several-components", len(fits), words=line[:40], names=names),
            tuple(one.id for one in fits),
        )
    if not fits:
        return None
    return fits[0].id, int(said["n"]) * (1 if said["sign"] == "+" else -1)


def _kept(question: Question) -> tuple[int, ...]:
    kept = tuple(
        n
        for n, option in enumerate(question.options)
        if option.component is None and option.place is None and option.group is None
    )
    if 2 * len(kept) <= MANY:
        return kept
    return (0,) if question.has_default else ()


def numbered_option(question: Question, number: str) -> Option:
    """The option with this number, on any page; raises `Unknown` if there is none."""
    if told_by_value(question):
        for option in question.options:
            if is_numeral(option.text) and int(str(option.text.args["words"])) == _whole(number):
                return option
        raise Unknown(count("ui.no-such-number", len(question.options), number=number[:20]))
    wanted = _whole(number)
    if not 1 <= wanted <= len(question.options):
        raise Unknown(count("ui.no-such-number", len(question.options), number=number[:20]))
    return question.options[wanted - 1]


def _whole(number: str) -> int:
    return int(number) if len(number) < 10 else -1


def named_option(question: Question, line: str, language: str) -> Option | None:
    """The option these words name, in any language: its whole name, with or without spaces, or the beginning
    of a word; raises `Ambiguous`."""
    wanted = fold(" ".join(line.split()))
    close = _without_blanks(wanted)
    begins = re.compile(rf"\b{re.escape(wanted)}")
    names = [(option, spoken(option.text, language)) for option in question.options]
    own = [(option, called[:1]) for option, called in names]
    for fits in (
        [o for o, called in own if wanted in called],
        [o for o, called in names if wanted in called],
        [o for o, called in names if close in map(_without_blanks, called)],
        [o for o, called in own if any(map(begins.search, called))],
        [o for o, called in names if any(map(begins.search, called))],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            text = count(
                "core.several-components",
                len(fits),
                words=line[:40],
                names=tuple(option.text for option in fits[:8]),
            )
            raise Ambiguous(text, tuple(option.id for option in fits))
    return None


def several_picks(question: Question, line: str, language: str) -> list[str]:
    """The options a line with commas picks, by number or name, if the question is asked several times in a
    row; empty if it is asked once or the line has no comma."""
    if not picks_several(question) or "," not in line:
        return []
    return [
        option.id
        for option in several([(option, option.text) for option in question.options], line, language)
    ]


def picks_several(question: Question) -> bool:
    """Whether several answers to this question can be typed in one line."""
    tally = question.tally
    return tally is not None and tally.total - tally.done > 1 and not question.secret


def _without_blanks(words: str) -> str:
    return words.replace(" ", "")


def misspelt(texts: Iterable[Text], line: str, language: str) -> Text | None:
    """The name a line resembles most, if it resembles any."""
    names = {name: text for text in texts for name in spoken(text, language)}
    near = get_close_matches(fold(line[:60]), names, n=1, cutoff=ALIKE)
    return names[near[0]] if near else None
