"""Whether there is a display, told from the environment and the graphics card."""

import pytest

from companion.ui.start import has_display


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


def test_whoever_comes_over_the_network_sees_no_screen_of_the_machine(tmp_path):
    screens = connect(tmp_path, "connected")
    assert not has_display({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, screens)
    assert has_display({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22", "DISPLAY": "localhost:10"}, screens)


def test_whoever_wants_no_window_gets_none(no_screens):
    assert not has_display({"DISPLAY": ":0", "COMPANION_SCREEN": "none"}, no_screens)
