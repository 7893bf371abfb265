"""`companion stats`: figures of the plays in the journal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.annotations import TypedResult, TypedSeat
from companion.core.journal import Journal
from companion.core.store import Store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    with Store(tmp_path / "journal.db") as store:
        for day in range(6):
            seats = (TypedSeat("Zosia", 40 + day), TypedSeat("=Ola", 42))
            Journal(store).annotations.add(TypedResult("race", 1e9 + day * 86400, seats, 45), 2e9)
    return tmp_path


def test_figures_are_printed_in_both_languages(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--game", "Race for the Galaxy"]) == 0
    said = capsys.readouterr().out
    assert "6 plays" in said
    assert "typed in: 6" in said
    assert any(
        line.split()[0] == "Zosia" and line.endswith("42.5 of 6")
        for line in said.splitlines()
        if line.split()
    )
    assert "3:2" in said
    assert main(["stats", "--language", "pl"]) == 0
    assert "42,5 z 6" in capsys.readouterr().out


def test_few_plays_are_shown_themselves(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--find", "nobody"]) == 0
    assert "0 plays" in capsys.readouterr().out
    assert main(["stats", "--seats", "3"]) == 0
    assert "Averages from 5 plays on" in capsys.readouterr().out


def test_other_programs_get_tables_and_json(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--format", "csv", "--output", str(home / "plays.csv")]) == 0
    written = (home / "plays.csv").read_bytes()
    assert written.startswith(b"\xef\xbb\xbfplay,game,")
    assert b",'=Ola,42," in written
    assert main(["stats", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["evenings"]) == 6
    assert main(["stats", "--format", "svg"]) == 0
    assert capsys.readouterr().out.startswith("<svg ")


def test_an_unknown_game_is_bad_input(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--game", "Monopoly"]) == 2
    assert "Monopoly" in capsys.readouterr().err
