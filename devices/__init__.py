"""Pins to gestures, and intents to light, digits and sound. Knows no game."""


class DeviceTrouble(OSError):
    """A camera, pin, lamp or speaker does not do what it should; the play goes on without it."""
