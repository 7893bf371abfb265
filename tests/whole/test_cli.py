"""Every command as people type it: exit codes, sentences in both languages, and what is left behind."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import companion
from companion import cli
from companion.commands import demo, plays
from companion.core import store as stores
from companion.core.binder import Binder
from companion.core.game import Setup, game, games
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.store import Store
from companion.core.words import Text, count, of_seat, plain, say
from companion.errors import BAD_INPUT, BUG, DEVICE, DONE, STORAGE
from companion.games.race.cards import everything as race_box
from companion.texts import LANGUAGES, render
from devices import DeviceTrouble
from tests.command_line import is_tool, main
from tests.patience import PATIENCE
from workshop.commands import bots
from workshop.fault_injection.disks import unprivileged

ROOT = Path(companion.__file__).parent.parent
KNOWN = tuple(plain(id) for id in games())
LOGS = ROOT / "tests" / "games" / "race" / "data" / "race-logs.jsonl.gz"
BLIND = ("--camera", "none")
"""A demonstration without its virtual camera, whose pictures take their time."""
OPENING = ("new sparta", "old earth", "settle", "produce", "gem world", "")
"""A round of play 1: Ania settles Gem World."""

POSITION: dict[str, Any] = {
    "game": "race",
    "seats": [
        {"name": "Ola", "tableau": ["new-sparta", "rebel-base"], "goods": [], "chips": 13, "hand": 5},
        {"name": "Ania", "tableau": ["old-earth", "public-works"], "goods": [], "chips": 10, "hand": 2},
    ],
}


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
    return " ".join(shown.replace("│", " ").replace("┃", " ").split())


def told(key: str, language: str = "en", /, **arguments: int | str | Text | tuple[Text, ...]) -> str:
    return flat(render(say(key, **arguments), language))


def some(key: str, n: int, language: str = "en", /, **arguments: int | str | Text) -> str:
    return flat(render(count(key, n, **arguments), language))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the journal is; the language is English, the terminal wide."""
    set_home(monkeypatch, tmp_path / "home")
    return tmp_path / "home"


