"""Wi-Fi by touch: what is asked of root's side, and how its answer is shown."""

import json
import string

import pytest

from companion.table import wifi
from companion.ui.screens.settings.sections import SECTIONS
from companion.ui.screens.wifi import PATIENCE
from companion.ui.toolkit import keyboard

NETWORKS = [
    {"name": "Pod Dębem 7", "strength": 88, "locked": True, "here": False},
    {"name": "Kawiarnia", "strength": 31, "locked": False, "here": False},
]


class Root:
    """Root's side of the door."""

    def __init__(self, folder):
        self.requests, self.status, self.told = folder / "requests", folder / "status", 0
        self.requests.mkdir()
        self.status.mkdir()

    def asked(self):
        """What is asked for now; heard once."""
        found = {
            path.name: (path.read_bytes(), path.stat().st_mode & 0o777) for path in self.requests.iterdir()
        }
        for path in self.requests.iterdir():
            path.unlink()
        return found

    def say(self, state, network="", networks=None):
        self.told += 1
        told = {"state": state, "network": network, "at": self.told, "networks": networks}
        (self.status / "wifi.json").write_text(json.dumps(told))


@pytest.fixture
def root(tmp_path, monkeypatch):
    root = Root(tmp_path)
    monkeypatch.setenv("COMPANION_REQUESTS", str(root.requests))
    monkeypatch.setenv("COMPANION_STATUS", str(root.status))
    return root


@pytest.fixture
def listed(rehearsal, root):
    """The networks, as they were heard."""
    rehearsal.app.go("wifi")
    rehearsal.settle()
    assert list(root.asked()) == ["wifi-scan"]
    answer(rehearsal, root, "listed", networks=NETWORKS)
    return rehearsal


def answer(rehearsal, root, state, network="", networks=None):
    root.say(state, network, networks)
    rehearsal.app.screen.tick()
    rehearsal.settle()


def says(rehearsal, words):
    return any(words in said for said in rehearsal.words())


def type_in(rehearsal, text):
    for key in text:
        rehearsal.tap("key-space" if key == " " else f"key-{key}")


def test_networks_are_listed_with_how_well_they_are_heard(listed):
    assert says(listed, "Pod Dębem 7")
    assert says(listed, "with a password, 88 %")
    assert says(listed, "without a password, 31 %")


def test_a_password_is_typed_and_asked_for_in_a_file_nobody_else_reads(listed, root):
    listed.tap("network-0")
    type_in(listed, "tajne ")
    listed.tap("key-shift")
    listed.tap("key-x")
    listed.tap("key-signs")
    type_in(listed, "*\\~")
    listed.tap("key-letters")
    listed.tap("key-a")
    listed.tap("key-done")
    ((data, mode),) = (asked for name, asked in root.asked().items() if name == "wifi-join")
    assert json.loads(data) == {"network": "Pod Dębem 7", "password": "tajne X*\\~a"}
    assert mode == 0o600
    assert says(listed, "Connecting to “Pod Dębem 7”")
    assert not says(listed, "tajne")


def test_the_same_answer_twice_is_two_answers(listed, root):
    for _ in range(2):
        listed.tap("network-0")
        type_in(listed, "niedobre")
        listed.tap("key-done")
        assert "wifi-join" in root.asked()
        assert not says(listed, "is not right")
        answer(listed, root, "wrong-password", "Pod Dębem 7")
        assert says(listed, "The password of “Pod Dębem 7” is not right.")
        assert says(listed, "Kawiarnia"), "the networks stay in sight"


def test_joined_is_told_and_shown(listed, root):
    listed.tap("network-1")
    assert json.loads(root.asked()["wifi-join"][0]) == {"network": "Kawiarnia", "password": ""}
    answer(listed, root, "joined", "Kawiarnia", [NETWORKS[0], NETWORKS[1] | {"here": True}])
    assert says(listed, "Connected to “Kawiarnia”.")
    assert says(listed, "connected, 31 %")


@pytest.mark.parametrize("password", ["krótkie", "1234567"])
def test_what_cannot_be_a_password_is_not_asked_for(listed, root, password):
    listed.tap("network-0")
    listed.app.screen.typing.text = password
    listed.tap("key-done")
    assert says(listed, "8 to 63 letters")
    assert root.asked() == {}
    listed.tap("key-8")
    assert not says(listed, "8 to 63 letters")


def test_nothing_heard_and_no_answer_are_told(rehearsal, root):
    rehearsal.app.go("wifi")
    answer(rehearsal, root, "listed", networks=[])
    assert says(rehearsal, "No network is in range")
    rehearsal.tap("look-again")
    rehearsal.now += PATIENCE + 1
    rehearsal.app.screen.tick()
    rehearsal.settle()
    assert says(rehearsal, "did not answer")
    rehearsal.tap("look-again")
    answer(rehearsal, root, "no-wifi")
    assert says(rehearsal, "No Wi-Fi was found")


def test_a_request_nobody_can_leave_is_told(rehearsal, root):
    rehearsal.app.go("wifi")
    answer(rehearsal, root, "listed", networks=NETWORKS)
    for path in root.requests.iterdir():
        path.unlink()
    root.requests.rmdir()
    rehearsal.tap("network-1")
    assert says(rehearsal, "cannot be asked for now")


def test_the_first_start_offers_it_and_does_without(rehearsal, root):
    rehearsal.app.go("welcome")
    rehearsal.settle()
    assert says(rehearsal, "choose a network or leave it")
    rehearsal.tap("wifi")
    answer(rehearsal, root, "joined", "Kawiarnia", [NETWORKS[1] | {"here": True}])
    rehearsal.tap("back")
    assert rehearsal.app.screen.name == "welcome"
    assert says(rehearsal, "Connected to “Kawiarnia”.")
    rehearsal.tap("begin")
    assert rehearsal.app.screen.name == "home"


def test_the_settings_have_it_only_where_somebody_can_be_asked(rehearsal, root):
    rehearsal.tap("settings")
    rehearsal.tap("section-wifi")
    rehearsal.tap("wifi")
    assert rehearsal.app.screen.name == "wifi"
    rehearsal.app.home()
    root.asked()
    root.requests.rmdir()
    rehearsal.tap("settings")
    assert "section-wifi" not in rehearsal.taps()
    assert [name for name in SECTIONS if f"section-{name}" in rehearsal.taps()] == [
        name for name in SECTIONS if name != "wifi"
    ]


def test_every_sign_a_password_can_have_is_on_a_key():
    for sheets in (
        (keyboard.PASSWORD_BESIDE, keyboard.SIGNS_BESIDE),
        (keyboard.PASSWORD_NARROW, keyboard.SIGNS_NARROW),
    ):
        keys = {word.partition("×")[0] for sheet in sheets for row in sheet for word in row.split()}
        assert set(string.ascii_lowercase + string.digits + string.punctuation) <= keys
        assert {"space", "backspace", "shift", "signs", "letters", "done"} <= keys


@pytest.mark.parametrize(("strength", "bars"), [(0, 1), (24, 1), (25, 2), (50, 3), (75, 4), (100, 4)])
def test_strength_has_four_steps(strength, bars):
    assert wifi.Network("x", strength, True).bars == bars


def test_what_root_never_says_is_no_news(tmp_path):
    assert wifi.news({"COMPANION_STATUS": str(tmp_path)}) is None
    for nonsense in (b"", b"[]", b'{"state": 3}', b"\xff" * 9):
        (tmp_path / "wifi.json").write_bytes(nonsense)
        assert wifi.news({"COMPANION_STATUS": str(tmp_path)}) is None
