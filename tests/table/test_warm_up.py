"""Nothing is first used by two threads at once: msgspec would crash the whole program."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

OVERLAP = """
import sys, threading
from companion.core.game import games
from companion.recognition.labels import books
from companion.table.warm_up import warm_up
from companion.core.entries import decode_entry

if {ready}:
    warm_up()
sys.setswitchinterval(1e-6)
together = threading.Barrier(8)

def use(n):
    together.wait()
    if n % 2:
        books()
    else:
        [game.usual_box() for game in games().values()]
    decode_entry(b'{{"at": 1.0, "deed": {{"type": "undo", "count": 1}}}}')

threads = [threading.Thread(target=use, args=(n,)) for n in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


def _ends(ready: bool) -> int:
    """How a program ends whose threads use everything at the same moment."""
    return subprocess.run(
        [sys.executable, "-c", OVERLAP.format(ready=ready)], cwd=ROOT, stderr=subprocess.DEVNULL
    ).returncode


def test_threads_that_use_everything_at_once_do_not_end_the_program() -> None:
    assert [_ends(ready=True) for _ in range(3)] == [0] * 3
