"""Unused memory is given back, and threads share their memory pools."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

WITHOUT = "import ctypes; assert hasattr(ctypes.CDLL(None), 'malloc_trim')"
GLIBC = sys.platform == "linux" and subprocess.run([sys.executable, "-c", WITHOUT]).returncode == 0
pytestmark = pytest.mark.skipif(not GLIBC, reason="only glibc can be told")

HELD = """
from companion.table.memory_release import give_back
from pathlib import Path

def pages():
    return int(Path("/proc/self/statm").read_text().split()[1])

many = [bytearray(50_000) for _ in range(2000)]
kept = many[::20] + many[-1:]
del many
held = pages()
give_back()
print(held - pages())
"""

POOLS = """
import ctypes, os, sys, threading
from companion.table.memory_release import hold_little

hold_little()
together = threading.Barrier(8)
kept = []

def fill():
    together.wait()
    kept.append([bytearray(5000) for _ in range(200)])
    together.wait()

threads = [threading.Thread(target=fill) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
library = ctypes.CDLL(None)
library.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(library.fdopen(1, b"w"))
library.malloc_info(0, out)
library.fflush(out)
"""


def run(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def test_what_is_free_between_what_is_used_is_given_back():
    assert int(run(HELD)) * 4096 > 50_000_000


def test_threads_share_two_pools():
    assert run(POOLS).count("<heap nr=") == 2
