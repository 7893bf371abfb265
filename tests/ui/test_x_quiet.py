"""The real window, observed from outside: it neither listens nor connects, and writes only to its own folder."""

import os
import shutil
import time
from pathlib import Path

import pytest

from companion.core.game import games
from companion.table.settings import Settings
from tests.ui import real
from tests.ui.players import begun
from tests.whole.seen_from_outside import network_sockets, others_may

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)


def test_a_window_with_a_play_and_a_camera_is_quiet_and_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the most generous umask there is: whatever is private is so because we made it so."""
    for name in ("person", "temporary"):
        (tmp_path / name).mkdir()
    own = real.Program.environment
    places = {
        "HOME": str(tmp_path / "person"),
        "TMPDIR": str(tmp_path / "temporary"),
        "MESA_SHADER_CACHE_DISABLE": "true",  # the graphics driver's own, not ours
    }
    monkeypatch.setattr(real.Program, "environment", lambda program: {**own(program), **places})
    before = os.umask(0)
    try:
        settings = Settings(language="en", camera="virtual:good-lamp:1")
        with begun(tmp_path, next(iter(games())), settings, camera="virtual:good-lamp:1") as program:
            program.home.chmod(0o700)
            assert program.process is not None
            for _ in range(10):
                assert network_sockets(program.process.pid) == set()
                time.sleep(0.1)  # the camera's thread looks meanwhile
            data = program.home
    finally:
        os.umask(before)
    assert (data / "journal.db").exists()
    (data / "settings.json").chmod(0o600)  # the test itself wrote it
    shutil.rmtree(data / "kivy" / "icon")  # Kivy's own pictures, copied with the rights they have there
    assert others_may(data) == []
    assert list((tmp_path / "person").rglob("*")) == []
    assert list((tmp_path / "temporary").rglob("*")) == []
