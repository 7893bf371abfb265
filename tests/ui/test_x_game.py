"""A whole game of Race in a real window: bots hold cards to a network camera and click what has no card."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import cv2
import pytest

from companion.core.game import games
from companion.core.questions import Answer, Question
from companion.core.understand import Choose, Sighted, understand
from companion.recognition.reading import book
from companion.recognition.virtual_cards import Cards
from companion.table.settings import Settings
from tests.ui import real
from tests.ui.players import MOST_AGAIN, Players, answers, begun, see_the_score
from tests.ui.real import AGAIN, Program
from vision.virtual import PRESETS, VirtualTable

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)

RACE = games()["race"]
SEED = 23
"""A game with sales, chosen goods and windfall worlds, and not too long."""

OWN = book(RACE).sets
"""The cards every player has one of."""

GONE = 4.0
"""Seconds for which a card that was not read is taken away: one that was only covered is no second scan."""

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


class CardPlayers(Players):
    """Bots who show to the camera what has a card of its own, and click the rest."""

    def __init__(self, program: Program, table: VirtualTable, seed: int) -> None:
        super().__init__(program, RACE, seed)
        self.table, self.cards = table, Cards(RACE, table, room=4)
        self.shown = self.confirmed = 0
        self._lowered: dict[tuple[str, int | None], float] = {}
        self._last_lowered = 0.0

    @property
    def given(self) -> int:
        return self.shown + self.clicked

    def give(self, question: Question, answer: Answer) -> None:
        option = question.option(answer.option)
        assert option is not None
        if option.component is None or option.component in RACE.on_table(self.session.state):
            self.click(question, answer)
        else:
            self._show(question, answer, option.component)

    def _show(self, question: Question, answer: Answer, component: str) -> None:
        """Whoever places a card in secret takes the screen; an action card tells by itself whose it is."""
        self.at_the_table()
        if component not in OWN or not question.secret:
            self.turn_the_screen_to(question, answer)
        held = (component, answer.seat if component in OWN else None)
        ready = max(self._lowered.get(held, 0.0) + GONE, self._last_lowered + ANOTHER)
        time.sleep(max(0.0, ready - time.monotonic()))
        self.cards.hold_up(component, answer.seat)
        since = time.monotonic()
        while not self.answered():
            if "choice-0" in self.program.shown()["taps"]:
                self.program.tap(f"choice-{self._which(answer, component)}")
            elif time.monotonic() - since > OFFERED and "offer-0" in self.program.shown()["taps"]:
                self.confirmed += 1  # a busy machine gave too few pictures to see who brought it
                self.program.tap("offer-0")
                since = time.monotonic()
            elif time.monotonic() - since > AGAIN:
                self.repeated += 1
                assert self.repeated < MOST_AGAIN, f"never read: {component}; shown: {self.program.shown()}"
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


@contextmanager
def seated(folder: Path) -> Iterator[CardPlayers]:
    """Two players before a real window with a play that has just begun."""
    table = VirtualTable(PRESETS["good-lamp"], SEED, size=(800, 450), width=600.0, fps=10.0)
    settings = Settings(in_secret=True, moments=False)
    with filming(table) as address, begun(folder, "race", settings, address) as program:
        yield CardPlayers(program, table, SEED)


ROUND = 24
"""Answers after which this game has seen each of what people do: secretly, openly, by card, by click."""


def test_bots_play_through_a_camera_and_with_clicks(tmp_path: Path) -> None:
    """The first rounds; a campaign plays to the end."""
    with seated(tmp_path) as players:
        session = players.play(ROUND)
        shown = players.program.until(lambda shown: shown["entries"] == session.entries)
    assert str(RACE.view(session.state).round) in " ".join(shown["words"])
    assert players.shown + players.clicked == answers(session) == ROUND
    assert players.shown > 15
    assert players.clicked > 2


@pytest.mark.campaign
def test_bots_play_a_whole_game_through_a_camera_and_with_clicks(tmp_path: Path) -> None:
    with seated(tmp_path) as players:
        session = players.play()
        see_the_score(players)
    assert players.shown + players.clicked == answers(session)
    assert players.shown > 35, "whatever has a card was shown to the camera"
