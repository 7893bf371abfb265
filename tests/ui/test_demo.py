"""A whole game by bots through the camera with the screen up, frame by frame instead of by a clock."""

from collections import Counter

import pytest

from companion.core.game import Setup, games
from companion.core.session import Answered
from companion.recognition import reading
from companion.recognition.virtual_cards import Cards
from companion.table.camera_feed import CameraFeed
from companion.ui.rehearsal.demo import Demo, DemoApp
from vision.virtual import PRESETS, VirtualTable
from vision.worker import Worker

RACE = games()["race"]


class Paced(CameraFeed):
    """The usual lookout, whose worker looks when it is told to instead of in a thread."""

    def __init__(self, table: VirtualTable, clock) -> None:
        super().__init__(clock)
        self._worker = Worker(table, reading.reader(RACE), clock, self.wake)
        self._worker.wait_for_scan(True)

    def look(self) -> None:
        self._worker.look()

    def stop(self) -> None:
        pass


@pytest.fixture
def demo(rehearsal, monkeypatch):
    table = VirtualTable(
        PRESETS["good-lamp"], 3, size=(800, 450), width=600.0, fps=1000.0, clock=rehearsal.clock
    )
    rehearsal.app.look_through(Paced(table, rehearsal.clock))
    app = rehearsal.app
    app.holder = None
    monkeypatch.setattr(app, "shown_by", DemoApp.shown_by.__get__(app))
    app.desk.start(RACE, Setup("race", ("Ania", "Bartek")))
    rehearsal.settle()
    return Demo(app, RACE, 3, Cards(RACE, table, room=4), speed=0.8, clock=rehearsal.clock, patience=3.0)


def test_bots_play_a_whole_game_through_the_camera(rehearsal, demo):
    app = rehearsal.app
    app.watching = demo.picture
    for _ in range(3000):
        demo.step()
        app.lookout.look()
        app.desk.clerk.settle()
        rehearsal.frames(1)
        rehearsal.now += 0.2
        if app.screen.name == "score":
            break
    assert app.screen.name == "score"
    assert app.desk.session.over
    answered = [m.entry for m in app.desk.session.moments if m.entry and isinstance(m.entry.deed, Answered)]
    assert demo.read + demo.tapped == len(answered)
    assert demo.read > 40, "nearly every card is read, hardly any tapped"
    sheet = RACE.sheet(app.desk.session.state)
    for _ in range(200):
        app.screen.tick()
    rehearsal.settle()
    words = rehearsal.words()
    for seat in sheet.seats:
        at = words.index(seat.name)
        assert words[at + 1 : at + 3] == [f"{seat.rank}.", str(seat.total)]
    points = Counter(str(line.points) for seat in sheet.seats for line in seat.lines)
    assert points <= Counter(words), "every line of the sheet is on the screen"
    assert any(all(name in told for name in sheet.winners) and "win" in told for told in words)
