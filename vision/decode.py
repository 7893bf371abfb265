"""From a picture to sightings within a time budget: QR decoders first, then our own search, then the codebook.

1. What has not changed since it was read (`vision.change_detection`) is not read again.
2. zxing-cpp reads the picture, or the part that has changed. Most frames end here.
3. Where a label's finder patterns are found and nothing was read (`vision.label_search`), its squares are
   measured, given to zxing's error correction, then compared with all labels of the game (`vision.codebook`),
   bent if necessary.
4. zxing-cpp reads the enlarged picture; outlines that were seen but not read are cut out, enlarged, sharpened
   and read again, also by zbar.

Only our own labels pass. If two readers disagree about a place, neither counts: a label missed now is read in
the next frame, but a misread label spoils a play.
"""

from __future__ import annotations

import math
import time
from collections import deque

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision import any_code, decoders, labels, plane
from vision.change_detection import LARGE, MOST, ChangedPart, LastLook
from vision.codebook import Codebook, outline
from vision.decoders import Reading
from vision.finders import Grey
from vision.folds import FoldFits
from vision.frame_stack import FRAMES, FrameStack, through
from vision.label_search import FULL_HD, NEVER, Clock, Disc, FoundPlace, LabelSearch, again, disc, same
from vision.readings import (
    PictureReadings,
    kept,
    module,
    plausible,
    read_here,
    settled,
    sighting_of,
    sway,
)
from vision.sightings import Corners, Sighting

MEMORY = 8
"""Frames a guess is remembered: a second one like it within so many frames makes a sighting."""
STRAY = 2.0
"""How far a label may move per frame meanwhile, in its own half diagonals."""
ROUNDS, REST, NEAR_REST = 1, 6, 4
"""After this many rounds through all sizes without anything new, the next search waits this many frames,
unless something changes; and the frames between two searches of a place that keeps changing."""
CALM = 3
"""While everything seems to be read, only one in so many frames is searched, until every size had its turn."""
PATIENT = 0.4
"""Seconds a 1080p frame may be searched while people wait for a whole tableau: enough for most sizes."""
ASKEW, SQUEEZED = 0.2, 0.7
"""Extra seconds for labels seen at a steep slant, and the factor by which the picture is squeezed for them."""
WHOLE = 8
"""Frames after which everything is read again, even if only parts of the picture changed."""
RIM = 48
"""Margin in pixels around a changed part that is read with it."""
SHARED, IN_PARTS = 160, 1_000_000
"""Rows that the two parts of an enlarged picture share, and from how many pixels on there are two."""
BENDS, BENDABLE = 2, 0.45
"""Places per frame that are tried as labels that do not lie flat, unless there is time for more; and how well
the patterns shared by all labels must fit there, except in a patient read."""
IN_VAIN = 6
"""Frames until a place that could not be read as a bent label is tried again."""
SETTLED = 2 * FRAMES + 2
"""Frames without a change after which stacking further frames cannot show anything new."""
LATELY = 30
"""Frames after which a label that reappears counts as new."""
CUTS = 3
"""Places per frame that are cut out and read again."""


class _Remembered(Struct, frozen=True):
    frame: int
    picture: int
    text: str
    at: Disc


