"""All inputs, by name."""

from __future__ import annotations

from tests.inputs import brought, seen, typed
from tests.inputs.judging import FuzzedInput

DOORS: dict[str, FuzzedInput] = {door.name: door for door in (*seen.DOORS, *brought.DOORS, *typed.DOORS)}
