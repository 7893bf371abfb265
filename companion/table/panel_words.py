"""Messages of `devices` as our sentences; and the table's wiring, with its errors as ours."""

from __future__ import annotations

import os
from pathlib import Path

from companion.core.files import is_there, why
from companion.core.sqlite_file import default_path
from companion.core.words import Argument, Text
from companion.errors import DataTrouble
from devices.wiring_config import BadWiring, NoWiring, Wiring, default, load
from devices.words import Problem, Sentence


def text_of(words: Sentence) -> Text:
    """The same sentence as a `Text`, which can be translated."""
    return Text(f"devices.{words.slug}", {name: _argument(value) for name, value in words.args.items()})


def _argument(value: int | str | Sentence | tuple[Sentence, ...]) -> Argument:
    if isinstance(value, Sentence):
        return text_of(value)
    return tuple(map(text_of, value)) if isinstance(value, tuple) else value


def problem_text(problem: Problem) -> Text:
    """A problem as a sentence."""
    return text_of(problem.words)


def usual_table() -> Path:
    """The path of the owner's wiring description."""
    return default_path(os.environ).with_name("table.toml")


def wiring(file: str | None = None, seats: int | None = None, *, counters: bool = False) -> Wiring:
    """The wiring in this file; else our default for this number of seats; else the owner's; else our default
    for four."""
    chosen = Path(file) if file is not None else usual_table()
    try:
        if file is not None or (seats is None and not counters and is_there(chosen)):
            return load(chosen)
        return default(4 if seats is None else seats, counters=counters)
    except BadWiring as trouble:
        raise DataTrouble(text_of(trouble.words), tuple(map(problem_text, trouble.problems))) from trouble
    except NoWiring as trouble:
        words = text_of(trouble.words)
        cause = {"why": why(trouble.__cause__)} if isinstance(trouble.__cause__, OSError) else {}
        raise DataTrouble(Text(words.key, {**words.args, **cause})) from trouble
