"""Pictures to sightings of labels, and labels on paper. Knows no game."""

from vision.troubles import BadSource, CameraTrouble

__all__ = ["BadSource", "CameraTrouble"]
