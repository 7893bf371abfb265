"""The real program in a real X window, touched by nothing but real clicks."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.journal import Journal
from companion.core.play import load
from companion.core.store import Store

LACKING = [program for program in ("Xvfb", "xdotool") if shutil.which(program) is None]
pytestmark = pytest.mark.skipif(bool(LACKING), reason=f"a real window needs {' and '.join(LACKING)}")

TWICE = 0.4
"""Seconds within which a second touch of the same place is taken for the second half of a first."""

PATIENCE = 30.0
"""Seconds after which a program that does not show what we wait for is taken for stuck."""


class Window:
    """What the program shows, as it tells it, and a finger."""

    def __init__(self, display: str, taps: Path) -> None:
        self.display, self.file = display, taps
        self.process: subprocess.Popen[bytes] | None = None

    def shown(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = msgspec.json.decode(self.file.read_bytes())
        except FileNotFoundError:
            return {"screen": "", "words": [], "taps": {}}
        return found

    def until(self, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """What is shown as soon as this is true of it."""
        end = time.monotonic() + PATIENCE
        while not true(shown := self.shown()):
            assert self.process is None or self.process.poll() is None, "the program has ended"
            assert time.monotonic() < end, f"never came; this is shown instead: {shown}"
            time.sleep(0.03)
        return shown

    def x(self, *words: object) -> None:
        command = ["xdotool", *map(str, words)]
        subprocess.run(command, env={"DISPLAY": self.display, "PATH": os.environ["PATH"]}, check=True)

    def tap(self, name: str) -> None:
        """Click where this is, after scrolling to it as a finger would."""
        for _ in range(20):
            place = self.until(lambda shown: name in shown["taps"])["taps"][name]
            if place["seen"]:
                break
            x, y = place["scrolled"]
            down = -60 if place["y"] > y else 60
            self.x("mousemove", x, y, "mousedown", 1)
            for n in range(1, 5):
                self.x("mousemove", x, y + down * n // 4)
            self.x("mouseup", 1)
            time.sleep(0.5)  # it glides on
        self.x("mousemove", place["x"], place["y"], "mousedown", 1)
        time.sleep(0.05)
        self.x("mouseup", 1)
        time.sleep(TWICE)  # sooner it would be the second half of a double tap


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x480x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as file:
        display = f":{file.readline().strip()}"
    window = Window(display, tmp_path / "taps.json")
    home = tmp_path / "home"
    home.mkdir()
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("SDL_", "KIVY_", "COMPANION_"))}
    environment.update(
        DISPLAY=display,
        HOME=str(home),
        COMPANION_HOME=str(home),
        COMPANION_TAPS=str(window.file),
        LANG="C.UTF-8",
    )
    environment["SDL_AUDIODRIVER"] = "dummy"
    window.process = subprocess.Popen([sys.executable, "-P", "-m", "companion.cli"], env=environment)
    try:
        yield window
    finally:
        window.process.terminate()
        window.process.wait()
        server.terminate()
        server.wait()


def test_a_set_up_and_a_round_by_touches_alone(window: Window, tmp_path: Path) -> None:
    window.until(lambda shown: shown["screen"] == "home")
    window.tap("new")
    window.tap("game-race")
    window.tap("next")
    for name in ("ania", "olek"):
        window.tap("somebody")
        for letter in name:
            window.tap(f"key-{letter}")
        window.tap("key-done")
        window.until(lambda shown, name=name: name.title() in shown["words"])
    step = window.until(lambda shown: "next" in shown["taps"])
    while "next" in step["taps"]:
        before = step["words"]
        window.tap("next")
        step = window.until(lambda shown, before=before: shown["words"] != before)
    window.tap("start")
    window.until(lambda shown: shown["screen"] == "table")
    _a_round(window)
    window.process.terminate()
    window.process.wait()
    with Store(tmp_path / "home" / "journal.db") as store:
        session = load(Journal(store).load(1))
    assert session.setup.seats == ("Ania", "Olek")
    assert session.game.view(session.state).round == 2


def _a_round(window: Window) -> None:
    """Answer whatever is asked with what comes first, until the next round begins."""
    for _ in range(60):
        shown = window.until(lambda shown: shown["screen"] in ("table", "choose"))
        if "Round 2" in shown["words"]:
            return
        options = [name for name in shown["taps"] if name.startswith("option-")]
        asked = [name for name in shown["taps"] if name.startswith("ask-")]
        if not options and not asked:
            time.sleep(0.1)
            continue
        window.tap((options or asked)[0])
        window.until(
            lambda now, shown=shown: (now["screen"], now["taps"]) != (shown["screen"], shown["taps"])
        )
    raise AssertionError("the round never ended")
