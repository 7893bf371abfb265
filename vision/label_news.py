"""News about labels in front of a camera (brought, noticed, out of sight) and about the camera itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from vision.sightings import Sighting


class Brought(Struct, frozen=True):
    """Somebody shows this label; labels with the same time are shown together.

    `follows`: another one was shown less than a second ago. `perhaps_laid`: it appeared among lying cards at
    their size, or no hand was seen, so it may only have been laid down or have come into the picture.
    """

    sighting: Sighting
    at: float
    place: tuple[float, float] = (0.5, 0.5)
    """Its middle, as fractions of the picture's width and height."""
    follows: bool = False
    perhaps_laid: bool = False


class Noticed(Struct, frozen=True):
    """A label lies there, and nobody was seen bringing it."""

    sighting: Sighting
    at: float
    place: tuple[float, float] = (0.5, 0.5)


class Left(Struct, frozen=True):
    """A label has been out of sight for a while."""

    text: str
    at: float


class Disturbed(Struct, frozen=True):
    """The camera cannot see the table as it was; an empty value means that it sees it again."""

    what: Literal["", "dark", "moved"]
    at: float


LabelNews = Brought | Noticed | Left | Disturbed


def together(news: Iterable[LabelNews]) -> Iterator[tuple[LabelNews, ...]]:
    """News in order; labels shown at the same time form one group."""
    group: list[LabelNews] = []
    for item in news:
        if group and not (
            isinstance(item, Brought) and isinstance(group[0], Brought) and item.at == group[0].at
        ):
            yield tuple(group)
            group = []
        group.append(item)
    if group:
        yield tuple(group)
