"""How much less a box asks evening after evening: it starts untaught, and the binder keeps what bots tell
while they play.

    .venv/bin/python benchmarks/learning.py                3 evenings, 5 tables, every game whose print is unknown
    .venv/bin/python benchmarks/learning.py --evenings 5 --tables 2 --game beyond

Each table is played twice: normally, and with a binder that forgets after each evening the facts it only
derived from answers. Pages are questions for printed facts, values what they ask for, choices all other
questions with more than one option.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.core import autoplay  # noqa: E402
from companion.core.agenda import question_of  # noqa: E402
from companion.core.binder import Binder  # noqa: E402
from companion.core.components import SaidBy  # noqa: E402
from companion.core.game import Game, Setup, game  # noqa: E402
from companion.core.journal import Journal  # noqa: E402
from companion.core.play import Play  # noqa: E402
from companion.core.store import Store  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa")
UNKNOWN = ("frontiers", "beyond", "transgalactica")
"""The games of which we do not know what is printed."""
EVENING = 10_000.0
"""Seconds from one evening to the next."""


class AskedInEvening(Struct):
    """What the tables of one evening were asked, and what the binder had derived by then."""

    plays: int = 0
    pages: int = 0
    values: int = 0
    choices: int = 0
    options: int = 0
    derived: int = 0


def learned(rules: Game, evenings: int, tables: int, *, forgetting: bool) -> list[AskedInEvening]:
    """What is asked on each evening, of so many boxes with two, three, ... players in turn."""
    found = [AskedInEvening() for _ in range(evenings)]
    for table in range(tables):
        seats = rules.box.seats[table % len(rules.box.seats)]
        with TemporaryDirectory() as folder, Store(Path(folder) / "journal.db") as store:
            for evening, asked in enumerate(found):
                binder = Binder(store)
                asked.derived += len(_derived(binder, rules.id))
                _play(rules, NAMES[:seats], store, 100 * table + evening, EVENING * (evening + 1), asked)
                if forgetting:
                    for component, field in _derived(binder, rules.id):
                        binder.forget(rules.id, component, field, EVENING * (evening + 2) - 1)
    return found


def _derived(binder: Binder, id: str) -> list[tuple[str, str]]:
    latest = binder.latest(id).values()
    return [(t.component, t.field) for t in latest if t.said_by is SaidBy.PLAY and t.value is not None]


def _play(
    rules: Game, names: tuple[str, ...], store: Store, seed: int, at: float, asked: AskedInEvening
) -> None:
    random = Random(seed)
    setup = rules.complete(Setup(rules.id, names))
    play = Play.start(rules, setup, Journal(store), Binder(store), at)
    bots = rules.bots(play.session.setup, random)
    bots.follow(play.session.state, play.session.state.news)
    asked.plays += 1
    while not play.session.over:
        answer = autoplay.next_answer(play.session.state, bots, random)
        question = question_of(play.session.state, answer)
        if question.form is not None:
            asked.pages, asked.values = asked.pages + 1, asked.values + len(question.facts)
        elif question.only is None:
            asked.choices, asked.options = asked.choices + 1, asked.options + len(question.options)
        at += 1
        play.answer(answer, at)
        bots.follow(play.session.state, play.session.state.news)


def rows(evenings: int, tables: int, only: str | None = None) -> Iterator[str]:
    """The lines of a table, game by game."""
    columns = (
        "pages",
        "without",
        "values",
        "without",
        "choices",
        "options a choice",
        "without",
        "derived before",
    )
    yield f"| game | evening | {' | '.join(columns)} |"
    yield "|---|" + "---:|" * (1 + len(columns))
    for id in UNKNOWN if only is None else (only,):
        rules = game(id)
        kept, forgotten = (learned(rules, evenings, tables, forgetting=forget) for forget in (False, True))
        for n, (one, other) in enumerate(zip(kept, forgotten, strict=True), start=1):
            figures = (
                *(one.pages / one.plays, other.pages / other.plays),
                *(one.values / one.plays, other.values / other.plays),
                one.choices / one.plays,
                *(one.options / one.choices, other.options / other.choices),
                one.derived / one.plays,
            )
            yield f"| {rules.box.name} | {n} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--evenings", type=int, default=3)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--game", choices=UNKNOWN)
    told = parser.parse_args()
    for row in rows(told.evenings, told.tables, told.game):
        print(row, flush=True)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
