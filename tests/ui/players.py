"""Bots that play the real program by clicks; the journal holds what was played."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import msgspec

from companion.core.autoplay import next_answer
from companion.core.entries import Answered
from companion.core.game import Game
from companion.core.questions import Answer, Question
from companion.core.session import Session
from companion.core.words import Text
from companion.results.sheets import gathered, sheet_words
from companion.table.settings import Settings
from companion.texts import render
from scoring.sheet import Sheet
from tests.ui import real
from tests.ui.fingers import give
from tests.ui.real import Program, WindowReport

MOST_AGAIN = 10
"""So many answers of a game may have to be given once more, because a click came to nothing."""


class Click:
    """A finger that clicks, and looks until the window shows what came of it."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def words(self, text: Text) -> str:
        return render(text, "en")

    def taps(self) -> dict[str, object]:
        taps: dict[str, object] = self.program.shown()["taps"]
        return taps

    def tap(self, name: str) -> None:
        before = _touchable(self.program.until(lambda shown: name in shown["taps"]))
        self.program.tap_until(name, lambda shown: _touchable(shown) != before)

    def turned(self) -> int | None:
        turn: int | None = self.program.shown()["turned"]
        return turn

    def told(self) -> int:
        dice: int = self.program.shown()["dice"]
        return dice


def _touchable(shown: WindowReport) -> object:
    """What a click changes; a clock that goes on is none of it."""
    return (
        shown["screen"],
        shown["entries"],
        shown["asking"],
        shown["turned"],
        shown["dice"],
        set(shown["taps"]),
    )


class Players:
    """The bots of a play that has just begun in the window."""

    def __init__(self, program: Program, game: Game, seed: int) -> None:
        self.program, self.game, self.finger = program, game, Click(program)
        self.session, self.random = program.session(), Random(seed)
        self.bots = game.bots(self.session.setup, self.random)
        self.clicked = self.repeated = 0
        self.asked: set[str] = set()
        """Every kind of question that was answered."""
        self._follow()

    @property
    def given(self) -> int:
        """How many answers were given so far."""
        return self.clicked

    def play(self, most: int | None = None) -> Session:
        """The whole game, or so many answers of it; the play that is in the journal then."""
        while not self.session.over and (most is None or self.given < most):
            question, answer = self._next()
            n = len(self.session.moments)
            self.give(question, answer)
            deed = self.session.moments[n].entry
            assert deed is not None
            assert isinstance(deed.deed, Answered)
            assert deed.deed.answer == answer, f"{deed.deed.answer} instead of {answer}"
            self.asked.add(question.slug)
            self._follow()
        return self.session

    def _next(self) -> tuple[Question, Answer]:
        """The seat that answers next, unless the screen has a page for somebody else alone."""
        answer = next_answer(self.session.state, self.bots, self.random)
        questions = {question.seat: question for question in self.session.questions()}
        shown = self.at_the_table()
        if shown["asking"] not in (None, answer.seat) and "ask-all" not in shown["taps"]:
            question = questions[shown["asking"]]
            chosen = self.bots.choose(self.session.state, question)
            return question, Answer(question.seat, question.slug, chosen)
        return questions[answer.seat], answer

    def give(self, question: Question, answer: Answer) -> None:
        """Give this answer, whichever way."""
        self.click(question, answer)

    def _follow(self) -> None:
        """Do with the pieces on the table what was told."""
        self.bots.follow(self.session.state, self.session.news)

    def answered(self) -> bool:
        """Whether the journal has one answer more."""
        if self.program.entries() == self.session.entries:
            return False
        self.program.until(lambda shown: shown["entries"] == self.program.entries())  # and what came along
        before, self.session = self.session.entries, self.program.session()
        assert self.session.entries == before + self.session.last_deed, self.session.moments[before:]
        return True

    def click(self, question: Question, answer: Answer) -> None:
        """Click an option, wherever it is."""
        self.turn_the_screen_to(question, answer)
        give(self.finger, answer, question)
        lost = self.program.lost()
        while not self.answered():
            if lost(self.program.shown()):
                self.repeated += 1
                assert self.repeated < MOST_AGAIN, f"never answered: {answer}; shown: {self.program.shown()}"
                give(self.finger, answer, question)
                lost = self.program.lost()
            time.sleep(0.03)
        self.clicked += 1

    def at_the_table(self) -> WindowReport:
        """What is shown once it is the table as it is after the last answer."""
        now = self.session.entries
        return self.program.until(lambda shown: shown["screen"] == "table" and shown["entries"] == now)

    def turn_the_screen_to(self, question: Question, answer: Answer) -> None:
        """Let the screen show this question, unless it has the answer beside those of the others."""
        shown = self.at_the_table()
        if "ask-all" in shown["taps"] and shown["asking"] != question.seat:
            # It still shows whom it was turned to before.
            self.program.tap_until("ask-all", lambda shown: "ask-all" not in shown["taps"])
            shown = self.at_the_table()
        who = f"ask-{question.seat}"
        if who in shown["taps"] and f"option-{answer.option}-{answer.seat}" not in shown["taps"]:
            self.program.tap_until(
                who, lambda shown: shown["asking"] == question.seat or shown["screen"] != "table"
            )


def answers(session: Session) -> int:
    """What people answered; what left no choice came along."""
    entries = [moment.entry for moment in session.moments if moment.entry is not None]
    return sum(isinstance(entry.deed, Answered) and not entry.same_deed for entry in entries)


def see_the_score(players: Players) -> None:
    """The score screen counts every seat up, and its table is the sheet of the journal, line by line."""
    program = players.program
    sheet = players.game.sheet(program.session().state)
    program.tap("score")
    shown = program.until(lambda shown: shown["screen"] == "score" and "tab-result" in shown["taps"])
    if sheet.seats[0].name.upper() not in shown["words"]:
        program.tap("tab-result")
    ends = [{seat.name.upper(), f"{seat.rank}.", str(seat.total)} for seat in sheet.seats]
    program.until(lambda shown: all(end <= set(shown["words"]) for end in ends))
    program.tap("tab-sheet")
    program.until(lambda shown: all(in_a_row(row, shown["words"]) for row in sheet_rows(sheet)))


def sheet_rows(sheet: Sheet) -> list[list[str]]:
    """What stands beside each other in the table of a sheet: totals, then a line for every source of points."""
    seats, of = gathered(sheet).seats, sheet_words(sheet)
    totals = [words for seat in seats for words in (seat.name, str(seat.total))]
    points = [{line.what: str(line.points) for line in seat.lines} for seat in seats]
    lines = [
        [render(of.words(what), "en"), *(of_seat.get(what, "·") for of_seat in points)]
        for what in {what for of_seat in points for what in of_seat}
    ]
    return [totals, *lines]


def in_a_row(wanted: list[str], words: list[str]) -> bool:
    """Whether these stand beside each other somewhere."""
    return any(words[n : n + len(wanted)] == wanted for n in range(len(words)))


@contextmanager
def begun(
    folder: Path, game: str, settings: Settings, camera: str = "none", **environment: str
) -> Iterator[Program]:
    """A real window with a play of two that has just begun."""
    with real.screen(folder) as program:
        (program.home / "settings.json").write_bytes(msgspec.json.encode(settings))
        program.start("play", game, "--seats", "Ania,Bartek", "--camera", camera, **environment)
        program.at("new")
        while "start" not in (shown := program.until(lambda s: {"next", "start"} & set(s["taps"])))["taps"]:
            program.tap("next")
            program.until(lambda now, shown=shown: now["words"] != shown["words"])
        program.tap("start")
        program.at("table")
        yield program
