"""Pins to gestures, and intents to light, digits and sound. Knows no game.

Begin with `devices.panel.Panel`: what an app needs to know. `devices.table` says what is wired where.
"""


class DeviceTrouble(OSError):
    """A camera, pin, lamp or speaker does not do what it should; the play goes on without it."""
