"""Who controls a location: one rule for all cases (rules 131 to 142). Pure."""

from __future__ import annotations

from collections.abc import Mapping


def controller(before: int | None, strengths: Mapping[int, int]) -> int | None:
    """Who controls a location after a change, out of who did before and everybody's strength there now.

    Without ships nothing changes. A controller nobody exceeds stays. Otherwise whoever is alone strongest takes it,
    and if nobody is, nobody has it (rule 140).
    """
    there = {seat: strength for seat, strength in strengths.items() if strength > 0}
    if not there:
        return before
    most = max(there.values())
    if before is not None and there.get(before) == most:
        return before
    strongest = [seat for seat, strength in there.items() if strength == most]
    return strongest[0] if len(strongest) == 1 else None
