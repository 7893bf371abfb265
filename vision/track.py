"""From the labels of each look to what people mean by them: who shows which card. Pure except for the
pictures passed in.

A card is *shown* when somebody brings it: it was not in the picture, or is clearly elsewhere or larger than
where it lay. It must be held still for a moment. A card that was covered and reappears where it lay is still
*lying*. The same goes for every card that comes into view in the dark, while the camera is moved, or after a
gap in watching: such a card is only *noticed*. docs/camera.md has the details.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from vision.backdrop import LONGEST_GAP, Backdrop
from vision.card_context import CardContext
from vision.grey_cells import GreyCells, alike, cut, small
from vision.label_news import Brought, Disturbed, LabelNews, Left, Noticed
from vision.label_places import GROWN, Place, place_of
from vision.sightings import Sighting
from vision.sweep import SweepZone
from vision.tracked import FLEETING, HOME, REST, TREMBLE, UNREAD, TrackedLabel

STILL = 0.3
"""How far a card held still may move in all, in sides of its label."""
LOOKS, HOLD, COMPANY = 2, 0.35, 0.7
"""Looks and seconds for which a card must be held still to count as shown; and the seconds if other cards
seem to come with it."""
PAUSE = 0.2
"""Seconds for which another, unread card must have been still to count as shown too."""
GESTURE = 1.0
"""Cards brought within so many seconds belong to one gesture."""
WITNESS = 0.6
"""Seconds of watching needed to know that a card was not in the picture before."""
AWAY = 3.0
"""Seconds out of sight after which a shown card counts as put down, and a lying card is reported as left."""
VACANT = 1.0
"""Seconds for which a place must look as before the card came until the card counts as gone."""
LONG_VACANT = 20.0
"""The same for a place where the card belongs: people lift a card, show it, and put it back."""


class Tracker(Struct, frozen=True):
    """All labels seen so far; `see` returns the next tracker and the news."""

    known: dict[str, TrackedLabel] = {}
    at: float | None = None
    since: float = 0.0
    backdrop: Backdrop | None = None
    disturbed: Literal["", "dark", "moved"] = ""
    shown: float = -math.inf
    """When a card was last shown."""

    @property
    def expects_more(self) -> bool:
        """Whether a card is being brought that has not been held long enough yet."""
        return any(label.state == "new" for label in self.known.values())

    @property
    def moves(self) -> bool:
        """Whether something moved in the last picture: a hand, or a card in it."""
        return self.backdrop is not None and self.backdrop.moves

    def see(
        self,
        sightings: Iterable[Sighting],
        at: float,
        picture: Any = None,
        *,
        thorough: bool = True,
        spot: SweepZone | None = None,
    ) -> tuple[Tracker, tuple[LabelNews, ...]]:
        """The tracker and the news after a picture taken at this time.

        A look that is not `thorough` may have missed labels. With a `spot`, only cards that enter it are
        shown.
        """
        every = tuple(sightings)
        times = Counter(sighting.text for sighting in every)
        now = {s.text: s for s in every if times[s.text] == 1}  # a label seen at two places is ignored
        return _Look(self, now, at, picture, thorough, spot).taken()


def _lies_there(label: TrackedLabel, sighting: Sighting) -> bool:
    return label.place is not None and label.place.here(place_of(sighting))


class _Look:
    """One look: decides what happened to every label."""

    def __init__(
        self,
        before: Tracker,
        now: dict[str, Sighting],
        at: float,
        picture: Any,
        thorough: bool,
        spot: SweepZone | None,
    ) -> None:
        self.before, self.now, self.at, self.thorough, self.spot = before, now, at, thorough, spot
        self.passed = 0.0 if before.at is None else max(0.0, at - before.at)
        self.size = (1, 1) if picture is None else (picture.shape[1], picture.shape[0])
        self.news: list[LabelNews] = []
        self.piled = False  # whether a card was put onto others, as in dealing
        self.backdrop = None if picture is None else self._backdrop(small(picture))
        self.what: Literal["", "dark", "moved"] = "" if self.backdrop is None else self.backdrop.what
        self.blind = bool(self.what) or (self.backdrop is not None and self.backdrop.blind)
        gap = before.at is None or at < before.at or self.passed > LONGEST_GAP
        self.since = at if gap or not thorough else before.since
        if self.backdrop is not None:
            self.since = max(self.since, self.backdrop.since)
        self.known = self._after_nothing()
        self.around = CardContext(self.known, now, at, self.backdrop, self.size, spot)
        self.motion = self.around.common_motion()
        if self.motion is not None:
            self.what, self.since, self.blind = "moved", at, True

    def _backdrop(self, cells: GreyCells) -> Backdrop:
        """The backdrop after this look."""
        known = self.before.backdrop
        if known is None:
            return Backdrop.first(cells, self.at)
        labels = [k for k in self.before.known.values() if k.state != "new" and not k.left]
        gone = [k.before is not None and alike(cut(cells, k.box), k.before) for k in labels]
        just_there = (k.state == "lying" and self.at - k.seen < AWAY for k in labels)
        lying = any(there and not empty for there, empty in zip(just_there, gone, strict=True))
        return known.see(cells, self.at, lying, accounted=bool(gone) and all(gone))

    def _after_nothing(self) -> dict[str, TrackedLabel]:
        """The labels known after a blank picture. If something is visible again, the table had been cleared;
        but if any label is where it lay, the lens had been covered, and everything visible now was there
        before."""
        known, backdrop = self.before.known, self.before.backdrop
        if backdrop is None or not backdrop.blind or self.blind:
            return known
        if any(text in known and _lies_there(known[text], sighting) for text, sighting in self.now.items()):
            self.since = self.at
        if self.since >= self.at:
            return known
        gone = {text: k for text, k in known.items() if text not in self.now}
        self.news += [Left(text, self.at) for text, label in gone.items() if not label.left]
        return {  # a card with a home may be put back there; other cards are forgotten
            text: replace(label, left=True) if text in gone else label
            for text, label in known.items()
            if text not in gone or label.homes
        }

    def taken(self) -> tuple[Tracker, tuple[LabelNews, ...]]:
        """The tracker after this look, and the news."""
        settled = self.before.disturbed == "moved" and not self.what
        if self.what != self.before.disturbed:
            self.news.append(Disturbed(self.what, self.at))
        labels: dict[str, TrackedLabel] = {}
        for text in dict.fromkeys((*self.known, *self.now)):
            label = self.known.get(text)
            if text in self.now:
                after: TrackedLabel | None = self._seen(label, self.now[text])
            else:
                assert label is not None
                after = self._moved_along(self._missed(label), settled)
            if after is not None:
                labels[text] = after
        shown = self.at if self.piled else self._tell_shown(labels)
        tracker = Tracker(labels, self.at, self.since, self.backdrop, self.what, shown)
        return tracker, tuple(self.news)

    # A label in this picture

    def _seen(self, label: TrackedLabel | None, sighting: Sighting) -> TrackedLabel:
        place = place_of(sighting)
        if label is None:
            return self._arrived(sighting, place)
        was_away, lay, absent = label.left, label.rest, self.at - label.seen
        if was_away:
            self._notice(sighting, place)
            if lay is not None and lay.here(place) and self._changed(sighting) and self._saw_nothing():
                # The lens is free again: other cards that come into view now were there all the time.
                self.since = self.at
        then = None if self.backdrop is None else self.backdrop.settled
        label = replace(
            label, sighting=sighting, seen=self.at, vacant=0.0, bared=False, left=False, then=then
        )
        if label.state == "lying":
            label = replace(label, absent=absent)
        if label.rest is None or label.rest.sides_to(place) > TREMBLE or place.side > GROWN * label.rest.side:
            by_itself = label.by_itself if self.at - label.moved < UNREAD else -math.inf  # else it has rested
            if self.around.another_stays(sighting.text):
                by_itself = self.at
            label = replace(label, rest=place, moved=self.at, by_itself=by_itself)
        if self.what or not self.around.in_spot(place):
            return self._lies(label, place)
        match label.state:
            case "lying":
                return self._lying(label, place, was_away, lay)
            case "new":
                return self._lies(label, place) if self._unwatched() else self._coming(label, place)
            case "held":
                return self._held(label, place)

    def _saw_nothing(self) -> bool:
        """Whether no label has been seen for a while: a single hard-to-read one says nothing about the lens."""
        return all(self.at - label.seen > AWAY for label in self.known.values())

    def _arrived(self, sighting: Sighting, place: Place) -> TrackedLabel:
        """A label seen for the first time, or again after it was taken away."""
        brought = (
            not self.what
            and self._witnessed(sighting)
            and self.around.in_spot(place)
            and self._is_new_there(sighting, place)
        )
        if not brought:
            self._notice(sighting, place)
            lies = self._lies(
                TrackedLabel(sighting, place, self.at, since=self.at, rest=place, moved=self.at), place
            )
            # It was not brought, and other labels are in sight: this is where it belongs.
            return replace(lies, homes=(place,)) if len(self.now) > 1 and not self.what else lies
        return self._new(TrackedLabel(sighting, place, self.at, rest=place, moved=self.at), place)

    def _notice(self, sighting: Sighting, place: Place) -> None:
        """Report a label that lies there, unless it is outside the spot."""
        if self.around.in_spot(place):
            self.news.append(Noticed(sighting, self.at, self.around.part(place)))

    def _unwatched(self) -> bool:
        """Whether watching was interrupted just now."""
        return self.since >= self.at

    def _witnessed(self, sighting: Sighting) -> bool:
        """Whether the picture was watched before this moment and showed this place without the card."""
        if not self.thorough or self.at - self.since < WITNESS:
            return False
        return self.backdrop is None or self.backdrop.came(self.around.box(sighting), self.since)

    def _changed(self, sighting: Sighting) -> bool:
        return self.backdrop is None or self.backdrop.changed(self.around.box(sighting))

    def _is_new_there(self, sighting: Sighting, place: Place) -> bool:
        """Whether this place changed; if not, the label was only read late or was uncovered."""
        changed = self._changed(sighting)
        if self.spot is None and self.around.in_a_pile(sighting, place):
            self.piled = self.piled or changed
            return False
        return changed

    def _new(self, label: TrackedLabel, place: Place) -> TrackedLabel:
        """A card that somebody seems to bring. The picture under it is kept, to notice when it is taken away."""
        before, box, still = None, label.box, 0.0
        if self.backdrop is not None:
            box = self.around.box(label.sighting)
            before = cut(self.backdrop.settled, box).copy()
            still = self.backdrop.still_for(
                box
            )  # a small label is read late: it may have been still for a while
        long = still > HOLD
        since, looks = self.at - (HOLD + 0.01 if long else still), LOOKS if long else 1
        return replace(
            label, state="new", place=place, since=since, looks=looks, before=before, box=box, vacant=0.0
        )

    def _lying(self, label: TrackedLabel, place: Place, was_away: bool, lay: Place | None) -> TrackedLabel:
        if self.spot is None and any(home.here(place) for home in label.homes):
            return self._lies(label, place)
        if label.place is None:  # it was out of sight while the camera was moved
            lifted = lay is not None and not lay.as_near(place) and self._witnessed(label.sighting)
            return self._new(label, place) if lifted else self._lies(label, place)
        if self.spot is not None:
            brought_back = was_away and not label.place.here(place)
            taken = brought_back or not self.around.in_spot(label.place) or not label.place.as_near(place)
        else:
            taken = label.place.elsewhere(place)
        if not taken or not self._witnessed(label.sighting):
            return self._lies(label, place)
        read_late = label.place.as_near(place) and not self._changed(
            label.sighting
        )  # it has been here for a while
        if read_late or (self.spot is None and self.around.in_a_pile(label.sighting, place)):
            return self._lies(label, place)
        return self._new(replace(label, lay=label.place), place)

    def _lies(self, label: TrackedLabel, place: Place) -> TrackedLabel:
        """A card at rest; after a while this place becomes one of its homes."""
        was = label.place if label.state == "lying" else None
        at_rest = was is not None and was.here(place)
        if was is not None and not self.what and self.at - label.moved < REST:
            place = replace(
                place, side=min(place.side, was.side)
            )  # a card lifted slowly still counts as lifted
        since = label.since if at_rest else self.at
        homes = label.homes
        if self.at - max(since, label.moved) > HOME and not any(home.here(place) for home in homes):
            homes = (*homes[-2:], place)
        before = label.before if at_rest or label.state != "lying" else None
        box = label.box if before is not None or self.backdrop is None else self.around.box(label.sighting)
        lies = replace(label, state="lying", place=place, since=since, homes=homes, lay=None)
        return replace(lies, before=before, box=box)

    def _coming(self, label: TrackedLabel, place: Place) -> TrackedLabel:
        assert label.place is not None
        if self.spot is None and any(home.here(place) for home in label.homes):
            return self._lies(label, place)
        if label.place.sides_to(place) < STILL:
            return replace(label, looks=label.looks + 1)
        return self._new(label, place)

    def _held(self, label: TrackedLabel, place: Place) -> TrackedLabel:
        """A card that was shown already: putting it down or taking it back is not news."""
        assert label.place is not None
        if label.place.sides_to(place) >= TREMBLE:
            return replace(label, place=place, since=self.at, before=None)
        if self.at - label.since >= REST and not self.around.nearer_than_those_lying(place):
            return self._lies(label, place)
        return replace(label, place=place)

    # A label that is not in this picture

    def _missed(self, label: TrackedLabel) -> TrackedLabel | None:
        away = self.at - label.seen
        unwatched = self.blind or self._unwatched()
        if label.state == "new" and not unwatched and self._stays(label, away):  # still there, only not read
            return replace(label, seen=self.at, looks=label.looks + 1)
        if label.state == "new" and (away > FLEETING or unwatched):
            if label.lay is None and not label.homes:
                return None
            return replace(label, state="lying", place=label.lay or label.homes[-1], lay=None, before=None)
        if unwatched:
            label = replace(label, vacant=0.0)
        if self.blind or not self.thorough:  # this look could not have seen it
            return label if label.left else replace(label, seen=label.seen + self.passed)
        if label.state == "held" and away > AWAY:
            self.news.append(Left(label.sighting.text, self.at))
            if not label.homes:
                return None
            return replace(label, state="lying", place=label.homes[-1], left=True, before=None)
        if label.state != "lying":
            return label
        label = self._vacated(label)
        if label.vacant > (LONG_VACANT if label.homes else VACANT):
            if not label.left:
                self.news.append(Left(label.sighting.text, self.at))
            return None
        if away > AWAY and not label.left:
            self.news.append(Left(label.sighting.text, self.at))
            return replace(label, left=True)
        return label

    def _stays(self, label: TrackedLabel, away: float) -> bool:
        """Whether its place has not changed since it was last read."""
        return self.backdrop is not None and self.backdrop.still_for(label.box) > away - 0.01

    def _vacated(self, label: TrackedLabel) -> TrackedLabel:
        """Update for how long its place has looked as before the card came; a cover would look different."""
        if self.backdrop is None:
            return label
        if label.before is None:
            empty = self.around.emptied(label)
        else:
            empty = alike(cut(self.backdrop.now, label.box), label.before)
        empty = empty and (label.vacant > 0 or self.around.laid_bare(label))
        vacant = label.vacant + self.passed if empty else 0.0
        return replace(label, vacant=vacant, bared=label.bared or vacant > VACANT)

    # The camera was moved

    def _moved_along(self, label: TrackedLabel | None, settled: bool) -> TrackedLabel | None:
        """A label out of sight while the camera was moved: it moves as the others did, or its place becomes
        unknown. One that had been taken away is forgotten."""
        if label is None or label.place is None:
            return label
        if label.vacant > VACANT and (settled or self.motion is not None):
            if not label.left:
                self.news.append(Left(label.sighting.text, self.at))
            return None
        if self.motion is not None:
            x, y = self.motion
            place = replace(label.place, x=label.place.x + x, y=label.place.y + y)
            return replace(label, state="lying", place=place, lay=None, homes=(), before=None, then=None)
        if settled:
            return replace(label, state="lying", place=None, lay=None, homes=(), before=None, then=None)
        return label

    # What is shown

    def _tell_shown(self, labels: dict[str, TrackedLabel]) -> float:
        """Report the cards that were held still long enough, unless others seem to come with them."""
        coming = {text: k for text, k in labels.items() if k.state == "new"}
        here = (text for text, k in coming.items() if k.seen == self.at and k.looks >= LOOKS)
        ready = {text: coming[text] for text in here if self.at - coming[text].since >= HOLD}
        for text, label in list(ready.items()):
            if not self.around.by_hand(label):
                labels[text] = replace(label, state="lying", since=self.at, lay=None, before=None)
                del ready[text], coming[text]
        if not ready:
            return self.before.shown
        longest = max(self.at - label.since for label in ready.values())
        accompanied = len(coming) > len(ready) or any(map(self.around.others_went, ready.values()))
        unread = self.around.another_card(ready.values())
        if (accompanied or unread is not None) and longest < COMPANY:
            return self.before.shown
        held_too = unread is not None and unread >= PAUSE  # people may hold other cards without showing them
        follows = accompanied or held_too or self.at - self.before.shown < GESTURE
        for text, label in ready.items():
            assert label.place is not None
            laid = label.lay is None and self.around.as_those_lying(label.place)
            laid = laid or not self.around.hand_seen(label)
            labels[text] = replace(label, state="held", since=self.at, lay=None, moved=self.at)
            place = self.around.part(label.place)
            self.news.append(Brought(label.sighting, self.at, place, follows, laid))
        return self.at
