"""Reads faces, frame by frame, in slices: a look never holds a frame.

What is known is looked at again where the picture changed; what changed since the last search is searched
(`vision.face_search`), as far as the budget of each look goes, and goes on with the next. A face is seen only
after two different pictures agree. A label beats a face: where a label is read, faces are silent, and no face
stands for a copy whose label has been read.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision import decoders
from vision.change_detection import ChangedPart, LastLook
from vision.decode import Reader
from vision.face_search import Candidate, covered, search
from vision.faces import FaceIndex, FaceJudgement
from vision.finders import Grey
from vision.label_search import Clock
from vision.labels import MODULES
from vision.sightings import FACE_SIDES, Corners, Sighting

BUDGET, BRIEF, PATIENT = 0.05, 0.025, 0.4
"""Seconds of processor time a look may take: usually, while a card is carried, and during a sweep."""
AGREE = 2
"""Different pictures in which a face must be seen before it counts."""
LOST = 60
"""Looks for which the place of a face that is covered is tried again."""
LABELLED = 30
"""Looks for which a label that is not read any more still silences the face of its card."""
MARGIN = 60
"""Pixels around a changed part that are searched with it: a card may have changed only in part."""
SAME_PLACE = 0.4
"""Two cards closer than this, in sides of a card, are one."""


class _Place(Struct, frozen=True):
    """A face that was seen somewhere: in how many pictures, in how many of them whole, in which one last."""

    judged: FaceJudgement
    text: str
    votes: int
    looks: int = 1
    whole: int = 0
    picture: int = 0
    lost: int = 0
    """Looks since it was seen."""

    @property
    def corners(self) -> Corners:
        return self.judged.corners


class FaceReader:
    """Reads faces. Not thread-safe, but `index` may be replaced by any thread."""

    def __init__(
        self, index: FaceIndex | None = None, budget: float = BUDGET, clock: Clock = time.thread_time
    ) -> None:
        self.index = index or FaceIndex(())
        self._budget, self._clock = budget, clock
        self.forget()

    def forget(self) -> None:
        """Forget everything seen before."""
        self._known = self.index
        self._places: list[_Place] = []
        self._watch, self._searched = LastLook(), LastLook()
        self._job: Iterator[Candidate | None] | None = None
        self._taken: list[Corners] = []
        """Places the search leaves out, in the part that it searches; it grows while faces are found."""
        self._part = ChangedPart(0, 0, 0, 0)
        self._labelled: set[str] = set()
        self._labels: dict[str, tuple[int, Corners]] = {}
        self._look = self._number = 0
        self.rounds = 0
        """How often everything that had changed was searched to the end."""

    def read(
        self,
        grey: Grey,
        labels: Sequence[Sighting] = (),
        *,
        waiting: bool = True,
        patient: bool = False,
        brief: bool = False,
    ) -> tuple[Sighting, ...]:
        """The faces in this picture, apart from those of cards whose label is read. The arguments are those of
        `Reader.read`."""
        if self._known is not self.index:
            self.forget()
        if not self._known.faces:
            return ()
        until = self._clock() + (PATIENT if patient else BRIEF if brief else self._budget)
        self._look += 1
        changed = self._watch.compare(grey)
        self._number = self._watch.number()
        self._watch.keep()
        self._silence(labels)
        self._look_again(grey, changed, until)
        if waiting:
            self._search(grey, until)
        seen = [place for place in self._places if not place.lost and (patient or place.looks >= AGREE)]
        return tuple(self._sighting(place) for place in seen)

    def _silence(self, labels: Sequence[Sighting]) -> None:
        """Drop what labels say better."""
        for label in labels:
            self._labelled.add(label.text)
            self._labels[label.text] = self._look, label.corners
        self._labels = {
            text: (look, corners)
            for text, (look, corners) in self._labels.items()
            if self._look - look < LABELLED
        }
        self._places = [
            place
            for place in self._places
            if place.text not in self._labelled and not self._has_label(place.corners)
        ]

    def _has_label(self, corners: Corners) -> bool:
        middles = [np.mean(label, axis=0) for _, label in self._labels.values()]
        return bool(middles) and bool(covered(np.array(middles, np.float32), [corners]).any())

    def _look_again(self, grey: Grey, changed: ChangedPart | None, until: float) -> None:
        """Look at the known places that changed or are not certain yet; those that had to wait come first."""
        index, after = self._known, []
        for place in self._places:
            here = changed is not None and changed.touches(place.corners)
            doubtful = place.looks < AGREE and place.picture != self._number
            if not here and not doubtful and not place.lost:
                after.append(place)
                continue
            judged = None
            if place.judged.whole and index.stays(grey, place.corners, place.judged.face):
                judged = place.judged
            elif not place.lost and self._clock() < until:
                judged = index.judge(grey, place.corners, place.judged.face, place.votes)
            elif not place.lost:  # no time: believe it once more
                after.insert(0, place)
                continue
            if judged is not None:
                after.append(self._seen_again(place, judged))
            elif place.lost < LOST and place.looks >= AGREE:
                after.append(replace(place, lost=place.lost + 1))
        self._places = after

    def _seen_again(self, place: _Place, judged: FaceJudgement) -> _Place:
        another = place.picture != self._number
        return replace(
            place,
            judged=judged,
            looks=place.looks + another,
            whole=place.whole + (another and judged.whole),
            picture=self._number,
            lost=0,
        )

    def _search(self, grey: Grey, until: float) -> None:
        """Go on with the search, or begin one where the picture changed since the last: at least one slice,
        however long the known faces took."""
        spent = False
        while not spent:
            if self._job is None:
                part = self._searched.compare(grey)
                self._searched.keep()
                if part is None:
                    self.rounds += 1
                    return
                self._part = part.around([place.corners for place in self._places], grey.shape, MARGIN)
                self._taken = [self._in_part(place.corners) for place in self._places if not place.lost]
                self._job = search(self._part.cut(grey), self._known, self._taken)
            found = next(self._job, _END)
            if found is _END:
                self._job = None
                self.rounds += 1
                return
            if isinstance(found, Candidate):
                self._consider(grey, found)
            spent = self._clock() >= until

    def _in_part(self, corners: Corners) -> Corners:
        return tuple((x - self._part.x0, y - self._part.y0) for x, y in corners)

    def _consider(self, grey: Grey, found: Candidate) -> None:
        corners = tuple((x + self._part.x0, y + self._part.y0) for x, y in found.corners)
        if any(not place.lost and _same_place(place.corners, corners) for place in self._places):
            return
        judged = self._known.judge(grey, corners, found.face, found.votes)
        if judged is None or self._has_label(judged.corners):
            return
        here = [place for place in self._places if _same_place(place.corners, judged.corners)]
        if any(not place.lost for place in here):
            return
        self._places = [place for place in self._places if place not in here]
        text = self._copy(judged)
        if text:
            self._places.append(
                _Place(judged, text, found.votes, whole=int(judged.whole), picture=self._number)
            )
            self._taken.append(self._in_part(judged.corners))

    def _copy(self, judged: FaceJudgement) -> str:
        """The text of the copy that this may be: of those that are nowhere else, the one last seen nearest."""
        texts = self._known.faces[judged.face].texts
        used = self._labelled | {place.text for place in self._places if not place.lost}
        free = [text for text in texts if text not in used]
        lost = {place.text: place for place in self._places if place.lost}
        middle = np.mean(judged.corners, axis=0)

        def distance(text: str) -> float:
            place = lost.get(text)
            return math.inf if place is None else float(np.hypot(*(np.mean(place.corners, axis=0) - middle)))

        best = min(free, key=distance, default="")
        self._places = [place for place in self._places if place.text != best]
        return best

    def _sighting(self, place: _Place) -> Sighting:
        face = place.judged.face
        certain = (
            place.judged.whole
            and place.whole >= AGREE
            and self._known.faces[face].alone
            and not self._known.twins[face]
        )
        side = _side(place.corners)
        return Sighting(
            place.text, place.corners, "face", place.judged.score, side / FACE_SIDES / MODULES, certain
        )


_END = Candidate(-1, ())


def _side(corners: Corners) -> float:
    """The side of a square as large as this place."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    return math.sqrt(abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2)


