"""Which cameras are available, and whether labels in front of one are large and sharp enough."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.core.words import Text, count, decimal, say
from vision.camera_sources import has_picamera2
from vision.sightings import Sighting
from vision.virtual import PRESETS

CLOSE_ENOUGH = 2.0
"""Pixels per module from which any decoder reads a label at once."""
TOO_FAR = 1.0
BLURRED = 4.0
"""Pixels from black to white from which a label counts as blurred, if it is large enough to be sharp."""


def sources() -> Iterator[str]:
    """Every camera that can be opened by name without further settings."""
    for device in sorted(Path("/dev").glob("video*")):
        yield f"usb:{device.name.removeprefix('video')}"
    if has_picamera2():
        yield "pi"
    for preset in PRESETS:
        yield f"virtual:{preset}:1"


def advices(picture: Any, seen: list[Sighting]) -> Iterator[Text]:
    """Advice about the labels in sight: whether they are large and sharp enough."""
    if not seen:
        yield say("see.no-labels")
        return
    smallest = min(s.module for s in seen)
    yield count("see.labels", len(seen), pixels=decimal(smallest))
    if smallest < TOO_FAR:
        yield say("see.much-closer")
    elif smallest < CLOSE_ENOUGH:
        yield say("see.closer")
    else:
        yield say("see.close-enough")
    largest = max(seen, key=lambda s: s.module)
    if largest.module >= CLOSE_ENOUGH:
        sharp = edge_width(picture, largest) < BLURRED
        yield say("see.sharp" if sharp else "see.blurred")


def edge_width(picture: Any, sighting: Sighting) -> float:
    """Width in pixels of a label's edges from black to white: small is sharp. Not meaningful if modules are
    hardly larger."""
    import cv2
    import numpy as np

    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    xs, ys = zip(*sighting.corners, strict=True)
    left, top = max(0, int(min(xs))), max(0, int(min(ys)))
    cut = grey[top : int(max(ys)) + 1, left : int(max(xs)) + 1].astype(np.float32)
    if min(cut.shape) < 3:
        return 0.0
    down, across = np.gradient(cut)
    steepest = float(np.quantile(np.hypot(down, across), 0.98))
    contrast = float(np.quantile(cut, 0.95) - np.quantile(cut, 0.05))
    return contrast / steepest if steepest > 0 else float("inf")
