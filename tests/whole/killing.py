"""Runs a program that reports what it has done, and kills it (SIGKILL) at some moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import companion

ROOT = Path(companion.__file__).parent.parent


def start(*arguments: str) -> subprocess.Popen[str]:
    """A Python program of ours; what it prints can be read, and it waits for what we write."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])},
    )


def run_until_killed(random: Random, lines: int, longest: int, *arguments: str) -> list[str]:
    """Kill the program a random moment after its `lines`-th line; gives every line it could finish."""
    with start(*arguments) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(lines)]
        for _ in range(random.randrange(longest)):
            pass  # not sleeping: a moment shorter than the clock can wait for
        child.send_signal(signal.SIGKILL)
        said += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL, f"it ended too early: {said}"
    return [line.rstrip("\n") for line in said if line.endswith("\n")]
