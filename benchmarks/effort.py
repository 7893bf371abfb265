"""How much a play asks of people: taps, cards shown and buttons pressed, by seat and round.

    .venv/bin/python benchmarks/effort.py                       the recorded games of Race, games of bots of Eclipse
    .venv/bin/python benchmarks/effort.py --logs race-logs.jsonl
    .venv/bin/python benchmarks/effort.py --game beyond --save now.json
    .venv/bin/python benchmarks/effort.py --report now.json --evenings learning.txt

Needs no display: the pages of the table are counted by their rules. Players take the suggestion if it gives
the same result. "Before" are the pages as they were when each seat was asked separately.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from benchmarks.effort_report import WAYS, commit, read, report  # noqa: E402
from companion.core import autoplay  # noqa: E402
from companion.core.agenda import question_of, questions, take  # noqa: E402
from companion.core.components import Facts  # noqa: E402
from companion.core.digest import digest  # noqa: E402
from companion.core.game import Game, Setup, game, games  # noqa: E402
from companion.core.questions import TOGETHER, Answer, Question  # noqa: E402
from companion.core.suggestions import as_suggested  # noqa: E402
from companion.core.views import Tense  # noqa: E402
from companion.errors import NotNow  # noqa: E402
from companion.texts import render  # noqa: E402
from tests.games.beyond.made_up_box import made_up_box  # noqa: E402
from tests.games.frontiers.made_up_box import FACTS  # noqa: E402
from tests.games.transgalactica.made_up_box import facts as transgalactica  # noqa: E402
from workshop.race_log import replay_log  # noqa: E402

REPORT = ROOT / "docs" / "reports" / "effort.md"
THEN = ROOT / "docs" / "reports" / "effort-before.json"
"""The figures of 37b594d3, before names, rules and terminal were mended (November 2026)."""
LOGS = ROOT / "tests" / "games" / "race" / "data" / "race-logs.jsonl.gz"
NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")

AT_ONCE, SMALL, COLUMNS = 8, 22, 9
"""Options in sight on the table; small faces on one page; columns of the page where rows are seats."""
GRID, IN_A_ROW = 19, 3
"""Cards in sight where everybody's are told on one page; options in sight in a row of a seat, if there are more."""
BEFORE_AT_ONCE, BEFORE_PAGE = 12, 12
"""The same when each seat was asked on a page of its own."""


class Effort(Struct):
    """What people did in one play, or in several."""

    taps: int = 0
    scans: int = 0
    presses: int = 0
    asked: int = 0
    seat_rounds: int = 0

    def __iadd__(self, other: Effort) -> Effort:
        self.taps += other.taps
        self.scans += other.scans
        self.presses += other.presses
        self.asked += other.asked
        self.seat_rounds += other.seat_rounds
        return self


