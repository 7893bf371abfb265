"""Who controls a location: one rule for all cases (rules 131 to 142). Pure."""

from __future__ import annotations

from collections.abc import Mapping


def controller(before: int | None, strengths: Mapping[int, int]) -> int | None:
    """The controller of a location after a change, given the previous one and every faction's strength there.

    Without ships nothing changes. The previous controller stays unless another faction is stronger. Otherwise
    the strongest faction takes control, and in a tie for strongest nobody has it (rule 140).
    """
    there = {seat: strength for seat, strength in strengths.items() if strength > 0}
    if not there:
        return before
    most = max(there.values())
    if before is not None and there.get(before) == most:
        return before
    strongest = [seat for seat, strength in there.items() if strength == most]
    return strongest[0] if len(strongest) == 1 else None
