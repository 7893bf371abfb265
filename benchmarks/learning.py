"""How many pages a box asks evening after evening: the binder starts empty and keeps what the table tells.

    .venv/bin/python benchmarks/learning.py                5 evenings, 5 tables, every game whose print is unknown
    .venv/bin/python benchmarks/learning.py --evenings 3 --tables 2 --game beyond

A page is one question for printed values, of one component or of several that lie together: one form, scrolled
where it is long, with one button at its end. To say that a token equals a known one is no page. Values are what the
pages ask for, choices all other questions with more than one option.

Bots play; where a printed fact is asked for, they read it from the made-up box of the tests. In Transgalactica six
faces are printed on the bonus tokens of a colour, five on mining tokens, three on fleet tokens; wealth cards differ.
Each game is played twice with the same moves: normally, and with a binder that forgets after each evening the facts
it only derived from answers (`without`). So all differences come from derived facts; a game that runs differently
is an error. "Cards a draw" are the options of "which card was drawn?". The list below says what the pages ask about.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec import Struct, field

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.core.agenda import State, question_of, questions  # noqa: E402
from companion.core.autoplay import next_answer  # noqa: E402
from companion.core.binder import Binder  # noqa: E402
from companion.core.components import Catalogue, Component, Facts, SaidBy, fact_of  # noqa: E402
from companion.core.fact_values import written  # noqa: E402
from companion.core.game import Game, Setup, game  # noqa: E402
from companion.core.journal import Journal  # noqa: E402
from companion.core.play import Play  # noqa: E402
from companion.core.questions import Answer, Question  # noqa: E402
from companion.core.store import Store  # noqa: E402
from companion.games.transgalactica.component_types import token_ids  # noqa: E402
from companion.games.transgalactica.steps.tokens import ALIKE  # noqa: E402
from tests.games.beyond.made_up_box import made_up_box  # noqa: E402
from tests.games.frontiers.made_up_box import FACTS  # noqa: E402
from tests.games.transgalactica.made_up_box import facts as transgalactica  # noqa: E402
from tests.games.transgalactica.made_up_box import gain  # noqa: E402
from tests.printed_answers import told_of  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa")
SYMBOLS = ("vp", "energy", "mineral", "alien", "credit", "any")
FACES = {"basic": 6, "advanced": 6, "mining": 5, "fleet": 3, "wealth": 14}
"""How many different faces the tokens of a sort have."""


def faced() -> Facts:
    """The made-up box of Transgalactica with more than one face for its tokens."""
    found: Facts = transgalactica()
    for sort, faces in FACES.items():
        for n, id in enumerate(token_ids(sort)):
            more, what = divmod(n % faces, len(SYMBOLS))
            found[f"{id}.shows"] = [gain(SYMBOLS[what], more + 1)]
    return found


PRINTED: dict[str, Facts] = {"frontiers": FACTS, "beyond": made_up_box(), "transgalactica": faced()}
"""What is printed in the bots' boxes, for the games of which we do not know it."""
DRAWN = ("beyond.which-system", "beyond.event", "beyond.which-card", "beyond.lay-achievement")
"""Questions about cards that were drawn."""
EVENING = 10_000.0
"""Seconds from one evening to the next."""


class AskedInEvening(Struct):
    """What the tables of one evening were asked, and what the binder had derived by then."""

    plays: int = 0
    pages: int = 0
    values: int = 0
    choices: int = 0
    drawn: int = 0
    options: int = 0
    derived: int = 0
    about: Counter[str] = field(default_factory=Counter)
    """How many pages asked about each sort of component."""
    moves: list[Answer] = field(default_factory=list)
    """All answers except printed facts: the same however much the binder knows."""

    def note(self, question: Question, box: Catalogue[Component]) -> None:
        """Count one question."""
        if question.form is not None:
            self.pages, self.values = self.pages + 1, self.values + len(question.facts)
            ids, fields = zip(*map(fact_of, question.facts), strict=True)
            sort = type(box[ids[0]]).__name__
            several = f" ({len(set(ids))} on a page)" if len(set(ids)) > 1 else ""
            self.about[f"{sort}: {', '.join(dict.fromkeys(fields))}{several}"] += 1
        elif question.only is None:
            self.choices += 1
        if question.slug in DRAWN:
            self.drawn, self.options = self.drawn + 1, self.options + len(question.options)


