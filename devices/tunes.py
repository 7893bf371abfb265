"""Sounds of the buzzer: a few notes each, distinct by rhythm alone, since some buzzers have only one pitch."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Sound: TypeAlias = Literal["accepted", "known", "refused", "turn", "reveal", "end-near", "over"]
SOUNDS: tuple[Sound, ...] = get_args(Sound)

TUNES: dict[Sound, tuple[tuple[float, int], ...]] = {
    "accepted": ((0.07, 1568),),
    "known": ((0.02, 1047),),
    "refused": ((0.16, 220), (0.06, 0), (0.16, 220)),
    "turn": ((0.09, 784), (0.03, 0), (0.18, 1175)),
    "reveal": ((0.04, 523), (0.02, 0), (0.04, 659), (0.02, 0), (0.04, 784), (0.02, 0), (0.2, 1047)),
    "end-near": ((0.07, 988), (0.07, 0), (0.07, 988), (0.07, 0), (0.07, 988)),
    "over": ((0.12, 784), (0.02, 0), (0.12, 988), (0.02, 0), (0.12, 1175), (0.02, 0), (0.4, 1568)),
}
"""Seconds and hertz of each note; 0 is silence."""


def note(sound: Sound, since: float, at: float) -> tuple[int, float | None]:
    """The pitch at this time of a sound that began at `since`, and its next change; (0, None) at the end."""
    end = since
    for seconds, hertz in TUNES[sound]:
        end += seconds
        if at < end - 1e-6:
            return hertz, end
    return 0, None
