"""A window that crashes is restarted, but not for ever; the reason is logged beside the journal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion import window_supervisor
from companion.errors import BUG, DEVICE
from companion.table import open_play
from tests.patience import PATIENCE

LIVING = """
import os, sys
from pathlib import Path
from companion import window_supervisor
from companion.table.error_log import keep_crashes

code = window_supervisor.supervise()
if code is None:
    print(f"life {{window_supervisor.crashes}}", flush=True)
    keep_crashes(Path(sys.argv[1]))
    {body}
else:
    print("the end", flush=True)
    sys.exit(code)
"""


def live(folder: Path, body: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """A program that stands for the window, whose every life does this."""
    program = LIVING.format(body=body)
    clean = {k: v for k, v in os.environ.items() if k != "NOTIFY_SOCKET"}
    return subprocess.run(
        [sys.executable, "-c", program, str(folder)],
        env={**clean, "LANG": "C.UTF-8", **environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_a_window_that_dies_is_opened_again_and_closed_in_peace(tmp_path: Path) -> None:
    ended = live(tmp_path, "os.abort() if window_supervisor.crashes < 2 else None")
    assert ended.stdout.split("\n")[:-1] == ["life 0", "life 1", "life 2", "the end"]
    assert ended.returncode == 0


def test_where_it_fell_is_written_down_beside_the_journal(tmp_path: Path) -> None:
    live(tmp_path, "os.abort() if window_supervisor.crashes < 1 else None")
    written = (tmp_path / "crash.log").read_text()
    assert "Fatal Python error: Aborted" in written
    assert "most recent call first" in written
    assert (tmp_path / "crash.log").stat().st_mode & 0o077 == 0


def test_one_that_dies_again_and_again_is_given_up_with_a_sentence(tmp_path: Path) -> None:
    ended = live(tmp_path, "os.kill(os.getpid(), 9)")
    assert ended.stdout.count("life") == window_supervisor.CRASHES
    assert ended.returncode == BUG
    assert "stopped 3 times within a minute" in ended.stderr
    assert "crash.log" in ended.stderr


def test_falls_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """One fall an hour goes on for ever; three within a minute do not."""
    hours = iter(range(0, 100_000, 3600))
    now, lives = [0.0], [0]

    def wait_for(child: int) -> int:
        now[0] = float(next(hours))
        lives[0] += 1
        return -signal.SIGSEGV if lives[0] < 9 else 0

    monkeypatch.setattr(window_supervisor, "_wait_for", wait_for)
    monkeypatch.setattr(os, "fork", lambda: 1)
    monkeypatch.setattr(window_supervisor, "crashes", 0)
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert window_supervisor.supervise(lambda: now[0]) == 0
    assert (lives[0], window_supervisor.crashes) == (9, 8)


def test_a_service_that_listens_has_nobody_between(tmp_path: Path) -> None:
    ended = live(tmp_path, "os.abort()", NOTIFY_SOCKET="/run/systemd/notify")
    assert ended.stdout == "life 0\n"
    assert ended.returncode == -signal.SIGABRT


@pytest.mark.parametrize(
    ("status", "lived", "crashed"),
    [
        (0, 99.0, False),
        (-signal.SIGTERM, 99.0, False),
        (2, 99.0, False),
        (BUG, 1.0, False),
        (BUG, 99.0, True),
    ],
)
def test_what_is_a_crash(status: int, lived: float, crashed: bool) -> None:
    assert window_supervisor.died(status, lived) is crashed


def test_what_ends_the_supervisor_ends_the_window(tmp_path: Path) -> None:
    body = "import signal; print(os.getpid(), flush=True); signal.pause()"
    with subprocess.Popen(
        [sys.executable, "-c", LIVING.format(body=body), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        text=True,
    ) as kept:
        assert kept.stdout is not None
        assert kept.stdout.readline() == "life 0\n"
        window = os.pidfd_open(int(kept.stdout.readline()))  # its number may be somebody else's by then
        kept.terminate()
        assert kept.wait(timeout=PATIENCE) == -signal.SIGTERM
        assert kept.stdout.read() == ""  # the window held the other end
    with pytest.raises(ProcessLookupError):
        signal.pidfd_send_signal(window, 0)
    os.close(window)


def test_an_order_to_end_is_not_forgotten_when_the_window_dies_of_it(tmp_path: Path) -> None:
    """The supervisor was asked to end, and the window crashed first: it is not restarted."""
    body = "import signal; signal.signal(15, lambda *_: os.abort()); print('up', flush=True); signal.pause()"
    with subprocess.Popen(
        [sys.executable, "-c", LIVING.format(body=body), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as kept:
        assert kept.stdout is not None
        assert [kept.stdout.readline() for _ in range(2)] == ["life 0\n", "up\n"]
        kept.terminate()
        try:
            assert kept.stdout.read() == ""
            assert kept.wait(timeout=PATIENCE) == -signal.SIGTERM
        finally:
            kept.kill()


def test_an_order_to_end_between_two_windows_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes when the window has just died, and there is nobody to hand it to."""
    ended: list[int] = []

    def wait_for(child: int) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        return -signal.SIGSEGV

    monkeypatch.setattr(window_supervisor, "_wait_for", wait_for)
    monkeypatch.setattr(window_supervisor, "_send", lambda child, number: None)
    monkeypatch.setattr(window_supervisor, "_ended", lambda status: ended.append(status) or 143)
    monkeypatch.setattr(os, "fork", lambda: 1)
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert window_supervisor.supervise() == 143
    assert ended == [-signal.SIGTERM]
    assert signal.getsignal(signal.SIGTERM) is not None


