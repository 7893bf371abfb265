"""Plays that are killed without warning, again and again, go on where they were: the benchmark's harness, in short."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import companion
from companion.core.journal import Journal
from companion.core.store import Store

FILE = Path(companion.__file__).parent.parent / "benchmarks" / "kill.py"


@pytest.fixture(scope="module")
def kill() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_kill", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_nothing_confirmed_is_lost_however_often_plays_are_killed(kill: ModuleType, tmp_path: Path) -> None:
    figures = kill.run(tmp_path / "journal.db", kills=8, seed=2)
    assert figures.lost == 0
    assert figures.kills == 8
    assert figures.confirmed > 20
    with Store(tmp_path / "journal.db") as store:
        stored = sum(row.entries for row in Journal(store).plays())
    assert stored == figures.confirmed + figures.unconfirmed


def test_the_harness_would_notice_a_loss_and_another_table(kill: ModuleType, tmp_path: Path) -> None:
    path, known, figures = tmp_path / "journal.db", {}, kill.Figures()
    random = Random(4)
    while not figures.confirmed:
        kill.kill_once(path, random, known, figures)
    confirmed = known[1]
    with Store(path) as store:
        journal, binder = Journal(store), kill.Binder(store)
        kill._look_at(1, journal, binder, [], {1: [*confirmed, confirmed[0]]}, figures)
        assert figures.lost == 1
        kill._look_at(1, journal, binder, [], {1: [confirmed[0], *confirmed]}, figures)
        assert figures.lost == 1 + len(confirmed)
        line = kill.Line(1, len(confirmed), "0123456789abcdef", "")
        with pytest.raises(kill.Wrong, match="another than the child saw"):
            kill._look_at(1, journal, binder, [line], {1: confirmed}, figures)
