"""The picture around the labels: whether the camera can see, whether it still looks at the same place, what
changed.

All of it uses a small grey copy of each picture (`grey_cells.py`). A cell that was still for a while is
*settled*: it shows the table as it was before a hand came.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.grey_cells import (
    FINE,
    PATCH,
    PLAIN,
    STEP,
    STILL,
    CellArea,
    GreyCells,
    alike,
    compared,
    cut,
    grain_of,
    local_range,
    middle_grey,
    nothing_in,
    remains,
    same_grain,
    tiled,
    unlined,
)

MOSTLY, NEARLY_ALL = 0.9, 0.95
"""If more than this share of the patterned tiles changed their pattern, the view changed. A card held close,
with the arm behind it, still leaves a corner of the table free."""
ENOUGH = 20
"""Patterned tiles needed to judge the view as a whole: a hand covers a dozen tiles and is patterned itself."""
BRIGHT = 100.0
"""Grey of a well-lit table, where a difference of `STEP` is clear; on a darker one less is needed."""
SWAY = 0.6
"""Extra tolerance for a trembling cell, as a share of the difference between neighbouring cells."""
CARD_PATTERN, BUSIER, FREE = 4.0, 1.25, 10
"""Minimum deviation of a piece of a card in grey steps, straight lines removed; how many times the table's
deviation it has; and the percent of the picture that is free table."""
ALL, FAMILIAR = 0.8, 3
"""Share of the cells that differ if everything looks different; and the number of unchanged patterned tiles
from which it is the same view in another light."""
OPEN = 0.5
"""Share of a place that must be free table to count as empty; not all of it, because wood has a grain."""
LEAST_CARD, CARD_GRAIN, RIM = 4.0, 7.0, 7
"""Minimum area of a card, in squares the size of its label; its minimum grain in grey steps, which hands
reach only at their rim; and the width of two rims in cells."""
SETTLED, CALM = 2.0, 1.0
"""Seconds until a still cell counts as settled, and until a moved view does."""
SLOWLY = 5.0
"""Time constant in seconds with which the settled picture follows slow changes."""
LONGEST_GAP = 1.2
"""Longest gap in seconds between two looks; after a longer one, the time between them counts as unwatched."""
DARK = 14.0
"""A picture with a lower mean grey counts as dark."""
FREED, JUDGED = 0.4, 3.0
"""If at least this share of a blank picture stays blank when something appears, a hand came over a bare
table; if less, the lens was uncovered. The second value: for how many seconds this is checked."""
ACCOUNTED, UNTOUCHED = 0.8, 0.1
"""Share of the table that looks as before when its only cards are gone; and the share of untouched cells
needed to know what the table looks like."""
AROUND, NEAR_BY = 2.0, 0.25
"""How far around a place, in its own widths, cells are used to estimate how bright the bare table is there;
and the share of them that must be untouched. Near cells matter: boards differ, and a lamp lights from one
side."""
SEEN_BARE = 0.7
"""Share of a place that must have been seen without a card to say that the card arrived."""
HAND = 25.0
"""Minimum change beside a card and its old place when a hand moves it, in squares the size of its label."""
WITH_HAND, LATELY = 1.5, 2.0
"""How many times the area of a card must have been covered if a hand brought it; and for how many seconds
that is remembered, because a hand lays a card down and leaves."""
MOVES = 0.01
"""Share of the cells that change between looks if a hand moves; a hand that holds a card still changes a
fifth of that."""

BackdropChange = Literal["", "dark", "moved"]


class Backdrop(Struct, frozen=True):
    """The table as the last looks showed it. The arrays in it are never modified."""

    now: GreyCells
    settled: GreyCells
    still: GreyCells
    at: float
    since: float
    """Start of the current period of watching without a gap, in the light, from the same position."""
    unlike: GreyCells
    """Seconds each cell has differed from its settled value."""
    what: BackdropChange = ""
    """Why the camera cannot see the table as it was; empty if it can."""
    quiet: float = 0.0
    """Seconds a changed view has been still, or seconds since the picture stopped being blank."""
    blank: GreyCells | None = None
    """A blank picture that replaced a patterned one: either a cleared table or a covered lens."""
    blind: bool = False
    """Whether the picture is blank now, so that a cleared table looks like a covered lens."""
    covered: tuple[tuple[float, int], ...] = ()
    """Of the recent looks: the time, and how many cells were not table."""

    @classmethod
    def first(cls, now: GreyCells, at: float) -> Backdrop:
        """The backdrop after the first look."""
        dark, nothing, zero = bool(now.mean() < DARK), nothing_in(now), np.zeros_like(now)
        blank = now if nothing else None
        return cls(now, now, zero, at, at, zero, "dark" if dark else "", blank=blank, blind=nothing)

    def see(self, now: GreyCells, at: float, lying: bool, accounted: bool = False) -> Backdrop:
        """The backdrop after the next look. If nothing is `lying`, a view that shares little with the old one
        may be a card held close. If all cards that lay there are `accounted` for, a blank picture is the
        bare table."""
        passed = at - self.at
        if now.shape != self.now.shape or passed < 0:
            return Backdrop.first(now, at)
        before = replace(self, since=at) if passed > LONGEST_GAP else self
        if now.mean() < DARK:
            return before._unseen(now, at, "dark", None)
        if nothing_in(now) and (self.blind or before._hides(now, accounted)):
            told: BackdropChange = "dark" if self.what == "dark" or (lying and not self.blind) else ""
            return before._unseen(
                now, at, told, now if self.blank is None else self._following(self.blank, now, passed)
            )
        if self.blank is None:
            return before._seen(now, at, lying)
        if remains(now, self.blank) < FREED:
            return before._freed()._seen(now, at, lying)
        return before._bared(passed)._seen(now, at, lying)

    @staticmethod
    def _following(then: GreyCells, now: GreyCells, passed: float) -> GreyCells:
        """The old picture moved towards the new one, as fast as slow changes of light are followed."""
        return then + np.float32(1 - np.exp(-passed / SLOWLY)) * (now - then)

    def _hides(self, now: GreyCells, accounted: bool) -> bool:
        """Whether a blank picture may hide what was there."""
        same = np.abs(now - self.settled) < STILL
        return not nothing_in(self.settled) and not (accounted and float(same.mean()) > ACCOUNTED)

    def _unseen(self, now: GreyCells, at: float, what: BackdropChange, blank: GreyCells | None) -> Backdrop:
        """A dark or blank look: what it hides is assumed unchanged. Watching counts as uninterrupted only if
        the picture was and still is blank."""
        return replace(
            self,
            now=now,
            still=np.zeros_like(now),
            at=at,
            since=self.since if self.blind and blank is not None else at,
            unlike=self.unlike + np.float32(at - self.at),
            what=what,
            quiet=0.0,
            blank=self.blank if blank is None else blank,
            blind=blank is not None,
        )

    def _freed(self) -> Backdrop:
        """The lens is free again: what happened meanwhile is unknown, and what was there first as well."""
        what: BackdropChange = "moved" if nothing_in(self.settled) else "dark"
        return replace(self, what=what, quiet=0.0, blank=None, blind=False)

    def _bared(self, passed: float) -> Backdrop:
        """Something appeared and most of the picture stayed blank: take it for a hand over a bare table."""
        if self.blind:
            assert self.blank is not None
            return replace(
                self, settled=self.blank, unlike=np.zeros_like(self.blank), what="", quiet=0.0, blind=False
            )
        return replace(self, quiet=self.quiet + passed, blank=None if self.quiet > JUDGED else self.blank)

    def _seen(self, now: GreyCells, at: float, lying: bool) -> Backdrop:
        """A look at the table, or at a different view."""
        passed = at - self.at
        ranges = local_range(now)
        steady = np.abs(now - self.now) < STILL + SWAY * np.minimum(ranges, local_range(self.now))
        still = np.where(steady, self.still + np.float32(min(passed, LONGEST_GAP)), np.float32(0.0))
        textured, other = compared(self.settled, now)
        if self.what != "moved" and not _elsewhere(textured, other, lying):
            since = at if self.what or self._all_other(now, textured & ~other) else self.since
            gain = np.float32(
                np.clip(np.median(now[::4, ::4] / np.maximum(self.settled[::4, ::4], 1)), 0.5, 2.0)
            )
            was = self.settled * gain
            like = np.abs(now - was) < STILL + SWAY * np.minimum(ranges, local_range(was))
            unlike = np.where(like, np.float32(0.0), self.unlike + np.float32(passed))
            settled, still = self._settle(now, still, ranges, passed)
            lately = [look for look in self.covered if at - look[0] < LATELY]
            covered = (*lately, (at, _not_table(now)))
            return replace(
                self,
                now=now,
                settled=settled,
                still=still,
                at=at,
                since=since,
                unlike=unlike,
                what="",
                blind=False,
                covered=covered,
            )
        quiet = self.quiet + passed if self.what == "moved" and float(np.mean(steady)) > 0.97 else 0.0
        if quiet < CALM:
            return replace(self, now=now, still=still, at=at, since=at, what="moved", quiet=quiet, blank=None)
        return Backdrop(now, now, still, at, at, np.zeros_like(now))

    def _all_other(self, now: GreyCells, same: NDArray[np.bool_]) -> bool:
        """Whether everything is brighter or darker, and too few tiles (`same`) kept their pattern to
        recognise the place."""
        off = np.abs(now - self.settled) > STILL
        return float(off.mean()) > ALL and int(same.sum()) < FAMILIAR

    def _settle(
        self, now: GreyCells, still: GreyCells, ranges: GreyCells, passed: float
    ) -> tuple[GreyCells, GreyCells]:
        """The settled picture and how long each cell has been still. A settled cell that changes, even if
        only by the shadow of a hand, must be still for the full time again; otherwise shadows would settle
        as patterns."""
        known = (self.still >= SETTLED) & (still >= SETTLED)
        lighter, some = np.float32(1.0), known[::2, ::2]
        if some.any():
            then = np.maximum(self.settled[::2, ::2][some], 1)
            lighter = np.float32(np.clip(np.median(now[::2, ::2][some] / then), 0.5, 2.0))
        was = self.settled * lighter  # cells under a hand get the same light
        same = np.abs(now - was) < STILL + SWAY * np.minimum(ranges, local_range(was))
        still = np.where(known & ~same, np.float32(0.0), still)
        slowly = np.float32(1 - np.exp(-passed / SLOWLY))
        return np.where(known, was + slowly * same * (now - was), np.where(still >= SETTLED, now, was)), still

    @property
    def moves(self) -> bool:
        """Whether something moved since the last look; always false for a blank picture."""
        return not self.blind and float(np.mean(self.still == 0)) > MOVES

    def still_for(self, box: CellArea) -> float:
        """Median seconds for which this place has been still."""
        part = cut(self.still, box)
        return float(np.median(part)) if part.size else 0.0

    def came(self, box: CellArea, since: float) -> bool:
        """Whether this place looked settled at some time after `since`: then what is there now arrived later."""
        part = cut(self.unlike, box)
        return part.size > 0 and float(np.mean(part < self.at - since)) > SEEN_BARE

    def changed(self, box: CellArea) -> bool:
        """Whether this place shows something different from its settled state."""
        return not alike(cut(self.now, box), cut(self.settled, box), self._gain())

    def untouched(self, seconds: float) -> NDArray[np.bool_] | None:
        """The cells still for at least this many seconds; None if they are too few to judge the table by."""
        untouched = self.still >= seconds
        return untouched if float(untouched.mean()) > UNTOUCHED else None

    def bare(self, box: CellArea) -> bool:
        """Whether this place shows only table: no pattern, and as bright as most of the picture."""
        part = cut(self.now, box)
        plain = part.size > 0 and float(part.std()) < 2 * PLAIN
        return plain and abs(float(part.mean()) - middle_grey(self.now)) < self._step()

    def like_table(self, box: CellArea, table: NDArray[np.bool_]) -> bool:
        """Whether this place is as bright as most of the `table` cells, and has a grain if they have one."""
        part, grain = cut(self.now, box), grain_of(self.now)
        if not part.size or abs(float(part.mean()) - float(np.median(self.now[table]))) >= self._step():
            return False
        tiles = tiled(table.astype(np.float32)).mean(axis=(1, 3)) > 0.5
        spreads = tiled(grain).std(axis=(1, 3))[tiles]
        usual = float(np.percentile(spreads, FREE)) if spreads.size else 0.0
        return float(cut(grain, box).std()) > usual / 3 or usual < FINE

    def open(self, box: CellArea, table: NDArray[np.bool_] | None = None) -> bool:
        """Whether this place is connected to the free table, which is as bright as most of the picture (or as
        the `table` cells near by). A cup or a hand may look as plain, but has an outline."""
        smooth = cv2.blur(self.now, (3, 3))
        bright = middle_grey(self.now) if table is None else self._bright(box, table)
        free = np.asarray(np.abs(smooth - bright) < self._step(), np.uint8)
        _, areas, stats, _ = cv2.connectedComponentsWithStats(
            cv2.erode(free, np.ones((3, 3))), connectivity=4
        )
        if len(stats) < 2:
            return False
        largest = cut(areas, box) == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
        return largest.size > 0 and float(largest.mean()) > OPEN

    def enclosed(self, box: CellArea, reach: CellArea, then: GreyCells) -> bool:
        """Whether the change at this place ends within `reach`: all around it the table has the grain it had
        `then`. What a hand covers extends to the edge of the picture."""
        if then.shape != self.now.shape:
            return False
        high, wide = (size // PATCH for size in then.shape)
        other = np.asarray(~same_grain(then, self.now, high, wide), np.uint8)
        _, areas, stats, _ = cv2.connectedComponentsWithStats(other, connectivity=8)
        across, down = self.now.shape[1] / wide, self.now.shape[0] / high
        left, top, right, bottom = box
        here = areas[
            max(0, int(top / down)) : max(0, int((bottom - 1) / down)) + 1,
            max(0, int(left / across)) : max(0, int((right - 1) / across)) + 1,
        ]
        for area in np.unique(here[here > 0]).tolist():
            x, y, w, h = (int(v) for v in stats[area][:4])
            if x == 0 or y == 0 or x + w == wide or y + h == high:
                return False
            if (x + 1) * across < reach[0] or (y + 1) * down < reach[1]:
                return False
            if (x + w - 1) * across > reach[2] or (y + h - 1) * down > reach[3]:
                return False
        return here.size > 0

    def _bright(self, box: CellArea, table: NDArray[np.bool_]) -> float:
        """How bright the bare table is at this place: the median of the `table` cells near by, or of all of
        them if there are too few near by."""
        left, top, right, bottom = box
        x, y = round(AROUND * (right - left)), round(AROUND * (bottom - top))
        near = left - x, top - y, right + x, bottom + y
        here = cut(table, near)
        enough = here.size > 0 and float(here.mean()) > NEAR_BY
        return float(np.median(cut(self.now, near)[here] if enough else self.now[table]))

    def patterned(self, box: CellArea) -> bool:
        """Whether the settled picture shows a card here, or something as patterned, rather than the table."""
        table = float(np.percentile(tiled(self.settled).std(axis=(1, 3)), FREE))
        return unlined(cut(self.settled, box)) > max(CARD_PATTERN, BUSIER * table)

    def by_hand(self, label: float, *places: CellArea) -> bool:
        """Whether something moved between these places because a person moved it: the rest of the table did
        not move, or a hand is in the picture. `label` is the length of its side in cells."""
        textured, other = compared(self.settled, self.now)
        outside = np.ones(self.now.shape, bool)
        for left, top, right, bottom in places:
            outside[max(0, top) : bottom, max(0, left) : right] = False
        tiles = tiled(outside.astype(np.float32)).mean(axis=(1, 3)) > 0.5
        if int((textured & tiles).sum()) >= ENOUGH:
            return float(other[textured & tiles].mean()) <= MOSTLY
        off = np.abs(self.now * self._gain() - self.settled) > STEP
        return float((off & outside).sum()) > HAND * label * label

    def hand_seen(self, box: CellArea, reach: CellArea) -> bool:
        """Whether a hand can have brought the card with its label in `box`; the card reaches no further than
        `reach`. Either an arm is behind it, or recently more was covered than the card covers. On a
        patterned table the answer is always yes: if the camera had moved, the pattern would have moved
        too."""
        textured, _ = compared(self.settled, self.now)
        if int(textured.sum()) >= ENOUGH:
            return True
        off = np.asarray(np.abs(self.now * self._gain() - self.settled) > STEP, np.uint8)
        _, blobs, _, _ = cv2.connectedComponentsWithStats(
            cv2.morphologyEx(off, cv2.MORPH_CLOSE, np.ones((3, 3)))
        )
        own = np.isin(blobs, [blob for blob in np.unique(cut(blobs, box)).tolist() if blob])
        further = own.copy()
        cut(further, reach)[:] = False
        if further[0].any() or further[-1].any() or further[:, 0].any() or further[:, -1].any():
            return True
        more = max((cells for _, cells in self.covered), default=0) - _not_table(self.settled)
        return more > WITH_HAND * float(own.sum())

    def card_apart(
        self,
        label: float,
        shown: Iterable[tuple[CellArea, CellArea]],
        read: Iterable[CellArea],
        spot: CellArea | None,
    ) -> float | None:
        """For how long another card has been still, or None if there is none: something as large and as
        patterned as a card came to the table (or its `spot`) and belongs neither to the cards `shown`
        (label and reach of each) nor to what was `read`. `label` is the length of a label's side in cells."""
        off = np.asarray(np.abs(self.now * self._gain() - self.settled) > STEP, np.uint8)
        _, blobs, _, _ = cv2.connectedComponentsWithStats(
            cv2.morphologyEx(off, cv2.MORPH_CLOSE, np.ones((3, 3)))
        )
        ours = {0}.union(*(np.unique(cut(blobs, box)).tolist() for box in read))
        for box, reach in shown:
            ours |= _gesture(blobs, box, reach)
        there, grain, still = (
            cells if spot is None else cut(cells, spot) for cells in (blobs, grain_of(self.now), self.still)
        )
        table = float(np.percentile(tiled(grain_of(self.settled)).std(axis=(1, 3)), FREE))
        stills = []
        for blob, area in zip(*np.unique(there, return_counts=True), strict=True):
            if int(blob) not in ours and area > LEAST_CARD * label * label:
                core = cv2.erode(np.asarray(there == blob, np.uint8), np.ones((RIM, RIM))) > 0
                if core.any() and float(np.sqrt((grain[core] ** 2).mean())) > max(CARD_GRAIN, 1.5 * table):
                    stills.append(float(np.median(still[core])))
        return max(stills, default=None)

    def _step(self) -> float:
        """The grey difference that separates other things from the table: smaller in dim light, where a hand
        is as dark as wood."""
        return STEP * min(1.0, middle_grey(self.now) / BRIGHT)

    def _gain(self) -> np.float32:
        """How many times brighter the table was when it settled."""
        return np.float32(np.clip(middle_grey(self.settled) / max(1.0, middle_grey(self.now)), 0.5, 2.0))


