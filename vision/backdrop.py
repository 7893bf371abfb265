"""The picture around the labels: whether the camera could see, whether it looks where it looked, what changed where.

All of it goes by a small grey copy of each picture (cells.py). What stood still for a while is *settled*: the table as
it was before a hand came.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.cells import (
    FINE,
    PATCH,
    PLAIN,
    STEP,
    STILL,
    Box,
    Cells,
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
"""If more than this part of the tiles with a pattern have another one, so has the view. A card held close, and the arm
behind it, leave a corner of the table free."""
ENOUGH = 20
"""Tiles with a pattern from which the view as a whole can be judged: a hand covers a dozen and has a pattern itself."""
BRIGHT = 100.0
"""How bright a table is, in grey steps, on which cells that differ by a step are plainly different."""
SWAY = 0.6
"""The part of what neighbouring cells differ by which a cell may tremble in addition."""
CARD_PATTERN, BUSIER, FREE = 4.0, 1.25, 10
"""The deviation in grey steps of a part of a card at least, without straight lines; how many times as much as the table
it has; and the percent of the picture that are free table."""
ALL, FAMILIAR = 0.8, 3
"""The part of the cells that differ if everything looks different, and the tiles with the pattern they had from which
that is the same view in another light."""
OPEN = 0.5
"""The part of a place that must be free table to say that nothing stands there: wood has a grain."""
LEAST_CARD, CARD_GRAIN, RIM = 4.0, 7.0, 7
"""What a card covers at least, in squares as large as its label; its grain in grey steps, which hands have at their
rim only; and the width of two rims in cells."""
SETTLED, CALM = 2.0, 1.0
"""Seconds until a cell that is still counts as settled, and until a view that was moved does."""
SLOWLY = 5.0
"""Seconds in which what is settled follows what it looks like."""
LONGEST_GAP = 1.2
"""Seconds between two looks after which nobody watched what happened in between."""
DARK = 14.0
"""Mean grey of a picture in the dark."""
FREED, JUDGED = 0.4, 3.0
"""The part of a picture with nothing in it that stays as it was when a hand comes over a bare table, rather than off
the lens; and for how many seconds that is looked at."""
ACCOUNTED, UNTOUCHED = 0.8, 0.1
"""The part of the table that is as it was when its only cards are gone; and the part that must be so to say what the
table looks like."""
AROUND, NEAR_BY = 2.0, 0.25
"""How far around a place, in its own widths, the table tells how bright a bare place is there; and the part of that
which must have stayed as it was: boards differ, and a lamp stands to one side."""
SEEN_BARE = 0.7
"""The part of a place that must have been seen without a card to say that the card came."""
HAND = 25.0
"""What changes at least, beside a card and where it lay, when a hand moves it: in squares as large as its label."""
WITH_HAND, LATELY = 1.5, 2.0
"""How many times as much as a card takes must have been covered when a hand brought it; and for how many seconds that
is known, for a hand lays a card down and is gone."""

What = Literal["", "dark", "moved"]


class Backdrop(Struct, frozen=True):
    """The table as the last looks showed it. Arrays in here are never changed."""

    now: Cells
    settled: Cells
    still: Cells
    at: float
    since: float
    """Since when the table has been watched without a gap, in the light, from the same place."""
    unlike: Cells
    """For how many seconds each cell has not looked as it did when it was settled."""
    what: What = ""
    """What keeps the camera from seeing the table as it was."""
    quiet: float = 0.0
    """Seconds a view that is another one has stood still, or one that came after nothing has been looked at."""
    blank: Cells | None = None
    """A picture with nothing in it that came where something was: a table cleared of everything, or a covered lens."""
    blind: bool = False
    """Whether it is before us still, so that nobody knows which of the two it is."""
    covered: tuple[tuple[float, int], ...] = ()
    """In the looks of late, when, and how many cells were not the table."""

    @classmethod
    def first(cls, now: Cells, at: float) -> Backdrop:
        """The first look."""
        dark, nothing, zero = bool(now.mean() < DARK), nothing_in(now), np.zeros_like(now)
        blank = now if nothing else None
        return cls(now, now, zero, at, at, zero, "dark" if dark else "", blank=blank, blind=nothing)

    def see(self, now: Cells, at: float, lying: bool, accounted: bool = False) -> Backdrop:
        """The next look. Where nothing is `lying`, a view with little of the old one may be a card held close; where
        all that lay is `accounted` for, one with nothing in it is the table as it was."""
        passed = at - self.at
        if now.shape != self.now.shape or passed < 0:
            return Backdrop.first(now, at)
        before = replace(self, since=at) if passed > LONGEST_GAP else self
        if now.mean() < DARK:
            return before._unseen(now, at, "dark", None)
        if nothing_in(now) and (self.blind or before._hides(now, accounted)):
            told: What = "dark" if self.what == "dark" or (lying and not self.blind) else ""
            return before._unseen(
                now, at, told, now if self.blank is None else self._following(self.blank, now, passed)
            )
        if self.blank is None:
            return before._seen(now, at, lying)
        if remains(now, self.blank) < FREED:
            return before._freed()._seen(now, at, lying)
        return before._bared(passed)._seen(now, at, lying)

    @staticmethod
    def _following(then: Cells, now: Cells, passed: float) -> Cells:
        """A picture that slowly becomes another one, as the light does."""
        return then + np.float32(1 - np.exp(-passed / SLOWLY)) * (now - then)

    def _hides(self, now: Cells, accounted: bool) -> bool:
        """Whether a picture with nothing in it may hide what was there."""
        same = np.abs(now - self.settled) < STILL
        return not nothing_in(self.settled) and not (accounted and float(same.mean()) > ACCOUNTED)

    def _unseen(self, now: Cells, at: float, what: What, blank: Cells | None) -> Backdrop:
        """A look at nothing: what it hides is as it was. If it hides nothing, it has been watched all the time."""
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
        """The lens is free again: nobody saw what happened meanwhile, nor what was there at first."""
        what: What = "moved" if nothing_in(self.settled) else "dark"
        return replace(self, what=what, quiet=0.0, blank=None, blind=False)

    def _bared(self, passed: float) -> Backdrop:
        """A hand over the table it seems to be, as far as we can tell by now."""
        if self.blind:
            assert self.blank is not None
            return replace(
                self, settled=self.blank, unlike=np.zeros_like(self.blank), what="", quiet=0.0, blind=False
            )
        return replace(self, quiet=self.quiet + passed, blank=None if self.quiet > JUDGED else self.blank)

    def _seen(self, now: Cells, at: float, lying: bool) -> Backdrop:
        """A look at the table, or at another view."""
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

    def _all_other(self, now: Cells, same: NDArray[np.bool_]) -> bool:
        """Whether everything is brighter or darker, and no pattern (of those tiles) tells that it is the same place."""
        off = np.abs(now - self.settled) > STILL
        return float(off.mean()) > ALL and int(same.sum()) < FAMILIAR

    def _settle(self, now: Cells, still: Cells, ranges: Cells, passed: float) -> tuple[Cells, Cells]:
        """The table as it settles, and how long it has been still: what was settled and looks different, be it by the
        shadow before a hand, must be still for as long again; else shadows would stay behind as a pattern."""
        known = (self.still >= SETTLED) & (still >= SETTLED)
        lighter, some = np.float32(1.0), known[::2, ::2]
        if some.any():
            then = np.maximum(self.settled[::2, ::2][some], 1)
            lighter = np.float32(np.clip(np.median(now[::2, ::2][some] / then), 0.5, 2.0))
        was = self.settled * lighter  # what a hand covers is so too
        same = np.abs(now - was) < STILL + SWAY * np.minimum(ranges, local_range(was))
        still = np.where(known & ~same, np.float32(0.0), still)
        slowly = np.float32(1 - np.exp(-passed / SLOWLY))
        return np.where(known, was + slowly * same * (now - was), np.where(still >= SETTLED, now, was)), still

    def still_for(self, box: Box) -> float:
        """For how many seconds this place has been still."""
        part = cut(self.still, box)
        return float(np.median(part)) if part.size else 0.0

    def came(self, box: Box, since: float) -> bool:
        """Whether this place was seen as it was settled since that time: what is there now came."""
        part = cut(self.unlike, box)
        return part.size > 0 and float(np.mean(part < self.at - since)) > SEEN_BARE

    def changed(self, box: Box) -> bool:
        """Whether this place shows something else than when it was settled."""
        return not alike(cut(self.now, box), cut(self.settled, box), self._gain())

    def untouched(self, seconds: float) -> NDArray[np.bool_] | None:
        """The cells that have been still for so long; nothing if they are too few to know the table by."""
        untouched = self.still >= seconds
        return untouched if float(untouched.mean()) > UNTOUCHED else None

    def bare(self, box: Box) -> bool:
        """Whether there is nothing but the table now: no pattern, and as bright as most of the picture."""
        part = cut(self.now, box)
        plain = part.size > 0 and float(part.std()) < 2 * PLAIN
        return plain and abs(float(part.mean()) - middle_grey(self.now)) < self._step()

    def like_table(self, box: Box, table: NDArray[np.bool_]) -> bool:
        """Whether this place is as bright as most of those cells of the table, and has a grain if they have."""
        part, grain = cut(self.now, box), grain_of(self.now)
        if not part.size or abs(float(part.mean()) - float(np.median(self.now[table]))) >= self._step():
            return False
        tiles = tiled(table.astype(np.float32)).mean(axis=(1, 3)) > 0.5
        spreads = tiled(grain).std(axis=(1, 3))[tiles]
        usual = float(np.percentile(spreads, FREE)) if spreads.size else 0.0
        return float(cut(grain, box).std()) > usual / 3 or usual < FINE

    def open(self, box: Box, table: NDArray[np.bool_] | None = None) -> bool:
        """Whether this place is one with the free table, as bright as most of the picture (or as those cells near by):
        a cup, or a hand, may be as bare but has an outline."""
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

    def enclosed(self, box: Box, reach: Box, then: Cells) -> bool:
        """Whether all around this place, and no further than that, the table has the very grain it had: what a hand
        covers goes on to the edge of the picture."""
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

    def _bright(self, box: Box, table: NDArray[np.bool_]) -> float:
        """How bright a bare table is at this place: as those cells of it near by, if there are enough, else as most of
        them."""
        left, top, right, bottom = box
        x, y = round(AROUND * (right - left)), round(AROUND * (bottom - top))
        near = left - x, top - y, right + x, bottom + y
        here = cut(table, near)
        enough = here.size > 0 and float(here.mean()) > NEAR_BY
        return float(np.median(cut(self.now, near)[here] if enough else self.now[table]))

    def patterned(self, box: Box) -> bool:
        """Whether there was a card, or something as patterned, rather than the table."""
        table = float(np.percentile(tiled(self.settled).std(axis=(1, 3)), FREE))
        return unlined(cut(self.settled, box)) > max(CARD_PATTERN, BUSIER * table)

    def by_hand(self, label: float, *places: Box) -> bool:
        """Whether something moved from one of these places to another because somebody moved it: the rest of the table
        stands where it stood, or a hand is in the picture. `label` is the length of its side in cells."""
        textured, other = compared(self.settled, self.now)
        outside = np.ones(self.now.shape, bool)
        for left, top, right, bottom in places:
            outside[max(0, top) : bottom, max(0, left) : right] = False
        tiles = tiled(outside.astype(np.float32)).mean(axis=(1, 3)) > 0.5
        if int((textured & tiles).sum()) >= ENOUGH:
            return float(other[textured & tiles].mean()) <= MOSTLY
        off = np.abs(self.now * self._gain() - self.settled) > STEP
        return float((off & outside).sum()) > HAND * label * label

    def hand_seen(self, box: Box, reach: Box) -> bool:
        """Whether a hand can have brought the card with its label there, which reaches no further than that: an arm is
        behind it, or more was covered of late than it takes. On a table with a pattern nobody asks: if the camera
        was moved, the pattern was, too."""
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
        shown: Iterable[tuple[Box, Box]],
        read: Iterable[Box],
        spot: Box | None,
    ) -> float | None:
        """If something as large and as patterned as a card came to (a spot of) the table that belongs neither to cards
        shown there (their labels, and how far they may reach) nor to what was read: for how long it has been still.
        `label` is the length of a label's side in cells."""
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
        """By how much what is not the table differs from it: less in little light, where a hand is as dark as wood."""
        return STEP * min(1.0, middle_grey(self.now) / BRIGHT)

    def _gain(self) -> np.float32:
        """How much brighter the table was when it was settled."""
        return np.float32(np.clip(middle_grey(self.settled) / max(1.0, middle_grey(self.now)), 0.5, 2.0))


