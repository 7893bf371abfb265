"""The reported result of a write matches the file, whichever system call or allocation fails."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.core import store as stores
from companion.core.journal import Journal
from companion.core.store import Store
from companion.errors import StorageTrouble
from tests import failing_calls

STEP = 13
"""Every so many calls; `benchmarks/failing_calls.py` tries them all."""


def test_what_fails_after_the_commit_is_not_told_as_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "journal.db") as store:
        journal = Journal(store)
        play = journal.create(b"{}", "race", "after", 0.0)
        look = stores._identity

        def failing(path: Path) -> Any:
            if path.name.endswith("-wal"):
                raise OSError(5, "Input/output error")
            return look(path)

        monkeypatch.setattr(stores, "_identity", failing)
        journal.append(play, 0, 1.0, b"{}")
        assert len(journal.entries(play)) == 1


class FailsAfterCommit:
    """A connection whose COMMIT is done, and then reported as failed."""

    def __init__(self, real: sqlite3.Connection) -> None:
        self.real = real

    def execute(self, statement: str, *given: Any) -> Any:
        done = self.real.execute(statement, *given)
        if statement == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


def test_a_commit_that_failed_but_is_there_is_told_as_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "journal.db") as store:
        journal = Journal(store)
        play = journal.create(b"{}", "race", "there", 0.0)
        store._writer = FailsAfterCommit(store._writer)  # type: ignore[arg-type, assignment]
        journal.append(play, 0, 1.0, b"{}")
        assert len(journal.entries(play)) == 1
        journal.append(play, 1, 2.0, b"{}")


def test_where_nobody_can_say_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise sqlite3.OperationalError("disk I/O error")

    with Store(tmp_path / "journal.db") as store:
        journal = Journal(store)
        play = journal.create(b"{}", "race", "there", 0.0)
        store._writer = FailsAfterCommit(store._writer)  # type: ignore[arg-type, assignment]
        monkeypatch.setattr(stores, "open_on_a_failing_disk", broken)
        with pytest.raises(StorageTrouble) as raised:
            journal.append(play, 0, 1.0, b"{}")
        assert raised.value.text.key == "storage.unsure"
        monkeypatch.undo()
        assert len(journal.entries(play)) == 1


@pytest.mark.thorough
@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="needs a C compiler, and Linux"
)
def test_whichever_call_fails_what_is_told_is_what_is_there(tmp_path: Path) -> None:
    shim = failing_calls.build(tmp_path)
    assert shim is not None
    found = failing_calls.sweep(shim, STEP, failing_calls.QUICK)
    assert {line["way"] for line in found} == set(failing_calls.QUICK)
    assert [lie for line in found for lie in line[failing_calls.LIES]] == []
    told = {word for line in found for word in line["told"]}
    assert {failing_calls.KEPT, failing_calls.REFUSED} <= told
