"""All faults there are."""

from __future__ import annotations

from companion.torture import (
    around,
    cameras,
    damage,
    disks,
    drills,
    kills,
    meddling,
    pins,
    powercuts,
    services,
    threads,
    updates,
    versions,
)
from companion.torture.faults import all_of

FAULTS = all_of(
    kills.FAULTS,
    services.FAULTS,
    powercuts.FAULTS,
    disks.FAULTS,
    damage.FAULTS,
    meddling.FAULTS,
    around.FAULTS,
    cameras.FAULTS,
    pins.FAULTS,
    versions.FAULTS,
    updates.FAULTS,
    threads.FAULTS,
    drills.FAULTS,
)
