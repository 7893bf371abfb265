"""Runs commands one after another in a separate process, whose memory can then be measured.

Standard input is a list of commands as JSON; each gets an answer on standard output: exit code, output,
processor seconds, and the process's peak memory so far in megabytes.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from pathlib import Path

from tests.command_line import main


def most_memory() -> int:
    """Kilobytes this process has needed at most; what getrusage says includes the parent process, before it began."""
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")))


def run(command: list[str]) -> dict[str, object]:
    """One command as if it were typed, without a keyboard."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(), "utf-8")
    began = time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(command)
        except SystemExit as e:
            code = int(e.code or 0)
    out.flush()
    return {
        "code": code,
        "out": out.buffer.getvalue().decode()[:2000],  # type: ignore[attr-defined]
        "err": err.getvalue()[:20_000],
        "seconds": round(time.process_time() - began, 2),
        "megabytes": most_memory() // 1024,
    }


if __name__ == "__main__":
    for command in json.loads(sys.stdin.read()):
        print(json.dumps(run(command)), flush=True)
