"""`companion binder`: what was taught, printed and taken over; and a schema of what could be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
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


def test_the_schema_says_what_can_be_taught(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", "schema", "race"]) == DONE
    schema = json.loads(capsys.readouterr().out)
    assert faults({"old-earth.points": 3, "alpha-centauri.good": "genes"}, schema) == []
    assert faults({"old-earth.points": 10}, schema)
    assert faults({"alpha-centauri.good": "tin"}, schema)
    assert faults({"old-earth.name": "x"}, schema)


def test_a_game_nobody_knows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", "export", "chess"]) == BAD_INPUT
    assert "chess" in capsys.readouterr().err


@pytest.mark.parametrize("given", [["import", "race"], ["export", "race", "x.json"]])
def test_only_taking_over_needs_a_file(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["binder", *given]) == BAD_INPUT
    assert "FILE" in capsys.readouterr().err
