"""The commands that look, on pictures of a virtual table."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import segno

from companion import cli, see_commands, seeing
from companion.core.game import game
from companion.core.session import begin
from companion.core.understand import Accept, understand
from companion.errors import BAD_INPUT, DEVICE, DONE, STORAGE
from companion.terminal.eyes import Eyes
from tests.laws.walks import Setup
from vision.virtual import PRESETS, film, shoot, spread

RACE = game("race")
ANIA = ["old-earth", "public-works", "gem-world", "trade-league", "spice-world"]
BARTEK = ["new-sparta", "space-marines", "rebel-base", "new-galactic-order"]


def labels(components: list[str]) -> list[str]:
    """One label for each component."""
    by_component = {piece.component: text for piece, text in seeing.book(RACE).texts.items()}
    return [by_component[component] for component in components]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of both tableaux, and a folder of pictures of each."""
    folder = tmp_path_factory.mktemp("pictures")
    lamp = PRESETS["good-lamp"]
    cv2.imwrite(str(folder / "both.png"), shoot(spread(labels(ANIA + BARTEK), 3), lamp, 3).picture)
    for name, cards in (("ania", ANIA), ("bartek", BARTEK)):
        (folder / name).mkdir()
        for n, shot in enumerate(film(spread(labels(cards), 1), lamp, 1, 4, arm=False)):
            cv2.imwrite(str(folder / name / f"{n}.png"), shot.picture)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(*words: str) -> int:
    return cli.main(["--language", "en", *words])


def test_scan_names_every_card_in_a_picture(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("scan", str(pictures / "both.png"), "--json") == DONE
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert {row["component"] for row in found} == {*ANIA, *BARTEK}
    gem = next(row for row in found if row["component"] == "gem-world")
    assert (gem["name"], gem["game"], gem["how"], len(gem["corners"])) == ("Gem World", "race", "zxing", 4)
    assert gem["pixels_per_module"] == pytest.approx(1.9, abs=0.2)


def test_scan_lists_foreign_codes_only_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = np.array(segno.make("https://example.org", error="m").matrix, dtype=np.uint8)
    picture = np.pad((1 - code) * 255, 4, constant_values=255).repeat(6, 0).repeat(6, 1)
    cv2.imwrite(str(tmp_path / "foreign.png"), picture)
    assert run("scan", str(tmp_path / "foreign.png"), "--json") == DONE
    assert json.loads(capsys.readouterr().out) == []
    assert run("scan", str(tmp_path / "foreign.png"), "--any", "--json") == DONE
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["code"], row["component"]) == ("https://example.org", None)
    assert run("scan", str(tmp_path / "foreign.png"), "--any") == DONE
    assert "not ours" in capsys.readouterr().out


def test_scan_reads_what_it_can_and_names_what_it_cannot(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "text.png").write_text("no picture")
    bad = [str(tmp_path / name) for name in ("empty.png", "text.png", "missing.png")]
    assert run("scan", str(pictures / "both.png"), *bad) == BAD_INPUT
    told = capsys.readouterr()
    assert "Gem World" in told.out
    assert all(name in told.err for name in bad)


def test_sweep_reads_a_tableau_and_compares_it_with_the_play(
    pictures: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("sweep", str(pictures / "ania"), "--game", "race", "--json") == DONE
    swept = json.loads(capsys.readouterr().out)
    assert {row["component"] for row in swept["found"]} == set(ANIA)
    monkeypatch.setattr("sys.stdin", io.StringIO("old earth\nnew sparta\nq\n"))
    assert run("play", "race", "--seats", "Ania,Bartek") == DONE
    capsys.readouterr()
    assert run("sweep", str(pictures / "ania"), "--game", "race", "--seat", "bartek", "--json") == DONE
    swept = json.loads(capsys.readouterr().out)
    assert swept["missing"] == ["new-sparta"]
    assert set(swept["unexpected"]) == set(ANIA)
    assert run("sweep", str(pictures / "ania"), "--game", "race", "--seat", "Zenon") == BAD_INPUT


def test_a_score_from_pictures_asks_only_for_chips_and_hands(
    pictures: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("nine\n9\n3\n4\n5\n2\n0\n"))
    sweeps = [f"Ania={pictures / 'ania'}", f"Bartek={pictures / 'bartek'}"]
    assert run("score", "race", "--json", "--sweep", *sweeps) == DONE
    told = capsys.readouterr()
    result = json.loads(told.out)
    assert {seat["name"]: seat["total"] for seat in result["seats"]} == {
        "Ania": 9 + 2 + 1 + 1 + 1 + 4,
        "Bartek": 18,
    }
    assert result["winners"] == ["Ania", "Bartek"]
    assert told.err.count("goods on worlds?") == 2  # since both have 18 points
    assert told.err.count("points in chips?") == 3  # once more, since nine is no number
    assert run("score", "race", "--sweep", "ania") == BAD_INPUT
    monkeypatch.setattr("sys.stdin", io.StringIO("9\n"))
    assert run("score", "race", "--sweep", *sweeps) == BAD_INPUT


def test_camera_tells_how_close_and_how_sharp(
    pictures: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.png"
    assert run("camera", str(pictures / "ania"), "--save", str(kept), "--use") == DONE
    told = capsys.readouterr().out
    assert "1920×1080" in told
    assert "come closer" in told
    assert cv2.imread(str(kept)).shape == (1080, 1920, 3)
    assert see_commands.chosen_camera() == str(pictures / "ania")
    assert run("camera", str(pictures / "ania"), "--save", str(tmp_path / "no" / "folder.png")) == STORAGE


def test_sharp_and_blurred_are_told_apart() -> None:
    near = spread(labels(ANIA[:2]), 1, width=400.0)
    picture = shoot(near, PRESETS["good-lamp"], 1, width=400.0).picture
    seen = list(seeing.reader(RACE).read(picture))
    assert [text.key for text in see_commands.advices(picture, seen)][-1] == "see.sharp"
    soft = cv2.GaussianBlur(picture, (0, 0), 2.5)
    assert [text.key for text in see_commands.advices(soft, seen)][-1] == "see.blurred"


def test_a_camera_that_is_not_there_is_trouble_with_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sweep", "nowhere/at/all", "--game", "race") == DEVICE
    assert "nowhere/at/all" in capsys.readouterr().err
    assert run("camera", "--list") == DONE
    assert "virtual:good-lamp:1" in capsys.readouterr().out.splitlines()


def test_a_picture_in_the_terminal() -> None:
    picture = np.zeros((100, 200, 3), np.uint8)
    picture[:50] = (0, 0, 255)
    drawn = see_commands.preview(picture, 20)
    assert drawn.plain.count("▀") == 20 * 5
    assert "rgb(255,0,0)" in str(drawn.spans[0].style)


def test_what_bots_hold_up_is_known_only_from_pictures() -> None:
    """The demonstration's way: held up, filmed, read, understood; an action card of a set tells the seat."""
    eyes = Eyes(RACE, "good-lamp", 1)
    session = begin(RACE, RACE.complete(Setup("race", ("Ania", "Bartek"))), 0.0)
    for seat, world in enumerate(("old-earth", "new-sparta")):
        sighted = eyes.show(world, seat)
        assert sighted is not None
        meaning = understand(session, sighted)
        assert isinstance(meaning, Accept)
        session = session.answer(meaning.answer, 0.0)
    sighted = eyes.show("settle", 1)
    assert sighted is not None
    assert (sighted.component, sighted.seat) == ("settle", 1)
    assert eyes.frames <= 12