def _same_place(one: Corners, other: Corners) -> bool:
    away = np.mean(one, axis=0) - np.mean(other, axis=0)
    return float(np.hypot(*away)) < SAME_PLACE * max(_side(one), _side(other))


class LabelsAndFaces:
    """Reads labels, and the faces of cards without one. Not thread-safe."""

    def __init__(self, labels: Reader, faces: FaceReader) -> None:
        self.labels, self.faces = labels, faces

    def read_any(self, picture: object) -> tuple[Sighting, ...]:
        """All QR codes in this picture, foreign ones too."""
        return self.labels.read_any(picture)

    @property
    def trouble(self) -> str:
        """Why the last picture could not be looked at; empty if it could."""
        return self.labels.trouble

    @property
    def rounds(self) -> int:
        """How often everything was looked for."""
        return min(self.labels.rounds, self.faces.rounds) if self.faces.index.faces else self.labels.rounds

    def know(self, faces: FaceIndex) -> None:
        """Recognise these faces from now on; any thread may call this."""
        self.faces.index = faces

    def forget(self) -> None:
        """Forget everything seen before."""
        self.labels.forget()
        self.faces.forget()

    def read(
        self, picture: object, *, waiting: bool = True, patient: bool = False, brief: bool = False
    ) -> tuple[Sighting, ...]:
        """The labels in this picture, and the faces without a label."""
        found = self.labels.read(picture, waiting=waiting, patient=patient, brief=brief)
        if not self.faces.index.faces:
            return found
        grey, _ = decoders.to_grey(picture)
        if grey is None:
            return found
        return found + self.faces.read(grey, found, waiting=waiting, patient=patient, brief=brief)
