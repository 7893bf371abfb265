"""Regression tests for crashes a stranger found: always a sentence in the language asked for, and quickly."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from companion import cli
from companion.core import files
from companion.core.game import Game, Setup, game, games
from companion.core.positions import parse
from companion.core.words import Text, plain, say
from companion.errors import BAD_INPUT, DEVICE, DONE, STORAGE, DataTrouble
from companion.recognition import reading
from companion.recognition.camera_troubles import trouble_text
from companion.results.output import WIDEST, Output
from companion.results.sheets import score_position
from companion.texts import LANGUAGES, render
from tests.command_line import main
from vision.troubles import CameraTrouble
from workshop.fault_injection.disks import modes

LONG = "x" * 5000


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    monkeypatch.delenv("COMPANION_COMMAND", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8"))
        try:
            code = main(arguments)
        except SystemExit as e:
            code = int(e.code or 0)
        return Ran(code, *capsys.readouterr())

    return run


# In the language asked for


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("race", "--seats"),
        ("race", "--bogus"),
        ("race", "--text=3"),
        ("race", "--language", "de"),
    ],
)
def test_words_that_cannot_be_taken_are_refused_in_one_language(run: Run, words: tuple[str, ...]) -> None:
    command = words if words == ("nonsense",) else ("play", *words)
    code, out, said = run("--language", "pl", *command)
    *_, last = said.splitlines()
    assert (code, out) == (BAD_INPUT, "")
    assert last.startswith(render(say("cli.bad-words"), "pl"))
    theirs = (english.partition("%")[0] for english in cli.REFUSALS)
    assert not [english for english in theirs if english in last]


def test_a_number_that_is_none_is_called_so(run: Run) -> None:
    for language, word in (("en", "is no number"), ("pl", "nie jest liczbą")):
        assert word in run("bots", "race", "--games", "²", "--language", language).err


def test_more_games_than_anybody_waits_for_are_refused(run: Run) -> None:
    for language, word in (("en", "At most 100000"), ("pl", "Najwyżej 100000")):
        code, out, said = run("bots", "race", "--games", str(10**14), "--language", language)
        assert (code, out) == (BAD_INPUT, "")
        assert word in said


@pytest.mark.parametrize("code", files.COMPLAINTS)
def test_what_the_system_complains_of_is_said_in_both_languages(code: int) -> None:
    said = {language: render(files.why(OSError(code, os.strerror(code))), language) for language in LANGUAGES}
    assert said["en"][0].isupper()
    assert said["pl"] != said["en"]
    assert "file." not in said["pl"]


def test_what_we_have_no_words_for_is_told_as_the_system_tells_it() -> None:
    assert files.why(OSError(errno.EXDEV, "Invalid cross-device link")) == plain("Invalid cross-device link")
    assert files.why(DataTrouble(say("cli.bug"))) == say("cli.bug")
    assert files.why(ValueError("embedded null byte" + LONG)).args["words"] != LONG


# Around the program


@pytest.mark.parametrize("zone", ["XXX99:99:99", ":/etc/passwd"])
def test_a_time_zone_nobody_understands_does_not_silence_us(home: Path, zone: str) -> None:
    environ = {**os.environ, "TZ": zone, "COMPANION_LANGUAGE": "pl"}
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "companion", "plays"], env=environ, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stderr) == (DONE, "")


INTERRUPTED = """
import os, signal, sys

class Hand:
    def find_spec(self, name, *_):
        if name == "companion.cli":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # processes started in the background ignore it
