"""Only data comes in, nothing listens, nothing is written elsewhere or readable by others. See docs/security.md."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
import segno

import companion
from companion import cli
from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.game import Game, Setup, games
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.errors import DONE
from companion.recognition import reading
from companion.table import backups
from tests.patience import PATIENCE
from tests.whole.seen_from_outside import network_sockets, others_may
from vision.label_news import Brought
from vision.sightings import Sighting

ROOT = Path(companion.__file__).parent.parent
CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
PRANKS = (
    "http://192.168.0.1/undo",
    "usb:1",
    "undo",
    "WIFI:S:guest;T:WPA;P:secret;;",
    "$(touch owned)",
    "; reboot",
    "../../settings.json",
    "[link=http://x]here[/link]",
    "{0.__class__}",
    "%n%n%s",
    "\x1b]0;owned\x07\x1b[2J",
    "TC\x00\x00",
)
"""What a prankster prints on a label."""


def code(text: str) -> bytes:
    """A picture of a QR code with this in it."""
    symbol = segno.make(text, micro=False, error="h")
    squares = np.array([[0 if module else 255 for module in row] for row in symbol.matrix], np.uint8)
    page = cv2.copyMakeBorder(np.kron(squares, np.ones((6, 6), np.uint8)), 40, 40, 40, 40, 0, value=255)
    return cv2.imencode(".png", page)[1].tobytes()


# What comes in through the camera is data, never a command or an address


@pytest.mark.parametrize("prank", PRANKS)
@pytest.mark.parametrize("rules", games().values(), ids=games())
def test_what_is_on_a_strange_label_means_nothing_at_any_table(rules: Game, prank: str) -> None:
    if rules.box.label is None:
        pytest.skip("it has no labels")
    assert reading.camera_news(rules, [Brought(Sighting(prank, CORNERS, "zxing", 0.99, 3.0), 1.0)]) == ()


@pytest.mark.parametrize("prank", PRANKS)
def test_a_strange_label_is_shown_as_letters_and_nothing_else_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], prank: str
) -> None:
    """`scan` names every code it sees. No address is looked up, no program started, no file made."""

    def never(*words: object, **more: object) -> None:
        raise AssertionError(f"a label made us do this: {words}")

    (tmp_path / "it.png").write_bytes(code(prank))
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["scan", "it.png", "--any"]) == DONE  # what is looked for only once has been found then
    capsys.readouterr()
    for where, name in ((socket, "socket"), (socket, "getaddrinfo"), (subprocess, "Popen"), (os, "system")):
        monkeypatch.setattr(where, name, never)
    for how in ((), ("--any",), ("--any", "--json")):
        assert cli.main(["scan", "it.png", *how]) == DONE
        shown = capsys.readouterr().out
        assert all(letter.isprintable() or letter == "\n" for letter in shown), shown
        if how == ("--any",):
            assert "".join(c if c.isprintable() else "?" for c in prank[:40]) in shown
    assert [one["code"] for one in json.loads(shown)] == [prank]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["it.png"]


# Nothing listens on the network, nobody is called


def test_the_eye_sees_a_program_that_listens() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert len(network_sockets(os.getpid())) == 1
    assert network_sockets(os.getpid()) == set()


def environment(folder: Path) -> dict[str, str]:
    """A machine on which every place somebody could write to is a folder of its own."""
    places = {"HOME": "person", "TMPDIR": "temporary", "COMPANION_HOME": "data", "XDG_CACHE_HOME": "person"}
    for name in {*places.values()} - {"data"}:
        (folder / name).mkdir(exist_ok=True)
    usual = {k: v for k, v in os.environ.items() if not k.startswith(("COMPANION_", "XDG_", "KIVY_", "SDL_"))}
    ours = {name: str(folder / place) for name, place in places.items()}
    return {**usual, **ours, "COMPANION_SCREEN": "none", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}


def test_a_table_of_text_neither_listens_nor_calls(tmp_path: Path) -> None:
    rules = next(iter(games().values()))
    names = ",".join(f"P{n}" for n in range(rules.box.seats[0]))
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "companion", "play", rules.id, "--text", "--seats", names],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        os.set_blocking(table.stdout.fileno(), False)
        said, end = b"", time.monotonic() + PATIENCE
        while b"> " not in said and time.monotonic() < end:
            said += table.stdout.read() or b""
            assert table.poll() is None
        assert b"> " in said
        assert network_sockets(table.pid) == set()
        table.stdin.close()
        table.wait()


# Files are written only under the data directory, for their owner only


def test_commands_write_only_under_the_data_directory_and_for_their_owner(tmp_path: Path) -> None:
    """With the most generous umask there is: whatever is private is so because we made it so."""
    rules = next(iter(games().values()))
    names = ",".join(f"P{n}" for n in range(rules.box.seats[0]))
    commands = (
        f"play {rules.id} --text --seats {names}",
        "resume --text",
        "camera none --use",
        "plays",
        "check --repair",
        f"binder check {rules.id}",
        "wiring",
        "export 1",
    )
    ran = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).parent / "hostile.py")],
        input=json.dumps([command.split() for command in commands]).encode(),
        cwd=tmp_path,
        env=environment(tmp_path),
        umask=0,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert len(ran.stdout.splitlines()) == len(commands)
    assert (tmp_path / "data" / "journal.db").exists()
    assert others_may(tmp_path / "data") == []
    for place in ("person", "temporary"):
        assert list((tmp_path / place).rglob("*")) == [], place


# What is handed on has in it only what was asked for


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A play of every game, each by people of its own."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "data"))
    with Store(tmp_path / "data" / "journal.db") as store:
        for n, rules in enumerate(games().values()):
            names = tuple(f"Guest{n}x{seat}" for seat in range(rules.box.seats[0]))
            play = Play.start(rules, Setup(rules.id, names), Journal(store), Binder(store), 1.0)
            random = Random(n)
            bots = rules.bots(play.session.setup, random)
            bots.follow(play.session.state, play.session.news)
            for _ in range(3):
                play.answer(next_answer(play.session.state, bots, random), 2.0)
                bots.follow(play.session.state, play.session.news)
            Binder(store).teach(rules.id, f"thing-{n}", "name", f"taught-{n}", 1.0, by=f"Owner{n}")
    return tmp_path / "data"


def test_one_play_handed_on_tells_of_nobody_else(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for n in range(len(games())):
        assert cli.main(["export", str(n + 1)]) == DONE
        told = capsys.readouterr().out
        assert f"Guest{n}x0" in told
        assert not [
            m for m in range(len(games())) if m != n and (f"Guest{m}x" in told or f"Owner{m}" in told)
        ]
        assert str(home) not in told


def test_one_box_handed_on_tells_of_no_other_and_of_no_play(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for n, rules in enumerate(games().values()):
        assert cli.main(["binder", "export", rules.id]) == DONE
        told = capsys.readouterr().out
        assert f"taught-{n}" in told
        assert not [
            m for m in range(len(games())) if m != n and (f"taught-{m}" in told or f"Guest{m}x" in told)
        ]


def test_a_backup_is_the_journal_and_the_settings_and_nothing_else(home: Path, tmp_path: Path) -> None:
    for name in ("settings.json", "errors.log", "teaching.json", "private.txt"):
        (home / name).write_text("{}")
    (tmp_path / "stick").mkdir()
    made = backups.back_up(home / "journal.db", tmp_path / "stick", 1.0)
    assert sorted(file.name for file in made.iterdir()) == ["journal.db", "settings.json"]
    assert others_may(made) == []