def _not_table(cells: GreyCells) -> int:
    """How many cells differ from the usual grey of a plain table."""
    return int((np.abs(cells - middle_grey(cells)) > STEP).sum())


def _gesture(blobs: NDArray[Any], label: CellArea, reach: CellArea) -> set[int]:
    """The blobs that belong to a card with its label here: other parts of the card, if some of it looks like
    the table, and one hand, which reaches the edge of the picture."""
    edges = {*blobs[0].tolist(), *blobs[-1].tolist(), *blobs[:, 0].tolist(), *blobs[:, -1].tolist()} - {0}
    own = {*np.unique(cut(blobs, label)).tolist()} - {0}
    near, cells = np.unique(cut(blobs, reach), return_counts=True)
    own |= {int(blob) for blob in near if blob not in edges}
    hands = [(int(n), int(blob)) for blob, n in zip(near, cells, strict=True) if blob and blob in edges]
    return own | {max(hands)[1]} if hands and not own & edges else own


def _elsewhere(textured: NDArray[np.bool_], other: NDArray[np.bool_], lying: bool) -> bool:
    """Whether most patterned tiles look different: the camera was moved, or is covered. If nothing is lying,
    nearly all of a table patterned nearly everywhere must look different."""
    enough, part = (ENOUGH, MOSTLY) if lying else (NEARLY_ALL * other.size, NEARLY_ALL)
    return float(textured.sum()) >= enough and float(other[textured].mean()) > part
