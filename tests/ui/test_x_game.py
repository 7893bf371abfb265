"""A whole game of Race in a real window: bots hold cards to a network camera and click what has no card."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import ClassVar

import cv2
import msgspec
import pytest

from companion.core.autoplay import next_answer
from companion.core.game import games
from companion.core.questions import Answer, Question
from companion.core.session import Answered, Session
from companion.core.understand import Choose, Sighted, understand
from companion.recognition.reading import book
from companion.recognition.virtual_cards import Cards
from companion.table.settings import Settings
from scoring.sheet import Sheet
from tests.ui import real
from tests.ui.real import Program, Shown
from vision.virtual import PRESETS, VirtualTable

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)

RACE = games()["race"]
SEED = 23
"""A game with sales, chosen goods and windfall worlds, and not too long."""

OWN = book(RACE).sets
"""The cards every player has one of."""

AGAIN = 5.0
"""Seconds after which somebody takes a card away that was not read, and shows it again."""

GONE = 4.0
"""Seconds it is away then: a card that was only covered is no second scan."""


OFFERED = 2.0
"""Seconds after which somebody confirms what is offered."""

ANOTHER = 1.1
"""Seconds until the next card: what comes sooner belongs to one gesture, and is only offered."""


class PhoneCamera(BaseHTTPRequestHandler):
    """A phone that films the virtual table: pictures one after another in one long answer."""

    table: ClassVar[VirtualTable]

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        try:
            while True:
                frame = self.table.read()
                if frame is None:
                    time.sleep(0.01)
                    continue
                data = cv2.imencode(".jpg", frame.picture)[1].tobytes()
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")
        except OSError:
            return  # whoever looked has hung up

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def filming(table: VirtualTable) -> Iterator[str]:
    """The address at which this table can be seen."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Phone", (PhoneCamera,), {"table": table}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/video"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Players:
    """Bots with hands: what they answer they show to the camera, or click if it has no card of its own."""

    def __init__(self, program: Program, table: VirtualTable, seed: int) -> None:
        self.program, self.table, self.cards = program, table, Cards(RACE, table, room=4)
        self.session, self.random = program.session(), Random(seed)
        self.bots = RACE.bots(self.session.setup, self.random)
        self.shown = self.clicked = self.repeated = self.confirmed = 0
        self._lowered: dict[tuple[str, int | None], float] = {}
        self._last_lowered = 0.0
        self._follow()

    def play(self, most: int | None = None) -> Session:
        """The whole game, or so many answers of it; the play that is in the journal then."""
        while not self.session.over and (most is None or self.shown + self.clicked < most):
            answer = next_answer(self.session.state, self.bots, self.random)
            question = next(
                q for q in self.session.questions() if (q.seat, q.slug) == (answer.seat, answer.slug)
            )
            component = question.option(answer.option).component
            if component is None or component in RACE.on_table(self.session.state):
                self._click(question, answer)
            else:
                self._show(question, answer, component)
            self._follow()
        return self.session

    def _follow(self) -> None:
        """Do with the cards on the table what was told."""
        self.bots.follow(self.session.state, self.session.news)

    def _answered(self) -> bool:
        """Whether the journal has one answer more."""
        if self.program.entries() == self.session.entries:
            return False
        self.program.until(lambda shown: shown["entries"] == self.program.entries())  # and what came along
        before, self.session = self.session.entries, self.program.session()
        assert self.session.entries == before + self.session.last_deed, self.session.moments[before:]
        return True

    def _show(self, question: Question, answer: Answer, component: str) -> None:
        """Whoever places a card in secret takes the screen; an action card tells by itself whose it is."""
        self._turn_the_screen_to(question, also_secretly=component not in OWN)
        held = (component, answer.seat if component in OWN else None)
        ready = max(self._lowered.get(held, 0.0) + GONE, self._last_lowered + ANOTHER)
        time.sleep(max(0.0, ready - time.monotonic()))
        self.cards.hold_up(component, answer.seat)
        since = time.monotonic()
        while not self._answered():
            if "choice-0" in self.program.shown()["taps"]:
                self.program.tap(f"choice-{self._which(answer, component)}")
            elif time.monotonic() - since > OFFERED and "offer-0" in self.program.shown()["taps"]:
                self.confirmed += 1  # a busy machine gave too few pictures to see who brought it
                self.program.tap("offer-0")
                since = time.monotonic()
            elif time.monotonic() - since > AGAIN:
                self.repeated += 1
                assert self.repeated < 10, f"never read: {component}; shown: {self.program.shown()}"
                self.table.hold_up(None)
                time.sleep(GONE)
                self.cards.hold_up(component, answer.seat)
                since = time.monotonic()
            time.sleep(0.03)
        self.cards.put_down(component, answer.seat)
        self._lowered[held] = self._last_lowered = time.monotonic()
        self.shown += 1

    def _which(self, answer: Answer, component: str) -> int:
        """The place of this answer among those the card could mean."""
        meaning = understand(self.session, Sighted(component))
        assert isinstance(meaning, Choose)
        return [meant for meant, _ in meaning.answers].index(answer)

    def _click(self, question: Question, answer: Answer) -> None:
        """Click an option, wherever it is."""
        self._turn_the_screen_to(question, also_secretly=True)
        name = f"option-{answer.option}"
        while name not in (taps := self.program.shown()["taps"]):
            self.program.tap(next((tap for tap in taps if tap.startswith("choose")), "next"))
        self.program.tap(name)
        since = time.monotonic()
        while not self._answered():
            if (
                time.monotonic() - since > AGAIN
            ):  # a busy machine took it for the second half of the last click
                self.repeated += 1
                assert self.repeated < 10, f"never answered: {name}; shown: {self.program.shown()}"
                self.program.tap(name)
                since = time.monotonic()
            time.sleep(0.03)
        self.clicked += 1

    def _turn_the_screen_to(self, question: Question, also_secretly: bool) -> None:
        """Let the screen show this question, once it shows what was answered last."""
        now = self.session.entries
        shown = self.program.until(lambda shown: shown["screen"] == "table" and shown["entries"] == now)
        who = f"ask-{question.seat}"
        if who in shown["taps"] and (also_secretly or not question.secret):
            self.program.tap(who)
            screen = "choose" if question.secret else "table"
            self.program.until(lambda shown: shown["screen"] == screen and self._offers(shown, question))

    def _offers(self, shown: Shown, question: Question) -> bool:
        """Whether at least one option of this question is shown, or the way to them."""
        return any(tap.startswith("choose") for tap in shown["taps"]) or any(
            f"option-{o.id}" in shown["taps"] for o in question.options
        )


