"""What the camera sees, in terms of a game: labels become components, many frames become a tableau."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.files import why
from companion.core.game import Game, games
from companion.core.scans import CameraNews, CardGesture, CardInSight, LiesInSight, OfAnotherBox, OutOfSight
from companion.core.understand import Sighted
from companion.core.words import Text, say
from companion.errors import DataTrouble
from companion.recognition import zones
from companion.recognition.camera_troubles import no_pictures, trouble_text
from companion.recognition.labels import Book, Piece, books, find
from companion.recognition.zones import Zone
from vision import pictures as pictures_in
from vision.camera import BadSource, Camera, open_camera
from vision.codebook import Codebook
from vision.decode import Reader
from vision.face_reader import FaceReader, LabelsAndFaces
from vision.faces import FaceIndex
from vision.label_news import Brought, LabelNews, Left, Noticed, together
from vision.mat import CORNERS
from vision.sightings import Sighting
from vision.sweep import Sweep

LONGEST_SWEEP = 10.0
"""Seconds after which a sweep ends even if it is not steady."""


class Read(Struct, frozen=True):
    """A sighting and the piece it shows; a foreign code shows none."""

    sighting: Sighting
    game: str | None = None
    piece: Piece | None = None
    name: Text | None = None


def of(sighting: Sighting) -> Read:
    """The game and piece of a sighting."""
    found = find(sighting.text)
    if found is None:
        return Read(sighting)
    game, piece = found
    return Read(sighting, game, piece, book(games()[game]).catalogue[piece.component].called)


def book(game: Game) -> Book:
    """The labels of a game, computed once."""
    return next(b for b in books().values() if b.game.id == game.id)


def labelled() -> list[Game]:
    """Every game that has labels."""
    return [rules for rules in games().values() if rules.box.label is not None]


def reader(*of: Game, faces: FaceIndex | None = None) -> LabelsAndFaces:
    """A reader that knows every label of these games, the corners of the mat, and these taught faces."""
    labels = Reader(Codebook((*CORNERS, *(text for game in of for text in book(game).texts.values()))))
    return LabelsAndFaces(labels, FaceReader(faces))


SeatZones = tuple[tuple[Zone, int], ...]
"""The parts of the picture that belong to seats, each with its seat."""


def signal(
    game: Game,
    text: str,
    place: tuple[float, float] | None = None,
    seats: SeatZones = (),
    *,
    by_face: bool = False,
) -> Sighted | None:
    """The component of a label, and its seat: that of the player whose set it belongs to, or else of the
    place where it is. A card known `by_face` may be of any player's set."""
    piece = book(game).piece(text)
    if piece is None:
        return None
    owner = None if by_face else book(game).set_of(piece)
    return Sighted(piece.component, _seat_at(place, seats) if owner is None else owner - 1)


def _seat_at(place: tuple[float, float] | None, seats: SeatZones) -> int | None:
    """The only seat whose part of the picture contains this place; None if there is not exactly one."""
    if place is None:
        return None
    x, y = 100 * place[0], 100 * place[1]
    whose = {
        seat for (left, top, wide, high), seat in seats if left <= x < left + wide and top <= y < top + high
    }
    return whose.pop() if len(whose) == 1 else None


def camera_news(game: Game, news: Iterable[LabelNews], seats: SeatZones = ()) -> tuple[CameraNews, ...]:
    """What labels that came and went mean for a play of this game. A card of another box is ignored, and
    reported as such."""

    def card(item: Brought | Noticed) -> CardInSight | None:
        seen = item.sighting
        sighted = signal(game, seen.text, item.place, seats, by_face=seen.how == "face")
        laid = isinstance(item, Brought) and item.perhaps_laid
        return None if sighted is None else CardInSight(seen.text, sighted, laid, not seen.certain)

    told: list[CameraNews] = []
    for group in together(news):
        match group[0]:
            case Brought(follows=follows):
                found = (card(item) for item in group if isinstance(item, Brought))
                cards = tuple(one for one in found if one is not None)
                told += [CardGesture(cards, follows)] if cards else _of_another_box(game, group)
            case Noticed() as item:
                lying = card(item)
                told += [LiesInSight(lying)] if lying is not None else []
            case Left(text):
                told.append(OutOfSight(text))
    return tuple(told)


