"""Signs of life for systemd: they stop when the window or the clerk hangs."""

import socket
import threading

import pytest

from companion.table.background import clerk
from companion.table.watchdog import Watchdog

PATIENCE = 20.0


class Listening:
    """The system that started us, the window's loop, and a clock a test moves."""

    def __init__(self, folder, **environ):
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.line.bind(str(folder / "notify"))
        self.line.setblocking(False)
        self.now, self.posted = 0.0, []
        self.clerk = clerk(folder / "journal.db", self.posted.append)
        usual = {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": f"{PATIENCE * 1e6:.0f}"}
        self.watchdog = Watchdog(usual | environ, lambda: self.now)

    def heard(self):
        """What was told since somebody last asked."""
        told = []
        while True:
            try:
                told.append(self.line.recv(4096).decode())
            except BlockingIOError:
                return told

    def ask(self, seconds):
        """The window goes on asking for so long, but takes nothing from the clerk."""
        for _ in range(int(seconds * 10)):
            self.now += 0.1
            self.watchdog.tick(self.clerk)

    def live(self, seconds):
        """The window's loop runs for so long."""
        for _ in range(int(seconds * 10)):
            self.ask(0.1)
            self.clerk.settle()
            while self.posted:
                self.posted.pop(0)()


@pytest.fixture
def listening(tmp_path):
    listening = Listening(tmp_path)
    yield listening
    listening.clerk.stop()
    listening.line.close()


def test_while_both_live_signs_come_four_times_as_often_as_needed(listening):
    listening.live(2 * PATIENCE)
    assert listening.heard() == ["WATCHDOG=1"] * 8


def test_a_clerk_who_hangs_gives_no_sign_however_often_the_window_asks(listening):
    free = threading.Event()
    listening.clerk.do(lambda *_: free.wait(), lambda _: None, lambda _: None)
    listening.ask(3 * PATIENCE)
    assert listening.posted == []
    assert listening.heard() == []
    free.set()
    listening.live(PATIENCE)
    assert listening.heard(), "after a hang it is heard again"


def test_a_window_that_hangs_gives_no_sign_though_the_clerk_answered(listening):
    listening.ask(1)
    listening.clerk.settle()
    assert listening.posted, "the clerk has answered"
    assert listening.heard() == []


def test_the_beginning_and_the_end_are_told(listening):
    listening.watchdog.ready()
    listening.watchdog.stopping()
    assert listening.heard() == ["READY=1", "STOPPING=1"]


@pytest.mark.parametrize(
    "environ",
    [{"NOTIFY_SOCKET": ""}, {"WATCHDOG_USEC": ""}, {"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "soon"}],
)
def test_where_nobody_waits_for_signs_none_are_given(tmp_path, environ):
    listening = Listening(tmp_path, **environ)
    listening.live(PATIENCE)
    assert listening.heard() == []
    listening.line.close()
    listening.clerk.stop()


def test_a_system_that_listens_no_more_holds_up_nobody(listening, tmp_path):
    (tmp_path / "notify").unlink()
    listening.live(PATIENCE)
    listening.watchdog.stopping()


def test_a_name_without_a_file(tmp_path):
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    line.bind(f"\0companion-{tmp_path}")
    Watchdog({"NOTIFY_SOCKET": f"@companion-{tmp_path}"}).ready()
    line.settimeout(5)
    assert line.recv(100) == b"READY=1"
    line.close()
