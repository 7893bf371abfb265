"""A power cut in the middle of a repair: afterwards the journal is either repaired or still as it was before."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.core import file_swap
from companion.core.journal import Journal
from companion.core.repair import repair, verify
from companion.core.sqlite_file import side_file
from companion.core.store import Store


class PowerCut(BaseException):
    """The machine stops here."""


def damaged(folder: Path) -> Path:
    """A journal whose newest entries are in its log, and whose table of facts is damaged."""
    path = folder / "journal.db"
    with Store(folder / "made" / "journal.db") as store:
        journal = Journal(store)
        play = journal.create(b"{}", "race", "cut", 0.0)
        journal.append(play, 0, 1.0, b"{}")
        store.close()
        for seq in range(1, 5):
            journal.append(play, seq, float(seq), b"{}")
        with store.writing() as db:
            db.execute("INSERT INTO fact VALUES (0, x'7b7d', x'00')")
        for ending in ("", "-wal"):
            shutil.copyfile(side_file(store.path, ending), side_file(path, ending))
    assert verify(path).problems
    return path


def entries(path: Path) -> int:
    with Store(path) as store:
        return Journal(store).plays()[0].entries


@pytest.mark.parametrize("step", range(12))
def test_a_cut_anywhere_loses_no_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    path, steps = damaged(tmp_path), [0]

    def counted(call: Any) -> Any:
        def cut(*given: Any, **more: Any) -> Any:
            steps[0] += 1
            if steps[0] > step:
                raise PowerCut
            return call(*given, **more)

        return cut

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", counted(os.replace))
        patch.setattr(Path, "unlink", counted(Path.unlink))
        patch.setattr(file_swap, "sync_folder", counted(file_swap.sync_folder))
        try:
            repair(path)
        except PowerCut:
            pass
        else:
            assert step > 8, "the repair has more steps than were cut"
    if steps[0] > step:
        side_file(path, "-shm").unlink(missing_ok=True)  # which lives in memory only
    assert entries(path) == 5
    if verify(path).problems:
        assert repair(path).entries == 5
    assert entries(path) == 5
    assert not side_file(path, file_swap.MENDED).exists()
