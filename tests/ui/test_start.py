"""Whether there is a display, and what must be loaded before there are threads."""

import argparse
import os
import socket
import subprocess
import sys

import pytest

from companion.__main__ import opens_window
from companion.commands.shared import can_open_window
from companion.core.binder import Binder
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.table import settings
from companion.ui import start
from companion.ui.start import card, fills_display, has_display, turned


@pytest.fixture
def no_screens(tmp_path):
    return tmp_path


def connect(folder, state):
    connector = folder / "card1-HDMI-A-1"
    connector.mkdir()
    (connector / "status").write_text(state + "\n")
    return folder


def test_an_x_server_is_a_display(no_screens):
    assert has_display({"DISPLAY": ":0"}, no_screens)
    assert not has_display({}, no_screens)


def test_a_connected_screen_is_one_without_a_desktop(tmp_path):
    assert has_display({}, connect(tmp_path, "connected"))


def test_an_empty_socket_is_none(tmp_path):
    assert not has_display({}, connect(tmp_path, "disconnected"))


def test_over_the_network_no_screen_of_the_machine_is_used(tmp_path):
    screens = connect(tmp_path, "connected")
    assert not has_display({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, screens)
    assert has_display({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22", "DISPLAY": "localhost:10"}, screens)


def test_no_window_opens_if_none_is_wanted(no_screens):
    assert not has_display({"DISPLAY": ":0", "COMPANION_SCREEN": "none"}, no_screens)


@pytest.mark.parametrize(
    ("connectors", "number"),
    [
        ({}, None),
        ({"card1-HDMI-A-1": "connected", "card1-HDMI-A-2": "disconnected"}, "1"),
        ({"card0-DSI-1": "disconnected", "card1-HDMI-A-1": "connected"}, "1"),
        ({"card1-HDMI-A-1": "connected", "card2-DSI-2": "connected"}, "2"),
        ({"card1-HDMI-A-1": "disconnected"}, None),
    ],
)
def test_the_card_a_screen_is_connected_to_a_panel_at_the_ribbon_first(tmp_path, connectors, number):
    for name, state in connectors.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(state + "\n")
    assert card(tmp_path) == number


def test_a_picture_is_turned_by_right_angles_only():
    assert turned({"COMPANION_ROTATE": "270"}) == "270"
    assert turned({}) == turned({"COMPANION_ROTATE": "45"}) == turned({"COMPANION_ROTATE": ""}) == "0"


@pytest.mark.parametrize(
    ("environ", "full"),
    [
        ({}, True),
        ({"DISPLAY": ":0"}, False),
        ({"WAYLAND_DISPLAY": "wayland-0"}, False),
        ({"SDL_VIDEODRIVER": "offscreen"}, False),
        ({"SDL_VIDEODRIVER": "KMSDRM"}, True),
        ({"DISPLAY": ":0", "COMPANION_SCREEN": "full"}, True),
        ({"COMPANION_SCREEN": "window"}, False),
    ],
)
def test_a_display_of_its_own_is_filled(environ, full):
    assert fills_display(environ) is full


@pytest.mark.parametrize(
    ("given", "at_once"),
    [
        ((), True),
        (("--panel",), True),
        (("--language", "pl"), True),
        (("--language=pl", "resume"), True),
        (("resume", "--text"), False),
        (("resume", "7"), False),
        (("play", "race"), False),
        (("--help",), False),
        (("plays",), False),
    ],
)
def test_a_window_is_opened_before_anything_else_where_nothing_can_be_refused(given, at_once):
    assert opens_window(given, {"DISPLAY": ":0"}) is at_once
    assert not opens_window(given, {"DISPLAY": ":0", "COMPANION_SCREEN": "none"})


def test_nothing_is_used_for_the_first_time_when_the_window_has_several_threads(tmp_path):
    with Store(tmp_path / "journal.db") as store:
        setup = Setup("race", ("Ania", "Bartek"))
        Play.start(game("race"), setup, Journal(store), Binder(store), at=1.0)
    settings.save(tmp_path / "settings.json", settings.Settings(camera="virtual:good-lamp:1"))
    ours = {"COMPANION_HOME": str(tmp_path), "SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.first_uses"],
        env={**os.environ, **ours, "COMPANION_SCREEN": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("first uses:\n"), done.stdout


def test_the_window_opens_even_if_kivys_folder_is_a_file(tmp_path):
    (tmp_path / "kivy").write_text("not a folder")
    kept = start._kivy_home(tmp_path)
    assert kept.is_dir()
    assert os.access(kept, os.W_OK)
    assert kept.parent != tmp_path


@pytest.mark.parametrize(
    "display",
    ["nonsense", ":", ":x", ":²", ":77777777", "/no/where:0", "localhost:59999", "[::1]:1", "\0:0", ":654"],
)
def test_a_display_nobody_is_behind_is_told_of(display, monkeypatch, capsys):
    """SDL would take another way to draw, which nobody sees, and the program would wait for touches for ever."""
    assert not start.answers({"DISPLAY": display})
    assert start.answers({"DISPLAY": display, "SDL_VIDEODRIVER": "x11"})
    assert start.answers({})
    if "\0" in display:
        return
    monkeypatch.setenv("DISPLAY", display)
    for name in ("SDL_VIDEODRIVER", "COMPANION_SCREEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(start, "lacking", tuple)
    for language, words in (("en", "Nobody answers"), ("pl", "nie odpowiada")):
        assert not can_open_window(argparse.Namespace(text=False, language=language))
        assert words in capsys.readouterr().err


def test_a_display_somebody_is_behind_answers(tmp_path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{tmp_path}/x:0")
        server.listen()
        assert start.answers({"DISPLAY": f"{tmp_path}/x:0"})
