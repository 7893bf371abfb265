"""`companion flow` and light plays at the terminal."""

from __future__ import annotations

import builtins
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from companion.cli import main
from companion.commands.flow import example
from companion.core.entries import Lightened
from companion.core.flow.file import TABLES
from companion.core.flow.format import GameFlow, TurnsOf
from companion.core.flow.library import accept
from companion.core.journal import Journal
from companion.core.play import read
from companion.core.store import Store
from companion.errors import BAD_INPUT, DONE

COUNTED = 5
"""The chips tapped in the light play of Race."""
GOOD = """id = "mine"
name = "My box"
seats = [2]
rounds = 1
[[phase]]
id = "go"
turns = 1
[[score]]
id = "coins"
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    return tmp_path


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Answer every prompt with the next of these lines."""
    typed: Iterator[str] = iter(lines)

    def ask(prompt: object = "") -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(builtins, "input", ask)


def test_check_tells_every_problem_with_its_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = home / "a.toml"
    file.write_text(GOOD)
    assert main(["flow", "check", str(file)]) == DONE
    assert "My box" in capsys.readouterr().out
    file.write_text(GOOD.replace("turns = 1", 'turns = "pas"').replace("rounds", "rouds"))
    assert main(["flow", "check", str(file)]) == BAD_INPUT
    told = capsys.readouterr().err
    assert "Line 4" in told
    assert "Line 7" in told
    assert main(["flow", "check"]) == BAD_INPUT
    assert main(["flow", "check", str(home / "none.toml")]) == BAD_INPUT
    file.write_text(GOOD.replace("mine", "race"))
    assert main(["flow", "check", str(file)]) == BAD_INPUT


