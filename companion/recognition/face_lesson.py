"""Teaching faces by showing: the next component is named, somebody lays it down, and the next is named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct

from companion.core.game import Game
from companion.core.words import Text, say
from companion.recognition import faces, reading
from vision.camera_health import Picture
from vision.decoders import to_grey
from vision.face_reader import FaceReader
from vision.face_search import upright
from vision.faces import ALIKE, FaceIndex, TaughtFace, straightened
from vision.laid_cards import LaidCards

ROUND = 30
"""Faces that are taught between two check rounds."""


class Laid(Struct, frozen=True):
    """Somebody laid a component down: a new face, a second copy of a known one, or a new face that cannot be
    told from a known one."""

    what: Literal["taught", "copy", "twin"]
    component: str
    picture: Any
    other: str = ""
    """The component that looks like it, if any."""


class FaceLesson:
    """Which component is next, and what was laid down. Knows no files: the caller keeps the pictures."""

    def __init__(self, game: Game, known: dict[str, Any]) -> None:
        """`known`: the pictures of the components whose faces were taught before."""
        self.game = game
        self._box = reading.book(game).catalogue
        self._faces: dict[str, TaughtFace] = {
            id: faces.face(game, id, picture) for id, picture in known.items()
        }
        self._order = [component.id for component in self._box if component.id not in known]
        self._spotter = LaidCards()
        self.lately: list[str] = []
        """What was taught since the last check round."""

    @property
    def next(self) -> str | None:
        """The component to be laid down next; None if all are known."""
        return self._order[0] if self._order else None

    @property
    def told(self) -> int:
        """How many faces are known."""
        return len(self._faces)

    @property
    def total(self) -> int:
        """How many components the box has."""
        return len(self._faces) + len(self._order)

    @property
    def check_due(self) -> bool:
        """Whether the last thirty are to be laid out and looked at, so that no name is wrong for ever."""
        return len(self.lately) >= ROUND or (bool(self.lately) and not self._order)

    def skip(self) -> None:
        """The next one is not at hand: it comes last."""
        self._order.append(self._order.pop(0))

    def choose(self, component: str) -> None:
        """Teach this one next."""
        if component in self._order:
            self._order.remove(component)
            self._order.insert(0, component)

    def forget(self, component: str) -> None:
        """This face was named wrongly, or is to be taken again: it is next."""
        if self._faces.pop(component, None) is not None:
            self.lately = [one for one in self.lately if one != component]
            self._order.insert(0, component)

    def begin_again(self) -> None:
        """What lies before the camera now is no card to be taught: the picture was moved, or cleared."""
        self._spotter.start_again()

    def index(self) -> FaceIndex:
        """All faces known by now, as a camera compares them; every sort counts as whole during a lesson."""
        return FaceIndex(self._faces.values())

    def see(self, picture: Picture, at: float) -> Laid | None:
        """Look at a picture taken at this time."""
        corners = self._spotter.see(picture, at)
        if corners is None or self.next is None:
            return None
        return self._lay(cut_out(picture, corners))

    def insist(self, laid: Laid) -> Laid | None:
        """What was taken for a second copy is the component that was asked for, though it looks the same."""
        return None if self.next is None else self._lay(laid.picture, insist=True)

    def _lay(self, picture: Picture, *, insist: bool = False) -> Laid:
        assert self.next is not None
        component = self.next
        face = faces.face(self.game, component, picture)
        like = self._like(face)
        if like is not None and like[1] == "same" and not insist:
            return Laid("copy", like[0], picture)
        self._faces[component] = face
        self._order.remove(component)
        self.lately.append(component)
        if like is not None:
            return Laid("twin", component, picture, like[0])
        return Laid("taught", component, picture)

    def _like(self, face: TaughtFace) -> tuple[str, Literal["same", "twin"]] | None:
        """The known face that this is most like, if it is the same one or cannot be told from it."""
        if not self._faces:
            return None
        index = self.index()
        number, score = index.nearest(face)
        component = list(self._faces)[number]
        if score > SAME:
            return component, "same"
        return (component, "twin") if score > ALIKE else None


SAME = 0.82
"""Likeness from which two pictures show the same face."""


def cut_out(picture: Picture, corners: Iterable[tuple[float, float]]) -> Picture:
    """A component alone, upright as it lies there."""
    quad = upright(tuple(corners))
    (ax, ay), (bx, by), _, (dx, dy) = quad
    size = (
        round(max(8.0, ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)),
        round(max(8.0, ((dx - ax) ** 2 + (dy - ay) ** 2) ** 0.5)),
    )
    return straightened(picture, quad, size)


def in_rows(game: Game, reader: FaceReader, picture: Picture) -> tuple[str, ...]:
    """The components whose faces are in this picture, row by row as they lie."""
    grey, _ = to_grey(picture)
    if grey is None:
        return ()
    found = []
    for sighting in reader.read(grey, patient=True):
        piece = reading.book(game).piece(sighting.text)
        if piece is not None:
            xs, ys = zip(*sighting.corners, strict=True)
            found.append((sum(ys) / 4, sum(xs) / 4, max(ys) - min(ys), piece.component))
    rows: list[list[tuple[float, float, float, str]]] = []
    for one in sorted(found):
        if rows and one[0] - rows[-1][0][0] < one[2] / 2:
            rows[-1].append(one)
        else:
            rows.append([one])
    return tuple(one[3] for row in rows for one in sorted(row, key=lambda one: one[1]))


def words_of(game: Game, laid: Laid) -> Text:
    """What people are told about it."""
    box = reading.book(game).catalogue
    name = box[laid.component].called
    match laid.what:
        case "copy":
            return say("faces.copy", name=name)
        case "twin":
            return say("faces.twin", name=name, other=box[laid.other].called)
    return say("faces.taught", name=name)
