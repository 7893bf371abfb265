"""The real program under systemd's watchdog."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

SILENCE = 0.4
"""Seconds of silence after which the system would take the program for dead."""


@pytest.mark.parametrize("hangs", [signal.SIGUSR1, signal.SIGUSR2], ids=["screen", "clerk"])
def test_signs_of_life_stop_when_the_screen_or_the_clerk_hangs(tmp_path, hangs):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "n"))
        line.settimeout(PATIENCE)
        program = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("hanging_program.py"))],
            env=os.environ
            | {
                "COMPANION_HOME": str(tmp_path),
                "COMPANION_SCREEN": "window",
                "SDL_VIDEODRIVER": "offscreen",
                "SDL_AUDIODRIVER": "dummy",
                "PYTHONPATH": str(Path(__file__).parents[2]),
                "NOTIFY_SOCKET": str(tmp_path / "n"),
                "WATCHDOG_USEC": f"{SILENCE * 1e6:.0f}",
            },
        )
        try:
            told = [line.recv(100)]
            while told[-1] != b"READY=1":
                assert told[-1] == b"WATCHDOG=1"
                told.append(line.recv(100))
            assert line.recv(100) == b"WATCHDOG=1"
            assert line.recv(100) == b"WATCHDOG=1"
            program.send_signal(hangs)
            line.settimeout(5 * SILENCE)
            silence = False
            for _ in range(20):  # what was on its way already; only a living program sends so much
                try:
                    line.recv(100)
                except TimeoutError:
                    silence = True
                    break
            assert silence
            assert program.poll() is None
        finally:
            program.kill()
            program.wait()
