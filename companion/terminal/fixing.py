"""Corrections at the terminal: which counter words name, and examples from the current play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from companion.core.components import UNKNOWN
from companion.core.counters import Correctable
from companion.core.fact_values import as_told
from companion.core.forms import Number, OneOf
from companion.core.session import Session
from companion.errors import PlayerTrouble
from companion.terminal.asking import spoken
from companion.terminal.forms import fact_named
from companion.texts import fold, render

EXAMPLES = 3
"""How many correctable things the help names."""

WORD = re.compile(r"[\w']+")


def counters_named(session: Session, words: str, language: str) -> list[Correctable]:
    """The counters these words name in any language: the exact name, or names that contain all the words,
    preferably as whole words (Ania is not Hania)."""
    wanted = fold(words).split()
    named = [(counter, spoken(counter.text, language)) for counter in session.counters()]
    parts = [(counter, [set(WORD.findall(name)) for name in names]) for counter, names in named]
    exact = [c for c, called in parts if any(set(wanted) == name for name in called)]
    whole = [c for c, called in parts if any(set(wanted) <= name for name in called)]
    return (
        exact or whole or [c for c, names in named if any(all(w in name for w in wanted) for name in names)]
    )


def examples(session: Session, language: str) -> tuple[str, ...]:
    """Corrections possible at this table, exactly as they are typed after the command; each would be accepted."""
    return (
        *islice(_of_counters(session, language), EXAMPLES),
        *islice(_of_facts(session, language), 1),
    )


def _of_counters(session: Session, language: str) -> Iterator[str]:
    """One example of each sort: numbers first, then switches such as what lies where."""
    sorts: set[str] = set()
    for counter in sorted(session.counters(), key=lambda counter: counter.is_switch):
        sort = counter.id.partition(":")[0]
        words = " ".join(WORD.findall(render(counter.text, language))).lower()
        if sort in sorts or counter.names or counters_named(session, words, language) != [counter]:
            continue
        for value in (counter.value + 1, counter.value - 1):
            if _corrects(session, counter, value):
                sorts.add(sort)
                yield f"{words} = {value}"
                break


def _corrects(session: Session, counter: Correctable, value: int) -> bool:
    try:
        session.correct(counter.id, value, session.at)
    except PlayerTrouble:
        return False
    return True


def _of_facts(session: Session, language: str) -> Iterator[str]:
    """Facts of components on the table whose value is a number or a name."""
    for id in sorted(session.game.on_table(session.state)):
        component = session.catalogue[id]
        for row in session.game.rows(component):
            value = getattr(component, row.field, UNKNOWN)
            form = None if value is UNKNOWN else session.game.form(component, row.field)
            words = f"{render(component.called, language)} {render(row.text, language)}".lower()
            if isinstance(form, Number | OneOf) and fact_named(session, words, language) is not None:
                told = session.game.fact_text(component, row.field, as_told(value))
                yield f"{words} = {render(told, language)}"
