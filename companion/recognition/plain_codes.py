"""QR codes that are no labels: what is written in them, in a picture of the camera."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.camera_health import Frame


def texts_in(frame: Frame) -> tuple[str, ...]:
    """The texts of all QR codes in a picture; it takes tens of milliseconds."""
    from vision.decoders import to_grey, zxing_plain

    grey, _ = to_grey(frame.picture)
    return () if grey is None else tuple(reading.text for reading in zxing_plain(grey) if reading.text)
