"""Reads labels in pictures, and prints labels on paper. Knows no game."""

import os

from vision.troubles import BadSource, CameraTrouble

# OpenCV reads this variable when it is imported, which is after this line. We check sizes before decoding
# (`pictures.py`); this limit catches pictures whose parts declare other sizes than their header.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "64000000")

__all__ = ["BadSource", "CameraTrouble"]
