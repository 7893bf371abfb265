"""`companion wiring` and `companion devices test` as people type them."""

from __future__ import annotations

import json
import os
import string
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import cli
from companion.core.words import Text, say
from companion.errors import BAD_INPUT, DEVICE, DONE, STORAGE
from companion.texts import LANGUAGES, catalogue, render
from devices.simulator import SimulatedLines
from devices.wiring_config import default, load, toml
from devices.words import ENGLISH
from tests.devices.test_panel import MIXED


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An owner with nothing of their own yet."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.chdir(tmp_path)
    return tmp_path


Type = Callable[[str], None]


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Type]:
    """Lines that stand ready at the terminal, which then ends."""
    reader, writer = os.pipe()
    with open(reader, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)

        def typed(lines: str) -> None:
            os.write(writer, lines.encode())
            os.close(writer)

        yield typed


def test_what_devices_say_exists_in_every_language() -> None:
    for slug, sentence in ENGLISH.items():
        names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
        said = Text(f"devices.{slug}", dict.fromkeys(names, "x"))
        assert catalogue("en").gettext(f"devices.{slug}") == sentence
        assert render(said, "pl") != f"devices.{slug}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plan(language: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["wiring", "--language", language]) == DONE
    told = capsys.readouterr().out
    assert "GPIO 17" in told
    assert render(say("devices.wiring-parts"), language) in told
    assert "devices." not in told
    assert (
        cli.main(["wiring", "--language", language, "--seats", "6", "--counters", "--svg", "plan.svg"])
        == DONE
    )
    assert "0x75" in (home / "plan.svg").read_text(encoding="utf-8")
    ET.parse(home / "plan.svg")
    assert cli.main(["wiring", "--svg", "-"]) == DONE
    assert "<svg" in capsys.readouterr().out


def test_a_wiring_of_ones_own(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["wiring", "--seats", "3", "--toml", "mine.toml"]) == DONE
    assert load(home / "mine.toml") == default(3)
    assert cli.main(["wiring", "--seats", "4", "--toml", "mine.toml"]) == BAD_INPUT
    assert load(home / "mine.toml") == default(3)
    assert cli.main(["wiring", "--table", "mine.toml"]) == DONE
    assert "3 seats" in capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_wiring(language: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = toml(default(4)).replace("button = 22", "button = 17").replace("undo", "undoo")
    (home / "bad.toml").write_text(text)
    for command in (["wiring"], ["devices", "test", "--yes"]):
        assert cli.main([*command, "--table", "bad.toml", "--language", language]) == BAD_INPUT
        told = capsys.readouterr().err
        assert told.count("\n- ") == 2
        assert "GPIO 22" in told
        assert "undoo" in told
        assert "devices." not in told
    assert cli.main(["wiring", "--table", "none.toml"]) == BAD_INPUT
    assert cli.main(["wiring", "--seats", "9"]) == BAD_INPUT
    assert cli.main(["wiring", "--svg", "no/such/folder.svg"]) == STORAGE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_walk_by_itself(language: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "mixed.toml").write_text(toml(MIXED))
    names = ["--names", "Ania,Bartek", "--language", language]
    assert cli.main(["devices", "test", "--simulate", "--yes", "--table", "mixed.toml", *names]) == DONE
    told = capsys.readouterr().out
    assert "Ania, " in told
    assert "panel." not in told.replace("docs/panel.md", "")
    report = json.loads((home / "devices-report.json").read_text(encoding="utf-8"))
    assert report["fine"]
    assert report["simulated"]
    assert {part["result"] for part in report["parts"]} == {"fine"}
    assert [part["part"] for part in report["parts"] if part["seat"] is None] == [
        "undo", "knob-press", "knob", "buzzer"
    ]  # fmt: skip
    lines = (home / "devices-report.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(report["parts"]) + 2


def test_a_walk_with_a_counter_that_is_not_there(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = SimulatedLines.__init__

    def without(lines: SimulatedLines) -> None:
        made(lines)
        lines.gone = {0x71}

    monkeypatch.setattr(SimulatedLines, "__init__", without)
    (home / "four.toml").write_text(toml(default(4, counters=True)))
    assert cli.main(["devices", "test", "--yes", "--table", "four.toml"]) == DEVICE
    report = json.loads((home / "devices-report.json").read_text())
    wrong = [(part["part"], part["seat"]) for part in report["parts"] if part["result"] == "wrong"]
    assert wrong == [("counter", 2)]
    assert report["problems"] == [
        "seat 2, counter does not work: Remote I/O error. It is tried again every few seconds."
    ]


def test_a_walk_by_keys(type_in: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_in("y\n1\nwhat\nn\n1\n2\n\n\n")
    assert cli.main(["devices", "test", "--simulate", "--report", ""]) == DEVICE
    told = capsys.readouterr().out.splitlines()
    assert "That was another one: seat 1, button. Perhaps their wires are crossed." in told
    assert told[told.index("") + 1 :] == [
        "seat 1, lamp: works",
        "seat 1, button: works",
        "seat 2, lamp: DOES NOT WORK",
        "seat 2, button: DOES NOT WORK (heard instead: seat 1, button)",
        "seat 3, lamp: passed over",
        "seat 3, button: passed over",
        "seat 4, lamp: passed over",
        "seat 4, button: passed over",
        "undo button: passed over",
        "next button: passed over",
        "buzzer: passed over",
        "shutdown button: passed over",
        "Not everything works; docs/panel.md says what to look at.",
    ]
    assert not Path("devices-report.json").exists()


def test_a_walk_at_pins_that_are_only_pretended(type_in: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_in("y\nn\n")
    assert cli.main(["devices", "test", "--language", "pl"]) == DEVICE
    assert "miejsce 1, przycisk: NIE DZIAŁA" in capsys.readouterr().out


def test_unknown_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as code:
        cli.main(["devices", "dance"])
    assert code.value.code == BAD_INPUT