class ReplayedTable:
    """A play that is played again: what is open, what people will answer, and how."""

    def __init__(self, rules: Game, setup: Setup, answers: Iterable[Answer], way: str) -> None:
        self.state = rules.start(setup)
        self.rules, self.way, self.effort = rules, way, Effort()
        self.taps: list[str] = []
        """What is touched, by the names the window has for it; nothing for what only other ways to play have."""
        self.coming: dict[int | None, deque[Answer]] = {}
        for answer in answers:
            self.coming.setdefault(answer.seat, deque()).append(answer)

    def play(self) -> Effort:
        """Answer everything, page by page."""
        while self.state.agenda:
            asked = questions(self.state)
            forced = next((q for q in asked if q.only is not None), None)
            if forced is not None and self.way != "before":
                self._forced(forced)
                continue
            self._page(asked)
        view = self.rules.view(self.state)
        self.effort.seat_rounds = max(1, view.round) * len(view.seats)
        return self.effort

    def _page(self, asked: tuple[Question, ...]) -> None:
        if self.way == "before":
            self._one_by_one(asked)
        elif all(q.secret for q in asked) and len(self.rules.view(self.state).seats) > 1:
            self._revealed(asked)
        elif len(asked) > 1:
            self._side_by_side(asked)
        else:
            self._alone(asked[0])

    def _forced(self, question: Question) -> None:
        """Nobody is asked; the log may have answered it all the same."""
        assert question.only is not None
        told = self.coming[question.seat]
        if told and told[0].slug == question.slug and question.option(told[0].option) is not None:
            self._give(self._next(question))
        else:
            self.state = take(self.state, Answer(question.seat, question.slug, question.only.id))

    # Pages

    def _revealed(self, asked: tuple[Question, ...]) -> None:
        """Secret choices, told once they are turned over: rows are seats, or tabs above all cards."""
        if self.way != "camera" and all(q.sets for q in asked):
            self._sets(asked)
            return
        few = all(len(q.options) <= COLUMNS for q in asked)
        answers = [self._next(q) for q in asked]
        usual = [
            q.default is not None and q.default.id == a.option for q, a in zip(asked, answers, strict=True)
        ]
        if self.way == "camera":  # everybody shows their card, then one tap for all who have none
            cards = sum(self._card(q, a) is not None for q, a in zip(asked, answers, strict=True))
            self.effort.scans += cards
            self.effort.taps += cards < len(asked)
        else:
            last = max((n for n, u in enumerate(usual) if not u), default=-1)
            for q, a in list(zip(asked, answers, strict=True))[: last + 1]:
                self._tap(*([f"option-{a.option}-{q.seat}"] if few else self._in_grid(q, a)))
            if last + 1 < len(asked):  # everybody else: nothing
                self._tap("everybody" if len(asked) > 1 else f"option-{answers[0].option}")
        self._all(answers)

    def _tap(self, *names: str) -> None:
        self.taps += names
        self.effort.taps += len(names)

    def _in_grid(self, question: Question, answer: Answer) -> list[str]:
        """Leafing to a card, and its tap: the most expensive first, those that cannot be paid for last."""
        cards = [option.id for option in question.options if option.component is not None]
        cards.sort(key=self._cost, reverse=True)
        far = len(cards) + len(question.unaffordable) > GRID and answer.option in cards
        leafed = cards.index(answer.option) // (GRID - 1) if far else 0
        return [*["next"] * leafed, f"option-{answer.option}"]

    def _cost(self, component: str) -> int:
        corners = self.rules.face(self.state.deck[component]).corners
        return int(corners[0].value) if corners and corners[0].value.isdecimal() else 0

    def _sets(self, asked: tuple[Question, ...]) -> None:
        """Both cards of a seat are one tap; a second card of a kind without the first counts as the first."""
        for question in asked:
            wanted = self.coming[question.seat]
            two = [wanted.popleft().option, wanted.popleft().option]
            told = {id if id.removesuffix("-2") in two else id.removesuffix("-2") for id in two}
            chosen = next(whole.id for whole in question.sets if set(whole.id.split(TOGETHER)) == told)
            for id in reversed(chosen.split(TOGETHER)):
                wanted.appendleft(Answer(question.seat, question.slug, id))
            self._tap(f"option-{chosen}")
            self._all([wanted[0]])
            self._all([wanted[0]])

    def _side_by_side(self, asked: tuple[Question, ...]) -> None:
        """Several seats are asked: those who want something else say so, then everybody as suggested."""
        phase, suggested, busy = self._phase(self.state), [], len(asked)
        for question in asked:
            here: Question | None = question
            while here is not None and not here.secret and self._phase(self.state) == phase:
                if chain := self._suggestion(here):
                    suggested.append(chain)
                    break
                answer = self._next(here)
                self._tell(here, answer, in_a_row=busy > 1)
                self._all([answer])
                self._settle()
                here = next((q for q in questions(self.state) if q.seat == question.seat), None)
            else:
                busy -= 1
        if self.way == "buttons":
            self.effort.presses += sum(len(chain) for chain in suggested)
        elif suggested:
            self._tap(_suggested_tap(suggested[0]) if busy == 1 else "everybody")

    def _alone(self, question: Question) -> None:
        if chain := self._suggestion(question):
            if self.way == "buttons":
                self.effort.presses += len(chain)
            elif self.way == "camera" and self._card(question, chain[0]) is not None:
                self.effort.scans += len(chain)
            else:
                self._tap(_suggested_tap(chain))
            return
        answer = self._next(question)
        self._tell(question, answer)
        self._all([answer])

    def _suggestion(self, question: Question) -> list[Answer]:
        """What is suggested, on and on, if this seat gets what it wants by it: that is answered then."""
        if question.default is None or question.dice is not None or question.form is not None:
            return []
        wanted = self.coming[question.seat]
        self._next(question)
        chain = [told for told, _ in as_suggested(self.rules, self.state, (question,))]
        after, by_chain = self.state, self.state
        n = 0
        for told in chain:
            by_chain = _settled(take(by_chain, told))
        while n < len(wanted) and (n == 0 or _open(after, wanted[n])):
            after = _settled(take(after, wanted[n]))
            n += 1
            if _table(after) == _table(by_chain):
                for _ in range(n):
                    wanted.popleft()
                wanted.extendleft(reversed(chain))
                for _ in chain:
                    self._all([wanted[0]])
                    self._settle()
                return chain
            if not _asked(after, question.seat):
                break
        return []

    def _settle(self) -> None:
        """What leaves no choice."""
        while self.state.agenda and (
            forced := next((q for q in questions(self.state) if q.only is not None), None)
        ):
            self._forced(forced)

    def _tell(self, question: Question, answer: Answer, in_a_row: bool = False) -> None:
        """One answer: a card if there is one to show, a tap or more."""
        if self.way == "camera" and self._card(question, answer) is not None:
            self.effort.scans += 1
        elif question.dice is not None:
            self._tap(*(f"option-{face}" for face in answer.option.split(TOGETHER)))
        else:
            nth, total = self._nth(question, answer), len(question.options)
            sight = total if total <= IN_A_ROW + 1 else IN_A_ROW
            if in_a_row and nth < sight:
                self._tap(f"option-{answer.option}-{question.seat}")
                return
            if in_a_row and total > COLUMNS and all(o.component for o in question.options[-COLUMNS:]):
                self._tap(*["next"] * (nth // SMALL), f"option-{answer.option}")  # faces below tabs of seats
                return
            if in_a_row:
                self._tap(f"more-{question.seat}")
            group = question.options[nth].group if total > AT_ONCE else None
            leafed = 0 if nth < AT_ONCE else nth // SMALL
            before = ["next"] * leafed if group is None else [f"choose-{render(group, 'en')}"]
            self._tap(*before, f"option-{answer.option}")

    def _one_by_one(self, asked: tuple[Question, ...]) -> None:
        """As it was: each seat comes to the screen, looks for its option and answers."""
        question = asked[0]
        answer = self._next(question)
        several = len(asked) > 1
        if question.secret and len(self.rules.view(self.state).seats) > 1:
            self.effort.taps += 2 + self._nth(question, answer) // BEFORE_PAGE
        elif question.dice is not None:
            self.effort.taps += len(answer.option.split(TOGETHER))
        else:
            nth, total = self._nth(question, answer), len(question.options)
            far = total > BEFORE_AT_ONCE and nth > 0
            self.effort.taps += 1 + (1 + nth // BEFORE_PAGE if far else 0)
        self.effort.taps += several and not question.secret and question.seat != asked[0].seat
        self._all([answer])

    # What people answer

    def _next(self, question: Question) -> Answer:
        """What this seat answers: one option at sight that leads to the same as several answers is taken instead."""
        wanted = self.coming[question.seat]
        assert wanted[0].slug == question.slug, (wanted[0], question.slug)
        if self.way == "before" or question.dice is not None or question.form is not None:
            return wanted[0]
        if question.default is not None and wanted[0].option == question.default.id:
            return wanted[0]
        ends = self._ends(question)
        offered = question_of(self.state, wanted[0])  # what a neighbour just took is gone
        for option in question.options[:AT_ONCE] if ends else ():
            if offered.option(option.id) is None:
                continue
            short = Answer(question.seat, question.slug, option.id)
            after = take(self.state, short)
            while (
                forced := next((q for q in questions(after) if q.seat == short.seat and q.only), None)
            ) is not None:
                assert forced.only is not None
                after = take(after, Answer(forced.seat, forced.slug, forced.only.id))
            if (n := ends.get(_table(after))) is not None:
                for _ in range(n - 1):
                    wanted.popleft()
                wanted[0] = short
                return short
        return wanted[0]

    def _ends(self, question: Question) -> dict[str, int]:
        """The tables this seat's next answers lead to, as long as it is asked on and on, with how many they take."""
        wanted, here, phase = self.coming[question.seat], self.state, self._phase(self.state)
        ends: dict[str, int] = {}
        for n, answer in enumerate(wanted, 1):
            if not any((q.seat, q.slug) == (answer.seat, answer.slug) for q in questions(here)):
                break
            try:
                here = take(here, answer)
            except NotNow:  # it follows what others answer first
                break
            if not _asked(here, question.seat) or self._phase(here) != phase:
                ends[_table(here)] = n
                break
        return ends

    def _phase(self, state: Any) -> tuple[int, str]:
        view = self.rules.view(state)
        return view.round, next((phase.id for phase in view.phases if phase.tense is Tense.NOW), "")

    def _card(self, question: Question, answer: Answer) -> str | None:
        option = question.option(answer.option)
        return None if option is None else option.component

    def _nth(self, question: Question, answer: Answer) -> int:
        return next((n for n, o in enumerate(question.options) if o.id == answer.option), 0)

    def _all(self, answers: list[Answer]) -> None:
        self.effort.asked += len(answers)
        for answer in answers:
            self._give(answer)

    def _give(self, answer: Answer) -> None:
        self.coming[answer.seat].popleft()
        self.state = take(self.state, answer)


def _suggested_tap(chain: list[Answer]) -> str:
    """What is touched where one seat alone takes what is suggested."""
    return "as-suggested" if len(chain) > 1 else f"option-{chain[0].option}"


def _table(state: Any) -> str:
    """A table, and what its rules still have to do."""
    return digest(state) + repr(state.agenda)


def _settled(state: Any) -> Any:
    """The table once whatever leaves no choice is answered."""
    while (forced := next((q for q in questions(state) if q.only is not None), None)) is not None:
        assert forced.only is not None
        state = take(state, Answer(forced.seat, forced.slug, forced.only.id))
    return state


def _open(state: Any, answer: Answer) -> bool:
    return any((q.seat, q.slug) == (answer.seat, answer.slug) for q in questions(state))


def _asked(state: Any, seat: int | None) -> bool:
    return any(q.seat == seat for q in questions(state))


def race_plays(path: Path) -> Iterable[tuple[Game, Setup, list[Answer]]]:
    """The recorded games of another engine."""
    rules = game("race")
    data = path.read_bytes()
    for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines():
        log = json.loads(line)
        report = replay_log(log)
        if report.mismatches:
            continue
        names = tuple(f"seat {n}" for n in range(log["players"]))
        choices = {
            "edition": "first",
            "opening": "first-game" if log["setup"] == "first_game" else "normal",
            "actions": "advanced" if log["advanced"] else "standard",
        }
        yield rules, Setup("race", names, choices), report.given


def bot_plays(id: str, plays: int, facts: Facts | None = None) -> Iterable[tuple[Game, Setup, list[Answer]]]:
    """Games of bots, with what was taught about the box."""
    rules = game(id)
    for seed in range(plays):
        seats = rules.box.seats[seed % len(rules.box.seats)]
        setup = rules.complete(Setup(id, NAMES[:seats], facts=facts or {}))
        yield rules, setup, [answer for _, answer in autoplay.play(rules, setup, seed) if answer is not None]


def counted(title: str, plays: list[tuple[Game, Setup, list[Answer]]]) -> dict[str, list[float]]:
    """The figures of one game, printed as well."""
    print(f"{title}: {len(plays)} plays")
    print(f"{'':10}{'taps':>8}{'scans':>8}{'presses':>9}{'asked':>8}   per seat and round")
    found = {}
    for way in WAYS:
        whole = Effort()
        for rules, setup, answers in plays:
            whole += ReplayedTable(rules, setup, answers, way).play()
        n = whole.seat_rounds
        found[way] = [whole.taps / n, whole.scans / n, whole.presses / n, whole.asked / n]
        taps, scans, presses, asked = found[way]
        print(f"{way:10}{taps:8.2f}{scans:8.2f}{presses:9.2f}{asked:8.2f}", flush=True)
    return found


def plays_of(id: str, logs: Path, plays: int) -> list[tuple[Game, Setup, list[Answer]]]:
    """The recorded games of Race; of the others games of bots, in a taught box."""
    boxes = {"frontiers": FACTS, "beyond": made_up_box(), "transgalactica": transgalactica()}
    return list(race_plays(logs) if id == "race" else bot_plays(id, plays, boxes.get(id)))


def main() -> None:
    """Count whole plays of each game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--logs", type=Path, default=LOGS)
    parser.add_argument("--plays", type=int, default=5, help="games of bots")
    parser.add_argument(
        "--game", choices=tuple(games()), action="append", help="only this one; may be repeated"
    )
    parser.add_argument(
        "--save", type=Path, help="put the figures into this file, beside those of other games"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write docs/reports/effort.md from the saved file"
    )
    parser.add_argument("--evenings", type=Path, help="what learning.py printed, for the report")
    parser.add_argument(
        "--then", type=Path, default=THEN, help="figures an earlier version has saved, to compare with"
    )
    told = parser.parse_args()
    if told.report is not None:
        evenings = told.evenings.read_text() if told.evenings else ""
        REPORT.write_text(report(read(told.report), read(told.then), evenings))
        return
    for id in told.game or games():
        ways = counted(game(id).box.name, plays_of(id, told.logs, told.plays))
        if told.save is not None:
            told.save.write_text(json.dumps({**read(told.save), id: {"commit": commit(), "ways": ways}}))


if __name__ == "__main__":
    main()
