"""Plays that are killed again and again continue where they were."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.core.journal import Journal
from companion.core.store import Store
from workshop.fault_injection.faults import Harm
from workshop.fault_injection.kills import kill_once
from workshop.fault_injection.ledger import Ledger


@pytest.mark.parametrize(("surface", "kills"), [("play", 6), ("terminal", 4)])
def test_nothing_confirmed_is_lost_however_often_plays_are_killed(
    surface: str, kills: int, tmp_path: Path
) -> None:
    random, ledger, confirmed = Random(2), Ledger(), 0
    for _ in range(kills):
        told, _ = kill_once(tmp_path, surface, random, ledger)
        confirmed += told
    assert confirmed > 4
    with Store(tmp_path / "journal.db") as store:
        stored = {row.id: row.entries for row in Journal(store).plays()}
    assert stored == {play: ledger.confirmed(play) for play in stored}


def test_the_harness_would_notice_a_loss_an_addition_and_another_table(tmp_path: Path) -> None:
    path, ledger = tmp_path / "journal.db", Ledger()
    random = Random(4)
    while not ledger.confirmed(1):
        kill_once(tmp_path, "play", random, ledger)
    count = ledger.confirmed(1)
    with Store(path) as store:
        bodies = [row.body for row in Journal(store).load(1).rows]
    lost = Ledger()
    lost.confirm_entry(1, count, b"{}")
    with pytest.raises(Harm, match="was confirmed and is lost"):
        lost.check(path)
    other = Ledger()
    other.confirm_entry(1, 0, bodies[0].replace(b"at", b"AT", 1))
    with pytest.raises(Harm, match="another than was confirmed"):
        other.check(path)
    with pytest.raises(Harm, match="nobody confirmed"):
        Ledger().check(path)
    gone = Ledger()
    gone.confirm_entry(7, 0, b"{}")
    with pytest.raises(Harm, match=r"plays \[7\] are lost"):
        gone.check(path)