@contextmanager
def seated(folder: Path) -> Iterator[Players]:
    """Two players before a real window with a play that has just begun."""
    table = VirtualTable(PRESETS["good-lamp"], SEED, size=(800, 450), width=600.0, fps=10.0)
    with real.screen(folder) as program, filming(table) as address:
        (program.home / "settings.json").write_bytes(
            msgspec.json.encode(Settings(in_secret=True, moments=False))
        )
        program.start("play", "race", "--seats", "Ania,Bartek", "--camera", address)
        program.at("new")
        while "start" not in (shown := program.until(lambda s: {"next", "start"} & set(s["taps"])))["taps"]:
            program.tap("next")
            program.until(lambda now, shown=shown: now["words"] != shown["words"])
        program.tap("start")
        program.at("table")
        yield Players(program, table, SEED)


def _answers(session: Session) -> int:
    """What people answered; what left no choice came along."""
    entries = [moment.entry for moment in session.moments if moment.entry is not None]
    return sum(isinstance(entry.deed, Answered) and not entry.along for entry in entries)


ROUND = 24
"""Answers after which this game has seen each of what people do: secretly, openly, by card, by click."""


def test_bots_play_through_a_camera_and_with_clicks(tmp_path: Path) -> None:
    """The first rounds; a campaign plays to the end."""
    with seated(tmp_path) as players:
        session = players.play(ROUND)
        shown = players.program.until(lambda shown: shown["entries"] == session.entries)
    assert str(RACE.view(session.state).round) in " ".join(shown["words"])
    assert players.shown + players.clicked == _answers(session) == ROUND
    assert players.shown > 15
    assert players.clicked > 2


@pytest.mark.campaign
def test_bots_play_a_whole_game_through_a_camera_and_with_clicks(tmp_path: Path) -> None:
    with seated(tmp_path) as players:
        session = players.play()
        players.program.tap("score")
        sheet = RACE.sheet(session.state)
        players.program.until(lambda shown: shown["screen"] == "score" and _told(sheet, shown["words"]))
    assert players.shown + players.clicked == _answers(session)
    assert players.shown > 35, "whatever has a card was shown to the camera"


def _told(sheet: Sheet, words: list[str]) -> bool:
    """Whether every seat was counted up: its name, its rank and its total."""
    return all({seat.name.upper(), f"{seat.rank}.", str(seat.total)} <= set(words) for seat in sheet.seats)
