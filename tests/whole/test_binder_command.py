"""`companion binder`: taught facts printed and taken over; and a schema of what can be taught."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core.binder import Binder
from companion.core.store import Store
from companion.errors import BAD_INPUT, DONE
from tests.laws.schema import faults

FACTS = Path(__file__).parent.parent / "core" / "data" / "facts-of-numbers-and-names.json"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["binder", "export", "race"]) == DONE
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {f"{fact['component']}.{fact['field']}": fact["value"] for fact in found["facts"]}


def test_what_contradicts_the_rulebook_is_taken_over_only_if_somebody_insists(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["binder", "import", "race", str(FACTS)]) == BAD_INPUT
    assert "The rulebook counts 5 of these" in capsys.readouterr().err
    assert told(capsys) == {}
    assert main(["binder", "import", "race", str(FACTS), "--insist"]) == DONE
    assert "2 facts are new or different" in capsys.readouterr().out
    assert told(capsys) == {"old-earth.points": 3, "alpha-centauri.good": "genes"}


def test_what_cannot_be_printed_is_refused_however_much_somebody_insists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = json.loads(FACTS.read_text())
    sheet["facts"][0]["value"] = 12
    (tmp_path / "wrong.json").write_text(json.dumps(sheet))
    assert main(["binder", "import", "race", str(tmp_path / "wrong.json"), "--insist"]) == BAD_INPUT
    shown = capsys.readouterr().err
    assert "old-earth.points cannot be 12: it is a whole number from 0 to 9." in shown
    assert told(capsys) == {}


def test_the_schema_says_what_a_file_can_tell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", "schema", "race"]) == DONE
    schema = json.loads(capsys.readouterr().out)
    sheet = json.loads(FACTS.read_text())
    assert faults(sheet, schema) == []
    assert main(["binder", "import", "race", str(FACTS), "--insist"]) == DONE
    capsys.readouterr()
    assert main(["binder", "export", "race"]) == DONE
    assert faults(json.loads(capsys.readouterr().out), schema) == []
    for wrong in (
        {"value": 10},
        {"field": "name"},
        {"component": "nobody"},
        {"game": "eclipse"},
        {"at": "now"},
    ):
        spoilt = {**sheet, "facts": [{**sheet["facts"][0], **wrong}]}
        assert faults(spoilt, schema), wrong
    assert faults({**sheet, "version": 2}, schema)


def test_a_game_nobody_knows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", "export", "chess"]) == BAD_INPUT
    assert "chess" in capsys.readouterr().err


@pytest.mark.parametrize(
    "given", [["import", "race"], ["merge", "race"], ["check", "race", "x"], ["schema", "race", "x"]]
)
def test_only_other_peoples_files_must_be_named(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", *given]) == BAD_INPUT
    assert "FILE" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--ours", "--theirs", "--dry-run"])
def test_what_is_for_merging_only_is_refused_elsewhere(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", "import", "race", str(FACTS), flag]) == BAD_INPUT
    assert "binder merge" in capsys.readouterr().err


def test_a_box_is_written_whole_and_never_over_another_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["binder", "import", "race", str(FACTS), "--insist"])
    assert main(["binder", "export", "race", str(tmp_path)]) == DONE
    box = tmp_path / "race-box.json"
    shown = "".join(capsys.readouterr().out.split())  # wherever the terminal breaks a long path
    assert f"{box}has2facts." in shown
    assert {fact["value"] for fact in json.loads(box.read_text())["facts"]} == {3, "genes"}
    before = box.read_bytes()
    assert main(["binder", "export", "race", str(tmp_path)]) == BAD_INPUT
    assert "is there already" in capsys.readouterr().err
    assert main(["binder", "export", "race", str(tmp_path / "other.json")]) == DONE
    assert box.read_bytes() == before == (tmp_path / "other.json").read_bytes()


@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("what", ["import", "merge"])
def test_whatever_is_no_box_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, language: str
) -> None:
    sheet = json.loads(FACTS.read_text())
    first = sheet["facts"][0]
    bad = {
        "broken": FACTS.read_bytes()[:-30],
        "other-game": json.dumps({**sheet, "game": "eclipse"}).encode(),
        "newer": json.dumps({**sheet, "version": 9}).encode(),
        "types": json.dumps({**sheet, "facts": [{**first, "value": "three"}]}).encode(),
        "unknown": json.dumps({**sheet, "facts": [{**first, "component": "x" * 9000}]}).encode(),
        "nested": b"[" * 1_000_000,
        "bytes": bytes(range(256)),
        "empty": b"",
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
        assert main(["--language", language, "binder", what, "race", str(tmp_path / name)]) == BAD_INPUT, name
        shown = capsys.readouterr().err
        assert "Traceback" not in shown
        assert "{" not in shown
        assert 20 < len(shown) < 800, name
    with (tmp_path / "large").open("wb") as file:
        file.truncate(100_000_000)
    assert main(["--language", language, "binder", what, "race", str(tmp_path / "large")]) == BAD_INPUT
    assert "10 MB" in capsys.readouterr().err
    assert told(capsys) == {}


# How far it is


def test_a_box_without_faults_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", "check", "race"]) == DONE
    shown = capsys.readouterr().out
    assert "Worlds: 64 of 64" in shown
    assert "Nothing told contradicts" in shown


def test_what_disagrees_is_named_with_the_likely_culprit_and_tells_by_the_exit_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["binder", "import", "race", str(FACTS), "--insist"]) == DONE
    capsys.readouterr()
    assert main(["binder", "check", "race"]) == BAD_INPUT
    shown = " ".join(capsys.readouterr().out.split())
    assert "Worlds: 64 of 64, 1 disagrees with the rulebook’s counts" in shown
    assert "Look at: Alpha Centauri" in shown


# Two boxes


@pytest.fixture
def boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ours says one thing about Old Earth and Gem World, theirs another about Old Earth and something new."""
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    with Store(tmp_path / "home" / "journal.db") as store:
        Binder(store).teach("race", "old-earth", "points", 3, 1_790_000_000.0, by="Ania")
        Binder(store).teach("race", "gem-world", "points", 2, 1_790_000_000.0, by="Ania")
    with Store(tmp_path / "theirs" / "journal.db") as store:
        Binder(store).teach("race", "old-earth", "points", 4, 1_800_000_000.0, by="Ola")
        Binder(store).teach("race", "gem-world", "points", 2, 1_800_000_000.0, by="Ola")
        Binder(store).teach("race", "alpha-centauri", "points", 1, 1_800_000_000.0)
        (tmp_path / "race-box.json").write_text(json.dumps(Binder(store).export("race")))
    return tmp_path / "race-box.json"