class Reader:
    """Reads labels, frame by frame. Not thread-safe.

    The budget is CPU time of the reading thread. On a busy computer a look then takes longer in wall-clock
    time but stays as thorough; with a wall-clock budget it would miss labels and report an emptier table.
    """

    def __init__(
        self, codebook: Codebook | None = None, budget: float = 0.05, clock: Clock = time.thread_time
    ) -> None:
        self._codebook, self._budget, self._clock = codebook, budget, clock
        self._search, self._near_search = LabelSearch(), LabelSearch()
        self._deep_search = LabelSearch(NEVER)  # searched too rarely to spend a turn on unknown sizes
        self._askew_searches = (LabelSearch(), LabelSearch())
        self.trouble = ""
        """Why the last picture could not be looked at; empty if it could."""
        self.forget()

    @property
    def second_opinion(self) -> bool:
        """Whether zbar is installed."""
        return decoders.has_zbar()

    @property
    def rounds(self) -> int:
        """How often labels of every size were looked for in the whole picture."""
        return self._search.rounds

    def forget(self) -> None:
        """Forget everything seen before."""
        self._frame = 0
        self._seen: deque[_Remembered] = deque(maxlen=2048)
        self._sizes: deque[float] = deque(maxlen=128)
        self._last: dict[str, Corners] = {}
        self._pending: dict[str, Corners] = {}
        self._folds: dict[str, FoldFits] = {}
        self._bent_in_vain: list[tuple[int, Disc, float]] = []
        """Places that could not be read as bent labels: frame, place and direction."""
        self._drift = (0.0, 0.0)
        self._before: frozenset[str] = frozenset()
        self._stack = FrameStack()
        self._watch = LastLook()
        self._glanced: list[Reading] = []
        self._sightings: tuple[Sighting, ...] = ()
        self._met: dict[tuple[str, bool], int] = {}
        self._parts = self._still = self._number = self._rest = self._near_rest = self._askew = 0
        self._near: ChangedPart | None = None
        self._owed: ChangedPart | None = None
        """What has changed since the last search."""
        self._since, self._enlarged_in = self._search.rounds, -1

    def read(
        self, picture: object, *, waiting: bool = True, patient: bool = False, brief: bool = False
    ) -> tuple[Sighting, ...]:
        """The labels in this picture. If not `waiting`, only what a glance reads, and earlier readings where
        nothing has changed. `patient`: somebody waits for a whole tableau, so it may take longer. `brief`:
        only a glance, and the places where labels were a frame ago; the search is made up for later."""
        began = self._clock()
        grey, self.trouble = decoders.to_grey(picture)
        self._frame += 1
        if grey is None:
            return ()
        until = began + (PATIENT * max(1.0, (grey.size / FULL_HD) ** 0.5) if patient else self._budget)
        changed = self._watch.compare(grey)
        number = self._watch.number()
        known_by_heart, self._number = number == self._number, number
        self._still = self._still + 1 if changed is None else 0
        self._owed = self._owed if changed is None else changed.with_(self._owed)
        if changed is None and (not waiting or self._done(known_by_heart)):
            return self._sightings
        look = PictureReadings(self._glance(grey, changed))
        if waiting and brief:
            self._look_again(grey, look, until)
        elif waiting:
            self._look_closely(grey, look, until, changed, patient=patient, new=not known_by_heart)
        look.readings += self._agreed(look, number)
        self._sightings = tuple(
            sighting_of(reading)
            for reading in settled(look.readings)
            if reading.plain and labels.parse(reading.text)
        )
        self._remember(look, number)
        return self._sightings

    def read_any(self, picture: object) -> tuple[Sighting, ...]:
        """All QR codes in this picture, foreign ones too."""
        grey, self.trouble = decoders.to_grey(picture)
        if grey is None:
            return ()
        return tuple(sighting_of(reading) for reading in any_code.read(grey, self._clock))

    def _done(self, known_by_heart: bool) -> bool:
        """Whether another look at an unchanged picture is pointless: every size had its turn without result,
        and either it is exactly the same picture or enough frames have been stacked."""
        return self._in_vain and self._owed is None and (known_by_heart or self._still >= SETTLED)

    @property
    def _in_vain(self) -> bool:
        return self._search.rounds - self._since >= ROUNDS

    def _glance(self, grey: Grey, changed: ChangedPart | None) -> list[Reading]:
        """What zxing reads, and earlier readings where nothing has changed."""
        stay: list[Reading] = []
        part = None
        if changed is not None:
            seen = [r.corners for r in self._glanced] + [s.corners for s in self._sightings]
            part = changed.around(seen, grey.shape, RIM)
            stay = [kept(s) for s in self._sightings if not changed.touches(s.corners)]
        if changed is None and not self._parts:
            stay = [kept(s) for s in self._sightings]
        elif part is not None and part.pixels <= MOST * grey.size and self._parts < WHOLE:
            self._parts += 1
            outside = [r for r in self._glanced if not part.touches(r.corners)]
            self._glanced = outside + [_moved(r, part) for r in decoders.zxing(part.cut(grey))]
        else:
            self._parts = 0
            self._glanced = decoders.zxing(grey)
        self._watch.keep()
        here = [disc(reading.corners) for reading in self._glanced if reading.text]
        return self._glanced + [r for r in stay if not _among(disc(r.corners), here)]

    def _look_closely(
        self,
        grey: Grey,
        look: PictureReadings,
        until: float,
        changed: ChangedPart | None,
        *,
        patient: bool,
        new: bool,
    ) -> None:
        """Everything slower than a glance, as far as time allows and it may help."""
        self._look_again(grey, look, until)
        now = look.texts()
        changes = not patient and now != self._before  # a sweep keeps what it has seen
        much = MOST * grey.size
        if (
            self._owed is not None
            and self._owed.pixels > much
            and (changed is None or changed.pixels <= much)
        ):
            # A hand covered much of the picture and is calmer now: what it left behind may be anywhere.
            self._since, self._enlarged_in = self._search.rounds, -1
        restless = changes or not self._in_vain
        self._rest = 0 if restless else self._rest - 1 if self._rest else REST
        near = self._owed if self._owed is not None and self._owed.pixels <= much else None
        calm = not patient and self._calm(look)
        due = (not calm or self._frame % CALM == 1) if not self._in_vain else near is None and self._rest == 0
        zoom = 0.5 if grey.size > LARGE else 1.0
        if new and (self._in_vain or not calm) and self._pile_up(grey, look, zoom):
            self._look_deep(look, until, zoom)
        elif due:
            self._look_further(grey, look, until, patient=patient)
        elif near is not None:
            news = now != self._before or changed is None
            self._look_near(grey, look, until, near, news=news)
        self._before = look.texts()

    def _pile_up(self, grey: Grey, look: PictureReadings, zoom: float) -> bool:
        """Add this frame to the stack, scaled down if it is large; true once the stack is full."""
        if zoom != 1:
            grey = np.asarray(
                cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA), np.uint8
            )
        return self._stack.add(grey, {text: _zoomed(c, zoom) for text, c in look.places().items()})

    def _calm(self, look: PictureReadings) -> bool:
        """Whether everything seems to be read, so that a search is not urgent. False while nothing changes:
        then time is cheap."""
        sizes = look.sizes()
        unread = [corners for corners in look.unread if not _among(disc(corners), look.taken)]
        doubt = not sizes or self._pending or any(plausible(corners, sizes) for corners in unread)
        return not doubt and not self._still

    def _look_again(self, grey: Grey, look: PictureReadings, until: float) -> None:
        """Try the places where labels were a frame ago, corrected for the camera's sway: quick, and they are
        mostly still there."""
        read = {reading.text: reading.corners for reading in look.readings}
        x, y = sway(self._last, read) or self._drift
        moved = {
            text: tuple((a + x, b + y) for a, b in corners)
            for text, corners in (self._pending | self._last).items()
            if text not in read
        }
        places = {text: c for text, c in moved.items() if not _among(disc(c), look.taken)}
        folded = [text for text in places if text in self._folds]
        if folded and self._codebook is not None:
            there = [self._folds[text].moved(x, y) for text in folded]
            for text, guess in zip(folded, self._codebook.folded_again(grey, there), strict=True):
                if guess is not None:
                    look.guess(guess)
                    del places[text]
        if not places:
            return
        look.consider(again(grey, list(places.values())), self._codebook, self._last)
        bent, look.odd = look.odd, []
        for found, k in bent:
            at = disc(outline(found, k))
            was = [text for text, corners in places.items() if same(at, disc(corners))]
            if len(was) == 1 and was[0] in self._last and self._clock() < until:
                self._bend(grey, look, found, k, was[0])
            else:
                look.odd.append((found, k))

    def _bend(self, grey: Grey, look: PictureReadings, found: FoundPlace, k: int, known: str = "") -> None:
        """Try a place as a label that does not lie flat."""
        at = disc(outline(found, k))
        if self._codebook is None or _among(at, look.taken):
            return
        guess = self._codebook.bend(grey, found, k, known if known in self._codebook.texts else "")
        if guess is not None:
            look.guess(guess)
        elif not known:
            self._bent_in_vain.append((self._frame, at, _direction(found, k)))

    def _look_further(self, grey: Grey, look: PictureReadings, until: float, *, patient: bool) -> None:
        """Search the whole picture in the time left; then try unread places in other ways."""
        if patient or self._enlarged_in != self._search.rounds:
            self._enlarged_in = self._search.rounds
            look.add(enlarged(grey, whole=patient))
        self._owed = None
        sizes = look.sizes() + list(self._sizes)
        lying = list((self._last | look.places()).values())
        for found in self._search.places(
            grey, sizes, look.taken, until - self._clock(), self._clock, lying=lying
        ):
            look.consider(found, self._codebook)
        if patient and len(lying) < plane.LEAST:  # too few to know the slant of the table
            self._look_askew(grey, look, sizes, self._clock() + ASKEW)
        self._try_unread(grey, look, sizes, until + ASKEW if patient else until, patient=patient)

    def _look_askew(self, grey: Grey, look: PictureReadings, sizes: list[float], until: float) -> None:
        """Search the picture squeezed in width or height, in turn: labels at a steep slant look upright
        there."""
        self._askew = 1 - self._askew
        fx, fy = (SQUEEZED, 1.0) if self._askew else (1.0, SQUEEZED)
        size = (round(grey.shape[1] * fx), round(grey.shape[0] * fy))
        if min(size) < 1:
            return
        squeezed = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        taken = [Disc(d.x * fx, d.y * fy, d.radius) for d in look.taken]
        smaller = SQUEEZED**0.5
        search = self._askew_searches[self._askew]
        there = [one * smaller for one in sizes]
        for found in search.places(squeezed, there, taken, until - self._clock(), self._clock, grey.size):
            back = (found.corners + 0.5) / np.array([fx, fy], np.float32) - np.float32(0.5)
            look.consider(
                replace(found, corners=back, module=found.module / np.float32(smaller)), self._codebook
            )

    def _look_near(
        self, grey: Grey, look: PictureReadings, until: float, changed: ChangedPart, *, news: bool
    ) -> None:
        """Search only where something has changed, since the rest was searched before; less often where
        changes continue without a result."""
        part = changed.around([*look.unread, *self._last.values()], grey.shape, RIM)
        if self._near is not None and self._near_rest and self._near.holds(changed) and not news:
            self._near_rest -= 1
            return
        inner, known = PictureReadings([]), look.texts()
        inner.taken = [Disc(d.x - part.x0, d.y - part.y0, d.radius) for d in look.taken]
        cut = part.cut(grey)
        sizes = look.sizes() + list(self._sizes)
        inner.add(enlarged(cut))
        lying = [_shifted(c, part, -1) for c in (self._last | look.places()).values()]
        for found in self._near_search.places(
            cut, sizes, inner.taken, until - self._clock(), self._clock, grey.size, lying
        ):
            inner.consider(found, self._codebook)
        elsewhere, self._bent_in_vain = self._bent_in_vain, []
        self._try_unread(cut, inner, sizes, until)
        self._bent_in_vain = elsewhere
        look.add(_moved(reading, part) for reading in inner.readings)
        for guess in inner.guesses:
            fold = guess.fold and guess.fold.moved(part.x0, part.y0)
            look.guess(replace(guess, corners=_shifted(guess.corners, part), fold=fold))
        self._near, self._near_rest = part, 0 if inner.texts() - known else NEAR_REST
        self._owed = None

    def _try_unread(
        self, grey: Grey, look: PictureReadings, sizes: list[float], until: float, *, patient: bool = False
    ) -> None:
        """Try places that were found but not read: as labels that do not lie flat, or cut out and enlarged."""
        for number, (found, k) in enumerate(self._bendable(look, patient=patient)):
            if number >= BENDS and self._clock() > until:
                break
            self._bend(grey, look, found, k)
        unread = [c for c in look.unread if plausible(c, sizes) and not _among(disc(c), look.taken)]
        for corners in unread[:CUTS]:
            if self._clock() > until:
                break
            look.readings += read_crop(grey, corners)

    def _bendable(self, look: PictureReadings, *, patient: bool) -> list[tuple[FoundPlace, int]]:
        """Places that may be labels that do not lie flat, likeliest first, without recent failures."""
        self._bent_in_vain = [one for one in self._bent_in_vain if self._frame - one[0] < IN_VAIN]
        out = []
        for found, k in sorted(look.odd, key=lambda one: -float(one[0].fit[one[1]])):
            at, way = disc(outline(found, k)), _direction(found, k)
            tried = any(same(at, old) and math.cos(way - was) > 0.7 for _, old, was in self._bent_in_vain)
            if not tried and (patient or found.fit[k] > BENDABLE):
                out.append((found, k))
        return out

    def _look_deep(self, look: PictureReadings, until: float, zoom: float) -> None:
        """Search the stack of several frames instead of this frame alone."""
        places = {text: _zoomed(corners, zoom) for text, corners in look.places().items()}
        sizes = [module(corners) for corners in places.values()]
        back, onto = self._stack.motion, np.linalg.inv(self._stack.motion)
        picture = self._stack.picture(float(np.median(sizes)))
        deep = PictureReadings([])
        known = [reading.corners for reading in look.readings if reading.text]
        known += [guess.corners for guess in look.guesses]
        deep.taken += [disc(through(back, _zoomed(corners, zoom))) for corners in known]
        lying = [through(back, corners) for corners in places.values()]
        for found in self._deep_search.places(
            picture, sizes, deep.taken, until - self._clock(), self._clock, lying=lying
        ):
            deep.consider(found, self._codebook)

        def here(corners: Corners) -> Corners:
            return _zoomed(through(onto, corners), 1 / zoom)

        readings = [r for r in deep.readings if self._stack.there_still(r.corners, module(r.corners))]
        guesses = [guess for guess in deep.guesses if self._stack.there_still(guess.corners, guess.module)]
        look.readings += [replace(r, corners=here(r.corners)) for r in readings]
        look.guesses += [replace(guess, corners=here(guess.corners)) for guess in guesses]
        self._stack.done(news=bool(readings or guesses))

    def _remember(self, look: PictureReadings, number: int) -> None:
        """Keep what the next picture is compared with."""
        self._sizes += [sighting.module for sighting in self._sightings]
        self._seen += [
            _Remembered(self._frame, number, sighting.text, disc(sighting.corners))
            for sighting in self._sightings
            if sighting.how != "codebook"
        ]
        now = {sighting.text: sighting.corners for sighting in self._sightings}
        self._drift = sway(self._last, now) or (0.0, 0.0)
        self._last = now
        self._folds = {guess.text: guess.fold for guess in look.guesses if guess.fold is not None}
        self._pending = {guess.text: guess.corners for guess in look.guesses if guess.text not in now}
        met = [(text, False) for text in look.texts()] + [(text, True) for text in now]
        if any(self._frame - self._met.get(one, -LATELY) >= LATELY for one in met):
            self._since = self._search.rounds  # something new appeared: start the search rounds again
        self._met = {one: at for one, at in self._met.items() if self._frame - at < LATELY}
        self._met.update(dict.fromkeys(met, self._frame))

    def _agreed(self, look: PictureReadings, picture: int) -> list[Reading]:
        """The guesses confirmed by an earlier, different picture, and those that need no confirmation; all
        are remembered.

        A label exists only once: a guess that was also read elsewhere in this picture, or guessed twice, is
        wrong.
        """
        texts = [reading.text for reading in look.readings] + [guess.text for guess in look.guesses]
        out = []
        for guess in look.guesses:
            if texts.count(guess.text) > 1 and not read_here(guess, look.readings):
                continue
            at = disc(guess.corners)
            before = {
                old.frame
                for old in self._seen
                if old.text == guess.text
                and self._frame - MEMORY <= old.frame < self._frame
                and old.picture != picture
                and math.hypot(old.at.x - at.x, old.at.y - at.y)
                < STRAY * at.radius * (self._frame - old.frame)
            }
            self._seen.append(_Remembered(self._frame, picture, guess.text, at))
            self._sizes.append(guess.module)
            if guess.certain or before:
                sure = 1 - 0.05 / (1 + len(before) + guess.certain)
                out.append(Reading(guess.text, guess.corners, "codebook", sure=sure))
        return out


