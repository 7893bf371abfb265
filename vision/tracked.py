"""A label that was seen, and for how long what is known of it holds."""

from __future__ import annotations

import math
from typing import Literal

from msgspec import Struct

from vision.cells import Box, Cells
from vision.label_places import Place
from vision.sightings import Sighting

CARD = 4.5
"""Sides of its label from a label to the far end of its card."""
TREMBLE = 0.5
"""Sides of its label a card that was shown or lies may move from look to look."""
FLEETING = 1.5
"""Seconds after which a card that was seen in passing is forgotten: until then, whatever else comes is not alone."""
UNREAD = 0.5
"""Seconds out of sight after which a label is covered, not only unread."""
CARRIED = 0.45
"""Seconds out of sight from where it lay to where it is: nobody carries a card faster, and a bump takes less."""
REST, HOME = 2.0, 10.0
"""Seconds at rest after which a card lies, and after which it lies where it belongs."""


class TrackedLabel(Struct, frozen=True):
    """A label we know. `lay` is where a label that is being shown lay before."""

    sighting: Sighting
    place: Place | None
    seen: float
    state: Literal["lying", "new", "held"] = "lying"
    since: float = 0.0
    """Since when it has been at rest, or in this state."""
    looks: int = 1
    lay: Place | None = None
    homes: tuple[Place, ...] = ()
    before: Cells | None = None
    """What was there before it came."""
    then: Cells | None = None
    """The table when it was last seen, without whatever had just come to cover or take it."""
    box: Box = (0, 0, 0, 0)
    vacant: float = 0.0
    bared: bool = False
    """Whether its place has been seen without it since: whatever covers it now, it is not there."""
    left: bool = False
    absent: float = 0.0
    """For how long it was out of sight before it came here."""
    rest: Place | None = None
    moved: float = -math.inf
    """Where it was and when, the last time it was seen to move."""
    by_itself: float = -math.inf
    """When it was last seen to move while another stayed."""