def _not_table(cells: Cells) -> int:
    """How many cells of a picture of a plain table are something else."""
    return int((np.abs(cells - middle_grey(cells)) > STEP).sum())


def _gesture(blobs: NDArray[Any], label: Box, reach: Box) -> set[int]:
    """What belongs to a card with its label there: more of the card, if some of it looks like the table, and one hand,
    which reaches to the edge of the picture."""
    edges = {*blobs[0].tolist(), *blobs[-1].tolist(), *blobs[:, 0].tolist(), *blobs[:, -1].tolist()} - {0}
    own = {*np.unique(cut(blobs, label)).tolist()} - {0}
    near, cells = np.unique(cut(blobs, reach), return_counts=True)
    own |= {int(blob) for blob in near if blob not in edges}
    hands = [(int(n), int(blob)) for blob, n in zip(near, cells, strict=True) if blob and blob in edges]
    return own | {max(hands)[1]} if hands and not own & edges else own


def _elsewhere(textured: NDArray[np.bool_], other: NDArray[np.bool_], lying: bool) -> bool:
    """Whether most of what has a pattern looks different: the camera was moved, or is covered. Where nothing is
    lying that must be all of a table that has a pattern nearly everywhere."""
    enough, part = (ENOUGH, MOSTLY) if lying else (NEARLY_ALL * other.size, NEARLY_ALL)
    return float(textured.sum()) >= enough and float(other[textured].mean()) > part