def test_the_example_is_good_and_never_overwrites(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = home / "new.toml"
    assert main(["flow", "new", str(file)]) == DONE
    assert f"./runflowcheck{file}" in "".join(capsys.readouterr().out.split()), "lines end at 80 columns"
    assert accept(file.read_bytes()) == example()
    assert main(["flow", "new", str(file)]) == BAD_INPUT
    assert "wiring" not in capsys.readouterr().err
    assert main(["flow", "new"]) == DONE
    assert example() in capsys.readouterr().out


def test_list_and_schema(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "flows").mkdir()
    (home / "flows" / "a.toml").write_text(GOOD)
    (home / "flows" / "b.toml").write_text("id = 1")
    assert main(["flow", "list"]) == DONE
    told = capsys.readouterr().out
    assert "My box" in told
    assert "Wingspan" in told
    assert "b, " in told
    assert main(["flow", "schema"]) == DONE
    assert "FlowPhase" in json.loads(capsys.readouterr().out)["$defs"]


def test_a_play_of_your_own_game(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the file to the sheet; then it is listed, replayed and exported without the file."""
    file = home / "a.toml"
    file.write_text(GOOD)
    typing(monkeypatch, "Ania", "", "", '{"coins":3}', '{"coins":5}', "")
    assert main(["play", "--text", "--flow", str(file), "--seats", "Ania,Bartek"]) == DONE
    told = capsys.readouterr().out
    assert "Bartek" in told.splitlines()[-2] or "Bartek" in told
    file.unlink()
    assert main(["plays"]) == DONE
    assert "My box" in capsys.readouterr().out
    assert main(["stats"]) == DONE
    assert "My box" in capsys.readouterr().out
    assert main(["replay", "1"]) == DONE
    assert "Bartek" in capsys.readouterr().out
    assert main(["export", "1"]) == DONE
    exported = json.loads(capsys.readouterr().out)
    assert exported["sheet"]["winners"] == ["Bartek"]
    assert exported["setup"]["flow"] == GOOD


def test_a_light_play_is_scored_by_the_full_scorer(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The chips counted in the play are confirmed by Enter."""
    lines = ["IV Consume", "7", "Twelve cards", "round is over", ""]
    lines += ["old earth", "alpha centauri", "", "0", "0", "0"]
    typing(monkeypatch, *lines, "")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["play", "race", "--light", "--text", "--seats", "Ania,Bartek"]) == DONE
    assert main(["export", "1"]) == DONE
    exported = json.loads(capsys.readouterr().out.partition("\n{")[2].join(("{", "")))
    assert [seat["name"] for seat in exported["sheet"]["seats"]] == ["Ania", "Bartek"]
    assert exported["sheet"]["winners"] == ["Ania"]
    chips = next(line for line in exported["sheet"]["seats"][0]["lines"] if line["what"] == "chips")
    assert chips["points"] == COUNTED


def test_going_down_at_the_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is asked first, undo leads back, and it is refused in a play that is light already."""
    lines = ["light", "no", "light", "yes", "undo", "lżej", "tak", "light"]
    typing(monkeypatch, *lines, "")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["play", "eclipse", "--text", "--seats", "Ania,Bartek"]) == DONE
    told = capsys.readouterr().out
    assert told.count("Only undo leads back") == 3
    with Store(home / "journal.db") as store:
        moments = read(Journal(store).load(1)).session.moments
    deeds = [type(moment.entry.deed) for moment in moments if moment.entry is not None]
    assert deeds == [Lightened]
    assert "with turns and pools only from here" in told, "it is light already"


COUNTING = """id = "gold"
name = "Gold"
seats = [2]
rounds = 1
[[counter]]
id = "gold"
[[counter]]
id = "heat"
of = "table"
[[phase]]
id = "go"
who = "all"
[[score]]
id = "gold"
counter = "gold"
[[score]]
id = "coins"
"""


def test_any_number_is_counted_in_one_line_and_can_be_fixed(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "gold.toml"
    file.write_text(COUNTING)
    lines = [
        "ania +14",
        "gold +1",
        "Ania Gold -2",
        "+7 heat",
        "heat -20",
        "fix bartek gold = 20",
        "fix x",
        "",
        "",
        "1",
    ]
    typing(monkeypatch, *lines, "", "0", "")
    assert main(["play", "--text", "--flow", str(file), "--seats", "Ania,Bartek"]) == DONE
    out = capsys.readouterr().out
    told = " ".join(out.split())
    assert "could be 2 things: Ania: Gold, Bartek: Gold" in told, "gold of whom?"
    assert "Heat 7" in told.replace("\u00a0", " ")
    assert "ania gold = " in told, "an example of a correction"
    assert "as JSON" not in told
    assert "once" not in told
    assert main(["export", "1"]) == DONE
    exported = json.loads(capsys.readouterr().out)
    assert [seat["total"] for seat in exported["sheet"]["seats"]] == [13, 20]


def test_flow_alone_says_what_can_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flow"]) == BAD_INPUT
    assert "flow check FILE" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["play", "play nothing --light", "play race --light --flow x"])
def test_what_cannot_be_played(words: str) -> None:
    try:
        code = main([*words.split(), "--text", "--seats", "A,B"])
    except SystemExit as stopped:
        code = int(str(stopped.code))
    assert code == BAD_INPUT


PAGE = (Path(__file__).parent.parent.parent / "docs" / "your-own-game.md").read_text("utf-8")


def test_the_examples_of_the_page_are_good() -> None:
    """The first is a whole flow; the others can be added to it, each alone and all together."""
    whole, *parts = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    assert len(parts) == 4
    for text in (whole, *(whole + part for part in parts), whole + "".join(parts)):
        accept(text.encode())


def test_the_flow_of_the_page_is_played_as_the_page_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Six rounds of two turns and a market; then houses, and because of a tie coins."""
    file = home / "harbour.toml"
    file.write_text(re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)[0])
    rounds = ["", "", ""] * 6
    typing(monkeypatch, "Ania", *rounds, '{"houses":4}', '{"houses":4}', "1", "3", "")
    assert main(["play", "--text", "--flow", str(file), "--seats", "Ania,Bartek"]) == DONE
    assert main(["export", "1"]) == DONE
    exported = json.loads(capsys.readouterr().out.partition("\n{")[2].join(("{", "")))
    assert exported["sheet"]["winners"] == ["Bartek"]
    assert [seat["total"] for seat in exported["sheet"]["seats"]] == [4, 4]


def test_a_play_ends_early_as_the_page_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "harbour.toml"
    file.write_text(re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)[0])
    (stop,) = re.findall(r"`(fix [a-z ]+ = 1)` ends the play", PAGE)
    typing(monkeypatch, "Ania", "ania cargo +3", "", stop, '{"houses":4}', "{}", "")
    assert main(["play", "--text", "--flow", str(file), "--seats", "Ania,Bartek"]) == DONE
    assert main(["export", "1"]) == DONE
    exported = json.loads(capsys.readouterr().out.partition("\n{")[2].join(("{", "")))
    assert exported["sheet"]["winners"] == ["Ania"]


def test_the_page_explains_every_word_of_a_flow() -> None:
    for kind in (GameFlow, TurnsOf, *TABLES.values()):
        for field in structs.fields(kind):
            assert re.search(rf"(?m)(?:^|[`\[{{ ]){re.escape(field.encode_name)}\b", PAGE), field.encode_name