def test_no_window_is_opened_again_where_the_display_went_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would draw for nobody, and take most of a core for that."""
    there = iter((True, True, False))
    lives: list[int] = []
    monkeypatch.setattr(window_supervisor.start, "answers", lambda environ: next(there))
    monkeypatch.setattr(window_supervisor.start, "has_display", lambda environ: True)
    monkeypatch.setattr(window_supervisor, "_wait_for", lambda child: lives.append(child) or -signal.SIGABRT)
    monkeypatch.setattr(os, "fork", lambda: 1)
    monkeypatch.setattr(window_supervisor, "crashes", 0)
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    assert window_supervisor.supervise() == DEVICE
    assert (lives, window_supervisor.crashes) == ([1, 1], 1)
    assert "The display went away" in capsys.readouterr().err


def test_a_window_whose_supervisor_died_at_once_does_not_outlive_it(tmp_path: Path) -> None:
    """Ended between the window's birth and its first line."""
    body = (
        "window_supervisor._die_with_parent(os.getppid()); print('kept', flush=True); "
        "window_supervisor._die_with_parent(-1) if window_supervisor.crashes < 1 else 0"
    )
    assert live(tmp_path, body).stdout.split("\n")[:-1] == ["life 0", "kept", "life 1", "kept", "the end"]


# Where it was


def test_a_play_that_stood_open_is_opened_again_once(tmp_path: Path) -> None:
    resumed: list[int] = []
    assert open_play.reopen_after_crash(tmp_path, 1000.0, resumed.append) is None
    open_play.opened(tmp_path, 7)
    assert open_play.reopen_after_crash(tmp_path, 1000.0, resumed.append) == "ui.crashed"
    open_play.opened(tmp_path, 7)  # as the desk says when it is there
    assert open_play.reopen_after_crash(tmp_path, 1030.0, resumed.append) == "ui.crashed-again"
    assert resumed == [7], "after two crashes within a minute people decide"
    assert open_play.read(tmp_path) is None


def test_a_fall_much_later_is_a_first_one(tmp_path: Path) -> None:
    resumed: list[int] = []
    open_play.opened(tmp_path, 7)
    for at in (1000.0, 5000.0, 9000.0):
        assert open_play.reopen_after_crash(tmp_path, at, resumed.append) == "ui.crashed"
    assert resumed == [7, 7, 7]


def test_two_falls_of_two_evenings_are_not_one_though_a_pi_without_network_takes_them_for_the_same_time(
    tmp_path: Path,
) -> None:
    resumed: list[int] = []
    open_play.opened(tmp_path, 7)
    for _ in range(3):
        assert open_play.reopen_after_crash(tmp_path, 1000.0, resumed.append) == "ui.crashed"
        open_play.forget_crash(tmp_path)
    assert resumed == [7, 7, 7]


@pytest.mark.parametrize("left", [b"", b"{", b"[]", b'{"play":"7"}', b"\xff" * 40])
def test_a_damaged_note_is_none(tmp_path: Path, left: bytes) -> None:
    (tmp_path / open_play.FILE).write_bytes(left)
    assert open_play.reopen_after_crash(tmp_path, 1.0, lambda play: None) is None


def test_a_folder_that_takes_nothing_harms_nobody(tmp_path: Path) -> None:
    open_play.opened(tmp_path / "not-there", 7)
    open_play.closed(tmp_path / "not-there")
    assert open_play.read(tmp_path / "not-there") is None
