"""The real program in a real window: killed and resumed, resized, and on a disk that refuses writes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.session import Session
from companion.core.store import Store
from companion.core.words import say
from companion.table.settings import Settings
from companion.table.signal_intake import answer_forced
from companion.texts import render
from companion.ui.start import CARD
from tests.ui import real
from tests.ui.real import Program, WindowReport

VISIBLE = 1.0

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    with real.screen(tmp_path, "1300x1300") as program:
        yield program


def prepare(home: Path) -> None:
    """A play that is on, at a question everybody may see."""
    random = Random(5)
    with Store(home / "journal.db") as store:
        setup = Setup("race", ("Ania", "Bartek", "Celina"))
        play = Play.start(game("race"), setup, Journal(store), Binder(store), time.time())
        bots = play.session.game.bots(play.session.setup, random)
        bots.follow(play.session.state, play.session.news)
        while play.session.entries < 20 or _secret(play.session):
            play.answer(next_answer(play.session.state, bots, random), time.time())
            answer_forced(play, play.session.questions(), time.time())  # as the window does
            bots.follow(play.session.state, play.session.news)


def _secret(session: Session) -> bool:
    return any(question.secret for question in session.questions())


def _option(shown: WindowReport) -> str:
    """The first option that is shown, if any is."""
    return next((name for name in shown["taps"] if name.startswith("option-")), "")


def _points(session: Session) -> set[str]:
    """Every name and everybody's points, as the table shows them."""
    seats = session.game.view(session.state).seats
    return {word for seat in seats for word in (seat.name.upper(), str(seat.points))}


def _children(pid: int) -> list[int]:
    """The programs this one has started: the window lives in one of them."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("whole", [True, False], ids=["the whole program", "only the window"])
def test_what_is_killed_comes_back_to_the_table_and_says_so_once(program: Program, whole: bool) -> None:
    prepare(program.home)
    program.start("resume")
    program.at("table")
    before = program.entries()
    program.tap(_option(program.until(_option)))
    program.until(lambda _: program.entries() > before)
    killed = program.session()
    program.file.unlink()
    if whole:
        program.end(kill=True)
        program.start()
    else:
        assert program.process is not None
        (window,) = _children(program.process.pid)
        os.kill(window, signal.SIGKILL)
    shown = program.at("table")
    assert program.session().state == killed.state
    assert _points(killed) <= set(shown["words"])
    program.until(lambda shown: any("Here is the table as it was" in words for words in shown["words"]))


def test_a_window_follows_its_edge_wherever_it_is_drawn(program: Program) -> None:
    """And a key that fills the display and gives it back."""
    prepare(program.home)
    program.start("resume")
    program.at("table")
    program.until(lambda shown: shown["window"] == [800, 480])
    for size in ([1300, 1300], [800, 480]):
        program.x("key", "--window", program.window, "F11")
        program.until(lambda shown, size=size: shown["window"] == size and _within(shown))
    for width, height in ((1280, 720), (720, 1280), (480, 360), (800, 480)):
        program.resize(width, height)
        program.until(lambda shown, size=[width, height]: shown["window"] == size and _within(shown))

    with _busy(program):
        before = program.shown()["pages"]
        for n in range(50):
            program.resize(480 + 14 * n, 360 + 12 * n)
        program.resize(800, 480)
    shown = program.until(lambda shown: shown["window"] == [800, 480] and _within(shown))
    program.tap("menu")
    program.tap("choice-4")
    program.at("history")
    assert shown["pages"] - before < 5, "it goes through every size it was drawn to"


@contextmanager
def _busy(program: Program) -> Iterator[None]:
    """The window is held up meanwhile, and hears of everything at once afterwards."""
    assert program.process is not None
    (window,) = _children(program.process.pid)
    os.kill(window, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(window, signal.SIGCONT)


def _within(shown: WindowReport) -> bool:
    """Whether everything that can be touched is where it can be."""
    width, height = shown["window"]
    places = [place for place in shown["taps"].values() if place["scrolled"] is None]
    return all(0 < place["x"] < width and 0 < place["y"] < height for place in places)


def test_clocks_are_switched_on_and_running_scores_off_by_taps(program: Program) -> None:
    prepare(program.home)
    program.start("resume")
    shown = program.at("table")
    session = program.session()
    assert _points(session) <= set(shown["words"])
    if asked := [tap for tap in shown["taps"] if tap.startswith("ask-")]:
        program.tap(asked[0])
        shown = program.until(lambda shown: "ask-all" in shown["taps"])
    assert not any(_is_clock(word) for word in shown["words"])
    program.tap("menu")
    program.tap("choice-2")
    program.tap("section-table")
    program.tap("table-clocks")
    program.tap("table-scores")
    program.tap("back")
    shown = program.at("table")
    assert {name.upper() for name in session.setup.seats} <= set(shown["words"])
    assert not _points(session) <= set(shown["words"])
    if asked := [tap for tap in shown["taps"] if tap.startswith("ask-")]:
        program.tap(asked[0])
    program.until(lambda shown: any(_is_clock(word) for word in shown["words"]))
    program.end()
    kept = msgspec.json.decode((program.home / "settings.json").read_bytes(), type=Settings)
    assert (kept.clocks, kept.scores) == (True, False)


def _is_clock(word: str) -> bool:
    minutes, colon, seconds = word.partition(":")
    return colon == ":" and minutes.isdecimal() and seconds.isdecimal()


STARTS = 5
"""Among so many starts one is as quick as on an idle machine: neighbours on the same core cost the others more."""


def test_something_is_visible_within_a_second(program: Program, tmp_path: Path) -> None:
    """A second of an idle machine: of whatever else this one does, the processor's own seconds know nearly nothing."""
    screen = tmp_path / "Xvfb_screen0"
    blank, starts = screen.read_bytes(), []
    while not starts or (min(starts) >= VISIBLE and len(starts) < STARTS):
        starts.append(_seconds_until_something_is_seen(program, screen))
        while screen.read_bytes() != blank:  # the window that was killed
            time.sleep(0.01)
    assert min(starts) < VISIBLE, f"nothing to be seen for so many seconds of processor: {starts}"


