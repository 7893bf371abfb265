"""What people add to plays afterwards: notes, the place, a photo, deleting; results typed in; spellings of names.

Nothing is overwritten: like facts, annotations are appended to the journal's file, and the last one counts.
Deleting a play hides it, and can be undone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from companion.core.sqlite_errors import is_damage
from companion.core.store import Store, checksum, keys, one
from companion.core.words import Text, count
from companion.errors import StorageTrouble

LONGEST_NOTE, LONGEST_NAME = 2000, 60
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]


class Noted(Struct, frozen=True, tag="note"):
    """A note about a play; an empty one removes it."""

    play: int
    text: Annotated[str, Meta(max_length=LONGEST_NOTE)]


class PlaceNote(Struct, frozen=True, tag="place"):
    """Where it was played."""

    play: int
    where: Annotated[str, Meta(max_length=LONGEST_NAME)]


class Photographed(Struct, frozen=True, tag="photo"):
    """The name of a photo of the final table, in the folder of photos."""

    play: int
    file: Annotated[str, Meta(max_length=LONGEST_NAME)]


class Deleted(Struct, frozen=True, tag="delete"):
    """A play is hidden everywhere, or shown again."""

    play: int
    gone: bool = True


class Merged(Struct, frozen=True, tag="merge"):
    """One spelling of a name stands for another person; merged into itself, it stands for itself again."""

    name: Name
    into: Name


class TypedSeat(Struct, frozen=True):
    """One seat of a typed result; without points only the winner counts."""

    name: Name
    points: Annotated[int, Meta(ge=-9999, le=99999)] | None = None
    won: bool = False


class TypedResult(Struct, frozen=True, tag="result"):
    """The bare result of an evening without the companion; `game` is an id, or the name of any game."""

    game: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    played_at: float
    seats: Annotated[tuple[TypedSeat, ...], Meta(min_length=1, max_length=12)]
    minutes: Annotated[int, Meta(ge=1, le=6000)] | None = None


Annotation = Noted | PlaceNote | Photographed | Deleted | Merged | TypedResult


class AnnotationEntry(Struct, frozen=True):
    """An annotation, and when it was written."""

    at: float
    what: Annotation


class Annotations(Struct, frozen=True):
    """All annotations, as they hold now. Plays are known by number; a typed result has a negative one."""

    notes: dict[int, str] = {}
    places: dict[int, str] = {}
    photos: dict[int, str] = {}
    deleted: frozenset[int] = frozenset()
    merged: dict[str, str] = {}
    typed: dict[int, TypedResult] = {}

    def person(self, name: str) -> str:
        """The name under which this person is counted."""
        seen = {name}
        while (into := self.merged.get(name, name)) not in seen:
            seen.add(into)
            name = into
        return name


def holding(written: Iterable[AnnotationEntry]) -> Annotations:
    """What holds after these, the oldest first."""
    notes, places, photos = dict[int, str](), dict[int, str](), dict[int, str]()
    merged, typed, deleted = dict[str, str](), dict[int, TypedResult](), set[int]()
    for n, one_ in enumerate(written, 1):
        match one_.what:
            case Noted(play, text):
                notes[play] = text
            case PlaceNote(play, where):
                places[play] = where
            case Photographed(play, file):
                photos[play] = file
            case Deleted(play, gone):
                (deleted.add if gone else deleted.discard)(play)
            case Merged(name, into):
                # The person it is merged into stands for itself: two names never lead to each other.
                merged.pop(into, None)
                merged[name] = into
            case TypedResult() as result:
                typed[-n] = result
    return Annotations(notes, places, photos, frozenset(deleted), merged, typed)


class Annotator:
    """Reads and appends annotations, in the same file as the journal."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, what: Annotation, at: float) -> int:
        """Append one; returns its number."""
        with self._store.writing() as db:
            (seq,) = db.execute("SELECT ifnull(max(seq) + 1, 0) FROM annotation").fetchone()
            insert_annotations(db, (AnnotationEntry(float(at), what),))
        return int(seq)

    def now(self) -> Annotations:
        """What holds now; raises `StorageTrouble` if any of it is damaged."""
        with self._store.reading() as db:
            written, whole = read_annotations(db)
            self._store.distrust(db, "annotation")
        if not whole:
            raise StorageTrouble(annotations_problem(len(written), str(self._store.path)))
        return holding(written)


# In the journal's file


def insert_annotations(db: sqlite3.Connection, written: Iterable[AnnotationEntry]) -> None:
    """Append annotations to those that are stored."""
    (first,) = db.execute("SELECT ifnull(max(seq) + 1, 0) FROM annotation").fetchone()
    for seq, one_ in enumerate(written, first):
        body = msgspec.json.encode(one_)
        db.execute("INSERT INTO annotation VALUES (?, ?, ?)", (seq, body, checksum(seq, body)))


def read_annotations(db: sqlite3.Connection) -> tuple[tuple[AnnotationEntry, ...], bool]:
    """Every annotation up to the first damaged one, and whether these are all: later ones may depend on it."""
    good: list[AnnotationEntry] = []
    seqs, whole = keys(db, "annotation", "seq")
    for n, seq in enumerate(seqs):
        try:
            body, found = one(db, "SELECT body, sum FROM annotation WHERE seq = ?", seq)
        except sqlite3.Error as e:
            if not is_damage(e):
                raise
            return tuple(good), False
        if seq != n or found != checksum(seq, body):
            return tuple(good), False
        good.append(msgspec.json.decode(body, type=AnnotationEntry))
    return tuple(good), whole


def annotations_problem(good: int, file: str) -> Text:
    """The message for damaged annotations."""
    return count("storage.annotations-damaged", good, file=file)
