"""The real program as a separate process, in a real X window, operated by real clicks only."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.core.journal import Journal
from companion.core.play import read
from companion.core.session import Session
from companion.core.store import Store
from tests.patience import PATIENCE
from workshop.screens.faults import FoundFault

LACKING = [program for program in ("Xvfb", "xdotool") if shutil.which(program) is None]
REASON = f"a real window needs {' and '.join(LACKING)}"

TWICE = 0.4
"""Seconds within which a second touch of the same place is taken for the second half of a first."""

AGAIN, TAPS = 30, 10
"""Beats of the program after which a click that it has heard and that changed nothing is made once more, and how often.
Ten a second at most: a busy machine gives the program as many before anybody loses patience with it."""

WATCHED = str(Path(__file__).with_name("watched_program.py"))

WindowReport = dict[str, Any]


class Program:
    """What the program shows, as it tells it; a finger; and a hand at the edge of its window."""

    def __init__(self, display: str, folder: Path) -> None:
        self.display, self.home, self.file = display, folder / "home", folder / "taps.json"
        self.home.mkdir()
        self.process: subprocess.Popen[bytes] | None = None
        self._id, self._tapped = "", 0.0
        self._written, self._report = (0, 0), WindowReport()
        """The file that was read last, and what it says."""

    # The process

    def start(self, *arguments: str, **environment: str) -> None:
        """Start the program as `./run ARGUMENTS` would."""
        self.file.unlink(missing_ok=True)
        command = [sys.executable, "-P", WATCHED, str(self.file), *arguments]
        self._id = ""
        self.process = subprocess.Popen(command, env={**self.environment(), **environment})

    def environment(self) -> dict[str, str]:
        """What the program finds around it: this screen, and a home of its own."""
        usual = {k: v for k, v in os.environ.items() if not k.startswith(("SDL_", "KIVY_", "COMPANION_"))}
        ours = {
            "DISPLAY": self.display,
            "HOME": str(self.home),
            "COMPANION_HOME": str(self.home),
            "SDL_AUDIODRIVER": "dummy",
            "LANG": "C.UTF-8",
            "LAYOUT_FAULTS": str(self.home.with_name("layout")),
        }
        return {**usual, **ours}

    def end(self, *, kill: bool = False) -> None:
        """End it as a system that shuts down does, or as a cut cable does."""
        if self.process is not None:
            (self.process.kill if kill else self.process.terminate)()
            self.process.wait()
        self.process = None

    def faults(self) -> list[str]:
        """What is wrong with the pages that were shown, each with the picture of it."""
        file = self.home.with_name("layout") / "faults.json"
        lines = file.read_bytes().splitlines() if file.exists() else []
        return [f"{msgspec.json.decode(line, type=FoundFault)} in {file.parent}" for line in lines]

    def session(self, play: int = 1) -> Session:
        """The play as the journal on the disk has it at this moment."""
        with Store(self.home / "journal.db") as store:
            return read(Journal(store).load(play)).session

    def entries(self, play: int = 1) -> int:
        """How many entries the journal has for it at this moment."""
        with Store(self.home / "journal.db") as store:
            return next((row.entries for row in Journal(store).plays() if row.id == play), 0)

    # What is shown

    def shown(self) -> WindowReport:
        """The screen, its sentences and what can be touched."""
        try:
            now = self.file.stat()
            if (written := (now.st_ino, now.st_mtime_ns)) != self._written:  # it is replaced, never changed
                self._written, self._report = written, msgspec.json.decode(self.file.read_bytes())
        except FileNotFoundError:
            return {"screen": "", "words": [], "taps": {}, "changing": True, "touches": 0, "beats": 0}
        return self._report

    def until(self, true: Callable[[WindowReport], Any], patience: float = PATIENCE) -> WindowReport:
        """What is shown as soon as this is true of it."""
        end = time.monotonic() + patience
        while not true(shown := self.shown()):
            assert self.process is None or self.process.poll() is None, "the program has ended"
            if time.monotonic() > end:
                raise TimeoutError(f"never came; this is shown instead: {shown}")
            time.sleep(0.03)
        return shown

    def at(self, screen: str) -> WindowReport:
        """What is shown as soon as this screen is."""
        return self.until(lambda shown: shown["screen"] == screen)

    # Fingers

    def x(self, *words: object) -> str:
        """What xdotool answers."""
        command = ["xdotool", *map(str, words)]
        environment = {"DISPLAY": self.display, "PATH": os.environ["PATH"]}
        return subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    @property
    def window(self) -> str:
        """The window's number."""
        end = time.monotonic() + PATIENCE
        while not self._id:
            with suppress(subprocess.CalledProcessError):  # not there yet
                self._id = self.x("search", "--onlyvisible", "--class", ".").split()[-1]
            assert self._id or time.monotonic() < end, "there is no window"
        return self._id

    def move(self, x: float, y: float, *then: object) -> None:
        """Put the finger to this pixel of the window, and perhaps do something."""
        self.x("mousemove", "--window", self.window, round(x), round(y), *then)

    def tap(self, name: str) -> None:
        """Click where this is, after scrolling to it as a finger would."""
        for _ in range(20):
            place = self.until(lambda shown: self._free(shown, name))["taps"][name]
            if place["seen"]:
                break
            x, y = place["scrolled"]
            down = -60 if place["y"] > y else 60
            steps = [
                ("mousemove", "--window", self.window, x, y + down * n // 4, "sleep", 0.03)
                for n in range(1, 5)
            ]
            with self._heard():
                self.move(x, y, "mousedown", 1, *(word for step in steps for word in step), "mouseup", 1)
            time.sleep(0.5)  # it glides on
        time.sleep(max(0.0, self._tapped + TWICE - time.monotonic()))  # or it is half of a double tap
        with self._heard():
            self.move(place["x"], place["y"], "mousedown", 1, "sleep", 0.05, "mouseup", 1)
        self._tapped = time.monotonic()

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Wait until the program has heard what the finger did within, unless that has ended it."""
        before = self.shown()["touches"]
        yield
        ended = self.process.poll if self.process is not None else lambda: None
        self.until(lambda shown: shown["touches"] > before or ended() is not None)

    def lost(self) -> Callable[[WindowReport], bool]:
        """Whether nothing will come of the click that was heard last: the program had time for it since now."""
        since = self.shown()["beats"]
        return lambda shown: shown["beats"] > since + AGAIN

    def tap_until(self, name: str, true: Callable[[WindowReport], Any]) -> WindowReport:
        """What is shown as soon as a click has made this true; one that came to nothing is made again."""
        for _ in range(TAPS):
            if self._free(self.shown(), name):
                self.tap(name)
            lost = self.lost()
            shown = self.until(lambda shown, lost=lost: true(shown) or lost(shown))
            if true(shown):
                return shown
        return self.until(true)

    @staticmethod
    def _free(shown: WindowReport, name: str) -> bool:
        """Whether this has been there for long enough to be touched, and no sentence that was told lies on it."""
        return name in shown["taps"] and not shown["taps"][name]["covered"] and not shown["changing"]

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self.x("windowmove", self.window, 0, 0, "windowsize", self.window, width, height)


@contextmanager
def screen(folder: Path, size: str = "800x480") -> Iterator[Program]:
    """An X server nobody sees, and a program that is not started yet."""
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            "Xvfb",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            f"{size}x24",
            "-nolisten",
            "tcp",
            "-fbdir",
            folder,
        ],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as file:
        program = Program(f":{file.readline().strip()}", folder)
    try:
        yield program
        assert not (faults := program.faults()), "\n".join(faults)
    finally:
        program.end()
        server.terminate()
        server.wait()
