"""What is around a label in one look: others that lie there or went, cards and hands that came, the whole table moving.

All of it is asked of the labels that were known before this look, those in it, and the picture around them. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from msgspec import Struct

from vision.backdrop import Backdrop
from vision.cells import Box, box_of
from vision.label_places import NEARER, Place, place_of
from vision.sightings import Sighting
from vision.sweep import Zone, inside
from vision.tracked import CARD, CARRIED, FLEETING, HOME, REST, TREMBLE, UNREAD, TrackedLabel

MEANWHILE = 3.0
"""Seconds before a card is covered or taken in which a hand, or a cover, may have come."""
TOGETHER = 0.6
"""The part of the lying labels that must have moved alike to say that the camera was moved."""


class Surroundings(Struct, frozen=True):
    """One look at the table: labels known before it, labels in it, when, the picture and its size, the spot if any."""

    known: Mapping[str, TrackedLabel]
    now: Mapping[str, Sighting]
    at: float
    backdrop: Backdrop | None
    size: tuple[int, int]
    spot: Zone | None

    def in_spot(self, place: Place) -> bool:
        """Whether what is there counts: all of the picture does if no spot is marked."""
        return self.spot is None or inside((place.x, place.y), self.spot)

    def part(self, place: Place) -> tuple[float, float]:
        """Where that is, in parts of the picture's width and height."""
        return place.x / self.size[0], place.y / self.size[1]

    def box(self, sighting: Sighting) -> Box:
        """The cells round a label."""
        assert self.backdrop is not None
        return box_of(sighting.corners, self.size, self.backdrop.now)

    def _around(self, place: Place, sides: float = CARD) -> Box:
        """The cells a card with its label there can cover, whichever side its label is on; or so many sides."""
        far = sides * place.side
        corners = ((place.x - far, place.y - far), (place.x + far, place.y + far))
        assert self.backdrop is not None
        return box_of(corners, self.size, self.backdrop.now, grow=0.0)

    def sides_of_lying(self) -> list[float]:
        """How large the labels are that lie in sight."""
        lying = (k.place for k in self.known.values() if k.state == "lying" and not k.left)
        return [place.side for place in lying if place is not None]

    def as_those_lying(self, place: Place) -> bool:
        """Whether others lie in sight, and a card here is no nearer to the camera than they are."""
        if self.spot is not None:
            return False
        sides = self.sides_of_lying()
        return bool(sides) and place.side < NEARER * max(sides)

    def nearer_than_those_lying(self, place: Place) -> bool:
        """Whether others lie in sight and a card here is plainly held above them."""
        sides = self.sides_of_lying()
        return bool(sides) and place.side >= NEARER * max(sides)

    def in_a_pile(self, sighting: Sighting, place: Place) -> bool:
        """Whether this card was under another that was taken, or lies on one: no nearer than cards that lie, and just
        where another label was, beside one that is being moved, over one that is covered now, or where something as
        patterned as a card was."""
        if not self.as_those_lying(place):
            return False
        known = [k for text, k in self.known.items() if k.place is not None and text != sighting.text]
        if any(k.place.in_one_pile(place) for k in known if k.place is not None):
            return True
        moving = [k for k in known if k.state != "new" and self.at - k.moved < REST]
        if any(k.place.sides_to(place) < CARD for k in moving if k.place is not None):
            return True
        for k in known:
            away = self.at - k.seen
            if k.place is None or k.state != "lying" or k.bared or not UNREAD < away < HOME:
                continue
            if k.place.sides_to(place) < (CARD if away > REST else CARD / 2):
                return True
        return self.backdrop is not None and self.backdrop.patterned(self.box(sighting))

    def emptied(self, label: TrackedLabel) -> bool:
        """Whether there is nothing but the table where this label lay. Among others that lie, a cup may stand on it and
        look as bare as the table."""
        if self.backdrop is None or not self.backdrop.bare(label.box):
            return False
        if (not label.homes and not self.sides_of_lying()) or self.backdrop.open(label.box):
            return True
        table = self.backdrop.untouched(self.at - label.seen + MEANWHILE)
        if label.then is None or label.place is None or table is None:
            return False
        return self.backdrop.open(label.box, table) and self.backdrop.enclosed(
            label.box, self._around(label.place), label.then
        )

    def laid_bare(self, label: TrackedLabel) -> bool:
        """Whether a bare place where this label lay is the table: like what has stayed as it was meanwhile, if there is
        enough of that. What covers half of the table, or the lens, is no table."""
        assert self.backdrop is not None
        table = self.backdrop.untouched(self.at - label.seen + MEANWHILE)
        if table is None:
            return False
        return label.before is not None or self.backdrop.like_table(label.box, table)

    def others_went(self, label: TrackedLabel) -> bool:
        """Whether this card, no nearer than it lay, went from there when others did that are not back: somebody
        shuffles or tidies up."""
        if label.lay is None or self.spot is not None or not label.lay.as_near(place_of(label.sighting)):
            return False
        went = label.moved - label.absent - FLEETING
        return any(
            self.backdrop is not None and self.backdrop.changed(other.box)
            for text, other in self.known.items()
            if text not in self.now
            and other.state == "lying"
            and other.place is not None
            and went < other.seen < self.at - UNREAD
        )

    def another_card(self, ready: Collection[TrackedLabel]) -> float | None:
        """If another card came that is not read yet, for how long it has been still: two who show at once are not read
        at once."""
        if self.backdrop is None:
            return None
        places = [place for label in ready for place in (label.place, label.lay) if place is not None]
        cells = self.backdrop.now.shape[1] / self.size[0]
        spot = None if self.spot is None else box_of(self.spot, self.size, self.backdrop.now, grow=0.0)
        read = [self.box(sighting) for sighting in self.now.values()]
        shown = [(self._around(place, 0.5), self._around(place)) for place in places]
        return self.backdrop.card_apart(min(place.side for place in places) * cells, shown, read, spot)

    def by_hand(self, label: TrackedLabel) -> bool:
        """Whether somebody moved this card: not the camera, which moves everything, but brings nothing much nearer."""
        if self.spot is not None or self.backdrop is None or label.lay is None:
            return True
        assert label.place is not None
        if not label.lay.as_near(label.place) or label.absent >= CARRIED:
            return True
        if self._others_stay() or self.at - label.by_itself < FLEETING:
            return True
        cells = label.place.side * self.backdrop.now.shape[1] / self.size[0]
        return self.backdrop.by_hand(cells, *(self._around(place) for place in (label.lay, label.place)))

    def hand_seen(self, label: TrackedLabel) -> bool:
        """Whether somebody can have brought this card: on a plain table a bump may bring one into the picture, too."""
        if self.spot is not None or self.backdrop is None or label.lay is not None or self._others_stay():
            return True
        assert label.place is not None
        return self.backdrop.hand_seen(self.box(label.sighting), self._around(label.place))

    def _others_stay(self) -> bool:
        """Whether a label that lies there is where it was."""
        return any(
            label.place.sides_to(place_of(self.now[text])) < TREMBLE
            for text, label in self.known.items()
            if text in self.now and label.state == "lying" and label.place is not None
        )

    def another_stays(self, text: str) -> bool:
        """Whether another label is in this look that lies there and has not moved for a while."""
        return any(
            label.rest.sides_to(place_of(self.now[other])) < TREMBLE and self.at - label.moved > FLEETING
            for other, label in self.known.items()
            if other in self.now and other != text and label.state == "lying" and label.rest is not None
        )

    def common_motion(self) -> tuple[float, float] | None:
        """How far the lying labels moved, if most of them moved alike: then it was the camera, or the table."""
        pairs = [
            (label.place, place_of(self.now[text]))
            for text, label in self.known.items()
            if text in self.now and label.state == "lying" and label.place is not None
        ]
        moved = [(to.x - was.x, to.y - was.y) for was, to in pairs if was.sides_to(to) > TREMBLE]
        if len(moved) < max(2.0, TOGETHER * len(pairs)):
            return None
        x, y = (sorted(values)[len(moved) // 2] for values in zip(*moved, strict=True))
        stray = TREMBLE * max(was.side for was, _ in pairs) + 0.15 * math.hypot(x, y)
        alike_ = [step for step in moved if math.hypot(step[0] - x, step[1] - y) < stray]
        return (x, y) if len(alike_) >= max(2.0, TOGETHER * len(pairs)) else None