def read_crop(grey: Grey, corners: Corners) -> list[Reading]:
    """A place cut out, enlarged and sharpened, read by both decoders; empty if they find two texts.

    The crop may contain something else than expected: zxing says where its text is, and zbar must agree.
    """
    for zoom in (2, 3):
        part = decoders.crop(grey, corners, zoom)
        if part is None:
            return []
        found = [part.back(r) for r in decoders.zxing(part.grey, small=True) if r.text and r.plain]
        if not found and zoom == 3:
            there = [part.back(reading) for reading in decoders.zbar(part.grey)]
            found = [replace(r, corners=corners) for r in there if same(disc(r.corners), disc(corners))]
        if found:
            return found if len({reading.text for reading in found}) == 1 else []
    return []


def enlarged(grey: Grey, *, whole: bool = False) -> list[Reading]:
    """What zxing reads in the picture at twice its size, or at half its size if it is large.

    A large picture is enlarged in two parts unless `whole` is set: labels that need enlarging are smaller
    than the overlap, and enlarging it in one piece would take about thirty megabytes.
    """
    if grey.size > LARGE:
        return _at_scale(grey, 0.5, cv2.INTER_AREA)
    if whole or grey.size < 2 * SHARED * grey.shape[1] or grey.size < IN_PARTS:
        return _at_scale(grey, 2.0, cv2.INTER_CUBIC)
    middle = grey.shape[0] // 2
    return _at_scale(grey[: middle + SHARED // 2], 2.0, cv2.INTER_CUBIC) + [
        replace(reading, corners=tuple((x, y + middle - SHARED // 2) for x, y in reading.corners))
        for reading in _at_scale(grey[middle - SHARED // 2 :], 2.0, cv2.INTER_CUBIC)
    ]


def _at_scale(grey: Grey, zoom: float, how: int) -> list[Reading]:
    other = np.asarray(cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=how), np.uint8)
    part = decoders.Crop(other, 0, 0, zoom)
    return [part.back(reading) for reading in decoders.zxing(part.grey) if reading.text]


def _moved(reading: Reading, part: ChangedPart) -> Reading:
    """A reading in a part of a picture, in coordinates of the whole picture."""
    return replace(reading, corners=_shifted(reading.corners, part))


def _shifted(corners: Corners, part: ChangedPart, way: int = 1) -> Corners:
    """Points of a part of a picture, in coordinates of the whole picture; `way=-1` converts back."""
    return tuple((x + way * part.x0, y + way * part.y0) for x, y in corners)


def _zoomed(corners: Corners, zoom: float) -> Corners:
    """The same points in a picture scaled by `zoom`."""
    return tuple(((x + 0.5) * zoom - 0.5, (y + 0.5) * zoom - 0.5) for x, y in corners)


def _direction(found: FoundPlace, k: int) -> float:
    """The direction of a label's upper edge as an angle."""
    x, y = found.corners[k, 1] - found.corners[k, 0]
    return math.atan2(y, x)


def _among(place: Disc, taken: list[Disc]) -> bool:
    return any(same(place, other) for other in taken)
