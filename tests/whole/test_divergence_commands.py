"""Plays recorded under rules that have since been corrected: how commands show them and a terminal continues them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion import cli
from companion.core.binder import Binder
from companion.core.entries import Diverged, decode_entry
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play, read
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.store import Store
from companion.core.words import Text, say
from companion.errors import DONE, STORAGE
from companion.texts import LANGUAGES, render
from scoring.sheet import Sheet
from tests.corrected_rules import another_count, one_more_chip, stumbles


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Everything shown, in one line and without frames."""
        return flat(self.out)


Run = Callable[..., Ran]


def flat(shown: str) -> str:
    return " ".join(shown.replace("│", " ").split())


def told(language: str, text: Text) -> str:
    return flat(render(text, language))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The journal's folder: an unfinished play of Ania and Bartek, a finished one of Celina and Darek."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "COMPANION_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    with Store(tmp_path / "journal.db") as store:
        started(store, ("Ania", "Bartek"), lambda session: session.state.round == 3)
        started(store, ("Celina", "Darek"), lambda session: session.over)
    return tmp_path


def started(store: Store, seats: tuple[str, ...], reached: Callable[[Session], bool]) -> None:
    play = Play.start(game("race"), Setup("race", seats), Journal(store), Binder(store), 0.0)
    random = Random(5)
    while not reached(play.session):
        question = play.session.questions()[0]
        option = random.choice(question.options).id
        play.answer(Answer(question.seat, question.slug, option), float(play.session.entries))


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command with these lines as its input."""

    def run(*arguments: str, lines: tuple[str, ...] = ()) -> Ran:
        typed = "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        code = cli.main(arguments)
        shown = capsys.readouterr()
        return Ran(code, shown.out, shown.err)

    return run


def session(home: Path, play: int) -> Session:
    with Store(home / "journal.db") as store:
        return read(Journal(store).load(play)).session


def entries(home: Path, play: int) -> int:
    with Store(home / "journal.db") as store:
        return len(Journal(store).entries(play))


def diverged_at(session: Session) -> int:
    """The answer that began the second round."""
    return next(n for n, moment in enumerate(session.moments) if moment.state.round == 2)


def result(home: Path, play: int = 2) -> tuple[Sheet, int]:
    """The sheet of a finished play, and the answer that began its second round."""
    found = session(home, play)
    return found.game.sheet(found.state), diverged_at(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_check_tells_of_both_kinds_and_is_content(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    first, second = diverged_at(session(home, 1)), diverged_at(session(home, 2))
    assert "otherwise" not in run("check", "--language", "en").said
    one_more_chip(monkeypatch)
    ran = run("check", "--language", language)
    assert (ran.code, ran.err) == (DONE, "")
    for play, text in ((1, say("core.diverged", n=first)), (2, say("core.played-otherwise", n=second))):
        assert told(language, say("ui.check-diverged", play=play, what=text)) in ran.said
    assert told(language, say("ui.check-fine")) in ran.said


def test_check_tells_of_a_table_counted_otherwise(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_count(monkeypatch)
    ran = run("check")
    assert ran.code == DONE
    assert told("en", say("ui.check-diverged", play=2, what=say("core.counted-otherwise"))) in ran.said
    assert "Play 1" not in ran.said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_marks_them(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    mark = told(language, say("ui.play-diverged", state=say("ui.play-over")))
    assert mark not in run("plays", "--language", language).said
    one_more_chip(monkeypatch)
    said = run("plays", "--language", language).said
    assert mark in said
    assert told(language, say("ui.play-diverged", state=say("ui.play-running"))) in said


def test_the_list_does_not_mark_what_agrees(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run("plays").said
    one_more_chip(monkeypatch, since=99)
    assert run("plays").said == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mend", [one_more_chip, stumbles])
def test_a_finished_play_is_retold_with_the_result_it_had(
    run: Run,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    mend: Callable[[pytest.MonkeyPatch], None],
) -> None:
    sheet, answer = result(home)
    before = run("replay", "2", "--language", language).said
    mend(monkeypatch)
    ran = run("replay", "2", "--language", language)
    assert ran.code == DONE
    assert told(language, say("core.played-otherwise", n=answer)) in ran.said
    places = " ".join(
        f"{seat.rank}. {seat.name} {seat.total}" for seat in sorted(sheet.seats, key=lambda s: s.rank)
    )
    assert places in before
    assert places in ran.said
    assert told(language, say("ui.round", n=1)) in ran.said
    assert told(language, say("ui.round", n=2)) not in ran.said


def test_an_unfinished_play_is_retold_as_far_as_both_agree(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = diverged_at(session(home, 1))
    one_more_chip(monkeypatch)
    said = run("replay", "1").said
    assert told("en", say("core.diverged", n=answer)) in said
    assert told("en", say("ui.round", n=2)) not in said
    assert told("en", say("score.winner", winner="Ania")) not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_export_has_the_result_it_had(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    sheet, answer = result(home)
    before = json.loads(run("export", "2", "--language", language).out)
    assert "parted" not in before
    one_more_chip(monkeypatch)
    after = json.loads(run("export", "2", "--language", language).out)
    assert after["parted"] == {
        "kept": answer - 1,
        "answer": answer,
        "told": render(say("core.played-otherwise", n=answer), language),
    }
    assert after["sheet"] == before["sheet"]
    assert after["entries"] == before["entries"]
    assert [seat["total"] for seat in after["sheet"]["seats"]] == [seat.total for seat in sheet.seats]
    assert after["entries"][-1]["body"]["sheet"]["winners"] == list(sheet.winners)
    assert {entry["body"]["rules"] for entry in after["entries"]} == {1}
    assert len(after["story"]) == answer - 1
    assert after["story"][:2] == before["story"][:2]  # later ones are secret again: nothing revealed them yet


@pytest.mark.parametrize("language", LANGUAGES)
def test_resuming_a_finished_play_shows_its_result_and_ends(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    sheet, _ = result(home)
    n = entries(home, 2)
    another_count(monkeypatch)
    ran = run("resume", "2", "--text", "--language", language, lines=("",))
    assert ran.code == DONE
    assert told(language, say("core.counted-otherwise")) in ran.said
    assert f"{sheet.seats[0].name} {sheet.seats[0].total}" in ran.said
    assert entries(home, 2) == n


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_at_a_terminal_go_on_from_where_both_agree(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    n, answer = entries(home, 1), diverged_at(session(home, 1))
    one_more_chip(monkeypatch)
    ran = run("resume", "1", "--text", "--language", language, lines=("",))
    assert ran.code == DONE
    assert told(language, say("core.diverged", n=answer)) in ran.said
    assert told(language, say("ui.diverged-ask")) in ran.said
    assert told(language, say("ui.resumed", n=1, answers=n + 3)) in ran.said
    with Store(home / "journal.db") as store:
        deed = decode_entry(Journal(store).entries(1)[n].body).deed
    assert deed == Diverged(answer - 1, n)
    again = run("resume", "1", "--text", "--language", language)
    assert told(language, say("core.diverged", n=answer)) not in again.said
    assert session(home, 1).state.round == 1


@pytest.mark.parametrize("line", ["q", "nie"])
def test_people_at_a_terminal_may_leave_it(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    n = entries(home, 1)
    one_more_chip(monkeypatch)
    assert run("resume", "--text", lines=(line,)).code == DONE
    assert run("resume", "--text").code == DONE  # the input ends
    assert entries(home, 1) == n


def test_damage_is_still_damage(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one_more_chip(monkeypatch)
    with Store(home / "journal.db") as store, store.writing() as db:
        db.execute("UPDATE entry SET at = 77 WHERE play = 1 AND seq = 3")
    assert run("check").code == STORAGE