def _seconds_until_something_is_seen(program: Program, screen: Path) -> float:
    card = bytes(round(255 * part) for part in reversed(CARD))  # a pixel begins with its blue
    began = subprocess.Popen([sys.executable, "-P", "-m", "companion"], env=program.environment())
    program.process = began
    taken = 0.0
    try:
        while card not in screen.read_bytes():
            assert began.poll() is None, "the program has ended"
            taken = _processor_seconds(began.pid)
            assert taken < 10 * VISIBLE, "still nothing to be seen"
            time.sleep(0.01)
    finally:
        program.end(kill=True)
    return taken


def _processor_seconds(pid: int) -> float:
    """Of this program and of the one in which its window lives; what has just ended takes none any more."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = _children(pid)
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    alone = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return alone + sum(map(_processor_seconds, children))


def test_full_screen_needs_no_window_manager(program: Program) -> None:
    program.start(COMPANION_SCREEN="full")
    program.at("home")
    program.until(lambda shown: shown["window"] == [1300, 1300])
    assert "Geometry: 1300x1300" in program.x("getwindowgeometry", program.window)


def test_where_nothing_can_be_written_the_window_opens_and_says_so(program: Program, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    home = tmp_path / "file" / "home"
    program.start("play", "race", "--seats", "Ania,Bartek", COMPANION_HOME=str(home))
    program.at("new")
    program.tap("start")
    why = say("storage.cannot-open", file=str(home / "journal.db"), why="")
    first, *_ = render(why, "en").split(":")
    shown = program.until(lambda shown: any(word.startswith(first) for word in shown["words"]))
    assert shown["screen"] == "new"
    program.tap("back")
    program.until(lambda shown: "next" in shown["taps"])