sys.meta_path.insert(0, Hand())
from companion.__main__ import main
main()
"""


def test_ctrl_c_while_loading_prints_nothing(home: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("width", ["²", "9" * 30, "-5", "x", str(WIDEST + 1)])
def test_a_terminal_of_a_size_nobody_has_is_as_wide_as_any(
    monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setenv("LINES", width)
    assert 0 < Output(io.StringIO()).width <= WIDEST
    monkeypatch.setenv("COLUMNS", "63")
    monkeypatch.delenv("LINES")
    assert Output(io.StringIO()).width == 63


def test_a_folder_nothing_can_be_made_in_is_no_place_for_faults(run: Run) -> None:
    for language in LANGUAGES:
        code, out, said = run("faults", "--minutes", "0", "--folder", "/proc", "--language", language)
        assert (code, out) == (STORAGE, "")
        assert "/proc" in said
        assert "Traceback" not in said


# Names of files


def test_the_owners_wiring_that_may_not_be_read_is_not_replaced_by_ours(run: Run, home: Path) -> None:
    home.mkdir()
    (home / "table.toml").symlink_to("not-plugged-in/table.toml")
    assert run("wiring", "--language", "pl").err == (
        f"Nie można odczytać {home / 'table.toml'}: {render(say('file.not-there'), 'pl')}.\n"
    )
    with modes({home: 0o000}):
        code, out, said = run("wiring")
    assert (code, out) == (BAD_INPUT, "")
    assert "Permission denied" in said


def test_a_folder_nobody_may_look_into_ends_no_command_with_a_fall(run: Run, home: Path) -> None:
    home.mkdir()
    with modes({home: 0o000}):
        assert run("selftest", "--no-window").code == STORAGE


@pytest.mark.parametrize(
    "command", [("labels", "race", "--only", "old-earth", "--out"), ("binder", "export", "race")]
)
@pytest.mark.parametrize("name", ["round", LONG])
def test_a_name_nothing_can_have_is_told_of(
    run: Run, tmp_path: Path, command: tuple[str, ...], name: str
) -> None:
    (tmp_path / "round").symlink_to("round")
    code, _, said = run(*command, name)
    assert code == STORAGE
    assert "Traceback" not in said
    assert ("too long" if name == LONG else "Too many levels") in said


def test_what_was_made_read_only_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "plan.svg"
    file.write_text("mine")
    tmp_path.chmod(0o777)
    with modes({file: 0o444}), pytest.raises(PermissionError):
        files.put(file, b"ours")
    assert file.read_text() == "mine"


def test_pictures_that_are_none_are_refused_before_every_label_is_learnt(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "reader", lambda *_: pytest.fail("that takes seconds"))
    assert run("scan", "nothing.png", "nowhere.jpg").code == BAD_INPUT


def test_a_camera_without_pictures_is_told_of_before_every_label_is_learnt(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "reader", lambda *_: pytest.fail("that takes seconds"))
    monkeypatch.setattr("companion.commands.camera.WATCHED", 0.0)
    assert run("camera", "usb:99").code == DEVICE


def test_why_a_camera_does_not_answer_is_said_in_one_language() -> None:
    trouble = CameraTrouble("http-silent", where="http://x", why=os.strerror(errno.ECONNREFUSED))
    assert "(połączenie odrzucone)" in render(trouble_text(trouble), "pl")
    assert "(Connection refused)" in render(trouble_text(trouble), "en")


# The journal


def _pipe(journal: Path) -> None:
    os.mkfifo(journal)


def _folder(journal: Path) -> None:
    journal.mkdir()


def _endless(journal: Path) -> None:
    journal.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [_pipe, _folder, _endless])
@pytest.mark.parametrize(
    "command", [("plays",), ("check",), ("check", "--repair"), ("play", "race", "--text", "--seats", "A,B")]
)
def test_a_journal_that_is_no_file_is_not_ours(
    run: Run, home: Path, make: Callable[[Path], None], command: tuple[str, ...]
) -> None:
    home.mkdir()
    make(home / "journal.db")
    code, _, said = run(*command)
    assert (code, said) == (
        STORAGE,
        f"{render(say('storage.not-ours', file=str(home / 'journal.db')), 'en')}\n",
    )


@pytest.mark.parametrize("what", ["journal.db", ""])
@pytest.mark.parametrize(
    "command", [("plays",), ("check",), ("check", "--repair"), ("play", "race", "--text", "--seats", "A,B")]
)
def test_a_disk_that_is_not_plugged_in_is_not_taken_for_a_table_that_never_played(
    run: Run, home: Path, what: str, command: tuple[str, ...]
) -> None:
    if what:
        home.mkdir()
    (home / what).symlink_to(home.parent / "disk" / "companion" / what)
    code, _, said = run(*command)
    expected = say("storage.cannot-open", file=str(home / "journal.db"), why=say("file.not-there"))
    assert (code, said) == (STORAGE, f"{render(expected, 'en')}\n")
    assert not (home.parent / "disk").exists()


# At the table


@pytest.mark.parametrize("names", ["Ania,ANIA", "Zoe\u0301,Zo\u00e9", "Ola, ola"])
def test_people_nobody_can_tell_apart_by_name_do_not_begin_a_play(run: Run, home: Path, names: str) -> None:
    code, _, said = run("play", "race", "--text", "--seats", names)
    assert code == BAD_INPUT
    assert render(say("core.bad-names"), "en") in said
    assert not home.exists()


def test_a_play_of_people_called_alike_still_opens() -> None:
    rules = game("race")
    assert rules.start(Setup("race", ("Ania", "ania")))


def test_a_line_nobody_can_have_typed_is_refused_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.terminal.table.fold", lambda words: words if len(words) < 99 else 1 / 0)
    code, out, said = run("play", "race", "--text", "--seats", "A,B", typed=f"{'1' * 2_000_000}\n")
    assert (code, said) == (DONE, "")
    assert "This line has more than 10000 letters" in out


@pytest.mark.parametrize("name", ["\u202eAnia", "An\u200bia", "An\x1bia"])
@pytest.mark.parametrize("rules", games().values(), ids=list(games()))
def test_no_name_in_a_position_steers_a_terminal(rules: Game, name: str) -> None:
    assert rules.positions is not None
    (example, *_) = rules.positions.examples
    raw = parse(msgspec.json.encode(example))
    raw["seats"][0]["name"] = name
    with pytest.raises(DataTrouble) as refused:
        score_position(msgspec.json.encode(raw))
    assert all(isinstance(problem, Text) for problem in refused.value.problems)
