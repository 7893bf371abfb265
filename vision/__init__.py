"""Pictures to sightings of labels, and labels on paper. Knows no game."""

import os

from vision.troubles import BadSource, CameraTrouble

# OpenCV reads this when it is loaded, which is after this line. We look ourselves before anything is decoded
# (`pictures.py`); this is for a picture whose parts announce other sizes than its head.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "64000000")

__all__ = ["BadSource", "CameraTrouble"]
