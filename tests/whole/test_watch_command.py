"""`./dev watch`: a film shown to a copy of a play."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.core.binder import Binder
from companion.core.game import Setup
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.errors import BAD_INPUT, DONE
from tests.whole.test_cli import Run, home, run  # noqa: F401
from tests.whole.test_live import RACE, label
from vision.virtual import PRESETS, HeldCard, shoot

LAMP = PRESETS["good-lamp"]


@pytest.fixture
def play(home: Path) -> int:  # noqa: F811
    """A play in which the start worlds are asked for."""
    with Store(home / "journal.db") as store:
        return Play.start(RACE, Setup("race", ("Ania", "Bartek")), Journal(store), Binder(store), 0.0).id


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Somebody shows New Sparta; then the lens is covered; then Gem World is shown, which is no start world."""
    folder = tmp_path / "film"
    folder.mkdir()
    pictures = {
        "empty": shoot((), LAMP, 1).picture,
        "sparta": shoot((), LAMP, 1, held=HeldCard(label("new-sparta"))).picture,
        "gem": shoot((), LAMP, 1, held=HeldCard(label("gem-world"))).picture,
    }
    pictures["dark"] = pictures["empty"] // 40
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), picture)
    names = ["empty"] * 10 + ["sparta"] * 10 + ["empty"] * 45 + ["dark"] * 10 + ["empty"] * 10 + ["gem"] * 6
    lines = [f"{name}.jpg {n / 10:.2f}" for n, name in enumerate(names)]
    (folder / "times.txt").write_text("\n".join(lines) + "\n")
    return folder


def test_everything_that_would_have_happened_is_told(run: Run, play: int, film: Path) -> None:  # noqa: F811
    ran = run("watch", str(film), "--play", str(play), "--language", "en")
    assert (ran.code, ran.err) == (DONE, "")
    lines = ran.out.splitlines()
    assert "answered  New Sparta  Ania: race.start-world = new-sparta" in lines[0]
    assert "disturbed" in lines[1]
    assert "refused  Gem World" in lines[-2]
    assert lines[-1] == "91 pictures watched, 9.0 s: 1 answered, 0 offered, 1 refused."
    again = run("watch", str(film), "--play", str(play), "--language", "pl")
    assert "odpowiedź  New Sparta" in again.out, "the play itself has not changed"


def test_a_program_gets_a_line_for_each(run: Run, play: int, film: Path) -> None:  # noqa: F811
    ran = run("watch", str(film), "--play", str(play), "--json", "--all", "--language", "en")
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert [one["kind"] for one in told] == ["answer", "gone", "disturbed", "disturbed", "refusal"]
    answer = told[0]
    assert answer["components"] == ["new-sparta"]
    assert answer["answers"] == [{"seat": 0, "question": "race.start-world", "option": "new-sparta"}]
    assert 1.2 <= answer["at"] <= 1.5, "shown at 1.0"
    assert answer["why"] == "New Sparta: read."


def test_outside_of_the_spot_nothing_is_shown(run: Run, play: int, film: Path) -> None:  # noqa: F811
    ran = run("watch", str(film), "--play", str(play), "--spot", "0,0,5,5", "--json")
    assert {json.loads(line)["kind"] for line in ran.out.splitlines()} == {"disturbed"}
    bad = run("watch", str(film), "--play", str(play), "--spot", "nowhere", "--language", "en")
    assert bad.code == BAD_INPUT
    assert "nowhere" in bad.err


def test_what_is_no_film_and_no_play(run: Run, play: int, film: Path, tmp_path: Path) -> None:  # noqa: F811
    for arguments in (["nowhere.avi", "--play", str(play)], [str(film), "--play", "77"]):
        ran = run("watch", *arguments, "--language", "en")
        assert ran.code != DONE
        assert len(ran.err.splitlines()) == 1
    for line in ("0001.jpg", "0001.jpg soon", "../x.jpg 1", "0001.jpg nan", "0001.jpg 1\n0002.jpg 0"):
        (film / "times.txt").write_text(line)
        ran = run("watch", str(film), "--play", str(play), "--language", "en")
        assert ran.code == BAD_INPUT, line
        assert "times.txt" in ran.err
    (film / "times.txt").write_text("0001.jpg 1")
    ran = run("watch", str(film), "--play", str(play), "--language", "en")
    assert ran.code == BAD_INPUT
    assert "can be read" in ran.err
