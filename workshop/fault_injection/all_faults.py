"""The list of all faults."""

from __future__ import annotations

from workshop.fault_injection import (
    cameras,
    damage,
    disks,
    environment,
    kills,
    other_programs,
    pins,
    powercuts,
    race_drills,
    services,
    threads,
    updates,
    versions,
)
from workshop.fault_injection.faults import all_of

FAULTS = all_of(
    kills.FAULTS,
    services.FAULTS,
    powercuts.FAULTS,
    disks.FAULTS,
    damage.FAULTS,
    other_programs.FAULTS,
    environment.FAULTS,
    cameras.FAULTS,
    pins.FAULTS,
    versions.FAULTS,
    updates.FAULTS,
    threads.FAULTS,
    race_drills.FAULTS,
)
