"""Tables with phones, for all tests in this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.phones.wired import WiredTable


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[WiredTable]:
    """Two people are asked for their start worlds; phones are on, and the porter is connected."""
    wired = WiredTable(tmp_path)
    wired.table.play()
    wired.switch_on()
    wired.connect()
    wired.settle()
    yield wired
    wired.close()


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes nothing any more."""
    from companion.core.words import plain
    from companion.errors import StorageTrouble

    def append(*_: object, **__: object) -> None:
        raise StorageTrouble(plain("The disk is full."))

    monkeypatch.setattr("companion.core.journal.Journal.append", append)
