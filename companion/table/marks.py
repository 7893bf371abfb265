"""The marks of seats, which distinguish the players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.core.session import Session
from companion.table.settings import Person


class Mark(Struct, frozen=True):
    """What distinguishes a seat: never colour alone."""

    colour: str
    shape: str
    letter: str = ""


MARKS = (
    Mark("#F26B4E", "circle"),
    Mark("#5B9BFF", "square"),
    Mark("#46BE8A", "triangle"),
    Mark("#F4C64F", "diamond"),
    Mark("#B183EE", "hexagon"),
    Mark("#DDE3EC", "star"),
)

PIECES = {
    "red": "#F26B4E",
    "blue": "#5B9BFF",
    "green": "#46BE8A",
    "yellow": "#F4C64F",
    "purple": "#B183EE",
    "white": "#DDE3EC",
    "black": "#8796AE",
}
"""The colours of pieces as marks show them; black must be visible on a dark screen."""


def marks_for(
    names: Sequence[str], people: Iterable[Person] = (), pieces: Sequence[str] = ()
) -> tuple[Mark, ...]:
    """A different mark for each seat: the person's preferred one, unless taken. A seat with coloured pieces
    gets their colour; the others keep theirs, or get a free one."""
    liked = {person.name: person.look % len(MARKS) for person in people}
    taken: dict[int, int] = {}
    for seat, name in enumerate(names):
        if name in liked and liked[name] not in taken:
            taken[liked[name]] = seat
    free = iter([n for n in range(len(MARKS)) if n not in taken])
    chosen = {seat: mark for mark, seat in taken.items()}
    letters = letters_for(names)
    marks = []
    for seat in range(len(names)):
        mark = MARKS[chosen[seat] if seat in chosen else next(free)]
        marks.append(Mark(mark.colour, mark.shape, letters[seat]))
    return _as_pieces(marks, [PIECES.get(colour, "") for colour in pieces])


def _as_pieces(marks: Sequence[Mark], pieces: Sequence[str]) -> tuple[Mark, ...]:
    """The same marks in these colours, one for each seat; a seat without a colour never gets one of these."""
    given = [*pieces, *[""] * (len(marks) - len(pieces))]
    kept = {mark.colour for mark, colour in zip(marks, given, strict=True) if not colour} - set(given)
    free = iter([colour for colour in PIECES.values() if colour not in kept and colour not in given])
    return tuple(
        replace(mark, colour=colour or (mark.colour if mark.colour in kept else next(free)))
        for mark, colour in zip(marks, given, strict=True)
    )


def marks_of(session: Session, people: Iterable[Person] = ()) -> tuple[Mark, ...]:
    """The marks of the seats of a play."""
    return marks_for(session.setup.seats, people, [seat.colour for seat in session.view.seats])


def light(mark: Mark) -> tuple[float, float, float]:
    """The colour of a mark for a lamp: red, green and blue, each from 0 to 1."""
    red, green, blue = bytes.fromhex(mark.colour.removeprefix("#"))
    return red / 255, green / 255, blue / 255


def letters_for(names: Sequence[str]) -> tuple[str, ...]:
    """One letter or digit for each name, all different, the first of the name if possible."""
    letters: list[str] = []
    for seat, name in enumerate(names):
        own = [letter for letter in name.upper() if letter.isalnum()]
        letters.append(next((letter for letter in (*own, *"123456789") if letter not in letters), str(seat)))
    return tuple(letters)
