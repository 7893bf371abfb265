"""A label that was seen, and how long what is known about it stays valid."""

from __future__ import annotations

import math
from typing import Literal

from msgspec import Struct

from vision.grey_cells import CellArea, GreyCells
from vision.label_places import Place
from vision.sightings import Sighting

CARD = 4.5
"""Distance from a label to the far end of its card, in sides of the label."""
TREMBLE = 0.5
"""How far a shown or lying card may move between two looks, in sides of its label."""
FLEETING = 1.5
"""Seconds after which a card seen only in passing is forgotten."""
UNREAD = 0.5
"""Seconds out of sight after which a label counts as covered, not just unread."""
CARRIED = 0.45
"""Seconds a carried card is out of sight at least; if a bump moved it, it is less."""
REST, HOME = 2.0, 10.0
"""Seconds at rest after which a card counts as lying, and after which this place is its home."""


class TrackedLabel(Struct, frozen=True):
    """A known label. `lay` is where a card that is being shown lay before."""

    sighting: Sighting
    place: Place | None
    seen: float
    state: Literal["lying", "new", "held"] = "lying"
    since: float = 0.0
    """When it came to rest or entered this state."""
    looks: int = 1
    lay: Place | None = None
    homes: tuple[Place, ...] = ()
    before: GreyCells | None = None
    """The cells at its place before it came."""
    then: GreyCells | None = None
    """The settled table when it was last seen, without the hand or object that covered or took it since."""
    box: CellArea = (0, 0, 0, 0)
    vacant: float = 0.0
    bared: bool = False
    """Whether its place has been seen without it since: even if that is covered now, the card is gone."""
    left: bool = False
    absent: float = 0.0
    """Seconds it was out of sight before it came here."""
    rest: Place | None = None
    moved: float = -math.inf
    """Where and when it was last seen to move."""
    by_itself: float = -math.inf
    """When it was last seen to move while another label did not."""
