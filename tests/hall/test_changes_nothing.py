"""A hall changes no play: with it, and without, a play has the same bytes on the disk; switched off, nothing of it is
there."""

import os
import sqlite3
import threading
from pathlib import Path
from random import Random

import pytest

from companion.core.autoplay import next_answer
from companion.core.game import Setup, games
from companion.hall_messages import AssignedPlayer, Assignment, HallDay, SendAgain, TableCall
from companion.hall_wire import BrokerState, HeardAgain, HeardAssignment, HeardCall, HeardDay
from companion.table import hall_memory
from tests.hall.wired import HalledTable
from tests.table.desks import ListeningDesk

LONGEST = 60
"""Answers of one play."""


def bots_play(table: ListeningDesk, game: str, between: list) -> None:  # type: ignore[type-arg]
    """Seeded bots play, with pauses and undo; after each deed one of `between` happens."""
    rules, random = games()[game], Random(7)
    setup = Setup(game, ("Ania", "Bartek", "Celina")[: rules.box.seats[-1]])
    table.play(setup)
    bots = rules.bots(table.session.setup, random)
    for moment in table.session.moments:
        bots.follow(moment.state, moment.state.news)
    for n in range(LONGEST):
        if table.session.over:
            break
        before = table.session
        table.now += 1.5
        table.desk.propose(next_answer(before.state, bots, random))
        table.settle()
        for moment in table.session.moments[len(before.moments) :]:
            bots.follow(moment.state, moment.state.news)
        if n % 9 == 4:
            table.desk.pause()
            table.desk.unpause()
            table.settle()
        if between:
            between[n % len(between)]()
    table.desk.undo()
    table.settle()


def rows(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything in the journal."""
    db = sqlite3.connect(f"file:{folder / 'journal.db'}?mode=ro", uri=True)
    names = [
        name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    ]
    found = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    db.close()
    return found


def hostile(halled: HalledTable) -> list:  # type: ignore[type-arg]
    """Everything a hall can say, and everything that can happen to it."""
    players = tuple(AssignedPlayer(str(n), name) for n, name in enumerate(("Ania", "Bartek", "Celina")))
    return [
        halled.settle,
        lambda: halled.say(HeardCall(TableCall(f"c{len(halled.heard)}", "judge-comes"))),
        lambda: halled.say(HeardAgain(SendAgain(1, 0))),
        lambda: halled.say(HeardAssignment(Assignment("a", 1, "race", players))),
        lambda: halled.say(HeardDay(HallDay(f"d{len(halled.heard)}", "x"))),
        lambda: halled.say(BrokerState(False, "away")),
        halled.connect,
        lambda: halled.side.confirm(0, False),
        lambda: halled.side.call_judge(True),
        lambda: [halled.side.pressed(seat) for seat in range(3)],
    ]


@pytest.mark.parametrize("game", ["race", "transgalactica", "beyond"])
def test_a_play_has_the_same_bytes_with_a_hall_and_without(tmp_path: Path, game: str) -> None:
    alone, watched = tmp_path / "alone", tmp_path / "watched"
    alone.mkdir()
    watched.mkdir()
    table = ListeningDesk(alone)
    bots_play(table, game, [])
    table.desk.clerk.stop()
    halled = HalledTable(watched)
    halled.table.desk.for_now(hall=True, home_assistant=True)
    halled.connect()
    halled.now += 5
    bots_play(halled.table, game, hostile(halled))
    halled.settle()
    assert halled.events, "the hall has heard something"
    halled.close()
    assert rows(watched) == rows(alone)
    assert (watched / "journal.db").read_bytes() == (alone / "journal.db").read_bytes()


def test_switched_off_there_is_no_file_no_socket_and_no_thread(tmp_path: Path) -> None:
    """Even with credentials."""
    table = ListeningDesk(tmp_path)
    bots_play(table, "race", [])
    table.desk.clerk.settle()
    assert not [path for path in tmp_path.iterdir() if "hall" in path.name]
    assert not [thread for thread in threading.enumerate() if thread.name == "hall"]
    assert not table.desk.settings.hall
    assert not table.desk.settings.home_assistant
    table.desk.clerk.stop()


def test_credentials_and_memory_are_in_no_backup(tmp_path: Path) -> None:
    from companion.table.backups import back_up

    halled = HalledTable(tmp_path)
    halled.play()
    halled.connect()
    halled.side._save()
    assert (tmp_path / hall_memory.MEMORY_FILE).exists()
    stick = tmp_path / "stick"
    stick.mkdir()
    made = back_up(tmp_path / "journal.db", stick, 1e9)
    copied = [Path(folder, name) for folder, _, names in os.walk(made) for name in names]
    assert copied
    assert not [path for path in copied if "hall" in path.name]
    assert not [path for path in copied if b"table-7" in path.read_bytes()]
    halled.close()