def learned(rules: Game, evenings: int, tables: int, *, forgetting: bool) -> list[AskedInEvening]:
    """What is asked on each evening, of so many boxes with two, three, ... players in turn."""
    found = [AskedInEvening() for _ in range(evenings)]
    for table in range(tables):
        seats = rules.box.seats[table % len(rules.box.seats)]
        with TemporaryDirectory() as folder, Store(Path(folder) / "journal.db") as store:
            printed = dict(PRINTED[rules.id])
            for evening, asked in enumerate(found):
                binder = Binder(store)
                asked.derived += len(_derived(binder, rules.id))
                at = EVENING * (evening + 1)
                _play(rules, NAMES[:seats], store, 100 * table + evening, at, asked, printed)
                if forgetting:
                    for component, name in _derived(binder, rules.id):
                        binder.forget(rules.id, component, name, EVENING * (evening + 2) - 1)
    return found


def _derived(binder: Binder, id: str) -> list[tuple[str, str]]:
    latest = binder.latest(id).values()
    return [(t.component, t.field) for t in latest if t.said_by is SaidBy.PLAY and t.value is not None]


def _play(
    rules: Game,
    names: tuple[str, ...],
    store: Store,
    seed: int,
    at: float,
    asked: AskedInEvening,
    printed: Facts,
) -> None:
    random = Random(seed)
    play = Play.start(rules, rules.complete(Setup(rules.id, names)), Journal(store), Binder(store), at)
    bots = rules.bots(Setup(rules.id, names, play.session.setup.choices, printed), random)
    bots.follow(play.session.state, play.session.state.news)
    asked.plays += 1
    while not play.session.over:
        state = play.session.state
        answer = _read(questions(state), printed)
        if answer is None:
            answer = _recognised(state, next_answer(state, bots, random), printed)
            asked.moves.append(answer)
        asked.note(question_of(state, answer), play.session.catalogue)
        at += 1
        play.answer(answer, at)
        bots.follow(play.session.state, play.session.state.news)


def _read(asked: tuple[Question, ...], printed: Facts) -> Answer | None:
    """Printed facts are read from the box before anything else, without chance, so that moves stay the same."""
    for question in asked:
        if question.form is not None:
            return Answer(question.seat, question.slug, written(question.form, told_of(question, printed)))
    return None


def _recognised(state: State, answer: Answer, printed: Facts) -> Answer:
    """The player who took an unknown token says so if one with the same face is known."""
    drawn = answer.option.partition(ALIKE)[0]
    if f"{drawn}.shows" not in printed or f"{drawn}.shows" in state.taught:
        return answer
    for option in question_of(state, answer).options:
        token, _, like = option.id.partition(ALIKE)
        if like and state.taught[f"{like}.shows"] == printed[f"{drawn}.shows"]:
            # The tokens have no label, so the one drawn may as well be this one.
            one, other = f"{token}.shows", f"{drawn}.shows"
            printed[one], printed[other] = printed[other], printed[one]
            return Answer(answer.seat, answer.slug, option.id)
    return Answer(answer.seat, answer.slug, drawn)


def rows(evenings: int, tables: int, only: str | None = None) -> Iterator[str]:
    """The lines of both tables, game by game."""
    columns = ("pages", "without", "values", "choices", "cards a draw", "without", "derived before")
    yield f"| game | evening | {' | '.join(columns)} |"
    yield "|---|" + "---:|" * (1 + len(columns))
    lists: list[str] = []
    for id in PRINTED if only is None else (only,):
        rules = game(id)
        kept, forgotten = (learned(rules, evenings, tables, forgetting=forget) for forget in (False, True))
        for n, (one, other) in enumerate(zip(kept, forgotten, strict=True), start=1):
            assert one.moves == other.moves, f"{id}, evening {n}: not the same games"
            figures = (
                *(one.pages / one.plays, other.pages / other.plays),
                one.values / one.plays,
                one.choices / one.plays,
                *(each.options / each.drawn if each.drawn else 0.0 for each in (one, other)),
                one.derived / one.plays,
            )
            yield f"| {rules.box.name} | {n} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |"
        for n in sorted({1, evenings}):
            one = kept[n - 1]
            for about, pages in one.about.most_common():
                lists.append(f"| {rules.box.name} | {n} | {pages / one.plays:.1f} | {about} |")
    yield ""
    yield "| game | evening | pages | about |"
    yield "|---|---:|---:|---|"
    yield from lists


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--evenings", type=int, default=5)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--game", choices=PRINTED)
    told = parser.parse_args()
    for row in rows(told.evenings, told.tables, told.game):
        print(row, flush=True)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
