"""Short sounds made of fading sines; each kind has its own tune, so that they differ not only in pitch."""

from __future__ import annotations

import io
import math
import struct
import wave
from collections.abc import Iterator

EDITION = 2
"""Increased whenever a sound changes, so that files of old versions are not used."""

RATE = 22_050
LOUDEST = 0.7
"""The highest sample, relative to the maximum of the format."""

ATTACK = 0.006
"""Seconds in which a note fades in: a sudden start would click."""

RELEASE = 0.03
"""Seconds of the fade-out at the end."""

OVERTONES = ((1.0, 1.0), (2.0, 0.28), (3.01, 0.09))
"""The overtones of a small bell: relative pitch and loudness of each."""

Note = tuple[float, float, float]
"""When it begins, its pitch (Hz), and how long it rings (seconds until it is barely audible)."""

C4, E4, G4, A4, C5, D5, E5, G5, A5, C6, E6, G6 = (
    261.6, 329.6, 392.0, 440.0, 523.3, 587.3, 659.3, 784.0, 880.0, 1046.5, 1318.5, 1568.0,
)  # fmt: skip

TUNES: dict[str, tuple[float, tuple[Note, ...]]] = {
    "accepted": (0.34, ((0.0, E5, 0.16), (0.09, A5, 0.25))),
    "known": (0.12, ((0.0, C6, 0.10),)),
    "refused": (0.46, ((0.0, E4, 0.18), (0.2, C4, 0.26))),
    "turn": (0.5, ((0.0, G5, 0.5), (0.0, C5, 0.5))),
    "reveal": (0.5, ((0.0, C5, 0.2), (0.08, E5, 0.2), (0.16, G5, 0.2), (0.24, C6, 0.26))),
    "end-near": (0.5, ((0.0, A4, 0.2), (0.15, A4, 0.2), (0.3, D5, 0.2))),
    "over": (1.2, ((0.0, C5, 0.5), (0.15, E5, 0.5), (0.3, G5, 0.6), (0.45, C6, 0.75), (0.45, E6, 0.75))),
}
"""The length of each sound, and its notes: rising for yes, one tick for known, low and falling for no."""

KINDS = tuple(TUNES)


def sound(kind: str) -> bytes:
    """A whole WAV file: one channel, 16 bits."""
    seconds, notes = TUNES[kind]
    samples = list(_mixed(seconds, notes))
    scale = LOUDEST * 32_767 / max(abs(sample) for sample in samples)
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{len(samples)}h", *(round(sample * scale) for sample in samples)))
    return data.getvalue()


def _mixed(seconds: float, notes: tuple[Note, ...]) -> Iterator[float]:
    for n in range(round(seconds * RATE)):
        at = n / RATE
        fade = min(1.0, (seconds - at) / RELEASE)
        yield fade * sum(_bell(at - begins, pitch, rings) for begins, pitch, rings in notes if at >= begins)


def _bell(at: float, pitch: float, rings: float) -> float:
    """A note this long after it was struck; higher overtones fade sooner."""
    come = min(1.0, at / ATTACK)
    return come * sum(
        loud * math.exp(-4.0 * at * times / rings) * math.sin(2 * math.pi * pitch * times * at)
        for times, loud in OVERTONES
    )