def _of_another_box(game: Game, group: Iterable[LabelNews]) -> list[CameraNews]:
    """The message about a card of ours that belongs to another game; foreign codes are ignored."""
    for item in group:
        read = of(item.sighting) if isinstance(item, Brought) else None
        if read is not None and read.game is not None and read.name is not None:
            other = games()[read.game].box.name
            told = say("see.of-another-box", name=read.name, other=other, game=game.box.name)
            return [OfAnotherBox(read.sighting.text, told)]
    return []


def components_in(game: Game, sweep: Sweep) -> tuple[str, ...]:
    """The components of a sweep, in the order of the box."""
    seen = {piece.component for text in sweep.found if (piece := book(game).piece(text)) is not None}
    return tuple(c.id for c in book(game).catalogue if c.id in seen)


def tableau_in(game: Game, sweep: Sweep) -> tuple[str, ...]:
    """The components of a sweep that can be in a tableau (no players' own sets), one entry per copy seen."""
    pieces = [piece for text in sweep.found if (piece := book(game).piece(text)) is not None]
    seen = Counter(piece.component for piece in pieces if piece.component not in book(game).sets)
    return tuple(c.id for c in book(game).catalogue for _ in range(seen[c.id]))


def strange_in(game: Game, sweep: Sweep) -> tuple[Text, ...]:
    """Problems with the labels of a sweep: one of another box, or the same label on two components."""
    strange = [text for text in sweep.found if book(game).piece(text) is None]
    told = [say("see.other-box", code=text, game=game.box.name) for text in strange]
    for text in sorted(sweep.doubled):
        if (piece := book(game).piece(text)) is not None:
            told.append(say("see.label-twice", name=book(game).catalogue[piece.component].called))
    return tuple(told)


def sweep(
    camera: Camera,
    reader: LabelsAndFaces,
    part: Zone | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Sweep]:
    """Read until nothing new appears, the pictures end, or the time is up; yields the sweep after each look.
    Everything outside this part of the picture is ignored."""
    so_far = Sweep()
    began = clock()
    while clock() - began < LONGEST_SWEEP and not so_far.steady:
        frame = camera.read()
        if frame is None:
            if not camera.health().ok:
                return
            time.sleep(0.005)  # until the next picture
            continue
        if part is not None:
            height, width = frame.picture.shape[:2]
            so_far = replace(so_far, zone=zones.corners(part, width, height))
        so_far = so_far.see(reader.read(frame.picture, patient=True), reader.rounds)
        yield so_far


def swept(
    game: Game,
    source: str,
    part: Zone | None,
    progress: Callable[[Sweep], None] = lambda so_far: None,
    faces: FaceIndex | None = None,
) -> Sweep:
    """The tableau in a folder of pictures, a single picture, a film, or in front of a camera, by labels and
    by these taught faces; raises if there was no picture."""
    camera = open_camera(source)
    found = Sweep()
    try:
        for found in sweep(camera, reader(game, faces=faces), part):
            progress(found)
        if not found.frames:
            raise no_pictures(camera.health())
        return found
    finally:
        camera.close()


def picture(path: str) -> Any:
    """The picture in a file; raises `DataTrouble` if there is none."""
    try:
        found = pictures_in.decode(pictures_in.load(Path(path)), path)
    except BadSource as trouble:
        raise DataTrouble(trouble_text(trouble)) from trouble
    except (OSError, ValueError) as e:  # a NUL in the name raises ValueError
        raise DataTrouble(say("core.bad-file", file=path, why=why(e))) from e
    if found is None:
        raise DataTrouble(say("see.not-a-picture", file=path))
    return found
