"""A play at a terminal in a hall: its events, the hall's calls, and the names of those who confirm the result."""

import io
import threading
from pathlib import Path
from random import Random

import msgspec
import pytest
from rich.console import Console

from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.hall_messages import TableCall, TableResult
from companion.table import hall_memory
from companion.table.settings import Settings, save, settings_path
from companion.terminal.in_hall import in_hall
from companion.terminal.play_loop import at_the_table
from companion.terminal.show import Shower
from tests.hall.live import Listener
from tests.hall.mosquitto import Mosquitto
from tests.hall.wired import CREDENTIALS
from tests.patience import PATIENCE


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("COMPANION_HOME", str(folder))
    return folder


def begin(home: Path) -> tuple[Store, Play]:
    store = Store(home / "journal.db")
    return store, Play.start(
        game("race"), Setup("race", ("Ania", "Bartek")), Journal(store), Binder(store), 1.0
    )


def play_to_the_end(play: Play) -> None:
    bots, random = play.session.game.bots(play.session.setup, Random(3)), Random(3)
    bots.follow(play.session.state, play.session.state.news)
    while not play.session.over:
        play.answer(next_answer(play.session.state, bots, random), 2.0)
        bots.follow(play.session.state, play.session.state.news)


class Paper(io.StringIO):
    """What is printed; `called` is set when the hall has called."""

    def __init__(self) -> None:
        super().__init__()
        self.called = threading.Event()

    def write(self, text: str) -> int:
        if "The hall says" in text:
            self.called.set()
        return super().write(text)


def shower() -> tuple[Shower, Paper]:
    out = Paper()
    return Shower(Console(file=out, width=200), "en"), out


def test_a_play_at_a_terminal_is_told_called_and_confirmed(home: Path, broker: Mosquitto) -> None:
    hall = Listener(broker.port)
    hall_memory.take(home, msgspec.json.encode(msgspec.structs.replace(CREDENTIALS, port=broker.port)))
    save(settings_path(), Settings(hall=True))
    store, play = begin(home)
    show, out = shower()
    with in_hall(play, show, lambda: 3.0) as there:
        there.changed()
        hall.wait(lambda _: (1, 0) in hall.events)
        hall.say("hall/expo/table/table-7/call", TableCall("c", "round-begins", 5))
        assert out.called.wait(PATIENCE)
        play_to_the_end(play)
        there.changed()
        hall.wait(lambda _: hall.last("/result/1"))
        there.ask_confirmation(lambda prompt: "ania, !Bartek, Celina")

        def refused(_: object) -> bool:
            result = msgspec.json.decode(hall.last("/result/1"), type=TableResult)
            return (result.confirmed, result.refused) == ((0,), (1,))

        hall.wait(refused)
        hall.wait(lambda _: len({*hall.events}) == play.session.entries + 1)
    hall.wait(lambda _: hall.last("/online") == b"offline")
    assert "Nobody here is called Celina" in out.getvalue()
    assert "The hall says: The next round begins in 5 min." in out.getvalue()
    store.close()
    hall.stop()


def test_switched_off_a_terminal_has_nothing_of_it(home: Path) -> None:
    store, play = begin(home)
    play_to_the_end(play)
    show, _ = shower()
    assert at_the_table(play, show, lambda prompt: "", lambda: 3.0) == 0
    assert not [path for path in home.iterdir() if "hall" in path.name]
    store.close()
