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

from companion.recognition.virtual_cards import Cards
from companion.table.settings import Settings
from tests.ui import real
from tests.ui.card_players import RACE, CardPlayers
from tests.ui.players import answers, begun, see_the_score
from vision.virtual import PRESETS, VirtualTable

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)

SEED = 23
"""A game with sales, chosen goods and windfall worlds, and not too long."""


class PhoneCamera(BaseHTTPRequestHandler):
    """A phone that films the virtual table: pictures one after another in one long answer, and when each was taken."""

    table: ClassVar[VirtualTable]
    drawing: ClassVar[threading.Lock]

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        try:
            while True:
                with self.drawing:
                    frame = self.table.read()
                if frame is None:
                    time.sleep(0.01)
                    continue
                data = cv2.imencode(".jpg", frame.picture)[1].tobytes()
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n"
                head += f"X-Timestamp: {frame.at:.6f}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")
        except OSError:
            return  # the reader has closed the connection

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def filming(table: VirtualTable) -> Iterator[str]:
    """The address at which this table can be seen."""
    phone = type("Phone", (PhoneCamera,), {"table": table, "drawing": threading.Lock()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), phone)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/video"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def seated(folder: Path) -> Iterator[CardPlayers]:
    """Two players before a real window with a play that has just begun."""
    table = VirtualTable(PRESETS["good-lamp"], SEED, size=(800, 450), width=600.0, fps=10.0)
    table.read()  # the first picture takes longest to draw
    settings = Settings(in_secret=True, moments=False)
    with filming(table) as address, begun(folder, "race", settings, address) as program:
        yield CardPlayers(program, Cards(RACE, table, room=4), SEED)


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
