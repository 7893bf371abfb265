"""A small hall with everything real: what it knows in the end is what its tables' journals say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hall.mosquitto import MOSQUITTO, REASON
from tests.hall.simulation import HallPlan, Simulation

pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason=REASON)


@pytest.mark.thorough
def test_after_all_faults_the_hall_knows_what_the_journals_say(tmp_path: Path) -> None:
    """Messages come twice and out of order, clocks are wrong, the broker dies, the power is cut at some tables, the
    hall's disk is full, and its process dies."""
    hall = Simulation(tmp_path, HallPlan(players=6, groups=2, pace=0.05, wrong_clocks=True, scrambled=0.1))
    try:
        hall.begin()
        hall.pair()
        hall.wait(lambda: hall.scrambler.messages > 60, "tables play")
        hall.groups[1].kill()
        hall.kill_broker()
        hall.groups[1].start()
        hall.hall.full_disk(True)
        hall.wait(lambda: hall.head.get("disk") is False, "the hall says that its disk is full")
        hall.restart_hall()
        hall.await_results(1)
        truth = hall.truth()
        assert truth.finished == hall.plan.tables
        assert hall.differences(truth, 0) == []
    finally:
        hall.close()
