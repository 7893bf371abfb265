"""Tables in a hall, for all tests in this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hall.mosquitto import MOSQUITTO, REASON, Mosquitto
from tests.hall.wired import HalledTable


@pytest.fixture
def halled(tmp_path: Path) -> Iterator[HalledTable]:
    """Two people are asked for their start worlds; the table is in a hall, and its publisher at the broker."""
    halled = HalledTable(tmp_path)
    halled.play()
    halled.connect()
    yield halled
    halled.close()


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mosquitto]:
    """A broker that lets everybody in; publishers that end are started again at once."""
    if MOSQUITTO is None:
        pytest.skip(REASON)
    monkeypatch.setattr("companion.table.child_process.FIRST", 0.1)
    monkeypatch.setattr("companion.table.child_process.LONGEST", 0.1)
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Mosquitto(folder)
    broker.start()
    yield broker
    broker.kill()