OURS = {"old-earth.points": 3, "gem-world.points": 2}
MERGED = {**OURS, "alpha-centauri.points": 1}


@pytest.mark.parametrize(("flag", "points"), [("--ours", 3), ("--theirs", 4)])
def test_merging_takes_what_is_new_and_decides_all_alike(
    boxes: Path, capsys: pytest.CaptureFixture[str], flag: str, points: int
) -> None:
    assert main(["binder", "merge", "race", str(boxes), flag]) == DONE
    shown = capsys.readouterr().out
    assert "1 fact is new." in shown
    assert "1 fact is the same." in shown
    assert "1 fact differs." in shown
    assert told(capsys) == {**MERGED, "old-earth.points": points}


def test_without_a_terminal_nobody_decides_and_nothing_changes(
    boxes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["binder", "merge", "race", str(boxes)]) == BAD_INPUT
    shown = capsys.readouterr()
    assert "--ours or --theirs" in shown.err
    assert re.search(r"Old Earth: .*points +3 +4 *\n +Ania, 2026-09-21 +Ola, 2027-01-15", shown.out)
    assert told(capsys) == OURS


def test_a_dry_run_shows_the_difference_and_changes_nothing(
    boxes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["binder", "merge", "race", str(boxes), "--dry-run"]) == DONE
    assert "Ola, 2027-01-15" in capsys.readouterr().out
    assert told(capsys) == OURS


@pytest.mark.parametrize(
    ("language", "typed", "points"),
    [("en", ["x", "", "theirs"], 4), ("en", ["o"], 3), ("pl", ["ich"], 4), ("pl", ["nasze"], 3)],
)
def test_at_a_terminal_each_difference_is_asked_about(
    boxes: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    typed: list[str],
    points: int,
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("\n".join(typed) + "\n"))
    assert main(["--language", language, "binder", "merge", "race", str(boxes)]) == DONE
    capsys.readouterr()
    assert told(capsys) == {**MERGED, "old-earth.points": points}


def test_stopping_half_way_changes_nothing(
    boxes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    assert main(["binder", "merge", "race", str(boxes)]) == BAD_INPUT
    capsys.readouterr()
    assert told(capsys) == OURS


def test_a_merge_that_breaks_the_rulebooks_counts_needs_insisting(
    boxes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["binder", "merge", "race", str(FACTS), "--theirs"]) == BAD_INPUT
    assert "--insist" in capsys.readouterr().err
    assert told(capsys) == OURS
    assert main(["binder", "merge", "race", str(FACTS), "--theirs", "--insist"]) == DONE


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True
