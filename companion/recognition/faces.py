"""The faces of a game that were taught, as an index a camera compares with.

Only pictures are stored (`face_pictures`): what they are recognised by is computed when a camera is opened.
"""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.core.components import Component
from companion.core.game import Game
from companion.core.words import say
from companion.errors import DataTrouble
from companion.recognition import reading
from companion.recognition.face_pictures import FOLDER, KIND, look_up
from vision.faces import FaceIndex, TaughtFace


def taught(folder: Path, game: Game) -> tuple[str, ...]:
    """The components whose face is known, in the order of the box."""
    with suppress(OSError):
        there = {file.stem for file in (folder / FOLDER / game.id).glob(f"*{KIND}")}
        return tuple(component.id for component in reading.book(game).catalogue if component.id in there)
    return ()


def texts(game: Game, component: str) -> tuple[str, ...]:
    """The labels that the copies of a component have or would have."""
    return tuple(text for piece, text in reading.book(game).texts.items() if piece.component == component)


def sort_of(component: Component) -> object:
    """What components that look alike from afar have in common: a face may be confused only among these."""
    return type(component), component.own


def whole_sorts(game: Game, known: Container[str]) -> frozenset[object]:
    """The sorts of components of which every face is known: only then is an unknown one no risk."""
    box = tuple(reading.book(game).catalogue)
    return frozenset(map(sort_of, box)) - {sort_of(one) for one in box if one.id not in known}


def face(game: Game, component: str, picture: Any, *, alone: bool = True) -> TaughtFace:
    """What a picture of this component is recognised by."""
    from vision.decoders import to_grey
    from vision.faces import teach

    grey, trouble = to_grey(picture)
    if grey is None:
        raise DataTrouble(say("see.not-a-picture", file=trouble or component))
    return teach(texts(game, component), grey, alone=alone)


def index(folder: Path, game: Game) -> FaceIndex:
    """All faces of a game that were taught; unreadable pictures are left out."""
    pictures = {id: look_up(folder, game.id, id) for id in taught(folder, game)}
    known = {id: picture for id, picture in pictures.items() if picture is not None}
    return index_of(game, known)


def index_of(game: Game, pictures: dict[str, Any]) -> FaceIndex:
    """The index of these pictures by component."""
    whole = whole_sorts(game, pictures)
    box = reading.book(game).catalogue
    return FaceIndex(
        face(game, id, picture, alone=sort_of(box[id]) in whole) for id, picture in pictures.items()
    )
