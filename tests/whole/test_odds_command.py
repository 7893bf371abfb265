"""`companion odds`: a file with two fleets in, odds out; all errors are reported together."""

from __future__ import annotations

import gc
import io
import json
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.commands.odds import patience, worked_out
from companion.core.parts import OutOfTime
from companion.core.words import plain
from companion.errors import BAD_INPUT, DONE, DataTrouble

INTERCEPTOR: dict[str, Any] = {
    "type": "int",
    "n": 1,
    "init": 3,
    "hull": 0,
    "comp": 0,
    "shield": 0,
    "cannons": [1, 0, 0],
    "missiles": [0, 0, 0],
}
DUEL = {"id": "duel", "attacker": [INTERCEPTOR], "defender": [INTERCEPTOR]}


@pytest.fixture
def duel(tmp_path: Path) -> str:
    file = tmp_path / "duel.json"
    file.write_text(json.dumps(DUEL))
    return str(file)


def test_as_json(duel: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "eclipse", duel, "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found["attacker_win"] == pytest.approx(5 / 11, abs=1e-9)
    assert found["defender_win"] == pytest.approx(6 / 11, abs=1e-9)
    assert found["survivors"]["attacker"]["int"] == pytest.approx([6 / 11, 5 / 11], abs=1e-9)
    assert found["survivors"]["defender"]["int"] == pytest.approx([5 / 11, 6 / 11], abs=1e-9)


@pytest.mark.parametrize(("language", "words"), [("en", "attacker wins: 45.5%"), ("pl", "atakujący: 45,5%")])
def test_in_sentences(duel: str, language: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "eclipse", duel, "--language", language]) == DONE
    assert words in capsys.readouterr().out


def test_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(DUEL).encode())))
    assert main(["odds", "eclipse", "-", "--json"]) == DONE
    assert "attacker_win" in capsys.readouterr().out


@pytest.mark.parametrize("searched", [True, False])
def test_nobody_waits_for_a_search_for_garbage(searched: bool) -> None:
    """With a million small values that search takes longer than anybody waits: they are freed before it."""
    seen: list[bool] = []
    made: list[weakref.ref[set[int]]] = []

    def maker(battle: dict[str, Any], breathe: Any) -> Any:
        breathe()
        values = set(range(1_000))
        made.append(weakref.ref(values))
        seen.append(gc.isenabled())
        raise DataTrouble(plain("enough"))

    before = gc.isenabled()
    gc.enable() if searched else gc.disable()
    try:
        try:
            worked_out(maker, DUEL, 1.0)
        except DataTrouble:
            assert made[0]() is None
        assert seen == [False]
        assert gc.isenabled() is searched, "as it was"
    finally:
        gc.enable() if before else gc.disable()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"attacker": NaN}', b"{}"])
def test_files_that_are_no_battle(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.json"
    file.write_bytes(data)
    assert main(["odds", "eclipse", str(file)]) == BAD_INPUT
    told = capsys.readouterr()
    assert told.err
    assert not told.out
    assert "Traceback" not in told.err


def test_all_problems_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.json"
    file.write_text(
        json.dumps(
            {"attacker": [INTERCEPTOR | {"type": "ufo", "hull": -1}, INTERCEPTOR | {"n": 20}], "defender": []}
        )
    )
    assert main(["odds", "eclipse", str(file), "--language", "en"]) == BAD_INPUT
    told = capsys.readouterr().err
    for words in ("attacker[0].type", "ufo", "attacker[0].hull", "attacker[1].n", "defender"):
        assert words in told


def test_no_such_file_or_game(tmp_path: Path, duel: str) -> None:
    assert main(["odds", "eclipse", str(tmp_path / "nothing.json")]) == BAD_INPUT
    assert main(["odds", "race", duel]) == BAD_INPUT
    assert main(["odds", "../race", duel]) == BAD_INPUT


@pytest.mark.parametrize(("language", "words"), [("en", "Estimated"), ("pl", "Oszacowanie")])
def test_without_time_the_odds_are_estimated(
    duel: str, language: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", "eclipse", duel, "--patience", "0", "--language", language]) == DONE
    assert words in capsys.readouterr().out
    assert main(["odds", "eclipse", duel, "--patience", "0", "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert abs(found["attacker_win"] - 5 / 11) < found["error"] < 0.08


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", "3601"])
def test_a_patience_nobody_has_is_refused(seconds: str, duel: str) -> None:
    assert main(["odds", "eclipse", duel, f"--patience={seconds}", "--language", "en"]) == BAD_INPUT


def test_patience_ends_when_its_seconds_are_over() -> None:
    now = [100.0]
    breathe = patience(1.5, lambda: now[0])
    now[0] = 101.4
    breathe()
    now[0] = 101.5
    with pytest.raises(OutOfTime):
        breathe()