def set_home(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    for name in ("COMPANION_COMMAND", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COMPANION_HOME", str(folder))
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command with these lines as its input."""

    def run(*arguments: str, lines: tuple[str, ...] = (), data: bytes | None = None) -> Ran:
        typed = "".join(f"{line}\n" for line in lines).encode() if data is None else data
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
        try:
            code = main(arguments)
        except SystemExit as e:
            code = e.code
        shown = capsys.readouterr()
        assert isinstance(code, int)
        return Ran(code, shown.out, shown.err)

    return run


def start(run: Run, *lines: str) -> Ran:
    """A new play of Ania and Bartek with these lines, then the input ends."""
    return run("play", "race", "--seats", "Ania,Bartek", lines=lines)


@pytest.fixture
def finished(home: Path) -> Path:
    """A journal with one play that is over."""
    rules, random = game("race"), Random(2)
    with Store(home / "journal.db") as store:
        play = Play.start(rules, Setup("race", ("Ania", "Bartek")), Journal(store), Binder(store), 0.0)
        while not play.session.over:
            question = play.session.questions()[0]
            option = random.choice(question.options).id
            play.answer(Answer(question.seat, question.slug, option), float(play.session.entries))
    return home


def bad(ran: Ran, *sentences: str, code: int = BAD_INPUT) -> None:
    """Refused: nothing on the standard output, and these lines on the other."""
    assert (ran.code, ran.out) == (code, "")
    assert tuple(flat(line) for line in ran.err.splitlines()) == sentences


# Help


def command_names() -> list[str]:
    parser = cli._parser("en", (), cli.PRODUCT)
    (found,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return list(found.choices)


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_command_there_is_help(run: Run, language: str) -> None:
    ran = run("--language", language)
    assert (ran.code, ran.err) == (DONE, "")
    assert told("cli.about", language) in ran.said
    for name in command_names():
        assert name in ran.out
        assert told(f"cli.{name}", language) in ran.said


def test_the_version_is_that_of_the_project(run: Run) -> None:
    ran = run("--version")
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert (ran.code, ran.out.split()) == (DONE, ["companion", ours])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["", *command_names()])
def test_every_help_is_in_the_language_asked_for(run: Run, name: str, language: str) -> None:
    ran = run(*([name] if name else []), "--help", "--language", language)
    assert (ran.code, ran.err) == (DONE, "")
    assert told(f"cli.{name or 'about'}", language) in ran.said
    assert "cli." not in ran.out
    if language == "pl":
        for word in ("usage:", "options:", "positional", "show this help"):
            assert word not in ran.out


def test_an_option_cut_short_does_not_mix_languages(run: Run) -> None:
    ran = run("--lang", "pl", "plays", "--nonsense")
    assert ran.code == BAD_INPUT
    assert told("cli.bad-words", "pl") in ran.err or "--nonsense" not in ran.err


def test_the_language_of_the_system_is_used(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_LANGUAGE")
    monkeypatch.setenv("LANG", "pl_PL.UTF-8")
    assert run("plays").said == told("ui.no-plays", "pl", game="race")
    assert run("plays", "--language", "en").said == told("ui.no-plays", game="race")
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert run("plays").said == told("ui.no-plays", game="race")
    assert run("--language=pl", "plays").said == told("ui.no-plays", "pl", game="race")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("plays", "--nonsense"),
        ("play", "race", "--seats"),
        ("bots", "race", "--games", "many"),
        ("bots", "race", "--players", "2.5"),
        ("replay",),
        ("replay", "first"),
        ("export", "1", "--format", "xml"),
        ("plays", "--language", "de"),
    ],
)
def test_words_that_are_not_understood(run: Run, home: Path, arguments: tuple[str, ...]) -> None:
    for language in LANGUAGES:
        ran = run(*arguments, *(() if "--language" in arguments else ("--language", language)))
        assert (ran.code, ran.out) == (BAD_INPUT, "")
        spoken = "en" if "--language" in arguments else language
        assert told("cli.usage", spoken).strip() in ran.err
        assert told("cli.bad-words", spoken) in ran.err
        assert "Traceback" not in ran.err
    assert not home.exists()


# Playing


def test_play_says_its_number_what_to_set_up_and_that_it_is_saved(run: Run, home: Path) -> None:
    ran = start(run, *OPENING)
    assert (ran.code, ran.err) == (DONE, "")
    assert told("ui.play-number", n=1) in ran.said
    assert told("ui.setting-up") in ran.said
    assert told("race.setup.deck") in ran.said
    assert ran.said.endswith(told("ui.saved", n=1))
    with Store(home / "journal.db") as store:
        (row,) = Journal(store).plays()
    assert (row.title, row.entries, row.finished) == ("Ania, Bartek", 6, None)


def test_play_in_polish(run: Run) -> None:
    ran = run("play", "race", "--seats", "Łucja,Żaneta", "--language", "pl", lines=("new sparta", "koniec"))
    assert ran.code == DONE
    assert told("ui.setting-up", "pl") in ran.said
    assert told("core.of-seat", "pl", seat="Żaneta", text=say("race.ask.start-world")) in ran.said
    assert ran.said.endswith(told("ui.saved", "pl", n=1))


def test_play_asks_who_plays(run: Run) -> None:
    ran = run("play", "race", lines=("Ania , Bartek, Celina,", "quit"))
    assert ran.code == DONE
    assert told("ui.ask-seats", low="2", high="4") in ran.said
    assert "Ania, Bartek, Celina" in run("plays").said


def test_play_with_variants(run: Run, home: Path) -> None:
    arguments = ("--with", "edition=second", "--with", "actions=advanced")
    assert run("play", "race", "--seats", "A,B", *arguments).code == DONE
    choices = json.loads(run("export", "1").out)["setup"]["choices"]
    assert choices == {"edition": "second", "opening": "normal", "actions": "advanced"}


BAD_PLAYS: dict[tuple[str, ...], tuple[Text, ...]] = {
    ("chess", "--seats", "A,B"): (say("core.unknown-game", id="chess", known=KNOWN),),
    ("race", "--seats", "A,B", "--with", "edition"): (say("cli.bad-choice", choice="edition"),),
}
BAD_SETUPS: dict[tuple[str, ...], Text] = {
    ("--seats", "A"): count("core.bad-seats", 1, game="Race for the Galaxy", low="2", high="4"),
    ("--seats", ","): count("core.bad-seats", 0, game="Race for the Galaxy", low="2", high="4"),
    ("--seats", "A,B,C,D,E"): count("core.bad-seats", 5, game="Race for the Galaxy", low="2", high="4"),
    ("--seats", "A,A"): say("core.bad-names"),
    ("--seats", "A,B", "--with", "edition=third"): say(
        "core.unknown-value", variant="edition", value="third", known=(plain("first"), plain("second"))
    ),
    ("--seats", "A,B", "--with", "edition="): say(
        "core.unknown-value", variant="edition", value="", known=(plain("first"), plain("second"))
    ),
    ("--seats", "A,B", "--with", "colour=red"): say(
        "core.unknown-variant",
        variant="colour",
        known=(plain("edition"), plain("opening"), plain("actions")),
    ),
    ("--seats", "A,B,C", "--with", "actions=advanced"): count(
        "core.value-not-for-seats", 3, variant="actions", value="advanced"
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("arguments", BAD_PLAYS)
def test_a_play_that_cannot_be(run: Run, home: Path, arguments: tuple[str, ...], language: str) -> None:
    sentences = (flat(render(text, language)) for text in BAD_PLAYS[arguments])
    bad(run("play", *arguments, "--language", language), *sentences)
    assert not home.exists()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("arguments", BAD_SETUPS)
def test_a_setup_that_cannot_be(run: Run, home: Path, arguments: tuple[str, ...], language: str) -> None:
    head = told("core.bad-setup", language, game="Race for the Galaxy")
    problem = flat(render(BAD_SETUPS[arguments], language))
    bad(run("play", "race", *arguments, "--language", language), head, f"- {problem}")
    assert not home.exists()


def test_everything_wrong_with_a_setup_is_said_at_once(run: Run) -> None:
    ran = run("play", "race", "--seats", "A", "--with", "edition=third", "--with", "colour=red")
    assert ran.code == BAD_INPUT
    assert len([line for line in ran.err.splitlines() if line.startswith("- ")]) == 3


@pytest.mark.parametrize("name", ["\udcff", "A\x1b[2JB", "A\nB"])
def test_a_name_that_is_no_text_is_bad_input(run: Run, home: Path, name: str) -> None:
    ran = run("play", "race", "--seats", f"{name},Bartek")
    assert (ran.code, ran.out) == (BAD_INPUT, "")
    assert not home.exists()


# Coming back


def test_resume_goes_on_with_the_newest_play_that_is_not_over(run: Run, finished: Path) -> None:
    start(run, *OPENING[:3])
    run("play", "race", "--seats", "Celina,Darek", lines=("new sparta",))
    ran = run("resume")
    assert ran.code == DONE
    assert "Celina" in ran.said
    assert ran.said.endswith(told("ui.saved", n=3))
    ran = run("resume", "2", lines=("produce",))
    assert ran.code == DONE
    assert told("core.of-seat", seat="Bartek", text=say("race.ask.action")) in ran.said
    assert ran.said.endswith(told("ui.saved", n=2))


def test_resume_goes_on_exactly_where_it_was(run: Run) -> None:
    start(run, *OPENING[:4])
    run("resume", "1", lines=("gem world", "pause"))
    run("resume", "1", lines=("",))
    exported = json.loads(run("export", "1").out)
    assert exported["state"]["seats"][0]["tableau"] == ["new-sparta", "gem-world"]
    assert exported["state"]["round"] == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_to_resume(run: Run, home: Path, language: str) -> None:
    bad(run("resume", "--language", language), told("ui.nothing-to-resume", language, game="race"))
    assert not home.exists()


def test_a_play_whose_first_answer_the_disk_refused_is_found(run: Run) -> None:
    start(run, *OPENING[:2])
    start(run)
    ran = run("resume", lines=("new sparta", "pause"))
    assert ran.code == DONE
    assert ran.said.endswith(told("ui.saved", n=2))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["resume", "replay", "export"])
def test_a_play_that_is_not_there(run: Run, command: str, language: str) -> None:
    start(run)
    for number in ("0", "-1", "2", str(10**30)):
        ran = run(command, number, "--language", language)
        bad(ran, told("storage.no-such-play", language, play=number))


def test_plays_are_listed(run: Run, finished: Path) -> None:
    start(run, *OPENING)
    ran = run("plays")
    assert (ran.code, ran.err) == (DONE, "")
    rows = [flat(line) for line in ran.out.splitlines()]
    (first,) = (row for row in rows if row.startswith("1 "))
    (second,) = (row for row in rows if row.startswith("2 "))
    assert first.endswith(told("ui.play-over"))
    assert "Race for the Galaxy Ania, Bartek" in second
    assert second.endswith(f"6 {told('ui.play-running')}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_plays(run: Run, home: Path, language: str) -> None:
    assert run("plays", "--language", language).said == told("ui.no-plays", language, game="race")
    assert not home.exists()


@pytest.mark.parametrize("name", ["[/b]", "[red]Ania", ":star:"])
def test_a_name_in_the_list_is_shown_as_it_was_given(run: Run, name: str) -> None:
    run("play", "race", "--seats", f"{name},Bartek")
    ran = run("plays")
    assert ran.code == DONE
    assert f"{name}, Bartek" in ran.said


def test_replay_tells_a_running_play_and_names_no_winner(run: Run) -> None:
    start(run, *OPENING, "fix chips ania = 3")
    ran = run("replay", "1")
    assert (ran.code, ran.err) == (DONE, "")
    answer = say(
        "ui.answered", question=of_seat("Ania", say("race.ask.place-world")), option=plain("Gem World")
    )
    assert flat(render(answer, "en")) in ran.said
    assert (
        told("core.of-seat", seat="Ania", text=count("race.reveals", 1, what=(plain("Gem World"),)))
        in ran.said
    )
    for name in ("Ania", "Bartek"):
        assert told("score.winner", winner=name) not in ran.said


def test_replay_keeps_a_secret(run: Run) -> None:
    start(run, "new sparta", "old earth", "consume: trade")
    ran = run("replay", "1")
    assert render(race_box("first")["consume-trade"].called, "en") not in ran.said
    assert told("ui.ready", seat="Ania") in ran.said


@pytest.mark.parametrize("language", LANGUAGES)
def test_replay_tells_a_whole_play(run: Run, finished: Path, language: str) -> None:
    ran = run("replay", "1", "--language", language)
    assert (ran.code, ran.err) == (DONE, "")
    sheet = json.loads(run("export", "1").out)["sheet"]
    winner = told("score.winner", language, winner=", ".join(sheet["winners"]))
    assert winner in ran.said or sheet["tie_break"]


def test_export_is_everything_about_a_play(run: Run) -> None:
    start(run, *OPENING, "fix chips ania = 3")
    exported = json.loads(run("export", "1").out)
    assert (exported["format"], exported["version"]) == ("tabletop-companion play", 1)
    assert exported["setup"]["seats"] == ["Ania", "Bartek"]
    assert [entry["seq"] for entry in exported["entries"]] == list(range(7))
    assert exported["entries"][0]["body"]["deed"] == {
        "type": "answer",
        "answer": {"seat": 0, "slug": "race.start-world", "option": "new-sparta"},
    }
    assert exported["state"]["seats"][0]["chips"] == 3
    assert exported["sheet"]["seats"][0]["name"] == "Ania"
    assert len(exported["story"]) == 7


def test_export_speaks_the_language_asked_for(run: Run) -> None:
    start(run, *OPENING)
    english = json.loads(run("export", "1").out)["story"]
    polish = json.loads(run("export", "1", "--language", "pl").out)["story"]
    assert len(english) == len(polish) == 6
    assert not set(english) & set(polish)


# Bots and demonstrations


def test_bots_play_and_the_same_seed_gives_the_same_games(run: Run) -> None:
    def played(*arguments: str) -> list[dict[str, Any]]:
        ran = run("bots", "race", "--json", *arguments)
        assert (ran.code, ran.err) == (DONE, "")
        result = json.loads(ran.out)
        assert result["game"] == "race"
        return list(result["games"])

    two = played("--games", "2", "--seed", "5")
    assert played("--games", "1", "--seed", "6") == two[1:]
    assert two[0] != two[1]
    assert {game["seed"] for game in two} == {5, 6}
    assert set(two[0]) == {"seed", "rounds", "answers", "scores", "winners"}
    assert max(two[0]["scores"].values()) == two[0]["scores"][two[0]["winners"][0]]
    assert len(played("--games", "1", "--players", "4")[0]["scores"]) == 4
    advanced = played("--games", "1", "--advanced")
    assert advanced == played("--games", "1", "--with", "actions=advanced") != played("--games", "1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shorthand_of_another_game_is_refused(run: Run, language: str) -> None:
    name = games()["eclipse"].box.name
    bad(
        run("bots", "eclipse", "--advanced", "--language", language),
        told("cli.no-such-flag", language, flag="--advanced", game=name),
    )


@pytest.mark.parametrize(
    ("id", "flag", "chosen"),
    [
        ("beyond", "advanced", {"boards": "advanced"}),
        ("frontiers", "goals", {"goals": "goals"}),
        ("race", "advanced", {"actions": "advanced"}),
    ],
)
def test_a_play_takes_the_shorthands_of_its_game(
    run: Run, home: Path, id: str, flag: str, chosen: dict[str, str]
) -> None:
    assert run("play", id, "--seats", "Ania,Bartek", f"--{flag}").code == DONE
    with Store(home / "journal.db") as store:
        play = Play.resume(1, Journal(store), Binder(store))
    assert chosen.items() <= play.session.setup.choices.items()
    bad(
        run("play", "eclipse", "--seats", "Ania,Bartek", f"--{flag}"),
        told("cli.no-such-flag", flag=f"--{flag}", game=game("eclipse").box.name),
    )


@pytest.mark.parametrize("command", ["bots", "play", "score", "labels", "odds"])
def test_a_hidden_game_is_no_game(run: Run, command: str) -> None:
    hidden, chess = run(command, "lantern", "-"), run(command, "chess", "-")
    assert hidden.code == BAD_INPUT
    assert hidden.err.replace("lantern", "chess") == chess.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_logs_are_of_the_only_game_that_has_any_unless_somebody_says_which(run: Run, language: str) -> None:
    log = logs(1)
    assert run("replay-log", "-", "--game", "race", data=log).out == run("replay-log", "-", data=log).out
    for other in ("eclipse", "chess"):
        bad(
            run("replay-log", "-", "--game", other, "--language", language, data=log),
            told("cli.no-logs", language, game=other, known=(plain("race"),)),
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_bots_results_are_a_table(run: Run, language: str) -> None:
    ran = run("bots", "race", "--games", "1", "--language", language)
    assert (ran.code, ran.err) == (DONE, "")
    for key in ("seed", "rounds", "answers", "scores", "winners"):
        assert told(f"ui.bots-{key}", language) in ran.said
    beginning, _, _ = some("ui.bots-played", 1, language, rate="#").partition("#")
    assert beginning in ran.said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["bots", "demo"])
def test_bots_that_cannot_play(run: Run, command: str, language: str) -> None:
    name = ("race",) if command == "bots" else BLIND
    head = told("core.bad-setup", language, game="Race for the Galaxy")
    for players in (-1, 0, 1, 5, 9):
        seats = some(
            "core.bad-seats", max(0, players), language, game="Race for the Galaxy", low="2", high="4"
        )
        ran = run(command, *name, "--players", str(players), "--language", language)
        bad(ran, head, f"- {seats}")
    unknown = told("core.unknown-game", language, id="chess", known=KNOWN)
    chess = ("chess",) if command == "bots" else ("--game", "chess")
    bad(run(command, *chess, "--language", language), unknown)
    bad(
        run(command, *name, "--with", "nonsense", "--language", language),
        told("cli.bad-choice", language, choice="nonsense"),
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("games", ["0", "-3"])
def test_no_games(run: Run, games: str, language: str) -> None:
    bad(run("bots", "race", "--games", games, "--language", language), told("cli.no-games", language))


def test_a_game_that_cannot_be_right_is_a_bug(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = game("race")
    wrong = type(rules)(
        **{name: getattr(rules, name) for name in rules.__struct_fields__} | {"check": lambda s: (1,)}
    )
    monkeypatch.setattr(bots, "game", lambda id: wrong)
    ran = run("bots", "race", "--games", "1", "--seed", "77")
    assert ran.code == BUG
    assert "seed 77" in ran.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_demonstration_tells_a_whole_game(
    run: Run, monkeypatch: pytest.MonkeyPatch, home: Path, language: str
) -> None:
    monkeypatch.setattr(demo.time, "sleep", lambda seconds: pytest.fail("nobody watches"))
    ran = run("demo", *BLIND, "--players", "2", "--seed", "3", "--language", language)
    assert (ran.code, ran.err) == (DONE, "")
    for key in ("ui.setting-up", "ui.packing", "race.setup.deck", "race.pack.chips"):
        assert told(key, language) in ran.said
    assert told("ui.round", language, n=2) in ran.said
    assert "race." not in ran.out
    assert not home.exists()


def test_a_demonstration_waits_as_long_as_it_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(demo.time, "sleep", waited.append)
    assert run("demo", *BLIND, "--players", "2", "--speed", "4").code == DONE
    assert set(waited) == {0.25}
    waited.clear()
    assert run("demo", *BLIND, "--players", "2", "--speed", "0").code == DONE
    assert waited == []


def test_a_demonstration_that_is_too_slow_is_no_bug(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(seconds: float) -> None:
        assert seconds < 1e9
        raise KeyboardInterrupt

    monkeypatch.setattr(demo.time, "sleep", interrupted)
    assert run("demo", *BLIND, "--speed", "1e-320").code in (DONE, BAD_INPUT)


@pytest.mark.parametrize("command", [("bots", "race"), ("demo", *BLIND)], ids=["bots", "demo"])
def test_a_crowd_is_refused_without_naming_everybody(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    made = []
    for module in (bots, demo):
        monkeypatch.setattr(
            module, "Setup", lambda game, seats, *rest: made.append(len(seats)) or Setup(game, seats, *rest)
        )
    assert run(*command, "--players", "100000").code == BAD_INPUT
    assert max(made, default=0) < 1000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_demonstration_with_a_camera_nobody_has(run: Run, language: str) -> None:
    ran = run("demo", "--camera", "eclipse", "--language", language)
    assert (ran.code, ran.out) == (BAD_INPUT, "")
    assert flat(ran.err).startswith(
        told("see.no-preset", language, preset="eclipse", known="#").partition("#")[0]
    )
    assert "good-lamp" in ran.err


# Score-only


def test_score_of_a_file_and_of_the_input(run: Run, tmp_path: Path) -> None:
    data = json.dumps(POSITION).encode()
    file = tmp_path / "table.json"
    file.write_bytes(data)
    shown = run("score", "race", str(file))
    assert (shown.code, shown.err) == (DONE, "")
    assert told("score.winner", winner="Ola") in shown.said
    assert run("score", "race", "-", data=data) == shown
    polish = run("score", "race", str(file), "--language", "pl")
    assert told("score.winner", "pl", winner="Ola") in polish.said
    as_json = run("score", "race", str(file), "--json")
    assert json.loads(as_json.out)["winners"] == ["Ola"]


def test_score_line_by_line(run: Run) -> None:
    line = json.dumps(POSITION).encode() + b"\n"
    ran = run("score", "race", "--jsonl", data=line * 2)
    assert (ran.code, len(ran.out.splitlines())) == (DONE, 2)
    ran = run("score", "race", "--jsonl", data=line + b"nonsense\n" + line)
    first, second, third = (json.loads(answer) for answer in ran.out.splitlines())
    assert (ran.code, list(second)) == (BAD_INPUT, ["error"])
    assert first == third


def test_the_schema_of_positions(run: Run) -> None:
    ran = run("score", "race", "--schema")
    assert (ran.code, ran.err) == (DONE, "")
    assert json.loads(ran.out)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_scored(run: Run, tmp_path: Path, language: str) -> None:
    missing = str(tmp_path / "none.json")
    asked = ("--language", language)
    bad(run("score", "race", missing, *asked), told("score.no-file", language, file=missing))
    bad(run("score", "race", *asked), told("cli.no-position", language))
    bad(run("score", "chess", missing, *asked), told("core.unknown-game", language, id="chess", known=KNOWN))
    bad(
        run("score", "chess", "--schema", *asked),
        told("core.unknown-game", language, id="chess", known=KNOWN),
    )
    bad(run("score", "race", "-", *asked, data=b""), told("score.empty", language))


# Games recorded by another engine


def logs(number: int) -> bytes:
    """The first so many recorded games, a line each."""
    with gzip.open(LOGS) as file:
        return b"".join(file.readline() for _ in range(number))


@pytest.mark.parametrize("language", LANGUAGES)
def test_recorded_games_are_replayed_and_compared(run: Run, tmp_path: Path, language: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(logs(1) + b"\n")
    ran = run("replay-log", str(file), "--language", language)
    assert (ran.code, ran.err) == (DONE, "")
    summary = json.loads(run("replay-log", str(file), "--json").out)
    assert (summary["games"], summary["mismatches"]) == (1, [])
    numbers = {"answers": summary["answers"], "checks": summary["checks"], "wrong": 0}
    assert ran.said == some("ui.log-replayed", 1, language, **numbers)
    assert summary["checks"] > summary["answers"] > 0


def test_recorded_games_may_be_packed_or_come_by_the_input(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress(logs(2)))
    packed = json.loads(run("replay-log", str(file), "--json").out)
    assert packed["games"] == 2
    assert json.loads(run("replay-log", "-", "--json", data=logs(2)).out) == packed


def test_a_recorded_game_that_differs_is_told_and_is_not_fine(run: Run) -> None:
    log = json.loads(logs(1))
    log["final"]["seats"][0]["score"] += 1
    ran = run("replay-log", "-", data=json.dumps(log).encode())
    assert ran.code == BAD_INPUT
    assert "final" in ran.out.splitlines()[0]
    assert "scores" in ran.out.splitlines()[0]
    assert (
        len(json.loads(run("replay-log", "-", "--json", data=json.dumps(log).encode()).out)["mismatches"])
        == 1
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "line",
    [b"nonsense", b"[]", b"{}", b'{"game": 1}', b'{"game": "x", "players": "two"}', b"\xff", logs(1)[:5000]],
    ids=["words", "list", "empty", "number", "players", "bytes", "cut off"],
)
def test_a_line_that_is_no_recorded_game(run: Run, line: bytes, language: str) -> None:
    ran = run("replay-log", "-", "--language", language, data=b"\n" + line + b"\n")
    assert (ran.code, ran.out) == (BAD_INPUT, "")
    beginning = told("cli.bad-log", language, file="-", line=2, why="#").partition("#")[0]
    assert flat(ran.err).startswith(beginning)
    assert "Traceback" not in ran.err


def test_recorded_games_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "none.jsonl"
    plain_text = tmp_path / "plain.jsonl.gz"
    plain_text.write_bytes(logs(1))
    short = tmp_path / "short.jsonl.gz"
    short.write_bytes(gzip.compress(logs(1))[:100])
    for file in (missing, plain_text, short, tmp_path):
        ran = run("replay-log", str(file))
        assert (ran.code, ran.out) == (BAD_INPUT, "")
        assert str(file) in ran.err
        assert "Traceback" not in ran.err
    assert run("replay-log", "-", data=b"").code == BAD_INPUT


def test_recorded_games_that_are_packed_wrongly(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl.gz"
    packed = bytearray(gzip.compress(logs(1)))
    packed[40:80] = bytes(40)
    file.write_bytes(packed)
    ran = run("replay-log", str(file))
    assert (ran.code, ran.out) == (BAD_INPUT, "")


# The journal in trouble


READERS = (("plays",), ("replay", "1"), ("export", "1"), ("check",))
WRITERS = (("play", "race", "--seats", "Celina,Darek"), ("resume", "1"))


def flip(file: Path, what: bytes) -> None:
    """Change one bit of this text in a file."""
    data = bytearray(file.read_bytes())
    data[data.index(what)] ^= 1
    file.write_bytes(data)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_damaged_journal_is_found_and_repaired(run: Run, home: Path, language: str) -> None:
    start(run, *OPENING)
    run("play", "race", "--seats", "Celina,Darek", lines=("new sparta",))
    journal = home / "journal.db"
    flip(journal, b"gem-world")
    asked = ("--language", language)
    trouble = some("storage.play-damaged", 4, language, play=1, file=str(journal))
    for command in ("resume", "replay", "export"):
        bad(run(command, "1", *asked), trouble, code=STORAGE)
    assert run("replay", "2").code == DONE
    found = run("check", *asked)
    assert found.code == STORAGE
    assert trouble in found.said
    assert told("ui.check-fine", language) not in found.said
    repaired = run("check", "--repair", *asked)
    assert repaired.code == DONE
    kept = journal.with_name("journal.damaged-1.db")
    assert told("ui.check-kept", language, file=str(kept)) in repaired.said
    assert told("ui.check-repaired", language) in repaired.said
    assert kept.exists()
    fine = run("check", *asked)
    assert fine.code == DONE
    assert told("ui.check-fine", language) in fine.said
    assert len(json.loads(run("export", "1").out)["entries"]) == 4
    assert told("core.of-seat", seat="Ania", text=say("race.ask.place-world")) in run("resume", "1").said


def test_check_is_fine_with_and_without_a_journal(run: Run, home: Path) -> None:
    ran = run("check")
    assert (ran.code, ran.err) == (DONE, "")
    assert told("ui.check-fine") in ran.said
    assert not home.exists()
    start(run, *OPENING)
    ran = run("check")
    assert ran.code == DONE
    assert some("ui.check-journal", 1, file=str(home / "journal.db"), entries=6) in ran.said
    before = (home / "journal.db").read_bytes()
    repaired = run("check", "--repair")
    assert repaired.code == DONE
    assert told("ui.check-fine") in repaired.said
    assert (home / "journal.db").read_bytes() == before
    assert list(home.glob("*damaged*")) == []


def test_check_finds_a_play_this_version_cannot_replay(run: Run, home: Path) -> None:
    start(run, "new sparta")
    with Store(home / "journal.db") as store:
        Journal(store).append(1, 1, 5.0, b'{"at":5.0,"deed":{"type":"bribe"}}')
    ran = run("check")
    assert ran.code == STORAGE
    beginning = told("core.cannot-replay", play=1, why="#").partition("#")[0]
    assert beginning in ran.said
    ran = run("resume", "1")
    assert (ran.code, ran.out) == (STORAGE, "")
    assert flat(ran.err).startswith(beginning)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", [*READERS, *WRITERS, ("check", "--repair")], ids=" ".join)
def test_a_journal_of_a_newer_version_is_left_alone(
    run: Run, home: Path, command: tuple[str, ...], language: str
) -> None:
    start(run, *OPENING)
    journal = home / "journal.db"
    with closing(sqlite3.connect(journal)) as db:
        db.execute("PRAGMA user_version = 99")
    before = journal.read_bytes()
    ran = run(*command, "--language", language)
    assert ran.code == STORAGE
    assert flat(ran.err) == told("storage.newer-version", language, file=str(journal))
    assert journal.read_bytes() == before


@pytest.mark.parametrize("command", [*READERS, *WRITERS, ("check", "--repair")], ids=" ".join)
def test_a_file_that_is_not_ours_is_left_alone(run: Run, home: Path, command: tuple[str, ...]) -> None:
    home.mkdir()
    journal = home / "journal.db"
    journal.write_text("Shopping: milk, bread, lanterns\n" * 50)
    before = journal.read_bytes()
    ran = run(*command)
    assert ran.code == STORAGE
    assert flat(ran.err) == told("storage.not-ours", file=str(journal))
    assert journal.read_bytes() == before


@pytest.fixture
def guarded(run: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with a journal that may only be read, in a folder that may only be looked at."""
    start(run, *OPENING)  # also loads everything that is read only when it is needed
    for command in READERS:
        run(*command)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home = folder / "home"
        folder.chmod(0o755)
        set_home(monkeypatch, home)
        start(run, *OPENING)
        (home / "journal.db").chmod(0o444)
        home.chmod(0o555)
        try:
            yield home
        finally:
            home.chmod(0o755)


def test_a_read_only_journal_can_be_looked_at(run: Run, guarded: Path) -> None:
    for command in READERS:
        expected = run(*command)
        with unprivileged():
            ran = run(*command)
        assert (ran.code, ran.err) == (DONE, "")
        assert ran == expected
    assert "Ania, Bartek" in run("plays").said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", WRITERS, ids=" ".join)
def test_a_read_only_journal_is_not_written(
    run: Run, guarded: Path, command: tuple[str, ...], language: str
) -> None:
    journal = guarded / "journal.db"
    before = journal.read_bytes()
    with unprivileged():
        ran = run(*command, "--language", language, lines=("settle",))
    assert ran.code == STORAGE
    assert flat(ran.err) == told("storage.read-only", language, file=str(journal))
    assert journal.read_bytes() == before


@pytest.mark.parametrize("deeper", ["", "deeper/still"])
def test_a_folder_in_which_nothing_can_be_made(
    run: Run, guarded: Path, monkeypatch: pytest.MonkeyPatch, deeper: str
) -> None:
    guarded.chmod(0o755)
    (guarded / "journal.db").unlink()
    guarded.chmod(0o555)
    monkeypatch.setenv("COMPANION_HOME", str(guarded / deeper))
    with unprivileged():
        ran = run("play", "race", "--seats", "A,B")
        assert run("plays").said == told("ui.no-plays", game="race")
    assert (ran.code, ran.out) == (STORAGE, "")
    journal = str(guarded / deeper / "journal.db")
    assert flat(ran.err).startswith(told("storage.cannot-open", file=journal, why="#").partition("#")[0])
    assert list(guarded.iterdir()) == []


def test_a_home_that_is_a_file(run: Run, home: Path) -> None:
    home.write_text("not a folder")
    ran = run("play", "race", "--seats", "A,B")
    assert (ran.code, ran.out) == (STORAGE, "")
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_disk_keeps_all_that_was_confirmed(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """SQLite finds that the disk ends where the file does."""
    start(run, *OPENING)
    journal = home / "journal.db"

    def on_a_full_disk(*arguments: Any) -> sqlite3.Connection:
        made = opened(*arguments)
        made.execute("PRAGMA max_page_count = 1")  # not below what there is
        return made

    opened = stores.open_to_write
    with monkeypatch.context() as patch:
        patch.setattr(stores, "open_to_write", on_a_full_disk)
        words = {"en": "fix chips bartek", "pl": "popraw zetony bartek"}[language]
        lines = tuple(f"{words} = {n % 2 + 1}" for n in range(150))
        ran = run("resume", "1", "--language", language, lines=lines)
    assert ran.code == STORAGE
    assert flat(ran.err) == told("storage.full", language, file=str(journal))
    fixed = [entry["body"]["deed"] for entry in json.loads(run("export", "1").out)["entries"]]
    confirmed = sum(deed["type"] == "correct" for deed in fixed)
    said = ran.said.count(told("race.counter.chips", language, seat="Bartek"))
    assert said == confirmed > 0
    assert confirmed < 150
    assert run("check").code == DONE
    assert run("resume", "1", lines=("produce",)).code == DONE
    assert len(json.loads(run("export", "1").out)["entries"]) > len(fixed)


# Devices and bugs


def test_trouble_with_a_device(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(options: object) -> int:
        raise DeviceTrouble("the camera does not answer")

    monkeypatch.setattr(plays, "run", broken)
    bad(run("plays"), "the camera does not answer", code=DEVICE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bug_is_told_with_where_it_is(run: Run, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    def broken(options: object) -> int:
        raise RuntimeError("never thought of")

    monkeypatch.setattr(plays, "run", broken)
    ran = run("plays", "--language", language)
    assert (ran.code, ran.out) == (BUG, "")
    assert flat(ran.err.splitlines()[0]) == told("cli.bug", language)
    assert "RuntimeError: never thought of" in ran.err


def test_an_interrupted_command_is_no_bug(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(plays, "run", interrupted)
    ran = run("plays")
    assert ran.code == DONE
    assert "Traceback" not in ran.err


# As a program of its own


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, **more}


def program(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    environ = environment(**options.pop("environ", {}))
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "input": b""} | options
    module = "workshop" if is_tool(arguments) else "companion.cli"
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], env=environ, timeout=PATIENCE, **options
    )


def test_a_round_as_a_program_of_its_own(home: Path) -> None:
    typed = "".join(f"{line}\n" for line in OPENING).encode()
    ran = program("play", "race", "--seats", "Ania,Żaneta", input=typed)
    assert (ran.returncode, ran.stderr) == (DONE, b"")
    assert "Żaneta" in ran.stdout.decode()
    exported = json.loads(program("export", "1").stdout)
    assert exported["state"]["seats"][0]["tableau"] == ["new-sparta", "gem-world"]
    assert program("nonsense").returncode == BAD_INPUT
    assert program("replay", "9").returncode == BAD_INPUT


def test_a_terminal_that_knows_only_ascii_does_not_stop_polish(home: Path) -> None:
    environ = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    ran = program("plays", "--language", "pl", environ=environ)
    assert ran.returncode == DONE
    assert flat(ran.stdout.decode()) == told("ui.no-plays", "pl", game="race")


@pytest.mark.parametrize(
    "command",
    [
        ("demo", *BLIND),
        ("bots", "race", "--games", "1", "--json"),
    ],
    ids=["demo", "json"],
)
def test_a_reader_that_goes_away_is_no_bug(home: Path, command: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = program(*command, stdout=writing)
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (DONE, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full to write to")
@pytest.mark.parametrize(
    "command", [("demo", *BLIND), ("bots", "race", "--games", "1", "--json")], ids=["demo", "json"]
)
def test_an_output_that_is_full_is_no_bug(home: Path, command: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        ran = program(*command, stdout=full)
    assert ran.returncode == STORAGE
    assert b"Traceback" not in ran.stderr


def test_interrupted_at_the_table_everything_is_saved(home: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "play", "race", "--seats", "Ania,Bartek"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(b"new sparta\n")
        child.stdin.flush()
        shown = b""
        question = render(of_seat("Bartek", say("race.ask.start-world")), "en").encode()
        while question not in shown:
            more = child.stdout.readline()
            assert more, "it ended too early"
            shown += more
        child.stdout.read1(1)  # the question is being written: soon it waits for a line
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, err) == (DONE, b"")
    assert flat(out.decode()).endswith(told("ui.saved", n=1))
    assert len(json.loads(program("export", "1").stdout)["entries"]) == 1


def test_bytes_that_are_no_text_are_not_taken_and_are_no_bug(home: Path) -> None:
    """In most languages' terminals Python reads strictly; a paste may be anything."""
    environ = {"PYTHONIOENCODING": "utf-8:strict"}
    typed = b"new sparta\n\xff\xfe\nold earth\n"
    ran = program("play", "race", "--seats", "Ania,Bartek", input=typed, environ=environ)
    assert (ran.returncode, ran.stderr) == (DONE, b"")
    assert len(json.loads(program("export", "1").stdout)["entries"]) == 2


def test_a_play_needs_a_game_or_a_flow(run: Run, home: Path) -> None:
    ran = run("play", "--text")
    assert (ran.code, ran.out) == (BAD_INPUT, "")
    assert ran.err == render(say("cli.no-game"), "en") + "\n"
