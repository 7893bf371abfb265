"""The display disappears under the real window: the program ends with a sentence and opens no other window."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.errors import DEVICE
from companion.table.settings import Settings
from tests.patience import PATIENCE
from tests.ui import real

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)


@pytest.mark.parametrize("camera", ["none", "virtual:good-lamp:1"])
def test_without_a_display_there_is_no_window(tmp_path: Path, camera: str) -> None:
    read, write = os.pipe()
    # A number of its own: the lowest free one would at once be given to the server of another test.
    own = f":{1000 + os.getpid()}"
    command = ["Xvfb", own, "-displayfd", str(write), "-screen", "0", "800x480x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as told:
            program = real.Program(f":{told.readline().strip()}", tmp_path)
        (program.home / "settings.json").write_bytes(
            msgspec.json.encode(Settings(language="en", camera=camera))
        )
        window = subprocess.Popen(
            [sys.executable, "-P", real.WATCHED, str(program.file)],
            env=program.environment(),
            stderr=subprocess.PIPE,
            text=True,
        )
        program.until(lambda shown: shown["screen"])
        server.kill()
    try:
        _, said = window.communicate(timeout=PATIENCE)
    finally:
        window.kill()
    assert window.returncode == DEVICE
    assert "The display went away" in said
