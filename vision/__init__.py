"""Pictures to sightings of labels, and labels on paper. Knows no game."""


class CameraTrouble(OSError):
    """No picture to be had: what, where, and what to do about it."""
