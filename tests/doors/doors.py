"""All doors, by name."""

from __future__ import annotations

from tests.doors import brought, seen, typed
from tests.doors.judging import Door

DOORS: dict[str, Door] = {door.name: door for door in (*seen.DOORS, *brought.DOORS, *typed.DOORS)}
