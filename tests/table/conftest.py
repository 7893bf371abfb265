"""A desk without a screen, for all tests in this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.desks import ListeningDesk


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ListeningDesk]:
    """Nobody plays yet."""
    table = ListeningDesk(tmp_path)
    yield table
    table.desk.clerk.stop()


@pytest.fixture
def playing(table: ListeningDesk) -> ListeningDesk:
    """Two people are asked for their start worlds."""
    table.play()
    return table


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes nothing any more."""
    from companion.core.words import plain
    from companion.errors import StorageTrouble

    def append(*_: object, **__: object) -> None:
        raise StorageTrouble(plain("The disk is full."))

    monkeypatch.setattr("companion.core.journal.Journal.append", append)
