"""A hall on the table's screen: the switch, credentials, calls, who plays next, and whether the result is right."""

import threading
from pathlib import Path

import pytest
import segno
from msgspec.structs import replace

from companion.core.game import games
from companion.hall_messages import AssignedPlayer, Assignment, TableCall, TableCredentials
from companion.recognition.plain_codes import texts_in
from companion.table import backups, hall_memory
from companion.table.hall_now import HallNow, ResultNow
from companion.ui.hall_on_screen import HallOnScreen
from companion.ui.toolkit.geometry import walk
from vision.camera_health import Frame

NAMED = TableCredentials("expo", "Table 7", "hall.local", table="table-7")
CREDENTIALS = b'{"hall":"expo","title":"Table 7","host":"hall.local","table":"table-7"}'
ON = HallNow(True, NAMED, True)


class Side:
    """A hall without a hall."""

    def __init__(self):
        self.now, self.said = ON, []

    def __getattr__(self, name):
        return lambda *what: self.said.append((name, *what))


@pytest.fixture
def hall(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.app.hall.side = side = Side()
    rehearsal.change(hall=True)
    return side


def choose(rehearsal, words):
    """Answer the app's question."""
    choices = [choice for choice, _ in rehearsal.app.asked.choices]
    rehearsal.tap(f"choice-{choices.index(words)}")
    rehearsal.settle()


def find(rehearsal, name):
    """Tap something that takes a while."""
    rehearsal.tap(name)
    rehearsal.app.thread_pool.settle()
    rehearsal.settle()


def test_off_by_default_and_switched_on_from_the_tables_menu(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    assert not rehearsal.app.desk.settings.hall
    assert not rehearsal.app.desk.settings.home_assistant
    rehearsal.tap("menu")
    choose(rehearsal, "Hall")
    rehearsal.tap("hall-switch")
    assert rehearsal.app.desk.settings.hall
    rehearsal.tap("hall-switch")
    assert not rehearsal.app.desk.settings.hall


def test_the_switches_stay(rehearsal, hall):
    rehearsal.app.go("settings", section="hall")
    rehearsal.settle()
    rehearsal.tap("hall-page")
    rehearsal.tap("home_assistant-switch")
    rehearsal.app.desk.clerk.settle()
    kept = (rehearsal.app.folder / "settings.json").read_text()
    assert '"hall": true' in kept
    assert '"home_assistant": true' in kept


def test_a_table_begins_to_tell_a_hall_when_it_is_switched_on_and_leaves_nothing_when_off(
    rehearsal, tmp_path
):
    """Off there is no thread, no socket and no file; on, without credentials, only the thread."""
    rehearsal.play("race", ("Ania", "Bartek"))
    app = rehearsal.app
    before = {path.name for path in app.folder.iterdir()}
    app.hall.connect()
    assert app.hall.side is None
    assert not any(thread.name == "hall" for thread in threading.enumerate())
    rehearsal.change(hall=True)
    rehearsal.settle()
    assert [thread for thread in threading.enumerate() if thread.name == "hall"]
    rehearsal.change(hall=False)
    rehearsal.change(hall=True)
    rehearsal.change(hall=False)
    app.hall.stop()
    assert not any(thread.name == "hall" for thread in threading.enumerate())
    assert app.hall.side is None
    app.desk.clerk.settle()
    assert {path.name for path in app.folder.iterdir()} - before == {"settings.json"}


def test_the_judge_is_called_from_the_tables_menu(rehearsal, hall):
    rehearsal.tap("menu")
    choose(rehearsal, "Call the judge")
    assert hall.said == [("call_judge", True)]
    hall.now = replace(ON, calling=True)
    rehearsal.tap("menu")
    choose(rehearsal, "The judge is no longer needed")
    assert hall.said[-1] == ("call_judge", False)


def test_a_call_is_shown_until_it_is_touched_and_changes_nothing(rehearsal, hall):
    before = rehearsal.app.desk.session
    hall.now = replace(
        ON, calls=(TableCall("a", "round-begins", 5), TableCall("b", "text", text="Lunch!\x1b[1m"))
    )
    rehearsal.app.hall.changed()
    rehearsal.settle()
    assert rehearsal.app.asked.detail == "The next round begins in 5 min."
    rehearsal.app.hall.changed()
    rehearsal.settle()
    assert rehearsal.app.asked.detail == "The next round begins in 5 min."
    choose(rehearsal, "Seen")
    assert hall.said == [("touched", "a")]
    hall.now = replace(ON, calls=hall.now.calls[1:])
    rehearsal.app.hall.changed()
    rehearsal.settle()
    assert rehearsal.app.asked.detail.startswith("Lunch!")
    assert "\x1b" not in rehearsal.app.asked.detail
    assert rehearsal.app.desk.session is before


def test_another_question_is_not_replaced_by_a_call(rehearsal, hall):
    rehearsal.tap("menu")
    menu = rehearsal.app.asked
    hall.now = replace(ON, calls=(TableCall("a", "judge-comes"),))
    rehearsal.app.hall.changed()
    assert rehearsal.app.asked is menu
    rehearsal.app.dismiss()
    rehearsal.app.hall.changed()
    assert rehearsal.app.asked.detail == "The judge is coming."


def test_players_say_whether_the_result_is_right(rehearsal, hall):
    play = rehearsal.app.desk.play.id
    hall.now = replace(ON, result=ResultNow(play, ("Ania", "Bartek"), (), (), 0.0))
    rehearsal.app.go("hall")
    rehearsal.settle()
    rehearsal.tap("confirm")
    choose(rehearsal, "Bartek: right")
    assert hall.said == [("confirm", 1, True)]
    hall.now = replace(ON, result=ResultNow(play, ("Ania", "Bartek"), (1,), (), 0.0))
    rehearsal.app.hall.changed()
    rehearsal.settle()
    rehearsal.tap("confirm")
    assert [words for words, _ in rehearsal.app.asked.choices] == ["Ania: right", "Not right", "Later"]
    choose(rehearsal, "Not right")
    choose(rehearsal, "Bartek")
    assert hall.said[-1] == ("confirm", 1, False)


def test_a_button_that_confirms_another_seat_renews_the_question(rehearsal, hall):
    play = rehearsal.app.desk.play.id
    hall.now = replace(ON, result=ResultNow(play, ("Ania", "Bartek"), (), (), 0.0))
    rehearsal.app.go("score")
    rehearsal.settle()
    rehearsal.app.hall.changed()
    assert len(rehearsal.app.asked.choices) == 4
    hall.now = replace(ON, result=ResultNow(play, ("Ania", "Bartek"), (0,), (), 0.0))
    rehearsal.app.hall.changed()
    assert len(rehearsal.app.asked.choices) == 3
    hall.now = replace(ON, result=ResultNow(play, ("Ania", "Bartek"), (0, 1), (), 0.0))
    rehearsal.app.hall.changed()
    assert rehearsal.app.asked is None


def test_who_plays_here_next_is_offered_at_the_set_up(rehearsal, hall):
    players = (AssignedPlayer("12", "Ola"), AssignedPlayer("7", "Jan"))
    hall.now = replace(ON, assignment=Assignment("r1", 1, "race", players))
    rehearsal.app.go("new", game=games()["race"])
    rehearsal.settle()
    rehearsal.tap("assigned")
    assert [person.name for person in rehearsal.screen.people] == ["Ola", "Jan"]
    hall.now = replace(ON, assignment=Assignment("r1", 1, "race", players * 6))
    rehearsal.app.refresh()
    assert [tap for tap in walk(rehearsal.app.stage) if getattr(tap, "name", "") == "assigned"] == []


def test_credentials_come_from_a_stick(rehearsal, hall, tmp_path, monkeypatch):
    stick = backups.Stick(tmp_path, 10**9, True)
    monkeypatch.setattr(backups, "sticks", lambda: (stick,))
    rehearsal.app.go("hall")
    rehearsal.settle()
    find(rehearsal, "from-stick")
    assert rehearsal.app.message[1] == "refused"
    (tmp_path / "table-8.hall-table.json").write_bytes(b"{}")
    (tmp_path / "table-7.hall-table.json").write_bytes(CREDENTIALS)
    find(rehearsal, "from-stick")
    find(rehearsal, "file-0")
    assert rehearsal.app.message[1] == "refused"
    find(rehearsal, "file-1")
    assert hall_memory.credentials(rehearsal.app.folder) == NAMED
    assert ("look_for_credentials",) in hall.said
    rehearsal.tap("forget")
    choose(rehearsal, "Leave this hall")
    assert hall_memory.credentials(rehearsal.app.folder) is None


def test_a_qr_code_before_the_camera_is_read(tmp_path: Path):
    import cv2
    import numpy as np

    pem = "-----BEGIN CERTIFICATE-----\n" + ("A1b/" * 16 + "\n") * 11 + "-----END CERTIFICATE-----\n"
    text = CREDENTIALS[:-1].decode() + f',"ca":"{pem!r}"'.replace("'", "") + ',"password":"0123456789abcdef"}'
    segno.make(text, error="l").save(str(tmp_path / "code.png"), scale=6, border=4)
    picture = cv2.imread(str(tmp_path / "code.png"))
    assert texts_in(Frame(picture, 0.0)) == (text,)
    assert hall_memory.understood(text.encode()).password == "0123456789abcdef"
    assert texts_in(Frame(np.zeros((480, 640, 3), np.uint8), 0.0)) == ()


def test_an_app_without_a_window_has_a_hall_that_is_off():
    class App:
        pass

    assert HallOnScreen(App()).now == HallNow()
