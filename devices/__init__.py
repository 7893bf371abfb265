"""From pins to gestures, and from intents to light, digits and sound. Knows no game.

Start with `devices.panel.Panel`: it is all an app needs. `devices.wiring_config` says what is wired where.
"""


class DeviceTrouble(OSError):
    """A camera, pin, lamp or speaker does not work as it should; the play continues without it."""
