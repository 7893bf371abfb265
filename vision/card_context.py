"""What surrounds a label in one look: other labels, cards and hands that came, a common motion of the whole
table.

It is derived from the labels known before this look, the labels in it, and the picture around them. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from msgspec import Struct

from vision.backdrop import Backdrop
from vision.grey_cells import CellArea, box_of
from vision.label_places import NEARER, Place, place_of
from vision.sightings import Sighting
from vision.sweep import SweepZone, inside
from vision.tracked import CARD, CARRIED, FLEETING, HOME, REST, TREMBLE, UNREAD, TrackedLabel

MEANWHILE = 3.0
"""Seconds before a card disappeared in which the hand or object that covers it may have come."""
MARGIN, INNER = 0.5, -0.5
"""Margin around a label, in its sides; and around a card known by its face, in the card's."""
TOGETHER = 0.6
"""Share of the lying labels that must have moved alike to conclude that the camera moved."""


class CardContext(Struct, frozen=True):
    """One look: labels known before, labels in it, its time, the picture and its size, the spot if any."""

    known: Mapping[str, TrackedLabel]
    now: Mapping[str, Sighting]
    at: float
    backdrop: Backdrop | None
    size: tuple[int, int]
    spot: SweepZone | None

    def in_spot(self, place: Place) -> bool:
        """Whether this place counts; without a marked spot every place does."""
        return self.spot is None or inside((place.x, place.y), self.spot)

    def part(self, place: Place) -> tuple[float, float]:
        """This place as fractions of the picture's width and height."""
        return place.x / self.size[0], place.y / self.size[1]

    def box(self, sighting: Sighting) -> CellArea:
        """The cells of a label, or of the middle of a card known by its face: hands hold its edges."""
        assert self.backdrop is not None
        grow = INNER if sighting.how == "face" else MARGIN
        return box_of(sighting.corners, self.size, self.backdrop.now, grow)

    def _around(self, place: Place, sides: float = CARD) -> CellArea:
        """The cells that a card with its label here can cover, whichever side the label is on; or so many
        sides around it."""
        far = sides * place.side
        corners = ((place.x - far, place.y - far), (place.x + far, place.y + far))
        assert self.backdrop is not None
        return box_of(corners, self.size, self.backdrop.now, grow=0.0)

    def sides_of_lying(self) -> list[float]:
        """The side lengths of the labels that lie in sight."""
        lying = (k.place for k in self.known.values() if k.state == "lying" and not k.left)
        return [place.side for place in lying if place is not None]

    def as_those_lying(self, place: Place) -> bool:
        """Whether other cards lie in sight and a card here is no nearer to the camera than they are."""
        if self.spot is not None:
            return False
        sides = self.sides_of_lying()
        return bool(sides) and place.side < NEARER * max(sides)

    def nearer_than_those_lying(self, place: Place) -> bool:
        """Whether other cards lie in sight and a card here is clearly held above them."""
        sides = self.sides_of_lying()
        return bool(sides) and place.side >= NEARER * max(sides)

    def in_a_pile(self, sighting: Sighting, place: Place) -> bool:
        """Whether this card was under another that was taken, or lies on one. It must be no nearer than the
        lying cards, and either where another label was, beside one being moved, over one that is covered
        now, or where something as patterned as a card was."""
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
        """Whether only the table is left where this label lay. Among other lying cards this is checked more
        strictly: a cup on the card may look as plain as the table."""
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
        """Whether the plain place where this label lay looks like the cells untouched meanwhile, if there are
        enough of them. Otherwise something may cover half of the table or the lens."""
        assert self.backdrop is not None
        table = self.backdrop.untouched(self.at - label.seen + MEANWHILE)
        if table is None:
            return False
        return label.before is not None or self.backdrop.like_table(label.box, table)

    def others_went(self, label: TrackedLabel) -> bool:
        """Whether this card, no nearer than it lay, left its place together with others that have not come
        back: somebody shuffles or tidies up."""
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
        """If another card came that is not read yet: for how long it has been still. Two cards shown together
        are rarely read in the same look."""
        if self.backdrop is None:
            return None
        places = [place for label in ready for place in (label.place, label.lay) if place is not None]
        cells = self.backdrop.now.shape[1] / self.size[0]
        spot = None if self.spot is None else box_of(self.spot, self.size, self.backdrop.now, grow=0.0)
        read = [self.box(sighting) for sighting in self.now.values()]
        shown = [(self._around(place, 0.5), self._around(place)) for place in places]
        return self.backdrop.card_apart(min(place.side for place in places) * cells, shown, read, spot)

    def by_hand(self, label: TrackedLabel) -> bool:
        """Whether a person moved this card. A moved camera moves everything, but brings nothing much nearer."""
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
        """Whether a person can have brought this card. On a plain table a bump of the camera can also bring a
        card into view."""
        if self.spot is not None or self.backdrop is None or label.lay is not None or self._others_stay():
            return True
        assert label.place is not None
        return self.backdrop.hand_seen(self.box(label.sighting), self._around(label.place))

    def _others_stay(self) -> bool:
        """Whether any lying label is where it was."""
        return any(
            label.place.sides_to(place_of(self.now[text])) < TREMBLE
            for text, label in self.known.items()
            if text in self.now and label.state == "lying" and label.place is not None
        )

    def another_stays(self, text: str) -> bool:
        """Whether another lying label is in this look and has not moved for a while."""
        return any(
            label.rest.sides_to(place_of(self.now[other])) < TREMBLE and self.at - label.moved > FLEETING
            for other, label in self.known.items()
            if other in self.now and other != text and label.state == "lying" and label.rest is not None
        )

    def common_motion(self) -> tuple[float, float] | None:
        """How far the lying labels moved, if most moved alike: then the camera or the table was moved."""
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
